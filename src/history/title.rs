//! Titles: 1 to 200 characters on one line, and the form in which two titles are the same.
//!
//! ```
//! use countersign::history::title::{checked, key};
//!
//! assert_eq!(checked("  Launch plan ").unwrap(), "Launch plan");
//! assert_eq!(key(" LAUNCH Plan"), key("Launch plan"));
//! assert!(checked("two\nlines").is_err());
//! ```

use crate::{Reason, Refused};

/// The most Unicode scalar values in a title.
pub const LONGEST: usize = 200;

/// `title`, trimmed, if it is one.
pub fn checked(title: &str) -> Result<&str, Refused> {
    let title = title.trim();
    if title.is_empty() {
        return Err(Refused::new(Reason::BadTitle, "A title needs at least one character."));
    }
    if title.chars().any(breaks_line) {
        return Err(Refused::new(
            Reason::BadTitle,
            "A title is one line: leave out line breaks and control characters.",
        ));
    }
    // No more than one past the limit is counted: a title may be a pasted book.
    if title.chars().take(LONGEST + 1).count() > LONGEST {
        return Err(Refused::new(Reason::BadTitle, "A title has at most 200 characters: shorten it."));
    }
    Ok(title)
}

/// The form in which titles are compared: trimmed and case-folded. Unique among a space's documents.
pub fn key(title: &str) -> String {
    title.trim().to_lowercase()
}

/// Line separators of Unicode break a line as much as LF does; other controls would hide in a list.
fn breaks_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_scalar_values() {
        assert!(checked(&"😀".repeat(200)).is_ok());
        assert_eq!(checked(&"😀".repeat(201)).unwrap_err().reason, Reason::BadTitle);
        for bad in ["", "  ", "\u{a0}", "a\r\nb", "a\u{2028}b", "a\0b", "a\tb"] {
            assert_eq!(checked(bad).unwrap_err().reason, Reason::BadTitle, "{bad:?}");
        }
    }

    #[test]
    fn folds_case_beyond_ascii() {
        assert_eq!(key("  ÄRGER im Büro\u{3000}"), "ärger im büro");
    }
}
