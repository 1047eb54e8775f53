//! The elements: views, selection, browser stores and presence.
//!
//! A small class in `www/elements/` holds one handle of this module per element and hands it properties by name; all
//! else happens here. Data flows one way: a property or an event changes state, and the view is a function of state.

#![allow(unreachable_pub, reason = "wasm-bindgen exports `pub` items only")]

mod element;
mod host;
mod indexed_db;
mod selection;
mod stored;
mod view;

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

thread_local! {
    /// Who hears of a panic.
    static PANICKED: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
}

/// Called once, after instantiation. `panicked` hears the message of a panic; nothing here may be called after it.
#[wasm_bindgen]
pub fn start(panicked: js_sys::Function) {
    PANICKED.set(Some(panicked));
    std::panic::set_hook(Box::new(|info| {
        let message = JsValue::from_str(&info.to_string());
        web_sys::console::error_1(&message);
        PANICKED.with_borrow(|panicked| {
            // Nothing is left to do where telling fails, too.
            let _ = panicked.as_ref().map(|panicked| panicked.call1(&JsValue::NULL, &message));
        });
    }));
}
