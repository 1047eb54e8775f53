//! The demo's main job, as a person does it. `cargo xtask demo --check` runs these stories against the demo's own server.

use serde_json::{Value, json};

use crate::engine::Engine;
use crate::serve::Response;
use crate::session::Session;
use crate::site::Pages;

const TEXT: &str = "#document >> article";
const SENTENCE: &str = "On a three-year horizon that is not a saving.";

/// The demo in a browser that has seen nothing: on `demo --check`'s server, else on one of the test's own.
struct Demo {
    session: Session,
    _pages: Option<Pages>,
}

impl Demo {
    fn open() -> Self {
        match std::env::var("COUNTERSIGN_DEMO") {
            Ok(address) => Self::at(Session::open(), &address, None),
            Err(_) => Self::on(Pages::serve(), Session::open()),
        }
    }

    fn on(pages: Pages, session: Session) -> Self {
        let address = format!("{}/", pages.origin);
        Self::at(session, &address, Some(pages))
    }

    fn at(session: Session, address: &str, pages: Option<Pages>) -> Self {
        session.go(address);
        Self { session, _pages: pages }
    }

    fn ready() -> Self {
        let demo = Self::open();
        demo.session.until_text(TEXT, SENTENCE);
        demo.session.until_text("#version", "v1");
        demo
    }

    /// Selects a text with the mouse, asks about it, and says something to the model.
    #[track_caller]
    fn ask_about(&self, text: &str, words: &str) {
        let session = &self.session;
        session.drag_over(TEXT, text, 0);
        session.click("#document >> [part=ask]");
        session.find("#quotes >> .chip");
        session.type_into("#message", words);
        session.click("#send");
        session.until_gone("#quotes >> .chip");
    }

    /// The number of cards and refusals in the chat.
    fn steps(&self) -> usize {
        self.session.all("#messages > countersign-review, #messages > .step.refused").len()
    }

    #[track_caller]
    fn open_file(&self, name: &str, bytes: &[u8]) {
        let folder = crate::root().join("target/opened").join(format!("{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        self.session.type_into("#file", &path.to_string_lossy());
    }

    #[track_caller]
    fn opens(&self, name: &str, text: &str, shown: &str) {
        self.open_file(name, text.as_bytes());
        self.session.until_text("#title", name.trim_end_matches(".md"));
        self.session.until_text(TEXT, shown);
    }
}

#[test]
fn a_person_asks_the_model_proposes_and_the_person_countersigns() {
    let demo = Demo::ready();
    let session = &demo.session;
    // What must not be touched: a block that does not change keeps its node.
    session.run("document.querySelector('#document').shadowRoot.querySelector('h1').kept = true", &[]);

    session.drag_over(TEXT, SENTENCE, 0);
    session.until_text("#document >> .bar .words", "On a three-year horizon");
    session.click("#document >> [part=ask]");
    session.until_text("#quotes >> .words", "On a three-year horizon");
    session.type_into("#message", "say On a three-year horizon that costs more.");
    session.click("#send");
    session.until_text(".me", "On a three-year horizon that is not a saving.");

    session.until_text("countersign-review >> .removed", SENTENCE);
    session.until_text("countersign-review >> .added", "On a three-year horizon that costs more.");
    assert_eq!(session.text("#version"), "v1", "nothing is written before the person decides");
    session.click("countersign-review >> [part=apply]");
    session.until_text("#version", "v2");
    session.until_text(TEXT, "On a three-year horizon that costs more.");
    session.until_text("countersign-review >> .answered", "Applied as version 2.");
    let kept = "document.querySelector('#document').shadowRoot.querySelector('h1').kept === true";
    assert_eq!(session.run(&format!("return {kept}"), &[]), json!(true), "the heading was built anew");
    session.until_text("#saved", "North, for you");

    session.reload();
    session.until_text(TEXT, "On a three-year horizon that costs more.");
    session.until_text("#version", "v2");
    session.until_text("countersign-review >> .answered", "Applied as version 2.");
    session.click("countersign-review >> [part=undo]");
    session.until_text(TEXT, SENTENCE);
    session.until_text("#version", "v3");
    session.expect_no_errors();
}

#[test]
fn three_attempts_apply_and_three_are_refused() {
    let demo = Demo::ready();
    let session = &demo.session;
    session.click("#attempts > summary");
    let buttons = session.all("#attempt-buttons button").len();
    assert_eq!(buttons, 6);
    for attempt in 1..=buttons {
        let before = demo.steps();
        session.click(&format!("#attempt-buttons button:nth-child({attempt})"));
        session.until("the attempt is answered", || (demo.steps() > before).then_some(()));
    }
    let reasons =
        session.run("return [...document.querySelectorAll('.refused b')].map((b) => b.textContent.trim())", &[]);
    assert_eq!(reasons, json!(["Refused (not-found).", "Refused (ambiguous).", "Refused (no-such-block)."]));
    for (card, change) in (1..=3).zip(["What we recommend", "42,000 (fixed for 3y)", ""]) {
        let card = format!("countersign-review:nth-of-type({card})");
        session.until_text(&format!("{card} >> .lines"), change);
        session.click(&format!("{card} >> [part=apply]"));
        session.until_text(&format!("{card} >> .answered"), "Applied");
    }
    session.until_text("#version", "v4");
    session.until_text(TEXT, "What we recommend");
    session.until_text(TEXT, "Award to Northwind, subject to legal sign-off.");
    assert!(!session.text(TEXT).contains("Ask Contoso for a capped renewal"));
    session.expect_no_errors();
}

#[test]
fn the_outline_is_what_the_model_reads() {
    let demo = Demo::ready();
    demo.session.click("#outline > summary");
    let shown: Value = serde_json::from_str(&demo.session.text("#outline pre")).unwrap();
    let right = std::fs::read(crate::root().join("tests/fixtures/vendor-review.outline.json")).unwrap();
    assert_eq!(shown, serde_json::from_slice::<Value>(&right).unwrap());
}

#[test]
fn a_person_opens_a_file_and_does_the_same_with_it() {
    let demo = Demo::ready();
    let session = &demo.session;
    demo.opens(
        "plan.md",
        "# Plan\n\nWe launch on Friday, *weather permitting*.\n\n- [ ] pack\n",
        "We launch on Friday",
    );
    demo.ask_about("We launch on Friday", "replace with We launch on Monday");
    session.until_text("countersign-review >> .added", "We launch on Monday");
    session.click("countersign-review >> [part=apply]");
    session.until_text(TEXT, "We launch on Monday, weather permitting.");
    session.reload();
    session.until_text(TEXT, "We launch on Monday, weather permitting.");
    session.until_text("#title", "plan");
    session.expect_no_errors();
}

#[test]
fn a_file_can_be_dropped() {
    let demo = Demo::ready();
    // No driver can drag a file from outside of the browser: the events are the page's own.
    let drop = "const transfer = new DataTransfer();
        transfer.items.add(new File(['# Dropped\\n\\nFrom the desk.\\n'], 'dropped.md', { type: 'text/markdown' }));
        for (const type of ['dragover', 'drop']) {
          document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }";
    demo.session.run(drop, &[]);
    demo.session.until_text("#title", "dropped");
    demo.session.until_text(TEXT, "From the desk.");
}

#[test]
fn a_file_that_cannot_be_opened_changes_nothing() {
    let demo = Demo::ready();
    let session = &demo.session;
    let address = session.url();
    for (name, bytes, says) in [
        ("latin-1.md", b"# Caf\xe9\n".to_vec(), "latin-1.md is not UTF-8 text"),
        ("empty.md", Vec::new(), "empty.md is empty"),
        ("large.md", vec![b'x'; 10 * 1024 * 1024 + 1], "large.md has 10.0 MiB: a document holds at most 10 MiB"),
    ] {
        demo.open_file(name, &bytes);
        session.until_text("#banner", says);
        assert!(session.text(TEXT).contains(SENTENCE), "{name} changed the document");
        assert_eq!(session.url(), address);
    }
    // What can be opened still can.
    demo.opens("fine.md", "# Fine\n", "Fine");
    session.until_true("document.querySelector('#banner').hidden");
}

#[test]
fn without_webassembly_the_source_shows_and_the_page_says_why() {
    let engine = crate::engine::engine();
    let session = match engine {
        Engine::Chromium => {
            let mut options = crate::engine::capabilities(engine)["goog:chromeOptions"].clone();
            if let Some(arguments) = options["args"].as_array_mut() {
                // A browser without a compiler has no WebAssembly either.
                arguments.push(json!("--js-flags=--jitless"));
            }
            Session::open_with(json!({ "goog:chromeOptions": options }))
        }
        Engine::Firefox => {
            let mut options = crate::engine::capabilities(engine)["moz:firefoxOptions"].clone();
            options["prefs"]["javascript.options.wasm"] = json!(false);
            Session::open_with(json!({ "moz:firefoxOptions": options }))
        }
        // This engine has no switch for it: the page loses it before any script runs.
        Engine::WebKit => Session::open(),
    };
    let pages = match engine {
        Engine::WebKit => without("delete globalThis.WebAssembly;"),
        _ => Pages::serve(),
    };
    let demo = Demo::on(pages, session);
    demo.session.until_text("#banner", "WebAssembly is not available here");
    demo.session.until_text("#document >> pre", "| Supplier | Annual | SSO | Notice |");
    demo.session.until_text("#document >> [role=alert]", "WebAssembly");
}

#[test]
fn without_indexeddb_the_text_shows_and_the_page_says_that_nothing_outlives_it() {
    // No driver can take it away: it refuses to open before any script of the demo runs.
    let refuse = "IDBFactory.prototype.open = () => { throw new DOMException('Refused here.', 'SecurityError') };";
    let demo = Demo::on(without(refuse), Session::open());
    demo.session.until_text(TEXT, SENTENCE);
    demo.session.until_text("#banner", "Nothing here outlives this tab");
    demo.ask_about("The cheaper option fails SSO.", "make it bold");
    demo.session.click("countersign-review >> [part=apply]");
    demo.session.until_text("#version", "v2");
}

/// The demo, with a script that runs before its own.
fn without(script: &'static str) -> Pages {
    let root = crate::root();
    Pages::serve_with(move |site| {
        site.hook(move |request| {
            let page = std::fs::read_to_string(root.join("index.html")).unwrap();
            match request.path.as_str() {
                "/" => {
                    let first = "<script src=\"first.js\"></script>\n<script type=\"module\"";
                    Some(Response::new(
                        200,
                        "text/html; charset=utf-8",
                        page.replacen("<script type=\"module\"", first, 1),
                    ))
                }
                "/first.js" => Some(Response::new(200, "text/javascript; charset=utf-8", script)),
                _ => None,
            }
        })
    })
}
