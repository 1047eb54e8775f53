//! The commit: the one function that makes versions.
//!
//! Whatever changes a document, a save, an accepted proposal, a restore, a deletion, ends here. What a host would have to
//! compute comes ready: bytes, the first line, counts of lines, the folded title. Where no answer comes the same commit is
//! sent again, and its key makes that one version.

use super::documents::{Documents, World, again};
use super::store::{Commit, Store, StoreError, StoreReason, StoreResult};
use super::{Author, Snapshot, VersionInfo, VersionKind, checked, title};
use crate::change::diff::count_lines;
use crate::change::proposal::Proposal;
use crate::document::outline::preview;
use crate::{Reason, Refused};

/// A version to be made.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) document: String,
    pub(super) kind: VersionKind,
    pub(super) title: String,
    pub(super) text: String,
    pub(super) by: Author,
    pub(super) approved_by: Option<Author>,
    pub(super) started_from: Option<u32>,
    pub(super) restored_from: Option<u32>,
    pub(super) summary: Option<String>,
    pub(super) key: String,
    pub(super) proposal: Option<String>,
    pub(super) answers: Option<Proposal>,
}

/// What became of a draft.
#[derive(Clone, Debug)]
pub(super) enum Committed {
    /// The draft is this version.
    New(Snapshot),
    /// The key is this version's: an earlier sending, unless the key was used for something else.
    Known(VersionInfo),
}

impl<S: Store, W: World> Documents<S, W> {
    /// Makes `draft` the version after `head`.
    pub(super) async fn commit(&self, head: Option<&Snapshot>, draft: Draft) -> StoreResult<Committed> {
        let (added, removed) = count_lines(head.map_or("", |head| &head.text), &draft.text);
        let number = head.map(|head| head.info.version);
        let info = VersionInfo {
            document: draft.document,
            space: self.space.clone(),
            version: number.unwrap_or(0) + 1,
            kind: draft.kind,
            by: draft.by,
            approved_by: draft.approved_by,
            at: self.world.now(),
            bytes: draft.text.len(),
            added,
            removed,
            opens: opens(&draft.text),
            started_from: draft.started_from,
            restored_from: draft.restored_from,
            proposal: draft.proposal,
            summary: draft.summary,
            key: draft.key,
            title: draft.title,
        };
        let title_key = title::key(&info.title);
        let snapshot = Snapshot { info, text: draft.text };
        let request = Commit { head: number, snapshot, title_key, answers: draft.answers };
        let stored = again(async || self.store.commit(&request).await).await.map_err(unsure)?;
        checked::committed(&stored, &request)?;
        if stored == request.snapshot.info {
            return Ok(Committed::New(request.snapshot));
        }
        Ok(Committed::Known(stored))
    }

    /// The version that a known key names, if it is the write that was sent.
    pub(super) async fn known(
        &self,
        info: VersionInfo,
        is_it: impl FnOnce(&Snapshot) -> bool,
    ) -> Result<Snapshot, Refused> {
        let found = self.stored(&info.document, Some(info.version)).await?;
        if found.info.key != info.key {
            return Err(checked::fault("commit", "answered with a version that it does not have").into());
        }
        if is_it(&found) { Ok(found) } else { Err(another_write()) }
    }

    /// The version with this key, among a document's versions after `after`: sought before a write is refused, clashes or
    /// is said to change nothing.
    pub(super) async fn sought(&self, document: &str, key: &str, after: u32) -> Result<Option<VersionInfo>, Refused> {
        let mut before = None;
        loop {
            let page = self.versions(document, before, SOUGHT).await?;
            for version in page.versions {
                if version.version <= after {
                    return Ok(None);
                }
                if version.key == key {
                    return Ok(Some(version));
                }
                before = Some(version.version);
            }
            if !page.more {
                return Ok(None);
            }
        }
    }

    /// The refusal of a title that another document has, naming it.
    pub(super) async fn title_taken(&self, title: &str) -> Refused {
        let owner = self.titled(title).await.ok().flatten();
        let other = owner.map_or_else(|| "another document".to_owned(), |owner| format!("document {}", owner.document));
        let message =
            format!("“{title}” is already the title of {other}. Choose another title, or change that document.");
        Refused::new(Reason::TitleTaken, message)
    }
}

/// How many versions are looked through at a time.
const SOUGHT: usize = 200;

/// A key that names another write than the one sent.
pub(super) fn another_write() -> Refused {
    Refused::new(Reason::Conflict, "This key was used for another write. Nothing was saved; use a new key.")
}

/// Whoever hears that no answer came must know what to do.
fn unsure(error: StoreError) -> StoreError {
    let add = |message: String| format!("{message} Whether it was saved is not known: send the same again.");
    match error {
        StoreError::Unknown(message) => StoreError::Unknown(add(message)),
        StoreError::TimedOut(message) => StoreError::TimedOut(add(message)),
        refused => refused,
    }
}

/// Whether someone else was faster, and the write starts again from what they wrote.
pub(super) fn is_conflict(error: &StoreError) -> bool {
    matches!(error, StoreError::Refused(StoreReason::Conflict | StoreReason::Exists, _))
}

/// The refusal after too many conflicts.
pub(super) fn too_busy() -> Refused {
    Refused::new(Reason::Conflict, "Others keep saving at the same moment. Nothing was saved; try again.")
}

/// The first block's preview: its first line is the text's first that is not blank.
fn opens(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split(['\r', '\n']);
    preview(lines.find(|line| line.bytes().any(|byte| !matches!(byte, b' ' | b'\t'))).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::outline::outline;

    #[test]
    fn opens_with_the_first_block() {
        for text in [
            "",
            "\n \t\n",
            "\u{feff}\n\n# A\u{202e}b\n",
            "---\na: b\n---\ntext",
            "\r\r  - item",
            "[a]: b\n",
            "\n\n    code\n",
            "\u{a0}\ntext",
            "\u{c}\ntext",
            "a\u{b}\n",
        ] {
            let first = outline(text).into_iter().next().map(|entry| entry.preview).unwrap_or_default();
            assert_eq!(opens(text), first, "{text:?}");
        }
    }
}
