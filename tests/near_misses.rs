//! Near misses: anchors that a model gets almost right. The refusal must name the place that was meant (§4.4, issue 5).
//!
//! The documents are in `fixtures/near-misses/`; the anchors are cut from them and bent by fixed rules, the same on every
//! run. `cargo test --test near_misses -- --nocapture` prints the figures, and every miss.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod generate;

use std::collections::BTreeMap;
use std::ops::Range;

use countersign::change::edits::{Edit, apply_edits};
use generate::Random;

/// How many anchors of each kind are cut from each document, where it has as many.
const EACH: usize = 4;

/// A way to get an anchor almost right: from the document and a place in it to the place that is meant and the bent anchor.
type Bend = fn(&mut Random, &str) -> Option<(Range<usize>, String)>;

const KINDS: [(&str, Bend); 18] = [
    ("stale wording", stale_word),
    ("a stale beginning", stale_start),
    ("a word left out", word_left_out),
    ("typographic quotes", quotes),
    ("dashes", dashes),
    ("no-break spaces", no_break),
    ("lost emphasis marks", emphasis),
    ("links as shown", links),
    ("rendered table rows", table_row),
    ("rendered table rows, tabs", table_row_tabs),
    ("joined lines", joined),
    ("lines broken elsewhere", rewrapped),
    ("wrong heading level", heading_level),
    ("case", case),
    ("a typing error", typing),
    ("line numbers", line_numbers),
    ("line numbers, tabs", line_numbers_tabs),
    ("a long anchor with one wrong line", wrong_line),
];

fn documents() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/near-misses");
    let mut documents: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    documents.sort();
    documents
}

#[test]
fn the_place_that_was_meant_is_named() {
    let (mut asked, mut named) = (BTreeMap::<&str, usize>::new(), BTreeMap::<&str, usize>::new());
    let (mut longest, mut differing) = (0, 0);
    let documents = documents();
    assert!(documents.len() >= 10);
    for (number, (name, text)) in documents.iter().enumerate() {
        for (index, (kind, bend)) in KINDS.into_iter().enumerate() {
            let mut random = Random::new((number * 100 + index) as u64);
            let mut meant: Vec<Range<usize>> = Vec::new();
            for _ in 0..400 {
                if meant.len() == EACH {
                    break;
                }
                let Some((range, find)) = bend(&mut random, text) else { continue };
                // The place must be the only one, the anchor must miss, and no place is asked for twice.
                let taken = meant.iter().any(|other| other.start < range.end && range.start < other.end);
                if taken || text.contains(&find) || text.matches(&text[range.clone()]).count() != 1 {
                    continue;
                }
                let edit = Edit { find, replace: "Something else altogether.".into(), block: None };
                let refused = apply_edits(text, std::slice::from_ref(&edit)).expect_err("a near miss is never applied");
                let refusal = &refused.refusals[0];
                assert_eq!(refusal.reason.name(), "not-found");
                longest = longest.max(refusal.message.chars().count());
                assert!(!refusal.message.contains(&edit.find), "{name}, {kind}: echoes {:?}", edit.find);
                *asked.entry(kind).or_default() += 1;
                let found = refusal.nearest.as_ref().map(|nearest| nearest.place.range.clone());
                differing += usize::from(refusal.nearest.as_ref().is_some_and(|nearest| nearest.differs.is_some()));
                if found.as_ref().is_some_and(|found| same_place(text, &range, found)) {
                    *named.entry(kind).or_default() += 1;
                } else {
                    let found = found.map(|found| &text[found]);
                    println!(
                        "MISS {name}, {kind}\n  find  {:?}\n  meant {:?}\n  found {found:?}",
                        edit.find,
                        &text[range.clone()]
                    );
                }
                meant.push(range);
            }
        }
    }
    let (all, right): (usize, usize) = (asked.values().sum(), named.values().sum());
    for (kind, asked) in &asked {
        println!("{kind:36} {:3} of {asked:3}", named.get(kind).copied().unwrap_or(0));
    }
    println!(
        "{right} of {all} places named ({:.1} %), {differing} with the first difference",
        right as f64 / all as f64 * 100.0
    );
    println!("longest message: {longest} characters");
    assert!(asked.len() == KINDS.len() && all >= 400, "{all} anchors");
    assert!(right * 100 >= all * 95, "{right} of {all}");
    assert!(longest < 600);
}

/// A hint that points anywhere is worse than none: of anchors from other documents, most must get none.
#[test]
fn strangers_get_no_place() {
    let documents = documents();
    let mut random = Random::new(9);
    let (mut asked, mut named) = (0, 0);
    for (name, text) in &documents {
        for (_, stranger) in documents.iter().filter(|(other, _)| other != name) {
            let Some(range) = words(&mut random, stranger, 4, 14) else { continue };
            let edit = Edit { find: stranger[range].to_owned(), replace: "Something else.".into(), block: None };
            if let Err(refused) = apply_edits(text, &[edit]) {
                asked += 1;
                named += usize::from(refused.refusals[0].nearest.is_some());
            }
        }
    }
    println!("{named} of {asked} strangers were given a place");
    assert!(asked > 50 && named * 5 <= asked, "{named} of {asked}");
}

/// The same place: it starts on the same line, and more than half of what the two cover together is common.
fn same_place(text: &str, meant: &Range<usize>, found: &Range<usize>) -> bool {
    let line = |at: usize| text[..at].matches('\n').count();
    let common = meant.end.min(found.end).saturating_sub(meant.start.max(found.start));
    let together = meant.end.max(found.end) - meant.start.min(found.start);
    line(meant.start) == line(found.start) && common * 2 > together
}

/// A stretch of `least` to `most` words of one line, without blanks at its ends.
fn words(random: &mut Random, text: &str, least: usize, most: usize) -> Option<Range<usize>> {
    let lines: Vec<&str> = text.split('\n').filter(|line| line.split(' ').count() >= least).collect();
    let line = random.pick(&lines);
    let starts: Vec<usize> = line
        .char_indices()
        .filter(|(at, c)| *c != ' ' && (*at == 0 || line.as_bytes()[at - 1] == b' '))
        .map(|(at, _)| at)
        .collect();
    let count = least + random.below(most - least + 1);
    if starts.len() < count {
        return None;
    }
    let first = random.below(starts.len() - count + 1);
    let base = line.as_ptr() as usize - text.as_ptr() as usize;
    let end = starts.get(first + count).map_or(line.len(), |next| next - 1);
    let piece = line[starts[first]..end].trim_end();
    Some(base + starts[first]..base + starts[first] + piece.len())
}

fn bent(range: Range<usize>, text: &str, with: impl FnOnce(&str) -> String) -> Option<(Range<usize>, String)> {
    let find = with(&text[range.clone()]);
    (find != text[range.clone()]).then_some((range, find))
}

const OTHERS: [&str; 8] = ["quarterly", "maybe", "cheaper", "supplier", "every", "zebra", "renewed", "at"];

fn replace_word(random: &mut Random, piece: &str, from: usize) -> String {
    let mut words: Vec<&str> = piece.split(' ').collect();
    let at = (from + random.below((words.len() - from).max(1))).min(words.len() - 1);
    words[at] = OTHERS[random.below(OTHERS.len())];
    words.join(" ")
}

fn stale_word(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    let range = words(random, text, 5, 14)?;
    bent(range, text, |piece| replace_word(random, piece, 1))
}

fn stale_start(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    let range = words(random, text, 7, 14)?;
    bent(range, text, |piece| format!("{} {}", random.pick(&OTHERS), piece.split_once(' ').unwrap().1))
}

fn word_left_out(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    let range = words(random, text, 5, 12)?;
    bent(range, text, |piece| {
        let mut words: Vec<&str> = piece.split(' ').collect();
        words.remove(1 + random.below(words.len() - 2));
        words.join(" ")
    })
}

fn quotes(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    let range = words(random, text, 3, 12)?;
    bent(range, text, |piece| match piece.contains(['’', '“', '”', '„', '«']) {
        true => piece.replace('’', "'").replace(['“', '”', '„', '«', '»'], "\""),
        false => piece.replace('\'', "’").replacen('"', "“", 1).replace('"', "”"),
    })
}

fn dashes(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    let range = words(random, text, 4, 12)?;
    bent(range, text, |piece| match piece.contains(['–', '—', '\u{2011}']) {
        true => piece.replace(['–', '—', '\u{2011}'], "-"),
        false => piece.replace(" - ", " — ").replace('-', "–"),
    })
}

fn no_break(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    let range = words(random, text, 3, 8)?;
    bent(range, text, |piece| match piece.contains(['\u{a0}', '\u{202f}']) {
        true => piece.replace(['\u{a0}', '\u{202f}'], " "),
        false => piece.replacen(' ', "\u{a0}", 1 + random.below(2)),
    })
}

fn emphasis(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    let range = words(random, text, 3, 12)?;
    let whole = ["`", "*"].iter().all(|mark| text[range.clone()].matches(mark).count() % 2 == 0);
    if !whole {
        return None;
    }
    bent(range, text, |piece| piece.replace(['`', '*'], ""))
}

fn links(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    let links: Vec<usize> = text.match_indices("](").map(|(at, _)| at).collect();
    let at = *random.pick(&(if links.is_empty() { return None } else { links }));
    let open = text[..at].rfind('[')?;
    let close = at + text[at..].find(')')? + 1;
    // Some words of the same line on either side.
    let before = text[..open].rfind('\n').map_or(0, |found| found + 1);
    let after = close + text[close..].find('\n').unwrap_or(text.len() - close);
    let start = open - text[before..open].chars().rev().take(12 + random.below(40)).map(char::len_utf8).sum::<usize>();
    let end = close + text[close..after].chars().take(12 + random.below(40)).map(char::len_utf8).sum::<usize>();
    let range = start..end;
    if text[start..open].contains(['[', ']', '!'])
        || text[close..end].contains(['[', ']'])
        || text[open..at].contains('!')
    {
        return None;
    }
    bent(range, text, |piece| piece.replacen(&text[open..close], &text[open + 1..at], 1))
}

fn rendered_row(random: &mut Random, text: &str, between: &str) -> Option<(Range<usize>, String)> {
    let rows: Vec<&str> = text
        .split('\n')
        .filter(|line| {
            line.trim_start().starts_with('|')
                && line.trim_end().ends_with('|')
                && line.contains(|c: char| c.is_alphabetic())
        })
        .collect();
    let row = *random.pick(&(if rows.is_empty() { return None } else { rows }));
    let start = row.as_ptr() as usize - text.as_ptr() as usize;
    bent(start..start + row.len(), text, |row| {
        let cells: Vec<&str> = row.trim().trim_matches('|').split('|').map(str::trim).collect();
        cells.join(between).replace(['`', '*'], "")
    })
}

fn table_row(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    rendered_row(random, text, " ")
}

fn table_row_tabs(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    rendered_row(random, text, "\t")
}

/// `least` to `most` neighbouring lines.
fn lines(random: &mut Random, text: &str, least: usize, most: usize) -> Option<Range<usize>> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .filter(|at| *at < text.len())
        .collect();
    let count = least + random.below(most - least + 1);
    if starts.len() <= count {
        return None;
    }
    let first = random.below(starts.len() - count);
    let piece = text[starts[first]..starts[first + count]].trim();
    let start = piece.as_ptr() as usize - text.as_ptr() as usize;
    (piece.matches('\n').count() + 1 >= least && piece.len() > 20).then_some(start..start + piece.len())
}

fn joined(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    let range = lines(random, text, 2, 4)?;
    bent(range, text, |piece| {
        piece.split('\n').map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    })
}

fn rewrapped(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    let range = words(random, text, 8, 20)?;
    bent(range, text, |piece| {
        let words: Vec<&str> = piece.split(' ').collect();
        let at = 2 + random.below(words.len() - 4);
        format!("{}\n{}", words[..at].join(" "), words[at..].join(" "))
    })
}

fn heading_level(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    let headings: Vec<&str> = text.split('\n').filter(|line| line.starts_with('#') && line.contains("# ")).collect();
    let heading = *random.pick(&headings);
    let start = heading.as_ptr() as usize - text.as_ptr() as usize;
    // One level deeper; one level up would stand inside of the heading, and land there.
    bent(start..start + heading.trim_end().len(), text, |heading| format!("#{heading}"))
}

fn case(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    let range = words(random, text, 3, 9)?;
    let upper = random.once_in(2);
    bent(range, text, |piece| if upper { piece.to_uppercase() } else { piece.to_lowercase() })
}

fn typing(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    let range = words(random, text, 3, 8)?;
    bent(range, text, |piece| {
        let mut letters: Vec<char> = piece.chars().collect();
        let at = 1 + random.below(letters.len() - 2);
        letters.swap(at, at - 1);
        letters.into_iter().collect()
    })
}

fn numbered(random: &mut Random, text: &str, mark: &str) -> Option<(Range<usize>, String)> {
    let range = lines(random, text, 1, 6)?;
    let first = text[..range.start].matches('\n').count() + 1;
    // The piece begins at the first character of its line, or behind its indent, which line numbers then precede.
    bent(range, text, |piece| {
        piece
            .split('\n')
            .enumerate()
            .map(|(at, line)| format!("{}{mark}{line}", first + at))
            .collect::<Vec<_>>()
            .join("\n")
    })
}

fn line_numbers(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    numbered(random, text, ": ")
}

fn line_numbers_tabs(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    numbered(random, text, "\t")
}

fn wrong_line(random: &mut Random, text: &str) -> Option<(Range<usize>, String)> {
    let range = lines(random, text, 8, 40)?;
    bent(range, text, |piece| {
        let mut lines: Vec<String> = piece.split('\n').map(str::to_owned).collect();
        let at = random.below(lines.len());
        lines[at] = format!("{} {}", random.pick(&OTHERS), random.pick(&OTHERS));
        lines.join("\n")
    })
}
