//! What the elements exchange with their classes and with the host's objects: the same shapes, as JSON.

use super::json::Value;
use super::utf16::{self, Utf16};
use super::wire::{self, out};
use super::{quoting, records};
use crate::Refused;
use crate::change::proposal::Proposal;
use crate::document::quote::Quote;

/// A quote of `text`.
pub(crate) fn quote(quote: &Quote, text: &str) -> String {
    out(|json| quoting::quote(json, quote, &Utf16::new(text)))
}

/// A quote of `text`, or why there is none, as `quoteSelection` gives it.
pub(crate) fn quote_result(result: &Result<Quote, Refused>, text: &str) -> String {
    quoting::answer(result, &Utf16::new(text))
}

/// Quotes as they came in.
pub(crate) fn read_quotes(json: &str) -> Option<Vec<Quote>> {
    Value::read(json)?.list(|quote| quoting::read_quote(quote).map(|(quote, _)| quote))
}

/// A proposal as it came in. Its splices are still in UTF-16 units: a card shows lines, and applies nothing itself.
pub(crate) fn read_proposal(json: &str) -> Option<Proposal> {
    records::read_proposal(Value::read(json)?)
}

/// A refusal.
pub(crate) fn refused(refused: &Refused) -> String {
    out(|json| wire::refused(json, refused))
}

/// Where the UTF-16 units of a text stand, for one that is asked often: a question costs no pass over the text.
#[derive(Default)]
pub(crate) struct Units(Vec<u32>);

impl Units {
    /// One pass over `text`.
    pub(crate) fn of(text: &str) -> Self {
        Self(utf16::marks(text))
    }

    /// The byte that is `units` behind the byte `from` of the same `text`; none outside of it and inside a surrogate pair.
    pub(crate) fn behind(&self, text: &str, from: usize, units: u32) -> Option<usize> {
        let index = Utf16::over(text, &self.0);
        index.byte(index.at(from) + units as usize)
    }
}
