//! Top-level blocks: where each begins and ends in the source.

use std::ops::Range;

/// How a block's text is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// All that is not one of the others.
    Text,
    /// Fenced code.
    Fence,
    /// Indented code.
    Code,
    /// YAML front matter.
    Meta,
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "CommonMark's and GFM's own terms")]
pub enum BlockType {
    Heading,
    Paragraph,
    List,
    Quote,
    Alert,
    Table,
    Rule,
    Html,
    Footnote,
    Definition,
    Fence,
    Code,
    Meta,
}

/// One top-level block. Its position in [`blocks`]' result is its number, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// How its text is to be read.
    pub kind: BlockKind,
    /// What it is.
    pub ty: BlockType,
    /// 1 to 6, for headings only.
    pub level: Option<u8>,
    /// From the start of its first line to the end of its last non-blank line, without the newline (UTF-8 bytes).
    pub range: Range<usize>,
}

/// The top-level blocks of `text` in source order. Between two of them lie only blank lines.
pub fn blocks(text: &str) -> Vec<Block> {
    let _ = text;
    Vec::new()
}
