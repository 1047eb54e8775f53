//! The elements: views, selection, browser stores and presence.

mod indexed_db;
