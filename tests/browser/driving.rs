//! The driver itself, on a page without the product: where these fail, no other story tells anything.

use serde_json::json;

use crate::engine::Engine;
use crate::gesture::{Mouse, key};
use crate::session::Session;
use crate::site::Pages;

fn open(name: &str) -> (Pages, Session) {
    let (pages, session) = (Pages::serve(), Session::open());
    session.go(&pages.page(name));
    (pages, session)
}

#[test]
fn finds_clicks_and_types_inside_shadow_roots() {
    let (_pages, session) = open("driving.html");
    assert_eq!(session.text("h1"), "Driving");
    session.click("test-box >> button");
    session.until_text("test-box >> output", "clicked 1");
    // WebKit's driver types no character beyond U+FFFF.
    let words = if session.engine == Engine::WebKit { "ünïcode €" } else { "ünïcode 😀" };
    session.type_into("test-box >> input", words);
    assert_eq!(session.property("test-box >> input", "value"), json!(words));
    assert!(session.look("test-box >> h1").is_none());
    assert_eq!(session.all("test-box >> p").len(), 3);
    session.until_gone("#fleeting");
    session.expect_no_errors();
}

#[test]
fn drags_over_text_through_several_nodes() {
    let (_pages, session) = open("driving.html");
    let selected = || session.run("return String(getSelection())", &[]);
    session.drag_over("#prose", "brown fox jumps", 0);
    assert_eq!(selected(), json!("brown fox jumps"));
    session.drag_over("#prose", "fox", -1);
    assert_eq!(selected(), json!("fox"));
    assert_ne!(session.place_of("#prose", "fox", 0), session.place_of("#prose", "fox", -1));
}

#[test]
fn clicks_twice_and_holds_keys() {
    let (_pages, session) = open("driving.html");
    let selected = || session.run("return String(getSelection()).trim()", &[]);
    let (start, end) = session.place_of("#prose", "quick", 0);
    session.act(Mouse::new().clicks(start, 2));
    assert_eq!(selected(), json!("quick"));
    // Elsewhere first: a third click at one place would select the paragraph.
    session.act(Mouse::new().clicks(session.middle("h1"), 1));
    session.act(Mouse::new().clicks(start, 1));
    session.act(Mouse::new().key_down(key::SHIFT).clicks(end, 1).key_up(key::SHIFT));
    assert_eq!(selected(), json!("quick"));
    session.keys(&[&[key::SHIFT, key::LEFT], &[key::SHIFT, key::LEFT]]);
    assert_eq!(selected(), json!("qui"));
    session.keys(&[&[key::CONTROL, 'a']]);
    session.until_true("String(getSelection()).includes('Driving')");
}

#[test]
fn touches() {
    let (_pages, session) = open("driving.html");
    let at = session.middle("test-box >> button");
    session.act(Mouse::touch().at(at).down().up());
    // WebKit's driver makes a mouse of a finger.
    session.until_text("test-box >> output", if session.engine == Engine::WebKit { "clicked" } else { "touch" });
}

#[test]
fn takes_a_file() {
    let (_pages, session) = open("driving.html");
    let file = crate::root().join("tests/fixtures/vendor-review.md");
    session.type_into("#file", &file.to_string_lossy());
    session.until_text("#read", "vendor-review.md");
}

#[test]
fn has_tabs_with_one_storage() {
    let (pages, session) = open("driving.html");
    session.run("localStorage.setItem('kept', 'yes')", &[]);
    let first = session.tab();
    session.new_tab();
    session.go(&pages.page("driving.html"));
    assert_eq!(session.run("return localStorage.getItem('kept')", &[]), json!("yes"));
    assert_eq!(session.tabs().len(), 2);
    session.close_tab();
    session.switch_to(&first);
    session.reload();
    assert_eq!(session.run("return localStorage.getItem('kept')", &[]), json!("yes"));
    assert!(session.url().ends_with("/pages/driving.html"));
}

#[test]
fn hears_of_what_goes_wrong() {
    let (pages, session) = open("driving.html");
    session.expect_no_errors();
    session.run("setTimeout(() => { throw new Error('thrown late') })", &[]);
    session.until("an error is heard of", || {
        session.errors().iter().any(|error| error.contains("thrown late")).then_some(())
    });
    session.reload();
    session.run("Promise.reject(new Error('refused')); console.error('said')", &[]);
    session.until("both are heard of", || {
        let errors = session.errors().join("\n");
        (errors.contains("refused") && errors.contains("said")).then_some(())
    });
    assert_eq!(session.run_async("return await Promise.resolve(arguments[0] * 2)", &[json!(21)]), json!(42));
    assert!(pages.asked().contains(&"GET /pages/driving.html".to_owned()));
}

#[test]
fn takes_pictures_and_reads_roles() {
    let (_pages, session) = open("driving.html");
    let picture = session.picture("driving");
    assert!(std::fs::read(picture).unwrap().starts_with(b"\x89PNG"));
    if session.engine != Engine::WebKit {
        assert_eq!(session.role_and_name("test-box >> button"), ("button".to_owned(), "Click here".to_owned()));
    }
}
