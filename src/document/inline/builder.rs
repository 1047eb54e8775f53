//! From the parser's events to raw steps: nodes with their true ranges, pieces with their source.
//!
//! The parser's ranges leave out what it skipped (backslashes, trailing blanks, container prefixes, the second brackets of
//! `[x][]`). `consumed` is how far the source is accounted for; a gap before a text tells what was skipped.

use std::ops::Range;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, LinkType, Tag};

use super::raw::{self, Raw, RawTag};
use super::stretch::Stretch;
use super::{Kind, Node, Piece, Runs, Shown, Step, Words};
use crate::document::blocks::blocks_of;
use crate::document::links;
use crate::document::syntax::Reading;

/// Containers deeper than this show as their source. Raw HTML's tags count as well.
const MAX_DEPTH: usize = 100;

/// An open node.
struct Open {
    node: usize,
    what: What,
    /// How many containers it is in, itself included.
    depth: usize,
    /// Start tags of raw HTML that wait for their end tag, with the step of the piece that shows them until then.
    tags: Vec<(RawTag, usize)>,
}

#[derive(Clone)]
enum What {
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
    view: &'t str,
    pub(super) schemes: &'t [String],
    wide: &'t [usize],
    pub(super) runs: Runs,
    /// The current block's, not yet in their final order.
    pub(super) nodes: Vec<Node>,
    pub(super) pieces: Vec<Piece>,
    pub(super) steps: Vec<Step>,
    open: Vec<Open>,
    consumed: usize,
    /// How many starts are open inside a node whose events are passed over.
    skipped: usize,
    /// The image's text so far.
    alt: Option<String>,
    in_code: bool,
    columns: Vec<Alignment>,
    row: u32,
    column: u32,
}

pub(super) fn build(text: &str, schemes: &[String]) -> Runs {
    let reading = Reading::of(text);
    let blocks = blocks_of(text, &reading);
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
    let mut current = 0;
    if let Some(range) = reading.front_matter() {
        builder.front_matter(range);
    }
    for (event, range) in reading.events() {
        if builder.open.is_empty() && builder.skipped == 0 {
            while blocks.get(current).is_some_and(|block| block.range.end <= range.start) {
                builder.finish(blocks[current].range.clone());
                current += 1;
            }
        }
        builder.event(event, range);
    }
    for block in &blocks[current.min(blocks.len())..] {
        builder.finish(block.range.clone());
    }
    builder.runs
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
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

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
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

    fn end(&mut self, range: Range<usize>) {
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
    fn depth(&self) -> usize {
        self.open.last().map_or(0, |open| open.depth + open.tags.len())
    }

    fn open(&mut self, kind: Kind, range: Range<usize>, content: Range<usize>, what: What) {
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

    fn close(&mut self) {
        if let Some(open) = self.open.pop() {
            self.steps.push(Step::Close(open.node));
        }
    }

    /// A tag of raw HTML does not reach across blocks.
    fn block_begins(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.tags.clear();
        }
    }

    fn block(&mut self, kind: Kind, range: Range<usize>) {
        self.block_begins();
        self.consumed = range.start;
        self.open(kind, range.clone(), range, What::Node);
    }

    /// An inline element with delimiters of `width` on both sides.
    fn span(&mut self, kind: Kind, range: Range<usize>, width: usize) {
        let content = range.start + width..range.end.saturating_sub(width).max(range.start + width);
        self.consumed = content.start;
        self.open(kind, range, content, What::Node);
    }

    fn cell(&mut self, range: Range<usize>) {
        let align = self.columns.get(self.column as usize).copied().unwrap_or(Alignment::None);
        let (row, column) = (self.row, self.column);
        self.block(Kind::Cell { row, column, align }, range);
        self.column += 1;
    }

    fn in_table(&self) -> bool {
        self.open
            .iter()
            .rev()
            .take(MAX_DEPTH)
            .any(|open| self.nodes.get(open.node).is_some_and(|node| matches!(node.kind, Kind::Cell { .. })))
    }

    /// The parser leaves the second brackets of `[x][]` out.
    fn whole_link(&self, link_type: LinkType, range: Range<usize>) -> Range<usize> {
        let collapsed = link_type == LinkType::Collapsed && self.text[range.end..].starts_with("[]");
        range.start..range.end + if collapsed { 2 } else { 0 }
    }

    fn link(&mut self, link_type: LinkType, to: &str, title: &str, range: Range<usize>) {
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

    fn image(&mut self, link_type: LinkType, from: &str, title: &str, range: Range<usize>) {
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

    fn allowed(&mut self, address: &str, image: bool) -> Option<Words> {
        let target = if image { links::image(address, self.schemes) } else { links::link(address, self.schemes) };
        target.address().map(|address| self.runs.keep(&address))
    }

    /// Text, verbatim or not.
    fn words(&mut self, words: &str, range: Range<usize>) {
        if let Some(alt) = &mut self.alt {
            alt.push_str(words);
            return;
        }
        let Range { start, end } = range;
        let bytes = self.text.as_bytes();
        let before = start.checked_sub(1).filter(|&before| before >= self.consumed).map(|before| bytes[before]);
        if start >= end {
            // What a tab adds beyond the columns that a container took.
            if !words.is_empty() {
                let from = start - usize::from(before == Some(b'\t'));
                self.atom(from..start, words);
                self.consumed = self.consumed.max(start);
            }
            return;
        }
        let mut at = start;
        if self.in_code {
            if before == Some(b'\r') && bytes[start] == b'\n' {
                self.atom(start - 1..start + 1, "\n");
                at += 1;
            }
            self.verbatim(at..end);
        } else if self.view.get(start..end) == Some(words) {
            if before == Some(b'\\') && bytes[start].is_ascii_punctuation() {
                // In a table, `\\|` shows as `|`.
                let twice = bytes[start] == b'|' && start >= self.consumed + 2 && bytes[start - 2] == b'\\';
                self.atom(start - 1 - usize::from(twice)..start + 1, &self.text[start..start + 1]);
                at += 1;
            }
            self.verbatim(at..end);
        } else if words == "\\" && self.text[start..end].starts_with(words) {
            // A backslash at the end of a block stands for itself; its range has the line break too.
            self.verbatim(start..start + words.len());
        } else {
            self.atom(start..end, words);
        }
        self.consumed = end;
    }

    fn code(&mut self, words: &str, range: Range<usize>) {
        if let Some(alt) = &mut self.alt {
            alt.push_str(words);
            return;
        }
        let source = &self.text[range.clone()];
        let ticks = source.bytes().take_while(|&byte| byte == b'`').count();
        let content = range.start + ticks..range.end.saturating_sub(ticks).max(range.start + ticks);
        self.open(Kind::Code, range.clone(), content.clone(), What::Node);
        // One blank on each side is a delimiter, unless there are blanks only.
        let inner = &self.text[content.clone()];
        let blank = |byte: Option<u8>| matches!(byte, Some(b' ' | b'\n' | b'\r'));
        let stripped =
            blank(inner.bytes().next()) && blank(inner.bytes().last()) && !words.bytes().all(|byte| byte == b' ');
        self.lines(content, words, b' ', stripped);
        self.close();
        self.consumed = range.end;
    }

    fn inline_html(&mut self, words: &str, range: Range<usize>) {
        if let Some(alt) = &mut self.alt {
            alt.push_str(words);
            return;
        }
        self.consumed = range.end;
        match raw::read(words) {
            Raw::Break => self.piece(range, Shown::Break),
            Raw::Comment => self.piece(range, Shown::Comment),
            Raw::Start(tag) => {
                let step = self.steps.len();
                self.verbatim(range);
                self.start_tag(tag, step);
            }
            Raw::End(tag) => self.end_tag(tag, range),
            Raw::Text if self.view.get(range.clone()) == Some(words) => self.verbatim(range),
            Raw::Text => self.lines(range, words, b'\n', false),
        }
    }

    /// A start tag, shown as text by `step`, waits for its end tag.
    fn start_tag(&mut self, tag: RawTag, step: usize) {
        let room = self.depth() < MAX_DEPTH;
        if let Some(open) = self.open.last_mut().filter(|_| room) {
            open.tags.push((tag, step));
        }
    }

    /// Makes an element of a start tag that waits in the same node, or shows the end tag as text.
    fn end_tag(&mut self, tag: RawTag, range: Range<usize>) {
        let found = self.open.last_mut().and_then(|open| {
            let at = open.tags.iter().rposition(|(waiting, _)| *waiting == tag)?;
            let step = open.tags[at].1;
            open.tags.truncate(at);
            Some(step)
        });
        let start = found.and_then(|step| match self.steps.get(step) {
            Some(&Step::Piece(piece)) => Some((step, self.pieces[piece].range.clone())),
            _ => None,
        });
        let Some((step, start)) = start else { return self.verbatim(range) };
        let node = self.nodes.len();
        let content = start.end..range.start;
        self.nodes.push(Node {
            kind: Kind::Raw(tag),
            range: start.start..range.end,
            content,
            parent: None,
            pieces: 0..0,
        });
        self.steps[step] = Step::Open(node);
        self.steps.push(Step::Close(node));
    }

    /// A block of raw HTML is complete: its comments and bare tags become more than text.
    fn html_block(&mut self, node: usize) {
        let Some(first) = self.steps.iter().rposition(|step| *step == Step::Open(node)) else { return };
        let pieces: Vec<Piece> = self.steps[first + 1..]
            .iter()
            .filter_map(|step| match step {
                Step::Piece(piece) => Some(self.pieces[*piece].clone()),
                _ => None,
            })
            .collect();
        let runs = std::mem::take(&mut self.runs);
        let text = self.text;
        let mut stretch = Stretch::of(&pieces, &runs, text);
        let words = stretch.words().to_owned();
        let mut found = Vec::new();
        let mut at = 0;
        while let Some((range, raw)) = raw::next(&words, at) {
            at = range.end;
            found.push((range, raw));
        }
        if !found.is_empty() {
            self.steps.truncate(first + 1);
            let length = |piece: &Piece| runs.shown(text, piece).len();
            for (range, raw) in found {
                stretch.take(range.start, length, |piece| self.piece(piece.range, piece.shown));
                let mut source: Option<Range<usize>> = None;
                stretch.take(range.end, length, |piece| {
                    source = Some(source.as_ref().map_or(piece.range.start, |source| source.start)..piece.range.end);
                });
                let Some(source) = source else { continue };
                match raw {
                    Raw::Break => self.piece(source, Shown::Break),
                    Raw::Comment => self.piece(source, Shown::Comment),
                    Raw::Start(tag) => {
                        let step = self.steps.len();
                        self.piece(source, Shown::Verbatim);
                        self.start_tag(tag, step);
                    }
                    Raw::End(tag) => self.end_tag(tag, source),
                    Raw::Text => self.piece(source, Shown::Verbatim),
                }
            }
            stretch.take(words.len(), length, |piece| self.piece(piece.range, piece.shown));
        }
        self.runs = runs;
    }

    fn soft_break(&mut self, range: Range<usize>) {
        if let Some(alt) = &mut self.alt {
            alt.push(' ');
            return;
        }
        // One blank before the break is neither text nor part of the parser's range.
        let gap = self.consumed.min(range.start)..range.start;
        let from =
            if self.text[gap.clone()].bytes().all(|byte| byte == b' ' || byte == b'\t') { gap.start } else { gap.end };
        if &self.text[from..range.end] == "\n" {
            self.piece(from..range.end, Shown::Verbatim);
        } else {
            self.atom(from..range.end, "\n");
        }
        self.consumed = range.end;
    }

    fn hard_break(&mut self, range: Range<usize>) {
        if let Some(alt) = &mut self.alt {
            alt.push(' ');
            return;
        }
        self.consumed = range.end;
        self.piece(range, Shown::Break);
    }

    fn reference(&mut self, label: &str, range: Range<usize>) {
        if let Some(alt) = &mut self.alt {
            alt.push_str(&self.text[range]);
            return;
        }
        let label = self.runs.keep(label);
        self.consumed = range.end;
        self.piece(range, Shown::Reference(label));
    }

    fn task(&mut self, done: bool, range: Range<usize>) {
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
    fn is_wide(&self, range: &Range<usize>) -> bool {
        let next = self.wide.partition_point(|&at| at < range.start);
        self.wide.get(next).is_some_and(|at| *at < range.end)
    }

    /// Shows the source of a node as it is, and passes its events over.
    fn plain(&mut self, kind: Kind, range: Range<usize>) {
        let range = self.trimmed(range);
        self.consumed = range.end;
        self.open(kind, range.clone(), range.clone(), What::Node);
        self.verbatim(range);
        self.close();
        self.skipped = 1;
    }

    /// `range` without line ends and blanks behind it.
    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let kept = self.text[range.clone()].trim_end_matches([' ', '\t', '\r', '\n']).len();
        range.start..range.start + kept
    }

    /// The content of front matter, between its marker lines.
    fn front_matter(&mut self, range: Range<usize>) {
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

    pub(super) fn piece(&mut self, range: Range<usize>, shown: Shown) {
        self.steps.push(Step::Piece(self.pieces.len()));
        self.pieces.push(Piece { range, shown, node: 0 });
    }

    fn atom(&mut self, range: Range<usize>, words: &str) {
        let words = self.runs.keep(words);
        self.piece(range, Shown::Atom(words));
    }

    /// The source slice as it is, but for NUL and for carriage returns, which show as U+FFFD and as line breaks.
    fn verbatim(&mut self, range: Range<usize>) {
        let Range { mut start, end } = range;
        while start < end {
            let slice = &self.text[start..end];
            let Some(odd) = slice.bytes().position(|byte| byte == 0 || byte == b'\r') else {
                return self.piece(start..end, Shown::Verbatim);
            };
            if odd > 0 {
                self.piece(start..start + odd, Shown::Verbatim);
            }
            let at = start + odd;
            let (length, words) = match &slice.as_bytes()[odd..] {
                [0, ..] => (1, "\u{fffd}"),
                [_, b'\n', ..] => (2, "\n"),
                _ => (1, "\n"),
            };
            self.atom(at..at + length, words);
            start = at + length;
        }
    }

    /// Code or HTML that may go over several lines: `words` is the parser's account of `range`, in which each line break is
    /// `gap` and the next line's container prefix is left out. `stripped`: a blank at each end is a delimiter.
    fn lines(&mut self, range: Range<usize>, words: &str, gap: u8, stripped: bool) {
        let source = self.text.as_bytes();
        let Range { mut start, mut end } = range;
        let mut rest = words;
        if stripped {
            end -= 1;
            if source[end] == b'\n' && end > start && source[end - 1] == b'\r' {
                end -= 1;
            }
            if source[start] == b' ' {
                start += 1;
            } else {
                let next = self.next_line(start, end);
                // The parser's second blank for CRLF.
                let crlf = next == start + 2 && rest.starts_with(' ');
                rest = &rest[usize::from(crlf)..];
                start = next;
                start += self.prefix(start..end, &mut rest);
            }
        }
        let in_table = self.in_table();
        while start < end {
            let slice = &self.text[start..end];
            let stop = slice
                .bytes()
                .enumerate()
                .position(|(at, byte)| {
                    matches!(byte, b'\n' | b'\r') || (byte == b'\\' && in_table && slice[at + 1..].starts_with('|'))
                })
                .unwrap_or(slice.len());
            let Some(after) = rest.get(stop..) else { break };
            self.verbatim(start..start + stop);
            rest = after;
            start += stop;
            match source.get(start).filter(|_| start < end) {
                None => break,
                Some(b'\\') => {
                    self.atom(start..start + 2, "|");
                    start += 2;
                    rest = rest.strip_prefix('|').unwrap_or(rest);
                }
                Some(_) => {
                    let from = start;
                    start = self.next_line(start, end);
                    let gaps = if start == from + 2 { 2 } else { 1 };
                    for _ in 0..gaps {
                        rest = rest.strip_prefix(['\r', '\n', ' ']).unwrap_or(rest);
                    }
                    start += self.prefix(start..end, &mut rest);
                    self.atom(from..start, if gap == b' ' { " " } else { "\n" });
                }
            }
        }
    }

    fn next_line(&self, at: usize, end: usize) -> usize {
        let crlf = at + 1 < end && self.text[at..].starts_with("\r\n");
        at + if crlf { 2 } else { 1 }
    }

    /// The length of the container prefix and indent at the start of a line. `rest` is the parser's account from there on,
    /// and loses the indent as well.
    fn prefix(&self, line: Range<usize>, rest: &mut &str) -> usize {
        let marks = |text: &str| text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | b'>')).count();
        let line = &self.text[line];
        // As many of the marks are the containers' as the parser does not report.
        let containers = marks(line).saturating_sub(marks(rest));
        let indent = line[containers..].bytes().take_while(|&byte| byte == b' ' || byte == b'\t').count();
        *rest = rest.get(indent..).unwrap_or_default();
        containers + indent
    }
}
