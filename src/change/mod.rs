//! Changing a text: splices, edits and their refusals, differences, proposals, merges.

pub mod diff;
pub mod edits;
mod lines;
pub mod merge;
pub mod proposal;
mod splice;

pub use splice::{Splice, splice};
