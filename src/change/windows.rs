//! Windows: the stretches of a text that share most with a `find`.
//!
//! The first step of finding the [nearest](super::nearest) text. A window as long as the `find` slides over the text and
//! counts the short runs of letters that they share, rare ones more than common ones. Two passes over the text, no index of
//! it, and memory for one window: linear in the text, whatever it is.

use std::collections::VecDeque;
use std::ops::Range;

use super::alike::{Reading, Unit, Units};

/// How much of a long `find` is compared, in letters and digits.
pub(super) const LETTERS: usize = 2048;

/// The `most` best windows of `text[within]`, best first, each with the share of the `find`'s runs that it has.
pub(super) fn best_windows(
    text: &str,
    within: Range<usize>,
    find: &[Unit],
    reading: Reading,
    most: usize,
) -> Vec<(f32, Range<usize>)> {
    let words = find.iter().any(|unit| unit.word);
    let counted = |unit: &Unit| if words { unit.word } else { unit.folded != ' ' };
    let letters: Vec<u64> = find.iter().filter(|unit| counted(unit)).take(LETTERS).map(|u| u.folded as u64).collect();
    let width = match letters.len() {
        0 => return Vec::new(),
        1..3 => 1,
        3..6 => 2,
        _ => 3,
    };
    let mut windows = Windows {
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

/// The runs of a `find`, and which of them a text has where.
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
