//! Times: RFC 3339 in UTC, as strings. The core has no clock; it only tells which of two times is later.
//!
//! ```
//! use countersign::history::time::{is_time, later};
//!
//! assert!(is_time("2026-11-08T10:44:00Z"));
//! // Compared as instants, not as letters: `.` sorts before `Z`.
//! assert_eq!(later("2026-11-08T10:44:00.5Z", "2026-11-08T10:44:00Z"), "2026-11-08T10:44:00.5Z");
//! ```

use std::cmp::Ordering;

/// Whether `time` is an RFC 3339 time in UTC (`Z` or a zero offset).
pub fn is_time(time: &str) -> bool {
    parts(time).is_some()
}

/// The later of two times; of two equal ones the second. What is no time is earlier than any.
pub fn later<'a>(time: &'a str, last: &'a str) -> &'a str {
    if compare(time, last) == Ordering::Greater { time } else { last }
}

/// Compares two times as instants. What is no time is earlier than any.
pub fn compare(a: &str, b: &str) -> Ordering {
    parts(a).cmp(&parts(b))
}

/// Date and time to the second, and the digits of the fraction without trailing zeros: both compare as strings.
fn parts(time: &str) -> Option<(&str, &str)> {
    let whole = time.get(..19)?;
    let shape = whole.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        10 => byte == b'T',
        13 | 16 => byte == b':',
        _ => byte.is_ascii_digit(),
    });
    let number = |from: usize, to: usize| whole.get(from..to).and_then(|digits| digits.parse::<u32>().ok());
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    // A leap second is written :60.
    if !shape || !(1..=days).contains(&day) || number(11, 13)? > 23 || number(14, 16)? > 59 || number(17, 19)? > 60 {
        return None;
    }
    let rest = time.get(19..)?;
    let rest = rest.strip_suffix('Z').or_else(|| rest.strip_suffix("+00:00"))?;
    let fraction = match rest.strip_prefix('.') {
        Some(digits) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => digits,
        None if rest.is_empty() => "",
        _ => return None,
    };
    Some((whole, fraction.trim_end_matches('0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_utc_alone() {
        for good in ["2026-11-08T10:44:00Z", "2024-02-29T23:59:60.000Z", "2026-11-08T10:44:00.123456+00:00"] {
            assert!(is_time(good), "{good}");
        }
        for bad in [
            "",
            "2026-11-08",
            "2026-11-08 10:44:00Z",
            "2026-11-08T10:44:00",
            "2026-11-08T10:44:00+01:00",
            "2026-02-29T10:44:00Z",
            "2026-13-01T10:44:00Z",
            "2026-11-08T24:00:00Z",
            "2026-11-08T10:44:00.Z",
            "2026-11-08T10:44:0\u{e9}Z",
            "+026-11-08T10:44:00Z",
        ] {
            assert!(!is_time(bad), "{bad}");
        }
    }

    #[test]
    fn compares_instants() {
        assert_eq!(compare("2026-11-08T10:44:00.000Z", "2026-11-08T10:44:00Z"), Ordering::Equal);
        assert_eq!(compare("2026-11-08T10:44:00.1Z", "2026-11-08T10:44:00.09Z"), Ordering::Greater);
        assert_eq!(compare("never", "0001-01-01T00:00:00Z"), Ordering::Less);
        assert_eq!(later("2026-11-08T10:43:00Z", "2026-11-08T10:44:00Z"), "2026-11-08T10:44:00Z");
    }
}
