//! Rows: the blocks as they are shown, and the plan that takes the display from one rendering to the next.
//!
//! A row whose key is known keeps its nodes. Of the kept rows, those that keep their order among each other (the longest
//! such run) are not touched at all; the others move. So a change of one block touches one block's nodes.

use std::collections::HashMap;
use std::ops::Range;

use super::render::Rendered;

/// One block as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Finds a block of the same instructions; see [`Row::shows`].
    key: u64,
    code: Vec<u32>,
    strings: String,
    /// The block's number in the text.
    pub block: usize,
    /// Its source (UTF-8 bytes).
    pub range: Range<usize>,
}

impl Row {
    /// Whether the row's nodes are those of `rendered`. Keys are quick and can be forged: two texts with one key would
    /// let a change hide, so the instructions themselves decide.
    fn shows(&self, rendered: &Rendered) -> bool {
        self.code == rendered.code && self.strings == rendered.strings
    }
}

/// What the loop in `www/nodes.js` is told.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Six words a row: the old place or `u32::MAX`, whether it moves, whether it is a footnote; for new rows the end of
    /// their instructions in `code` and the start of their slice of `strings` (UTF-16 units); 0.
    pub rows: Vec<u32>,
    /// The instructions of all new rows.
    pub code: Vec<u32>,
    /// What they slice.
    pub strings: String,
}

/// A row that was not shown before.
const NEW: u32 = u32::MAX;

/// The new rows, and the plan that leads from `old` to them.
pub fn plan(old: &[Row], rendered: Vec<Rendered>) -> (Vec<Row>, Plan) {
    let mut known: HashMap<u64, Vec<u32>> = HashMap::with_capacity(old.len());
    for (place, row) in old.iter().enumerate().rev() {
        known.entry(row.key).or_default().push(place as u32);
    }
    // Equal blocks are taken in their old order, so that they stay in place.
    let mut keep = |row: &Rendered| known.get_mut(&row.key)?.pop_if(|place| old[*place as usize].shows(row));
    let kept: Vec<Option<u32>> = rendered.iter().map(&mut keep).collect();
    let stays = staying(&kept);
    let mut plan = Plan::default();
    let mut base = 0;
    let mut rows = Vec::with_capacity(rendered.len());
    for (place, row) in rendered.into_iter().enumerate() {
        let footnote = u32::from(row.footnote);
        match kept[place] {
            Some(old) => plan.rows.extend([old, u32::from(!stays[place]), footnote, 0, 0, 0]),
            None => {
                plan.code.extend(&row.code);
                plan.rows.extend([NEW, 0, footnote, plan.code.len() as u32, base, 0]);
                base += row.strings.encode_utf16().count() as u32;
                plan.strings.push_str(&row.strings);
            }
        }
        let Rendered { key, block, range, code, strings, .. } = row;
        rows.push(Row { key, block, range, code, strings });
    }
    (rows, plan)
}

/// Which of the kept rows are part of the longest run that keeps its order: the longest increasing subsequence of their
/// old places.
fn staying(kept: &[Option<u32>]) -> Vec<bool> {
    // The last row of the best run of each length so far, and each row's predecessor in its best run.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; kept.len()];
    for (place, old) in kept.iter().enumerate() {
        let Some(old) = old else { continue };
        let length = ends.partition_point(|&end| kept[end].is_some_and(|end| end < *old));
        before[place] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = place,
            None => ends.push(place),
        }
    }
    let mut stays = vec![false; kept.len()];
    let mut at = ends.last().copied();
    while let Some(place) = at {
        stays[place] = true;
        at = before[place];
    }
    stays
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(keys: &[u64]) -> Vec<Rendered> {
        let one = |(block, &key): (usize, &u64)| Rendered {
            block,
            range: block..block + 1,
            key,
            footnote: false,
            code: vec![key as u32],
            strings: "é".to_owned(),
        };
        keys.iter().enumerate().map(one).collect()
    }

    /// The plan from one list of keys to another: `=` stays, `~` moves, `+` is new.
    fn marks(from: &[u64], to: &[u64]) -> String {
        let (rows, _) = plan(&[], rendered(from));
        let (next, plan) = plan(&rows, rendered(to));
        assert_eq!(next.iter().map(|row| u64::from(row.code[0])).collect::<Vec<_>>(), to);
        let mark = |row: &[u32]| match (row[0], row[1]) {
            (NEW, _) => '+',
            (_, moves) => {
                if moves == 1 {
                    '~'
                } else {
                    '='
                }
            }
        };
        plan.rows.chunks(6).map(mark).collect()
    }

    #[test]
    fn only_what_changed_is_new_and_only_what_moved_moves() {
        assert_eq!(marks(&[1, 2, 3], &[1, 2, 3]), "===");
        assert_eq!(marks(&[1, 2, 3], &[1, 9, 3]), "=+=");
        assert_eq!(marks(&[1, 2, 3, 4], &[2, 3, 4, 1]), "===~");
        assert_eq!(marks(&[1, 2, 3, 4], &[4, 1, 2, 3]), "~===");
        assert_eq!(marks(&[7, 7, 7], &[7, 7]), "==");
        assert_eq!(marks(&[7], &[7, 7]), "=+");
        assert_eq!(marks(&[1, 2], &[]), "");
    }

    #[test]
    fn a_key_alone_keeps_nothing() {
        let (rows, _) = plan(&[], rendered(&[1]));
        let mut forged = rendered(&[2]);
        forged[0].key = 1;
        let (_, plan) = plan(&rows, forged);
        assert_eq!(plan.rows[0], NEW, "another block's nodes were shown");
    }

    #[test]
    fn slices_begin_where_the_strings_before_end_in_utf16_units() {
        let (_, plan) = plan(&[], rendered(&[1, 2]));
        assert_eq!(plan.rows, [NEW, 0, 0, 1, 0, 0, NEW, 0, 0, 2, 1, 0]);
    }
}
