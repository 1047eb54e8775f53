//! What the module asks of the page: the element that it serves, and the labels in force.

use js_sys::{Function, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

use crate::labels;

#[wasm_bindgen]
extern "C" {
    /// The hand-written half of an element (`www/elements/base.js`).
    #[wasm_bindgen(extends = web_sys::HtmlElement, extends = web_sys::Element, extends = web_sys::Node, extends = web_sys::EventTarget)]
    #[derive(Clone)]
    pub type Host;

    /// Adopts a style sheet, by name.
    #[wasm_bindgen(method)]
    pub fn adopt(this: &Host, name: &str, css: &str);

    /// Dispatches an event of the contract; `false` where the host prevented it.
    #[wasm_bindgen(method)]
    pub fn emit(this: &Host, name: &str, detail: &JsValue, cancelable: bool) -> bool;
}

impl Host {
    /// A new box in the shadow root, for Leptos to keep.
    pub(crate) fn frame(&self) -> Option<HtmlElement> {
        let frame = self.owner_document()?.create_element("div").ok()?.dyn_into::<HtmlElement>().ok()?;
        frame.set_class_name("frame");
        self.shadow_root()?.append_child(&frame).ok()?;
        Some(frame)
    }
}

/// The labels in force: the host's where it gave one, else English.
#[derive(Clone, Default)]
pub(crate) struct Labels(Option<Object>);

impl Labels {
    /// From the `labels` property: anything but an object gives English.
    pub(crate) fn new(given: &JsValue) -> Self {
        Self(given.dyn_ref::<Object>().cloned())
    }

    /// The label `name`, filled with `values`. A host's label is a template or a function of the values; one that
    /// throws or gives no string is left out.
    pub(crate) fn text(&self, name: &str, values: &[(&str, &str)]) -> String {
        self.given(name, values).unwrap_or_else(|| labels::fill(labels::english(name), values))
    }

    fn given(&self, name: &str, values: &[(&str, &str)]) -> Option<String> {
        let label = Reflect::get(self.0.as_ref()?, &name.into()).ok()?;
        if let Some(function) = label.dyn_ref::<Function>() {
            let object = Object::new();
            for (key, value) in values {
                Reflect::set(&object, &(*key).into(), &(*value).into()).ok()?;
            }
            return function.call1(&JsValue::NULL, &object).ok()?.as_string();
        }
        label.as_string().map(|template| labels::fill(&template, values))
    }
}
