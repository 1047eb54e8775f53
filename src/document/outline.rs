//! The outline: one line per block, the model's map of a document, never its body.
//!
//! ```
//! use countersign::document::outline::outline;
//!
//! let entries = outline("# Vendor review\n\nTwo suppliers,\nscored.\n");
//! assert_eq!((entries[0].level, entries[0].preview.as_str(), entries[0].chars), (Some(1), "# Vendor review", 15));
//! assert_eq!((entries[1].level, entries[1].preview.as_str(), entries[1].chars), (None, "Two suppliers,", 22));
//! ```

use unicode_segmentation::UnicodeSegmentation;

use super::blocks::{Block, BlockKind, blocks};
use super::syntax::line_end;
use super::visible::push_visible;

/// The longest preview, in UTF-16 units.
pub const PREVIEW_UNITS: usize = 100;

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
    blocks(text).iter().enumerate().map(|(number, block)| entry(text, number, block)).collect()
}

/// The entries of the blocks whose source contains `query` (trimmed, case-insensitive). An empty query finds none.
pub fn search(text: &str, query: &str) -> Vec<OutlineEntry> {
    let query = folded(query.trim());
    if query.is_empty() {
        return Vec::new();
    }
    let found = |block: &Block| folded(text.get(block.range.clone()).unwrap_or_default()).contains(&query);
    let blocks = blocks(text);
    let hits = blocks.iter().enumerate().filter(|(_, block)| found(block));
    hits.map(|(number, block)| entry(text, number, block)).collect()
}

/// `line` as a preview: trimmed, at most 100 UTF-16 units without splitting a grapheme cluster, invisible and control
/// characters as visible tokens such as `⟦U+202E⟧`. Costs what it shows, however long the line.
pub fn preview(line: &str) -> String {
    let line = line.trim();
    let mut preview = String::new();
    let mut before = None;
    let mut units = 0;
    for (at, cluster) in line.grapheme_indices(true) {
        let shown = preview.len();
        push_visible(&mut preview, before, cluster, line[at + cluster.len()..].chars().next());
        units += utf16_len(&preview[shown..]);
        if units > PREVIEW_UNITS {
            preview.truncate(shown);
            break;
        }
        before = cluster.chars().next_back();
    }
    preview
}

/// The length of `text` in UTF-16 units.
pub fn utf16_len(text: &str) -> usize {
    // One unit for each character, two for those of four bytes.
    text.bytes().map(|byte| usize::from(byte & 0xc0 != 0x80) + usize::from(byte >= 0xf0)).sum()
}

fn entry(text: &str, number: usize, block: &Block) -> OutlineEntry {
    let source = text.get(block.range.clone()).unwrap_or_default();
    let first = source.get(..line_end(source, 0)).unwrap_or_default();
    OutlineEntry {
        block: number,
        kind: block.kind,
        level: block.level,
        preview: preview(first),
        chars: utf16_len(source),
    }
}

/// `text` for comparison without case. A final sigma is a sigma.
fn folded(text: &str) -> String {
    let lower = |c: char| c.to_lowercase().map(|c| if c == 'ς' { 'σ' } else { c });
    text.chars().flat_map(lower).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_is_cut_between_clusters_and_shows_what_hides() {
        assert_eq!(preview(&"a".repeat(300)), "a".repeat(100));
        assert_eq!(preview(&format!("{}👩‍👩‍👧", "a".repeat(93))), "a".repeat(93), "a family of eight units");
        assert_eq!(preview(&format!("{}👩‍👩‍👧", "a".repeat(92))).chars().count(), 97);
        assert_eq!(preview("  \ta\u{202e}b\tc\r\n"), "a⟦U+202E⟧b⟦U+0009⟧c");
        assert_eq!(preview("می\u{200c}خواهم"), "می\u{200c}خواهم");
        assert_eq!(preview(&format!("{}\u{200b}", "a".repeat(96))), "a".repeat(96), "no token is cut");
    }
}
