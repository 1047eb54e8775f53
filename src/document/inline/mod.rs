//! What is shown of a text, and where in the source each bit of it comes from. Rendering and selection share it.
//!
//! A block is a tree of [`Node`]s (paragraphs, list items, bold, links …) whose leaves are [`Piece`]s: shown text with its
//! source range, either verbatim or atomic. It is kept flat: [`Runs::steps`] says where nodes open and close and where
//! pieces stand, in reading order.
//!
//! Promises:
//! - Pieces ascend in the source, never overlap, and lie inside their block.
//! - A verbatim piece shows exactly its source slice. An atomic one stands for its range as a whole.
//! - What the source says and nothing shows (delimiters, container prefixes, definitions) is in no piece.
//! - Nothing recurses; the work and the result are linear in the text.
//!
//! ```
//! use countersign::document::inline::inline;
//!
//! let text = "AT&amp;T **is** here\n";
//! let runs = inline(text, &[]);
//! let shown: Vec<_> = runs.pieces.iter().map(|piece| (runs.shown(text, piece), &text[piece.range.clone()])).collect();
//! assert_eq!(shown, [("AT", "AT"), ("&", "&amp;"), ("T ", "T "), ("is", "is"), (" here", " here")]);
//! ```

mod builder;
mod finish;
mod raw;
mod stretch;
mod text;

use std::ops::Range;

pub use pulldown_cmark::{Alignment, BlockQuoteKind as AlertKind};
pub use raw::RawTag;

/// A slice of the words that belong to no source verbatim; see [`Runs::word`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Words {
    start: u32,
    end: u32,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A paragraph. A tight list item's text has none.
    Paragraph,
    /// A heading of level 1 to 6.
    Heading(u8),
    /// A block quote.
    Quote,
    /// A GitHub alert. Its marker is shown by its title, which has no source.
    Alert(AlertKind),
    /// A list; an ordered one with its first number.
    List(Option<u64>),
    /// A list item; with a task box, whether it is ticked.
    Item(Option<bool>),
    /// Fenced code with its info string.
    Fence(Words),
    /// Indented code.
    Indented,
    /// Front matter; its pieces leave out the two marker lines.
    Meta,
    /// A block of raw HTML.
    Html,
    /// A thematic break. It has no pieces.
    Rule,
    /// A table.
    Table,
    /// A table that would show far more cells than it has; its source is shown, see [`wide`](super::wide).
    Wide,
    /// A table's header row.
    Head,
    /// Another row.
    Row,
    /// A table's cell.
    Cell {
        /// Its row; the header is row 0.
        row: u32,
        /// Its column, from 0.
        column: u32,
        /// Its column's alignment.
        align: Alignment,
    },
    /// A footnote's definition and its label.
    Footnote(Words),
    /// `*…*`
    Emphasis,
    /// `**…**`
    Strong,
    /// `~…~` or `~~…~~`
    Strikethrough,
    /// A code span.
    Code,
    /// A link whose address is allowed. What is not allowed is shown as text, brackets and all.
    Link {
        /// Its address.
        to: Words,
        /// Its title, or empty.
        title: Words,
    },
    /// An attribute-free inline tag of raw HTML and its end tag.
    Raw(RawTag),
    /// Source that is shown as it is: it is nested too deeply.
    Plain,
}

/// What a piece shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shown {
    /// Its source slice, character for character.
    Verbatim,
    /// Other words: an entity's or escape's character, a line break, U+FFFD for NUL …
    Atom(Words),
    /// A hard line break.
    Break,
    /// An image.
    Image {
        /// Its address, checked.
        from: Words,
        /// Its title, or empty.
        title: Words,
        /// Its text.
        alt: Words,
    },
    /// A reference to the footnote of this label.
    Reference(Words),
    /// A task box, ticked or not.
    Task(bool),
    /// An HTML comment.
    Comment,
}

/// A container: a block, or an inline element.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its source, delimiters included.
    pub range: Range<usize>,
    /// Its source without delimiters. Of blocks, the same as `range`.
    pub content: Range<usize>,
    /// The node it is in.
    pub parent: Option<usize>,
    /// The pieces inside it, also inside its children.
    pub pieces: Range<usize>,
}

impl Node {
    /// Whether it is an inline element: where all of its content is selected, its delimiters belong to the selection.
    pub fn is_inline(&self) -> bool {
        matches!(
            self.kind,
            Kind::Emphasis | Kind::Strong | Kind::Strikethrough | Kind::Code | Kind::Link { .. } | Kind::Raw(_)
        )
    }
}

/// Shown text and its source.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Its source.
    pub range: Range<usize>,
    /// What it shows.
    pub shown: Shown,
    /// The node it is in.
    pub node: usize,
}

/// One step in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A node begins.
    Open(usize),
    /// A node ends.
    Close(usize),
    /// A piece.
    Piece(usize),
}

/// One block's share of [`Runs`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockRuns {
    /// The block's source.
    pub range: Range<usize>,
    /// Its steps.
    pub steps: Range<usize>,
    /// Its nodes, in the order in which they open.
    pub nodes: Range<usize>,
    /// Its pieces, in reading order.
    pub pieces: Range<usize>,
}

/// What is shown of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs {
    /// One per block of [`blocks`](super::blocks::blocks), in source order.
    pub blocks: Vec<BlockRuns>,
    /// The steps of all blocks.
    pub steps: Vec<Step>,
    /// The nodes of all blocks.
    pub nodes: Vec<Node>,
    /// The pieces of all blocks, in source order.
    pub pieces: Vec<Piece>,
    words: String,
}

impl Runs {
    /// The words of a slice.
    pub fn word(&self, words: Words) -> &str {
        self.words.get(words.start as usize..words.end as usize).unwrap_or_default()
    }

    /// What `piece` shows as text. A hard break is a newline, an image its text, a footnote reference its label; a task box
    /// and a comment show none.
    pub fn shown<'a>(&'a self, text: &'a str, piece: &Piece) -> &'a str {
        match piece.shown {
            Shown::Verbatim => &text[piece.range.clone()],
            Shown::Atom(words) | Shown::Reference(words) | Shown::Image { alt: words, .. } => self.word(words),
            Shown::Break => "\n",
            Shown::Task(_) | Shown::Comment => "",
        }
    }

    /// All that a block shows, as plain text: cells by a blank, items, rows and paragraphs by a newline.
    pub fn plain(&self, text: &str, block: usize) -> String {
        let mut plain = String::new();
        let Some(block) = self.blocks.get(block) else { return plain };
        for step in &self.steps[block.steps.clone()] {
            match *step {
                Step::Piece(piece) => plain.push_str(self.shown(text, &self.pieces[piece])),
                Step::Close(node) if self.nodes[node].is_inline() => {}
                Step::Close(node) => {
                    let gap = if matches!(self.nodes[node].kind, Kind::Cell { .. }) { ' ' } else { '\n' };
                    if !plain.is_empty() && !plain.ends_with(['\n', ' ']) {
                        plain.push(gap);
                    }
                }
                // A tight item's text ends where its list begins.
                Step::Open(node) if matches!(self.nodes[node].kind, Kind::List(_)) => {
                    if !plain.is_empty() && !plain.ends_with('\n') {
                        plain.push('\n');
                    }
                }
                Step::Open(_) => {}
            }
        }
        plain.truncate(plain.trim_end().len());
        plain
    }

    /// Row and column (the header is row 0) of the table cell that a piece is in.
    pub fn cell(&self, piece: &Piece) -> Option<(u32, u32)> {
        let mut node = Some(piece.node);
        while let Some(at) = node {
            if let Kind::Cell { row, column, .. } = self.nodes[at].kind {
                return Some((row, column));
            }
            node = self.nodes[at].parent;
        }
        None
    }

    fn keep(&mut self, words: &str) -> Words {
        let start = self.words.len() as u32;
        self.words.push_str(words);
        Words { start, end: self.words.len() as u32 }
    }
}

/// What is shown of `text`. `schemes` are link schemes beside the usual ones.
pub fn inline(text: &str, schemes: &[String]) -> Runs {
    builder::build(text, schemes)
}
