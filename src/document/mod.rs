//! Reading a text: from source to blocks, the outline, what is shown, and quotes.

pub mod anchor;
pub mod autolink;
pub mod blocks;
pub mod html;
pub mod inline;
pub mod links;
pub mod outline;
pub mod quote;
pub mod render;
pub mod rows;
pub mod select;
pub mod slug;
pub mod syntax;
pub mod visible;
pub mod wide;
