//! The result of a merge, line by line, and each line's break.
//!
//! Breaks are folded before lines are compared, so that a side that converts a whole file does not change every line.
//! Each line's break then goes to the side that changed it, theirs where both did. New lines of mine take the majority of
//! theirs; lines that stand in theirs keep what they have. Whether the last line ends with a break is a field of its own.

use super::Texts;
use super::align::{Chunk, Whose};
use crate::change::lines::{Break, Line};

/// One line of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Out<'t> {
    content: &'t str,
    ending: Option<Break>,
    /// Which line of mine it is, and which of theirs.
    pub(super) mine: Option<usize>,
    pub(super) theirs: Option<usize>,
    /// The chunk that it comes from.
    pub(super) chunk: usize,
}

/// `outs` as text.
pub(super) fn join(outs: &[Out<'_>]) -> String {
    let mut text = String::with_capacity(outs.iter().map(|out| out.content.len() + 2).sum());
    for out in outs {
        text.push_str(out.content);
        text.push_str(out.ending.map_or("", Break::as_str));
    }
    text
}

/// What is decided once for a whole merge.
pub(super) struct Endings {
    /// The break of new lines.
    new: Break,
    /// Whether the last line has one.
    last: bool,
}

impl Endings {
    pub(super) fn of(texts: &Texts<'_>) -> Self {
        let majority = [&texts.theirs, &texts.mine, &texts.base].into_iter().find_map(|side| majority(side));
        // An empty text says nothing about a final newline.
        let ends = |side: &[Line<'_>]| side.last().map(|line| line.ending.is_some());
        let last = decide(ends(&texts.base), ends(&texts.mine), ends(&texts.theirs));
        Endings { new: majority.unwrap_or(Break::Lf), last: last.or(ends(&texts.mine)).unwrap_or(true) }
    }

    /// The lines of the chunks that are settled, each with its break.
    pub(super) fn settle<'t>(&self, texts: &Texts<'t>, chunks: &[Chunk]) -> Vec<Out<'t>> {
        let mut outs: Vec<Out<'t>> = Vec::with_capacity(texts.mine.len().max(texts.theirs.len()));
        for (number, chunk) in chunks.iter().enumerate() {
            let (len, is_mine) = match chunk.whose {
                Whose::Clash => continue,
                Whose::Mine => (chunk.mine.len(), true),
                _ => (chunk.theirs.len(), false),
            };
            for n in 0..len {
                let at = |range: &std::ops::Range<usize>| (n < range.len()).then_some(range.start + n);
                let [base, mine, theirs] = [&chunk.base, &chunk.mine, &chunk.theirs].map(at);
                let ending = |lines: &[Line<'_>], at: Option<usize>| at.and_then(|at| lines.get(at)?.ending);
                let [b, m, t] = [ending(&texts.base, base), ending(&texts.mine, mine), ending(&texts.theirs, theirs)];
                let mut ending = match (is_mine, base) {
                    (_, Some(_)) => decide(b, m, t),
                    (true, None) => Some(self.new),
                    (false, None) => t,
                };
                // A line that ended a text without a newline may stand in the middle now.
                ending = ending.or(t).or(m).or(b).or(Some(self.new));
                let line = match (is_mine, mine, theirs) {
                    (true, Some(at), _) => texts.mine.get(at),
                    (_, _, Some(at)) => texts.theirs.get(at),
                    _ => None,
                };
                let content = line.map_or("", |line| line.content);
                if content.is_empty()
                    && ending == Some(Break::Lf)
                    && outs.last().is_some_and(|out| out.ending == Some(Break::Cr))
                {
                    // CR and LF in a row would be one break, and the blank line lost.
                    ending = Some(Break::Cr);
                }
                outs.push(Out {
                    content,
                    ending,
                    mine: mine.filter(|_| chunk.whose != Whose::Theirs),
                    theirs: theirs.filter(|_| chunk.whose != Whose::Mine),
                    chunk: number,
                });
            }
        }
        if let (false, Some(last)) = (self.last, outs.last_mut())
            && chunks.last().is_some_and(|chunk| chunk.whose != Whose::Clash)
            // An empty line is its break: without it, it would be lost.
            && !last.content.is_empty()
        {
            last.ending = None;
        }
        outs
    }
}

/// The side that changed it, theirs where both did.
fn decide<T: Copy + PartialEq>(base: Option<T>, mine: Option<T>, theirs: Option<T>) -> Option<T> {
    if theirs == base { mine } else { theirs }
}

/// The commonest break; of equally common ones, the one that comes first.
fn majority(lines: &[Line<'_>]) -> Option<Break> {
    let mut counts = [(Break::Lf, 0), (Break::CrLf, 0), (Break::Cr, 0)];
    for ending in lines.iter().filter_map(|line| line.ending) {
        counts.iter_mut().filter(|(b, _)| *b == ending).for_each(|(_, n)| *n += 1);
    }
    let most = counts.iter().map(|(_, n)| *n).max().filter(|n| *n > 0)?;
    lines.iter().filter_map(|line| line.ending).find(|ending| counts.contains(&(*ending, most)))
}
