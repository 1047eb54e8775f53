//! Aligning: where in a stretch of text a `find` stands that does not stand there exactly.
//!
//! The second step of finding the [nearest](super::nearest) text. What differs is weighed as a writer would: letters and
//! digits much, punctuation and markup little, blanks, case, accents and the kinds of quotes and dashes next to nothing. The
//! work is the product of both lengths, so callers keep both short.

use std::ops::Range;

use super::alike::Unit;

/// Aligns one stretch after another in the same memory.
#[derive(Debug, Default)]
pub(super) struct Aligner {
    region: Vec<Unit>,
    inserted: Vec<u64>,
    row: Vec<u64>,
}

impl Aligner {
    /// The cheapest way to find `find` inside of `region`: how much of its weight stands there, and the stretch.
    ///
    /// An alignment that may begin and end anywhere in the region. One row of it is kept; a cell is its cost, and below that
    /// where it began, turned over: of two that cost the same, the smaller number is the one that began later, so shorter.
    pub(super) fn align(&mut self, find: &[Unit], region: impl Iterator<Item = Unit>) -> Option<(f32, Range<usize>)> {
        const COST: u32 = 32;
        self.region.clear();
        self.region.extend(region);
        self.inserted.clear();
        self.inserted.extend(self.region.iter().map(|unit| insertion(*unit) << COST));
        self.row.clear();
        self.row.extend((0..=self.region.len() as u32).map(|start| u64::from(u32::MAX - start)));
        let Self { region, inserted, row } = self;
        let mut total = 0;
        for unit in find {
            let dropped = omission(*unit) << COST;
            total += omission(*unit);
            let mut diagonal = row[0];
            row[0] += dropped;
            let mut left = row[0];
            for ((cell, other), inserted) in row[1..].iter_mut().zip(region.iter()).zip(inserted.iter()) {
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
