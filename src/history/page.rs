//! The page: what lives as long as these documents do, because their store cannot hold it.
//!
//! Proposals, where the store has no place for them, by the same rule as a store's. There a version and the answer to its
//! proposal are not written in one transaction, so two more things are kept: which proposals are being decided at this
//! moment, and which decisions were sent without an answer coming back.

use std::cell::RefCell;

use super::store::{ProposalsOf, StoreError, StoreReason, StoreResult};
use crate::change::proposal::{Proposal, ProposalState};

/// What the store cannot hold.
#[derive(Debug, Default)]
pub(super) struct Page {
    proposals: Vec<Proposal>,
    /// Proposals that are being decided.
    busy: Vec<String>,
    /// Decisions that may have become a version.
    sent: Vec<Sent>,
}

/// A decision that was sent.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    /// The proposal as it is, if the version was made.
    pub(super) closed: Proposal,
    /// The text that it makes, by which its version is known.
    pub(super) text: String,
}

impl Page {
    pub(super) fn proposals(&self, request: &ProposalsOf) -> Vec<Proposal> {
        self.proposals.iter().filter(|found| request.wants(found)).cloned().collect()
    }

    /// By the rule of [`Store::save_proposal`](super::Store::save_proposal).
    pub(super) fn save(&mut self, proposal: &Proposal) -> StoreResult<()> {
        match self.proposals.iter_mut().find(|found| found.id == proposal.id) {
            None if proposal.revision == 1 => self.proposals.push(proposal.clone()),
            Some(stored) if stored == proposal => {}
            Some(stored) if proposal.revision == stored.revision + 1 => stored.clone_from(proposal),
            _ => return Err(StoreError::refused(StoreReason::Conflict)),
        }
        if proposal.state != ProposalState::Open {
            self.sent.retain(|sent| sent.closed.id != proposal.id);
        }
        Ok(())
    }

    /// Keeps a decision before it is sent.
    pub(super) fn send(&mut self, sent: Sent) {
        self.sent.push(sent);
    }

    /// The decisions that were sent and not heard of.
    pub(super) fn sent(&self, proposal: &str) -> Vec<Sent> {
        self.sent.iter().filter(|sent| sent.closed.id == proposal).cloned().collect()
    }

    /// A decision that surely made no version.
    pub(super) fn unsend(&mut self, proposal: &str) {
        if let Some(last) = self.sent.iter().rposition(|sent| sent.closed.id == proposal) {
            self.sent.remove(last);
        }
    }

    pub(super) fn erase(&mut self, document: &str) {
        self.proposals.retain(|found| found.document.as_deref() != Some(document));
    }
}

/// While it lives, nobody else decides this proposal. It lets go when it is dropped, an abandoned call's too.
#[derive(Debug)]
pub(super) struct Deciding<'p> {
    page: &'p RefCell<Page>,
    id: String,
}

impl<'p> Deciding<'p> {
    /// `None`: someone is deciding it.
    pub(super) fn begin(page: &'p RefCell<Page>, id: &str) -> Option<Self> {
        let mut kept = page.borrow_mut();
        if kept.busy.iter().any(|busy| busy == id) {
            return None;
        }
        kept.busy.push(id.to_owned());
        Some(Self { page, id: id.to_owned() })
    }
}

impl Drop for Deciding<'_> {
    fn drop(&mut self) {
        self.page.borrow_mut().busy.retain(|busy| *busy != self.id);
    }
}
