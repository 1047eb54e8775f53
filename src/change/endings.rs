//! Line endings: a view of a text in which every line ends with LF, and the way back to the bytes.
//!
//! An edit is matched on this view, so that a `find` copied with LF works in a document that uses CRLF, or both. It is
//! the only leniency that matching has. A CRLF is one LF in the view, so no place in the view lies inside of a pair.
//! What is spliced in takes the line ending of its surroundings ([`ending_at`]), so that an edit mixes nothing.
//!
//! ```
//! use countersign::change::endings::LineView;
//!
//! let view = LineView::of("one\r\ntwo\rthree");
//! assert_eq!(view.text(), "one\ntwo\nthree");
//! assert_eq!(view.source(&(3..7)), 3..8);
//! ```

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

/// How many bytes of the view lie between two marks: a place is found by one look-up and a walk of at most this length.
const STEP: usize = 1024;

/// A text as it reads with every line ending as LF. Borrows the text where it has no other.
#[derive(Debug)]
pub struct LineView<'t> {
    source: &'t str,
    text: Cow<'t, str>,
    /// How many CRLF pairs come before each `STEP` of the view. Empty where nothing is folded.
    pairs: Vec<u32>,
    /// How many LF come before each `STEP` of the view, counted when a line number is first asked for.
    lines: OnceCell<Vec<u32>>,
}

impl<'t> LineView<'t> {
    /// Reads `source`. Copies it at most once.
    pub fn of(source: &'t str) -> Self {
        if !source.contains('\r') {
            return Self { source, text: Cow::Borrowed(source), pairs: Vec::new(), lines: OnceCell::new() };
        }
        let mut text = String::with_capacity(source.len());
        let mut pairs = Vec::with_capacity(source.len() / STEP + 1);
        let mut count = 0;
        let mut rest = source;
        while let Some(at) = rest.find('\r') {
            text.push_str(&rest[..at]);
            while pairs.len() * STEP <= text.len() {
                pairs.push(count);
            }
            text.push('\n');
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix('\n') {
                count += 1;
                rest = after;
            }
        }
        text.push_str(rest);
        while pairs.len() * STEP <= text.len() {
            pairs.push(count);
        }
        Self { source, text: Cow::Owned(text), pairs, lines: OnceCell::new() }
    }

    /// The view.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the source that `range` of the view stands for, whole pairs only.
    pub fn source(&self, range: &Range<usize>) -> Range<usize> {
        self.source_at(range.start)..self.source_at(range.end)
    }

    fn source_at(&self, at: usize) -> usize {
        let Some(pairs) = self.pairs.get(at / STEP) else { return at };
        let mut view = at / STEP * STEP;
        let mut source = view + *pairs as usize;
        while view < at {
            source = self.after(source);
            view += 1;
        }
        source
    }

    /// The place in the view of a byte of the source; inside a pair, the place before it.
    pub fn view_at(&self, at: usize) -> usize {
        if self.pairs.is_empty() {
            return at;
        }
        // The step may be one short: a pair that straddles it belongs to what follows.
        let (mut low, mut high) = (0, self.pairs.len());
        while low + 1 < high {
            let middle = (low + high) / 2;
            if middle * STEP + self.pairs[middle] as usize <= at {
                low = middle;
            } else {
                high = middle;
            }
        }
        let mut view = low * STEP;
        let mut source = view + self.pairs[low] as usize;
        while source < at {
            source = self.after(source);
            if source > at {
                break;
            }
            view += 1;
        }
        view
    }

    /// The byte of the source behind the one, or the pair, at `at`.
    fn after(&self, at: usize) -> usize {
        let bytes = self.source.as_bytes();
        if bytes.get(at) == Some(&b'\r') && bytes.get(at + 1) == Some(&b'\n') { at + 2 } else { at + 1 }
    }

    /// The number, from 1, of the line that a place in the view is on.
    pub fn line(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let before = self.lines.get_or_init(|| {
            let mut before = Vec::with_capacity(bytes.len() / STEP + 1);
            let mut count = 0;
            for step in bytes.chunks(STEP) {
                before.push(count);
                count += breaks(step) as u32;
            }
            before.push(count);
            before
        });
        let step = (at / STEP).min(bytes.len() / STEP);
        before[step] as usize + breaks(&bytes[step * STEP..at.min(bytes.len())]) + 1
    }

    /// The line of the view that `at` is on, without its line break.
    pub fn line_range(&self, at: usize) -> Range<usize> {
        line_around(&self.text, at)
    }
}

fn breaks(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

/// The line of `text` that `at` is on, without its LF.
pub(super) fn line_around(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |found| found + 1);
    let end = text[at..].find('\n').map_or(text.len(), |found| at + found);
    start..end
}

/// `text` with CRLF and lone CR as LF.
pub fn fold(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') {
        return Cow::Borrowed(text);
    }
    LineView::of(text).text
}

/// The line ending that a replacement of `range` takes: that of the first line break inside, else of the line it is on,
/// else of the line before, else LF.
pub fn ending_at(text: &str, range: &Range<usize>) -> &'static str {
    first_ending(&text[range.clone()])
        .or_else(|| first_ending(&text[range.end..]))
        .or_else(|| last_ending(&text[..range.start]))
        .unwrap_or("\n")
}

fn first_ending(text: &str) -> Option<&'static str> {
    let at = text.find(['\n', '\r'])?;
    let rest = &text.as_bytes()[at..];
    Some(if rest.starts_with(b"\r\n") {
        "\r\n"
    } else if rest[0] == b'\r' {
        "\r"
    } else {
        "\n"
    })
}

fn last_ending(text: &str) -> Option<&'static str> {
    let at = text.rfind(['\n', '\r'])?;
    let bytes = text.as_bytes();
    Some(if bytes[at] == b'\r' {
        "\r"
    } else if at > 0 && bytes[at - 1] == b'\r' {
        "\r\n"
    } else {
        "\n"
    })
}

/// `text` with each of its line breaks as `ending`.
pub fn with_ending(text: &str, ending: &str) -> String {
    let folded = fold(text);
    if ending == "\n" { folded.into_owned() } else { folded.replace('\n', ending) }
}
