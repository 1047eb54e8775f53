//! Proposals: an agent's change, cut into hunks that a person accepts or rejects one by one.
//!
//! A proposal keeps each hunk's splice in its base. Accepting a subset replaces exactly those spans, in the base or in
//! what has become of it since ; nothing is searched for again, and nothing is counted in blocks.
//! So: all accepted is the proposed text, none is the base, and the order of accepting does not matter.
//!
//! On the data's way: edits or a whole new text → **proposal** → the person → accepted splices → a version.

use std::collections::BTreeMap;

use super::Splice;
use super::diff::Hunk;
use super::edits::Edit;
use crate::history::Author;

/// What is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProposedChange {
    /// Anchored edits of a document.
    Edits {
        /// The document's id.
        document: String,
        /// One hunk each.
        edits: Vec<Edit>,
    },
    /// Text at the end of a document, after a blank line.
    Append {
        /// The document's id.
        document: String,
        /// What is added.
        text: String,
    },
    /// A whole new text for a document.
    Rewrite {
        /// The document's id.
        document: String,
        /// The new text.
        text: String,
        /// The new title, where it changes.
        title: Option<String>,
    },
    /// A new document.
    New {
        /// Its title.
        title: String,
        /// Its text.
        text: String,
    },
}

impl ProposedChange {
    /// The id of the document that changes; `None`: a new one.
    pub fn document(&self) -> Option<&str> {
        match self {
            Self::Edits { document, .. } | Self::Append { document, .. } | Self::Rewrite { document, .. } => {
                Some(document)
            }
            Self::New { .. } => None,
        }
    }
}

/// One part of a proposal that can be accepted alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedHunk {
    /// How it is shown.
    pub hunk: Hunk,
    /// What it does to the text of the base (UTF-8 bytes). A change of the title alone does nothing to the text.
    pub splice: Splice,
    /// The edit that it is, by its number in the list, from 0.
    pub edit: Option<usize>,
    /// Whether it is the change of the title: always the last hunk.
    pub title: bool,
}

/// What has become of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProposalState {
    /// Nobody has decided.
    Open,
    /// All of it was accepted.
    Accepted,
    /// Some of it was accepted.
    Partly,
    /// None of it was accepted.
    Rejected,
    /// It was accepted, but no longer fitted: nothing was written.
    Stale,
    /// It was taken back.
    Withdrawn,
}

impl ProposalState {
    /// Every state, in the contract's order.
    pub const ALL: [Self; 6] = [Self::Open, Self::Accepted, Self::Partly, Self::Rejected, Self::Stale, Self::Withdrawn];

    /// The state's name at the border, such as `partly`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Accepted => "accepted",
            Self::Partly => "partly",
            Self::Rejected => "rejected",
            Self::Stale => "stale",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// The state with this name at the border.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// How a proposal was closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Who closed it.
    pub by: Author,
    /// When: RFC 3339 in UTC.
    pub at: String,
    /// The hunks that were accepted and applied, ascending.
    pub accepted: Vec<usize>,
    /// The person's text in place of a hunk's, by the hunk's number.
    pub amended: BTreeMap<usize, String>,
    /// A word to the agent.
    pub note: Option<String>,
    /// The version that it became.
    pub version: Option<u32>,
    /// The answer in words, for the agent.
    pub text: String,
}

/// An agent's change, waiting for a person or answered by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Derived from the key of the call that proposed it.
    pub id: String,
    /// 1 when it is new, one more with each change of it.
    pub revision: u32,
    /// The space that it lies in.
    pub space: String,
    /// The document that changes; `None`: a new one.
    pub document: Option<String>,
    /// The title: the base's, or the new document's.
    pub title: String,
    /// The version that it starts from; `None`: a new document.
    pub base: Option<u32>,
    /// What is proposed.
    pub change: ProposedChange,
    /// Who proposes.
    pub by: Author,
    /// Why, in the proposer's words.
    pub summary: Option<String>,
    /// When: RFC 3339 in UTC.
    pub at: String,
    /// Its parts.
    pub hunks: Vec<ProposedHunk>,
    /// What has become of it.
    pub state: ProposalState,
    /// How it was closed.
    pub answer: Option<Answer>,
}
