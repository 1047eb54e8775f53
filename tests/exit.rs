//! Mails read back exactly what went in (§9.2–9.4): the cases of `fixtures/mails.json`, and a law over generated mails, which
//! Python's `email` package reads.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod generate;

use std::path::Path;
use std::process::Command;

use countersign::Reason;
use countersign::exit::{Attachment, Mail, build_eml, build_mailto};
use generate::Random;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Case {
    name: String,
    mail: CaseMail,
    expect: Value,
}

#[derive(Deserialize)]
struct CaseMail {
    to: Vec<String>,
    #[serde(default)]
    cc: Vec<String>,
    #[serde(default)]
    bcc: Vec<String>,
    subject: String,
    body: String,
    #[serde(default)]
    attachments: Vec<CaseFile>,
    #[serde(default)]
    draft: bool,
}

#[derive(Clone, Deserialize, Serialize)]
struct CaseFile {
    name: String,
    r#type: String,
    text: String,
}

/// A mail as a reader must find it.
#[derive(Serialize)]
struct Read {
    to: Vec<(String, String)>,
    cc: Vec<(String, String)>,
    bcc: Vec<(String, String)>,
    subject: String,
    body: String,
    attachments: Vec<CaseFile>,
    draft: bool,
}

fn fixture(name: &str) -> String {
    std::fs::read_to_string(format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn mail(case: CaseMail) -> Mail {
    let CaseMail { to, cc, bcc, subject, body, attachments, draft } = case;
    let file = |file: CaseFile| Attachment { name: file.name, ty: file.r#type, text: file.text };
    Mail { to, cc, bcc, subject, body, attachments: attachments.into_iter().map(file).collect(), draft }
}

/// Has Python read `rows` of `{eml, mail}`; one process for all of them.
fn python_reads(name: &str, rows: &[Value]) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, serde_json::to_string(rows).unwrap()).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/check_mails.py");
    let output = Command::new("python3")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg(script)
        .arg(&file)
        .output()
        .expect("this test needs python3 on the PATH: mails are read back by its email package");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    print!("{told}");
}

#[test]
fn cases() {
    let cases: Vec<Case> = serde_json::from_str(&fixture("mails.json")).unwrap();
    let mut rows = Vec::new();
    for Case { name, mail: case, expect } in cases {
        let mail = mail(case);
        let built = build_eml(&mail);
        if expect["ok"] == false {
            let refused = built.expect_err(&name);
            assert_eq!(refused.reason.name(), expect["reason"], "{name}");
            assert_eq!(build_mailto(&mail).unwrap_err().reason, Reason::BadAddress, "{name}");
            continue;
        }
        let eml = built.unwrap();
        if let Some(file) = expect["file"].as_str() {
            assert_eq!(eml.text, fixture(file), "{name}");
        }
        let head = eml.text.split("\r\n\r\n").next().unwrap();
        if let Some(headers) = expect["headers"].as_array() {
            let real: Vec<&str> = head.split("\r\n").map(|line| line.split(':').next().unwrap()).collect();
            assert_eq!(&real, headers, "{name}");
        }
        if let Some(encoding) = expect["encoding"].as_str() {
            assert!(head.contains(&format!("Content-Transfer-Encoding: {encoding}")), "{name}");
        }
        if expect["draft"] == true {
            assert!(head.contains("\r\nX-Unsent: 1\r\n"), "{name}");
        }
        let read = Read {
            to: mail.to.iter().map(|address| (String::new(), address.clone())).collect(),
            cc: Vec::new(),
            bcc: Vec::new(),
            subject: expect["subject"].as_str().unwrap_or(&mail.subject).to_owned(),
            body: expect["body"].as_str().unwrap_or(&mail.body).replace('\n', "\r\n"),
            attachments: mail
                .attachments
                .iter()
                .map(|file| CaseFile { name: file.name.clone(), r#type: file.ty.clone(), text: file.text.clone() })
                .collect(),
            draft: mail.draft,
        };
        rows.push(json!({ "eml": eml.text, "mail": read }));
    }
    python_reads("mail-cases.json", &rows);
}

/// A text of random pieces, awkward ones among them.
fn pieces(random: &mut Random, from: &[&str], most: usize) -> String {
    (0..random.below(most)).map(|_| from[random.below(from.len())]).collect()
}

const SUBJECTS: [&str; 24] = [
    "Review",
    " ",
    "  ",
    "—",
    "日本語",
    "é",
    "=?",
    "?=",
    "=?UTF-8?Q?=0A?=",
    "\n",
    "\r\nBcc: x@y.example",
    "\t",
    "\0",
    "\u{1f469}\u{200d}\u{1f680}",
    ":",
    ";",
    "\"",
    "a-rather-long-word-without-any-blank-in-it-that-goes-on",
    " of the supplier agreement",
    "\u{85}",
    "\u{2028}",
    "<a@b.example>",
    ",",
    "\u{7f}",
];
const BODIES: [&str; 16] = [
    "Hi,",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    ".",
    "\nFrom x",
    " ",
    "\t",
    "über",
    "=",
    "--=_countersign_0",
    "\n--=_countersign_1",
    "日本語の行",
    "\u{feff}",
    "\u{b}",
];
const NAMES: [&str; 14] = [
    "Ana",
    " ",
    "Čapek",
    "O'Brien",
    ", ",
    "(x)",
    "\"",
    "\\",
    "Dr.",
    "日本",
    "=?x",
    "and-a-very-long-surname-that-fills-a-line-of-its-own-or-two-of-them",
    "@",
    ":",
];
const FILES: [&str; 12] = [
    "plan",
    ".md",
    " ",
    "–",
    "ö",
    "日本語",
    "\"",
    "\\",
    "%",
    "'",
    "\n",
    "a-name-that-is-long-enough-to-need-more-than-one-line",
];

fn one_line(text: &str) -> String {
    let control = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.replace("\r\n", "\n").chars().map(|c| if control(c) { ' ' } else { c }).collect()
}

/// A mailbox as it is written, and as it must be read.
fn mailbox(random: &mut Random) -> (String, (String, String)) {
    let local = *random.pick(&[
        "a",
        "a.b",
        "first.last+tag",
        "o'brien",
        "x_y",
        "a-local-part-as-long-as-they-may-be-0123456789-0123456789-01234",
    ]);
    let domain = *random.pick(&[
        "b.example",
        "sub.b.example",
        "xn--bcher-kva.example",
        "[192.0.2.1]",
        "a-domain-that-is-long.with-many-labels.and-more-labels.b.example",
    ]);
    let address = format!("{local}@{domain}");
    if random.once_in(3) {
        return (address.clone(), (String::new(), address));
    }
    let name = pieces(random, &NAMES, 6);
    let bare = name.trim();
    let read = name.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let several = bare.contains('@') && bare.contains([',', ';']);
    let plain = !(bare.is_empty() || several || bare.contains(['"', '\\', '<', '>']));
    if plain && random.once_in(2) {
        (format!("{bare} <{address}>"), (read, address))
    } else {
        let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
        (format!("\"{quoted}\" <{address}>"), (read, address))
    }
}

#[test]
fn law_a_reader_finds_what_went_in() {
    let mut rows = Vec::new();
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let list = |random: &mut Random, most| -> Vec<(String, (String, String))> {
            (0..random.below(most)).map(|_| mailbox(random)).collect()
        };
        let (to, cc, bcc) = (list(&mut random, 5), list(&mut random, 3), list(&mut random, 3));
        let subject = pieces(&mut random, &SUBJECTS, 9);
        let mut body = pieces(&mut random, &BODIES, 12);
        if random.once_in(10) {
            body.push_str(&"x".repeat(990 + random.below(20)));
        }
        if random.once_in(10) {
            body.push_str(&pieces(&mut random, &["\0", "=", " \n", "é", "word "], 60));
        }
        let files: Vec<CaseFile> = (0..random.below(4).saturating_sub(1))
            .map(|_| CaseFile {
                name: pieces(&mut random, &FILES, 7),
                r#type: (*random.pick(&["text/markdown", "text/plain", "application/json", "image/svg+xml"]))
                    .to_owned(),
                text: pieces(&mut random, &BODIES, 20) + &pieces(&mut random, &SUBJECTS, 4),
            })
            .collect();
        let addresses = |list: &[(String, (String, String))]| -> Vec<String> {
            list.iter().map(|(text, _)| text.clone()).collect()
        };
        let wanted = |list: Vec<(String, (String, String))>| -> Vec<(String, String)> {
            list.into_iter().map(|(_, read)| read).collect()
        };
        let mail = Mail {
            to: addresses(&to),
            cc: addresses(&cc),
            bcc: addresses(&bcc),
            subject: subject.clone(),
            body: body.clone(),
            attachments: files
                .iter()
                .map(|file| Attachment { name: file.name.clone(), ty: file.r#type.clone(), text: file.text.clone() })
                .collect(),
            draft: random.once_in(3),
        };
        let eml = build_eml(&mail).unwrap_or_else(|refused| panic!("seed {seed}: {}", refused.message));
        assert_eq!(build_eml(&mail).unwrap(), eml, "seed {seed}");
        let read = Read {
            to: wanted(to),
            cc: wanted(cc),
            bcc: wanted(bcc),
            subject: one_line(&subject),
            body: body.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n"),
            attachments: files
                .into_iter()
                .map(|file| CaseFile {
                    name: if file.name.trim().is_empty() {
                        "attachment".into()
                    } else {
                        one_line(&file.name).trim().to_owned()
                    },
                    ..file
                })
                .collect(),
            draft: mail.draft,
        };
        rows.push(json!({ "eml": eml.text, "mail": read }));
    }
    python_reads("mail-law.json", &rows);
}

#[test]
fn addresses_that_are_not_one_mailbox_are_refused() {
    for address in [
        "",
        "a",
        "@",
        "a@",
        "@b.example",
        "a@b.example, c@d.example",
        "a@b.example, c <d@e.example>",
        "a@b.example; c@d.example",
        "A <a@b.example",
        "a@b.example>",
        "A <B <a@b.example>",
        "A <>",
        "a b@c.example",
        "a@b c.example",
        "a..b@c.example",
        ".a@c.example",
        "a@c..example",
        "ä@c.example",
        "a@ü.example",
        "a@b@c.example",
        "A\u{0}B <a@b.example>",
        "A\u{2028}B <a@b.example>",
        "a@b.example\nBcc: c@d.example",
        "a@b.example\r",
        "\"A\" B\" <a@b.example>",
        "\"A\\\" <a@b.example>",
    ] {
        for field in 0..3 {
            let list = |at: usize| if at == field { vec![address.to_owned()] } else { Vec::new() };
            let mail = Mail { to: list(0), cc: list(1), bcc: list(2), ..Mail::default() };
            let refused = build_eml(&mail).expect_err(address);
            assert_eq!(refused.reason, Reason::BadAddress, "{address:?}");
            assert!(refused.message.chars().count() < 300 && !refused.message.contains(['\r', '\n', '\0']));
            assert_eq!(build_mailto(&mail).expect_err(address), refused);
        }
    }
    let name = "\"Doe, Jane (\\\"JD\\\")\" <j@d.example>";
    let mail = Mail { to: vec![name.into()], ..Mail::default() };
    assert!(build_eml(&mail).unwrap().text.starts_with(&format!("To: {name}\r\n")));
}

#[test]
fn a_mailto_is_percent_encoded_and_warns_before_it_is_cut() {
    let mail = Mail {
        to: vec!["Ana <a+b@c.example>".into(), "d@e.example".into()],
        cc: vec!["f&g@h.example".into()],
        subject: "Ä & B?\r\nBcc: x".into(),
        body: "one\ntwo\r\nthree\rfour 100%".into(),
        ..Mail::default()
    };
    let mailto = build_mailto(&mail).unwrap();
    assert_eq!(
        mailto.href,
        "mailto:a%2Bb@c.example,d@e.example?cc=f%26g@h.example&subject=%C3%84%20%26%20B%3F%20Bcc%3A%20x\
         &body=one%0D%0Atwo%0D%0Athree%0D%0Afour%20100%25"
    );
    assert_eq!((mailto.length, mailto.may_truncate), (mailto.href.len(), false));
    let long =
        |length: usize| build_mailto(&Mail { body: "x".repeat(length - "mailto:?body=".len()), ..Mail::default() });
    assert!(!long(2000).unwrap().may_truncate);
    assert!(long(2001).unwrap().may_truncate && long(2001).unwrap().length == 2001);
}

#[test]
fn a_file_has_a_name_that_every_system_takes() {
    for (subject, name) in [
        ("Vendor review — recommendation", "Vendor review — recommendation.eml"),
        ("a/b\\c:d*e?f\"g<h>i|j\nk", "a b c d e f g h i j k.eml"),
        ("", "message.eml"),
        ("..", "message.eml"),
        ("CON", "_CON.eml"),
        ("com1.x", "_com1.x.eml"),
        (" .a. ", "a.eml"),
    ] {
        let mail = Mail { subject: subject.into(), ..Mail::default() };
        assert_eq!(build_eml(&mail).unwrap().file_name, name);
    }
    let long = Mail { subject: "語".repeat(500), ..Mail::default() };
    assert_eq!(build_eml(&long).unwrap().file_name.chars().count(), 84);
}
