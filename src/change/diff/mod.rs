//! Differences: what changed between two texts, as hunks to show and splices to apply.

mod exact;

use std::ops::Range;

use super::Splice;
use super::lines::{Numbers, changes, lines};
pub(crate) use exact::line_splices;

/// What a line of a hunk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Unchanged, shown around a change.
    Context,
    /// Goes.
    Removed,
    /// Comes.
    Added,
}

/// One line of a hunk, without its line ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    /// What it is.
    pub sign: Sign,
    /// The line.
    pub text: String,
    /// Changed words, as ranges of `text` (UTF-8 bytes).
    pub words: Vec<Range<usize>>,
}

/// Lines of one side: the first, from 1, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The first line, from 1.
    pub line: usize,
    /// How many.
    pub lines: usize,
}

/// One run of changed lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// Its number among the hunks, from 0.
    pub index: usize,
    /// The block of the old text in which it starts, from 0.
    pub block: usize,
    /// The text of the heading above, if there is one.
    pub heading: Option<String>,
    /// The lines of the old text.
    pub before: Lines,
    /// The lines of the new text.
    pub after: Lines,
    /// The lines to show.
    pub lines: Vec<DiffLine>,
    /// What the eye cannot see, in words.
    pub notes: Vec<String>,
}

/// What changed between two texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How many lines came.
    pub added: usize,
    /// How many lines went.
    pub removed: usize,
    /// One per run of changed lines.
    pub hunks: Vec<Hunk>,
    /// Turn the old text into the new.
    pub splices: Vec<Splice>,
    /// `false`: too large for word marks.
    pub precise: bool,
}

/// What changed from `before` to `after`.
pub fn compare(before: &str, after: &str) -> Comparison {
    let _ = (before, after);
    Comparison { added: 0, removed: 0, hunks: Vec::new(), splices: Vec::new(), precise: true }
}

/// Shows `splices` of `before` as hunks, one per splice, in their order: how a proposal's edits are shown.
/// They must ascend and not overlap.
pub fn hunks_of(before: &str, splices: &[Splice]) -> Vec<Hunk> {
    let _ = (before, splices);
    Vec::new()
}

/// How many lines came and went from `before` to `after` (of text, the final newline aside).
pub fn count_lines(before: &str, after: &str) -> (usize, usize) {
    let mut numbers = Numbers::default();
    let [before, after] = [before, after].map(|text| {
        let lines = lines(text);
        let last = lines.len().saturating_sub(1);
        let whole = |(n, line): (usize, &super::lines::Line<'_>)| {
            numbers.of(&text[line.start..if n == last { line.content_end() } else { line.end() }])
        };
        lines.iter().enumerate().map(whole).collect::<Vec<u32>>()
    });
    let changes = changes(&before, &after);
    (changes.iter().map(|c| c.after.len()).sum(), changes.iter().map(|c| c.before.len()).sum())
}
