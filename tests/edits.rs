//! Edits land in one exact place or are refused (§4): the cases of `fixtures/edits.json`, and the laws.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod generate;

use std::ops::Range;

use countersign::change::edits::{Applied, Edit, EditOptions, Refusal, RefusedEdits, apply_edits, apply_edits_with};
use countersign::change::endings::{LineView, fold};
use countersign::change::occurrences::Occurrences;
use countersign::change::splice;
use countersign::document::blocks::blocks;
use generate::Random;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    name: String,
    markdown: Option<String>,
    markdown_file: Option<String>,
    edits: Vec<CaseEdit>,
    expect: Expect,
}

#[derive(Deserialize)]
struct CaseEdit {
    find: String,
    replace: String,
    block: Option<usize>,
}

#[derive(Deserialize)]
struct Expect {
    ok: bool,
    markdown: Option<String>,
    applied: Option<Vec<[usize; 3]>>,
    reasons: Option<Vec<String>>,
    #[serde(default)]
    mentions: Vec<String>,
    count: Option<usize>,
    lines: Option<Vec<usize>>,
}

fn fixture(name: &str) -> String {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn utf16(text: &str, range: &Range<usize>) -> [usize; 2] {
    [range.start, range.end].map(|at| text[..at].encode_utf16().count())
}

#[test]
fn cases() {
    for file in ["edits.json", "edits-more.json"] {
        let cases: Vec<Case> = serde_json::from_str(&fixture(file)).unwrap();
        for case in cases {
            let Case { name, markdown, markdown_file, edits, expect } = case;
            let text = markdown.unwrap_or_else(|| fixture(&markdown_file.unwrap()));
            let edits: Vec<Edit> = edits
                .into_iter()
                .map(|edit| Edit { find: edit.find, replace: edit.replace, block: edit.block })
                .collect();
            match apply_edits(&text, &edits) {
                Ok(applied) => check_applied(&name, &text, &applied, &expect),
                Err(refused) => check_refused(&name, &refused, &edits, &expect),
            }
        }
    }
}

fn check_applied(name: &str, text: &str, applied: &Applied, expect: &Expect) {
    assert!(expect.ok, "{name}: landed");
    assert_eq!(Some(&applied.text), expect.markdown.as_ref(), "{name}");
    if let Some(rows) = &expect.applied {
        let real: Vec<[usize; 3]> = applied
            .applied
            .iter()
            .map(|landed| {
                let [start, end] = utf16(text, &landed.range);
                [start, end, landed.block]
            })
            .collect();
        assert_eq!(&real, rows, "{name}");
    }
}

fn check_refused(name: &str, refused: &RefusedEdits, edits: &[Edit], expect: &Expect) {
    println!("{name}\n{}\n", refused.message);
    assert!(!expect.ok, "{name}: {}", refused.message);
    let reasons: Vec<&str> = refused.refusals.iter().map(|refusal| refusal.reason.name()).collect();
    assert_eq!(&reasons, expect.reasons.as_ref().unwrap(), "{name}: {}", refused.message);
    assert_eq!(refused.reason, refused.refusals[0].reason, "{name}");
    for part in &expect.mentions {
        assert!(refused.message.contains(part), "{name}: {part:?} is not in {:?}", refused.message);
    }
    let first = &refused.refusals[0];
    assert_eq!(first.count, expect.count, "{name}");
    if let Some(lines) = &expect.lines {
        let real: Vec<usize> = first.places.iter().map(|place| place.line).collect();
        assert_eq!(&real, lines, "{name}");
    }
    for refusal in &refused.refusals {
        assert!(refusal.message.chars().count() < 600, "{name}: {}", refusal.message);
        let find = &edits[refusal.edit].find;
        assert!(find.chars().count() < 12 || !refusal.message.contains(find), "{name}: echoes {find:?}");
    }
}

/// A random document of lines that repeat now and then, with one line ending or with all of them.
fn document(random: &mut Random) -> String {
    const LINES: [&str; 10] = [
        "# Plan",
        "Ship on Friday — or don’t.",
        "- [ ] a task",
        "| a | b |",
        "",
        "aaa",
        "```",
        "It's 10\u{a0}000, “quoted”.",
        "日本語の行。",
        "👩\u{200d}🚀 e\u{301}",
    ];
    const ENDINGS: [&[&str]; 4] = [&["\n"], &["\r\n"], &["\r\n", "\n"], &["\r\n", "\n", "\r"]];
    let endings = ENDINGS[random.below(ENDINGS.len())];
    let mut text = String::from(if random.once_in(8) { "\u{feff}" } else { "" });
    for _ in 0..random.below(14) {
        text.push_str(LINES[random.below(LINES.len())]);
        text.push_str(endings[random.below(endings.len())]);
    }
    if random.once_in(2) {
        text.push_str("the last line");
    }
    text
}

/// A stretch of the text as it reads with LF.
fn stretch(random: &mut Random, view: &str) -> Range<usize> {
    let at: Vec<usize> = view.char_indices().map(|(at, _)| at).chain([view.len()]).collect();
    let start = random.below(at.len());
    let length = 1 + random.below(24);
    at[start]..at[(start + length).min(at.len() - 1)]
}

/// Random edits: most stand in the text, some are bent, some scoped to a block that may be the wrong one.
fn edits_for(random: &mut Random, text: &str) -> Vec<Edit> {
    const WORDS: [&str; 6] = ["", "x", "new\nlines\nhere", "$& and $1", "’", "aa"];
    let view = fold(text);
    let count = random.below(5);
    (0..count)
        .map(|_| {
            let mut find = view[stretch(random, &view)].to_owned();
            if random.once_in(8) {
                find.push('§');
            }
            if random.once_in(8) {
                find = find.replace('\n', "\r\n");
            }
            let block = random.once_in(4).then(|| random.below(6));
            Edit { find, replace: WORDS[random.below(WORDS.len())].to_owned(), block }
        })
        .collect()
}

/// One edit by the rules of §4, written as plainly as can be: where it stands on the view.
fn expected(view: &str, edit: &Edit) -> Result<Range<usize>, &'static str> {
    let find = fold(&edit.find);
    if find.is_empty() {
        return Err("empty-find");
    }
    if find == fold(&edit.replace) {
        return Err("no-change");
    }
    let within = match edit.block {
        None => 0..view.len(),
        Some(block) => blocks(view).get(block).ok_or("no-such-block")?.range.clone(),
    };
    let places: Vec<usize> =
        (within.start..within.end).filter(|&at| view.as_bytes()[at..within.end].starts_with(find.as_bytes())).collect();
    match places[..] {
        [] => Err("not-found"),
        [at] => Ok(at..at + find.len()),
        _ => Err("ambiguous"),
    }
}

#[test]
fn law_edits_land_where_they_stand_and_change_nothing_else() {
    let (mut landed, mut refused) = (0, 0);
    for seed in 0..60_000 {
        let mut random = Random::new(seed);
        let text = document(&mut random);
        let edits = edits_for(&mut random, &text);
        let view = fold(&text);
        let expected: Vec<_> = edits.iter().map(|edit| expected(&view, edit)).collect();
        match apply_edits(&text, &edits) {
            Ok(applied) => {
                landed += 1;
                assert_eq!(applied.text, splice(&text, &applied.splices), "seed {seed}");
                assert_eq!(applied.applied.len(), edits.len(), "seed {seed}");
                for ((edit, landed), expected) in edits.iter().zip(&applied.applied).zip(&expected) {
                    assert_eq!(fold(&text[landed.range.clone()]), fold(&edit.find), "seed {seed}");
                    assert_eq!(
                        fold(&text[..landed.range.start]).len(),
                        expected.as_ref().unwrap().start,
                        "seed {seed}"
                    );
                    // No pair is torn apart.
                    for at in [landed.range.start, landed.range.end] {
                        assert!(!(text[..at].ends_with('\r') && text[at..].starts_with('\n')), "seed {seed}");
                    }
                    let splice = applied.splices.iter().find(|splice| splice.range == landed.range).unwrap();
                    assert_eq!(fold(&splice.text), fold(&edit.replace), "seed {seed}");
                }
                // The order of the list is no part of the meaning.
                let reversed: Vec<Edit> = edits.iter().rev().cloned().collect();
                assert_eq!(apply_edits(&text, &reversed).unwrap().text, applied.text, "seed {seed}");
                // Accepting a subset of the splices is applying that subset of the edits.
                let chosen: Vec<usize> = (0..edits.len()).filter(|_| random.once_in(2)).collect();
                let some: Vec<Edit> = chosen.iter().map(|&index| edits[index].clone()).collect();
                let ranges: Vec<_> = chosen.iter().map(|&index| applied.applied[index].range.clone()).collect();
                let splices: Vec<_> =
                    applied.splices.iter().filter(|splice| ranges.contains(&splice.range)).cloned().collect();
                assert_eq!(apply_edits(&text, &some).unwrap().text, splice(&text, &splices), "seed {seed}");
            }
            Err(refusal) => {
                refused += 1;
                let reasons = |refusals: &[Refusal]| -> Vec<(usize, &str)> {
                    refusals.iter().map(|refusal| (refusal.edit, refusal.reason.name())).collect()
                };
                let told = reasons(&refusal.refusals);
                let alone: Vec<(usize, &str)> = expected
                    .iter()
                    .enumerate()
                    .filter_map(|(index, expected)| expected.as_ref().err().map(|reason| (index, *reason)))
                    .collect();
                let others: Vec<(usize, &str)> =
                    told.iter().filter(|(_, reason)| *reason != "overlap").copied().collect();
                assert_eq!(others, alone, "seed {seed}");
                assert!(told.is_sorted(), "seed {seed}");
                for refusal in refusal.refusals.iter().filter(|refusal| refusal.with.is_some()) {
                    let (one, other) =
                        (expected[refusal.edit].as_ref().unwrap(), expected[refusal.with.unwrap()].as_ref().unwrap());
                    assert!(
                        refusal.with < Some(refusal.edit) && one.start < other.end && other.start < one.end,
                        "seed {seed}"
                    );
                }
                // Turned round, the same edits fail, but for which of two that overlap.
                let reversed: Vec<Edit> = edits.iter().rev().cloned().collect();
                let turned = apply_edits(&text, &reversed).unwrap_err();
                let turned: Vec<(usize, &str)> = reasons(&turned.refusals)
                    .into_iter()
                    .rev()
                    .filter(|(_, reason)| *reason != "overlap")
                    .map(|(index, reason)| (edits.len() - 1 - index, reason))
                    .collect();
                assert_eq!(turned, alone, "seed {seed}");
                for refusal in &refusal.refusals {
                    assert!(refusal.message.chars().count() < 600, "seed {seed}");
                    assert!(
                        refusal.places.len() <= 5 && refusal.count.is_none_or(|count| count >= refusal.places.len())
                    );
                }
            }
        }
    }
    println!("{landed} lists landed, {refused} were refused");
    assert!(landed > 5_000 && refused > 5_000);
}

#[test]
fn occurrences_overlap_as_a_plain_count_says() {
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let letters = |random: &mut Random, most| {
            (0..random.below(most)).map(|_| *random.pick(&['a', 'b', 'é'])).collect::<String>()
        };
        let (needle, hay) = (letters(&mut random, 5), letters(&mut random, 40));
        let plain: Vec<usize> = match needle.as_str() {
            "" => Vec::new(),
            needle => hay.char_indices().filter(|(at, _)| hay[*at..].starts_with(needle)).map(|(at, _)| at).collect(),
        };
        assert_eq!(Occurrences::of(&needle, &hay).collect::<Vec<_>>(), plain, "seed {seed}");
    }
}

#[test]
fn a_view_leads_back_to_the_bytes_at_every_place() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let text: String = (0..random.below(400)).map(|_| document(&mut random)).collect();
        let view = LineView::of(&text);
        assert_eq!(view.text(), text.replace("\r\n", "\n").replace('\r', "\n"), "seed {seed}");
        let mut source = 0;
        for (at, c) in view.text().char_indices() {
            assert_eq!(view.source(&(at..at)), source..source, "seed {seed}");
            assert_eq!(view.view_at(source), at, "seed {seed}");
            source += if text[source..].starts_with("\r\n") { 2 } else { c.len_utf8() };
        }
        let at = stretch(&mut random, view.text()).start;
        assert_eq!(view.line(at), view.text()[..at].matches('\n').count() + 1, "seed {seed}");
    }
}

#[test]
fn an_older_version_is_named_where_the_text_stood_there() {
    let older = [(3, "The price is 40.\r\nFixed.\n"), (4, "The price is 41.\n")];
    let edit = Edit { find: "The price is 40.\nFixed.".into(), replace: "It is 50.".into(), block: None };
    let options = EditOptions { older: &older, ..EditOptions::default() };
    let refused = apply_edits_with("It is 42.\n", std::slice::from_ref(&edit), &options).unwrap_err();
    assert!(refused.message.contains("It was in version 3"), "{}", refused.message);
}

#[test]
fn sizes_that_are_wrong_are_said() {
    let grow = Edit { find: "b".into(), replace: "x".repeat(100), block: None };
    let options = EditOptions { max_bytes: 50, ..EditOptions::default() };
    let refused = apply_edits_with("abc", std::slice::from_ref(&grow), &options).unwrap_err();
    assert_eq!(refused.refusals[0].reason.name(), "too-large");
    assert!(refused.message.contains("102 bytes") && refused.message.contains("50"), "{}", refused.message);
    let million = vec![grow.clone(); 1_000_000];
    let refused = apply_edits("abc", &million).unwrap_err();
    assert!(refused.reason.name() == "too-large" && refused.message.contains("1000000"), "{}", refused.message);
    // What is not there costs a bounded look, however large it is.
    let huge = Edit { find: "abc def ".repeat(650_000), ..grow.clone() };
    assert_eq!(apply_edits("abc def", &[huge]).unwrap_err().reason.name(), "not-found");
    let same = vec![grow; 10_000];
    let refused = apply_edits("abc", &same).unwrap_err();
    assert_eq!((refused.refusals.len(), refused.refusals[9_998].with), (9_999, Some(0)));
    assert!(refused.message.len() < 20_000, "{}", refused.message.len());
}

/// Inputs on which a careless search takes forever. There is no clock here: a search that is not linear does not return.
#[test]
fn repetitive_texts_take_no_longer_than_others() {
    let text = "a".repeat(1_000_000);
    let edit = |find: String| Edit { find, replace: "x".into(), block: None };
    let refused = apply_edits(&text, &[edit("a".repeat(500_000))]).unwrap_err();
    assert_eq!(refused.refusals[0].count, Some(500_001));
    let edits: Vec<Edit> = (0..40).map(|index| edit("a".repeat(5_000 + index) + "b")).collect();
    assert_eq!(apply_edits(&text, &edits).unwrap_err().refusals.len(), 40);
    for part in ["](", "[", "<a", "&#", "ab\r\n", "| a ", "**a", "> "] {
        let text = part.repeat(1_000_000 / part.len());
        let refused = apply_edits(&text, &[edit(format!("{part}§{part}")), edit("zz yy xx".into())]).unwrap_err();
        assert_eq!(refused.refusals.len(), 2, "{part}");
    }
}
