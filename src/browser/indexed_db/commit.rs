//! The one transaction that makes a version, and the one that removes a document for good.
//!
//! The order of what is looked at is the contract's: the key first, so that a write whose answer was lost is one version
//! whatever the head is by then; then the head; then the title; then the proposal that the version answers. All of it
//! and all that is written lies in one readwrite transaction, so that of twenty writers at once one wins.

use indexed_db_futures::KeyRange;
use indexed_db_futures::transaction::TransactionRef;
use wasm_bindgen::prelude::*;

use super::faults::Fault;
use super::proposals;
use super::record::{Record, given, record, record_of};
use super::schema::{self, BY_DOCUMENT, BY_KEY, BY_TITLE, HEADS, PROPOSALS, TEXTS, VERSIONS};
use crate::Reason;

/// What a call did: its answer, and the notes for whoever watches. Without notes, nothing was written.
pub(super) struct Done {
    pub(super) answer: Record,
    pub(super) notes: Vec<Record>,
}

impl Done {
    /// An answer that wrote nothing.
    pub(super) fn read(members: &[(&str, &JsValue)]) -> Self {
        let answer = record_of(&[("ok", &JsValue::TRUE)]);
        let _ = js_sys::Object::assign(&answer, &record_of(members));
        Self { answer, notes: Vec::new() }
    }
}

/// Makes one version: `{ head, snapshot, text, titleKey, answers? }`, the text apart from its snapshot.
pub(super) async fn commit(within: &TransactionRef<'_>, commit: &Record, newer: bool) -> Result<Done, Fault> {
    let info = commit.snapshot();
    let (space, document) = (info.space(), info.document());

    let versions = within.object_store(VERSIONS)?;
    let known = schema::find(&versions.index(BY_KEY)?, &schema::key([&space, &info.key()])).await?;
    if let Some(known) = known {
        return Ok(Done::read(&[("version", &known)]));
    }
    if newer {
        return Err(Fault::newer());
    }

    let ledger = schema::ledger(within).await?;
    let sequence = ledger.sequence() + 1.0;
    let heads = within.object_store(HEADS)?;
    let before = schema::get(&heads, &document).await?;
    let version = match (&before, given(commit.head())) {
        (None, None) => 1.0,
        (None, Some(_)) => return Err(Fault::not_found()),
        (Some(before), _) if before.space() != space => return Err(Fault::not_found()),
        (Some(_), None) => return Err(Fault::new(Reason::Exists, "There is a document with this id already.")),
        (Some(before), Some(head)) => {
            let newest = schema::info(before)?.version();
            if newest != head {
                return Err(Fault::new(
                    Reason::Conflict,
                    "The document has a newer version. Read it, then save again.",
                ));
            }
            newest.as_f64().unwrap_or(0.0) + 1.0
        }
    };

    let deleted = info.kind() == "delete";
    if !deleted {
        let holder = schema::find(&heads.index(BY_TITLE)?, &schema::key([&space, &commit.title_key()])).await?;
        if holder.is_some_and(|holder| holder.document() != document) {
            return Err(Fault::new(Reason::TitleTaken, "Another document here has this title. Choose another title."));
        }
    }

    let mut notes = vec![record_of(&[("document", &document), ("version", &JsValue::from_f64(version))])];
    let mut answered = None;
    if let Some(proposal) = commit.answers() {
        answered = proposals::fitting(within, &proposal, sequence).await?;
        notes.push(proposals::note(&proposal));
    }

    // Nothing below is refused, and nothing above has written.
    info.set_version(&JsValue::from_f64(version));
    if let Some(before) = before {
        info.set_at(&later(info.at(), schema::info(&before)?.at()));
    }
    schema::put(&versions, &info).await?;
    let key = schema::key([&document, &JsValue::from_f64(version)]);
    schema::put_at(&within.object_store(TEXTS)?, &key, &commit.text()).await?;

    let head = record();
    head.set_document(&document);
    head.set_space(&space);
    head.set_info(&info);
    if !deleted {
        head.set_order(&JsValue::from_f64(-sequence));
        head.set_title_key(&commit.title_key());
    }
    schema::put(&heads, &head).await?;
    if let Some(proposal) = answered {
        schema::put(&within.object_store(PROPOSALS)?, &proposal).await?;
    }
    schema::count(within, &ledger, sequence).await?;
    Ok(Done { notes, ..Done::read(&[("version", &info)]) })
}

/// The later of two times, told as it was given. They are compared as times: `…:00Z` is before `…:00.5Z`, not after.
fn later(at: JsValue, last: JsValue) -> JsValue {
    let time = |at: &JsValue| at.as_string().map_or(f64::NAN, |at| js_sys::Date::parse(&at));
    if time(&at) >= time(&last) { at } else { last }
}

/// Removes a document with its versions, texts and proposals: `{ space, document }`.
pub(super) async fn erase(within: &TransactionRef<'_>, request: &Record, newer: bool) -> Result<Done, Fault> {
    if newer {
        return Err(Fault::newer());
    }
    let (space, document) = (request.space(), request.document());
    let heads = within.object_store(HEADS)?;
    if schema::get(&heads, &document).await?.is_none_or(|head| head.space() != space) {
        schema::ledger(within).await?;
        return Err(Fault::not_found());
    }
    let all = || schema::between(schema::key([&document]), true, schema::key([&document, &js_sys::Array::new()]));
    schema::delete(&heads, KeyRange::Only(document.clone())).await?;
    schema::delete(&within.object_store(VERSIONS)?, all()).await?;
    schema::delete(&within.object_store(TEXTS)?, all()).await?;

    let proposals = within.object_store(PROPOSALS)?;
    let lower = schema::key([&space, &document]);
    let upper = schema::key([&space, &document, &js_sys::Array::new()]);
    let found =
        schema::find_range(&proposals.index(BY_DOCUMENT)?, schema::between(lower, true, upper), u32::MAX).await?;
    for proposal in found {
        schema::delete(&proposals, KeyRange::Only(schema::key([&space, &proposal.id()]))).await?;
    }
    let note = record_of(&[("document", &document), ("version", &JsValue::from_f64(0.0))]);
    Ok(Done { notes: vec![note], ..Done::read(&[]) })
}
