//! The words of refusals: why an edit did not land, and what to do next.
//!
//! A refusal is what makes a model succeed on its second try, so each names the place and the difference, in few words,
//! and never gives a `find` back whole. Everything is looked up when an edit fails, never before; what is looked up for
//! all failing edits together stays within a budget, so that a thousand bad edits cost little more than one.

use std::cell::OnceCell;
use std::ops::Range;

use super::differs::{Difference, excerpt, first_difference};
use super::edits::{Edit, EditOptions, MAX_EDITS, Nearest, Place, Refusal, RefusedEdits};
use super::endings::{LineView, fold, line_around};
use super::habits::{kind_of, mend};
use super::nearest::{Likeness, boundary, nearest};
use super::occurrences::{Found, Search};
use crate::Reason;
use crate::document::blocks::{Block, Headings, block_at, blocks};

/// How many characters one refusal's message may have.
const MOST: usize = 560;
/// How many bytes of text may be read to find hints, for all refusals of one list. The first refusal always gets its own.
const BUDGET: usize = 64 * 1024 * 1024;
/// How many refusals the message of a whole list tells in full.
const TOLD: usize = 20;

/// The refusals of one list of edits, and what their words are made from.
pub(super) struct Refusals<'a> {
    text: &'a str,
    edits: &'a [Edit],
    options: &'a EditOptions<'a>,
    view: LineView<'a>,
    blocks: OnceCell<Vec<Block>>,
    headings: OnceCell<Headings>,
    budget: usize,
    refusals: Vec<Refusal>,
}

impl<'a> Refusals<'a> {
    pub(super) fn of(text: &'a str, edits: &'a [Edit], options: &'a EditOptions<'a>) -> Self {
        let view = LineView::of(text);
        let (blocks, headings) = (OnceCell::new(), OnceCell::new());
        Self { text, edits, options, view, blocks, headings, budget: BUDGET, refusals: Vec::new() }
    }

    pub(super) fn view(&self) -> &LineView<'a> {
        &self.view
    }

    pub(super) fn blocks(&self) -> &[Block] {
        self.blocks.get_or_init(|| blocks(self.text))
    }

    /// Where a block stands in the view.
    pub(super) fn block_in_view(&self, block: usize) -> Option<Range<usize>> {
        let range = self.blocks().get(block)?.range.clone();
        Some(self.view.view_at(range.start)..self.view.view_at(range.end))
    }

    /// All refusals in the order of the list, or none where no edit failed.
    pub(super) fn take(&mut self) -> Option<RefusedEdits> {
        let mut refusals = std::mem::take(&mut self.refusals);
        refusals.sort_by_key(|refusal| refusal.edit);
        let reason = refusals.first()?.reason;
        let message = if self.edits.len() == 1 {
            refusals[0].message.clone()
        } else {
            let told =
                refusals.iter().take(TOLD).map(|refusal| format!("Edit {}: {}", refusal.edit + 1, refusal.message));
            let mut lines: Vec<String> = std::iter::once("Nothing was changed.".to_owned()).chain(told).collect();
            if refusals.len() > TOLD {
                lines.push(format!("{} more edits were refused; mend these first.", refusals.len() - TOLD));
            }
            lines.join("\n")
        };
        Some(RefusedEdits { reason, message, refusals })
    }

    pub(super) fn too_many(count: usize) -> RefusedEdits {
        let message = format!("{count} edits are too many for one list: send at most {MAX_EDITS} at a time.");
        alone(0, Reason::TooLarge, message)
    }

    pub(super) fn too_large(edits: &[Edit], size: usize, most: usize) -> RefusedEdits {
        // The edit that adds most is the one to mend.
        let added = |edit: &Edit| edit.replace.len().saturating_sub(edit.find.len());
        let edit = (0..edits.len()).rev().max_by_key(|&index| added(&edits[index])).unwrap_or(0);
        let message = format!(
            "The document would have {size} bytes; at most {most} are allowed. Make `replace` of edit {} shorter.",
            edit + 1
        );
        alone(edit, Reason::TooLarge, message)
    }

    pub(super) fn empty_find(&mut self, edit: usize) {
        self.refuse(edit, Reason::EmptyFind, "`find` is empty: quote the text to replace. To add text, quote the text before it and repeat it in `replace`.");
    }

    pub(super) fn no_change(&mut self, edit: usize) {
        self.refuse(
            edit,
            Reason::NoChange,
            "`find` and `replace` are the same: leave this edit out, or change `replace`.",
        );
    }

    pub(super) fn no_such_block(&mut self, edit: usize, block: usize) {
        let message = match self.blocks().len() {
            0 => format!("There is no block {block}: the document has 0 blocks. Leave `block` out."),
            1 => format!("There is no block {block}: the document has 1 block, number 0."),
            count => {
                format!("There is no block {block}: the document has {count} blocks, numbered 0 to {}.", count - 1)
            }
        };
        self.refuse(edit, Reason::NoSuchBlock, message);
    }

    pub(super) fn overlap(&mut self, edit: usize, with: usize) {
        let message = if self.edits[edit] == self.edits[with] {
            format!("It is the same as edit {}: send it once.", with + 1)
        } else {
            format!(
                "It changes text that edit {} changes too: put edits {} and {} into one, or make one `find` shorter.",
                with + 1,
                with + 1,
                edit + 1
            )
        };
        self.refuse(edit, Reason::Overlap, message).with = Some(with);
    }

    pub(super) fn ambiguous(&mut self, edit: usize, find: &str, count: usize, starts: &[usize]) {
        let ranges: Vec<Range<usize>> = starts.iter().map(|&start| start..start + find.len()).collect();
        let places: Vec<Place> = ranges.iter().map(|range| self.place(range, 120)).collect();
        let first = places.first().map(|place| place.block);
        let mut seen: Vec<usize> = places.iter().map(|place| place.block).collect();
        seen.dedup();
        let advice = if self.edits[edit].block.is_none() && seen.len() == places.len() {
            "Add text around it until it occurs once, or give `block`."
        } else {
            "Add text around it until it occurs once."
        };
        let inside = match (self.edits[edit].block, first) {
            (Some(block), _) => format!(" in block {block}"),
            _ => String::new(),
        };
        let mut message = format!("`find` occurs {count} times{inside}. {advice} It stands ([…]) in ");
        for (index, (place, range)) in places.iter().zip(&ranges).enumerate() {
            let around = self.surroundings(range);
            let told = format!("{}{} {around}", if index > 0 { "; " } else { "" }, whereabouts(place, 24));
            if message.chars().count() + told.chars().count() > MOST {
                break;
            }
            message.push_str(&told);
        }
        message.push_str(if count > places.len() { "; …" } else { "." });
        let refusal = self.refuse(edit, Reason::Ambiguous, message);
        refusal.count = Some(count);
        refusal.places = places;
    }

    /// The text around a place, to tell it from others: on its line, or on the line before where it fills its own.
    fn surroundings(&self, range: &Range<usize>) -> String {
        let text = self.view.text();
        let line = self.view.line_range(range.start);
        let fills = text[line.start..range.start].trim().is_empty()
            && text[range.end.min(line.end)..line.end].trim().is_empty();
        let before = text[..line.start].trim_end();
        match before.len() {
            0 => excerpt(text, range.start, 36, Some(range)),
            end if fills => format!("after {}", excerpt(text, line_around(text, end).start, 30, None)),
            _ => excerpt(text, range.start, 36, Some(range)),
        }
    }

    /// `find` stands nowhere in `within`: says where else it is, or what comes nearest.
    pub(super) fn not_found(&mut self, edit: usize, find: &str, within: Range<usize>, search: &mut Search) {
        let Edit { replace, block, .. } = &self.edits[edit];
        let replace = fold(replace);
        let mut words = Words::default();
        let mut hint = None;
        if let Some(block) = block
            && let Some(range) = self.outside(find, search)
        {
            let place = self.place(&range, 300);
            words.add(format!("`find` is not inside block {block}."));
            words.add(if range.start < within.end && range.end > within.start {
                "It reaches past the block's end: quote less of it, or leave `block` out.".to_owned()
            } else {
                format!("It stands in {}: give that block, or leave `block` out.", whereabouts(&place, 40))
            });
            hint = Some(Nearest { place, differs: None });
        } else {
            words.add(match block {
                Some(block) => format!("`find` is not in block {block}."),
                None => "`find` is not in the document.".to_owned(),
            });
        }
        let other = self.other_replace(edit, find);
        if let Some(other) = other {
            words.add(format!(
                "It is only in what edit {} puts in. Edits are matched against the text that was read: put edits {} and {} into one.",
                other + 1,
                other.min(edit) + 1,
                other.max(edit) + 1
            ));
        }
        if let Some(version) = self.older(find) {
            words.add(format!("It was in version {version} and has been changed since: read the document again."));
        }
        if hint.is_none() {
            let mend = mend(find, self.view.text());
            if let Some(mend) = &mend {
                words.add(mend.words.to_owned());
            }
            let meant = mend.as_ref().map_or(find, |mend| &mend.find);
            let found = self.nearest(&within, meant);
            let already = self.already(&replace, find, found.as_ref(), search);
            let made = already.is_some();
            already.into_iter().for_each(|already| words.add(already));
            match found {
                Some(found) => hint = Some(self.tell_nearest(meant, &found, &mut words)),
                None if other.is_some() => {}
                None if made || self.budget == 0 => {
                    words.add("Read the document again and copy the text exactly.".to_owned())
                }
                None => {
                    words.add("Nothing like it is there: read the document again and copy the text exactly.".to_owned())
                }
            }
        }
        self.refuse(edit, Reason::NotFound, words.text).nearest = hint;
    }

    /// Says what comes nearest, why it is not the same, and where the first difference is.
    fn tell_nearest(&self, find: &str, found: &Likeness, words: &mut Words) -> Nearest {
        let text = self.view.text();
        let place = self.place(&found.range, 300);
        let line = self.view.line(found.start);
        let Some(difference) = first_difference(find, &text[found.start..]) else {
            // It only stands there once it is mended, or with different boundaries.
            words.add(format!("It stands in {}: {}.", whereabouts(&place, 40), excerpt(text, found.start, 100, None)));
            return Nearest { place, differs: None };
        };
        let at = found.start + difference.text;
        let many = find.trim().contains('\n');
        words.add(if many {
            format!("Nearest: from {}.", whereabouts(&place, 40))
        } else {
            format!("Nearest: {}, {}.", whereabouts(&place, 40), excerpt(text, at.min(found.range.end), 110, None))
        });
        if let Some(kind) = kind_of(find, &text[found.range.clone()], found) {
            words.add(kind);
        }
        let differs = if many {
            // The line of the find in which it first differs, and what stands in the document instead.
            let number = find[..difference.find].matches('\n').count() + 1;
            words.add(format!(
                "Line {number} of `find` differs: {} is expected, the document's line {} has {}.",
                excerpt(find, difference.find, 60, None),
                line + text[found.start..at].matches('\n').count(),
                excerpt(text, at, 60, None)
            ));
            format!("line {number}: {}", difference.words)
        } else {
            difference.words.clone()
        };
        words.add(format!("First difference: {}{}.", difference.words, after(find, &difference)));
        words.add("Copy the text from the document exactly.".to_owned());
        Nearest { place, differs: Some(differs) }
    }

    fn nearest(&mut self, within: &Range<usize>, find: &str) -> Option<Likeness> {
        let whole = 0..self.view.text().len();
        let look = |within: Range<usize>, this: &mut Self| {
            if this.spend(within.len() * 4) { nearest(this.view.text(), within, find) } else { None }
        };
        match look(within.clone(), self) {
            None if *within != whole => look(whole, self),
            found => found,
        }
    }

    /// Whether `bytes` more may be read. The first look is always allowed.
    fn spend(&mut self, bytes: usize) -> bool {
        let allowed = self.budget == BUDGET || bytes <= self.budget;
        self.budget = if allowed { self.budget.saturating_sub(bytes.max(1)) } else { 0 };
        allowed
    }

    /// Where `find` stands in the whole text, if anywhere.
    fn outside(&self, find: &str, search: &mut Search) -> Option<Range<usize>> {
        let at = match search.find(find, self.view.text()) {
            Found::Nowhere => return None,
            Found::Once(at) => at,
            Found::Several(_, places) => *places.first()?,
        };
        Some(at..at + find.len())
    }

    /// Another edit in whose `replace` this `find` stands.
    fn other_replace(&mut self, edit: usize, find: &str) -> Option<usize> {
        let edits = self.edits;
        let size: usize = edits.iter().map(|edit| edit.replace.len()).sum();
        if size < find.len() || !self.spend(size) {
            return None;
        }
        (0..edits.len()).find(|&other| other != edit && fold(&edits[other].replace).contains(find))
    }

    /// The newest older version in which `find` stands.
    fn older(&mut self, find: &str) -> Option<u64> {
        let mut older: Vec<&(u64, &str)> = self.options.older.iter().collect();
        older.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
        older
            .into_iter()
            .find(|(_, text)| self.spend(text.len()) && fold(text).contains(find))
            .map(|(version, _)| *version)
    }

    /// Words for a `replace` that is there already: where the nearest text is, or anywhere if it is long enough to tell.
    fn already(&self, replace: &str, find: &str, found: Option<&Likeness>, search: &mut Search) -> Option<String> {
        const TELLING: usize = 8;
        let wanted = replace.trim();
        if wanted.chars().count() < TELLING.min(find.trim().chars().count().max(3)) {
            return None;
        }
        let text = self.view.text();
        let at = match search.find(wanted, text) {
            Found::Once(at) => at,
            Found::Several(_, places) => {
                let near = |at: &usize| found.is_some_and(|f| *at < f.range.end && at + wanted.len() > f.range.start);
                places.into_iter().find(near)?
            }
            Found::Nowhere => return None,
        };
        Some(format!(
            "`replace` is already there, in line {}: this change may have been made before.",
            self.view.line(at)
        ))
    }

    /// A place of the view, to show.
    fn place(&self, range: &Range<usize>, most: usize) -> Place {
        let text = self.view.text();
        let source = self.view.source(range);
        let block = block_at(self.blocks(), source.start).unwrap_or(0);
        let headings = self.headings.get_or_init(|| Headings::of(self.blocks()));
        let heading = headings.above(self.text, self.blocks(), block);
        // The line around it, or as much of it as fits.
        let mut around = self.view.line_range(range.start).start..self.view.line_range(range.end).end;
        if around.len() > most {
            let spare = most.saturating_sub(range.len()) / 2;
            let start = around.start.max(range.start.saturating_sub(spare));
            around = boundary(text, start)..boundary(text, around.end.min(start + most.max(40)));
        }
        Place { block, line: self.view.line(range.start), range: source, heading, text: text[around].to_owned() }
    }

    fn refuse(&mut self, edit: usize, reason: Reason, message: impl Into<String>) -> &mut Refusal {
        self.refusals.push(refusal(edit, reason, message.into()));
        let last = self.refusals.len() - 1;
        &mut self.refusals[last]
    }
}

/// Sentences, as many as fit.
#[derive(Default)]
struct Words {
    text: String,
}

impl Words {
    fn add(&mut self, sentence: String) {
        if self.text.chars().count() + sentence.chars().count() < MOST {
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(&sentence);
        }
    }
}

/// `, after “It”`: the few characters before the difference.
fn after(find: &str, difference: &Difference) -> String {
    let line = find[..difference.find].rsplit('\n').next().unwrap_or_default();
    let start = line.char_indices().rev().nth(19).map_or(0, |(at, _)| at);
    let words = line[start..].trim_start();
    if words.is_empty() { String::new() } else { format!(", after “{words}”") }
}

/// `line 12 (block 4, under “Findings”)`
fn whereabouts(place: &Place, most: usize) -> String {
    let mut told = format!("line {} (block {}", place.line, place.block);
    if let Some(heading) = &place.heading {
        let end = heading.char_indices().nth(most).map(|(at, _)| at);
        told.push_str(", under “");
        told.push_str(&heading[..end.unwrap_or(heading.len())]);
        told.push_str(if end.is_some() { "…”" } else { "”" });
    }
    told.push(')');
    told
}

fn refusal(edit: usize, reason: Reason, message: String) -> Refusal {
    Refusal { edit, reason, message, count: None, places: Vec::new(), nearest: None, with: None }
}

/// A list that is refused as a whole.
fn alone(edit: usize, reason: Reason, message: String) -> RefusedEdits {
    RefusedEdits { reason, message: message.clone(), refusals: vec![refusal(edit, reason, message)] }
}
