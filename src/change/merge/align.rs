//! Which stretches of lines changed on which side, and which on both.

use std::ops::Range;

use super::Texts;
use crate::change::lines::{Change, Line, changes};
use crate::document::blocks::blocks;

/// Whose lines a stretch of the result is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// Unchanged on both sides.
    Neither,
    /// Only mine changed.
    Mine,
    /// Only theirs changed.
    Theirs,
    /// Both changed to the same lines.
    Same,
    /// Both changed, not to the same.
    Clash,
}

/// A stretch of lines of all three texts. The chunks of a merge cover all lines of each text, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub(super) whose: Whose,
    pub(super) base: Range<usize>,
    pub(super) mine: Range<usize>,
    pub(super) theirs: Range<usize>,
}

/// One side's changes, on the way through the base.
struct Side {
    changes: std::iter::Peekable<std::vec::IntoIter<Change>>,
    /// How many lines of the base and of the side are behind.
    base: usize,
    own: usize,
}

impl Side {
    fn new(base: &[u32], own: &[u32]) -> Self {
        Side { changes: changes(base, own).into_iter().peekable(), base: 0, own: 0 }
    }

    /// Where the next change starts in the base.
    fn next(&mut self) -> Option<usize> {
        self.changes.peek().map(|c| c.before.start)
    }

    /// The side's line that stands where the base's line `base` does, if no change lies between here and there.
    fn at(&self, base: usize) -> usize {
        self.own + (base - self.base)
    }

    /// Takes the next change if it starts at or before `end`: side by side is not apart, as for git. Gives its end.
    fn take(&mut self, end: usize) -> Option<Change> {
        let change = self.changes.next_if(|c| c.before.start <= end)?;
        self.base = change.before.end;
        self.own = change.after.end;
        Some(change)
    }
}

/// The chunks of a merge.
pub(super) fn chunks(texts: &Texts<'_>) -> Vec<Chunk> {
    let [base, mine, theirs] = &texts.numbers;
    let mut sides = [Side::new(base, mine), Side::new(base, theirs)];
    let mut chunks = Vec::new();
    let mut done = 0;
    loop {
        let next = sides.iter_mut().filter_map(Side::next).min();
        let start = next.unwrap_or(base.len());
        let from = [sides[0].at(start), sides[1].at(start)];
        if done < start {
            let len = start - done;
            chunks.push(Chunk {
                whose: Whose::Neither,
                base: done..start,
                mine: from[0] - len..from[0],
                theirs: from[1] - len..from[1],
            });
        }
        if next.is_none() {
            return chunks;
        }
        let mut end = start;
        let mut taken: [Vec<Change>; 2] = [Vec::new(), Vec::new()];
        // The first change of either side that starts here, then whatever touches what was taken from the other.
        loop {
            let before = [taken[0].len(), taken[1].len()];
            for (side, taken) in sides.iter_mut().zip(&mut taken) {
                while let Some(change) = side.take(end) {
                    end = end.max(change.before.end);
                    taken.push(change);
                }
            }
            if before == [taken[0].len(), taken[1].len()] {
                break;
            }
        }
        let chunk = Chunk {
            whose: Whose::Clash,
            base: start..end,
            mine: from[0]..sides[0].at(end),
            theirs: from[1]..sides[1].at(end),
        };
        done = end;
        match (&taken[0][..], &taken[1][..]) {
            (_, []) => chunks.push(Chunk { whose: Whose::Mine, ..chunk }),
            ([], _) => chunks.push(Chunk { whose: Whose::Theirs, ..chunk }),
            _ if mine[chunk.mine.clone()] == theirs[chunk.theirs.clone()] => {
                chunks.push(Chunk { whose: Whose::Same, ..chunk })
            }
            (one, two) => match appended(texts, &chunk, [one, two]) {
                Some(both) => chunks.extend(both),
                None if slide(texts, &mut chunks, &chunk, [one, two]) => {}
                None => chunks.push(chunk),
            },
        }
    }
}

/// Where a paragraph was added or taken away just above one that the other side changed, the blank line between them counts
/// to the one above as well as to the one below: read the other way, the two do not touch. Then puts both on `chunks`.
/// (Two insertions at one place stay a clash: their order would be a guess.)
fn slide(texts: &Texts<'_>, chunks: &mut Vec<Chunk>, chunk: &Chunk, changes: [&[Change]; 2]) -> bool {
    let ([one], [two]) = changes.into() else { return false };
    let is_above = |a: &Change, b: &Change| {
        (a.before.is_empty() || a.after.is_empty()) && a.before.end == b.before.start && !b.before.is_empty()
    };
    let (above, lines, numbers, is_mine) = if is_above(one, two) {
        (one, &texts.mine, &texts.numbers[1], true)
    } else if is_above(two, one) {
        (two, &texts.theirs, &texts.numbers[2], false)
    } else {
        return false;
    };
    let (lines, numbers, run) = if above.before.is_empty() {
        (lines, numbers, &above.after)
    } else {
        (&texts.base, &texts.numbers[0], &above.before)
    };
    let is_only = chunks.len() == 1;
    let Some(apart) = chunks.last_mut().filter(|last| last.whose == Whose::Neither) else { return false };
    let slides = run.start > 0 && numbers[run.start - 1] == numbers[run.end - 1] && lines[run.start - 1].is_blank();
    // At least one line must stay between this change and the one before it.
    if !slides || (apart.base.len() < 2 && !is_only) {
        return false;
    }
    apart.base.end -= 1;
    apart.mine.end -= 1;
    apart.theirs.end -= 1;
    let (base, mine, theirs) = (apart.base.end, apart.mine.end, apart.theirs.end);
    let (gone, come) = (above.before.len(), above.after.len());
    let whose = [Whose::Mine, Whose::Theirs];
    let [upper, lower] = if is_mine { whose } else { [whose[1], whose[0]] };
    let (mine_len, theirs_len) = if is_mine { (come, gone) } else { (gone, come) };
    let upper = Chunk {
        whose: upper,
        base: base..base + gone,
        mine: mine..mine + mine_len,
        theirs: theirs..theirs + theirs_len,
    };
    let blank = Chunk {
        whose: Whose::Neither,
        base: upper.base.end..upper.base.end + 1,
        mine: upper.mine.end..upper.mine.end + 1,
        theirs: upper.theirs.end..upper.theirs.end + 1,
    };
    let lower = Chunk {
        whose: lower,
        base: blank.base.end..chunk.base.end,
        mine: blank.mine.end..chunk.mine.end,
        theirs: blank.theirs.end..chunk.theirs.end,
    };
    chunks.extend([upper, blank, lower]);
    true
}

/// Where one side only added paragraphs at the end, after a blank line, and the other changed the last paragraph but added
/// nothing after it, both stand: an agent that appends while a person edits is the commonest case of all.
fn appended(texts: &Texts<'_>, chunk: &Chunk, changes: [&[Change]; 2]) -> Option<Vec<Chunk>> {
    if chunk.base.end != texts.base.len() {
        return None;
    }
    let edge = chunk.base.end;
    let ([one], [two]) = changes.into() else { return None };
    let adds = |change: &Change, lines: &[Line<'_>]| {
        let added = &lines[change.after.clone()];
        change.before == (edge..edge)
            && added.first().is_some_and(Line::is_blank)
            && added.iter().any(|l| !l.is_blank())
    };
    let edits = |change: &Change, lines: &[Line<'_>]| {
        let last = texts.base[..edge].iter().rposition(Line::is_blank).map_or(0, |blank| blank + 1);
        let kept = change.after.start.saturating_sub(change.before.start.saturating_sub(last));
        !change.after.is_empty()
            && last < edge
            && last <= change.before.start
            && count(&lines[kept..change.after.end]) == count(&texts.base[last..edge])
    };
    let split = chunk.base.len();
    if adds(two, &texts.theirs) && edits(one, &texts.mine) {
        let at = chunk.theirs.start + split;
        Some(vec![
            Chunk { whose: Whose::Mine, theirs: chunk.theirs.start..at, ..chunk.clone() },
            Chunk {
                whose: Whose::Theirs,
                base: edge..edge,
                mine: chunk.mine.end..chunk.mine.end,
                theirs: at..chunk.theirs.end,
            },
        ])
    } else if adds(one, &texts.mine) && edits(two, &texts.theirs) {
        let at = chunk.mine.start + split;
        Some(vec![
            Chunk { whose: Whose::Theirs, mine: chunk.mine.start..at, ..chunk.clone() },
            Chunk {
                whose: Whose::Mine,
                base: edge..edge,
                theirs: chunk.theirs.end..chunk.theirs.end,
                mine: at..chunk.mine.end,
            },
        ])
    } else {
        None
    }
}

/// How many blocks `lines` are.
fn count(lines: &[Line<'_>]) -> usize {
    let mut text = String::new();
    for line in lines {
        text.push_str(line.content);
        text.push('\n');
    }
    blocks(&text).len()
}

/// Makes one clash of all chunks that `broken` touches.
pub(super) fn fuse(chunks: &mut Vec<Chunk>, broken: Range<usize>) {
    let (Some(first), Some(last)) = (chunks.get(broken.start), chunks[..broken.end].last()) else { return };
    let clash = Chunk {
        whose: Whose::Clash,
        base: first.base.start..last.base.end,
        mine: first.mine.start..last.mine.end,
        theirs: first.theirs.start..last.theirs.end,
    };
    chunks.splice(broken, [clash]);
}
