//! Slugs: what a `#fragment` finds a heading by, as GitHub makes them.
//!
//! ```
//! use countersign::document::slug::Slugs;
//!
//! let mut slugs = Slugs::default();
//! assert_eq!(slugs.next("What's new in v1.2?"), "whats-new-in-v12");
//! assert_eq!(slugs.next("Notes"), "notes");
//! assert_eq!(slugs.next("Notes"), "notes-1");
//! ```

use unicode_segmentation::UnicodeSegmentation;

use crate::numbers::Numbers;

/// The slugs of one document so far.
#[derive(Clone, Debug, Default)]
pub struct Slugs {
    taken: Numbers<'static>,
    /// For each slug that is taken: the number that its last repetition got.
    last: Vec<usize>,
}

impl Slugs {
    /// The slug of the next heading, by its shown text. One that is taken gets the next free number.
    pub fn next(&mut self, heading: &str) -> String {
        let slug = slug(heading);
        let taken = self.taken.of(slug.clone()) as usize;
        let Some(mut number) = self.last.get(taken).copied() else {
            self.last.push(0);
            return slug;
        };
        loop {
            number += 1;
            let numbered = [&slug, "-", &number.to_string()].concat();
            if self.taken.get(&numbered).is_none() {
                self.last[taken] = number;
                self.taken.of(numbered.clone());
                self.last.push(0);
                return numbered;
            }
        }
    }
}

/// The slug of one heading's shown text: lower case, blanks as hyphens, and nothing but letters, marks, numbers,
/// underscores and hyphens.
pub fn slug(heading: &str) -> String {
    let kept = |c: char| match c {
        ' ' => Some('-'),
        '-' => Some('-'),
        c if c.is_alphanumeric() || is_connector(c) || is_mark(c) => Some(c),
        _ => None,
    };
    heading.trim().to_lowercase().chars().filter_map(kept).collect()
}

fn is_connector(c: char) -> bool {
    matches!(
        c,
        '_' | '\u{203f}' | '\u{2040}' | '\u{2054}' | '\u{fe33}' | '\u{fe34}' | '\u{fe4d}'..='\u{fe4f}' | '\u{ff3f}'
    )
}

/// Whether `c` is a combining mark: what joins the letter before it and is neither a joiner, a tag nor a skin tone.
fn is_mark(c: char) -> bool {
    if c < '\u{300}' || matches!(c, '\u{200c}' | '\u{200d}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}') {
        return false;
    }
    let mut pair = [0; 5];
    pair[0] = b'a';
    let length = 1 + c.encode_utf8(&mut pair[1..]).len();
    let joined = std::str::from_utf8(&pair[..length]).unwrap_or_default();
    joined.graphemes(true).next().is_some_and(|cluster| cluster.len() == length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_githubs() {
        for (heading, expected) in [
            ("Hello,  World!", "hello--world"),
            ("snake_case-and-kebab", "snake_case-and-kebab"),
            ("I ♥ unicode", "i--unicode"),
            ("Ünïcödé e\u{301}", "ünïcödé-e\u{301}"),
            ("हिन्दी में", "हिन्दी-में"),
            ("日本語 (にほんご)", "日本語-にほんご"),
            ("😀 👨🏽\u{200d}🚀", "-"),
            ("C++ & C#", "c--c"),
            ("1.0 → 2.0", "10--20"),
            ("!!!", ""),
            ("a\tb", "ab"),
        ] {
            assert_eq!(slug(heading), expected, "{heading:?}");
        }
    }

    #[test]
    fn what_is_taken_gets_the_next_free_number() {
        let mut slugs = Slugs::default();
        let given: Vec<_> = ["a", "a", "a-1", "a", "A", "a-1"].map(|heading| slugs.next(heading)).into();
        assert_eq!(given, ["a", "a-1", "a-1-1", "a-2", "a-3", "a-1-2"]);
    }
}
