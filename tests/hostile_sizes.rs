//! Hostile sizes: no input panics, overflows the stack or grows beyond a constant times its length.
//!
//! The families are those that cmark and md4c test against, rebuilt from their description, and our own. Work is counted in
//! what reading and rendering produce. Each family runs at two sizes: a quadratic step anywhere would show as a run of
//! minutes, a quadratic result as a ratio.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use countersign::document::html::{HtmlOptions, render_html};
use countersign::document::inline::inline;
use countersign::document::render::{RenderOptions, render, render_runs};

type Family = (&'static str, fn(usize) -> String);

fn rep(text: &str, n: usize) -> String {
    text.repeat(n)
}

/// A length whose square is `n`.
fn root(n: usize) -> usize {
    n.isqrt()
}

/// `n` is about the number of repetitions.
const FAMILIES: &[Family] = &[
    ("quotes-one-line", |n| format!("{}a\n", rep("> ", n))),
    ("quotes-lazy", |n| format!("{}a\n{}", rep("> ", n), rep("b\n", n))),
    ("quotes-tight-lazy", |n| format!("{}a\n{}", rep(">", n), rep("b\n", n))),
    ("lists-one-line", |n| format!("{}a\n", rep("- ", n))),
    ("lists-lazy", |n| format!("{}a\n{}", rep("- ", n), rep("b\n", n))),
    ("lists-ord", |n| format!("{}a\n{}", rep("1. ", n), rep("b\n", n))),
    ("lists-blank", |n| format!("{}a\n{}", rep("- ", n), rep("\n", n))),
    ("rule-like", |n| rep("* ", n)),
    ("list-indent", |n| (0..2 * root(n)).map(|depth| format!("{}- a\n", " ".repeat(depth * 2))).collect()),
    ("list-indent-lazy", |n| {
        let lists: String = (0..root(n)).map(|depth| format!("{}- a\n", " ".repeat(depth * 2))).collect();
        lists + &rep("b\n", n)
    }),
    ("table-padding", |n| {
        let columns = 3 * root(n);
        format!("{}|\n{}|\n{}", rep("|a", columns), rep("|-", columns), rep("|b|\n", columns))
    }),
    ("backticks", |n| (1..2 * root(n)).map(|length| format!("e{}", "`".repeat(length))).collect()),
    ("fence-nested", |n| (3..root(n)).map(|length| format!("{}\n", "`".repeat(length))).collect()),
    ("refs-many", |n| {
        let definitions: String = (0..n).map(|i| format!("[a{i}]: /u\n")).collect();
        definitions + "\n" + &(0..n).map(|i| format!("[a{i}] ")).collect::<String>()
    }),
    ("footnotes", |n| {
        let references: String = (0..n).map(|i| format!("[^{i}]\n")).collect();
        references + "\n" + &(0..n).map(|i| format!("[^{i}]: x\n")).collect::<String>()
    }),
    ("table-wide", |n| format!("{}|\n{}|\n", rep("|a", n), rep("|-", n))),
    ("table-rows", |n| format!("|a|b|\n|-|-|\n{}", rep("|c|d|\n", n))),
    ("table-nondelim", |n| rep("|a|b|\n|-\n", n)),
    ("table-heads", |n| rep("|a|b|\n|-|-|\n\n", n)),
    ("long-line", |n| rep("word ", n * 4)),
    ("nested-strong", |n| format!("{}b{}", rep("*a **a ", n), rep("** *", n))),
    ("em-open", |n| rep("_a ", n)),
    ("em-close", |n| rep("a_ ", n)),
    ("em-mixed", |n| rep("*a_ ", n)),
    ("em-mixed2", |n| rep("a**b", n) + &rep("c* ", n)),
    ("em-mod3", |n| rep("a***b*c**", n)),
    ("tildes", |n| rep("~a ~~b ", n)),
    ("link-open", |n| rep("[a", n)),
    ("link-close", |n| rep("a]", n)),
    ("brackets", |n| format!("{}a{}", rep("[", n), rep("]", n))),
    ("img-open", |n| rep("![a", n)),
    ("link-paren", |n| rep("[a](", n)),
    ("link-lt", |n| rep("[a](<b", n)),
    ("link-lt-nl", |n| rep("[a](<b\n", n)),
    ("link-title", |n| rep("[a](b \"", n)),
    ("link-title2", |n| rep("[a](b '\n", n)),
    ("link-title3", |n| rep("[a](b (", n) + &rep(")", 1)),
    ("img-nest", |n| rep("![[]()", n)),
    ("img-nest2", |n| format!("{}{}", rep("![", n), rep("](a)", n))),
    ("img-alt-nest", |n| format!("{}a{}", rep("![a", n), rep("](/b)", n))),
    ("nested-parens", |n| format!("[a]({}", rep("(", n))),
    ("parens-each", |n| rep("[a](((((((((((((((((((((((((((((((((", n / 8)),
    ("backtick-single", |n| rep("`a``b", n)),
    ("backslash-tick", |n| rep("\\``a", n)),
    ("code-lines", |n| format!("`{}`", rep("a\n", n))),
    ("code-quote-lines", |n| format!("> `{}> `\n", rep("> > >\n", n))),
    ("refs-expand", |n| format!("[x]: {}\n\n{}", rep("a", n), rep("[x] ", n))),
    ("refs-title", |n| rep("[a]: b \"\n", n)),
    ("refs-open", |n| rep("[a]: b '\n", n)),
    ("refs-undefined", |n| rep("[a][b] ", n)),
    ("refs-nested-label", |n| rep("[a][", n)),
    ("refs-label-long", |n| rep("[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", n / 4)),
    ("ref-def-newline", |n| rep("[a]:\n", n)),
    ("html-comment", |n| rep("a <!-- ", n)),
    ("html-comment2", |n| format!("a {}", rep("<!--- ", n))),
    ("html-block-comment", |n| rep("<!-- a\n\n", n)),
    ("html-cdata", |n| format!("a {}", rep("<![CDATA[ ", n))),
    ("html-pi", |n| format!("a {}", rep("<? ", n))),
    ("html-decl", |n| format!("a {}", rep("<!A ", n))),
    ("html-tag-open", |n| format!("a {}", rep("<a b=", n))),
    ("html-attr", |n| format!("a <a{}", rep(" b", n))),
    ("html-attrq", |n| format!("a {}", rep("<a b=\"", n))),
    ("html-attr-nl", |n| format!("a {}", rep("<a\n", n))),
    ("html-tags-b", |n| format!("a {}{}", rep("<b>", n), rep("</b>", n))),
    ("html-tags-mixed", |n| format!("a {}{}", rep("<b><i>", n), rep("</b>", n))),
    ("html-tags-miss", |n| format!("a {}{}", rep("<b>", n), rep("</i>", n))),
    ("html-block-tags", |n| format!("<div>{}{}", rep("<b>", n), rep("</b>", n))),
    ("html-block-lt", |n| format!("<div>{}", rep("<", n))),
    ("html-block-comments", |n| format!("<div>{}", rep("<!-- -->", n))),
    ("html-lines-quote", |n| format!("> <div>\n{}", rep("> x\n", n))),
    ("autolinks", |n| rep("<http://a> ", n)),
    ("lt", |n| rep("<", n)),
    ("bare-urls", |n| rep("http://a.b ", n)),
    ("bare-parens", |n| format!("http://a.b/{}", rep("(", n))),
    ("bare-parens2", |n| format!("http://a.b/{}", rep(")", n))),
    ("bare-amp", |n| format!("http://a.b/{}", rep("&a;", n))),
    ("bare-at", |n| rep("a@", n)),
    ("bare-dots", |n| format!("a@{}", rep("a.", n))),
    ("bare-local", |n| format!("{}@", rep("a.", n))),
    ("bare-www", |n| rep("www.", n)),
    ("bare-colon", |n| rep("http:", n)),
    ("bare-underscore", |n| rep("http://a_", n)),
    ("entities", |n| rep("&amp;", n)),
    ("entities-bad", |n| rep("&", n)),
    ("entity-long", |n| rep("&aaaaaaaaaaaaaaaaaaaaaaaaa", n / 8)),
    ("footnote-one", |n| rep("[^a] ", n) + "\n\n[^a]: b\n"),
    ("footnote-defs-line", |n| rep("[^a]: ", n)),
    ("footnote-dup", |n| rep("[^a]: b\n\n", n)),
    ("fences", |n| rep("```\n", n)),
    ("headings", |n| rep("# a\n", n)),
    ("headings-hash", |n| format!("# a {}", rep("#", n))),
    ("setext", |n| rep("a\n=\n", n)),
    ("setext-long", |n| format!("{}===", rep("a\n", n))),
    ("tasks", |n| rep("- [ ] a\n", n)),
    ("hardbreaks", |n| rep("a  \n", n)),
    ("spaces", |n| format!("a{}b", rep(" ", n))),
    ("space-lines", |n| rep(&(rep(" ", 200) + "\n"), n / 50)),
    ("backslashes", |n| rep("\\", n)),
    ("backslash-lines", |n| rep("\\\\\\\n", n)),
    ("pipes", |n| rep("|", n)),
    ("nul", |n| rep("\0", n)),
    ("crlf", |n| rep("a\r\n", n)),
    ("cr-code", |n| format!("```\n{}", rep("a\r", n))),
    ("tabs-code", |n| rep("\t\ta\n", n)),
    ("alerts", |n| rep("> [!NOTE]\n", n)),
    ("bom", |n| rep("\u{feff}", n)),
    ("astral-pieces", |n| rep("😀&amp;", n)),
    ("links-blocked", |n| rep("[a](javascript:x) ", n)),
    ("links-blocked-nest", |n| format!("{}a{}", rep("[![", n), rep("](x:y)](x:y)", n))),
    ("quote-in-list", |n| rep("- > a\n", n)),
    ("yaml", |n| format!("---\na: b\n{}", rep("x: y\n", n))),
    ("slugs", |n| rep("# same\n\n", n)),
    ("slugs2", |n| (0..n).map(|i| format!("# a-{}\n# a\n", i)).collect::<String>()),
];

/// What reading and rendering make of a text, counted.
fn work(text: &str) -> usize {
    let runs = inline(text, &[]);
    let rendered = render_runs(text, &runs, &RenderOptions::default());
    let words: usize = rendered.iter().map(|block| block.code.len() + block.strings.len()).sum();
    runs.steps.len() + runs.nodes.len() + runs.pieces.len() + words
}

#[test]
fn every_family_grows_linearly() {
    for (name, make) in FAMILIES {
        let (small, large) = (make(6_000), make(24_000));
        let (before, after) = (work(&small), work(&large));
        // An element with its attributes takes at most this many units for each byte that asked for it.
        assert!(after <= 64 * large.len() + 1_000_000, "{name}: {after} units for {} bytes", large.len());
        let of_text = large.len() as f64 / small.len() as f64;
        let most = before as f64 * of_text * 1.5 + 10_000.0;
        assert!(after as f64 <= most, "{name}: {before} units, then {after} for {of_text:.1} times the text");
    }
}

#[test]
fn what_the_specification_names() {
    let wide = format!("{}|\n{}|\n{}", rep("|a", 10_000), rep("|-", 10_000), rep("|b|\n", 100));
    for text in [
        rep("> ", 50_000) + "x\n",
        rep("- ", 30_000) + "x\n",
        (0..400).map(|depth| rep("  ", depth) + "- x\n").collect(),
        format!("{}x{}", rep("*", 50_000), rep("*", 50_000)),
        wide,
        rep("word ", 200_000),
        rep("x", 1_000_000),
    ] {
        let rendered = render(&text, &RenderOptions::default());
        assert!(!rendered.is_empty());
        let html = render_html(&text, &HtmlOptions::default());
        assert!(html.len() <= 16 * text.len() + 100_000);
        assert!(html.contains('x') || html.contains("word") || html.contains("too many cells"));
    }
}

#[test]
fn tables_cannot_multiply_a_document() {
    let table = format!("{}|\n{}|\n{}\n", rep("|a", 1_000), rep("|-", 1_000), rep("|b|\n", 90));
    let (one, many) = (work(&table), work(&rep(&table, 40)));
    assert!(many < one * 5, "{one} units for one table, {many} for forty");
}
