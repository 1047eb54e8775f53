//! A browser window, driven as a person would: by what is on the page, with real input, waiting for conditions.
//!
//! Elements are named by CSS selectors; ` >> ` goes into a shadow root: `countersign-document >> button`. Whatever is
//! named is waited for, up to [`PATIENCE`]. What does not come about ends the test with a picture of the page in
//! `target/pictures/`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::driver::{self, Driver};
use crate::engine::{Engine, capabilities, engine};
use crate::gesture::{Mouse, Point};
use crate::wire::{self, Failure};

/// How long a condition may take to come about. It is long, as a machine may be busy; nothing waits for it to pass.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// W3C's name for the member of an object that stands for an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A window of a fresh browser; dropping it closes the browser.
pub struct Session {
    driver: Driver,
    id: String,
    /// Which engine it is.
    pub engine: Engine,
}

/// An element that was found.
#[derive(Clone, Debug)]
pub struct Element(Value);

impl Session {
    /// Opens a browser that has seen nothing.
    pub fn open() -> Self {
        Self::open_with(Value::Null)
    }

    /// The same with more capabilities (merged into `alwaysMatch`).
    pub fn open_with(more: Value) -> Self {
        let driver = driver::take();
        let engine = engine();
        let mut wanted = capabilities(engine);
        if let (Some(wanted), Value::Object(more)) = (wanted.as_object_mut(), more) {
            wanted.extend(more);
        }
        let body = json!({ "capabilities": { "alwaysMatch": wanted } });
        let answer = wire::command(driver.address(), "POST", "/session", Some(&body));
        let answer = answer.unwrap_or_else(|failure| panic!("{engine:?} did not open: {failure:?}"));
        let id = answer["sessionId"].as_str().unwrap_or_default().to_owned();
        let session = Self { driver, id, engine };
        session.post("timeouts", &json!({ "script": 30_000, "pageLoad": 60_000, "implicit": 0 }));
        session.resize(1200, 900);
        session
    }

    // ───── Pages and windows ─────

    /// Opens an address and waits until it is loaded.
    pub fn go(&self, url: &str) {
        self.post("url", &json!({ "url": url }));
    }

    /// Loads the page again.
    pub fn reload(&self) {
        self.post("refresh", &json!({}));
    }

    /// Where the window is.
    pub fn url(&self) -> String {
        text(&self.get("url"))
    }

    /// The size of the window.
    pub fn resize(&self, width: u32, height: u32) {
        self.post("window/rect", &json!({ "width": width, "height": height }));
    }

    /// Opens another tab (of the same browser, with the same storage), goes there and gives its handle.
    pub fn new_tab(&self) -> String {
        let tab = text(&self.post("window/new", &json!({ "type": "tab" }))["handle"]);
        self.switch_to(&tab);
        tab
    }

    /// The handle of the current tab.
    pub fn tab(&self) -> String {
        text(&self.get("window"))
    }

    /// The handles of all tabs.
    pub fn tabs(&self) -> Vec<String> {
        self.get("window/handles").as_array().into_iter().flatten().map(text).collect()
    }

    /// Goes to a tab.
    pub fn switch_to(&self, tab: &str) {
        self.post("window", &json!({ "handle": tab }));
    }

    /// Closes the current tab.
    pub fn close_tab(&self) {
        self.must("DELETE", "window", None);
    }

    /// Goes into a frame, or out of all with `None`.
    pub fn frame(&self, element: Option<&Element>) {
        self.post("frame", &json!({ "id": element.map(|element| element.0.clone()) }));
    }

    // ───── Finding and reading ─────

    /// The element that a selector names, once it is there.
    #[track_caller]
    pub fn find(&self, selector: &str) -> Element {
        self.until(&format!("`{selector}` is there"), || self.look(selector))
    }

    /// The element that a selector names now, if any.
    pub fn look(&self, selector: &str) -> Option<Element> {
        let found = self.run(&format!("{FIND} return find(arguments[0])[0] ?? null"), &[json!(selector)]);
        found.get(ELEMENT).is_some().then_some(Element(found))
    }

    /// All elements that a selector names now.
    pub fn all(&self, selector: &str) -> Vec<Element> {
        let found = self.run(&format!("{FIND} return find(arguments[0])"), &[json!(selector)]);
        found.as_array().into_iter().flatten().cloned().map(Element).collect()
    }

    /// The text of an element as it is shown, once it is there.
    #[track_caller]
    pub fn text(&self, selector: &str) -> String {
        let element = self.find(selector);
        text(&self.run("return arguments[0].innerText", &[element.0]))
    }

    /// A property of an element, once it is there.
    #[track_caller]
    pub fn property(&self, selector: &str, name: &str) -> Value {
        let element = self.find(selector);
        self.run("return arguments[0][arguments[1]] ?? null", &[element.0, json!(name)])
    }

    /// The element's accessible role and name, as the browser computes them.
    #[track_caller]
    pub fn role_and_name(&self, selector: &str) -> (String, String) {
        let id = self.find(selector).id();
        (
            text(&self.get(&format!("element/{id}/computedrole"))),
            text(&self.get(&format!("element/{id}/computedlabel"))),
        )
    }

    /// Runs a function body in the page; `arguments` are what is given.
    #[track_caller]
    pub fn run(&self, script: &str, arguments: &[Value]) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": arguments }))
    }

    /// Runs an async function body in the page and waits for what it gives.
    #[track_caller]
    pub fn run_async(&self, script: &str, arguments: &[Value]) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; const given = [...arguments].slice(0, -1);\n\
             (async function () {{ {script} }}).apply(null, given)\
             .then((value) => done([true, value ?? null]), (error) => done([false, String(error?.stack ?? error)]));"
        );
        let answer = self.post("execute/async", &json!({ "script": script, "args": arguments }));
        assert_eq!(answer[0], json!(true), "the script failed: {}", answer[1]);
        answer[1].clone()
    }

    // ───── Waiting ─────

    /// Waits until a condition gives something, and gives it.
    #[track_caller]
    pub fn until<T>(&self, what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            if let Some(value) = condition() {
                return value;
            }
            if begun.elapsed() > PATIENCE {
                let picture = self.picture("failed");
                panic!(
                    "waited in vain until {what}; the page is in {}; it said {:?}",
                    picture.display(),
                    self.errors()
                );
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the element's shown text contains something.
    #[track_caller]
    pub fn until_text(&self, selector: &str, part: &str) {
        let mut last = String::new();
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(element) = self.look(selector) {
                last = text(&self.run("return arguments[0].innerText", &[element.0]));
                if last.contains(part) {
                    return;
                }
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let picture = self.picture("failed");
        panic!(
            "`{selector}` does not say {part:?} but {last:?}; the page is in {}; it said {:?}",
            picture.display(),
            self.errors()
        );
    }

    /// Waits until an expression is true in the page.
    #[track_caller]
    pub fn until_true(&self, expression: &str) {
        self.until(&format!("`{expression}`"), || {
            (self.run(&format!("return Boolean({expression})"), &[]) == json!(true)).then_some(())
        });
    }

    /// Waits until nothing is named by the selector.
    #[track_caller]
    pub fn until_gone(&self, selector: &str) {
        self.until(&format!("`{selector}` is gone"), || self.look(selector).is_none().then_some(()));
    }

    // ───── Acting ─────

    /// Clicks an element as the driver does it: scrolled into view, and refused where something lies over it.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        let begun = Instant::now();
        let mut last = None;
        while begun.elapsed() < PATIENCE {
            if let Some(element) = self.look(selector) {
                // Drivers lose their way in a scrolling part of the page with shadow roots in it.
                let script = "arguments[0].scrollIntoView({ block: 'nearest', behavior: 'instant' })";
                let scroll = json!({ "script": script, "args": [element.value()] });
                let _ = self.try_post("execute/sync", &scroll);
                match self.try_post(&format!("element/{}/click", element.id()), &json!({})) {
                    Ok(_) => return,
                    // It may be rendered anew, on its way into view, or under something that is about to go.
                    Err(failure) => last = Some(failure),
                }
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let picture = self.picture("failed");
        panic!(
            "`{selector}` cannot be clicked: {last:?}; the page is in {}; it said {:?}",
            picture.display(),
            self.errors()
        );
    }

    /// Types into an element (a path, for a file input).
    #[track_caller]
    pub fn type_into(&self, selector: &str, what: &str) {
        let id = self.find(selector).id();
        self.post(&format!("element/{id}/value"), &json!({ "text": what }));
    }

    /// The middle of an element, scrolled into view.
    #[track_caller]
    pub fn middle(&self, selector: &str) -> Point {
        let element = self.find(selector);
        point(&self.run(
            "arguments[0].scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });\
             const box = arguments[0].getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]",
            &[element.0],
        ))
    }

    /// Where an occurrence (from 0, -1 the last) of a text begins and ends on the screen, inside an element; it is
    /// scrolled into view. A text may run through several text nodes.
    #[track_caller]
    pub fn place_of(&self, selector: &str, what: &str, occurrence: i64) -> (Point, Point) {
        let element = self.find(selector);
        let place = self.run(PLACE, &[element.0, json!(what), json!(occurrence)]);
        assert!(place.is_array(), "`{selector}` does not show {what:?} ({occurrence})");
        (point(&place[0]), point(&place[1]))
    }

    /// Selects a text with the mouse: pressed at its beginning, dragged to its end.
    #[track_caller]
    pub fn drag_over(&self, selector: &str, what: &str, occurrence: i64) {
        let (from, to) = self.place_of(selector, what, occurrence);
        self.act(
            Mouse::new().at(from).down().at(Point { x: (from.x + to.x) / 2.0, y: (from.y + to.y) / 2.0 }).at(to).up(),
        );
    }

    /// Does what a pointer does.
    #[track_caller]
    pub fn act(&self, mouse: Mouse) {
        self.post("actions", &json!({ "actions": mouse.sources() }));
        self.must("DELETE", "actions", None);
    }

    /// Presses keys one after the other where the focus is; a `Chord` holds the first ones while the last is pressed.
    #[track_caller]
    pub fn keys(&self, chords: &[&[char]]) {
        let mut actions = Vec::new();
        for chord in chords {
            actions.extend(chord.iter().map(|key| json!({ "type": "keyDown", "value": key })));
            actions.extend(chord.iter().rev().map(|key| json!({ "type": "keyUp", "value": key })));
        }
        self.post("actions", &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] }));
        self.must("DELETE", "actions", None);
    }

    // ───── Seeing ─────

    /// A picture of what the window shows, in `target/pictures/ENGINE-NAME.png`.
    pub fn picture(&self, name: &str) -> PathBuf {
        let folder = crate::root().join("target/pictures");
        let thread = std::thread::current().name().unwrap_or("test").replace("::", "-");
        let path = folder.join(format!("{:?}-{thread}-{name}.png", self.engine).to_lowercase());
        if let Ok(Value::String(picture)) = self.try_get("screenshot") {
            let _ = std::fs::create_dir_all(&folder);
            let _ = std::fs::write(&path, base64(&picture));
        }
        path
    }

    /// What went wrong in the page since it was loaded: uncaught errors, refused promises, errors on the console and
    /// policy violations. Pages of [`crate::site`] collect them in every engine; Chromium's own log is added.
    pub fn errors(&self) -> Vec<String> {
        let collected =
            self.try_post("execute/sync", &json!({ "script": "return globalThis.__errors ?? []", "args": [] }));
        let collected = collected.unwrap_or(Value::Null);
        let mut errors: Vec<String> = collected.as_array().into_iter().flatten().map(text).collect();
        if self.engine == Engine::Chromium {
            let log = self.try_post("se/log", &json!({ "type": "browser" })).unwrap_or(Value::Null);
            let severe = log.as_array().into_iter().flatten().filter(|entry| entry["level"] == "SEVERE");
            errors.extend(severe.map(|entry| text(&entry["message"])));
        }
        errors
    }

    /// Ends the test where anything went wrong in the page.
    #[track_caller]
    pub fn expect_no_errors(&self) {
        let errors = self.errors();
        assert!(errors.is_empty(), "the page went wrong: {errors:#?}");
    }

    // ───── Below the page: Chromium only ─────

    /// A command of the browser's own tools.
    #[track_caller]
    pub fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Ends the process of the current tab, as a crash does. The tab is dead then: switch to another.
    pub fn crash(&self) {
        // The driver reports the crash as a failure of the command.
        let _ = self.try_post("goog/cdp/execute", &json!({ "cmd": "Page.crash", "params": {} }));
    }

    // ───── The wire ─────

    fn try_command(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Failure> {
        wire::command(self.driver.address(), method, &format!("/session/{}/{path}", self.id), body)
    }

    fn try_post(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        self.try_command("POST", path, Some(body))
    }

    fn try_get(&self, path: &str) -> Result<Value, Failure> {
        self.try_command("GET", path, None)
    }

    #[track_caller]
    fn must(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        match self.try_command(method, path, body) {
            Ok(value) => value,
            Err(failure) => panic!("{method} {path}: {}: {}", failure.error, failure.message),
        }
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Value {
        self.must("POST", path, Some(body))
    }

    #[track_caller]
    fn get(&self, path: &str) -> Value {
        self.must("GET", path, None)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = wire::command(self.driver.address(), "DELETE", &format!("/session/{}", self.id), None);
    }
}

impl Element {
    fn id(&self) -> String {
        text(&self.0[ELEMENT])
    }

    /// To be given to [`Session::run`].
    pub fn value(&self) -> Value {
        self.0.clone()
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn point(value: &Value) -> Point {
    let at = |index: usize| value[index].as_f64().unwrap_or_else(|| panic!("no point: {value}"));
    Point { x: at(0), y: at(1) }
}

/// `find(selector)`: all elements, each ` >> ` going into shadow roots.
const FIND: &str = "function find(selector) {\
  let roots = [document], found = [];\
  for (const part of selector.split(' >> ')) {\
    found = roots.flatMap((root) => [...root.querySelectorAll(part)]);\
    roots = found.map((element) => element.shadowRoot).filter(Boolean);\
  }\
  return found;\
}";

/// The text nodes of an element (and of its shadow root) in order, the text looked for in them, and where its ends are
/// on the screen: a little inside its first and last character, so that the ends are unmistakable.
const PLACE: &str = "
const [element, what, occurrence] = arguments;
const nodes = [];
const walker = document.createTreeWalker(element.shadowRoot ?? element, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const parent = walker.currentNode.parentElement;
  if (parent === null || !/^(STYLE|SCRIPT|TEMPLATE)$/.test(parent.tagName)) nodes.push(walker.currentNode);
}
const whole = nodes.map((node) => node.data).join('');
const places = [];
for (let at = whole.indexOf(what); at >= 0; at = whole.indexOf(what, at + 1)) places.push(at);
const start = places.at(occurrence);
if (start === undefined) return null;
const character = (offset) => {
  let before = 0;
  for (const node of nodes) {
    if (offset < before + node.length) {
      const range = document.createRange();
      range.setStart(node, offset - before);
      range.setEnd(node, Math.min(node.length, offset - before + 1));
      return [node, range];
    }
    before += node.length;
  }
};
const [node] = character(start);
node.parentElement?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
const first = character(start)[1].getBoundingClientRect();
const last = character(start + what.length - 1)[1].getBoundingClientRect();
return [[first.left + 0.5, first.top + first.height / 2], [last.right - 0.5, last.top + last.height / 2]];
";

/// Decodes what the driver sends of a picture.
fn base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut held) = (0_u32, 0);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}
