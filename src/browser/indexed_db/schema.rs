//! What lies on the disk: object stores, indexes, and the keys of records. Schema version 1.
//!
//! - `heads`, by document: `{ document, space, info, order?, titleKey? }`. A deleted document has neither `order` nor
//!   `titleKey`, and so is in neither index: lists leave it out and its title is free.
//! - `versions`, by `[document, version]`: what the contract calls `VersionInfo`. Unique by `[space, key]`.
//! - `texts`, by `[document, version]`: the text alone, as the string it came as. A list never loads one.
//! - `proposals`, by `[space, id]`: `{ space, id, order, proposal, document?, open? }`.
//! - `store`, one record: `{ made, sequence }`. `made` tells one database from another of the same name, made after the
//!   first was wiped; `sequence` counts what was saved. Lists are ordered by it, never by time.
//!
//! `order` in `heads` is the sequence number below zero: an ascending read is then the latest first, without a cursor.
//! Keys are strings, numbers and arrays of them, never names of properties: `__proto__` is an id like any other.
//! All object stores exist from version 1 on, because an upgrade's transaction cannot be awaited with this crate.

use indexed_db_futures::database::Database;
use indexed_db_futures::error::Error;
use indexed_db_futures::index::Index;
use indexed_db_futures::object_store::ObjectStore;
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::TransactionRef;
use indexed_db_futures::{KeyPath, KeyRange};
use wasm_bindgen::prelude::*;

use super::faults::Fault;
use super::record::{Record, record};

pub(super) const SCHEMA: u32 = 1;

pub(super) const HEADS: &str = "heads";
pub(super) const VERSIONS: &str = "versions";
pub(super) const TEXTS: &str = "texts";
pub(super) const PROPOSALS: &str = "proposals";
pub(super) const STORE: &str = "store";
pub(super) const ALL: [&str; 5] = [HEADS, VERSIONS, TEXTS, PROPOSALS, STORE];

/// Of `heads`: `[space, titleKey]`.
pub(super) const BY_TITLE: &str = "title";
/// Of `heads`: `order`, across spaces.
pub(super) const BY_ORDER: &str = "order";
/// Of `heads` and of `proposals`: `[space, order]`.
pub(super) const BY_SPACE: &str = "space";
/// Of `versions`: `[space, key]`.
pub(super) const BY_KEY: &str = "key";
/// Of `proposals`: `[space, document, order]`.
pub(super) const BY_DOCUMENT: &str = "document";
/// Of `proposals`: `[space, open, order]`, the open ones.
pub(super) const BY_OPEN: &str = "open";

fn path<const N: usize>(names: [&'static str; N]) -> KeyPath<&'static str> {
    KeyPath::Sequence(names.into_iter().collect())
}

/// Makes every object store and the one record of `store`, within the upgrade.
pub(super) fn create(database: &Database) -> Result<(), Error> {
    let heads = database.create_object_store(HEADS).with_key_path(KeyPath::One("document")).build()?;
    heads.create_index(BY_TITLE, path(["space", "titleKey"])).with_unique(true).build()?;
    heads.create_index(BY_ORDER, KeyPath::One("order")).build()?;
    heads.create_index(BY_SPACE, path(["space", "order"])).build()?;

    let versions = database.create_object_store(VERSIONS).with_key_path(path(["document", "version"])).build()?;
    versions.create_index(BY_KEY, path(["space", "key"])).with_unique(true).build()?;

    database.create_object_store(TEXTS).build()?;

    let proposals = database.create_object_store(PROPOSALS).with_key_path(path(["space", "id"])).build()?;
    proposals.create_index(BY_SPACE, path(["space", "order"])).build()?;
    proposals.create_index(BY_DOCUMENT, path(["space", "document", "order"])).build()?;
    proposals.create_index(BY_OPEN, path(["space", "open", "order"])).build()?;

    let store = database.create_object_store(STORE).build()?;
    let ledger = record();
    ledger.set_made(js_sys::Math::random());
    ledger.set_sequence(0.0);
    // Goes out here; nothing can be awaited within an upgrade.
    let _sent = store.put(JsValue::from(ledger)).with_key(JsValue::from_str(STORE)).primitive()?;
    Ok(())
}

/// The one record of `store`. Where it is missing, the database was wiped under an open page.
pub(super) async fn ledger(transaction: &TransactionRef<'_>) -> Result<Record, Fault> {
    get(&transaction.object_store(STORE)?, &JsValue::from_str(STORE)).await?.ok_or_else(Fault::gone)
}

/// The newest version that a head's record holds.
pub(super) fn info(head: &Record) -> Result<Record, Fault> {
    head.info().ok_or_else(Fault::corrupt)
}

/// Writes the ledger back.
pub(super) async fn count(transaction: &TransactionRef<'_>, ledger: &Record, sequence: f64) -> Result<(), Error> {
    ledger.set_sequence(sequence);
    put_at(&transaction.object_store(STORE)?, &JsValue::from_str(STORE), ledger).await
}

/// The array key of these parts.
pub(super) fn key<const N: usize>(parts: [&JsValue; N]) -> JsValue {
    let key = js_sys::Array::new();
    for part in parts {
        key.push(part);
    }
    key.into()
}

/// From `lower` to `upper`; `open` leaves `lower` itself out.
pub(super) fn between(lower: JsValue, open: bool, upper: JsValue) -> KeyRange<JsValue> {
    KeyRange::Bound(lower, open, upper, false)
}

// The crate's calls are generic over keys, values and sources; these few shapes are all that the module carries.

pub(super) async fn get(store: &ObjectStore<'_>, key: &JsValue) -> Result<Option<Record>, Error> {
    Ok(get_value(store, key).await?.map(JsCast::unchecked_into))
}

pub(super) async fn get_value(store: &ObjectStore<'_>, key: &JsValue) -> Result<Option<JsValue>, Error> {
    store.get::<JsValue, JsValue, _>(key.clone()).primitive()?.await
}

pub(super) async fn find(index: &Index<'_>, key: &JsValue) -> Result<Option<Record>, Error> {
    Ok(index.get::<JsValue, JsValue, _>(key.clone()).primitive()?.await?.map(JsCast::unchecked_into))
}

pub(super) async fn range(store: &ObjectStore<'_>, range: KeyRange<JsValue>, limit: u32) -> Result<Vec<Record>, Error> {
    let found = store.get_all::<JsValue>().with_query::<JsValue, _>(range).with_limit(limit).primitive()?.await?;
    found.map(|value| Ok(value?.unchecked_into())).collect()
}

pub(super) async fn find_range(index: &Index<'_>, range: KeyRange<JsValue>, limit: u32) -> Result<Vec<Record>, Error> {
    let found = index.get_all::<JsValue>().with_query::<JsValue, _>(range).with_limit(limit).primitive()?.await?;
    found.map(|value| Ok(value?.unchecked_into())).collect()
}

/// Awaited one by one: the crate takes at most one failing request per transaction.
pub(super) async fn put(store: &ObjectStore<'_>, value: &Record) -> Result<(), Error> {
    store.put(JsValue::from(value)).primitive()?.await
}

pub(super) async fn put_at(store: &ObjectStore<'_>, key: &JsValue, value: &JsValue) -> Result<(), Error> {
    let _key: JsValue = store.put(value.clone()).with_key(key.clone()).primitive()?.await?;
    Ok(())
}

pub(super) async fn delete(store: &ObjectStore<'_>, keys: KeyRange<JsValue>) -> Result<(), Error> {
    store.delete::<JsValue, _>(keys).primitive()?.await
}
