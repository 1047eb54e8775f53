//! Raw HTML that may show as more than text: a few tags without attributes, and comments.

use std::ops::Range;

use super::builder::{Builder, MAX_DEPTH};
use super::stretch::Stretch;
use super::{Kind, Node, Piece, Shown, Step};

/// The inline tags of raw HTML that become elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "HTML's own names")]
pub enum RawTag {
    Kbd,
    Sub,
    Sup,
    Mark,
    U,
    S,
    Del,
    Ins,
    B,
    I,
    Em,
    Strong,
}

const TAGS: [(&str, RawTag); 12] = [
    ("kbd", RawTag::Kbd),
    ("sub", RawTag::Sub),
    ("sup", RawTag::Sup),
    ("mark", RawTag::Mark),
    ("u", RawTag::U),
    ("s", RawTag::S),
    ("del", RawTag::Del),
    ("ins", RawTag::Ins),
    ("b", RawTag::B),
    ("i", RawTag::I),
    ("em", RawTag::Em),
    ("strong", RawTag::Strong),
];

/// The longest tag with its brackets, `</strong>`, and a blank.
const LONGEST: usize = 10;

/// What one tag or comment of raw HTML is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Raw {
    Start(RawTag),
    End(RawTag),
    Break,
    Comment,
    Text,
}

/// Reads `html`, one whole tag or comment.
pub(super) fn read(html: &str) -> Raw {
    if html.starts_with("<!--") {
        return Raw::Comment;
    }
    if html.len() > LONGEST {
        return Raw::Text;
    }
    let Some(inner) = html.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) else { return Raw::Text };
    let (name, end) = inner.strip_prefix('/').map_or((inner, false), |name| (name, true));
    let name = name.trim_end_matches([' ', '\t']);
    if !end && name.strip_suffix('/').unwrap_or(name).trim_end_matches([' ', '\t']).eq_ignore_ascii_case("br") {
        return Raw::Break;
    }
    match TAGS.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)) {
        Some(&(_, tag)) if end => Raw::End(tag),
        Some(&(_, tag)) => Raw::Start(tag),
        None => Raw::Text,
    }
}

/// The next tag or comment in a block's raw HTML, from `at` on, that is more than text: where it stands and what it is.
pub(super) fn next(html: &str, mut at: usize) -> Option<(Range<usize>, Raw)> {
    loop {
        let start = at + html.get(at..)?.find('<')?;
        let rest = &html[start..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            // Without an end all that follows is inside the comment, and stays text: nothing may hide that way.
            let length = if comment.starts_with('>') {
                1
            } else if comment.starts_with("->") {
                2
            } else {
                comment.find("-->")? + 3
            };
            return Some((start..start + 4 + length, Raw::Comment));
        }
        if let Some(length) = rest.bytes().take(LONGEST).position(|byte| byte == b'>') {
            let raw = read(&rest[..=length]);
            if raw != Raw::Text {
                return Some((start..start + length + 1, raw));
            }
        }
        at = start + 1;
    }
}

impl Builder<'_> {
    pub(super) fn inline_html(&mut self, words: &str, range: Range<usize>) {
        if let Some(alt) = &mut self.alt {
            alt.push_str(words);
            return;
        }
        self.consumed = range.end;
        match read(words) {
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
    pub(super) fn start_tag(&mut self, tag: RawTag, step: usize) {
        let room = self.depth() < MAX_DEPTH;
        if let Some(open) = self.open.last_mut().filter(|_| room) {
            open.tags.push((tag, step));
        }
    }

    /// Makes an element of a start tag that waits in the same node, or shows the end tag as text.
    pub(super) fn end_tag(&mut self, tag: RawTag, range: Range<usize>) {
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
    pub(super) fn html_block(&mut self, node: usize) {
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
        while let Some((range, raw)) = next(&words, at) {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bare_tags_are_more_than_text() {
        assert_eq!(read("<b>"), Raw::Start(RawTag::B));
        assert_eq!(read("</STRONG >"), Raw::End(RawTag::Strong));
        assert_eq!(read("<br />"), Raw::Break);
        assert_eq!(read("<!-- x -->"), Raw::Comment);
        for text in ["<b x>", "<bb>", "</br>", "<b/>", "<script>", "<", "<>", "<!x>", "<b\u{a0}>"] {
            assert_eq!(read(text), Raw::Text, "{text}");
        }
    }

    #[test]
    fn a_comment_without_an_end_is_text() {
        assert_eq!(next("a <!-- b", 0), None);
        assert_eq!(next("a <!--> b", 0), Some((2..7, Raw::Comment)));
        assert_eq!(next("<i x><I>", 0), Some((5..8, Raw::Start(RawTag::I))));
    }
}
