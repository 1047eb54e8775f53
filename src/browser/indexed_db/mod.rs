//! A store in the browser's own database: what `indexedDbStore` of `index.d.ts` gives.
//!
//! It promises what `core.d.ts` asks of a `DocumentStore`, and besides: a commit is one readwrite transaction, of strict
//! durability, and is reported saved after its `complete` and never before; whatever goes wrong below is an answer with
//! a reason (`quota`, `blocked`, `corrupt`, `gone`, `unavailable`), and no other version is touched by it.
//!
//! It sits at the far end of the data's way: `documents` → commit → this store → the disk. `www/indexed-db-store.js`
//! copies what comes in, waits for this module, and calls [`IndexedDb::ask`]; the texts pass through as the JavaScript
//! strings they are. In reading order: `schema` (what lies on the disk), `connection`, `commit`, `proposals`,
//! `reading`, `watch`, `faults`.

mod commit;
mod connection;
mod faults;
mod proposals;
mod reading;
mod record;
mod schema;
mod watch;

use std::rc::{Rc, Weak};

use indexed_db_futures::internals::SystemRepr;
use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{future_to_promise, spawn_local};
use web_sys::IdbTransaction;

use commit::Done;
use connection::{Connecting, Connection};
use faults::{Fault, aborted};
use record::{Record, record_of};
use watch::Watching;

/// One store object of a page.
#[wasm_bindgen]
pub struct IndexedDb(Rc<Store>);

struct Store {
    connecting: Rc<Connecting>,
    watching: Watching,
}

#[wasm_bindgen]
impl IndexedDb {
    /// Over the database of this name. Nothing is opened yet, but others' versions are heard from now on.
    #[wasm_bindgen(constructor)]
    pub fn new(name: String) -> Self {
        Self(Rc::new_cyclic(|store: &Weak<Store>| {
            let hearing = store.clone();
            let heard = move |note| {
                if let Some(store) = hearing.upgrade() {
                    store.heard(note);
                }
            };
            Store { watching: Watching::to(&name, heard), connecting: Rc::new(Connecting::to(name)) }
        }))
    }

    /// One call by its name (`list`, `read`, `history`, `commit`, `erase`, `proposals`, `propose`) with its request,
    /// which is this store's own from here on. Always resolves, with a `StoreResult`.
    pub fn ask(&self, call: String, request: JsValue) -> Promise {
        let store = Rc::clone(&self.0);
        future_to_promise(async move { Ok(store.ask(&call, &request.unchecked_into()).await.into()) })
    }

    /// Calls `changed` for what happens in a space; gives the number to stop by.
    pub fn watch(&self, space: JsValue, changed: Function) -> u32 {
        self.0.watching.add(space, changed)
    }

    /// Ends one watch.
    pub fn unwatch(&self, number: u32) {
        self.0.watching.remove(number);
    }

    /// The page leaves, perhaps into the back/forward cache.
    pub fn rest(&self) {
        self.0.watching.close();
        self.0.connecting.close();
    }

    /// The page came back: what happened meanwhile was missed.
    pub fn wake(&self) {
        self.0.watching.subscribe();
        self.0.heard(record_of(&[("missed", &JsValue::TRUE)]));
    }
}

impl Store {
    /// The answer. A connection that broke is opened again and the call made once more.
    async fn ask(self: &Rc<Self>, call: &str, request: &Record) -> Record {
        let mut last = false;
        loop {
            let fault = match self.connecting.connection().await {
                Ok(connection) => match self.attempt(&connection, call, request, last).await {
                    Ok(done) => {
                        for note in done.notes {
                            self.watching.tell(&note);
                            self.heard(note);
                        }
                        return done.answer;
                    }
                    Err(fault) => {
                        if matches!(fault, Fault::Lost(_)) {
                            self.connecting.lost(&connection);
                        }
                        fault
                    }
                },
                Err(fault) => fault,
            };
            if last || matches!(fault, Fault::Refused(_)) {
                return fault.answer();
            }
            last = true;
        }
    }

    async fn attempt(&self, connection: &Connection, call: &str, request: &Record, last: bool) -> Result<Done, Fault> {
        let reads = matches!(call, "list" | "read" | "history" | "proposals");
        let transaction = if reads { connection.read()? } else { connection.write()? };
        let newer = connection.newer;
        let done = match call {
            "list" => reading::list(&transaction, request).await,
            "read" => reading::read(&transaction, request, last).await,
            "history" => reading::history(&transaction, request).await,
            "proposals" => proposals::list(&transaction, request).await,
            "propose" => proposals::save(&transaction, request, newer).await,
            "erase" => commit::erase(&transaction, request, newer).await,
            _ => commit::commit(&transaction, request, newer).await,
        };
        if reads {
            return done;
        }
        let raw: IdbTransaction = transaction.as_sys().clone().unchecked_into();
        let done = done.map_err(|fault| aborted(&raw, fault))?;
        if !done.notes.is_empty() {
            transaction.commit().await.map_err(|error| aborted(&raw, error.into()))?;
        }
        // Dropped without a commit, the transaction is rolled back: a refusal leaves no trace.
        Ok(done)
    }

    /// A note came, from elsewhere or from this store's own commit.
    fn heard(self: &Rc<Self>, note: Record) {
        if self.watching.queue(note) {
            let store = Rc::clone(self);
            spawn_local(async move {
                while let Some(note) = store.watching.take() {
                    store.pass_on(&note).await;
                }
            });
        }
    }

    /// Reads what a note names and tells those who watch.
    async fn pass_on(self: &Rc<Self>, note: &Record) {
        let (document, version) = (note.document(), note.version());
        if let (true, Some(version)) = (document.is_string(), version.as_f64().filter(|version| *version >= 1.0)) {
            let before = JsValue::from_f64(version + 1.0);
            let request =
                record_of(&[("document", &document), ("before", &before), ("limit", &JsValue::from_f64(1.0))]);
            if let Some(found) = first(self.ask("history", &request).await.versions()) {
                return self.watching.changed(&found.space(), "version", &found);
            }
        } else if !self.watching.listens(&note.space()) {
            return;
        } else if note.proposal().is_string() {
            let request = record_of(&[("space", &note.space()), ("id", &note.proposal())]);
            if let Some(found) = first(self.ask("proposals", &request).await.proposals()) {
                return self.watching.changed(&note.space(), "proposal", &found);
            }
        }
        self.watching.changed(&JsValue::UNDEFINED, "missed", &JsValue::TRUE);
    }
}

fn first(found: Option<Array>) -> Option<Record> {
    found.and_then(|found| record::given(found.get(0))).map(JsCast::unchecked_into)
}
