//! Numbers for footnotes, in the order in which a reader meets them.

use crate::document::inline::{Kind, Runs, Shown};
use crate::numbers::Numbers;

/// Which number each definition and each reference has.
#[derive(Debug, Default)]
pub(super) struct Footnotes {
    /// By piece: the footnote's number, and which of its references this is, from 1. Empty without footnotes.
    references: Vec<Option<(u32, u32)>>,
    /// By node. Empty without footnotes.
    definitions: Vec<Option<u32>>,
    /// By number, less one: how many references it has.
    counts: Vec<u32>,
    /// The blocks that are definitions, in the order of their numbers.
    pub(super) last: Vec<usize>,
}

impl Footnotes {
    /// Numbers follow the first references, those in the body first; definitions that nothing refers to come last.
    pub(super) fn of(runs: &Runs) -> Self {
        let mut notes = Self::default();
        let mut labels = Labels::default();
        let mut definitions = Vec::new();
        for (index, block) in runs.blocks.iter().enumerate() {
            for node in block.nodes.clone() {
                if let Kind::Footnote(label) = runs.nodes[node].kind {
                    let whole = (node == block.nodes.start).then_some(index);
                    definitions.push((node, whole));
                    labels.define(runs.word(label), (node, whole));
                }
            }
        }
        if definitions.is_empty() {
            return notes;
        }
        notes.references.resize(runs.pieces.len(), None);
        notes.definitions.resize(runs.nodes.len(), None);
        let body = (0..runs.blocks.len()).filter(|&block| !is_definition(runs, block));
        for block in body {
            notes.refer(runs, block, &labels);
        }
        let mut read = 0;
        let mut waiting = definitions.iter();
        loop {
            if let Some(&block) = notes.last.get(read) {
                read += 1;
                notes.refer(runs, block, &labels);
            } else if let Some(&(node, whole)) = waiting.next() {
                if notes.number(node).is_none() {
                    notes.define(node, whole);
                }
            } else {
                break;
            }
        }
        notes
    }

    fn refer(&mut self, runs: &Runs, block: usize, labels: &Labels) {
        for piece in runs.blocks[block].pieces.clone() {
            let Shown::Reference(label) = runs.pieces[piece].shown else { continue };
            let Some((node, whole)) = labels.get(runs.word(label)) else { continue };
            let number = self.number(node).unwrap_or_else(|| self.define(node, whole));
            if let Some(count) = self.counts.get_mut(number as usize - 1) {
                *count += 1;
                self.references[piece] = Some((number, *count));
            }
        }
    }

    fn define(&mut self, node: usize, whole: Option<usize>) -> u32 {
        self.counts.push(0);
        let number = self.counts.len() as u32;
        self.definitions[node] = Some(number);
        self.last.extend(whole);
        number
    }

    /// The number of a reference's footnote, and which of its references it is.
    pub(super) fn reference(&self, piece: usize) -> Option<(u32, u32)> {
        self.references.get(piece).copied().flatten()
    }

    fn number(&self, node: usize) -> Option<u32> {
        self.definitions.get(node).copied().flatten()
    }

    /// The number of a definition, and how many references it has.
    pub(super) fn definition(&self, node: usize) -> (u32, u32) {
        let number = self.number(node).unwrap_or_default();
        let count = (number as usize).checked_sub(1).and_then(|at| self.counts.get(at)).copied();
        (number, count.unwrap_or_default())
    }
}

/// A definition: its node, and the block that it is, or none where it stands inside another block.
type Definition = (usize, Option<usize>);

/// Definitions by their labels: of equal ones the first counts.
#[derive(Default)]
struct Labels {
    numbers: Numbers<'static>,
    first: Vec<Definition>,
}

impl Labels {
    fn define(&mut self, label: &str, definition: Definition) {
        if self.numbers.of(fold(label)) as usize == self.first.len() {
            self.first.push(definition);
        }
    }

    fn get(&self, label: &str) -> Option<Definition> {
        self.first.get(self.numbers.get(&fold(label))? as usize).copied()
    }
}

/// Whether a block is a footnote's definition.
pub(super) fn is_definition(runs: &Runs, block: usize) -> bool {
    runs.nodes[runs.blocks[block].nodes.clone()].first().is_some_and(|node| matches!(node.kind, Kind::Footnote(_)))
}

/// Labels that differ in case only are the same.
fn fold(label: &str) -> String {
    label.to_lowercase().to_uppercase()
}
