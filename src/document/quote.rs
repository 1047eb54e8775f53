//! Quotes: what a person selected, as exact source.

use std::ops::Range;

use crate::{Reason, Refused};

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
    let _ = (source, first, last);
    Err(Refused::new(Reason::BadRange, ""))
}

/// Quotes a stretch of source (UTF-8 bytes).
pub fn quote_range(source: &Source, range: Range<usize>) -> Result<Quote, Refused> {
    quote_ranges(source, std::slice::from_ref(&range))
}

/// Quotes stretches of source in reading order (UTF-8 bytes).
pub fn quote_ranges(source: &Source, ranges: &[Range<usize>]) -> Result<Quote, Refused> {
    let _ = (source, ranges);
    Err(Refused::new(Reason::BadRange, ""))
}

/// The text that goes in front of the person's own words in a message.
pub fn format_quotes(quotes: &[Quote]) -> String {
    let _ = quotes;
    String::new()
}

/// Where what was selected stands in a later text.
pub fn locate_quote(quote: &Quote, text: &str) -> Located {
    let _ = (quote, text);
    Located::Changed
}
