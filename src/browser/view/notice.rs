//! Notices above a document: that it is empty, opening, missing, or that a newer version is here.

use leptos::ev;
use leptos::html;
use leptos::prelude::*;

use super::bar::LabelsSignal;

/// What a notice says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// There is no text.
    Empty,
    /// The text is on its way.
    Loading,
    /// The text could not be read; why.
    Missing(String),
    /// The host held back this version.
    Newer(u32),
    /// What was just asked for cannot be done; why.
    Refused(String),
}

/// The notice as a view. The live region is always there, so that what appears in it is announced.
pub(crate) fn notices(
    notice: RwSignal<Option<Notice>>,
    labels: LabelsSignal,
    show_newer: UnsyncCallback<()>,
) -> impl IntoView {
    html::div().class("notices").attr("role", "status").child(move || {
        notice.get().map(|notice| {
            let labels = labels.get();
            let (name, text) = match &notice {
                Notice::Empty => ("empty", labels.text("document.empty", &[])),
                Notice::Loading => ("loading", labels.text("document.loading", &[])),
                Notice::Missing(message) => ("missing", labels.text("document.missing", &[("message", message)])),
                Notice::Newer(version) => {
                    ("newer", labels.text("document.newer", &[("version", &version.to_string())]))
                }
                Notice::Refused(message) => ("refused", message.clone()),
            };
            let button = matches!(notice, Notice::Newer(_)).then(|| {
                html::button()
                    .attr("type", "button")
                    .on(ev::click, move |_| show_newer.run(()))
                    .child(labels.text("document.show-newer", &[]))
            });
            html::p().class("notice").attr("part", "notice").attr("data-notice", name).child((text, button))
        })
    })
}
