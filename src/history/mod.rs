//! Keeping a text: versions, the store, and the one commit that makes versions.
//!
//! A host keeps the storage: [`store`] is the whole interface to it, [`memory`] the store that forgets. [`Documents`] is the
//! way in: reading, saving with merges, proposals and decisions, over any store. Whatever changes a document ends in one
//! function, the commit; a version is never changed.

mod checked;
mod commit;
mod decide;
mod documents;
mod forward;
mod key;
pub mod memory;
mod page;
mod propose;
mod save;
pub mod store;
pub mod time;
pub mod title;
mod version;

pub use decide::Decide;
pub use documents::{Documents, World, Write};
pub use memory::MemoryStore;
pub use propose::{Propose, ProposeRefused, Which, Withdraw};
pub use save::{Change, SaveRefused, Saved};
pub use store::Store;
pub use version::{Author, AuthorKind, OnBehalf, Snapshot, VersionInfo, VersionKind};
