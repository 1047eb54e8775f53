//! What opening a document costs beside peers, in one run. `cargo xtask bench` runs it and shows the figures; the tests
//! leave it out, since a figure is no verdict.

use serde_json::{Value, json};

use crate::session::Session;
use crate::site::Pages;

/// Measured rounds; one more, first, warms up.
const ROUNDS: usize = 7;

#[test]
#[ignore = "a measurement: `cargo xtask bench` runs it"]
fn opening_documents() {
    let (pages, session) = (Pages::serve(), Session::open());
    session.go(&pages.page("bench.html"));
    session.until_true("globalThis.bench && globalThis.DOMPurify");
    println!("opening a document until it is laid out: medians of {ROUNDS}, in milliseconds, and their ratios");
    println!("characters elements countersign innerHTML marked+DOMPurify  of innerHTML  of marked+DOMPurify");
    for size in [10_000, 100_000, 1_000_000] {
        let prepared = session.run_async("return await bench.prepare(given[0])", &[json!(size)]);
        let rounds: Vec<Value> = (0..=ROUNDS).map(|_| session.run("return bench.round()", &[])).skip(1).collect();
        let median = |way: &str| {
            let mut times: Vec<f64> = rounds.iter().filter_map(|round| round[way].as_f64()).collect();
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        };
        let (ours, inner, marked) = (median("countersign"), median("innerHTML"), median("marked"));
        println!(
            "{:>10} {:>8} {ours:>11.1} {inner:>9.1} {marked:>16.1} {:>13.2} {:>20.2}",
            prepared["characters"],
            prepared["elements"],
            ours / inner,
            ours / marked
        );
    }
}
