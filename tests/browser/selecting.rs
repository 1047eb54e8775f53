//! Selecting in a rendered document gives exact source: by the fixtures' cases, by real gestures, and at random.

use serde_json::{Value, json};

use crate::engine::Engine;
use crate::gesture::{Mouse, Point, key};
use crate::session::Session;
use crate::site::Pages;

const TEXT: &str = "#document >> article";

pub struct Page {
    pub session: Session,
    _pages: Pages,
}

impl Page {
    pub fn open() -> Self {
        let (pages, session) = (Pages::serve(), Session::open());
        session.go(&pages.page("selecting.html"));
        session.until_true("'ready' in document.documentElement.dataset");
        Self { session, _pages: pages }
    }

    pub fn showing(text: &str) -> Self {
        let page = Self::open();
        page.show(text, 0);
        page
    }

    pub fn show(&self, text: &str, which: usize) {
        self.session.run("page.show(...arguments)", &[json!(text), json!(which)]);
    }

    /// Selects a shown text by script.
    pub fn select(&self, words: &str) {
        self.session.run("page.select([arguments[0], 1])", &[json!(words)]);
    }

    /// `quoteSelection()` of one of the page's documents.
    pub fn selection(&self, which: usize) -> Value {
        self.session.run("return page.at(arguments[0]).quoteSelection()", &[json!(which)])
    }

    /// The exact source of what is selected, once the bar offers it; the answer of `quoteSelection` and the quote that a
    /// click on the bar's button gives are the same.
    #[track_caller]
    pub fn exact(&self) -> String {
        self.exact_of(0)
    }

    #[track_caller]
    pub fn exact_of(&self, which: usize) -> String {
        self.session.until_true(&format!("page.words({which}) !== null"));
        self.session.run_async("await page.frame()", &[]);
        let answer = self.selection(which);
        assert_eq!(answer["ok"], json!(true), "{answer}");
        let before = self.selected_text();
        let asked = self.session.run(
            "page.heard.length = 0; page.button('ask', arguments[0]).click(); return page.heard[0] ?? null",
            &[json!(which)],
        );
        assert_eq!(asked, answer["quote"], "what the bar gives is what is selected");
        assert_eq!(self.selected_text(), before, "asking left the selection");
        answer["quote"]["exact"]["text"].as_str().unwrap().to_owned()
    }

    fn selected_text(&self) -> Value {
        self.session.run("return String(getSelection())", &[])
    }

    /// Nothing is selected and nothing on offer.
    pub fn clear(&self) {
        self.session.run("getSelection().removeAllRanges(); page.button('dismiss')?.click()", &[]);
        self.session.run_async("await page.frame()", &[]);
    }

    pub fn drag(&self, from: Point, to: Point) {
        let half = Point { x: (from.x + to.x) / 2.0, y: (from.y + to.y) / 2.0 };
        self.session.act(Mouse::new().at(from).down().at(half).at(to).up());
    }

    /// Drags from before one shown text to behind another, both in view at once.
    pub fn drag_from_to(&self, first: &str, last: &str) {
        let places = self.session.run_async("return await page.points(...arguments)", &[json!(first), json!(last)]);
        let at = |index: usize| Point { x: places[index][0].as_f64().unwrap(), y: places[index][1].as_f64().unwrap() };
        self.drag(at(0), at(1));
    }

    pub fn place(&self, words: &str) -> (Point, Point) {
        self.session.place_of(TEXT, words, 0)
    }
}

#[test]
fn every_case_of_the_fixtures_gives_its_source() {
    let page = Page::open();
    for file in ["quotes.json", "quotes-more.json"] {
        let cases = std::fs::read_to_string(crate::root().join("tests/fixtures").join(file)).unwrap();
        let cases: Value = serde_json::from_str(&cases).unwrap();
        let review = std::fs::read_to_string(crate::root().join("tests/fixtures/vendor-review.md")).unwrap();
        let answers = page.session.run_async(
            "const [cases, review] = arguments;
             const answers = [];
             for (const { markdown = review, start, end } of cases) {
               getSelection().removeAllRanges();
               page.show(markdown);
               page.select(start, end);
               await page.frame();
               const answer = page.at().quoteSelection();
               for (let frames = 0; answer.ok && !page.button('ask') && frames < 200; frames += 1) await page.frame();
               page.heard.length = 0;
               page.button('ask')?.click();
               answers.push({ answer, heard: page.heard[0] ?? null });
               page.button('dismiss')?.click();
             }
             return answers;",
            &[cases.clone(), json!(review)],
        );
        let mut wrong = Vec::new();
        for (case, given) in cases.as_array().unwrap().iter().zip(answers.as_array().unwrap()) {
            let (expect, answer) = (&case["expect"], &given["answer"]);
            let quote = &answer["quote"];
            let refused = expect["refused"] == json!(true);
            let same = |name: &str, part: &Value| expect.get(name).is_none_or(|expected| expected == part);
            let fits = same("exact", &quote["exact"]["text"])
                && same("startsAt", &quote["exact"]["start"])
                && same("occurrence", &quote["exact"]["occurrence"])
                && same("of", &quote["exact"]["of"])
                && same("blocks", &quote["blocks"])
                && same("source", &quote["source"])
                && same("anchor", &quote["anchor"])
                && expect.get("rows") == quote["table"].get("rows")
                && expect.get("columns") == quote["table"].get("columns");
            let told = if refused { given["heard"].is_null() } else { given["heard"] == *quote };
            if answer["ok"] == json!(refused) || !(fits || refused) || !told {
                wrong.push(format!("{}: {given}", case["name"]));
            }
        }
        assert!(wrong.is_empty(), "{file}: {wrong:#?}");
    }
    page.session.expect_no_errors();
}

const PROSE: &str = "# Plan\n\nFirst *paragraph* of words.\n\n- one item\n- two items\n\nBefore a table.\n\n| Name | Sum |\n|---|---|\n| ink | 12 |\n| pen | 34 |\n\nBefore a rule.\n\n---\n\n```js\nlet code = 1;\nlet more = 2;\n```\n\n> [!NOTE]\n> Mind the **gap** here.\n\nNoted[^n] at last.\n\n[^n]: The footnote's words.\n";

#[test]
fn the_mouse_drags_forwards_and_backwards() {
    let page = Page::showing(PROSE);
    let (from, to) = page.place("paragraph of words");
    page.drag(from, to);
    assert_eq!(page.exact(), "*paragraph* of words");
    page.clear();
    page.drag(to, from);
    assert_eq!(page.exact(), "*paragraph* of words", "backwards");
    page.clear();
    page.drag_from_to("of words", "two items");
    assert_eq!(page.exact(), "of words.\n\n- one item\n- two items", "into a list");
    page.session.expect_no_errors();
}

#[test]
fn two_clicks_take_a_word_and_three_a_paragraph() {
    let page = Page::showing(PROSE);
    let inside = |words: &str| {
        let (from, to) = page.place(words);
        Point { x: (from.x + to.x) / 2.0, ..from }
    };
    page.session.act(Mouse::new().clicks(inside("words"), 2));
    // Some platforms take the blank behind a word along.
    assert_eq!(page.exact().trim(), "words");
    for (words, exact, blocks) in [
        ("paragraph", "First *paragraph* of words.", [1, 1]),
        ("Before a table", "Before a table.", [3, 3]),
        ("Before a rule", "Before a rule.", [5, 5]),
        ("Plan", "Plan", [0, 0]),
    ] {
        page.clear();
        // Elsewhere first: clicks that follow at one place would count on.
        page.session.act(Mouse::new().clicks(page.session.middle("#above"), 1));
        page.session.act(Mouse::new().clicks(inside(words), 3));
        page.session.until_true("page.words() !== null");
        let blocks_of = page.selection(0)["quote"]["blocks"].clone();
        assert_eq!(page.exact(), exact, "{words}");
        assert_eq!(blocks_of, json!(blocks), "{words}");
    }
    page.clear();
    page.show("One.\n\nThe last paragraph.\n", 0);
    page.session.act(Mouse::new().clicks(page.session.middle("#above"), 1));
    page.session.act(Mouse::new().clicks(inside("last paragraph"), 3));
    assert_eq!(page.exact(), "The last paragraph.");
    page.session.expect_no_errors();
}

#[test]
fn a_click_with_shift_and_arrows_with_shift_extend() {
    let page = Page::showing(PROSE);
    let session = &page.session;
    session.act(Mouse::new().clicks(page.place("of words").0, 1));
    session.act(Mouse::new().key_down(key::SHIFT).clicks(page.place("words").1, 1).key_up(key::SHIFT));
    assert_eq!(page.exact(), "of words");
    page.clear();
    session.act(Mouse::new().clicks(session.middle("#above"), 1));
    // Without a range to extend, Chromium has no caret in a text that cannot be edited.
    let (from, to) = page.place("words");
    page.drag(from, to);
    session.keys(&[&[key::SHIFT, key::RIGHT][..]; 4]);
    let exact = page.exact();
    assert!(exact.starts_with("words.\n\n- o"), "across blocks: {exact:?}");
    session.keys(&[&[key::SHIFT, key::DOWN][..]; 2]);
    let exact = page.exact();
    assert!(exact.starts_with("words.\n\n- one item\n- two items"), "by lines: {exact:?}");
    session.expect_no_errors();
}

#[test]
fn select_all_is_the_whole_document() {
    let page = Page::showing(PROSE);
    let session = &page.session;
    session.act(Mouse::new().clicks(page.place("First").0, 1));
    session.keys(&[&[key::CONTROL, 'a']]);
    session.until_true("page.words() !== null");
    assert_eq!(page.selection(0)["quote"]["exact"]["text"], json!(PROSE));
    assert_eq!(page.exact(), PROSE);
    // Alone on its page the document has nothing around it that shows.
    session.run(
        "for (const name of ['#above', '#between', '#second', '#box', '#below', '#quotes', '#message']) document.querySelector(name).remove()",
        &[],
    );
    session.run("getSelection().removeAllRanges()", &[]);
    session.act(Mouse::new().clicks(page.place("First").0, 1));
    session.keys(&[&[key::CONTROL, 'a']]);
    session.until_true("String(getSelection()).length > 100 || page.words() !== null");
    session.run_async("await page.frame()", &[]);
    assert_eq!(page.selection(0)["quote"]["exact"]["text"], json!(PROSE));
    session.expect_no_errors();
}

#[test]
fn what_lies_outside_is_left_out() {
    let page = Page::showing("# Plan\n\nFirst words.\n\nLast words.\n");
    let session = &page.session;
    let above = session.middle("#above");
    page.drag(above, page.place("First").1);
    assert_eq!(page.exact(), "# Plan\n\nFirst", "from above, with all of the heading");
    page.clear();
    let (from, below) = (page.place("Last").0, session.middle("#between"));
    page.drag(from, below);
    assert_eq!(page.exact(), "Last words.", "to below");
    page.clear();
    page.drag(above, below);
    assert_eq!(page.exact(), "# Plan\n\nFirst words.\n\nLast words.\n", "over all of it");
    page.clear();
    let (from, to) = (session.place_of("#above", "Above", 0).0, session.place_of("#above", "document", 0).1);
    page.drag(from, to);
    session.run_async("await page.frame()", &[]);
    assert_eq!(session.run("return page.words()", &[]), Value::Null, "beside it");
    assert_eq!(page.selection(0)["ok"], json!(false));
    session.expect_no_errors();
}

#[test]
fn cells_know_their_rows_and_columns() {
    let page = Page::showing(PROSE);
    page.drag_from_to("ink", "34");
    page.session.until_true("page.words() !== null");
    let quote = page.selection(0)["quote"].clone();
    assert_eq!(quote["table"], json!({ "rows": [1, 2], "columns": [0, 1] }));
    assert_eq!(quote["exact"]["text"], json!("ink | 12 |\n| pen | 34"));
    page.session.expect_no_errors();
}

#[test]
fn what_the_component_adds_is_never_quoted() {
    let page = Page::showing(PROSE);
    page.drag_from_to("Before a rule", "more");
    assert_eq!(page.exact(), "Before a rule.\n\n---\n\n```js\nlet code = 1;\nlet more", "over the copy button");
    page.clear();
    page.drag_from_to("more", "Mind");
    assert_eq!(page.exact(), "more = 2;\n```\n\n> [!NOTE]\n> Mind", "over the alert's title");
    page.clear();
    let (from, to) = page.place("Note");
    page.drag(from, to);
    page.session.run_async("await page.frame()", &[]);
    assert_eq!(page.session.run("return page.words()", &[]), Value::Null, "the title alone is no source");
    page.session.expect_no_errors();
}

#[test]
fn from_the_body_into_a_footnote_the_reading_order_stays() {
    let text = "One[^b] two[^a].\n\n[^a]: Note a.\n\n[^b]: Note b.\n";
    let page = Page::showing(text);
    page.drag_from_to("two", "Note b");
    page.session.until_true("page.words() !== null");
    let quote = page.selection(0)["quote"].clone();
    let b = text.find("Note b").unwrap();
    let ranges: Vec<String> = quote["ranges"]
        .as_array()
        .unwrap_or_else(|| panic!("no ranges: {quote}"))
        .iter()
        .map(|range| text[range[0].as_u64().unwrap() as usize..range[1].as_u64().unwrap() as usize].to_owned())
        .collect();
    assert_eq!(ranges.first().map(String::as_str), Some("two[^a]."), "{ranges:?}");
    assert!(ranges.last().is_some_and(|last| last.ends_with("Note b")), "{ranges:?}");
    assert_eq!(quote["exact"]["end"], json!(b + "Note b".len()));
    assert_eq!(quote["blocks"], json!([0, 2]));
    page.session.expect_no_errors();
}

#[test]
fn each_document_of_a_page_answers_for_itself() {
    let page = Page::showing("First document.\n");
    let session = &page.session;
    page.show("Second document.\n", 1);
    page.show("Third **document**.\n", 2);
    session.drag_over("#second >> article", "Second", 0);
    assert_eq!(page.exact_of(1), "Second");
    assert_eq!(page.selection(0)["ok"], json!(false), "the first has nothing");
    session.drag_over("#box >> countersign-document >> article", "document", 0);
    assert_eq!(page.exact_of(2), "**document**", "in a host's own root");
    // With the bar in place first: it moves what is below the document.
    session.drag_over(TEXT, "First", 0);
    session.until_true("page.words() === 'First'");
    let (from, to) = (page.place("document").0, session.place_of("#second >> article", "Second", 0).1);
    page.drag(from, to);
    session.until_true("page.words() === 'document.'");
    assert_eq!(page.selection(1)["quote"]["exact"]["text"], json!("Second"), "across two");
    assert_eq!(page.exact_of(0), "document.", "across two");
    session.expect_no_errors();
}

#[test]
fn another_block_may_change_under_a_selection() {
    let page = Page::showing("Alpha words.\n\nBeta words.\n\nGamma words.\n");
    let session = &page.session;
    session.drag_over(TEXT, "Beta", 0);
    session.until_true("page.words() === 'Beta'");
    page.show("Alpha has more words now.\n\nBeta words.\n\nGamma words.\n", 0);
    assert_eq!(page.exact(), "Beta");
    session.drag_over(TEXT, "Gamma", 0);
    assert_eq!(page.exact(), "Gamma", "a selection after the change");
    session.expect_no_errors();
}

#[test]
fn a_finger_selects() {
    let page = Page::showing(PROSE);
    let session = &page.session;
    let (from, to) = page.place("words");
    let at = Point { x: (from.x + to.x) / 2.0, ..from };
    // Only Chromium's driver makes a long press of a held finger; elsewhere its selection is made by script.
    session.act(Mouse::touch().at(at).down().hold(900).up());
    session.run_async("await page.frame()", &[]);
    if session.run("return page.words()", &[]).is_null() {
        page.select("words");
    }
    session.until_true("page.words() !== null");
    // The tap on the button empties the selection first, as it does on a phone.
    session.run("getSelection().removeAllRanges()", &[]);
    session.run_async("await page.frame()", &[]);
    assert_eq!(session.run("return page.words().trim()", &[]), json!("words"));
    session.run("page.heard.length = 0", &[]);
    let button = session.middle("#document >> [part=ask]");
    session.act(Mouse::touch().at(button).down().up());
    session.until_true("page.heard.length === 1");
    assert_eq!(session.run("return page.heard[0].exact.text.trim()", &[]), json!("words"));
    session.expect_no_errors();
}

#[test]
fn random_endpoints_give_exact_source() {
    let page = Page::open();
    let text = format!(
        "---\ntitle: x\n---\n\n{PROSE}\nMixed &amp; \\*escaped\\* 😀 e\u{301} `code` [link](/u) ~~gone~~  \nnext line.\n\n1. a\n   - b &lt; c\n2. d\n\n- [x] done\n\n> quote\n> more שלום\n\n<kbd>K</kbd> ![alt](/i.png) <!-- hidden --> end[^n]\n"
    );
    page.show(&text, 0);
    let seed = 20_261_130;
    let wrong = page.session.run_async(
        "const [text, seed] = arguments;
         const random = page.random(seed);
         const { places } = page.shown();
         const nodes = [...new Set(places.filter(Boolean).map(([node]) => node))];
         const order = new Map(nodes.map((node, index) => [node, index]));
         const wrong = [];
         let quoted = 0;
         for (let round = 0; round < 400; round += 1) {
           const ends = [0, 1].map(() => { const node = nodes[random(nodes.length)]; return [node, random(node.length + 1)]; });
           getSelection().setBaseAndExtent(...ends[0], ...ends[1]);
           const answer = page.at().quoteSelection();
           ends.sort(([a, i], [b, j]) => order.get(a) - order.get(b) || i - j);
           const [[first, from], [last, to]] = ends;
           const range = document.createRange();
           range.setStart(first, from);
           range.setEnd(last, to);
           const shown = range.toString();
           if (!answer.ok) {
             if (first === last && /[a-z]/.test(shown) && text.includes(shown) && first.parentElement.closest('p:not([data-title])') && !first.parentElement.closest('[data-comment]'))
               wrong.push(`nothing of ${JSON.stringify(shown)}`);
             continue;
           }
           quoted += 1;
           const { exact, anchor, source, start } = answer.quote;
           const slice = text.slice(exact.start, exact.end) === exact.text;
           const once = text.split(anchor).length === 2 && (answer.quote.ranges || anchor.includes(exact.text));
           const around = text.slice(start, start + source.length) === source;
           // Within one text node whose words stand in the source as they are.
           const same = first !== last || !text.includes(shown) || /[\\u0300-\\u036f\\ud800-\\udfff]/.test(first.data) || exact.text.includes(shown.trim());
           if (!slice || !once || !around || !same) wrong.push(`round ${round}: ${JSON.stringify(shown)} gave ${JSON.stringify(exact)}, anchor ${JSON.stringify(anchor)}`);
         }
         if (quoted < 200) wrong.push(`only ${quoted} quotes`);
         return wrong;",
        &[json!(text), json!(seed)],
    );
    assert_eq!(wrong, json!([]), "seed {seed}");
    page.session.expect_no_errors();
}

#[test]
fn what_cannot_be_quoted_is_refused_in_words() {
    let page = Page::showing("Some words.\n\nMore words.\n");
    let session = &page.session;
    let outcome = session.run_async(
        "const outcomes = {};
         const note = async (name) => { await page.frame(); outcomes[name] = page.at().quoteSelection().ok || page.words() !== null; };
         await note('nothing');
         const node = page.place(['Some', 1]).start[0];
         getSelection().collapse(node, 2);
         await note('a caret');
         const loose = document.createElement('p');
         loose.textContent = 'not in the page';
         try { getSelection().selectAllChildren(loose); } catch {}
         await note('a detached node');
         const frame = document.createElement('iframe');
         document.body.append(frame);
         frame.contentDocument.body.textContent = 'another document';
         frame.contentWindow.getSelection().selectAllChildren(frame.contentDocument.body);
         await note('another frame');
         try { getSelection().setBaseAndExtent(node, 4000, node, 9000); } catch {}
         await note('offsets outside');
         getSelection().removeAllRanges();
         const element = page.at();
         const parent = element.parentNode, next = element.nextSibling;
         element.remove();
         outcomes.removed = element.quoteSelection().ok;
         parent.insertBefore(element, next);
         page.show('');
         getSelection().selectAllChildren(document.body);
         await note('an empty document');
         return outcomes;",
        &[],
    );
    for (name, quoted) in outcome.as_object().unwrap() {
        assert_eq!(quoted, &json!(false), "{name}");
    }
    let message = page.selection(0)["message"].as_str().unwrap_or_default().to_owned();
    assert!(!message.is_empty());
    session.expect_no_errors();
}

#[test]
fn a_selection_costs_the_same_in_a_large_document() {
    let page = Page::open();
    let counted = |paragraphs: usize, unit: &str| {
        let text = (0..paragraphs)
            .map(|number| format!("Paragraph {number} of {unit} words and *more* words, to fill a line.\n\n"))
            .collect::<String>();
        page.show(&text, 0);
        page.session.run(
            "const counts = (page.counts = { steps: 0, bytes: 0 });
             const undo = (page.undo = []);
             const count = (owner, name, add) => {
               const before = Object.getOwnPropertyDescriptor(owner, name);
               const key = before.get ? 'get' : 'value';
               Object.defineProperty(owner, name, { ...before, [key](...given) { const out = before[key].apply(this, given); add(out, given); return out; } });
               undo.push(() => Object.defineProperty(owner, name, before));
             };
             const step = () => (counts.steps += 1);
             for (const name of ['nextNode', 'previousNode']) count(TreeWalker.prototype, name, step);
             for (const name of ['parentNode', 'childNodes', 'firstChild', 'lastChild', 'nextSibling']) count(Node.prototype, name, step);
             for (const name of ['contains', 'getRootNode']) count(Node.prototype, name, step);
             count(TextDecoder.prototype, 'decode', (text) => (counts.bytes += text.length));
             count(TextEncoder.prototype, 'encodeInto', (_, [text]) => (counts.bytes += text.length));",
            &[],
        );
        // One call each: a large document takes an engine long to lay out.
        for end in 1..12 {
            page.session.run_async(
                "const all = page.article().children;
                 const middle = all[all.length >> 1];
                 getSelection().setBaseAndExtent(middle.firstChild, 2, middle.lastChild, arguments[0]);
                 await page.frame();",
                &[json!(end)],
            );
        }
        page.session.run("page.undo.forEach((put) => put()); return page.words() === null ? null : page.counts", &[])
    };
    for unit in ["plain", "é€😀"] {
        let small = counted(150, unit);
        let large = counted(15_000, unit);
        assert_eq!(small["steps"], large["steps"], "nodes visited: {small} and {large}");
        let bytes = |counts: &Value| counts["bytes"].as_u64().unwrap();
        // A paragraph's number has two digits more.
        assert!(bytes(&large) <= bytes(&small) + 600, "text that crossed the border: {small} and {large}");
        assert!(small["steps"].as_u64().unwrap() > 20, "the counters count: {small}");
    }
    page.session.expect_no_errors();
}

#[test]
#[ignore = "for looking"]
fn how_it_looks() {
    let page = Page::showing(PROSE);
    assert!(matches!(page.session.engine, Engine::Chromium | Engine::Firefox | Engine::WebKit));
    page.session.drag_over(TEXT, "paragraph of words", 0);
    page.session.until_true("page.words() !== null");
    page.session.picture("selected");
    page.clear();
    page.session.act(Mouse::new().clicks(page.session.middle("#above"), 1));
    page.session.keys(&[&[key::TAB], &[key::DOWN]]);
    page.session.picture("focused");
}
