//! What is shown and where it comes from: laws on generated documents, and one case for each way in which a parser's ranges
//! mislead.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[path = "generate/examples.rs"]
mod examples;
mod generate;

use countersign::document::blocks::blocks;
use countersign::document::inline::{Kind, Runs, Shown, Step, inline};
use countersign::document::syntax::Reading;
use examples::{document, seeds};
use generate::Random;
use generate::markdown::Generator;
use pulldown_cmark::{Event, Tag, TagEnd};

/// Every law, on one text.
fn check(text: &str) {
    let runs = inline(text, &[]);
    let blocks = blocks(text);
    assert_eq!(runs.blocks.len(), blocks.len(), "a share for every block");
    let mut last = 0;
    for (block, share) in blocks.iter().zip(&runs.blocks) {
        assert_eq!(block.range, share.range);
        let mut open: Vec<usize> = Vec::new();
        let mut pieces = share.pieces.clone();
        let mut nodes = share.nodes.clone();
        for step in &runs.steps[share.steps.clone()] {
            match *step {
                Step::Open(node) => {
                    assert_eq!(Some(node), nodes.next(), "nodes are in the order in which they open");
                    assert_eq!(runs.nodes[node].parent, open.last().copied());
                    open.push(node);
                }
                Step::Close(node) => assert_eq!(Some(node), open.pop(), "nodes close in turn"),
                Step::Piece(piece) => {
                    assert_eq!(Some(piece), pieces.next(), "pieces are in reading order");
                    let piece = &runs.pieces[piece];
                    assert!(
                        last <= piece.range.start && piece.range.start <= piece.range.end,
                        "{piece:?} after {last}"
                    );
                    assert!(block.range.start <= piece.range.start && piece.range.end <= block.range.end, "{piece:?}");
                    assert_eq!(Some(&piece.node), open.last());
                    let slice = &text[piece.range.clone()];
                    match piece.shown {
                        Shown::Verbatim => {
                            assert!(!slice.is_empty() && !slice.contains(['\0', '\r']), "{piece:?}");
                            assert_eq!(runs.shown(text, piece), slice);
                        }
                        Shown::Atom(_) => assert!(!runs.shown(text, piece).is_empty()),
                        Shown::Break | Shown::Image { .. } | Shown::Reference(_) | Shown::Task(_) | Shown::Comment => {
                            assert!(!slice.is_empty());
                        }
                    }
                    last = piece.range.end;
                }
            }
        }
        assert!(open.is_empty() && pieces.next().is_none() && nodes.next().is_none());
        for node in &runs.nodes[share.nodes.clone()] {
            assert!(node.range.start <= node.content.start && node.content.end <= node.range.end, "{node:?}");
            assert!(node.content.start <= node.content.end, "{node:?}");
            if node.is_inline() {
                for piece in &runs.pieces[node.pieces.clone()] {
                    assert!(
                        node.content.start <= piece.range.start && piece.range.end <= node.content.end,
                        "{piece:?} in {node:?}"
                    );
                }
            }
        }
    }
    let (parsed, shown) = (letters_parsed(text), letters_shown(text, &runs));
    assert!(is_subsequence(&parsed, &shown), "lost words\nparsed {parsed}\nshown  {shown}");
}

/// The letters and digits of all text that the parser reports.
fn letters_parsed(text: &str) -> String {
    let reading = Reading::of(text);
    let mut letters = String::new();
    let mut images = 0;
    for (event, range) in reading.events() {
        match event {
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images -= 1,
            Event::Text(words) | Event::Code(words) | Event::Html(words) | Event::InlineHtml(words) if images == 0 => {
                let _ = range;
                letters.extend(words.chars().filter(|c| c.is_alphanumeric()));
            }
            _ => {}
        }
    }
    letters
}

/// The letters and digits of all that is shown, and of what is behind elements of raw HTML.
fn letters_shown(text: &str, runs: &Runs) -> String {
    let mut letters = String::new();
    let mut add = |words: &str| letters.extend(words.chars().filter(|c| c.is_alphanumeric()));
    for step in &runs.steps {
        match *step {
            Step::Piece(piece) => {
                let piece = &runs.pieces[piece];
                match piece.shown {
                    Shown::Break | Shown::Comment => add(&text[piece.range.clone()]),
                    Shown::Image { .. } => {}
                    _ => add(runs.shown(text, piece)),
                }
            }
            Step::Open(node) if matches!(runs.nodes[node].kind, Kind::Raw(_)) => {
                add(&text[runs.nodes[node].range.start..runs.nodes[node].content.start]);
            }
            Step::Close(node) if matches!(runs.nodes[node].kind, Kind::Raw(_)) => {
                add(&text[runs.nodes[node].content.end..runs.nodes[node].range.end]);
            }
            _ => {}
        }
    }
    letters
}

fn is_subsequence(part: &str, whole: &str) -> bool {
    let mut whole = whole.chars();
    part.chars().all(|c| whole.any(|other| other == c))
}

#[test]
fn the_laws_hold_on_every_seed() {
    for seed in seeds() {
        run(&seed, 0);
    }
}

#[test]
fn the_laws_hold_on_generated_documents() {
    let seeds = seeds();
    for seed in 0..25_000 {
        run(&document(&mut Random::new(seed), &seeds), seed);
        run(&Generator::new(seed).document(), seed);
    }
}

fn run(text: &str, seed: u64) {
    let held = std::panic::catch_unwind(|| check(text));
    assert!(held.is_ok(), "seed {seed}: {text:?}");
}

/// `fixtures/inline.txt`: between lines of `=`, a name, Markdown (`→` tab, `␍` CR, `␀` NUL), a line `.`, and the pieces: what
/// each shows, and where that is not its source, its source.
#[test]
fn every_way_in_which_ranges_mislead_has_its_case() {
    let bar = "=".repeat(32);
    let text = std::fs::read_to_string("tests/fixtures/inline.txt").unwrap();
    let mut wrong = String::new();
    let mut cases = 0;
    for case in text.split(&bar).filter(|case| !case.trim().is_empty()) {
        let (name, rest) = case.trim_start_matches('\n').split_once('\n').unwrap();
        let (markdown, expected) = rest.split_once("\n.\n").unwrap();
        let markdown = format!("{markdown}\n").replace('→', "\t").replace('␍', "\r").replace('␀', "\0");
        let found = pieces(&markdown);
        cases += 1;
        if found != expected {
            let markdown = rest.split_once("\n.\n").unwrap().0;
            wrong.push_str(&format!("{bar}\n{name}\n{markdown}\n.\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "these came out otherwise:\n{wrong}");
    assert!(cases >= 40, "{cases} cases");
}

fn pieces(text: &str) -> String {
    let runs = inline(text, &[]);
    let mut found = String::new();
    for piece in &runs.pieces {
        let source = &text[piece.range.clone()];
        match piece.shown {
            Shown::Verbatim => found.push_str(&format!("{source:?}\n")),
            Shown::Atom(_) => found.push_str(&format!("{:?} from {source:?}\n", runs.shown(text, piece))),
            Shown::Break => found.push_str(&format!("break from {source:?}\n")),
            Shown::Image { .. } => found.push_str(&format!("image {:?} from {source:?}\n", runs.shown(text, piece))),
            Shown::Reference(_) => {
                found.push_str(&format!("reference {:?} from {source:?}\n", runs.shown(text, piece)))
            }
            Shown::Task(done) => found.push_str(&format!("task {done} from {source:?}\n")),
            Shown::Comment => found.push_str(&format!("comment from {source:?}\n")),
        }
    }
    found
}
