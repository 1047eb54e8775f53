//! The instructions' vocabulary: operations, elements, attributes and labels, each with its number and its name.
//!
//! The tables of the loop in `www/` are made from these (`ALL` and `name()`), never written a second time. Whatever is not
//! here cannot be built: the element names are an allow list by construction, and so are the attributes.

/// An enumeration whose members have a number (their place) and a name.
macro_rules! vocabulary {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $member:ident = $text:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum $name { $($(#[$doc])* $member,)+ }

        impl $name {
            /// Every member; its place is its number.
            pub const ALL: &'static [Self] = &[$(Self::$member,)+];

            /// The name it goes by outside.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$member => $text,)+ }
            }

            /// The member with this number.
            pub fn of(number: u32) -> Option<Self> {
                Self::ALL.get(number as usize).copied()
            }
        }
    };
}

vocabulary! {
    /// What an instruction does; see [the format](super).
    Op {
        /// Ends the element or frame that was opened last.
        Close = "close",
        /// `tag n (attr offset len)×n`: opens an element.
        Open = "open",
        /// `offset len source`: text that equals the source from `source` on, unit for unit.
        Text = "text",
        /// `offset len start end`: text that stands for the source range as a whole.
        Atom = "atom",
        /// `offset len`: text without source.
        Plain = "plain",
        /// `label number`: one of the host's labels, without source. `number` fills the label's gap where it has one.
        Label = "label",
        /// `start end`: the element that was opened just before stands for this source range as a whole.
        Source = "source",
        /// `frame offset len`: opens a frame for controls around what follows, up to its `Close`.
        Frame = "frame",
    }
}

vocabulary! {
    /// Every element that a document can become.
    #[allow(missing_docs, reason = "HTML's own names")]
    Tag {
        P = "p", H1 = "h1", H2 = "h2", H3 = "h3", H4 = "h4", H5 = "h5", H6 = "h6",
        Blockquote = "blockquote", Ul = "ul", Ol = "ol", Li = "li", Pre = "pre", Code = "code", Hr = "hr", Div = "div",
        Table = "table", Thead = "thead", Tbody = "tbody", Tr = "tr", Th = "th", Td = "td",
        Em = "em", Strong = "strong", Del = "del", A = "a", Br = "br", Img = "img", Input = "input", Span = "span",
        Kbd = "kbd", Sub = "sub", Sup = "sup", Mark = "mark", U = "u", S = "s", Ins = "ins", B = "b", I = "i",
    }
}

vocabulary! {
    /// Every attribute that an element can carry. Document text gets into `href`, `src`, `title`, `alt`, `class` (only
    /// `language-…`) and `data-…` values, each checked; never into an `id`, a style or an event attribute.
    Attr {
        /// A link's target, checked.
        Href = "href",
        /// A link's or an image's title, or a comment's text.
        Title = "title",
        /// An ordered list's first number.
        Start = "start",
        /// A footnote's number in its list.
        Value = "value",
        /// A table cell's alignment: `left`, `center` or `right`.
        Align = "align",
        /// A code block's language: `language-…`.
        Class = "class",
        /// The base direction: `auto`, or `ltr` for code.
        Dir = "dir",
        /// Of external links.
        Rel = "rel",
        /// Of external links.
        Target = "target",
        /// An image's address, checked. The loop asks the host's policy before it sets one.
        Src = "src",
        /// An image's text.
        Alt = "alt",
        /// A task box's `checkbox`.
        Type = "type",
        /// Of a ticked task box.
        Checked = "checked",
        /// Of a task box that cannot be ticked here.
        Disabled = "disabled",
        /// An alert's role, `note`.
        Role = "role",
        /// A label: `offset` is its number in [`Label`], `len` fills its gap.
        AriaLabel = "aria-label",
        /// Which alert: `note`, `tip`, `important`, `warning` or `caution`.
        DataAlert = "data-alert",
        /// An alert's title paragraph.
        DataTitle = "data-title",
        /// A heading's slug: what `#…` links find.
        DataSlug = "data-slug",
        /// The definition of this footnote.
        DataFootnote = "data-footnote",
        /// A footnote reference, `3` or from the second on `3-2`: what a definition's `#footnote-ref-3-2` finds.
        DataReference = "data-reference",
        /// The link from a footnote back to its reference, named as `data-reference` names it.
        DataBack = "data-back",
        /// The placeholder of an HTML comment.
        DataComment = "data-comment",
        /// An image: its address's host, or empty where it has none.
        DataImage = "data-image",
        /// A block of raw HTML, shown as text.
        DataHtml = "data-html",
        /// Source that is shown as it is, because it is nested too deeply or too wide.
        DataPlain = "data-plain",
        /// A notice from the component.
        DataNotice = "data-notice",
        /// A list item with a task box.
        DataTask = "data-task",
        /// Front matter.
        DataMeta = "data-meta",
    }
}

vocabulary! {
    /// The strings of the host's labels that a rendering needs. Their names are keys of the labels; `{n}` is the gap.
    Label {
        /// An alert's title.
        Note = "alert-note",
        /// An alert's title.
        Tip = "alert-tip",
        /// An alert's title.
        Important = "alert-important",
        /// An alert's title.
        Warning = "alert-warning",
        /// An alert's title.
        Caution = "alert-caution",
        /// The placeholder of an HTML comment.
        Comment = "comment",
        /// Back to reference {n}.
        Back = "footnote-back",
        /// Footnote {n}.
        Footnote = "footnote",
        /// A task box that is ticked.
        Done = "task-done",
        /// A task box that is not.
        Open = "task-open",
        /// A table with too many cells.
        Cells = "table-too-large",
        /// The heading of the footnotes, for those who do not see the line above them.
        Footnotes = "footnotes",
    }
}

impl Label {
    /// The label where the host gives none.
    pub const fn english(self) -> &'static str {
        match self {
            Self::Note => "Note",
            Self::Tip => "Tip",
            Self::Important => "Important",
            Self::Warning => "Warning",
            Self::Caution => "Caution",
            Self::Comment => "comment",
            Self::Back => "Back to reference {n}",
            Self::Footnote => "Footnote {n}",
            Self::Done => "Done",
            Self::Open => "Not done",
            Self::Cells => "This table has too many cells to show. Its source:",
            Self::Footnotes => "Footnotes",
        }
    }
}

vocabulary! {
    /// Frames: where the previewer puts controls.
    Frame {
        /// Around a code block; the text is its language, or empty.
        Code = "code",
        /// Around a table.
        Table = "table",
    }
}
