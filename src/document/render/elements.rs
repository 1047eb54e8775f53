//! From nodes and pieces to instructions: which element each of them is.

use super::RenderOptions;
use super::footnotes::Footnotes;
use super::instructions::{Attr, Frame, Label, Tag};
use super::writer::Writer;
use crate::document::inline::{AlertKind, Alignment, BlockRuns, Kind, Piece, RawTag, Runs, Shown, Step, Words};
use crate::document::slug::Slugs;

/// A comment's placeholder tells at most this much of it.
const MAX_COMMENT: usize = 400;

/// What all blocks of a rendering share.
pub(super) struct Elements<'t> {
    pub(super) text: &'t str,
    pub(super) runs: &'t Runs,
    pub(super) options: &'t RenderOptions,
    pub(super) notes: Footnotes,
    pub(super) slugs: Slugs,
}

impl Elements<'_> {
    /// The instructions of one block.
    pub(super) fn block(&mut self, block: &BlockRuns) -> (Vec<u32>, String) {
        let runs = self.runs;
        let mut to = Writer::new(self.text, &block.range);
        let steps = &runs.steps[block.steps.clone()];
        // How many closes each open node needs.
        let mut closes: Vec<u8> = Vec::new();
        // Whether the open table has a body by now.
        let mut body = false;
        // A line can begin several footnotes: all but the first are put into the first, so that a block is one element.
        let mut held = 0;
        let mut at = 0;
        while let Some(step) = steps.get(at) {
            at += 1;
            match *step {
                Step::Piece(piece) => self.piece(piece, &mut to),
                Step::Open(node) => {
                    let kind = runs.nodes[node].kind;
                    match kind {
                        Kind::Table => body = false,
                        Kind::Row if !body => {
                            body = true;
                            to.open(Tag::Tbody);
                        }
                        _ => {}
                    }
                    closes.push(self.open(node, closes.is_empty() && held == 0, &mut to));
                }
                Step::Close(node) => {
                    let kind = runs.nodes[node].kind;
                    match kind {
                        Kind::Table if body => to.close(),
                        // The way back goes into the footnote's last paragraph, or behind what it has instead.
                        Kind::Paragraph => {
                            let note = match steps.get(at) {
                                Some(&Step::Close(note)) if matches!(runs.nodes[note].kind, Kind::Footnote(_)) => {
                                    Some(note)
                                }
                                _ => None,
                            };
                            if let Some(note) = note {
                                self.back(note, &mut to);
                            }
                        }
                        Kind::Footnote(_) => {
                            let before = at.checked_sub(2).and_then(|before| steps.get(before));
                            let told =
                                matches!(before, Some(&Step::Close(last)) if runs.nodes[last].kind == Kind::Paragraph);
                            if !told {
                                self.back(node, &mut to);
                            }
                        }
                        _ => {}
                    }
                    let count = closes.pop().unwrap_or_default();
                    if closes.is_empty() && held == 0 {
                        held = count;
                    } else {
                        (0..count).for_each(|_| to.close());
                    }
                }
            }
        }
        (0..held).for_each(|_| to.close());
        to.finish()
    }

    /// Opens what a node is, and says how many closes it needs. `root`: it is the block itself.
    fn open(&mut self, at: usize, root: bool, to: &mut Writer<'_>) -> u8 {
        let runs = self.runs;
        let node = &runs.nodes[at];
        let plain = |tag: Tag, to: &mut Writer<'_>| {
            to.open(tag);
            if root {
                to.fixed(Attr::Dir, "auto");
            }
            1
        };
        match node.kind {
            Kind::Paragraph => plain(Tag::P, to),
            Kind::Heading(level) => {
                plain(heading(level, self.options.heading_offset), to);
                let words: String =
                    runs.pieces[node.pieces.clone()].iter().map(|piece| runs.shown(self.text, piece)).collect();
                let slug = self.slugs.next(&words);
                to.attr(Attr::DataSlug, &slug);
                1
            }
            Kind::Quote => plain(Tag::Blockquote, to),
            Kind::Alert(kind) => {
                let (name, label) = alert(kind);
                plain(Tag::Div, to);
                to.fixed(Attr::Role, "note");
                to.fixed(Attr::DataAlert, name);
                to.open(Tag::P);
                to.fixed(Attr::DataTitle, "");
                to.label(label, 0);
                to.close();
                1
            }
            Kind::List(None) => plain(Tag::Ul, to),
            Kind::List(Some(first)) => {
                plain(Tag::Ol, to);
                if first != 1 {
                    to.attr(Attr::Start, &first.to_string());
                }
                1
            }
            Kind::Item(task) => {
                to.open(Tag::Li);
                if task.is_some() {
                    to.fixed(Attr::DataTask, "");
                }
                1
            }
            Kind::Fence(info) => {
                let language = language(runs.word(info));
                self.code(language, false, to)
            }
            Kind::Indented => self.code("", false, to),
            Kind::Meta => self.code("yaml", true, to),
            Kind::Html => {
                plain(Tag::Div, to);
                to.fixed(Attr::DataHtml, "");
                1
            }
            Kind::Rule => {
                to.open(Tag::Hr);
                1
            }
            Kind::Table => {
                to.frame(Frame::Table, "");
                plain(Tag::Table, to) + 1
            }
            Kind::Wide => {
                plain(Tag::Div, to);
                to.open(Tag::P);
                to.fixed(Attr::DataNotice, "");
                to.label(Label::Cells, 0);
                to.close();
                to.open(Tag::Pre);
                to.fixed(Attr::DataPlain, "");
                2
            }
            Kind::Head => {
                to.open(Tag::Thead);
                to.open(Tag::Tr);
                2
            }
            Kind::Row => plain_row(to),
            Kind::Cell { row, align, .. } => {
                to.open(if row == 0 { Tag::Th } else { Tag::Td });
                match align {
                    Alignment::None => {}
                    Alignment::Left => to.fixed(Attr::Align, "left"),
                    Alignment::Center => to.fixed(Attr::Align, "center"),
                    Alignment::Right => to.fixed(Attr::Align, "right"),
                }
                1
            }
            Kind::Footnote(_) => {
                let (number, _) = self.notes.definition(at);
                plain(if root { Tag::Li } else { Tag::Div }, to);
                let number = number.to_string();
                if root {
                    to.attr(Attr::Value, &number);
                }
                to.attr(Attr::DataFootnote, &number);
                if !root {
                    to.open(Tag::Sup);
                    to.plain(&number);
                    to.close();
                }
                1
            }
            Kind::Emphasis => element(Tag::Em, to),
            Kind::Strong => element(Tag::Strong, to),
            Kind::Strikethrough => element(Tag::Del, to),
            Kind::Code => {
                to.open(Tag::Code);
                to.fixed(Attr::Dir, "ltr");
                1
            }
            Kind::Link { to: address, title } => {
                to.open(Tag::A);
                let address = runs.word(address);
                to.attr(Attr::Href, address);
                self.title(title, to);
                if crate::document::links::is_external(address) {
                    to.fixed(Attr::Rel, "noopener noreferrer nofollow");
                    to.fixed(Attr::Target, "_blank");
                }
                1
            }
            Kind::Raw(tag) => element(raw(tag), to),
            Kind::Plain => {
                to.open(Tag::Span);
                to.fixed(Attr::DataPlain, "");
                1
            }
        }
    }

    fn title(&self, title: Words, to: &mut Writer<'_>) {
        let title = self.runs.word(title);
        if !title.is_empty() {
            to.attr(Attr::Title, title);
        }
    }

    fn code(&self, language: &str, meta: bool, to: &mut Writer<'_>) -> u8 {
        to.frame(Frame::Code, language);
        to.open(Tag::Pre);
        to.fixed(Attr::Dir, "ltr");
        if meta {
            to.fixed(Attr::DataMeta, "");
        }
        to.open(Tag::Code);
        if !language.is_empty() {
            to.attr(Attr::Class, &format!("language-{language}"));
        }
        3
    }

    fn piece(&self, at: usize, to: &mut Writer<'_>) {
        let piece = &self.runs.pieces[at];
        let range = &piece.range;
        match piece.shown {
            Shown::Verbatim => to.text(range),
            Shown::Atom(words) => to.atom(self.runs.word(words), range),
            Shown::Break => {
                to.open(Tag::Br);
                to.source(range);
                to.close();
            }
            Shown::Image { from, title, alt } => {
                let from = self.runs.word(from);
                to.open(Tag::Img);
                to.attr(Attr::Src, from);
                to.attr(Attr::Alt, self.runs.word(alt));
                self.title(title, to);
                to.attr(Attr::DataImage, &crate::document::links::host(from));
                to.source(range);
                to.close();
            }
            Shown::Reference(_) => self.reference(at, piece, to),
            Shown::Task(done) => {
                to.open(Tag::Input);
                to.fixed(Attr::Type, "checkbox");
                if done {
                    to.fixed(Attr::Checked, "");
                }
                to.fixed(Attr::Disabled, "");
                to.aria(if done { Label::Done } else { Label::Open }, 0);
                to.source(range);
                to.close();
            }
            Shown::Comment => {
                to.open(Tag::Span);
                to.fixed(Attr::DataComment, "");
                let comment = &self.text[range.clone()];
                let inside = comment.strip_prefix("<!--").unwrap_or(comment);
                let inside = inside.strip_suffix("-->").unwrap_or(inside).trim();
                let end = inside.char_indices().nth(MAX_COMMENT).map_or(inside.len(), |(end, _)| end);
                if end < inside.len() {
                    to.attr(Attr::Title, &format!("{}…", &inside[..end]));
                } else {
                    to.attr(Attr::Title, inside);
                }
                to.source(range);
                to.label(Label::Comment, 0);
                to.close();
            }
        }
    }

    fn reference(&self, at: usize, piece: &Piece, to: &mut Writer<'_>) {
        let Some((number, which)) = self.notes.reference(at) else { return to.text(&piece.range) };
        let number = number.to_string();
        to.open(Tag::Sup);
        to.attr(Attr::DataReference, &named(&number, which));
        to.source(&piece.range);
        to.open(Tag::A);
        to.attr(Attr::Href, &format!("#footnote-{number}"));
        to.plain(&number);
        to.close();
        to.close();
    }

    /// The links from a footnote back to its references.
    fn back(&self, node: usize, to: &mut Writer<'_>) {
        let (number, count) = self.notes.definition(node);
        let number = number.to_string();
        for which in 1..=count {
            to.plain(" ");
            let name = named(&number, which);
            to.open(Tag::A);
            to.attr(Attr::Href, &format!("#footnote-ref-{name}"));
            to.attr(Attr::DataBack, &name);
            to.aria(Label::Back, which);
            to.plain("↩");
            if which > 1 {
                to.open(Tag::Sup);
                to.plain(&which.to_string());
                to.close();
            }
            to.close();
        }
    }
}

fn element(tag: Tag, to: &mut Writer<'_>) -> u8 {
    to.open(tag);
    1
}

fn plain_row(to: &mut Writer<'_>) -> u8 {
    element(Tag::Tr, to)
}

/// The name of a footnote's reference: `3`, from the second on `3-2`.
fn named(number: &str, which: u32) -> String {
    if which == 1 { number.to_owned() } else { format!("{number}-{which}") }
}

fn heading(level: u8, offset: u8) -> Tag {
    match level.saturating_add(offset) {
        0 | 1 => Tag::H1,
        2 => Tag::H2,
        3 => Tag::H3,
        4 => Tag::H4,
        5 => Tag::H5,
        _ => Tag::H6,
    }
}

fn alert(kind: AlertKind) -> (&'static str, Label) {
    match kind {
        AlertKind::Note => ("note", Label::Note),
        AlertKind::Tip => ("tip", Label::Tip),
        AlertKind::Important => ("important", Label::Important),
        AlertKind::Warning => ("warning", Label::Warning),
        AlertKind::Caution => ("caution", Label::Caution),
    }
}

fn raw(tag: RawTag) -> Tag {
    match tag {
        RawTag::Kbd => Tag::Kbd,
        RawTag::Sub => Tag::Sub,
        RawTag::Sup => Tag::Sup,
        RawTag::Mark => Tag::Mark,
        RawTag::U => Tag::U,
        RawTag::S => Tag::S,
        RawTag::Del => Tag::Del,
        RawTag::Ins => Tag::Ins,
        RawTag::B => Tag::B,
        RawTag::I => Tag::I,
        RawTag::Em => Tag::Em,
        RawTag::Strong => Tag::Strong,
    }
}

/// The language of a fence: its info string's first word, where that can be a class.
fn language(info: &str) -> &str {
    let word = info.split([' ', '\t', '\n']).next().unwrap_or_default();
    let fits =
        word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#' | b'.' | b'_' | b'-'));
    if fits { word } else { "" }
}
