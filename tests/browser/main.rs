//! The product in real browsers, by the W3C WebDriver protocol: one suite for Chromium, Firefox and WebKit.
//!
//! `cargo xtask test --browser chromium` installs and starts the browser's driver and runs these tests against it; plain
//! `cargo test` leaves them out. One file per story; `session` is the browser, `site` what it loads.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, unreachable_pub)]

// The browser. Not every story needs all that it can do.
mod driver;
#[allow(dead_code)]
mod engine;
#[allow(dead_code)]
mod gesture;
#[allow(dead_code)]
mod session;
#[allow(dead_code)]
mod site;
mod wire;

// The stories.
mod asking;
mod bench;
mod demo;
mod driving;
mod safety;
mod selecting;
mod stores;

// The demo's server, with hooks that only tests use.
#[path = "../../xtask/src/serve.rs"]
#[allow(dead_code)]
mod serve;

/// The top of the repository.
fn root() -> std::path::PathBuf {
    env!("CARGO_MANIFEST_DIR").into()
}
