//! Hostile texts in real pages: nothing in them runs, opens, leads away or asks for anything, and nothing more of a page's
//! policy is needed than the README says.

use serde_json::{Value, json};

use crate::session::Session;
use crate::site::Pages;

/// The policy that a page may have: all that is needed, and Trusted Types enforced with no policy allowed.
const STRICT: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; \
    require-trusted-types-for 'script'; trusted-types 'none'";
/// Forbids nothing, and tells of every request to another place, of frames, forms and plugins.
const TELL: &str = "default-src 'self' 'unsafe-inline' 'unsafe-eval'; object-src 'none'; frame-src 'none'; form-action 'none'; \
    base-uri 'none'";

/// `safety.html`, answered with a header.
fn open(header: &'static str, value: String) -> (Pages, Session) {
    let pages = Pages::serve_with(|site| {
        site.dress(move |request, response| match request.path.ends_with(".html") {
            true => response.with(header, &value),
            false => response,
        })
    });
    let session = Session::open();
    session.go(&pages.page("safety.html"));
    session.until_true("globalThis.safety !== undefined");
    (pages, session)
}

fn ready(session: &Session) {
    session.run_async("await safety.ready()", &[]);
    expect_no_errors(session);
}

/// WebKit asks for an icon by itself, and tells the page that the page's policy forbids it.
#[track_caller]
fn expect_no_errors(session: &Session) {
    let mut errors = session.errors();
    errors.retain(|error| !error.contains("/favicon.ico"));
    assert!(errors.is_empty(), "the page went wrong: {errors:#?}");
}

/// Runs one list of cases of the page's; none may be wrong.
#[track_caller]
fn all_hold(session: &Session, list: &str) {
    let answer = session.run_async(&format!("return await safety.{list}"), &[]);
    assert_eq!(answer[1], json!([]), "{list}");
    assert!(answer[0].as_u64().unwrap() >= 400, "{list}: only {} cases", answer[0]);
}

/// Nothing was heard, nothing but the package was asked for, and the page and its only tab are still there.
#[track_caller]
fn nothing_happened(pages: &Pages, session: &Session, address: &str) {
    assert_eq!(session.run("return safety.heard()", &[]), json!([]));
    assert_eq!((session.url().as_str(), session.tabs().len()), (address, 1));
    let known = |asked: &String| {
        let path = asked.strip_prefix("GET ").unwrap_or_default();
        let own =
            ["/pages/safety.html", "/pages/safety.js", "/pages/errors.js", "/fixtures/hostile.json", "/favicon.ico"];
        own.contains(&path) || path.starts_with("/dist/")
    };
    let others: Vec<String> = pages.asked().into_iter().filter(|asked| !known(asked)).collect();
    assert_eq!(others, Vec::<String>::new(), "asked of the server");
    expect_no_errors(session);
}

/// What a page hears when it asks for an image elsewhere.
fn is_alarm(heard: &Value) -> bool {
    heard.as_str().is_some_and(|heard| heard.starts_with("img-src https://evil.example"))
}

#[test]
fn nothing_in_a_text_runs_opens_leads_away_or_asks() {
    let (pages, session) = open("Content-Security-Policy-Report-Only", TELL.to_owned());
    let address = pages.page("safety.html");
    ready(&session);
    all_hold(&session, "elements()");
    all_hold(&session, "elements(['javascript', 'JavaScript:', 'vbscript', 'data', 'file'])");
    all_hold(&session, "html()");
    all_hold(&session, "others()");
    nothing_happened(&pages, &session, &address);
    // The same page hears of what does happen. Whatever was still on its way is heard before.
    let heard = session.run_async("return await safety.alarm(true)", &[]);
    let (asked, ran): (Vec<&Value>, Vec<&Value>) = heard.as_array().unwrap().iter().partition(|heard| is_alarm(heard));
    assert_eq!((asked.len(), ran), (1, vec![&json!("alert(alarm)"); 2]));
    assert!(pages.asked().contains(&"GET /pages/alarm.png".to_owned()));
}

#[test]
fn a_strict_policy_and_trusted_types_are_kept_by_every_element() {
    let (pages, session) = open("Content-Security-Policy", STRICT.to_owned());
    let address = pages.page("safety.html");
    ready(&session);
    all_hold(&session, "elements()");
    all_hold(&session, "others()");
    nothing_happened(&pages, &session, &address);
    let heard = session.run_async("return await safety.alarm(false)", &[]);
    assert!(heard.as_array().is_some_and(|heard| heard.len() == 1 && is_alarm(&heard[0])), "heard {heard}");
}

#[test]
fn without_webassembly_in_the_policy_the_source_shows_and_the_page_hears_which_directive() {
    let (_pages, session) = open("Content-Security-Policy", STRICT.replace(" 'wasm-unsafe-eval'", ""));
    session.run("document.querySelector('countersign-document').markdown = '# A\\n\\n*plain* <b>text</b>\\n'", &[]);
    session.until_true("errors.length >= 3");
    for error in session.run("return errors", &[]).as_array().unwrap() {
        assert_eq!(error["reason"], json!("unavailable"));
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("'wasm-unsafe-eval'") && message.contains("script-src"), "{message}");
    }
    session.until_text("countersign-document >> [role=alert]", "'wasm-unsafe-eval'");
    assert_eq!(session.property("countersign-document >> pre", "textContent"), json!("# A\n\n*plain* <b>text</b>\n"));
}

#[test]
fn a_module_that_stops_never_takes_the_text() {
    let (_pages, session) = open("Content-Security-Policy", STRICT.to_owned());
    ready(&session);
    session.run_async("await safety.keep()", &[]);
    session.until_text("countersign-document >> h1", "Kept");
    session.until_text("countersign-quotes >> .words", "Kept");
    let told = session.run_async("return await safety.trap()", &[]);
    // Who waited has an answer, and whoever asks later, too; what was stored is there.
    assert_eq!(told["waiting"]["reason"], json!("unavailable"), "{told}");
    assert_eq!(told["later"]["reason"], json!("unavailable"), "{told}");
    assert_eq!(told["stored"], json!("# Kept\n\n*as it is*\n"));
    assert_eq!(told["thrown"], json!(null), "a property's setter throws nothing");
    let errors = session.run("return errors", &[]);
    assert_eq!(errors.as_array().map(Vec::len), Some(4), "each element says so once: {errors}");
    for error in errors.as_array().unwrap() {
        assert_eq!(error["reason"], json!("unavailable"));
        assert!(error["message"].as_str().unwrap().starts_with("Countersign stopped: "), "{error}");
    }
    let text = |selector: &str| session.property(&format!("{selector} >> pre"), "textContent");
    let (stored, other) = ("body > countersign-document", "main > countersign-document");
    assert_eq!(text(stored), json!("# Kept\n\n*as it is*\n"));
    assert_eq!(text(other), json!("# Other, *longer*"));
    assert_eq!(text("countersign-quotes"), json!("# Kept"));
    session.until_text("countersign-review >> [role=alert]", "Countersign stopped");
    // Moved about, an element still has its way out; so has a new one.
    session.run("document.querySelector('main').append(document.querySelector('body > countersign-document'))", &[]);
    let stored = "main > countersign-document:last-child";
    session.until_text(&format!("{stored} >> button + button"), "Reload the page");
    assert_eq!(
        session.run_async("return await safety.download(document.querySelector('main').lastChild)", &[]),
        json!(["document.md", "# Kept\n\n*as it is*\n"])
    );
    session.run("safety.add('late')", &[]);
    session.until_text("main > countersign-document:last-child >> pre", "late");
    session.until_text("main > countersign-document:last-child >> button + button", "Reload the page");
    expect_no_errors(&session);
    session.run("globalThis.before = true", &[]);
    session.click("countersign-quotes >> button + button");
    session.until_true("globalThis.safety !== undefined && globalThis.before === undefined");
    ready(&session);
}

#[test]
fn a_panic_is_told_in_its_own_words() {
    let (_pages, session) = open("Content-Security-Policy", STRICT.to_owned());
    ready(&session);
    session.run("safety.panic()", &[]);
    session.until_text("body > countersign-document >> [role=alert]", "Countersign stopped: ");
    let message = session.text("body > countersign-document >> [role=alert]");
    assert!(message.contains("panicked at"), "{message}");
    assert_eq!(session.property("body > countersign-document >> pre", "textContent"), json!("*mine*"));
}
