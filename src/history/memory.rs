//! The store that forgets: for tests, demos and private windows, and the model that other stores are tested against.
//!
//! It keeps every rule of the trait: compare-and-set, keys and titles unique in a space, dense numbers, times that never
//! run back, proposals by revision. A clone is another handle on the same contents, as another tab would be.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::store::{
    Commit, History, List, Listed, ProposalsOf, Read, Store, StoreError, StoreReason, StoreResult, Versions,
};
use super::{Snapshot, VersionInfo, time};
use crate::change::proposal::Proposal;

/// A store in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    kept: Rc<RefCell<Kept>>,
    without_proposals: bool,
}

#[derive(Debug, Default)]
struct Kept {
    documents: BTreeMap<String, Document>,
    /// Space and key: document and version.
    keys: BTreeMap<(String, String), (String, u32)>,
    /// Space and folded title of what is not deleted: document.
    titles: BTreeMap<(String, String), String>,
    /// Documents by their latest commit: the order of lists. Times have no part in it.
    latest: BTreeMap<u64, String>,
    /// How many commits there were.
    commits: u64,
    proposals: Vec<Proposal>,
}

#[derive(Debug)]
struct Document {
    space: String,
    /// Version `n` at `n - 1`; never empty.
    versions: Vec<Snapshot>,
    title_key: String,
    latest: u64,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty store that holds no proposals, as a host's may.
    pub fn without_proposals() -> Self {
        Self { without_proposals: true, ..Self::default() }
    }
}

fn refused<T>(reason: StoreReason) -> StoreResult<T> {
    Err(StoreError::refused(reason))
}

impl Kept {
    fn document(&self, space: Option<&str>, id: &str) -> StoreResult<&Document> {
        match self.documents.get(id) {
            Some(found) if space.is_none_or(|space| found.space == space) => Ok(found),
            _ => refused(StoreReason::NotFound),
        }
    }

    fn list(&self, request: &List) -> StoreResult<Listed> {
        let before = match &request.cursor {
            None => u64::MAX,
            Some(cursor) => match cursor.parse() {
                Ok(before) => before,
                Err(_) => return refused(StoreReason::NotFound),
            },
        };
        let mut heads = self.latest.range(..before).rev().filter_map(|(place, id)| {
            let document = self.documents.get(id)?;
            let head = &document.versions.last()?.info;
            let here = request.space.as_ref().is_none_or(|space| *space == document.space);
            (here && !head.is_deleted()).then_some((place, head))
        });
        let mut listed = Listed::default();
        let mut last = None;
        for (place, head) in heads.by_ref().take(request.limit) {
            listed.documents.push(head.clone());
            last = Some(place);
        }
        // The cursor names the last one given, so that commits between two pages move nothing past the reader twice.
        if heads.next().is_some() {
            listed.cursor = last.map(u64::to_string);
        }
        Ok(listed)
    }

    fn read(&self, request: &Read) -> StoreResult<Snapshot> {
        let document = self.document(request.space.as_deref(), &request.document)?;
        let found = match request.version {
            None => document.versions.last(),
            Some(number) => (number as usize).checked_sub(1).and_then(|at| document.versions.get(at)),
        };
        found.cloned().ok_or(StoreError::refused(StoreReason::NotFound))
    }

    fn history(&self, request: &History) -> StoreResult<Versions> {
        let document = self.document(request.space.as_deref(), &request.document)?;
        let before = request.before.map_or(usize::MAX, |before| (before as usize).saturating_sub(1));
        let older = document.versions.get(..before.min(document.versions.len())).unwrap_or_default();
        let versions: Vec<_> = older.iter().rev().take(request.limit).map(|found| found.info.clone()).collect();
        let more = versions.len() < older.len();
        Ok(Versions { versions, more })
    }

    fn commit(&mut self, request: &Commit) -> StoreResult<VersionInfo> {
        let info = &request.snapshot.info;
        // The key first: a repeat must find its version whatever has happened to head and title since.
        let key = (info.space.clone(), info.key.clone());
        if let Some((id, number)) = self.keys.get(&key) {
            let known = Read { space: None, document: id.clone(), version: Some(*number) };
            return self.read(&known).map(|found| found.info);
        }
        let stored = self.documents.get(&info.document);
        let last = stored.and_then(|document| document.versions.last());
        match (request.head, stored) {
            (None, Some(_)) => return refused(StoreReason::Exists),
            (Some(_), None) => return refused(StoreReason::NotFound),
            (Some(_), Some(document)) if document.space != info.space => return refused(StoreReason::NotFound),
            _ if request.head != last.map(|last| last.info.version) => return refused(StoreReason::Conflict),
            _ => {}
        }
        let at = last.map_or(info.at.clone(), |last| time::later(&info.at, &last.info.at).to_owned());
        let title = (info.space.clone(), request.title_key.clone());
        if !info.is_deleted() && self.titles.get(&title).is_some_and(|owner| *owner != info.document) {
            return refused(StoreReason::TitleTaken);
        }
        if let Some(proposal) = &request.answers {
            self.save_proposal(proposal)?;
        }
        // Nothing below is refused: from here on the version is written.
        let mut snapshot = request.snapshot.clone();
        snapshot.info.version = request.head.unwrap_or(0) + 1;
        snapshot.info.at = at;
        let written = snapshot.info.clone();
        self.commits += 1;
        let place = self.commits;
        match self.documents.get_mut(&info.document) {
            Some(document) => {
                self.latest.remove(&document.latest);
                let freed = (info.space.clone(), document.title_key.clone());
                // A deleted document's title may be another's by now.
                if self.titles.get(&freed).is_some_and(|owner| *owner == info.document) {
                    self.titles.remove(&freed);
                }
                document.versions.push(snapshot);
                document.title_key.clone_from(&request.title_key);
                document.latest = place;
            }
            None => {
                let title_key = request.title_key.clone();
                let document =
                    Document { space: info.space.clone(), versions: vec![snapshot], title_key, latest: place };
                self.documents.insert(info.document.clone(), document);
            }
        }
        self.latest.insert(place, info.document.clone());
        self.keys.insert(key, (info.document.clone(), written.version));
        if !info.is_deleted() {
            self.titles.insert(title, info.document.clone());
        }
        Ok(written)
    }

    fn proposals(&self, request: &ProposalsOf) -> Vec<Proposal> {
        self.proposals.iter().filter(|found| request.wants(found)).cloned().collect()
    }

    fn save_proposal(&mut self, proposal: &Proposal) -> StoreResult<()> {
        let stored = self.proposals.iter_mut().find(|found| found.space == proposal.space && found.id == proposal.id);
        match stored {
            None if proposal.revision == 1 => self.proposals.push(proposal.clone()),
            Some(stored) if stored == proposal => {}
            Some(stored) if proposal.revision == stored.revision + 1 => stored.clone_from(proposal),
            _ => return refused(StoreReason::Conflict),
        }
        Ok(())
    }

    fn erase(&mut self, space: &str, id: &str) -> StoreResult<()> {
        let document = self.document(Some(space), id)?;
        let (place, title) = (document.latest, (space.to_owned(), document.title_key.clone()));
        self.latest.remove(&place);
        // A deleted document's title may be another's by now.
        if self.titles.get(&title).is_some_and(|owner| owner == id) {
            self.titles.remove(&title);
        }
        self.documents.remove(id);
        self.keys.retain(|_, (owner, _)| owner != id);
        self.proposals.retain(|found| found.space != space || found.document.as_deref() != Some(id));
        Ok(())
    }
}

impl Store for MemoryStore {
    async fn list(&self, request: &List) -> StoreResult<Listed> {
        self.kept.borrow().list(request)
    }

    async fn read(&self, request: &Read) -> StoreResult<Snapshot> {
        self.kept.borrow().read(request)
    }

    async fn history(&self, request: &History) -> StoreResult<Versions> {
        self.kept.borrow().history(request)
    }

    async fn commit(&self, request: &Commit) -> StoreResult<VersionInfo> {
        self.kept.borrow_mut().commit(request)
    }

    fn holds_proposals(&self) -> bool {
        !self.without_proposals
    }

    async fn proposals(&self, request: &ProposalsOf) -> StoreResult<Vec<Proposal>> {
        Ok(self.kept.borrow().proposals(request))
    }

    async fn save_proposal(&self, proposal: &Proposal) -> StoreResult<Proposal> {
        self.kept.borrow_mut().save_proposal(proposal).map(|()| proposal.clone())
    }

    fn can_erase(&self) -> bool {
        true
    }

    async fn erase(&self, space: &str, document: &str) -> StoreResult<()> {
        self.kept.borrow_mut().erase(space, document)
    }
}
