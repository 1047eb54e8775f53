//! Markdown documents for laws: the specifications' examples and our own seeds, put together, bent and broken.
#![allow(dead_code, clippy::unwrap_used, reason = "each test uses its part")]

use std::fs;

use crate::generate::Random;

/// The documents that others are made of: the specifications' examples, and what they have not.
pub(crate) fn seeds() -> Vec<String> {
    let mut seeds = Vec::new();
    for file in ["commonmark-0.31.2.txt", "gfm-0.29.txt"] {
        let text = fs::read_to_string(format!("tests/fixtures/{file}")).unwrap().replace('→', "\t");
        for example in text.split(&"`".repeat(32)).skip(1).step_by(2) {
            let (_, example) = example.split_once('\n').unwrap();
            seeds.push(example.split("\n.\n").next().unwrap().to_owned() + "\n");
        }
    }
    let more = fs::read_to_string("tests/fixtures/inline-seeds.md").unwrap();
    seeds.extend(more.split("\n%%%\n").map(str::to_owned));
    seeds
}

const BITS: &[&str] = &[
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "  \n",
    "\\\n",
    "\t",
    " ",
    "    ",
    "> ",
    "- ",
    "1. ",
    "\\",
    "`",
    "``",
    "*",
    "**",
    "_",
    "~~",
    "[",
    "]",
    "](",
    ")",
    "![",
    "<",
    ">",
    "|",
    "&amp;",
    "&#0;",
    "\0",
    "é",
    "日本",
    "👩‍👩‍👧",
    "שלום",
    "<b>",
    "</b>",
    "<br>",
    "<!-- c -->",
    "<!--",
    "-->",
    "[^1]",
    "[^1]: ",
    "[x][]",
    "[x]: /u\n",
    "- [ ] ",
    "- [x] ",
    "> [!NOTE]\n",
    "| a | b |\n|---|---|\n",
    "```\n",
    "~~~",
    "# ",
    "***\n",
    "www.a.example",
    "https://a.example/b_c",
    "a@b.example",
    "\u{feff}",
    "word",
    "\u{c}",
    "<div>",
    "\\|",
    "&copy",
    "---\n",
    "===\n",
];

/// A document made of seeds and bits, never the same twice.
pub(crate) fn document(random: &mut Random, seeds: &[String]) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(3) {
        text.push_str(random.pick(seeds).as_str());
        if random.once_in(2) {
            text.push_str(random.pick::<&str>(&["\n", "\n\n", "", "- ", "> "]));
        }
    }
    for _ in 0..random.below(6) {
        let mut at = random.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        if random.once_in(4) {
            let mut end = (at + random.below(6)).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            text.replace_range(at..end, "");
        } else {
            text.insert_str(at, random.pick::<&str>(BITS));
        }
    }
    match random.below(12) {
        0 => text = text.replace('\n', "\r\n"),
        1 => text = text.replace('\n', "\r"),
        2 => text = text.lines().map(|line| format!("> {line}\n")).collect(),
        3 => text = format!("- {}", text.replace('\n', "\n  ")),
        4 => text.insert(0, '\u{feff}'),
        _ => {}
    }
    text
}
