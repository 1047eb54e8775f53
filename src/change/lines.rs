//! Lines: how differences and merges see a text, and which lines changed from one text to another.
//!
//! A line is its content and its line break apart, so that a merge can fold the breaks. CRLF, LF and a lone CR each end
//! a line; the last line may have none. Contents are numbered once, and the numbers are diffed: one copy of the
//! algorithm in the module, and comparing two lines costs the same however long they are.

use std::ops::Range;

use similar::algorithms::{DiffHook, myers};

/// What ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Break {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
    /// `\r`
    Cr,
}

impl Break {
    /// Its characters.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Break::Lf => "\n",
            Break::CrLf => "\r\n",
            Break::Cr => "\r",
        }
    }

    /// Its name, as a person reads it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Break::Lf => "LF",
            Break::CrLf => "CRLF",
            Break::Cr => "CR",
        }
    }
}

/// One line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line<'t> {
    /// Where it starts.
    pub(crate) start: usize,
    /// What it says, without its line break.
    pub(crate) content: &'t str,
    /// What ends it: `None` for a last line without a newline.
    pub(crate) ending: Option<Break>,
}

impl Line<'_> {
    /// Where its content ends and its line break starts.
    pub(crate) fn content_end(&self) -> usize {
        self.start + self.content.len()
    }

    /// Where the next line starts.
    pub(crate) fn end(&self) -> usize {
        self.content_end() + self.ending.map_or(0, |b| b.as_str().len())
    }

    /// Whether nothing can be seen in it.
    pub(crate) fn is_blank(&self) -> bool {
        self.content.bytes().all(|b| b == b' ' || b == b'\t')
    }
}

/// The lines of `text`. Joined, contents and line breaks give the text back.
pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < bytes.len() {
        let ending = match bytes[at] {
            b'\n' => Break::Lf,
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => Break::CrLf,
            b'\r' => Break::Cr,
            _ => {
                at += 1;
                continue;
            }
        };
        lines.push(Line { start, content: &text[start..at], ending: Some(ending) });
        at += ending.as_str().len();
        start = at;
    }
    if start < bytes.len() {
        lines.push(Line { start, content: &text[start..], ending: None });
    }
    lines
}

/// One run of changed items: `before` of the old sequence became `after` of the new one. One of them may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) before: Range<usize>,
    pub(crate) after: Range<usize>,
}

/// What changed from `before` to `after`: ascending runs with at least one unchanged item between two of them.
/// Where a run could as well lie further down (a repeated item), it lies as far down as it can, or beside a change of
/// the other side: blank lines then belong to the paragraph above them, as they do for `git`.
pub(crate) fn changes(before: &[u32], after: &[u32]) -> Vec<Change> {
    let mut marks = Marks { before: vec![false; before.len()], after: vec![false; after.len()] };
    // No deadline: a clock panics in the browser. The algorithm bounds its own work.
    let Ok(()) = myers::diff(&mut marks, before, 0..before.len(), after, 0..after.len());
    settle(before, &mut marks.before, &mut marks.after);
    settle(after, &mut marks.after, &mut marks.before);
    runs(&marks.before, &marks.after)
}

/// Which items of either side are changed.
struct Marks {
    before: Vec<bool>,
    after: Vec<bool>,
}

impl DiffHook for Marks {
    type Error = std::convert::Infallible;

    fn delete(&mut self, at: usize, len: usize, _: usize) -> Result<(), Self::Error> {
        self.before[at..at + len].fill(true);
        Ok(())
    }

    fn insert(&mut self, _: usize, at: usize, len: usize) -> Result<(), Self::Error> {
        self.after[at..at + len].fill(true);
        Ok(())
    }
}

/// The runs that the marks say: unchanged items of both sides pair up in order.
fn runs(before: &[bool], after: &[bool]) -> Vec<Change> {
    let mut runs = Vec::new();
    let (mut b, mut a) = (0, 0);
    while b < before.len() || a < after.len() {
        let (b0, a0) = (b, a);
        b = end_of_run(before, b);
        a = end_of_run(after, a);
        if b > b0 || a > a0 {
            runs.push(Change { before: b0..b, after: a0..a });
        }
        b += 1;
        a += 1;
    }
    runs
}

/// Where the run of changed items that starts at `from` ends (`from` itself where there is none).
fn end_of_run(marks: &[bool], from: usize) -> usize {
    marks[from.min(marks.len())..].iter().position(|m| !m).map_or(marks.len(), |n| from + n)
}

/// Slides each run of changed items of one side to where it is best read. `other` are the other side's marks: the gap
/// between the n-th and the next unchanged item of one side faces that of the other.
fn settle(items: &[u32], marks: &mut [bool], other: &mut [bool]) {
    let (mut at, mut facing) = (0, 0);
    loop {
        // `at` starts a gap (a possibly empty run) of this side, and `facing` the same gap of the other side.
        let mut run = at..end_of_run(marks, at);
        let mut opposite = facing..end_of_run(other, facing);
        if !run.is_empty() {
            let mut earliest;
            let mut beside;
            loop {
                let len = run.len();
                while run.start > 0 && items[run.start - 1] == items[run.end - 1] {
                    marks[run.start - 1] = true;
                    marks[run.end - 1] = false;
                    run.start -= 1;
                    run.end -= 1;
                    while run.start > 0 && marks[run.start - 1] {
                        run.start -= 1;
                    }
                    opposite = gap_before(other, opposite.start);
                }
                earliest = run.end;
                beside = (!opposite.is_empty()).then_some(run.end);
                while run.end < items.len() && items[run.start] == items[run.end] {
                    marks[run.start] = false;
                    marks[run.end] = true;
                    run.start += 1;
                    run.end = end_of_run(marks, run.end + 1);
                    opposite = opposite.end + 1..end_of_run(other, opposite.end + 1);
                    if !opposite.is_empty() {
                        beside = Some(run.end);
                    }
                }
                // Where it met another run, both are one now and slide together.
                if run.len() == len {
                    break;
                }
            }
            if earliest < run.end && beside.is_some() {
                // Back to the last place where it faces a change of the other side: the two are then one change.
                while opposite.is_empty() && run.start > 0 && items[run.start - 1] == items[run.end - 1] {
                    marks[run.start - 1] = true;
                    marks[run.end - 1] = false;
                    run.start -= 1;
                    run.end -= 1;
                    opposite = gap_before(other, opposite.start);
                }
            }
        }
        if run.end >= marks.len() {
            return;
        }
        at = run.end + 1;
        facing = opposite.end + 1;
    }
}

/// The gap before the unchanged item that ends just before `start`.
fn gap_before(marks: &[bool], start: usize) -> Range<usize> {
    let end = start.saturating_sub(1);
    let len = marks[..end].iter().rev().position(|m| !m).unwrap_or(end);
    end - len..end
}
