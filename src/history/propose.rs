//! Proposing and withdrawing: an agent's change, checked now, applied when a person accepts.
//!
//! A proposal's id derives from its key, so that the same call twice is one proposal. Proposals live in the store where it
//! can hold them, so that a server's agent can propose and a person decide in a browser, later; else they live with the
//! page.

use super::commit::another_write;
use super::documents::{Documents, TRIES, World, again, deleted};
use super::key::Derived;
use super::store::{ProposalsOf, Store, StoreError, StoreReason, StoreResult};
use super::{Author, AuthorKind, page::Deciding, title};
use crate::change::edits::Refusal;
use crate::change::proposal::{Answer, Proposal, ProposalState, ProposedChange, hunks};
use crate::change::splice;
use crate::{Reason, Refused};

/// How a change is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Propose {
    /// Who proposes.
    pub by: Author,
    /// The version that it starts from, where it is not the newest.
    pub base: Option<u32>,
    /// Why, in the proposer's words.
    pub summary: Option<String>,
    /// Makes a repeat harmless.
    pub key: Option<String>,
}

impl Propose {
    /// By this author, from the newest version.
    pub fn by(by: Author) -> Self {
        Self { by, base: None, summary: None, key: None }
    }
}

/// A change that was not proposed: nobody sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposeRefused {
    /// Why, with words.
    pub refused: Refused,
    /// One for every failing edit.
    pub refusals: Vec<Refusal>,
}

impl From<Refused> for ProposeRefused {
    fn from(refused: Refused) -> Self {
        Self { refused, refusals: Vec::new() }
    }
}

/// Which proposals to give.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Which {
    /// On this document.
    pub document: Option<String>,
    /// The one with this id.
    pub id: Option<String>,
    /// Open ones (`true`) or closed ones (`false`); `None`: both.
    pub open: Option<bool>,
}

/// How a proposal is closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Withdraw {
    /// Who withdraws, where it is not the one who acts through these documents.
    pub by: Option<Author>,
    /// A word about it.
    pub note: Option<String>,
}

impl<S: Store, W: World> Documents<S, W> {
    /// Proposes a change. Edits are resolved against the text of `base`, and refused here, before anyone sees them.
    pub async fn propose(&self, change: ProposedChange, options: Propose) -> Result<Proposal, ProposeRefused> {
        let Propose { by, base, summary, key } = options;
        let given = key.is_some();
        let key = key.unwrap_or_else(|| self.world.new_id());
        let id = format!("p-{}", Derived::of("proposal").and(&self.space).and(&key).digits());
        let change = with_checked_title(change)?;
        if given && let Some(found) = self.proposal(&id).await? {
            return same_proposal(found, &change, &by);
        }
        let proposal = self.drafted(id, change, by, base, summary).await?;
        match self.keep(&proposal).await {
            Ok(()) => Ok(proposal),
            Err(StoreError::Refused(StoreReason::Conflict, _)) => match self.proposal(&proposal.id).await? {
                Some(found) => same_proposal(found, &proposal.change, &proposal.by),
                None => Err(another_write().into()),
            },
            Err(error) => Err(Refused::from(error).into()),
        }
    }

    /// The space's proposals, oldest first.
    pub async fn proposals(&self, which: Which) -> Result<Vec<Proposal>, Refused> {
        let request =
            ProposalsOf { space: self.space.clone(), document: which.document, id: which.id, open: which.open };
        if !self.store.holds_proposals() {
            return Ok(self.page.borrow().proposals(&request));
        }
        let found = again(async || self.store.proposals(&request).await).await?;
        if !found.iter().all(|proposal| request.wants(proposal)) {
            return Err(super::checked::fault("proposals.list", "answered with another proposal").into());
        }
        Ok(found)
    }

    /// Takes a proposal back: whoever proposed it may, and every person.
    pub async fn withdraw(&self, id: &str, options: Withdraw) -> Result<Proposal, Refused> {
        let by = options.by.unwrap_or_else(|| self.author.clone());
        let at = self.world.now();
        let note = options.note.filter(|note| !note.trim().is_empty());
        let _deciding = self.deciding(id)?;
        for _ in 0..TRIES {
            let found = self.existing(id).await?;
            if by.kind == AuthorKind::Agent && by.id != found.by.id {
                return Err(Refused::new(Reason::Denied, "Only whoever proposed this, or a person, can take it back."));
            }
            if let Some(closed) = self.landed(&found).await? {
                return Err(answered(&closed));
            }
            if found.state == ProposalState::Withdrawn
                && found.answer.as_ref().is_some_and(|answer| answer.by.id == by.id && answer.note == note)
            {
                return Ok(found);
            }
            if found.state != ProposalState::Open {
                return Err(answered(&found));
            }
            let said = note.as_ref().map(|note| format!(" {} says: “{note}”", by.name)).unwrap_or_default();
            let answer = Answer {
                by: by.clone(),
                at: at.clone(),
                accepted: Vec::new(),
                amended: std::collections::BTreeMap::new(),
                note: note.clone(),
                version: None,
                text: format!("{} withdrew this proposal. Nothing was written.{said}", by.name),
            };
            let closed = Proposal {
                revision: found.revision + 1,
                state: ProposalState::Withdrawn,
                answer: Some(answer),
                ..found
            };
            match self.keep(&closed).await {
                Ok(()) => return Ok(closed),
                // Someone closed it at the same moment: who, the next look tells.
                Err(StoreError::Refused(StoreReason::Conflict, _)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(super::commit::too_busy())
    }

    async fn drafted(
        &self,
        id: String,
        change: ProposedChange,
        by: Author,
        base: Option<u32>,
        summary: Option<String>,
    ) -> Result<Proposal, ProposeRefused> {
        let (title, text, base) = match (&change, change.document()) {
            (ProposedChange::New { title, .. }, _) => {
                if self.titled(title).await?.is_some() {
                    return Err(self.title_taken(title).await.into());
                }
                (title.clone(), String::new(), None)
            }
            (_, document) => {
                let document = document.unwrap_or_default();
                let head = self.head(document).await?;
                if head.info.is_deleted() {
                    return Err(deleted(&head).into());
                }
                let found = match base {
                    Some(base) if base != head.info.version => self.version(document, Some(base), &head.info).await?,
                    _ => head,
                };
                (found.info.title, found.text, Some(found.info.version))
            }
        };
        let hunks = hunks(&change, &title, &text).map_err(|refused| ProposeRefused {
            refused: Refused::new(refused.reason, refused.message),
            refusals: refused.refusals,
        })?;
        if hunks.is_empty() {
            return Err(Refused::new(Reason::NoChange, "This changes nothing: the document says so already.").into());
        }
        let splices: Vec<_> = hunks.iter().filter(|hunk| !hunk.title).map(|hunk| hunk.splice.clone()).collect();
        self.fits(&splice(&text, &splices))?;
        let document = change.document().map(str::to_owned);
        Ok(Proposal {
            id,
            revision: 1,
            space: self.space.clone(),
            document,
            title,
            base,
            change,
            by,
            summary,
            at: self.world.now(),
            hunks,
            state: ProposalState::Open,
            answer: None,
        })
    }

    pub(super) async fn proposal(&self, id: &str) -> Result<Option<Proposal>, Refused> {
        let which = Which { id: Some(id.to_owned()), ..Which::default() };
        Ok(self.proposals(which).await?.into_iter().next())
    }

    pub(super) async fn existing(&self, id: &str) -> Result<Proposal, Refused> {
        let missing = || Refused::new(Reason::NotFound, "There is no such proposal here.");
        self.proposal(id).await?.ok_or_else(missing)
    }

    /// Stores a proposal, where it can be held.
    pub(super) async fn keep(&self, proposal: &Proposal) -> StoreResult<()> {
        if !self.store.holds_proposals() {
            return self.page.borrow_mut().save(proposal);
        }
        again(async || self.store.save_proposal(proposal).await).await.map(|_| ())
    }

    /// Keeps others from deciding, where the store does not.
    pub(super) fn deciding(&self, id: &str) -> Result<Option<Deciding<'_>>, Refused> {
        if self.store.holds_proposals() {
            return Ok(None);
        }
        let busy = || Refused::new(Reason::Conflict, "A decision on this proposal is being saved. Wait for it.");
        Deciding::begin(&self.page, id).map(Some).ok_or_else(busy)
    }
}

/// The refusal of a decision on what is closed.
pub(super) fn answered(proposal: &Proposal) -> Refused {
    let (who, how) = match &proposal.answer {
        Some(answer) => (answer.by.name.as_str(), proposal.state.name()),
        None => ("Someone", proposal.state.name()),
    };
    let how = match proposal.state {
        ProposalState::Partly => "accepted part of",
        ProposalState::Stale => "decided on",
        _ => how,
    };
    Refused::new(Reason::Answered, format!("{who} has already {how} this proposal."))
}

/// A change with its title trimmed, if it has one.
fn with_checked_title(mut change: ProposedChange) -> Result<ProposedChange, Refused> {
    if let ProposedChange::New { title, .. } | ProposedChange::Rewrite { title: Some(title), .. } = &mut change {
        *title = title::checked(title)?.to_owned();
    }
    Ok(change)
}

/// The proposal that a known key names, if it is the one that was sent.
fn same_proposal(found: Proposal, change: &ProposedChange, by: &Author) -> Result<Proposal, ProposeRefused> {
    if found.by.id == by.id && found.change == *change { Ok(found) } else { Err(another_write().into()) }
}
