//! Bare addresses in plain text, by GitHub's rule for extended autolinks: `www.…`, `http://…`, `https://…`, `ftp://…` and
//! mail addresses, the latter also behind `mailto:` and `xmpp:`.
//!
//! Works on one stretch of shown text that is in no link and no code. Whether an address may be a link is decided by
//! [`links`](super::links), not here. Linear: no character is looked at more than a few times.
//!
//! ```
//! use countersign::document::autolink::autolinks;
//!
//! let found = autolinks("(see www.example.org/a_(b).) or me@example.org");
//! assert_eq!(found[0], (5..26, "http://www.example.org/a_(b)".into()));
//! assert_eq!(found[1], (32..46, "mailto:me@example.org".into()));
//! ```

use std::ops::Range;

use super::visible::is_invisible;

/// The bare addresses in `words`: where each stands, and where it leads. They ascend and never overlap.
pub fn autolinks(words: &str) -> Vec<(Range<usize>, String)> {
    let bytes = words.as_bytes();
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    let mut free = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let link = match byte {
            b'w' if words[at..].starts_with("www.") => www(words, at),
            b':' => web(words, free, at),
            b'@' => mail(words, free, at),
            _ => None,
        };
        match link {
            Some(link) => {
                at = link.0.end;
                free = at;
                found.push(link);
            }
            None => at += if byte < 0x80 { 1 } else { words[at..].chars().next().map_or(1, char::len_utf8) },
        }
    }
    found
}

fn www(words: &str, start: usize) -> Option<(Range<usize>, String)> {
    let before = words[..start].chars().next_back();
    if !before.is_none_or(|c| c.is_whitespace() || matches!(c, '*' | '_' | '~' | '(')) {
        return None;
    }
    domain(&words[start..]).filter(|domain| domain.periods > 0)?;
    let end = path_end(words, start);
    (end > start + "www.".len()).then(|| (start..end, format!("http://{}", &words[start..end])))
}

/// A web address whose scheme ends with the colon at `colon` and begins no earlier than `free`.
fn web(words: &str, free: usize, colon: usize) -> Option<(Range<usize>, String)> {
    let rest = words[colon..].strip_prefix("://")?;
    let before = &words[free..colon];
    let scheme = before.bytes().rev().take(6).take_while(u8::is_ascii_alphabetic).count();
    let start = colon - scheme;
    let known = ["http", "https", "ftp"].iter().any(|known| known.eq_ignore_ascii_case(&words[start..colon]));
    let bounded = words[..start].bytes().next_back().is_none_or(|byte| !byte.is_ascii_alphanumeric() && byte != b'<');
    if !known || !bounded {
        return None;
    }
    let domain = domain(rest)?;
    let end = path_end(words, start);
    // What trailing punctuation leaves must still have a host.
    (domain.length > 0 && end > colon + "://".len()).then(|| (start..end, words[start..end].to_owned()))
}

/// A mail address around the `@` at `sign`, which begins no earlier than `free`.
fn mail(words: &str, free: usize, sign: usize) -> Option<(Range<usize>, String)> {
    let bytes = words.as_bytes();
    let local = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'+');
    let mut start = sign - bytes[free..sign].iter().rev().take_while(|byte| local(byte)).count();
    let before = words[..start].chars().next_back();
    if start == sign || before.is_some_and(|c| c.is_alphanumeric() || c == '<') {
        return None;
    }
    let mut end = sign + 1;
    let mut periods = 0;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'.' if bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric) && end > sign + 1 => periods += 1,
            b'-' | b'_' => {}
            byte if byte.is_ascii_alphanumeric() => {}
            _ => break,
        }
        end += 1;
    }
    // A number or mark at the end is a version (`crate@1.2`) rather than a domain.
    if periods == 0 || !bytes[end - 1].is_ascii_alphabetic() || bytes.get(end) == Some(&b'@') {
        return None;
    }
    for scheme in ["mailto:", "xmpp:"] {
        if words[free..start].ends_with(scheme) {
            let bounded = words[free..start - scheme.len()].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
            if !bounded {
                continue;
            }
            start -= scheme.len();
            if scheme == "xmpp:" && bytes.get(end) == Some(&b'/') {
                let resource = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'@' | b'.');
                let length = bytes[end + 1..].iter().take_while(resource).count();
                end += if length > 0 { length + 1 } else { 0 };
                while bytes[end - 1] == b'.' {
                    end -= 1;
                }
            }
            return Some((start..end, words[start..end].to_owned()));
        }
    }
    Some((start..end, format!("mailto:{}", &words[start..end])))
}

/// The domain that a stretch begins with.
struct Domain {
    length: usize,
    periods: usize,
}

/// The domain at the start of `words`: none where an underscore is in its last two parts.
fn domain(words: &str) -> Option<Domain> {
    let (mut length, mut periods) = (0, 0);
    let (mut before, mut last) = (false, false);
    for c in words.chars() {
        match c {
            '.' => {
                periods += 1;
                (before, last) = (last, false);
            }
            '_' => last = true,
            '-' => {}
            c if is_host_letter(c) => {}
            _ => break,
        }
        length += c.len_utf8();
    }
    (length > 0 && !before && !last).then_some(Domain { length, periods })
}

/// Letters, marks and numbers of every script, and nothing invisible.
fn is_host_letter(c: char) -> bool {
    c.is_alphanumeric()
        || (c > '\u{2ff}'
            && !c.is_whitespace()
            && !is_invisible(c)
            && !matches!(c, '\u{2000}'..='\u{303f}' | '\u{ff00}'..='\u{ff65}'))
}

/// The end of the address that begins at `start`: before a blank, a `<` or what cannot be seen, without trailing
/// punctuation, without closing parentheses that nothing in it opens, without what looks like an entity.
fn path_end(words: &str, start: usize) -> usize {
    let stops = |c: char| c == '<' || c.is_whitespace() || is_invisible(c);
    let link = words[start..].split(stops).next().unwrap_or_default().as_bytes();
    let count = |sought: u8| link.iter().filter(|&&byte| byte == sought).count();
    let (opened, mut closed) = (count(b'('), count(b')'));
    let mut end = link.len();
    while let Some(&last) = link[..end].last() {
        match last {
            b'?' | b'!' | b'.' | b',' | b':' | b'*' | b'_' | b'~' | b'\'' | b'"' => end -= 1,
            b')' if closed > opened => {
                closed -= 1;
                end -= 1;
            }
            b';' => {
                let name = link[..end - 1].iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
                let entity = name > 0 && link[..end - 1 - name].last() == Some(&b'&');
                end -= if entity { name + 2 } else { 1 };
            }
            _ => break,
        }
    }
    start + end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The addresses in `words`, with what stands in the text and where it leads.
    fn check(words: &str, expected: &[(&str, &str)]) {
        let found = autolinks(words);
        let found: Vec<_> = found.iter().map(|(range, to)| (&words[range.clone()], to.as_str())).collect();
        assert_eq!(found, expected, "{words:?}");
    }

    fn same(words: &str, link: &str) {
        check(words, &[(link, link)]);
    }

    fn www(words: &str, link: &str) {
        check(words, &[(link, &format!("http://{link}"))]);
    }

    fn mail(words: &str, link: &str) {
        check(words, &[(link, &format!("mailto:{link}"))]);
    }

    fn none(words: &str) {
        check(words, &[]);
    }

    #[test]
    fn the_examples_of_gfm() {
        www("www.commonmark.org", "www.commonmark.org");
        www("Visit www.commonmark.org/help for more information.", "www.commonmark.org/help");
        www("Visit www.commonmark.org.", "www.commonmark.org");
        www("Visit www.commonmark.org/a.b.", "www.commonmark.org/a.b");
        let search = "www.google.com/search?q=Markup+(business)";
        www("www.google.com/search?q=Markup+(business)", search);
        www("www.google.com/search?q=Markup+(business)))", search);
        www("(www.google.com/search?q=Markup+(business))", search);
        www("(www.google.com/search?q=Markup+(business)", search);
        www("www.google.com/search?q=(business))+ok", "www.google.com/search?q=(business))+ok");
        www("www.google.com/search?q=commonmark&hl=en", "www.google.com/search?q=commonmark&hl=en");
        www("www.google.com/search?q=commonmark&hl;", "www.google.com/search?q=commonmark");
        www("www.commonmark.org/he<lp", "www.commonmark.org/he");
        same("http://commonmark.org", "http://commonmark.org");
        let encrypted = "https://encrypted.google.com/search?q=Markup+(business)";
        same("(Visit https://encrypted.google.com/search?q=Markup+(business))", encrypted);
        same("Anonymous FTP is available at ftp://foo.bar.baz.", "ftp://foo.bar.baz");
        mail("foo@bar.baz", "foo@bar.baz");
        mail("hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.", "hello+xyz@mail.example");
        mail("a.b-c_d@a.b", "a.b-c_d@a.b");
        mail("a.b-c_d@a.b.", "a.b-c_d@a.b");
        none("a.b-c_d@a.b-");
        none("a.b-c_d@a.b_");
        same("mailto:foo@bar.baz", "mailto:foo@bar.baz");
        same("mailto:a.b-c_d@a.b.", "mailto:a.b-c_d@a.b");
        none("mailto:a.b-c_d@a.b-");
        same("xmpp:foo@bar.baz", "xmpp:foo@bar.baz");
        same("xmpp:foo@bar.baz.", "xmpp:foo@bar.baz");
        same("xmpp:foo@bar.baz/txt", "xmpp:foo@bar.baz/txt");
        same("xmpp:foo@bar.baz/txt@bin", "xmpp:foo@bar.baz/txt@bin");
        same("xmpp:foo@bar.baz/txt@bin.com", "xmpp:foo@bar.baz/txt@bin.com");
        same("xmpp:foo@bar.baz/txt/bin", "xmpp:foo@bar.baz/txt");
    }

    #[test]
    fn what_stands_around_an_address_is_not_of_it() {
        same("\"https://a.b/c\", she said", "https://a.b/c");
        same("見てhttps://a.b", "https://a.b");
        same("https://a.b\u{3000}c", "https://a.b");
        same("https://a.b/c\u{202e}d", "https://a.b/c");
        same("http://localhost:3000/x", "http://localhost:3000/x");
        same("HTTPS://A.B", "HTTPS://A.B");
        same("https://日本.jp/語?x=é", "https://日本.jp/語?x=é");
        same("https://a.b/c;", "https://a.b/c");
        same("http://user@a.bc/d", "http://user@a.bc/d");
        check("http://a.b,http://c.d", &[("http://a.b,http://c.d", "http://a.b,http://c.d")]);
        check("www.a.b me@c.de", &[("www.a.b", "http://www.a.b"), ("me@c.de", "mailto:me@c.de")]);
        for text in [
            "www.",
            "www",
            "xwww.a.b",
            "http://",
            "http://_",
            "http://a_b",
            "http://a_b.c",
            "http:///a",
            "xhttp://a.b",
            "<http://a.b",
            "javascript://a.b",
            "react@18.2",
            "a@b",
            "@b.c",
            "a@.b",
            "a@b.c@d",
            "über@b.c",
            "<a@b.c>",
            "http://.",
            "http://...",
            "://a.b",
            "www._",
        ] {
            none(text);
        }
    }

    #[test]
    fn addresses_ascend_inside_their_text_whatever_it_is() {
        let pieces = [
            "www.", "http://", "a", ".", "@", "_", "(", ")", "&", ";", "mailto:", "xmpp:", "/", " ", "é", "😀", "<",
            ":", "-",
        ];
        let mut state = 1_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..12 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            }
            let mut at = 0;
            for (range, _) in autolinks(&text) {
                assert!(range.start >= at && range.end > range.start && text.get(range.clone()).is_some(), "{text:?}");
                at = range.end;
            }
        }
    }
}
