//! From the parser's events to raw steps: nodes with their true ranges, pieces with their source.
//!
//! The parser's ranges leave out what it skipped (backslashes, trailing blanks, container prefixes, the second brackets of
//! `[x][]`). `consumed` is how far the source is accounted for; a gap before a text tells what was skipped.

use std::ops::Range;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, LinkType, Tag};

use super::raw::RawTag;
use super::{Kind, Node, Piece, Runs, Shown, Step, Words};
use crate::document::blocks::{Tops, blocks_from};
use crate::document::links;
use crate::document::syntax::Reading;

/// Containers deeper than this show as their source. Raw HTML's tags count as well.
pub(super) const MAX_DEPTH: usize = 100;

/// An open node.
pub(super) struct Open {
    pub(super) node: usize,
    pub(super) what: What,
    /// How many containers it is in, itself included.
    pub(super) depth: usize,
    /// Start tags of raw HTML that wait for their end tag, with the step of the piece that shows them until then.
    pub(super) tags: Vec<(RawTag, usize)>,
}

#[derive(Clone)]
pub(super) enum What {
    Node,
    /// A link whose address is not allowed. It has no node; what is behind its content is shown too.
    Brackets {
        end: usize,
    },
    /// An image. Its children are its text.
    Image {
        from: Words,
        title: Words,
        range: Range<usize>,
    },
}

pub(super) struct Builder<'t> {
    pub(super) text: &'t str,
    pub(super) view: &'t str,
    pub(super) schemes: &'t [String],
    pub(super) wide: &'t [usize],
    pub(super) runs: Runs,
    /// What was collected, not yet in its final order.
    pub(super) nodes: Vec<Node>,
    pub(super) pieces: Vec<Piece>,
    pub(super) steps: Vec<Step>,
    pub(super) open: Vec<Open>,
    pub(super) consumed: usize,
    /// How many starts are open inside a node whose events are passed over.
    pub(super) skipped: usize,
    /// The image's text so far.
    pub(super) alt: Option<String>,
    pub(super) in_code: bool,
    pub(super) columns: Vec<Alignment>,
    pub(super) row: u32,
    pub(super) column: u32,
}

pub(super) fn build(text: &str, schemes: &[String]) -> Runs {
    let reading = Reading::of(text);
    let mut builder = Builder {
        text,
        view: reading.view(),
        schemes,
        wide: reading.wide_tables(),
        runs: Runs::default(),
        nodes: Vec::new(),
        pieces: Vec::new(),
        steps: Vec::new(),
        open: Vec::new(),
        consumed: 0,
        skipped: 0,
        alt: None,
        in_code: false,
        columns: Vec::new(),
        row: 0,
        column: 0,
    };
    let mut tops = Tops::default();
    // Where in the source each top-level node begins, and at which step.
    let mut marks = Vec::new();
    if let Some(range) = reading.front_matter() {
        marks.push((range.start, 0));
        builder.front_matter(range);
    }
    for (event, range) in reading.events() {
        tops.event(&event, &range);
        if builder.open.is_empty() && builder.skipped == 0 {
            marks.push((range.start, builder.steps.len()));
        }
        builder.event(event, range);
    }
    let steps = std::mem::take(&mut builder.steps);
    let mut marks = marks.into_iter().peekable();
    let mut from = 0;
    for block in blocks_from(text, &reading, tops) {
        // A block is all that begins before its end.
        while marks.next_if(|mark| mark.0 < block.range.end).is_some() {}
        let to = marks.peek().map_or(steps.len(), |mark| mark.1);
        builder.finish(block.range, &steps[from..to]);
        from = to;
    }
    builder.runs
}

impl Builder<'_> {
    pub(super) fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        if self.skipped > 0 {
            match event {
                Event::Start(_) => self.skipped += 1,
                Event::End(_) => self.skipped -= 1,
                _ => {}
            }
            return;
        }
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(_) => self.end(range),
            Event::Text(words) => self.words(&words, range),
            Event::Code(words) => self.code(&words, range),
            Event::Html(words) => self.words(&words, range),
            Event::InlineHtml(words) => self.inline_html(&words, range),
            Event::SoftBreak => self.soft_break(range),
            Event::HardBreak => self.hard_break(range),
            Event::FootnoteReference(label) => self.reference(&label, range),
            Event::TaskListMarker(done) => self.task(done, range),
            Event::Rule => {
                self.block_begins();
                let range = self.trimmed(range);
                self.consumed = range.end;
                self.open(Kind::Rule, range.clone(), range, What::Node);
                self.close();
            }
            // Options that are off.
            Event::InlineMath(words) | Event::DisplayMath(words) => self.words(&words, range),
        }
    }

    pub(super) fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        if self.alt.is_some() {
            // An image's text is plain: what is open inside it needs no node.
            self.open.push(Open {
                node: usize::MAX,
                what: What::Brackets { end: range.end },
                depth: self.depth(),
                tags: Vec::new(),
            });
            return;
        }
        let nests = matches!(
            tag,
            Tag::BlockQuote(_)
                | Tag::List(_)
                | Tag::FootnoteDefinition(_)
                | Tag::Emphasis
                | Tag::Strong
                | Tag::Strikethrough
                | Tag::Link { .. }
                | Tag::Image { .. }
        );
        if nests && self.depth() >= MAX_DEPTH {
            return self.plain(Kind::Plain, range);
        }
        let whole = self.trimmed(range.clone());
        match tag {
            Tag::Emphasis => self.span(Kind::Emphasis, range, 1),
            Tag::Strong => self.span(Kind::Strong, range, 2),
            Tag::Strikethrough => {
                let width = 1 + usize::from(self.text[range.clone()].starts_with("~~"));
                self.span(Kind::Strikethrough, range, width);
            }
            Tag::Link { link_type, dest_url, title, .. } => self.link(link_type, &dest_url, &title, range),
            Tag::Image { link_type, dest_url, title, .. } => self.image(link_type, &dest_url, &title, range),
            Tag::Paragraph if self.is_wide(&range) => self.plain(Kind::Wide, range),
            Tag::Paragraph => self.block(Kind::Paragraph, whole),
            Tag::Heading { level, .. } => self.block(Kind::Heading(level as u8), whole),
            Tag::BlockQuote(None) => self.block(Kind::Quote, whole),
            Tag::BlockQuote(Some(kind)) => self.block(Kind::Alert(kind), whole),
            Tag::CodeBlock(kind) => {
                let kind = match kind {
                    CodeBlockKind::Fenced(info) => Kind::Fence(self.runs.keep(&info)),
                    CodeBlockKind::Indented => Kind::Indented,
                };
                let mut whole = whole;
                if kind == Kind::Indented {
                    // The parser begins behind the indent, a part of which can be text: what a tab has too much of.
                    let before = self.text[..whole.start].trim_end_matches([' ', '\t']).len();
                    whole.start = before.max(self.consumed);
                }
                self.block(kind, whole);
                self.in_code = true;
            }
            Tag::HtmlBlock => {
                self.block(Kind::Html, whole);
                self.in_code = true;
            }
            Tag::List(first) => self.block(Kind::List(first), whole),
            Tag::Item => self.block(Kind::Item(None), whole),
            Tag::FootnoteDefinition(label) => {
                let label = self.runs.keep(&label);
                self.block(Kind::Footnote(label), whole);
            }
            Tag::Table(columns) => {
                self.block(Kind::Table, whole);
                self.columns = columns;
                self.row = 0;
            }
            Tag::TableHead => {
                self.block(Kind::Head, whole);
                self.column = 0;
            }
            Tag::TableRow => {
                self.block(Kind::Row, whole);
                self.row += 1;
                self.column = 0;
            }
            Tag::TableCell => self.cell(range),
            // Options that are off; their content is shown all the same.
            Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => self.block(Kind::Paragraph, whole),
        }
    }

    pub(super) fn end(&mut self, range: Range<usize>) {
        let Some(open) = self.open.last() else { return };
        let node = open.node;
        match open.what.clone() {
            What::Brackets { .. } if self.alt.is_some() => {
                self.open.pop();
            }
            What::Brackets { end } => {
                self.verbatim(self.consumed..end);
                self.consumed = end;
                self.open.pop();
            }
            What::Image { from, title, range } => {
                let alt = self.alt.take().unwrap_or_default();
                let alt = self.runs.keep(&alt);
                self.consumed = range.end;
                self.open.pop();
                self.piece(range, Shown::Image { from, title, alt });
            }
            What::Node => {
                let kind = self.nodes[node].kind;
                match kind {
                    Kind::Link { .. } => {
                        let content = &mut self.nodes[node].content;
                        content.end = self.consumed.max(content.start);
                        self.consumed = self.nodes[node].range.end;
                    }
                    Kind::Emphasis | Kind::Strong | Kind::Strikethrough => self.consumed = range.end,
                    Kind::Html => self.html_block(node),
                    _ => {}
                }
                if !self.nodes[node].is_inline() {
                    self.in_code = false;
                }
                self.close();
            }
        }
    }

    /// What an open node is in.
    pub(super) fn depth(&self) -> usize {
        self.open.last().map_or(0, |open| open.depth + open.tags.len())
    }

    pub(super) fn open(&mut self, kind: Kind, range: Range<usize>, content: Range<usize>, what: What) {
        let node = self.nodes.len();
        self.nodes.push(Node { kind, range, content, parent: None, pieces: 0..0 });
        self.steps.push(Step::Open(node));
        let nests = !matches!(
            kind,
            Kind::Paragraph
                | Kind::Heading(_)
                | Kind::List(_)
                | Kind::Table
                | Kind::Head
                | Kind::Row
                | Kind::Cell { .. }
        );
        let depth = self.depth() + usize::from(nests);
        self.open.push(Open { node, what, depth, tags: Vec::new() });
    }

    pub(super) fn close(&mut self) {
        if let Some(open) = self.open.pop() {
            self.steps.push(Step::Close(open.node));
        }
    }

    /// A tag of raw HTML does not reach across blocks.
    pub(super) fn block_begins(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.tags.clear();
        }
    }

    pub(super) fn block(&mut self, kind: Kind, range: Range<usize>) {
        self.block_begins();
        self.consumed = range.start;
        self.open(kind, range.clone(), range, What::Node);
    }

    /// An inline element with delimiters of `width` on both sides.
    pub(super) fn span(&mut self, kind: Kind, range: Range<usize>, width: usize) {
        let content = range.start + width..range.end.saturating_sub(width).max(range.start + width);
        self.consumed = content.start;
        self.open(kind, range, content, What::Node);
    }

    pub(super) fn cell(&mut self, range: Range<usize>) {
        let align = self.columns.get(self.column as usize).copied().unwrap_or(Alignment::None);
        let (row, column) = (self.row, self.column);
        self.block(Kind::Cell { row, column, align }, range);
        self.column += 1;
    }

    pub(super) fn in_table(&self) -> bool {
        self.open
            .iter()
            .rev()
            .take(MAX_DEPTH)
            .any(|open| self.nodes.get(open.node).is_some_and(|node| matches!(node.kind, Kind::Cell { .. })))
    }

    /// The parser leaves the second brackets of `[x][]` out.
    pub(super) fn whole_link(&self, link_type: LinkType, range: Range<usize>) -> Range<usize> {
        let collapsed = link_type == LinkType::Collapsed && self.text[range.end..].starts_with("[]");
        range.start..range.end + if collapsed { 2 } else { 0 }
    }

    pub(super) fn link(&mut self, link_type: LinkType, to: &str, title: &str, range: Range<usize>) {
        let range = self.whole_link(link_type, range);
        let email = if link_type == LinkType::Email { "mailto:" } else { "" };
        let Some(to) = self.allowed(&format!("{email}{to}"), false) else {
            self.verbatim(range.start..range.start + 1);
            self.consumed = range.start + 1;
            let depth = self.depth();
            self.open.push(Open { node: usize::MAX, what: What::Brackets { end: range.end }, depth, tags: Vec::new() });
            return;
        };
        let title = self.runs.keep(title);
        self.consumed = range.start + 1;
        let content = range.start + 1..range.end;
        self.open(Kind::Link { to, title }, range, content, What::Node);
    }

    pub(super) fn image(&mut self, link_type: LinkType, from: &str, title: &str, range: Range<usize>) {
        let range = self.whole_link(link_type, range);
        let Some(from) = self.allowed(from, true) else {
            self.verbatim(range.clone());
            self.consumed = range.end;
            self.skipped = 1;
            return;
        };
        let title = self.runs.keep(title);
        self.alt = Some(String::new());
        let depth = self.depth();
        self.open.push(Open { node: usize::MAX, what: What::Image { from, title, range }, depth, tags: Vec::new() });
    }

    pub(super) fn allowed(&mut self, address: &str, image: bool) -> Option<Words> {
        let target = if image { links::image(address, self.schemes) } else { links::link(address, self.schemes) };
        target.address().map(|address| self.runs.keep(&address))
    }

    pub(super) fn task(&mut self, done: bool, range: Range<usize>) {
        let Some(offset) = self.text[range.clone()].find('[') else { return };
        let start = range.start + offset;
        let end = (start + 3).min(self.text.len());
        // In a loose list the marker stands before the paragraph that it is in.
        let mut item = None;
        for open in self.open.iter().rev().take(2) {
            match self.nodes.get_mut(open.node) {
                Some(Node { kind: Kind::Item(task), .. }) => {
                    *task = Some(done);
                    item = Some(());
                    break;
                }
                Some(node) => {
                    node.range.start = node.range.start.min(start);
                    node.content.start = node.range.start;
                }
                None => {}
            }
        }
        if item.is_none() {
            return self.verbatim(start..end);
        }
        self.piece(start..end, Shown::Task(done));
        self.consumed = end;
        if self.text[end..].starts_with(' ') {
            self.piece(end..end + 1, Shown::Verbatim);
            self.consumed += 1;
        }
    }

    /// Whether a paragraph is a table that is too wide.
    pub(super) fn is_wide(&self, range: &Range<usize>) -> bool {
        let next = self.wide.partition_point(|&at| at < range.start);
        self.wide.get(next).is_some_and(|at| *at < range.end)
    }

    /// Shows the source of a node as it is, and passes its events over.
    pub(super) fn plain(&mut self, kind: Kind, range: Range<usize>) {
        let range = self.trimmed(range);
        self.consumed = range.end;
        self.open(kind, range.clone(), range.clone(), What::Node);
        self.verbatim(range);
        self.close();
        self.skipped = 1;
    }

    /// `range` without line ends and blanks behind it.
    pub(super) fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let kept = self.text[range.clone()].trim_end_matches([' ', '\t', '\r', '\n']).len();
        range.start..range.start + kept
    }

    /// The content of front matter, between its marker lines.
    pub(super) fn front_matter(&mut self, range: Range<usize>) {
        self.open(Kind::Meta, range.clone(), range.clone(), What::Node);
        let lines = &self.text[range.clone()];
        let first = lines
            .find(['\n', '\r'])
            .map_or(lines.len(), |end| end + if lines[end..].starts_with("\r\n") { 2 } else { 1 });
        let last = lines.rfind(['\n', '\r']).map_or(lines.len(), |end| end + 1);
        if first < last {
            self.verbatim(range.start + first..range.start + last);
        }
        self.close();
    }
}
