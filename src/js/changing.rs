//! Changing a text from JavaScript: edits, comparisons and merges.

use wasm_bindgen::prelude::*;

use super::json::Value;
use super::take;
use super::utf16::Utf16;
use super::wire::{self, out};
use crate::change::edits::Edit;
use crate::change::merge::{Choice, Clash, ClashOf, Piece, RefusedMerge, Stretch};
use crate::change::{diff, edits, merge};

/// An edit that came in.
pub(super) fn edit(mut value: Value) -> Option<Edit> {
    let block = value.take("block").and_then(Value::number).map(|block| block as usize);
    Some(Edit { find: value.text_of("find")?, replace: value.text_of("replace")?, block })
}

/// `Core.applyEdits`.
#[wasm_bindgen(js_name = applyEdits)]
pub fn apply_edits(markdown: &str, edits: &str) -> Result<String, JsError> {
    let edits = take(edits, |edits| edits.list(edit))?;
    let text = Utf16::new(markdown);
    Ok(out(|json| match edits::apply_edits(markdown, &edits) {
        Ok(done) => wire::ok(json, |json| {
            json.field("markdown").text(&done.text);
            json.field("applied").list(&done.applied, |json, edit| wire::applied(json, edit, &text));
        }),
        Err(refused) => wire::refused_edits(json, &refused, &text),
    }))
}

/// `Core.compare`.
#[wasm_bindgen]
pub fn compare(before: &str, after: &str) -> String {
    out(|json| wire::comparison(json, &diff::compare(before, after), &Utf16::new(before)))
}

/// `Core.merge`.
#[wasm_bindgen(js_name = merge)]
pub fn merge_of(base: &str, mine: &str, theirs: &str) -> String {
    out(|json| match merge::merge(base, mine, theirs) {
        Ok(merged) => wire::ok(json, |json| {
            json.field("text").text(&merged.text);
            json.field("from").text(wire::from_name(merged.from));
            wire::splices(json, &merged.splices, &Utf16::new(mine));
        }),
        Err(refused) => wire::refused_merge(json, &refused, |_| {}),
    })
}

fn stretch(mut value: Value) -> Option<Stretch> {
    Some(Stretch { line: value.size_of("line")?, lines: value.size_of("lines")?, text: value.text_of("text")? })
}

fn clash(mut value: Value) -> Option<Clash> {
    Some(Clash {
        what: if value.text_of("what")? == "title" { ClashOf::Title } else { ClashOf::Text },
        base: stretch(value.take("base")?)?,
        mine: stretch(value.take("mine")?)?,
        theirs: stretch(value.take("theirs")?)?,
    })
}

fn piece(value: Value) -> Option<Piece> {
    match value {
        Value::Text(text) => Some(Piece::Text(text)),
        Value::Number(clash) => Some(Piece::Clash(clash as usize)),
        _ => None,
    }
}

fn refused_merge(mut value: Value) -> Option<RefusedMerge> {
    Some(RefusedMerge {
        message: value.text_of("message")?,
        clashes: value.take("clashes")?.list(clash)?,
        pieces: value.take("pieces")?.list(piece)?,
    })
}

/// `Core.resolve`.
#[wasm_bindgen]
pub fn resolve(refused: &str, choices: &str) -> Result<String, JsError> {
    let refused = take(refused, refused_merge)?;
    let choices = take(choices, |choices| {
        choices.list(|choice| match choice.text()?.as_str() {
            "mine" => Some(Choice::Mine),
            "theirs" => Some(Choice::Theirs),
            "both" => Some(Choice::Both),
            _ => None,
        })
    })?;
    Ok(merge::resolve(&refused, &choices))
}
