//! The project's commands: `cargo xtask demo`, `test`, `dist`, `size`, `bench`.

fn main() {}
