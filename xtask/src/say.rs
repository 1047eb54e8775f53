//! What a person reads while a command works: one line per step, before the step begins.

use std::time::Instant;

/// Why a command stops: one line that says what failed and what to do.
#[derive(Debug)]
pub(crate) struct Stop(pub String);

/// What a step of a command gives.
pub(crate) type Done<T = ()> = Result<T, Stop>;

impl From<String> for Stop {
    fn from(message: String) -> Self {
        Self(message)
    }
}

impl From<&str> for Stop {
    fn from(message: &str) -> Self {
        Self(message.to_owned())
    }
}

/// Says what begins now.
pub(crate) fn step(what: &str) {
    println!("· {what}");
}

/// Says what a person should know, though work goes on.
pub(crate) fn note(what: &str) {
    println!("  note: {what}");
}

/// Says how long a step took, where that is worth a line.
pub(crate) fn took(what: &str, since: Instant) {
    let seconds = since.elapsed().as_secs();
    if seconds >= 2 {
        println!("  {what} in {seconds} s");
    }
}

/// An input or output error with what it happened to.
pub(crate) fn at<'a>(what: &'a str, path: &'a std::path::Path) -> impl FnOnce(std::io::Error) -> Stop + 'a {
    move |error| Stop(format!("cannot {what} {}: {error}", path.display()))
}
