//! Changing a text: splices, edits and their refusals, differences, proposals, merges.

mod alike;
pub mod diff;
mod differs;
pub mod edits;
pub mod endings;
mod lines;
pub mod merge;
mod nearest;
pub mod occurrences;
pub mod proposal;
mod refusals;
mod splice;

pub use splice::{Splice, splice};
