//! Documents from JavaScript: each operation is a task over the host's store, and its result goes back as a value.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use super::json::{Json, Value};
use super::numbered::Numbered;
use super::store::{Host, HostStore, units};
use super::utf16::Utf16;
use super::wire::{self, out};
use super::{records, take, task};
use crate::change::proposal::Proposal;
use crate::history::{
    Author, Change, Decide, Documents, Propose, ProposeRefused, SaveRefused, Saved, Which, Withdraw, World, Write,
};
use crate::{Reason, Refused};

/// The host's clock and ids.
struct HostWorld(Rc<Host>);

impl World for HostWorld {
    fn now(&self) -> String {
        self.0.now()
    }

    fn new_id(&self) -> String {
        self.0.new_id()
    }
}

type HostDocuments = Documents<HostStore, HostWorld>;

#[derive(Clone)]
struct Open {
    documents: Rc<HostDocuments>,
    host: Rc<Host>,
}

thread_local! {
    static HANDLES: RefCell<Numbered<Open>> = const { RefCell::new(Numbered::new()) };
}

/// Opens documents for `host`, and gives their handle.
#[wasm_bindgen(js_name = openDocuments)]
pub fn open_documents(host: Host, options: &str) -> Result<u32, JsError> {
    let host = Rc::new(host);
    let documents = take(options, |mut options| {
        let holds_proposals = options.take("proposals")?.flag()?;
        let can_erase = options.take("erase")?.flag()?;
        let store = HostStore::new(Rc::clone(&host), holds_proposals, can_erase);
        let author = records::read_author(options.take("author")?)?;
        let documents = Documents::new(store, HostWorld(Rc::clone(&host)), options.text_of("space")?, author);
        Some(match options.take("maxBytes").and_then(Value::number) {
            Some(most) => documents.with_max_bytes(most as usize),
            None => documents,
        })
    })?;
    Ok(HANDLES.with_borrow_mut(|handles| handles.add(Open { documents: Rc::new(documents), host })))
}

/// Forgets a handle. What is under way goes on to its end.
#[wasm_bindgen(js_name = closeDocuments)]
pub fn close_documents(handle: u32) {
    HANDLES.with_borrow_mut(|handles| handles.take(handle));
}

/// Starts `operation`; its result comes by the host's `settle`, under the number `task`.
#[wasm_bindgen(js_name = runDocuments)]
pub fn run_documents(handle: u32, task: u32, operation: String, arguments: &str) -> Result<(), JsError> {
    let arguments = take(arguments, Some)?;
    let open = HANDLES.with_borrow_mut(|handles| handles.get(handle).cloned());
    let open = open.ok_or_else(|| JsError::new("no such documents"))?;
    task::spawn(async move {
        let result = match run(&open.documents, &operation, arguments).await {
            Some(result) => result,
            None => refused(&Refused::new(Reason::Unavailable, "This operation is not known here.")),
        };
        open.host.settle(task, &result);
    });
    Ok(())
}

fn refused(refused: &Refused) -> String {
    out(|json| wire::refused(json, refused))
}

/// The value of `result` with `ok: true` in front, or its refusal.
fn answer<T>(result: Result<T, Refused>, fields: impl FnOnce(&mut Json, &T)) -> String {
    out(|json| match &result {
        Ok(value) => wire::ok(json, |json| fields(json, value)),
        Err(refused) => wire::refused(json, refused),
    })
}

fn write(value: Option<Value>) -> Option<Write> {
    let mut value = value?;
    Some(Write { by: by(&mut value)?, summary: value.take("summary").and_then(Value::text), key: key(&mut value) })
}

fn key(value: &mut Value) -> Option<String> {
    value.take("key").and_then(Value::text)
}

/// Who acts, where it is said: none in the outer option is a value that cannot be read.
fn by(value: &mut Value) -> Option<Option<Author>> {
    match value.take("by") {
        Some(author) => records::read_author(author).map(Some),
        None => Some(None),
    }
}

/// What a write came to; its splices lie in `sent`.
fn saved(result: Result<Saved, SaveRefused>, sent: &Utf16<'_>) -> String {
    out(|json| match &result {
        Ok(saved) => wire::ok(json, |json| {
            records::snapshot(json.field("snapshot"), &saved.snapshot);
            json.field("merged").flag(saved.merged);
            json.field("unchanged").flag(saved.unchanged);
            wire::splices(json, &saved.splices, sent);
        }),
        Err(SaveRefused::Refused(refused)) => wire::refused(json, refused),
        Err(SaveRefused::Clash { clash, head }) => {
            wire::refused_merge(json, clash, |json| records::snapshot(json.field("head"), head));
        }
    })
}

/// The text of a version that an operation has just read: it is at hand.
async fn text_of(documents: &HostDocuments, document: &str, version: u32) -> Result<Rc<str>, Refused> {
    let text = documents.store().text(Some(documents.space()), document, version).await?;
    text.ok_or_else(|| Refused::new(Reason::Corrupt, "A version cannot be read any more. Try again."))
}

async fn proposal(documents: &HostDocuments, result: Result<Proposal, Refused>) -> String {
    match result {
        Ok(found) => match documents.store().base_of(&found).await {
            Ok(base) => out(|json| {
                wire::ok(json, |json| records::proposal(json.field("proposal"), &found, &units(base.as_deref())));
            }),
            Err(error) => refused(&error.into()),
        },
        Err(error) => refused(&error),
    }
}

/// A proposal that was refused. Its places lie in the text that was read last: `propose` waits for nothing after that.
fn not_proposed(documents: &HostDocuments, document: Option<&str>, refused: &ProposeRefused) -> String {
    let base = document.and_then(|document| documents.store().latest(document));
    out(|json| wire::refused_with(json, &refused.refused, &refused.refusals, &units(base.as_deref())))
}

/// A future in a place and a function of its own, or all operations together would be one function of its size.
fn apart<'f, T>(future: impl Future<Output = T> + 'f) -> Pin<Box<dyn Future<Output = T> + 'f>> {
    Box::pin(future)
}

/// Runs one operation; none where it or its arguments cannot be read.
async fn run(documents: &HostDocuments, operation: &str, mut given: Value) -> Option<String> {
    let version = |given: &mut Value, name| given.take(name).and_then(Value::number);
    let limit = given.take("limit").and_then(Value::number).map(|limit| limit as usize);
    Some(match operation {
        "list" => {
            let cursor = given.take("cursor").and_then(Value::text);
            answer(apart(documents.list(limit, cursor.as_deref())).await, |json, listed| {
                json.field("documents").list(&listed.documents, records::version);
                json.text_if("cursor", listed.cursor.as_deref());
            })
        }
        "recent" => answer(apart(documents.recent(limit)).await, |json, heads| {
            json.field("documents").list(heads, records::version);
        }),
        "read" => {
            let (document, version) = (given.text_of("document")?, version(&mut given, "version"));
            answer(apart(documents.read(&document, version)).await, |json, found| {
                records::snapshot(json.field("snapshot"), found)
            })
        }
        "history" => {
            let before = version(&mut given, "before");
            answer(apart(documents.history(&given.text_of("document")?, before, limit)).await, |json, found| {
                json.field("versions").list(&found.versions, records::version);
                json.field("more").flag(found.more);
            })
        }
        "compare" => {
            let (document, from) = (given.text_of("document")?, given.number_of("from")?);
            let compared = apart(documents.compare(&document, from, given.number_of("to")?)).await;
            let before = match &compared {
                Ok(_) => match apart(text_of(documents, &document, from)).await {
                    Ok(before) => before,
                    Err(error) => return Some(refused(&error)),
                },
                Err(_) => "".into(),
            };
            answer(compared, |json, compared| {
                wire::comparison(json.field("comparison"), compared, &Utf16::new(&before));
            })
        }
        "create" => {
            let (title, text) = (given.text_of("title")?, given.text_of("text")?);
            saved(apart(documents.create(&title, &text, write(given.take("options"))?)).await, &Utf16::new(&text))
        }
        "save" => {
            let document = given.text_of("document")?;
            let mut change = given.take("change")?;
            let base = change.number_of("base")?;
            let (title, text) = (change.take("title").and_then(Value::text), change.take("text").and_then(Value::text));
            let sent = Change { base, title, text: text.clone() };
            let result = apart(documents.save(&document, sent, write(given.take("options"))?)).await;
            match text {
                Some(text) => saved(result, &Utf16::new(&text)),
                // A title alone: what was sent is the text of the base. Nothing is lost where that fails, for the same
                // save again gives the same answer.
                None if result.is_ok() => match apart(text_of(documents, &document, base)).await {
                    Ok(text) => saved(result, &Utf16::new(&text)),
                    Err(error) => refused(&error),
                },
                None => saved(result, &Utf16::new("")),
            }
        }
        "append" => {
            let (document, text) = (given.text_of("document")?, given.text_of("text")?);
            saved(apart(documents.append(&document, &text, write(given.take("options"))?)).await, &Utf16::new(&text))
        }
        "restore" => {
            let (document, version) = (given.text_of("document")?, given.number_of("version")?);
            let result = apart(documents.restore(&document, version, write(given.take("options"))?)).await;
            saved(result, &Utf16::blind())
        }
        "remove" => {
            let removed = apart(documents.remove(&given.text_of("document")?, write(given.take("options"))?)).await;
            answer(removed, |json, version| records::version(json.field("version"), version))
        }
        "erase" => answer(apart(documents.erase(&given.text_of("document")?)).await, |_, ()| {}),
        "propose" => {
            let change = records::read_change(given.take("change")?)?;
            let document = change.document().map(str::to_owned);
            let mut options = given.take("options")?;
            let options = Propose {
                by: by(&mut options)??,
                base: version(&mut options, "base"),
                summary: options.take("summary").and_then(Value::text),
                key: key(&mut options),
            };
            match apart(documents.propose(change, options)).await {
                Ok(made) => apart(proposal(documents, Ok(made))).await,
                Err(failed) => not_proposed(documents, document.as_deref(), &failed),
            }
        }
        "proposals" => {
            let which = Which {
                document: given.take("document").and_then(Value::text),
                id: given.take("id").and_then(Value::text),
                open: given.take("open").and_then(Value::flag),
            };
            proposals(documents, apart(documents.proposals(which)).await).await
        }
        "decide" => {
            let accepted = given.take("accepted")?.list(|hunk| hunk.number().map(|hunk| hunk as usize))?;
            let mut options = given.take("options")?;
            let amended = match options.take("amended") {
                Some(amended) => records::read_amended(amended)?,
                None => BTreeMap::new(),
            };
            let note = options.take("note").and_then(Value::text);
            let options = Decide { by: by(&mut options)?, amended, note };
            let decided = apart(documents.decide(&given.text_of("proposal")?, &accepted, options)).await;
            apart(proposal(documents, decided)).await
        }
        "withdraw" => {
            let mut options = given.take("options")?;
            let options = Withdraw { by: by(&mut options)?, note: options.take("note").and_then(Value::text) };
            let withdrawn = apart(documents.withdraw(&given.text_of("proposal")?, options)).await;
            apart(proposal(documents, withdrawn)).await
        }
        _ => return None,
    })
}

async fn proposals(documents: &HostDocuments, result: Result<Vec<Proposal>, Refused>) -> String {
    let found = match result {
        Ok(found) => found,
        Err(error) => return refused(&error),
    };
    let mut bases = Vec::new();
    for proposal in &found {
        match documents.store().base_of(proposal).await {
            Ok(base) => bases.push(base),
            Err(error) => return refused(&error.into()),
        }
    }
    out(|json| {
        wire::ok(json, |json| {
            json.field("proposals").list(found.iter().zip(&bases), |json, (proposal, base)| {
                records::proposal(json, proposal, &units(base.as_deref()));
            });
        });
    })
}
