//! A document in the host's keeping, through the JavaScript `Documents`: reading it, and hearing of its versions.
//!
//! The object may come from another module or from the host itself, so it is used as what the contract says that it is,
//! and every answer is checked.

use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;

use crate::{Reason, Refused};

#[wasm_bindgen]
extern "C" {
    /// `Documents` of `core.d.ts`, as far as the elements use it.
    #[derive(Clone, Debug)]
    pub type Documents;

    #[wasm_bindgen(method, catch)]
    pub async fn read(this: &Documents, document: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    pub async fn proposals(this: &Documents, options: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    pub async fn decide(
        this: &Documents,
        proposal: &str,
        accepted: &JsValue,
        options: &JsValue,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    pub async fn restore(this: &Documents, document: &str, version: u32) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn on(this: &Documents, event: &str, heard: &Function) -> Result<Function, JsValue>;
}

/// Calls a closure for each event of a `Documents`, until it is dropped.
pub(crate) struct Subscription {
    leave: Function,
    /// What JavaScript calls lives as long as the subscription.
    _heard: Closure<dyn FnMut(JsValue)>,
}

impl Subscription {
    /// `None` where the object has no events.
    pub(crate) fn new(documents: &Documents, event: &str, heard: impl FnMut(JsValue) + 'static) -> Option<Self> {
        let heard = Closure::<dyn FnMut(JsValue)>::new(heard);
        let leave = documents.on(event, heard.as_ref().unchecked_ref()).ok()?;
        leave.is_function().then_some(Self { leave, _heard: heard })
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        // The host's own function: if it throws, there is nobody left to tell.
        let _ = self.leave.call0(&JsValue::NULL);
    }
}

/// The part `name` of an answer that says `ok`; else its refusal, in the contract's shape or in words of ours.
pub(crate) fn answered(method: &str, answer: Result<JsValue, JsValue>, name: &str) -> Result<JsValue, Refused> {
    let broken = |message: String| Refused::new(Reason::Unavailable, message);
    let answer = answer.map_err(|error| broken(format!("documents.{method} failed: {}", message_of(&error))))?;
    let field = |name: &str| Reflect::get(&answer, &name.into()).unwrap_or(JsValue::UNDEFINED);
    if !answer.is_object() {
        return Err(broken(format!("documents.{method} gave no answer.")));
    }
    if field("ok").as_bool() == Some(true) {
        let part = field(name);
        return match part.is_object() {
            true => Ok(part),
            false => Err(broken(format!("documents.{method} gave an answer without {name}."))),
        };
    }
    let reason = field("reason").as_string().and_then(|reason| Reason::named(&reason)).unwrap_or(Reason::Unavailable);
    Err(Refused::new(reason, field("message").as_string().unwrap_or_else(|| reason.name().to_owned())))
}

/// What an exception says.
pub(crate) fn message_of(error: &JsValue) -> String {
    let message = Reflect::get(error, &"message".into()).ok().and_then(|message| message.as_string());
    message.or_else(|| error.as_string()).unwrap_or_else(|| "no reason was given".to_owned())
}

/// A string field of an object.
pub(crate) fn text(object: &JsValue, name: &str) -> Option<String> {
    Reflect::get(object, &name.into()).ok()?.as_string()
}

/// A whole number of an object that fits.
pub(crate) fn number(object: &JsValue, name: &str) -> Option<u32> {
    let number = Reflect::get(object, &name.into()).ok()?.as_f64()?;
    (number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number)).then_some(number as u32)
}

/// The plain object that a JSON text of ours says.
pub(crate) fn parsed(json: &str) -> JsValue {
    js_sys::JSON::parse(json).unwrap_or(JsValue::UNDEFINED)
}

/// An object of the host's as JSON; a string as it is.
pub(crate) fn json_of(value: &JsValue) -> Option<String> {
    js_sys::JSON::stringify(value).ok().map(String::from)
}
