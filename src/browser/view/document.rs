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
use crate::browser::host::{Host, Labels};
use crate::browser::selection::{self, Run, SourcePoint};
use crate::browser::stored::{self, Documents, Subscription, answered, parsed};
use crate::document::outline::preview;
use crate::document::quote::{Quote, Source, quote_ranges};
use crate::document::render::{RenderOptions, render};
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

    /// The loop that makes nodes (`www/nodes.js`).
    #[derive(Clone)]
    pub type BlockNodes;

    #[wasm_bindgen(method)]
    fn patch(this: &BlockNodes, plan: &[u32], code: &[u32], strings: &str);
    #[wasm_bindgen(method)]
    fn element(this: &BlockNodes, row: u32) -> Option<HtmlElement>;
    #[wasm_bindgen(method)]
    fn run(this: &BlockNodes, node: &Node) -> Option<Vec<u32>>;
}

/// What is shown: a text with its identity, and its blocks in the order of the display.
#[derive(Default)]
struct Shown {
    source: Source,
    rows: Vec<Row>,
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
    host: ShowingHost,
    root: ShadowRoot,
    content: HtmlElement,
    nodes: BlockNodes,
    labels: LabelsSignal,
    words: RwSignal<Option<String>>,
    notice: RwSignal<Option<Notice>>,
    options: RefCell<RenderOptions>,
    shown: RefCell<Shown>,
    /// The selection on offer, as the rows stand.
    offer: RefCell<Option<(SourcePoint, SourcePoint)>>,
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
            let bar = Bar { words, labels, ask: on(this, Self::ask), dismiss: on(this, Self::dismiss) };
            let newer = on(this, |this| this.read());
            let mounted = mount_to(frame, move || (notices(notice, labels, newer), bar.view()));
            Self {
                host,
                root,
                content,
                nodes,
                labels,
                words,
                notice,
                options: RefCell::default(),
                shown: RefCell::default(),
                offer: RefCell::default(),
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
        // A quote on offer is one of the text that it was selected in; what is selected now is offered anew.
        self.withdraw_offer();
        self.host.shows(&source.text);
        let rendered = render(&source.text, &self.options.borrow());
        let (rows, plan) = plan(&self.shown.borrow().rows, rendered);
        self.notice.set(source.text.is_empty().then_some(Notice::Empty));
        *self.shown.borrow_mut() = Shown { source, rows };
        self.nodes.patch(&plan.rows, &plan.code, &plan.strings);
        self.title();
    }

    /// Makes every block anew: what its nodes depend on beside the text has changed.
    fn refresh(self: &Rc<Self>) {
        let Shown { source, .. } = std::mem::take(&mut *self.shown.borrow_mut());
        self.show(source);
    }

    fn title(&self) {
        let shown = self.shown.borrow();
        let labels = self.labels.read_untracked();
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
        reveal(&element);
    }

    // ── Following a stored document ──

    pub(crate) fn connected(self: &Rc<Self>) {
        let mut listeners = Vec::new();
        if let Some(document) = self.host.owner_document() {
            let this = Rc::downgrade(self);
            listeners.push(EventListener::new(&document, "selectionchange", move |_| {
                if let Some(this) = this.upgrade() {
                    this.offer_selection();
                }
            }));
        }
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
        self.keeping.borrow_mut().versions = None;
    }

    /// Reads the stored document, and hears of its versions from then on.
    fn follow(self: &Rc<Self>) {
        let this = Rc::downgrade(self);
        {
            let mut keeping = self.keeping.borrow_mut();
            keeping.versions = None;
            keeping.reading += 1;
            if keeping.id.is_none() || !self.host.is_connected() {
                return;
            }
            let Some(documents) = keeping.documents.clone() else { return };
            // Heard before the first reading, so that no version falls between the two.
            keeping.versions = Subscription::new(&documents, "version", move |info| {
                if let Some(this) = this.upgrade() {
                    this.heard(&info);
                }
            });
        }
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

    // ── Selecting and quoting ──

    fn run_of(&self, node: &Node) -> Option<Run> {
        match self.nodes.run(node)?[..] {
            [row, start, end, verbatim] => Some(Run { row, start, end, verbatim: verbatim == 1 }),
            _ => None,
        }
    }

    fn selected(&self) -> Option<(SourcePoint, SourcePoint)> {
        selection::selected(&self.root, &self.content, &|node| self.run_of(node))
    }

    /// Offers what is selected now. An empty selection leaves the offer: a tap on its button empties the selection first.
    fn offer_selection(&self) {
        let Some((from, to)) = self.selected() else { return };
        let shown = self.shown.borrow();
        let Some(row) = shown.rows.get(from.row as usize) else { return };
        let source = &shown.source.text[row.range.clone()];
        let start = js::byte_of(source, from.offset).unwrap_or(0);
        let end =
            if from.row == to.row { js::byte_of(source, to.offset).unwrap_or(source.len()) } else { source.len() };
        let Some(words) = source.get(start..end) else { return };
        *self.offer.borrow_mut() = Some((from, to));
        self.words.set(Some(preview(words.trim_start().lines().next().unwrap_or_default())));
    }

    fn withdraw_offer(&self) {
        *self.offer.borrow_mut() = None;
        self.words.set(None);
    }

    fn quote(&self, (from, to): (SourcePoint, SourcePoint)) -> Result<Quote, Refused> {
        let shown = self.shown.borrow();
        quote_ranges(&shown.source, &ranges(&shown, from, to))
    }

    /// `quoteSelection()`: what is selected now, else what is on offer.
    pub(crate) fn quote_selection(&self) -> Result<Quote, Refused> {
        let selected = self.selected().or(*self.offer.borrow());
        let none = || Refused::new(Reason::BadRange, self.labels.read_untracked().text("ask.nothing", &[]));
        self.quote(selected.ok_or_else(none)?)
    }

    /// The source of the text as it is shown, for the quote's version.
    pub(crate) fn with_source<T>(&self, read: impl FnOnce(&Source) -> T) -> T {
        read(&self.shown.borrow().source)
    }

    fn ask(self: &Rc<Self>) {
        let Some(offer) = *self.offer.borrow() else { return };
        match self.quote(offer) {
            Ok(quote) => {
                let detail = Object::new();
                let quote = self.with_source(|source| js::quote(&quote, &source.text));
                let _ = js_sys::Reflect::set(&detail, &"quote".into(), &parsed(&quote));
                self.withdraw_offer();
                self.host.emit("countersign-quote", &detail, true);
            }
            Err(refused) => {
                self.withdraw_offer();
                self.notice.set(Some(Notice::Refused(refused.message)));
            }
        }
    }

    fn dismiss(self: &Rc<Self>) {
        self.withdraw_offer();
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

/// The selected stretches of source in reading order: rows whose sources follow each other are one stretch.
fn ranges(shown: &Shown, from: SourcePoint, to: SourcePoint) -> Vec<std::ops::Range<usize>> {
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
    let mut previous: Option<usize> = None;
    for (place, row) in shown.rows.iter().enumerate().take(to.row as usize + 1).skip(from.row as usize) {
        let source = &shown.source.text[row.range.clone()];
        let at = |offset: u32| row.range.start + js::byte_of(source, offset).unwrap_or(source.len());
        let start = if place == from.row as usize { at(from.offset) } else { row.range.start };
        let end = if place == to.row as usize { at(to.offset) } else { row.range.end };
        match ranges.last_mut() {
            Some(last) if previous.is_some_and(|block| block + 1 == row.block) => last.end = end,
            _ => ranges.push(start..end),
        }
        previous = Some(row.block);
    }
    ranges
}
