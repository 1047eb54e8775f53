//! Writes that go forward from whatever is newest: append, restore, remove; and erase, which leaves nothing.
//!
//! They need no base. Each reads the head and commits on it by compare-and-set, again where someone else was faster.

use super::commit::{Committed, Draft, is_conflict, too_busy};
use super::documents::{Documents, SENDS, TRIES, World, Write, deleted};
use super::save::{SaveRefused, Saved};
use super::store::{Store, StoreError, StoreReason};
use super::{Author, Snapshot, VersionInfo, VersionKind};
use crate::change::{Splice, append, splice};
use crate::{Reason, Refused};

/// What a write that goes forward makes of a head.
enum Next {
    /// This.
    Version { kind: VersionKind, title: String, text: String, restored_from: Option<u32> },
    /// Nothing new.
    Same,
    /// It cannot be done.
    Refused(Refused),
}

/// Who writes, why, and under which key.
struct Signed {
    by: Author,
    summary: Option<String>,
    key: String,
    /// Whether the caller gave the key: only then may it have been sent before.
    given: bool,
}

impl<S: Store, W: World> Documents<S, W> {
    /// Adds `text` at the end, after a blank line, in the document's own line ending. A blank text changes nothing.
    pub async fn append(&self, document: &str, text: &str, options: Write) -> Result<Saved, SaveRefused> {
        self.fits(text)?;
        let next = |head: &Snapshot| {
            let added = append(&head.text, text);
            if head.info.is_deleted() {
                Next::Refused(deleted(head))
            } else if added.text.is_empty() {
                Next::Same
            } else {
                let text = splice(&head.text, &[added]);
                Next::Version { kind: VersionKind::Append, title: head.info.title.clone(), text, restored_from: None }
            }
        };
        let under = async |found: &Snapshot| {
            let before = match found.info.version {
                0 | 1 => return Ok(false),
                version => self.stored(document, Some(version - 1)).await?,
            };
            Ok(found.text == splice(&before.text, &[append(&before.text, text)]))
        };
        let mut saved = self.forward(document, self.signed(options), VersionKind::Append, next, under).await?;
        saved.splices = around(text, &saved.snapshot.text);
        Ok(saved)
    }

    /// Makes an older version's title and text the newest again, as a new version. What is the newest already is unchanged.
    pub async fn restore(&self, document: &str, version: u32, options: Write) -> Result<Saved, SaveRefused> {
        let signed = self.signed(options);
        let head = self.head(document).await?;
        let old = self.version(document, Some(version), &head.info).await?;
        let next = |head: &Snapshot| {
            if old.info.is_deleted() {
                let words = format!("Version {version} is the deletion: restore the version before it.");
                Next::Refused(Refused::new(Reason::NoSuchVersion, words))
            } else if !head.info.is_deleted() && head.text == old.text && head.info.title == old.info.title {
                Next::Same
            } else {
                Next::Version {
                    kind: VersionKind::Restore,
                    title: old.info.title.clone(),
                    text: old.text.clone(),
                    restored_from: Some(version),
                }
            }
        };
        let same = async |found: &Snapshot| Ok(found.info.restored_from == Some(version));
        self.forward(document, signed, VersionKind::Restore, next, same).await
    }

    /// Deletes a document: a version of its own, after which lists leave it out and its title is free. Its history stays.
    /// One that is deleted already stays so.
    pub async fn remove(&self, document: &str, options: Write) -> Result<VersionInfo, Refused> {
        let next = |head: &Snapshot| match head.info.is_deleted() {
            true => Next::Same,
            false => Next::Version {
                kind: VersionKind::Delete,
                title: head.info.title.clone(),
                text: String::new(),
                restored_from: None,
            },
        };
        let same = async |_: &Snapshot| Ok(true);
        match self.forward(document, self.signed(options), VersionKind::Delete, next, same).await {
            Ok(saved) => Ok(saved.snapshot.info),
            Err(SaveRefused::Refused(refused)) => Err(refused),
            Err(SaveRefused::Clash { clash, .. }) => Err(Refused::new(Reason::Clash, clash.message)),
        }
    }

    /// Removes a document and all its versions for good, where the store can.
    pub async fn erase(&self, document: &str) -> Result<(), Refused> {
        if !self.store.can_erase() {
            return Err(Refused::new(Reason::Unavailable, "This storage cannot erase. Delete the document instead."));
        }
        let mut sent = 1;
        loop {
            match self.store.erase(&self.space, document).await {
                Err(error) if error.is_unknown() && sent < SENDS => sent += 1,
                // The answer before this one was lost, and it had been done.
                Err(StoreError::Refused(StoreReason::NotFound, _)) if sent > 1 => break,
                answer => {
                    answer?;
                    break;
                }
            }
        }
        self.page.borrow_mut().erase(document);
        Ok(())
    }

    fn signed(&self, options: Write) -> Signed {
        let given = options.key.is_some();
        let key = options.key.unwrap_or_else(|| self.world.new_id());
        Signed { by: options.by.unwrap_or_else(|| self.author.clone()), summary: options.summary, key, given }
    }

    async fn forward(
        &self,
        document: &str,
        signed: Signed,
        kind: VersionKind,
        next: impl Fn(&Snapshot) -> Next,
        is_it: impl AsyncFn(&Snapshot) -> Result<bool, Refused>,
    ) -> Result<Saved, SaveRefused> {
        let before = async |info: VersionInfo| {
            let by_key = |found: &Snapshot| {
                found.info.document == document && found.info.kind == kind && found.info.by.id == signed.by.id
            };
            let snapshot = self.known(info, by_key).await?;
            if !is_it(&snapshot).await? {
                return Err(super::commit::another_write().into());
            }
            Ok(Saved { snapshot, merged: false, unchanged: false, splices: Vec::new() })
        };
        for _ in 0..TRIES {
            let head = self.head(document).await?;
            let made = next(&head);
            let Next::Version { kind, title, text, restored_from } = made else {
                // About to be refused, or to be unchanged.
                let known = if signed.given { self.sought(document, &signed.key, 0).await? } else { None };
                return match (known, made) {
                    (Some(info), _) => before(info).await,
                    (None, Next::Refused(refused)) => Err(refused.into()),
                    (None, _) => Ok(Saved { snapshot: head, merged: false, unchanged: true, splices: Vec::new() }),
                };
            };
            self.fits(&text)?;
            let draft = Draft {
                document: document.to_owned(),
                kind,
                title,
                text,
                by: signed.by.clone(),
                approved_by: None,
                started_from: Some(head.info.version),
                restored_from,
                summary: signed.summary.clone(),
                key: signed.key.clone(),
                proposal: None,
                answers: None,
            };
            let name = draft.title.clone();
            match self.commit(Some(&head), draft).await {
                Ok(Committed::New(snapshot)) => {
                    return Ok(Saved { snapshot, merged: false, unchanged: false, splices: Vec::new() });
                }
                Ok(Committed::Known(info)) => return before(info).await,
                Err(error) if is_conflict(&error) => {}
                Err(StoreError::Refused(StoreReason::TitleTaken, _)) => {
                    return Err(self.title_taken(&name).await.into());
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(too_busy().into())
    }
}

/// From what was sent to the whole text that it now ends.
fn around(sent: &str, stored: &str) -> Vec<Splice> {
    match stored.strip_suffix(sent) {
        Some("") => Vec::new(),
        Some(before) => vec![Splice { range: 0..0, text: before.to_owned() }],
        None => vec![Splice { range: 0..sent.len(), text: stored.to_owned() }],
    }
}
