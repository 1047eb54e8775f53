//! Top-level blocks: where each begins and ends in the source.
//!
//! What everything else stands on: the outline, quotes, edits inside a block, the keyed rendering. Blocks ascend and never
//! overlap, and between, before and after them lie blank lines only (and a byte order mark).
//!
//! The parser's own ranges do not give that: some start after their indent, some end early or run into what follows, and
//! link reference definitions have none. So a block takes whole lines: from the one where the parser begins it to its last
//! one that is not blank. Lines that are left over and not blank are definitions.
//!
//! ```
//! use countersign::document::blocks::{BlockType, blocks};
//!
//! let text = "# Plan\n[x]: /u\n\n    code\n\n- a\n\n- b\n\n\n";
//! let found: Vec<_> = blocks(text).into_iter().map(|block| (block.ty, &text[block.range])).collect();
//! assert_eq!(
//!     found,
//!     [
//!         (BlockType::Heading, "# Plan"),
//!         (BlockType::Definition, "[x]: /u"),
//!         (BlockType::Code, "    code"),
//!         (BlockType::List, "- a\n\n- b"),
//!     ]
//! );
//! ```

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag};

use super::outline::preview;
use super::syntax::{Reading, is_blank, line_end, line_start, next_line};

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

impl BlockType {
    /// How the text of such a block is to be read.
    pub const fn kind(self) -> BlockKind {
        match self {
            Self::Fence => BlockKind::Fence,
            Self::Code => BlockKind::Code,
            Self::Meta => BlockKind::Meta,
            _ => BlockKind::Text,
        }
    }
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

/// The top-level blocks of `text` in source order. Between two of them lie only blank lines. Linear.
pub fn blocks(text: &str) -> Vec<Block> {
    blocks_of(text, &Reading::of(text))
}

/// [`blocks`] of a text whose reading is at hand. `reading` must be that of `text`.
pub fn blocks_of(text: &str, reading: &Reading<'_>) -> Vec<Block> {
    let mut tops = Tops::default();
    for (event, range) in reading.events() {
        tops.event(&event, &range);
    }
    blocks_from(text, reading, tops)
}

/// [`blocks`] from what all events of `reading` told.
pub(super) fn blocks_from(text: &str, reading: &Reading<'_>, tops: Tops) -> Vec<Block> {
    let mut blocks = Vec::new();
    if let Some(range) = reading.front_matter() {
        blocks.push(block(BlockType::Meta, None, range));
    }
    // Where the lines begin that no block has taken yet.
    let mut free = reading.body();
    let mut tops = tops.found.into_iter().peekable();
    while let Some(mut top) = tops.next() {
        let start = line_start(text, top.range.start).max(free);
        definitions(text, free..start, &mut blocks);
        // `[^a]: [^b]: note`: two blocks to the parser, but a line is in one block only.
        let first_line = line_end(text, start);
        while let Some(next) = tops.next_if(|next| next.range.start <= first_line) {
            top.range.end = next.range.end;
        }
        let limit = tops.peek().map_or(text.len(), |next| line_start(text, next.range.start));
        let end = last_line_end(text, start, top.range.end.min(limit));
        blocks.push(block(top.ty, top.level, start..end));
        free = next_line(text, end);
    }
    definitions(text, free..text.len(), &mut blocks);
    blocks
}

/// The block that `offset` belongs to: the last one that starts at or before it (so what lies between two blocks belongs
/// to the one before), or the first where all start later. `None` where there are no blocks. Logarithmic.
pub fn block_at(blocks: &[Block], offset: usize) -> Option<usize> {
    let after = blocks.partition_point(|block| block.range.start <= offset);
    if blocks.is_empty() { None } else { Some(after.saturating_sub(1)) }
}

/// The text of the nearest heading at or above `block`: its source without `#` marks or underline, trimmed, cut like an
/// outline's preview, invisible characters made visible. For many blocks of one text, use [`Headings`].
pub fn heading_above(text: &str, blocks: &[Block], block: usize) -> Option<String> {
    let last = blocks.len().min(block.saturating_add(1));
    let heading = blocks.get(..last)?.iter().rev().find(|block| block.ty == BlockType::Heading)?;
    Some(heading_text(text, heading))
}

/// The headings of one text, to find the one above many blocks: built once in linear time, logarithmic to ask.
#[derive(Clone, Debug, Default)]
pub struct Headings {
    numbers: Vec<usize>,
}

impl Headings {
    /// Where the headings are among `blocks`.
    pub fn of(blocks: &[Block]) -> Self {
        let heading = |(number, block): (usize, &Block)| (block.ty == BlockType::Heading).then_some(number);
        Self { numbers: blocks.iter().enumerate().filter_map(heading).collect() }
    }

    /// The number of the nearest heading block at or above `block`.
    pub fn number_above(&self, block: usize) -> Option<usize> {
        let after = self.numbers.partition_point(|&number| number <= block);
        after.checked_sub(1).and_then(|index| self.numbers.get(index)).copied()
    }

    /// [`heading_above`] for the text and blocks that this was built of.
    pub fn above(&self, text: &str, blocks: &[Block], block: usize) -> Option<String> {
        self.number_above(block).and_then(|number| blocks.get(number)).map(|heading| heading_text(text, heading))
    }
}

/// The source of a heading block without its marks.
fn heading_text(text: &str, heading: &Block) -> String {
    let source = text.get(heading.range.clone()).unwrap_or_default();
    let first = source.trim_start_matches([' ', '\t']);
    let marks = first.bytes().take_while(|&byte| byte == b'#').count();
    let atx = (1..=6).contains(&marks) && first[marks..].chars().next().is_none_or(|c| c == ' ' || c == '\t');
    if atx && !source.contains(['\n', '\r']) {
        let content = first[marks..].trim();
        let open = content.trim_end_matches('#');
        // A closing run of `#` counts only behind a blank.
        let closed = open.is_empty() || open.ends_with([' ', '\t']);
        return preview(if closed { open } else { content });
    }
    // Setext: all lines but the underline, which is the last.
    let end = line_start(text, heading.range.end).max(heading.range.start);
    let lines = text.get(heading.range.start..end).unwrap_or_default();
    let mut joined = String::new();
    for line in lines.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty()) {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(line);
    }
    preview(&joined)
}

fn block(ty: BlockType, level: Option<u8>, range: Range<usize>) -> Block {
    Block { kind: ty.kind(), ty, level, range }
}

/// A top-level block as the parser tells it.
struct Top {
    ty: BlockType,
    level: Option<u8>,
    range: Range<usize>,
}

/// The top-level blocks that the parser tells, gathered event by event.
#[derive(Default)]
pub(super) struct Tops {
    found: Vec<Top>,
    depth: usize,
}

impl Tops {
    pub(super) fn event(&mut self, event: &Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(tag) => {
                if self.depth == 0
                    && let Some((ty, level)) = block_type(tag)
                {
                    self.found.push(Top { ty, level, range: range.clone() });
                } else if self.depth == 1
                    && *tag == Tag::Item
                    && let Some(list) = self.found.last_mut()
                {
                    // A list's own range can run into definitions below it; that of its last item does not.
                    list.range.end = range.end;
                }
                self.depth += 1;
            }
            Event::End(_) => self.depth = self.depth.saturating_sub(1),
            Event::Rule if self.depth == 0 => {
                self.found.push(Top { ty: BlockType::Rule, level: None, range: range.clone() });
            }
            _ => {}
        }
    }
}

fn block_type(tag: &Tag<'_>) -> Option<(BlockType, Option<u8>)> {
    let ty = match tag {
        Tag::Heading { level, .. } => return Some((BlockType::Heading, Some(*level as u8))),
        Tag::Paragraph => BlockType::Paragraph,
        Tag::List(_) => BlockType::List,
        Tag::BlockQuote(None) => BlockType::Quote,
        Tag::BlockQuote(Some(_)) => BlockType::Alert,
        Tag::Table(_) => BlockType::Table,
        Tag::HtmlBlock => BlockType::Html,
        Tag::FootnoteDefinition(_) => BlockType::Footnote,
        Tag::CodeBlock(CodeBlockKind::Fenced(_)) => BlockType::Fence,
        Tag::CodeBlock(CodeBlockKind::Indented) => BlockType::Code,
        _ => return None,
    };
    Some((ty, None))
}

/// The end of the last line in `start..end` that is not blank; at least that of the first line.
fn last_line_end(text: &str, start: usize, end: usize) -> usize {
    let lines = text.get(start..end).unwrap_or_default().trim_end_matches([' ', '\t', '\r', '\n']);
    line_end(text, start + lines.len())
}

/// Adds a definition for each unbroken run of lines that are not blank in `range`, which begins and ends with whole lines.
fn definitions(text: &str, range: Range<usize>, blocks: &mut Vec<Block>) {
    let mut run: Option<Range<usize>> = None;
    let mut at = range.start;
    while at < range.end {
        let next = next_line(text, at).min(range.end);
        if is_blank(text.get(at..next).unwrap_or_default()) {
            blocks.extend(run.take().map(|run| block(BlockType::Definition, None, run)));
        } else {
            let end = line_end(text, at);
            run = Some(run.map_or(at, |run| run.start)..end);
        }
        at = next;
    }
    blocks.extend(run.map(|run| block(BlockType::Definition, None, run)));
}
