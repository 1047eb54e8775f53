//! `cargo xtask size`: what the package costs on the wire, by part, against its budget.

use crate::command::{output, program, root};
use crate::say::{Done, Stop, step};
use crate::wasm;

/// What a page loads together, and how many bytes of brotli it may take.
struct Budget {
    what: &'static str,
    bytes: u64,
    parts: &'static [&'static str],
}

const BUDGETS: [Budget; 2] = [
    Budget {
        what: "elements",
        bytes: 150_000,
        parts: &["index.js", "element.js", "wasm/elements.js", "wasm/elements_bg.wasm"],
    },
    Budget { what: "core", bytes: 80_000, parts: &["core.js", "wasm/core.js", "wasm/core_bg.wasm"] },
];

/// Prints each part's size and fails over a budget. The package must have been built.
pub(crate) fn size() -> Done {
    let dist = root().join("dist");
    let tool = wasm::tool()?;
    step("sizes: bytes, and as brotli");
    let mut over = Vec::new();
    for budget in &BUDGETS {
        let parts: Vec<_> = budget.parts.iter().map(|part| dist.join(part)).filter(|part| part.exists()).collect();
        let mut sum = 0;
        for line in output(program(&tool).arg("weigh").args(&parts))?.lines() {
            let mut words = line.splitn(3, ' ');
            let (raw, small, file) = (words.next(), words.next(), words.next().unwrap_or_default());
            let small: u64 = small.and_then(|small| small.parse().ok()).ok_or("`modules weigh` gave no number")?;
            let file = file.strip_prefix(&*dist.to_string_lossy()).unwrap_or(file);
            println!("  {:>9} {small:>8}  dist{file}", raw.unwrap_or_default());
            sum += small;
        }
        println!("  {:>18}  {} of {} ({} %)", sum, budget.what, budget.bytes, sum * 100 / budget.bytes);
        if sum > budget.bytes {
            over.push(format!("{} by {} bytes", budget.what, sum - budget.bytes));
        }
    }
    if over.is_empty() { Ok(()) } else { Err(Stop(format!("over the size budget: {}", over.join(", ")))) }
}
