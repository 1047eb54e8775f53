//! The store's rules, by the store that forgets; and what happens to the documents of a store that breaks them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed expectation is a failed test")]

mod generate;
mod support;

use countersign::Reason;
use countersign::change::proposal::{Proposal, ProposedChange};
use countersign::history::store::{
    Commit, History, List, Listed, ProposalsOf, Read, StoreError, StoreReason, StoreResult, Versions,
};
use countersign::history::{
    Author, Change, Documents, MemoryStore, Propose, Snapshot, Store, VersionInfo, VersionKind, Write, title,
};
use generate::Random;
use support::*;

/// A commit of `text` over `head`, under a key of its own.
fn commit(document: &str, head: Option<u32>, text: &str) -> Commit {
    let info = VersionInfo {
        document: document.into(),
        space: "plans".into(),
        version: head.unwrap_or(0) + 1,
        kind: if head.is_none() { VersionKind::Create } else { VersionKind::Save },
        title: format!("Title of {document}"),
        by: ana(),
        approved_by: None,
        at: "2026-11-08T10:44:00Z".into(),
        bytes: text.len(),
        added: 0,
        removed: 0,
        opens: String::new(),
        started_from: head,
        restored_from: None,
        proposal: None,
        summary: None,
        key: format!("{document} {head:?} {text}"),
    };
    let title_key = title::key(&info.title);
    Commit { head, snapshot: Snapshot { info, text: text.into() }, title_key, answers: None }
}

fn read(store: &MemoryStore, document: &str, version: Option<u32>) -> StoreResult<Snapshot> {
    wait(store.read(&Read { space: Some("plans".into()), document: document.into(), version }))
}

fn refused<T: std::fmt::Debug>(result: StoreResult<T>) -> StoreReason {
    match result.unwrap_err() {
        StoreError::Refused(reason, _) => reason,
        other => panic!("{other:?}"),
    }
}

fn list(space: Option<&str>, limit: usize, cursor: Option<String>) -> List {
    List { space: space.map(Into::into), limit, cursor }
}

fn documents_of(listed: &Listed) -> Vec<&str> {
    listed.documents.iter().map(|info| info.document.as_str()).collect()
}

#[test]
fn keeps_every_byte() {
    let store = MemoryStore::new();
    let texts = [
        String::new(),
        "a\r\nb\rc\n\n \t".into(),
        "\0\u{feff}".into(),
        "\u{feff}text".into(),
        "e\u{301} \u{e9}".into(),
        "😀\u{10ffff}".into(),
        "x".repeat(10 << 20),
    ];
    for (at, text) in texts.iter().enumerate() {
        let head = (at > 0).then_some(at as u32);
        assert_eq!(wait(store.commit(&commit("d", head, text))).unwrap().version as usize, at + 1);
    }
    for (at, text) in texts.iter().enumerate() {
        assert!(read(&store, "d", Some(at as u32 + 1)).unwrap().text == *text, "{at}");
    }
    for id in ["__proto__", "a/b", "", "ö\n", "constructor"] {
        wait(store.commit(&commit(id, None, id))).unwrap();
        assert_eq!(read(&store, id, None).unwrap().text, id);
    }
}

#[test]
fn compares_before_it_sets() {
    let store = MemoryStore::new();
    wait(store.commit(&commit("d", None, "1"))).unwrap();
    wait(store.commit(&commit("d", Some(1), "2"))).unwrap();
    assert_eq!(refused(wait(store.commit(&commit("d", None, "again")))), StoreReason::Exists);
    for head in [0, 1, 3, u32::MAX - 1] {
        assert_eq!(refused(wait(store.commit(&commit("d", Some(head), "stale")))), StoreReason::Conflict);
    }
    assert_eq!(refused(wait(store.commit(&commit("none", Some(1), "x")))), StoreReason::NotFound);
    let mut elsewhere = commit("d", Some(2), "x");
    elsewhere.snapshot.info.space = "other".into();
    assert_eq!(refused(wait(store.commit(&elsewhere))), StoreReason::NotFound);
    assert_eq!(read(&store, "d", None).unwrap().info.version, 2);
    for version in [0, 3, u32::MAX] {
        assert_eq!(refused(read(&store, "d", Some(version))), StoreReason::NotFound);
    }
}

#[test]
fn one_of_twenty_wins() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let store = Faulty::over(MemoryStore::new());
        wait(store.commit(&commit("d", None, "1"))).unwrap();
        let requests: Vec<_> = (0..20).map(|n| commit("d", Some(1), &format!("by {n}"))).collect();
        let writers =
            requests.iter().map(|request| Box::pin(store.commit(request)) as Running<'_, StoreResult<VersionInfo>>);
        let results = together(&mut random, writers.collect());
        let won: Vec<_> = results.iter().flatten().collect();
        assert_eq!(won.len(), 1);
        assert_eq!(read(&store.inner, "d", None).unwrap().info, *won[0]);
        let lost = results.into_iter().filter(|result| result.is_err());
        assert!(lost.map(refused).all(|reason| reason == StoreReason::Conflict));
    }
}

#[test]
fn a_known_key_answers_first() {
    let store = MemoryStore::new();
    let first = commit("d", None, "1");
    let one = wait(store.commit(&first)).unwrap();
    wait(store.commit(&commit("d", Some(1), "2"))).unwrap();
    assert_eq!(wait(store.commit(&first)), Ok(one.clone()), "the head has moved");
    // Whatever else the request says, and though its title is taken by now.
    let mut other = commit("other", None, "words");
    other.snapshot.info.key = one.key.clone();
    other.title_key = "anything".into();
    assert_eq!(wait(store.commit(&other)), Ok(one.clone()));
    assert_eq!(refused(read(&store, "other", None)), StoreReason::NotFound);
    // In another space it is another key.
    other.snapshot.info.space = "other".into();
    assert_eq!(wait(store.commit(&other)).unwrap().document, "other");
}

#[test]
fn titles_are_free_after_a_deletion() {
    let store = MemoryStore::new();
    wait(store.commit(&commit("a", None, "1"))).unwrap();
    let mut same = commit("b", None, "1");
    same.title_key = title::key("TITLE of a");
    assert_eq!(refused(wait(store.commit(&same))), StoreReason::TitleTaken);
    let mut gone = commit("a", Some(1), "");
    gone.snapshot.info.kind = VersionKind::Delete;
    wait(store.commit(&gone)).unwrap();
    wait(store.commit(&same)).unwrap();
    let mut back = commit("a", Some(2), "1");
    back.snapshot.info.kind = VersionKind::Restore;
    assert_eq!(refused(wait(store.commit(&back))), StoreReason::TitleTaken);
    back.title_key = "another".into();
    back.snapshot.info.title = "Another".into();
    wait(store.commit(&back)).unwrap();
    // What came back did not free the other's title.
    let mut third = commit("c", None, "1");
    third.title_key = same.title_key.clone();
    assert_eq!(refused(wait(store.commit(&third))), StoreReason::TitleTaken);
    assert_eq!(wait(store.erase("plans", "b")), Ok(()));
    wait(store.commit(&third)).unwrap();
}

#[test]
fn times_never_run_back_and_order_nothing() {
    let store = MemoryStore::new();
    let times = ["2026-11-08T10:44:00Z", "2020-01-01T00:00:00Z", "2026-11-08T10:44:00.250Z", "2026-11-08T10:44:00.1Z"];
    for (at, time) in times.iter().enumerate() {
        let mut request = commit("d", (at > 0).then_some(at as u32), &at.to_string());
        request.snapshot.info.at = (*time).into();
        wait(store.commit(&request)).unwrap();
    }
    let history = History { space: None, document: "d".into(), before: None, limit: 9 };
    let at: Vec<_> =
        wait(store.history(&history)).unwrap().versions.into_iter().map(|info| (info.version, info.at)).collect();
    let expected =
        [(4, times[2]), (3, times[2]), (2, times[0]), (1, times[0])].map(|(version, at)| (version, at.to_owned()));
    assert_eq!(at, expected);
    let mut old = commit("old", None, "");
    old.snapshot.info.at = "1999-01-01T00:00:00Z".into();
    wait(store.commit(&old)).unwrap();
    assert_eq!(documents_of(&wait(store.list(&list(None, 9, None))).unwrap()), ["old", "d"]);
}

#[test]
fn pages_do_not_slip() {
    let store = MemoryStore::new();
    for n in 0..7 {
        wait(store.commit(&commit(&format!("d{n}"), None, ""))).unwrap();
    }
    let mut hidden = commit("hidden", None, "");
    hidden.snapshot.info.space = "other".into();
    wait(store.commit(&hidden)).unwrap();
    let first = wait(store.list(&list(Some("plans"), 3, None))).unwrap();
    assert_eq!(documents_of(&first), ["d6", "d5", "d4"]);
    // What is saved between two pages goes to the front, and moves nothing past the reader twice.
    wait(store.commit(&commit("d5", Some(1), "x"))).unwrap();
    wait(store.commit(&commit("new", None, ""))).unwrap();
    let second = wait(store.list(&list(Some("plans"), 3, first.cursor))).unwrap();
    let third = wait(store.list(&list(Some("plans"), 3, second.cursor.clone()))).unwrap();
    assert_eq!(
        (documents_of(&second), documents_of(&third), third.cursor.clone()),
        (vec!["d3", "d2", "d1"], vec!["d0"], None)
    );
    assert_eq!(documents_of(&wait(store.list(&list(None, 3, None))).unwrap()), ["new", "d5", "hidden"]);
    let history = |before, limit| {
        let request = History { space: Some("plans".into()), document: "d5".into(), before, limit };
        wait(store.history(&request)).unwrap()
    };
    let numbers = |page: Versions| (page.versions.iter().map(|v| v.version).collect::<Vec<_>>(), page.more);
    assert_eq!(numbers(history(None, 1)), (vec![2], true));
    assert_eq!(numbers(history(Some(2), 1)), (vec![1], false));
    assert_eq!(numbers(history(Some(1), 1)), (vec![], false));
    assert_eq!(numbers(history(Some(99), 9)), (vec![2, 1], false));
}

fn a_proposal(store: &MemoryStore) -> (Plans<MemoryStore>, String, Proposal) {
    let documents = plans(store.clone());
    let id = wait(documents.create("Plan", "one\n", Write::default())).unwrap().snapshot.info.document;
    let change = ProposedChange::Append { document: id.clone(), text: "two".into() };
    let proposal = wait(documents.propose(change, Propose::by(north()))).unwrap();
    (documents, id, proposal)
}

#[test]
fn proposals_by_revision_and_in_one_transaction() {
    let store = MemoryStore::new();
    let (_, id, proposal) = a_proposal(&store);
    let revised = |revision| Proposal { revision, summary: Some(format!("{revision}")), ..proposal.clone() };
    for wrong in [0, 1, 3] {
        assert_eq!(refused(wait(store.save_proposal(&revised(wrong)))), StoreReason::Conflict);
    }
    assert_eq!(wait(store.save_proposal(&proposal)), Ok(proposal.clone()), "an identical repeat");
    let unknown = Proposal { id: "p-other".into(), ..revised(2) };
    assert_eq!(refused(wait(store.save_proposal(&unknown))), StoreReason::Conflict);
    // With a commit: both or none.
    let mut request = commit(&id, Some(1), "one\n\ntwo");
    request.snapshot.info.title = "Plan".into();
    request.title_key = "plan".into();
    request.answers = Some(revised(3));
    assert_eq!(refused(wait(store.commit(&request))), StoreReason::Conflict);
    assert_eq!(read(&store, &id, None).unwrap().info.version, 1);
    request.answers = Some(revised(2));
    let mut stale = request.clone();
    stale.head = Some(7);
    assert_eq!(refused(wait(store.commit(&stale))), StoreReason::Conflict);
    let of = |space: &str, open| ProposalsOf { space: space.into(), open, ..ProposalsOf::default() };
    assert_eq!(wait(store.proposals(&of("plans", Some(true)))).unwrap(), std::slice::from_ref(&proposal));
    let written = wait(store.commit(&request)).unwrap();
    assert_eq!(wait(store.proposals(&of("plans", None))).unwrap(), [revised(2)]);
    assert_eq!(wait(store.commit(&request)), Ok(written), "sent again");
    assert!(wait(store.proposals(&of("other", None))).unwrap().is_empty());
    wait(store.erase("plans", &id)).unwrap();
    assert!(wait(store.proposals(&of("plans", None))).unwrap().is_empty(), "erased with its document");
}

/// A store that answers wrongly in one way.
struct Lying {
    inner: MemoryStore,
    lie: &'static str,
}

impl Lying {
    fn info(&self, mut info: VersionInfo) -> VersionInfo {
        match self.lie {
            "another document" => info.document.push('x'),
            "another space" => info.space.push('x'),
            "another version" => info.version += 1,
            "version 0" => info.version = 0,
            "no time" => info.at = "yesterday".into(),
            "another key" => info.key.push('x'),
            "deleted" => info.kind = VersionKind::Delete,
            _ => {}
        }
        info
    }
}

impl Store for Lying {
    async fn list(&self, request: &List) -> StoreResult<Listed> {
        let request = &List { cursor: request.cursor.clone().filter(|cursor| cursor != "again"), ..request.clone() };
        let mut listed = self.inner.list(request).await?;
        listed.documents = listed.documents.into_iter().map(|info| self.info(info)).collect();
        if self.lie == "more than asked" {
            let again = listed.documents.clone();
            (0..request.limit).for_each(|_| listed.documents.extend(again.clone()));
        }
        if self.lie == "the same cursor" {
            listed.cursor = Some("again".into());
        }
        Ok(listed)
    }

    async fn read(&self, request: &Read) -> StoreResult<Snapshot> {
        let found = self.inner.read(request).await?;
        let mut text = found.text;
        if self.lie == "another text" {
            text = text.replace('\n', "\r\n");
        }
        Ok(Snapshot { info: self.info(found.info), text })
    }

    async fn history(&self, request: &History) -> StoreResult<Versions> {
        let mut found = self.inner.history(request).await?;
        found.versions = found.versions.into_iter().map(|info| self.info(info)).collect();
        match self.lie {
            "upside down" => found.versions.reverse(),
            "a gap" => drop(found.versions.remove(1)),
            "endless" => found.more = true,
            _ => {}
        }
        Ok(found)
    }

    async fn commit(&self, request: &Commit) -> StoreResult<VersionInfo> {
        self.inner.commit(request).await.map(|info| self.info(info))
    }
}

#[test]
fn a_store_that_lies_harms_nothing() {
    let honest = MemoryStore::new();
    let (documents, id, _) = a_proposal(&honest);
    for n in 1..4 {
        wait(documents.append(&id, &format!("{n}\n"), Write::default())).unwrap();
    }
    let lying = |lie| Documents::new(Lying { inner: honest.clone(), lie }, Counting::default(), "plans", ana());
    let fault = |refused: countersign::Refused, method: &str| {
        assert_eq!(refused.reason, Reason::Unavailable, "{refused:?}");
        assert!(refused.message.contains(&format!("`{method}`")), "{refused:?}");
    };
    for lie in ["another document", "another space", "another version", "version 0", "no time"] {
        fault(wait(lying(lie).read(&id, Some(2))).unwrap_err(), "read");
    }
    assert_eq!(wait(lying("another text").read(&id, None)).unwrap_err().reason, Reason::Corrupt);
    assert_eq!(reason(wait(lying("another text").append(&id, "x", Write::default()))), Reason::Corrupt);
    for lie in ["another document", "another space", "version 0", "no time", "upside down", "a gap", "endless"] {
        fault(wait(lying(lie).history(&id, None, None)).unwrap_err(), "history");
    }
    for lie in ["another space", "version 0", "no time", "deleted", "more than asked"] {
        fault(wait(lying(lie).list(None, None)).unwrap_err(), "list");
    }
    assert_eq!(wait(lying("the same cursor").titled("nowhere")).unwrap(), None, "and it ends");
    // What was committed under a wrong answer is reported as a fault; what is stored is a version as any other.
    let before = read(&honest, &id, None).unwrap().info.version;
    let save = || Change::text(before, format!("{}more\n", read(&honest, &id, None).unwrap().text));
    let wrong = wait(lying("another key").save(&id, save(), Write::default())).unwrap_err();
    match wrong {
        countersign::history::SaveRefused::Refused(refused) => fault(refused, "commit"),
        other => panic!("{other:?}"),
    }
    assert_eq!(all_versions(&documents, &id).len() as u32, before + 1);
}

#[test]
fn a_space_of_many_documents_is_searched_whole() {
    let documents = plans(MemoryStore::new());
    for n in 0..2500 {
        wait(documents.create(&format!("Document {n:04}"), "", Write::default())).unwrap();
    }
    assert_eq!(wait(documents.read("document 0000", None)).unwrap().info.title, "Document 0000");
    let many = wait(documents.read("Document", None)).unwrap_err();
    assert_eq!(many.reason, Reason::Ambiguous);
    assert!(many.message.starts_with("2500 documents have that in their title: “Document 2499”"));
    assert!(many.message.len() < 300);
    let by = Some(Author::person("person:cy", "Cy"));
    let twin = Write { by, ..Write::default() };
    assert_eq!(reason(wait(documents.create("DOCUMENT 0000", "", twin))), Reason::TitleTaken);
}
