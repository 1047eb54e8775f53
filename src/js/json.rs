//! The form in which values cross the border: JSON, written and read here.
//!
//! One string each way is the fewest crossings there can be, and the engine's own parser makes plain objects of it. Measured on
//! the module that held outline, blocks, edits, comparisons and merges: 92.9 KB of brotli with serde-wasm-bindgen, 80.4
//! with this, and the glue 2.6 instead of 4.3 (before wasm-opt). Only what `JSON.stringify` writes of checked values is
//! read: no numbers but whole ones from 0, and nesting as deep as the shapes go.

/// Containers within containers that the shapes of `core.d.ts` stay far below.
const DEEPEST: usize = 16;

/// Writes JSON; commas come by themselves.
pub(super) struct Json(String);

impl Json {
    pub(super) fn new() -> Self {
        Self(String::new())
    }

    /// The text written.
    pub(super) fn end(self) -> String {
        self.0
    }

    fn separate(&mut self) {
        if !matches!(self.0.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.0.push(',');
        }
    }

    /// Goes on with the value of the field `name`, which needs no escapes.
    pub(super) fn field(&mut self, name: &str) -> &mut Self {
        self.separate();
        self.0.push('"');
        self.0.push_str(name);
        self.0.push_str("\":");
        self
    }

    pub(super) fn object(&mut self, fields: impl FnOnce(&mut Self)) {
        self.separate();
        self.0.push('{');
        fields(self);
        self.0.push('}');
    }

    pub(super) fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Self, T)) {
        self.separate();
        self.0.push('[');
        for item in items {
            each(self, item);
        }
        self.0.push(']');
    }

    pub(super) fn number(&mut self, number: usize) {
        self.separate();
        let mut digits = [0; 20];
        let mut at = digits.len();
        let mut rest = number;
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.0.extend(digits[at..].iter().map(|&digit| char::from(digit)));
    }

    pub(super) fn flag(&mut self, flag: bool) {
        self.separate();
        self.0.push_str(if flag { "true" } else { "false" });
    }

    pub(super) fn null(&mut self) {
        self.separate();
        self.0.push_str("null");
    }

    pub(super) fn text(&mut self, text: &str) {
        self.separate();
        self.0.push('"');
        let mut copied = 0;
        for (at, byte) in text.bytes().enumerate() {
            let escape = match byte {
                b'"' => "\\\"",
                b'\\' => "\\\\",
                b'\n' => "\\n",
                b'\r' => "\\r",
                b'\t' => "\\t",
                0..0x20 => {
                    const HEX: &[u8; 16] = b"0123456789abcdef";
                    self.0.push_str(&text[copied..at]);
                    self.0.push_str("\\u00");
                    self.0.push(char::from(HEX[usize::from(byte >> 4)]));
                    self.0.push(char::from(HEX[usize::from(byte & 15)]));
                    copied = at + 1;
                    continue;
                }
                _ => continue,
            };
            self.0.push_str(&text[copied..at]);
            self.0.push_str(escape);
            copied = at + 1;
        }
        self.0.push_str(&text[copied..]);
        self.0.push('"');
    }

    /// A field that may be absent.
    pub(super) fn text_if(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.field(name).text(text);
        }
    }

    /// A field that may be absent.
    pub(super) fn number_if(&mut self, name: &str, number: Option<usize>) {
        if let Some(number) = number {
            self.field(name).number(number);
        }
    }
}

/// A value read.
#[derive(Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Flag(bool),
    Number(u32),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    /// The value of a text that `JSON.stringify` wrote; none where it is not of the kind that is read here.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        (reader.at == text.len()).then_some(value)
    }

    /// Takes a field out; absent and `null` are the same.
    pub(super) fn take(&mut self, name: &str) -> Option<Self> {
        let Self::Object(fields) = self else { return None };
        let found = fields.iter_mut().find(|(field, _)| field == name)?;
        let value = std::mem::replace(&mut found.1, Self::Null);
        (value != Self::Null).then_some(value)
    }

    pub(super) fn text(self) -> Option<String> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn number(self) -> Option<u32> {
        if let Self::Number(number) = self { Some(number) } else { None }
    }

    pub(super) fn flag(self) -> Option<bool> {
        if let Self::Flag(flag) = self { Some(flag) } else { None }
    }

    /// The items, if each can be read.
    pub(super) fn list<T>(self, mut each: impl FnMut(Self) -> Option<T>) -> Option<Vec<T>> {
        let Self::List(items) = self else { return None };
        // A loop: `collect` is more code for each kind of item.
        let mut list = Vec::with_capacity(items.len());
        for item in items {
            list.push(each(item)?);
        }
        Some(list)
    }

    /// A field that must be there.
    pub(super) fn text_of(&mut self, name: &str) -> Option<String> {
        self.take(name)?.text()
    }

    /// A field that must be there.
    pub(super) fn number_of(&mut self, name: &str) -> Option<u32> {
        self.take(name)?.number()
    }

    /// A field that must be there, as a size or a position.
    pub(super) fn size_of(&mut self, name: &str) -> Option<usize> {
        self.number_of(name).map(|number| number as usize)
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        let byte = *self.text.as_bytes().get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn word(&mut self, word: &str, value: Value) -> Option<Value> {
        let found = self.text.as_bytes().get(self.at..)?.starts_with(word.as_bytes());
        self.at += word.len();
        found.then_some(value)
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        match self.peek()? {
            b'"' => self.string().map(Value::Text),
            b'[' => {
                let mut items = Vec::new();
                self.items(b']', |reader| {
                    items.push(reader.value(depth + 1)?);
                    Some(())
                })?;
                Some(Value::List(items))
            }
            b'{' => {
                let mut fields = Vec::new();
                self.items(b'}', |reader| {
                    let name = reader.string()?;
                    if reader.next()? != b':' {
                        return None;
                    }
                    fields.push((name, reader.value(depth + 1)?));
                    Some(())
                })?;
                Some(Value::Object(fields))
            }
            b'n' => self.word("null", Value::Null),
            b't' => self.word("true", Value::Flag(true)),
            b'f' => self.word("false", Value::Flag(false)),
            _ => {
                let start = self.at;
                while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                    self.at += 1;
                }
                self.text[start..self.at].parse().ok().map(Value::Number)
            }
        }
    }

    fn items(&mut self, close: u8, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        if self.peek()? == close {
            self.at += 1;
            return Some(());
        }
        loop {
            item(self)?;
            match self.next()? {
                b',' => {}
                byte if byte == close => return Some(()),
                _ => return None,
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        if self.next()? != b'"' {
            return None;
        }
        let mut string = String::new();
        loop {
            let start = self.at;
            while !matches!(self.peek()?, b'"' | b'\\') {
                self.at += 1;
            }
            string.push_str(&self.text[start..self.at]);
            if self.next()? == b'"' {
                return Some(string);
            }
            string.push(match self.next()? {
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                // Only controls are written so: other characters come as they are, and lone surrogates not at all.
                b'u' => {
                    let digits = self.text.get(self.at..self.at + 4)?;
                    self.at += 4;
                    char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
                }
                byte @ (b'"' | b'\\' | b'/') => char::from(byte),
                _ => return None,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Json)) -> String {
        let mut json = Json::new();
        write(&mut json);
        json.end()
    }

    #[test]
    fn writes_what_every_reader_reads() {
        let text = "\0\u{1f}\u{7f}\u{2028} \"quoted\" \\ \r\n\t 😀 é";
        let json = written(|json| {
            json.object(|json| {
                json.field("ok").flag(true);
                json.field("text").text(text);
                json.field("none").null();
                json.field("numbers").list([0, 7, 4_294_967_295], |json, number| json.number(number));
                json.field("empty").object(|_| {});
                json.field("nested").list([1, 2], |json, _| json.list([3], |json, inner| json.number(inner)));
                json.text_if("absent", None);
            });
        });
        let known: serde_json::Value = serde_json::from_str(&json).unwrap();
        let right = serde_json::json!({
            "ok": true, "text": text, "none": null, "numbers": [0, 7, 4_294_967_295u32], "empty": {}, "nested": [[3], [3]],
        });
        assert_eq!(known, right);
    }

    #[test]
    fn reads_what_every_writer_writes() {
        let text = "\0\u{8}\u{c}\u{1f}\u{7f}\u{2028} \"quoted\" \\/ \r\n\t 😀 é";
        let json =
            serde_json::json!({ "a": text, "b": [1, 0, true, false, null, [], {}], "c": { "d": "" } }).to_string();
        let mut value = Value::read(&json).unwrap();
        assert_eq!(value.text_of("a").unwrap(), text);
        let items = value.take("b").unwrap().list(Some).unwrap();
        assert_eq!(items[..4], [Value::Number(1), Value::Number(0), Value::Flag(true), Value::Flag(false)]);
        assert_eq!(items[4..], [Value::Null, Value::List(vec![]), Value::Object(vec![])]);
        assert_eq!(value.take("c").unwrap().text_of("d").unwrap(), "");
        assert_eq!(value.take("c"), None);
    }

    #[test]
    fn reads_nothing_else() {
        for broken in [
            "",
            "[1",
            "[1,]",
            "{\"a\"}",
            "{\"a\":1,}",
            "-1",
            "1.5",
            "1e3",
            "4294967296",
            "nul",
            "\"\\ud800\"",
            "\"\\x\"",
            "1 ",
        ] {
            assert_eq!(Value::read(broken), None, "{broken}");
        }
        assert_eq!(Value::read(&"[".repeat(100_000)), None);
    }
}
