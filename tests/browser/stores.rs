//! Keeping documents in the browser: the contract, and each fault with its stated answer. Nothing that was reported
//! saved may be missing afterwards, and nothing may be reported saved that is not.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::engine::Engine;
use crate::serve::Response;
use crate::session::Session;
use crate::site::Pages;

/// The page `stores.html`, in a browser that has kept nothing yet. The server answers what pages tell it.
fn open() -> (Pages, Session) {
    let pages = Pages::serve_with(|site| {
        site.hook(|request| request.path.starts_with("/saved/").then(|| Response::new(204, "text/plain", "")))
    });
    let session = Session::open();
    load(&session, &pages);
    (pages, session)
}

fn load(session: &Session, pages: &Pages) {
    session.go(&pages.page("stores.html"));
    session.until_true("globalThis.ready");
}

#[track_caller]
fn call(session: &Session, script: &str) -> Value {
    session.run_async(&format!("return await stores.{script}"), &[])
}

/// What a page's variable is once it is no longer null: for work of minutes, on a machine that has other work, too.
#[track_caller]
fn at_length(session: &Session, variable: &str) -> Value {
    let begun = Instant::now();
    loop {
        let value = session.run(&format!("return {variable}"), &[]);
        if !value.is_null() {
            return value;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(300),
            "{variable} stayed null; the page said {:?}",
            session.errors()
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Runs a list of cases of the page's; none may fail.
#[track_caller]
fn all_pass(session: &Session, list: &str, at_least: u64) {
    session.run(
        &format!("globalThis.rows = null; stores.{list}().then((rows) => globalThis.rows = rows, (error) => globalThis.rows = [0, [String(error)]])"),
        &[],
    );
    let rows = at_length(session, "globalThis.rows");
    assert_eq!(rows[1], json!([]));
    assert!(rows[0].as_u64().unwrap() >= at_least, "only {} cases ran", rows[0]);
}

/// `[n, …, 2, 1]`
fn dense(numbers: &Value) -> bool {
    let numbers = numbers.as_array().unwrap();
    numbers.iter().rev().zip(1..).all(|(number, wanted)| *number == json!(wanted))
}

#[test]
fn the_store_keeps_the_contract() {
    let (_pages, session) = open();
    all_pass(&session, "conformance", 21);
    session.expect_no_errors();
}

#[test]
fn each_fault_has_its_stated_answer() {
    let (_pages, session) = open();
    all_pass(&session, "faults", 15);
    session.expect_no_errors();
}

#[test]
fn twenty_tabs_that_commit_at_once_lose_nothing() {
    let (pages, session) = open();
    let first = session.tab();
    let mut tabs = vec![first.clone()];
    while tabs.len() < 20 {
        tabs.push(session.new_tab());
        load(&session, &pages);
    }
    for (n, tab) in tabs.iter().enumerate() {
        session.switch_to(tab);
        session.run(
            "globalThis.done = null; stores.race(arguments[0], 25).then((times) => globalThis.done = times, (error) => globalThis.done = String(error))",
            &[json!(format!("tab{n}"))],
        );
    }
    for tab in &tabs {
        session.switch_to(tab);
        assert_eq!(at_length(&session, "globalThis.done"), json!(25));
    }
    session.switch_to(&first);
    let read = call(&session, "read('race', 'a')");
    assert!(dense(&read[0]), "numbers: {}", read[0]);
    assert_eq!(read[0].as_array().unwrap().len(), 500);
    let mut lines: Vec<_> = read[1].as_str().unwrap().lines().collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 500, "each save stands once in the last text");
}

#[test]
fn a_tab_killed_in_the_middle_of_a_commit_loses_nothing_that_was_saved() {
    let (pages, session) = open();
    if session.engine != Engine::Chromium {
        // No other driver ends a page's process.
        return;
    }
    let first = session.tab();
    for round in 0..4 {
        let document = format!("d{round}");
        session.new_tab();
        load(&session, &pages);
        session.run("void stores.append(arguments[0])", &[json!(document)]);
        let told = |pages: &Pages| {
            let prefix = format!("GET /saved/{document}/");
            let numbers =
                pages.asked().into_iter().filter_map(|asked| asked.strip_prefix(&prefix)?.parse::<u64>().ok());
            numbers.max().unwrap_or(0)
        };
        // Commits follow each other without a pause: whenever the process ends, one is under way.
        session.until("some versions are saved", || (told(&pages) > 5 + round).then_some(()));
        session.crash();
        session.switch_to(&first);
        let found = call(&session, &format!("wrong('{document}')"));
        assert!(dense(&found[0]), "numbers: {}", found[0]);
        assert_eq!(found[1], json!([]), "versions that are not what was written");
        let (kept, told) = (found[0].as_array().unwrap().len() as u64, told(&pages));
        assert!(kept >= told && kept <= told + 1, "{told} were reported saved and {kept} are there");
        let next = call(&session, &format!("save('append', {{ document: '{document}', head: {kept} }})"));
        assert_eq!(next, json!(kept + 1), "the next tab goes on");
    }
}

#[test]
fn a_full_disk_is_said_and_keeps_what_was_saved() {
    let (pages, session) = open();
    if session.engine != Engine::Chromium {
        // The quota of the others is not the driver's to set; the injected cases stand for it.
        return;
    }
    session.devtools("Storage.overrideQuotaForOrigin", &json!({ "origin": pages.origin, "quotaSize": 5 << 20 }));
    let filled = call(&session, "fill(12)");
    assert_eq!(filled[2], json!("quota"));
    assert_eq!(filled[0], filled[1], "what was saved is what is listed");
    assert!(filled[0].as_u64().unwrap() >= 1);
    session.devtools("Storage.overrideQuotaForOrigin", &json!({ "origin": pages.origin }));
}

#[test]
fn a_page_back_from_the_cache_hears_that_it_missed_something() {
    let (pages, session) = open();
    call(&session, "save('back', { document: 'a' })");
    call(&session, "watch('back')");
    session.go(&pages.page("stores.html?elsewhere"));
    session.until_true("globalThis.ready");
    call(&session, "save('back', { document: 'a', head: 1, key: 'elsewhere' })");
    session.run("history.back()", &[]);
    session.until_true("!location.search && globalThis.ready");
    if session.run("return globalThis.cached ?? null", &[]) == json!(true) {
        session.until_true("globalThis.heard.includes('missed')");
        session.run_async("return await kept.read({ document: 'a' })", &[]);
    }
    // Where an engine keeps no page, it was loaded again and reads what is there.
    assert_eq!(call(&session, "save('back', { document: 'a', head: 2, key: 'back' })"), json!(3));
}

#[test]
fn other_tabs_hear_of_a_version_without_a_reload() {
    let (pages, session) = open();
    call(&session, "watch('tabs')");
    let first = session.tab();
    session.new_tab();
    load(&session, &pages);
    for head in ["null", "1", "2"] {
        call(&session, &format!("save('tabs', {{ document: 'a', head: {head} }})"));
    }
    session.switch_to(&first);
    session.until_true("globalThis.heard.join() === '1,2,3'");
    session.expect_no_errors();
}

#[test]
fn presence_follows_tabs_that_come_leave_and_die() {
    let (pages, session) = open();
    session.run("stores.join('ana')", &[]);
    session.until_true("globalThis.people?.join() === ''");
    let first = session.tab();
    let mut others = Vec::new();
    for name in ["ben", "cem", "dia"] {
        others.push(session.new_tab());
        load(&session, &pages);
        session.run("stores.join(arguments[0])", &[json!(name)]);
    }
    session.until_true("globalThis.people?.join() === 'ana,ben,cem'");
    session.switch_to(&first);
    session.until_true("globalThis.people.join() === 'ben,cem,dia'");
    session.switch_to(&others[0]);
    session.run("leave()", &[]);
    session.switch_to(&others[1]);
    session.close_tab();
    session.switch_to(&first);
    session.until_true("globalThis.people.join() === 'dia'");
    if session.engine == Engine::Chromium {
        session.switch_to(&others[2]);
        session.crash();
        session.switch_to(&first);
        session.until_true("globalThis.people.join() === ''");
    }
}
