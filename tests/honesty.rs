//! Honesty: whatever changes shows on the card, in text; and plain prose raises no alarm. Counted both ways.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

use countersign::change::diff::{Hunk, Sign, compare, hunks_of};
use countersign::change::reveal::{Segment, segments};
use countersign::change::{Splice, splice};
use serde::Deserialize;

/// A change that hides something. `note`: parts of notes; `token`: of tokens in the lines; `line`: of the lines with their
/// signs, as they are shown.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Attack {
    name: String,
    before: String,
    after: String,
    #[serde(default)]
    note: Vec<String>,
    #[serde(default)]
    token: Vec<String>,
    #[serde(default)]
    line: Vec<String>,
}

/// What a person, or a screen reader, gets of the changed lines: text, and tokens.
fn shown(hunks: &[Hunk]) -> (Vec<String>, Vec<String>) {
    let (mut lines, mut tokens) = (Vec::new(), Vec::new());
    for line in hunks.iter().flat_map(|hunk| &hunk.lines) {
        let mut shown = String::from(match line.sign {
            Sign::Context => continue,
            Sign::Removed => "-",
            Sign::Added => "+",
        });
        for segment in segments(&line.text) {
            match segment {
                Segment::Text(text) => shown += text,
                Segment::Token(token) => {
                    shown += &format!("[{token}]");
                    tokens.push(token.to_string());
                }
            }
        }
        lines.push(shown);
    }
    (lines, tokens)
}

fn missing(attack: &Attack, hunks: &[Hunk]) -> Vec<String> {
    let (lines, tokens) = shown(hunks);
    let notes: Vec<String> = hunks.iter().flat_map(|hunk| hunk.notes.clone()).collect();
    let mut missing = Vec::new();
    for note in notes.iter().filter(|note| note.contains("  ") || note.is_empty()) {
        missing.push(format!("{}: {note:?} leaves something out", attack.name));
    }
    for (wanted, found) in [(&attack.note, &notes), (&attack.token, &tokens), (&attack.line, &lines)] {
        for part in wanted.iter().filter(|part| !found.iter().any(|text| text.contains(*part))) {
            missing.push(format!("{}: nothing says {part:?} in {found:#?}", attack.name));
        }
    }
    // Two lines that a person cannot tell apart need a note.
    let (removed, added): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line.starts_with('-'));
    let same = !removed.is_empty() && removed.iter().map(|l| &l[1..]).eq(added.iter().map(|l| &l[1..]));
    if hunks.is_empty() || (same && notes.is_empty()) {
        missing.push(format!("{}: nothing shows", attack.name));
    }
    missing
}

#[test]
fn every_attack_shows() {
    let attacks: Vec<Attack> = serde_json::from_str(include_str!("fixtures/honesty.json")).unwrap();
    let mut silent = Vec::new();
    for attack in &attacks {
        let comparison = compare(&attack.before, &attack.after);
        assert_eq!(splice(&attack.before, &comparison.splices), attack.after, "{}", attack.name);
        silent.extend(missing(attack, &comparison.hunks));
        // The same change as the one splice of a proposal.
        let whole = [Splice { range: 0..attack.before.len(), text: attack.after.clone() }];
        silent.extend(missing(attack, &hunks_of(&attack.before, &whole)));
    }
    println!("{} attacks, {} findings", attacks.len(), silent.len());
    assert!(attacks.len() >= 60 && silent.is_empty(), "{}", silent.join("\n"));
}

#[test]
fn plain_prose_raises_no_alarm() {
    let prose: Vec<&str> =
        include_str!("fixtures/calm.txt").lines().filter(|line| !line.is_empty() && !line.starts_with("# ")).collect();
    let (mut changes, mut alarms) = (0, Vec::new());
    let mut check = |before: &str, after: &str| {
        changes += 1;
        let hunks = compare(before, after).hunks;
        assert!(!hunks.is_empty());
        let (lines, tokens) = shown(&hunks);
        let notes: Vec<&String> = hunks.iter().flat_map(|hunk| &hunk.notes).collect();
        if !tokens.is_empty() || !notes.is_empty() {
            alarms.push(format!("{tokens:?} {notes:?} in {lines:#?}"));
        }
    };
    for text in &prose {
        // A new document, a new paragraph, one that goes, and each word taken out or put in.
        check("", &format!("{text}\n"));
        check("# Title\n", &format!("# Title\n\n{text}\n"));
        check(&format!("# Title\n\n{text}\n"), "# Title\n");
        check(&format!("The cheaper option is out.\n{text}\n"), &format!("{text}\n"));
        let words: Vec<&str> = text.split(' ').collect();
        for n in 0..words.len() {
            let mut fewer = words.clone();
            fewer.remove(n);
            if !fewer.is_empty() && !words[n].is_empty() {
                check(&format!("{text}\n"), &format!("{}\n", fewer.join(" ").trim()));
                check(&format!("{}\n", fewer.join(" ").trim()), &format!("{text}\n"));
            }
        }
    }
    println!("{} paragraphs of plain prose, {changes} changes of them, {} alarms", prose.len(), alarms.len());
    assert!(prose.len() >= 40 && alarms.is_empty(), "{}", alarms.join("\n"));
}

#[test]
fn translating_a_text_raises_no_alarm() {
    let before = "A cat and a dog.\n\nThe price is 5 EUR a month.\n";
    let after = "Кот а также собака.\n\nЦена — 5 EUR в месяц.\n";
    assert!(compare(before, after).hunks.iter().all(|hunk| hunk.notes.is_empty()));
}

#[test]
fn segments_give_the_text_back() {
    for text in ["", "plain", "a\u{202e}b\u{200b}", "\u{feff}x\ty", "👩\u{200d}🚀\u{200d}", "\u{e0041}\u{e0042}"] {
        let joined: String = segments(text)
            .into_iter()
            .map(|segment| match segment {
                Segment::Text(text) => text.to_owned(),
                Segment::Token(token) => token.0.to_string(),
            })
            .collect();
        assert_eq!(joined, text);
    }
}
