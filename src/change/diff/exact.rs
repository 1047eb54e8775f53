//! Exact differences: the splices that turn one text into another, byte for byte.

use super::Splice;
use crate::change::lines::{changes, lines};
use crate::numbers::Numbers;

/// The splices that turn `before` into `after`: one per run of changed lines, line breaks and final newline included, each
/// narrowed to what differs. Everything outside of them is untouched, so that a caret beside a change stays where it is.
pub(crate) fn line_splices(before: &str, after: &str) -> Vec<Splice> {
    if before == after {
        return Vec::new();
    }
    let (old, new) = (lines(before), lines(after));
    let mut numbers = Numbers::default();
    let old_numbers: Vec<u32> = old.iter().map(|line| numbers.of(&before[line.start..line.end()])).collect();
    let new_numbers: Vec<u32> = new.iter().map(|line| numbers.of(&after[line.start..line.end()])).collect();
    let start = |lines: &[super::super::lines::Line<'_>], text: &str, at: usize| {
        lines.get(at).map_or(text.len(), |line| line.start)
    };
    let splice = |change: super::super::lines::Change| {
        let range = start(&old, before, change.before.start)..start(&old, before, change.before.end);
        let text = &after[start(&new, after, change.after.start)..start(&new, after, change.after.end)];
        narrow(before, Splice { range, text: text.to_owned() })
    };
    changes(&old_numbers, &new_numbers).into_iter().map(splice).collect()
}

/// `splice` without what it replaces by itself at its start and its end.
fn narrow(before: &str, splice: Splice) -> Splice {
    let old = &before[splice.range.clone()];
    let prefix: usize =
        old.chars().zip(splice.text.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let (old, new) = (&old[prefix..], &splice.text[prefix..]);
    let suffix: usize =
        old.chars().rev().zip(new.chars().rev()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let start = splice.range.start + prefix;
    Splice { range: start..start + old.len() - suffix, text: new[..new.len() - suffix].to_owned() }
}
