//! `cargo xtask test`: everything that holds the project to its word, quickest first.

use std::process::Command;

use crate::browsers::Engine;
use crate::command::{cargo, output, program, root};
use crate::dist;
use crate::npm;
use crate::say::{Done, Stop};
use crate::size;
use crate::tally::Tally;
use crate::wasm::Kind;

/// What is tested.
pub(crate) struct Options {
    /// Only what needs no browser, no Node and no WebAssembly.
    pub(crate) native: bool,
    /// Only the browser suite, in this engine.
    pub(crate) browser: Option<Engine>,
    /// Test what is in `dist/`, and how it is built otherwise.
    pub(crate) build: Option<Kind>,
    /// Only tests whose names contain one of these.
    pub(crate) filters: Vec<String>,
}

/// The engines of a full run.
const ENGINES: [Engine; 1] = [Engine::Chromium];

/// Browsers that run at once: one for each of the two cores that a small machine has.
const AT_ONCE: usize = 2;

/// Runs the tests. A failure does not keep the later ones from running; the closing line counts all.
pub(crate) fn test(options: &Options) -> Done {
    let mut tally = Tally::default();
    if let Some(engine) = options.browser {
        build(options)?;
        browser(&mut tally, engine, &options.filters);
        return tally.close();
    }
    let mut native = cargo();
    native.args(["test", "--workspace", "--no-fail-fast", "--quiet", "--"]).args(&options.filters);
    tally.run("native tests", &mut native);
    // The border to JavaScript has tests that need none: of positions and of the form in which values cross.
    let mut border = cargo();
    border.args(["test", "--lib", "--features", "js", "--quiet", "--", "js::"]).args(&options.filters);
    tally.run("native tests of the border to JavaScript", &mut border);
    if options.native {
        return tally.close();
    }
    if tally.check("the package builds", || build(options)) {
        if options.build != Some(Kind::Dev) {
            tally.check("the package keeps its size", size::size);
        }
        if tally.check("Node is here, with the packages that tests need", npm::install) {
            types(&mut tally);
            node(&mut tally);
        }
        for engine in ENGINES {
            browser(&mut tally, engine, &options.filters);
        }
    }
    tally.close()
}

fn build(options: &Options) -> Done {
    match options.build {
        Some(kind) => dist::dist(kind, false).map(drop),
        None if root().join("dist/wasm").exists() => Ok(()),
        None => Err("dist/ has not been built: leave out --no-build".into()),
    }
}

/// The package's JavaScript, and its declarations against the contract, by the type checker.
fn types(tally: &mut Tally) {
    for (what, project) in [
        ("the package's JavaScript and the core's declarations", "tsconfig.json"),
        ("the elements' declarations", "elements.tsconfig.json"),
    ] {
        tally.check(&format!("{what} keep the contract"), || {
            let mut check = npm::node("typescript/bin/tsc");
            check.arg("--noEmit").arg("--project").arg(root().join("tests/contract").join(project));
            // The checker tells of errors on its standard output.
            let checked = check.output().map_err(|error| Stop(format!("cannot run tsc: {error}")))?;
            match checked.status.success() {
                true => Ok(()),
                false => Err(Stop(String::from_utf8_lossy(&checked.stdout).into_owned())),
            }
        });
    }
}

/// The headless package in Node.
fn node(tally: &mut Tally) {
    let folder = root().join("tests/node");
    let Ok(entries) = std::fs::read_dir(&folder) else { return };
    // Named one by one: Node 20 and 22 read a folder's name differently.
    let mut files: Vec<_> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.to_string_lossy().ends_with(".test.js") || path.to_string_lossy().ends_with(".test.mjs"))
        .collect();
    files.sort();
    if !files.is_empty() {
        tally.run("the headless package in Node", program("node").args(["--test", "--test-reporter=spec"]).args(files));
    }
}

/// The browser suite in one engine.
fn browser(tally: &mut Tally, engine: Engine, filters: &[String]) {
    let mut drivers = None;
    let started = tally.check(&format!("{} is here", engine.name()), || {
        drivers = Some(engine.start(AT_ONCE)?);
        Ok(())
    });
    if let (true, Some(drivers)) = (started, &drivers) {
        let mut suite = suite();
        drivers.tell(&mut suite);
        suite.arg("--").args(filters);
        tally.run(&format!("the browser suite in {}", engine.name()), &mut suite);
    }
}

/// The tests in `tests/browser`, which plain `cargo test` leaves out.
pub(crate) fn suite() -> Command {
    let mut command = cargo();
    command.args(["test", "--quiet", "--package", "countersign", "--test", "browser"]);
    // A failed test says where and why; the stack of the test program adds nothing.
    command.env("RUST_BACKTRACE", "0");
    command
}

/// `cargo xtask check`: what must be clean before a change lands.
pub(crate) fn check() -> Done {
    let mut tally = Tally::default();
    tally.check("formatting", || output(cargo().args(["fmt", "--all", "--check"])).map(drop));
    for (what, words) in [
        ("clippy on the core and its tests", &["--workspace", "--all-targets"] as &[&str]),
        ("clippy on the browser suite", &["--package", "countersign", "--test", "browser"]),
        ("clippy on the JavaScript API", &["--package", "countersign", "--lib", "--features", "js"]),
        ("clippy on the elements", &["--package", "countersign", "--lib", "--features", "browser"]),
    ] {
        let mut clippy = cargo();
        clippy.args(["clippy", "--quiet"]).args(words).args(["--", "-D", "warnings"]);
        tally.check(what, || output(&mut clippy).map(drop));
    }
    tally.check("documentation", || {
        output(cargo().args(["doc", "--quiet", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings")).map(drop)
    });
    tally.close()
}
