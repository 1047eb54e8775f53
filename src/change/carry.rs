//! Carrying: where a span of an older text stands in a newer one, or that nothing can be said for sure.
//!
//! A proposal was made on one version and is accepted on a later one. Its spans are carried through what changed since.
//! The span's words are never searched for in the new text, so it does not matter how often they stand there by now. What
//! is carried is carried to text that is the same, character for character; where the texts allow two readings, one of
//! which removed the span, it is not carried at all.
//!
//! Lines are compared first; inside lines that changed, words are, and a span needs words beside it that stayed. A change that could
//! as well lie a bit further up or down (a line added beside an equal one) is known with the whole range in which it
//! could lie.
//!
//! ```
//! use countersign::change::carry::Since;
//!
//! let since = Since::new("one\ntwo\n", "two\nzero\none\ntwo\n");
//! assert_eq!(since.span(&(4..7)), Some(13..16));
//! assert_eq!(Since::new("one\ntwo\n", "one\n2\n").span(&(4..7)), None);
//! ```

use std::ops::Range;

use super::lines;
use crate::numbers::Numbers;

/// What changed between two texts, to carry spans through.
#[derive(Clone, Debug)]
pub struct Since<'t> {
    base: &'t str,
    head: &'t str,
    /// By whole lines.
    lines: Vec<Change>,
    /// The same, by words where that says more.
    words: Vec<Change>,
}

/// One changed stretch, in bytes. Ascending, apart from each other.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    old: Range<usize>,
    new: Range<usize>,
    /// Where `old` could begin as well, with the same result.
    from: usize,
    to: usize,
    /// Whether it is of whole lines.
    whole: bool,
}

impl Change {
    /// The end of all of the old text that it may touch.
    fn reach(&self) -> usize {
        self.to + self.old.len()
    }

    fn grows(&self) -> isize {
        self.new.len() as isize - self.old.len() as isize
    }
}

impl<'t> Since<'t> {
    /// What changed from `base` to `head`.
    pub fn new(base: &'t str, head: &'t str) -> Self {
        if base == head {
            return Self { base, head, lines: Vec::new(), words: Vec::new() };
        }
        let lines = changes(base, head, 0, 0, lines_of);
        let mut words = Vec::with_capacity(lines.len());
        for change in &lines {
            if change.old.is_empty() || change.new.is_empty() {
                words.push(change.clone());
            } else {
                words.extend(inside(base, head, change));
            }
        }
        Self { base, head, lines, words }
    }

    /// Where the text of `span` stands now; `None` where it changed or may have. An empty span is a place to insert at:
    /// `None` where text was inserted there, or a line beside it changed.
    pub fn span(&self, span: &Range<usize>) -> Option<Range<usize>> {
        let carried = if span.is_empty() { self.place(span.start)? } else { self.text(span)? };
        // The law that everything else is for. It holds by construction, and is checked because it is the one that counts.
        (self.head.get(carried.clone())? == self.base.get(span.clone())?).then_some(carried)
    }

    fn text(&self, span: &Range<usize>) -> Option<Range<usize>> {
        let near = self.words.partition_point(|change| change.reach() < span.start);
        let mut shift = self.shift_before(&self.words, near);
        for change in self.words.iter().skip(near).take_while(|change| change.from <= span.end) {
            if change.old.is_empty() {
                // Of two equal lines side by side the first stays what it was, as one pastes below; of two equal words
                // nobody can say.
                if !change.whole && change.from <= span.start && change.to >= span.end {
                    return None;
                } else if change.to >= span.end {
                    continue;
                } else if change.from > span.start {
                    return None;
                }
            } else {
                let length = change.old.len();
                // Some reading removes all of the span.
                let covers = span.len() <= length
                    && change.from.max(span.end.saturating_sub(length)) <= change.to.min(span.start);
                if covers {
                    return None;
                } else if change.to >= span.end {
                    continue;
                } else if change.from + length > span.start {
                    return None;
                }
            }
            shift += change.grows();
        }
        let carried = span.start.checked_add_signed(shift)?..span.end.checked_add_signed(shift)?;
        self.is_held(span, &carried).then_some(carried)
    }

    /// Inside lines that changed, equal words may be a coincidence: what was cut here and pasted into the next line, or a
    /// word that any sentence has. There a span needs words beside it that stayed with it: three, or one where most of the
    /// line stayed; a span of whole lines, only the edge of what changed.
    fn is_held(&self, span: &Range<usize>, carried: &Range<usize>) -> bool {
        let run = self.lines.partition_point(|change| change.old.end < span.end);
        let Some(run) = self.lines.get(run).filter(|run| run.old.start <= span.start) else { return true };
        if run.old.is_empty() || run.new.is_empty() {
            return true;
        }
        let after = self.words.partition_point(|change| change.old.start < span.end);
        let before = after.checked_sub(1).and_then(|last| self.words.get(last));
        let before = before.map(|change| change.old.end).filter(|end| *end >= run.old.start);
        let after = self.words.get(after).map(|change| change.old.start).filter(|start| *start <= run.old.end);
        let (left, right) = (before.unwrap_or(run.old.start), after.unwrap_or(run.old.end));
        let words = |text: &str, range: Range<usize>| {
            let words = text.get(range).unwrap_or_default().split_whitespace();
            words.filter(|word| word.contains(char::is_alphanumeric)).take(3).count()
        };
        let (line, now) = (line_of(self.base, span), line_of(self.head, carried));
        match words(self.base, left..span.start) + words(self.base, span.end..right) {
            0 => {
                let alone = |text: &str, line: &Range<usize>, span: &Range<usize>| {
                    words(text, line.start..span.start) + words(text, span.end..line.end) == 0
                };
                let edge = before.is_none() || after.is_none();
                edge && alone(self.base, &line, span) && alone(self.head, &now, carried)
            }
            1 | 2 => {
                // As with word marks: no more than 60 % changed, on neither side.
                let stayed = |line: Range<usize>, side: fn(&Change) -> &Range<usize>| {
                    let first = self.words.partition_point(|change| side(change).end <= line.start);
                    let near = self.words.iter().skip(first).map(side).take_while(|side| side.start < line.end);
                    let changed: usize = near.map(|side| side.end.min(line.end) - side.start.max(line.start)).sum();
                    changed * 10 <= line.len() * 6
                };
                stayed(line, |change| &change.old) && stayed(now, |change| &change.new)
            }
            _ => true,
        }
    }

    fn place(&self, at: usize) -> Option<Range<usize>> {
        // The lines beside the place: the one that ends here and the one that begins here, or the one around it.
        let before = self.base.get(..at)?;
        let above = before.strip_suffix('\n').map_or(before, |line| line.strip_suffix('\r').unwrap_or(line));
        let first = above.rfind('\n').map_or(0, |line| line + 1);
        let after = self.base.get(at..)?;
        let last = after.find('\n').map_or(self.base.len(), |line| at + line + 1);
        let near = self.lines.partition_point(|change| change.reach() < first);
        for change in self.lines.iter().skip(near).take_while(|change| change.from <= last) {
            let apart = if change.old.is_empty() {
                change.to < at || change.from > at
            } else {
                change.reach() <= first || change.from >= last
            };
            if !apart {
                return None;
            }
        }
        // What is apart lies wholly on one side.
        let near = self.lines.partition_point(|change| change.old.start < at);
        let place = at.checked_add_signed(self.shift_before(&self.lines, near))?;
        Some(place..place)
    }

    /// How much the first `count` changes moved what follows.
    fn shift_before(&self, changes: &[Change], count: usize) -> isize {
        match count.checked_sub(1).and_then(|last| changes.get(last)) {
            Some(last) => last.new.end as isize - last.old.end as isize,
            None => 0,
        }
    }
}

/// The changes between two texts, token by token. `old_at` and `new_at` are where the texts begin.
fn changes(old: &str, new: &str, old_at: usize, new_at: usize, cut: fn(&str) -> Vec<Range<usize>>) -> Vec<Change> {
    let (old_cut, new_cut) = (cut(old), cut(new));
    // Equal tokens have equal numbers: the comparison is compiled for numbers alone.
    let mut numbers = Numbers::default();
    let old_numbers: Vec<u32> = old_cut.iter().map(|token| numbers.of(&old[token.clone()])).collect();
    let new_numbers: Vec<u32> = new_cut.iter().map(|token| numbers.of(&new[token.clone()])).collect();
    let start = |cut: &[Range<usize>], token: usize, length: usize| cut.get(token).map_or(length, |range| range.start);
    let runs = lines::changes(&old_numbers, &new_numbers);
    let mut found = Vec::with_capacity(runs.len());
    for (at, run) in runs.iter().enumerate() {
        let (old_run, new_run) = (&run.before, &run.after);
        let floor = at.checked_sub(1).and_then(|last| runs.get(last)).map_or(0, |last| last.before.end);
        let roof = runs.get(at + 1).map_or(old_numbers.len(), |next| next.before.start);
        let (up, down) = slack(&old_numbers, &new_numbers, old_run, new_run, floor, roof);
        let old_byte = |token| old_at + start(&old_cut, token, old.len());
        let new_byte = |token| new_at + start(&new_cut, token, new.len());
        found.push(Change {
            old: old_byte(old_run.start)..old_byte(old_run.end),
            new: new_byte(new_run.start)..new_byte(new_run.end),
            from: old_byte(old_run.start - up),
            to: old_byte(old_run.start + down),
            whole: true,
        });
    }
    found
}

/// How far an insertion or a removal could lie further up or down with the same result, between its neighbours.
fn slack(
    old: &[u32],
    new: &[u32],
    old_run: &Range<usize>,
    new_run: &Range<usize>,
    floor: usize,
    roof: usize,
) -> (usize, usize) {
    let (tokens, run) = match (old_run.is_empty(), new_run.is_empty()) {
        (true, false) => (new, new_run),
        (false, true) => (old, old_run),
        _ => return (0, 0),
    };
    let up = (0..old_run.start - floor).take_while(|n| tokens[run.start - 1 - n] == tokens[run.end - 1 - n]).count();
    let down = (0..roof - old_run.end).take_while(|n| tokens[run.start + n] == tokens[run.end + n]).count();
    (up, down)
}

/// The whole lines that `span` touches.
fn line_of(text: &str, span: &Range<usize>) -> Range<usize> {
    let (head, tail) = (text.get(..span.start).unwrap_or_default(), text.get(span.end..).unwrap_or_default());
    head.rfind('\n').map_or(0, |at| at + 1)..span.end + tail.find('\n').unwrap_or(tail.len())
}

/// A changed run of lines, by words; a very long one, as all between what both ends share: the time stays linear.
fn inside(base: &str, head: &str, change: &Change) -> Vec<Change> {
    const LONGEST: usize = 200_000;
    let (old, new) = (&base[change.old.clone()], &head[change.new.clone()]);
    if old.len().max(new.len()) <= LONGEST {
        let words = changes(old, new, change.old.start, change.new.start, words_of);
        return words.into_iter().map(|change| Change { whole: false, ..change }).collect();
    }
    let (old_cut, new_cut) = (words_of(old), words_of(new));
    let same = |(a, b): &(&Range<usize>, &Range<usize>)| old[(*a).clone()] == new[(*b).clone()];
    let front = old_cut.iter().zip(&new_cut).take_while(same).count();
    let shorter = old_cut.len().min(new_cut.len()) - front;
    let back = old_cut.iter().rev().zip(new_cut.iter().rev()).take(shorter).take_while(same).count();
    let between = |cut: &[Range<usize>], length: usize, at: usize| {
        let start = cut.get(front).map_or(length, |token| token.start);
        let end = cut.len().checked_sub(back + 1).and_then(|last| cut.get(last)).map_or(0, |token| token.end);
        at + start..at + end.max(start)
    };
    let old_run = between(&old_cut, old.len(), change.old.start);
    let new_run = between(&new_cut, new.len(), change.new.start);
    let (from, to) = (old_run.start, old_run.start);
    vec![Change { old: old_run, new: new_run, from, to, whole: false }]
}

/// Lines with their endings.
fn lines_of(text: &str) -> Vec<Range<usize>> {
    lines::lines(text).iter().map(|line| line.start..line.end()).collect()
}

/// Words, runs of blanks, and every other character alone, as are those of scripts that write without blanks. What
/// combines with the character before stays with it.
fn words_of(text: &str) -> Vec<Range<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Class {
        Word,
        Blank,
        Alone,
    }
    let class = |c: char| match c {
        ' ' | '\t' => Class::Blank,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => Class::Alone,
        '\u{2e80}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => Class::Alone,
        '_' => Class::Word,
        _ if c.is_alphanumeric() => Class::Word,
        _ => Class::Alone,
    };
    let combines = |c: char| matches!(c, '\u{0300}'..='\u{036f}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}');
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut last = Class::Alone;
    for (at, c) in text.char_indices() {
        let next = class(c);
        match words.last_mut() {
            Some(word) if combines(c) || (next == last && next != Class::Alone) => word.end = at + c.len_utf8(),
            _ => {
                words.push(at..at + c.len_utf8());
                last = next;
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `base` and `head` with the span in `⟦⟧`; none in `head`: it is not carried. An empty span is a place.
    fn check(base: &str, head: &str) {
        let cut = |text: &str| {
            let span = text.find('⟦').map(|start| start..text.find('⟧').unwrap() - '⟦'.len_utf8());
            (text.replace(['⟦', '⟧'], ""), span)
        };
        let ((base, span), (head, expected)) = (cut(base), cut(head));
        assert_eq!(Since::new(&base, &head).span(&span.unwrap()), expected, "{base:?} → {head:?}");
    }

    #[test]
    fn carries_what_stayed() {
        check("a\n⟦b⟧\nc\n", "a\n⟦b⟧\nc\n");
        check("a\n\n⟦b⟧\n\nc\n", "new\n\na\n\n⟦b⟧\n\nc\n\nb\n");
        // The same words twice, above and below; copies that touch stand below what they copy.
        check("a\n\n⟦b⟧\n\nc\n", "b\n\na\n\n⟦b⟧\n\nc\n\nb\n");
        check("a\n⟦b⟧\nc\n", "a\n⟦b⟧\nb\nc\n");
        // Another block moved.
        check("a\n\n⟦b⟧\n\nc\n\nd\n", "d\n\na\n\n⟦b⟧\n\nc\n");
        // In a line that changed elsewhere.
        check("Due on Friday at ⟦42,000⟧ EUR.\n", "Due on Monday at ⟦42,000⟧ EUR, net.\n");
        check("Due ⟦on Friday⟧.", "Due ⟦on Friday⟧.\n");
        check("one\n⟦two⟧", "one\n⟦two⟧\n\nthree\n");
        check("一二⟦三⟧四五", "一二⟦三⟧四五六七");
        // Text beside it, not in it.
        check("Due ⟦on Friday⟧, all.\n", "Due ⟦on Friday⟧ or later, all.\n");
    }

    #[test]
    fn does_not_carry_what_changed_or_may_have() {
        check("a\n⟦b⟧\nc\n", "a\nB\nc\n");
        check("a\n⟦b⟧\nc\n", "a\nc\n\nb\n");
        check("Due on ⟦Friday⟧.\n", "Due on Fridays.\n");
        check("cost ⟦42⟧ here\n", "cost 421 here\n");
        // One of two equal lines went: which, nobody can say.
        check("a\n⟦b⟧\nb\nc\n", "a\nb\nc\n");
        // The same word twice, side by side.
        check("five ⟦six⟧ seven eight\n", "five six or six seven eight\n");
        check("one two\n⟦three⟧\n", "one two\nor three or three\n");
        // Cut here and pasted below.
        check("one two three ⟦four⟧\nnext\n", "one two three\nnew four\nnext\n");
        check("⟦one⟧ two three four\nnext\n", "one new\ntwo three four\nnext\n");
        // Another text in which a word is the same.
        check("The price is ⟦42⟧ for all.\n", "We shall see whether Bo can do it in 42 days.\n");
    }

    #[test]
    fn places_need_their_neighbours() {
        check("a\n⟦⟧b\nc\n", "new\na\n⟦⟧b\nC\n");
        check("a\nb\n⟦⟧", "A\nb\n⟦⟧");
        check("⟦⟧a\nb\n", "⟦⟧a\nB\n");
        for head in ["a\nnew\nb\nc\n", "A\nb\nc\n", "a\nB\nc\n", "b\nc\n", "a\nc\n", "a\na\nb\nc\n", "a\nb\nb\nc\n"] {
            check("a\n⟦⟧b\nc\n", head);
        }
        check("a\n⟦⟧", "a\nb\n");
        check("⟦⟧a\n", "b\na\n");
        // The same gap between two paragraphs.
        check("a\n\n⟦⟧b\n", "a\n\nnew\n\nb\n");
    }
}
