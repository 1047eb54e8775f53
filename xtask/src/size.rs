//! `cargo xtask size`: what the package costs on the wire, by part, against its budget and its ceiling.
//!
//! The budget is where the package is to go; the ceiling is where it is, and it only comes down. Over the ceiling the
//! command fails; over the budget it says by how much.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::command::{output, program, root};
use crate::say::{Done, Stop, at, step};
use crate::wasm;

/// What a page loads together, and how many bytes of brotli it may take.
struct Budget {
    what: &'static str,
    bytes: u64,
    ceiling: u64,
    /// The module that a page imports: what it imports in turn counts too.
    entry: &'static str,
    wasm: &'static str,
    /// wasm-bindgen's half of the module, which a page may import late.
    glue: &'static str,
}

const BUDGETS: [Budget; 2] = [
    Budget {
        what: "elements",
        bytes: 150_000,
        ceiling: 420_000,
        entry: "index.js",
        wasm: "wasm/elements_bg.wasm",
        glue: "wasm/elements.js",
    },
    Budget {
        what: "core",
        bytes: 80_000,
        ceiling: 290_000,
        entry: "core.js",
        wasm: "wasm/core_bg.wasm",
        glue: "wasm/core.js",
    },
];

/// Prints each part's size and fails over a ceiling. The package must have been built.
pub(crate) fn size() -> Done {
    let dist = root().join("dist");
    let tool = wasm::tool()?;
    step("sizes: bytes, and bytes of brotli");
    let mut over = Vec::new();
    for budget in &BUDGETS {
        let mut parts = BTreeSet::from([dist.join(budget.wasm), dist.join(budget.glue)]);
        let entry = dist.join(budget.entry);
        if entry.exists() {
            follow(&entry, &mut parts)?;
        }
        let mut sum = 0;
        for line in output(program(&tool).arg("weigh").args(&parts))?.lines() {
            let mut words = line.splitn(3, ' ');
            let (raw, small, file) = (words.next(), words.next(), words.next().unwrap_or_default());
            let small: u64 = small.and_then(|small| small.parse().ok()).ok_or("`modules weigh` gave no number")?;
            let file = Path::new(file).strip_prefix(&dist).unwrap_or(Path::new(file));
            println!("  {:>9} {small:>8}  {}", raw.unwrap_or_default(), file.display());
            sum += small;
        }
        let Budget { what, bytes, ceiling, .. } = budget;
        println!(
            "  {sum:>18}  {what} in all: {} % of the budget of {bytes}; the ceiling is {ceiling}",
            sum * 100 / bytes
        );
        if sum > *ceiling {
            over.push(format!("{what} by {} bytes", sum - ceiling));
        }
    }
    if over.is_empty() { Ok(()) } else { Err(Stop(format!("over the size ceiling: {}", over.join(", ")))) }
}

/// Adds a module and those that it imports statically. One that is imported by `import()` is not loaded with the page.
fn follow(entry: &Path, parts: &mut BTreeSet<PathBuf>) -> Done {
    let mut waiting = vec![entry.to_path_buf()];
    while let Some(module) = waiting.pop() {
        let text = std::fs::read_to_string(&module).map_err(at("read", &module))?;
        let folder = module.parent().unwrap_or(Path::new("")).to_path_buf();
        if !parts.insert(module) {
            continue;
        }
        for specifier in imports(&text) {
            // Component by component: `./a.js` and `../dist/a.js` are one file.
            let mut path = folder.clone();
            for part in specifier.split('/') {
                match part {
                    "." => {}
                    ".." => drop(path.pop()),
                    part => path.push(part),
                }
            }
            waiting.push(path);
        }
    }
    Ok(())
}

/// The relative modules that a module's `import` and `export` statements name.
fn imports(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for statement in text.split(['\n', ';']) {
        let statement = statement.trim_start();
        let named = statement.rsplit_once(" from ").map(|(_, named)| named);
        let ends_one =
            statement.starts_with("import ") || statement.starts_with("export ") || statement.starts_with('}');
        let Some(named) = named.filter(|_| ends_one).or_else(|| statement.strip_prefix("import ")) else { continue };
        let mut quoted = named.trim().split(['"', '\'']);
        if let (Some(""), Some(specifier)) = (quoted.next(), quoted.next())
            && (specifier.starts_with("./") || specifier.starts_with("../"))
        {
            found.push(specifier);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::imports;

    #[test]
    fn finds_what_is_loaded_with_a_module() {
        let text = "// it comes from \"./comment.js\"\nimport { a } from \"./a.js\";\nimport * as b from './b.js'\n\
                    import {\n  long,\n} from \"../c.js\";\nexport { d } from \"./d.js\"; import \"./e.js\";\n\
                    const f = await import(\"./later.js\");\n/** @type {import(\"./types.js\").T} */\nimport fs from \"node:fs\";\n";
        assert_eq!(imports(text), ["./a.js", "./b.js", "../c.js", "./d.js", "./e.js"]);
    }
}
