//! What crosses to JavaScript: one function per shape of `core.d.ts`, fields in its order, absent where it says optional.

use std::ops::Range;

use super::json::Json;
use super::utf16::Utf16;
use crate::Refused;
use crate::change::diff::{self, Sign};
use crate::change::{Splice, edits, merge};
use crate::document::blocks::{self, BlockKind, BlockType};
use crate::document::outline;

/// `write` as one string.
pub(super) fn out(write: impl FnOnce(&mut Json)) -> String {
    let mut json = Json::new();
    write(&mut json);
    json.end()
}

/// An object that begins with `ok: true`.
pub(super) fn ok(json: &mut Json, fields: impl FnOnce(&mut Json)) {
    json.object(|json| {
        json.field("ok").flag(true);
        fields(json);
    });
}

/// An object that begins as every refusal does.
fn no(json: &mut Json, reason: &str, message: &str, fields: impl FnOnce(&mut Json)) {
    json.object(|json| {
        json.field("ok").flag(false);
        json.field("reason").text(reason);
        json.field("message").text(message);
        fields(json);
    });
}

/// A refusal without more.
pub(super) fn refused(json: &mut Json, refused: &Refused) {
    no(json, refused.reason.name(), &refused.message, |_| {});
}

fn kind_name(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Text => "text",
        BlockKind::Fence => "fence",
        BlockKind::Code => "code",
        BlockKind::Meta => "meta",
    }
}

fn type_name(ty: BlockType) -> &'static str {
    match ty {
        BlockType::Heading => "heading",
        BlockType::Paragraph => "paragraph",
        BlockType::List => "list",
        BlockType::Quote => "quote",
        BlockType::Alert => "alert",
        BlockType::Table => "table",
        BlockType::Rule => "rule",
        BlockType::Html => "html",
        BlockType::Footnote => "footnote",
        BlockType::Definition => "definition",
        BlockType::Fence => "fence",
        BlockType::Code => "code",
        BlockType::Meta => "meta",
    }
}

/// `start` and `end` of a byte range.
fn ends(json: &mut Json, range: &Range<usize>, text: &Utf16<'_>) {
    json.field("start").number(text.at(range.start));
    json.field("end").number(text.at(range.end));
}

/// A pair such as `[start, end]`.
pub(super) fn pair(json: &mut Json, first: usize, second: usize) {
    json.list([first, second], Json::number);
}

pub(super) fn block(json: &mut Json, number: usize, block: &blocks::Block, text: &Utf16<'_>) {
    json.object(|json| {
        json.field("block").number(number);
        json.field("kind").text(kind_name(block.kind));
        json.field("type").text(type_name(block.ty));
        json.number_if("level", block.level.map(usize::from));
        ends(json, &block.range, text);
    });
}

pub(super) fn entry(json: &mut Json, entry: &outline::OutlineEntry) {
    json.object(|json| {
        json.field("block").number(entry.block);
        json.field("kind").text(kind_name(entry.kind));
        json.number_if("level", entry.level.map(usize::from));
        json.field("preview").text(&entry.preview);
        json.field("chars").number(entry.chars);
    });
}

pub(super) fn applied(json: &mut Json, edit: &edits::AppliedEdit, text: &Utf16<'_>) {
    json.object(|json| {
        json.field("edit").number(edit.edit);
        ends(json, &edit.range, text);
        json.field("block").number(edit.block);
    });
}

fn place(json: &mut Json, place: &edits::Place, differs: Option<&str>, text: &Utf16<'_>) {
    json.object(|json| {
        json.field("block").number(place.block);
        json.field("line").number(place.line);
        ends(json, &place.range, text);
        json.text_if("heading", place.heading.as_deref());
        json.field("text").text(&place.text);
        json.text_if("differs", differs);
    });
}

/// Refused edits.
pub(super) fn refused_edits(json: &mut Json, refused: &edits::RefusedEdits, text: &Utf16<'_>) {
    refused_with(json, &Refused::new(refused.reason, refused.message.as_str()), &refused.refusals, text);
}

/// A refusal with one for each edit, whose places lie in `text`.
pub(super) fn refused_with(json: &mut Json, refused: &Refused, refusals: &[edits::Refusal], text: &Utf16<'_>) {
    no(json, refused.reason.name(), &refused.message, |json| {
        json.field("refusals").list(refusals, |json, refusal| {
            json.object(|json| {
                json.field("edit").number(refusal.edit);
                json.field("reason").text(refusal.reason.name());
                json.field("message").text(&refusal.message);
                json.number_if("count", refusal.count);
                if !refusal.places.is_empty() {
                    json.field("places").list(&refusal.places, |json, each| place(json, each, None, text));
                }
                if let Some(nearest) = &refusal.nearest {
                    place(json.field("nearest"), &nearest.place, nearest.differs.as_deref(), text);
                }
                json.number_if("with", refusal.with);
            });
        });
    });
}

pub(super) fn splice(json: &mut Json, splice: &Splice, text: &Utf16<'_>) {
    json.object(|json| {
        ends(json, &splice.range, text);
        json.field("text").text(&splice.text);
    });
}

/// The field `splices`, of `text`.
pub(super) fn splices(json: &mut Json, splices: &[Splice], text: &Utf16<'_>) {
    json.field("splices").list(splices, |json, each| splice(json, each, text));
}

fn lines(json: &mut Json, lines: diff::Lines) {
    json.object(|json| {
        json.field("line").number(lines.line);
        json.field("lines").number(lines.lines);
    });
}

/// The fields of a hunk, to which a proposal adds its own.
pub(super) fn hunk_fields(json: &mut Json, hunk: &diff::Hunk) {
    json.field("index").number(hunk.index);
    json.field("block").number(hunk.block);
    json.text_if("heading", hunk.heading.as_deref());
    lines(json.field("before"), hunk.before);
    lines(json.field("after"), hunk.after);
    json.field("lines").list(&hunk.lines, |json, line| {
        json.object(|json| {
            json.field("sign").text(match line.sign {
                Sign::Context => " ",
                Sign::Removed => "-",
                Sign::Added => "+",
            });
            json.field("text").text(&line.text);
            if !line.words.is_empty() {
                let text = Utf16::new(&line.text);
                json.field("words").list(&line.words, |json, word| pair(json, text.at(word.start), text.at(word.end)));
            }
        });
    });
    json.field("notes").list(&hunk.notes, |json, note| json.text(note));
}

pub(super) fn comparison(json: &mut Json, comparison: &diff::Comparison, before: &Utf16<'_>) {
    json.object(|json| {
        json.field("added").number(comparison.added);
        json.field("removed").number(comparison.removed);
        json.field("hunks").list(&comparison.hunks, |json, hunk| json.object(|json| hunk_fields(json, hunk)));
        splices(json, &comparison.splices, before);
        json.field("precise").flag(comparison.precise);
    });
}

fn stretch(json: &mut Json, stretch: &merge::Stretch) {
    json.object(|json| {
        json.field("line").number(stretch.line);
        json.field("lines").number(stretch.lines);
        json.field("text").text(&stretch.text);
    });
}

/// A refused merge, to which a refused save adds its head.
pub(super) fn refused_merge(json: &mut Json, refused: &merge::RefusedMerge, fields: impl FnOnce(&mut Json)) {
    no(json, "clash", &refused.message, |json| {
        json.field("clashes").list(&refused.clashes, |json, clash| {
            json.object(|json| {
                json.field("what").text(match clash.what {
                    merge::ClashOf::Text => "text",
                    merge::ClashOf::Title => "title",
                });
                stretch(json.field("base"), &clash.base);
                stretch(json.field("mine"), &clash.mine);
                stretch(json.field("theirs"), &clash.theirs);
            });
        });
        json.field("pieces").list(&refused.pieces, |json, piece| match piece {
            merge::Piece::Text(text) => json.text(text),
            merge::Piece::Clash(clash) => json.number(*clash),
        });
        fields(json);
    });
}

pub(super) fn from_name(from: merge::From) -> &'static str {
    match from {
        merge::From::Same => "same",
        merge::From::Mine => "mine",
        merge::From::Theirs => "theirs",
        merge::From::Both => "both",
    }
}
