//! Asking about what is selected: the bar, the keys, the clipboard, the chips, and what a changed text does to an offer.

use serde_json::{Value, json};

use crate::gesture::{Mouse, key};
use crate::selecting::Page;

const TEXT: &str = "#document >> article";
const PLAN: &str = "# Plan\n\nFirst *paragraph* of words.\n\n## Costs\n\nInk and pens.\n\n## Dates\n\nIn May.\n";

fn offered(page: &Page) -> Value {
    page.session.run("return page.words()", &[])
}

#[test]
fn a_click_on_the_button_gives_what_was_selected() {
    let page = Page::showing(PLAN);
    let session = &page.session;
    session.drag_over(TEXT, "paragraph of", 0);
    session.until_true("page.words() === 'paragraph of'");
    let selected = "return String(getSelection())";
    let before = session.run(selected, &[]);
    session.picture("bar");
    session.click("#document >> [part=ask]");
    session.until_true("page.heard.length === 1");
    let quote = session.run("return page.heard[0]", &[]);
    assert_eq!(quote["exact"]["text"], json!("*paragraph* of"));
    assert_eq!((&quote["document"], &quote["version"], &quote["title"]), (&json!("d1"), &json!(3), &json!("Plan")));
    assert_eq!(session.run(selected, &[]), before, "neither the bar nor the click changes the selection");
    session.until_true("page.words() === null");
    session.until_text("#document >> .said", "Quoted for your next message: *paragraph* of");
    session.expect_no_errors();
}

#[test]
fn the_bar_outlives_its_selection_and_takes_the_next() {
    let page = Page::showing(PLAN);
    let session = &page.session;
    session.drag_over(TEXT, "paragraph", 0);
    session.until_true("page.words() === 'paragraph'");
    session.act(Mouse::new().clicks(session.middle("#above"), 1));
    session.run_async("await page.frame()", &[]);
    assert_eq!(offered(&page), json!("paragraph"), "an empty selection leaves it");
    session.drag_over(TEXT, "Ink", 0);
    session.until_true("page.words() === 'Ink'");
    session.click("#document >> [part=dismiss]");
    session.until_true("page.words() === null");
    session.until_true("String(getSelection()).includes('Ink') || page.at().quoteSelection().ok");
    session.run_async("await page.frame()", &[]);
    assert_eq!(offered(&page), Value::Null);
    assert_eq!(session.run("return page.heard.length", &[]), json!(0));
    session.expect_no_errors();
}

#[test]
fn escape_closes_the_bar() {
    let page = Page::showing(PLAN);
    let session = &page.session;
    session.drag_over(TEXT, "Ink", 0);
    session.until_true("page.words() === 'Ink'");
    session.keys(&[&[key::ESCAPE]]);
    session.until_true("page.words() === null");
    // With the focus on a block of the document.
    session.drag_over(TEXT, "pens", 0);
    session.until_true("page.words() === 'pens'");
    session.run("page.article().querySelector('[tabindex=\"0\"]').focus()", &[]);
    session.keys(&[&[key::ESCAPE]]);
    session.until_true("page.words() === null");
    // With the focus on the bar: it goes back into the text.
    session.drag_over(TEXT, "May", 0);
    session.until_true("page.words() === 'May'");
    session.run("page.button('ask').focus()", &[]);
    session.keys(&[&[key::ESCAPE]]);
    session.until_true("page.words() === null");
    session.until_true("page.article().contains(page.at().shadowRoot.activeElement)");
    // In a host's field the key is the host's.
    session.drag_over(TEXT, "Ink", 0);
    session.until_true("page.words() === 'Ink'");
    session.run("document.querySelector('#message').focus()", &[]);
    session.keys(&[&[key::ESCAPE]]);
    session.run_async("await page.frame()", &[]);
    assert_eq!(offered(&page), json!("Ink"));
    session.expect_no_errors();
}

#[test]
fn without_a_mouse_a_block_or_its_section_is_asked_about() {
    let page = Page::showing(PLAN);
    let session = &page.session;
    let focused = || session.run("return page.at().shadowRoot.activeElement?.textContent ?? null", &[]);
    // One tab stop, where the keys are told.
    assert_eq!(session.run("return page.article().querySelectorAll('[tabindex]').length", &[]), json!(1));
    session.run("document.body.focus()", &[]);
    session.keys(&[&[key::TAB]]);
    assert_eq!(focused(), json!("Plan"));
    session.until_text("#document >> .said", "Enter asks about this block, Shift+Enter about its section");
    session.find("#document >> .hint");
    assert_ne!(
        session.run("return getComputedStyle(page.at().shadowRoot.activeElement).outlineStyle", &[]),
        json!("none"),
        "the focus is seen"
    );
    session.keys(&[&[key::DOWN]]);
    assert_eq!(focused(), json!("First paragraph of words."));
    assert_eq!(session.run("return page.article().querySelectorAll('[tabindex]').length", &[]), json!(1));
    session.picture("focus");
    session.keys(&[&[key::ENTER]]);
    session.until_true("page.heard.length === 1");
    let quote = session.run("return page.heard[0]", &[]);
    assert_eq!((&quote["blocks"], &quote["exact"]["text"]), (&json!([1, 1]), &json!("First *paragraph* of words.")));
    session.until_text("#document >> .said", "Quoted for your next message: First *paragraph* of words.");
    session.keys(&[&[key::DOWN], &[key::DOWN], &[key::SHIFT, key::ENTER]]);
    session.until_true("page.heard.length === 2");
    let quote = session.run("return page.heard[1]", &[]);
    assert_eq!((&quote["blocks"], &quote["source"]), (&json!([2, 3]), &json!("## Costs\n\nInk and pens.")));
    session.keys(&[&[key::END]]);
    assert_eq!(focused(), json!("In May."));
    session.keys(&[&[key::DOWN], &[key::HOME]]);
    assert_eq!(focused(), json!("Plan"));
    // The next tab stop is behind the text.
    session.keys(&[&[key::TAB]]);
    session.until_true("page.at().shadowRoot.activeElement === null");
    // The tab stop is a block that is there.
    session.run("page.article().querySelector('h1').focus()", &[]);
    page.show("Another text.\n", 0);
    assert_eq!(focused(), json!("Another text."));
    session.expect_no_errors();
}

#[test]
fn a_copy_carries_the_source() {
    let page = Page::showing(
        "# Plan\n\nSome **bold *and* more** here.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet x;\n```\n",
    );
    let session = &page.session;
    session.drag_over(TEXT, "bold and more here", 0);
    session.until_true("page.words() !== null");
    session.keys(&[&[key::CONTROL, 'c']]);
    session.until_true("page.copied !== null");
    let copied = session.run("return page.copied", &[]);
    assert_eq!(copied["text/markdown"], json!("**bold *and* more** here"), "{copied}");
    assert_eq!(copied["text/plain"], json!("bold and more here"));
    assert!(copied["text/html"].as_str().unwrap().contains("<strong>bold <em>and</em> more</strong> here"), "{copied}");
    let all = "getSelection().selectAllChildren(page.article()); page.copied = null";
    session.run(all, &[]);
    session.keys(&[&[key::CONTROL, 'c']]);
    session.until_true("page.copied !== null");
    let copied = session.run("return page.copied", &[]);
    assert_eq!(copied["text/plain"], json!("Plan\nSome bold and more here.\na\tb\n1\t2\nlet x;"), "{copied}");
    assert!(!copied["text/html"].as_str().unwrap().contains("button"), "{copied}");
    // What reaches out of the document is the page's own to copy.
    session.run("getSelection().selectAllChildren(document.body); page.copied = 'untouched'", &[]);
    session.keys(&[&[key::CONTROL, 'c']]);
    session.until_true("page.copied === null");
    session.expect_no_errors();
}

#[test]
fn quotes_wait_as_chips_for_the_next_message() {
    let page = Page::showing(PLAN);
    let session = &page.session;
    session.run("page.collect = true", &[]);
    session.run(
        "page.changes = []; document.querySelector('#quotes').addEventListener('countersign-quotes', (event) => page.changes.push(event.detail.quotes.length))",
        &[],
    );
    for words in ["paragraph", "Ink", "Ink"] {
        page.clear();
        page.select(words);
        session.until_true("page.words() !== null");
        session.run("page.button('ask').click()", &[]);
    }
    session.until_true("document.querySelector('#quotes').shadowRoot.querySelectorAll('.chip').length === 2");
    assert_eq!(session.run("return page.changes", &[]), json!([1, 2]), "the same stretch twice is one");
    let message = session.run("return document.querySelector('#quotes').format()", &[]);
    assert_eq!(
        message,
        json!(
            "Quoted from \"Plan\" (d1 v3, block 1):\n```markdown\nFirst *paragraph* of words.\n```\nSelected:\n```markdown\n*paragraph*\n```\n\n\
             Quoted from \"Plan\" (d1 v3, block 3):\n```markdown\nInk and pens.\n```\nSelected:\n```markdown\nInk\n```"
        )
    );
    session.picture("chips");
    session.click("#quotes >> .chip button");
    session.until_true("document.querySelector('#quotes').shadowRoot.querySelectorAll('.chip').length === 1");
    session.until_text("#quotes >> .chip", "Ink");
    session.until_true("document.querySelector('#quotes').shadowRoot.activeElement?.localName === 'button'");
    // The message takes them along.
    session.run("document.querySelector('#quotes').clear()", &[]);
    session.until_gone("#quotes >> .chip");
    let state =
        "const quotes = document.querySelector('#quotes'); return [quotes.quotes, quotes.format(), page.changes]";
    assert_eq!(session.run(state, &[]), json!([[], "", [1, 2, 1, 0]]));
    // Doubles that a host sets are one, and what is no quote is a wrong argument.
    let set = "const quotes = document.querySelector('#quotes'); quotes.quotes = [page.heard[0], page.heard[0]];
        const wrong = []; for (const given of [undefined, null, {}, 'x', { ...page.heard[0], exact: null }]) { try { quotes.add(given); wrong.push(given ?? 'nothing'); } catch (error) { if (error.name !== 'TypeError') wrong.push(String(error)); } }
        return [quotes.quotes.length, wrong]";
    assert_eq!(session.run(set, &[]), json!([1, []]));
    session.expect_no_errors();
}

#[test]
fn a_fence_is_longer_than_any_inside() {
    let page = Page::showing("````md\n```js\nlet x;\n```\n````\n");
    let session = &page.session;
    session.run("page.collect = true", &[]);
    page.select("let x");
    session.until_true("page.words() !== null");
    session.run("page.button('ask').click()", &[]);
    let message = session.run("return document.querySelector('#quotes').format()", &[]);
    assert_eq!(
        message,
        json!(
            "Quoted from \"Plan\" (d1 v3, block 0):\n`````markdown\n````md\n```js\nlet x;\n```\n````\n`````\nSelected:\n```markdown\nlet x\n```"
        )
    );
    session.expect_no_errors();
}

#[test]
fn an_offer_follows_its_words_through_a_change() {
    let page = Page::showing("One.\n\nTwo words.\n\nThree.\n");
    let session = &page.session;
    let change = |from: &str, to: &str| {
        page.show(from, 0);
        page.clear();
        page.select("Two words");
        session.until_true("page.words() === 'Two words'");
        // The tap on the button empties the selection first.
        session.run("getSelection().removeAllRanges()", &[]);
        page.show(to, 0);
        session.run_async("await page.frame()", &[]);
        let asked = "page.heard.length = 0; page.button('ask')?.click(); const quote = page.heard[0]; return quote ? [quote.exact.text, quote.exact.start] : null";
        session.run(asked, &[])
    };
    let from = "One.\n\nTwo words.\n\nThree.\n";
    for (what, to, quote) in [
        ("before it", "One and a half.\n\nTwo words.\n\nThree.\n", json!(["Two words", 17])),
        ("behind it", "One.\n\nTwo words.\n\nThree, four.\n", json!(["Two words", 6])),
        ("around it", "Uno.\n\nAh. Two words.\n\nTres.\n", json!(["Two words", 10])),
        ("inside of it", "One.\n\nTwo other words.\n\nThree.\n", Value::Null),
        ("so that it is twice elsewhere", "A.\n\nTwo words. Two words.\n\nB.\n", Value::Null),
        ("so that it is gone", "One.\n\nThree.\n", Value::Null),
    ] {
        assert_eq!(change(from, to), quote, "a change {what}");
    }
    // Another document has the same words: they are not the ones that were selected.
    page.show(from, 0);
    page.select("Two words");
    session.until_true("page.words() === 'Two words'");
    session.run(
        "page.at().source = { document: 'other', title: 'Other', version: 1, text: arguments[0] }",
        &[json!(from)],
    );
    session.run_async("await page.frame()", &[]);
    assert_eq!(offered(&page), Value::Null);
    session.expect_no_errors();
}

#[test]
fn a_quote_is_located_in_later_texts() {
    let page = Page::showing(PLAN);
    let session = &page.session;
    page.select("Ink and pens");
    session.until_true("page.words() !== null");
    let located = session.run_async(
        "const { load } = await import('/dist/index.js');
         const core = await load();
         const { quote } = page.at().quoteSelection();
         const text = arguments[0];
         const at = (later) => { const { state, start } = core.locateQuote(quote, later); return start === undefined ? state : `${state} ${start - quote.exact.start}`; };
         return [
           at(text),
           at('Intro.\\n\\n' + text),
           at(text.replace('In May', 'In June')),
           at(text.replace('Ink and', 'Inks and')),
           at(text.replace('Ink and pens.', 'Ink and pens. Ink and pens.')),
           at('X' + text + '\\nInk and pens.\\n'),
           at(text.replace('Ink and pens.', '')),
           at(text),
         ];",
        &[json!(PLAN)],
    );
    let expected = ["same 0", "moved 8", "same 0", "changed", "same 0", "changed", "changed", "same 0"];
    assert_eq!(located, json!(expected));
    session.expect_no_errors();
}
