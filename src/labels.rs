//! Every string that a person sees, by name. A host replaces any of them; what it leaves out stays English.
//!
//! A template's `{name}` stands for a value, given when the string is shown.

/// The names and the English templates, by element.
pub const ENGLISH: &[(&str, &str)] = &[
    ("document.label", "{title}"),
    ("document.untitled", "Document"),
    ("document.empty", "This document is empty."),
    ("document.loading", "Opening…"),
    ("document.missing", "This document could not be opened: {message}"),
    ("document.newer", "Version {version} is here."),
    ("document.show-newer", "Show it"),
    ("ask.label", "Quote"),
    ("ask.this", "Ask about this"),
    ("ask.dismiss", "Dismiss quote"),
    ("ask.nothing", "Nothing is selected."),
    ("ask.offered", "Selected: {words}. A button behind the document asks about this; Escape dismisses it."),
    ("ask.asked", "Quoted for your next message: {words}"),
    ("ask.hint", "Enter asks about this block, Shift+Enter about its section. Arrow keys go from block to block."),
    ("quotes.label", "Quotes that go with the next message"),
    ("quotes.remove", "Remove quote: {words}"),
    ("quotes.where", "{title} v{version}, block {block}"),
    ("quotes.where-blocks", "{title} v{version}, blocks {first}–{last}"),
    ("review.label", "Proposed change to {title}"),
    ("review.heading", "{count} changes to {title}"),
    ("review.heading-one", "One change to {title}"),
    ("review.heading-new", "New document: {title}"),
    ("review.version", "v{version}"),
    ("review.by", "by {name}"),
    ("review.by-for", "by {name}, for {for}"),
    ("review.selected", "{selected}/{count} selected"),
    ("review.change", "Change {number} of {count}"),
    ("review.place", "block {block}"),
    ("review.place-heading", "{heading}, block {block}"),
    ("review.apply", "Apply change"),
    ("review.apply-all", "Apply all changes"),
    ("review.apply-some", "Apply {selected} of {count}"),
    ("review.reject", "Reject"),
    ("review.reject-all", "Reject all"),
    ("review.note", "A word to {name} (optional)"),
    ("review.removes", "This change only removes text."),
    ("review.removed-line", "Removed"),
    ("review.added-line", "Added"),
    ("review.folded", "Show {count} unchanged lines"),
    ("review.working", "Applying…"),
    ("review.accepted", "Applied as version {version}."),
    ("review.partly", "Applied {accepted} of {count} as version {version}."),
    ("review.rejected", "Rejected. Nothing was changed."),
    ("review.stale", "The text has changed since: nothing was applied."),
    ("review.withdrawn", "{name} withdrew this proposal."),
    ("review.answered-by", "{name}, {at}"),
    ("review.failed", "That did not work: {message}"),
    ("review.loading", "Fetching the proposal…"),
    ("review.undo", "Undo"),
    ("review.undone", "Undone: version {version} is as it was before."),
    ("copied", "Copied"),
    ("copy-failed", "The browser does not allow it"),
    ("code.copy", "Copy code"),
    ("code.region", "Code"),
    ("table.copy", "Copy table"),
    ("table.region", "Table"),
    ("image.load", "Load image"),
    ("image.load-from", "Load image from {host}"),
    ("image.here", "Image"),
    ("alert-note", "Note"),
    ("alert-tip", "Tip"),
    ("alert-important", "Important"),
    ("alert-warning", "Warning"),
    ("alert-caution", "Caution"),
    ("comment", "comment"),
    ("footnote", "Footnote {n}"),
    ("footnote-back", "Back to reference {n}"),
    ("footnotes", "Footnotes"),
    ("task-done", "Done"),
    ("task-open", "Not done"),
    ("table-too-large", "This table has too many cells to show. Its source:"),
];

/// The English template for `name`, or the name itself: a missing label shows, it does not fail.
pub fn english(name: &str) -> &str {
    ENGLISH.iter().find(|(known, _)| *known == name).map_or(name, |(_, template)| template)
}

/// `template` with its `{name}`s replaced by `values`. A name without a value stays as it is.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        filled.push_str(before);
        let known = from.find('}').and_then(|close| {
            let name = &from[1..close];
            values.iter().find(|(key, _)| *key == name).map(|(_, value)| (close, value))
        });
        match known {
            Some((close, value)) => {
                filled.push_str(value);
                rest = &from[close + 1..];
            }
            None => {
                filled.push('{');
                rest = &from[1..];
            }
        }
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_replace_their_names_and_nothing_else() {
        assert_eq!(fill("{a} of {b}, {c} {", &[("a", "1"), ("b", "{a}")]), "1 of {a}, {c} {");
    }

    #[test]
    fn every_name_is_listed_once() {
        for (index, (name, _)) in ENGLISH.iter().enumerate() {
            assert!(!ENGLISH[..index].iter().any(|(earlier, _)| earlier == name), "{name} is listed twice");
        }
    }
}
