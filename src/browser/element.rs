//! Handles: what a hand-written element class holds of this module, one per element.

use std::rc::Rc;

use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

use super::host::{Host, Labels};
use super::view::document::{BlockNodes, DocumentView, ShowingHost};
use super::view::quotes::QuotesView;
use super::view::reviewing::{DecidingHost, ReviewView};
use crate::document::render::{Attr, Frame, Label, Op, Tag};
use crate::js::elements as js;

/// The names by number that rendering instructions use, for the loop in `www/nodes.js`.
#[wasm_bindgen]
pub fn vocabulary() -> Object {
    fn names<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> JsValue {
        all.iter().map(|member| JsValue::from_str(name(*member))).collect::<Array>().into()
    }
    let vocabulary = Object::new();
    for (key, names) in [
        ("ops", names(Op::ALL, Op::name)),
        ("tags", names(Tag::ALL, Tag::name)),
        ("attributes", names(Attr::ALL, Attr::name)),
        ("labels", names(Label::ALL, Label::name)),
        ("frames", names(Frame::ALL, Frame::name)),
    ] {
        // A new plain object takes every property.
        let _ = Reflect::set(&vocabulary, &key.into(), &names);
    }
    vocabulary
}

/// The label `name` of `labels`, else the English one, filled with `values`.
#[wasm_bindgen]
pub fn label(labels: &JsValue, name: &str, values: &Object) -> String {
    let values: Vec<(String, String)> = Object::entries(values)
        .iter()
        .filter_map(|entry| {
            let entry = Array::from(&entry);
            let value = entry.get(1);
            Some((entry.get(0).as_string()?, value.as_string().or_else(|| Some(value.as_f64()?.to_string()))?))
        })
        .collect();
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    Labels::new(labels).text(name, &values)
}

/// The handle of a `<countersign-document>`.
#[wasm_bindgen]
pub struct DocumentHandle(Rc<DocumentView>);

#[wasm_bindgen]
impl DocumentHandle {
    /// Builds the element's view. `content` is where `nodes` puts the blocks.
    #[wasm_bindgen(constructor)]
    pub fn new(host: ShowingHost, content: HtmlElement, nodes: BlockNodes) -> Result<Self, JsValue> {
        DocumentView::new(host, content, nodes).map(Self).ok_or_else(no_root)
    }

    /// Takes a property by name.
    pub fn set(&self, name: &str, value: &JsValue) {
        self.0.set(name, value);
    }

    /// Starts listening.
    pub fn connected(&self) {
        self.0.connected();
    }

    /// Stops listening; the state stays.
    pub fn disconnected(&self) {
        self.0.disconnected();
    }

    /// The version on show.
    pub fn version(&self) -> u32 {
        self.0.version()
    }

    /// What is selected, as the JSON of a quote or a refusal.
    #[wasm_bindgen(js_name = quoteSelection)]
    pub fn quote_selection(&self) -> String {
        let quote = self.0.quote_selection();
        self.0.with_source(|source| js::quote_result(&quote, &source.text))
    }

    /// Scrolls to a block.
    #[wasm_bindgen(js_name = showBlock)]
    pub fn show_block(&self, block: u32) {
        self.0.show_block(block as usize);
    }
}

/// The handle of a `<countersign-review>`.
#[wasm_bindgen]
pub struct ReviewHandle(Rc<ReviewView>);

#[wasm_bindgen]
impl ReviewHandle {
    /// Builds the element's view.
    #[wasm_bindgen(constructor)]
    pub fn new(host: DecidingHost) -> Result<Self, JsValue> {
        ReviewView::new(host).map(Self).ok_or_else(no_root)
    }

    /// Takes a property by name.
    pub fn set(&self, name: &str, value: &JsValue) {
        self.0.set(name, value);
    }

    /// Starts listening.
    pub fn connected(&self) {
        self.0.connected();
    }

    /// Stops listening; the state stays.
    pub fn disconnected(&self) {
        self.0.disconnected();
    }
}

/// The handle of a `<countersign-quotes>`.
#[wasm_bindgen]
pub struct QuotesHandle(QuotesView);

#[wasm_bindgen]
impl QuotesHandle {
    /// Builds the element's view. `remove` is called with the number of a quote whose button was pressed.
    #[wasm_bindgen(constructor)]
    pub fn new(host: Host, remove: Function) -> Result<Self, JsValue> {
        QuotesView::new(&host, remove).map(Self).ok_or_else(no_root)
    }

    /// Takes a property by name; quotes as JSON.
    pub fn set(&self, name: &str, value: &JsValue) {
        self.0.set(name, value);
    }

    /// Nothing is listened to.
    pub fn connected(&self) {}

    /// Nothing is listened to.
    pub fn disconnected(&self) {}
}

fn no_root() -> JsValue {
    JsError::new("the element has no shadow root").into()
}
