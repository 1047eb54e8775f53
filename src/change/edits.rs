//! Edits: anchored replacements that land in one exact place, or are refused with words to act on.

use std::ops::Range;

use super::Splice;
use crate::Reason;

/// Replace the one occurrence of `find` by `replace`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The exact source text; it must occur once.
    pub find: String,
    /// What comes in its place, literally.
    pub replace: String,
    /// Look only inside this block.
    pub block: Option<usize>,
}

/// Where an edit landed in the text that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedEdit {
    /// The edit's number in the list, from 0.
    pub edit: usize,
    /// The replaced span of the old text (UTF-8 bytes).
    pub range: Range<usize>,
    /// The block in which the span starts.
    pub block: usize,
}

/// A list of edits that landed whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The new text.
    pub text: String,
    /// One per edit, in the order of the list.
    pub applied: Vec<AppliedEdit>,
    /// The same change as ascending splices of the old text.
    pub splices: Vec<Splice>,
}

/// A place in the text, to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The block, from 0.
    pub block: usize,
    /// The line, from 1.
    pub line: usize,
    /// The place itself (UTF-8 bytes).
    pub range: Range<usize>,
    /// The text of the heading above, if there is one.
    pub heading: Option<String>,
    /// The text around it.
    pub text: String,
}

/// The closest text that is really there. A hint: it is never applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// Where it stands.
    pub place: Place,
    /// The first difference, in words.
    pub differs: Option<String>,
}

/// Why one edit was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The edit's number in the list, from 0.
    pub edit: usize,
    /// Why, by its stable name.
    pub reason: Reason,
    /// What to do next, in few words; never the whole `find`.
    pub message: String,
    /// `Ambiguous`: how often `find` occurs, overlapping occurrences counted.
    pub count: Option<usize>,
    /// `Ambiguous`: the first five places.
    pub places: Vec<Place>,
    /// `NotFound`: the closest text that is really there.
    pub nearest: Option<Nearest>,
    /// `Overlap`: the earlier edit.
    pub with: Option<usize>,
}

/// A list of edits that was refused whole: nothing is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedEdits {
    /// The first refusal's reason.
    pub reason: Reason,
    /// All refusals in one text.
    pub message: String,
    /// One for every failing edit, in the order of the list.
    pub refusals: Vec<Refusal>,
}

/// Applies `edits` to `text`: all of them, or none.
pub fn apply_edits(text: &str, edits: &[Edit]) -> Result<Applied, RefusedEdits> {
    let _ = (text, edits);
    Err(RefusedEdits { reason: Reason::NotFound, message: String::new(), refusals: Vec::new() })
}
