//! A host's store, as the core's trait: every request and reply crosses as JSON.
//!
//! `www/host-store.js` calls the host's methods, waits no longer than it may, and checks each reply before it comes here.
//! What is left to do here is the positions: a proposal's splices are UTF-16 units of its base's text outside, bytes inside.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use super::json::{Json, Value};
use super::task::Calling;
use super::utf16::Utf16;
use super::{records, wire};
use crate::change::proposal::Proposal;
use crate::history::store::{
    Commit, History, List, Listed, ProposalsOf, Read, Store, StoreError, StoreReason, StoreResult, Versions,
};
use crate::history::{Snapshot, VersionInfo};

#[wasm_bindgen]
extern "C" {
    /// What `www/documents.js` hands in: the host's side of one `Documents`.
    pub type Host;
    /// Calls the store's `method` and brings the reply by `answer`.
    #[wasm_bindgen(method)]
    fn call(this: &Host, call: u32, method: &str, request: &str);
    /// The time, RFC 3339 in UTC.
    #[wasm_bindgen(method)]
    pub(super) fn now(this: &Host) -> String;
    /// An id that nobody has.
    #[wasm_bindgen(method, js_name = newId)]
    pub(super) fn new_id(this: &Host) -> String;
    /// The result of a task.
    #[wasm_bindgen(method)]
    pub(super) fn settle(this: &Host, task: u32, result: &str);
}

/// Texts of versions that are kept at hand, for the splices of proposals on them.
const TEXTS: usize = 4;

/// A store that is the host's.
pub(super) struct HostStore {
    host: Rc<Host>,
    holds_proposals: bool,
    can_erase: bool,
    /// Document, version and its text: a version never changes.
    texts: RefCell<VecDeque<(String, u32, Rc<str>)>>,
}

/// A reply that passed the checks of `www/host-store.js` and still cannot be used.
fn unusable(method: &str, what: &str) -> StoreError {
    StoreError::Unknown(["The store's `", method, "` gave ", what, "."].concat())
}

/// Positions in a proposal's base.
pub(super) fn units(base: Option<&str>) -> Utf16<'_> {
    base.map_or_else(Utf16::blind, Utf16::new)
}

impl HostStore {
    pub(super) fn new(host: Rc<Host>, holds_proposals: bool, can_erase: bool) -> Self {
        Self { host, holds_proposals, can_erase, texts: RefCell::default() }
    }

    /// Calls `method` and gives its reply without `ok`.
    async fn ask(&self, method: &str, request: impl FnOnce(&mut Json)) -> StoreResult<Value> {
        let request = wire::out(request);
        let reply = Calling::make(|call| self.host.call(call, method, &request)).await;
        let mut reply = Value::read(&reply).ok_or_else(|| unusable(method, "a reply that cannot be read"))?;
        if reply.take("ok").and_then(Value::flag) == Some(true) {
            return Ok(reply);
        }
        let message = reply.text_of("message").unwrap_or_default();
        let reason = reply.text_of("reason").unwrap_or_default();
        Err(match reason.as_str() {
            "timeout" => StoreError::TimedOut(message),
            reason => match StoreReason::named(reason) {
                Some(reason) => StoreError::Refused(reason, message),
                None => StoreError::Unknown(message),
            },
        })
    }

    fn keep(&self, snapshot: &Snapshot) {
        let mut texts = self.texts.borrow_mut();
        let Snapshot { info, text } = snapshot;
        texts.retain(|(document, version, _)| *document != info.document || *version != info.version);
        texts.truncate(TEXTS - 1);
        texts.push_front((info.document.clone(), info.version, text.as_str().into()));
    }

    /// The text of a document that was read last. Where an operation ended without waiting since it read, it is the text
    /// that the operation read.
    pub(super) fn latest(&self, document: &str) -> Option<Rc<str>> {
        self.texts.borrow().iter().find(|(of, _, _)| of == document).map(|(_, _, text)| Rc::clone(text))
    }

    /// A version's text; none where it cannot be read any more.
    pub(super) async fn text(&self, space: Option<&str>, document: &str, version: u32) -> StoreResult<Option<Rc<str>>> {
        let kept = self
            .texts
            .borrow()
            .iter()
            .find_map(|(of, number, text)| (of == document && *number == version).then(|| Rc::clone(text)));
        if kept.is_some() {
            return Ok(kept);
        }
        let wanted = Read { space: space.map(str::to_owned), document: document.to_owned(), version: Some(version) };
        match self.read(&wanted).await {
            Ok(snapshot) => Ok(Some(snapshot.text.into())),
            Err(StoreError::Refused(StoreReason::NotFound | StoreReason::Corrupt | StoreReason::Gone, _)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The text in which a proposal's splices lie. None where it cannot be read any more: then nothing of the proposal
    /// can be applied either, and its positions stay as they are.
    pub(super) async fn base_of(&self, proposal: &Proposal) -> StoreResult<Option<Rc<str>>> {
        match (&proposal.document, proposal.base) {
            (Some(document), Some(base)) => self.text(Some(&proposal.space), document, base).await,
            _ => Ok(Some("".into())),
        }
    }

    async fn proposal(&self, method: &str, value: Value) -> StoreResult<Proposal> {
        let proposal = records::read_proposal(value).ok_or_else(|| unusable(method, "no proposal"))?;
        let base = self.base_of(&proposal).await?;
        records::in_bytes(proposal, &units(base.as_deref()))
            .ok_or_else(|| unusable(method, "a proposal whose splices lie outside of its base"))
    }
}

impl Store for HostStore {
    async fn list(&self, request: &List) -> StoreResult<Listed> {
        let mut reply = self
            .ask("list", |json| {
                json.object(|json| {
                    json.text_if("space", request.space.as_deref());
                    json.field("limit").number(request.limit);
                    json.text_if("cursor", request.cursor.as_deref());
                });
            })
            .await?;
        let documents = reply.take("documents").and_then(|heads| heads.list(records::read_version));
        let cursor = reply.take("cursor").and_then(Value::text);
        Ok(Listed { documents: documents.ok_or_else(|| unusable("list", "no documents"))?, cursor })
    }

    async fn read(&self, request: &Read) -> StoreResult<Snapshot> {
        let mut reply = self
            .ask("read", |json| {
                json.object(|json| {
                    json.text_if("space", request.space.as_deref());
                    json.field("document").text(&request.document);
                    json.number_if("version", request.version.map(|version| version as usize));
                });
            })
            .await?;
        let snapshot = reply.take("snapshot").and_then(records::read_snapshot);
        let snapshot = snapshot.ok_or_else(|| unusable("read", "no snapshot"))?;
        self.keep(&snapshot);
        Ok(snapshot)
    }

    async fn history(&self, request: &History) -> StoreResult<Versions> {
        let mut reply = self
            .ask("history", |json| {
                json.object(|json| {
                    json.text_if("space", request.space.as_deref());
                    json.field("document").text(&request.document);
                    json.number_if("before", request.before.map(|version| version as usize));
                    json.field("limit").number(request.limit);
                });
            })
            .await?;
        let versions = reply.take("versions").and_then(|versions| versions.list(records::read_version));
        let more = reply.take("more").and_then(Value::flag);
        match (versions, more) {
            (Some(versions), Some(more)) => Ok(Versions { versions, more }),
            _ => Err(unusable("history", "no versions")),
        }
    }

    async fn commit(&self, request: &Commit) -> StoreResult<VersionInfo> {
        let base = match &request.answers {
            Some(proposal) => self.base_of(proposal).await?,
            None => None,
        };
        let units = units(base.as_deref());
        let mut reply = self.ask("commit", |json| records::commit(json, request, &units)).await?;
        let version = reply.take("version").and_then(records::read_version);
        version.ok_or_else(|| unusable("commit", "no version"))
    }

    fn holds_proposals(&self) -> bool {
        self.holds_proposals
    }

    async fn proposals(&self, request: &ProposalsOf) -> StoreResult<Vec<Proposal>> {
        let method = "proposals.list";
        let mut reply = self
            .ask(method, |json| {
                json.object(|json| {
                    json.field("space").text(&request.space);
                    json.text_if("document", request.document.as_deref());
                    json.text_if("id", request.id.as_deref());
                    if let Some(open) = request.open {
                        json.field("open").flag(open);
                    }
                });
            })
            .await?;
        let given = reply.take("proposals").and_then(|proposals| proposals.list(Some));
        let mut proposals = Vec::new();
        for value in given.ok_or_else(|| unusable(method, "no proposals"))? {
            proposals.push(self.proposal(method, value).await?);
        }
        Ok(proposals)
    }

    async fn save_proposal(&self, proposal: &Proposal) -> StoreResult<Proposal> {
        let method = "proposals.save";
        let base = self.base_of(proposal).await?;
        let units = units(base.as_deref());
        let mut reply = self.ask(method, |json| records::proposal(json, proposal, &units)).await?;
        let given = reply.take("proposal").ok_or_else(|| unusable(method, "no proposal"))?;
        self.proposal(method, given).await
    }

    fn can_erase(&self) -> bool {
        self.can_erase
    }

    async fn erase(&self, space: &str, document: &str) -> StoreResult<()> {
        self.texts.borrow_mut().clear();
        let request = |json: &mut Json| {
            json.object(|json| {
                json.field("space").text(space);
                json.field("document").text(document);
            });
        };
        self.ask("erase", request).await.map(|_| ())
    }
}
