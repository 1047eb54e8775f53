//! Hostile texts: what they become holds allowed names and addresses only, and shows its source where it is refused.
//!
//! The corpus is `fixtures/hostile.json`. Per case: `links` and `images` are all the addresses that may be left (none where
//! they are not named), `shows` is a text that a reader must see. `tests/browser/safety.rs` puts the same into real pages.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod generate;

use std::collections::BTreeMap;

use countersign::document::html::{HtmlOptions, Images, render_html};
use countersign::document::render::{Attr, Op, RenderOptions, Tag, render};
use generate::Random;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    markdown: String,
    #[serde(default)]
    links: Vec<String>,
    #[serde(default)]
    images: Vec<String>,
    shows: Option<String>,
}

fn corpus() -> BTreeMap<String, Vec<Case>> {
    serde_json::from_str(include_str!("fixtures/hostile.json")).unwrap()
}

/// The only elements that a document may become, written down once more on purpose: the renderer's list must not grow
/// without a second thought.
const ELEMENTS: &str = "p h1 h2 h3 h4 h5 h6 blockquote ul ol li pre code hr div section table thead tbody tr th td \
    em strong del a br img input span kbd sub sup mark u s ins b i";
/// And the only attributes.
const ATTRIBUTES: &str = "href title start value align class dir rel target src alt type checked disabled role aria-label \
    data-alert data-title data-slug data-footnote data-footnotes data-reference data-back data-comment data-image data-html \
    data-plain data-notice data-task data-meta";

fn listed(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|known| known == name)
}

/// Whether a browser that is given `address` would stay with the web, mail, a telephone or this place. Written from the
/// URL standard, not from `links.rs`.
fn is_harmless(address: &str, image: bool) -> bool {
    let read: String = address.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
    let read = read.trim_matches(|c| c <= ' ').to_lowercase();
    let slashes = read.chars().take_while(|c| matches!(c, '/' | '\\')).count();
    if slashes > 1 || read.starts_with('\\') {
        return false;
    }
    let Some((scheme, rest)) = scheme(&read) else { return true };
    match scheme {
        "http" | "https" => true,
        "mailto" | "tel" => !image,
        "data" if image => ["png", "gif", "jpeg", "webp", "avif"].iter().any(|kind| {
            rest.strip_prefix("image/")
                .and_then(|rest| rest.strip_prefix(kind))
                .is_some_and(|rest| rest.starts_with([',', ';']))
        }),
        _ => false,
    }
}

/// The scheme that an address begins with, and the rest.
fn scheme(address: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = address.split_once(':')?;
    let valid = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    valid.then_some((scheme, rest))
}

/// What became of a text.
#[derive(Debug, Default, PartialEq, Eq)]
struct Became {
    links: Vec<String>,
    images: Vec<String>,
    shown: String,
}

impl Became {
    /// Takes note of an attribute, and refuses what must not be.
    fn attribute(&mut self, tag: &str, name: &str, value: &str) {
        assert!(listed(ATTRIBUTES, name), "attribute {name} on {tag}");
        match name {
            "href" => {
                assert_eq!(tag, "a", "only links lead anywhere");
                assert!(is_harmless(value, false), "a link to {value:?}");
                self.links.push(value.to_owned());
            }
            "src" => {
                assert_eq!(tag, "img", "only images have a source");
                assert!(is_harmless(value, true), "an image from {value:?}");
                self.images.push(value.to_owned());
            }
            "class" => {
                let language = value.strip_prefix("language-").unwrap_or_default();
                let fits = |c: char| c.is_ascii_alphanumeric() || "+#._-".contains(c);
                assert!(!language.is_empty() && language.chars().all(fits), "class {value:?}");
            }
            "target" => assert_eq!(value, "_blank"),
            "rel" => assert_eq!(value, "noopener noreferrer nofollow"),
            "type" => assert_eq!(value, "checkbox"),
            "role" => assert_eq!(value, "note"),
            "dir" => assert!(matches!(value, "auto" | "ltr"), "dir {value:?}"),
            "align" => assert!(matches!(value, "left" | "center" | "right"), "align {value:?}"),
            "start" | "value" => assert!(value.bytes().all(|byte| byte.is_ascii_digit()), "{name} {value:?}"),
            _ => {}
        }
    }
}

/// What the instructions say.
fn instructed(text: &str) -> Became {
    let mut became = Became::default();
    for block in render(text, &RenderOptions::default()) {
        let strings: Vec<u16> = block.strings.encode_utf16().collect();
        let slice = |at: u32, len: u32| String::from_utf16(&strings[at as usize..(at + len) as usize]).unwrap();
        let mut code = block.code.iter().copied();
        while let Some(op) = code.next() {
            let mut word = || code.next().expect("all operands");
            match Op::of(op).expect("a known instruction") {
                Op::Close => {}
                Op::Open => {
                    let tag = Tag::of(word()).expect("a known element").name();
                    assert!(listed(ELEMENTS, tag), "element {tag}");
                    let mut names: Vec<&str> = Vec::new();
                    for _ in 0..word() {
                        let attr = Attr::of(word()).expect("a known attribute");
                        let (at, len) = (word(), word());
                        let value = if attr == Attr::AriaLabel { String::new() } else { slice(at, len) };
                        became.attribute(tag, attr.name(), &value);
                        names.push(attr.name());
                    }
                    if let ("a", Some(link)) = (tag, became.links.last()) {
                        let outside = ["rel", "target"].map(|name| names.contains(&name));
                        assert_eq!(outside, [scheme(link).is_some(); 2], "{names:?} of {link:?}");
                    }
                    if tag == "br" {
                        became.shown.push('\n');
                    }
                }
                Op::Text => {
                    let (at, len, _) = (word(), word(), word());
                    became.shown.push_str(&slice(at, len));
                }
                Op::Atom => {
                    let (at, len, _, _) = (word(), word(), word(), word());
                    became.shown.push_str(&slice(at, len));
                }
                Op::Plain => {
                    let (at, len) = (word(), word());
                    became.shown.push_str(&slice(at, len));
                }
                Op::Label | Op::Source => {
                    word();
                    word();
                }
                Op::Frame => {
                    word();
                    word();
                    word();
                }
            }
        }
    }
    became
}

/// What the string says, read by a small reader that knows only the form in which it may be written:
/// `<name attribute="value">`, `</name>`, and text in which `<` does not occur.
fn written(html: &str) -> Became {
    let mut became = Became::default();
    let mut rest = html;
    while let Some((text, tag)) = rest.split_once('<') {
        became.shown.push_str(&plain(text));
        if let Some(end) = tag.strip_prefix('/') {
            let (name, after) = end.split_once('>').expect("a tag that ends");
            assert!(listed(ELEMENTS, name), "element {name:?}");
            rest = after;
            continue;
        }
        let end = tag.find(|c: char| !c.is_ascii_alphanumeric()).expect("a tag that ends");
        let (name, mut more) = tag.split_at(end);
        assert!(listed(ELEMENTS, name), "element {name:?}");
        while let Some(attribute) = more.strip_prefix(' ') {
            let (attribute, value) = attribute.split_once("=\"").expect("an attribute with a quoted value");
            let (value, after) = value.split_once('"').expect("a value that ends");
            assert!(!value.contains(['<', '>']), "brackets in {value:?}");
            became.attribute(name, attribute, &plain(value));
            more = after;
        }
        rest = more.strip_prefix('>').expect("nothing else in a tag");
    }
    assert!(!rest.contains('>'));
    became.shown.push_str(&plain(rest));
    became
}

/// Text without its escapes; nothing else may begin with `&`.
fn plain(escaped: &str) -> String {
    assert!(!escaped.contains(['<', '>', '"']), "unescaped: {escaped:?}");
    let mut parts = escaped.split('&');
    let mut words = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let known = [("amp;", '&'), ("lt;", '<'), ("gt;", '>'), ("quot;", '"')];
        let (name, character) =
            known.into_iter().find(|(name, _)| part.starts_with(name)).expect("one of four escapes");
        words.push(character);
        words.push_str(&part[name.len()..]);
    }
    words
}

fn html(text: &str, images: Images) -> Became {
    written(&render_html(text, &HtmlOptions { images, render: RenderOptions::default() }))
}

#[test]
fn hostile_texts_become_what_is_allowed_and_show_the_rest() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (family, cases) in &corpus() {
        for case in cases {
            count += 1;
            let text = &case.markdown;
            let outcome =
                std::panic::catch_unwind(|| (instructed(text), html(text, Images::All), html(text, Images::None)));
            let Ok((nodes, all, none)) = outcome else {
                wrong.push(format!("{family}: {}: {text:?} became what no text may become", case.name));
                continue;
            };
            for (what, became) in [("nodes", &nodes), ("HTML", &all)] {
                if became.links != case.links || became.images != case.images {
                    wrong.push(format!("{family}: {}: {what} of {text:?}: {became:?}", case.name));
                }
            }
            if !none.images.is_empty() || none.links != case.links {
                wrong.push(format!("{family}: {}: HTML without images: {none:?}", case.name));
            }
            if let Some(shows) = &case.shows {
                for (what, became) in [("nodes", &nodes), ("HTML", &none)] {
                    if !became.shown.contains(shows.as_str()) {
                        wrong.push(format!("{family}: {}: {what} show {:?}, not {shows:?}", case.name, became.shown));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 400, "the corpus has shrunk to {count}");
}

/// Parts of hostile texts, put together anew: no expectation but that nothing else than what is allowed comes of it.
#[test]
fn hostile_texts_cut_up_and_mixed_become_nothing_else() {
    let cases: Vec<String> = corpus().into_values().flatten().map(|case| case.markdown).collect();
    let glue = [
        "", " ", "\n", "\n\n", "\r\n> ", "\r", "\t", "|", "`", "\"", "'", "<", ">", "](", ")", "\\", "&#9;", "&quot;",
        "\0", "<b>", "</b>", "<!--", "-->",
    ];
    for seed in 0..30_000 {
        let mut random = Random::new(seed);
        let mut text = String::new();
        for _ in 0..2 + random.below(4) {
            let part: Vec<char> = random.pick(&cases).chars().collect();
            let (one, other) = (random.below(part.len() + 1), random.below(part.len() + 1));
            let cut = if random.once_in(3) { 0..part.len() } else { one.min(other)..one.max(other) };
            text.extend(&part[cut]);
            text.push_str(glue[random.below(glue.len())]);
        }
        let held = std::panic::catch_unwind(|| {
            let (nodes, all) = (instructed(&text), html(&text, Images::All));
            assert_eq!((&nodes.links, &nodes.images), (&all.links, &all.images), "nodes and HTML differ");
            assert!(html(&text, Images::None).images.is_empty());
        });
        assert!(held.is_ok(), "seed {seed}: {text:?}");
    }
}

#[test]
fn a_host_may_add_schemes_but_none_that_runs() {
    let schemes: Vec<String> =
        ["javascript", "JavaScript:", "vbscript", "data", "file", "obsidian"].map(str::to_owned).into();
    let options =
        HtmlOptions { images: Images::All, render: RenderOptions { link_schemes: schemes, heading_offset: 0 } };
    let text = "[a](javascript:x) [b](vbscript:x) [c](data:text/html,x) [d](file:///x) [e](obsidian:x) ![f](data:image/svg+xml,x)";
    let html = render_html(text, &options);
    let hrefs: Vec<&str> = html.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(hrefs, ["obsidian:x"]);
    assert!(!html.contains("src="));
}
