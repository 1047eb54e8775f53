//! Numbers for strings: what is looked up, grouped or compared often is numbered once.
//!
//! One kind of map serves every such place, as each further kind is another copy of its code in the module.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// Gives equal strings equal numbers: from 0, in the order in which they come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers<'t>(BTreeMap<Cow<'t, str>, u32>);

impl<'t> Numbers<'t> {
    /// The number of `text`.
    pub(crate) fn of(&mut self, text: impl Into<Cow<'t, str>>) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(text.into()).or_insert(next)
    }

    /// The number that `text` has got already.
    pub(crate) fn get(&self, text: &str) -> Option<u32> {
        self.0.get(text).copied()
    }
}
