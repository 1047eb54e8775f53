//! The bar under the document: the quote's first words, "Ask about this", and dismiss. It never floats over the
//! platform's own selection menu, stays when the selection empties, and never disturbs it. Where the focus is on a block,
//! it tells the keys that ask.

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
    /// Whether to tell the keys.
    pub(crate) hint: RwSignal<bool>,
    /// What is announced.
    pub(crate) said: RwSignal<String>,
    pub(crate) labels: LabelsSignal,
    pub(crate) ask: UnsyncCallback<()>,
    pub(crate) dismiss: UnsyncCallback<()>,
}

impl Bar {
    /// The bar as a view; nothing where nothing is on offer. The live region is always there, so that what it says is
    /// announced; it has no buttons in it, and says nothing while a selection only grows.
    pub(crate) fn view(self) -> impl IntoView {
        let Self { words, hint, said, labels, ask, dismiss } = self;
        let label = move |name: &'static str| move || labels.get().text(name, &[]);
        let bar = move || {
            words.get().map(|words| {
                html::div()
                    .class("bar")
                    .attr("part", "bar")
                    .attr("role", "group")
                    .attr("aria-label", label("ask.label"))
                    // The selection stays while a button is pressed. On `pointerdown` WebKit would send no click.
                    .on(ev::mousedown, |event| event.prevent_default())
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
        };
        // The live region says the same.
        let keys = move || {
            (hint.get() && words.with(Option::is_none))
                .then(|| html::p().class("hint").attr("aria-hidden", "true").child(label("ask.hint")))
        };
        (
            html::div().class("said").attr("role", "status").child(move || said.get()),
            html::div().class("bar-place").child((bar, keys)),
        )
    }
}
