//! The nearest text: where in a document a `find` that stands nowhere was probably meant.
//!
//! Two steps, both bounded. First the whole text is read once or twice, and a window as long as the `find` slides over it;
//! it counts the short runs of letters that they share, rare ones more than common ones. Then the few best windows are
//! aligned with the `find` character by character, which gives the exact stretch. Blanks, punctuation and markup weigh
//! little in that alignment, case, accents and the kinds of quotes and dashes next to nothing ([`alike`](super::alike)).
//! So a place inside a sentence is found as well as one that spans lines, and a table row as it is shown as well as as it
//! is written.
//!
//! What is found is a hint for a refusal. It is never applied.

use std::collections::VecDeque;
use std::ops::Range;

use super::alike::{Reading, Unit, Units, fold};

/// How much of a long `find` is compared in the first step, in letters and digits.
const LETTERS: usize = 2048;
/// How many windows are aligned, at the least.
const WINDOWS: usize = 5;
/// The longest stretch that is aligned as a whole, in units; of a longer one, its head and its tail are.
const ALIGNED: usize = 240;
/// How much of the head and of the tail.
const END: usize = 100;
/// The share of a `find`'s weight that must stand at a place for it to be worth naming.
const ENOUGH: f32 = 0.55;

/// Where a `find` was probably meant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Likeness {
    /// The stretch of text, in whole words.
    pub(super) range: Range<usize>,
    /// Where the comparison with the `find` begins: inside the range, or at its start.
    pub(super) start: usize,
    /// How much of the `find`'s weight stands there, from 0 to 1.
    pub(super) share: f32,
    /// Whether it was found only in what the rendered document shows.
    pub(super) reading: Reading,
}

/// The stretch of `text[within]` that `find` resembles most, if any does enough. At most four passes over the text.
pub(super) fn nearest(text: &str, within: Range<usize>, find: &str) -> Option<Likeness> {
    let plain = nearest_in(text, within.clone(), find, Reading::Source);
    let near = plain.as_ref().is_some_and(|found| found.share > 0.995);
    if near || !text[within.clone()].contains(['[', '<', '&']) {
        return plain;
    }
    let shown = nearest_in(text, within, find, Reading::Shown);
    match (plain, shown) {
        (Some(plain), Some(shown)) => Some(if shown.share > plain.share + 0.001 { shown } else { plain }),
        (plain, shown) => plain.or(shown),
    }
}

fn nearest_in(text: &str, within: Range<usize>, find: &str, reading: Reading) -> Option<Likeness> {
    // No more of a `find` is looked at than could matter, so that one of 5 MB costs what one of 50 KB costs.
    let head = &find[..boundary(find, LETTERS * 8)];
    let units: Vec<Unit> = Units::of(head, 0..head.len(), reading).collect();
    // Of a short `find` there are many likenesses, and each is aligned quickly.
    let most = (2400 / units.len().max(1)).clamp(WINDOWS, 60);
    let windows = Windows::over(text, within.clone(), &units, reading, most);
    let least = windows.first().map_or(0.0, |first| first.0 * 0.5);
    let pad = 48 + find.len().min(ALIGNED * 4) / 4;
    let mut best: Option<Likeness> = None;
    for (merit, window) in windows.into_iter().filter(|window| window.0 > least) {
        let start = boundary(text, window.start.saturating_sub(pad).max(within.start));
        let found = if units.len() <= ALIGNED {
            let end = boundary(text, (window.end + pad).min(within.end));
            let region: Vec<Unit> = Units::of(text, start..end, reading).collect();
            align(&units, &region)
        } else {
            align_ends(text, &units, find, start..within.end, &window, reading)
                .map(|(share, range)| ((share + merit) / 2.0, range))
        };
        let Some((share, range)) = found else { continue };
        let (share, range) =
            if units.len() <= ALIGNED { same_line(text, &units, share, range, reading) } else { (share, range) };
        if best.as_ref().is_none_or(|best| share > best.share + 0.001) {
            best = Some(Likeness { start: range.start, range, share, reading });
        }
    }
    let mut best = best.filter(|best| best.share >= ENOUGH)?;
    best.range = without_blanks(text, best.range, find);
    best.start = best.start.max(best.range.start);
    best.range = with_marks(text, whole_words(text, best.range, &within), &within);
    Some(best)
}

/// Where a long `find` begins and ends: its first and its last [`END`] units, each aligned near the end of the window
/// where it should be.
fn align_ends(
    text: &str,
    units: &[Unit],
    find: &str,
    within: Range<usize>,
    window: &Range<usize>,
    reading: Reading,
) -> Option<(f32, Range<usize>)> {
    let region = |from: usize, to: usize| -> Vec<Unit> {
        let from = boundary(text, from.clamp(within.start, within.end));
        let to = boundary(text, to.clamp(from, within.end));
        Units::of(text, from..to, reading).take(END * 16).collect()
    };
    // Where the first line was rewritten the head stands nowhere; what follows it tells where it was.
    let region_of_head = region(within.start, window.start + END * 10);
    let mut head_share = 0.0;
    let mut start = line_start(text, window.start).max(within.start);
    for (index, piece) in units.chunks_exact(END).take(4).enumerate() {
        let Some((share, first)) = align(piece, &region_of_head) else { continue };
        if share >= ENOUGH {
            let before = first.start.saturating_sub(piece[0].start);
            start = if index == 0 { first.start } else { line_near(text, before).max(within.start) };
            head_share = share / (index + 1) as f32;
            break;
        }
    }
    let tail_start = boundary(find, find.len().saturating_sub(END * 4));
    let tail: Vec<Unit> = Units::of(find, tail_start..find.len(), reading).collect();
    let tail = &tail[tail.len().saturating_sub(END)..];
    let whole = units.last().is_some_and(|last| last.end >= find.len())
        && units.iter().filter(|unit| unit.word).count() <= LETTERS;
    // The window knows the end of a `find` that it holds whole; beyond that, the text is about as long as the `find`.
    let expected = if whole { window.end } else { start.saturating_add(find.len()).min(within.end) };
    let slack = tail.len() * 3 + END;
    let ending = align(tail, &region(expected.saturating_sub(slack).max(start), expected + slack));
    let (tail_share, end) = match ending {
        Some((share, last)) if share >= ENOUGH => (share, last.end),
        _ => (0.0, boundary(text, expected)),
    };
    Some(((head_share + tail_share) / 2.0, start..end.max(start)))
}

/// The cheapest way to find `find` inside of `region`: how much of its weight stands there, and the stretch.
///
/// An alignment that may begin and end anywhere in the region. One row of it is kept; a cell is its cost, and below that
/// where it began, turned over: of two that cost the same, the smaller number is the one that began later, so shorter.
fn align(find: &[Unit], region: &[Unit]) -> Option<(f32, Range<usize>)> {
    const COST: u32 = 32;
    let inserted: Vec<u64> = region.iter().map(|unit| insertion(*unit) << COST).collect();
    let mut row: Vec<u64> = (0..=region.len() as u32).map(|start| u64::from(u32::MAX - start)).collect();
    let mut total = 0;
    for unit in find {
        let dropped = omission(*unit) << COST;
        total += omission(*unit);
        let mut diagonal = row[0];
        row[0] += dropped;
        let mut left = row[0];
        for ((cell, other), inserted) in row[1..].iter_mut().zip(region).zip(&inserted) {
            let replaced = diagonal + (difference(unit, other) << COST);
            diagonal = *cell;
            left = replaced.min(*cell + dropped).min(left + inserted);
            *cell = left;
        }
    }
    let (mut end, mut best) = (0, row[0]);
    for (at, cell) in row.iter().enumerate() {
        if cell >> COST < best >> COST {
            (end, best) = (at, *cell);
        }
    }
    let start = u32::MAX - (best & u64::from(u32::MAX)) as u32;
    let first = region.get(start as usize)?;
    let last = region.get(end.checked_sub(1)?)?;
    let share = 1.0 - (best >> COST) as f32 / total.max(1) as f32;
    (first.start < last.end).then_some((share, first.start..last.end))
}

/// What it costs that the text lacks a unit of the `find`.
fn omission(unit: Unit) -> u64 {
    match unit.folded {
        ' ' => 1,
        _ if unit.word => 12,
        _ => 4,
    }
}

/// What it costs that the text has a unit more: less, for texts grow.
fn insertion(unit: Unit) -> u64 {
    match unit.folded {
        ' ' => 1,
        _ if unit.word => 5,
        _ => 3,
    }
}

/// What it costs that the text has another unit there.
fn difference(one: &Unit, other: &Unit) -> u64 {
    if one.raw == other.raw {
        0
    } else if one.folded == other.folded {
        1
    } else {
        match (one.word, other.word) {
            (true, true) => 15,
            (false, false) => 5,
            _ => 24,
        }
    }
}

/// The windows of a text that share most with a `find`.
struct Windows {
    /// How many units make one run: three, or fewer for a very short `find`.
    mask: u64,
    /// Open addressing: a run's number plus one, or 0.
    slots: Vec<u16>,
    runs: Vec<Run>,
    /// Whether letters and digits count; of a `find` that has none, everything but blanks.
    words: bool,
}

/// A run of letters that a `find` contains.
struct Run {
    key: u64,
    /// How often it stands in the `find`.
    wanted: u16,
    /// The rarer it is in the text, the more.
    weight: u32,
}

impl Windows {
    /// The best windows, best first, each with the share of the `find`'s runs that it has.
    fn over(
        text: &str,
        within: Range<usize>,
        find: &[Unit],
        reading: Reading,
        most: usize,
    ) -> Vec<(f32, Range<usize>)> {
        let words = find.iter().any(|unit| unit.word);
        let counted = |unit: &Unit| if words { unit.word } else { unit.folded != ' ' };
        let letters: Vec<u64> =
            find.iter().filter(|unit| counted(unit)).take(LETTERS).map(|u| u.folded as u64).collect();
        let width = match letters.len() {
            0 => return Vec::new(),
            1..3 => 1,
            3..6 => 2,
            _ => 3,
        };
        let mut windows = Self {
            mask: (1 << (21 * width)) - 1,
            slots: vec![0; (letters.len() * 4).next_power_of_two()],
            runs: Vec::new(),
            words,
        };
        let mut key = 0;
        for (at, letter) in letters.iter().enumerate() {
            key = windows.roll(key, *letter);
            if at + 1 >= width {
                windows.want(key);
            }
        }
        let all = windows.weigh(text, within.clone(), reading);
        if all == 0 { Vec::new() } else { windows.slide(text, within, reading, letters.len(), most) }
    }

    /// Runs are exact: three characters of 21 bits.
    fn roll(&self, key: u64, letter: u64) -> u64 {
        ((key << 21) | letter) & self.mask
    }

    fn slot(&self, key: u64) -> usize {
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.slots.len() - 1);
        while self.slots[at] != 0 && self.runs[self.slots[at] as usize - 1].key != key {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    fn want(&mut self, key: u64) {
        let slot = self.slot(key);
        if self.slots[slot] == 0 {
            self.runs.push(Run { key, wanted: 0, weight: 0 });
            self.slots[slot] = self.runs.len() as u16;
        }
        self.runs[self.slots[slot] as usize - 1].wanted += 1;
    }

    /// The units of the text that count, each with the run that ends there, if the `find` has it.
    fn read(&self, text: &str, within: Range<usize>, reading: Reading) -> impl Iterator<Item = (Unit, Option<usize>)> {
        let mut key = 0;
        let words = self.words;
        Units::of(text, within, reading).filter(move |unit| if words { unit.word } else { unit.folded != ' ' }).map(
            move |unit| {
                key = self.roll(key, unit.folded as u64);
                (unit, (self.slots[self.slot(key)] as usize).checked_sub(1))
            },
        )
    }

    /// Gives each run its weight: the rarer in the text, the more. Returns how many of the text's runs are wanted at all.
    fn weigh(&mut self, text: &str, within: Range<usize>, reading: Reading) -> u32 {
        let mut seen = vec![0; self.runs.len()];
        let mut all: u32 = 1;
        let mut wanted = 0;
        for (_, run) in self.read(text, within, reading) {
            all += 1;
            if let Some(run) = run {
                seen[run] += 1;
                wanted += 1;
            }
        }
        for (run, seen) in self.runs.iter_mut().zip(seen) {
            run.weight = 1 + (all / seen.max(1)).max(1).ilog2();
        }
        wanted
    }

    fn slide(
        &self,
        text: &str,
        within: Range<usize>,
        reading: Reading,
        letters: usize,
        most: usize,
    ) -> Vec<(f32, Range<usize>)> {
        let length = letters + letters / 5 + 2;
        let mut inside: VecDeque<(usize, usize, usize)> = VecDeque::new();
        let mut best: Vec<(u32, Range<usize>)> = Vec::new();
        let mut score = 0;
        let mut have: Vec<u16> = vec![0; self.runs.len()];
        for (position, (unit, run)) in self.read(text, within, reading).enumerate() {
            while let Some(&(entered, _, old)) = inside.front() {
                if entered + length > position {
                    break;
                }
                inside.pop_front();
                if have[old] <= self.runs[old].wanted {
                    score -= self.runs[old].weight;
                }
                have[old] -= 1;
            }
            let Some(run) = run else { continue };
            inside.push_back((position, unit.start, run));
            have[run] += 1;
            if have[run] > self.runs[run].wanted {
                continue;
            }
            score += self.runs[run].weight;
            if best.len() == most && best[most - 1].0 >= score {
                continue;
            }
            let start = inside.front().map_or(unit.start, |first| first.1);
            let window = start..unit.end;
            match best.iter().position(|(_, other)| other.end > window.start) {
                // Two windows that overlap are one place: the better stays.
                Some(same) if best[same].0 >= score => continue,
                Some(same) => best[same] = (score, window),
                None => {
                    best.truncate(most - 1);
                    best.push((score, window));
                }
            }
            best.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        }
        let total: u32 = self.runs.iter().map(|run| u32::from(run.wanted) * run.weight).sum();
        best.into_iter().map(|(score, window)| (score as f32 / total.max(1) as f32, window)).collect()
    }
}

/// `range` grown so that it cuts no word, inside of `within`.
fn whole_words(text: &str, range: Range<usize>, within: &Range<usize>) -> Range<usize> {
    // Scripts that write no blanks have no such words.
    let is_word = |c: &char| c.is_alphanumeric() && (*c as u32) < 0x2e80;
    const REACH: usize = 40;
    let before = &text[within.start..range.start];
    let after = &text[range.end..within.end];
    let mut grown = range.clone();
    if text[range.clone()].chars().next().is_some_and(|c| is_word(&c)) {
        grown.start -= before.chars().rev().take(REACH).take_while(is_word).map(char::len_utf8).sum::<usize>();
    }
    if text[range].chars().next_back().is_some_and(|c| is_word(&c)) {
        grown.end += after.chars().take(REACH).take_while(is_word).map(char::len_utf8).sum::<usize>();
    }
    grown
}

/// `range` grown by the marks that would be torn apart: a link's end or beginning, the other half of an emphasis.
fn with_marks(text: &str, range: Range<usize>, within: &Range<usize>) -> Range<usize> {
    let mut grown = range;
    let count = |range: &Range<usize>, mark: char| text[range.clone()].matches(mark).count();
    let (open, close) = (count(&grown, '['), count(&grown, ']'));
    let rest = &text[grown.end..within.end];
    if open > close && rest.starts_with("](") {
        grown.end += rest.find([')', '\n']).filter(|at| rest[*at..].starts_with(')')).map_or(0, |at| at + 1);
    } else if close > open && text[within.start..grown.start].ends_with('[') {
        grown.start -= 1;
    }
    for mark in ['`', '*', '_', '~'] {
        if count(&grown, mark) % 2 == 0 {
            continue;
        }
        let before = &text[within.start..grown.start];
        let after = &text[grown.end..within.end];
        if before.ends_with(mark) {
            grown.start -= before.len() - before.trim_end_matches(mark).len();
        } else if after.starts_with(mark) {
            grown.end += after.len() - after.trim_start_matches(mark).len();
        }
    }
    grown
}

/// Leaves out the end of the line before, where the `find` does not need it: its first word was rewritten.
fn same_line(text: &str, units: &[Unit], share: f32, range: Range<usize>, reading: Reading) -> (f32, Range<usize>) {
    const LITTLE: f32 = 0.06;
    let Some(next) = text[range.clone()].find('\n').map(|at| range.start + at + 1) else { return (share, range) };
    // A `find` that begins as that line ends has only joined the two.
    let begins = |unit: &&Unit| unit.folded != ' ';
    let before: Vec<Unit> = Units::of(text, range.start..next, reading).collect();
    let mut wanted = units.iter().filter(begins);
    if before.iter().filter(begins).all(|unit| wanted.next().is_some_and(|wanted| wanted.folded == unit.folded)) {
        return (share, range);
    }
    let region: Vec<Unit> = Units::of(text, next..range.end, reading).collect();
    match align(units, &region) {
        Some((rest, range)) if rest + LITTLE >= share => (rest, line_start(text, range.start).max(next)..range.end),
        _ => (share, range),
    }
}

/// `range` without the blanks at its ends that the `find` does not have.
fn without_blanks(text: &str, range: Range<usize>, find: &str) -> Range<usize> {
    let mut piece = &text[range.clone()];
    let mut start = range.start;
    if !find.starts_with(char::is_whitespace) {
        piece = piece.trim_start();
        start = range.end - piece.len();
    }
    if !find.ends_with(char::is_whitespace) {
        piece = piece.trim_end();
    }
    if piece.is_empty() { range } else { start..start + piece.len() }
}

/// The line start that is nearest to `at`.
fn line_near(text: &str, at: usize) -> usize {
    let at = boundary(text, at);
    let before = line_start(text, at);
    match text[at..].find('\n').map(|found| at + found + 1) {
        Some(after) if after - at < at - before => after,
        _ => before,
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |found| found + 1)
}

/// The character boundary at or before `at`.
pub(super) fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Whether two texts have the same letters and digits in the same order, case and accents aside.
pub(super) fn same_words(one: &str, other: &str, reading: Reading) -> bool {
    let words = |text| Units::of(text, 0..text.len(), reading).filter(|unit| unit.word).map(|unit| unit.folded);
    words(one).eq(words(other))
}

/// Whether `c` is a mark that rendering takes away.
pub(super) fn is_mark(c: char) -> bool {
    matches!(fold(c), '*' | '_' | '~' | '`' | '|' | '\\' | '#' | '>' | '[' | ']' | '!' | '\'')
}
