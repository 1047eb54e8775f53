//! The compiler for WebAssembly: finds the way that is open on this machine, or opens one.
//!
//! 1. The toolchain that runs us has the target's standard library: a plain, stable build.
//! 2. Debian ships a compiler with the library's source, which is then built along. Root installs it where it is missing.
//! 3. `rustup target add`.
//! 4. One line that names what to install.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{cargo, output, program, which};
use crate::debian;
use crate::say::{Done, Stop, note, step};

/// The target of every module.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

const DEBIAN: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm"];
/// The oldest compiler that builds us, from `rust-version` in Cargo.toml.
const OLDEST: (u32, u32) = (1, 88);

/// A way to build for WebAssembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Toolchain {
    /// The toolchain that runs us has the target installed.
    Installed,
    /// Debian's compiler, which builds the standard library from its source.
    Debian,
}

/// Finds a toolchain, installing one where that is possible.
pub(crate) fn find() -> Done<Toolchain> {
    if target_is_installed() {
        return Ok(Toolchain::Installed);
    }
    if debian_is_whole() {
        return Ok(Toolchain::Debian);
    }
    if debian::installs() {
        match install_debian() {
            Ok(()) if debian_is_whole() => return Ok(Toolchain::Debian),
            Ok(()) => note("Debian's rustc-web is installed but cannot build the standard library"),
            Err(Stop(why)) => note(&why),
        }
    }
    if which("rustup").is_some() {
        step(&format!("rustup target add {TARGET}"));
        match output(program("rustup").args(["target", "add", TARGET])) {
            Ok(_) if target_is_installed() => return Ok(Toolchain::Installed),
            Ok(_) => note("rustup added the target to another toolchain than the one in use"),
            Err(Stop(why)) => note(&why),
        }
    }
    Err(Stop(format!(
        "no Rust compiler for {TARGET}: run `rustup target add {TARGET}`, or on Debian, as root, `apt-get install {} lld-NN` \
         (NN: the number that /usr/bin/rust-lld links to)",
        DEBIAN.join(" ")
    )))
}

impl Toolchain {
    /// In words, for the person who waits.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Installed => "the installed target",
            Self::Debian => "Debian's compiler and the standard library from source",
        }
    }

    /// A `cargo` that builds for the target; the caller adds what. `small`: as small as this compiler can.
    pub(crate) fn cargo(self, subcommand: &str, small: bool) -> Command {
        match self {
            Self::Installed => {
                let mut command = cargo();
                command.args([subcommand, "--target", TARGET]);
                command
            }
            Self::Debian => {
                let mut command = program("/usr/bin/cargo");
                // We run under rustup's cargo, which names its own compiler and libraries in the environment.
                for name in ["RUSTUP_TOOLCHAIN", "RUSTUP_HOME", "CARGO", "LD_LIBRARY_PATH", "RUSTC", "RUSTC_WRAPPER"] {
                    command.env_remove(name);
                }
                let path = std::env::var_os("PATH").unwrap_or_default();
                let folders = std::iter::once(PathBuf::from("/usr/bin")).chain(std::env::split_paths(&path));
                if let Ok(path) = std::env::join_paths(folders) {
                    command.env("PATH", path);
                }
                // Building the standard library is a nightly option; the compiler is the stable one all the same.
                command.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1");
                command.args([subcommand, "--target", TARGET, "-Zbuild-std=std,panic_abort"]);
                if small {
                    // A tenth less: smaller sorts in the library, no places in panics, no `Debug` text.
                    command.arg("-Zbuild-std-features=optimize_for_size");
                    command.env("RUSTFLAGS", "-Zlocation-detail=none -Zfmt-debug=none");
                }
                command
            }
        }
    }
}

fn target_is_installed() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    output(program(rustc).args(["--print", "target-libdir", "--target", TARGET]))
        .is_ok_and(|folder| std::fs::read_dir(folder.trim()).is_ok_and(|mut files| files.next().is_some()))
}

/// Compiler, library source and linker: all of them, and new enough.
fn debian_is_whole() -> bool {
    let new_enough = |program_name: &str| {
        output(program(program_name).arg("--version"))
            .is_ok_and(|version| numbers(&version).is_some_and(|v| v >= OLDEST))
    };
    Path::new("/usr/bin/cargo").exists()
        && Path::new("/usr/lib/rustlib/src/rust/library/Cargo.toml").exists()
        // A link that leads nowhere does not exist.
        && Path::new("/usr/bin/rust-lld").exists()
        && new_enough("/usr/bin/rustc")
        && new_enough("/usr/bin/cargo")
}

fn install_debian() -> Done {
    debian::install(&DEBIAN, "a Rust compiler for WebAssembly")?;
    // Debian leaves the linker out; its number follows the compiler's LLVM.
    let linker =
        std::fs::read_link("/usr/bin/rust-lld").map_err(|error| Stop(format!("/usr/bin/rust-lld: {error}")))?;
    match linker.file_name().and_then(|name| name.to_str()) {
        Some(package) if package.starts_with("lld-") => debian::install(&[package], "the linker for WebAssembly"),
        _ => Err(Stop(format!("/usr/bin/rust-lld leads to {}, which names no Debian package", linker.display()))),
    }
}

/// `rustc 1.96.0 (…)` → `(1, 96)`.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split_whitespace().nth(1)?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn reads_a_version() {
        assert_eq!(numbers("rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)"), Some((1, 96)));
        assert_eq!(numbers("cargo 1.95.0-nightly"), Some((1, 95)));
        assert_eq!(numbers("rustc"), None);
    }
}
