//! Rendering: what the instructions promise to the loop that builds nodes from them, and what a reader gets to see.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[path = "generate/examples.rs"]
mod examples;
mod generate;

use countersign::document::html::{HtmlOptions, Images, render_html};
use countersign::document::render::{Attr, Label, Op, RenderOptions, Rendered, Tag, render};
use examples::{document, seeds};
use generate::Random;
use generate::markdown::Generator;

/// A tree of nodes, as the loop would build it, written like HTML; every promise of the format is checked on the way.
fn built(text: &str, block: &Rendered) -> String {
    let source: Vec<u16> = text[block.range.clone()].encode_utf16().collect();
    let strings: Vec<u16> = block.strings.encode_utf16().collect();
    let slice = |offset: u32, len: u32| String::from_utf16(&strings[offset as usize..(offset + len) as usize]).unwrap();
    let mut code = block.code.iter().copied();
    let mut out = String::new();
    let mut open: Vec<Option<Tag>> = Vec::new();
    let mut roots = 0;
    let mut last = 0;
    let mut opened = false;
    while let Some(op) = code.next() {
        let op = Op::of(op).expect("a known instruction");
        let mut word = || code.next().expect("all operands");
        let after_open = std::mem::replace(&mut opened, op == Op::Open);
        match op {
            Op::Open => {
                roots += usize::from(open.iter().all(Option::is_none));
                let tag = Tag::of(word()).expect("a known element");
                out.push_str(&format!("<{}", tag.name()));
                for _ in 0..word() {
                    let attr = Attr::of(word()).expect("a known attribute");
                    let (offset, len) = (word(), word());
                    let value = match attr {
                        Attr::AriaLabel => Label::of(offset).expect("a known label").name().to_owned(),
                        _ => slice(offset, len),
                    };
                    if attr == Attr::Class {
                        assert!(value.starts_with("language-"));
                    }
                    out.push_str(&format!(" {}={value:?}", attr.name()));
                }
                out.push('>');
                open.push(Some(tag));
            }
            Op::Close => {
                if let Some(tag) = open.pop().expect("something to close") {
                    out.push_str(&format!("</{}>", tag.name()));
                }
            }
            Op::Text => {
                let (offset, len, start) = (word(), word(), word());
                assert!(len > 0 && start >= last);
                assert_eq!(
                    slice(offset, len).encode_utf16().collect::<Vec<_>>(),
                    source[start as usize..(start + len) as usize]
                );
                last = start + len;
                out.push_str(&slice(offset, len));
            }
            Op::Atom => {
                let (offset, len, start, end) = (word(), word(), word(), word());
                assert!(len > 0 && last <= start && start <= end && end as usize <= source.len());
                last = end;
                out.push_str(&slice(offset, len));
            }
            Op::Plain => {
                let (offset, len) = (word(), word());
                out.push_str(&slice(offset, len));
            }
            Op::Label => {
                let (label, _) = (word(), word());
                out.push_str(&format!("{{{}}}", Label::of(label).expect("a known label").name()));
            }
            Op::Source => {
                let (start, end) = (word(), word());
                assert!(after_open && last <= start && start < end && end as usize <= source.len());
                last = end;
            }
            Op::Frame => {
                word();
                word();
                word();
                open.push(None);
            }
        }
    }
    assert!(open.is_empty(), "everything closes");
    assert!(roots <= 1, "a block is one element: {out}");
    out
}

fn check(text: &str, options: &RenderOptions) {
    let rendered = render(text, options);
    let mut seen: Vec<usize> = rendered.iter().map(|block| block.block).collect();
    let notes = rendered.iter().position(|block| block.footnote).unwrap_or(rendered.len());
    assert!(rendered[notes..].iter().all(|block| block.footnote), "footnotes come last");
    assert!(seen[..notes].is_sorted());
    seen.sort_unstable();
    assert!(seen.iter().copied().eq(0..rendered.len()), "every block once");
    for block in &rendered {
        built(text, block);
    }
    render_html(text, &HtmlOptions { images: Images::None, render: options.clone() });
}

#[test]
fn the_format_holds_on_generated_documents() {
    let seeds = seeds();
    for seed in 1_000_000..1_020_000 {
        let text = match seed % 2 {
            0 => document(&mut Random::new(seed), &seeds),
            _ => Generator::new(seed).document(),
        };
        let held = std::panic::catch_unwind(|| check(&text, &RenderOptions::default()));
        assert!(held.is_ok(), "seed {seed}: {text:?}");
    }
}

/// The nodes of all blocks, one block a line.
fn nodes(text: &str) -> Vec<String> {
    render(text, &RenderOptions::default()).iter().map(|block| built(text, block)).collect()
}

#[test]
fn a_block_keeps_its_key_where_it_moves() {
    let text = "# A\n\nOne *two* &amp; three\r\nfour.\n\n- x\n- y\n";
    let moved = format!("New.\n\nMore 日本.\n\n{text}");
    let keys = |text: &str| render(text, &RenderOptions::default()).iter().map(|block| block.key).collect::<Vec<_>>();
    assert_eq!(keys(text), keys(&moved)[2..]);
    let one_changed = keys("# A\n\nOne *two* &amp; THREE\r\nfour.\n\n- x\n- y\n");
    let before = keys(text);
    assert_eq!(before[0], one_changed[0]);
    assert_ne!(before[1], one_changed[1]);
    assert_eq!(before[2], one_changed[2]);
}

#[test]
fn a_key_covers_definitions_and_footnote_numbers() {
    let keys = |text: &str| render(text, &RenderOptions::default()).iter().map(|block| block.key).collect::<Vec<_>>();
    let (a, b) = (keys("See [x].\n\nNo.\n\n[x]: /a\n"), keys("See [x].\n\nNo.\n\n[x]: /b\n"));
    assert_ne!(a[0], b[0]);
    assert_eq!(a[1..2], b[1..2]);
    let (a, b) = (keys("A[^a] b.\n\nC[^b].\n\n[^a]: 1\n\n[^b]: 2\n"), keys("A b.\n\nC[^b].\n\n[^a]: 1\n\n[^b]: 2\n"));
    assert_ne!(a[1], b[1], "the second footnote is the first now");
}

#[test]
fn footnotes_come_last_in_the_order_of_their_first_reference() {
    let text = "[^late]: Late.\n\nA[^b] and[^late].\n\n[^b]: B, see[^deep].\n\n[^lonely]: Nobody asks.\n\n[^deep]: Deep.\n\nAgain[^B].\n";
    let shown = nodes(text);
    assert_eq!(
        shown[0],
        "<p dir=\"auto\">A<sup data-reference=\"1\"><a href=\"#footnote-1\">1</a></sup> and\
         <sup data-reference=\"2\"><a href=\"#footnote-2\">2</a></sup>.</p>"
    );
    assert_eq!(shown[1], "<p dir=\"auto\">Again<sup data-reference=\"1-2\"><a href=\"#footnote-1\">1</a></sup>.</p>");
    let order: Vec<_> = shown[2..].iter().map(|note| &note[..note.find("</p>").unwrap()]).collect();
    assert!(order[0].starts_with("<li dir=\"auto\" value=\"1\" data-footnote=\"1\"><p>B, see"));
    assert!(order[0].contains("href=\"#footnote-ref-1\"") && order[0].contains("href=\"#footnote-ref-1-2\""));
    assert!(order[1].starts_with("<li dir=\"auto\" value=\"2\" data-footnote=\"2\"><p>Late."));
    assert!(order[2].starts_with("<li dir=\"auto\" value=\"3\" data-footnote=\"3\"><p>Deep."));
    assert!(order[3].starts_with("<li dir=\"auto\" value=\"4\" data-footnote=\"4\"><p>Nobody asks."));
    assert!(!order[3].contains("data-back"));
}

#[test]
fn raw_html_is_text_but_for_bare_inline_tags_and_comments() {
    for (text, expected) in [
        ("a <b>c</b> d", "a <b>c</b> d"),
        ("<kbd>a <i>b</kbd></i>", "<kbd>a <i>b</kbd></i>"),
        ("*a <b>c* d</b>", "<em>a <b>c</em> d</b>"),
        ("<b onclick=\"x\">c</b>", "<b onclick=\"x\">c</b>"),
        ("a<br>b<br/>c", "a<br></br>b<br></br>c"),
        ("x <script>alert(1)</script>", "x <script>alert(1)</script>"),
        ("x <!-- hi --> y", "x <span data-comment=\"\" title=\"hi\">{comment}</span> y"),
    ] {
        assert_eq!(nodes(text), [format!("<p dir=\"auto\">{expected}</p>")], "{text}");
    }
    // What is an element and what is text only looks the same above.
    let html = |text| render_html(text, &HtmlOptions::default());
    assert_eq!(html("<kbd>a <i>b</kbd></i>"), "<p dir=\"auto\"><kbd>a &lt;i&gt;b</kbd>&lt;/i&gt;</p>\n");
    assert_eq!(html("*a <b>c* d</b>"), "<p dir=\"auto\"><em>a &lt;b&gt;c</em> d&lt;/b&gt;</p>\n");
    assert_eq!(
        html("- <b>a\n  - b</b>\n"),
        "<ul dir=\"auto\">\n<li>&lt;b&gt;a<ul>\n<li>b&lt;/b&gt;</li>\n</ul>\n</li>\n</ul>\n"
    );
    assert_eq!(
        html("<div onclick=x>\n<br>\n<!-- c -->\n<u>v</u>\n</div>\n"),
        "<div dir=\"auto\" data-html=\"\">&lt;div onclick=x&gt;\n<br>\n\n<span data-comment=\"\" title=\"c\">comment</span>\n\
         <u>v</u>\n&lt;/div&gt;</div>\n"
    );
}

#[test]
fn addresses_that_are_not_allowed_are_text() {
    let html = |text| render_html(text, &HtmlOptions { images: Images::All, ..HtmlOptions::default() });
    assert_eq!(
        html("[a *b*](javascript:x \"t\") c"),
        "<p dir=\"auto\">[a <em>b</em>](javascript:x &quot;t&quot;) c</p>\n"
    );
    assert_eq!(html("[a][x]\n\n[x]: vbscript:x"), "<p dir=\"auto\">[a][x]</p>\n");
    assert_eq!(html("![a](javascript:x) <data:x>"), "<p dir=\"auto\">![a](javascript:x) &lt;data:x&gt;</p>\n");
    assert_eq!(html("[a](//host/x)"), "<p dir=\"auto\">[a](//host/x)</p>\n");
    let more = RenderOptions { link_schemes: vec!["foo".into()], ..RenderOptions::default() };
    assert!(
        render_html("[a](foo:x)", &HtmlOptions { render: more, ..HtmlOptions::default() }).contains("href=\"foo:x\"")
    );
}

#[test]
fn images_are_their_text_unless_asked_for() {
    let text = "![a *b* `c`](https://img.example/x.png \"t\")";
    assert_eq!(
        render_html(text, &HtmlOptions::default()),
        "<p dir=\"auto\"><span title=\"t\" data-image=\"img.example\">a b c</span></p>\n"
    );
    assert_eq!(
        render_html(text, &HtmlOptions { images: Images::All, ..HtmlOptions::default() }),
        "<p dir=\"auto\"><img src=\"https://img.example/x.png\" alt=\"a b c\" title=\"t\" data-image=\"img.example\"></p>\n"
    );
}

#[test]
fn only_a_plain_language_is_a_class() {
    assert!(nodes("```c++ x\na\n```")[0].contains("class=\"language-c++\""));
    assert!(!nodes("```a\"b onload=x\na\n```")[0].contains("class="));
}

#[test]
fn headings_move_down_by_the_offset() {
    let options = RenderOptions { heading_offset: 2, ..RenderOptions::default() };
    let html = render_html("# A\n\n##### B\n", &HtmlOptions { render: options, ..HtmlOptions::default() });
    assert_eq!(html, "<h3 dir=\"auto\" data-slug=\"a\">A</h3>\n<h6 dir=\"auto\" data-slug=\"b\">B</h6>\n");
}

#[test]
fn a_table_that_is_mostly_padding_is_its_source() {
    let columns = 2_000;
    let text = format!("{}|\n{}|\n{}", "|a".repeat(columns), "|-".repeat(columns), "|b|\n".repeat(60));
    let shown = nodes(&text);
    assert_eq!(shown.len(), 1);
    assert!(
        shown[0].starts_with("<div dir=\"auto\"><p data-notice=\"\">{table-too-large}</p><pre data-plain=\"\">|a|a")
    );
    assert!(shown[0].ends_with("|b|</pre></div>"));
}

#[test]
fn nothing_nests_deeper_than_a_hundred_containers() {
    for (text, end) in [
        (format!("{}x\n", "> ".repeat(150)), "x"),
        (format!("{}x\n", "- ".repeat(150)), "x"),
        (format!("{}x{}\n", "*a **b ".repeat(100), "** *".repeat(100)), "x"),
        (format!("{}x{}\n", "<b>".repeat(300), "</b>".repeat(300)), "x"),
        (format!("{}x{}\n", "[![".repeat(150), "](a)](b)".repeat(150)), "x"),
    ] {
        let rendered = render(&text, &RenderOptions::default());
        let (mut depth, mut deepest) = (0usize, 0);
        let html = render_html(&text, &HtmlOptions::default());
        for part in html.split('<').skip(1) {
            depth = if part.starts_with('/') { depth - 1 } else { depth + 1 };
            deepest = deepest.max(depth);
        }
        // A list item is two elements.
        assert!(deepest <= 205, "{deepest} elements deep");
        assert!(html.contains(end) && rendered.len() == 1);
    }
}
