//! The elements: views, selection, browser stores and presence.
