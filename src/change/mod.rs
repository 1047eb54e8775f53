//! Changing a text: splices, edits and their refusals, differences, proposals, merges.

pub mod diff;
pub mod edits;
pub mod merge;
mod splice;

pub use splice::{Splice, splice};
