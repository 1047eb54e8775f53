//! The bar under the document: the quote's first words, "Ask about this", and dismiss. It never floats over the
//! platform's own selection menu, stays when the selection empties, and never disturbs it.

use leptos::ev;
use leptos::html;
use leptos::prelude::*;

use crate::browser::host::Labels;

/// The labels in force, as the views of one element read them.
pub(crate) type LabelsSignal = RwSignal<Labels, LocalStorage>;

/// What the bar offers and what its buttons do.
#[derive(Clone, Copy)]
pub(crate) struct Bar {
    /// The first words of the selection on offer.
    pub(crate) words: RwSignal<Option<String>>,
    pub(crate) labels: LabelsSignal,
    pub(crate) ask: UnsyncCallback<()>,
    pub(crate) dismiss: UnsyncCallback<()>,
}

impl Bar {
    /// The bar as a view; nothing where nothing is on offer. The live region is always there, so that what appears in it
    /// is announced.
    pub(crate) fn view(self) -> impl IntoView {
        let Self { words, labels, ask, dismiss } = self;
        let label = move |name: &'static str| move || labels.read().text(name, &[]);
        html::div().class("bar-place").attr("role", "status").child(move || {
            words.get().map(|words| {
                html::div()
                    .class("bar")
                    .attr("part", "bar")
                    .attr("role", "group")
                    .attr("aria-label", label("ask.label"))
                    // The selection stays while a button is pressed. On `pointerdown` WebKit would send no click.
                    .on(ev::mousedown, |event| event.prevent_default())
                    .on(ev::keydown, move |event| {
                        if event.key() == "Escape" {
                            dismiss.run(());
                        }
                    })
                    .child((
                        html::span().class("words").attr("dir", "auto").child(words),
                        html::button()
                            .class("main")
                            .attr("type", "button")
                            .attr("part", "ask")
                            .on(ev::click, move |_| ask.run(()))
                            .child(label("ask.this")),
                        html::button()
                            .class("quiet")
                            .attr("type", "button")
                            .attr("part", "dismiss")
                            .attr("aria-label", label("ask.dismiss"))
                            .on(ev::click, move |_| dismiss.run(()))
                            .child("✕"),
                    ))
            })
        })
    }
}
