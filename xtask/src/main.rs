//! The project's commands. `cargo xtask` without one lists them.

mod bench;
mod browsers;
mod command;
mod debian;
mod demo;
mod dist;
mod npm;
mod say;
// Shared with `tests/browser`, which uses more of it.
#[allow(dead_code)]
mod serve;
mod size;
mod tally;
mod test;
mod toolchain;
mod wasm;

use std::process::ExitCode;

use say::{Done, Stop};
use wasm::Kind;

const USAGE: &str = "\
cargo xtask demo [--port 8080]       build, and serve the demo on 127.0.0.1
cargo xtask demo --check             build, and do the demo's main job in headless Chromium
cargo xtask test                     everything: native, size, types, Node, browsers
cargo xtask test --native            only what needs no browser, Node or WebAssembly
cargo xtask test --browser NAME      only the browser suite: chromium, firefox or webkit
cargo xtask check                    formatting, clippy for every feature, documentation
cargo xtask dist                     the npm package, in dist/ (--core: build only its headless half)
cargo xtask bench                    what opening a document costs beside peers, in Chromium
cargo xtask size                     what the package costs on the wire, against its budget

demo, test, bench and dist take --dev (modules that build sooner and are larger), demo, test and bench
also --no-build (use dist/ as it is). After `--`, test takes parts of names: only those tests run.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stop(message)) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Done {
    let Some((name, rest)) = arguments.split_first() else {
        println!("{USAGE}");
        return Ok(());
    };
    let mut given = Given { words: rest.to_vec() };
    match name.as_str() {
        "demo" => {
            let port = match given.value("--port")? {
                Some(port) => port.parse().map_err(|_| format!("--port takes a number up to 65535, not `{port}`"))?,
                None => 8080,
            };
            let (build, check) = (given.build(), given.flag("--check"));
            given.end()?;
            demo::demo(&demo::Options { port, check, build })
        }
        "test" => {
            let filters = given.after_dashes();
            let browser = given.value("--browser")?.map(|name| browsers::Engine::named(&name)).transpose()?;
            let (build, native) = (given.build(), given.flag("--native"));
            given.end()?;
            test::test(&test::Options { native, browser, build, filters })
        }
        "check" => {
            given.end()?;
            test::check()
        }
        "dist" => {
            let (kind, headless) = (given.kind(), given.flag("--core"));
            given.end()?;
            dist::dist(kind, headless).map(drop)
        }
        "bench" => {
            let build = given.build();
            given.end()?;
            bench::bench(build)
        }
        "size" => {
            given.end()?;
            dist::dist(Kind::Release, false)?;
            size::size()
        }
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(())
        }
        _ => Err(Stop(format!("no command `{name}`\n{USAGE}"))),
    }
}

/// What was given after the command's name; each is taken out as it is understood.
struct Given {
    words: Vec<String>,
}

impl Given {
    fn flag(&mut self, name: &str) -> bool {
        let before = self.words.len();
        self.words.retain(|word| word != name);
        self.words.len() < before
    }

    /// `--name VALUE` or `--name=VALUE`.
    fn value(&mut self, name: &str) -> Done<Option<String>> {
        let inline = |word: &String| word.strip_prefix(name).is_some_and(|rest| rest.starts_with('='));
        if let Some(at) = self.words.iter().position(inline) {
            return Ok(self.words.remove(at).split_once('=').map(|(_, value)| value.to_owned()));
        }
        let Some(at) = self.words.iter().position(|word| word == name) else { return Ok(None) };
        self.words.remove(at);
        if at < self.words.len() { Ok(Some(self.words.remove(at))) } else { Err(Stop(format!("{name} needs a value"))) }
    }

    fn kind(&mut self) -> Kind {
        if self.flag("--dev") { Kind::Dev } else { Kind::Release }
    }

    /// None: use what is built.
    fn build(&mut self) -> Option<Kind> {
        let kind = self.kind();
        (!self.flag("--no-build")).then_some(kind)
    }

    fn after_dashes(&mut self) -> Vec<String> {
        match self.words.iter().position(|word| word == "--") {
            Some(at) => self.words.split_off(at).split_off(1),
            None => Vec::new(),
        }
    }

    fn end(self) -> Done {
        match self.words.first() {
            Some(word) => Err(Stop(format!("`{word}` is not understood here\n{USAGE}"))),
            None => Ok(()),
        }
    }
}
