//! `cargo xtask demo`: builds the package and serves the demo page.
//!
//! `--check` does the page's main job in a browser instead of a person: a story of `tests/browser`.

use crate::browsers::Engine;
use crate::command::root;
use crate::dist;
use crate::say::{Done, step};
use crate::serve::{Server, Site};
use crate::tally::Tally;
use crate::test;
use crate::wasm::Kind;

/// How the demo is started.
pub(crate) struct Options {
    /// Where it listens.
    pub(crate) port: u16,
    /// Do the main job in a browser and end, instead of serving.
    pub(crate) check: bool,
    /// Build first, and how.
    pub(crate) build: Option<Kind>,
}

/// Serves the demo until it is stopped, or checks it.
pub(crate) fn demo(options: &Options) -> Done {
    // Before minutes of building: a port that is taken is known at once.
    let server = Server::listen(if options.check { 0 } else { options.port }, site())?;
    if let Some(kind) = options.build {
        dist::dist(kind, false)?;
    }
    let address = server.address()?;
    if options.check {
        server.spawn();
        return check(&format!("http://{address}/"));
    }
    step(&format!("the demo is at http://{address}/ (stop it with Ctrl+C)"));
    server.serve();
    Ok(())
}

/// Does the main job on the page at this address.
fn check(address: &str) -> Done {
    let drivers = Engine::Chromium.start(1)?;
    let mut story = test::suite();
    drivers.tell(&mut story);
    story.env("COUNTERSIGN_DEMO", address).args(["--", "demo::"]);
    let mut tally = Tally::default();
    tally.run(&format!("doing the main job in Chromium, at {address}"), &mut story);
    tally.close()
}

/// The page, what belongs to it, and the package.
fn site() -> Site {
    let root = root();
    Site::default()
        .file("/", root.join("index.html"))
        .file("/index.html", root.join("index.html"))
        .folder("/www/demo/", root.join("www/demo"))
        .folder("/dist/", root.join("dist"))
        .folder("/tests/fixtures/", root.join("tests/fixtures"))
}
