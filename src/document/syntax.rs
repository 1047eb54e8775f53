//! The one place that says which Markdown is read, and the one way of making its parser.
//!
//! CommonMark plus tables, strikethrough, task lists, GitHub's footnotes and alerts, and a YAML front matter block at the
//! very start; nothing else. Bare autolinks are no business of the parser: `autolink` finds them in
//! plain text.
//!
//! The parser does not read the text itself but a view of it, of the same length, in which it cannot go wrong:
//! - A lone CR is LF. (The parser ends a line of code or HTML at LF alone.)
//! - Form feed and vertical tab are U+0001. (The parser takes them for blanks; CommonMark's blanks are space and tab.)
//! - `</PRE>` and the like are in lower case. (The parser ends a block of raw HTML at `</pre>` alone.)
//! - A `>` behind a tab that cannot continue the quote above it is U+0001. (The parser counts a tab short there.)
//! - A container marker that would open a level beyond [`MAX_NESTING`] on one line is U+0001, so that the rest of the line
//!   is plain text, and no line costs more than its length times a constant.
//! - The first dash below a table's header is U+0001 where the table is too [`wide`](super::wide).
//!
//! Offsets are therefore those of the text. What is *shown* is cut from the text, never from the view or an event:
//! wherever view and text differ, the text is right.
//!
//! ```
//! use countersign::document::syntax::Reading;
//!
//! let reading = Reading::of("\u{feff}---\ntitle: Plan\n---\n# Plan\n");
//! assert_eq!(reading.front_matter(), Some(3..22));
//! assert_eq!(&reading.view()[reading.body()..], "# Plan\n");
//! assert_eq!(reading.events().next().map(|(_, range)| range), Some(23..30));
//! ```

use std::borrow::Cow;
use std::ops::Range;

use super::wide::wide_tables;
use pulldown_cmark::{Event, OffsetIter, Options, Parser, RefDefs};

/// The extensions that are read beside CommonMark. Front matter is not among them: the parser would find it anywhere.
pub const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_GFM);

/// How many containers (quotes, list items) one line can open; what is nested deeper is plain text.
pub const MAX_NESTING: usize = 100;

/// How far a list item can indent what is in it, in practice (`999. ` and the like).
const MAX_INDENT: usize = 5;

/// A byte order mark. It stays in the source, and is part of no block.
pub const BOM: &str = "\u{feff}";

/// What stands in the view for a character that the parser must not act on: neither blank nor punctuation.
const INERT: u8 = 0x01;

/// A text, ready to be parsed.
#[derive(Clone, Debug)]
pub struct Reading<'a> {
    view: Cow<'a, str>,
    front_matter: Option<Range<usize>>,
    body: usize,
    wide: Vec<usize>,
}

impl<'a> Reading<'a> {
    /// Prepares `text`. Linear, and copies nothing where the view is the text.
    pub fn of(text: &'a str) -> Self {
        let start = if text.starts_with(BOM) { BOM.len() } else { 0 };
        let wide = wide_tables(text);
        let view = view(text, &wide);
        let front_matter = front_matter(&view[start..]).map(|end| start..start + end);
        let body = front_matter.as_ref().map_or(start, |range| next_line(&view, range.end));
        Self { view, front_matter, body, wide }
    }

    /// What the parser reads: as long as the text, and equal to it but for what the module's page names.
    pub fn view(&self) -> &str {
        &self.view
    }

    /// The front matter block with both its `---` lines, without the last newline.
    pub fn front_matter(&self) -> Option<Range<usize>> {
        self.front_matter.clone()
    }

    /// Where Markdown begins: behind a byte order mark and front matter.
    pub fn body(&self) -> usize {
        self.body
    }

    /// Where the delimiter rows of tables are that are too [`wide`](super::wide) to be shown as tables, in ascending order. To
    /// the parser they are paragraphs.
    pub fn wide_tables(&self) -> &[usize] {
        &self.wide
    }

    /// The parser's events behind the front matter, with their ranges in the text.
    pub fn events(&self) -> Events<'_> {
        Events { body: self.body, inner: Parser::new_ext(&self.view[self.body..], OPTIONS).into_offset_iter() }
    }
}

/// The parser's events in document order. Ranges are offsets in the whole text, as the parser reports them: see
/// [`blocks`](super::blocks) for what they leave out.
#[derive(Debug)]
pub struct Events<'a> {
    body: usize,
    inner: OffsetIter<'a>,
}

impl Events<'_> {
    /// The link reference definitions of the document. Their spans count from [`Reading::body`].
    pub fn definitions(&self) -> &RefDefs<'_> {
        self.inner.reference_definitions()
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = (Event<'a>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let (event, range) = self.inner.next()?;
        Some((event, range.start + self.body..range.end + self.body))
    }
}

/// The start of the line after the one that `at` is in, or the text's end. Lines end with LF, CRLF or a lone CR.
pub fn next_line(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let end = end_of_line(bytes, at);
    match bytes.get(end) {
        None => end,
        Some(b'\r') if bytes.get(end + 1) == Some(&b'\n') => end + 2,
        Some(_) => end + 1,
    }
}

/// The end of the line that `at` is in, before its line break.
pub fn line_end(text: &str, at: usize) -> usize {
    end_of_line(text.as_bytes(), at)
}

fn end_of_line(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().position(|&byte| byte == b'\n' || byte == b'\r').map_or(bytes.len(), |found| at + found)
}

/// The start of the line that `at` is in.
pub fn line_start(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().rposition(|&byte| byte == b'\n' || byte == b'\r').map_or(0, |found| found + 1)
}

/// Whether a line is blank: spaces and tabs only, its ending aside.
pub fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

/// The length of the front matter that `text` starts with: a line `---`, at least one line that is not blank directly
/// below, and a line `---` or `...`. (`---`, a blank line and more is a rule.)
fn front_matter(text: &str) -> Option<usize> {
    let rule = |line: &str, mark: &str| line.strip_prefix(mark).is_some_and(is_blank);
    let mut at = next_line(text, 0);
    if !rule(&text[..at], "---") || at == text.len() {
        return None;
    }
    let mut first = true;
    while at < text.len() {
        let end = next_line(text, at);
        let line = &text[at..end];
        let closes = rule(line, "---") || rule(line, "...");
        if first && (closes || is_blank(line)) {
            return None;
        }
        if closes {
            return Some(at + line.trim_end_matches(['\r', '\n']).len());
        }
        first = false;
        at = end;
    }
    None
}

/// The view of `text` that the parser reads.
fn view<'a>(text: &'a str, wide: &[usize]) -> Cow<'a, str> {
    let bytes = text.as_bytes();
    let mut changes: Vec<_> = wide.iter().map(|&at| (at, INERT)).collect();
    let mut in_quote = false;
    let mut at = if text.starts_with(BOM) { BOM.len() } else { 0 };
    while at < bytes.len() {
        changes.extend(excess_marker(bytes, at).map(|marker| (marker, INERT)));
        in_quote = quote_continues(bytes, at, in_quote, &mut changes);
        // The rest of the line, for what the parser reads otherwise than CommonMark.
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'\n' => break,
                b'\r' if bytes.get(at) == Some(&b'\n') => {}
                b'\r' => {
                    changes.push((at - 1, b'\n'));
                    break;
                }
                0x0b | 0x0c => changes.push((at - 1, INERT)),
                b'<' if bytes.get(at) == Some(&b'/') => lower_end_tag(bytes, at + 1, &mut changes),
                _ => {}
            }
        }
    }
    if changes.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut copy = bytes.to_vec();
    for (at, byte) in changes {
        if let Some(place) = copy.get_mut(at) {
            *place = byte;
        }
    }
    // ASCII took the place of ASCII, so this is still UTF-8; were it not, the text itself is the safer view.
    String::from_utf8(copy).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Whether the line at `start` begins with a `>` at its very start, or with one that the line above makes inert: behind
/// either, a `>` that is indented to the fourth column or further does not continue the quote.
fn quote_continues(bytes: &[u8], start: usize, in_quote: bool, changes: &mut Vec<(usize, u8)>) -> bool {
    let mut at = start;
    let mut column = 0;
    while let Some(byte @ (b' ' | b'\t')) = bytes.get(at) {
        column += if *byte == b'\t' { 4 - column % 4 } else { 1 };
        at += 1;
    }
    match bytes.get(at) {
        Some(b'>') if column >= 4 && in_quote => {
            changes.push((at, INERT));
            true
        }
        byte => column == 0 && byte == Some(&b'>'),
    }
}

/// Puts the end tag of a block that only its end tag ends in lower case; `at` is behind `</`.
fn lower_end_tag(bytes: &[u8], at: usize, changes: &mut Vec<(usize, u8)>) {
    let rest = bytes.get(at..).unwrap_or_default();
    for name in ["pre>", "style>", "script>", "textarea>"] {
        if rest.get(..name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes())) {
            let upper = rest[..name.len()].iter().enumerate().filter(|(_, byte)| byte.is_ascii_uppercase());
            changes.extend(upper.map(|(index, byte)| (at + index, byte.to_ascii_lowercase())));
        }
    }
}

/// Where the line that starts at `at` opens one container too many, or one that only deep nesting can have indented so far:
/// its marker's first byte.
fn excess_marker(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    let mut level = 0;
    loop {
        let marker = at;
        let byte = *bytes.get(at)?;
        match byte {
            b' ' | b'\t' => {
                at += 1;
                continue;
            }
            b'>' => at += 1,
            b'-' | b'+' | b'*' if is_gap(bytes.get(at + 1)) => at += 1,
            b'0'..=b'9' => {
                // A list's number has at most nine digits.
                let digits = bytes[at..].iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
                let closed = matches!(bytes.get(at + digits), Some(b'.' | b')')) && is_gap(bytes.get(at + digits + 1));
                if digits > 9 || !closed {
                    return None;
                }
                at += digits + 1;
            }
            _ => return None,
        }
        level += 1;
        if level > MAX_NESTING || (level == 1 && marker - start > MAX_NESTING * MAX_INDENT) {
            // `* * * …` to the line's end is one rule, however long.
            let rest = &bytes[marker..end_of_line(bytes, marker)];
            let rule = matches!(byte, b'-' | b'*') && rest.iter().all(|&other| other == byte || is_space(other));
            return (!rule).then_some(marker);
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_gap(byte: Option<&u8>) -> bool {
    matches!(byte, None | Some(b' ' | b'\t' | b'\r' | b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn front(text: &str) -> Option<&str> {
        Reading::of(text).front_matter().map(|range| &text[range])
    }

    #[test]
    fn front_matter_is_at_the_very_start_only() {
        assert_eq!(front("---\na: 1\n---\n\n# T\n"), Some("---\na: 1\n---"));
        assert_eq!(front("---\r\na: 1\r\n...\r\n"), Some("---\r\na: 1\r\n..."));
        assert_eq!(front("---\ra: 1\r--- \r# T"), Some("---\ra: 1\r--- "));
        assert_eq!(front("\u{feff}---\na: 1\n---"), Some("---\na: 1\n---"));
        for not in ["\n---\na: 1\n---\n", "---\n\na: 1\n---\n", "---\n---\n", "---\na: 1\n", " ---\na: 1\n---\n", "---"]
        {
            assert_eq!(front(not), None, "{not:?}");
        }
    }

    #[test]
    fn the_view_differs_only_where_the_parser_would_go_wrong() {
        for same in ["", "a\r\nb\n", "\u{feff}\0\t\u{1f600}\u{85}\u{2028}", &"* ".repeat(300), &"> ".repeat(100)] {
            assert!(matches!(Reading::of(same).view, Cow::Borrowed(_)), "{same:?}");
        }
        assert_eq!(Reading::of("a\rb\r\nc\r").view(), "a\nb\r\nc\n");
        assert_eq!(Reading::of("a\u{c}\n\u{b}b").view(), "a\u{1}\n\u{1}b");
        let deep = format!("{}> x\n> y\n", "> ".repeat(100));
        assert_eq!(Reading::of(&deep).view(), format!("{}\u{1} x\n> y\n", "> ".repeat(100)));
        let deep = format!("{}12. x\n", "- ".repeat(100));
        assert_eq!(Reading::of(&deep).view(), format!("{}\u{1}2. x\n", "- ".repeat(100)));
        assert_eq!(Reading::of("<PRE>\n</PRE>\n</B>").view(), "<PRE>\n</pre>\n</B>");
        assert_eq!(Reading::of("> a\n\t> b\n- c\n\t> d").view(), "> a\n\t\u{1} b\n- c\n\t> d");
        let indented = format!("{}- x\n", " ".repeat(501));
        assert_eq!(Reading::of(&indented).view(), format!("{}\u{1} x\n", " ".repeat(501)));
    }
}
