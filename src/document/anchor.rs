//! Anchors: a stretch of source widened until it stands in the text exactly once, so that it can be an edit's `find`.
//!
//! By words of its line first, then by lines of its blocks, then by blocks; the whole document in the worst case. The steps
//! double, so that the number of searches is logarithmic, and each is linear. What counts is what an edit would find: line
//! endings are the same.
//!
//! ```
//! use countersign::document::{anchor::anchor, blocks::blocks};
//!
//! let text = "the cat sat, the cat ran\n\nthe cat\n";
//! let ranges: Vec<_> = blocks(text).into_iter().map(|block| block.range).collect();
//! assert_eq!(&text[anchor(text, &ranges, 17..20)], "the cat ran");
//! assert_eq!(&text[anchor(text, &ranges, 26..33)], "the cat sat, the cat ran\n\nthe cat");
//! ```

use std::ops::Range;

use super::syntax::{line_end, line_start, next_line};
use crate::change::endings::fold;

/// `exact`, a stretch of `text` on character boundaries, widened until it stands in the text once. `blocks` are the ranges
/// of the text's blocks.
pub fn anchor(text: &str, blocks: &[Range<usize>], exact: Range<usize>) -> Range<usize> {
    let view = fold(text);
    let once = |range: &Range<usize>| is_once(&fold(text.get(range.clone()).unwrap_or_default()), &view);
    if once(&exact) {
        return exact;
    }
    let first = blocks.partition_point(|block| block.start <= exact.start).saturating_sub(1);
    let last = blocks.partition_point(|block| block.start < exact.end).saturating_sub(1);

    let line = line_start(text, exact.start)..line_end(text, exact.end);
    let around = |count| words_before(text, &line, exact.start, count)..words_after(text, &line, exact.end, count);
    if let Some(found) = widen(&line, around, once) {
        return found;
    }
    let block = blocks.get(first).map_or(line.start, |block| block.start.min(line.start))
        ..blocks.get(last).map_or(line.end, |block| block.end.max(line.end));
    let around = |count| lines_before(text, &block, line.start, count)..lines_after(text, &block, line.end, count);
    if let Some(found) = widen(&block, around, once) {
        return found;
    }
    let around = |count: usize| {
        let start = blocks.get(first.saturating_sub(count)).map_or(0, |block| block.start);
        let end = blocks.get(last.saturating_add(count)).or(blocks.last()).map_or(text.len(), |block| block.end);
        start.min(exact.start)..end.max(exact.end)
    };
    let all = blocks.first().map_or(0, |block| block.start)..blocks.last().map_or(text.len(), |block| block.end);
    widen(&all, around, once).unwrap_or(0..text.len())
}

/// The first of the stretches `around(1)`, `around(2)`, `around(4)` … that stands once; `None` where not even all of
/// `limit` does.
fn widen(
    limit: &Range<usize>,
    around: impl Fn(usize) -> Range<usize>,
    once: impl Fn(&Range<usize>) -> bool,
) -> Option<Range<usize>> {
    let mut count = 1;
    loop {
        let range = around(count);
        if once(&range) {
            return Some(range);
        }
        if range.start <= limit.start && range.end >= limit.end {
            return None;
        }
        count = count.saturating_mul(2);
    }
}

/// Whether `needle` stands in `hay` exactly once, overlapping occurrences counted.
fn is_once(needle: &str, hay: &str) -> bool {
    let (Some(at), Some(head)) = (hay.find(needle), needle.chars().next()) else { return false };
    !hay[at + head.len_utf8()..].contains(needle)
}

fn words_before(text: &str, line: &Range<usize>, at: usize, count: usize) -> usize {
    let mut before = &text[line.start..at];
    for _ in 0..count {
        before = before.trim_end().trim_end_matches(|c: char| !c.is_whitespace());
        if before.is_empty() {
            break;
        }
    }
    line.start + before.len()
}

fn words_after(text: &str, line: &Range<usize>, at: usize, count: usize) -> usize {
    let mut after = &text[at..line.end];
    for _ in 0..count {
        after = after.trim_start().trim_start_matches(|c: char| !c.is_whitespace());
        if after.is_empty() {
            break;
        }
    }
    line.end - after.len()
}

fn lines_before(text: &str, block: &Range<usize>, mut at: usize, count: usize) -> usize {
    for _ in 0..count {
        if at <= block.start {
            break;
        }
        let before = text[..at].strip_suffix('\n').unwrap_or(&text[..at]);
        at = line_start(text, before.strip_suffix('\r').unwrap_or(before).len());
    }
    at.max(block.start)
}

fn lines_after(text: &str, block: &Range<usize>, mut at: usize, count: usize) -> usize {
    for _ in 0..count {
        if at >= block.end {
            break;
        }
        at = line_end(text, next_line(text, at));
    }
    at.min(block.end)
}
