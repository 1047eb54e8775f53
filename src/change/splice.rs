//! Splices: the one form in which a change of a text is written down.

use std::ops::Range;

/// Replace `range` of the old text by `text` (UTF-8 bytes).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// What goes, in the old text; empty for an insertion.
    pub range: Range<usize>,
    /// What comes in its place.
    pub text: String,
}

/// `old` with `splices` applied. They must ascend, lie on character boundaries inside `old` and not overlap
/// (touching is fine); everything outside of them is copied unchanged.
pub fn splice(old: &str, splices: &[Splice]) -> String {
    let mut new = String::with_capacity(old.len() + splices.iter().map(|s| s.text.len()).sum::<usize>());
    let mut at = 0;
    for Splice { range, text } in splices {
        new.push_str(&old[at..range.start]);
        new.push_str(text);
        at = range.end;
    }
    new.push_str(&old[at..]);
    new
}
