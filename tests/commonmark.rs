//! The examples of CommonMark 0.31.2 and GFM 0.29 through `render_html`, with a list of exceptions that can only shrink.
//!
//! Normalised HTML is compared: attributes sorted, `dir`, `rel`, `target` and `data-*` left out, addresses decoded, blanks
//! that do not show left out.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;

use countersign::document::html::{HtmlOptions, Images, render_html};

/// `(example, markdown, html)` of a fixture.
fn examples(file: &str) -> Vec<(u32, String, String)> {
    let fence = "`".repeat(32);
    let text = fs::read_to_string(format!("tests/fixtures/{file}")).unwrap();
    let mut examples = Vec::new();
    let mut lines = text.lines();
    while let Some(head) = lines.next() {
        let number = head.strip_prefix(&fence).unwrap().split_whitespace().next().unwrap().parse().unwrap();
        let mut part = |end: &str| {
            let mut part = String::new();
            for line in lines.by_ref().take_while(|line| *line != end) {
                part.push_str(&line.replace('→', "\t"));
                part.push('\n');
            }
            part
        };
        let markdown = part(".");
        let html = part(&fence);
        examples.push((number, markdown, html));
    }
    examples
}

#[derive(Debug, PartialEq)]
enum Token {
    Tag(String),
    Text(String),
}

/// Splits HTML into tags and text. What is no tag is text.
fn tokens(html: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut text = String::new();
    let mut rest = html;
    while let Some(first) = rest.chars().next() {
        let end = rest.starts_with('<').then(|| tag_end(rest)).flatten();
        let Some(end) = end else {
            text.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        if !text.is_empty() {
            tokens.push(Token::Text(std::mem::take(&mut text)));
        }
        tokens.push(Token::Tag(rest[..end].to_owned()));
        rest = &rest[end..];
    }
    if !text.is_empty() {
        tokens.push(Token::Text(text));
    }
    tokens
}

fn tag_end(html: &str) -> Option<usize> {
    let name = html[1..].trim_start_matches('/');
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return None;
    }
    let mut quoted = None;
    for (at, character) in html.char_indices() {
        match (quoted, character) {
            (None, '"' | '\'') => quoted = Some(character),
            (None, '>') => return Some(at + 1),
            (Some(open), close) if open == close => quoted = None,
            _ => {}
        }
    }
    None
}

/// Text decoded, but for `<` and `&`: text must not look like a tag.
fn normalised_text(text: &str) -> String {
    unescape(text).replace('&', "&amp;").replace('<', "&lt;")
}

fn unescape(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&nbsp;", "\u{a0}").replace("&amp;", "&")
}

/// Percent-decoded, so that every way of encoding an address is one.
fn decoded(address: &str) -> String {
    let bytes = address.as_bytes();
    let mut decoded = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let hex = address.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match hex.filter(|_| bytes[at] == b'%') {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// A tag's name, and the whole tag with its attributes in order.
fn normalised_tag(tag: &str) -> (String, String) {
    let inner = tag[1..tag.len() - 1].trim_end_matches('/').trim();
    let end = inner.find(|c: char| c.is_ascii_whitespace()).unwrap_or(inner.len());
    let name = inner[..end].to_ascii_lowercase();
    let mut attributes = BTreeMap::new();
    let mut rest = inner[end..].trim_start();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_whitespace() || c == '=').unwrap_or(rest.len());
        let key = rest[..end].to_ascii_lowercase();
        rest = rest[end..].trim_start();
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix('=') {
            let after = after.trim_start();
            let (quote, body) = match after.chars().next() {
                Some(quote @ ('"' | '\'')) => (Some(quote), &after[1..]),
                _ => (None, after),
            };
            let end =
                body.find(|c: char| quote.map_or(c.is_ascii_whitespace(), |quote| c == quote)).unwrap_or(body.len());
            value = unescape(&body[..end]);
            rest = body[end..].trim_start_matches(['"', '\'']).trim_start();
        }
        if key == "href" || key == "src" {
            value = decoded(&value);
        }
        if !key.is_empty() && !matches!(&*key, "dir" | "rel" | "target") && !key.starts_with("data-") {
            attributes.insert(key, value);
        }
        if end == 0 && rest.starts_with(|c: char| !c.is_ascii_alphabetic()) {
            rest = &rest[1..];
        }
    }
    let mut whole = format!("<{name}");
    for (key, value) in attributes {
        whole.push_str(&format!(" {key}={value:?}"));
    }
    whole.push('>');
    (name, whole)
}

const BLOCKS: &[&str] = &[
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "blockquote",
    "ul",
    "ol",
    "li",
    "pre",
    "hr",
    "div",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "section",
];

fn normalised(html: &str) -> String {
    let mut out = String::new();
    let mut preformatted = false;
    // Whether blanks at the beginning of the next text show.
    let mut after_block = true;
    for token in tokens(html) {
        match token {
            Token::Tag(tag) => {
                let (name, whole) = normalised_tag(&tag);
                let block = BLOCKS.contains(&name.trim_start_matches('/'));
                if block && !(preformatted && name == "/pre") {
                    out.truncate(out.trim_end_matches([' ', '\n']).len());
                }
                preformatted = (preformatted || name == "pre") && name != "/pre";
                out.push_str(&whole);
                after_block = block || name == "br";
            }
            Token::Text(text) => {
                let text = normalised_text(&text);
                if preformatted {
                    out.push_str(&text);
                } else {
                    let mut blank = after_block;
                    for character in text.chars() {
                        let is_blank = matches!(character, ' ' | '\n' | '\t' | '\r');
                        if !is_blank {
                            out.push(character);
                        } else if !blank {
                            out.push(' ');
                        }
                        blank = is_blank;
                    }
                }
                after_block = false;
            }
        }
    }
    out.trim_end_matches([' ', '\n']).to_owned()
}

/// `suite number reason`, one a line.
fn exceptions(suite: &str) -> BTreeMap<u32, String> {
    let text = fs::read_to_string("tests/fixtures/commonmark-exceptions.txt").unwrap();
    let mut exceptions = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut parts = line.splitn(3, ' ');
        let (of, number, reason) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap_or_default());
        assert!(!reason.trim().is_empty(), "an exception without a reason: {line}");
        if of == suite {
            exceptions.insert(number.parse().unwrap(), reason.to_owned());
        }
    }
    exceptions
}

fn check(suite: &str, file: &str, count: usize) {
    let options = HtmlOptions { images: Images::All, ..HtmlOptions::default() };
    let examples = examples(file);
    assert_eq!(examples.len(), count);
    let mut exceptions = exceptions(suite);
    let mut wrong = Vec::new();
    for (number, markdown, html) in examples {
        let rendered = render_html(&markdown, &options);
        let (left, right) = (normalised(&rendered), normalised(&html));
        match (left == right, exceptions.remove(&number)) {
            (true, None) | (false, Some(_)) => {}
            (true, Some(_)) => wrong.push(format!("{suite} {number} passes: take it off the list of exceptions")),
            (false, None) => {
                wrong.push(format!("{suite} {number} fails\n{markdown}--- expected\n{right}\n--- rendered\n{left}\n"));
            }
        }
    }
    assert!(exceptions.is_empty(), "no such examples: {exceptions:?}");
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn commonmark_0_31_2() {
    check("commonmark", "commonmark-0.31.2.txt", 652);
}

#[test]
fn gfm_0_29() {
    check("gfm", "gfm-0.29.txt", 677);
}

#[test]
fn the_comparison_sees_what_matters() {
    for (left, right) in [
        ("<p>a</p>", "<p>b</p>"),
        ("<p>a b</p>", "<p>ab</p>"),
        ("<pre>a\n</pre>", "<pre>a</pre>"),
        ("<a href=\"/a\">x</a>", "<a href=\"/b\">x</a>"),
        ("<p><em>a</em></p>", "<p>a</p>"),
        ("<p>&lt;a&gt;</p>", "<p><a></p>"),
        ("<td align=\"left\">a</td>", "<td>a</td>"),
    ] {
        assert_ne!(normalised(left), normalised(right));
    }
    assert_eq!(normalised("<p dir=\"auto\">a\n b<br />\nc</p>\n"), normalised("<p>a b<br>c</p>"));
}
