//! Versions: who wrote what, when, and from where. Plain values, the shapes of the contract.
//!
//! A version is made by one function, [`Documents`](super::Documents)' commit, and never changes afterwards. Its number is
//! dense from 1 in its document; its time is shown and never ordered by. A [`Snapshot`] is a version with its text.

/// Whether a person or an agent acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AuthorKind {
    /// Someone who may decide.
    Person,
    /// A model that works for a person.
    Agent,
}

impl AuthorKind {
    /// The name at the border: `person` or `agent`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Agent => "agent",
        }
    }

    /// The kind with this name at the border.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Person, Self::Agent].into_iter().find(|kind| kind.name() == name)
    }
}

/// The person that an agent works for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnBehalf {
    /// Such as `person:ana`.
    pub id: String,
    /// What people call them.
    pub name: String,
}

/// Who acts. What a client writes here is a claim: a server stamps its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// Such as `person:ana` or `agent:north`.
    pub id: String,
    /// A person or an agent.
    pub kind: AuthorKind,
    /// What people call them.
    pub name: String,
    /// `for` in the contract: the person that an agent works for.
    pub on_behalf: Option<OnBehalf>,
}

impl Author {
    /// A person.
    pub fn person(id: impl Into<String>, name: impl Into<String>) -> Self {
        Self { id: id.into(), kind: AuthorKind::Person, name: name.into(), on_behalf: None }
    }

    /// An agent that works for `person`.
    pub fn agent(id: impl Into<String>, name: impl Into<String>, person: &Self) -> Self {
        let on_behalf = Some(OnBehalf { id: person.id.clone(), name: person.name.clone() });
        Self { id: id.into(), kind: AuthorKind::Agent, name: name.into(), on_behalf }
    }
}

/// How a version came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VersionKind {
    /// The first one.
    Create,
    /// An agent's whole new text.
    Write,
    /// Text added at the end.
    Append,
    /// Anchored edits.
    Edit,
    /// A save of the version it started from.
    Save,
    /// A save that met newer versions.
    Merge,
    /// A new title alone.
    Rename,
    /// An older version's text and title again.
    Restore,
    /// The document is gone from the list; its history stays.
    Delete,
}

impl VersionKind {
    /// Every kind, in the contract's order.
    pub const ALL: [Self; 9] = [
        Self::Create,
        Self::Write,
        Self::Append,
        Self::Edit,
        Self::Save,
        Self::Merge,
        Self::Rename,
        Self::Restore,
        Self::Delete,
    ];

    /// The kind's name at the border, such as `create`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Write => "write",
            Self::Append => "append",
            Self::Edit => "edit",
            Self::Save => "save",
            Self::Merge => "merge",
            Self::Rename => "rename",
            Self::Restore => "restore",
            Self::Delete => "delete",
        }
    }

    /// The kind with this name at the border.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// All about a version but its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionInfo {
    /// The document's id.
    pub document: String,
    /// The space that it lies in.
    pub space: String,
    /// The number, dense from 1.
    pub version: u32,
    /// How it came to be.
    pub kind: VersionKind,
    /// The title, trimmed.
    pub title: String,
    /// Who wrote it.
    pub by: Author,
    /// Who accepted it, where an agent proposed it.
    pub approved_by: Option<Author>,
    /// When: RFC 3339 in UTC, never before the version under it.
    pub at: String,
    /// The text's length in UTF-8 bytes.
    pub bytes: usize,
    /// How many lines came.
    pub added: usize,
    /// How many lines went.
    pub removed: usize,
    /// The first block's preview, for lists.
    pub opens: String,
    /// The version that the writer started from; after a merge it is older than the one before. `None`: nothing.
    pub started_from: Option<u32>,
    /// The version that a restore brought back.
    pub restored_from: Option<u32>,
    /// The id of the proposal that it answers.
    pub proposal: Option<String>,
    /// Why, in the writer's words.
    pub summary: Option<String>,
    /// Unique in the space: the same key is the same write.
    pub key: String,
}

impl VersionInfo {
    /// Whether the document is deleted as of this version.
    pub fn is_deleted(&self) -> bool {
        self.kind == VersionKind::Delete
    }
}

/// A version with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// All but the text.
    pub info: VersionInfo,
    /// The text, byte for byte. A deleted document's is empty.
    pub text: String,
}
