//! Letting a text go from JavaScript: messages as `.eml` and `mailto:`.

use wasm_bindgen::prelude::*;

use super::json::Value;
use super::take;
use super::wire::{self, out};
use crate::exit::{self, Attachment, Mail};

fn texts(value: Option<Value>) -> Option<Vec<String>> {
    value.map_or(Some(Vec::new()), |value| value.list(Value::text))
}

fn attachment(mut value: Value) -> Option<Attachment> {
    Some(Attachment { name: value.text_of("name")?, ty: value.text_of("type")?, text: value.text_of("text")? })
}

fn mail(mut value: Value) -> Option<Mail> {
    let attachments = match value.take("attachments") {
        Some(attachments) => attachments.list(attachment)?,
        None => Vec::new(),
    };
    Some(Mail {
        to: texts(value.take("to"))?,
        cc: texts(value.take("cc"))?,
        bcc: texts(value.take("bcc"))?,
        subject: value.text_of("subject")?,
        body: value.text_of("body")?,
        attachments,
        draft: value.take("draft").and_then(Value::flag).unwrap_or(false),
    })
}

/// `Core.buildEml`.
#[wasm_bindgen(js_name = buildEml)]
pub fn build_eml(given: &str) -> Result<String, JsError> {
    let built = exit::build_eml(&take(given, mail)?);
    Ok(out(|json| match &built {
        Ok(made) => wire::ok(json, |json| {
            json.field("eml").text(&made.text);
            json.field("fileName").text(&made.file_name);
        }),
        Err(refused) => wire::refused(json, refused),
    }))
}

/// `Core.buildMailto`.
#[wasm_bindgen(js_name = buildMailto)]
pub fn build_mailto(given: &str) -> Result<String, JsError> {
    let built = exit::build_mailto(&take(given, mail)?);
    Ok(out(|json| match &built {
        Ok(made) => wire::ok(json, |json| {
            json.field("href").text(&made.href);
            json.field("length").number(made.length);
            json.field("mayTruncate").flag(made.may_truncate);
        }),
        Err(refused) => wire::refused(json, refused),
    }))
}
