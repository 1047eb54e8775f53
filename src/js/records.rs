//! Versions and proposals as they cross the border, both ways: what `Documents` answers, and what a host's store holds.
//!
//! A proposal's splices are positions in the text of its base. What is read here has them in UTF-16 units still; whoever
//! has that text turns them into bytes with [`in_bytes`].

use std::collections::BTreeMap;

use super::changing;
use super::json::{Json, Value};
use super::utf16::Utf16;
use super::wire;
use crate::change::Splice;
use crate::change::diff::{DiffLine, Hunk, Lines, Sign};
use crate::change::proposal::{Answer, Proposal, ProposalState, ProposedChange, ProposedHunk};
use crate::history::store::Commit;
use crate::history::{Author, AuthorKind, OnBehalf, Snapshot, VersionInfo, VersionKind};

pub(super) fn author(json: &mut Json, author: &Author) {
    json.object(|json| {
        json.field("id").text(&author.id);
        json.field("kind").text(author.kind.name());
        json.field("name").text(&author.name);
        if let Some(person) = &author.on_behalf {
            json.field("for").object(|json| {
                json.field("id").text(&person.id);
                json.field("name").text(&person.name);
            });
        }
    });
}

pub(super) fn read_author(mut value: Value) -> Option<Author> {
    let on_behalf = match value.take("for") {
        Some(mut person) => Some(OnBehalf { id: person.text_of("id")?, name: person.text_of("name")? }),
        None => None,
    };
    Some(Author {
        id: value.text_of("id")?,
        kind: AuthorKind::named(&value.text_of("kind")?)?,
        name: value.text_of("name")?,
        on_behalf,
    })
}

/// The fields of a version; without its number where the store is yet to give it.
fn version_fields(json: &mut Json, info: &VersionInfo, numbered: bool) {
    json.field("document").text(&info.document);
    json.field("space").text(&info.space);
    if numbered {
        json.field("version").number(info.version as usize);
    }
    json.field("kind").text(info.kind.name());
    json.field("title").text(&info.title);
    author(json.field("by"), &info.by);
    if let Some(person) = &info.approved_by {
        author(json.field("approvedBy"), person);
    }
    json.field("at").text(&info.at);
    json.field("bytes").number(info.bytes);
    json.field("added").number(info.added);
    json.field("removed").number(info.removed);
    json.field("opens").text(&info.opens);
    number_or_null(json.field("startedFrom"), info.started_from);
    json.number_if("restoredFrom", info.restored_from.map(|version| version as usize));
    json.text_if("proposal", info.proposal.as_deref());
    json.text_if("summary", info.summary.as_deref());
    json.field("key").text(&info.key);
}

fn number_or_null(json: &mut Json, number: Option<u32>) {
    match number {
        Some(number) => json.number(number as usize),
        None => json.null(),
    }
}

pub(super) fn version(json: &mut Json, info: &VersionInfo) {
    json.object(|json| version_fields(json, info, true));
}

pub(super) fn snapshot(json: &mut Json, snapshot: &Snapshot) {
    json.object(|json| {
        version_fields(json, &snapshot.info, true);
        json.field("text").text(&snapshot.text);
    });
}

pub(super) fn read_version(mut value: Value) -> Option<VersionInfo> {
    let approved_by = match value.take("approvedBy") {
        Some(person) => Some(read_author(person)?),
        None => None,
    };
    Some(VersionInfo {
        document: value.text_of("document")?,
        space: value.text_of("space")?,
        version: value.number_of("version")?,
        kind: VersionKind::named(&value.text_of("kind")?)?,
        title: value.text_of("title")?,
        by: read_author(value.take("by")?)?,
        approved_by,
        at: value.text_of("at")?,
        bytes: value.size_of("bytes")?,
        added: value.size_of("added")?,
        removed: value.size_of("removed")?,
        opens: value.text_of("opens")?,
        started_from: value.take("startedFrom").and_then(Value::number),
        restored_from: value.take("restoredFrom").and_then(Value::number),
        proposal: value.take("proposal").and_then(Value::text),
        summary: value.take("summary").and_then(Value::text),
        key: value.text_of("key")?,
    })
}

pub(super) fn read_snapshot(mut value: Value) -> Option<Snapshot> {
    let text = value.text_of("text")?;
    Some(Snapshot { info: read_version(value)?, text })
}

/// A commit, with the proposal that it answers already written.
pub(super) fn commit(json: &mut Json, commit: &Commit, base: &Utf16<'_>) {
    json.object(|json| {
        number_or_null(json.field("head"), commit.head);
        json.field("snapshot").object(|json| {
            version_fields(json, &commit.snapshot.info, false);
            json.field("text").text(&commit.snapshot.text);
        });
        json.field("titleKey").text(&commit.title_key);
        if let Some(answered) = &commit.answers {
            proposal(json.field("answers"), answered, base);
        }
    });
}

pub(super) fn change(json: &mut Json, change: &ProposedChange) {
    json.object(|json| match change {
        ProposedChange::Edits { document, edits } => {
            json.field("document").text(document);
            json.field("edits").list(edits, |json, edit| {
                json.object(|json| {
                    json.field("find").text(&edit.find);
                    json.field("replace").text(&edit.replace);
                    json.number_if("block", edit.block);
                });
            });
        }
        ProposedChange::Append { document, text } => {
            json.field("document").text(document);
            json.field("append").text(text);
        }
        ProposedChange::Rewrite { document, text, title } => {
            json.field("document").text(document);
            json.field("text").text(text);
            json.text_if("title", title.as_deref());
        }
        ProposedChange::New { title, text } => {
            json.field("title").text(title);
            json.field("text").text(text);
        }
    });
}

pub(super) fn read_change(mut value: Value) -> Option<ProposedChange> {
    let Some(document) = value.take("document") else {
        return Some(ProposedChange::New { title: value.text_of("title")?, text: value.text_of("text")? });
    };
    let document = document.text()?;
    if let Some(edits) = value.take("edits") {
        return Some(ProposedChange::Edits { document, edits: edits.list(changing::edit)? });
    }
    if let Some(text) = value.take("append") {
        return Some(ProposedChange::Append { document, text: text.text()? });
    }
    let title = value.take("title").and_then(Value::text);
    Some(ProposedChange::Rewrite { document, text: value.text_of("text")?, title })
}

fn amended(json: &mut Json, amended: &BTreeMap<usize, String>) {
    json.object(|json| {
        for (hunk, text) in amended {
            let mut name = Json::new();
            name.number(*hunk);
            json.field(&name.end()).text(text);
        }
    });
}

/// New texts by the number of their hunk.
pub(super) fn read_amended(value: Value) -> Option<BTreeMap<usize, String>> {
    let Value::Object(fields) = value else { return None };
    let mut amended = BTreeMap::new();
    for (hunk, text) in fields {
        amended.insert(hunk.parse().ok()?, text.text()?);
    }
    Some(amended)
}

/// A proposal, whose splices lie in `base`.
pub(super) fn proposal(json: &mut Json, proposal: &Proposal, base: &Utf16<'_>) {
    json.object(|json| {
        json.field("id").text(&proposal.id);
        json.field("revision").number(proposal.revision as usize);
        json.field("space").text(&proposal.space);
        match &proposal.document {
            Some(document) => json.field("document").text(document),
            None => json.field("document").null(),
        }
        json.field("title").text(&proposal.title);
        number_or_null(json.field("base"), proposal.base);
        change(json.field("change"), &proposal.change);
        author(json.field("by"), &proposal.by);
        json.text_if("summary", proposal.summary.as_deref());
        json.field("at").text(&proposal.at);
        json.field("hunks").list(&proposal.hunks, |json, hunk| {
            json.object(|json| {
                wire::hunk_fields(json, &hunk.hunk);
                wire::splice(json.field("splice"), &hunk.splice, base);
                json.number_if("edit", hunk.edit);
                if hunk.title {
                    json.field("isTitle").flag(true);
                }
            });
        });
        json.field("state").text(proposal.state.name());
        if let Some(given) = &proposal.answer {
            json.field("answer").object(|json| {
                author(json.field("by"), &given.by);
                json.field("at").text(&given.at);
                json.field("accepted").list(&given.accepted, |json, hunk| json.number(*hunk));
                if !given.amended.is_empty() {
                    amended(json.field("amended"), &given.amended);
                }
                json.text_if("note", given.note.as_deref());
                number_or_null(json.field("version"), given.version);
                json.field("text").text(&given.text);
            });
        }
    });
}

fn read_lines(mut value: Value) -> Option<Lines> {
    Some(Lines { line: value.size_of("line")?, lines: value.size_of("lines")? })
}

fn read_pair(value: Value) -> Option<(usize, usize)> {
    match value.list(Value::number)?[..] {
        [first, second] => Some((first as usize, second as usize)),
        _ => None,
    }
}

fn read_line(mut value: Value) -> Option<DiffLine> {
    let text = value.text_of("text")?;
    let units = Utf16::new(&text);
    let words = match value.take("words") {
        Some(words) => words.list(|word| {
            let (start, end) = read_pair(word)?;
            let word = units.byte(start)?..units.byte(end)?;
            (word.start <= word.end).then_some(word)
        })?,
        None => Vec::new(),
    };
    let sign = match value.text_of("sign")?.as_str() {
        " " => Sign::Context,
        "-" => Sign::Removed,
        "+" => Sign::Added,
        _ => return None,
    };
    Some(DiffLine { sign, text, words })
}

fn read_hunk(mut value: Value) -> Option<ProposedHunk> {
    let mut splice = value.take("splice")?;
    Some(ProposedHunk {
        splice: Splice { range: splice.size_of("start")?..splice.size_of("end")?, text: splice.text_of("text")? },
        edit: value.take("edit").and_then(Value::number).map(|edit| edit as usize),
        title: value.take("isTitle").and_then(Value::flag).unwrap_or(false),
        hunk: Hunk {
            index: value.size_of("index")?,
            block: value.size_of("block")?,
            heading: value.take("heading").and_then(Value::text),
            before: read_lines(value.take("before")?)?,
            after: read_lines(value.take("after")?)?,
            lines: value.take("lines")?.list(read_line)?,
            notes: value.take("notes")?.list(Value::text)?,
        },
    })
}

fn read_answer(mut value: Value) -> Option<Answer> {
    let amended = match value.take("amended") {
        Some(amended) => read_amended(amended)?,
        None => BTreeMap::new(),
    };
    Some(Answer {
        by: read_author(value.take("by")?)?,
        at: value.text_of("at")?,
        accepted: value.take("accepted")?.list(|hunk| hunk.number().map(|hunk| hunk as usize))?,
        amended,
        note: value.take("note").and_then(Value::text),
        version: value.take("version").and_then(Value::number),
        text: value.text_of("text")?,
    })
}

/// A proposal whose splices are still in UTF-16 units.
pub(super) fn read_proposal(mut value: Value) -> Option<Proposal> {
    let answer = match value.take("answer") {
        Some(given) => Some(read_answer(given)?),
        None => None,
    };
    Some(Proposal {
        id: value.text_of("id")?,
        revision: value.number_of("revision")?,
        space: value.text_of("space")?,
        document: value.take("document").and_then(Value::text),
        title: value.text_of("title")?,
        base: value.take("base").and_then(Value::number),
        change: read_change(value.take("change")?)?,
        by: read_author(value.take("by")?)?,
        summary: value.take("summary").and_then(Value::text),
        at: value.text_of("at")?,
        hunks: value.take("hunks")?.list(read_hunk)?,
        state: ProposalState::named(&value.text_of("state")?)?,
        answer,
    })
}

/// Turns the splices of a proposal that was read into bytes of its base's text; none where one is no place in it.
pub(super) fn in_bytes(mut proposal: Proposal, base: &Utf16<'_>) -> Option<Proposal> {
    for hunk in &mut proposal.hunks {
        let range = &mut hunk.splice.range;
        *range = base.byte(range.start)?..base.byte(range.end)?;
        if range.start > range.end {
            return None;
        }
    }
    Some(proposal)
}
