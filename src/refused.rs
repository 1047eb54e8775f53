//! Refusals: expected failures as values, with a stable reason and words to act on.

use std::fmt;

/// Why something was refused. The names are the contract's (`Reason` in `core.d.ts`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each name says what it means; the contract describes them")]
pub enum Reason {
    NotFound,
    Ambiguous,
    NoSuchBlock,
    Overlap,
    EmptyFind,
    NoChange,
    StaleVersion,
    TooLarge,
    InvalidText,
    Exists,
    TitleTaken,
    BadTitle,
    NoSuchVersion,
    Clash,
    Denied,
    Conflict,
    Stale,
    Answered,
    Quota,
    Blocked,
    Corrupt,
    Gone,
    Unavailable,
    Timeout,
    Aborted,
    BadAddress,
    BadRange,
}

impl Reason {
    /// Every reason, in the contract's order.
    pub const ALL: [Self; 27] = [
        Self::NotFound,
        Self::Ambiguous,
        Self::NoSuchBlock,
        Self::Overlap,
        Self::EmptyFind,
        Self::NoChange,
        Self::StaleVersion,
        Self::TooLarge,
        Self::InvalidText,
        Self::Exists,
        Self::TitleTaken,
        Self::BadTitle,
        Self::NoSuchVersion,
        Self::Clash,
        Self::Denied,
        Self::Conflict,
        Self::Stale,
        Self::Answered,
        Self::Quota,
        Self::Blocked,
        Self::Corrupt,
        Self::Gone,
        Self::Unavailable,
        Self::Timeout,
        Self::Aborted,
        Self::BadAddress,
        Self::BadRange,
    ];

    /// The reason's name at the border, such as `not-found`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotFound => "not-found",
            Self::Ambiguous => "ambiguous",
            Self::NoSuchBlock => "no-such-block",
            Self::Overlap => "overlap",
            Self::EmptyFind => "empty-find",
            Self::NoChange => "no-change",
            Self::StaleVersion => "stale-version",
            Self::TooLarge => "too-large",
            Self::InvalidText => "invalid-text",
            Self::Exists => "exists",
            Self::TitleTaken => "title-taken",
            Self::BadTitle => "bad-title",
            Self::NoSuchVersion => "no-such-version",
            Self::Clash => "clash",
            Self::Denied => "denied",
            Self::Conflict => "conflict",
            Self::Stale => "stale",
            Self::Answered => "answered",
            Self::Quota => "quota",
            Self::Blocked => "blocked",
            Self::Corrupt => "corrupt",
            Self::Gone => "gone",
            Self::Unavailable => "unavailable",
            Self::Timeout => "timeout",
            Self::Aborted => "aborted",
            Self::BadAddress => "bad-address",
            Self::BadRange => "bad-range",
        }
    }

    /// The reason with this name at the border.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A refusal: nothing was written; `message` is one short text that a model or a person can act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Why, by its stable name.
    pub reason: Reason,
    /// What to do next, in few words.
    pub message: String,
}

impl Refused {
    /// A refusal for `reason` that says `message`.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into() }
    }
}
