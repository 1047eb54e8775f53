//! Habits: in what ways a `find` is nearly right, and the few words that say it.
//!
//! What models copy is often not the source but something like it: with line numbers, as rendered, joined into one line, with
//! the heading of another level. Said in one sentence, it is mended in one step. Nothing here changes what matches.

use super::alike::{Reading, Units, fold};
use super::nearest::Likeness;

/// A `find` as it was probably meant, and what was wrong with it.
pub(super) struct Mend {
    pub(super) find: String,
    pub(super) words: &'static str,
}

/// Takes off what models add to what they read, where the text then is there or the habit is plain: line numbers, and line
/// breaks written as `\n`.
pub(super) fn mend(find: &str, text: &str) -> Option<Mend> {
    if let Some((bare, plain)) = without_numbers(find)
        && (plain || bare.len() > 3 && text.contains(&bare))
    {
        return Some(Mend { find: bare, words: "It carries line numbers: leave them out." });
    }
    (find.contains("\\n") && !find.contains('\n'))
        .then(|| Mend { find: find.replace("\\n", "\n"), words: "It has \\n as two characters: use real line breaks." })
}

/// `find` without the line numbers that each of its lines begins with, and whether they can be nothing else: several lines
/// that count up by one.
fn without_numbers(find: &str) -> Option<(String, bool)> {
    let mut numbers: Vec<u64> = Vec::new();
    let mut marked = true;
    let mut bare = String::with_capacity(find.len());
    for (index, line) in find.split('\n').enumerate() {
        if index > 0 {
            bare.push('\n');
        }
        let trimmed = line.trim_start();
        if trimmed.is_empty() {
            continue;
        }
        let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
        numbers.push(trimmed.get(..digits)?.parse().ok()?);
        let rest = &trimmed[digits..];
        let Some(mark) = rest.chars().next() else { continue };
        let rest = &rest[mark.len_utf8()..];
        bare.push_str(match mark {
            '\t' | '→' => rest,
            // `12: text` and `12 | text` put a blank behind the mark.
            ':' | '|' => rest.strip_prefix(' ').unwrap_or(rest),
            ' ' => match rest.strip_prefix(['|', ':']) {
                Some(rest) => rest.strip_prefix(' ').unwrap_or(rest),
                None => {
                    marked = false;
                    rest
                }
            },
            _ => return None,
        });
    }
    let plain = numbers.len() > 1 && numbers.windows(2).all(|pair| pair[1] == pair[0].saturating_add(1));
    // A number and a blank alone begin many a sentence.
    (!numbers.is_empty() && (marked || plain)).then_some((bare, plain))
}

/// In what way the nearest text differs, where one word can say it.
pub(super) fn kind_of(find: &str, there: &str, found: &Likeness) -> Option<String> {
    let level = |text: &str| text.bytes().take_while(|&byte| byte == b'#').count();
    let (wanted, real) = (level(find.trim_start()), level(there.trim_start()));
    if wanted != real && wanted > 0 && real > 0 && same_words(find, there, Reading::Source) {
        return Some(format!("The heading there has level {real}."));
    }
    if found.reading == Reading::Source && !same_words(find, there, Reading::Source) {
        return None;
    }
    let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (one, other) = (spaced(find), spaced(there));
    if one == other {
        return Some(match find.contains('\n') == there.contains('\n') {
            true => "Only blanks differ.".to_owned(),
            false => "Only the line breaks differ.".to_owned(),
        });
    }
    if one.to_lowercase() == other.to_lowercase() {
        return Some("Only upper and lower case differ.".to_owned());
    }
    let bare = |text: &str| text.chars().filter(|c| !is_mark(*c) && !c.is_whitespace()).collect::<String>();
    let marks = |text: &str| text.chars().filter(|c| is_mark(*c)).count();
    let shown = found.reading == Reading::Shown || (marks(there) > marks(find) && bare(find) == bare(there));
    shown.then(|| "That is how it is shown: copy the source, marks included.".to_owned())
}

/// Whether two texts have the same letters and digits in the same order, case and accents aside.
fn same_words(one: &str, other: &str, reading: Reading) -> bool {
    let words = |text| Units::of(text, 0..text.len(), reading).filter(|unit| unit.word).map(|unit| unit.folded);
    words(one).eq(words(other))
}

/// Whether `c` is a mark that rendering takes away.
fn is_mark(c: char) -> bool {
    matches!(fold(c), '*' | '_' | '~' | '`' | '|' | '\\' | '#' | '>' | '[' | ']' | '!' | '\'')
}
