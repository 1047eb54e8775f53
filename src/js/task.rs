//! Tasks: futures that wait for JavaScript, and are polled inside of calls from JavaScript.
//!
//! No promise and no microtask of our own: an answer comes in by [`answer`], wakes who waits for it and runs what can
//! run, all inside one call that the hand-written half guards. So a panic in here is caught there, and whoever waited
//! is told. The host's methods are called from a microtask, never while a task is polled.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use wasm_bindgen::prelude::*;

use super::numbered::Numbered;

type Task = Pin<Box<dyn Future<Output = ()>>>;

/// What a call of the host's has come to.
#[derive(Default)]
struct Call {
    answer: Option<String>,
    waker: Option<Waker>,
}

thread_local! {
    static TASKS: RefCell<Numbered<Task>> = const { RefCell::new(Numbered::new()) };
    static READY: RefCell<VecDeque<u32>> = const { RefCell::new(VecDeque::new()) };
    static CALLS: RefCell<Numbered<Call>> = const { RefCell::new(Numbered::new()) };
}

struct Wakes(u32);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        READY.with_borrow_mut(|ready| ready.push_back(self.0));
    }
}

/// Runs `task` until it waits, and on whenever what it waits for has come.
pub(super) fn spawn(task: impl Future<Output = ()> + 'static) {
    let id = TASKS.with_borrow_mut(|tasks| tasks.add(Box::pin(task)));
    READY.with_borrow_mut(|ready| ready.push_back(id));
    run();
}

fn run() {
    while let Some(id) = READY.with_borrow_mut(VecDeque::pop_front) {
        // Out of the map while it is polled, so that it may spawn and call.
        let Some(mut task) = TASKS.with_borrow_mut(|tasks| tasks.take(id)) else { continue };
        let waker = Waker::from(Arc::new(Wakes(id)));
        if task.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
            TASKS.with_borrow_mut(|tasks| tasks.put(id, task));
        }
    }
}

/// A call of the host's that is under way; gives its answer.
pub(super) struct Calling(u32);

impl Calling {
    /// Opens a call and lets `make` make it, under its number.
    pub(super) fn make(make: impl FnOnce(u32)) -> Self {
        let id = CALLS.with_borrow_mut(|calls| calls.add(Call::default()));
        make(id);
        Self(id)
    }
}

impl Future for Calling {
    type Output = String;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<String> {
        CALLS.with_borrow_mut(|calls| {
            // Open as long as this lives.
            let Some(call) = calls.get(self.0) else { return Poll::Pending };
            match call.answer.take() {
                Some(answer) => Poll::Ready(answer),
                None => {
                    call.waker = Some(context.waker().clone());
                    Poll::Pending
                }
            }
        })
    }
}

impl Drop for Calling {
    fn drop(&mut self) {
        CALLS.with_borrow_mut(|calls| calls.take(self.0));
    }
}

/// Brings the answer of a call; a second one, or one that nobody waits for any more, does nothing.
#[wasm_bindgen]
pub fn answer(call: u32, answer: String) {
    let waker = CALLS.with_borrow_mut(|calls| {
        let call = calls.get(call)?;
        call.answer = Some(answer);
        call.waker.take()
    });
    if let Some(waker) = waker {
        waker.wake();
    }
    run();
}
