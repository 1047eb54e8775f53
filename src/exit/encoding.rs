//! The encodings of mail: base64, quoted-printable, percent.

/// Base64, without line breaks.
pub(super) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().enumerate().fold(0_u32, |bits, (at, byte)| bits | u32::from(*byte) << (16 - 8 * at));
        for at in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * at)) as usize & 63] as char;
            text.push(if at <= three.len() { digit } else { '=' });
        }
    }
    text
}

/// Base64 in lines of 76, each with its CRLF.
pub(super) fn base64_lines(bytes: &[u8], text: &mut String) {
    for line in bytes.chunks(57) {
        text.push_str(&base64(line));
        text.push_str("\r\n");
    }
}

/// Quoted-printable: lines of at most 76, CRLF for each line break of `text`, which must be LF.
pub(super) fn quoted_printable(text: &str) -> String {
    // Room for the `=` of a soft line break.
    const MOST: usize = 75;
    let mut quoted = String::with_capacity(text.len() + text.len() / 8);
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            quoted.push_str("\r\n");
        }
        let mut column = 0;
        for (at, byte) in line.bytes().enumerate() {
            // A blank at a line's end would be lost on the way.
            let last = at + 1 == line.len();
            let plain = matches!(byte, b'!'..=b'<' | b'>'..=b'~') || matches!(byte, b' ' | b'\t') && !last;
            let width = if plain { 1 } else { 3 };
            if column + width > MOST {
                quoted.push_str("=\r\n");
                column = 0;
            }
            column += width;
            if plain {
                quoted.push(byte as char);
            } else {
                quoted.push('=');
                push_hex(byte, &mut quoted);
            }
        }
    }
    quoted
}

/// `text` percent-encoded: everything but letters, digits, `-`, `.`, `_`, `~` and what `also` names.
pub(super) fn percent(text: &str, also: &[u8], encoded: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') || also.contains(&byte) {
            encoded.push(byte as char);
        } else {
            encoded.push('%');
            push_hex(byte, encoded);
        }
    }
}

fn push_hex(byte: u8, text: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    text.push(DIGITS[(byte >> 4) as usize] as char);
    text.push(DIGITS[(byte & 15) as usize] as char);
}
