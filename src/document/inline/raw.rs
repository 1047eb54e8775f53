//! Raw HTML that may show as more than text: a few tags without attributes, and comments.

/// The inline tags of raw HTML that become elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "HTML's own names")]
pub enum RawTag {
    Kbd,
    Sub,
    Sup,
    Mark,
    U,
    S,
    Del,
    Ins,
    B,
    I,
    Em,
    Strong,
}

const TAGS: [(&str, RawTag); 12] = [
    ("kbd", RawTag::Kbd),
    ("sub", RawTag::Sub),
    ("sup", RawTag::Sup),
    ("mark", RawTag::Mark),
    ("u", RawTag::U),
    ("s", RawTag::S),
    ("del", RawTag::Del),
    ("ins", RawTag::Ins),
    ("b", RawTag::B),
    ("i", RawTag::I),
    ("em", RawTag::Em),
    ("strong", RawTag::Strong),
];

/// The longest tag with its brackets, `</strong>`, and a blank.
const LONGEST: usize = 10;

/// What one tag or comment of raw HTML is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Raw {
    Start(RawTag),
    End(RawTag),
    Break,
    Comment,
    Text,
}

/// Reads `html`, one whole tag or comment.
pub(super) fn read(html: &str) -> Raw {
    if html.starts_with("<!--") {
        return Raw::Comment;
    }
    if html.len() > LONGEST {
        return Raw::Text;
    }
    let Some(inner) = html.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) else { return Raw::Text };
    let (name, end) = inner.strip_prefix('/').map_or((inner, false), |name| (name, true));
    let name = name.trim_end_matches([' ', '\t']);
    if !end && name.strip_suffix('/').unwrap_or(name).trim_end_matches([' ', '\t']).eq_ignore_ascii_case("br") {
        return Raw::Break;
    }
    match TAGS.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)) {
        Some(&(_, tag)) if end => Raw::End(tag),
        Some(&(_, tag)) => Raw::Start(tag),
        None => Raw::Text,
    }
}

/// The next tag or comment in a block's raw HTML, from `at` on, that is more than text: where it stands and what it is.
pub(super) fn next(html: &str, mut at: usize) -> Option<(std::ops::Range<usize>, Raw)> {
    loop {
        let start = at + html.get(at..)?.find('<')?;
        let rest = &html[start..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            // Without an end all that follows is inside the comment, and stays text: nothing may hide that way.
            let length = if comment.starts_with('>') {
                1
            } else if comment.starts_with("->") {
                2
            } else {
                comment.find("-->")? + 3
            };
            return Some((start..start + 4 + length, Raw::Comment));
        }
        if let Some(length) = rest.bytes().take(LONGEST).position(|byte| byte == b'>') {
            let raw = read(&rest[..=length]);
            if raw != Raw::Text {
                return Some((start..start + length + 1, raw));
            }
        }
        at = start + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bare_tags_are_more_than_text() {
        assert_eq!(read("<b>"), Raw::Start(RawTag::B));
        assert_eq!(read("</STRONG >"), Raw::End(RawTag::Strong));
        assert_eq!(read("<br />"), Raw::Break);
        assert_eq!(read("<!-- x -->"), Raw::Comment);
        for text in ["<b x>", "<bb>", "</br>", "<b/>", "<script>", "<", "<>", "<!x>", "<b\u{a0}>"] {
            assert_eq!(read(text), Raw::Text, "{text}");
        }
    }

    #[test]
    fn a_comment_without_an_end_is_text() {
        assert_eq!(next("a <!-- b", 0), None);
        assert_eq!(next("a <!--> b", 0), Some((2..7, Raw::Comment)));
        assert_eq!(next("<i x><I>", 0), Some((5..8, Raw::Start(RawTag::I))));
    }
}
