//! Rendering: a text becomes, block by block, a list of instructions; one loop in `www/` makes nodes of them.
//!
//! # The format, the contract with the loop
//!
//! [`Rendered::code`] is a sequence of 32-bit words. Each instruction is its number in [`Op`] and its operands:
//!
//! | Instruction | Operands | Meaning |
//! |---|---|---|
//! | `Open` | `tag n (attr offset len)×n` | Create the element [`Tag`], set its attributes ([`Attr`], a slice of `strings`), append it, go into it. |
//! | `Close` | | Go back to the parent of the element or frame that was opened last. |
//! | `Text` | `offset len source` | Append a text node with the slice. It equals the source from `source` on, unit for unit. |
//! | `Atom` | `offset len start end` | Append a text node that stands for the source range as a whole: an entity, an escape, a line break in CRLF, NUL … |
//! | `Plain` | `offset len` | Append a text node that has no source. |
//! | `Label` | `label number` | Append a text node with the host's [`Label`]; it has no source. |
//! | `Source` | `start end` | Directly after `Open`: the element (and all that is in it) stands for the source range as a whole. |
//! | `Frame` | `frame offset len` | Open a [`Frame`] for controls (a code block's caption and copy button; a table's copy menu) around the elements up to its `Close`. |
//!
//! - Numbers are places in `ALL` of [`Op`], [`Tag`], [`Attr`], [`Label`] and [`Frame`]; the loop's tables are made from those.
//! - Every offset and length counts UTF-16 units: of `strings` for slices, of the source **from the block's start** for
//!   sources. So nothing in a block's instructions changes when the block moves.
//! - One attribute is no slice: of [`Attr::AriaLabel`], `offset` is the [`Label`] and `len` fills its gap `{n}`.
//! - An element with `Source` is atomic. It is an image, a line break, a task box, a footnote reference or a comment's placeholder.
//! - [`Tag::Img`] carries `src`, `alt` and `data-image` (the address's host). The loop must not set `src` before the host's
//!   policy said yes; until then it shows a placeholder.
//! - [`Tag::Input`] is a task box. Its `Source` is `[ ]`, `[x]` or `[X]`: the mark is the unit behind `start`.
//! - A block is one element. Only a block of definitions has no instructions at all. A table with too many cells is a `div` of
//!   a notice and its source.
//! - A footnote's definition is an `li`, to be put into one `ol` behind the document with its fellows (`footnote` is true);
//!   they come last, in the order of their numbers.
//! - Links inside: `#footnote-3` finds `[data-footnote="3"]`, `#footnote-ref-3-2` finds `[data-reference="3-2"]`, any other
//!   `#…` finds the `data-slug`. Nothing has an `id`.
//!
//! Promises: element and attribute names are those of [`Tag`] and [`Attr`] and no others; every address was checked; every
//! `Text` equals its source; the work is linear in the text.

pub mod instructions;

mod elements;
mod footnotes;
mod writer;

use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;

use elements::Elements;
use footnotes::{Footnotes, is_definition};

use super::inline::{Runs, inline};
use super::slug::Slugs;

pub use instructions::{Attr, Frame, Label, Op, Tag};

/// How to render.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// Added to the level of every heading, which stays at most 6.
    pub heading_offset: u8,
    /// Link schemes beside http, https, mailto and tel.
    pub link_schemes: Vec<String>,
}

/// One block, rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// Its number among [`blocks`](super::blocks::blocks).
    pub block: usize,
    /// Its source (UTF-8 bytes of the whole text).
    pub range: Range<usize>,
    /// A digest of the instructions: where it stays, the nodes of a block can stay, wherever the block moved to. It covers all
    /// that the block shows: its source, the definitions and footnote numbers it uses, slugs and options. It finds the block
    /// quickly; it is no proof against someone who looks for two texts with one digest, so that whoever keeps nodes compares
    /// `code` and `strings` too.
    pub key: u64,
    /// Whether it is a footnote's definition, shown behind the document.
    pub footnote: bool,
    /// The instructions.
    pub code: Vec<u32>,
    /// What the instructions slice.
    pub strings: String,
}

/// The blocks of `text` in the order in which they are shown: the definitions of footnotes last, in the order of their numbers.
pub fn render(text: &str, options: &RenderOptions) -> Vec<Rendered> {
    let runs = inline(text, &options.link_schemes);
    render_runs(text, &runs, options)
}

/// As [`render`], where what is shown is known already. `runs` must be `text`'s, with the same link schemes.
pub fn render_runs(text: &str, runs: &Runs, options: &RenderOptions) -> Vec<Rendered> {
    let mut elements = Elements { text, runs, options, notes: Footnotes::of(runs), slugs: Slugs::default() };
    let mut rendered: Vec<Rendered> = Vec::with_capacity(runs.blocks.len());
    for (block, of) in runs.blocks.iter().enumerate() {
        let (code, strings) = elements.block(of);
        let (key, footnote) = (key(&code, &strings), is_definition(runs, block));
        rendered.push(Rendered { block, range: of.range.clone(), key, footnote, code, strings });
    }
    // Where each footnote's definition goes; all else stays where it is, before them.
    let last = &elements.notes.last;
    if last.is_empty() {
        return rendered;
    }
    let mut place = vec![0; rendered.len()];
    for (number, &block) in last.iter().enumerate() {
        if let Some(place) = place.get_mut(block) {
            *place = number + 1;
        }
    }
    rendered.sort_by_key(|block| place.get(block.block).copied());
    rendered
}

/// A digest of a block's instructions.
fn key(code: &[u32], strings: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    for word in code {
        hasher.write_u32(*word);
    }
    hasher.write(strings.as_bytes());
    hasher.finish()
}
