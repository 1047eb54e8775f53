//! Writes a block's instructions: words, the string table, and offsets in UTF-16 units from the block's start.

use std::ops::Range;

use super::instructions::{Attr, Frame, Label, Op, Tag};

/// The instructions of one block while they are written.
pub(super) struct Writer<'t> {
    block: &'t str,
    start: usize,
    ascii: bool,
    /// The place that was asked for last, in bytes and units of `block`: the next one is near.
    last: (usize, usize),
    code: Vec<u32>,
    strings: String,
    units: u32,
    /// Attribute values that come again and again.
    known: Vec<(&'static str, u32, u32)>,
    /// Where the open instruction's count of attributes stands.
    attributes: usize,
}

impl<'t> Writer<'t> {
    pub(super) fn new(text: &'t str, range: &Range<usize>) -> Self {
        let block = &text[range.clone()];
        Self {
            block,
            start: range.start,
            ascii: block.is_ascii(),
            last: (0, 0),
            code: Vec::with_capacity(block.len() / 4 + 16),
            strings: String::with_capacity(block.len() + 16),
            units: 0,
            known: Vec::new(),
            attributes: 0,
        }
    }

    pub(super) fn finish(self) -> (Vec<u32>, String) {
        (self.code, self.strings)
    }

    /// Opens an element; its attributes follow.
    pub(super) fn open(&mut self, tag: Tag) {
        self.code.extend([Op::Open as u32, tag as u32, 0]);
        self.attributes = self.code.len() - 1;
    }

    pub(super) fn close(&mut self) {
        self.code.push(Op::Close as u32);
    }

    fn attribute(&mut self, attr: Attr, offset: u32, len: u32) {
        self.code.extend([attr as u32, offset, len]);
        if let Some(count) = self.code.get_mut(self.attributes) {
            *count += 1;
        }
    }

    /// An attribute of the element that was opened last.
    pub(super) fn attr(&mut self, attr: Attr, value: &str) {
        let (offset, len) = self.string(value);
        self.attribute(attr, offset, len);
    }

    /// An attribute whose value is one of few.
    pub(super) fn fixed(&mut self, attr: Attr, value: &'static str) {
        let found = self.known.iter().find(|known| known.0 == value).copied();
        let (_, offset, len) = found.unwrap_or_else(|| {
            let (offset, len) = self.string(value);
            self.known.push((value, offset, len));
            (value, offset, len)
        });
        self.attribute(attr, offset, len);
    }

    /// An attribute whose value is a label.
    pub(super) fn aria(&mut self, label: Label, number: u32) {
        self.attribute(Attr::AriaLabel, label as u32, number);
    }

    pub(super) fn text(&mut self, range: &Range<usize>) {
        let words = &self.block[range.start - self.start..range.end - self.start];
        let (offset, len) = self.string(words);
        let source = self.unit(range.start);
        self.code.extend([Op::Text as u32, offset, len, source]);
    }

    pub(super) fn atom(&mut self, words: &str, range: &Range<usize>) {
        let (offset, len) = self.string(words);
        let (start, end) = (self.unit(range.start), self.unit(range.end));
        self.code.extend([Op::Atom as u32, offset, len, start, end]);
    }

    pub(super) fn plain(&mut self, words: &str) {
        let (offset, len) = self.string(words);
        self.code.extend([Op::Plain as u32, offset, len]);
    }

    pub(super) fn label(&mut self, label: Label, number: u32) {
        self.code.extend([Op::Label as u32, label as u32, number]);
    }

    pub(super) fn source(&mut self, range: &Range<usize>) {
        let (start, end) = (self.unit(range.start), self.unit(range.end));
        self.code.extend([Op::Source as u32, start, end]);
    }

    pub(super) fn frame(&mut self, frame: Frame, words: &str) {
        let (offset, len) = self.string(words);
        self.code.extend([Op::Frame as u32, frame as u32, offset, len]);
    }

    fn string(&mut self, words: &str) -> (u32, u32) {
        let offset = self.units;
        let len = units(words) as u32;
        self.strings.push_str(words);
        self.units += len;
        (offset, len)
    }

    /// A place in the text, in UTF-16 units from the block's start.
    fn unit(&mut self, place: usize) -> u32 {
        let at = place.saturating_sub(self.start).min(self.block.len());
        if self.ascii {
            return at as u32;
        }
        let (byte, unit) = self.last;
        let unit = if at >= byte { unit + units(&self.block[byte..at]) } else { unit - units(&self.block[at..byte]) };
        self.last = (at, unit);
        unit as u32
    }
}

/// The length of `words` in UTF-16 units.
fn units(words: &str) -> usize {
    // One unit for every character, and one more for those that take four bytes.
    words.bytes().filter(|byte| byte & 0xc0 != 0x80).count() + words.bytes().filter(|&byte| byte >= 0xf0).count()
}
