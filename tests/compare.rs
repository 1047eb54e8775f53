//! Comparing: every change is shown once, in its place, with the words that changed; and what is shown is what is applied.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

mod generate;

use countersign::change::diff::{DiffLine, Hunk, Sign, compare, count_lines, hunks_of};
use countersign::change::{Splice, splice};
use generate::Random;
use serde::Deserialize;
use unicode_segmentation::UnicodeSegmentation;

/// A hunk as a fixture shows it: lines with their signs, changed words in ⟪ ⟫, no margins.
#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Shown {
    lines: Vec<String>,
    #[serde(default)]
    notes: Vec<String>,
    block: Option<usize>,
    heading: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    before: String,
    after: String,
    counts: Option<(usize, usize)>,
    hunks: Vec<Shown>,
}

fn show(line: &DiffLine) -> String {
    let mut shown = String::from(match line.sign {
        Sign::Context => " ",
        Sign::Removed => "-",
        Sign::Added => "+",
    });
    let mut at = 0;
    for words in &line.words {
        shown += &line.text[at..words.start];
        shown = shown + "⟪" + &line.text[words.clone()] + "⟫";
        at = words.end;
    }
    shown + &line.text[at..]
}

#[test]
fn hunks_show_what_changed() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("fixtures/compare.json")).unwrap();
    for case in cases {
        let comparison = compare(&case.before, &case.after);
        check_laws(&case.before, &case.after);
        let shown: Vec<Shown> = comparison
            .hunks
            .iter()
            .zip(&case.hunks)
            .map(|(hunk, expected)| Shown {
                lines: hunk.lines.iter().filter(|l| l.sign != Sign::Context).map(show).collect(),
                notes: hunk.notes.clone(),
                block: expected.block.map(|_| hunk.block),
                heading: expected.heading.as_ref().and(hunk.heading.clone()),
            })
            .collect();
        assert_eq!(shown, case.hunks, "{}", case.name);
        assert_eq!(comparison.hunks.len(), case.hunks.len(), "{}: {:#?}", case.name, comparison.hunks);
        if let Some(counts) = case.counts {
            assert_eq!((comparison.added, comparison.removed), counts, "{}", case.name);
        }
        assert!(comparison.precise, "{}", case.name);
    }
}

fn contents(text: &str) -> Vec<String> {
    text.replace("\r\n", "\n").replace('\r', "\n").lines().map(str::to_owned).collect()
}

fn check_hunk(hunk: &Hunk, case: &dyn Fn() -> String) {
    let of = |sign: Sign| hunk.lines.iter().filter(|line| line.sign == sign).count();
    assert!(of(Sign::Removed) <= hunk.before.lines && of(Sign::Added) <= hunk.after.lines, "{}", case());
    for line in &hunk.lines {
        let mut bounds: Vec<usize> = line.text.grapheme_indices(true).map(|(at, _)| at).collect();
        bounds.push(line.text.len());
        let mut done = 0;
        for words in &line.words {
            assert!(words.start >= done && words.start < words.end, "{line:?}{}", case());
            assert!(bounds.contains(&words.start) && bounds.contains(&words.end), "{line:?}{}", case());
            done = words.end;
        }
        assert!(line.words.is_empty() || line.sign != Sign::Context);
    }
}

fn check_laws(before: &str, after: &str) {
    let comparison = compare(before, after);
    let case = || format!("\nbefore {before:?}\nafter {after:?}\n{comparison:#?}");
    assert_eq!(splice(before, &comparison.splices), after, "{}", case());
    assert_eq!(comparison.hunks.len(), comparison.splices.len(), "{}", case());
    assert_eq!(comparison.hunks.is_empty(), before == after, "{}", case());
    assert_eq!((comparison.added, comparison.removed), count_lines(before, after), "{}", case());
    assert_eq!(count_lines(after, before), (comparison.removed, comparison.added), "as many the other way{}", case());
    let (old, new) = (contents(before), contents(after));
    let mut at = [0, 0];
    for (n, hunk) in comparison.hunks.iter().enumerate() {
        assert_eq!(hunk.index, n);
        check_hunk(hunk, &case);
        // Between hunks the texts are the same, and a hunk shows all that changed, verbatim, with the lines around it.
        let (b, a) = (hunk.before.line - 1, hunk.after.line - 1);
        assert_eq!(old[at[0]..b], new[at[1]..a], "{}", case());
        let text =
            |sign: Sign| hunk.lines.iter().filter(|l| l.sign == sign).map(|l| l.text.clone()).collect::<Vec<_>>();
        at = [b + hunk.before.lines, a + hunk.after.lines];
        assert_eq!(text(Sign::Removed), old[b..at[0]], "{}", case());
        assert_eq!(text(Sign::Added), new[a..at[1]], "{}", case());
        let context = text(Sign::Context);
        let margin = hunk.lines.iter().take_while(|l| l.sign == Sign::Context).count();
        assert_eq!(context[..margin], old[b - margin..b], "{}", case());
        assert_eq!(context[margin..], old[at[0]..at[0] + context.len() - margin], "{}", case());
        assert!(margin <= 3 && context.len() - margin <= 3);
    }
    assert_eq!(old[at[0]..], new[at[1]..], "{}", case());
    // Any hunk alone, and all but that one, change exactly its lines.
    for (n, hunk) in comparison.hunks.iter().enumerate() {
        let (b, a) = (hunk.before.line - 1, hunk.after.line - 1);
        let mut one = old.clone();
        one.splice(b..b + hunk.before.lines, new[a..a + hunk.after.lines].iter().cloned());
        assert_eq!(contents(&splice(before, &comparison.splices[n..=n])), one, "hunk {n}{}", case());
        let mut rest = new.clone();
        rest.splice(a..a + hunk.after.lines, old[b..b + hunk.before.lines].iter().cloned());
        let others: Vec<Splice> =
            comparison.splices.iter().enumerate().filter(|(m, _)| *m != n).map(|(_, s)| s.clone()).collect();
        assert_eq!(contents(&splice(before, &others)), rest, "all but hunk {n}{}", case());
    }
    // The same splices, shown as a proposal shows them.
    let drawn = hunks_of(before, &comparison.splices);
    assert_eq!(drawn.len(), comparison.splices.len());
    for (hunk, splice) in drawn.iter().zip(&comparison.splices) {
        check_hunk(hunk, &case);
        let one = contents(&countersign::change::splice(before, std::slice::from_ref(splice)));
        check_drawn(hunk, &old, &one, &case);
    }
}

/// A hunk that shows how `old` becomes `new`.
fn check_drawn(hunk: &Hunk, old: &[String], new: &[String], case: &dyn Fn() -> String) {
    let (b, a) = (hunk.before.line - 1, hunk.after.line - 1);
    let (b1, a1) = (b + hunk.before.lines, a + hunk.after.lines);
    assert_eq!(old[..b], new[..a], "{hunk:#?}{}", case());
    assert_eq!(old[b1..], new[a1..], "{hunk:#?}{}", case());
    let margin = hunk.lines.iter().take_while(|l| l.sign == Sign::Context).count().min(b);
    let after = hunk.lines.iter().rev().take_while(|l| l.sign == Sign::Context).count();
    let side = |sign: Sign| hunk.lines.iter().filter(|l| l.sign != sign).map(|l| l.text.clone()).collect::<Vec<_>>();
    if !hunk.lines.is_empty() {
        assert_eq!(side(Sign::Added), old[b - margin..b1 + after], "{hunk:#?}{}", case());
        assert_eq!(side(Sign::Removed), new[a - margin..a1 + after], "{hunk:#?}{}", case());
    }
}

#[test]
fn laws_hold_on_random_texts() {
    let lines = [
        "One.",
        "One. Two words.",
        "",
        "",
        "- item",
        "| a | b |",
        "| a | c |",
        "naïve 日本語の文。次の文。",
        "\u{feff}x",
        "שלום עולם",
        "  ",
    ];
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let breaks: &[&str] = if random.once_in(2) { &["\n"] } else { &["\n", "\r\n"] };
        let line = |random: &mut Random| random.pick(&lines).to_string() + *random.pick(breaks);
        let old: Vec<String> = (0..random.below(14)).map(|_| line(&mut random)).collect();
        let mut new = String::new();
        for old in &old {
            match random.below(9) {
                0 => {}
                1 => new += &line(&mut random),
                2 => new = new + &line(&mut random) + old,
                3 => new = new + old.trim_end() + " more" + *random.pick(breaks),
                _ => new += old,
            }
        }
        let mut old = old.concat();
        for text in [&mut old, &mut new] {
            if random.once_in(3) {
                text.truncate(text.trim_end_matches(['\r', '\n']).len());
            }
        }
        check_laws(&old, &new);
    }
}

#[test]
fn any_splice_is_shown_as_it_is() {
    let text =
        "# Title\n\nA first sentence. A second, longer sentence.\n\n- one\n- two\n- three\n\n日本語の文。\n\nLast line";
    let pieces = ["", "x", "two", "\n", "\n\nNew.\n", "line\nline", "é"];
    let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    for seed in 0..8_000 {
        let mut random = Random::new(seed);
        let mut at: Vec<usize> = (0..2 * (1 + random.below(3))).map(|_| *random.pick(&bounds)).collect();
        at.sort_unstable();
        let splices: Vec<Splice> = at
            .chunks(2)
            .map(|pair| Splice { range: pair[0]..pair[1], text: random.pick(&pieces).to_string() })
            .collect();
        let hunks = hunks_of(text, &splices);
        assert_eq!(hunks.len(), splices.len());
        for (n, (hunk, one)) in hunks.iter().zip(&splices).enumerate() {
            let case = || format!("\nseed {seed} {one:?}");
            assert_eq!(hunk.index, n);
            check_hunk(hunk, &case);
            check_drawn(hunk, &contents(text), &contents(&splice(text, std::slice::from_ref(one))), &case);
        }
    }
}

#[test]
fn two_splices_in_one_line_are_two_hunks_each_with_its_own_change() {
    let text = "Intro.\n\nShip the blue box on Monday.\n";
    let at = |word: &str| text.find(word).map(|at| at..at + word.len()).unwrap();
    let splices =
        [Splice { range: at("blue"), text: "red".into() }, Splice { range: at("Monday"), text: "Friday".into() }];
    let shown: Vec<Vec<String>> = hunks_of(text, &splices)
        .iter()
        .map(|hunk| hunk.lines.iter().filter(|l| l.sign != Sign::Context).map(show).collect())
        .collect();
    assert_eq!(
        shown,
        [
            ["-Ship the ⟪blue⟫ box on Monday.", "+Ship the ⟪red⟫ box on Monday."],
            ["-Ship the blue box on ⟪Monday⟫.", "+Ship the blue box on ⟪Friday⟫."],
        ]
    );
}

#[test]
fn an_inserted_paragraph_belongs_to_the_section_above() {
    let text = "# One\n\nText.\n\n# Two\n\nMore.\n";
    let at = text.find("# Two").unwrap();
    let hunk = &hunks_of(text, &[Splice { range: at..at, text: "New.\n\n".into() }])[0];
    assert_eq!((hunk.block, hunk.heading.as_deref()), (1, Some("One")));
    let hunk = &hunks_of(text, &[Splice { range: 0..0, text: "Before.\n\n".into() }])[0];
    assert_eq!((hunk.block, hunk.heading.as_deref()), (0, None));
}

#[test]
fn counts_leave_the_final_newline_aside() {
    for (before, after, counts) in [
        ("", "Record the trailer, then review the course page.", (1, 0)),
        ("Record the trailer.", "Record the trailer.\n\nThen publish.", (2, 0)),
        ("a\n\nThen publish.", "a\n\nThen publish on Friday.", (1, 1)),
        ("a", "a\n", (0, 0)),
        ("a\n", "a", (0, 0)),
        ("a\r\nb", "a\r\nb\r\n\r\nc\r\n", (2, 0)),
        ("a\nb\n", "a\r\nb\r\n", (2, 2)),
        ("", "", (0, 0)),
        ("a\n", "", (0, 1)),
    ] {
        assert_eq!(count_lines(before, after), counts, "{before:?} {after:?}");
    }
}

#[test]
fn what_is_too_large_for_word_marks_is_shown_whole_and_said() {
    let text =
        |word: &str| (0..10_000).map(|n| format!("Row {n} has a {word} in the middle of it.\n")).collect::<String>();
    let (before, after) = (text("cat"), text("dog"));
    let comparison = compare(&before, &after);
    assert!(!comparison.precise);
    assert_eq!((comparison.hunks.len(), comparison.hunks[0].lines.len()), (1, 20_000));
    assert_eq!(splice(&before, &comparison.splices), after);
}

#[test]
fn five_hundred_hunks_in_a_large_document() {
    let paragraph = |n: usize, word: &str| {
        format!(
            "Paragraph {n} says {word}, and then goes on for {} words.\n\n{}",
            n * 7,
            "filler ".repeat(280) + "\n\n"
        )
    };
    let text = |word: &str| (0..500).map(|n| paragraph(n, word)).collect::<String>();
    let (before, after) = (text("little"), text("much"));
    assert!(before.len() > 1_000_000);
    let comparison = compare(&before, &after);
    assert!(comparison.precise);
    assert_eq!((comparison.hunks.len(), comparison.added, comparison.removed), (500, 500, 500));
    assert!(comparison.hunks.iter().all(|hunk| hunk.lines.iter().filter(|l| !l.words.is_empty()).count() == 2));
    let drawn = hunks_of(&before, &comparison.splices);
    assert_eq!(drawn.len(), 500);
    // An insertion and a change of the same place are shown alike by both.
    assert_eq!(
        drawn[250].lines.iter().map(show).collect::<Vec<_>>(),
        comparison.hunks[250].lines.iter().map(show).collect::<Vec<_>>()
    );
}
