//! Proposals: an agent's change, cut into hunks that a person accepts or rejects one by one.
//!
//! A proposal keeps each hunk's splice in its base. Accepting a subset replaces exactly those spans, in the base or in
//! what has become of it since ([`carry`](super::carry)); nothing is searched for again, and nothing is counted in blocks.
//! So: all accepted is the proposed text, none is the base, and the order of accepting does not matter.
//!
//! On the data's way: edits or a whole new text → **proposal** → the person → accepted splices → a version, by
//! [`Documents::decide`](crate::history::Documents::decide).
//!
//! ```
//! use countersign::change::proposal::{ProposedChange, hunks};
//!
//! let change = ProposedChange::Append { document: "plan".into(), text: "Then publish.".into() };
//! let hunks = hunks(&change, "Plan", "Record the trailer.").unwrap();
//! assert_eq!(hunks[0].splice.text, "\n\nThen publish.");
//! ```

use std::collections::BTreeMap;
use std::ops::Range;

use super::append::line_ending;
use super::carry::Since;
use super::diff::{DiffLine, Hunk, Lines, Sign, compare, hunks_of};
use super::edits::{Edit, RefusedEdits, apply_edits};
use super::endings::{ending_at, with_ending};
use super::{Splice, append, splice};
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

/// Cuts a change of `base`, whose title is `title`, into hunks: one per edit; one for an append or a new document; one per
/// run of changed lines for a rewrite, and a last one for its change of the title. None: it changes nothing.
pub fn hunks(change: &ProposedChange, title: &str, base: &str) -> Result<Vec<ProposedHunk>, RefusedEdits> {
    let mut edits = Vec::new();
    let mut compared = None;
    let splices = match change {
        ProposedChange::Edits { edits: list, .. } => {
            let applied = apply_edits(base, list)?;
            // The splices ascend; each is the edit that replaces the same span.
            let mut order = applied.applied;
            order.sort_by_key(|edit| edit.range.start);
            edits = order.into_iter().map(|edit| edit.edit).collect();
            applied.splices
        }
        ProposedChange::Append { text, .. } => {
            let added = append(base, text);
            if added.text.is_empty() { Vec::new() } else { vec![added] }
        }
        ProposedChange::Rewrite { text, .. } => {
            let comparison = compare(base, text);
            compared = Some(comparison.hunks);
            comparison.splices
        }
        ProposedChange::New { text, .. } => vec![Splice { range: 0..0, text: text.clone() }],
    };
    // A comparison also knows what only moved.
    let shown = compared.unwrap_or_else(|| hunks_of(base, &splices));
    let mut hunks = Vec::with_capacity(splices.len() + 1);
    for (at, (splice, hunk)) in splices.into_iter().zip(shown).enumerate() {
        hunks.push(ProposedHunk { hunk, splice, edit: edits.get(at).copied(), title: false });
    }
    if let ProposedChange::Rewrite { title: Some(new), .. } = change
        && new != title
    {
        hunks.push(title_hunk(hunks.len(), title, new));
    }
    Ok(hunks)
}

/// The change of a title, shown as a line of its own. It does nothing to the text.
fn title_hunk(index: usize, old: &str, new: &str) -> ProposedHunk {
    let line = |sign, text: &str| DiffLine { sign, text: text.to_owned(), words: Vec::new() };
    let hunk = Hunk {
        index,
        block: 0,
        heading: None,
        before: Lines { line: 1, lines: 0 },
        after: Lines { line: 1, lines: 0 },
        lines: vec![line(Sign::Removed, old), line(Sign::Added, new)],
        notes: vec!["The title changes.".to_owned()],
    };
    ProposedHunk { hunk, splice: Splice { range: 0..0, text: String::new() }, edit: None, title: true }
}

/// What accepting a subset gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The new text.
    pub text: String,
    /// The new title, where its change was accepted.
    pub title: Option<String>,
}

/// Why a subset cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// What these hunks change has changed since, or may have.
    Changed(Vec<usize>),
    /// The proposal does not fit the base that it names: it was stored wrongly.
    Broken,
}

/// `head` with the `accepted` hunks of `proposal` in it, each in the place that its span of `base` was carried to;
/// `amended` is the person's text in place of a hunk's. Numbers that there are not and repeats count for nothing.
pub fn accept(
    proposal: &Proposal,
    base: (&str, &str),
    head: (&str, &str),
    accepted: &[usize],
    amended: &BTreeMap<usize, String>,
) -> Result<Accepted, Misfit> {
    let ((base_title, base), (head_title, head)) = (base, head);
    if !fits(proposal, base) {
        return Err(Misfit::Broken);
    }
    let mut accepted = accepted.to_vec();
    accepted.sort_unstable();
    let since = Since::new(base, head);
    let mut changed = Vec::new();
    let mut splices = Vec::new();
    let mut title = None;
    for (index, hunk) in proposal.hunks.iter().enumerate() {
        if accepted.binary_search(&index).is_err() {
            continue;
        }
        let amendment = amended.get(&index);
        if hunk.title {
            let new = match (&proposal.change, amendment) {
                (_, Some(amendment)) => amendment,
                (ProposedChange::Rewrite { title: Some(new), .. }, None) => new,
                _ => return Err(Misfit::Broken),
            };
            if head_title == base_title || head_title == new {
                title = Some(new.clone());
            } else {
                changed.push(index);
            }
            continue;
        }
        if let ProposedChange::Append { text, .. } = &proposal.change {
            splices.push(append(head, amendment.unwrap_or(text)));
            continue;
        }
        match since.span(&hunk.splice.range) {
            Some(range) => {
                let text = match amendment {
                    Some(amendment) => in_its_ending(amendment, &hunk.splice, base),
                    None => hunk.splice.text.clone(),
                };
                splices.push(Splice { range, text });
            }
            None => changed.push(index),
        }
    }
    if !changed.is_empty() {
        return Err(Misfit::Changed(changed));
    }
    Ok(Accepted { text: splice(head, &splices), title })
}

/// A person types LF; what they put in a hunk's place takes the line ending that the hunk had.
fn in_its_ending(amendment: &str, hunk: &Splice, base: &str) -> String {
    let ending = line_ending(&hunk.text).unwrap_or_else(|| ending_at(base, &hunk.range));
    with_ending(amendment, ending)
}

/// Whether the splices ascend, do not overlap, and lie on characters of `base`. What a host stored is not trusted.
fn fits(proposal: &Proposal, base: &str) -> bool {
    let mut at = 0;
    proposal.hunks.iter().filter(|hunk| !hunk.title).all(|hunk| {
        let Range { start, end } = hunk.splice.range;
        let ascends = at <= start && base.get(start..end).is_some();
        at = end;
        ascends
    })
}
