//! Proposals: one record each, replaced by compare-and-set on its `revision`.

use indexed_db_futures::transaction::TransactionRef;
use js_sys::Array;
use wasm_bindgen::prelude::*;

use super::commit::Done;
use super::faults::Fault;
use super::record::{Record, given, record, record_of, same};
use super::schema::{self, BY_DOCUMENT, BY_OPEN, BY_SPACE, PROPOSALS};
use crate::Reason;

/// `{ space, document?, id?, open? }`, in the order in which they were first saved.
pub(super) async fn list(within: &TransactionRef<'_>, request: &Record) -> Result<Done, Fault> {
    let proposals = within.object_store(PROPOSALS)?;
    let space = request.space();
    let (document, open) = (given(request.document()), request.open().as_bool());
    let one = JsValue::from_f64(1.0);
    let found = if let Some(id) = given(request.id()) {
        schema::get(&proposals, &schema::key([&space, &id])).await?.into_iter().collect()
    } else {
        // What follows the given parts in the key is a number, and every array sorts after every number.
        let all = |parts: &[&JsValue]| {
            let lower = parts.iter().collect::<Array>();
            let upper = lower.concat(&Array::of1(&Array::new()));
            schema::between(lower.into(), false, upper.into())
        };
        let (index, keys) = match (&document, open) {
            (Some(document), _) => (BY_DOCUMENT, all(&[&space, document])),
            (None, Some(true)) => (BY_OPEN, all(&[&space, &one])),
            (None, _) => (BY_SPACE, all(&[&space])),
        };
        schema::find_range(&proposals.index(index)?, keys, u32::MAX).await?
    };
    if found.is_empty() {
        schema::ledger(within).await?;
    }
    let told = Array::new();
    for record in found {
        let Some(proposal) = of(&record) else { continue };
        let is_open = proposal.state() == "open";
        let wanted = document.as_ref().is_none_or(|document| proposal.document() == *document);
        if wanted && open.is_none_or(|open| open == is_open) {
            told.push(&proposal);
        }
    }
    Ok(Done::read(&[("proposals", &told)]))
}

/// Saves one, new or changed.
pub(super) async fn save(within: &TransactionRef<'_>, proposal: &Record, newer: bool) -> Result<Done, Fault> {
    if newer {
        return Err(Fault::newer());
    }
    let ledger = schema::ledger(within).await?;
    let sequence = ledger.sequence() + 1.0;
    let mut done = Done::read(&[("proposal", proposal)]);
    if let Some(kept) = fitting(within, proposal, sequence).await? {
        schema::put(&within.object_store(PROPOSALS)?, &kept).await?;
        schema::count(within, &ledger, sequence).await?;
        done.notes.push(note(proposal));
    }
    Ok(done)
}

/// The record to write. A new one has revision 1, a changed one the stored revision plus 1; none for an identical repeat.
pub(super) async fn fitting(
    within: &TransactionRef<'_>,
    proposal: &Record,
    sequence: f64,
) -> Result<Option<Record>, Fault> {
    let (space, id) = (proposal.space(), proposal.id());
    let stored = schema::get(&within.object_store(PROPOSALS)?, &schema::key([&space, &id])).await?;
    let told = stored.as_ref().and_then(of);
    if told.as_ref().is_some_and(|told| same(told, proposal)) {
        return Ok(None);
    }
    let revision = told.as_ref().map_or(Some(0.0), |told| told.revision().as_f64());
    if proposal.revision().as_f64() != revision.map(|revision| revision + 1.0) {
        return Err(Fault::new(Reason::Conflict, "The proposal was changed meanwhile. Read it again."));
    }
    let kept = record();
    kept.set_space(&space);
    kept.set_id(&id);
    kept.set_order(&stored.map_or_else(|| JsValue::from_f64(sequence), |stored| stored.order()));
    kept.set_proposal(proposal);
    if let Some(document) = given(proposal.document()) {
        kept.set_document(&document);
    }
    if proposal.state() == "open" {
        kept.set_open(&JsValue::from_f64(1.0));
    }
    Ok(Some(kept))
}

/// The proposal in its record.
fn of(record: &Record) -> Option<Record> {
    given(record.proposal()).map(JsCast::unchecked_into)
}

/// What others are told: which proposal, never what is in it.
pub(super) fn note(proposal: &Record) -> Record {
    record_of(&[("space", &proposal.space()), ("proposal", &proposal.id())])
}
