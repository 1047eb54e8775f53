//! Drawing: a run of changed lines as the lines to show, with its place in the document.

use std::ops::Range;

use super::words::{self, Budget};
use super::{DiffLine, Hunk, Lines, Pair, Run, Sign};
use crate::change::Splice;
use crate::change::lines::{Line, lines};
use crate::change::reveal::{self, Ends};
use crate::document::blocks::{Block, BlockType, Headings, block_at, blocks};

/// How many unchanged lines are shown on either side of a change.
const MARGIN: usize = 3;

/// What is asked of the old text for each of its hunks, found once.
pub(super) struct Drawing<'t> {
    text: &'t str,
    lines: Vec<Line<'t>>,
    blocks: Vec<Block>,
    headings: Headings,
    comments: Vec<Range<usize>>,
}

/// The lines of a hunk: some of the old text and some of the new one, from where both are the same, and what changed in them.
pub(super) struct View<'v, 't> {
    /// The first line's number in the old text, from 0; the new text has as many before it.
    pub(super) first: usize,
    pub(super) old: &'v [Line<'t>],
    pub(super) new: &'v [Line<'t>],
    pub(super) runs: &'v [Run],
    /// The lines of the old text among which margins may be taken.
    pub(super) room: Range<usize>,
}

impl<'t> Drawing<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let blocks = blocks(text);
        Drawing { text, lines: lines(text), headings: Headings::of(&blocks), blocks, comments: comments(text) }
    }

    /// `view` as a hunk.
    pub(super) fn hunk(&self, index: usize, view: &View<'_, '_>, budget: &mut Budget) -> Hunk {
        let (first, last) = match view.runs {
            [first, .., last] => (first, last),
            [only] => (only, only),
            [] => return self.nothing(index, view.first),
        };
        let hull = view.first + first.before.start..view.first + last.before.end;
        let mut shown = Vec::new();
        let context =
            |line: &Line<'_>| DiffLine { sign: Sign::Context, text: line.content.to_owned(), words: Vec::new() };
        let room = view.room.start.max(hull.start.saturating_sub(MARGIN))..view.room.end.min(hull.end + MARGIN);
        shown.extend(self.lines.get(room.start..hull.start).unwrap_or_default().iter().map(context));
        let mut done = first.before.start;
        let mut notes = Vec::new();
        let block = self.block(&hull);
        let is_table = self.blocks.get(block).is_some_and(|block| block.ty == BlockType::Table);
        for run in view.runs {
            shown.extend(view.old[done..run.before.start].iter().map(context));
            done = run.before.end;
            let (removed, added) = (&view.old[run.before.clone()], &view.new[run.after.clone()]);
            let [mut removed_words, mut added_words] = words::mark(removed, added, is_table, budget);
            for (sign, lines, words) in
                [(Sign::Removed, removed, &mut removed_words), (Sign::Added, added, &mut added_words)]
            {
                let words = std::mem::take(words).into_iter().chain(std::iter::repeat(Vec::new()));
                shown.extend(lines.iter().zip(words).map(|(line, words)| DiffLine {
                    sign,
                    text: line.content.to_owned(),
                    words,
                }));
            }
            let ends = Ends {
                usual: self.lines.first().and_then(|line| line.ending),
                last: self.last(view, run),
                comment: self.in_comment(view, run),
            };
            for note in reveal::notes(removed, added, &ends) {
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
        shown.extend(self.lines.get(hull.end..room.end).unwrap_or_default().iter().map(context));
        let after = first.after.start..last.after.end;
        Hunk {
            index,
            block,
            heading: self.heading(&hull, block),
            before: Lines { line: hull.start + 1, lines: hull.len() },
            after: Lines { line: view.first + after.start + 1, lines: after.len() },
            lines: shown,
            notes,
        }
    }

    /// `splice` as a hunk: whole lines, as if it were the only one.
    pub(super) fn spliced(&self, index: usize, splice: &Splice, budget: &mut Budget) -> Hunk {
        let at = |offset: usize| self.lines.partition_point(|line| line.end() <= offset);
        let first = at(splice.range.start).min(self.lines.len().saturating_sub(1));
        let last = (at(splice.range.end) + 1).min(self.lines.len()).max(first);
        let touched = self.lines.get(first..last).unwrap_or_default();
        let start = touched.first().map_or(0, |line| line.start).min(splice.range.start);
        let end = touched.last().map_or(0, Line::end).max(splice.range.end);
        let mut new = String::from(&self.text[start..splice.range.start]);
        new.push_str(&splice.text);
        new.push_str(&self.text[splice.range.end..end]);
        let pair = Pair::of(&self.text[start..end], &new);
        let runs = pair.runs();
        let view = View { first, old: &pair.old, new: &pair.new, runs: &runs, room: 0..self.lines.len() };
        self.hunk(index, &view, budget)
    }

    /// Whether `run` brings (`true`) or takes the final newline.
    fn last(&self, view: &View<'_, '_>, run: &Run) -> Option<bool> {
        let ends_there = view.first + view.old.len() == self.lines.len();
        let reaches = run.before.end == view.old.len() && run.after.end == view.new.len();
        let (old, new) = (self.lines.last()?, view.new.last()?);
        (ends_there && reaches && old.ending.is_some() != new.ending.is_some()).then_some(new.ending.is_some())
    }

    /// Whether `run` lies in an HTML comment of the old text.
    fn in_comment(&self, view: &View<'_, '_>, run: &Run) -> bool {
        let line = view.first + run.before.start;
        let start = self.lines.get(line).map_or(self.text.len(), |line| line.start);
        let next = self.comments.partition_point(|comment| comment.end <= start);
        self.comments.get(next).is_some_and(|comment| comment.start < start)
    }

    /// A hunk in which nothing changes.
    fn nothing(&self, index: usize, line: usize) -> Hunk {
        let block = self.block(&(line..line));
        let none = Lines { line: line + 1, lines: 0 };
        let heading = self.heading(&(line..line), block);
        Hunk { index, block, heading, before: none, after: none, lines: Vec::new(), notes: Vec::new() }
    }

    /// The block in which the lines `hull` start. What is inserted belongs to the block above it.
    fn block(&self, hull: &Range<usize>) -> usize {
        let line = if hull.is_empty() { hull.start.saturating_sub(1) } else { hull.start };
        let offset = self.lines.get(line).map_or(self.text.len(), |line| line.start);
        block_at(&self.blocks, offset).unwrap_or(0)
    }

    fn heading(&self, hull: &Range<usize>, block: usize) -> Option<String> {
        // Nothing stands above the first line.
        if hull.is_empty() && hull.start == 0 { None } else { self.headings.above(self.text, &self.blocks, block) }
    }
}

/// Where the HTML comments of `text` are.
fn comments(text: &str) -> Vec<Range<usize>> {
    let mut comments = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find("<!--").map(|start| at + start) {
        let Some(end) = text[start..].find("-->").map(|end| start + end + 3) else { break };
        comments.push(start..end);
        at = end;
    }
    comments
}
