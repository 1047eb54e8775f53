//! Alike: what a writer takes for the same text although the characters differ.
//!
//! Matching knows no leniency; finding the nearest text for a refusal needs plenty. A text is read here as units, one per
//! character that counts, each with what it counts as: letters without case and accents, one quote, one dash, one blank.
//! [`Reading::Shown`] also passes over what a reader of the rendered document never sees: link destinations, tags,
//! comments, footnote marks, and it takes an entity for its character.

use std::ops::Range;

/// Which text the units are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Every character of the source.
    Source,
    /// What the rendered document shows, as near as a look at the characters can tell.
    Shown,
}

/// One character that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// The character itself.
    pub(super) raw: char,
    /// What it counts as.
    pub(super) folded: char,
    /// Whether it is part of a word or number. All else is blank, punctuation or markup, and weighs little.
    pub(super) word: bool,
    /// Where it starts.
    pub(super) start: usize,
    /// Where it ends, marks that combine with it included.
    pub(super) end: usize,
}

impl Unit {
    fn of(raw: char, folded: char, range: Range<usize>) -> Self {
        Self { raw, folded, word: folded.is_alphanumeric(), start: range.start, end: range.end }
    }
}

/// The units of a stretch of text, in order. Linear.
#[derive(Clone, Debug)]
pub(super) struct Units<'t> {
    text: &'t str,
    reading: Reading,
    at: usize,
    end: usize,
    /// Up to where it is known that no `)`, `]` or `>` closes what was opened: no stretch is searched twice.
    unclosed: [usize; 3],
}

impl<'t> Units<'t> {
    /// The units of `range` of `text`, which must lie on character boundaries.
    pub(super) fn of(text: &'t str, range: Range<usize>, reading: Reading) -> Self {
        Self { text, reading, at: range.start, end: range.end, unclosed: [0; 3] }
    }

    /// The end of what is not shown at `at`, and the character that it is shown as, if any.
    fn hidden(&mut self, at: usize) -> Option<(usize, Option<char>)> {
        let bytes = self.text.as_bytes();
        match bytes[at] {
            b']' if bytes.get(at + 1) == Some(&b'(') => self.close(at + 2, b')', 0).map(|end| (end, None)),
            b']' if bytes.get(at + 1) == Some(&b'[') => self.close(at + 2, b']', 1).map(|end| (end, None)),
            b'[' if bytes.get(at + 1) == Some(&b'^') => self.close(at + 2, b']', 1).map(|end| (end, None)),
            b'[' if bytes.get(at + 2) == Some(&b']') && matches!(bytes[at + 1], b' ' | b'x' | b'X') => {
                Some((at + 3, None))
            }
            b'<' if bytes.get(at + 1).is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, b'/' | b'!')) => {
                let end = self.close(at + 1, b'>', 2)?;
                let inside = &self.text[at..end];
                // `<https://a.example>` and `<a@b.example>` are shown as they stand.
                (!inside.contains("://") && !inside.contains('@')).then_some((end, None))
            }
            b'&' => entity(&self.text[at..]).map(|(length, shown)| (at + length, Some(shown))),
            _ => None,
        }
    }

    /// The end behind the next `closing` on this line, if it is near.
    fn close(&mut self, from: usize, closing: u8, memory: usize) -> Option<usize> {
        const REACH: usize = 1000;
        if from < self.unclosed[memory] {
            return None;
        }
        let limit = self.end.min(from + REACH);
        let bytes = &self.text.as_bytes()[from.min(limit)..limit];
        let length = bytes.iter().position(|&byte| byte == closing || byte == b'\n');
        match length {
            Some(length) if bytes[length] == closing => Some(from + length + 1),
            _ => {
                self.unclosed[memory] = from + length.unwrap_or(bytes.len());
                None
            }
        }
    }
}

impl Iterator for Units<'_> {
    type Item = Unit;

    fn next(&mut self) -> Option<Unit> {
        while self.at < self.end {
            let start = self.at;
            let byte = self.text.as_bytes()[start];
            if self.reading == Reading::Shown
                && matches!(byte, b']' | b'[' | b'<' | b'&')
                && let Some((end, shown)) = self.hidden(start)
            {
                self.at = end;
                match shown {
                    Some(raw) => return Some(Unit::of(raw, fold(raw), start..end)),
                    None => continue,
                }
            }
            if byte.is_ascii() {
                self.at += 1;
                let raw = byte as char;
                return Some(Unit::of(raw, fold_ascii(byte), start..self.at));
            }
            let raw = self.text[start..].chars().next()?;
            self.at += raw.len_utf8();
            let folded = fold(raw);
            if folded != '\0' {
                return Some(Unit::of(raw, folded, start..self.at));
            }
        }
        None
    }
}

/// A named or numeric entity at the start of `text`: its length, and what it shows.
fn entity(text: &str) -> Option<(usize, char)> {
    let end = text.as_bytes().iter().take(10).position(|&byte| byte == b';')?;
    let name = text.get(1..end)?;
    let shown = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        "ndash" => '–',
        "mdash" => '—',
        "hellip" => '…',
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code)?
        }
    };
    Some((end + 1, shown))
}

const fn fold_ascii(byte: u8) -> char {
    match byte {
        b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => ' ',
        b'`' => '\'',
        _ => byte.to_ascii_lowercase() as char,
    }
}

/// U+00C0 to U+017F without case and accents; `*` stays as it is.
const LATIN: &[u8; 192] = b"aaaaaa*ceeeeiiii*nooooo*ouuuuy**aaaaaa*ceeeeiiii*nooooo*ouuuuy*y\
aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii**jjkkkllllllllllnnnnnnn**oooooo**rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

/// What a character counts as; NUL for one that does not count.
pub(super) fn fold(c: char) -> char {
    match c {
        '\0'..='\x7f' => fold_ascii(c as u8),
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' => ' ',
        '\u{3000}' => ' ',
        '´' | '‘' | '’' | '‚' | '‛' | '′' | '‹' | '›' | 'ʼ' | '＇' => '\'',
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' | '＂' => '"',
        '\u{2010}'..='\u{2015}' | '−' | '﹘' | '﹣' | '－' => '-',
        '…' => '.',
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => '\0',
        // What combines with the letter before it: an accent written apart is an accent.
        '\u{300}'..='\u{36f}' | '\u{fe00}'..='\u{fe0f}' => '\0',
        '\u{c0}'..='\u{17f}' => match LATIN[c as usize - 0xc0] {
            b'*' => lower(c),
            base => base as char,
        },
        // Full width forms of ASCII.
        '\u{ff01}'..='\u{ff5e}' => fold_ascii((c as u32 - 0xff01 + 0x21) as u8),
        _ => lower(c),
    }
}

fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}
