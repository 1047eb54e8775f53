//! Fences and tables: a merge that would break one that was whole before is a clash.
//!
//! Lines merge without knowing what they mean. One side turns the backticks around some code into tildes, the other adds
//! a line of tildes to the code: no line is touched twice, and yet the code would end early and the prose after it become
//! code. So the result is read, and each fence and table of either side that is whole on the other side too must be in one
//! piece in it, as far as its lines are still there.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag};

use super::Texts;
use super::align::{Chunk, Whose};
use super::endings::Out;
use crate::change::lines::Line;
use crate::document::syntax::Reading;

/// A fence or a table.
struct Structure {
    is_fence: bool,
    lines: Range<usize>,
}

/// The fences and tables of a text, and for each line which one it is in.
struct Structures {
    all: Vec<Structure>,
    of: Vec<Option<usize>>,
    /// A fence that nothing closes.
    open: bool,
}

impl Structures {
    fn of(lines: &[Line<'_>]) -> Self {
        let mut text = String::new();
        for line in lines {
            text.push_str(line.content);
            text.push('\n');
        }
        let mut structures = Structures { all: Vec::new(), of: vec![None; lines.len()], open: false };
        // Contents and LF alone: each line starts where the breaks before it say.
        let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let line_of = |at: usize| starts.partition_point(|start| *start <= at) - 1;
        for (event, range) in Reading::of(&text).events() {
            let is_fence = match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => true,
                Event::Start(Tag::Table(_)) => false,
                _ => continue,
            };
            let shown = text[range.clone()].trim_end().len();
            let within = line_of(range.start)..line_of(range.start + shown.saturating_sub(1)) + 1;
            let within = within.start.min(lines.len())..within.end.min(lines.len());
            if is_fence {
                structures.open |= !is_closed(&text[range.start..range.start + shown]);
            }
            structures.of[within.clone()].fill(Some(structures.all.len()));
            structures.all.push(Structure { is_fence, lines: within });
        }
        structures
    }
}

/// Whether the fence `source` ends with a line that closes it.
fn is_closed(source: &str) -> bool {
    let mark = source.chars().next().unwrap_or('`');
    let open = source.len() - source.trim_start_matches(mark).len();
    let Some((_, last)) = source.rsplit_once('\n') else { return false };
    // The fence may stand in a quote or a list.
    let last = last.trim_start_matches([' ', '\t', '>']);
    last.len() >= open && last.chars().all(|c| c == mark)
}

/// The chunks of which one clash must be made, if the merge `outs`, which reads `text`, would break a fence or table.
pub(super) fn broken(texts: &Texts<'_>, chunks: &[Chunk], outs: &[Out<'_>], text: &str) -> Option<Range<usize>> {
    if !["```", "~~~", "|"].iter().any(|mark| text.contains(mark)) {
        return None;
    }
    let merged = crate::change::lines::lines(text);
    let merged = Structures::of(&merged);
    let [mine, theirs] = [&texts.mine, &texts.theirs].map(|lines| Structures::of(lines));
    let mine_at: fn(&Out<'_>) -> Option<usize> = |out| out.mine;
    let theirs_at: fn(&Out<'_>) -> Option<usize> = |out| out.theirs;
    for (side, own, other, of) in [(&mine, mine_at, &theirs, theirs_at), (&theirs, theirs_at, &mine, mine_at)] {
        // Where each line of the side stands in the result.
        let mut stands = vec![None; side.of.len()];
        for (n, out) in outs.iter().enumerate() {
            if let Some(place) = own(out).and_then(|at| stands.get_mut(at)) {
                *place = Some(n);
            }
        }
        for structure in &side.all {
            let Range { start, end } = structure.lines;
            let edge = if structure.is_fence { end.saturating_sub(1) } else { start + 1 };
            let (Some(Some(first)), Some(Some(_))) = (stands.get(start), stands.get(edge)) else { continue };
            let kept: Vec<usize> = stands[start..end].iter().filter_map(|place| *place).collect();
            let whole_in_other = same(kept.iter().filter_map(|n| of(outs.get(*n)?)).map(|at| {
                other.of.get(at).copied().flatten().filter(|n| other.all[*n].is_fence == structure.is_fence)
            }));
            let whole = same(kept.iter().map(|n| merged.of.get(*n).copied().flatten()));
            if whole_in_other && !whole {
                let last = kept.last().unwrap_or(first);
                return Some(involved(chunks, outs[*first].chunk..outs[*last].chunk + 1));
            }
        }
    }
    (merged.open && !mine.open && !theirs.open).then(|| involved(chunks, 0..chunks.len()))
}

/// Whether all are one and the same structure.
fn same(mut structures: impl Iterator<Item = Option<usize>>) -> bool {
    let Some(first) = structures.next() else { return true };
    first.is_some() && structures.all(|n| n == first)
}

/// The changed chunks within `near`, or all, if those are not changes of both sides.
fn involved(chunks: &[Chunk], near: Range<usize>) -> Range<usize> {
    let has = |range: &Range<usize>, whose: Whose| chunks[range.clone()].iter().any(|c| c.whose == whose);
    let range = if has(&near, Whose::Mine) && has(&near, Whose::Theirs) { near } else { 0..chunks.len() };
    let changed = |at: &usize| chunks[*at].whose != Whose::Neither;
    let first = range.clone().find(changed).unwrap_or(range.start);
    let last = range.clone().rev().find(changed).unwrap_or(first);
    first..last + 1
}
