//! Node and the npm packages that development needs: wasm-opt, the type checker, and what tests compare with.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::command::{output, program, root, which};
use crate::say::{Done, Stop, at, step, took};

/// The oldest Node that the package and its tests run on.
const OLDEST: u32 = 20;

/// Makes sure of Node and of the packages in package-lock.json, or says what is missing.
pub(crate) fn install() -> Done {
    let node = which("node").ok_or("Node is not installed")?;
    let version = output(program(node).arg("--version"))?;
    let major = version.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major.is_none_or(|major| major < OLDEST) {
        return Err(Stop(format!("Node {} is too old: {OLDEST} or newer is needed", version.trim())));
    }
    let npm = which("npm").ok_or("npm is not installed")?;
    let lock = root().join("package-lock.json");
    let wanted = std::fs::read(&lock).map_err(at("read", &lock))?;
    // Ours, not npm's: written last, so that an install that was interrupted is done again.
    let stamp = root().join("node_modules/.countersign-lock");
    if std::fs::read(&stamp).is_ok_and(|have| have == wanted) {
        return Ok(());
    }
    step("npm ci: development packages (binaryen's wasm-opt, the type checker, what tests use)");
    let begun = Instant::now();
    output(program(npm).args(["ci", "--no-audit", "--no-fund"]).stdin(Stdio::null()))?;
    std::fs::write(&stamp, wanted).map_err(at("write", &stamp))?;
    took("installed", begun);
    Ok(())
}

/// A program from an installed package: `node_modules/PATH`, run by Node.
pub(crate) fn node(path: impl AsRef<Path>) -> Command {
    let mut command = program("node");
    command.arg(root().join("node_modules").join(path));
    command
}
