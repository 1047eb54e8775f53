//! The first difference between a `find` and the text that it was meant for, in words.

use std::ops::Range;

use super::endings::line_around;
use crate::document::visible::{is_invisible, visible};

/// Where two texts that are compared from their beginnings first differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// The byte of the `find`.
    pub(super) find: usize,
    /// The byte of the text, counted from where the comparison began.
    pub(super) text: usize,
    /// `U+0027 ' where the document has U+2019 ’`
    pub(super) words: String,
}

/// The first difference. None where `find` stands at the beginning of `text`.
pub(super) fn first_difference(find: &str, text: &str) -> Option<Difference> {
    let mut there = text.chars();
    let mut offset = 0;
    for (at, wanted) in find.char_indices() {
        let found = there.next();
        if found == Some(wanted) {
            offset += wanted.len_utf8();
            continue;
        }
        let words = match found {
            Some(found) => format!("{} where the document has {}", name(wanted), name(found)),
            None => format!("{} where the document ends", name(wanted)),
        };
        return Some(Difference { find: at, text: offset, words });
    }
    None
}

/// A character by its code point, and as it looks where it can be seen; `U+00A0 (no-break space)`.
pub(super) fn name(c: char) -> String {
    let known = match c {
        '\n' => "line break",
        '\t' => "tab",
        ' ' => "space",
        '\u{a0}' => "no-break space",
        '\u{202f}' => "narrow no-break space",
        '\u{2009}' => "thin space",
        '\u{3000}' => "ideographic space",
        '\u{ad}' => "soft hyphen",
        '\u{200b}' => "zero-width space",
        '\u{200c}' => "zero-width non-joiner",
        '\u{200d}' => "zero-width joiner",
        '\u{feff}' => "byte order mark",
        _ if is_invisible(c) || c.is_whitespace() => return format!("U+{:04X}", c as u32),
        // A mark that combines would sit on what stands before it.
        '\u{300}'..='\u{36f}' => return format!("U+{:04X} ◌{c}", c as u32),
        _ => return format!("U+{:04X} {c}", c as u32),
    };
    format!("U+{:04X} ({known})", c as u32)
}

/// A piece of one line, in quotation marks: at most `most` characters, `around` in its middle, with `…` where something
/// was left out, and with tokens for what cannot be seen. `hide` is replaced by `[…]`.
pub(super) fn excerpt(text: &str, around: usize, most: usize, hide: Option<&Range<usize>>) -> String {
    let line = line_around(text, around);
    let (before, after) = match hide {
        Some(hide) => (&text[line.start..hide.start.max(line.start)], &text[hide.end.min(text.len())..]),
        None => (&text[line.start..around], &text[around..line.end]),
    };
    let after = after.split('\n').next().unwrap_or_default();
    let before = before.trim_start();
    // What one side does not need, the other gets.
    let left = before.chars().rev().take(most).count();
    let right = after.chars().take(most).count();
    let left = left.min((most / 2).max(most.saturating_sub(right)));
    let right = right.min(most - left);
    let start = before.char_indices().rev().take(left).last().map_or(before.len(), |(at, _)| at);
    let end = after.char_indices().nth(right).map_or(after.len(), |(at, _)| at);
    let mut shown = String::from("“");
    if start > 0 {
        shown.push('…');
    }
    shown.push_str(&visible(&before[start..]));
    if hide.is_some() {
        shown.push_str("[…]");
    }
    shown.push_str(&visible(after[..end].trim_end()));
    if !after[end..].trim_end().is_empty() {
        shown.push('…');
    }
    shown.push('”');
    shown
}
