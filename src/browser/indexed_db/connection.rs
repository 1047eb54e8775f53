//! One connection to the database, opened when first needed and again when it was lost.
//!
//! The connection closes by itself when another tab asks to upgrade or delete the database: `onversionchange` is the
//! database's own `close`, so that it works even after this module panicked. A closed connection shows at the next
//! transaction, which is then made again over a new one.
//!
//! A database is known by the number it got when it was made. A page that comes back to another number, or to none, has
//! had its documents wiped underneath, and says so instead of starting over as if there had been nothing.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use indexed_db_futures::database::Database;
use indexed_db_futures::internals::SystemRepr;
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::{Transaction, TransactionDurability, TransactionMode, TransactionOptions};
use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise};

use super::faults::{Fault, Unopened};
use super::schema;

/// After so many milliseconds without an open database, the caller hears `blocked`. The contract promises five seconds.
const PATIENCE: i32 = 4000;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(heard: &Function, milliseconds: i32) -> JsValue;
}

/// An open database.
pub(super) struct Connection {
    database: Database,
    /// Its schema is newer than this code: it is read, never written.
    pub(super) newer: bool,
}

impl Connection {
    /// A transaction that writes, and whose `complete` means that the bytes are on the disk. It only reads where the schema is newer.
    pub(super) fn write(&self) -> Result<Transaction<'_>, Fault> {
        if self.newer {
            return self.read();
        }
        let strict = TransactionOptions::new().with_durability(TransactionDurability::Strict);
        let transaction = self.database.transaction(schema::ALL).with_mode(TransactionMode::Readwrite);
        Ok(transaction.with_options(strict).build()?)
    }

    pub(super) fn read(&self) -> Result<Transaction<'_>, Fault> {
        Ok(self.database.transaction(schema::ALL).with_mode(TransactionMode::Readonly).build()?)
    }

    /// Lets running transactions end, then closes.
    pub(super) fn close(&self) {
        self.database.clone().close();
    }
}

/// The connection of one store object: at most one at a time, shared by its calls.
#[derive(Default)]
pub(super) struct Connecting {
    name: String,
    open: RefCell<Option<Rc<Connection>>>,
    opening: RefCell<Option<Promise>>,
    /// Why the last attempt to open failed, for the calls that waited for it.
    failed: RefCell<Option<Fault>>,
    /// The number of the database that this page has seen.
    made: Cell<Option<f64>>,
}

impl Connecting {
    pub(super) fn to(name: String) -> Self {
        Self { name, ..Self::default() }
    }

    /// The open connection, or a new one.
    pub(super) async fn connection(self: &Rc<Self>) -> Result<Rc<Connection>, Fault> {
        if let Some(open) = self.open.borrow().clone() {
            return Ok(open);
        }
        let waiting = self.opening.borrow().clone();
        let opening = waiting.unwrap_or_else(|| {
            let connecting = Rc::clone(self);
            let opening = future_to_promise(async move {
                let opened = connecting.open().await;
                connecting.opening.take();
                match opened {
                    Ok(connection) => connecting.open.replace(Some(Rc::new(connection))).map_or((), |old| old.close()),
                    Err(fault) => drop(connecting.failed.replace(Some(fault))),
                }
                Ok(JsValue::TRUE)
            });
            self.opening.replace(Some(opening.clone()));
            opening
        });
        let patience = Promise::new(&mut |resolve, _| {
            set_timeout(resolve.unchecked_ref(), PATIENCE);
        });
        let first = JsFuture::from(Promise::race(&Array::of2(&opening, &patience))).await;
        if !matches!(first, Ok(opened) if opened.is_truthy()) {
            // The attempt goes on; a later call finds it, or what became of it.
            return Err(Fault::busy());
        }
        if let Some(open) = self.open.borrow().clone() {
            return Ok(open);
        }
        match self.failed.borrow().clone() {
            Some(fault) => Err(fault),
            None => Err(Fault::Lost("AbortError".into())),
        }
    }

    /// Forgets a connection that failed; the next call opens another.
    pub(super) fn lost(&self, connection: &Rc<Connection>) {
        let mut open = self.open.borrow_mut();
        if open.as_ref().is_some_and(|open| Rc::ptr_eq(open, connection)) {
            *open = None;
        }
        connection.close();
    }

    /// Closes until the next call: the page is leaving, and an open connection would keep it out of the back/forward cache.
    pub(super) fn close(&self) {
        if let Some(open) = self.open.take() {
            open.close();
        }
    }

    async fn open(&self) -> Result<Connection, Fault> {
        let name = self.name.as_str();
        let upgrading = |_, database: Database| schema::create(&database);
        let opened = match Database::open(name).with_version(schema::SCHEMA).with_on_upgrade_needed(upgrading).build() {
            Ok(opening) => opening.await,
            Err(error) => Err(error),
        };
        let connection = match opened.map_err(Unopened::from) {
            Ok(database) => Connection { database, newer: false },
            Err(Unopened::Fault(fault)) => return Err(fault),
            Err(Unopened::Newer) => {
                let opened = match Database::open(name).build() {
                    Ok(opening) => opening.await,
                    Err(error) => Err(error),
                };
                match opened.map_err(Unopened::from) {
                    Ok(database) => Connection { database, newer: true },
                    Err(Unopened::Fault(fault)) => return Err(fault),
                    Err(Unopened::Newer) => return Err(Fault::newer()),
                }
            }
        };
        self.recognise(&connection).await.inspect_err(|_| connection.close())?;
        Ok(connection)
    }

    /// Whether it is the database that this page knew, and that it closes when it is in the way.
    async fn recognise(&self, connection: &Connection) -> Result<(), Fault> {
        let database = connection.database.as_sys();
        if let Ok(close) = Reflect::get(database, &JsValue::from_str("close")) {
            let close: Function = close.unchecked_into();
            database.set_onversionchange(Some(&close.bind0(database)));
        }
        if !connection.newer && connection.database.object_store_names().all(|name| name != schema::STORE) {
            return Err(Fault::closed("its name is taken by another database"));
        }
        let reading = connection.read()?;
        let made = schema::ledger(&reading).await?.made();
        match self.made.get() {
            Some(known) if known != made => Err(Fault::gone()),
            _ => {
                self.made.set(Some(made));
                Ok(())
            }
        }
    }
}
