//! `<countersign-document>`: the text as nodes, block by block, and the offer to quote a selection of it.
//!
//! A new text is rendered whole to instructions, which is quick; then only the rows whose instructions are new touch the
//! DOM. Every other block keeps its nodes, and with them the person's selection, focus and scroll.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use gloo::events::EventListener;
use js_sys::Object;
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event, HtmlElement, Node, ShadowRoot};

use super::bar::{Bar, LabelsSignal};
use super::notice::{Notice, notices};
use super::selecting::Selecting;
use crate::browser::host::{Host, Labels};
use crate::browser::stored::{self, Documents, Subscription, answered, parsed};
use crate::document::inline::{Runs, inline};
use crate::document::quote::Source;
use crate::document::render::{RenderOptions, render_runs};
use crate::document::rows::{Row, plan};
use crate::js::elements as js;
use crate::{Reason, Refused};

#[wasm_bindgen]
extern "C" {
    /// The hand-written half of a `<countersign-document>`.
    #[wasm_bindgen(extends = Host)]
    #[derive(Clone)]
    pub type ShowingHost;

    /// Tells it which text is shown, so that it keeps a copy which a panic here cannot take.
    #[wasm_bindgen(method)]
    fn shows(this: &ShowingHost, text: &str);

    /// Puts a selection on the clipboard of a `copy` event. `ends` are its ranges, four to each: start, offset, end, offset.
    #[wasm_bindgen(method)]
    pub(super) fn copies(this: &ShowingHost, event: &Event, markdown: &str, ends: &js_sys::Array);

    /// The loop that makes nodes (`www/nodes.js`).
    #[derive(Clone)]
    pub type BlockNodes;

    #[wasm_bindgen(method)]
    fn patch(this: &BlockNodes, plan: &[u32], code: &[u32], strings: &str);
    #[wasm_bindgen(method)]
    pub(super) fn element(this: &BlockNodes, row: u32) -> Option<HtmlElement>;
    #[wasm_bindgen(method, js_name = run)]
    pub(super) fn run_of(this: &BlockNodes, node: &Node) -> Option<Vec<u32>>;
    #[wasm_bindgen(method, js_name = row)]
    pub(super) fn row_of(this: &BlockNodes, node: &Node) -> Option<u32>;
}

/// What is shown: a text with its identity, and its blocks in the order of the display.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) source: Source,
    pub(super) rows: Vec<Row>,
    /// What is shown of it, for selections: they cost no parsing.
    pub(super) runs: Runs,
    pub(super) units: js::Units,
}

/// Where the text comes from, where it is stored.
#[derive(Default)]
struct Keeping {
    documents: Option<Documents>,
    id: Option<String>,
    versions: Option<Subscription>,
    /// Counts the readings: an answer to an older one comes too late.
    reading: u32,
}

/// One element's state and view.
pub(crate) struct DocumentView {
    pub(super) host: ShowingHost,
    pub(super) root: ShadowRoot,
    pub(super) content: HtmlElement,
    pub(super) nodes: BlockNodes,
    pub(super) labels: LabelsSignal,
    /// The first words of the selection on offer.
    pub(super) words: RwSignal<Option<String>>,
    /// Whether the keys that ask are told.
    pub(super) hint: RwSignal<bool>,
    /// What the live region says.
    pub(super) said: RwSignal<String>,
    pub(super) notice: RwSignal<Option<Notice>>,
    options: RefCell<RenderOptions>,
    pub(super) shown: RefCell<Shown>,
    pub(super) selecting: RefCell<Selecting>,
    keeping: RefCell<Keeping>,
    listeners: RefCell<Vec<EventListener>>,
    _mounted: Box<dyn std::any::Any>,
}

impl DocumentView {
    /// Builds the view in the host's shadow root. `content` is where `nodes` puts the blocks.
    pub(crate) fn new(host: ShowingHost, content: HtmlElement, nodes: BlockNodes) -> Option<Rc<Self>> {
        let root = host.shadow_root()?;
        host.adopt(
            "document",
            concat!(include_str!("tokens.css"), include_str!("document.css"), include_str!("bar.css")),
        );
        root.append_child(&content).ok()?;
        let frame = host.frame()?;
        Some(Rc::new_cyclic(|this: &Weak<Self>| {
            let labels = RwSignal::new_local(Labels::default());
            let (words, notice) = (RwSignal::new(None), RwSignal::new(Some(Notice::Empty)));
            let on = |this: &Weak<Self>, act: fn(&Rc<Self>)| {
                let this = this.clone();
                UnsyncCallback::new(move |()| {
                    if let Some(this) = this.upgrade() {
                        act(&this);
                    }
                })
            };
            let (hint, said) = (RwSignal::new(false), RwSignal::new(String::new()));
            let bar = Bar { words, hint, said, labels, ask: on(this, Self::ask), dismiss: on(this, Self::dismiss) };
            let newer = on(this, |this| this.read());
            let mounted = mount_to(frame, move || (notices(notice, labels, newer), bar.view()));
            Self {
                host,
                root,
                content,
                nodes,
                labels,
                words,
                hint,
                said,
                notice,
                options: RefCell::default(),
                shown: RefCell::default(),
                selecting: RefCell::default(),
                keeping: RefCell::default(),
                listeners: RefCell::default(),
                _mounted: Box::new(mounted),
            }
        }))
    }

    // ── Properties ──

    /// Takes a property of the element.
    pub(crate) fn set(self: &Rc<Self>, name: &str, value: &JsValue) {
        match name {
            "labels" => {
                self.labels.set(Labels::new(value));
                self.refresh();
            }
            "markdown" => {
                self.keeping.borrow_mut().id = None;
                self.show(Source { text: value.as_string().unwrap_or_default(), ..Source::default() });
            }
            "source" => self.show(source_of(value).unwrap_or_default()),
            "documents" => {
                let documents = value.is_object().then(|| value.clone().unchecked_into::<Documents>());
                self.keeping.borrow_mut().documents = documents;
                self.follow();
            }
            "documentId" => {
                self.keeping.borrow_mut().id = value.as_string();
                self.follow();
            }
            "linkSchemes" => {
                let schemes = js_sys::Array::from(value).iter().filter_map(|scheme| scheme.as_string()).collect();
                self.options.borrow_mut().link_schemes = schemes;
                self.refresh();
            }
            // Properties that only the loop in `www/` reads: what it makes of them is made anew.
            _ => self.refresh(),
        }
    }

    /// The version on show; 0 where nothing is stored.
    pub(crate) fn version(&self) -> u32 {
        self.shown.borrow().source.version
    }

    // ── Showing ──

    /// Shows a text. Blocks that it shares with the one before keep their nodes.
    fn show(self: &Rc<Self>, source: Source) {
        let (offer, stood) = (self.offer_in(&source), self.stood());
        self.host.shows(&source.text);
        let runs = inline(&source.text, &self.options.borrow().link_schemes);
        let rendered = render_runs(&source.text, &runs, &self.options.borrow());
        let units = js::Units::of(&source.text);
        let (rows, plan) = plan(&self.shown.borrow().rows, rendered);
        self.notice.set(source.text.is_empty().then_some(Notice::Empty));
        *self.shown.borrow_mut() = Shown { source, rows, runs, units };
        self.nodes.patch(&plan.rows, &plan.code, &plan.strings);
        self.settle(&stood, offer);
        self.title();
    }

    /// Makes every block anew: what its nodes depend on beside the text has changed.
    fn refresh(self: &Rc<Self>) {
        let source = {
            let mut shown = self.shown.borrow_mut();
            shown.rows.clear();
            shown.source.clone()
        };
        self.show(source);
    }

    fn title(&self) {
        let shown = self.shown.borrow();
        let labels = self.labels.get_untracked();
        let name = match shown.source.title.as_str() {
            "" => labels.text("document.untitled", &[]),
            title => labels.text("document.label", &[("title", title)]),
        };
        // A DOM of this page refuses no attribute of this name.
        let _ = self.content.set_attribute("aria-label", &name);
    }

    /// Scrolls to a block and moves the focus there.
    pub(crate) fn show_block(&self, block: usize) {
        let row = self.shown.borrow().rows.iter().position(|row| row.block == block);
        let Some(element) = row.and_then(|row| self.nodes.element(row as u32)) else { return };
        self.stop_at(&element);
        let _ = element.focus();
        element.scroll_into_view();
    }

    // ── Following a stored document ──

    pub(crate) fn connected(self: &Rc<Self>) {
        let mut listeners = self.listen_to_selecting();
        let this = Rc::downgrade(self);
        let clicks = gloo::events::EventListenerOptions::enable_prevent_default();
        listeners.push(EventListener::new_with_options(&self.content, "click", clicks, move |event| {
            if let Some(this) = this.upgrade() {
                this.clicked(event);
            }
        }));
        *self.listeners.borrow_mut() = listeners;
        self.follow();
    }

    pub(crate) fn disconnected(&self) {
        self.listeners.borrow_mut().clear();
        let versions = self.keeping.borrow_mut().versions.take();
        drop(versions);
    }

    /// Reads the stored document, and hears of its versions from then on.
    fn follow(self: &Rc<Self>) {
        let (before, documents) = {
            let mut keeping = self.keeping.borrow_mut();
            keeping.reading += 1;
            let wanted = keeping.id.is_some() && self.host.is_connected();
            (keeping.versions.take(), keeping.documents.clone().filter(|_| wanted))
        };
        // Leaving and joining call the host, which may well come back here: nothing is borrowed meanwhile.
        drop(before);
        let Some(documents) = documents else { return };
        let this = Rc::downgrade(self);
        // Heard before the first reading, so that no version falls between the two.
        let versions = Subscription::new(&documents, "version", move |info| {
            if let Some(this) = this.upgrade() {
                this.heard(&info);
            }
        });
        self.keeping.borrow_mut().versions = versions;
        if self.shown.borrow().rows.is_empty() {
            self.notice.set(Some(Notice::Loading));
        }
        self.read();
    }

    /// Another version is there: shown at once, unless the host holds it.
    fn heard(self: &Rc<Self>, info: &JsValue) {
        let ours = stored::text(info, "document") == self.keeping.borrow().id;
        let Some(version) = stored::number(info, "version").filter(|version| ours && *version > self.version()) else {
            return;
        };
        let detail = Object::new();
        let _ = js_sys::Reflect::set(&detail, &"version".into(), info);
        match self.host.emit("countersign-version", &detail, true) {
            true => self.read(),
            false => self.notice.set(Some(Notice::Newer(version))),
        }
    }

    /// Reads the head of the stored document and shows it.
    fn read(self: &Rc<Self>) {
        let (documents, id, reading) = {
            let mut keeping = self.keeping.borrow_mut();
            let (Some(documents), Some(id)) = (keeping.documents.clone(), keeping.id.clone()) else { return };
            keeping.reading += 1;
            (documents, id, keeping.reading)
        };
        let this = self.clone();
        spawn_local(async move {
            let answer = documents.read(&id).await;
            if this.keeping.borrow().reading != reading {
                return;
            }
            let source = answered("read", answer, "snapshot").and_then(|snapshot| {
                source_of(&snapshot)
                    .ok_or_else(|| Refused::new(Reason::Unavailable, "documents.read gave a snapshot without a text."))
            });
            match source {
                Ok(source) => this.show(source),
                Err(refused) => {
                    this.notice.set(Some(Notice::Missing(refused.message.clone())));
                    this.host.emit("countersign-error", &parsed(&js::refused(&refused)), false);
                }
            }
        });
    }

    /// The source of the text as it is shown, for the quote's version.
    pub(crate) fn with_source<T>(&self, read: impl FnOnce(&Source) -> T) -> T {
        read(&self.shown.borrow().source)
    }

    // ── Links ──

    /// A link was clicked: the host may take it; one that leads into the document is followed here.
    fn clicked(&self, event: &Event) {
        let link = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let Some(link) = link.and_then(|element| element.closest("a[href]").ok().flatten()) else { return };
        let Some(href) = link.get_attribute("href") else { return };
        let detail = Object::new();
        let _ = js_sys::Reflect::set(&detail, &"href".into(), &href.as_str().into());
        if !self.host.emit("countersign-link", &detail, true) {
            event.prevent_default();
            return;
        }
        if let Some(fragment) = href.strip_prefix('#') {
            event.prevent_default();
            if let Some(element) = self.inside(fragment) {
                reveal(&element);
            }
        }
    }

    /// What a fragment names in this document: a footnote, a reference to one, or a heading by its slug.
    fn inside(&self, fragment: &str) -> Option<HtmlElement> {
        let (attribute, value) = match (fragment.strip_prefix("footnote-ref-"), fragment.strip_prefix("footnote-")) {
            (Some(reference), _) => ("data-reference", reference),
            (_, Some(number)) => ("data-footnote", number),
            _ => ("data-slug", fragment),
        };
        let all = self.content.query_selector_all(&format!("[{attribute}]")).ok()?;
        (0..all.length())
            .filter_map(|index| all.item(index)?.dyn_into::<HtmlElement>().ok())
            .find(|element| element.get_attribute(attribute).as_deref() == Some(value))
    }
}

/// A `Source` of the contract, which a `Snapshot` is as well.
fn source_of(value: &JsValue) -> Option<Source> {
    Some(Source {
        document: stored::text(value, "document")?,
        title: stored::text(value, "title")?,
        version: stored::number(value, "version")?,
        text: stored::text(value, "text")?,
    })
}

/// Scrolls an element into view and gives it the focus, so that reading goes on there.
fn reveal(element: &HtmlElement) {
    let _ = element.set_attribute("tabindex", "-1");
    let _ = element.focus();
    element.scroll_into_view();
}
