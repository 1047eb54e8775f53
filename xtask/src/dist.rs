//! `cargo xtask dist`: the npm package, in `dist/`.
//!
//! Hand-written files come from `www/` as they are; `dist/wasm/` holds the modules and their glue.

use std::path::{Path, PathBuf};

use crate::command::root;
use crate::say::{Done, at, step};
use crate::wasm::{self, Kind, MODULES};

/// What lies in `www/` but is not part of the package.
const LEFT_OUT: [&str; 3] = ["demo", "node_modules", "tsconfig.json"];
/// What lies at the top of the repository and is part of the package.
const FROM_TOP: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Builds the modules and assembles the package; gives its folder.
pub(crate) fn dist(kind: Kind, headless: bool) -> Done<PathBuf> {
    let modules = wasm::build(kind, headless)?;
    let dist = root().join("dist");
    // Made anew, so that a file that was renamed in www/ does not linger.
    if dist.exists() {
        std::fs::remove_dir_all(&dist).map_err(at("clear", &dist))?;
    }
    let hand_written = root().join("www");
    if hand_written.exists() {
        copy_folder(&hand_written, &dist, &LEFT_OUT)?;
    }
    let wasm = dist.join("wasm");
    std::fs::create_dir_all(&wasm).map_err(at("make", &wasm))?;
    for module in &MODULES {
        for name in ["{}.js", "{}.d.ts", "{}_bg.wasm"].map(|name| name.replace("{}", module.name)) {
            let from = modules.join(&name);
            if headless && !from.exists() {
                continue;
            }
            std::fs::copy(&from, wasm.join(&name)).map_err(at("copy", &from))?;
        }
    }
    if modules.join("snippets").exists() {
        copy_folder(&modules.join("snippets"), &wasm.join("snippets"), &[])?;
    }
    for name in FROM_TOP {
        let from = root().join(name);
        if from.exists() {
            std::fs::copy(&from, dist.join(name)).map_err(at("copy", &from))?;
        }
    }
    step("the package is in dist/");
    Ok(dist)
}

fn copy_folder(from: &Path, to: &Path, left_out: &[&str]) -> Done {
    std::fs::create_dir_all(to).map_err(at("make", to))?;
    for entry in std::fs::read_dir(from).map_err(at("read", from))? {
        let entry = entry.map_err(at("read", from))?;
        let (path, name) = (entry.path(), entry.file_name());
        if left_out.iter().any(|left| name == *left) {
            continue;
        }
        if path.is_dir() {
            copy_folder(&path, &to.join(&name), left_out)?;
        } else {
            std::fs::copy(&path, to.join(&name)).map_err(at("copy", &path))?;
        }
    }
    Ok(())
}
