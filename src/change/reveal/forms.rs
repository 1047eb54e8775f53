//! Unicode's normal forms, as far as a diff needs them: whether two different spellings are the same letters.
//!
//! `é` can be one character or two. Both look the same and are not the same text. The table beside this file has a letter and
//! what it is made of on each line: all canonical decompositions of the basic plane but for the ideographs' and those of
//! Hangul, which is computed.

use std::sync::OnceLock;

/// `text` with its letters taken apart, marks in a fixed order: equal for texts that Unicode calls equivalent.
pub(super) fn apart(text: &str) -> String {
    let mut apart: Vec<char> = Vec::with_capacity(text.len());
    for c in text.chars() {
        take_apart(c, &mut apart);
    }
    if apart.iter().any(|c| is_mark(*c)) {
        apart.chunk_by_mut(|a, b| is_mark(*a) && is_mark(*b)).for_each(<[char]>::sort_unstable);
    }
    apart.into_iter().collect()
}

fn take_apart(c: char, into: &mut Vec<char>) {
    if c.is_ascii() {
        into.push(c);
        return;
    }
    if let hangul @ 0..11172 = (c as u32).wrapping_sub(0xac00) {
        let jamo = [0x1100 + hangul / 588, 0x1161 + hangul % 588 / 28, 0x11a7 + hangul % 28];
        let has_tail = hangul % 28 != 0;
        into.extend(jamo.into_iter().take(if has_tail { 3 } else { 2 }).filter_map(char::from_u32));
        return;
    }
    // A letter has at most three marks, each taken off in turn.
    let mut first = c;
    let mut marks = ['\0'; 4];
    let mut count = 0;
    while let Some((_, base, mark)) = Some(first).filter(|c| *c >= '\u{c0}').and_then(row) {
        first = base;
        if let (Some(mark), Some(place)) = (mark, marks.get_mut(count)) {
            *place = mark;
            count += 1;
        }
    }
    into.push(first);
    into.extend(marks[..count].iter().rev());
}

/// A letter, what it is made of, and the mark on it.
type Row = (char, char, Option<char>);

fn row(c: char) -> Option<Row> {
    // In the file the letters ascend.
    static TABLE: OnceLock<Vec<Row>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let row = |row: &str| {
            let mut chars = row.chars();
            Some((chars.next()?, chars.next()?, chars.next()))
        };
        include_str!("forms.txt").lines().filter_map(row).collect()
    });
    table.get(table.binary_search_by_key(&c, |row| row.0).ok()?).copied()
}

/// Whether `c` is a mark on the letter before it, among those that letters are composed with.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{5b0}'..='\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{93c}' | '\u{9bc}' | '\u{a3c}' | '\u{3099}' | '\u{309a}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_ascend_as_the_search_wants_them() {
        let letters: Vec<_> = include_str!("forms.txt").lines().filter_map(|row| row.chars().next()).collect();
        assert!(letters.len() > 1_000 && letters.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn both_spellings_come_apart_alike() {
        for (one, other) in [
            ("é", "e\u{301}"),
            ("ǖ", "u\u{308}\u{304}"),
            ("ậ", "a\u{323}\u{302}"),
            ("й", "и\u{306}"),
            ("각", "\u{1100}\u{1161}\u{11a8}"),
            ("가", "\u{1100}\u{1161}"),
            ("が", "か\u{3099}"),
            ("\u{212b}", "Å"),
            ("a\u{323}\u{302}", "a\u{302}\u{323}"),
        ] {
            assert_eq!(apart(one), apart(other), "{one}");
            assert_ne!(one, other);
        }
        assert_ne!(apart("é"), apart("è"));
        assert_eq!(apart("ＡＢＣ ﬁ 中文"), "ＡＢＣ ﬁ 中文");
    }
}
