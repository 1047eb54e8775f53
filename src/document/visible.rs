//! What the eye cannot see: which characters those are, and the tokens that stand for them.
//!
//! Everything that shows source outside its own document goes through here: outline previews, headings in refusals, diffs.
//! A character that is invisible can still be in its place: a joiner inside an emoji or a Persian word shapes what is seen.
//! [`is_at_home`] knows those.
//!
//! ```
//! use countersign::document::visible::visible;
//!
//! assert_eq!(visible("pay\u{202e}load"), "pay⟦U+202E⟧load");
//! assert_eq!(visible("👩\u{200d}🚀 می\u{200c}خواهم"), "👩\u{200d}🚀 می\u{200c}خواهم");
//! ```

use std::borrow::Cow;

/// Whether `c` shows nothing of its own: control characters (tab and line breaks included), bidirectional controls,
/// zero-width characters, tags, variation selectors, fillers, line and paragraph separators, and noncharacters.
/// Blanks of any width are not among them.
pub const fn is_invisible(c: char) -> bool {
    let code = c as u32;
    if code < 0xad {
        return code < 0x20 || (code >= 0x7f && code < 0xa0);
    }
    matches!(code,
        // Soft hyphen, combining grapheme joiner, Arabic letter mark, Hangul and Khmer fillers, Mongolian selectors.
        0xad | 0x34f | 0x61c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f
        // Zero-width characters, directional marks, embeddings, overrides and isolates, separators, invisible operators.
        | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f
        // Hangul fillers, variation selectors, the byte order mark, specials.
        | 0x3164 | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xfffb
        // Shorthand and musical format controls, tags and further variation selectors.
        | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a | 0xe0000..=0xe0fff
        // Noncharacters.
        | 0xfdd0..=0xfdef)
        || code & 0xfffe == 0xfffe
}

/// The visible token for `c`, such as `⟦U+202E⟧`.
pub fn token(c: char) -> String {
    let code = c as u32;
    let mut token = String::from("⟦U+");
    let digits = if code > 0xf_ffff {
        6
    } else if code > 0xffff {
        5
    } else {
        4
    };
    for place in (0..digits).rev() {
        // A hexadecimal digit always has a character.
        token.extend(char::from_digit((code >> (4 * place)) & 0xf, 16).map(|digit| digit.to_ascii_uppercase()));
    }
    token.push('⟧');
    token
}

/// Whether the invisible `c` is where its script or emoji wants it, between `before` and `after`: a joiner inside an emoji
/// or between letters of a script that joins, a variation selector behind an emoji.
pub fn is_at_home(before: Option<char>, c: char, after: Option<char>) -> bool {
    match c {
        '\u{200d}' => {
            let emoji = |c: char| is_pictograph(c) || matches!(c, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}');
            match (before, after) {
                (Some(before), Some(after)) if emoji(before) => is_pictograph(after),
                (Some(before), after) if is_joining_letter(before) => after.is_none_or(|after| !is_invisible(after)),
                _ => false,
            }
        }
        '\u{200c}' => match (before, after) {
            (Some(before), Some(after)) => is_joining_letter(before) && is_joining_letter(after),
            _ => false,
        },
        '\u{fe0e}' | '\u{fe0f}' => before.is_some_and(|before| is_pictograph(before) || is_keycap(before, after)),
        _ => false,
    }
}

fn is_keycap(before: char, after: Option<char>) -> bool {
    matches!(before, '0'..='9' | '#' | '*') && after == Some('\u{20e3}')
}

/// Characters that emoji sequences are made of: a little wider than Unicode's list, never a letter.
fn is_pictograph(c: char) -> bool {
    matches!(c,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2194}'..='\u{21aa}'
        | '\u{231a}'..='\u{23ff}' | '\u{24c2}' | '\u{25aa}'..='\u{25fe}' | '\u{2600}'..='\u{27bf}'
        | '\u{2934}' | '\u{2935}' | '\u{2b05}'..='\u{2b55}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
        | '\u{1f000}'..='\u{1faff}')
}

/// Letters and marks of scripts that use joiners: Arabic, Syriac, N'Ko, the Indic family, Sinhala, Khmer, Mongolian.
fn is_joining_letter(c: char) -> bool {
    !is_invisible(c)
        && matches!(c,
            '\u{620}'..='\u{7ff}' | '\u{840}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{18aa}'
            | '\u{a840}'..='\u{a877}' | '\u{a8e0}'..='\u{a8ff}' | '\u{fb50}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefc}' | '\u{11000}'..='\u{11fff}')
}

/// `text` with a token in place of each invisible character, but for those that are at home.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    push_visible(&mut shown, None, text, None);
    Cow::Owned(shown)
}

/// Adds `part` to `shown` as [`visible`] would show it between the characters `before` and `after`.
pub fn push_visible(shown: &mut String, mut before: Option<char>, part: &str, after: Option<char>) {
    let mut rest = part.chars();
    while let Some(c) = rest.next() {
        if is_invisible(c) && !is_at_home(before, c, rest.clone().next().or(after)) {
            shown.push_str(&token(c));
        } else {
            shown.push(c);
        }
        before = Some(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_four_digits_or_as_many_as_needed() {
        assert_eq!(token('\0'), "⟦U+0000⟧");
        assert_eq!(token('\u{e0041}'), "⟦U+E0041⟧");
        assert_eq!(token('\u{10ffff}'), "⟦U+10FFFF⟧");
    }

    #[test]
    fn what_shapes_the_text_stays_and_what_hides_shows() {
        for at_home in [
            "❤\u{fe0f}\u{200d}🔥",
            "1\u{fe0f}\u{20e3}",
            "👨🏽\u{200d}🚀",
            "क्\u{200d}ष",
            "a b\u{a0}c\u{3000}",
            "⚠\u{fe0f} x",
        ] {
            assert_eq!(visible(at_home), at_home);
        }
        for hidden in [
            "a\u{200d}b",
            "a\u{fe0f}",
            "\u{200d}👩",
            "x\u{200b}y",
            "م\u{200c}",
            "\t",
            "\u{e0061}",
            "\u{2066}a",
            "\u{ad}",
        ] {
            assert_ne!(visible(hidden), hidden, "{hidden:?}");
            assert!(!visible(hidden).chars().any(is_invisible), "{hidden:?}");
        }
    }
}
