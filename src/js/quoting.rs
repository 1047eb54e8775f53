//! Quoting from JavaScript: selections as source, and where they stand in a later text.

use std::ops::Range;

use wasm_bindgen::prelude::*;

use super::json::{Json, Value};
use super::take;
use super::utf16::Utf16;
use super::wire::{self, out};
use crate::document::quote::{self, Cells, Exact, Located, Quote, Source};
use crate::{Reason, Refused};

fn source(mut value: Value) -> Option<Source> {
    Some(Source {
        document: value.text_of("document")?,
        title: value.text_of("title")?,
        version: value.number_of("version")?,
        text: value.text_of("text")?,
    })
}

fn ends(json: &mut Json, range: &Range<usize>, text: &Utf16<'_>) {
    json.field("start").number(text.at(range.start));
    json.field("end").number(text.at(range.end));
}

/// A quote of `text`.
pub(super) fn quote(json: &mut Json, quote: &Quote, text: &Utf16<'_>) {
    json.object(|json| {
        json.field("document").text(&quote.document);
        json.field("title").text(&quote.title);
        json.field("version").number(quote.version as usize);
        wire::pair(json.field("blocks"), quote.blocks.0, quote.blocks.1);
        json.field("source").text(&quote.source);
        ends(json, &quote.range, text);
        json.field("exact").object(|json| {
            json.field("text").text(&quote.exact.text);
            ends(json, &quote.exact.range, text);
            json.field("occurrence").number(quote.exact.occurrence);
            json.field("of").number(quote.exact.of);
        });
        json.field("anchor").text(&quote.anchor);
        if let Some(ranges) = &quote.ranges {
            json.field("ranges").list(ranges, |json, range| wire::pair(json, text.at(range.start), text.at(range.end)));
        }
        if let Some(Cells { rows, columns }) = quote.table {
            json.field("table").object(|json| {
                wire::pair(json.field("rows"), rows.0, rows.1);
                wire::pair(json.field("columns"), columns.0, columns.1);
            });
        }
    });
}

/// A quote of `text`, or why there is none.
pub(super) fn answer(result: &Result<Quote, Refused>, text: &Utf16<'_>) -> String {
    out(|json| match result {
        Ok(made) => wire::ok(json, |json| quote(json.field("quote"), made, text)),
        Err(refused) => wire::refused(json, refused),
    })
}

/// `Core.quoteBlocks`.
#[wasm_bindgen(js_name = quoteBlocks)]
pub fn quote_blocks(from: &str, first: u32, last: u32) -> Result<String, JsError> {
    let from = take(from, source)?;
    Ok(answer(&quote::quote_blocks(&from, first as usize, last as usize), &Utf16::new(&from.text)))
}

/// `Core.quoteRange`.
#[wasm_bindgen(js_name = quoteRange)]
pub fn quote_range(from: &str, start: u32, end: u32) -> Result<String, JsError> {
    let from = take(from, source)?;
    let text = Utf16::new(&from.text);
    let made = match (text.byte(start as usize), text.byte(end as usize)) {
        (Some(start), Some(end)) if start <= end => quote::quote_range(&from, start..end),
        (Some(_), Some(_)) => {
            Err(Refused::new(Reason::BadRange, "The range ends before it starts. Give the start first."))
        }
        (start, _) => {
            let broken = if start.is_none() { "start" } else { "end" };
            let message =
                ["The range's ", broken, " is no place in the text: outside of it, or inside one character."].concat();
            Err(Refused::new(Reason::BadRange, message))
        }
    };
    Ok(answer(&made, &text))
}

/// A quote that came in, and the place of its `exact` in UTF-16 units. Its own text is not at hand, so positions are counted in its `source`: the quote starts at 0.
pub(super) fn read_quote(mut value: Value) -> Option<(Quote, usize)> {
    let pair = |value: Value| match value.list(Value::number)?[..] {
        [first, second] => Some((first as usize, second as usize)),
        _ => None,
    };
    let source = value.text_of("source")?;
    let start = value.size_of("start")?;
    let mut exact = value.take("exact")?;
    let (text, exact_start) = (exact.text_of("text")?, exact.size_of("start")?);
    let at = exact_start.checked_sub(start).and_then(|at| Utf16::new(&source).byte(at)).unwrap_or(0);
    let table = match value.take("table") {
        Some(mut table) => Some(Cells { rows: pair(table.take("rows")?)?, columns: pair(table.take("columns")?)? }),
        None => None,
    };
    let quote = Quote {
        document: value.text_of("document")?,
        title: value.text_of("title")?,
        version: value.number_of("version")?,
        blocks: pair(value.take("blocks")?)?,
        range: 0..source.len(),
        exact: Exact {
            range: at..at + text.len(),
            text,
            occurrence: exact.size_of("occurrence")?,
            of: exact.size_of("of")?,
        },
        source,
        anchor: value.text_of("anchor")?,
        ranges: None,
        table,
    };
    Some((quote, exact_start))
}

/// `Core.formatQuotes`.
#[wasm_bindgen(js_name = formatQuotes)]
pub fn format_quotes(quotes: &str) -> Result<String, JsError> {
    let quotes = take(quotes, |quotes| quotes.list(|quote| read_quote(quote).map(|(quote, _)| quote)))?;
    Ok(quote::format_quotes(&quotes))
}

/// `Core.locateQuote`.
#[wasm_bindgen(js_name = locateQuote)]
pub fn locate_quote(quote: &str, markdown: &str) -> Result<String, JsError> {
    let (mut quote, start) = take(quote, read_quote)?;
    let text = Utf16::new(markdown);
    // The same place in UTF-16 units; behind the end where the later text has no such place.
    let at = text.byte(start).unwrap_or(markdown.len() + 1);
    quote.exact.range = at..at + quote.exact.text.len();
    let (state, found) = match quote::locate_quote(&quote, markdown) {
        Located::Same(found) => ("same", Some(found)),
        Located::Moved(found) => ("moved", Some(found)),
        Located::Changed => ("changed", None),
    };
    Ok(out(|json| {
        json.object(|json| {
            json.field("state").text(state);
            if let Some(found) = &found {
                ends(json, found, &text);
            }
        });
    }))
}
