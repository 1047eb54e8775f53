//! Finishes WebAssembly modules: `bind` writes wasm-bindgen's JavaScript glue, `weigh` tells what files cost on the wire.
//!
//! A program of its own, because wasm-bindgen's library takes long to build and most commands need none of it.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["bind", module, directory, name] => bind(Path::new(module), Path::new(directory), name),
        ["weigh", files @ ..] => files.iter().try_for_each(|file| weigh(file)),
        _ => Err("usage: modules bind MODULE DIRECTORY NAME | modules weigh FILE…".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Writes `NAME.js`, its declarations `NAME.d.ts` for the type checker, and `NAME_bg.wasm`.
fn bind(module: &Path, directory: &Path, name: &str) -> Result<(), String> {
    wasm_bindgen_cli_support::Bindgen::new()
        .input_path(module)
        .out_name(name)
        .typescript(true)
        .remove_producers_section(true)
        .web(true)
        .and_then(|bindgen| bindgen.generate(directory))
        .map_err(|error| format!("wasm-bindgen: {error:#}"))
}

/// Prints a line `BYTES COMPRESSED FILE`, compressed as a careful server does: brotli, quality 11.
fn weigh(file: &str) -> Result<(), String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let mut compressed = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut compressed, 1 << 16, 11, 22);
    writer.write_all(&bytes).and_then(|()| writer.flush()).map_err(|error| format!("{file}: {error}"))?;
    drop(writer);
    println!("{} {} {file}", bytes.len(), compressed.len());
    Ok(())
}
