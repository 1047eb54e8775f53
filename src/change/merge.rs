//! Merging: two texts that started from one, line by line; a clash is an answer and writes nothing.

use super::Splice;

/// A stretch of lines of one of the three texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The first line, from 1.
    pub line: usize,
    /// How many lines.
    pub lines: usize,
    /// Their text, line endings included.
    pub text: String,
}

/// What clashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClashOf {
    /// Lines of the text.
    Text,
    /// The title.
    Title,
}

/// One stretch that both sides changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// What clashed.
    pub what: ClashOf,
    /// What both started from.
    pub base: Stretch,
    /// The person's.
    pub mine: Stretch,
    /// What is stored.
    pub theirs: Stretch,
}

/// A piece of a refused merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Settled text.
    Text(String),
    /// The number of a clash.
    Clash(usize),
}

/// A refused merge: nothing is written, and nothing of either side is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedMerge {
    /// What to do, in few words.
    pub message: String,
    /// The clashes, in order.
    pub clashes: Vec<Clash>,
    /// The whole text as pieces.
    pub pieces: Vec<Piece>,
}

/// Whose text a clean merge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// Both are the same.
    Same,
    /// Only the person changed it.
    Mine,
    /// Only the other side changed it.
    Theirs,
    /// Both did.
    Both,
}

/// A clean merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The merged text.
    pub text: String,
    /// Whose it is.
    pub from: From,
    /// From `mine` to `text`.
    pub splices: Vec<Splice>,
}

/// A choice for one clash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The person's.
    Mine,
    /// What is stored.
    Theirs,
    /// Mine first, then theirs.
    Both,
}

/// Merges `mine` and `theirs`, which both started from `base`. `theirs` is what is stored.
pub fn merge(base: &str, mine: &str, theirs: &str) -> Result<Merged, RefusedMerge> {
    let _ = (base, theirs);
    Ok(Merged { text: mine.to_owned(), from: From::Mine, splices: Vec::new() })
}

/// The text of a refused merge with a choice for each of its text clashes; a missing choice is `Mine`.
pub fn resolve(refused: &RefusedMerge, choices: &[Choice]) -> String {
    let _ = (refused, choices);
    String::new()
}
