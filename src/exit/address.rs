//! Addresses: one mailbox each, checked before it gets near a header.

use super::is_control;
use crate::{Reason, Refused};

/// A mailbox, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mailbox {
    /// The name that is shown; empty where there is none.
    pub(super) name: String,
    /// What stands before the `@`.
    pub(super) local: String,
    /// What stands behind it.
    pub(super) domain: String,
}

/// Reads `a@b.example` or `Name <a@b.example>`. Everything that is not plainly one of the two is refused: an address that
/// is guessed is a message to a stranger.
pub(super) fn mailbox(text: &str) -> Result<Mailbox, Refused> {
    if text.chars().any(is_control) {
        return Err(bad("An address has a line break or a control character", text));
    }
    let text = text.trim();
    let (name, address) = match text.strip_suffix('>') {
        None => ("", text),
        Some(rest) => match rest.rfind('<') {
            Some(at) => (rest[..at].trim(), rest[at + 1..].trim()),
            None => return Err(bad("An address has `>` without `<`", text)),
        },
    };
    let name = match name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
        Some(quoted) => unquote(quoted).ok_or_else(|| bad("A name's quotation marks do not match", text))?,
        None if name.contains(['<', '>', '"']) => {
            return Err(bad("A name has `<`, `>` or a lone quotation mark", text));
        }
        None if name.contains('@') && name.contains([',', ';']) => {
            return Err(bad("This is more than one address", text));
        }
        None => name.to_owned(),
    };
    // Blanks in a name do not count: one is as good as many, and some readers make one of many.
    let name = name.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let Some((local, domain)) = address.rsplit_once('@') else {
        return Err(bad("An address has no `@`", text));
    };
    if !address.is_ascii() {
        return Err(bad("An address has letters beyond ASCII; write its domain in the `xn--` form", text));
    }
    if !is_dotted(local, is_atom) || local.len() > 64 {
        return Err(bad("What stands before `@` cannot be an address", text));
    }
    let labels = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_');
    let literal = domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let good = match literal {
        Some(inside) => {
            !inside.is_empty() && inside.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'.' | b':' | b'-'))
        }
        None => is_dotted(domain, labels),
    };
    // A header line holds no more, and cannot be folded inside of it.
    if !good || domain.len() > 70 {
        return Err(bad("What stands behind `@` cannot be a domain", text));
    }
    Ok(Mailbox { name, local: local.to_owned(), domain: domain.to_owned() })
}

/// All of `addresses`, or the first one's refusal.
pub(super) fn mailboxes(addresses: &[String]) -> Result<Vec<Mailbox>, Refused> {
    addresses.iter().map(|address| mailbox(address)).collect()
}

/// Atoms with single dots between them.
fn is_dotted(text: &str, is_part: impl Fn(u8) -> bool) -> bool {
    text.split('.').all(|part| !part.is_empty() && part.bytes().all(&is_part))
}

/// RFC 5322's `atext`.
pub(super) fn is_atom(c: u8) -> bool {
    c.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&c)
}

/// A quoted string's content. None where a quotation mark stands alone.
fn unquote(quoted: &str) -> Option<String> {
    let mut text = String::with_capacity(quoted.len());
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.push(chars.next()?),
            '"' => return None,
            _ => text.push(c),
        }
    }
    Some(text)
}

fn bad(why: &str, text: &str) -> Refused {
    let mut shown: String = text.chars().map(|c| if is_control(c) { '\u{fffd}' } else { c }).take(60).collect();
    if shown.len() < text.len() && text.chars().count() > 60 {
        shown.push('…');
    }
    Refused::new(Reason::BadAddress, format!("{why}: “{shown}”. Write `a@b.example` or `Name <a@b.example>`."))
}
