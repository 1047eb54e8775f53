//! Reading a text from JavaScript: blocks and the outline.

use wasm_bindgen::prelude::*;

use super::utf16::Utf16;
use super::wire::{self, out};
use crate::document::{blocks, outline};

/// `Core.outline`.
#[wasm_bindgen(js_name = outline)]
pub fn outline_of(markdown: &str) -> String {
    out(|json| json.list(&outline::outline(markdown), wire::entry))
}

/// `Core.search`.
#[wasm_bindgen]
pub fn search(markdown: &str, query: &str) -> String {
    out(|json| json.list(&outline::search(markdown, query), wire::entry))
}

/// `Core.blocks`.
#[wasm_bindgen(js_name = blocks)]
pub fn blocks_of(markdown: &str) -> String {
    let text = Utf16::new(markdown);
    out(|json| {
        json.list(blocks::blocks(markdown).iter().enumerate(), |json, (at, block)| wire::block(json, at, block, &text));
    })
}
