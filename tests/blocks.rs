//! Where blocks begin and end: the cases in `fixtures/blocks.json`, and the law on generated documents.

mod generate;

use countersign::document::blocks::{Block, BlockKind, BlockType, Headings, block_at, blocks, heading_above};
use countersign::document::outline::{PREVIEW_UNITS, outline, utf16_len};
use countersign::document::syntax::is_blank;
use serde::Deserialize;

use generate::markdown::Generator;

#[derive(Deserialize)]
struct Case {
    name: String,
    markdown: String,
    /// The type (a heading's with its level) and the source of each block.
    blocks: Vec<(String, String)>,
}

#[test]
fn blocks_are_as_the_cases_say() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("fixtures/blocks.json")).unwrap();
    for case in cases {
        let found: Vec<_> = check(&case.markdown)
            .into_iter()
            .map(|block| {
                let mut ty = format!("{:?}", block.ty).to_lowercase();
                ty.extend(block.level.map(|level| format!(" {level}")));
                (ty, case.markdown[block.range].to_owned())
            })
            .collect();
        assert_eq!(found, case.blocks, "{}", case.name);
    }
}

#[test]
fn an_offset_belongs_to_the_block_that_it_is_in_or_behind() {
    let text = "\n# a\n\nb\n\n\nc\n";
    let found = blocks(text);
    let at: Vec<_> = (0..=text.len()).map(|offset| block_at(&found, offset).unwrap()).collect();
    assert_eq!(at, [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2]);
    assert_eq!(block_at(&[], 0), None);
}

#[test]
fn the_heading_above_is_its_text_without_marks() {
    let text = "a\n\n## b *c* ##\n\nd\n\ne\n  f\n===\n\n# \n\n#\tg\u{202e}#\n\n####### h\n";
    let found = blocks(text);
    let above: Vec<_> = (0..found.len()).map(|block| heading_above(text, &found, block)).collect();
    let expected = [None, Some("b *c*"), Some("b *c*"), Some("e f"), Some(""), Some("g⟦U+202E⟧#"), Some("g⟦U+202E⟧#")];
    assert_eq!(above, expected.map(|heading| heading.map(str::to_owned)));
    let headings = Headings::of(&found);
    for block in 0..found.len() {
        assert_eq!(headings.above(text, &found, block), heading_above(text, &found, block));
    }
}

fn is_line_start(text: &str, at: usize) -> bool {
    let before = &text.as_bytes()[..at];
    match before.last() {
        None | Some(b'\n') => true,
        Some(b'\r') => text.as_bytes().get(at) != Some(&b'\n'),
        Some(_) => at == 3 && text.starts_with('\u{feff}'),
    }
}

fn is_line_end(text: &str, at: usize) -> bool {
    matches!(text.as_bytes().get(at), None | Some(b'\n' | b'\r'))
}

/// The law of §1.4, and what follows from it.
fn check(text: &str) -> Vec<Block> {
    let blocks = blocks(text);
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    for block in &blocks {
        let range = block.range.clone();
        assert!(range.start >= at && range.end > range.start, "blocks ascend, and none is empty: {blocks:?}");
        assert!(is_blank(&text[at..range.start]), "only blank lines lie between blocks: {blocks:?}");
        assert!(
            is_line_start(text, range.start) && is_line_end(text, range.end),
            "blocks take whole lines: {blocks:?}"
        );
        let lines: Vec<&str> = text[range.clone()].split(['\n', '\r']).collect();
        assert!(
            !is_blank(lines[0]) && !is_blank(lines[lines.len() - 1]),
            "no blank line begins or ends one: {blocks:?}"
        );
        assert_eq!(block.level.is_some(), block.ty == BlockType::Heading);
        at = range.end;
    }
    assert!(is_blank(&text[at..]), "only blank lines lie behind the last: {blocks:?}");
    blocks
}

/// A block's source alone is one block of the same type: what is cut out at a block is what was seen there. It does not
/// hold directly below definitions, which are the head of one paragraph to the parser (what follows was read as its
/// continuation), nor for a footnote inside the indent of the footnote above.
fn check_alone(text: &str, blocks: &[Block]) {
    for (number, block) in blocks.iter().enumerate() {
        if let Some(above) = number.checked_sub(1).map(|above| &blocks[above]) {
            let touches = matches!(&text[above.range.end..block.range.start], "\n" | "\r" | "\r\n");
            let footnotes = above.ty == BlockType::Footnote && block.ty == BlockType::Footnote;
            if (above.ty == BlockType::Definition && touches) || footnotes {
                continue;
            }
        }
        // Front matter is such at the very start only, and nothing else may become it.
        let lead = if block.ty == BlockType::Meta { "" } else { "\n" };
        let source = format!("{lead}{}", &text[block.range.clone()]);
        let expected = Block { range: lead.len()..source.len(), ..block.clone() };
        assert_eq!(countersign::document::blocks::blocks(&source), [expected], "block {number} alone is the same");
    }
}

/// One entry a block; a preview is one short line without anything invisible (what is at home aside).
fn check_outline(text: &str, blocks: &[Block]) {
    let entries = outline(text);
    assert_eq!(entries.len(), blocks.len());
    for (number, (entry, block)) in entries.iter().zip(blocks).enumerate() {
        assert_eq!((entry.block, entry.kind, entry.level), (number, block.kind, block.level));
        assert_eq!(entry.chars, text[block.range.clone()].encode_utf16().count());
        assert!(entry.preview.encode_utf16().count() <= PREVIEW_UNITS);
        let hidden =
            |c: char| c.is_control() || matches!(c, '\u{200b}' | '\u{202e}' | '\u{2028}' | '\u{feff}' | '\u{e0041}');
        assert!(!entry.preview.contains(hidden), "{:?}", entry.preview);
        assert_eq!(entry.kind == BlockKind::Meta, block.ty == BlockType::Meta);
    }
    assert_eq!(utf16_len(text), text.encode_utf16().count());
}

#[test]
fn the_law_holds_on_generated_documents() {
    for number in 0..120_000 {
        let text = Generator::new(number).document();
        let law = || {
            let blocks = check(&text);
            check_alone(&text, &blocks);
            check_outline(&text, &blocks);
        };
        assert!(std::panic::catch_unwind(law).is_ok(), "document {number}: {text:?}");
    }
}
