//! Runs of changed lines between two texts, and their splices.

use crate::change::Splice;
use crate::change::lines::{Break, Change, Line, changes, lines};
use crate::numbers::Numbers;

/// A run of changed lines: `before` of the old text became `after` of the new one.
pub(super) type Run = Change;

/// Two texts as lines, compared.
pub(super) struct Pair<'t> {
    after: &'t str,
    pub(super) old: Vec<Line<'t>>,
    pub(super) new: Vec<Line<'t>>,
    changes: Vec<Change>,
}

impl<'t> Pair<'t> {
    pub(super) fn of(before: &'t str, after: &'t str) -> Self {
        let (old, new) = (lines(before), lines(after));
        // A last line without a break counts as if it had the one that its text uses.
        let fallback = usual(&old).or(usual(&new)).unwrap_or(Break::Lf);
        let mut numbers = Numbers::default();
        // Two numbers a line, one for the content and one for content and break, keep the strings where they are.
        let mut keys = Vec::with_capacity(old.len() + new.len());
        for side in [&old, &new] {
            let usual = usual(side).unwrap_or(fallback);
            keys.extend(side.iter().map(|line| (numbers.of(line.content), line.ending.unwrap_or(usual))));
        }
        let key = |(number, ending): &(u32, Break)| number * 3 + *ending as u32;
        let (before_keys, after_keys) = keys.split_at(old.len());
        let before_keys: Vec<u32> = before_keys.iter().map(key).collect();
        let after_keys: Vec<u32> = after_keys.iter().map(key).collect();
        let changes = changes(&before_keys, &after_keys);
        Pair { after, old, new, changes }
    }

    /// How many lines came and how many went, the final newline aside.
    pub(super) fn counts(&self) -> (usize, usize) {
        let came = self.changes.iter().map(|change| change.after.len()).sum();
        let went = self.changes.iter().map(|change| change.before.len()).sum();
        (came, went)
    }

    /// All runs. A final newline that comes or goes changes the last line.
    pub(super) fn runs(&self) -> Vec<Run> {
        let mut runs = self.changes.clone();
        let (Some(old), Some(new)) = (self.old.last(), self.new.last()) else { return runs };
        let (before, after) = (self.old.len(), self.new.len());
        let unchanged = runs.last().is_none_or(|run| run.before.end < before && run.after.end < after);
        if unchanged && old.ending != new.ending {
            match runs.last_mut().filter(|run| run.before.end + 1 == before) {
                Some(run) => (run.before.end, run.after.end) = (before, after),
                None => runs.push(Run { before: before - 1..before, after: after - 1..after }),
            }
        }
        runs
    }

    /// The splice that makes `run` and nothing else.
    pub(super) fn splice(&self, run: &Run) -> Splice {
        // Where the line above gets or loses its break because something follows now or no more, the break is part of it.
        let above = |lines: &[Line<'t>], at: usize| at.checked_sub(1).and_then(|at| lines.get(at)).copied();
        let (old, new) = match (above(&self.old, run.before.start), above(&self.new, run.after.start)) {
            (Some(old), Some(new)) if old.ending != new.ending => (old.content_end(), new.content_end()),
            (old, new) => (old.map_or(0, |line| line.end()), new.map_or(0, |line| line.end())),
        };
        let end =
            |lines: &[Line<'t>], at: usize, start: usize| above(lines, at).map_or(0, |line| line.end()).max(start);
        Splice {
            range: old..end(&self.old, run.before.end, old),
            text: self.after[new..end(&self.new, run.after.end, new)].to_owned(),
        }
    }
}

/// The break that most lines have.
fn usual(lines: &[Line<'_>]) -> Option<Break> {
    let count = |wanted| lines.iter().filter(|line| line.ending == Some(wanted)).count();
    let counts = [Break::Lf, Break::CrLf, Break::Cr].map(|ending| (count(ending), ending));
    counts.into_iter().rev().max_by_key(|(n, _)| *n).filter(|(n, _)| *n > 0).map(|(_, ending)| ending)
}
