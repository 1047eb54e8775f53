//! The store: the whole interface between Countersign and the storage, which is the host's.
//!
//! Four methods, and two abilities that a store may have: it can hold proposals, and it can erase. (Watching and presence
//! belong to the pages that need them and are no part of this trait.) The one rule that everything rests on is
//! [`Store::commit`]'s: compare-and-set in one transaction, and a key that is known answers its version.
//!
//! A method that fails says which of two things is so. [`StoreError::Refused`]: the store answered, and nothing was
//! written. [`StoreError::Unknown`] and [`StoreError::TimedOut`]: no answer came, and the write may have happened. Then
//! the same request is sent again; the key makes that harmless.

use std::future::Future;

use super::{Snapshot, VersionInfo};
use crate::change::proposal::{Proposal, ProposalState};
use crate::{Reason, Refused};

/// Which heads to list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// In this space; `None`: in all that the store lets this host see.
    pub space: Option<String>,
    /// At most so many.
    pub limit: usize,
    /// Go on after the page that gave this.
    pub cursor: Option<String>,
}

/// One page of heads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Heads that are not deleted, the latest commit first.
    pub documents: Vec<VersionInfo>,
    /// Where the next page begins, if there is one.
    pub cursor: Option<String>,
}

/// Which version to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// In this space only.
    pub space: Option<String>,
    /// The document's id.
    pub document: String,
    /// `None`: the head, a deleted one too.
    pub version: Option<u32>,
}

/// Which versions to tell about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// In this space only.
    pub space: Option<String>,
    /// The document's id.
    pub document: String,
    /// Only versions before this one.
    pub before: Option<u32>,
    /// At most so many.
    pub limit: usize,
}

/// One page of a history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Versions {
    /// Newest first, without texts.
    pub versions: Vec<VersionInfo>,
    /// Whether there are older ones.
    pub more: bool,
}

/// A new version, to be written where the document's newest version is `head`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The newest version that the writer knows; `None`: the document must not exist.
    pub head: Option<u32>,
    /// The new version. Its number is `head` plus one; the contract leaves the number out, and the store gives it.
    /// The store records the later of its time and the last version's.
    pub snapshot: Snapshot,
    /// The title, trimmed and case-folded: unique among a space's documents that are not deleted.
    pub title_key: String,
    /// The proposal that this version answers, stored in the same transaction by the rule of
    /// [`Store::save_proposal`]; its conflict is the commit's.
    pub answers: Option<Proposal>,
}

/// Which proposals to give.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProposalsOf {
    /// In this space.
    pub space: String,
    /// On this document.
    pub document: Option<String>,
    /// The one with this id.
    pub id: Option<String>,
    /// Open ones (`true`) or closed ones (`false`); `None`: both.
    pub open: Option<bool>,
}

impl ProposalsOf {
    /// Whether `proposal` is one of those asked for.
    pub fn wants(&self, proposal: &Proposal) -> bool {
        proposal.space == self.space
            && self.id.as_ref().is_none_or(|id| *id == proposal.id)
            && (self.document.is_none() || self.document == proposal.document)
            && self.open.is_none_or(|open| open == (proposal.state == ProposalState::Open))
    }
}

/// Why a store refused. The names are the contract's (`StoreResult` in `core.d.ts`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each name says what it means; the contract describes them")]
pub enum StoreReason {
    NotFound,
    Exists,
    Conflict,
    TitleTaken,
    Denied,
    TooLarge,
    Quota,
    Blocked,
    Corrupt,
    Gone,
    Unavailable,
}

impl StoreReason {
    /// Every reason, in the contract's order.
    pub const ALL: [Self; 11] = [
        Self::NotFound,
        Self::Exists,
        Self::Conflict,
        Self::TitleTaken,
        Self::Denied,
        Self::TooLarge,
        Self::Quota,
        Self::Blocked,
        Self::Corrupt,
        Self::Gone,
        Self::Unavailable,
    ];

    /// The same reason as a refusal's.
    pub const fn reason(self) -> Reason {
        match self {
            Self::NotFound => Reason::NotFound,
            Self::Exists => Reason::Exists,
            Self::Conflict => Reason::Conflict,
            Self::TitleTaken => Reason::TitleTaken,
            Self::Denied => Reason::Denied,
            Self::TooLarge => Reason::TooLarge,
            Self::Quota => Reason::Quota,
            Self::Blocked => Reason::Blocked,
            Self::Corrupt => Reason::Corrupt,
            Self::Gone => Reason::Gone,
            Self::Unavailable => Reason::Unavailable,
        }
    }

    /// The reason's name at the border, such as `title-taken`.
    pub const fn name(self) -> &'static str {
        self.reason().name()
    }

    /// The reason with this name at the border.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }

    /// What to do about it, where the store itself says nothing.
    const fn words(self) -> &'static str {
        match self {
            Self::NotFound => "There is no such document here.",
            Self::Exists => "A document with this id exists already.",
            Self::Conflict => "Someone else saved at the same moment. Try again.",
            Self::TitleTaken => "Another document has this title. Choose another title.",
            Self::Denied => "This is not allowed here.",
            Self::TooLarge => "The store does not take a text of this size. Shorten it.",
            Self::Quota => "There is no room left in this storage. Nothing was saved; free some room and try again.",
            Self::Blocked => "Another tab holds an older version of this storage. Close it and try again.",
            Self::Corrupt => "This version cannot be read. Other versions may be.",
            Self::Gone => "The storage was emptied underneath. Keep a copy of your text.",
            Self::Unavailable => "The storage does not answer. Nothing was saved; try again.",
        }
    }
}

/// Why a store's method gave no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// The store answered: nothing was written. The message may be empty.
    Refused(StoreReason, String),
    /// No answer, or one that could not be understood: the outcome is unknown. The message names the method.
    Unknown(String),
    /// No answer in time: the outcome is unknown. The message names the method.
    TimedOut(String),
}

impl StoreError {
    /// A refusal without words of its own.
    pub const fn refused(reason: StoreReason) -> Self {
        Self::Refused(reason, String::new())
    }

    /// Whether a write that ended so may have happened.
    pub const fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown(_) | Self::TimedOut(_))
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Refused(reason, message) if message.is_empty() => Self::new(reason.reason(), reason.words()),
            StoreError::Refused(reason, message) => Self::new(reason.reason(), message),
            StoreError::Unknown(message) => Self::new(Reason::Unavailable, message),
            StoreError::TimedOut(message) => Self::new(Reason::Timeout, message),
        }
    }
}

/// What a store's method gives.
pub type StoreResult<T> = Result<T, StoreError>;

/// Where versions are kept. One thread, no runtime: futures need not be `Send`.
pub trait Store {
    /// Heads that are not deleted, the latest commit first.
    fn list(&self, request: &List) -> impl Future<Output = StoreResult<Listed>>;

    /// One version with its text.
    fn read(&self, request: &Read) -> impl Future<Output = StoreResult<Snapshot>>;

    /// Versions without texts, newest first.
    fn history(&self, request: &History) -> impl Future<Output = StoreResult<Versions>>;

    /// Writes a version, in one transaction, in this order: a key that the space knows answers its version and writes
    /// nothing; the document's newest version must be `head` ([`Conflict`](StoreReason::Conflict), or
    /// [`Exists`](StoreReason::Exists) where there must be none); the title must be free
    /// ([`TitleTaken`](StoreReason::TitleTaken)); the proposal is stored, or its conflict is the commit's.
    fn commit(&self, request: &Commit) -> impl Future<Output = StoreResult<VersionInfo>>;

    /// Whether this store holds proposals. If not, they live as long as the page.
    fn holds_proposals(&self) -> bool {
        false
    }

    /// The proposals asked for, oldest first.
    fn proposals(&self, request: &ProposalsOf) -> impl Future<Output = StoreResult<Vec<Proposal>>> {
        let _ = request;
        async { Err(StoreError::refused(StoreReason::Unavailable)) }
    }

    /// Stores a proposal: a new one has revision 1, a changed one the stored revision plus one, else
    /// [`Conflict`](StoreReason::Conflict). An identical repeat is fine.
    fn save_proposal(&self, proposal: &Proposal) -> impl Future<Output = StoreResult<Proposal>> {
        let _ = proposal;
        async { Err(StoreError::refused(StoreReason::Unavailable)) }
    }

    /// Whether this store can erase.
    fn can_erase(&self) -> bool {
        false
    }

    /// Removes every version of a document for good, and the proposals on it.
    fn erase(&self, space: &str, document: &str) -> impl Future<Output = StoreResult<()>> {
        let _ = (space, document);
        async { Err(StoreError::refused(StoreReason::Unavailable)) }
    }
}
