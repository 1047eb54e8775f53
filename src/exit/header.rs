//! Header lines: folded to 78 columns, and nothing in them but printable ASCII.

use super::address::{Mailbox, is_atom};
use super::encoding::{base64, percent};

/// How long a header line may be.
const WIDTH: usize = 78;
/// How long an encoded word may be, and how much of that is not text.
const WORD: usize = 75;
const FRAME: usize = "=?UTF-8?B?".len() + "?=".len();

/// One header, written word by word.
pub(super) struct Header {
    text: String,
    column: usize,
}

impl Header {
    pub(super) fn new(name: &str) -> Self {
        Self { text: format!("{name}:"), column: name.len() + 1 }
    }

    /// The header with its last line break.
    pub(super) fn end(mut self) -> String {
        self.text.push_str("\r\n");
        self.text
    }

    /// A word that is not broken, behind a blank; on a new line where it does not fit.
    pub(super) fn word(&mut self, word: &str) {
        if self.column + 1 + word.len() > WIDTH {
            self.fold();
        }
        self.text.push(' ');
        self.text.push_str(word);
        self.column += 1 + word.len();
    }

    fn fold(&mut self) {
        self.text.push_str("\r\n");
        self.column = 0;
    }

    /// Free text: as it is where that reads back the same, else as encoded words.
    pub(super) fn text(&mut self, text: &str) {
        let plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && !text.contains("=?");
        let whole = text.trim() == text && self.column + 1 + text.len() <= WIDTH;
        // A first line without a word reads as a blank.
        let starts = text.find(' ').is_some_and(|end| self.column + 1 + end <= WIDTH);
        let words = || text.split(' ').all(|word| !word.is_empty() && word.len() < WIDTH);
        if text.is_empty() {
            // Nothing stands behind the colon.
        } else if plain && whole {
            self.word(text);
        } else if plain && starts && words() {
            text.split(' ').for_each(|word| self.word(word));
        } else {
            self.encoded(text);
        }
    }

    /// Encoded words: whole characters each, and blanks between them that do not count.
    pub(super) fn encoded(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            let room = WORD.min(WIDTH.saturating_sub(self.column + 1));
            let most = room.saturating_sub(FRAME) / 4 * 3;
            let mut end = most.min(rest.len());
            while !rest.is_char_boundary(end) {
                end -= 1;
            }
            if end == 0 || most < 9 && most < rest.len() {
                self.fold();
                continue;
            }
            let (piece, after) = rest.split_at(end);
            self.word(&format!("=?UTF-8?B?{}?=", base64(piece.as_bytes())));
            rest = after;
        }
    }

    /// A list of mailboxes.
    pub(super) fn mailboxes(&mut self, mailboxes: &[Mailbox]) {
        for (index, mailbox) in mailboxes.iter().enumerate() {
            let comma = if index + 1 < mailboxes.len() { "," } else { "" };
            let Mailbox { name, local, domain } = mailbox;
            let (open, close) = if name.is_empty() { ("", "") } else { ("<", ">") };
            self.phrase(name);
            let address = format!("{open}{local}@{domain}{close}{comma}");
            if address.len() < WIDTH {
                self.word(&address);
            } else {
                // The one place inside of an address where a line may be folded.
                self.word(&format!("{open}{local}"));
                self.word(&format!("@{domain}{close}{comma}"));
            }
        }
    }

    /// A name: atoms, a quoted string, or encoded words.
    fn phrase(&mut self, name: &str) {
        const SHORT: usize = 60;
        let ascii = name.bytes().all(|byte| matches!(byte, b' '..=b'~')) && !name.contains("=?") && name.len() <= SHORT;
        if name.is_empty() {
            // An address alone.
        } else if ascii && name.split(' ').all(|word| !word.is_empty() && word.bytes().all(is_atom)) {
            name.split(' ').for_each(|word| self.word(word));
        } else if ascii {
            self.word(&quoted(name));
        } else {
            // In one word where one is enough: some programs show a blank between two.
            let one = (WORD - FRAME) / 4 * 3;
            if name.len() <= one && self.column + 1 + FRAME + name.len().div_ceil(3) * 4 > WIDTH {
                self.fold();
            }
            self.encoded(name);
        }
    }

    /// A parameter of a structured header, such as a file name. RFC 2231 where it has to be.
    pub(super) fn parameter(&mut self, name: &str, value: &str) {
        self.text.push(';');
        self.column += 1;
        let plain = format!("{name}={}", quoted(value));
        let ascii = value.bytes().all(|byte| matches!(byte, b' '..=b'~')) && !value.contains("=?");
        if ascii && value.trim() == value && plain.len() < WIDTH - 1 {
            return self.word(&plain);
        }
        let mut encoded = String::from("UTF-8''");
        percent(value, b"", &mut encoded);
        let whole = format!("{name}*={encoded}");
        if whole.len() < WIDTH - 1 {
            return self.word(&whole);
        }
        // Too long for one line: numbered pieces of whole characters, for some readers decode each alone.
        let mut pieces = vec![String::from("UTF-8''")];
        for c in value.chars() {
            let mut one = String::new();
            percent(c.encode_utf8(&mut [0; 4]), b"", &mut one);
            let room = WIDTH - 2 - name.len() - "*00*=".len() - pieces.len() / 100;
            match pieces.last_mut() {
                Some(last) if last.len() + one.len() <= room => last.push_str(&one),
                _ => pieces.push(one),
            }
        }
        let last = pieces.len() - 1;
        for (number, piece) in pieces.iter().enumerate() {
            self.word(&format!("{name}*{number}*={piece}{}", if number < last { ";" } else { "" }));
        }
    }
}

/// A quoted string.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}
