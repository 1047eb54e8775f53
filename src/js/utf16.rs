//! Positions at the border: UTF-8 byte offsets inside, UTF-16 code units in JavaScript.
//!
//! One linear pass over the text, then each question costs a scan of at most one stride. A text of ASCII alone costs
//! nothing, since there the two are the same.

use std::borrow::Cow;

/// Bytes between two marks.
const STRIDE: usize = 1024;

/// Converts positions of one text between UTF-8 bytes and UTF-16 units.
pub(super) struct Utf16<'t> {
    text: &'t [u8],
    /// UTF-16 units before byte `i * STRIDE`; empty for ASCII.
    marks: Cow<'t, [u32]>,
    /// There is no text to count in: positions stay as they are.
    blind: bool,
}

/// The UTF-16 units of the characters that begin in `bytes`.
fn units(bytes: &[u8]) -> usize {
    bytes.iter().map(|&byte| usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0)).sum()
}

/// What [`Utf16::over`] needs to know of a text: one linear pass.
pub(super) fn marks(text: &str) -> Vec<u32> {
    let mut marks = Vec::new();
    if !text.is_ascii() {
        let mut before = 0;
        for stride in text.as_bytes().chunks(STRIDE) {
            marks.push(before as u32);
            before += units(stride);
        }
    }
    marks
}

impl<'t> Utf16<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text: text.as_bytes(), marks: marks(text).into(), blind: false }
    }

    #[cfg(feature = "browser")]
    /// The same for a text whose [`marks`] are at hand: it costs nothing.
    pub(super) fn over(text: &'t str, marks: &'t [u32]) -> Self {
        Self { text: text.as_bytes(), marks: marks.into(), blind: false }
    }

    /// For a text that cannot be had: every position stays as it is, so that one that came in goes out unchanged.
    pub(super) fn blind() -> Self {
        Self { text: &[], marks: Cow::Borrowed(&[]), blind: true }
    }

    /// The UTF-16 position of a byte offset on a character boundary of the text (a larger one counts as its end).
    pub(super) fn at(&self, byte: usize) -> usize {
        if self.blind {
            return byte;
        }
        let byte = byte.min(self.text.len());
        let stride = byte / STRIDE;
        match self.marks.get(stride) {
            Some(&before) => before as usize + units(&self.text[stride * STRIDE..byte]),
            // The end of a text that fills its last stride has no mark of its own.
            None => match self.marks.last() {
                Some(&before) => before as usize + units(&self.text[(self.marks.len() - 1) * STRIDE..byte]),
                None => byte,
            },
        }
    }

    /// The byte offset of a UTF-16 position; none outside of the text and inside a surrogate pair.
    pub(super) fn byte(&self, unit: usize) -> Option<usize> {
        if self.marks.is_empty() {
            return (self.blind || unit <= self.text.len()).then_some(unit);
        }
        let stride = self.marks.partition_point(|&before| before as usize <= unit).saturating_sub(1);
        let mut at = self.marks[stride] as usize;
        let mut byte = stride * STRIDE;
        // A mark may stand inside a character, which the units before it already count.
        while byte < self.text.len() && self.text[byte] & 0xC0 == 0x80 {
            byte += 1;
        }
        while at < unit && byte < self.text.len() {
            let lead = self.text[byte];
            at += 1 + usize::from(lead >= 0xF0);
            byte += match lead {
                0..0xC0 => 1,
                0xC0..0xE0 => 2,
                0xE0..0xF0 => 3,
                _ => 4,
            };
        }
        (at == unit).then_some(byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every boundary both ways, against the plain definition; every position inside a pair is none.
    fn check(text: &str) {
        let index = Utf16::new(text);
        let mut unit = 0;
        for (byte, character) in text.char_indices() {
            assert_eq!(index.at(byte), unit, "byte {byte}");
            assert_eq!(index.byte(unit), Some(byte), "unit {unit}");
            if character.len_utf16() == 2 {
                assert_eq!(index.byte(unit + 1), None, "inside the pair at {unit}");
            }
            unit += character.len_utf16();
        }
        assert_eq!((index.at(text.len()), index.byte(unit)), (unit, Some(text.len())), "the end");
        assert_eq!(index.byte(unit + 1), None, "behind the end");
    }

    #[test]
    fn converts_every_position_both_ways() {
        check("");
        check("plain");
        check("é€😀 x");
        for lead in 0..5 {
            for fill in ["😀", "é", "€", "a😀"] {
                let mut text = "x".repeat(lead);
                while text.len() < 3 * STRIDE {
                    text.push_str(fill);
                }
                check(&text);
            }
        }
        let mut full = "€".to_owned();
        full.push_str(&"y".repeat(2 * STRIDE - 3));
        check(&full);
    }
}
