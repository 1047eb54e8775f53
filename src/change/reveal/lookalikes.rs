//! Letters of different scripts that look the same.
//!
//! Only what can hardly be told apart in common fonts is here; letters that merely resemble each other are not, for plain
//! prose must raise no alarm.

use std::sync::OnceLock;

/// A script whose letters are mistaken for another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Cherokee,
    /// Letters made for mathematics, phonetics, or the width of ideographs.
    Styled,
}

impl Script {
    pub(super) fn name(self) -> &'static str {
        match self {
            Script::Latin => "Latin",
            Script::Greek => "Greek",
            Script::Cyrillic => "Cyrillic",
            Script::Armenian => "Armenian",
            Script::Cherokee => "Cherokee",
            Script::Styled => "styled",
        }
    }
}

/// The script of a letter, of those that are looked at.
pub(super) fn script(c: char) -> Option<Script> {
    Some(match c {
        'A'..='Z' | 'a'..='z' => Script::Latin,
        // Read like the Latin letters that they look like.
        'ɑ' | 'ɡ' | '\u{2160}'..='\u{217f}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => Script::Styled,
        '\u{1d400}'..='\u{1d6a3}' => Script::Styled,
        'À'..='Ö' | 'Ø'..='ö' | 'ø'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Script::Latin,
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Script::Greek,
        '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' | '\u{a640}'..='\u{a69f}' => Script::Cyrillic,
        '\u{531}'..='\u{58f}' => Script::Armenian,
        '\u{13a0}'..='\u{13ff}' | '\u{ab70}'..='\u{abbf}' => Script::Cherokee,
        _ => return None,
    })
}

/// Pairs of a letter and the Latin letter that it looks like.
const LETTERS: &str = "\
    аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwѵvӏlкkҮYАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSԚQԜWѴVӀI\
    οoνvαaρpιiκkυuγyχxϲcϳjΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX\
    օoոnսuհhցgյjզqԼLՍUՕOՏS\
    ᎪAᏴBᏟCᎠDᎬEᏀGᎻHᎫJᏦKᏞLᎷMᏢPᏚSᏙVᏔWᏃZᎡRᎢT\
    ɑaɡgıiⅰiⅼlⅽcⅾdⅿmⅴvⅹxⅠIⅤVⅩXⅬLⅭCⅮDⅯM";

/// Pairs of a mark and the one of ASCII that it looks like.
const MARKS: &str = "\u{2010}-\u{2011}-\u{2024}.\u{2044}/\u{2215}/\u{29f8}/\u{2236}:\u{a789}:\u{2d0}:\u{37e};\u{1c3}!\u{201a},\u{2223}|\u{1c0}|\u{ff0e}.\u{ff0f}/";

/// What `c` looks like, if it looks like a character of ASCII.
pub(super) fn looks_like(c: char) -> Option<char> {
    if c.is_ascii() {
        return None;
    }
    let code = c as u32;
    let letter = |n: u32| char::from_u32(if n < 26 { 0x41 + n } else { 0x61 + n - 26 });
    match code {
        0x1d400..=0x1d6a3 => return letter((code - 0x1d400) % 52),
        0xff21..=0xff3a => return letter(code - 0xff21),
        0xff41..=0xff5a => return letter(code - 0xff41 + 26),
        _ => {}
    }
    let table = table();
    table.get(table.binary_search_by_key(&c, |pair| pair.0).ok()?).map(|pair| pair.1)
}

/// All pairs, ascending.
fn table() -> &'static [(char, char)] {
    static TABLE: OnceLock<Vec<(char, char)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table: Vec<_> = [LETTERS, MARKS].into_iter().flat_map(pairs).collect();
        table.sort_unstable();
        table
    })
}

fn pairs(table: &str) -> impl Iterator<Item = (char, char)> {
    let mut chars = table.chars();
    std::iter::from_fn(move || chars.next().zip(chars.next()))
}

/// Whether a letter of `script` looks like the Latin letter `c`.
pub(super) fn is_mistaken(c: char, script: Script) -> bool {
    pairs(LETTERS).any(|(it, like)| like == c && self::script(it) == Some(script))
}

/// The letters of `word` that are not of its own script and look like letters that are. The word's own script is the one of
/// most letters, Latin where that is undecided.
pub(super) fn strangers(word: &str) -> Vec<(char, Script)> {
    if word.is_ascii() {
        return Vec::new();
    }
    let mut counts = [0_usize; 6];
    for script in word.chars().filter_map(script) {
        counts[script as usize] += 1;
    }
    let all = [Script::Latin, Script::Greek, Script::Cyrillic, Script::Armenian, Script::Cherokee, Script::Styled];
    // Of equals the last wins.
    let Some(own) = all.into_iter().rev().max_by_key(|script| counts[*script as usize]) else { return Vec::new() };
    let mut strangers: Vec<(char, Script)> = Vec::new();
    for c in word.chars() {
        let Some(script) = script(c) else { continue };
        let mistaken = script != own
            && match (script, own) {
                (Script::Latin, own) => is_mistaken(c, own),
                _ => looks_like(c).is_some_and(|like| own == Script::Latin || is_mistaken(like, own)),
            };
        if mistaken && !strangers.iter().any(|(seen, _)| *seen == c) {
            strangers.push((c, script));
        }
    }
    strangers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_pairs_of_other_and_latin() {
        for table in [LETTERS, MARKS] {
            let chars: Vec<char> = table.chars().collect();
            assert_eq!(chars.len() % 2, 0);
            for pair in chars.chunks(2) {
                assert!(!pair[0].is_ascii(), "{pair:?}");
            }
        }
    }

    #[test]
    fn the_minority_is_the_stranger() {
        assert_eq!(strangers("pаypal"), [('а', Script::Cyrillic)]);
        assert_eq!(strangers("Mосквa"), [('M', Script::Latin), ('a', Script::Latin)]);
        assert_eq!(strangers("𝗉aypal"), [('𝗉', Script::Styled)]);
        for plain in ["Москва", "αβγ", "μm", "Straße", "ΔT", "ＡＢＣ", "naïve", "Łódź", "5мм", "Öl"]
        {
            assert_eq!(strangers(plain), [], "{plain}");
        }
    }
}
