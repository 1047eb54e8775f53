//! Tables that would grow far beyond their text.
//!
//! A row that is shorter than the header is filled with empty cells, so that a few kilobytes can say millions of them. Such
//! a table is found before the parser builds it; it is shown as its source. What a document's tables fill in stays within a
//! constant times its length.

use std::ops::Range;

/// A table that fills in more cells than this is shown as its source.
pub const MAX_PADDING: usize = 100_000;

/// Where the delimiter rows of such tables begin: hiding the byte there from the parser leaves a paragraph. Linear.
pub(super) fn wide_tables(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut room = MAX_PADDING + text.len();
    let mut header: Option<&str> = None;
    let mut at = 0;
    while at < text.len() {
        let line = line(text, at);
        let next = line.end;
        let row = &text[line];
        let table = header.zip(delimiters(row)).filter(|(header, row)| cells(header) == row.columns);
        header = Some(row);
        let Some((_, delimiter)) = table else {
            at = next;
            continue;
        };
        let rows = rows(text, next, &delimiter);
        if rows.padding > MAX_PADDING.min(room) {
            found.push(at + delimiter.first);
            // Its rows are a paragraph's lines now: none of them may begin a table either.
            let mut inside = next;
            while inside < rows.end {
                let line = self::line(text, inside);
                found.extend(delimiters(&text[line.clone()]).map(|other| line.start + other.first));
                inside = line.end;
            }
        } else {
            room -= rows.padding;
        }
        header = None;
        at = rows.end;
    }
    found
}

/// A line with its line break.
fn line(text: &str, at: usize) -> Range<usize> {
    at..super::syntax::next_line(text, at)
}

struct Delimiters {
    columns: usize,
    /// The first dash.
    first: usize,
    /// How many quotes the line is in.
    quotes: usize,
}

/// Reads a line as a delimiter row of at least two columns.
fn delimiters(row: &str) -> Option<Delimiters> {
    let (start, quotes) = prefix(row, usize::MAX);
    let row = &row.as_bytes()[start..];
    if !matches!(row.first(), Some(b'|' | b':' | b'-')) {
        return None;
    }
    let (mut columns, mut first, mut dashes) = (0, None, false);
    for (at, byte) in row.iter().enumerate() {
        match byte {
            b'-' => {
                first = first.or(Some(start + at));
                columns += usize::from(!dashes);
                dashes = true;
            }
            b'|' => dashes = false,
            b':' | b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => return None,
        }
    }
    let first = first.filter(|_| columns > 1)?;
    Some(Delimiters { columns, first, quotes })
}

/// The length of blanks and at most `most` quote marks before a line's content, and how many marks they are.
fn prefix(row: &str, most: usize) -> (usize, usize) {
    let mut quotes = 0;
    let length = row
        .bytes()
        .take_while(|byte| match byte {
            b'>' if quotes < most => {
                quotes += 1;
                true
            }
            b' ' | b'\t' => true,
            _ => false,
        })
        .count();
    (length, quotes)
}

/// How many cells a row has.
fn cells(row: &str) -> usize {
    let row = row[prefix(row, usize::MAX).0..].trim_end();
    let mut escaped = false;
    let mut pipes = 0;
    let mut last = false;
    for byte in row.bytes() {
        last = byte == b'|' && !escaped;
        pipes += usize::from(last);
        escaped = byte == b'\\' && !escaped;
    }
    // A list marker before the first cell is no cell; what it does to the count is what a cell's text does.
    (pipes + 1).saturating_sub(usize::from(row.starts_with('|'))).saturating_sub(usize::from(last))
}

struct Rows {
    padding: usize,
    end: usize,
}

/// The rows below a delimiter row, up to a blank line or another block.
fn rows(text: &str, mut at: usize, delimiter: &Delimiters) -> Rows {
    let mut padding = 0;
    while at < text.len() {
        let line = line(text, at);
        let row = &text[line.clone()];
        let (start, quotes) = prefix(row, delimiter.quotes);
        let content = &row[start..];
        if content.is_empty() || content.starts_with(['\r', '\n']) || quotes < delimiter.quotes || interrupts(content) {
            break;
        }
        padding += delimiter.columns.saturating_sub(cells(content));
        at = line.end;
    }
    Rows { padding, end: at }
}

/// Whether a line begins another block than a table's row.
fn interrupts(content: &str) -> bool {
    let bytes = content.as_bytes();
    let gap = |at: usize| matches!(bytes.get(at), None | Some(b' ' | b'\t' | b'\r' | b'\n'));
    match bytes.first() {
        Some(b'>') => true,
        Some(b'-' | b'+' | b'*') => gap(1),
        Some(b'#') => gap(bytes.iter().take(7).take_while(|&&byte| byte == b'#').count()),
        Some(b'`') => content.starts_with("```"),
        Some(b'~') => content.starts_with("~~~"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: usize, rows: usize, prefix: &str) -> String {
        let head = format!("{prefix}{}|\n{prefix}{}|\n", "|a".repeat(columns), "|-".repeat(columns));
        head + &format!("{prefix}|b|\n").repeat(rows)
    }

    #[test]
    fn only_tables_that_fill_in_too_much_are_found() {
        assert!(wide_tables(&table(1_000, 90, "")).is_empty());
        assert_eq!(wide_tables(&table(1_000, 110, "")), [2_003]);
        assert_eq!(wide_tables(&table(1_000, 110, "> ")).len(), 1);
        assert!(
            wide_tables(&(table(1_000, 60, "") + "\n" + &"|b|\n".repeat(60))).is_empty(),
            "a blank line ends a table"
        );
        assert!(wide_tables(&(table(1_000, 60, "") + &"- b\n".repeat(60))).is_empty(), "so does a list");
        let written = format!("|a|b|\n|-|-|\n{}", "|c|d|\n".repeat(200_000));
        assert!(wide_tables(&written).is_empty(), "a long table is no wide one");
    }

    #[test]
    fn all_tables_of_a_document_share_one_room() {
        let text = (table(1_000, 95, "") + "\n").repeat(20);
        let kept = 20 - wide_tables(&text).len();
        assert!((1..=2).contains(&kept), "{kept} tables are kept");
    }

    #[test]
    fn no_row_of_a_wide_table_begins_another() {
        let text = table(1_000, 200, "") + &table(1_000, 200, "");
        assert_eq!(wide_tables(&text).len(), 2);
    }
}
