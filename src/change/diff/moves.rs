//! Moves: what went in one place and came in another, said on both hunks.

use std::ops::Range;

use super::{Hunk, Pair, Run};
use crate::change::lines::Line;
use crate::document::outline::preview;
use crate::numbers::Numbers;

/// Letters and digits below which what went and came is no move, but chance.
const SHORT: usize = 5;

/// A stretch of changed lines without blank lines inside.
struct Part {
    hunk: usize,
    lines: Range<usize>,
}

/// Notes on `hunks` (one for each of `runs`) what moved: paragraphs, list items or rows that went in one place and came,
/// the same, in exactly one other.
pub(super) fn note(pair: &Pair<'_>, runs: &[Run], hunks: &mut [Hunk]) {
    let (removed, added) = (parts(runs, &pair.old, |run| &run.before), parts(runs, &pair.new, |run| &run.after));
    let mut texts = Numbers::default();
    // By text: the parts of either side that say it.
    let mut places: Vec<[Vec<usize>; 2]> = Vec::new();
    for (side, (parts, lines)) in [(&removed, &pair.old), (&added, &pair.new)].into_iter().enumerate() {
        for (number, part) in parts.iter().enumerate() {
            let text: Vec<&str> = lines[part.lines.clone()].iter().map(|line| line.content.trim_end()).collect();
            // Rules, fences and the like are no text that can be recognised.
            if text.iter().any(|line| line.chars().any(char::is_alphanumeric)) {
                let text = texts.of(text.join("\n")) as usize;
                places.resize(places.len().max(text + 1), Default::default());
                places[text][side].push(number);
            }
        }
    }
    let mut moved = Vec::new();
    for place in &places {
        if let [&[from], &[to]] = place.each_ref().map(Vec::as_slice)
            && removed[from].hunk != added[to].hunk
        {
            moved.push((from, to));
        }
    }
    moved.sort_unstable();
    // What stood together and still does moved as one.
    let together = |a: &(usize, usize), b: &(usize, usize)| {
        b.0 == a.0 + 1 && b.1 == a.1 + 1 && removed[a.0].hunk == removed[b.0].hunk && added[a.1].hunk == added[b.1].hunk
    };
    for group in moved.chunk_by(together) {
        let (source, target) = (&removed[group[0].0], &added[group[0].1]);
        let lines = group.iter().flat_map(|(from, _)| &pair.old[removed[*from].lines.clone()]);
        if lines.flat_map(|line| line.content.chars()).filter(|c| c.is_alphanumeric()).count() < SHORT {
            continue;
        }
        let whole = |parts: &[Part], hunk: usize| parts.iter().filter(|part| part.hunk == hunk).count() == group.len();
        let what = preview(pair.old[source.lines.start].content);
        for (hunk, whole, verb, line) in [
            (source.hunk, whole(&removed, source.hunk), "moved to line ", target.lines.start + 1),
            (target.hunk, whole(&added, target.hunk), "moved from line ", source.lines.start + 1),
        ] {
            let what = if whole { ["", "", ""] } else { ["“", &what, "” "] };
            if let Some(hunk) = hunks.get_mut(hunk) {
                hunk.notes.push(what.concat() + verb + &line.to_string());
            }
        }
    }
}

/// The parts of one side of all `runs`.
fn parts(runs: &[Run], lines: &[Line<'_>], side: fn(&Run) -> &Range<usize>) -> Vec<Part> {
    let mut parts = Vec::new();
    for (hunk, run) in runs.iter().enumerate() {
        let range = side(run);
        let mut at = range.start;
        for part in lines[range.clone()].chunk_by(|a, b| a.is_blank() == b.is_blank()) {
            if !part[0].is_blank() {
                parts.push(Part { hunk, lines: at..at + part.len() });
            }
            at += part.len();
        }
    }
    parts
}
