//! The lines of a hunk: signs as well as colours, changed words marked, and what the eye cannot see made visible.

use std::ops::Range;

use leptos::html;
use leptos::prelude::*;

use crate::browser::host::Labels;
use crate::change::diff::{DiffLine, Hunk, Sign};
use crate::change::reveal::{Segment, segments};

/// The lines of a hunk, in order.
pub(crate) fn lines(hunk: &Hunk, labels: &Labels) -> impl IntoView + use<> {
    let lines = hunk.lines.iter().map(|line| self::line(line, labels).into_any()).collect::<Vec<_>>();
    html::div().class("lines").attr("part", "lines").child(lines)
}

fn line(line: &DiffLine, labels: &Labels) -> impl IntoView + use<> {
    // The minus sign, not the hyphen: it is as wide as the plus.
    let (class, sign, said) = match line.sign {
        Sign::Context => ("line context", " ", None),
        Sign::Removed => ("line removed", "−", Some(labels.text("review.removed-line", &[]))),
        Sign::Added => ("line added", "+", Some(labels.text("review.added-line", &[]))),
    };
    html::div().class(class).child((
        said.map(|said| html::span().class("unseen").child(format!("{said}: "))),
        html::span().class("sign").attr("aria-hidden", "true").child(sign),
        html::span().class("shown").attr("dir", "auto").child(shown(line)),
    ))
}

/// A line's text: marked words, and tokens for what cannot be seen.
fn shown(line: &DiffLine) -> Vec<AnyView> {
    let mut parts = Vec::new();
    let mut at = 0;
    for words in &line.words {
        revealed(&line.text, at..words.start, &mut parts);
        let mut marked = Vec::new();
        revealed(&line.text, words.clone(), &mut marked);
        parts.push(html::mark().child(marked).into_any());
        at = words.end;
    }
    revealed(&line.text, at..line.text.len(), &mut parts);
    parts
}

fn revealed(line: &str, range: Range<usize>, parts: &mut Vec<AnyView>) {
    let Some(text) = line.get(range).filter(|text| !text.is_empty()) else { return };
    for segment in segments(text) {
        parts.push(match segment {
            Segment::Text(text) => text.to_owned().into_any(),
            Segment::Token(token) => html::span().class("token").child(token.to_string()).into_any(),
        });
    }
}
