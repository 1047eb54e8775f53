//! Quotes: what a person selected, as exact source that a model can read, find and change.
//!
//! A quote is made of source ranges alone; rendered text is never searched for. It carries whole blocks for context, the
//! exact selection, and an anchor that stands in the text once. It says which version it was made of, and
//! [`locate_quote`] says where it stands in a later one.
//!
//! ```
//! use countersign::document::quote::{Source, format_quotes, quote_range};
//!
//! let text = "# Plan\n\nSee [the plan](/p) now.\n";
//! let source = Source { document: "d1".into(), title: "Plan".into(), version: 2, text: text.into() };
//! let quote = quote_range(&source, 13..21).unwrap();
//! assert_eq!(quote.exact.text, "[the plan](/p)");
//! assert_eq!((quote.blocks, quote.source.as_str()), ((1, 1), "See [the plan](/p) now."));
//! assert_eq!(
//!     format_quotes(&[quote]),
//!     "Quoted from \"Plan\" (d1 v2, block 1):\n```markdown\nSee [the plan](/p) now.\n```\n\
//!      Selected:\n```markdown\n[the plan](/p)\n```"
//! );
//! ```

use std::ops::Range;

use super::anchor::anchor;
use super::inline::{Runs, inline};
use super::select::{Selection, select, select_blocks};
use crate::Refused;
use crate::change::occurrences::Occurrences;

/// What is read, with its identity. `document` may be empty and `version` 0 where nothing is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The document's id.
    pub document: String,
    /// Its title.
    pub title: String,
    /// Its version.
    pub version: u32,
    /// Its text.
    pub text: String,
}

/// What exactly was selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// A verbatim substring of the text.
    pub text: String,
    /// Where it stands (UTF-8 bytes).
    pub range: Range<usize>,
    /// Which of its occurrences it is, from 1, overlapping ones counted.
    pub occurrence: usize,
    /// How often it occurs.
    pub of: usize,
}

/// Rows and columns of a table, inclusive; the header is row 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells {
    /// First and last row.
    pub rows: (usize, usize),
    /// First and last column.
    pub columns: (usize, usize),
}

/// A selection as source: whole blocks, and exactly what was selected in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// The document's id.
    pub document: String,
    /// Its title.
    pub title: String,
    /// Its version.
    pub version: u32,
    /// First and last block, inclusive.
    pub blocks: (usize, usize),
    /// Their verbatim source.
    pub source: String,
    /// Where `source` stands (UTF-8 bytes).
    pub range: Range<usize>,
    /// What was selected.
    pub exact: Exact,
    /// `exact` widened until it occurs once: safe as an edit's `find`.
    pub anchor: String,
    /// The stretches in reading order, where the selection is not one stretch of source.
    pub ranges: Option<Vec<Range<usize>>>,
    /// For a selection inside one table.
    pub table: Option<Cells>,
}

/// Where what was selected stands in a later text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Located {
    /// At its place.
    Same(Range<usize>),
    /// Elsewhere, exactly once.
    Moved(Range<usize>),
    /// Neither.
    Changed,
}

/// Quotes the blocks `first` to `last`, inclusive.
pub fn quote_blocks(source: &Source, first: usize, last: usize) -> Result<Quote, Refused> {
    let runs = inline(&source.text, &[]);
    Ok(quote_selection(source, &runs, &select_blocks(&runs, first, last)?))
}

/// Quotes a stretch of source (UTF-8 bytes).
pub fn quote_range(source: &Source, range: Range<usize>) -> Result<Quote, Refused> {
    quote_ranges(source, std::slice::from_ref(&range))
}

/// Quotes stretches of source in reading order (UTF-8 bytes).
pub fn quote_ranges(source: &Source, ranges: &[Range<usize>]) -> Result<Quote, Refused> {
    let runs = inline(&source.text, &[]);
    Ok(quote_selection(source, &runs, &select(&source.text, &runs, ranges)?))
}

/// The quote of a [`Selection`] that was made of `source` and its `runs`: for whoever has these at hand.
pub fn quote_selection(source: &Source, runs: &Runs, selection: &Selection) -> Quote {
    let text = source.text.as_str();
    let slice = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
    let (first, last) = selection.blocks;
    let start = runs.blocks.get(first).map_or(0, |block| block.range.start);
    let end = runs.blocks.get(last).map_or(text.len(), |block| block.range.end);
    let blocks: Vec<_> = runs.blocks.iter().map(|block| block.range.clone()).collect();
    let exact = selection.exact.clone();
    let (occurrence, of) = occurrence(slice(&exact), text, exact.start);
    let several = selection.stretches.len() > 1;
    Quote {
        document: source.document.clone(),
        title: source.title.clone(),
        version: source.version,
        blocks: selection.blocks,
        source: slice(&(start..end)).to_owned(),
        range: start..end,
        anchor: slice(&anchor(text, &blocks, exact.clone())).to_owned(),
        exact: Exact { text: slice(&exact).to_owned(), range: exact, occurrence, of },
        ranges: several.then(|| selection.stretches.clone()),
        table: selection.table,
    }
}

/// Which of the occurrences of `needle` in `text` the one at `at` is, from 1, and how many there are.
fn occurrence(needle: &str, text: &str, at: usize) -> (usize, usize) {
    let after = at + needle.chars().next().map_or(0, char::len_utf8);
    // The common case costs no table.
    if text.find(needle) == Some(at) && !text.get(after..).unwrap_or_default().contains(needle) {
        return (1, 1);
    }
    let count = |(before, all), found| (before + usize::from(found <= at), all + 1);
    Occurrences::of(needle, text).fold((0, 0), count)
}

/// The text that goes in front of the person's own words in a message.
pub fn format_quotes(quotes: &[Quote]) -> String {
    let mut message = String::new();
    for quote in quotes {
        if !message.is_empty() {
            message.push_str("\n\n");
        }
        let blocks = match quote.blocks {
            (first, last) if first == last => format!("block {first}"),
            (first, last) => format!("blocks {first}–{last}"),
        };
        // What is stored nowhere has no id, and no version worth telling.
        let which =
            if quote.document.is_empty() { blocks } else { format!("{} v{}, {blocks}", quote.document, quote.version) };
        message.push_str(&format!("Quoted from \"{}\" ({which}):\n", quote.title));
        push_fenced(&mut message, &quote.source);
        if quote.exact.text.trim() != quote.source.trim() {
            message.push_str("\nSelected:\n");
            push_fenced(&mut message, &quote.exact.text);
        }
    }
    message
}

/// Adds `source` in a fence that nothing inside can close.
fn push_fenced(message: &mut String, source: &str) {
    let (mut longest, mut run) = (0, 0);
    for byte in source.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(3.max(longest + 1));
    message.push_str(&fence);
    message.push_str("markdown\n");
    message.push_str(source);
    if !source.ends_with('\n') {
        message.push('\n');
    }
    message.push_str(&fence);
}

/// Where what was selected stands in a later text.
pub fn locate_quote(quote: &Quote, text: &str) -> Located {
    let exact = &quote.exact;
    if text.get(exact.range.clone()) == Some(exact.text.as_str()) {
        return Located::Same(exact.range.clone());
    }
    let mut places = Occurrences::of(&exact.text, text);
    match (places.next(), places.next()) {
        (Some(start), None) => Located::Moved(start..start + exact.text.len()),
        _ => Located::Changed,
    }
}
