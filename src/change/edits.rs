//! Edits: anchored replacements that land in one exact place, or are refused with words to act on.
//!
//! A model names the text that it means by quoting it; the quote must stand in the source exactly once. There is no second
//! guess: what is not found, or found twice, is refused, with the nearest real text or the places in the refusal. A list of
//! edits is resolved against the text that was read and lands whole or not at all. Only the replaced spans change; every
//! other byte stays.
//!
//! On the data's way: the model's edits → [`apply_edits`] → [`Applied`], whose splices become a proposal's hunks, or
//! [`RefusedEdits`], whose words go back to the model.
//!
//! ```
//! use countersign::Reason;
//! use countersign::change::edits::{Edit, apply_edits};
//!
//! let text = "# Plan\r\n\r\nShip on Friday.\r\n";
//! let edit = |find: &str, replace: &str| Edit { find: find.into(), replace: replace.into(), block: None };
//!
//! let applied = apply_edits(text, &[edit("on Friday", "on Monday")]).unwrap();
//! assert_eq!(applied.text, "# Plan\r\n\r\nShip on Monday.\r\n");
//!
//! let refused = apply_edits(text, &[edit("on friday", "on Monday")]).unwrap_err();
//! assert_eq!(refused.reason, Reason::NotFound);
//! assert!(refused.message.contains("U+0066 f where the document has U+0046 F"));
//! ```

use std::ops::Range;

use super::Splice;
use super::endings::{ending_at, fold, with_ending};
use super::occurrences::{Found, Search};
use super::refusals::Refusals;
use super::splice;
use crate::Reason;
use crate::document::blocks::block_at;

/// How large a text may grow where a host says nothing else: 10 MiB.
pub const MAX_BYTES: usize = 10 * 1024 * 1024;

/// How many edits one list may have. Each costs a search of the text.
pub const MAX_EDITS: usize = 10_000;

/// Replace the one occurrence of `find` by `replace`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// The exact source text; it must occur once.
    pub find: String,
    /// What comes in its place, literally.
    pub replace: String,
    /// Look only inside this block.
    pub block: Option<usize>,
}

/// Where an edit landed in the text that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedEdit {
    /// The edit's number in the list, from 0.
    pub edit: usize,
    /// The replaced span of the old text (UTF-8 bytes).
    pub range: Range<usize>,
    /// The block in which the span starts.
    pub block: usize,
}

/// A list of edits that landed whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The new text.
    pub text: String,
    /// One per edit, in the order of the list.
    pub applied: Vec<AppliedEdit>,
    /// The same change as ascending splices of the old text.
    pub splices: Vec<Splice>,
}

/// A place in the text, to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The block, from 0.
    pub block: usize,
    /// The line, from 1.
    pub line: usize,
    /// The place itself (UTF-8 bytes).
    pub range: Range<usize>,
    /// The text of the heading above, if there is one.
    pub heading: Option<String>,
    /// The text around it.
    pub text: String,
}

/// The closest text that is really there. A hint: it is never applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// Where it stands.
    pub place: Place,
    /// The first difference, in words.
    pub differs: Option<String>,
}

/// Why one edit was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The edit's number in the list, from 0.
    pub edit: usize,
    /// Why, by its stable name.
    pub reason: Reason,
    /// What to do next, in few words; never the whole `find`.
    pub message: String,
    /// `Ambiguous`: how often `find` occurs, overlapping occurrences counted.
    pub count: Option<usize>,
    /// `Ambiguous`: the first five places.
    pub places: Vec<Place>,
    /// `NotFound`: the closest text that is really there.
    pub nearest: Option<Nearest>,
    /// `Overlap`: the earlier edit.
    pub with: Option<usize>,
}

/// A list of edits that was refused whole: nothing is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedEdits {
    /// The first refusal's reason.
    pub reason: Reason,
    /// All refusals in one text.
    pub message: String,
    /// One for every failing edit, in the order of the list.
    pub refusals: Vec<Refusal>,
}

/// What [`apply_edits_with`] may know besides the text and the edits.
#[derive(Clone, Copy, Debug)]
pub struct EditOptions<'a> {
    /// How many bytes the result may have. Default [`MAX_BYTES`].
    pub max_bytes: usize,
    /// Older versions of the text, by number: a refusal says so where a `find` stands only there. Default none.
    pub older: &'a [(u64, &'a str)],
}

impl Default for EditOptions<'_> {
    fn default() -> Self {
        Self { max_bytes: MAX_BYTES, older: &[] }
    }
}

/// Applies `edits` to `text`: all of them, or none.
pub fn apply_edits(text: &str, edits: &[Edit]) -> Result<Applied, RefusedEdits> {
    apply_edits_with(text, edits, &EditOptions::default())
}

/// [`apply_edits`] with a limit of size of its own, and older versions to look into for a refusal.
///
/// Linear in the text for each edit, and in the edits' own sizes; the text is copied at most twice (once more where it has
/// line endings other than LF). Refusals are found in bounded time.
pub fn apply_edits_with(text: &str, edits: &[Edit], options: &EditOptions<'_>) -> Result<Applied, RefusedEdits> {
    if edits.len() > MAX_EDITS {
        return Err(Refusals::too_many(edits.len()));
    }
    let mut refusals = Refusals::of(text, edits, options);
    let mut search = Search::default();
    // Resolve: each edit alone, against the text that was read.
    let mut spans: Vec<Option<Range<usize>>> = Vec::with_capacity(edits.len());
    for (index, edit) in edits.iter().enumerate() {
        spans.push(resolve(index, edit, &mut search, &mut refusals));
    }
    for (index, with) in overlaps(&spans) {
        refusals.overlap(index, with);
    }
    if let Some(refused) = refusals.take() {
        return Err(refused);
    }
    // Land.
    let mut order: Vec<(usize, Range<usize>)> = spans.into_iter().flatten().enumerate().collect();
    order.sort_unstable_by_key(|(_, range)| range.start);
    let mut splices = Vec::with_capacity(order.len());
    for (index, range) in &order {
        let replace = &edits[*index].replace;
        let text =
            if replace.contains(['\n', '\r']) { with_ending(replace, ending_at(text, range)) } else { replace.clone() };
        splices.push(Splice { range: range.clone(), text });
    }
    let gone: usize = splices.iter().map(|splice| splice.range.len()).sum();
    let came = splices.iter().fold(0_usize, |sum, splice| sum.saturating_add(splice.text.len()));
    let size = (text.len() - gone).saturating_add(came);
    if size > options.max_bytes {
        return Err(Refusals::too_large(edits, size, options.max_bytes));
    }
    let blocks = refusals.blocks();
    order.sort_unstable_by_key(|(index, _)| *index);
    let applied = order.into_iter().map(|(edit, range)| {
        let block = block_at(blocks, range.start).unwrap_or(0);
        AppliedEdit { edit, range, block }
    });
    Ok(Applied { applied: applied.collect(), text: splice(text, &splices), splices })
}

/// The one span of the source that `edit` means, or none and a refusal.
fn resolve(index: usize, edit: &Edit, search: &mut Search, refusals: &mut Refusals<'_>) -> Option<Range<usize>> {
    let find = fold(&edit.find);
    if find.is_empty() {
        refusals.empty_find(index);
        return None;
    }
    if find == fold(&edit.replace) {
        refusals.no_change(index);
        return None;
    }
    let within = match edit.block {
        None => 0..refusals.view().text().len(),
        Some(block) => match refusals.block_in_view(block) {
            Some(range) => range,
            None => {
                refusals.no_such_block(index, block);
                return None;
            }
        },
    };
    match search.find(&find, &refusals.view().text()[within.clone()]) {
        Found::Once(at) => {
            let start = within.start + at;
            Some(refusals.view().source(&(start..start + find.len())))
        }
        Found::Several(count, mut places) => {
            places.iter_mut().for_each(|place| *place += within.start);
            refusals.ambiguous(index, &find, count, &places);
            None
        }
        Found::Nowhere => {
            refusals.not_found(index, &find, within, search);
            None
        }
    }
}

/// The edits whose spans overlap an earlier edit's, each with the first such edit. Touching is fine.
fn overlaps(spans: &[Option<Range<usize>>]) -> Vec<(usize, usize)> {
    let mut order: Vec<(usize, &Range<usize>)> =
        spans.iter().enumerate().filter_map(|(index, span)| span.as_ref().map(|span| (index, span))).collect();
    order.sort_unstable_by_key(|(_, span)| span.start);
    let mut first: Vec<Option<usize>> = vec![None; spans.len()];
    // Spans that still reach behind the start of the one that is looked at. Where nothing overlaps it holds one.
    let mut open: Vec<(usize, &Range<usize>)> = Vec::new();
    for (index, span) in order {
        open.retain(|(_, other)| other.end > span.start);
        for (other, _) in &open {
            let (earlier, later) = (index.min(*other), index.max(*other));
            first[later] = Some(first[later].map_or(earlier, |known| known.min(earlier)));
        }
        open.push((index, span));
    }
    first.into_iter().enumerate().filter_map(|(index, first)| first.map(|first| (index, first))).collect()
}
