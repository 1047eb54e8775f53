//! Reading a text: from source to blocks, the outline, what is shown, and quotes.

pub mod blocks;
pub mod html;
pub mod inline;
mod interim;
pub mod outline;
pub mod quote;
pub mod render;
pub mod syntax;
pub mod visible;
