//! Documents out of nothing but a number: the specifications' examples and seeds of our own, joined and mutated, the same on
//! every machine and run.
//!
//! A law that fails prints the document and its number; `Generator::new(number)` makes it again.

use std::sync::OnceLock;

use super::Random;

/// Our own seeds, three times over so that they come as often as the many examples, and the examples.
fn seeds() -> &'static [String] {
    static SEEDS: OnceLock<Vec<String>> = OnceLock::new();
    SEEDS.get_or_init(|| {
        let own = include_str!("../fixtures/seeds.txt");
        let mut seeds: Vec<String> = [own; 3].iter().flat_map(|own| own.split("\n%%%\n")).map(str::to_owned).collect();
        for file in [include_str!("../fixtures/commonmark-0.31.2.txt"), include_str!("../fixtures/gfm-0.29.txt")] {
            // A fence of 32 backticks opens and closes each; a line with a period ends the Markdown.
            for example in file.split(&"`".repeat(32)).skip(1).step_by(2) {
                let example = example.split_once('\n').map_or("", |(_, example)| example);
                let markdown = example.split("\n.\n").next().unwrap_or_default();
                seeds.push(markdown.replace('→', "\t"));
            }
        }
        seeds
    })
}

pub(crate) struct Generator {
    random: Random,
    seeds: &'static [String],
}

/// What is thrown into a text: every mark of Markdown, every kind of line break and blank, what is invisible, what is wide.
const PIECES: &[&str] = &[
    "\r",
    "\n",
    "\r\n",
    "\n\n",
    "\t",
    " ",
    "  ",
    "    ",
    "\0",
    "\u{feff}",
    "\u{c}",
    "\u{b}",
    "\u{a0}",
    "\u{85}",
    "\u{2028}",
    "\u{200b}",
    "\u{200d}",
    "\u{202e}",
    "\u{fe0f}",
    "\u{e0041}",
    "\u{301}",
    "😀",
    "👩‍👩‍👧",
    "🇪",
    "ש",
    "ی",
    "क",
    "日",
    "ß",
    "é",
    "*",
    "**",
    "***",
    "_",
    "__",
    "~",
    "~~",
    "`",
    "``",
    "```",
    "~~~",
    "[",
    "]",
    "![",
    "](",
    "(",
    ")",
    "<",
    ">",
    "\\",
    "|",
    "&",
    "&amp;",
    "&#0;",
    "&#x1F600;",
    "&nbsp;",
    ";",
    "#",
    "# ",
    "=",
    "===",
    "-",
    "---",
    "...",
    "- ",
    "+ ",
    "* ",
    "1. ",
    "2) ",
    "> ",
    ">",
    "!",
    ":",
    ": ",
    "\"",
    "'",
    "^",
    "[^1]",
    "[^1]: ",
    "[x]",
    "[x]: /u",
    "[x]: /u\n",
    "[ ] ",
    "[x] ",
    "<!--",
    "-->",
    "<pre>",
    "</pre>",
    "<div>",
    "</div>",
    "<br>",
    "<b>",
    "<?",
    "?>",
    "<![CDATA[",
    "]]>",
    "<a href=\"x\">",
    "[!NOTE]",
    "> [!TIP]\n",
    "|---|---|\n",
    "| a | b |\n",
    "www.a.b",
    "http://x.y",
    "a@b.c",
    "$&",
    "{#id}",
    "$x$",
    "[[w]]",
    "+++\n",
    "a",
    "b",
    "word",
];

/// What a line is put behind: containers and indents.
const PREFIXES: &[&str] = &[
    " ", "  ", "   ", "    ", "     ", "\t", " \t", "> ", ">", "- ", "* ", "+ ", "-   ", "-\t", "1. ", "12) ",
    "[^1]: ", "# ", "[x]: ", "|", "<",
];

const JOINTS: &[&str] =
    &["", "\n", "\n", "\n\n", "\n\n", "\n\n\n", "\n \n", "\n\t\n", "\r\n", "\r", " ", "\n- ", "\n> "];

impl Generator {
    pub(crate) fn new(number: u64) -> Self {
        Self { random: Random::new(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)), seeds: seeds() }
    }

    /// A number below `end` (0 where there is none).
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.random.below(end.max(1))
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        *self.random.pick(from)
    }

    /// A place in `text` between two characters.
    pub(crate) fn place(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// A Markdown document, mostly of a few hundred bytes, more or less broken.
    pub(crate) fn document(&mut self) -> String {
        let mut text = String::new();
        for index in 0..=self.below(4) {
            if index > 0 {
                text.push_str(self.pick(JOINTS));
            }
            let seed = self.below(self.seeds.len());
            text.push_str(&self.seeds[seed]);
        }
        for _ in 0..self.below(6) {
            text = self.mutated(text);
        }
        match self.below(8) {
            0 => text = text.replace('\n', "\r\n"),
            1 => text = text.replace('\n', "\r"),
            2 => text.insert(0, '\u{feff}'),
            3 => text.push('\n'),
            _ => {}
        }
        text
    }

    fn mutated(&mut self, mut text: String) -> String {
        match self.below(8) {
            0..=2 => {
                let at = self.place(&text);
                text.insert_str(at, self.pick(PIECES));
                text
            }
            3 => {
                let (a, b) = (self.place(&text), self.place(&text));
                let end = a.max(b).min(a.min(b) + 12);
                let end = (end..=text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
                text.replace_range(a.min(b)..end, "");
                text
            }
            4 => {
                // Put some lines behind the same prefix, or further in.
                let prefix = self.pick(PREFIXES);
                let (from, count) = (self.below(text.lines().count()), 1 + self.below(6));
                let put = |(number, line): (usize, &str)| {
                    let inside = number >= from && number < from + count;
                    if inside { format!("{prefix}{line}") } else { line.to_owned() }
                };
                text.split('\n').enumerate().map(put).collect::<Vec<_>>().join("\n")
            }
            5 => {
                let mut lines: Vec<&str> = text.split('\n').collect();
                let (a, b) = (self.below(lines.len()), self.below(lines.len()));
                match self.below(3) {
                    0 => lines.swap(a, b),
                    1 => lines.insert(a, lines[b]),
                    _ => {
                        lines.remove(a);
                    }
                }
                lines.join("\n")
            }
            6 => {
                // Take blank lines out: what stands below something directly reads otherwise.
                let at = self.place(&text);
                let (head, tail) = text.split_at(at);
                format!("{head}{}", tail.replacen("\n\n", "\n", 1 + self.below(3)))
            }
            _ => {
                let at = self.place(&text);
                let piece = self.pick(PIECES).repeat(1 + self.below(12));
                text.insert_str(at, &piece);
                text
            }
        }
    }
}
