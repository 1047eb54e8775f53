//! Characters that show nothing, and their names.

use std::fmt;

use crate::document::visible::{is_at_home, is_invisible};

/// A part of a line, to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment<'t> {
    /// What can be seen.
    Text(&'t str),
    /// In place of a character that cannot.
    Token(Token),
}

/// A character that cannot be seen. Shows as its number and name, such as `U+202E right-to-left override`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Token(
    /// The character.
    pub char,
);

impl Token {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self.0 {
            '\0' => "null",
            '\u{7}' => "bell",
            '\u{8}' => "backspace",
            '\t' => "tab",
            '\n' => "line feed",
            '\u{b}' => "vertical tab",
            '\u{c}' => "form feed",
            '\r' => "carriage return",
            '\u{1b}' => "escape",
            '\u{7f}' => "delete",
            '\u{85}' => "next line",
            '\u{ad}' => "soft hyphen",
            '\u{34f}' => "combining grapheme joiner",
            '\u{61c}' => "Arabic letter mark",
            '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => "Hangul filler",
            '\u{17b4}' | '\u{17b5}' => "Khmer inherent vowel",
            '\u{180e}' => "Mongolian vowel separator",
            '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => "variation selector",
            '\u{200b}' => "zero-width space",
            '\u{200c}' => "zero-width non-joiner",
            '\u{200d}' => "zero-width joiner",
            '\u{200e}' => "left-to-right mark",
            '\u{200f}' => "right-to-left mark",
            '\u{2028}' => "line separator",
            '\u{2029}' => "paragraph separator",
            '\u{202a}' => "left-to-right embedding",
            '\u{202b}' => "right-to-left embedding",
            '\u{202c}' => "pop directional formatting",
            '\u{202d}' => "left-to-right override",
            '\u{202e}' => "right-to-left override",
            '\u{2060}' => "word joiner",
            '\u{2061}'..='\u{2064}' => "invisible operator",
            '\u{2066}' => "left-to-right isolate",
            '\u{2067}' => "right-to-left isolate",
            '\u{2068}' => "first strong isolate",
            '\u{2069}' => "pop directional isolate",
            '\u{206a}'..='\u{206f}' => "deprecated format control",
            '\u{2800}' => "blank Braille pattern",
            '\u{feff}' => "byte order mark",
            '\u{fff9}'..='\u{fffb}' => "interlinear annotation",
            '\u{e0000}'..='\u{e007f}' => "tag character",
            c if c.is_control() => "control character",
            _ => "invisible character",
        }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&code(self.0))?;
        f.write_str(" ")?;
        f.write_str(self.name())
    }
}

/// The number of `c`, such as `U+202E`.
pub(super) fn code(c: char) -> String {
    // The token is the number in brackets.
    let token = crate::document::visible::token(c);
    token.trim_matches(['⟦', '⟧']).to_owned()
}

/// The flags that are spelled with tag characters.
const FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];

/// The characters of `text` that cannot be seen and are not at home, with their places. Tabs are none: a blank is seen.
pub(super) fn hidden(text: &str) -> Vec<(usize, char)> {
    let mut hidden = Vec::new();
    if text.is_ascii() && !text.bytes().any(|b| b.is_ascii_control() && b != b'\t') {
        return hidden;
    }
    let mut before = None;
    let mut flag_until = 0;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == '\u{1f3f4}' {
            flag_until = flag(&text[at + c.len_utf8()..]).map_or(0, |len| at + c.len_utf8() + len);
        }
        let is_blank = c == '\u{2800}' || (is_invisible(c) && c != '\t');
        if is_blank && at >= flag_until && !is_at_home(before, c, chars.clone().next().map(|(_, c)| c)) {
            hidden.push((at, c));
        }
        before = Some(c);
    }
    hidden
}

/// How long the tags are that make a known flag of the black flag before `rest`.
fn flag(rest: &str) -> Option<usize> {
    let tags = rest.chars().take(8).take_while(|c| matches!(c, '\u{e0020}'..='\u{e007f}'));
    let name: String = tags.filter_map(spelled).collect();
    let (name, len) = (name.strip_suffix('\u{7f}')?, name.len() * 4);
    FLAGS.contains(&name).then_some(len)
}

/// The character of ASCII that a tag spells.
pub(super) fn spelled(tag: char) -> Option<char> {
    char::from_u32((tag as u32).checked_sub(0xe0000)?).filter(char::is_ascii)
}

/// `text` as what can be seen, and tokens for what cannot.
pub fn segments(text: &str) -> Vec<Segment<'_>> {
    let mut segments = Vec::new();
    let mut done = 0;
    for (at, c) in hidden(text) {
        if done < at {
            segments.push(Segment::Text(&text[done..at]));
        }
        segments.push(Segment::Token(Token(c)));
        done = at + c.len_utf8();
    }
    if done < text.len() {
        segments.push(Segment::Text(&text[done..]));
    }
    segments
}
