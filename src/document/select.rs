//! From what a person marked to the exact stretches of source that it means.
//!
//! The browser hands over places in the source, taken from what is shown ([`Runs`]); this grows and trims them so that the
//! result can be quoted and found again: whole characters as a reader sees them, whole entities and escapes, an inline
//! element's marks where all of its content is selected, and nothing of what shows nothing at either end.
//!
//! Promises: a larger selection never selects less; the cost is that of the selection and a search among the pieces, not
//! that of the document.
//!
//! ```
//! use countersign::document::{inline::inline, select::select};
//!
//! let text = "a **b** c\n";
//! let runs = inline(text, &[]);
//! assert_eq!(&text[select(text, &runs, &[4..5]).unwrap().exact], "**b**");
//! assert_eq!(&text[select(text, &runs, &[0..3]).unwrap().exact], "a ");
//! assert!(select(text, &runs, &[2..4]).is_err(), "marks alone show nothing");
//! ```

use std::ops::Range;

use unicode_segmentation::GraphemeCursor;

use super::inline::{Kind, Piece, Runs, Shown};
use super::quote::Cells;
use crate::{Reason, Refused};

/// What is selected, in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// All of it, from the first character to the last.
    pub exact: Range<usize>,
    /// First and last block, inclusive.
    pub blocks: (usize, usize),
    /// The stretches in reading order; one, equal to `exact`, unless the selection is not one stretch of source.
    pub stretches: Vec<Range<usize>>,
    /// Rows and columns, where all of it is inside one table.
    pub table: Option<Cells>,
}

/// What the stretches `ranges` of `text`, in reading order, select. `runs` must be those of `text`. Refused
/// ([`Reason::BadRange`]) where a range is not one of the text, or nothing but blanks is selected.
pub fn select(text: &str, runs: &Runs, ranges: &[Range<usize>]) -> Result<Selection, Refused> {
    for range in ranges {
        if range.start > range.end || text.get(range.clone()).is_none() {
            let message = "a range must start and end between two characters of the document, its start first";
            return Err(Refused::new(Reason::BadRange, message));
        }
    }
    let nothing = || Refused::new(Reason::BadRange, "nothing is selected that shows: select some words");
    let all = 0..text.len();
    if matches!(ranges, [range] if *range == all) && !runs.blocks.is_empty() {
        return Ok(selection(runs, Vec::from([all])));
    }
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        let Some(grown) = grow(text, runs, range) else { continue };
        let together = stretches.last().filter(|last| meet(runs, last, &grown)).cloned();
        match together {
            Some(last) => {
                let joined = last.start..last.end.max(grown.end);
                stretches.pop();
                stretches.push(grow(text, runs, &joined).unwrap_or(joined));
            }
            None => stretches.push(grown),
        }
    }
    if !stretches.iter().any(|stretch| shows(text, runs, stretch)) {
        return Err(nothing());
    }
    Ok(selection(runs, stretches))
}

/// What selecting the blocks `first` to `last` selects: their whole source, also where it shows nothing.
pub fn select_blocks(runs: &Runs, first: usize, last: usize) -> Result<Selection, Refused> {
    match (runs.blocks.get(first), runs.blocks.get(last)) {
        (Some(from), Some(to)) if first <= last => {
            let whole = from.range.start..to.range.end;
            Ok(selection(runs, Vec::from([whole])))
        }
        _ => {
            let message = match runs.blocks.len() {
                0 => "the document has no blocks".to_owned(),
                1 => "the document has 1 block: its number is 0".to_owned(),
                count => format!("the document has {count} blocks: give two of 0 to {}, the smaller first", count - 1),
            };
            Err(Refused::new(Reason::BadRange, message))
        }
    }
}

/// The first words of what a selection shows, on one line: what a person recognises it by.
pub fn first_words(text: &str, runs: &Runs, selection: &Selection) -> String {
    /// Bytes after which no more is taken.
    const ENOUGH: usize = 400;
    let mut words = String::new();
    let Some(stretch) = selection.stretches.first() else { return words };
    let mut before = stretch.start;
    for piece in runs.pieces.get(pieces(runs, stretch)).unwrap_or_default() {
        // What stands on another line, or in another cell, is another word.
        if text.get(before..piece.range.start).is_some_and(|between| between.contains(['\n', '\r', '|'])) {
            words.push(' ');
        }
        before = piece.range.end;
        let part = piece.range.start.max(stretch.start)..piece.range.end.min(stretch.end);
        let shown = match piece.shown {
            Shown::Verbatim => text.get(part).unwrap_or_default(),
            _ => runs.shown(text, piece),
        };
        words.extend(shown.chars().take(ENOUGH).map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { c }));
        if words.len() > ENOUGH {
            break;
        }
    }
    words
}

/// The selection that `stretches`, of which there is at least one, make.
fn selection(runs: &Runs, stretches: Vec<Range<usize>>) -> Selection {
    let start = stretches.iter().map(|stretch| stretch.start).min().unwrap_or_default();
    let end = stretches.iter().map(|stretch| stretch.end).max().unwrap_or_default();
    let block = |after: usize| after.saturating_sub(1);
    Selection {
        exact: start..end,
        blocks: (
            block(runs.blocks.partition_point(|block| block.range.start <= start)),
            block(runs.blocks.partition_point(|block| block.range.start < end)),
        ),
        table: cells(runs, &stretches),
        stretches,
    }
}

/// The pieces of which some part is in `range`.
fn pieces(runs: &Runs, range: &Range<usize>) -> Range<usize> {
    let first = runs.pieces.partition_point(|piece| piece.range.end <= range.start);
    let after = runs.pieces.partition_point(|piece| piece.range.start < range.end);
    first..after.max(first)
}

/// `range` grown to what it means; `None` where it has no part of any piece. Every step only adds, and adds no less to a
/// larger range, so that neither does the whole.
fn grow(text: &str, runs: &Runs, range: &Range<usize>) -> Option<Range<usize>> {
    let inside = pieces(runs, range);
    let (first, last) = ends(runs, &inside)?;
    let mut grown = range.start.max(first.range.start)..range.end.min(last.range.end);
    // A block that is selected from its first mark to its last keeps them.
    for piece in [first, last] {
        let after = runs.blocks.partition_point(|block| block.range.start <= piece.range.start);
        if let Some(block) = after.checked_sub(1).and_then(|block| runs.blocks.get(block))
            && range.start <= block.range.start
            && block.range.end <= range.end
        {
            include(&mut grown, &block.range);
        }
    }
    loop {
        let before = grown.clone();
        grown = cluster_start(text, grown.start)..cluster_end(text, grown.end);
        let inside = pieces(runs, &grown);
        let (first, last) = ends(runs, &inside)?;
        for piece in [first, last] {
            if piece.shown != Shown::Verbatim {
                include(&mut grown, &piece.range);
            }
        }
        for piece in [first, last] {
            elements(runs, piece, &inside, &mut grown);
        }
        if grown == before {
            return Some(grown);
        }
    }
}

fn ends<'r>(runs: &'r Runs, inside: &Range<usize>) -> Option<(&'r Piece, &'r Piece)> {
    let inside = runs.pieces.get(inside.clone())?;
    Some((inside.first()?, inside.last()?))
}

fn include(grown: &mut Range<usize>, more: &Range<usize>) {
    grown.start = grown.start.min(more.start);
    grown.end = grown.end.max(more.end);
}

/// Adds the inline elements around `piece` whose whole content is in `grown`, which has parts of the pieces `inside`.
fn elements(runs: &Runs, piece: &Piece, inside: &Range<usize>, grown: &mut Range<usize>) {
    let mut at = Some(piece.node);
    while let Some(node) = at.and_then(|at| runs.nodes.get(at)).filter(|node| node.is_inline()) {
        let content = runs.pieces.get(node.pieces.clone()).unwrap_or_default();
        let covered = node.pieces.start >= inside.start
            && node.pieces.end <= inside.end
            && content.first().is_some_and(|first| grown.start <= first.range.start)
            && content.last().is_some_and(|last| last.range.end <= grown.end);
        if !covered {
            // What an element does not have, the one around it has not either.
            return;
        }
        include(grown, &node.range);
        at = node.parent;
    }
}

/// Whether no piece, nor part of one, lies between two stretches that follow one another in the source.
fn meet(runs: &Runs, last: &Range<usize>, next: &Range<usize>) -> bool {
    last.start <= next.start && (next.start <= last.end || pieces(runs, &(last.end..next.start)).is_empty())
}

/// Whether anything but blanks shows in `stretch`.
fn shows(text: &str, runs: &Runs, stretch: &Range<usize>) -> bool {
    let inside = runs.pieces.get(pieces(runs, stretch)).unwrap_or_default();
    inside.iter().any(|piece| match piece.shown {
        Shown::Verbatim => {
            let part = piece.range.start.max(stretch.start)..piece.range.end.min(stretch.end);
            text.get(part).is_some_and(|part| !part.trim().is_empty())
        }
        Shown::Atom(words) => !runs.word(words).trim().is_empty(),
        Shown::Image { .. } | Shown::Reference(_) | Shown::Comment => true,
        Shown::Break | Shown::Task(_) => false,
    })
}

/// The cells that the pieces of `stretches` are in, where all are in one table.
fn cells(runs: &Runs, stretches: &[Range<usize>]) -> Option<Cells> {
    let mut table = None;
    let mut cells: Option<Cells> = None;
    for stretch in stretches {
        let inside = pieces(runs, stretch);
        // Pieces stand in source order: where the first and the last are in one table, all between are.
        let (first, last) = ends(runs, &inside)?;
        for piece in [first, last] {
            let of = table_of(runs, piece)?;
            if *table.get_or_insert(of) != of {
                return None;
            }
        }
        for piece in &runs.pieces[inside] {
            let (row, column) = runs.cell(piece)?;
            let (row, column) = (row as usize, column as usize);
            let cells = cells.get_or_insert(Cells { rows: (row, row), columns: (column, column) });
            cells.rows = (cells.rows.0.min(row), cells.rows.1.max(row));
            cells.columns = (cells.columns.0.min(column), cells.columns.1.max(column));
        }
    }
    cells
}

fn table_of(runs: &Runs, piece: &Piece) -> Option<usize> {
    let mut at = piece.node;
    while !matches!(runs.nodes.get(at)?.kind, Kind::Table) {
        at = runs.nodes[at].parent?;
    }
    Some(at)
}

/// The start of the grapheme cluster that a place is in.
fn cluster_start(text: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(false) => cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0),
        _ => at,
    }
}

/// The end of the grapheme cluster that a place is in.
fn cluster_end(text: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(false) => cursor.next_boundary(text, 0).ok().flatten().unwrap_or(text.len()),
        _ => at,
    }
}
