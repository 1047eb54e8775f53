//! Words: which of them changed in a run of changed lines.
//!
//! Prose changes by sentences, and a paragraph is often one long line. So lines are cut into sentences, those are aligned,
//! and words are compared inside a pair only; a sentence that has no counterpart is marked as a whole. A row of a table is
//! one piece, and its cells are its words. Where more than 60 % of a pair changed, marks would be noise: there are none.
//! Words are Unicode's, so that Chinese is compared by characters; a mark never splits what is seen as one character.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::change::lines::{Line, changes};
use crate::numbers::Numbers;

/// How much may still be compared. Beyond it lines have no marks, and the comparison says that it is not precise.
pub(super) struct Budget {
    left: usize,
    pub(super) exceeded: bool,
}

/// Bytes that one comparison, and one run in it, may have for marks.
const ALL: usize = 2 << 20;
const ONE: usize = 256 << 10;
/// Pairs of sentences that may be weighed against each other in one gap; beyond it they pair up in order.
const WEIGHED: usize = 1024;

impl Default for Budget {
    fn default() -> Self {
        Budget { left: ALL, exceeded: false }
    }
}

impl Budget {
    fn take(&mut self, bytes: usize) -> bool {
        let enough = bytes <= ONE && bytes <= self.left;
        if enough {
            self.left -= bytes;
        }
        self.exceeded |= !enough;
        enough
    }
}

/// A sentence, or a row of a table.
struct Piece<'t> {
    line: usize,
    range: Range<usize>,
    text: &'t str,
    is_row: bool,
    /// Numbers of its words, ascending, and how many characters they are.
    words: Vec<(u32, usize)>,
}

/// The changed words of each line of `removed` and of `added`, as ranges of its content.
pub(super) fn mark(
    removed: &[Line<'_>],
    added: &[Line<'_>],
    is_table: bool,
    budget: &mut Budget,
) -> [Vec<Vec<Range<usize>>>; 2] {
    let mut marks = [vec![Vec::new(); removed.len()], vec![Vec::new(); added.len()]];
    let bytes = removed.iter().chain(added).map(|line| line.content.len()).sum();
    if removed.is_empty() || added.is_empty() || !budget.take(bytes) {
        return marks;
    }
    let mut numbers = Numbers::default();
    let mut words = Numbers::default();
    let sides = [removed, added].map(|lines| pieces(lines, is_table, &mut words));
    let [old, new] = &sides;
    let keys = [old, new].map(|side| side.iter().map(|piece| numbers.of(piece.text)).collect::<Vec<_>>());
    for gap in changes(&keys[0], &keys[1]) {
        let (old, new) = (&old[gap.before], &new[gap.after]);
        let mut paired = [vec![false; old.len()], vec![false; new.len()]];
        for (o, n) in pairs(old, new) {
            let Some([gone, come]) = within(&old[o], &new[n]) else { continue };
            (paired[0][o], paired[1][n]) = (true, true);
            marks[0][old[o].line].extend(gone);
            marks[1][new[n].line].extend(come);
        }
        for (side, pieces) in [old, new].into_iter().enumerate() {
            for piece in pieces.iter().zip(&paired[side]).filter_map(|(piece, paired)| (!paired).then_some(piece)) {
                marks[side][piece.line].push(piece.range.clone());
            }
        }
    }
    for (marks, lines) in marks.iter_mut().zip([removed, added]) {
        for (marks, line) in marks.iter_mut().zip(lines) {
            marks.sort_by_key(|range| range.start);
            join(marks, line.content);
            // A line that is marked as a whole needs no marks: its sign says it.
            if let [all] = &marks[..]
                && line.content[..all.start].trim().is_empty()
                && line.content[all.end..].trim().is_empty()
            {
                marks.clear();
            }
        }
    }
    marks
}

/// Joins ranges between which there are only blanks.
fn join(ranges: &mut Vec<Range<usize>>, text: &str) {
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges.drain(..).filter(|range| !range.is_empty()) {
        match joined.last_mut() {
            Some(last) if text[last.end.min(range.start)..range.start].trim().is_empty() => {
                last.end = last.end.max(range.end)
            }
            _ => joined.push(range),
        }
    }
    *ranges = joined;
}

fn pieces<'t>(lines: &[Line<'t>], is_table: bool, words: &mut Numbers<'t>) -> Vec<Piece<'t>> {
    let mut pieces = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let content = line.content;
        let is_row = content.trim_start_matches([' ', '>']).starts_with('|') || (is_table && content.contains('|'));
        let ranges = if is_row { std::iter::once(0..content.len()).collect() } else { sentences(content) };
        for range in ranges {
            let text = content[range.clone()].trim();
            let start = range.start + (content[range.clone()].len() - content[range.clone()].trim_start().len());
            if text.is_empty() {
                continue;
            }
            let mut own: Vec<(u32, usize)> = text
                .split_word_bounds()
                .filter(|word| !word.trim().is_empty())
                .map(|word| (words.of(word), word.len()))
                .collect();
            own.sort_unstable();
            pieces.push(Piece { line: number, range: start..start + text.len(), text, is_row, words: own });
        }
    }
    pieces
}

/// Where the sentences of `line` are. The blanks after one belong to it.
fn sentences(line: &str) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut chars = line.char_indices().peekable();
    while let Some((_, c)) = chars.next() {
        // Ideographic full stops need no blank after them.
        let wide = matches!(c, '。' | '！' | '？' | '｡');
        if !wide && !matches!(c, '.' | '!' | '?' | '…' | '؟' | '۔' | '।' | '॥') {
            continue;
        }
        while chars
            .next_if(|(_, c)| {
                matches!(c, '.' | '!' | '?' | ')' | ']' | '"' | '\'' | '”' | '’' | '»' | '」' | '』' | '）' | '*' | '_')
            })
            .is_some()
        {}
        let blank = chars.next_if(|(_, c)| c.is_whitespace()).is_some();
        if !wide && !blank {
            continue;
        }
        while chars.next_if(|(_, c)| c.is_whitespace()).is_some() {}
        let end = chars.peek().map_or(line.len(), |(at, _)| *at);
        sentences.push(start..end);
        start = end;
    }
    if start < line.len() {
        sentences.push(start..line.len());
    }
    sentences
}

/// Which of `old` became which of `new`: the pairs that share most, in order, if they share at least two fifths.
fn pairs(old: &[Piece<'_>], new: &[Piece<'_>]) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > WEIGHED {
        return (0..old.len().min(new.len()))
            .map(|n| (n, n))
            .filter(|(o, n)| shared(&old[*o], &new[*n]) >= 400)
            .collect();
    }
    // best[o][n]: the most that old[o..] and new[n..] can share.
    let width = new.len() + 1;
    let mut best = vec![0; (old.len() + 1) * width];
    let mut weights = vec![0; old.len() * new.len()];
    for o in (0..old.len()).rev() {
        for n in (0..new.len()).rev() {
            let weight = Some(shared(&old[o], &new[n])).filter(|w| *w >= 400).unwrap_or(0);
            weights[o * new.len() + n] = weight;
            let paired = if weight > 0 { weight + best[(o + 1) * width + n + 1] } else { 0 };
            best[o * width + n] = paired.max(best[(o + 1) * width + n]).max(best[o * width + n + 1]);
        }
    }
    let (mut o, mut n) = (0, 0);
    let mut pairs = Vec::new();
    while o < old.len() && n < new.len() {
        let weight = weights[o * new.len() + n];
        if weight > 0 && best[o * width + n] == weight + best[(o + 1) * width + n + 1] {
            pairs.push((o, n));
            (o, n) = (o + 1, n + 1);
        } else if best[o * width + n] == best[(o + 1) * width + n] {
            o += 1;
        } else {
            n += 1;
        }
    }
    pairs
}

/// How much of two pieces is the same words, in thousandths.
fn shared(a: &Piece<'_>, b: &Piece<'_>) -> usize {
    if a.is_row != b.is_row {
        return 0;
    }
    let all: usize = a.words.iter().chain(&b.words).map(|(_, len)| len).sum();
    let (mut i, mut j, mut same) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.words.get(i), b.words.get(j)) {
        match x.cmp(y) {
            std::cmp::Ordering::Equal => {
                same += x.1;
                (i, j) = (i + 1, j + 1);
            }
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
        }
    }
    // Rows share their bars: a row of which one cell stayed is still the same row.
    2000 * same / all.max(1)
}

/// The changed words of a pair on either side, as ranges of their lines, or `None` where more than 60 % changed.
fn within(old: &Piece<'_>, new: &Piece<'_>) -> Option<[Vec<Range<usize>>; 2]> {
    let cut = if old.is_row { cells } else { tokens };
    let cuts = [cut(old.text), cut(new.text)];
    let mut numbers = Numbers::default();
    let texts = [old.text, new.text];
    let keys =
        [0, 1].map(|side| cuts[side].iter().map(|range| numbers.of(&texts[side][range.clone()])).collect::<Vec<_>>());
    let runs = if old.is_row && cuts[0].len() == cuts[1].len() {
        // The same columns: each cell with its own.
        let differs = |n: &usize| keys[0][*n] != keys[1][*n];
        (0..keys[0].len())
            .filter(differs)
            .map(|n| crate::change::lines::Change { before: n..n + 1, after: n..n + 1 })
            .collect()
    } else {
        changes(&keys[0], &keys[1])
    };
    let mut marks = [Vec::new(), Vec::new()];
    for run in &runs {
        for (side, range) in [&run.before, &run.after].into_iter().enumerate() {
            marks[side].extend(cuts[side][range.clone()].iter().cloned());
        }
    }
    let weight = |side: usize, ranges: &[Range<usize>]| -> usize {
        ranges.iter().map(|range| texts[side][range.clone()].chars().filter(|c| !c.is_whitespace()).count()).sum()
    };
    let changed: usize = (0..2).map(|side| weight(side, &marks[side])).sum();
    let all: usize = (0..2).map(|side| weight(side, &cuts[side])).sum();
    if changed * 10 > all * 6 {
        return None;
    }
    for ((marks, piece), is_row) in marks.iter_mut().zip([old, new]).zip([old.is_row, new.is_row]) {
        if !is_row {
            join(marks, piece.text);
        }
        for range in marks.iter_mut() {
            *range = range.start + piece.range.start..range.end + piece.range.start;
        }
    }
    Some(marks)
}

/// The words of `text`, and what lies between them. No cut splits what is seen as one character.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut graphemes = text.grapheme_indices(true).map(|(at, _)| at).peekable();
    let mut tokens: Vec<Range<usize>> = Vec::new();
    for (at, word) in text.split_word_bound_indices() {
        while graphemes.next_if(|grapheme| *grapheme < at).is_some() {}
        let end = at + word.len();
        match tokens.last_mut() {
            Some(last) if graphemes.peek() != Some(&at) => last.end = end,
            _ => tokens.push(at..end),
        }
    }
    tokens
}

/// The cells of the row `text`, without the blanks around them.
fn cells(text: &str) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let mut start = 0;
    let mut escaped = false;
    for (at, c) in text.char_indices().chain([(text.len(), '|')]) {
        if c == '|' && !escaped {
            let cell = &text[start..at];
            let from = start + (cell.len() - cell.trim_start().len());
            cells.push(from..from + cell.trim().len());
            start = (at + 1).min(text.len());
        }
        escaped = c == '\\' && !escaped;
    }
    cells
}
