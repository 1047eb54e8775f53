//! Reviewing: from the properties of a `<countersign-review>` to its card, and from a decision to its answer.
//!
//! The host is asked first; where it leaves the decision to `documents`, that answers. What the card then shows is the
//! proposal that came back.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use js_sys::{Array, Object, Promise, Reflect};
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::review::{Card, Phase};
use crate::browser::host::{Host, Labels};
use crate::browser::stored::{self, Documents, Subscription, answered, json_of, message_of, parsed};
use crate::change::proposal::{Proposal, ProposalState};
use crate::js::elements as js;
use crate::{Reason, Refused};

#[wasm_bindgen]
extern "C" {
    /// The hand-written half of a `<countersign-review>`.
    #[wasm_bindgen(extends = Host)]
    #[derive(Clone)]
    pub type DecidingHost;

    /// Resolves with the host's answer, with null where it prevented the decision, with undefined where it leaves it.
    #[wasm_bindgen(method, js_name = decideByHost)]
    fn decide_by_host(this: &DecidingHost, decision: &Object) -> Promise;
}

/// Where the proposal comes from and goes to.
#[derive(Default)]
struct Keeping {
    documents: Option<Documents>,
    /// The proposal by its id.
    id: Option<String>,
    /// The proposal as the host or `documents` gave it.
    object: JsValue,
    subscriptions: Vec<Subscription>,
    /// Counts what was asked: an answer to something older comes too late.
    asked: u32,
}

/// One element's state and view.
pub(crate) struct ReviewView {
    host: DecidingHost,
    card: Card,
    keeping: RefCell<Keeping>,
    _mounted: Box<dyn std::any::Any>,
}

impl ReviewView {
    /// Builds the view in the host's shadow root.
    pub(crate) fn new(host: DecidingHost) -> Option<Rc<Self>> {
        host.adopt("review", concat!(include_str!("tokens.css"), include_str!("review.css")));
        let frame = host.frame()?;
        Some(Rc::new_cyclic(|this: &Weak<Self>| {
            let (deciding, undoing) = (this.clone(), this.clone());
            let card = Card {
                proposal: RwSignal::new_local(None),
                chosen: RwSignal::new(Vec::new()),
                note: RwSignal::new(String::new()),
                phase: RwSignal::new(Phase::Idle),
                undoable: RwSignal::new(false),
                labels: RwSignal::new_local(Labels::default()),
                decide: UnsyncCallback::new(move |(accepted,)| {
                    if let Some(this) = deciding.upgrade() {
                        spawn_local(async move { this.decide(accepted).await });
                    }
                }),
                undo: UnsyncCallback::new(move |()| {
                    if let Some(this) = undoing.upgrade() {
                        spawn_local(async move { this.undo().await });
                    }
                }),
            };
            let mounted = mount_to(frame, move || card.view());
            Self { host, card, keeping: RefCell::default(), _mounted: Box::new(mounted) }
        }))
    }

    /// Takes a property of the element.
    pub(crate) fn set(self: &Rc<Self>, name: &str, value: &JsValue) {
        match name {
            "labels" => self.card.labels.set(Labels::new(value)),
            "documents" => {
                let documents = value.is_object().then(|| value.clone().unchecked_into::<Documents>());
                self.keeping.borrow_mut().documents = documents;
                self.follow();
            }
            "proposal" => {
                self.keeping.borrow_mut().id = value.as_string().or_else(|| stored::text(value, "id"));
                self.card.phase.set(Phase::Idle);
                self.card.note.set(String::new());
                self.show(if value.is_object() { value.clone() } else { JsValue::NULL });
                self.follow();
            }
            _ => {}
        }
    }

    pub(crate) fn connected(self: &Rc<Self>) {
        self.follow();
    }

    pub(crate) fn disconnected(&self) {
        self.keeping.borrow_mut().subscriptions.clear();
    }

    /// Shows a proposal as it is now. Its hunks are all selected at first; what a person unselected stays so.
    fn show(self: &Rc<Self>, object: JsValue) {
        let proposal = json_of(&object).and_then(|json| js::read_proposal(&json));
        let count = proposal.as_ref().map_or(0, |proposal| proposal.hunks.len());
        let same = {
            let shown = self.card.proposal.read_untracked();
            shown.as_ref().map(|shown| &shown.id) == proposal.as_ref().map(|proposal| &proposal.id)
                && self.card.chosen.read_untracked().len() == count
        };
        if !same {
            self.card.chosen.set(vec![true; count]);
        }
        self.keeping.borrow_mut().object = object;
        self.card.undoable.set(false);
        self.card.proposal.set(proposal);
        self.check_undo();
    }

    /// Fetches a proposal that is known by its id only, and hears of what becomes of it.
    fn follow(self: &Rc<Self>) {
        let (documents, id, known) = {
            let mut keeping = self.keeping.borrow_mut();
            keeping.subscriptions.clear();
            let (Some(documents), Some(id)) = (keeping.documents.clone(), keeping.id.clone()) else { return };
            if !self.host.is_connected() {
                return;
            }
            let heard = |act: fn(&Rc<Self>, JsValue)| {
                let this = Rc::downgrade(self);
                move |detail: JsValue| {
                    if let Some(this) = this.upgrade() {
                        act(&this, detail);
                    }
                }
            };
            keeping.subscriptions.extend(Subscription::new(&documents, "proposal", heard(Self::heard)));
            keeping.subscriptions.extend(Subscription::new(&documents, "version", heard(|this, _| this.check_undo())));
            (documents, id, keeping.object.is_object())
        };
        if !known {
            self.card.phase.set(Phase::Fetching);
        }
        let asked = self.ask();
        let this = self.clone();
        spawn_local(async move {
            let options = Object::new();
            let _ = Reflect::set(&options, &"id".into(), &id.as_str().into());
            let answer = answered("proposals", documents.proposals(&options).await, "proposals");
            if this.keeping.borrow().asked != asked {
                return;
            }
            match answer.map(|found| Array::from(&found).get(0)) {
                Ok(found) if found.is_object() => {
                    this.card.phase.set(Phase::Idle);
                    this.show(found);
                }
                // A proposal that the host gave as an object need not be one of `documents`.
                _ if known => this.card.phase.set(Phase::Idle),
                Ok(_) => this.failed(&Refused::new(Reason::NotFound, "There is no such proposal.")),
                Err(refused) => this.failed(&refused),
            }
        });
    }

    fn ask(&self) -> u32 {
        let mut keeping = self.keeping.borrow_mut();
        keeping.asked += 1;
        keeping.asked
    }

    /// A proposal changed elsewhere.
    fn heard(self: &Rc<Self>, proposal: JsValue) {
        let (id, known) = {
            let keeping = self.keeping.borrow();
            (keeping.id.clone(), stored::number(&keeping.object, "revision").unwrap_or(0))
        };
        let newer = stored::number(&proposal, "revision").is_some_and(|revision| revision > known);
        if id.is_some() && stored::text(&proposal, "id") == id && newer {
            self.ask();
            self.card.phase.set(Phase::Idle);
            self.show(proposal);
        }
    }

    fn failed(&self, refused: &Refused) {
        self.card.phase.set(Phase::Failed(refused.message.clone()));
        self.host.emit("countersign-error", &parsed(&js::refused(refused)), false);
    }

    // ── Deciding ──

    async fn decide(self: Rc<Self>, accepted: Vec<u32>) {
        let (documents, object, id) = {
            let keeping = self.keeping.borrow();
            (keeping.documents.clone(), keeping.object.clone(), keeping.id.clone())
        };
        let (Some(id), false) = (id, *self.card.phase.read_untracked() == Phase::Deciding) else { return };
        self.card.phase.set(Phase::Deciding);
        let asked = self.ask();
        let note = self.card.note.get_untracked();
        let accepted: JsValue = accepted.into_iter().map(JsValue::from).collect::<Array>().into();
        let decision = Object::new();
        let options = Object::new();
        let _ = Reflect::set(&decision, &"proposal".into(), &object);
        let _ = Reflect::set(&decision, &"accepted".into(), &accepted);
        if !note.trim().is_empty() {
            let _ = Reflect::set(&decision, &"note".into(), &note.trim().into());
            let _ = Reflect::set(&options, &"note".into(), &note.trim().into());
        }
        let by_host = JsFuture::from(self.host.decide_by_host(&decision)).await;
        let answer = match (by_host, documents) {
            // Prevented: the host will see to it, and the card goes on when it hears of it.
            (Ok(answer), _) if answer.is_null() => {
                self.card.phase.set(Phase::Idle);
                return;
            }
            (Ok(answer), Some(documents)) if answer.is_undefined() => documents.decide(&id, &accepted, &options).await,
            (Ok(answer), None) if answer.is_undefined() => {
                let nobody = "Nothing is there to decide with: set `documents`, or answer `countersign-decide`.";
                return self.failed(&Refused::new(Reason::Unavailable, nobody));
            }
            (Ok(answer), _) => Ok(answer),
            (Err(error), _) => {
                return self.failed(&Refused::new(Reason::Unavailable, message_of(&error)));
            }
        };
        match answered("decide", answer, "proposal") {
            Ok(proposal) => {
                // The same may have been heard already; shown twice it is the same.
                self.card.phase.set(Phase::Idle);
                self.show(proposal);
            }
            // Answered elsewhere in the meantime, and heard of: the card shows that.
            Err(_) if self.keeping.borrow().asked != asked && self.is_answered() => {}
            Err(refused) => {
                self.failed(&refused);
                if refused.reason == Reason::Answered || refused.reason == Reason::Conflict {
                    self.follow();
                }
            }
        }
    }

    fn is_answered(&self) -> bool {
        let proposal = self.card.proposal.read_untracked();
        proposal.as_ref().is_some_and(|proposal| proposal.state != ProposalState::Open)
    }

    // ── Undoing ──

    /// The document and the version that the decision made, where it can be undone.
    fn made(&self) -> Option<(Documents, String, u32)> {
        let documents = self.keeping.borrow().documents.clone()?;
        let proposal = self.card.proposal.read_untracked();
        let Proposal { document, answer, .. } = proposal.as_ref()?;
        let version = answer.as_ref()?.version.filter(|version| *version > 1)?;
        Some((documents, document.clone()?, version))
    }

    /// Offers "Undo" while the version that the decision made is the newest.
    fn check_undo(self: &Rc<Self>) {
        let Some((documents, document, version)) = self.made() else { return self.card.undoable.set(false) };
        let this = self.clone();
        spawn_local(async move {
            let head = answered("read", documents.read(&document).await, "snapshot");
            let newest = head.ok().and_then(|head| stored::number(&head, "version"));
            if this.made().is_some_and(|(_, _, made)| made == version) {
                this.card.undoable.set(newest == Some(version));
            }
        });
    }

    async fn undo(self: Rc<Self>) {
        let Some((documents, document, version)) = self.made() else { return };
        self.card.phase.set(Phase::Deciding);
        match answered("restore", documents.restore(&document, version - 1).await, "snapshot") {
            Ok(snapshot) => {
                self.card.undoable.set(false);
                self.card.phase.set(Phase::Undone(stored::number(&snapshot, "version").unwrap_or(version + 1)));
            }
            Err(refused) => self.failed(&refused),
        }
    }
}
