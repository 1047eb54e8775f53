//! `<countersign-review>`: the card on which a person reads a proposal hunk by hunk, and countersigns it.
//!
//! State is one [`Card`] of signals; the view is a function of it. What a person decides goes to the host first
//! (`countersign-decide`), then to `documents`, and the card shows what came back, not what was hoped for.

use leptos::ev;
use leptos::html;
use leptos::prelude::*;

use super::bar::LabelsSignal;
use super::lines::lines;
use crate::browser::host::Labels;
use crate::change::diff::Sign;
use crate::change::proposal::{Proposal, ProposalState, ProposedHunk};

/// What the card is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Waiting for the person.
    #[default]
    Idle,
    /// Fetching a proposal by its id.
    Fetching,
    /// A decision is on its way.
    Deciding,
    /// The last attempt failed; why.
    Failed(String),
    /// The decision was taken back as this version.
    Undone(u32),
}

/// The card's state, and what its buttons do.
#[derive(Clone, Copy)]
pub(crate) struct Card {
    pub(crate) proposal: RwSignal<Option<Proposal>, LocalStorage>,
    /// By hunk: whether it is to be applied.
    pub(crate) chosen: RwSignal<Vec<bool>>,
    /// A word to the agent.
    pub(crate) note: RwSignal<String>,
    pub(crate) phase: RwSignal<Phase>,
    /// Whether the decision can still be taken back: nothing newer exists.
    pub(crate) undoable: RwSignal<bool>,
    pub(crate) labels: LabelsSignal,
    /// Decides: the numbers of the accepted hunks.
    pub(crate) decide: UnsyncCallback<(Vec<u32>,)>,
    pub(crate) undo: UnsyncCallback<()>,
}

impl Card {
    /// The whole card. The live region is there from the start, so that what appears in it is announced.
    pub(crate) fn view(self) -> impl IntoView {
        (html::div().attr("role", "status").class("unseen").child(move || self.said()), move || {
            match &*self.proposal.read() {
                Some(proposal) => self.article(proposal).into_any(),
                None => self.placeholder().into_any(),
            }
        })
    }

    fn label(self, name: &str, values: &[(&str, &str)]) -> String {
        self.labels.read().text(name, values)
    }

    /// Nothing to show yet, or nothing at all.
    fn placeholder(self) -> impl IntoView {
        move || {
            let text = match &*self.phase.read() {
                Phase::Fetching => self.label("review.loading", &[]),
                Phase::Failed(message) => self.label("review.failed", &[("message", message)]),
                _ => return None,
            };
            Some(html::p().class("status").child(text))
        }
    }

    fn article(self, proposal: &Proposal) -> impl IntoView + use<> {
        let labels = self.labels.read();
        let count = proposal.hunks.len();
        let open = proposal.state == ProposalState::Open;
        let label = labels.text("review.label", &[("title", &proposal.title)]);
        let hunks: Vec<_> = proposal
            .hunks
            .iter()
            .enumerate()
            .map(|(index, hunk)| self.hunk(hunk, index, count, open, &labels).into_any())
            .collect();
        html::article()
            .class("card")
            .attr("part", "card")
            .attr("aria-label", label)
            .attr("data-state", proposal.state.name())
            .child((
                header(proposal, &labels),
                hunks,
                if open {
                    self.footer(proposal, &labels).into_any()
                } else {
                    self.answer(proposal, &labels).into_any()
                },
            ))
    }

    fn hunk(
        self,
        hunk: &ProposedHunk,
        index: usize,
        count: usize,
        open: bool,
        labels: &Labels,
    ) -> impl IntoView + use<> {
        let (number, total) = ((index + 1).to_string(), count.to_string());
        let change = labels.text("review.change", &[("number", &number), ("count", &total)]);
        let place = place(hunk, labels);
        let removes = hunk.hunk.lines.iter().any(|line| line.sign == Sign::Removed)
            && !hunk.hunk.lines.iter().any(|line| line.sign == Sign::Added);
        let mut notes: Vec<String> = hunk.hunk.notes.clone();
        if removes {
            notes.push(labels.text("review.removes", &[]));
        }
        let notes = notes.into_iter().map(|note| html::p().class("note").child(note).into_any()).collect::<Vec<_>>();
        let chosen = move || self.chosen.read().get(index).copied().unwrap_or(false);
        let caption =
            (html::span().child(change.clone()), html::span().class("place").attr("dir", "auto").child(place.clone()));
        let caption = if open {
            let toggle = html::input()
                .attr("type", "checkbox")
                .prop("checked", chosen)
                .prop("disabled", move || *self.phase.read() == Phase::Deciding)
                .on(ev::change, move |event| {
                    let checked = event_target_checked(&event);
                    self.chosen.update(|chosen| chosen.get_mut(index).into_iter().for_each(|one| *one = checked));
                });
            html::label().class("caption").child((toggle, caption)).into_any()
        } else {
            html::div().class("caption").child(caption).into_any()
        };
        html::section()
            .class("hunk")
            .attr("part", "hunk")
            .attr("role", "group")
            .attr("aria-label", format!("{change}, {place}"))
            .attr("data-chosen", move || (!open || chosen()).then_some(""))
            .child((caption, lines(&hunk.hunk, labels), notes))
    }

    fn footer(self, proposal: &Proposal, labels: &Labels) -> impl IntoView + use<> {
        let count = proposal.hunks.len();
        let total = count.to_string();
        let selected = move || self.chosen.read().iter().filter(|chosen| **chosen).count();
        let busy = move || *self.phase.read() == Phase::Deciding;
        let accepted = move || -> Vec<u32> {
            self.chosen.read_untracked().iter().zip(0..).filter_map(|(chosen, index)| chosen.then_some(index)).collect()
        };
        let apply_total = total.clone();
        let apply = move || match selected() {
            _ if busy() => self.label("review.working", &[]),
            _ if count == 1 => self.label("review.apply", &[]),
            all if all == count => self.label("review.apply-all", &[]),
            some => self.label("review.apply-some", &[("selected", &some.to_string()), ("count", &apply_total)]),
        };
        let reject = labels.text(if count == 1 { "review.reject" } else { "review.reject-all" }, &[]);
        let word = labels.text("review.note", &[("name", &proposal.by.name)]);
        html::footer().child((
            html::label().class("word").child((
                html::span().class("unseen").child(word.clone()),
                html::input()
                    .attr("type", "text")
                    .attr("dir", "auto")
                    .attr("placeholder", word)
                    .attr("maxlength", "2000")
                    .prop("value", move || self.note.get())
                    .on(ev::input, move |event| self.note.set(event_target_value(&event))),
            )),
            html::div().class("buttons").child((
                html::small().child(move || {
                    self.label("review.selected", &[("selected", &selected().to_string()), ("count", &total)])
                }),
                html::button()
                    .class("quiet")
                    .attr("type", "button")
                    .attr("part", "reject")
                    .prop("disabled", busy)
                    .on(ev::click, move |_| self.decide.run((Vec::new(),)))
                    .child(reject),
                html::button()
                    .class("main")
                    .attr("type", "button")
                    .attr("part", "apply")
                    .prop("disabled", move || busy() || selected() == 0)
                    .on(ev::click, move |_| self.decide.run((accepted(),)))
                    .child(apply),
            )),
            move || match &*self.phase.read() {
                Phase::Failed(message) => {
                    Some(html::p().class("note").child(self.label("review.failed", &[("message", message)])))
                }
                _ => None,
            },
        ))
    }

    /// What became of the proposal, and the way back.
    fn answer(self, proposal: &Proposal, labels: &Labels) -> impl IntoView + use<> {
        let outcome = outcome(proposal, labels);
        let by = proposal.answer.as_ref().map(|answer| {
            let at = answer.at.replace('T', " ");
            let at = at.get(..16).unwrap_or(&at).to_owned();
            labels.text("review.answered-by", &[("name", &answer.by.name), ("at", &at)])
        });
        let note = proposal.answer.as_ref().and_then(|answer| answer.note.clone());
        let undo = labels.text("review.undo", &[]);
        html::footer().class("answered").child((
            html::p().class("status").child(outcome),
            by.map(|by| html::small().child(by)),
            note.map(|note| html::blockquote().attr("dir", "auto").child(note)),
            move || match &*self.phase.read() {
                Phase::Undone(version) => Some(
                    html::p()
                        .class("status")
                        .child(self.label("review.undone", &[("version", &version.to_string())]))
                        .into_any(),
                ),
                Phase::Failed(message) => {
                    Some(html::p().class("note").child(self.label("review.failed", &[("message", message)])).into_any())
                }
                _ if self.undoable.get() => Some(
                    html::button()
                        .attr("type", "button")
                        .attr("part", "undo")
                        .prop("disabled", move || *self.phase.read() == Phase::Deciding)
                        .on(ev::click, move |_| self.undo.run(()))
                        .child(undo.clone())
                        .into_any(),
                ),
                _ => None,
            },
        ))
    }

    /// What is announced: the outcome, once there is one.
    fn said(self) -> Option<String> {
        match &*self.phase.read() {
            Phase::Failed(message) => return Some(self.label("review.failed", &[("message", message)])),
            Phase::Undone(version) => return Some(self.label("review.undone", &[("version", &version.to_string())])),
            Phase::Deciding => return Some(self.label("review.working", &[])),
            Phase::Idle | Phase::Fetching => {}
        }
        let proposal = self.proposal.read();
        let proposal = proposal.as_ref().filter(|proposal| proposal.state != ProposalState::Open)?;
        Some(outcome(proposal, &self.labels.read()))
    }
}

fn header(proposal: &Proposal, labels: &Labels) -> impl IntoView + use<> {
    let title = [("title", proposal.title.as_str())];
    let heading = match (proposal.document.is_some(), proposal.hunks.len()) {
        (false, _) => labels.text("review.heading-new", &title),
        (true, 1) => labels.text("review.heading-one", &title),
        (true, count) => labels.text("review.heading", &[("title", &proposal.title), ("count", &count.to_string())]),
    };
    let version = proposal.base.map(|base| labels.text("review.version", &[("version", &base.to_string())]));
    let by = match &proposal.by.on_behalf {
        Some(person) => labels.text("review.by-for", &[("name", &proposal.by.name), ("for", &person.name)]),
        None => labels.text("review.by", &[("name", &proposal.by.name)]),
    };
    let by = version.into_iter().chain([by]).collect::<Vec<_>>().join(" · ");
    let summary = proposal.summary.clone().map(|summary| html::p().class("summary").attr("dir", "auto").child(summary));
    html::header().child((html::strong().attr("dir", "auto").child(heading), html::small().child(by), summary))
}

/// Where a hunk stands, in words.
fn place(hunk: &ProposedHunk, labels: &Labels) -> String {
    let block = hunk.hunk.block.to_string();
    match &hunk.hunk.heading {
        Some(heading) => labels.text("review.place-heading", &[("heading", heading), ("block", &block)]),
        None => labels.text("review.place", &[("block", &block)]),
    }
}

/// What became of an answered proposal, in words.
fn outcome(proposal: &Proposal, labels: &Labels) -> String {
    let version = proposal.answer.as_ref().and_then(|answer| answer.version).map(|version| version.to_string());
    let accepted = proposal.answer.as_ref().map_or(0, |answer| answer.accepted.len()).to_string();
    let count = proposal.hunks.len().to_string();
    let values = [
        ("version", version.as_deref().unwrap_or_default()),
        ("accepted", &accepted),
        ("count", &count),
        ("name", &proposal.by.name),
    ];
    let name = match proposal.state {
        ProposalState::Open => "review.label",
        ProposalState::Accepted => "review.accepted",
        ProposalState::Partly => "review.partly",
        ProposalState::Rejected => "review.rejected",
        ProposalState::Stale => "review.stale",
        ProposalState::Withdrawn => "review.withdrawn",
    };
    labels.text(name, &values)
}
