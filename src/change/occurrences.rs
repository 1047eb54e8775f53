//! Occurrences: every place where a text stands in another, overlapping ones counted.
//!
//! Linear in both texts, whatever they are (Knuth, Morris and Pratt's automaton, which goes on after a match without
//! looking back), and without a list: an anchor with 20,000 occurrences costs what one with two costs.
//!
//! ```
//! use countersign::change::occurrences::Occurrences;
//!
//! assert_eq!(Occurrences::of("aa", "aaa").collect::<Vec<_>>(), [0, 1]);
//! ```

/// How many places are kept of an anchor that is not unique.
pub const SHOWN: usize = 5;

/// The starts of all occurrences, ascending.
#[derive(Clone, Debug)]
pub struct Occurrences<'t> {
    needle: &'t [u8],
    hay: &'t [u8],
    /// For each prefix of the needle, the length of its longest proper border.
    borders: Vec<u32>,
    at: usize,
    matched: usize,
}

impl<'t> Occurrences<'t> {
    /// The occurrences of `needle` in `hay`. An empty needle has none.
    pub fn of(needle: &'t str, hay: &'t str) -> Self {
        Self::reusing(needle, hay, Vec::new())
    }

    /// The same, with the table of an earlier search: many searches then allocate one table.
    fn reusing(needle: &'t str, hay: &'t str, mut borders: Vec<u32>) -> Self {
        let (needle, hay) = (needle.as_bytes(), hay.as_bytes());
        borders.clear();
        if needle.len() <= hay.len() {
            borders.reserve(needle.len());
            let mut border = 0;
            for (at, byte) in needle.iter().enumerate() {
                if at > 0 {
                    while border > 0 && needle[border] != *byte {
                        border = borders[border - 1] as usize;
                    }
                    if needle[border] == *byte {
                        border += 1;
                    }
                }
                borders.push(border as u32);
            }
        }
        Self { needle, hay, borders, at: 0, matched: 0 }
    }
}

impl Iterator for Occurrences<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        // A needle that is empty, or longer than what it is sought in, has no table.
        if self.borders.is_empty() {
            return None;
        }
        while let Some(byte) = self.hay.get(self.at) {
            self.at += 1;
            while self.matched > 0 && self.needle[self.matched] != *byte {
                self.matched = self.borders[self.matched - 1] as usize;
            }
            if self.needle[self.matched] == *byte {
                self.matched += 1;
            }
            if self.matched == self.needle.len() {
                self.matched = self.borders[self.matched - 1] as usize;
                return Some(self.at - self.needle.len());
            }
        }
        None
    }
}

/// How often an anchor stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Nowhere.
    Nowhere,
    /// Exactly once: here.
    Once(usize),
    /// Several times: how often, and the first [`SHOWN`] places.
    Several(usize, Vec<usize>),
}

/// Searches for one anchor after another in the same memory.
#[derive(Debug, Default)]
pub(super) struct Search {
    borders: Vec<u32>,
}

impl Search {
    /// How often `needle` stands in `hay`. The common case, an anchor that stands once, is answered by the standard
    /// library's search alone, which is linear too, quicker, and allocates nothing; only a count takes the automaton.
    pub(super) fn find(&mut self, needle: &str, hay: &str) -> Found {
        let Some(first) = hay.find(needle).filter(|_| !needle.is_empty()) else { return Found::Nowhere };
        let next = first + needle.chars().next().map_or(1, char::len_utf8);
        if !hay[next..].contains(needle) {
            return Found::Once(first);
        }
        let mut places = Vec::with_capacity(SHOWN);
        let mut count = 0;
        let mut occurrences = Occurrences::reusing(needle, &hay[first..], std::mem::take(&mut self.borders));
        for at in occurrences.by_ref() {
            count += 1;
            if places.len() < SHOWN {
                places.push(first + at);
            }
        }
        self.borders = occurrences.borders;
        Found::Several(count, places)
    }
}
