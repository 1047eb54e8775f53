//! Notes: what changed in a run of lines beside what can be seen, in words.

use unicode_segmentation::UnicodeSegmentation;

use super::forms::apart;
use super::hidden::{Token, code, hidden, spelled};
use super::lookalikes::{looks_like, strangers};
use crate::change::lines::{Break, Line};
use crate::document::outline::preview;
use crate::document::visible::is_invisible;
use crate::numbers::Numbers;

/// How many notes one thing may have, so that a long change is not buried in them. The last then says that there are more.
const MOST: usize = 6;
/// A line of this many characters is said to be long.
const LONG: usize = 2_000;
/// Blanks in a row that push text out of sight.
const FAR: usize = 20;

/// What the lines of a change do not say themselves.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::change) struct Ends {
    /// The line break that the old text has at its first line.
    pub(in crate::change) usual: Option<Break>,
    /// The final newline comes (`true`) or goes.
    pub(in crate::change) last: Option<bool>,
    /// The lines lie in an HTML comment.
    pub(in crate::change) comment: bool,
}

/// What cannot be seen in the change from `removed` to `added`.
pub(in crate::change) fn notes(removed: &[Line<'_>], added: &[Line<'_>], ends: &Ends) -> Vec<String> {
    let mut notes = Notes(Vec::new());
    invisible(removed, added, &mut notes);
    words(removed, added, &mut notes);
    blanks(removed, added, &mut notes);
    breaks(removed, added, ends, &mut notes);
    if ends.comment || added.iter().chain(removed).any(|line| line.content.contains("<!--")) {
        notes.add(&["in an HTML comment, which readers do not see"]);
    }
    for line in added {
        if line.content.len() >= LONG {
            let chars = line.content.chars().count();
            if chars >= LONG {
                notes.add(&["a long line: ", &chars.to_string(), " characters"]);
            }
        }
        if let Some(blanks) = gap(line.content) {
            notes.add(&["text stands behind ", &blanks.to_string(), " blanks"]);
        }
    }
    notes.0
}

struct Notes(Vec<String>);

impl Notes {
    fn add(&mut self, parts: &[&str]) {
        let note = parts.concat();
        if !self.0.contains(&note) {
            self.0.push(note);
        }
    }

    /// Adds what `each` says of the first few `items`, and that there are more.
    fn add_each<T>(&mut self, items: Vec<T>, mut each: impl FnMut(&mut Self, T)) {
        let more = items.len().saturating_sub(MOST);
        items.into_iter().take(MOST).for_each(|item| each(self, item));
        if more > 0 {
            self.add(&["and ", &more.to_string(), " more of this kind"]);
        }
    }
}

/// `items`, ascending, each once: a set that costs the module little.
fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut set: Vec<T> = items.into_iter().collect();
    set.sort_unstable();
    set.dedup();
    set
}

/// Characters that show nothing.
fn invisible(removed: &[Line<'_>], added: &[Line<'_>], notes: &mut Notes) {
    let mut seen = [Vec::new(), Vec::new()];
    let mut tags = [String::new(), String::new()];
    let mut selectors = [0_usize; 2];
    for (side, lines) in [removed, added].into_iter().enumerate() {
        for line in lines {
            for (at, c) in hidden(line.content) {
                match c {
                    '\u{e0001}'..='\u{e007f}' => tags[side].extend(spelled(c).filter(|c| !c.is_control())),
                    '\u{e0100}'..='\u{e01ef}' => selectors[side] += 1,
                    // The mark that a text starts with.
                    '\u{feff}'
                        if line.start == 0
                            && at == 0
                            && removed
                                .first()
                                .zip(added.first())
                                .is_some_and(|(old, new)| old.content.starts_with(c) && new.content.starts_with(c)) => {
                    }
                    _ => seen[side].push(c),
                }
            }
        }
    }
    let verb = |gone: usize, come: usize| match come.cmp(&gone) {
        std::cmp::Ordering::Greater => "adds ",
        std::cmp::Ordering::Less => "removes ",
        std::cmp::Ordering::Equal => "contains ",
    };
    let kinds = set(seen.iter().flatten().copied());
    notes.add_each(kinds, |notes, c| {
        let [gone, come] = seen.each_ref().map(|seen| seen.iter().filter(|seen| **seen == c).count());
        let times = if gone == come { come } else { gone.abs_diff(come) };
        let times = if times > 1 { times.to_string() + " × " } else { String::new() };
        notes.add(&[verb(gone, come), &times, &Token(c).to_string()]);
    });
    if tags.iter().any(|tags| !tags.is_empty()) {
        let [gone, come] = &tags;
        let said = if come.is_empty() { gone } else { come };
        notes.add(&[verb(gone.len(), come.len()), "text hidden in tag characters: “", &preview(said), "”"]);
    }
    if let [gone, come] = selectors
        && gone + come > 0
    {
        let times = if gone == come { come } else { gone.abs_diff(come) };
        notes.add(&[verb(gone, come), &times.to_string(), " × variation selector, which can hide text"]);
    }
}

/// Words whose letters are not what they look like.
fn words<'t>(removed: &[Line<'t>], added: &[Line<'t>], notes: &mut Notes) {
    if removed.iter().chain(added).all(|line| line.content.is_ascii()) {
        return;
    }
    let words = |lines: &[Line<'t>]| set(lines.iter().flat_map(|line| line.content.unicode_words()));
    let (old, new): (Vec<&'t str>, Vec<&'t str>) = (words(removed), words(added));
    let gone: Vec<&str> = old.iter().filter(|word| new.binary_search(word).is_err()).copied().collect();
    let come: Vec<&str> = new.iter().filter(|word| old.binary_search(word).is_err()).copied().collect();
    let mixed = |words: &[&'t str]| -> Vec<_> {
        let words = words.iter().map(|word| (*word, strangers(word)));
        words.filter(|(_, strangers)| !strangers.is_empty()).collect()
    };
    let (mixed_new, mixed_gone) = (mixed(&new), mixed(&gone));
    let known = set(mixed_new.iter().chain(&mixed_gone).map(|(word, _)| *word));
    for (verb, words) in [("looks the same: ", mixed_new), ("removes a look-alike: ", mixed_gone)] {
        notes.add_each(words, |notes, (word, strangers)| {
            for (c, script) in strangers {
                let letter = [" (", script.name(), " ", &c.to_string(), ") in “", &preview(word), "”"].concat();
                notes.add(&[verb, &code(c), &letter]);
            }
        });
    }
    // Words that went and came and look alike.
    let mut looks = Numbers::default();
    let mut first: Vec<&str> = Vec::new();
    for word in gone.iter().filter(|word| known.binary_search(word).is_err()) {
        if looks.of(look(word)) as usize == first.len() {
            first.push(word);
        }
    }
    let mut alike = Vec::new();
    for word in come.iter().filter(|word| !first.is_empty() && known.binary_search(word).is_err()) {
        let was = looks.get(&look(word)).and_then(|number| first.get(number as usize));
        if let Some(was) = was.filter(|was| !visible(was).eq(visible(word))) {
            let is_form = apart(was) == apart(word);
            // Two letters are soon alike: “a” is a word in English and, with another letter, in Russian.
            if is_form || word.chars().count() > 2 {
                alike.push((*was, *word, is_form));
            }
        }
    }
    let said = !alike.is_empty() || !known.is_empty();
    notes.add_each(alike, |notes, (was, is, is_form)| differs(was, is, is_form, notes));
    // What no word has: signs, single letters, marks. Blanks are looked at below.
    let ink = |text: &str| visible(text).filter(|c| !c.is_whitespace()).collect::<String>();
    if removed.len() == added.len() && !said {
        let alike = removed.iter().zip(added).map(|(old, new)| (old.content, new.content));
        let alike =
            alike.filter(|(old, new)| old != new && look(old) == look(new) && ink(old) != ink(new)).take(1).collect();
        notes.add_each(alike, |notes, (was, is)| differs(was, is, apart(was) == apart(is), notes));
    }
    let doubles = |lines: &[Line<'_>]| {
        let chars = lines.iter().flat_map(|line| line.content.chars());
        set(chars.filter(|c| matches!(c, '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')))
    };
    let (mut ideographs, before) = (doubles(added), doubles(removed));
    ideographs.retain(|c| before.binary_search(c).is_err());
    notes.add_each(ideographs, |notes, c| {
        notes.add(&["looks the same: ", &code(c), " is a double of another ideograph"])
    });
}

/// Says the first character in which two texts that look the same differ.
fn differs(was: &str, is: &str, is_form: bool, notes: &mut Notes) {
    let (mut old, mut new) = (visible(was), visible(is));
    let (mut one, mut other) = (old.next(), new.next());
    while one.is_some() && one == other {
        (one, other) = (old.next(), new.next());
    }
    let with_marks = |first: Option<char>, rest: &mut dyn Iterator<Item = char>| {
        let marks = rest.take_while(|c| super::forms::is_mark(*c));
        first.into_iter().chain(marks).map(code).collect::<Vec<_>>().join(" ")
    };
    let (one, other) = (with_marks(one, &mut old), with_marks(other, &mut new));
    let start = if is_form { "same letters, another Unicode form: " } else { "looks the same: " };
    notes.add(&[start, &other, " where ", &one, " was, in “", &preview(is), "”"]);
}

fn visible(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !is_invisible(*c))
}

/// What `text` looks like, whatever it is made of.
fn look(text: &str) -> String {
    if text.is_ascii() && text.bytes().all(|b| b.is_ascii_graphic()) {
        return text.to_owned();
    }
    let mut seen = apart(text);
    seen.retain(|c| !is_invisible(c));
    seen.chars().map(|c| if c.is_whitespace() { ' ' } else { looks_like(c).unwrap_or(c) }).collect()
}

/// Blanks that came, went or became others.
fn blanks(removed: &[Line<'_>], added: &[Line<'_>], notes: &mut Notes) {
    let squeezed = |line: &Line<'_>| line.content.split_whitespace().collect::<String>();
    let mut texts = Numbers::default();
    let mut by_text: Vec<Vec<&str>> = Vec::new();
    for line in removed.iter().rev() {
        let text = texts.of(squeezed(line)) as usize;
        by_text.resize(by_text.len().max(text + 1), Vec::new());
        by_text[text].push(line.content);
    }
    let trailing = |text: &str| text.len() - text.trim_end().len();
    let mut unpaired = [removed.iter().filter(|line| trailing(line.content) > 0).count(), 0];
    for line in added {
        let new = line.content;
        let same = texts.get(&squeezed(line)).and_then(|text| by_text.get_mut(text as usize));
        let Some(old) = same.and_then(Vec::pop) else {
            unpaired[1] += usize::from(trailing(new) > 0);
            continue;
        };
        unpaired[0] -= usize::from(trailing(old) > 0);
        if visible(old).eq(visible(new)) {
            continue;
        }
        let before = notes.0.len();
        if trailing(old) != trailing(new) {
            let [old, new] =
                [old, new].map(|text| text.chars().rev().take_while(|c| c.is_whitespace()).count().to_string());
            notes.add(&["blanks at the end of a line: ", &old, " → ", &new]);
        }
        let tabs = [old, new].map(|text| text.matches('\t').count());
        if tabs[0] != tabs[1] {
            notes.add(&["tabs: ", &tabs[0].to_string(), " → ", &tabs[1].to_string()]);
        }
        let special = |c: &char| c.is_whitespace() && !matches!(c, ' ' | '\t') && !is_invisible(*c);
        for c in set(old.chars().chain(new.chars()).filter(special)) {
            let [gone, come] = [old, new].map(|text| text.matches(c).count());
            if gone != come {
                notes.add(&[if come > gone { "adds " } else { "removes " }, &code(c), " ", blank_name(c)]);
            }
        }
        if notes.0.len() == before {
            notes.add(&["only blanks changed"]);
        }
    }
    match unpaired[1].cmp(&unpaired[0]) {
        std::cmp::Ordering::Greater => notes.add(&["adds blanks at the end of a line"]),
        std::cmp::Ordering::Less if !added.is_empty() => notes.add(&["removes blanks at the end of a line"]),
        _ => {}
    }
}

fn blank_name(c: char) -> &'static str {
    match c {
        '\u{a0}' => "no-break space",
        '\u{2002}' => "en space",
        '\u{2003}' => "em space",
        '\u{2007}' => "figure space",
        '\u{2009}' => "thin space",
        '\u{200a}' => "hair space",
        '\u{202f}' => "narrow no-break space",
        '\u{3000}' => "ideographic space",
        _ => "space",
    }
}

/// Line breaks, and the last of them.
fn breaks(removed: &[Line<'_>], added: &[Line<'_>], ends: &Ends, notes: &mut Notes) {
    let of = |lines: &[Line<'_>]| set(lines.iter().filter_map(|line| line.ending));
    let (old, new) = (of(removed), of(added));
    let names = |breaks: &[Break]| breaks.iter().map(|b| b.name()).collect::<Vec<_>>().join(" and ");
    if !old.is_empty() && !new.is_empty() && old != new {
        notes.add(&["line endings: ", &names(&old), " → ", &names(&new)]);
    } else if old.is_empty()
        && let Some(usual) = ends.usual
        && !new.is_empty()
        && !new.contains(&usual)
    {
        notes.add(&["line endings: ", &names(&new), ", where the document has ", usual.name()]);
    } else if old == new && old.len() > 1 && removed.len() == added.len() {
        let differs = |(old, new): (&Line<'_>, &Line<'_>)| old.content == new.content && old.ending != new.ending;
        if removed.iter().zip(added).any(differs) {
            notes.add(&["line endings changed"]);
        }
    }
    match ends.last {
        Some(true) => notes.add(&["adds the final newline"]),
        Some(false) => notes.add(&["removes the final newline"]),
        None => {}
    }
}

/// The longest run of blanks inside `line`, if it pushes what follows out of sight.
fn gap(line: &str) -> Option<usize> {
    let inside = line.trim();
    let longest = inside.split(|c: char| !c.is_whitespace()).map(|blanks| blanks.chars().count()).max().unwrap_or(0);
    // Rows of tables are padded.
    (longest >= FAR && !inside.starts_with('|')).then_some(longest)
}
