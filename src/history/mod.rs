//! Keeping a text: versions, the store, and the one commit that makes versions.

pub mod memory;
pub mod store;
pub mod time;
pub mod title;
mod version;

pub use memory::MemoryStore;
pub use store::Store;
pub use version::{Author, AuthorKind, OnBehalf, Snapshot, VersionInfo, VersionKind};
