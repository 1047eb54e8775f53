//! Text and code: from the parser's account of them to pieces.

use std::ops::Range;

use super::Piece;
use super::builder::{Builder, What};
use super::{Kind, Shown, Step};

impl Builder<'_> {
    /// Text, verbatim or not.
    pub(super) fn words(&mut self, words: &str, range: Range<usize>) {
        if let Some(alt) = &mut self.alt {
            alt.push_str(words);
            return;
        }
        let Range { start, end } = range;
        let bytes = self.text.as_bytes();
        let before = start.checked_sub(1).filter(|&before| before >= self.consumed).map(|before| bytes[before]);
        if start >= end {
            // What a tab adds beyond the columns that a container took.
            if !words.is_empty() {
                let from = start - usize::from(before == Some(b'\t'));
                self.atom(from..start, words);
                self.consumed = self.consumed.max(start);
            }
            return;
        }
        let mut at = start;
        if self.in_code {
            if before == Some(b'\r') && bytes[start] == b'\n' {
                self.atom(start - 1..start + 1, "\n");
                at += 1;
            }
            self.verbatim(at..end);
        } else if self.view.get(start..end) == Some(words) {
            if before == Some(b'\\') && bytes[start].is_ascii_punctuation() {
                // In a table, `\\|` shows as `|`.
                let twice = bytes[start] == b'|' && start >= self.consumed + 2 && bytes[start - 2] == b'\\';
                self.atom(start - 1 - usize::from(twice)..start + 1, &self.text[start..start + 1]);
                at += 1;
            }
            self.verbatim(at..end);
        } else if words == "\\" && self.text[start..end].starts_with(words) {
            // A backslash at the end of a block stands for itself; its range has the line break too.
            self.verbatim(start..start + words.len());
        } else {
            self.atom(start..end, words);
        }
        self.consumed = end;
    }

    pub(super) fn code(&mut self, words: &str, range: Range<usize>) {
        if let Some(alt) = &mut self.alt {
            alt.push_str(words);
            return;
        }
        let source = &self.text[range.clone()];
        let ticks = source.bytes().take_while(|&byte| byte == b'`').count();
        let content = range.start + ticks..range.end.saturating_sub(ticks).max(range.start + ticks);
        self.open(Kind::Code, range.clone(), content.clone(), What::Node);
        // One blank on each side is a delimiter, unless there are blanks only.
        let inner = &self.text[content.clone()];
        let blank = |byte: Option<u8>| matches!(byte, Some(b' ' | b'\n' | b'\r'));
        let stripped =
            blank(inner.bytes().next()) && blank(inner.bytes().last()) && !words.bytes().all(|byte| byte == b' ');
        self.lines(content, words, b' ', stripped);
        self.close();
        self.consumed = range.end;
    }

    pub(super) fn soft_break(&mut self, range: Range<usize>) {
        if let Some(alt) = &mut self.alt {
            alt.push(' ');
            return;
        }
        // One blank before the break is neither text nor part of the parser's range.
        let gap = self.consumed.min(range.start)..range.start;
        let from =
            if self.text[gap.clone()].bytes().all(|byte| byte == b' ' || byte == b'\t') { gap.start } else { gap.end };
        if &self.text[from..range.end] == "\n" {
            self.piece(from..range.end, Shown::Verbatim);
        } else {
            self.atom(from..range.end, "\n");
        }
        self.consumed = range.end;
    }

    pub(super) fn hard_break(&mut self, range: Range<usize>) {
        if let Some(alt) = &mut self.alt {
            alt.push(' ');
            return;
        }
        self.consumed = range.end;
        self.piece(range, Shown::Break);
    }

    pub(super) fn reference(&mut self, label: &str, range: Range<usize>) {
        if let Some(alt) = &mut self.alt {
            alt.push_str(&self.text[range]);
            return;
        }
        let label = self.runs.keep(label);
        self.consumed = range.end;
        self.piece(range, Shown::Reference(label));
    }

    pub(super) fn piece(&mut self, range: Range<usize>, shown: Shown) {
        self.steps.push(Step::Piece(self.pieces.len()));
        self.pieces.push(Piece { range, shown, node: 0 });
    }

    pub(super) fn atom(&mut self, range: Range<usize>, words: &str) {
        let words = self.runs.keep(words);
        self.piece(range, Shown::Atom(words));
    }

    /// The source slice as it is, but for NUL and for carriage returns, which show as U+FFFD and as line breaks.
    pub(super) fn verbatim(&mut self, range: Range<usize>) {
        let Range { mut start, end } = range;
        while start < end {
            let slice = &self.text[start..end];
            let Some(odd) = slice.bytes().position(|byte| byte == 0 || byte == b'\r') else {
                return self.piece(start..end, Shown::Verbatim);
            };
            if odd > 0 {
                self.piece(start..start + odd, Shown::Verbatim);
            }
            let at = start + odd;
            let (length, words) = match &slice.as_bytes()[odd..] {
                [0, ..] => (1, "\u{fffd}"),
                [_, b'\n', ..] => (2, "\n"),
                _ => (1, "\n"),
            };
            self.atom(at..at + length, words);
            start = at + length;
        }
    }

    /// Code or HTML that may go over several lines: `words` is the parser's account of `range`, in which each line break is
    /// `gap` and the next line's container prefix is left out. `stripped`: a blank at each end is a delimiter.
    pub(super) fn lines(&mut self, range: Range<usize>, words: &str, gap: u8, stripped: bool) {
        let source = self.text.as_bytes();
        let Range { mut start, mut end } = range;
        let mut rest = words;
        if stripped {
            end -= 1;
            if source[end] == b'\n' && end > start && source[end - 1] == b'\r' {
                end -= 1;
            }
            if source[start] == b' ' {
                start += 1;
            } else {
                let next = self.next_line(start, end);
                // The parser's second blank for CRLF.
                let crlf = next == start + 2 && rest.starts_with(' ');
                rest = &rest[usize::from(crlf)..];
                start = next;
                start += self.prefix(start..end, &mut rest);
            }
        }
        let in_table = self.in_table();
        while start < end {
            let slice = &self.text[start..end];
            let stop = slice
                .bytes()
                .enumerate()
                .position(|(at, byte)| {
                    matches!(byte, b'\n' | b'\r') || (byte == b'\\' && in_table && slice[at + 1..].starts_with('|'))
                })
                .unwrap_or(slice.len());
            let Some(after) = rest.get(stop..) else { break };
            self.verbatim(start..start + stop);
            rest = after;
            start += stop;
            match source.get(start).filter(|_| start < end) {
                None => break,
                Some(b'\\') => {
                    self.atom(start..start + 2, "|");
                    start += 2;
                    rest = rest.strip_prefix('|').unwrap_or(rest);
                }
                Some(_) => {
                    let from = start;
                    start = self.next_line(start, end);
                    let gaps = if start == from + 2 { 2 } else { 1 };
                    for _ in 0..gaps {
                        rest = rest.strip_prefix(['\r', '\n', ' ']).unwrap_or(rest);
                    }
                    start += self.prefix(start..end, &mut rest);
                    self.atom(from..start, if gap == b' ' { " " } else { "\n" });
                }
            }
        }
    }

    pub(super) fn next_line(&self, at: usize, end: usize) -> usize {
        let crlf = at + 1 < end && self.text[at..].starts_with("\r\n");
        at + if crlf { 2 } else { 1 }
    }

    /// The length of the container prefix and indent at the start of a line. `rest` is the parser's account from there on,
    /// and loses the indent as well.
    pub(super) fn prefix(&self, line: Range<usize>, rest: &mut &str) -> usize {
        let marks = |text: &str| text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | b'>')).count();
        let line = &self.text[line];
        // As many of the marks are the containers' as the parser does not report.
        let containers = marks(line).saturating_sub(marks(rest));
        let indent = line[containers..].bytes().take_while(|&byte| byte == b' ' || byte == b'\t').count();
        *rest = rest.get(indent..).unwrap_or_default();
        containers + indent
    }
}
