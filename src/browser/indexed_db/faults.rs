//! What can go wrong below a call, and what the caller hears of it.
//!
//! A fault is either an answer (a refusal of the contract, told as it is) or a connection that was lost, after which
//! the call is made once more over a new one. Nothing is reported saved before its transaction is complete, and a lost
//! transaction has written nothing: the second attempt is safe, because a commit looks for its key first.

use indexed_db_futures::error::{DomException, Error, OpenDbError};
use wasm_bindgen::prelude::*;
use web_sys::IdbTransaction;

use super::record::{Record, record_of};
use crate::Reason;

/// Why a call has no answer yet.
#[derive(Clone)]
pub(super) enum Fault {
    /// The refusal is the answer.
    Refused(Record),
    /// The connection or its transaction broke; the name of the error, for the message if it breaks again.
    Lost(String),
}

impl Fault {
    pub(super) fn new(reason: Reason, message: &str) -> Self {
        Self::Refused(record_of(&[
            ("ok", &JsValue::FALSE),
            ("reason", &JsValue::from_str(reason.name())),
            ("message", &JsValue::from_str(message)),
        ]))
    }

    pub(super) fn quota() -> Self {
        Self::new(
            Reason::Quota,
            "The browser has no room left for this page's documents. Nothing was saved: export the text, or free some space and save again.",
        )
    }

    pub(super) fn gone() -> Self {
        Self::new(
            Reason::Gone,
            "The documents kept in this browser were cleared while this page was open. Export what is shown here, then reload the page.",
        )
    }

    pub(super) fn newer() -> Self {
        Self::new(
            Reason::Blocked,
            "A newer version of this page, open in another tab, has changed how documents are kept. Reload this page to save; until then it only reads.",
        )
    }

    pub(super) fn busy() -> Self {
        Self::new(
            Reason::Blocked,
            "Another tab of this site keeps the documents locked. Close the other tabs of this site, then try again.",
        )
    }

    pub(super) fn not_found() -> Self {
        Self::new(Reason::NotFound, "There is no such document here.")
    }

    /// A record that is not what this store wrote.
    pub(super) fn corrupt() -> Self {
        Self::new(
            Reason::Corrupt,
            "What is kept of this document cannot be read any more. Other documents are not touched.",
        )
    }

    /// IndexedDB does not open at all.
    pub(super) fn closed(name: &str) -> Self {
        Self::new(
            Reason::Unavailable,
            &[
                "This browser does not let this page keep documents (",
                name,
                "). Nothing outlives this tab: export what matters.",
            ]
            .concat(),
        )
    }

    /// What the caller hears at last.
    pub(super) fn answer(self) -> Record {
        match self {
            Self::Refused(answer) => answer,
            Self::Lost(name) => {
                let message =
                    ["The browser's storage failed (", &name, "). Nothing was saved: try again, or export the text."];
                match Self::new(Reason::Unavailable, &message.concat()) {
                    Self::Refused(answer) => answer,
                    Self::Lost(_) => record_of(&[]),
                }
            }
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        let name = name(&error);
        match name.as_str() {
            "QuotaExceededError" => Self::quota(),
            // An object store or an index is not there: another schema than this one's.
            "NotFoundError" => Self::newer(),
            _ => Self::Lost(name),
        }
    }
}

/// The error's name, such as `AbortError`.
pub(super) fn name(error: &Error) -> String {
    match error {
        Error::DomException(error) => web_sys::DomException::from(error.clone()).name(),
        Error::Unknown(error) => JsValue::from(error.clone())
            .dyn_ref::<js_sys::Error>()
            .map_or_else(String::new, |error| error.name().into()),
        Error::Serialisation(_) => "DataError".into(),
        // The crate's word for a transaction that was aborted.
        Error::MissingData(_) => "AbortError".into(),
    }
}

/// Whether the error says that the whole transaction or connection ended, rather than one record being unreadable.
pub(super) fn ended(error: &Error) -> bool {
    matches!(
        error,
        Error::DomException(
            DomException::AbortError(_)
                | DomException::InvalidStateError(_)
                | DomException::TransactionInactiveError(_)
        )
    )
}

/// What a failed write means. The crate drops the reason of an abort, so the transaction itself is asked: a quota that
/// ran out at the end shows there and nowhere else.
pub(super) fn aborted(transaction: &IdbTransaction, fault: Fault) -> Fault {
    match (fault, transaction.error()) {
        (Fault::Lost(_), Some(reason)) => Fault::from(Error::from(reason)),
        (fault, _) => fault,
    }
}

/// What became of an attempt to open.
pub(super) enum Unopened {
    /// The database on the disk has a newer schema.
    Newer,
    /// All else.
    Fault(Fault),
}

impl From<OpenDbError> for Unopened {
    fn from(error: OpenDbError) -> Self {
        Self::Fault(match error {
            OpenDbError::Base(error) => match name(&error).as_str() {
                "VersionError" => return Self::Newer,
                "QuotaExceededError" => Fault::quota(),
                "AbortError" => Fault::Lost("AbortError".into()),
                name => Fault::closed(name),
            },
            // The crate says "version zero" of every error that is thrown by the call itself.
            OpenDbError::VersionZero => Fault::closed("SecurityError"),
            OpenDbError::UnsupportedEnvironment | OpenDbError::NullFactory => Fault::closed("no IndexedDB"),
        })
    }
}
