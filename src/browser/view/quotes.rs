//! `<countersign-quotes>`: chips of the quotes that will go with the next message.

use js_sys::Function;
use leptos::ev;
use leptos::html;
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::bar::LabelsSignal;
use crate::browser::host::{Host, Labels};
use crate::browser::stored::json_of;
use crate::document::outline::preview;
use crate::document::quote::Quote;
use crate::js::elements as js;

/// One element's state and view.
pub(crate) struct QuotesView {
    quotes: RwSignal<Vec<Quote>, LocalStorage>,
    labels: LabelsSignal,
    _mounted: Box<dyn std::any::Any>,
}

impl QuotesView {
    /// Builds the view in the host's shadow root. `remove` hears the number of a quote whose button was pressed.
    pub(crate) fn new(host: &Host, remove: Function) -> Option<Self> {
        host.adopt("quotes", concat!(include_str!("tokens.css"), include_str!("quotes.css")));
        let quotes = RwSignal::new_local(Vec::new());
        let labels = RwSignal::new_local(Labels::default());
        let remove = UnsyncCallback::new(move |(index,): (u32,)| {
            // The element's own method: it throws nothing.
            let _ = remove.call1(&JsValue::NULL, &index.into());
        });
        let mounted = mount_to(host.frame()?, move || chips(quotes, labels, remove));
        Some(Self { quotes, labels, _mounted: Box::new(mounted) })
    }

    /// Takes a property of the element.
    pub(crate) fn set(&self, name: &str, value: &JsValue) {
        match name {
            "labels" => self.labels.set(Labels::new(value)),
            "quotes" => {
                let quotes = json_of(value).and_then(|json| js::read_quotes(&json));
                self.quotes.set(quotes.unwrap_or_default());
            }
            _ => {}
        }
    }
}

/// The chips, each with where it is from, its first words, and a button that removes it.
fn chips(
    quotes: RwSignal<Vec<Quote>, LocalStorage>,
    labels: LabelsSignal,
    remove: UnsyncCallback<(u32,)>,
) -> impl IntoView {
    html::ul().attr("part", "quotes").attr("aria-label", move || labels.get().text("quotes.label", &[])).child(
        move || {
            let labels = labels.get();
            quotes
                .read()
                .iter()
                .enumerate()
                .map(|(index, quote)| {
                    let words = words(quote);
                    let remove_label = labels.text("quotes.remove", &[("words", &words)]);
                    html::li()
                        .class("chip")
                        .attr("part", "quote")
                        .child((
                            html::span().class("where").child(place(quote, &labels)),
                            html::span().class("words").attr("dir", "auto").child(words),
                            html::button()
                                .class("quiet")
                                .attr("type", "button")
                                .attr("aria-label", remove_label)
                                .on(ev::click, move |_| remove.run((index as u32,)))
                                .child("✕"),
                        ))
                        .into_any()
                })
                .collect::<Vec<_>>()
        },
    )
}

fn words(quote: &Quote) -> String {
    preview(quote.exact.text.trim_start().lines().next().unwrap_or_default())
}

fn place(quote: &Quote, labels: &Labels) -> String {
    let version = quote.version.to_string();
    let title = match quote.title.as_str() {
        "" => labels.text("document.untitled", &[]),
        title => title.to_owned(),
    };
    let (first, last) = (quote.blocks.0.to_string(), quote.blocks.1.to_string());
    let values =
        [("title", title.as_str()), ("version", &version), ("block", &first), ("first", &first), ("last", &last)];
    labels.text(if first == last { "quotes.where" } else { "quotes.where-blocks" }, &values)
}
