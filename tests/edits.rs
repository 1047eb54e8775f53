//! Edits land in one exact place or are refused (§4): the cases of `fixtures/edits.json`, and the laws.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::ops::Range;

use countersign::change::edits::{Applied, Edit, RefusedEdits, apply_edits};
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
