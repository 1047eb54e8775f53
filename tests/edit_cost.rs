//! What edits cost (§4.5), counted: bytes allocated, which bounds the bytes copied. No clock.
#![allow(unsafe_code, reason = "a counting allocator cannot be written without")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use countersign::change::edits::{Edit, apply_edits};
use countersign::change::occurrences::Occurrences;
use countersign::document::blocks::blocks;

thread_local! {
    static ALLOCATED: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is the system allocator's; counting touches a thread-local number only.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.set(ALLOCATED.get() + layout.size());
        unsafe { System.alloc(layout) }
    }
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // A move copies all of it.
        ALLOCATED.set(ALLOCATED.get() + size);
        unsafe { System.realloc(old, layout, size) }
    }
    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocated<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = ALLOCATED.get();
    let result = work();
    (ALLOCATED.get() - before, result)
}

/// About 1 MB of numbered paragraphs of some 5 KB.
fn document(ending: &str) -> String {
    let mut text = String::new();
    for paragraph in 0..200 {
        for line in 0..72 {
            text.push_str(&format!(
                "Line {line} of paragraph {paragraph} says something of its own, at some length, and ends."
            ));
            text.push_str(ending);
        }
        text.push_str(ending);
    }
    text
}

#[test]
fn two_hundred_edits_on_a_megabyte_copy_less_than_four_times_the_document() {
    for ending in ["\n", "\r\n"] {
        let text = document(ending);
        assert!(text.len() > 1_000_000);
        // Each quotes a whole paragraph of 5 KB: all anchors together are as long as the document.
        let quoted = |paragraph: usize| -> String {
            (0..72)
                .map(|line| {
                    format!(
                        "Line {line} of paragraph {paragraph} says something of its own, at some length, and ends.\n"
                    )
                })
                .collect()
        };
        for long in [false, true] {
            let edits: Vec<Edit> = (0..200)
                .map(|paragraph| Edit {
                    find: if long { quoted(paragraph) } else { format!("Line 7 of paragraph {paragraph} says") },
                    replace: format!("Replaced\nin {paragraph}"),
                    block: None,
                })
                .collect();
            let (all, applied) = allocated(|| apply_edits(&text, &edits).unwrap());
            let (reading, _) = allocated(|| blocks(&text));
            assert_eq!(applied.applied.len(), 200);
            let own = all - reading;
            println!(
                "{ending:?}, long anchors: {long}: {:.2} times the document (reading its blocks: {:.2})",
                own as f64 / text.len() as f64,
                reading as f64 / text.len() as f64
            );
            assert!(all < text.len() * 4, "{all} bytes, with what reading the blocks takes");
        }
    }
}

#[test]
fn an_anchor_with_twenty_thousand_occurrences_makes_no_list_of_them() {
    let of = |count: usize| {
        let text = "the same\n".repeat(count);
        let edit = Edit { find: "the same".into(), replace: "another".into(), block: None };
        let (all, refused) = allocated(|| apply_edits(&text, &[edit]).unwrap_err());
        assert_eq!(refused.refusals[0].count, Some(count));
        assert_eq!(refused.refusals[0].places.len(), 5);
        let (reading, _) = allocated(|| blocks(&text));
        all - reading
    };
    let (few, many) = (of(200), of(20_000));
    println!("{few} bytes for 200 occurrences, {many} for 20,000");
    // The line numbers of 180 KB take a mark for every kilobyte; nothing else may grow.
    assert!(many - few < 4 * 20_000 / 10, "{few} and {many}");
    let text = "aa".repeat(20_000);
    let (bytes, count) = allocated(|| Occurrences::of("aa", &text).count());
    assert!(count == 39_999 && bytes < 100, "{bytes}");
}

#[test]
fn a_near_miss_costs_about_the_same_in_a_large_document() {
    let edit =
        Edit { find: "Line 9 of paragraph 77 says anything of its own".into(), replace: "x".into(), block: None };
    let of = |text: &str| {
        let (all, refused) = allocated(|| apply_edits(text, std::slice::from_ref(&edit)).unwrap_err());
        assert!(refused.refusals[0].nearest.is_some());
        let (reading, _) = allocated(|| blocks(text));
        all.saturating_sub(reading)
    };
    let large = document("\n");
    let start = large.find("Line 0 of paragraph 77").unwrap();
    let small = &large[start..start + 10_000];
    let (small, large) = (of(small), of(&large));
    println!("a near miss allocates {small} bytes in 10 KB, {large} in 1 MB");
    assert!(large < small * 2 + 20_000, "{small} and {large}");
}
