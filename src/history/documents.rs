//! Documents of one space, over any store: the one way in for a page, a person's save and every tool.
//!
//! Reading is here. Writing is in its parts, and all of it ends at one function, the commit: `save` (create, save, append,
//! restore, remove, erase), `propose` and `decide`. No clock, no randomness: the [`World`] gives times and ids.
//!
//! What it promises: a write that is sent twice is one version; an answer that was lost is asked for again; what a store
//! answers is checked before it is used; an expected failure is a value, and then nothing was written.
//!
//! ```
//! # use std::task::{Context, Poll, Waker};
//! # fn wait<T>(future: impl Future<Output = T>) -> T {
//! #     let mut future = std::pin::pin!(future);
//! #     loop {
//! #         if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) { return value; }
//! #     }
//! # }
//! use countersign::history::{Author, Change, Documents, MemoryStore, World, Write};
//!
//! struct Fixed(std::cell::Cell<u32>);
//! impl World for Fixed {
//!     fn now(&self) -> String { "2026-11-08T10:44:00Z".into() }
//!     fn new_id(&self) -> String { self.0.set(self.0.get() + 1); format!("id{}", self.0.get()) }
//! }
//!
//! let ana = Author::person("person:ana", "Ana");
//! let documents = Documents::new(MemoryStore::new(), Fixed(Default::default()), "plans", ana);
//! wait(async {
//!     let first = documents.create("Launch plan", "one\n\ntwo\n", Write::default()).await.unwrap().snapshot.info;
//!     let id = first.document.as_str();
//!     documents.save(id, Change::text(1, "one\n\ntwo, by Ana\n"), Write::default()).await.unwrap();
//!     // Saved from version 1, which is no longer the newest: both changes stand.
//!     let saved = documents.save(id, Change::text(1, "one, by Bo\n\ntwo\n"), Write::default()).await.unwrap();
//!     assert!(saved.merged);
//!     assert_eq!(saved.snapshot.text, "one, by Bo\n\ntwo, by Ana\n");
//! });
//! ```

use std::cell::RefCell;

use super::page::Page;
use super::store::{History, List, Listed, Read, Store, StoreError, StoreReason, StoreResult, Versions};
use super::{Author, Snapshot, VersionInfo, checked, title};
use crate::change::diff::{Comparison, compare};
use crate::{Reason, Refused};

/// What the core itself does not have: a clock, and names that nobody else gives.
pub trait World {
    /// The time: RFC 3339 in UTC.
    fn now(&self) -> String;

    /// A new id, different from every other: for documents, and for writes without a key.
    fn new_id(&self) -> String;
}

/// How a write is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Write {
    /// Who writes, where it is not the one who acts through these documents.
    pub by: Option<Author>,
    /// Why, in the writer's words.
    pub summary: Option<String>,
    /// Makes a repeat harmless.
    pub key: Option<String>,
}

/// The documents of one space.
#[derive(Debug)]
pub struct Documents<S, W> {
    pub(super) store: S,
    pub(super) world: W,
    pub(super) space: String,
    pub(super) author: Author,
    pub(super) max_bytes: usize,
    /// What the store cannot hold.
    pub(super) page: RefCell<Page>,
}

/// 10 MiB.
const MAX_BYTES: usize = 10 << 20;
/// How often a request whose answer was lost is sent in all.
pub(super) const SENDS: usize = 3;
/// How often a write starts again from a newer head before it gives up.
pub(super) const TRIES: usize = 64;
/// The length of a page where the caller names none, and the most that one may ask for.
const PAGE: usize = 50;
const LONGEST_PAGE: usize = 1000;

impl<S: Store, W: World> Documents<S, W> {
    /// The documents of `space` in `store`; `author` is whoever acts where no other author is named.
    pub fn new(store: S, world: W, space: impl Into<String>, author: Author) -> Self {
        Self { store, world, space: space.into(), author, max_bytes: MAX_BYTES, page: RefCell::default() }
    }

    /// The same, for texts of at most so many UTF-8 bytes.
    #[must_use]
    pub fn with_max_bytes(self, max_bytes: usize) -> Self {
        Self { max_bytes, ..self }
    }

    /// The space.
    pub fn space(&self) -> &str {
        &self.space
    }

    /// Whoever acts where no other author is named.
    pub fn author(&self) -> &Author {
        &self.author
    }

    /// The store under it.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The space's documents, latest saved first.
    pub async fn list(&self, limit: Option<usize>, cursor: Option<&str>) -> Result<Listed, Refused> {
        let limit = limit.unwrap_or(PAGE).clamp(1, LONGEST_PAGE);
        self.listed(List { space: Some(self.space.clone()), limit, cursor: cursor.map(str::to_owned) }).await
    }

    /// Latest saved first, across the spaces that the store lets this host see.
    pub async fn recent(&self, limit: Option<usize>) -> Result<Vec<VersionInfo>, Refused> {
        let limit = limit.unwrap_or(PAGE).clamp(1, LONGEST_PAGE);
        self.listed(List { space: None, limit, cursor: None }).await.map(|listed| listed.documents)
    }

    /// A document by its id, its exact title, or as the one whose title has `name` in it; its newest version, or the one
    /// named. A deleted document is found by its id and with a version only.
    pub async fn read(&self, name: &str, version: Option<u32>) -> Result<Snapshot, Refused> {
        match self.stored(name, version).await {
            Ok(found) if version.is_none() && found.info.is_deleted() => Err(deleted(&found)),
            Ok(found) => Ok(found),
            Err(StoreError::Refused(StoreReason::NotFound, _)) => {
                if let (Some(version), Ok(head)) = (version, self.stored(name, None).await) {
                    return Err(no_such_version(version, &head));
                }
                let found = self.named(name).await?;
                self.version(&found.document, version, &found).await
            }
            Err(error) => Err(error.into()),
        }
    }

    /// A document's versions, newest first, without texts. A deleted document's too.
    pub async fn history(
        &self,
        document: &str,
        before: Option<u32>,
        limit: Option<usize>,
    ) -> Result<Versions, Refused> {
        let limit = limit.unwrap_or(PAGE).clamp(1, LONGEST_PAGE);
        self.versions(document, before, limit).await.map_err(|error| absent(error, document))
    }

    /// What changed between two versions, in any order.
    pub async fn compare(&self, document: &str, from: u32, to: u32) -> Result<Comparison, Refused> {
        let head = self.head(document).await?;
        let before = self.version(document, Some(from), &head.info).await?;
        let after = self.version(document, Some(to), &head.info).await?;
        Ok(compare(&before.text, &after.text))
    }

    /// The document whose title is `title`, by the rule that makes titles unique.
    pub async fn titled(&self, title: &str) -> Result<Option<VersionInfo>, Refused> {
        let key = title::key(title);
        self.find(|info| title::key(&info.title) == key).await
    }

    /// The document that `name` names, by its title.
    async fn named(&self, name: &str) -> Result<VersionInfo, Refused> {
        let (exact, key) = (name.trim(), title::key(name));
        let nothing = || {
            Refused::new(Reason::NotFound, "There is no such document here. List the documents to see which there are.")
        };
        if key.is_empty() {
            return Err(nothing());
        }
        let (mut same, mut with): (Option<VersionInfo>, Vec<VersionInfo>) = (None, Vec::new());
        let exactly = self
            .find(|info| {
                let found = title::key(&info.title);
                if found == key {
                    same = Some(info.clone());
                } else if found.contains(&key) {
                    with.push(info.clone());
                }
                info.title == exact
            })
            .await?;
        match (exactly.or(same), with.as_slice()) {
            (Some(found), _) => Ok(found),
            (None, [found]) => Ok(found.clone()),
            (None, []) => Err(nothing()),
            (None, several) => {
                let titles: Vec<_> = several.iter().take(5).map(|info| format!("“{}”", info.title)).collect();
                let more = if several.len() > 5 { " and more" } else { "" };
                let count = several.len();
                let message = format!(
                    "{count} documents have that in their title: {}{more}. Name one exactly.",
                    titles.join(", ")
                );
                Err(Refused::new(Reason::Ambiguous, message))
            }
        }
    }

    /// The first document, latest saved first, that is `wanted`; every page is looked through.
    async fn find(&self, mut wanted: impl FnMut(&VersionInfo) -> bool) -> Result<Option<VersionInfo>, Refused> {
        let mut cursor: Option<String> = None;
        loop {
            let request = List { space: Some(self.space.clone()), limit: LONGEST_PAGE, cursor: cursor.clone() };
            let page = self.listed(request).await?;
            let empty = page.documents.is_empty();
            if let Some(found) = page.documents.into_iter().find(&mut wanted) {
                return Ok(Some(found));
            }
            // A store that gives nothing, or the same cursor again, would be asked for ever.
            if empty || page.cursor.is_none() || page.cursor == cursor {
                return Ok(None);
            }
            cursor = page.cursor;
        }
    }

    /// The newest version, a `delete` too.
    pub(super) async fn head(&self, document: &str) -> Result<Snapshot, Refused> {
        self.stored(document, None).await.map_err(|error| absent(error, document))
    }

    /// One version of a document whose head is known.
    pub(super) async fn version(
        &self,
        document: &str,
        version: Option<u32>,
        head: &VersionInfo,
    ) -> Result<Snapshot, Refused> {
        self.stored(document, version).await.map_err(|error| match (error, version) {
            (StoreError::Refused(StoreReason::NotFound, _), Some(version)) => {
                Refused::new(Reason::NoSuchVersion, unknown_version(version, head.version))
            }
            (error, _) => absent(error, document),
        })
    }

    pub(super) async fn stored(&self, document: &str, version: Option<u32>) -> StoreResult<Snapshot> {
        let request = Read { space: Some(self.space.clone()), document: document.to_owned(), version };
        let found = again(async || self.store.read(&request).await).await?;
        checked::snapshot(&found, &request)?;
        Ok(found)
    }

    pub(super) async fn versions(&self, document: &str, before: Option<u32>, limit: usize) -> StoreResult<Versions> {
        let request = History { space: Some(self.space.clone()), document: document.to_owned(), before, limit };
        let found = again(async || self.store.history(&request).await).await?;
        checked::versions(&found, &request)?;
        Ok(found)
    }

    async fn listed(&self, request: List) -> Result<Listed, Refused> {
        let found = again(async || self.store.list(&request).await).await?;
        checked::listed(&found, &request)?;
        Ok(found)
    }
}

/// Asks again where no answer came: to read twice, or to write the same twice, harms nothing.
pub(super) async fn again<T>(ask: impl AsyncFn() -> StoreResult<T>) -> StoreResult<T> {
    let mut sent = 1;
    loop {
        match ask().await {
            Err(error) if error.is_unknown() && sent < SENDS => sent += 1,
            answer => return answer,
        }
    }
}

/// A refusal for a document that the store does not have.
fn absent(error: StoreError, document: &str) -> Refused {
    match error {
        StoreError::Refused(StoreReason::NotFound, _) => {
            let id: String = document.chars().take(80).collect();
            Refused::new(
                Reason::NotFound,
                format!("There is no document {id} here. List the documents to see which there are."),
            )
        }
        error => error.into(),
    }
}

fn no_such_version(version: u32, head: &Snapshot) -> Refused {
    Refused::new(Reason::NoSuchVersion, unknown_version(version, head.info.version))
}

pub(super) fn unknown_version(version: u32, newest: u32) -> String {
    format!("There is no version {version}: the newest is {newest}.")
}

/// A refusal for a document whose newest version is a `delete`.
pub(super) fn deleted(head: &Snapshot) -> Refused {
    let (version, by) = (head.info.version, &head.info.by.name);
    let last = version.saturating_sub(1);
    let message = format!("{by} deleted this document (version {version}). Restore version {last} to bring it back.");
    Refused::new(Reason::NotFound, message)
}
