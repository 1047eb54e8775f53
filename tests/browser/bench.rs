//! What opening a document costs beside peers, in one run. `cargo xtask bench` runs it and shows the figures; the tests
//! leave it out, since a figure is no verdict.

use serde_json::json;

use crate::session::Session;
use crate::site::Pages;

#[test]
#[ignore = "a measurement: `cargo xtask bench` runs it"]
fn opening_documents() {
    let (pages, session) = (Pages::serve(), Session::open());
    session.go(&pages.page("bench.html"));
    session.until_true("globalThis.bench && globalThis.DOMPurify");
    let rows = session.run_async("return await bench(given[0])", &[json!(7)]);
    println!("opening a document until it is laid out: medians of seven, milliseconds, and ratios");
    println!(
        "{:>10} {:>8} {:>12} {:>10} {:>18} {:>8} {:>8}",
        "characters", "elements", "countersign", "innerHTML", "marked+DOMPurify", "÷ inner", "÷ marked"
    );
    for row in rows.as_array().into_iter().flatten() {
        let figure = |name: &str| row[name].as_f64().unwrap_or(f64::NAN);
        let (ours, inner, marked) = (figure("countersign"), figure("innerHTML"), figure("marked"));
        println!(
            "{:>10} {:>8} {ours:>12.1} {inner:>10.1} {marked:>18.1} {:>8.2} {:>8.2}",
            figure("size"),
            figure("nodes"),
            ours / inner,
            ours / marked
        );
    }
}
