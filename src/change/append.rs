//! Adding at the end: after a blank line, in the document's own line ending.
//!
//! ```
//! use countersign::change::append;
//!
//! assert_eq!(append("Record the trailer.", "Then publish.").text, "\n\nThen publish.");
//! assert_eq!(append("Record.\r\n", "Then\npublish.\n").text, "\r\nThen\r\npublish.\r\n");
//! ```

use super::Splice;
use super::endings::with_ending;

/// The splice that adds `text` at the end of `old`: what separates them, one blank line at least, comes with it. Blank
/// lines in front of `text` are left out, and its line breaks become the document's. A blank `text` adds nothing.
pub fn append(old: &str, text: &str) -> Splice {
    let end = old.len()..old.len();
    let added = after_blank_lines(text);
    if added.is_empty() {
        return Splice { range: end, text: String::new() };
    }
    let ending = line_ending(old).or_else(|| line_ending(added)).unwrap_or("\n");
    let mut new = String::with_capacity(added.len() + 4);
    for _ in 0..breaks_before(old) {
        new.push_str(ending);
    }
    match line_ending(old) {
        Some(ending) => new.push_str(&with_ending(added, ending)),
        // Nothing says how lines end here: the text keeps its own.
        None => new.push_str(added),
    }
    Splice { range: end, text: new }
}

/// The line ending that most lines of `text` have; of equally many the last. `None`: it has one line.
pub(crate) fn line_ending(text: &str) -> Option<&'static str> {
    let (mut lf, mut crlf, mut cr) = (0usize, 0usize, 0usize);
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => crlf += 1,
            b'\r' => cr += 1,
            b'\n' => lf += 1,
            _ => {}
        }
    }
    // Each CRLF was counted as an LF too.
    lf -= crlf;
    [("\r", cr), ("\r\n", crlf), ("\n", lf)].into_iter().filter(|(_, n)| *n > 0).max_by_key(|(_, n)| *n).map(|(e, _)| e)
}

/// How many line breaks make the end of `old` a blank line.
fn breaks_before(old: &str) -> usize {
    let old = old.strip_prefix('\u{feff}').unwrap_or(old);
    let ends_line = |text: &str| text.ends_with(['\r', '\n']);
    let blank = |line: &str| line.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
    let last = old.rsplit(['\r', '\n']).next().unwrap_or_default();
    if old.is_empty() {
        0
    } else if !ends_line(old) {
        if blank(last) { 1 } else { 2 }
    } else {
        let line = old.strip_suffix("\r\n").or_else(|| old.strip_suffix(['\r', '\n'])).unwrap_or(old);
        let line = line.rsplit(['\r', '\n']).next().unwrap_or_default();
        usize::from(!blank(line))
    }
}

/// `text` from its first line that is not blank.
fn after_blank_lines(text: &str) -> &str {
    let content = text.find(|c: char| !matches!(c, ' ' | '\t' | '\r' | '\n')).unwrap_or(text.len());
    if content == text.len() {
        return "";
    }
    let start = text[..content].rfind(['\r', '\n']).map_or(0, |at| at + 1);
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_blank_line_between() {
        for (old, text, added) in [
            ("", "b", "b"),
            ("\u{feff}", "b", "b"),
            ("a", "b", "\n\nb"),
            ("a\n", "b", "\nb"),
            ("a\n\n", "b", "b"),
            ("a\n \t\n", "b", "b"),
            ("a\n  ", "b", "\nb"),
            ("\n", "b", "b"),
            ("a\r", "b\nc", "\rb\rc"),
            ("a\r\nb", "c\n\nd", "\r\n\r\nc\r\n\r\nd"),
            ("a", "\r\n \r\n    code\r\n", "\r\n\r\n    code\r\n"),
            ("a", "b\r\nc\r\nd\n", "\r\n\r\nb\r\nc\r\nd\n"),
            ("a\n", " \n\t\n", ""),
        ] {
            assert_eq!(
                append(old, text),
                Splice { range: old.len()..old.len(), text: added.into() },
                "{old:?} {text:?}"
            );
        }
    }
}
