//! Deciding: one decision closes a proposal, and what was accepted becomes one version.
//!
//! The accepted splices are carried from their base through what changed since, all or none. Where one no longer fits, the
//! decision is stale: that is stored, nothing else is written, and both sides are told why. The version and the answered
//! proposal are written in one transaction where the store holds proposals; by the proposal's revision, of an acceptance
//! and a withdrawal at once, one wins.

use std::collections::BTreeMap;

use super::commit::{Committed, Draft, is_conflict, too_busy};
use super::documents::{Documents, TRIES, World};
use super::page::Sent;
use super::propose::answered;
use super::store::{Store, StoreError, StoreReason};
use super::{Author, AuthorKind, Snapshot, VersionKind, title};
use crate::change::proposal::{Accepted, Answer, Misfit, Proposal, ProposalState, ProposedChange, accept};
use crate::{Reason, Refused};

/// What goes with a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decide {
    /// Who decides, where it is not the one who acts through these documents. Only a person does.
    pub by: Option<Author>,
    /// The person's text in place of an accepted hunk's, by the hunk's number.
    pub amended: BTreeMap<usize, String>,
    /// A word to the agent.
    pub note: Option<String>,
}

/// A decision, as it will be stored.
struct Decision {
    by: Author,
    at: String,
    accepted: Vec<usize>,
    amended: BTreeMap<usize, String>,
    note: Option<String>,
}

impl<S: Store, W: World> Documents<S, W> {
    /// Closes a proposal: the `accepted` hunks become one version, the rest is rejected. Accepting none writes nothing.
    pub async fn decide(&self, id: &str, accepted: &[usize], options: Decide) -> Result<Proposal, Refused> {
        let by = options.by.unwrap_or_else(|| self.author.clone());
        if by.kind != AuthorKind::Person {
            return Err(Refused::new(Reason::Denied, "Only a person decides on a proposal."));
        }
        let mut accepted = accepted.to_vec();
        accepted.sort_unstable();
        accepted.dedup();
        let mut amended = options.amended;
        amended.retain(|hunk, _| accepted.binary_search(hunk).is_ok());
        let decision = Decision {
            by,
            at: self.world.now(),
            amended,
            accepted,
            note: options.note.filter(|note| !note.trim().is_empty()),
        };
        let _deciding = self.deciding(id)?;
        for _ in 0..TRIES {
            let found = self.existing(id).await?;
            if let Some(closed) = self.landed(&found).await? {
                return settled(closed, &decision);
            }
            if found.state != ProposalState::Open {
                return settled(found, &decision);
            }
            if let Some(beyond) = decision.accepted.iter().find(|hunk| **hunk >= found.hunks.len()) {
                let message = format!("There is no change {}: the proposal has {}.", beyond + 1, found.hunks.len());
                return Err(Refused::new(Reason::BadRange, message));
            }
            if let Some(closed) = self.closed_by(found, &decision).await? {
                return Ok(closed);
            }
        }
        Err(too_busy())
    }

    /// Which hunks of an open proposal no longer fit the newest version: to check one again when its document changes.
    pub async fn misfits(&self, proposal: &Proposal) -> Result<Vec<usize>, Refused> {
        let all: Vec<usize> = (0..proposal.hunks.len()).collect();
        let Some((base, head)) = self.base_and_head(proposal).await? else { return Ok(Vec::new()) };
        match accepted(proposal, &base, &head, &all, &BTreeMap::new()) {
            Ok(_) => Ok(Vec::new()),
            Err(Misfit::Changed(hunks)) => Ok(hunks),
            Err(Misfit::Broken) => Err(broken()),
        }
    }

    /// One attempt at a decision. `None`: someone else was faster; look again.
    async fn closed_by(&self, found: Proposal, decision: &Decision) -> Result<Option<Proposal>, Refused> {
        if decision.accepted.is_empty() {
            return self.close(closed(found, decision, ProposalState::Rejected, None)).await;
        }
        let key = key(&found);
        let texts = self.base_and_head(&found).await?;
        let outcome = match &texts {
            Some((base, head)) => accepted(&found, base, head, &decision.accepted, &decision.amended),
            None => accept(&found, ("", ""), ("", ""), &decision.accepted, &decision.amended),
        };
        let new = match outcome {
            Ok(new) => new,
            Err(Misfit::Broken) => return Err(broken()),
            Err(Misfit::Changed(hunks)) => {
                if let Some((base, head)) = &texts {
                    // It may be this very decision that changed them.
                    if self.sought(&head.info.document, &key, base.info.version).await?.is_some() {
                        return Ok(None);
                    }
                }
                return self.go_stale(found, decision, &hunks, texts.as_ref().map(|(_, head)| head)).await;
            }
        };
        self.fits(&new.text)?;
        let head = texts.map(|(_, head)| head);
        let name = match (&new.title, &head) {
            (Some(title), _) => title::checked(title)?.to_owned(),
            (None, Some(head)) => head.info.title.clone(),
            (None, None) => found.title.clone(),
        };
        let state = match decision.accepted.len() == found.hunks.len() {
            true => ProposalState::Accepted,
            false => ProposalState::Partly,
        };
        if head.as_ref().is_some_and(|head| head.text == new.text && head.info.title == name) {
            // Amended to what stands there already.
            return self.close(closed(found, decision, state, None)).await;
        }
        let number = head.as_ref().map_or(1, |head| head.info.version + 1);
        let document = found.document.clone().unwrap_or_else(|| self.world.new_id());
        let answer = Proposal { document: Some(document.clone()), ..closed(found, decision, state, Some(number)) };
        let draft = Draft {
            document,
            kind: match answer.change {
                ProposedChange::Edits { .. } => VersionKind::Edit,
                ProposedChange::Append { .. } => VersionKind::Append,
                ProposedChange::Rewrite { .. } => VersionKind::Write,
                ProposedChange::New { .. } => VersionKind::Create,
            },
            title: name.clone(),
            text: new.text.clone(),
            by: answer.by.clone(),
            approved_by: Some(decision.by.clone()),
            started_from: answer.base,
            restored_from: None,
            summary: answer.summary.clone(),
            key,
            proposal: Some(answer.id.clone()),
            answers: self.store.holds_proposals().then(|| answer.clone()),
        };
        let apart = !self.store.holds_proposals();
        if apart {
            self.page.borrow_mut().send(Sent { closed: answer.clone(), text: new.text });
        }
        let committed = self.commit(head.as_ref(), draft).await;
        if apart && matches!(&committed, Err(error) if !error.is_unknown()) {
            self.page.borrow_mut().unsend(&answer.id);
        }
        match committed {
            Ok(Committed::New(_)) if apart => self.close(answer).await,
            Ok(Committed::New(_)) => Ok(Some(answer)),
            // It was sent before: what was decided then, the next look tells.
            Ok(Committed::Known(_)) => Ok(None),
            Err(error) if is_conflict(&error) => Ok(None),
            Err(StoreError::Refused(StoreReason::TitleTaken, _)) => Err(self.title_taken(&name).await),
            Err(error) => Err(error.into()),
        }
    }

    /// Stores that a decision no longer fits, and says so.
    async fn go_stale(
        &self,
        found: Proposal,
        decision: &Decision,
        hunks: &[usize],
        head: Option<&Snapshot>,
    ) -> Result<Option<Proposal>, Refused> {
        let nothing = Decision {
            by: decision.by.clone(),
            at: decision.at.clone(),
            accepted: Vec::new(),
            amended: BTreeMap::new(),
            note: decision.note.clone(),
        };
        let why = match head {
            Some(head) if head.info.is_deleted() => {
                format!("{} has deleted the document", head.info.by.name)
            }
            _ => format!(
                "the text of {} has changed since version {}",
                numbered(hunks, found.hunks.len()),
                found.base.unwrap_or(0)
            ),
        };
        let mut stale = closed(found, &nothing, ProposalState::Stale, None);
        if let Some(answer) = &mut stale.answer {
            let said = said(&decision.by, decision.note.as_deref());
            answer.text = format!(
                "{} accepted, but {why}. Nothing was written: read the document again and propose anew.{said}",
                decision.by.name
            );
        }
        match self.close(stale).await? {
            Some(_) => {
                let message = format!("Nothing was written: {why}. Ask for a new proposal.");
                Err(Refused::new(Reason::Stale, message))
            }
            None => Ok(None),
        }
    }

    /// Stores a closed proposal. `None`: someone else closed it.
    async fn close(&self, closed: Proposal) -> Result<Option<Proposal>, Refused> {
        match self.keep(&closed).await {
            Ok(()) => Ok(Some(closed)),
            Err(StoreError::Refused(StoreReason::Conflict, _)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The versions that a proposal starts from and meets; `None`: it makes a new document.
    async fn base_and_head(&self, proposal: &Proposal) -> Result<Option<(Snapshot, Snapshot)>, Refused> {
        let (Some(document), Some(number)) = (&proposal.document, proposal.base) else { return Ok(None) };
        let head = self.head(document).await?;
        let base = self.version(document, Some(number), &head.info).await?;
        Ok(Some((base, head)))
    }

    /// Where the store holds no proposals: whether a decision whose answer was lost is a version after all. If so, the
    /// proposal is closed by it.
    pub(super) async fn landed(&self, found: &Proposal) -> Result<Option<Proposal>, Refused> {
        if self.store.holds_proposals() || found.state != ProposalState::Open {
            return Ok(None);
        }
        let sent = self.page.borrow().sent(&found.id);
        for attempt in sent {
            let document = attempt.closed.document.as_deref().unwrap_or_default();
            let version = match self.sought(document, &key(found), found.base.unwrap_or(0)).await {
                Ok(Some(info)) => self.version(document, Some(info.version), &info).await?,
                Ok(None) => continue,
                // The document that it would have made was not made.
                Err(refused) if refused.reason == Reason::NotFound => continue,
                Err(refused) => return Err(refused),
            };
            let number = attempt.closed.answer.as_ref().and_then(|answer| answer.version);
            if version.text == attempt.text && Some(version.info.version) == number {
                return self.close(attempt.closed).await;
            }
        }
        Ok(None)
    }
}

/// The key of the one version that a proposal can become.
fn key(proposal: &Proposal) -> String {
    format!("accept:{}", proposal.id)
}

fn accepted(
    proposal: &Proposal,
    base: &Snapshot,
    head: &Snapshot,
    hunks: &[usize],
    amended: &BTreeMap<usize, String>,
) -> Result<Accepted, Misfit> {
    if head.info.is_deleted() {
        return Err(Misfit::Changed(hunks.to_vec()));
    }
    accept(proposal, (&base.info.title, &base.text), (&head.info.title, &head.text), hunks, amended)
}

fn broken() -> Refused {
    Refused::new(
        Reason::Corrupt,
        "This proposal does not fit the version that it names. Reject it and ask for a new one.",
    )
}

/// What is said to a decision on a closed proposal: the same decision again has the same answer.
fn settled(found: Proposal, decision: &Decision) -> Result<Proposal, Refused> {
    let same = found.answer.as_ref().is_some_and(|answer| {
        answer.by.id == decision.by.id
            && answer.accepted == decision.accepted
            && answer.amended == decision.amended
            && answer.note == decision.note
    });
    match (found.state, &found.answer) {
        (ProposalState::Stale, Some(answer)) => Err(Refused::new(Reason::Stale, answer.text.clone())),
        (ProposalState::Accepted | ProposalState::Partly | ProposalState::Rejected, _) if same => Ok(found),
        _ => Err(answered(&found)),
    }
}

/// `found`, closed by a decision.
fn closed(found: Proposal, decision: &Decision, state: ProposalState, version: Option<u32>) -> Proposal {
    let answer = Answer {
        by: decision.by.clone(),
        at: decision.at.clone(),
        accepted: decision.accepted.clone(),
        amended: decision.amended.clone(),
        note: decision.note.clone(),
        version,
        text: words(&found, decision, version),
    };
    Proposal { revision: found.revision + 1, state, answer: Some(answer), ..found }
}

/// The answer for the agent: what was accepted, amended and rejected, and the person's note.
fn words(found: &Proposal, decision: &Decision, version: Option<u32>) -> String {
    let (who, all) = (&decision.by.name, found.hunks.len());
    let accepted = &decision.accepted;
    let mut text = match version {
        _ if accepted.is_empty() => format!("{who} rejected {}. Nothing was written.", every(all)),
        _ if accepted.len() == all => format!("{who} accepted {}.", every(all)),
        _ => {
            let rejected: Vec<usize> = (0..all).filter(|hunk| accepted.binary_search(hunk).is_err()).collect();
            format!("{who} accepted {} and rejected {}.", numbered(accepted, all), numbered(&rejected, all))
        }
    };
    match version {
        Some(version) => text.push_str(&format!(" Saved as version {version}.")),
        None if !accepted.is_empty() => text.push_str(" The text stays as it was."),
        None => {}
    }
    for (hunk, amendment) in &decision.amended {
        let short: String = amendment.trim().chars().take(AMENDMENT).collect();
        let cut = if short.len() < amendment.trim().len() { " …" } else { "" };
        text.push_str(&format!(" {who} changed {} to: “{short}{cut}”", numbered(&[*hunk], all)));
    }
    text.push_str(&said(&decision.by, decision.note.as_deref()));
    text
}

/// How much of an amendment the answer repeats: the whole of it stands in the document.
const AMENDMENT: usize = 500;

fn said(who: &Author, note: Option<&str>) -> String {
    note.map(|note| format!(" {} says: “{}”", who.name, note.trim())).unwrap_or_default()
}

fn every(all: usize) -> String {
    if all == 1 { "the change".to_owned() } else { format!("all {all} changes") }
}

/// `change 2`, `changes 1, 2 and 5`: counted from 1.
fn numbered(hunks: &[usize], all: usize) -> String {
    let numbers: Vec<String> = hunks.iter().map(|hunk| (hunk + 1).to_string()).collect();
    match numbers.as_slice() {
        _ if all == 1 => "the change".to_owned(),
        [] => "no change".to_owned(),
        [one] => format!("change {one}"),
        [first @ .., last] => format!("changes {} and {last}", first.join(", ")),
    }
}
