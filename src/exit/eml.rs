//! Messages as files: `.eml`, as RFC 5322 and MIME have it.

use std::borrow::Cow;

use super::address::mailboxes;
use super::encoding::{base64_lines, quoted_printable};
use super::header::Header;
use super::{Attachment, Mail, is_control, one_line};
use crate::Refused;
use crate::change::endings::fold;

/// How long a line of a message may be, in octets, without its CRLF.
const LINE: usize = 998;

/// A message as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Eml {
    /// What is in the file. Every line ends with CRLF.
    pub text: String,
    /// A name for the file, from the subject.
    pub file_name: String,
}

/// `mail` as an `.eml` file without date, sender and message id: the program that sends it adds them.
pub fn build_eml(mail: &Mail) -> Result<Eml, Refused> {
    let subject = one_line(&mail.subject);
    let mut text = String::with_capacity(mail.body.len() + 512);
    for (name, addresses) in [("To", &mail.to), ("Cc", &mail.cc), ("Bcc", &mail.bcc)] {
        let mailboxes = mailboxes(addresses)?;
        if !mailboxes.is_empty() {
            let mut header = Header::new(name);
            header.mailboxes(&mailboxes);
            text.push_str(&header.end());
        }
    }
    let mut header = Header::new("Subject");
    header.text(&subject);
    text.push_str(&header.end());
    if mail.draft {
        text.push_str("X-Unsent: 1\r\n");
    }
    text.push_str("MIME-Version: 1.0\r\n");
    let body = Body::of(&mail.body);
    if mail.attachments.is_empty() {
        body.write(&mut text);
    } else {
        write_parts(&body, &mail.attachments, &mut text);
    }
    Ok(Eml { text, file_name: file_name(&subject) })
}

/// A body, encoded as it needs.
struct Body<'a> {
    encoding: &'static str,
    text: Cow<'a, str>,
}

impl<'a> Body<'a> {
    fn of(body: &'a str) -> Self {
        let lines = fold(body);
        if lines.contains('\0') || lines.split('\n').any(|line| line.len() > LINE) {
            Self { encoding: "quoted-printable", text: quoted_printable(&lines).into() }
        } else if lines.contains('\n') {
            Self { encoding: "8bit", text: lines.replace('\n', "\r\n").into() }
        } else {
            Self { encoding: "8bit", text: lines }
        }
    }

    /// Its headers, a blank line, itself.
    fn write(&self, text: &mut String) {
        text.push_str("Content-Type: text/plain; charset=\"utf-8\"\r\nContent-Transfer-Encoding: ");
        text.push_str(self.encoding);
        text.push_str("\r\n\r\n");
        text.push_str(&self.text);
    }
}

fn write_parts(body: &Body<'_>, attachments: &[Attachment], text: &mut String) {
    let boundary = boundary(&body.text);
    let around = if body.encoding == "8bit" { "8bit" } else { "7bit" };
    text.push_str(&format!(
        "Content-Type: multipart/mixed; boundary=\"{boundary}\"\r\nContent-Transfer-Encoding: {around}\r\n\r\n--{boundary}\r\n"
    ));
    body.write(text);
    for attachment in attachments {
        text.push_str(&format!("\r\n--{boundary}\r\n"));
        let media = media_type(&attachment.ty);
        let mut header = Header::new("Content-Type");
        header.word(&media);
        if media.starts_with("text/") {
            header.parameter("charset", "utf-8");
        }
        text.push_str(&header.end());
        text.push_str("Content-Transfer-Encoding: base64\r\n");
        let name = one_line(&attachment.name);
        let mut header = Header::new("Content-Disposition");
        header.word("attachment");
        // Blanks at the ends of a file name do not arrive.
        header.parameter("filename", if name.trim().is_empty() { "attachment" } else { name.trim() });
        text.push_str(&header.end());
        text.push_str("\r\n");
        base64_lines(attachment.text.as_bytes(), text);
        // The line break before a boundary is the boundary's.
        if !attachment.text.is_empty() {
            text.truncate(text.len() - 2);
        }
    }
    text.push_str(&format!("\r\n--{boundary}--\r\n"));
}

/// A boundary that does not occur in the body: the first number that it does not use. Base64 has no `_`.
fn boundary(body: &str) -> String {
    const STEM: &str = "=_countersign_";
    let mut used = Vec::new();
    for (at, _) in body.match_indices(STEM) {
        // With a number, every number that it begins with: some programs compare no further.
        let mut number = 0_u64;
        for digit in body[at + STEM.len()..].bytes().take(9).take_while(u8::is_ascii_digit) {
            number = number * 10 + u64::from(digit - b'0');
            used.push(number);
        }
    }
    used.sort_unstable();
    used.dedup();
    let free = (0..).zip(&used).find(|(number, used)| number != *used).map_or(used.len() as u64, |(number, _)| number);
    format!("{STEM}{free}")
}

/// A media type without parameters; bytes where it is none, or where it could not be base64.
fn media_type(ty: &str) -> String {
    const BYTES: &str = "application/octet-stream";
    let bare = ty.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let token =
        |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&c));
    match bare.split_once('/') {
        Some(("multipart" | "message", _)) => BYTES.to_owned(),
        Some((kind, sub)) if token(kind) && token(sub) && bare.len() <= 70 => bare,
        _ => BYTES.to_owned(),
    }
}

/// A name that every file system takes.
fn file_name(subject: &str) -> String {
    const MOST: usize = 80;
    let harmless = |c: char| if is_control(c) || "/\\:*?\"<>|".contains(c) { ' ' } else { c };
    let words: Vec<String> = subject.split(' ').map(|word| word.chars().map(harmless).collect()).collect();
    let mut name = String::new();
    for word in words.iter().flat_map(|word| word.split(' ')).filter(|word| !word.is_empty()) {
        if !name.is_empty() {
            name.push(' ');
        }
        name.extend(word.chars().take(MOST));
        if name.chars().count() >= MOST {
            break;
        }
    }
    let name: String = name.chars().take(MOST).collect();
    let name = name.trim_matches(['.', ' ']);
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let device = matches!(stem.as_str(), "con" | "prn" | "aux" | "nul")
        || (stem.len() == 4
            && (stem.starts_with("com") || stem.starts_with("lpt"))
            && stem.ends_with(|c: char| c.is_ascii_digit()));
    match (name.is_empty(), device) {
        (true, _) => "message.eml".to_owned(),
        (_, true) => format!("_{name}.eml"),
        _ => format!("{name}.eml"),
    }
}
