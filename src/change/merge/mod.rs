//! Merging: two texts that started from one, line by line; a clash is an answer and writes nothing.
//!
//! A save carries the version that it started from. Where the head has moved since, [`merge`] brings both together, or says
//! where a person must choose. It agrees with `git merge-file` on whether there is a clash wherever the alignment of the
//! lines is unique, except:
//! - What only one side changed is that side's text, byte for byte.
//! - Line breaks are folded first; each line's break then goes to the side that changed it (`endings`).
//! - The final newline is decided as a field of its own.
//! - Paragraphs that one side added at the end, and a change of the other side within the last paragraph, both stand (`align`).
//! - A paragraph that comes or goes just above one that the other side changed is no clash: a blank line stands between them
//!   (`align`; git sees the blank line on the wrong side, and the alignment is not unique).
//! - A merge that would break a fence or a table that was whole before is a clash (`whole`).
//!
//! Stages, a file each: `align` finds which stretches of lines changed on which side; `whole` looks after fences and tables;
//! `endings` gives every line of the result its line break.
//!
//! ```
//! use countersign::change::merge::{Choice, merge, resolve};
//!
//! let merged = merge("one\n\ntwo\n", "ONE\n\ntwo\n", "one\n\nTWO\n");
//! assert_eq!(merged.map(|m| m.text), Ok("ONE\n\nTWO\n".to_owned()));
//!
//! let Err(refused) = merge("one\ntwo\n", "ONE\ntwo\n", "1\ntwo\n") else { unreachable!() };
//! assert_eq!(resolve(&refused, &[Choice::Both]), "ONE\n1\ntwo\n");
//! ```

mod align;
mod endings;
mod whole;

use std::ops::Range;

use super::Splice;
use super::diff::line_splices;
use super::lines::{Break, Line, lines};
use crate::numbers::Numbers;
use align::{Chunk, Whose, chunks};
use endings::Endings;

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
///
/// The stretches of a clash hold their lines verbatim, and every line of `mine` and of `theirs` is in a clash or settled.
///
/// # Errors
/// Both sides changed the same or adjacent lines: nothing is written, and a person chooses ([`resolve`]).
pub fn merge(base: &str, mine: &str, theirs: &str) -> Result<Merged, RefusedMerge> {
    let clean = |text: String, from| Ok(Merged { splices: line_splices(mine, &text), text, from });
    if mine == theirs {
        return clean(mine.to_owned(), From::Same);
    }
    if theirs == base {
        return clean(mine.to_owned(), From::Mine);
    }
    if mine == base {
        return clean(theirs.to_owned(), From::Theirs);
    }
    let texts = Texts::of(base, mine, theirs);
    let mut chunks = chunks(&texts);
    let endings = Endings::of(&texts);
    if chunks.iter().all(|chunk| chunk.whose != Whose::Clash) {
        let outs = endings.settle(&texts, &chunks);
        let text = endings::join(&outs);
        match whole::broken(&texts, &chunks, &outs, &text) {
            Some(broken) => align::fuse(&mut chunks, broken),
            None if text == mine => return clean(text, From::Mine),
            None if text == theirs => return clean(text, From::Theirs),
            None => return clean(text, From::Both),
        }
    }
    Err(refuse(&texts, &chunks, &endings))
}

/// Merges a title, a field of its own: it is one line, and is never cut.
///
/// # Errors
/// Both sides changed it, and not to the same.
pub fn merge_title(base: &str, mine: &str, theirs: &str) -> Result<String, Box<Clash>> {
    if mine == theirs || theirs == base {
        Ok(mine.to_owned())
    } else if mine == base {
        Ok(theirs.to_owned())
    } else {
        let stretch = |title: &str| Stretch { line: 1, lines: 1, text: title.to_owned() };
        Err(Box::new(Clash { what: ClashOf::Title, base: stretch(base), mine: stretch(mine), theirs: stretch(theirs) }))
    }
}

/// The text of a refused merge with a choice for each of its text clashes; a missing choice is `Mine`.
///
/// It is what the pieces say, in their order. Where a stretch that ended its text without a newline is now followed by
/// another, it gets one: no two lines are ever joined.
pub fn resolve(refused: &RefusedMerge, choices: &[Choice]) -> String {
    let mut text = String::new();
    let mut put = |piece: &str| {
        if !piece.is_empty() && !text.is_empty() && !text.ends_with(['\n', '\r']) {
            let first = lines(&text).first().and_then(|line| line.ending);
            text.push_str(first.or_else(|| lines(piece).first()?.ending).unwrap_or(Break::Lf).as_str());
        }
        let mut rest = piece;
        // CR and LF in a row would be one break.
        while text.ends_with('\r') && rest.starts_with('\n') {
            text.push('\r');
            rest = &rest[1..];
        }
        text.push_str(rest);
    };
    for piece in &refused.pieces {
        match piece {
            Piece::Text(settled) => put(settled),
            Piece::Clash(number) => {
                let Some(clash) = refused.clashes.get(*number) else { continue };
                let choice = choices.get(*number).copied().unwrap_or(Choice::Mine);
                if choice != Choice::Theirs {
                    put(&clash.mine.text);
                }
                if choice != Choice::Mine {
                    put(&clash.theirs.text);
                }
            }
        }
    }
    text
}

/// The three texts as lines and as numbers of their contents.
struct Texts<'t> {
    base: Vec<Line<'t>>,
    mine: Vec<Line<'t>>,
    theirs: Vec<Line<'t>>,
    numbers: [Vec<u32>; 3],
}

impl<'t> Texts<'t> {
    fn of(base: &'t str, mine: &'t str, theirs: &'t str) -> Self {
        let mut numbers = Numbers::default();
        let [base, mine, theirs] = [base, mine, theirs].map(lines);
        let numbers = [&base, &mine, &theirs].map(|side| side.iter().map(|l| numbers.of(l.content)).collect());
        Texts { base, mine, theirs, numbers }
    }
}

/// The clashes among `chunks`, and the whole text as pieces.
fn refuse(texts: &Texts<'_>, chunks: &[Chunk], endings: &Endings) -> RefusedMerge {
    let outs = endings.settle(texts, chunks);
    let mut settled = outs.chunk_by(|a, b| a.chunk == b.chunk).peekable();
    let mut clashes = Vec::new();
    let mut pieces = Vec::new();
    let mut text = String::new();
    for (number, chunk) in chunks.iter().enumerate() {
        if chunk.whose == Whose::Clash {
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            pieces.push(Piece::Clash(clashes.len()));
            clashes.push(Clash {
                what: ClashOf::Text,
                base: stretch(&texts.base, &chunk.base),
                mine: stretch(&texts.mine, &chunk.mine),
                theirs: stretch(&texts.theirs, &chunk.theirs),
            });
        } else if let Some(outs) = settled.next_if(|outs| outs[0].chunk == number) {
            text.push_str(&endings::join(outs));
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    let message = match clashes.len() {
        1 => "One stretch was changed on both sides, and nothing is written. Choose mine, theirs or both for it."
            .to_owned(),
        n => {
            let mut message = n.to_string();
            message.push_str(
                " stretches were changed on both sides, and nothing is written. Choose mine, theirs or both for each.",
            );
            message
        }
    };
    RefusedMerge { message, clashes, pieces }
}

/// The lines `range` of a text, verbatim.
fn stretch(lines: &[Line<'_>], range: &Range<usize>) -> Stretch {
    let mut text = String::new();
    for line in &lines[range.clone()] {
        text.push_str(line.content);
        text.push_str(line.ending.map_or("", Break::as_str));
    }
    Stretch { line: range.start + 1, lines: range.len(), text }
}
