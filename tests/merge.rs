//! Merging: what two people wrote at once is brought together, or they are asked. Nothing is lost, nothing doubled.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

mod generate;

use std::path::{Path, PathBuf};
use std::process::Command;

use countersign::change::merge::{
    Choice, Clash, ClashOf, From, Merged, Piece, RefusedMerge, Stretch, merge, merge_title, resolve,
};
use countersign::change::splice;
use generate::Random;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    name: String,
    base: String,
    mine: String,
    theirs: String,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    ok: bool,
    text: Option<String>,
}

fn check_cases(cases: &str) {
    let cases: Vec<Case> = serde_json::from_str(cases).unwrap();
    assert!(!cases.is_empty());
    for Case { name, base, mine, theirs, expect } in cases {
        for (mine, theirs, swapped) in [(&mine, &theirs, ""), (&theirs, &mine, " (sides swapped)")] {
            let merged = merge(&base, mine, theirs);
            check_laws(&base, mine, theirs);
            assert_eq!(merged.is_ok(), expect.ok, "{name}{swapped}: {merged:#?}");
            // Swapped, a line break may come from the other side.
            if swapped.is_empty() {
                assert_eq!(merged.ok().map(|m| m.text), expect.text, "{name}");
            }
        }
    }
}

#[test]
fn merges_as_the_fixtures_say() {
    check_cases(include_str!("fixtures/merges.json"));
}

#[test]
fn the_exceptions_from_git_hold() {
    check_cases(include_str!("fixtures/merge-exceptions.json"));
}

/// Lines with their line breaks.
fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\n', '\r']) {
        let (line, after) = rest.split_at(at + if rest[at..].starts_with("\r\n") { 2 } else { 1 });
        lines.push(line);
        rest = after;
    }
    if !rest.is_empty() {
        lines.push(rest);
    }
    lines
}

fn contents(text: &str) -> Vec<&str> {
    lines(text).into_iter().map(|line| line.trim_end_matches(['\r', '\n'])).collect()
}

/// What holds for every merge.
fn check_laws(base: &str, mine: &str, theirs: &str) {
    let case = || format!("\nbase {base:?}\nmine {mine:?}\ntheirs {theirs:?}");
    let merged = merge(base, mine, theirs);
    assert_eq!(merged.is_ok(), merge(base, theirs, mine).is_ok(), "symmetric{}", case());
    assert_eq!(merge(base, mine, base).map(|m| (m.text, m.splices)), Ok((mine.to_owned(), vec![])), "{}", case());
    assert_eq!(merge(base, base, theirs).map(|m| m.text).as_deref(), Ok(theirs), "{}", case());
    let same = merge(base, mine, mine);
    assert_eq!(same, Ok(Merged { text: mine.to_owned(), from: From::Same, splices: vec![] }), "{}", case());
    match merged {
        Ok(merged) => {
            assert_eq!(splice(mine, &merged.splices), merged.text, "splices lead from mine to the text{}", case());
            let from = match merged.from {
                From::Same => mine == theirs,
                From::Mine => merged.text == mine,
                From::Theirs => merged.text == theirs,
                From::Both => merged.text != mine && merged.text != theirs,
            };
            assert!(from, "{:?}{}", merged.from, case());
        }
        Err(refused) => check_refused(&refused, base, mine, theirs),
    }
}

fn check_refused(refused: &RefusedMerge, base: &str, mine: &str, theirs: &str) {
    let case = || format!("\nbase {base:?}\nmine {mine:?}\ntheirs {theirs:?}\n{refused:#?}");
    assert!(!refused.clashes.is_empty() && !refused.message.is_empty(), "{}", case());
    // Every clash stands once among the pieces, in order.
    let numbers: Vec<usize> =
        refused.pieces.iter().filter_map(|p| if let Piece::Clash(n) = p { Some(*n) } else { None }).collect();
    assert_eq!(numbers, (0..refused.clashes.len()).collect::<Vec<_>>(), "{}", case());
    // Stretches are verbatim, and both sides differ.
    for clash in &refused.clashes {
        assert_eq!(clash.what, ClashOf::Text);
        assert_ne!(clash.mine.text, clash.theirs.text, "{}", case());
        for (stretch, text) in [(&clash.base, base), (&clash.mine, mine), (&clash.theirs, theirs)] {
            let Stretch { line, lines: n, text: verbatim } = stretch;
            assert_eq!(&lines(text)[line - 1..line - 1 + n].concat(), verbatim, "{}", case());
        }
    }
    // With every choice the text is what the pieces say.
    for choice in [Choice::Mine, Choice::Theirs, Choice::Both] {
        let chosen = |clash: &Clash| match choice {
            Choice::Mine => vec![clash.mine.text.clone()],
            Choice::Theirs => vec![clash.theirs.text.clone()],
            Choice::Both => vec![clash.mine.text.clone(), clash.theirs.text.clone()],
        };
        let said: Vec<String> = refused
            .pieces
            .iter()
            .flat_map(|piece| match piece {
                Piece::Text(text) => vec![text.clone()],
                Piece::Clash(n) => chosen(&refused.clashes[*n]),
            })
            .collect();
        let text = resolve(refused, &vec![choice; refused.clashes.len()]);
        let said: Vec<&str> = said.iter().flat_map(|piece| contents(piece)).collect();
        assert_eq!(contents(&text), said, "{choice:?}{}", case());
        // All that a side wrote is there if that side is chosen.
        for (side, chosen) in [(mine, choice != Choice::Theirs), (theirs, choice != Choice::Mine)] {
            let (old, new) = (contents(base), contents(&text));
            for line in contents(side).iter().filter(|line| chosen && !old.contains(line)) {
                assert!(new.contains(line), "{choice:?} lost {line:?}{}", case());
            }
        }
    }
    assert_eq!(resolve(refused, &[]), resolve(refused, &vec![Choice::Mine; refused.clashes.len()]), "{}", case());
}

#[test]
fn laws_hold_on_random_texts() {
    let words = ["a", "b", "c", "", "", "- d", "```", "~~~", "| x | y |", "|---|---|", "é", "\u{feff}f"];
    for seed in 0..15_000 {
        let mut random = Random::new(seed);
        let breaks: &[&str] = if random.once_in(2) { &["\n"] } else { &["\n", "\r\n", "\r"] };
        let line = |random: &mut Random| random.pick(&words).to_string() + *random.pick(breaks);
        let base: Vec<String> = (0..random.below(9)).map(|_| line(&mut random)).collect();
        let side = |random: &mut Random| {
            let mut text = String::new();
            for old in &base {
                match random.below(12) {
                    0 => {}
                    1 => text.push_str(&line(random)),
                    2 => text = text + &line(random) + old,
                    3 => text = text + old.trim_end_matches(['\r', '\n']) + *random.pick(breaks),
                    _ => text.push_str(old),
                }
            }
            if random.once_in(4) {
                text.push_str(&line(random));
            }
            if random.once_in(4) { text.trim_end_matches(['\r', '\n']).to_owned() } else { text }
        };
        let (mine, theirs) = (side(&mut random), side(&mut random));
        let mut base = base.concat();
        if random.once_in(4) {
            base.truncate(base.trim_end_matches(['\r', '\n']).len());
        }
        check_laws(&base, &mine, &theirs);
    }
}

/// A base and two sides, as lines.
struct Triple {
    base: Vec<String>,
    mine: Vec<String>,
    theirs: Vec<String>,
}

/// Runs `git merge-file` on all `triples` at once: they are joined, with lines between them that occur once and that nobody
/// changes. Gives each one's merged text, or `None` for a clash.
fn git_merge(triples: &[Triple], folder: &Path) -> Vec<Option<String>> {
    let joined = |side: fn(&Triple) -> &Vec<String>| {
        let mut text = String::new();
        for (n, triple) in triples.iter().enumerate() {
            (0..4).for_each(|k| text.push_str(&format!("@@ {n} {k}\n")));
            side(triple).iter().for_each(|line| text.push_str(&format!("{line}\n")));
        }
        text + "@@ end\n@@ end 1\n"
    };
    std::fs::create_dir_all(folder).unwrap();
    for (name, text) in
        [("mine", joined(|t| &t.mine)), ("base", joined(|t| &t.base)), ("theirs", joined(|t| &t.theirs))]
    {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let output = Command::new("git")
        .args(["merge-file", "-p", "--diff3", "mine", "base", "theirs"])
        .current_dir(folder)
        .output()
        .expect("git must be there");
    // The status counts clashes, and says "more" with 127; errors are above.
    assert!(output.status.code().is_some_and(|code| code <= 127), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut results = Vec::new();
    for (n, _) in triples.iter().enumerate() {
        let from = text.find(&format!("@@ {n} 3\n")).unwrap() + format!("@@ {n} 3\n").len();
        let next = if n + 1 < triples.len() { format!("@@ {} 0\n", n + 1) } else { "@@ end\n".to_owned() };
        let result = &text[from..from + text[from..].find(&next).unwrap()];
        results.push((!result.contains("<<<<<<<")).then(|| result.to_owned()));
    }
    results
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// No line is repeated or moved, also not between triples: fresh lines are named after their place, so that both sides often
/// write the same.
fn unique_triple(random: &mut Random, id: usize) -> Triple {
    let base: Vec<String> = (0..random.below(10)).map(|n| format!("{id} line {n}")).collect();
    let busy = 2 + random.below(9);
    let side = |random: &mut Random| {
        let mut lines = Vec::new();
        for at in 0..=base.len() {
            if random.once_in(busy + 2) {
                let first = random.below(2);
                (first..=first + random.below(2)).for_each(|k| lines.push(format!("{id} new {at} {k}")));
            }
            let Some(old) = base.get(at) else { break };
            match random.below(busy * 2) {
                0 => {}
                1 | 2 => lines.push(format!("{id} changed {at} {}", random.below(2))),
                _ => lines.push(old.clone()),
            }
        }
        lines
    };
    let (mine, theirs) = (side(random), side(random));
    Triple { base, mine, theirs }
}

#[test]
fn agrees_with_git_where_no_line_is_repeated() {
    let (mut clean, mut clashes) = (0, 0);
    for batch in 0..24 {
        let mut random = Random::new(batch);
        let triples: Vec<Triple> = (0..1_000).map(|id| unique_triple(&mut random, id)).collect();
        for (triple, git) in triples.iter().zip(git_merge(&triples, &folder("unique"))) {
            let (base, mine, theirs) = (text(&triple.base), text(&triple.mine), text(&triple.theirs));
            let merged = merge(&base, &mine, &theirs).ok().map(|m| m.text);
            assert_eq!(merged, git, "batch {batch}\nbase {base:?}\nmine {mine:?}\ntheirs {theirs:?}");
            *if merged.is_some() { &mut clean } else { &mut clashes } += 1;
        }
    }
    println!("agrees with git merge-file on {} triples: {clean} clean, {clashes} clashes", clean + clashes);
    assert!(clean > 5_000 && clashes > 5_000, "both must be met often: {clean} clean, {clashes} clashes");
}

#[test]
fn with_repeated_lines_agreement_with_git_is_counted() {
    let (mut total, mut status, mut same, mut both_clean) = (0, 0, 0, 0);
    for batch in 0..60 {
        let mut random = Random::new(1_000 + batch);
        let triples: Vec<Triple> = (0..40)
            .map(|_| {
                let line = |random: &mut Random| random.pick(&["a", "b", "c", "d", ""]).to_string();
                let base: Vec<String> = (0..4 + random.below(12)).map(|_| line(&mut random)).collect();
                let side = |random: &mut Random| {
                    let mut lines = Vec::new();
                    for old in &base {
                        match random.below(16) {
                            0 => {}
                            1 => lines.push(format!("fresh {}", random.below(9))),
                            2 => lines.extend([line(random), old.clone()]),
                            _ => lines.push(old.clone()),
                        }
                    }
                    lines
                };
                let (mine, theirs) = (side(&mut random), side(&mut random));
                Triple { base, mine, theirs }
            })
            .collect();
        for (triple, git) in triples.iter().zip(git_merge(&triples, &folder("repeated"))) {
            let merged = merge(&text(&triple.base), &text(&triple.mine), &text(&triple.theirs)).ok().map(|m| m.text);
            total += 1;
            status += usize::from(merged.is_some() == git.is_some());
            both_clean += usize::from(merged.is_some() && git.is_some());
            same += usize::from(merged.is_some() && merged == git);
        }
    }
    println!(
        "repeated lines: of {total} triples, clash or no clash as git in {status}; of {both_clean} clean in both, the same text in {same}"
    );
    assert!(status * 100 >= total * 95, "{status} of {total}");
    assert!(same * 100 >= both_clean * 95, "{same} of {both_clean}");
}

#[test]
fn edits_to_different_paragraphs_lose_and_double_nothing() {
    let (mut clean, mut clashes) = (0, 0);
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let n = 2 + random.below(8);
        let mut sides = [Vec::new(), Vec::new()];
        let mut ideal = Vec::new();
        let mut base = Vec::new();
        for p in 0..n {
            // Some paragraphs are alike, as table rules, list marks and blank lines are in real texts.
            let paragraph =
                if random.once_in(5) { "alike".to_owned() } else { format!("paragraph {p}\nsecond line {p}") };
            // Two alike that are both taken away, one by each side, could not be told from one taken away by both.
            let whose = if paragraph == "alike" { 2 } else { random.below(4) };
            let changed = match random.below(3) {
                0 => vec![],
                1 => vec![format!("inserted {p}"), paragraph.clone()],
                _ => vec![format!("edited {p}")],
            };
            for (side, paragraphs) in sides.iter_mut().enumerate() {
                if whose == side { paragraphs.extend(changed.clone()) } else { paragraphs.push(paragraph.clone()) }
            }
            if whose < 2 {
                ideal.extend(changed)
            } else {
                ideal.push(paragraph.clone())
            }
            base.push(paragraph);
        }
        let text =
            |paragraphs: &[String]| if paragraphs.is_empty() { String::new() } else { paragraphs.join("\n\n") + "\n" };
        let [base, mine, theirs, ideal] = [&base, &sides[0], &sides[1], &ideal].map(|paragraphs| text(paragraphs));
        match merge(&base, &mine, &theirs) {
            // Each stands once, and in its place.
            Ok(merged) => {
                assert_eq!(merged.text, ideal, "seed {seed}\nbase {base:?}\nmine {mine:?}\ntheirs {theirs:?}");
                clean += 1;
            }
            Err(_) => clashes += 1,
        }
    }
    println!("edits to different paragraphs: {clean} clean, {clashes} clashes");
    assert!(clean > 5_000);
}

#[test]
fn titles_merge_and_clash_as_one_field() {
    assert_eq!(merge_title("Plan", "Plan", "Launch"), Ok("Launch".into()));
    assert_eq!(merge_title("Plan", "Launch", "Plan"), Ok("Launch".into()));
    assert_eq!(merge_title("Plan", "Launch", "Launch"), Ok("Launch".into()));
    let clash = merge_title("Plan", "Plan A", "Plan B").unwrap_err();
    assert_eq!(
        (clash.what, clash.mine.text.as_str(), clash.theirs.text.as_str()),
        (ClashOf::Title, "Plan A", "Plan B")
    );
}

#[test]
fn splices_are_narrow_so_that_a_caret_stays() {
    let merged =
        merge("One.\n\nTwo words here.\n", "One!\n\nTwo words here.\n", "One.\n\nTwo new words here.\n").unwrap();
    assert_eq!(merged.text, "One!\n\nTwo new words here.\n");
    assert_eq!(merged.splices.len(), 1);
    assert_eq!((merged.splices[0].range.clone(), merged.splices[0].text.as_str()), (10..10, "new "));
}

#[test]
fn a_large_merge_is_linear_enough_to_run_here() {
    let paragraph = |n: usize, word: &str| format!("Paragraph {n} with some {word} to fill the line.\n\n");
    let text = |mine: bool, theirs: bool| {
        (0..60_000)
            .map(|n| {
                paragraph(
                    n,
                    if mine && n % 10 == 0 {
                        "mine"
                    } else if theirs && n % 10 == 5 {
                        "theirs"
                    } else {
                        "words"
                    },
                )
            })
            .collect::<String>()
    };
    let merged = merge(&text(false, false), &text(true, false), &text(false, true)).unwrap();
    assert_eq!(merged.text, text(true, true));
    assert_eq!(merged.splices.len(), 6_000);
}
