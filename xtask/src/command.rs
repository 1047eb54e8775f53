//! Other programs: how they are run, and what it means when they fail.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::say::{Done, Stop};

/// The top of the repository.
pub(crate) fn root() -> PathBuf {
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    xtask.parent().map(Path::to_path_buf).unwrap_or(xtask)
}

/// Where everything is built that can be built again.
pub(crate) fn target() -> PathBuf {
    root().join("target")
}

/// Runs a program at the top of the repository; its output is the person's to read.
pub(crate) fn run(command: &mut Command) -> Done {
    let name = shown(command);
    let status = command.status().map_err(|error| Stop(format!("cannot run `{name}`: {error}")))?;
    if status.success() { Ok(()) } else { Err(Stop(format!("`{name}` failed ({status})"))) }
}

/// Runs a program and gives what it printed; where it fails, the end of what it said.
pub(crate) fn output(command: &mut Command) -> Done<String> {
    let name = shown(command);
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| Stop(format!("cannot run `{name}`: {error}")))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let mut last: Vec<&str> = errors.lines().rev().take(40).collect();
    last.reverse();
    Err(Stop(format!("`{name}` failed ({}):\n{}", output.status, last.join("\n"))))
}

/// A program to be run at the top of the repository.
pub(crate) fn program(name: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// The cargo that runs us.
pub(crate) fn cargo() -> Command {
    program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Where a program is on the PATH, if it is.
pub(crate) fn which(name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(&name)).find(|path| path.is_file())
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let mut words = words.map(|word| word.to_string_lossy());
    let program = words.next().unwrap_or_default();
    let program = Path::new(&*program).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let words: Vec<_> = words.take(6).collect();
    if words.is_empty() { program } else { format!("{program} {}", words.join(" ")) }
}
