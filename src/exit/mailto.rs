//! Messages as addresses: `mailto:`, as RFC 6068 has it. The shortcut, for short messages.

use super::address::{Mailbox, mailboxes};
use super::encoding::percent;
use super::{Mail, one_line};
use crate::Refused;
use crate::change::endings::fold;

/// Beyond this many characters some mail clients cut a `mailto:` without a word.
pub const TRUNCATES_BEYOND: usize = 2000;

/// A message as an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailto {
    /// The address: ASCII alone.
    pub href: String,
    /// How many characters (UTF-16 units) it has.
    pub length: usize,
    /// Whether it is longer than [`TRUNCATES_BEYOND`]: offer the file instead. It is never cut here.
    pub may_truncate: bool,
}

/// `mail` as a `mailto:` address. Names and attachments have no place in one, and are left out.
pub fn build_mailto(mail: &Mail) -> Result<Mailto, Refused> {
    let mut href = String::from("mailto:");
    push_addresses(&mailboxes(&mail.to)?, &mut href);
    let mut between = '?';
    let mut field = |name: &str, href: &mut String| {
        href.push(between);
        href.push_str(name);
        href.push('=');
        between = '&';
    };
    for (name, addresses) in [("cc", &mail.cc), ("bcc", &mail.bcc)] {
        let mailboxes = mailboxes(addresses)?;
        if !mailboxes.is_empty() {
            field(name, &mut href);
            push_addresses(&mailboxes, &mut href);
        }
    }
    if !mail.subject.is_empty() {
        field("subject", &mut href);
        percent(&one_line(&mail.subject), b"", &mut href);
    }
    if !mail.body.is_empty() {
        field("body", &mut href);
        for (index, line) in fold(&mail.body).split('\n').enumerate() {
            if index > 0 {
                href.push_str("%0D%0A");
            }
            // A NUL would end the address for many programs.
            percent(&line.replace('\0', "\u{fffd}"), b"", &mut href);
        }
    }
    let length = href.len();
    Ok(Mailto { href, length, may_truncate: length > TRUNCATES_BEYOND })
}

fn push_addresses(mailboxes: &[Mailbox], href: &mut String) {
    for (index, Mailbox { local, domain, .. }) in mailboxes.iter().enumerate() {
        if index > 0 {
            href.push(',');
        }
        percent(local, b"", href);
        href.push('@');
        percent(domain, b"", href);
    }
}
