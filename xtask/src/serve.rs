//! A small web server for one machine: the demo's, and the one that browser tests load their pages from.
//!
//! It listens on 127.0.0.1 only, gives out the folders and files that it was told to and nothing beside them, and follows
//! no link out of them. It needs the standard library only: `tests/browser` includes this very file.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A request, as far as anyone here needs it.
pub(crate) struct Request {
    /// `GET`, `HEAD`, …
    pub(crate) method: String,
    /// The decoded path, without the query.
    pub(crate) path: String,
    /// What follows `?`, as it came.
    pub(crate) query: String,
    /// Names in lower case.
    pub(crate) headers: HashMap<String, String>,
    /// At most [`LARGEST_BODY`] bytes.
    pub(crate) body: Vec<u8>,
}

/// An answer.
pub(crate) struct Response {
    /// As in `404`.
    pub(crate) status: u16,
    /// `Content-Type` and what else there is; the length is added.
    pub(crate) headers: Vec<(String, String)>,
    /// The bytes.
    pub(crate) body: Vec<u8>,
}

impl Response {
    /// An answer with a content type.
    pub(crate) fn new(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: vec![("Content-Type".into(), kind.into())], body: body.into() }
    }

    /// The same with one more header.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }
}

type Hook = Box<dyn Fn(&Request) -> Option<Response> + Send + Sync>;
type Dress = Box<dyn Fn(&Request, Response) -> Response + Send + Sync>;

/// What is given out, and under which paths.
#[derive(Default)]
pub(crate) struct Site {
    folders: Vec<(String, PathBuf)>,
    files: Vec<(String, PathBuf)>,
    hooks: Vec<Hook>,
    dress: Option<Dress>,
}

const LARGEST_HEAD: u64 = 64 * 1024;
/// What a request may carry.
pub(crate) const LARGEST_BODY: u64 = 64 * 1024 * 1024;

impl Site {
    /// Everything in `folder` under a prefix such as `/dist/`. The longest prefix that fits counts.
    #[must_use]
    pub(crate) fn folder(mut self, prefix: &str, folder: impl Into<PathBuf>) -> Self {
        self.folders.push((prefix.to_owned(), folder.into()));
        self.folders.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
        self
    }

    /// One file at one path.
    #[must_use]
    pub(crate) fn file(mut self, path: &str, file: impl Into<PathBuf>) -> Self {
        self.files.push((path.to_owned(), file.into()));
        self
    }

    /// Asked before files are looked for; the first that answers counts.
    #[must_use]
    pub(crate) fn hook(mut self, hook: impl Fn(&Request) -> Option<Response> + Send + Sync + 'static) -> Self {
        self.hooks.push(Box::new(hook));
        self
    }

    /// Has the last word on every answer: headers for one page, say.
    #[must_use]
    pub(crate) fn dress(mut self, dress: impl Fn(&Request, Response) -> Response + Send + Sync + 'static) -> Self {
        self.dress = Some(Box::new(dress));
        self
    }

    /// The answer to a request.
    pub(crate) fn answer(&self, request: &Request) -> Response {
        let found = self.hooks.iter().find_map(|hook| hook(request)).unwrap_or_else(|| self.look(request));
        match &self.dress {
            Some(dress) => dress(request, found),
            None => found,
        }
    }

    fn look(&self, request: &Request) -> Response {
        if !matches!(request.method.as_str(), "GET" | "HEAD") {
            return Response::new(405, "text/plain; charset=utf-8", "only GET and HEAD").with("Allow", "GET, HEAD");
        }
        let missing = || Response::new(404, "text/plain; charset=utf-8", format!("nothing at {}\n", request.path));
        let Some(path) = self.place(&request.path) else { return missing() };
        let path = if path.is_dir() { path.join("index.html") } else { path };
        match std::fs::read(&path) {
            Ok(bytes) => Response::new(200, kind(&path), bytes),
            Err(_) => missing(),
        }
    }

    /// The file or folder that a path stands for, inside what is given out.
    fn place(&self, path: &str) -> Option<PathBuf> {
        if let Some((_, file)) = self.files.iter().find(|(at, _)| at == path) {
            return Some(file.clone());
        }
        let (prefix, folder) = self.folders.iter().find(|(prefix, _)| path.starts_with(prefix.as_str()))?;
        let rest = path.get(prefix.len()..)?;
        let mut place = folder.clone();
        for part in rest.split('/').filter(|part| !part.is_empty()) {
            let hidden = part.starts_with('.');
            if hidden || part.contains(['\\', '\0', ':']) {
                return None;
            }
            place.push(part);
        }
        let (place, folder) = (place.canonicalize().ok()?, folder.canonicalize().ok()?);
        place.starts_with(folder).then_some(place)
    }
}

/// A server that is listening.
pub(crate) struct Server {
    listener: TcpListener,
    site: Arc<Site>,
}

impl Server {
    /// Listens on 127.0.0.1; port 0 is any free one.
    pub(crate) fn listen(port: u16, site: Site) -> Result<Self, String> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| match error.kind() {
            ErrorKind::AddrInUse => {
                format!(
                    "port {port} is taken by another program; name a free one with `--port {}`",
                    port.wrapping_add(1).max(1024)
                )
            }
            ErrorKind::PermissionDenied => {
                format!("port {port} is not ours to take; name one above 1023 with `--port`")
            }
            _ => format!("cannot listen on 127.0.0.1:{port}: {error}"),
        })?;
        Ok(Self { listener, site: Arc::new(site) })
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> Result<SocketAddr, String> {
        self.listener.local_addr().map_err(|error| error.to_string())
    }

    /// Serves in the background until the program ends.
    pub(crate) fn spawn(self) {
        std::thread::spawn(move || self.serve());
    }

    /// Serves until the program ends.
    pub(crate) fn serve(self) {
        for stream in self.listener.incoming() {
            match stream {
                Ok(stream) => {
                    let site = Arc::clone(&self.site);
                    std::thread::spawn(move || {
                        // A browser that goes away in the middle is no failure of ours.
                        let _ = talk(&site, &stream);
                    });
                }
                // Out of descriptors, most likely: some are about to be closed.
                Err(_) => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }
}

/// One request, one answer, and the connection ends.
fn talk(site: &Site, stream: &TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    stream.set_write_timeout(Some(Duration::from_secs(20)))?;
    let mut reader = BufReader::new(stream);
    let Some(request) = read(&mut reader)? else {
        return Ok(());
    };
    let response = match request {
        Ok(request) => {
            let mut response = site.answer(&request);
            if request.method == "HEAD" {
                response.headers.push(("Content-Length".into(), response.body.len().to_string()));
                response.body.clear();
            }
            response
        }
        Err(status) => Response::new(status, "text/plain; charset=utf-8", "not a request that is served here"),
    };
    write(stream, &response)
}

fn write(mut stream: &TcpStream, response: &Response) -> std::io::Result<()> {
    let reason = match response.status {
        200 => "OK",
        404 => "Not Found",
        _ => "-",
    };
    let mut head = format!("HTTP/1.1 {} {reason}\r\nConnection: close\r\n", response.status);
    let has = |name: &str| response.headers.iter().any(|(header, _)| header.eq_ignore_ascii_case(name));
    // What was built a moment ago must be what is loaded; a type is what we say it is.
    for (name, value) in [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")] {
        if !has(name) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
    }
    if !has("Content-Length") {
        head.push_str(&format!("Content-Length: {}\r\n", response.body.len()));
    }
    for (name, value) in &response.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(&response.body)?;
    stream.flush()
}

/// A request; `Ok(None)` where the connection was opened and nothing came.
fn read(reader: &mut BufReader<&TcpStream>) -> std::io::Result<Option<Result<Request, u16>>> {
    let mut head = reader.by_ref().take(LARGEST_HEAD);
    let mut line = String::new();
    if head.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(Some(Err(400))) };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let Some(path) = decode(path) else { return Ok(Some(Err(400))) };
    let (method, query) = (method.to_owned(), query.to_owned());
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        if head.read_line(&mut line)? == 0 {
            return Ok(Some(Err(431)));
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
    }
    let length = headers.get("content-length").and_then(|length| length.parse::<u64>().ok()).unwrap_or(0);
    if length > LARGEST_BODY {
        return Ok(Some(Err(413)));
    }
    let mut body = Vec::new();
    reader.take(length).read_to_end(&mut body)?;
    Ok(Some(Ok(Request { method, path, query, headers, body })))
}

/// `%C3%A9` → `é`; None where that is not UTF-8, or not an absolute path.
pub(crate) fn decode(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
            let (high, low) = (digit(rest.next())?, digit(rest.next())?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok().filter(|path| path.starts_with('/'))
}

/// The content type that a file's name stands for.
fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "wasm" => "application/wasm",
        "md" => "text/markdown; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "ts" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(site: &Site, path: &str) -> (u16, String, String) {
        let request = Request {
            method: "GET".into(),
            path: path.into(),
            query: String::new(),
            headers: HashMap::new(),
            body: Vec::new(),
        };
        let response = site.answer(&request);
        let kind = response.headers.first().map(|(_, value)| value.clone()).unwrap_or_default();
        (response.status, kind, String::from_utf8_lossy(&response.body).into_owned())
    }

    #[test]
    fn gives_out_what_it_was_told_to_and_nothing_beside() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let manifest =
            here.ancestors().map(|folder| folder.join("xtask/Cargo.toml")).find(|path| path.is_file()).unwrap();
        let xtask = manifest.parent().unwrap();
        let site = Site::default().folder("/code/", xtask.join("src")).file("/", &manifest);
        assert_eq!(get(&site, "/").0, 200);
        assert_eq!(get(&site, "/code/serve.rs").0, 200);
        for path in [
            "/code/../Cargo.toml",
            "/code/./../Cargo.toml",
            "/code//../Cargo.toml",
            "/code/bin/../../Cargo.toml",
            "/code/..\\Cargo.toml",
            "/code/.hidden",
            "/code/",
            "/code",
            "/Cargo.toml",
            "/code/serve.rs\0",
            "//etc/passwd",
        ] {
            assert_eq!(get(&site, path).0, 404, "{path}");
        }
    }

    #[test]
    fn decodes_a_path_once() {
        assert_eq!(decode("/a%20b%C3%A9").as_deref(), Some("/a bé"));
        assert_eq!(decode("/%2e%2e/x").as_deref(), Some("/../x"));
        assert_eq!(decode("/%252e").as_deref(), Some("/%2e"));
        for wrong in ["/%", "/%4", "/%zz", "/%ff", "x", ""] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn answers_over_a_socket() {
        let site = Site::default().hook(|request| {
            (request.path == "/echo").then(|| Response::new(200, "application/wasm", request.body.clone()))
        });
        let server = Server::listen(0, site).unwrap();
        let address = server.address().unwrap();
        assert!(Server::listen(address.port(), Site::default()).err().unwrap().contains("taken"));
        server.spawn();
        let ask = |text: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(text.as_bytes()).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        };
        let answer = ask("POST /echo?x HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\nhello"), "{answer}");
        assert!(answer.contains("Content-Type: application/wasm\r\n"), "{answer}");
        assert!(ask("POST /other HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405"));
        assert!(ask("GET /other HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404"));
        assert!(ask("nonsense\r\n\r\n").starts_with("HTTP/1.1 400"));
        let head = ask("HEAD /echo HTTP/1.1\r\n\r\n");
        assert!(head.contains("Content-Length: 0\r\n") && head.ends_with("\r\n\r\n"), "{head}");
    }
}
