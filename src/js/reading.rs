//! Reading a text from JavaScript: blocks and the outline.

use wasm_bindgen::prelude::*;

use super::json::Value;
use super::take;
use super::utf16::Utf16;
use super::wire::{self, out};
use crate::document::html::{HtmlOptions, Images, render_html};
use crate::document::render::RenderOptions;
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

/// `Core.renderHtml`.
#[wasm_bindgen(js_name = renderHtml)]
pub fn html_of(markdown: &str, options: &str) -> Result<String, JsError> {
    let options = take(options, |mut options| {
        let images = match options.take("images").and_then(Value::text).as_deref() {
            Some("all") => Images::All,
            _ => Images::None,
        };
        // No heading has more than six levels to go.
        let heading_offset = options.take("headingOffset").and_then(Value::number).unwrap_or(0).min(6) as u8;
        let link_schemes = match options.take("linkSchemes") {
            Some(schemes) => schemes.list(Value::text)?,
            None => Vec::new(),
        };
        Some(HtmlOptions { images, render: RenderOptions { heading_offset, link_schemes } })
    })?;
    Ok(render_html(markdown, &options))
}
