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

/// A write that goes forward.
enum Step<'t> {
    /// This text at the end.
    Append(&'t str),
    /// This version again.
    Restore(&'t Snapshot),
    /// The deletion.
    Remove,
}

/// What a write that goes forward makes of a head.
enum Next {
    /// This.
    Version { title: String, text: String, restored_from: Option<u32> },
    /// Nothing new.
    Same,
    /// It cannot be done.
    Refused(Refused),
}

impl Step<'_> {
    fn kind(&self) -> VersionKind {
        match self {
            Step::Append(_) => VersionKind::Append,
            Step::Restore(_) => VersionKind::Restore,
            Step::Remove => VersionKind::Delete,
        }
    }

    fn next(&self, head: &Snapshot) -> Next {
        let gone = head.info.is_deleted();
        match self {
            Step::Append(_) if gone => Next::Refused(deleted(head)),
            Step::Append(text) => {
                let added = append(&head.text, text);
                if added.text.is_empty() {
                    return Next::Same;
                }
                let text = splice(&head.text, &[added]);
                Next::Version { title: head.info.title.clone(), text, restored_from: None }
            }
            Step::Restore(Snapshot { info, .. }) if info.is_deleted() => {
                let words = format!("Version {} is the deletion: restore the version before it.", info.version);
                Next::Refused(Refused::new(Reason::NoSuchVersion, words))
            }
            Step::Restore(old) if !gone && head.text == old.text && head.info.title == old.info.title => Next::Same,
            Step::Restore(Snapshot { info, text }) => {
                Next::Version { title: info.title.clone(), text: text.clone(), restored_from: Some(info.version) }
            }
            Step::Remove if gone => Next::Same,
            Step::Remove => Next::Version { title: head.info.title.clone(), text: String::new(), restored_from: None },
        }
    }
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
        let mut saved = self.forward(document, self.signed(options), Step::Append(text)).await?;
        saved.splices = around(text, &saved.snapshot.text);
        Ok(saved)
    }

    /// Makes an older version's title and text the newest again, as a new version. What is the newest already is unchanged.
    pub async fn restore(&self, document: &str, version: u32, options: Write) -> Result<Saved, SaveRefused> {
        let signed = self.signed(options);
        let head = self.head(document).await?;
        let old = self.version(document, Some(version), &head.info).await?;
        self.forward(document, signed, Step::Restore(&old)).await
    }

    /// Deletes a document: a version of its own, after which lists leave it out and its title is free. Its history stays.
    /// One that is deleted already stays so.
    pub async fn remove(&self, document: &str, options: Write) -> Result<VersionInfo, Refused> {
        match self.forward(document, self.signed(options), Step::Remove).await {
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

    async fn forward(&self, document: &str, signed: Signed, step: Step<'_>) -> Result<Saved, SaveRefused> {
        let before = async |info: VersionInfo| {
            let by_key = |found: &Snapshot| {
                found.info.document == document && found.info.kind == step.kind() && found.info.by.id == signed.by.id
            };
            let snapshot = self.known(info, by_key).await?;
            if !self.was(&step, &snapshot).await? {
                return Err(super::commit::another_write().into());
            }
            Ok(Saved { snapshot, merged: false, unchanged: false, splices: Vec::new() })
        };
        for _ in 0..TRIES {
            let head = self.head(document).await?;
            let made = step.next(&head);
            let Next::Version { title, text, restored_from } = made else {
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
                kind: step.kind(),
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

    /// Whether `found`, a version under the key that is sent again, is what `step` made.
    async fn was(&self, step: &Step<'_>, found: &Snapshot) -> Result<bool, Refused> {
        Ok(match step {
            Step::Append(_) if found.info.version <= 1 => false,
            Step::Append(text) => {
                let before = self.stored(&found.info.document, Some(found.info.version - 1)).await?;
                found.text == splice(&before.text, &[append(&before.text, text)])
            }
            Step::Restore(old) => found.info.restored_from == Some(old.info.version),
            Step::Remove => true,
        })
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
