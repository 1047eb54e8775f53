//! Countersign: a Markdown document that a person and a model write together. The model proposes, the person countersigns.
//!
//! Without features this crate is the pure core: text in, values out. It knows no DOM, no JavaScript, no clock, no
//! randomness and no storage. Positions are UTF-8 byte offsets on character boundaries. Expected failures are values.
//!
//! Modules, in reading order:
//! - [`document`] reads a text: blocks, the outline, what is shown with its source ranges, quotes.
//! - [`change`] changes it: edits and their refusals, differences, proposals, merges.
//! - [`history`] keeps it: versions, the store, and the one commit that makes versions.
//! - [`exit`] lets it go: messages as `.eml` and `mailto:`.
//!
//! Features: `js` adds the JavaScript API (wasm-bindgen); `browser` adds the elements (Leptos, web-sys).

pub mod change;
pub mod document;
pub mod exit;
pub mod history;
pub mod labels;
mod numbers;
mod refused;

#[cfg(feature = "browser")]
mod browser;
#[cfg(feature = "js")]
mod js;

pub use refused::{Reason, Refused};
