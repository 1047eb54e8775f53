//! The outline that a model reads: the seeds' document, and searching.

use countersign::document::blocks::BlockKind;
use countersign::document::outline::{outline, search};
use serde::Deserialize;

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Entry {
    block: usize,
    kind: String,
    level: Option<u8>,
    preview: String,
    chars: usize,
}

#[test]
fn the_vendor_review_gives_the_outline_it_was_asked_for() {
    let expected: Vec<Entry> = serde_json::from_str(include_str!("fixtures/vendor-review.outline.json")).unwrap();
    let entries: Vec<Entry> = outline(include_str!("fixtures/vendor-review.md"))
        .into_iter()
        .map(|entry| Entry {
            block: entry.block,
            kind: match entry.kind {
                BlockKind::Text => "text",
                BlockKind::Fence => "fence",
                BlockKind::Code => "code",
                BlockKind::Meta => "meta",
            }
            .to_owned(),
            level: entry.level,
            preview: entry.preview,
            chars: entry.chars,
        })
        .collect();
    assert_eq!(entries, expected);
}

#[test]
fn search_finds_blocks_whose_source_has_the_words_in_any_case() {
    let text = "# Über uns\n\nDie ÜBERSICHT.\n\n```\nüber\n```\n\nΟΔΟΣ\n\nnothing\n";
    let found = |query| search(text, query).iter().map(|entry| entry.block).collect::<Vec<_>>();
    assert_eq!(found("über"), [0, 1, 2]);
    assert_eq!(found("  Über uns\n"), [0]);
    assert_eq!(found("οδος"), [3], "a final sigma is a sigma");
    assert_eq!(found("# "), [0], "the query is trimmed, the source is not");
    assert!(found("").is_empty());
    assert!(found(" \t").is_empty());
    assert!(found("absent").is_empty());
}
