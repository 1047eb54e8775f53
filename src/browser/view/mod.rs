//! What a person sees: one file per element or part of one, with its style sheet beside it.

pub(crate) mod bar;
pub(crate) mod document;
mod lines;
mod notice;
pub(crate) mod quotes;
mod review;
pub(crate) mod reviewing;
mod selecting;
