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

use std::ops::Range;

use super::align::Aligner;
use super::alike::{Reading, Unit, Units};
use super::windows::{LETTERS, best_windows};

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
    let windows = best_windows(text, within.clone(), &units, reading, most);
    let least = windows.first().map_or(0.0, |first| first.0 * 0.5);
    let pad = 48 + find.len().min(ALIGNED * 4) / 4;
    let mut aligner = Aligner::default();
    let mut best: Option<Likeness> = None;
    for (merit, window) in windows.into_iter().filter(|window| window.0 > least) {
        let start = boundary(text, window.start.saturating_sub(pad).max(within.start));
        let found = if units.len() <= ALIGNED {
            let end = boundary(text, (window.end + pad).min(within.end));
            aligner.align(&units, Units::of(text, start..end, reading))
        } else {
            align_ends(&mut aligner, text, &units, find, start..within.end, &window, reading)
                .map(|(share, range)| ((share + merit) / 2.0, range))
        };
        let Some((share, range)) = found else { continue };
        let (share, range) = if units.len() <= ALIGNED {
            same_line(&mut aligner, text, &units, share, range, reading)
        } else {
            (share, range)
        };
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
    aligner: &mut Aligner,
    text: &str,
    units: &[Unit],
    find: &str,
    within: Range<usize>,
    window: &Range<usize>,
    reading: Reading,
) -> Option<(f32, Range<usize>)> {
    let region = |from: usize, to: usize| {
        let from = boundary(text, from.clamp(within.start, within.end));
        let to = boundary(text, to.clamp(from, within.end));
        Units::of(text, from..to, reading).take(END * 16)
    };
    // Where the first line was rewritten the head stands nowhere; what follows it tells where it was.
    let region_of_head = region(within.start, window.start + END * 10);
    let mut head_share = 0.0;
    let mut start = line_start(text, window.start).max(within.start);
    for (index, piece) in units.chunks_exact(END).take(4).enumerate() {
        let Some((share, first)) = aligner.align(piece, region_of_head.clone()) else { continue };
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
    let ending = aligner.align(tail, region(expected.saturating_sub(slack).max(start), expected + slack));
    let (tail_share, end) = match ending {
        Some((share, last)) if share >= ENOUGH => (share, last.end),
        _ => (0.0, boundary(text, expected)),
    };
    Some(((head_share + tail_share) / 2.0, start..end.max(start)))
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
fn same_line(
    aligner: &mut Aligner,
    text: &str,
    units: &[Unit],
    share: f32,
    range: Range<usize>,
    reading: Reading,
) -> (f32, Range<usize>) {
    const LITTLE: f32 = 0.06;
    let Some(next) = text[range.clone()].find('\n').map(|at| range.start + at + 1) else { return (share, range) };
    // A `find` that begins as that line ends has only joined the two.
    let begins = |unit: &&Unit| unit.folded != ' ';
    let before: Vec<Unit> = Units::of(text, range.start..next, reading).collect();
    let mut wanted = units.iter().filter(begins);
    if before.iter().filter(begins).all(|unit| wanted.next().is_some_and(|wanted| wanted.folded == unit.folded)) {
        return (share, range);
    }
    match aligner.align(units, Units::of(text, next..range.end, reading)) {
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
