//! Lists, texts and histories: what is read, each within one transaction.

use indexed_db_futures::transaction::TransactionRef;
use js_sys::{Array, Object};
use wasm_bindgen::prelude::*;

use super::commit::Done;
use super::faults::{self, Fault};
use super::record::{Record, given, record, record_of};
use super::schema::{self, BY_ORDER, BY_SPACE, HEADS, TEXTS, VERSIONS};
use crate::Reason;

/// A page's length: at least one, and one more is read to know whether there are more.
fn limit(request: &Record) -> u32 {
    request.limit().as_f64().unwrap_or(50.0).clamp(1.0, 10_000.0).max(1.0) as u32
}

/// `{ space?, limit, cursor? }`: heads that are not deleted, the latest commit first. A cursor is the sequence number of
/// the last one told; what is saved meanwhile moves to the front, and is never told twice.
pub(super) async fn list(within: &TransactionRef<'_>, request: &Record) -> Result<Done, Fault> {
    let limit = limit(request);
    let heads = within.object_store(HEADS)?;
    let after = match given(request.cursor()) {
        None => f64::NEG_INFINITY,
        Some(cursor) => match cursor.as_string().and_then(|cursor| cursor.parse::<u64>().ok()) {
            Some(sequence) => -(sequence as f64),
            None => {
                return Err(Fault::new(Reason::NotFound, "This cursor is not from this list. List from the start."));
            }
        },
    };
    let (after, end) = (JsValue::from_f64(after), JsValue::from_f64(0.0));
    let (index, keys) = match given(request.space()) {
        Some(space) => (BY_SPACE, schema::between(schema::key([&space, &after]), true, schema::key([&space, &end]))),
        None => (BY_ORDER, schema::between(after, true, end)),
    };
    let found = schema::find_range(&heads.index(index)?, keys, limit + 1).await?;
    if found.is_empty() {
        schema::ledger(within).await?;
    }
    let more = found.len() > limit as usize;
    let told = found.iter().take(limit as usize).filter_map(Record::info).map(JsValue::from).collect::<Array>();
    let done = Done::read(&[("documents", &told)]);
    if let Some(last) = found.get(limit as usize - 1).filter(|_| more) {
        let sequence = -last.order().as_f64().unwrap_or(0.0);
        let cursor = JsValue::from_str(&(sequence as u64).to_string());
        let _ = Object::assign(&done.answer, &record_of(&[("cursor", &cursor)]));
    }
    Ok(done)
}

/// The head's record, where the document is there and of the space that was asked for.
async fn head(within: &TransactionRef<'_>, request: &Record) -> Result<Record, Fault> {
    let head = schema::get(&within.object_store(HEADS)?, &request.document()).await?;
    match head.filter(|head| given(request.space()).is_none_or(|space| head.space() == space)) {
        Some(head) => Ok(head),
        None => {
            schema::ledger(within).await?;
            Err(Fault::not_found())
        }
    }
}

/// `{ space?, document, version? }`. Where the `last` attempt cannot read a text, that version is `corrupt`.
pub(super) async fn read(within: &TransactionRef<'_>, request: &Record, last: bool) -> Result<Done, Fault> {
    let head = head(within, request).await?;
    let document = request.document();
    let info = match given(request.version()) {
        None => schema::info(&head)?,
        Some(version) => {
            let info = match version.as_f64() {
                Some(_) => schema::get(&within.object_store(VERSIONS)?, &schema::key([&document, &version])).await?,
                None => None,
            };
            match info {
                Some(info) => info,
                None => return Err(Fault::new(Reason::NotFound, "The document has no such version.")),
            }
        }
    };
    let text = match schema::get_value(&within.object_store(TEXTS)?, &schema::key([&document, &info.version()])).await {
        Ok(text) => text.filter(|text| whole(text, &info)),
        Err(error) if last && !faults::ended(&error) => None,
        Err(error) => return Err(error.into()),
    };
    let Some(text) = text else {
        return Err(Fault::new(
            Reason::Corrupt,
            "The text of this version cannot be read any more. The other versions of the document are not touched: read or restore one of them.",
        ));
    };
    let snapshot = record();
    let _ = Object::assign(&snapshot, &info);
    snapshot.set_text(&text);
    Ok(Done::read(&[("snapshot", &snapshot)]))
}

/// Whether it can be the text of this version: a string that is neither shorter nor longer than its bytes allow.
fn whole(text: &JsValue, info: &Record) -> bool {
    let Some(text) = text.dyn_ref::<js_sys::JsString>() else { return false };
    let (units, bytes) = (f64::from(text.length()), info.bytes().as_f64());
    bytes.is_none_or(|bytes| units <= bytes && bytes <= 3.0 * units)
}

/// `{ space?, document, before?, limit }`: newest first, without texts. Numbers are dense, so a page is a range of them.
pub(super) async fn history(within: &TransactionRef<'_>, request: &Record) -> Result<Done, Fault> {
    let newest = schema::info(&head(within, request).await?)?.version().as_f64().unwrap_or(0.0);
    let last =
        given(request.before()).and_then(|before| before.as_f64()).map_or(newest, |before| (before - 1.0).min(newest));
    let first = (last - f64::from(limit(request)) + 1.0).max(1.0);
    let told = Array::new();
    if first <= last {
        let document = request.document();
        let [first, last] = [first, last].map(|version| schema::key([&document, &JsValue::from_f64(version)]));
        let found =
            schema::range(&within.object_store(VERSIONS)?, schema::between(first, false, last), u32::MAX).await?;
        for info in found.iter().rev() {
            told.push(info);
        }
    }
    Ok(Done::read(&[("versions", &told), ("more", &JsValue::from_bool(first > 1.0 && first <= last))]))
}
