//! The two WebAssembly modules: compile, bind (wasm-bindgen's glue), optimise (wasm-opt).
//!
//! Each step is skipped where its input has not changed, so that an edit of a hand-written file costs nothing here.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::command::{cargo, output, program, run, target};
use crate::npm;
use crate::say::{Done, Stop, at, note, step, took};
use crate::toolchain::{self, TARGET, Toolchain};

/// A module of the package.
pub(crate) struct Module {
    /// Its file is `dist/wasm/NAME_bg.wasm`, its glue `dist/wasm/NAME.js`.
    pub(crate) name: &'static str,
    feature: &'static str,
}

/// Headless first, then the elements.
pub(crate) const MODULES: [Module; 2] =
    [Module { name: "core", feature: "js" }, Module { name: "elements", feature: "browser" }];

/// Smaller before faster. The features are named one by one: `--all-features` also writes some that browsers refuse.
const OPTIMISE: [&str; 12] = [
    "-Oz",
    // What the compiler left apart stays apart: brotli makes more of it.
    "--one-caller-inline-max-function-size=0",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-mutable-globals",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-call-indirect-overlong",
    "--strip-producers",
    "--strip-debug",
];

/// How modules are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// As published.
    Release,
    /// Sooner, larger, slower: to try things with.
    Dev,
}

/// Builds the modules; gives the folder that holds each `NAME.js` and `NAME_bg.wasm`. `headless` leaves the elements as they
/// are: they take minutes, and Node needs none.
pub(crate) fn build(kind: Kind, headless: bool) -> Done<PathBuf> {
    let toolchain = toolchain::find()?;
    let optimise = kind == Kind::Release && npm_is_ready();
    let out = target().join("web").join(if kind == Kind::Release { "modules" } else { "modules-dev" });
    std::fs::create_dir_all(&out).map_err(at("make", &out))?;
    for module in MODULES.iter().take(if headless { 1 } else { MODULES.len() }) {
        let compiled = compile(module, kind, toolchain)?;
        finish(module, &compiled, &out, optimise)?;
    }
    Ok(out)
}

/// Without Node there still is a module: a larger one.
fn npm_is_ready() -> bool {
    match npm::install() {
        Ok(()) => true,
        Err(Stop(why)) => {
            note(&format!("{why}; the modules are not optimised by wasm-opt (larger, otherwise the same)"));
            false
        }
    }
}

fn compile(module: &Module, kind: Kind, toolchain: Toolchain) -> Done<PathBuf> {
    step(&format!("compiling the module `{}` with {}", module.name, toolchain.name()));
    let begun = Instant::now();
    let profile = match kind {
        Kind::Release => "release",
        Kind::Dev => "web-dev",
    };
    let folder = target().join("web");
    run(toolchain
        .cargo("rustc", kind == Kind::Release)
        .args(["--quiet", "--package", "countersign", "--lib", "--crate-type", "cdylib", "--profile", profile])
        .args(["--no-default-features", "--features", module.feature, "--target-dir"])
        .arg(&folder))?;
    took("compiled", begun);
    // Both modules are compiled to one file name, so this one is kept under its own.
    let built = folder.join(TARGET).join(profile).join("countersign.wasm");
    let kept = folder.join(format!("{}-{profile}.wasm", module.name));
    std::fs::copy(&built, &kept).map_err(at("copy", &built))?;
    Ok(kept)
}

/// Binds and optimises one module, where the compiled file or the way has changed.
fn finish(module: &Module, compiled: &Path, out: &Path, optimise: bool) -> Done {
    let mut hasher = DefaultHasher::new();
    (optimise, OPTIMISE, include_str!("../Cargo.toml")).hash(&mut hasher);
    std::fs::read(compiled).map_err(at("read", compiled))?.hash(&mut hasher);
    let wanted = hasher.finish().to_string();
    let stamp = out.join(format!(".{}", module.name));
    if std::fs::read_to_string(&stamp).is_ok_and(|have| have == wanted) {
        return Ok(());
    }
    let _ = std::fs::remove_file(&stamp);
    let tool = tool()?;
    step(&format!("binding `{}`", module.name));
    run(program(&tool).arg("bind").arg(compiled).arg(out).arg(module.name))?;
    if optimise {
        step(&format!("optimising `{}` with wasm-opt", module.name));
        let begun = Instant::now();
        let wasm = out.join(format!("{}_bg.wasm", module.name));
        let smaller = out.join(format!("{}.smaller", module.name));
        output(npm::node("binaryen/bin/wasm-opt").arg(&wasm).args(OPTIMISE).arg("-o").arg(&smaller))?;
        std::fs::rename(&smaller, &wasm).map_err(at("replace", &wasm))?;
        took("optimised", begun);
    }
    std::fs::write(&stamp, wanted).map_err(at("write", &stamp))
}

/// Our program that binds and weighs modules, built on first use.
pub(crate) fn tool() -> Done<PathBuf> {
    let folder = target().join("tool");
    let built = folder.join("tool").join(format!("modules{}", std::env::consts::EXE_SUFFIX));
    if !built.exists() {
        step("building wasm-bindgen (once, one to two minutes)");
    }
    let begun = Instant::now();
    run(cargo()
        .args(["build", "--quiet", "--package", "xtask", "--bin", "modules", "--features", "modules"])
        .args(["--profile", "tool", "--target-dir"])
        .arg(&folder))?;
    took("built", begun);
    Ok(built)
}
