//! Records as they are stored: plain JavaScript objects, read and written by name.
//!
//! They go into the database nearly as they came, so texts, ids and titles stay JavaScript strings from end to end: no
//! copy of a text enters this module, and nothing is re-encoded on the way.

use js_sys::{Array, Object};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Any plain object. What a member is not, it is `undefined`; the caller checks what matters.
    #[wasm_bindgen(extends = Object)]
    #[derive(Clone, Debug)]
    pub(super) type Record;

    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn space(this: &Record) -> JsValue;
    #[wasm_bindgen(method, setter, structural)]
    pub(super) fn set_space(this: &Record, space: &JsValue);
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn document(this: &Record) -> JsValue;
    #[wasm_bindgen(method, setter, structural)]
    pub(super) fn set_document(this: &Record, document: &JsValue);
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn id(this: &Record) -> JsValue;
    #[wasm_bindgen(method, setter, structural)]
    pub(super) fn set_id(this: &Record, id: &JsValue);
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn version(this: &Record) -> JsValue;
    #[wasm_bindgen(method, setter, structural)]
    pub(super) fn set_version(this: &Record, version: &JsValue);
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn key(this: &Record) -> JsValue;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn kind(this: &Record) -> JsValue;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn at(this: &Record) -> JsValue;
    #[wasm_bindgen(method, setter, structural)]
    pub(super) fn set_at(this: &Record, at: &JsValue);
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn bytes(this: &Record) -> JsValue;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn text(this: &Record) -> JsValue;
    #[wasm_bindgen(method, setter, structural)]
    pub(super) fn set_text(this: &Record, text: &JsValue);

    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn info(this: &Record) -> Option<Record>;
    #[wasm_bindgen(method, setter, structural)]
    pub(super) fn set_info(this: &Record, info: &Record);
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn order(this: &Record) -> JsValue;
    #[wasm_bindgen(method, setter, structural)]
    pub(super) fn set_order(this: &Record, order: &JsValue);
    #[wasm_bindgen(method, getter, structural, js_name = titleKey)]
    pub(super) fn title_key(this: &Record) -> JsValue;
    #[wasm_bindgen(method, setter, structural, js_name = titleKey)]
    pub(super) fn set_title_key(this: &Record, title_key: &JsValue);
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn made(this: &Record) -> f64;
    #[wasm_bindgen(method, setter, structural)]
    pub(super) fn set_made(this: &Record, made: f64);
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn sequence(this: &Record) -> f64;
    #[wasm_bindgen(method, setter, structural)]
    pub(super) fn set_sequence(this: &Record, sequence: f64);

    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn head(this: &Record) -> JsValue;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn snapshot(this: &Record) -> Record;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn answers(this: &Record) -> Option<Record>;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn proposal(this: &Record) -> JsValue;
    #[wasm_bindgen(method, setter, structural)]
    pub(super) fn set_proposal(this: &Record, proposal: &Record);
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn revision(this: &Record) -> JsValue;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn state(this: &Record) -> JsValue;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn open(this: &Record) -> JsValue;
    #[wasm_bindgen(method, setter, structural)]
    pub(super) fn set_open(this: &Record, open: &JsValue);
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn limit(this: &Record) -> JsValue;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn before(this: &Record) -> JsValue;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn cursor(this: &Record) -> JsValue;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn versions(this: &Record) -> Option<Array>;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn proposals(this: &Record) -> Option<Array>;
}

/// An empty record.
pub(super) fn record() -> Record {
    Object::new().unchecked_into()
}

/// A record with these members.
pub(super) fn record_of(members: &[(&str, &JsValue)]) -> Record {
    let record = record();
    for (name, value) in members {
        // A new plain object takes every member.
        let _ = js_sys::Reflect::set(&record, &JsValue::from_str(name), value);
    }
    record
}

/// A member that may be left out: `undefined` and `null` are both "not given".
pub(super) fn given(value: JsValue) -> Option<JsValue> {
    (!value.is_undefined() && !value.is_null()).then_some(value)
}

/// How deep two values are compared; proposals nest a handful of levels.
const DEEPEST: u32 = 32;

/// Whether two plain values say the same. A member that is `undefined` counts as absent; the order of members does not.
pub(super) fn same(one: &JsValue, other: &JsValue) -> bool {
    same_within(one, other, DEEPEST)
}

fn same_within(one: &JsValue, other: &JsValue, depth: u32) -> bool {
    if one == other {
        return true;
    }
    let (Some(one), Some(other)) = (one.dyn_ref::<Object>(), other.dyn_ref::<Object>()) else { return false };
    if depth == 0 || Array::is_array(one) != Array::is_array(other) {
        return false;
    }
    let covers = |one: &Object, other: &Object| {
        Object::keys(one).iter().all(|name| {
            let member = |of: &Object| js_sys::Reflect::get(of, &name).unwrap_or(JsValue::UNDEFINED);
            same_within(&member(one), &member(other), depth - 1)
        })
    };
    // What one covers is compared once; the other way round only looks for members that one does not have.
    covers(one, other)
        && Object::keys(other).iter().all(|name| {
            let absent = |of: &Object| js_sys::Reflect::get(of, &name).is_ok_and(|member| member.is_undefined());
            absent(other) || !absent(one)
        })
}
