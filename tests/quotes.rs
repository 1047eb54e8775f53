//! Quoting: from what is shown to exact source, by cases and by laws on generated documents.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod generate;

use std::ops::Range;

use countersign::Reason;
use countersign::change::edits::{Edit, apply_edits};
use countersign::document::inline::{Runs, Shown, Step, inline};
use countersign::document::quote::{
    Located, Quote, Source, format_quotes, locate_quote, quote_blocks, quote_range, quote_ranges,
};
use generate::Random;
use generate::markdown::Generator;
use serde::Deserialize;
use unicode_segmentation::UnicodeSegmentation;

fn source(text: &str) -> Source {
    Source { document: "d1".into(), title: "Plan".into(), version: 3, text: text.into() }
}

#[derive(Deserialize)]
struct Case {
    name: String,
    markdown: Option<String>,
    #[serde(rename = "markdownFile")]
    file: Option<String>,
    start: (String, i32),
    end: (String, i32),
    expect: Expect,
}

/// What of a quote the case is about.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    exact: Option<String>,
    #[serde(rename = "startsAt")]
    starts_at: Option<usize>,
    occurrence: Option<usize>,
    of: Option<usize>,
    blocks: Option<(usize, usize)>,
    source: Option<String>,
    rows: Option<(usize, usize)>,
    columns: Option<(usize, usize)>,
    anchor: Option<String>,
    #[serde(default)]
    refused: bool,
}

/// All that is shown, and for each of its bytes the source range that it came from.
fn shown(text: &str, runs: &Runs) -> (String, Vec<Range<usize>>) {
    let (mut all, mut from) = (String::new(), Vec::new());
    for step in &runs.steps {
        match *step {
            Step::Piece(piece) => {
                let piece = &runs.pieces[piece];
                let words = runs.shown(text, piece);
                let range = piece.range.clone();
                all.push_str(words);
                from.extend((0..words.len()).map(|at| match piece.shown {
                    Shown::Verbatim => range.start + at..range.start + at + 1,
                    _ => range.clone(),
                }));
            }
            Step::Open(node) | Step::Close(node) if !runs.nodes[node].is_inline() => {
                // What stands in two blocks does not read as one.
                all.push('\u{1}');
                from.push(0..0);
            }
            _ => {}
        }
    }
    (all, from)
}

/// Where the `which`th `words` begin in `all` (-1: the last).
fn place(all: &str, words: &str, which: i32) -> usize {
    let starts = all.char_indices().map(|(at, _)| at).filter(|&at| all[at..].starts_with(words));
    let starts: Vec<_> = starts.collect();
    let index = if which < 0 { starts.len() - 1 } else { which as usize - 1 };
    *starts.get(index).unwrap_or_else(|| panic!("{words:?} stands {} times in {all:?}", starts.len()))
}

fn check_cases(json: &str) {
    for case in serde_json::from_str::<Vec<Case>>(json).unwrap() {
        let text = match &case.file {
            Some(file) => std::fs::read_to_string(format!("tests/fixtures/{file}")).unwrap(),
            None => case.markdown.clone().unwrap(),
        };
        let runs = inline(&text, &[]);
        let (all, from) = shown(&text, &runs);
        let start = from[place(&all, &case.start.0, case.start.1)].start;
        let end = from[place(&all, &case.end.0, case.end.1) + case.end.0.len() - 1].end;
        let quoted = quote_range(&source(&text), start..end);
        let Case { name, expect, .. } = case;
        assert_eq!(quoted.is_err(), expect.refused, "{name}");
        let Ok(quote) = quoted else { continue };
        let same = |what: &str, ok: bool| assert!(ok, "{name}: {what} of {quote:?}");
        same("exact", expect.exact.is_none_or(|exact| exact == quote.exact.text));
        let before = text[..quote.exact.range.start].encode_utf16().count();
        same("startsAt", expect.starts_at.is_none_or(|at| at == before));
        same("occurrence", expect.occurrence.is_none_or(|number| number == quote.exact.occurrence));
        same("of", expect.of.is_none_or(|number| number == quote.exact.of));
        same("blocks", expect.blocks.is_none_or(|blocks| blocks == quote.blocks));
        same("source", expect.source.is_none_or(|source| source == quote.source));
        same("rows", expect.rows == quote.table.map(|table| table.rows));
        same("columns", expect.columns == quote.table.map(|table| table.columns));
        same("anchor", expect.anchor.is_none_or(|anchor| anchor == quote.anchor));
        check(&text, &quote);
    }
}

#[test]
fn what_is_selected_gives_the_source_that_the_cases_say() {
    check_cases(include_str!("fixtures/quotes.json"));
    check_cases(include_str!("fixtures/quotes-more.json"));
}

/// What holds of every quote of `text`.
fn check(text: &str, quote: &Quote) {
    let exact = &quote.exact;
    assert_eq!(text[exact.range.clone()], exact.text);
    assert_eq!(text[quote.range.clone()], quote.source);
    let starts: Vec<_> =
        text.char_indices().map(|(at, _)| at).filter(|&at| text[at..].starts_with(&exact.text)).collect();
    assert_eq!(starts.len(), exact.of);
    assert_eq!(starts[exact.occurrence - 1], exact.range.start);
    let clusters: Vec<usize> = text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect();
    assert!(clusters.binary_search(&exact.range.start).is_ok() && clusters.binary_search(&exact.range.end).is_ok());
    // The anchor is what an edit can find, and it is around what was selected.
    assert!(quote.anchor.contains(&exact.text));
    let edit = Edit { find: quote.anchor.clone(), replace: format!("{}!", quote.anchor), block: None };
    let applied = apply_edits(text, &[edit]).expect("the anchor stands once");
    let at = applied.splices[0].range.clone();
    assert!(at.start <= exact.range.start && exact.range.end <= at.end, "{at:?} around {:?}", exact.range);
    assert_eq!(locate_quote(quote, text), Located::Same(exact.range.clone()));
}

#[test]
fn quotes_keep_their_laws_on_generated_documents() {
    for number in 0..20_000 {
        let text = Generator::new(number).document();
        let law = || {
            let mut random = Random::new(number);
            let of = source(&text);
            let place = |random: &mut Random| {
                let mut at = random.below(text.len() + 1);
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let mut ends = [place(&mut random), place(&mut random), place(&mut random), place(&mut random)];
            ends.sort_unstable();
            let [a, b, c, d] = ends;
            let inner = quote_range(&of, b..c);
            let outer = quote_range(&of, a..d);
            if let Ok(inner) = &inner {
                check(&text, inner);
                let outer = outer.as_ref().expect("a larger selection selects no less");
                let (small, large) = (&inner.exact.range, &outer.exact.range);
                assert!(large.start <= small.start && small.end <= large.end, "{large:?} around {small:?}");
            }
            if let Ok(outer) = &outer {
                check(&text, outer);
            }
            let all = quote_range(&of, 0..text.len());
            if !inline(&text, &[]).blocks.is_empty() {
                assert_eq!(all.expect("all can be quoted").exact.text, text);
            }
        };
        assert!(std::panic::catch_unwind(law).is_ok(), "document {number}: {text:?}");
    }
}

#[test]
fn what_is_no_range_or_shows_nothing_is_refused() {
    let of = source("é **a**\n\n---\n\n[x]: /u\n\n");
    for (start, end) in [(0, 99), (99, 99), (3, 2), (1, 3), (0, 1), (0, 0), (2, 3), (3, 5), (8, 12), (8, 22), (2, 2)] {
        #[allow(clippy::reversed_empty_ranges, reason = "what a careless caller gives")]
        let refused = quote_range(&of, start..end).expect_err("nothing to quote");
        assert_eq!(refused.reason, Reason::BadRange, "{start}..{end}");
    }
    assert_eq!(quote_ranges(&of, &[]).unwrap_err().reason, Reason::BadRange);
    assert_eq!(quote_range(&source(" \n"), 0..2).unwrap_err().reason, Reason::BadRange);
    let refused = quote_blocks(&of, 1, 3).unwrap_err();
    assert_eq!(refused.message, "the document has 3 blocks: give two of 0 to 2, the smaller first");
    assert_eq!(quote_blocks(&of, 2, 1).unwrap_err().reason, Reason::BadRange);
}

#[test]
fn whole_blocks_are_quoted_as_they_stand_also_where_they_show_nothing() {
    let of = source("# a\n\n[x]: /u\n\n- b\n- c\n\n\n");
    let quote = quote_blocks(&of, 1, 2).unwrap();
    assert_eq!((quote.source.as_str(), quote.exact.text.as_str()), ("[x]: /u\n\n- b\n- c", "[x]: /u\n\n- b\n- c"));
    let heading = quote_range(&of, 0..3).unwrap();
    assert_eq!(heading.exact.text, "# a", "a block that is marked from end to end keeps its marks");
    let tripled = quote_range(&of, 2..16).unwrap();
    assert_eq!((tripled.exact.text.as_str(), tripled.blocks), ("a", (0, 0)), "nothing of the list is selected");
}

#[test]
fn stretches_out_of_source_order_are_kept_and_enclosed() {
    let text = "One[^n] two.\n\n[^n]: The note.\n\nThree.\n";
    let at = |words: &str| text.find(words).unwrap()..text.find(words).unwrap() + words.len();
    let quote = quote_ranges(&source(text), &[at("two."), at("Three."), at("The note.")]).unwrap();
    assert_eq!(quote.ranges, Some(vec![at("two."), at("Three."), at("The note.")]));
    assert_eq!((quote.blocks, quote.exact.text.as_str()), ((0, 2), "two.\n\n[^n]: The note.\n\nThree."));
    check(text, &quote);
    let joined = quote_ranges(&source(text), &[at("two."), at("The note."), at("Three.")]).unwrap();
    assert_eq!((joined.ranges, joined.exact.range), (None, quote.exact.range), "what meets is one stretch");
}

#[test]
fn cells_that_a_browser_gives_one_by_one_are_their_union() {
    let text = "| a | b | c |\n|---|---|---|\n| d | e | f |\n| g | h | i |\n";
    let at = |words: &str| text.find(words).unwrap()..text.find(words).unwrap() + words.len();
    let quote = quote_ranges(&source(text), &[at("e"), at("f"), at("h"), at("i")]).unwrap();
    let table = quote.table.unwrap();
    assert_eq!((table.rows, table.columns), ((1, 2), (1, 2)));
    assert_eq!(quote.ranges, Some(vec![at("e").start..at("f").end, at("h").start..at("i").end]));
}

#[test]
fn a_message_shows_each_quote_and_which_words_were_meant() {
    let text = "# Plan\n\nRun ````` a ````` now.\n\nEnd\n";
    let of = source(text);
    let whole = quote_blocks(&of, 0, 2).unwrap();
    let words = quote_range(&of, text.find("now").unwrap()..text.find("now").unwrap() + 3).unwrap();
    assert_eq!(
        format_quotes(&[whole, words]),
        "Quoted from \"Plan\" (d1 v3, blocks 0–2):\n\
         ``````markdown\n# Plan\n\nRun ````` a ````` now.\n\nEnd\n``````\n\
         \n\
         Quoted from \"Plan\" (d1 v3, block 1):\n\
         ``````markdown\nRun ````` a ````` now.\n``````\n\
         Selected:\n\
         ```markdown\nnow\n```"
    );
    assert_eq!(format_quotes(&[]), "");
    let all = quote_range(&of, 0..text.len()).unwrap();
    assert!(!format_quotes(&[all]).contains("Selected:"), "blank ends aside, it is all of the source");
    let unstored = Source { document: String::new(), version: 0, ..of };
    assert!(
        format_quotes(&[quote_blocks(&unstored, 2, 2).unwrap()])
            .starts_with("Quoted from \"Plan\" (block 2):\n```markdown\n")
    );
}

#[test]
fn a_quote_is_found_again_where_its_words_are_unchanged() {
    let text = "The cat sat.\n\nThe dog ran.\n";
    let quote = quote_range(&source(text), 18..21).unwrap();
    assert_eq!(quote.exact.text, "dog");
    let located = |later: &str| locate_quote(&quote, later);
    assert_eq!(located(text), Located::Same(18..21), "after a restore");
    assert_eq!(
        located("The cat sat.\n\nThe dog ran. A dog!\n"),
        Located::Same(18..21),
        "twice now, but still at its place"
    );
    assert_eq!(located("A cat.\n\nThe dog ran.\n"), Located::Moved(12..15), "after an edit before");
    assert_eq!(located("The cat sat.\n\nThe hog ran.\n"), Located::Changed, "after an edit inside");
    assert_eq!(located("The dog: a dog.\n"), Located::Changed, "twice elsewhere");
    assert_eq!(located(""), Located::Changed);
    assert_eq!(located("é"), Located::Changed);
}
