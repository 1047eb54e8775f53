//! Selecting in a document: what is selected becomes an offer, the offer a quote, and a copy carries the source along.
//!
//! Without a mouse, one block is a tab stop, the arrow keys go from block to block, and a key asks. An offer outlives the
//! selection that made it (a tap on its button empties the selection first), and it follows its words through changes of
//! the text; where they are not there any more, it goes.

use std::ops::Range;
use std::rc::Rc;

use gloo::events::{EventListener, EventListenerOptions};
use js_sys::{Array, Object};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{Element, Event, FocusEvent, HtmlElement, KeyboardEvent, Node};

use super::document::{BlockNodes, DocumentView, Shown};
use super::notice::Notice;
use crate::browser::selection::{self, Run, Runs, Selected, SourcePoint};
use crate::browser::stored::parsed;
use crate::change::occurrences::Occurrences;
use crate::document::inline::Kind;
use crate::document::outline::preview;
use crate::document::quote::{Quote, Source, quote_selection};
use crate::document::select::{Selection, first_words, select, select_blocks};
use crate::js::elements as js;
use crate::{Reason, Refused};

/// What selecting keeps.
#[derive(Default)]
pub(super) struct Selecting {
    offer: Option<Offer>,
    /// The selection that the last change of the text left behind: no new one, however the browser tells of it.
    settled: Option<(SourcePoint, SourcePoint)>,
    /// The last thing that a person did was to select all.
    all: bool,
    /// A mouse button is down: the bar waits, so that nothing moves under a drag.
    pressed: bool,
    /// The selection has changed since it went down.
    held: bool,
    /// The block that is the tab stop.
    stop: Option<HtmlElement>,
}

/// A selection on offer.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    /// Stretches of the text on show, in reading order.
    ranges: Vec<Range<usize>>,
    /// What they enclose.
    exact: Range<usize>,
}

/// Where the focus and the tab stop were before a change of the text.
pub(super) struct Stood {
    row: Option<u32>,
    focused: bool,
}

impl Runs for BlockNodes {
    fn run(&self, node: &Node) -> Option<Run> {
        match self.run_of(node)?[..] {
            [row, start, end, verbatim] => Some(Run { row, start, end, verbatim: verbatim == 1 }),
            _ => None,
        }
    }

    fn row(&self, node: &Node) -> Option<u32> {
        self.row_of(node)
    }
}

impl DocumentView {
    /// Starts listening to what selecting needs.
    pub(super) fn listen_to_selecting(self: &Rc<Self>) -> Vec<EventListener> {
        let Some(document) = self.host.owner_document() else { return Vec::new() };
        let capture = EventListenerOptions::run_in_capture_phase();
        let answers = EventListenerOptions::enable_prevent_default();
        let on = |options, kind: &'static str, act: fn(&Rc<Self>, &Event)| {
            let this = Rc::downgrade(self);
            (options, kind, move |event: &Event| {
                if let Some(this) = this.upgrade() {
                    act(&this, event);
                }
            })
        };
        let page = [
            on(answers, "selectionchange", |this, _| this.offer_selection()),
            on(answers, "copy", Self::copy),
            on(answers, "keydown", Self::escape),
            on(capture, "keydown", |this, event| {
                this.selecting.borrow_mut().all = selects_all(event);
                this.released();
            }),
            on(capture, "pointerdown", |this, _| this.selecting.borrow_mut().all = false),
            on(capture, "mousedown", |this, _| this.selecting.borrow_mut().pressed = true),
            on(capture, "mouseup", |this, _| this.released()),
            on(capture, "dragend", |this, _| this.released()),
        ];
        let text = [
            on(answers, "keydown", Self::key_on_block),
            on(answers, "focusin", Self::focus_came),
            on(answers, "focusout", |this, _| this.hint.set(false)),
        ];
        let page =
            page.into_iter().map(|(options, kind, act)| EventListener::new_with_options(&document, kind, options, act));
        let text = text
            .into_iter()
            .map(|(options, kind, act)| EventListener::new_with_options(&self.content, kind, options, act));
        page.chain(text).collect()
    }

    // ── What is selected ──

    /// What is selected now. All of what is shown, selected by the keys for it, is the whole document.
    fn selected(&self) -> Option<Selected> {
        let mut selected = selection::selected(&self.root, &self.content, &self.nodes)?;
        if self.selecting.borrow().all
            && let Some((first, last)) = selection::limits(&self.content, &self.nodes)
            && selected.from <= first
            && last <= selected.to
        {
            (selected.from, selected.to) = (SourcePoint::FIRST, SourcePoint::LAST);
        }
        Some(selected)
    }

    /// Offers what is selected now. An empty selection leaves the offer: a tap on its button empties the selection first.
    fn offer_selection(&self) {
        let ends = self.selected().map(|selected| selected.ends());
        {
            let mut selecting = self.selecting.borrow_mut();
            if ends.is_none() || selecting.settled == ends {
                return;
            }
            if selecting.pressed {
                selecting.held = true;
                return;
            }
            selecting.settled = None;
        }
        let Some((from, to)) = ends else { return };
        let shown = self.shown.borrow();
        let ranges = shown.ranges(from, to);
        let Ok(selection) = shown.select(&ranges) else { return };
        let words = preview(&first_words(&shown.source.text, &shown.runs, &selection));
        self.selecting.borrow_mut().offer = Some(Offer { ranges, exact: selection.exact });
        drop(shown);
        if self.words.with_untracked(Option::is_none) {
            self.say("ask.offered", &[("words", &words)]);
        }
        self.words.set(Some(words));
    }

    /// No button is down any more: what was selected meanwhile is offered.
    fn released(&self) {
        let held = {
            let mut selecting = self.selecting.borrow_mut();
            selecting.pressed = false;
            std::mem::take(&mut selecting.held)
        };
        if held {
            self.offer_selection();
        }
    }

    pub(super) fn withdraw_offer(&self) {
        self.selecting.borrow_mut().offer = None;
        self.words.set(None);
    }

    /// `quoteSelection()`: what is selected now, else what is on offer.
    pub(crate) fn quote_selection(&self) -> Result<Quote, Refused> {
        let selected = self.selected();
        let shown = self.shown.borrow();
        let ranges = match selected {
            Some(selected) => shown.ranges(selected.from, selected.to),
            None => self.selecting.borrow().offer.as_ref().map(|offer| offer.ranges.clone()).unwrap_or_default(),
        };
        if ranges.is_empty() {
            return Err(Refused::new(Reason::BadRange, self.labels.get_untracked().text("ask.nothing", &[])));
        }
        shown.quote(&shown.select(&ranges)?)
    }

    // ── Asking ──

    /// Asks about what is on offer.
    pub(super) fn ask(self: &Rc<Self>) {
        let Some(offer) = self.selecting.borrow().offer.clone() else { return };
        let quote = {
            let shown = self.shown.borrow();
            shown.select(&offer.ranges).and_then(|selection| shown.quote(&selection))
        };
        self.dismiss();
        self.send(quote);
    }

    /// Hands a quote to the host.
    fn send(&self, quote: Result<Quote, Refused>) {
        match quote {
            Ok(quote) => {
                let detail = Object::new();
                let json = self.with_source(|source| js::quote(&quote, &source.text));
                let _ = js_sys::Reflect::set(&detail, &"quote".into(), &parsed(&json));
                let words = preview(quote.exact.text.trim_start().lines().next().unwrap_or_default());
                self.say("ask.asked", &[("words", &words)]);
                self.host.emit("countersign-quote", &detail, true);
            }
            Err(refused) => self.notice.set(Some(Notice::Refused(refused.message))),
        }
    }

    /// Takes the offer away. The selection stays as it is; the focus goes back into the text if it was on the bar.
    pub(super) fn dismiss(self: &Rc<Self>) {
        let on_bar = self.root.active_element().is_some_and(|focused| !self.content.contains(Some(&focused)));
        self.withdraw_offer();
        let stop = self.selecting.borrow().stop.clone();
        if on_bar && let Some(stop) = stop {
            // Nothing is scrolled for it: the person is where they are.
            let _ = focus_still(&stop);
        }
    }

    fn escape(self: &Rc<Self>, event: &Event) {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else { return };
        if key.key() != "Escape" || event.default_prevented() || self.words.with_untracked(Option::is_none) {
            return;
        }
        // From the element, or from a page where nothing else has the focus.
        let ours = event.composed_path().includes(&self.host, 0);
        let nobody = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let nobody = nobody.is_some_and(|target| matches!(target.local_name().as_str(), "body" | "html"));
        if ours || nobody {
            self.dismiss();
        }
    }

    /// Says something in the live region.
    fn say(&self, label: &str, values: &[(&str, &str)]) {
        self.said.set(self.labels.get_untracked().text(label, values));
    }

    // ── Copying ──

    /// A selection that lies in the document goes to the clipboard with its source. One that leaves it is the page's.
    fn copy(self: &Rc<Self>, event: &Event) {
        if event.default_prevented() {
            return;
        }
        let Some(selected) = self.selected().filter(|selected| !selected.inside.is_empty()) else { return };
        let ends = Array::new();
        for (start, end) in &selected.inside {
            ends.push(&start.node);
            ends.push(&start.offset.into());
            ends.push(&end.node);
            ends.push(&end.offset.into());
        }
        let markdown = {
            let shown = self.shown.borrow();
            let Ok(selection) = shown.select(&shown.ranges(selected.from, selected.to)) else { return };
            let stretch = |stretch: &Range<usize>| shown.source.text.get(stretch.clone());
            selection.stretches.iter().filter_map(stretch).collect::<Vec<_>>().join("\n\n")
        };
        self.host.copies(event, &markdown, &ends);
    }

    // ── By keyboard ──

    fn key_on_block(self: &Rc<Self>, event: &Event) {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else { return };
        let Some((row, block)) = self.block_of(event) else { return };
        // A block that was clicked has the focus, too: there the keys scroll, as they do in any text.
        if key.ctrl_key() || key.alt_key() || key.meta_key() || !block.matches(":focus-visible").unwrap_or(false) {
            return;
        }
        let last = self.shown.borrow().rows.len() as u32;
        match (key.key().as_str(), key.shift_key()) {
            ("Enter", section) => {
                let quote = {
                    let shown = self.shown.borrow();
                    let Some(block) = shown.rows.get(row as usize).map(|row| row.block) else { return };
                    let (first, last) = if section { shown.section(block) } else { (block, block) };
                    select_blocks(&shown.runs, first, last).and_then(|selection| shown.quote(&selection))
                };
                self.send(quote);
            }
            ("ArrowDown", false) => self.go_to_first(row.saturating_add(1)..last),
            ("ArrowUp", false) => self.go_to_first((0..row).rev()),
            ("Home", false) => self.go_to_first(0..last),
            ("End", false) => self.go_to_first((0..last).rev()),
            _ => return,
        }
        event.prevent_default();
    }

    /// The block that an event happened on itself, not on something in it.
    fn block_of(&self, event: &Event) -> Option<(u32, HtmlElement)> {
        let target = event.target()?.dyn_into::<HtmlElement>().ok()?;
        let row = self.nodes.row_of(&target)?;
        (self.nodes.element(row)? == target).then_some((row, target))
    }

    fn focus_came(self: &Rc<Self>, event: &Event) {
        let Some((_, block)) = self.block_of(event) else { return };
        if !block.matches(":focus-visible").unwrap_or(false) {
            return;
        }
        self.hint.set(true);
        let from = event.dyn_ref::<FocusEvent>().and_then(FocusEvent::related_target);
        let from = from.and_then(|from| from.dyn_into::<Node>().ok());
        if !from.is_some_and(|from| self.content.contains(Some(&from))) {
            self.say("ask.hint", &[]);
        }
    }

    /// Gives the focus to the first of some rows that shows anything.
    fn go_to_first(&self, mut rows: impl Iterator<Item = u32>) {
        if let Some(block) = rows.find_map(|row| self.nodes.element(row)) {
            self.stop_at(&block);
            let _ = block.focus();
        }
    }

    /// Makes a block the one tab stop.
    pub(super) fn stop_at(&self, block: &HtmlElement) {
        let before = self.selecting.borrow_mut().stop.replace(block.clone());
        let _ = block.set_attribute("tabindex", "0");
        if let Some(before) = before.filter(|before| before != block) {
            let _ = before.remove_attribute("tabindex");
        }
    }

    // ── When the text changes ──

    /// To be asked before the nodes change.
    pub(super) fn stood(&self) -> Stood {
        let selecting = self.selecting.borrow();
        let Some(stop) = &selecting.stop else { return Stood { row: None, focused: false } };
        let focused = self.root.active_element().is_some_and(|focused| focused == **stop);
        Stood { row: self.nodes.row_of(stop), focused }
    }

    /// To be told when the nodes have changed: the tab stop is a block that is there, the offer is of the new text, and
    /// what the change left of the selection is no new one.
    pub(super) fn settle(&self, stood: &Stood, offer: Option<Offer>) {
        let here = self.selecting.borrow().stop.as_ref().is_some_and(|stop| self.content.contains(Some(stop)));
        if !here {
            let rows = self.shown.borrow().rows.len() as u32;
            let from = stood.row.unwrap_or(0).min(rows);
            let block = (from..rows).chain((0..from).rev()).find_map(|row| self.nodes.element(row));
            match block {
                Some(block) => {
                    self.stop_at(&block);
                    if stood.focused {
                        let _ = focus_still(&block);
                    }
                }
                None => self.selecting.borrow_mut().stop = None,
            }
        }
        let settled = self.selected().map(|selected| selected.ends());
        let gone = offer.is_none();
        let mut selecting = self.selecting.borrow_mut();
        (selecting.offer, selecting.settled) = (offer, settled);
        drop(selecting);
        if gone && self.words.with_untracked(Option::is_some) {
            self.words.set(None);
        }
    }

    /// The offer in another text; none where its words are not at their place there, nor anywhere exactly once.
    pub(super) fn offer_in(&self, text: &Source) -> Option<Offer> {
        let selecting = self.selecting.borrow();
        let offer = selecting.offer.as_ref()?;
        let shown = self.shown.borrow();
        if shown.source.document != text.document {
            return None;
        }
        let shift = moved(&shown.source.text, &text.text, &offer.exact)?;
        let there =
            |range: &Range<usize>| Some(range.start.checked_add_signed(shift)?..range.end.checked_add_signed(shift)?);
        let ranges = offer.ranges.iter().map(there).collect::<Option<_>>()?;
        Some(Offer { ranges, exact: there(&offer.exact)? })
    }
}

/// How far the words of a range have moved from one text to another.
fn moved(old: &str, new: &str, range: &Range<usize>) -> Option<isize> {
    let same = old.bytes().zip(new.bytes()).take_while(|(one, other)| one == other).count();
    if range.end <= same {
        return Some(0);
    }
    let same = old.bytes().rev().zip(new.bytes().rev()).take_while(|(one, other)| one == other).count();
    if old.len() - same <= range.start {
        return Some(new.len() as isize - old.len() as isize);
    }
    let mut places = Occurrences::of(old.get(range.clone())?, new);
    match (places.next(), places.next()) {
        (Some(place), None) => Some(place as isize - range.start as isize),
        _ => None,
    }
}

impl Shown {
    /// The selected stretches of source in reading order: rows whose sources follow each other are one stretch.
    fn ranges(&self, from: SourcePoint, to: SourcePoint) -> Vec<Range<usize>> {
        let text = &self.source.text;
        if (from, to) == (SourcePoint::FIRST, SourcePoint::LAST) {
            let all = 0..text.len();
            return Vec::from([all]);
        }
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut previous: Option<usize> = None;
        let last = (to.row as usize).min(self.rows.len().saturating_sub(1));
        for (place, row) in self.rows.iter().enumerate().take(last + 1).skip(from.row as usize) {
            let at = |offset: u32| match offset {
                u32::MAX => row.range.end,
                offset => {
                    self.units.behind(text, row.range.start, offset).map_or(row.range.end, |at| at.min(row.range.end))
                }
            };
            let start = if place == from.row as usize { at(from.offset) } else { row.range.start };
            let end = if place == to.row as usize { at(to.offset) } else { row.range.end };
            match ranges.last_mut() {
                Some(last) if previous.is_some_and(|block| block + 1 == row.block) => last.end = end,
                _ => ranges.push(start..end.max(start)),
            }
            previous = Some(row.block);
        }
        ranges
    }

    fn select(&self, ranges: &[Range<usize>]) -> Result<Selection, Refused> {
        select(&self.source.text, &self.runs, ranges)
    }

    fn quote(&self, selection: &Selection) -> Result<Quote, Refused> {
        Ok(quote_selection(&self.source, &self.runs, selection))
    }

    /// The blocks of the section that a block is in: from the heading above it to before the next one that ends it.
    fn section(&self, block: usize) -> (usize, usize) {
        let level = |block: usize| {
            let node = self.runs.blocks.get(block).and_then(|block| self.runs.nodes.get(block.nodes.start));
            match node.map(|node| node.kind) {
                Some(Kind::Heading(level)) => Some(level),
                _ => None,
            }
        };
        let first = (0..=block).rev().find(|&block| level(block).is_some());
        let above = first.and_then(level).unwrap_or(u8::MAX);
        let after = first.map_or(0, |first| first + 1)..self.runs.blocks.len();
        let end = after.into_iter().find(|&block| level(block).is_some_and(|level| level <= above));
        (first.unwrap_or(0), end.unwrap_or(self.runs.blocks.len()).saturating_sub(1))
    }
}

/// Whether a key selects all of the page.
fn selects_all(event: &Event) -> bool {
    event.dyn_ref::<KeyboardEvent>().is_some_and(|key| {
        (key.ctrl_key() || key.meta_key()) && !key.alt_key() && !key.shift_key() && key.key().eq_ignore_ascii_case("a")
    })
}

fn focus_still(element: &HtmlElement) -> Result<(), JsValue> {
    let options = web_sys::FocusOptions::new();
    options.set_prevent_scroll(true);
    element.focus_with_options(&options)
}
