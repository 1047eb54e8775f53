//! What the eye cannot see: said in notes, and shown as tokens.
//!
//! A person who approves a change relies on what the card shows. Blanks, line breaks, normal forms, invisible characters and
//! letters that look like others are content too: [`segments`] cuts a line into what can be seen and tokens for what cannot,
//! and a hunk's notes say in words what changed beside the words.
//!
//! Plain prose raises no alarm, in any script: joiners inside an emoji or between Arabic or Indic letters are at home.
//!
//! ```
//! use countersign::change::reveal::{Segment, segments};
//!
//! let line = segments("pay\u{202e}lim");
//! assert_eq!(line[0], Segment::Text("pay"));
//! assert!(matches!(line[1], Segment::Token(token) if token.to_string() == "U+202E right-to-left override"));
//! assert_eq!(segments("مى\u{200c}خواهم 👩\u{200d}🚀").len(), 1);
//! ```

mod forms;
mod hidden;
mod lookalikes;
mod notes;

pub use hidden::{Segment, Token, segments};
pub(super) use notes::{Ends, notes};
