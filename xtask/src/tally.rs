//! Runs test programs and counts what they ran, so that one closing line is true of all of them.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::say::{Done, Stop, step, took};

/// What ran so far.
#[derive(Default)]
pub(crate) struct Tally {
    passed: u64,
    failed: u64,
    skipped: u64,
    failures: Vec<String>,
}

impl Tally {
    /// Runs a test program, shows what it prints and counts the tests that it tells of.
    pub(crate) fn run(&mut self, what: &str, command: &mut Command) {
        step(what);
        let begun = Instant::now();
        let before = self.failed;
        let result = self.watch(command);
        if let Err(Stop(why)) = result {
            // A program that failed without a failed test did not get as far as its tests.
            if self.failed == before {
                self.failed += 1;
            }
            self.failures.push(format!("{what}: {why}"));
        }
        took("done", begun);
    }

    /// Counts a step that is one test in itself.
    pub(crate) fn check(&mut self, what: &str, check: impl FnOnce() -> Done) -> bool {
        step(what);
        let begun = Instant::now();
        let result = check();
        took("done", begun);
        match result {
            Ok(()) => {
                self.passed += 1;
                true
            }
            Err(Stop(why)) => {
                println!("  failed: {why}");
                self.failed += 1;
                self.failures.push(format!("{what}: {why}"));
                false
            }
        }
    }

    /// Prints the closing line; fails where anything did, or where nothing ran.
    pub(crate) fn close(self) -> Done {
        println!();
        for failure in &self.failures {
            println!("failed: {failure}");
        }
        let skipped = if self.skipped > 0 { format!(", {} skipped", self.skipped) } else { String::new() };
        println!("{} passed, {} failed{skipped}", self.passed, self.failed);
        if self.passed + self.failed == 0 {
            // A filter that fits nothing, or a suite that lost its tests.
            return Err("no test ran".into());
        }
        if self.failed == 0 && self.failures.is_empty() { Ok(()) } else { Err("tests failed".into()) }
    }

    fn watch(&mut self, command: &mut Command) -> Done {
        let name = command.get_program().to_string_lossy().into_owned();
        let cannot = |error: std::io::Error| Stop(format!("cannot run {name}: {error}"));
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(cannot)?;
        if let Some(output) = child.stdout.take() {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            // Bytes, not text: a test may print anything.
            while output.read_until(b'\n', &mut line).map_err(cannot)? > 0 {
                let text = String::from_utf8_lossy(&line);
                print!("{text}");
                self.count(&text);
                line.clear();
            }
        }
        let status = child.wait().map_err(cannot)?;
        if status.success() { Ok(()) } else { Err(Stop(format!("{status}"))) }
    }

    /// The closing lines of Rust's test programs and of Node's.
    fn count(&mut self, line: &str) {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("test result: ") {
            let number = |name: &str| {
                let words: Vec<&str> = rest.split([' ', ';', '.']).filter(|word| !word.is_empty()).collect();
                words.windows(2).find(|pair| pair.get(1) == Some(&name)).and_then(|pair| pair.first()?.parse().ok())
            };
            self.passed += number("passed").unwrap_or(0);
            self.failed += number("failed").unwrap_or(0);
            self.skipped += number("ignored").unwrap_or(0);
        } else if let Some(rest) = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ ")) {
            let Some((name, number)) = rest.split_once(' ') else { return };
            let Ok(number) = number.parse::<u64>() else { return };
            match name {
                "pass" => self.passed += number,
                "fail" | "cancelled" => self.failed += number,
                "skipped" | "todo" => self.skipped += number,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn counts_what_runners_tell() {
        let mut tally = Tally::default();
        tally.count("test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 7 filtered out; finished in 0.00s\n");
        tally.count(
            "test result: FAILED. 2 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s\n",
        );
        for line in ["ℹ tests 12", "ℹ pass 10", "# fail 1", "# skipped 1", "# todo 0", "# pass along", "pass 9"] {
            tally.count(line);
        }
        assert_eq!((tally.passed, tally.failed, tally.skipped), (15, 5, 2));
        assert!(tally.close().is_err());
        assert!(Tally::default().close().is_err());
    }
}
