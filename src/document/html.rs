//! Rendering as a string: the same instructions that the previewer builds nodes from, written as HTML.
//!
//! ```
//! use countersign::document::html::{HtmlOptions, render_html};
//!
//! let html = render_html("# Plan\n\nSee <b>this</b> <script>.\n", &HtmlOptions::default());
//! assert_eq!(
//!     html,
//!     "<h1 dir=\"auto\" data-slug=\"plan\">Plan</h1>\n<p dir=\"auto\">See <b>this</b> &lt;script&gt;.</p>\n"
//! );
//! ```

use super::render::{Attr, Label, Op, RenderOptions, Rendered, Tag, render};

/// What becomes of images.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Images {
    /// Their text, in a `span` that names the host: nothing is requested.
    #[default]
    None,
    /// Images.
    All,
}

/// How to render as a string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HtmlOptions {
    /// What becomes of images.
    pub images: Images,
    /// All else.
    pub render: RenderOptions,
}

/// `text` as HTML that is safe to show: no document text becomes a tag or an attribute's name.
pub fn render_html(text: &str, options: &HtmlOptions) -> String {
    let blocks = render(text, &options.render);
    let mut html = String::with_capacity(text.len() * 2);
    let notes = blocks.iter().position(|block| block.footnote).unwrap_or(blocks.len());
    let (body, notes) = blocks.split_at(notes);
    for block in body {
        write(block, options.images, &mut html);
    }
    if !notes.is_empty() {
        html.push_str("<section data-footnotes=\"\" aria-label=\"");
        html.push_str(Label::Footnotes.english());
        html.push_str("\">\n<ol>\n");
        for block in notes {
            write(block, options.images, &mut html);
        }
        html.push_str("</ol>\n</section>\n");
    }
    html
}

/// What an open element needs when it closes.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Element(Tag),
    /// An image that shows as its text.
    Alt,
    /// Void, or a frame.
    Nothing,
}

fn write(block: &Rendered, images: Images, html: &mut String) {
    let slices = Slices::of(&block.strings);
    let mut words = block.code.iter().copied();
    let mut open: Vec<End> = Vec::new();
    while let Some(op) = words.next().and_then(Op::of) {
        let mut word = || words.next().unwrap_or_default();
        match op {
            Op::Close => match open.pop() {
                Some(End::Element(tag)) => {
                    html.push_str("</");
                    html.push_str(tag.name());
                    html.push('>');
                    if is_block(tag) {
                        html.push('\n');
                    }
                }
                Some(End::Alt) => html.push_str("</span>"),
                Some(End::Nothing) | None => {}
            },
            Op::Open => {
                let tag = Tag::of(word()).unwrap_or(Tag::Span);
                let count = word();
                let attrs: Vec<[u32; 3]> = (0..count).map(|_| [word(), word(), word()]).collect();
                let alt = tag == Tag::Img && images == Images::None;
                if (matches!(tag, Tag::Ul | Tag::Ol | Tag::P | Tag::Pre | Tag::Blockquote)) && html.ends_with("<li>") {
                    html.push('\n');
                }
                html.push('<');
                html.push_str(if alt { "span" } else { tag.name() });
                let mut shown = "";
                for [attr, offset, len] in attrs {
                    let Some(attr) = Attr::of(attr) else { continue };
                    let labelled;
                    let value: &str = if attr == Attr::AriaLabel {
                        labelled = label(offset, len);
                        &labelled
                    } else {
                        slices.get(offset, len)
                    };
                    // Names for what only the previewer can act on.
                    if tag == Tag::Input && attr == Attr::AriaLabel {
                        continue;
                    }
                    if alt && matches!(attr, Attr::Src | Attr::Alt) {
                        if attr == Attr::Alt {
                            shown = slices.get(offset, len);
                        }
                        continue;
                    }
                    html.push(' ');
                    html.push_str(attr.name());
                    html.push_str("=\"");
                    escape(value, html);
                    html.push('"');
                }
                html.push('>');
                open.push(if alt {
                    escape(shown, html);
                    End::Alt
                } else if matches!(tag, Tag::Br | Tag::Hr | Tag::Img | Tag::Input) {
                    if matches!(tag, Tag::Br | Tag::Hr) {
                        html.push('\n');
                    }
                    End::Nothing
                } else {
                    if matches!(
                        tag,
                        Tag::Blockquote | Tag::Ul | Tag::Ol | Tag::Table | Tag::Thead | Tag::Tbody | Tag::Tr
                    ) {
                        html.push('\n');
                    }
                    End::Element(tag)
                });
            }
            Op::Text => {
                let (offset, len, _) = (word(), word(), word());
                escape(slices.get(offset, len), html);
            }
            Op::Atom => {
                let (offset, len, _, _) = (word(), word(), word(), word());
                escape(slices.get(offset, len), html);
            }
            Op::Plain => {
                let (offset, len) = (word(), word());
                escape(slices.get(offset, len), html);
            }
            Op::Label => {
                let (number, gap) = (word(), word());
                escape(&label(number, gap), html);
            }
            Op::Source => {
                word();
                word();
            }
            Op::Frame => {
                word();
                word();
                word();
                open.push(End::Nothing);
            }
        }
    }
}

fn label(number: u32, gap: u32) -> String {
    let label = Label::of(number).map_or("", Label::english);
    if label.contains("{n}") { label.replace("{n}", &gap.to_string()) } else { label.to_owned() }
}

fn is_block(tag: Tag) -> bool {
    !matches!(
        tag,
        Tag::Code
            | Tag::Em
            | Tag::Strong
            | Tag::Del
            | Tag::A
            | Tag::Span
            | Tag::Kbd
            | Tag::Sub
            | Tag::Sup
            | Tag::Mark
            | Tag::U
            | Tag::S
            | Tag::Ins
            | Tag::B
            | Tag::I
    )
}

fn escape(words: &str, html: &mut String) {
    let mut rest = words;
    while let Some(at) = rest.find(['&', '<', '>', '"']) {
        html.push_str(&rest[..at]);
        html.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            _ => "&quot;",
        });
        rest = &rest[at + 1..];
    }
    html.push_str(rest);
}

/// Slices of a string by UTF-16 offsets.
struct Slices<'a> {
    words: &'a str,
    /// The byte of each unit, where they differ.
    bytes: Vec<u32>,
}

impl<'a> Slices<'a> {
    fn of(words: &'a str) -> Self {
        let mut bytes = Vec::new();
        if !words.is_ascii() {
            bytes.reserve(words.len() + 1);
            for (at, character) in words.char_indices() {
                bytes.extend(std::iter::repeat_n(at as u32, character.len_utf16()));
            }
            bytes.push(words.len() as u32);
        }
        Self { words, bytes }
    }

    fn get(&self, offset: u32, len: u32) -> &'a str {
        let byte = |unit: u32| {
            if self.bytes.is_empty() {
                Some(unit as usize)
            } else {
                self.bytes.get(unit as usize).map(|byte| *byte as usize)
            }
        };
        byte(offset).zip(byte(offset + len)).and_then(|(start, end)| self.words.get(start..end)).unwrap_or_default()
    }
}
