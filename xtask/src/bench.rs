//! `cargo xtask bench`: what things cost, measured in one run beside peers. Figures, not verdicts: nothing here fails a test.

use crate::browsers::Engine;
use crate::command::{cargo, run};
use crate::dist;
use crate::npm;
use crate::say::{Done, step};
use crate::test;
use crate::wasm::Kind;

/// Builds the package as it is published, and measures it.
pub(crate) fn bench(build: Option<Kind>) -> Done {
    npm::install()?;
    if let Some(kind) = build {
        dist::dist(kind, false)?;
    }
    let driver = Engine::Chromium.start(1)?;
    step("opening documents in Chromium");
    let mut suite = test::suite();
    driver.tell(&mut suite);
    run(suite.args(["--", "bench::", "--ignored", "--nocapture"]))?;
    step("near misses: how often the nearest text named is the one that was meant");
    run(cargo().args(["test", "--quiet", "--package", "countersign", "--test", "near_misses", "--", "--nocapture"]))
}
