//! Creating and saving: forward, merged, or refused as a clash with nothing written and nothing lost.
//!
//! A save says which version it started from. Where that is still the newest, it goes forward; where others have saved
//! since, text and title are merged each as a field of its own. The answer leads from the text that was sent to the text
//! that is stored, so that an editor keeps its caret.

use super::commit::{Committed, Draft, another_write, is_conflict, too_busy};
use super::documents::{Documents, TRIES, World, Write, deleted, unknown_version};
use super::key::Derived;
use super::store::{Store, StoreError, StoreReason};
use super::{Snapshot, VersionInfo, VersionKind, title};
use crate::change::Splice;
use crate::change::diff::compare;
use crate::change::merge::{Merged, Piece, RefusedMerge, merge, merge_title};
use crate::{Reason, Refused};

/// What a save changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The version that it started from.
    pub base: u32,
    /// The new title.
    pub title: Option<String>,
    /// The new text.
    pub text: Option<String>,
}

impl Change {
    /// A new text, started from version `base`.
    pub fn text(base: u32, text: impl Into<String>) -> Self {
        Self { base, title: None, text: Some(text.into()) }
    }

    /// A new title alone.
    pub fn title(base: u32, title: impl Into<String>) -> Self {
        Self { base, title: Some(title.into()), text: None }
    }
}

/// A write that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// What is stored.
    pub snapshot: Snapshot,
    /// Whether it met newer versions and merged with them.
    pub merged: bool,
    /// Whether it changed nothing: the snapshot is the newest version, and no version was made.
    pub unchanged: bool,
    /// From the text that was sent to the text that is stored.
    pub splices: Vec<Splice>,
}

/// A write that was not taken: nothing is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveRefused {
    /// Refused, with words.
    Refused(Refused),
    /// Both sides changed the same: the whole text as pieces, to choose from.
    Clash {
        /// What clashed.
        clash: RefusedMerge,
        /// The newest version, from which the next save starts.
        head: Box<Snapshot>,
    },
}

impl From<Refused> for SaveRefused {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<StoreError> for SaveRefused {
    fn from(error: StoreError) -> Self {
        Self::Refused(error.into())
    }
}

/// A save, merged with what is stored.
struct Met {
    title: String,
    merged: Merged,
}

impl<S: Store, W: World> Documents<S, W> {
    /// Makes a document.
    pub async fn create(&self, name: &str, text: &str, options: Write) -> Result<Saved, SaveRefused> {
        let name = title::checked(name)?;
        self.fits(text)?;
        let by = options.by.unwrap_or_else(|| self.author.clone());
        let key = options.key.unwrap_or_else(|| self.world.new_id());
        for _ in 0..TRIES {
            let draft = Draft {
                document: self.world.new_id(),
                kind: VersionKind::Create,
                title: name.to_owned(),
                text: text.to_owned(),
                by: by.clone(),
                approved_by: None,
                started_from: None,
                restored_from: None,
                summary: options.summary.clone(),
                key: key.clone(),
                proposal: None,
                answers: None,
            };
            let snapshot = match self.commit(None, draft).await {
                Ok(Committed::New(snapshot)) => snapshot,
                Ok(Committed::Known(info)) => {
                    let same = |found: &Snapshot| {
                        found.info.kind == VersionKind::Create
                            && found.info.by.id == by.id
                            && found.info.title == name
                            && found.text == text
                    };
                    self.known(info, same).await?
                }
                // The id is another document's: the next one will not be.
                Err(error) if is_conflict(&error) => continue,
                Err(StoreError::Refused(StoreReason::TitleTaken, _)) => {
                    return Err(self.title_taken(name).await.into());
                }
                Err(error) => return Err(error.into()),
            };
            return Ok(Saved { snapshot, merged: false, unchanged: false, splices: Vec::new() });
        }
        Err(too_busy().into())
    }

    /// Saves what was made of version `change.base`.
    pub async fn save(&self, document: &str, change: Change, options: Write) -> Result<Saved, SaveRefused> {
        let Change { base, title: name, text } = change;
        let name = name.as_deref().map(title::checked).transpose()?;
        if let Some(text) = &text {
            self.fits(text)?;
        }
        let by = options.by.unwrap_or_else(|| self.author.clone());
        let derived = options.key.is_none();
        let key = options.key.unwrap_or_else(|| {
            let key = Derived::of("save").and(document).and_number(base).and(&by.id);
            format!("save:{}", key.and_maybe(name).and_maybe(text.as_deref()).digits())
        });
        let sent = Sent { document, base, name, text: text.as_deref(), by: &by.id, key: &key, derived };
        for _ in 0..TRIES {
            let head = self.head(document).await?;
            if base == 0 || base > head.info.version {
                return match self.repeated(&sent).await? {
                    Some(saved) => Ok(saved),
                    None => {
                        let words = unknown_version(base, head.info.version);
                        Err(Refused::new(Reason::NoSuchVersion, format!("{words} Save from a version that you read."))
                            .into())
                    }
                };
            }
            if head.info.is_deleted() {
                return self.repeated(&sent).await?.ok_or_else(|| deleted(&head).into());
            }
            let from = if base == head.info.version {
                head.clone()
            } else {
                self.version(document, Some(base), &head.info).await?
            };
            let met = match meet(&sent, &from, &head) {
                Ok(met) => met,
                Err(clash) => {
                    return self.repeated(&sent).await?.ok_or(SaveRefused::Clash { clash, head: Box::new(head) });
                }
            };
            if met.merged.text == head.text && met.title == head.info.title {
                return Ok(match self.repeated(&sent).await? {
                    Some(saved) => saved,
                    None => Saved { snapshot: head, merged: false, unchanged: true, splices: met.merged.splices },
                });
            }
            self.fits(&met.merged.text)?;
            let kind = match () {
                () if base != head.info.version => VersionKind::Merge,
                () if met.merged.text == head.text => VersionKind::Rename,
                () => VersionKind::Save,
            };
            let draft = Draft {
                document: document.to_owned(),
                kind,
                title: met.title,
                text: met.merged.text,
                by: by.clone(),
                approved_by: None,
                started_from: Some(base),
                restored_from: None,
                summary: options.summary.clone(),
                key: key.clone(),
                proposal: None,
                answers: None,
            };
            let title = draft.title.clone();
            match self.commit(Some(&head), draft).await {
                Ok(Committed::New(snapshot)) => {
                    let merged = kind == VersionKind::Merge;
                    return Ok(Saved { snapshot, merged, unchanged: false, splices: met.merged.splices });
                }
                Ok(Committed::Known(info)) => return self.as_before(&sent, info).await,
                Err(error) if is_conflict(&error) => {}
                Err(StoreError::Refused(StoreReason::TitleTaken, _)) => {
                    return Err(self.title_taken(&title).await.into());
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(too_busy().into())
    }

    /// The answer that this save was given before, if it was sent before.
    async fn repeated(&self, sent: &Sent<'_>) -> Result<Option<Saved>, SaveRefused> {
        // What started from a version is newer than it.
        match self.sought(sent.document, sent.key, sent.base).await? {
            Some(info) => self.as_before(sent, info).await.map(Some),
            None => Ok(None),
        }
    }

    /// The answer to a save whose version is known already: found again from the same three texts.
    async fn as_before(&self, sent: &Sent<'_>, info: VersionInfo) -> Result<Saved, SaveRefused> {
        let by_key = |found: &Snapshot| {
            let of_a_save = matches!(found.info.kind, VersionKind::Save | VersionKind::Merge | VersionKind::Rename);
            of_a_save
                && found.info.document == sent.document
                && found.info.started_from == Some(sent.base)
                && found.info.by.id == sent.by
        };
        let snapshot = self.known(info, by_key).await?;
        let base = self.version(sent.document, Some(sent.base), &snapshot.info).await?;
        let under = snapshot.info.version - 1;
        let theirs = if under == sent.base {
            base.clone()
        } else {
            self.version(sent.document, Some(under), &snapshot.info).await?
        };
        let merged = snapshot.info.kind == VersionKind::Merge;
        match meet(sent, &base, &theirs) {
            Ok(met) if met.merged.text == snapshot.text && met.title == snapshot.info.title => {
                Ok(Saved { snapshot, merged, unchanged: false, splices: met.merged.splices })
            }
            // Another release may have merged in another way; a derived key says that it is the same save.
            _ if sent.derived && merged => {
                let splices = compare(sent.text.unwrap_or(&base.text), &snapshot.text).splices;
                Ok(Saved { snapshot, merged, unchanged: false, splices })
            }
            _ => Err(another_write().into()),
        }
    }

    pub(super) fn fits(&self, text: &str) -> Result<(), Refused> {
        if text.len() <= self.max_bytes {
            return Ok(());
        }
        let message = format!("The text has {} bytes; at most {} are taken. Shorten it.", text.len(), self.max_bytes);
        Err(Refused::new(Reason::TooLarge, message))
    }
}

const TITLES: &str = "The title was changed on both sides: choose one, then save again.";

/// A save as it was sent.
struct Sent<'s> {
    document: &'s str,
    base: u32,
    name: Option<&'s str>,
    text: Option<&'s str>,
    by: &'s str,
    key: &'s str,
    /// Whether the key was derived from all of this.
    derived: bool,
}

/// Brings a save together with what is stored: its text and its title, each as a field of its own.
fn meet(sent: &Sent<'_>, base: &Snapshot, head: &Snapshot) -> Result<Met, RefusedMerge> {
    let mine = sent.text.unwrap_or(&base.text);
    let name = sent.name.unwrap_or(&base.info.title);
    let text = merge(&base.text, mine, &head.text);
    let title = merge_title(&base.info.title, name, &head.info.title);
    match (text, title) {
        (Ok(merged), Ok(title)) => Ok(Met { title, merged }),
        (Err(refused), Ok(_)) => Err(refused),
        (Ok(merged), Err(clash)) => Err(RefusedMerge {
            message: TITLES.to_owned(),
            clashes: vec![*clash],
            pieces: vec![Piece::Text(merged.text)],
        }),
        (Err(mut refused), Err(clash)) => {
            // Last, so that the pieces' numbers stay right.
            refused.clashes.push(*clash);
            refused.message = format!("{} {TITLES}", refused.message);
            Err(refused)
        }
    }
}
