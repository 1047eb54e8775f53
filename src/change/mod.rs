//! Changing a text: splices, edits and their refusals, differences, proposals, merges.

mod align;
mod alike;
mod append;
pub mod carry;
pub mod diff;
mod differs;
pub mod edits;
pub mod endings;
mod habits;
mod lines;
pub mod merge;
mod nearest;
pub mod occurrences;
pub mod proposal;
mod refusals;
pub mod reveal;
mod splice;
mod windows;

pub use append::append;
pub use splice::{Splice, splice};
