//! What a person does with mouse, finger and keys, as the steps of W3C actions.

use serde_json::{Value, json};

/// A place in the window, in CSS pixels from its top left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// A pointer's and a keyboard's doings, step by step: mouse, or finger.
#[derive(Clone)]
pub struct Mouse {
    kind: &'static str,
    pointer: Vec<Value>,
    keys: Vec<Value>,
}

impl Mouse {
    /// A mouse.
    pub fn new() -> Self {
        Self { kind: "mouse", pointer: Vec::new(), keys: Vec::new() }
    }

    /// A finger.
    pub fn touch() -> Self {
        Self { kind: "touch", ..Self::new() }
    }

    /// The input sources of an `actions` command.
    pub fn sources(self) -> Vec<Value> {
        let parameters = json!({ "pointerType": self.kind });
        let mut sources =
            vec![json!({ "type": "pointer", "id": self.kind, "parameters": parameters, "actions": self.pointer })];
        if self.keys.iter().any(|action| action["type"] != "pause") {
            sources.push(json!({ "type": "key", "id": "keyboard", "actions": self.keys }));
        }
        sources
    }

    fn step(mut self, pointer: Value, key: Value) -> Self {
        self.pointer.push(pointer);
        self.keys.push(key);
        self
    }

    /// Moves there.
    pub fn at(self, to: Point) -> Self {
        let step = json!({ "type": "pointerMove", "duration": 30, "x": to.x.round(), "y": to.y.round(), "origin": "viewport" });
        self.step(step, json!({ "type": "pause" }))
    }

    /// Presses the main button, or puts the finger down.
    pub fn down(self) -> Self {
        self.step(json!({ "type": "pointerDown", "button": 0 }), json!({ "type": "pause" }))
    }

    /// Lets go.
    pub fn up(self) -> Self {
        self.step(json!({ "type": "pointerUp", "button": 0 }), json!({ "type": "pause" }))
    }

    /// Clicks there so many times.
    pub fn clicks(self, at: Point, times: usize) -> Self {
        (0..times).fold(self.at(at), |mouse, _| mouse.down().up())
    }

    /// Stays as it is, for a long press.
    pub fn hold(self, milliseconds: u32) -> Self {
        self.step(json!({ "type": "pause", "duration": milliseconds }), json!({ "type": "pause" }))
    }

    /// Holds a key from here on.
    pub fn key_down(self, key: char) -> Self {
        self.step(json!({ "type": "pause" }), json!({ "type": "keyDown", "value": key }))
    }

    /// Lets a key go.
    pub fn key_up(self, key: char) -> Self {
        self.step(json!({ "type": "pause" }), json!({ "type": "keyUp", "value": key }))
    }
}

/// W3C's characters for keys that write none.
#[allow(dead_code)]
pub mod key {
    pub const BACKSPACE: char = '\u{E003}';
    pub const TAB: char = '\u{E004}';
    pub const ENTER: char = '\u{E007}';
    pub const SHIFT: char = '\u{E008}';
    pub const CONTROL: char = '\u{E009}';
    pub const ALT: char = '\u{E00A}';
    pub const ESCAPE: char = '\u{E00C}';
    pub const SPACE: char = ' ';
    pub const PAGE_DOWN: char = '\u{E00F}';
    pub const END: char = '\u{E010}';
    pub const HOME: char = '\u{E011}';
    pub const LEFT: char = '\u{E012}';
    pub const UP: char = '\u{E013}';
    pub const RIGHT: char = '\u{E014}';
    pub const DOWN: char = '\u{E015}';
}
