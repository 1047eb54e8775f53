//! One W3C WebDriver request at a time, over a socket: JSON goes out, JSON comes back.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// What a driver answers where it cannot do what was asked.
#[derive(Debug)]
pub struct Failure {
    /// As in `stale element reference`.
    pub error: String,
    /// The driver's words.
    pub message: String,
}

/// Sends a command and gives the `value` of its answer.
pub fn command(driver: &str, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Failure> {
    let lost =
        |error: std::io::Error| Failure { error: "driver lost".into(), message: format!("{method} {path}: {error}") };
    let answer = exchange(driver, method, path, body).map_err(lost)?;
    let answer: Value = serde_json::from_slice(&answer).map_err(|error| Failure {
        error: "no JSON".into(),
        message: format!("{method} {path}: {error}: {}", String::from_utf8_lossy(&answer)),
    })?;
    let value = answer.get("value").cloned().unwrap_or(Value::Null);
    match value.get("error").and_then(Value::as_str) {
        // A script may return an object with a member `error`, too: a driver's error always has a stack trace.
        Some(error) if value.get("stacktrace").is_some() => Err(Failure {
            error: error.to_owned(),
            message: value.get("message").and_then(Value::as_str).unwrap_or_default().to_owned(),
        }),
        _ => Ok(value),
    }
}

fn exchange(driver: &str, method: &str, path: &str, body: Option<&Value>) -> std::io::Result<Vec<u8>> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let mut stream = TcpStream::connect(driver)?;
    stream.set_read_timeout(Some(Duration::from_secs(120)))?;
    stream.set_nodelay(true)?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {driver}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    read_answer(&mut stream)
}

/// The body of an HTTP answer, by its length, in chunks, or to the end of the connection.
fn read_answer(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut piece = [0; 16 * 1024];
    loop {
        if let Some(body) = whole_body(&bytes) {
            return Ok(body);
        }
        let length = stream.read(&mut piece)?;
        if length == 0 {
            let start = find(&bytes, b"\r\n\r\n").map_or(bytes.len(), |at| at + 4);
            return Ok(bytes.split_off(start));
        }
        bytes.extend_from_slice(&piece[..length]);
    }
}

fn whole_body(bytes: &[u8]) -> Option<Vec<u8>> {
    let start = find(bytes, b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&bytes[..start]).to_ascii_lowercase();
    let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':').map(str::trim));
    let mut rest = &bytes[start..];
    if header("transfer-encoding") == Some("chunked") {
        let mut body = Vec::new();
        loop {
            let line = find(rest, b"\r\n")?;
            let length = usize::from_str_radix(std::str::from_utf8(&rest[..line]).ok()?.trim(), 16).ok()?;
            if length == 0 {
                return Some(body);
            }
            body.extend_from_slice(rest.get(line + 2..line + 2 + length)?);
            rest = rest.get(line + 4 + length..)?;
        }
    }
    let length = header("content-length")?.parse().ok()?;
    rest.get(..length).map(<[u8]>::to_vec)
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}
