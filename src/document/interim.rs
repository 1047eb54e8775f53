//! Stands in for `links`, `autolink` and `slug` until they land.

use std::collections::BTreeMap;
use std::ops::Range;

pub(super) fn address(address: &str, image: bool, schemes: &[String]) -> Option<String> {
    let clean: String = address.chars().filter(|c| !matches!(c, '\t' | '\r' | '\n')).collect();
    let clean = clean.trim_start_matches(|c: char| c <= ' ').to_owned();
    if clean.starts_with("//") || clean.starts_with('\\') || clean.starts_with("/\\") {
        return None;
    }
    let end = clean.find([':', '/', '?', '#']).filter(|&end| clean[end..].starts_with(':'));
    let Some(end) = end else { return Some(clean) };
    let scheme = clean[..end].to_ascii_lowercase();
    if image && scheme == "data" {
        let kinds = ["image/png", "image/gif", "image/jpeg", "image/webp", "image/avif"];
        let rest = clean[end + 1..].to_ascii_lowercase();
        return kinds.iter().any(|kind| rest.starts_with(kind)).then_some(clean);
    }
    let known = ["http", "https", "mailto", "tel"].contains(&scheme.as_str());
    (known || schemes.iter().any(|other| other.eq_ignore_ascii_case(&scheme))).then_some(clean)
}

pub(super) fn is_external(address: &str) -> bool {
    let lower = address.get(..8).unwrap_or(address).to_ascii_lowercase();
    lower.starts_with("http:") || lower.starts_with("https:")
}

pub(super) fn host(address: &str) -> &str {
    let Some(at) = address.find("://") else { return "" };
    let rest = &address[at + 3..];
    let rest = &rest[..rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len())];
    rest.rsplit('@').next().unwrap_or(rest)
}

pub(super) fn autolinks(words: &str) -> Vec<(Range<usize>, String)> {
    let _ = words;
    Vec::new()
}

#[derive(Debug, Default)]
pub(super) struct Slugs {
    seen: BTreeMap<String, u32>,
}

impl Slugs {
    pub(super) fn next(&mut self, words: &str) -> String {
        let slug: String = words
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        let count = self.seen.entry(slug.clone()).and_modify(|count| *count += 1).or_insert(0);
        if *count == 0 { slug } else { format!("{slug}-{count}") }
    }
}
