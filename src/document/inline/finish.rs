//! A block is complete: its raw steps get their final order and numbers, neighbouring text becomes one piece, bare
//! addresses become links.

use std::ops::Range;

use super::builder::Builder;
use super::stretch::Stretch;
use super::{BlockRuns, Kind, Node, Piece, Shown, Step};
use crate::document::autolink::autolinks;
use crate::document::links::link;

impl Builder<'_> {
    /// Takes `collected` steps into the result, as the block `range`.
    pub(super) fn finish(&mut self, range: Range<usize>, collected: &[Step]) {
        let (steps, nodes, pieces) = (self.runs.steps.len(), self.runs.nodes.len(), self.runs.pieces.len());
        let mut ends = Ends { stack: Vec::new(), still: 0, code: 0 };
        let mut run: Vec<Piece> = Vec::new();
        for step in collected {
            match *step {
                Step::Piece(piece) => {
                    let mut piece = self.pieces[piece].clone();
                    if piece.range.end > range.end {
                        // The last line break of code is shown, but it is not the block's.
                        if piece.range.start < range.end {
                            join(&mut run, Piece { range: piece.range.start..range.end, ..piece.clone() });
                        }
                        if ends.code == 0 {
                            continue;
                        }
                        piece =
                            Piece { range: range.end..range.end, shown: Shown::Atom(self.runs.keep("\n")), node: 0 };
                    }
                    if matches!(piece.shown, Shown::Verbatim | Shown::Atom(_)) {
                        join(&mut run, piece);
                    } else {
                        self.flush(&mut run, &ends);
                        self.put(piece, &ends);
                    }
                }
                Step::Open(node) => {
                    self.flush(&mut run, &ends);
                    let node = self.nodes[node].clone();
                    self.open_final(node, &mut ends);
                }
                Step::Close(_) => {
                    self.flush(&mut run, &ends);
                    self.close_final(&mut ends);
                }
            }
        }
        self.flush(&mut run, &ends);
        self.runs.blocks.push(BlockRuns {
            range,
            steps: steps..self.runs.steps.len(),
            nodes: nodes..self.runs.nodes.len(),
            pieces: pieces..self.runs.pieces.len(),
        });
    }

    fn open_final(&mut self, node: Node, ends: &mut Ends) {
        let at = self.runs.nodes.len();
        ends.still += usize::from(still(&node.kind));
        ends.code += usize::from(code(&node.kind));
        let pieces = self.runs.pieces.len();
        self.runs.nodes.push(Node { parent: ends.stack.last().copied(), pieces: pieces..pieces, ..node });
        self.runs.steps.push(Step::Open(at));
        ends.stack.push(at);
    }

    fn close_final(&mut self, ends: &mut Ends) {
        let Some(at) = ends.stack.pop() else { return };
        let node = &mut self.runs.nodes[at];
        node.pieces.end = self.runs.pieces.len();
        ends.still -= usize::from(still(&node.kind));
        ends.code -= usize::from(code(&node.kind));
        self.runs.steps.push(Step::Close(at));
    }

    fn put(&mut self, piece: Piece, ends: &Ends) {
        self.runs.steps.push(Step::Piece(self.runs.pieces.len()));
        self.runs.pieces.push(Piece { node: ends.stack.last().copied().unwrap_or_default(), ..piece });
    }

    /// Puts a run of text pieces, with links in it.
    fn flush(&mut self, run: &mut Vec<Piece>, ends: &Ends) {
        if run.is_empty() {
            return;
        }
        let found = if ends.still > 0 { Vec::new() } else { self.addresses(run) };
        if found.is_empty() {
            for piece in run.drain(..) {
                self.put(piece, ends);
            }
            return;
        }
        let text = self.text;
        // The stretch borrows the words that are already there; links add some.
        let kept = std::mem::take(&mut self.runs);
        let mut stretch = Stretch::of(run, &kept, text);
        let length = |piece: &Piece| kept.shown(text, piece).len();
        let mut parts: Vec<(Option<String>, Vec<Piece>)> = Vec::new();
        let take = |stretch: &mut Stretch<'_>, end: usize| {
            let mut taken = Vec::new();
            stretch.take(end, length, |piece| taken.push(piece));
            taken
        };
        for (range, to) in found {
            parts.push((None, take(&mut stretch, range.start)));
            parts.push((Some(to), take(&mut stretch, range.end)));
        }
        let end = stretch.words().len();
        parts.push((None, take(&mut stretch, end)));
        self.runs = kept;
        run.clear();
        for (to, pieces) in parts {
            let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { continue };
            let range = first.range.start..last.range.end;
            match to {
                None => pieces.into_iter().for_each(|piece| self.put(piece, ends)),
                Some(to) => {
                    let (to, title) = (self.runs.keep(&to), self.runs.keep(""));
                    let kind = Kind::Link { to, title };
                    let node = Node { kind, range: range.clone(), content: range, parent: None, pieces: 0..0 };
                    let mut inside =
                        Ends { stack: ends.stack.last().copied().into_iter().collect(), still: 0, code: 0 };
                    self.open_final(node, &mut inside);
                    pieces.into_iter().for_each(|piece| self.put(piece, &inside));
                    self.close_final(&mut inside);
                }
            }
        }
    }

    /// Bare addresses in what a run shows.
    fn addresses(&self, run: &[Piece]) -> Vec<(Range<usize>, String)> {
        let stretch = Stretch::of(run, &self.runs, self.text);
        let words = stretch.words();
        let maybe = words.bytes().any(|byte| byte == b'@' || byte == b':') || words.contains("www.");
        if !maybe {
            return Vec::new();
        }
        // Whether an address may be a link is decided in one place, for these as for those that are written as links.
        let allowed = |(range, to): (Range<usize>, String)| Some((range, link(&to, self.schemes).address()?));
        autolinks(words).into_iter().filter_map(allowed).collect()
    }
}

/// Open nodes, how many of them keep addresses as they are, and how many are blocks of code.
struct Ends {
    stack: Vec<usize>,
    still: usize,
    code: usize,
}

fn code(kind: &Kind) -> bool {
    matches!(kind, Kind::Fence(_) | Kind::Indented)
}

/// Whether bare addresses inside stay text.
fn still(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Link { .. }
            | Kind::Code
            | Kind::Fence(_)
            | Kind::Indented
            | Kind::Meta
            | Kind::Html
            | Kind::Plain
            | Kind::Wide
    )
}

/// Adds a piece, as part of the last one where both are verbatim and meet.
fn join(run: &mut Vec<Piece>, piece: Piece) {
    if let Some(last) = run.last_mut() {
        let both = last.shown == Shown::Verbatim && piece.shown == Shown::Verbatim;
        if both && last.range.end == piece.range.start {
            last.range.end = piece.range.end;
            return;
        }
    }
    run.push(piece);
}
