//! Keeping a text: versions, the store, and the one commit that makes versions.
