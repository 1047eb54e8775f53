//! Which addresses a document may lead to, and which its images may come from.
//!
//! An address is judged as a browser would read it, not as it is written: tabs and line breaks inside it are dropped, and so
//! are control characters and blanks in front. What is not clearly allowed is refused; the renderer then shows the source.
//!
//! ```
//! use countersign::document::links::{Target, link};
//!
//! assert_eq!(link("https://example.org/", &[]), Target::External("https://example.org/".into()));
//! assert_eq!(link("notes.md", &[]), Target::Relative("notes.md".into()));
//! assert_eq!(link("#findings", &[]), Target::Fragment("findings".into()));
//! assert_eq!(link("java\nscript:alert(1)", &[]), Target::Refused);
//! assert_eq!(link("//elsewhere.example", &[]), Target::Refused);
//! ```

use std::borrow::Cow;

use super::visible::visible;

/// The schemes that links may have without a host's doing.
pub const SCHEMES: [&str; 4] = ["http", "https", "mailto", "tel"];

/// Schemes that no host can allow: they run or carry content.
const NEVER: [&str; 4] = ["javascript", "vbscript", "data", "file"];

/// The pictures that a `data:` address may hold.
const PICTURES: [&str; 5] = ["png", "gif", "jpeg", "webp", "avif"];

/// Where an address leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Out of the document, by a scheme that is allowed.
    External(String),
    /// To a place beside the document.
    Relative(String),
    /// Into the document: what follows `#`.
    Fragment(String),
    /// Nowhere: the address is shown as text.
    Refused,
}

/// Where a link's `address` leads. `schemes` are allowed beside the usual ones.
pub fn link(address: &str, schemes: &[String]) -> Target {
    let address = cleaned(address);
    match scheme(&address) {
        Err(()) => Target::Refused,
        Ok(Some(scheme)) if SCHEMES.contains(&scheme.as_str()) || extends(schemes, &scheme) => {
            Target::External(address.into_owned())
        }
        Ok(Some(_)) => Target::Refused,
        Ok(None) => match address.strip_prefix('#') {
            Some(fragment) => Target::Fragment(fragment.to_owned()),
            None => Target::Relative(address.into_owned()),
        },
    }
}

/// Where an image's `address` leads: the web, a place beside the document, a host's own scheme, or a picture in the
/// address itself (`data:image/png` and the like, never SVG).
pub fn image(address: &str, schemes: &[String]) -> Target {
    let address = cleaned(address);
    match scheme(&address) {
        Err(()) => Target::Refused,
        Ok(Some(scheme)) => {
            let web = scheme == "http" || scheme == "https";
            let picture = scheme == "data" && is_picture(&address);
            if web || picture || extends(schemes, &scheme) {
                Target::External(address.into_owned())
            } else {
                Target::Refused
            }
        }
        Ok(None) => Target::Relative(address.into_owned()),
    }
}

impl Target {
    /// The address for an attribute, unless it is refused.
    pub fn address(self) -> Option<String> {
        match self {
            Self::External(address) | Self::Relative(address) => Some(address),
            Self::Fragment(fragment) => Some(format!("#{fragment}")),
            Self::Refused => None,
        }
    }
}

/// Whether an address that [`link`] let through leads out of the document. (`mailto:` too: where a web page handles mail, it
/// would else take the place of this one.)
pub fn is_external(address: &str) -> bool {
    matches!(scheme(address), Ok(Some(_)))
}

/// The host that an address names, to show; empty where it names none.
pub fn host(address: &str) -> Cow<'_, str> {
    let web = matches!(scheme(address), Ok(Some(scheme)) if scheme == "http" || scheme == "https");
    let Some((_, rest)) = address.split_once(':').filter(|_| web) else { return Cow::Borrowed("") };
    let rest = rest.trim_start_matches(['/', '\\']);
    let authority = rest.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    visible(authority.rsplit('@').next().unwrap_or_default())
}

/// `address` as a browser reads it.
fn cleaned(address: &str) -> Cow<'_, str> {
    let dropped = ['\t', '\r', '\n'];
    let leading = |c: char| c <= ' ';
    if address.contains(dropped) {
        let kept: String = address.chars().filter(|c| !dropped.contains(c)).collect();
        Cow::Owned(kept.trim_start_matches(leading).to_owned())
    } else {
        Cow::Borrowed(address.trim_start_matches(leading))
    }
}

/// The scheme of a cleaned address in lower case, `None` for a relative one, an error where neither is clear: what stands
/// before a colon is not a scheme, or the address begins with another host.
fn scheme(address: &str) -> Result<Option<String>, ()> {
    if address.starts_with('\\') || address.starts_with("//") || address.starts_with("/\\") {
        return Err(());
    }
    match address.find([':', '/', '?', '#']) {
        Some(end) if address[end..].starts_with(':') => {
            let scheme = &address[..end];
            let rest = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
            let valid = scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.bytes().all(rest);
            // `a(b):c` can only be relative: a mark that no scheme has, and nothing that could hide one.
            let mark = |byte: u8| b"()[]!*',;=@$~_".contains(&byte);
            let plain = scheme.bytes().any(mark) && scheme.bytes().all(|byte| mark(byte) || rest(byte));
            match (valid, plain) {
                (true, _) => Ok(Some(scheme.to_ascii_lowercase())),
                (_, true) => Ok(None),
                _ => Err(()),
            }
        }
        _ => Ok(None),
    }
}

fn extends(schemes: &[String], scheme: &str) -> bool {
    let named = |other: &String| other.strip_suffix(':').unwrap_or(other).eq_ignore_ascii_case(scheme);
    !NEVER.contains(&scheme) && schemes.iter().any(named)
}

/// Whether a `data:` address declares a picture.
fn is_picture(address: &str) -> bool {
    let end = address.find([';', ',']).unwrap_or_default();
    let Some(kind) = address.get("data:image/".len()..end) else { return false };
    let image = address.get(.."data:image/".len()).is_some_and(|head| head.eq_ignore_ascii_case("data:image/"));
    image && PICTURES.iter().any(|picture| picture.eq_ignore_ascii_case(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_browser_would_run_is_refused_however_it_is_written() {
        for address in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "java\tscript:alert(1)",
            " \u{1}\u{1f}javascript:alert(1)",
            "java\r\nscript\t:alert(1)",
            "\u{a0}javascript:alert(1)",
            "java\0script:alert(1)",
            "javascript\u{200b}:alert(1)",
            "vbscript:x",
            "data:text/html,<script>",
            "data:image/png;base64,AA",
            "file:///etc/passwd",
            "blob:x",
            "about:blank",
            "view-source:http://a.b",
            "ftp://a.b",
            "//a.b",
            "/\t/a.b",
            "\\a.b",
            "\\\\a.b",
            "/\\a.b",
            ":x",
            "1:x",
            "a b:c",
            "é:c",
        ] {
            assert_eq!(link(address, &[]), Target::Refused, "{address:?}");
        }
        assert_eq!(link("javascript:x", &["javascript".into()]), Target::Refused, "no host can allow it");
    }

    #[test]
    fn what_is_usual_leads_where_it_says() {
        for (address, target) in [
            ("", Target::Relative(String::new())),
            ("HTTP://a.b", Target::External("HTTP://a.b".into())),
            (" https://a.b/ c\n", Target::External("https://a.b/ c".into())),
            ("mailto:a@b.c", Target::External("mailto:a@b.c".into())),
            ("tel:+1", Target::External("tel:+1".into())),
            ("/a:b", Target::Relative("/a:b".into())),
            ("./a:b", Target::Relative("./a:b".into())),
            ("?a:b", Target::Relative("?a:b".into())),
            ("a/b#c", Target::Relative("a/b#c".into())),
            ("#", Target::Fragment(String::new())),
            ("foo):", Target::Relative("foo):".into())),
            ("#a:b", Target::Fragment("a:b".into())),
        ] {
            assert_eq!(link(address, &[]), target, "{address:?}");
        }
        assert_eq!(link("Obsidian:x", &["obsidian".into()]), Target::External("Obsidian:x".into()));
        assert_eq!(link("ftp://x", &["ftp:".into()]), Target::External("ftp://x".into()));
    }

    #[test]
    fn images_are_of_the_web_or_pictures_in_data() {
        for address in ["https://a.b/c.png", "c.png", "data:image/PNG;base64,AA", "DATA:image/webp,x", "#x"] {
            assert_ne!(image(address, &[]), Target::Refused, "{address:?}");
        }
        for address in [
            "data:image/svg+xml,<svg>",
            "data:image/png",
            "data:image/pngx,",
            "data:,image/png",
            "data: image/png,",
            "data:text/html;image/png,",
            "mailto:a@b.c",
            "javascript:x",
            "//a.b/c.png",
        ] {
            assert_eq!(image(address, &["data".into()]), Target::Refused, "{address:?}");
        }
    }

    #[test]
    fn a_host_is_what_the_browser_would_ask() {
        for (address, expected) in [
            ("https://user:pw@a.b:80/c?d@e", "a.b:80"),
            ("http:\\\\a.b\\c", "a.b"),
            ("https:a.b", "a.b"),
            ("https://a\u{202e}b.c/", "a⟦U+202E⟧b.c"),
            ("c/d.png", ""),
            ("data:image/png,//a.b", ""),
        ] {
            assert_eq!(host(address), expected, "{address:?}");
        }
    }
}
