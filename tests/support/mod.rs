//! What the stories about documents share: a world without a clock, futures without a runtime, a store that fails.
#![allow(dead_code, reason = "each test uses its part")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed expectation is a failed test")]

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use countersign::change::proposal::Proposal;
use countersign::history::store::{
    Commit, History, List, Listed, ProposalsOf, Read, StoreError, StoreReason, StoreResult, Versions,
};
use countersign::history::{Author, Documents, MemoryStore, SaveRefused, Saved, Snapshot, Store, VersionInfo, World};
use countersign::{Reason, Refused};

use crate::generate::Random;

/// A clock that ticks once a look, and ids that count.
#[derive(Clone, Default)]
pub(crate) struct Counting(Rc<Cell<u32>>);

impl Counting {
    fn next(&self) -> u32 {
        self.0.set(self.0.get() + 1);
        self.0.get()
    }
}

impl World for Counting {
    fn now(&self) -> String {
        let n = self.next();
        format!("2026-11-{:02}T{:02}:{:02}:{:02}Z", 1 + n / 86_400, n / 3600 % 24, n / 60 % 60, n % 60)
    }

    fn new_id(&self) -> String {
        format!("id{}", self.next())
    }
}

pub(crate) fn ana() -> Author {
    Author::person("person:ana", "Ana")
}

pub(crate) fn bo() -> Author {
    Author::person("person:bo", "Bo")
}

pub(crate) fn north() -> Author {
    Author::agent("agent:north", "North", &ana())
}

/// Runs one future to its end.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
    }
}

/// Runs many futures at once: whose turn it is, the generator says.
pub(crate) fn together<T>(random: &mut Random, futures: Vec<Running<'_, T>>) -> Vec<T> {
    let mut running: Vec<_> = futures.into_iter().enumerate().collect();
    let mut done: Vec<Option<T>> = running.iter().map(|_| None).collect();
    while !running.is_empty() {
        let turn = random.below(running.len());
        if let Poll::Ready(value) = running[turn].1.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            done[running.swap_remove(turn).0] = Some(value);
        }
    }
    done.into_iter().flatten().collect()
}

/// Lets others have a turn.
async fn turn() {
    let mut waited = false;
    poll_fn(|_| if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

/// What happens to a request that writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing.
    Fine,
    /// It does not arrive.
    Before,
    /// It is done, and the answer is lost.
    After,
    /// It does not arrive in time.
    Late,
    /// The store refuses it.
    Refused(StoreReason),
}

/// What others do.
type Others = Box<dyn FnOnce()>;

/// A future among others.
pub(crate) type Running<'f, T> = Pin<Box<dyn Future<Output = T> + 'f>>;

/// A store that is slow (others have a turn before and after each call) and whose writes fail as they are told to.
#[derive(Clone)]
pub(crate) struct Faulty {
    pub(crate) inner: MemoryStore,
    faults: Rc<RefCell<VecDeque<Fault>>>,
    meanwhile: Rc<RefCell<Option<Others>>>,
    pub(crate) commits: Rc<Cell<usize>>,
}

impl Faulty {
    pub(crate) fn over(inner: MemoryStore) -> Self {
        Self { inner, faults: Rc::default(), meanwhile: Rc::default(), commits: Rc::default() }
    }

    /// What happens to the next writes.
    pub(crate) fn next(&self, faults: &[Fault]) {
        *self.faults.borrow_mut() = faults.iter().copied().collect();
    }

    /// What others do while an answer is lost.
    pub(crate) fn meanwhile(&self, others: impl FnOnce() + 'static) {
        *self.meanwhile.borrow_mut() = Some(Box::new(others));
    }

    async fn write<T>(&self, method: &str, does: impl Future<Output = StoreResult<T>>) -> StoreResult<T> {
        turn().await;
        let fault = self.faults.borrow_mut().pop_front().unwrap_or(Fault::Fine);
        let lost = Err(StoreError::Unknown(format!("The store's `{method}` gave no answer.")));
        let answer = match fault {
            Fault::Fine => does.await,
            Fault::Before => lost,
            Fault::After => {
                let _ = does.await;
                lost
            }
            Fault::Late => Err(StoreError::TimedOut(format!("The store's `{method}` took too long."))),
            Fault::Refused(reason) => Err(StoreError::refused(reason)),
        };
        if fault != Fault::Fine {
            let others = self.meanwhile.borrow_mut().take();
            if let Some(others) = others {
                others();
            }
        }
        turn().await;
        answer
    }
}

impl Store for Faulty {
    async fn list(&self, request: &List) -> StoreResult<Listed> {
        turn().await;
        self.inner.list(request).await
    }

    async fn read(&self, request: &Read) -> StoreResult<Snapshot> {
        turn().await;
        let found = self.inner.read(request).await;
        turn().await;
        found
    }

    async fn history(&self, request: &History) -> StoreResult<Versions> {
        turn().await;
        self.inner.history(request).await
    }

    async fn commit(&self, request: &Commit) -> StoreResult<VersionInfo> {
        self.commits.set(self.commits.get() + 1);
        self.write("commit", self.inner.commit(request)).await
    }

    fn holds_proposals(&self) -> bool {
        self.inner.holds_proposals()
    }

    async fn proposals(&self, request: &ProposalsOf) -> StoreResult<Vec<Proposal>> {
        turn().await;
        self.inner.proposals(request).await
    }

    async fn save_proposal(&self, proposal: &Proposal) -> StoreResult<Proposal> {
        self.write("proposals.save", self.inner.save_proposal(proposal)).await
    }

    fn can_erase(&self) -> bool {
        self.inner.can_erase()
    }

    async fn erase(&self, space: &str, document: &str) -> StoreResult<()> {
        self.write("erase", self.inner.erase(space, document)).await
    }
}

pub(crate) type Plans<S> = Documents<S, Counting>;

/// Documents of the space `plans`, acted on by Ana.
pub(crate) fn plans<S: Store>(store: S) -> Plans<S> {
    Documents::new(store, Counting::default(), "plans", ana())
}

/// The same by another person elsewhere: ids do not meet.
pub(crate) fn plans_of<S: Store>(store: S, author: Author, from: u32) -> Plans<S> {
    Documents::new(store, Counting(Rc::new(Cell::new(from))), "plans", author)
}

/// The reason of a refusal that is no clash.
pub(crate) fn reason(refused: Result<Saved, SaveRefused>) -> Reason {
    match refused {
        Err(SaveRefused::Refused(refused)) => refused.reason,
        other => panic!("expected a refusal: {other:?}"),
    }
}

pub(crate) fn why<T: std::fmt::Debug>(refused: Result<T, Refused>) -> Reason {
    refused.unwrap_err().reason
}

/// All versions with their texts, oldest first; that their numbers are dense and their times in order is checked.
pub(crate) fn all_versions<S: Store>(documents: &Plans<S>, id: &str) -> Vec<Snapshot> {
    let history = wait(documents.history(id, None, Some(1000))).unwrap();
    assert!(!history.more);
    let versions: Vec<_> = history.versions.iter().rev().collect();
    for (at, info) in versions.iter().enumerate() {
        assert_eq!(info.version as usize, at + 1);
        if at > 0 {
            assert!(versions[at - 1].at <= info.at);
        }
    }
    versions.iter().map(|info| wait(documents.read(id, Some(info.version))).unwrap()).collect()
}
