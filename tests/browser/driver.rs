//! The drivers that `cargo xtask test` started. Most can open one browser at a time, so a session takes one for itself.

use std::sync::{Condvar, Mutex, PoisonError};

static FREE: Mutex<Option<Vec<String>>> = Mutex::new(None);
static CAME_FREE: Condvar = Condvar::new();

/// A driver that is nobody else's until this is dropped.
pub struct Driver(String);

/// Waits for a driver. A test that holds two sessions can wait for a test that does the same: take one.
pub fn take() -> Driver {
    let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let drivers = free.get_or_insert_with(|| {
            let started = std::env::var("COUNTERSIGN_DRIVERS").unwrap_or_default();
            started.split_whitespace().map(str::to_owned).collect()
        });
        if let Some(address) = drivers.pop() {
            return Driver(address);
        }
        free = CAME_FREE.wait(free).unwrap_or_else(PoisonError::into_inner);
    }
}

impl Driver {
    /// As in `127.0.0.1:4444`.
    pub fn address(&self) -> &str {
        &self.0
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        free.get_or_insert_default().push(std::mem::take(&mut self.0));
        CAME_FREE.notify_one();
    }
}
