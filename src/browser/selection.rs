//! From what a person selected to source offsets, through the runs that rendering kept. Rendered text is never searched.
//!
//! A selection's ends are DOM points. An end outside the document is clamped to it, and one between runs moves to the
//! nearest run inside of the selection. Offsets here count UTF-16 units, as the DOM does.

use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Element, Node, Range, ShadowRoot};

/// One end of a selection.
#[derive(Clone, Debug)]
struct Point {
    node: Node,
    offset: u32,
}

/// Where a run stands: its block's place in the display, and the run's source, relative to the block's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The block, in display order.
    pub(crate) row: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Shown text and source agree unit for unit.
    pub(crate) verbatim: bool,
}

/// A point in the source: a block in display order, and an offset from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SourcePoint {
    pub(crate) row: u32,
    pub(crate) offset: u32,
}

/// What is selected inside `content`, as source points in display order; `None` where nothing is, or nothing that has
/// a source. `run_of` gives a node's run. Several ranges (Firefox has them in tables) count as their union.
pub(crate) fn selected(
    root: &ShadowRoot,
    content: &Element,
    run_of: &dyn Fn(&Node) -> Option<Run>,
) -> Option<(SourcePoint, SourcePoint)> {
    let mut union: Option<(SourcePoint, SourcePoint)> = None;
    for (start, end) in ranges(root) {
        let Some((start, end)) = clamped(root, content, start, end) else { continue };
        let Some(first) = forward(content, &start, run_of) else { continue };
        let Some(last) = backward(content, &end, run_of) else { continue };
        if first < last {
            union = Some(union.map_or((first, last), |(from, to)| (from.min(first), to.max(last))));
        }
    }
    union
}

/// The ranges of the page's selection, as far as this engine lets a shadow root see them: the current call form, then
/// the older one, then the root's own selection, then the document's.
fn ranges(root: &ShadowRoot) -> Vec<(Point, Point)> {
    let Some(selection) = web_sys::window().and_then(|window| window.get_selection().ok().flatten()) else {
        return Vec::new();
    };
    let composed = Reflect::get(&selection, &"getComposedRanges".into()).ok();
    if let Some(composed) = composed.as_ref().and_then(|value| value.dyn_ref::<Function>()) {
        let options = Object::new();
        let roots = Array::of1(root);
        let current = Reflect::set(&options, &"shadowRoots".into(), &roots)
            .and_then(|_| composed.call1(&selection, &options))
            .or_else(|_| composed.call1(&selection, root));
        if let Ok(found) = current {
            return Array::from(&found).iter().filter_map(|range| points(&range)).collect();
        }
    }
    let own = Reflect::get(root, &"getSelection".into())
        .ok()
        .and_then(|get| get.dyn_into::<Function>().ok())
        .and_then(|get| get.call0(root).ok())
        .and_then(|own| own.dyn_into::<web_sys::Selection>().ok());
    let selection = own.unwrap_or(selection);
    (0..selection.range_count()).filter_map(|index| points(selection.get_range_at(index).ok()?.as_ref())).collect()
}

/// The ends of an `AbstractRange`.
fn points(range: &JsValue) -> Option<(Point, Point)> {
    let end = |container: &str, offset: &str| {
        let node = Reflect::get(range, &container.into()).ok()?.dyn_into::<Node>().ok()?;
        let offset = Reflect::get(range, &offset.into()).ok()?.as_f64()?;
        // A DOM offset is an unsigned long.
        Some(Point { node, offset: offset as u32 })
    };
    Some((end("startContainer", "startOffset")?, end("endContainer", "endOffset")?))
}

/// Both ends inside `content`; `None` where the range does not meet it.
fn clamped(root: &ShadowRoot, content: &Element, start: Point, end: Point) -> Option<(Point, Point)> {
    let from = match place(root, content, &start)? {
        Place::Inside => start,
        Place::Before => Point { node: content.clone().into(), offset: 0 },
        Place::After => return None,
    };
    let to = match place(root, content, &end)? {
        Place::Inside => end,
        Place::After => Point { node: content.clone().into(), offset: content.child_nodes().length() },
        Place::Before => return None,
    };
    Some((from, to))
}

enum Place {
    Before,
    Inside,
    After,
}

/// Where a point lies in relation to `content`, across shadow boundaries; `None` for another document's or a detached
/// node.
fn place(root: &ShadowRoot, content: &Element, point: &Point) -> Option<Place> {
    if content.contains(Some(&point.node)) {
        return Some(Place::Inside);
    }
    // What stands for the document in the point's own tree: itself, or a host around it.
    let tree = point.node.get_root_node();
    let mut standing = content.clone();
    let mut standing_root: Node = root.clone().into();
    while standing_root != tree {
        standing = standing_root.dyn_ref::<ShadowRoot>()?.host();
        standing_root = standing.get_root_node();
    }
    let around = Range::new().ok()?;
    around.select_node(&standing).ok()?;
    match around.compare_point(&point.node, point.offset).ok()? {
        -1 => Some(Place::Before),
        1 => Some(Place::After),
        // On the boundary of a host, or within what stands for it but not in the document: the bar, for instance.
        _ => None,
    }
}

/// The first source point at or after `point`.
fn forward(content: &Element, point: &Point, run_of: &dyn Fn(&Node) -> Option<Run>) -> Option<SourcePoint> {
    if let Some(run) = run_of(&point.node) {
        return Some(SourcePoint { row: run.row, offset: run.start + run.within(point, Side::Start) });
    }
    let mut node = match point.node.child_nodes().item(point.offset) {
        Some(child) => child,
        None => following(content, &point.node)?,
    };
    let walker = walk(content)?;
    walker.set_current_node(&node);
    loop {
        if let Some(run) = run_of(&node) {
            return Some(SourcePoint { row: run.row, offset: run.start });
        }
        node = walker.next_node().ok()??;
    }
}

/// The last source point at or before `point`.
fn backward(content: &Element, point: &Point, run_of: &dyn Fn(&Node) -> Option<Run>) -> Option<SourcePoint> {
    if let Some(run) = run_of(&point.node) {
        return Some(SourcePoint { row: run.row, offset: run.start + run.within(point, Side::End) });
    }
    let walker = walk(content)?;
    let child = point.offset.checked_sub(1).and_then(|index| point.node.child_nodes().item(index));
    let mut node = match child {
        Some(mut deepest) => {
            while let Some(last) = deepest.last_child() {
                deepest = last;
            }
            walker.set_current_node(&deepest);
            deepest
        }
        None if point.node == **content => return None,
        None => {
            walker.set_current_node(&point.node);
            walker.previous_node().ok()??
        }
    };
    loop {
        if let Some(run) = run_of(&node) {
            return Some(SourcePoint { row: run.row, offset: run.end });
        }
        node = walker.previous_node().ok()??;
    }
}

enum Side {
    Start,
    End,
}

impl Run {
    /// How far into the run's source a point in its node lies. An atomic run is taken whole.
    fn within(&self, point: &Point, side: Side) -> u32 {
        let whole = self.end - self.start;
        if self.verbatim {
            return point.offset.min(whole);
        }
        let shown = point.node.dyn_ref::<web_sys::CharacterData>().map_or(0, web_sys::CharacterData::length);
        match side {
            Side::Start if point.offset > 0 && point.offset >= shown => whole,
            Side::End if point.offset > 0 => whole,
            _ => 0,
        }
    }
}

/// Text nodes and elements (`NodeFilter.SHOW_TEXT | SHOW_ELEMENT`): a run is one or the other.
fn walk(content: &Element) -> Option<web_sys::TreeWalker> {
    content.owner_document()?.create_tree_walker_with_what_to_show(content, 0x1 | 0x4).ok()
}

/// The first node after the whole of `node`, inside `content`.
fn following(content: &Element, node: &Node) -> Option<Node> {
    let mut node = node.clone();
    loop {
        if node == **content {
            return None;
        }
        match node.next_sibling() {
            Some(next) => return Some(next),
            None => node = node.parent_node()?,
        }
    }
}
