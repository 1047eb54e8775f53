//! From what a person selected to source offsets, through the runs that rendering kept. Rendered text is never searched.
//!
//! A selection's ends are DOM points. An end outside the document is clamped to it, and one between runs moves to the
//! nearest run inside of the selection. Offsets here count UTF-16 units, as the DOM does.
//!
//! It costs the steps from each end to the nearest run, not the length of the document nor of the selection.

use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Element, Node, Range, ShadowRoot};

/// One end of a selection.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) node: Node,
    pub(crate) offset: u32,
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

impl SourcePoint {
    /// Before all that is shown.
    pub(crate) const FIRST: Self = Self { row: 0, offset: 0 };
    /// Behind all that is shown.
    pub(crate) const LAST: Self = Self { row: u32::MAX, offset: u32::MAX };
}

/// What is selected of a document.
#[derive(Clone, Debug)]
pub(crate) struct Selected {
    /// From here …
    pub(crate) from: SourcePoint,
    /// … to here, in display order.
    pub(crate) to: SourcePoint,
    /// The ranges of the page's selection that lie in the document as a whole; empty where one of them leaves it.
    pub(crate) inside: Vec<(Point, Point)>,
}

impl Selected {
    /// Its ends.
    pub(crate) fn ends(&self) -> (SourcePoint, SourcePoint) {
        (self.from, self.to)
    }
}

/// What a rendering knows of its nodes.
pub(crate) trait Runs {
    /// The run that a node belongs to; none for what has no source.
    fn run(&self, node: &Node) -> Option<Run>;
    /// The block that a node is in, in display order.
    fn row(&self, node: &Node) -> Option<u32>;
}

/// What is selected inside `content`; `None` where nothing is, or nothing that has a source. Several ranges (Firefox has
/// them in tables) count as their union.
pub(crate) fn selected(root: &ShadowRoot, content: &Element, runs: &dyn Runs) -> Option<Selected> {
    let mut union: Option<Selected> = None;
    let mut leaves = false;
    for (start, end) in ranges(root, content) {
        // A caret selects nothing, also inside of what is taken whole.
        if start.node == end.node && start.offset == end.offset {
            continue;
        }
        let within = content.contains(Some(&start.node)) && content.contains(Some(&end.node));
        leaves |= !within;
        let Some((first, last)) = clamped(root, content, &start, &end) else { continue };
        let Some(from) = first.map_or(Some(SourcePoint::FIRST), |point| forward(content, point, runs)) else {
            continue;
        };
        let Some(to) = last.map_or(Some(SourcePoint::LAST), |point| backward(content, point, runs)) else { continue };
        if from >= to {
            continue;
        }
        let all = union.get_or_insert(Selected { from, to, inside: Vec::new() });
        (all.from, all.to) = (all.from.min(from), all.to.max(to));
        all.inside.push((start, end));
    }
    if leaves && let Some(union) = &mut union {
        union.inside.clear();
    }
    union
}

/// The first and the last point that have a source; `None` where nothing shown has one.
pub(crate) fn limits(content: &Element, runs: &dyn Runs) -> Option<(SourcePoint, SourcePoint)> {
    let walker = walk(content)?;
    let mut node = walker.next_node().ok()??;
    let first = loop {
        if let Some(run) = runs.run(&node) {
            break SourcePoint { row: run.row, offset: run.start };
        }
        node = walker.next_node().ok()??;
    };
    let mut node = deepest(content.last_child()?);
    walker.set_current_node(&node);
    loop {
        if let Some(run) = runs.run(&node) {
            return Some((first, SourcePoint { row: run.row, offset: run.end }));
        }
        node = walker.previous_node().ok()??;
    }
}

/// The ranges of the page's selection, as far as this engine lets a shadow root see them: the current call form, then
/// the older one, then the root's own selection, then the document's.
fn ranges(root: &ShadowRoot, content: &Element) -> Vec<(Point, Point)> {
    // The document that the element is in, which need not be the one that the module was loaded in.
    let selection = content.owner_document().and_then(|document| document.get_selection().ok().flatten());
    let Some(selection) = selection else { return Vec::new() };
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

/// Both ends as points inside `content`, `None` for one that is clamped to its beginning or end. `None` where the range
/// does not meet it.
#[allow(clippy::type_complexity, reason = "two ends, each perhaps clamped")]
fn clamped<'p>(
    root: &ShadowRoot,
    content: &Element,
    start: &'p Point,
    end: &'p Point,
) -> Option<(Option<&'p Point>, Option<&'p Point>)> {
    let first = match place(root, content, start, Side::Start)? {
        Place::Inside => Some(start),
        Place::Before => None,
        Place::After => return None,
    };
    let last = match place(root, content, end, Side::End)? {
        Place::Inside => Some(end),
        Place::After => None,
        Place::Before => return None,
    };
    Some((first, last))
}

enum Place {
    Before,
    Inside,
    After,
}

/// Where a point lies in relation to `content`, across shadow boundaries; `None` for another document's or a detached
/// node. `content`'s own beginning is before it and its end after it, as all of it is selected from or to there.
fn place(root: &ShadowRoot, content: &Element, point: &Point, side: Side) -> Option<Place> {
    if point.node == **content {
        let child = content.child_nodes().item(point.offset);
        return Some(match (point.offset, child) {
            (0, _) => Place::Before,
            (_, None) => Place::After,
            _ => Place::Inside,
        });
    }
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
    let behind = Range::new().ok()?;
    behind.set_start_after(&standing).ok()?;
    match (around.compare_point(&point.node, point.offset).ok()?, behind.compare_point(&point.node, point.offset).ok()?)
    {
        (-1, _) => Some(Place::Before),
        (1, _) | (_, 0) => Some(Place::After),
        // On the boundary before a host, or in what a host has beside its shadow, which nobody sees: all of the
        // document is on the selection's side.
        _ => match side {
            Side::Start => Some(Place::Before),
            Side::End if point.node.contains(Some(&standing)) && point.node != *standing => Some(Place::Before),
            Side::End => Some(Place::After),
        },
    }
}

/// The first source point at or after `point`.
fn forward(content: &Element, point: &Point, runs: &dyn Runs) -> Option<SourcePoint> {
    if let Some(run) = runs.run(&point.node) {
        return Some(SourcePoint { row: run.row, offset: run.start + run.within(point, Side::Start) });
    }
    let mut node = match point.node.child_nodes().item(point.offset) {
        Some(child) => child,
        None => following(content, &point.node)?,
    };
    let walker = walk(content)?;
    walker.set_current_node(&node);
    loop {
        if let Some(run) = runs.run(&node) {
            // From before a block, all of it is selected: its marks, too.
            let offset = if runs.row(&point.node) == Some(run.row) { run.start } else { 0 };
            return Some(SourcePoint { row: run.row, offset });
        }
        node = walker.next_node().ok()??;
    }
}

/// The last source point at or before `point`.
fn backward(content: &Element, point: &Point, runs: &dyn Runs) -> Option<SourcePoint> {
    if let Some(run) = runs.run(&point.node) {
        return Some(SourcePoint { row: run.row, offset: run.start + run.within(point, Side::End) });
    }
    let walker = walk(content)?;
    let child = point.offset.checked_sub(1).and_then(|index| point.node.child_nodes().item(index));
    let mut node = match child {
        Some(child) => {
            let last = deepest(child);
            walker.set_current_node(&last);
            last
        }
        None => {
            walker.set_current_node(&point.node);
            walker.previous_node().ok()??
        }
    };
    loop {
        if let Some(run) = runs.run(&node) {
            // To behind a block, all of it is selected.
            let offset = if runs.row(&point.node) == Some(run.row) { run.end } else { u32::MAX };
            return Some(SourcePoint { row: run.row, offset });
        }
        node = walker.previous_node().ok()??;
    }
}

#[derive(Clone, Copy)]
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
        let shown = match point.node.dyn_ref::<web_sys::CharacterData>() {
            Some(text) => text.length(),
            None => point.node.child_nodes().length(),
        };
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

/// The last node inside `node`, or itself.
fn deepest(mut node: Node) -> Node {
    while let Some(last) = node.last_child() {
        node = last;
    }
    node
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
