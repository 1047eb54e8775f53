//! Letting a text go: messages as `.eml` files and `mailto:` addresses. Nothing here sends.
//!
//! On the data's way this is the end: text → [`build_eml`] → a file that a mail program opens, or [`build_mailto`] → an
//! address that a click opens. Both are functions of the [`Mail`] alone: the same mail gives the same bytes.
//!
//! What they promise: nothing in a subject, an address or a file name can become a header of its own; what a mail program
//! reads is what went in (a `mailto:` has no place for names and attachments); a `.eml` is well formed for any text.
//!
//! ```
//! use countersign::exit::{Mail, build_eml, build_mailto};
//!
//! let mail = Mail {
//!     to: vec!["Ana Čapek <ana@example.com>".into()],
//!     subject: "Vendor review".into(),
//!     body: "Hi,\n\nattached.".into(),
//!     ..Mail::default()
//! };
//! let eml = build_eml(&mail).unwrap();
//! assert!(eml.text.starts_with("To: =?UTF-8?B?QW5hIMSMYXBlaw==?= <ana@example.com>\r\nSubject: Vendor review\r\n"));
//! assert_eq!(eml.file_name, "Vendor review.eml");
//! assert_eq!(build_mailto(&mail).unwrap().href, "mailto:ana@example.com?subject=Vendor%20review&body=Hi%2C%0D%0A%0D%0Aattached.");
//! ```

mod address;
mod eml;
mod encoding;
mod header;
mod mailto;

pub use eml::{Eml, build_eml};
pub use mailto::{Mailto, TRUNCATES_BEYOND, build_mailto};

/// A message to a person, to be sent by them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mail {
    /// Each one mailbox: `a@b.example` or `Name <a@b.example>`.
    pub to: Vec<String>,
    /// Who gets a copy.
    pub cc: Vec<String>,
    /// Who gets a copy that the others do not see.
    pub bcc: Vec<String>,
    /// One line; line breaks and controls become spaces.
    pub subject: String,
    /// Plain text, with any line endings.
    pub body: String,
    /// Files that go along.
    pub attachments: Vec<Attachment>,
    /// Marks the message as an unsent draft for mail clients that know the mark.
    pub draft: bool,
}

/// A text that goes along as a file, byte for byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attachment {
    /// The file's name.
    pub name: String,
    /// Its media type, such as `text/markdown`.
    pub ty: String,
    /// What is in it.
    pub text: String,
}

/// `text` on one line: each line break and each control character is a space.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut last = ' ';
    for c in text.chars() {
        // CRLF is one line break.
        if !(c == '\n' && last == '\r') {
            line.push(if is_control(c) { ' ' } else { c });
        }
        last = c;
    }
    line
}

/// Controls, and what some programs take for a line break.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}
