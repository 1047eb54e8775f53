//! The JavaScript API over the core: the only place that knows of JavaScript.
//!
//! What it promises: positions are UTF-8 bytes inside and UTF-16 units outside ([`utf16`]); values cross
//! as JSON ([`json`]) in the shape and key order of `core.d.ts` ([`wire`]); a panic ends the instance, and the next call starts a
//! fresh one. What it relies on: `www/check.js` has copied and checked every argument before it comes here, so a value
//! that cannot be read is this package's own mistake.

#![allow(unreachable_pub, reason = "wasm-bindgen exports `pub` functions only")]

use wasm_bindgen::prelude::*;

mod changing;
#[cfg(feature = "browser")]
pub(crate) mod elements;
mod json;
mod keeping;
mod leaving;
mod numbered;
mod quoting;
mod reading;
mod records;
mod store;
mod task;
mod utf16;
mod wire;

/// Runs when an instance starts.
#[wasm_bindgen(start)]
fn begin() {
    std::panic::set_hook(Box::new(|info| {
        // The instance is poisoned: its memory may be half changed. The glue makes a new one before the next call.
        wasm_bindgen::handler::schedule_reinit();
        wasm_bindgen::throw_str(&info.to_string());
    }));
}

/// Gives up this instance after an error that no panic announced, such as an exhausted stack.
#[wasm_bindgen]
pub fn abandon() {
    wasm_bindgen::handler::schedule_reinit();
}

/// The package's version.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// A checked argument as a value.
fn take<T>(json: &str, read: impl FnOnce(json::Value) -> Option<T>) -> Result<T, JsError> {
    json::Value::read(json).and_then(read).ok_or_else(|| JsError::new("a value crossed the border unchecked"))
}
