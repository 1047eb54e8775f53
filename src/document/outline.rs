//! The outline: one line per block, the model's map of a document.

use super::blocks::BlockKind;

/// One block in the outline, never its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineEntry {
    /// The block's number, from 0.
    pub block: usize,
    /// How its text is to be read.
    pub kind: BlockKind,
    /// 1 to 6, for headings only.
    pub level: Option<u8>,
    /// The block's first line, trimmed, at most 100 UTF-16 units, invisible characters made visible.
    pub preview: String,
    /// The length of the whole block, in UTF-16 units.
    pub chars: usize,
}

/// One entry per block of `text`.
pub fn outline(text: &str) -> Vec<OutlineEntry> {
    let _ = text;
    Vec::new()
}

/// The entries of the blocks whose source contains `query` (trimmed, case-insensitive). An empty query finds none.
pub fn search(text: &str, query: &str) -> Vec<OutlineEntry> {
    let _ = (text, query);
    Vec::new()
}

/// `line` as a preview: trimmed, at most 100 UTF-16 units without splitting a grapheme cluster, invisible and control
/// characters as visible tokens such as `⟦U+202E⟧`.
pub fn preview(line: &str) -> String {
    line.to_owned()
}
