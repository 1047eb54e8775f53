//! Differences: what changed between two texts, as hunks to show and splices to apply.
//!
//! Lines are compared as they are, line breaks included: whatever differs is in a hunk, and what no line can show is said in
//! its notes ([`reveal`](super::reveal)). Only the final newline is looked at apart, so that a text which is appended to
//! without one does not seem to change its last line.
//!
//! Stages, a file each: `runs` finds the runs of changed lines and their splices; `hunks` makes of each the lines to show;
//! `words` marks changed words in them; `moves` tells what was only moved. `exact` gives narrow splices, for carets.
//!
//! ```
//! use countersign::change::diff::compare;
//! use countersign::change::splice;
//!
//! let (before, after) = ("# Plan\n\nShip on Monday.\n", "# Plan\n\nShip on Friday.\n");
//! let comparison = compare(before, after);
//! assert_eq!((comparison.added, comparison.removed), (1, 1));
//! let removed = &comparison.hunks[0].lines[2];
//! assert_eq!(&removed.text[removed.words[0].clone()], "Monday");
//! assert_eq!(splice(before, &comparison.splices), after);
//! ```

mod exact;
mod hunks;
mod moves;
mod runs;
mod words;

use std::ops::Range;

use super::Splice;
pub(crate) use exact::line_splices;
use hunks::{Drawing, View};
use runs::{Pair, Run};
use words::Budget;

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

/// One run of changed lines, with up to three unchanged lines around it. Of a proposal's splice: all lines that it touches,
/// as they are with this splice alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// Its number among the hunks, from 0.
    pub index: usize,
    /// The block of the old text in which it starts, from 0.
    pub block: usize,
    /// The text of the heading above, if there is one.
    pub heading: Option<String>,
    /// The changed lines of the old text, without those around them. Where none go (`lines` is 0), the line before which
    /// lines come.
    pub before: Lines,
    /// What they became, in the new text. Where none come, the line before which lines went.
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
    /// One per run of changed lines, in order.
    pub hunks: Vec<Hunk>,
    /// Turn the old text into the new, byte for byte: one for each hunk, in the same order. Each covers whole lines, so that any
    /// of them can be applied without the others.
    pub splices: Vec<Splice>,
    /// `false`: too large for word marks.
    pub precise: bool,
}

/// What changed from `before` to `after`.
pub fn compare(before: &str, after: &str) -> Comparison {
    let pair = Pair::of(before, after);
    let (added, removed) = pair.counts();
    let runs = pair.runs();
    let splices: Vec<Splice> = runs.iter().map(|run| pair.splice(run)).collect();
    let mut budget = Budget::default();
    let drawing = Drawing::of(before);
    let mut hunks = Vec::with_capacity(runs.len());
    for (index, run) in runs.iter().enumerate() {
        // Margins end where the next change starts.
        let above = index.checked_sub(1).and_then(|index| runs.get(index)).map_or(0, |run| run.before.end);
        let below = runs.get(index + 1).map_or(pair.old.len(), |run| run.before.start);
        let view =
            View { first: 0, old: &pair.old, new: &pair.new, runs: std::slice::from_ref(run), room: above..below };
        hunks.push(drawing.hunk(index, &view, &mut budget));
    }
    moves::note(&pair, &runs, &mut hunks);
    Comparison { added, removed, hunks, splices, precise: !budget.exceeded }
}

/// Shows `splices` of `before` as hunks, one per splice, in their order: how a proposal's edits are shown. Each shows the whole
/// lines that it touches, with this splice alone, also where two of them share a line.
/// They must ascend and not overlap.
pub fn hunks_of(before: &str, splices: &[Splice]) -> Vec<Hunk> {
    let drawing = Drawing::of(before);
    let mut budget = Budget::default();
    splices.iter().enumerate().map(|(index, splice)| drawing.spliced(index, splice, &mut budget)).collect()
}

/// How many lines came and went from `before` to `after` (of text, the final newline aside).
pub fn count_lines(before: &str, after: &str) -> (usize, usize) {
    Pair::of(before, after).counts()
}
