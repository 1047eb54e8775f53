//! What the browser loads: the demo, the package, test pages and fixtures, from a server of the test's own.
//!
//! Each test that asks gets an origin of its own, and so storage of its own, and a log of what was requested.

use std::sync::{Arc, Mutex, PoisonError};

use crate::serve::{Request, Response, Server, Site};

/// A running server and what was asked of it.
pub struct Pages {
    /// `http://127.0.0.1:PORT`
    pub origin: String,
    log: Arc<Mutex<Vec<String>>>,
}

impl Pages {
    /// `/` is the demo, `/dist/` the package, `/pages/` is tests/pages, `/fixtures/` tests/fixtures, `/npm/` node_modules.
    pub fn serve() -> Self {
        Self::serve_with(|site| site)
    }

    /// The demo's page, at `origin`/: the one that `cargo xtask demo --check` serves, or one of our own.
    pub fn demo() -> Self {
        match std::env::var("COUNTERSIGN_DEMO") {
            Ok(address) => Self { origin: address.trim_end_matches('/').to_owned(), log: Arc::default() },
            Err(_) => Self::serve(),
        }
    }

    /// The same with more: hooks, or headers for a page.
    pub fn serve_with(more: impl FnOnce(Site) -> Site) -> Self {
        let root = crate::root();
        let log = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&log);
        let site = Site::default()
            .hook(move |request: &Request| {
                let asked = format!("{} {}", request.method, request.path);
                heard.lock().unwrap_or_else(PoisonError::into_inner).push(asked);
                // Browsers ask for it on their own; a 404 would look like an error of the page.
                (request.path == "/favicon.ico").then(|| Response::new(204, "image/x-icon", ""))
            })
            .file("/", root.join("index.html"))
            .file("/index.html", root.join("index.html"))
            .folder("/www/demo/", root.join("www/demo"))
            .folder("/dist/", root.join("dist"))
            .folder("/tests/fixtures/", root.join("tests/fixtures"))
            .folder("/pages/", root.join("tests/pages"))
            .folder("/fixtures/", root.join("tests/fixtures"))
            .folder("/npm/", root.join("node_modules"));
        let server = Server::listen(0, more(site)).unwrap();
        let origin = format!("http://{}", server.address().unwrap());
        server.spawn();
        Self { origin, log }
    }

    /// The address of a page in tests/pages.
    pub fn page(&self, name: &str) -> String {
        format!("{}/pages/{name}", self.origin)
    }

    /// What was asked so far, as `GET /path`.
    pub fn asked(&self) -> Vec<String> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
