//! What the elements exchange with their classes and with the host's objects: the same shapes, as JSON.

use super::json::Value;
use super::utf16::Utf16;
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

/// The byte offset of a UTF-16 position in `text`; none outside of it and inside a surrogate pair.
pub(crate) fn byte_of(text: &str, unit: u32) -> Option<usize> {
    Utf16::new(text).byte(unit as usize)
}
