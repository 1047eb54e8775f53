//! Telling and hearing of versions made elsewhere: other tabs, and other store objects of this one.
//!
//! A note names a version or a proposal and holds nothing of it; what a watcher gets is read from the store. Notes are
//! heard in the order in which they came, one at a time. Where some may have been missed, the watcher is told that.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::{BroadcastChannel, MessageEvent};

use super::record::{Record, record_of};

struct Watcher {
    number: u32,
    space: JsValue,
    changed: Function,
}

/// The channel of one store object, and who listens.
pub(super) struct Watching {
    name: String,
    channel: RefCell<Option<BroadcastChannel>>,
    heard: Closure<dyn FnMut(MessageEvent)>,
    watchers: RefCell<Vec<Watcher>>,
    numbers: Cell<u32>,
    notes: RefCell<VecDeque<Record>>,
    telling: Cell<bool>,
}

impl Watching {
    /// Subscribes at once, before anything is read.
    pub(super) fn to(name: &str, mut heard: impl FnMut(Record) + 'static) -> Self {
        let heard = Closure::new(move |event: MessageEvent| {
            if event.data().is_object() {
                heard(event.data().unchecked_into());
            }
        });
        let watching = Self {
            name: ["countersign:", name].concat(),
            channel: RefCell::default(),
            heard,
            watchers: RefCell::default(),
            numbers: Cell::new(0),
            notes: RefCell::default(),
            telling: Cell::new(false),
        };
        watching.subscribe();
        watching
    }

    pub(super) fn subscribe(&self) {
        if self.channel.borrow().is_none() {
            // Without channels, other tabs are heard of at the next read only.
            let channel = BroadcastChannel::new(&self.name).ok();
            if let Some(channel) = &channel {
                channel.set_onmessage(Some(self.heard.as_ref().unchecked_ref()));
            }
            self.channel.replace(channel);
        }
    }

    pub(super) fn close(&self) {
        if let Some(channel) = self.channel.take() {
            channel.close();
        }
    }

    /// Tells the others. Our own watchers hear of it by the queue.
    pub(super) fn tell(&self, note: &Record) {
        if let Some(channel) = self.channel.borrow().as_ref() {
            // A channel that closed meanwhile reaches no one.
            let _ = channel.post_message(note);
        }
    }

    pub(super) fn add(&self, space: JsValue, changed: Function) -> u32 {
        let number = self.numbers.get();
        self.numbers.set(number.wrapping_add(1));
        self.watchers.borrow_mut().push(Watcher { number, space, changed });
        number
    }

    pub(super) fn remove(&self, number: u32) {
        self.watchers.borrow_mut().retain(|watcher| watcher.number != number);
    }

    /// Whether anyone listens: to this space, or to any where it is not known yet.
    pub(super) fn listens(&self, space: &JsValue) -> bool {
        self.watchers.borrow().iter().any(|watcher| space.is_undefined() || watcher.space == *space)
    }

    /// Puts a note into the queue; true where the caller must now work through it.
    pub(super) fn queue(&self, note: Record) -> bool {
        if self.listens(&JsValue::UNDEFINED) {
            self.notes.borrow_mut().push_back(note);
        }
        !self.notes.borrow().is_empty() && !self.telling.replace(true)
    }

    /// The next note; none ends the turn of whoever works through the queue.
    pub(super) fn take(&self) -> Option<Record> {
        let note = self.notes.borrow_mut().pop_front();
        self.telling.set(note.is_some());
        note
    }

    /// Calls the watchers of a space, or all where it is not known.
    pub(super) fn changed(&self, space: &JsValue, name: &str, what: &JsValue) {
        let told: Vec<Function> = {
            let watchers = self.watchers.borrow();
            let of_space = watchers.iter().filter(|watcher| space.is_undefined() || watcher.space == *space);
            of_space.map(|watcher| watcher.changed.clone()).collect()
        };
        for changed in told {
            // The wrapper in `www/indexed-db-store.js` reports what a watcher throws.
            let _ = changed.call1(&JsValue::NULL, &record_of(&[(name, what)]));
        }
    }
}
