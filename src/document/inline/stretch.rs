//! A stretch of text pieces read as one string, and cut again at places found in it.

use std::borrow::Cow;

use super::{Piece, Runs, Shown};

/// What neighbouring pieces show, as one string.
pub(super) struct Stretch<'a> {
    pieces: &'a [Piece],
    words: Cow<'a, str>,
    /// Where the next cut begins: the piece, and how much of what it shows is gone already.
    next: (usize, usize),
    /// The same place in `words`.
    at: usize,
}

impl<'a> Stretch<'a> {
    /// Copies only where there are several pieces.
    pub(super) fn of(pieces: &'a [Piece], runs: &'a Runs, text: &'a str) -> Self {
        let words = match pieces {
            [piece] => Cow::Borrowed(runs.shown(text, piece)),
            _ => Cow::Owned(pieces.iter().map(|piece| runs.shown(text, piece)).collect()),
        };
        Self { pieces, words, next: (0, 0), at: 0 }
    }

    pub(super) fn words(&self) -> &str {
        &self.words
    }

    /// Hands over all that is shown up to `end` in [`Self::words`] and was not handed over before. An atomic piece goes whole
    /// with the first that touches it. `length` is what a piece shows, in bytes.
    pub(super) fn take(&mut self, end: usize, length: impl Fn(&Piece) -> usize, mut to: impl FnMut(Piece)) {
        while self.at < end {
            let (index, gone) = self.next;
            let Some(piece) = self.pieces.get(index) else { break };
            let left = length(piece) - gone;
            let part = left.min(end - self.at);
            if part == left || piece.shown != Shown::Verbatim {
                to(Piece { range: piece.range.start + gone..piece.range.end, ..piece.clone() });
                self.next = (index + 1, 0);
                self.at += left;
            } else {
                let start = piece.range.start + gone;
                to(Piece { range: start..start + part, ..piece.clone() });
                self.next = (index, gone + part);
                self.at += part;
            }
        }
    }
}
