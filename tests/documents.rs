//! Documents: versions that say who, saves that merge or ask, and the same write twice as one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed expectation is a failed test")]

mod generate;
mod support;

use countersign::Reason;
use countersign::change::merge::{Choice, ClashOf, resolve};
use countersign::change::splice;
use countersign::history::store::StoreReason;
use countersign::history::{Author, Change, MemoryStore, SaveRefused, Saved, Store, VersionInfo, VersionKind, Write};
use generate::Random;
use support::*;

fn by(author: &Author) -> Write {
    Write { by: Some(author.clone()), ..Write::default() }
}

fn keyed(key: &str) -> Write {
    Write { key: Some(key.into()), ..Write::default() }
}

/// `number kind by for title +n −m ←base`, as a history shows it.
fn row(info: &VersionInfo) -> String {
    let on_behalf = info.by.on_behalf.as_ref().map(|person| format!(" for {}", person.name)).unwrap_or_default();
    let base = info.started_from.map(|base| format!(" ←{base}")).unwrap_or_default();
    let restored = info.restored_from.map(|version| format!(" ↺{version}")).unwrap_or_default();
    let (version, kind, name, title) = (info.version, info.kind.name(), &info.by.name, &info.title);
    format!("{version} {kind} {name}{on_behalf} “{title}” +{} −{}{base}{restored}", info.added, info.removed)
}

/// One scripted scenario, for every store.
async fn scenario<S: Store>(documents: &Plans<S>) -> Vec<String> {
    // Nothing yet.
    assert!(documents.list(None, None).await.unwrap().documents.is_empty());
    assert_eq!(why(documents.read("Launch plan", None).await), Reason::NotFound);

    // Creating.
    let text = "# Launch\n\nRecord the trailer.\n\nReview the page.\n";
    let created = documents.create("  Launch plan ", text, Write::default()).await.unwrap();
    let id = created.snapshot.info.document.clone();
    assert_eq!(created.snapshot.info.title, "Launch plan");
    assert_eq!((created.snapshot.info.bytes, created.snapshot.info.opens.as_str()), (text.len(), "# Launch"));
    assert_eq!(reason(documents.create("LAUNCH plan", "", Write::default()).await), Reason::TitleTaken);
    let taken = documents.create("Launch plan", "", Write::default()).await.unwrap_err();
    assert!(matches!(taken, SaveRefused::Refused(refused) if refused.message.contains(&id)), "names the document");
    for bad in ["", " \t", "two\nlines", &"x".repeat(201)] {
        assert_eq!(reason(documents.create(bad, "", Write::default()).await), Reason::BadTitle, "{bad:?}");
        assert_eq!(reason(documents.save(&id, Change::title(1, bad), Write::default()).await), Reason::BadTitle);
    }
    let notes = documents.create("Notes", "", Write::default()).await.unwrap().snapshot.info.document;

    // A save that goes forward, and one that merges.
    let two = "# Launch\n\nRecord the trailer on Monday.\n\nReview the page.\n";
    let saved = documents.save(&id, Change::text(1, two), Write::default()).await.unwrap();
    assert_eq!((saved.snapshot.info.version, saved.merged, saved.unchanged), (2, false, false));
    assert!(saved.splices.is_empty());
    let bos = "# Launch\n\nRecord the trailer.\n\nReview the page with Cy.\n";
    let merged = documents.save(&id, Change::text(1, bos), by(&bo())).await.unwrap();
    assert!(merged.merged);
    let three = "# Launch\n\nRecord the trailer on Monday.\n\nReview the page with Cy.\n";
    assert_eq!(merged.snapshot.text, three);
    assert_eq!(splice(bos, &merged.splices), three, "leads from what was sent to what is stored");

    // The same text again changes nothing; nor does a save that adds nothing to what came since.
    let again = documents.save(&id, Change::text(3, three), Write::default()).await.unwrap();
    assert_eq!((again.snapshot.info.version, again.unchanged), (3, true));
    let behind = documents.save(&id, Change::text(1, text), Write::default()).await.unwrap();
    assert_eq!((behind.snapshot.info.version, behind.unchanged, behind.merged), (3, true, false));
    assert_eq!(splice(text, &behind.splices), three);

    // A clash on lines: nothing is written, nothing is lost, and what is chosen is a save from the head.
    let clashing = "# Launch\n\nRecord the trailer on Friday.\n\nReview the page.\n";
    let Err(SaveRefused::Clash { clash, head }) =
        documents.save(&id, Change::text(1, clashing), Write::default()).await
    else {
        panic!("expected a clash")
    };
    assert_eq!((head.info.version, head.text.as_str(), clash.clashes.len()), (3, three, 1));
    assert_eq!(documents.read(&id, None).await.unwrap().info.version, 3);
    let mine = resolve(&clash, &[Choice::Mine]);
    assert_eq!(mine, "# Launch\n\nRecord the trailer on Friday.\n\nReview the page with Cy.\n");
    let chosen = documents.save(&id, Change::text(3, mine.clone()), Write::default()).await.unwrap();
    assert_eq!((chosen.snapshot.info.version, chosen.snapshot.text), (4, mine.clone()));

    // Renames; a clash on titles; a title that is taken; a title merged apart from the text.
    documents.save(&id, Change::title(4, "Launch plan 2027"), by(&bo())).await.unwrap();
    let Err(SaveRefused::Clash { clash, .. }) = documents.save(&id, Change::title(4, "Launch"), Write::default()).await
    else {
        panic!("expected a clash")
    };
    assert_eq!(clash.clashes.len(), 1);
    assert_eq!((clash.clashes[0].what, clash.clashes[0].theirs.text.as_str()), (ClashOf::Title, "Launch plan 2027"));
    assert_eq!(resolve(&clash, &[]), mine, "the text is settled");
    assert_eq!(reason(documents.save(&id, Change::title(5, " notes"), Write::default()).await), Reason::TitleTaken);
    let both = documents.save(&id, Change::text(4, format!("{mine}\nDone.\n")), Write::default()).await.unwrap();
    assert_eq!((both.snapshot.info.title.as_str(), both.merged), ("Launch plan 2027", true));
    // Its own title in other letters is its own.
    documents.save(&id, Change::title(6, "LAUNCH plan 2027"), Write::default()).await.unwrap();

    // Versions that there are not.
    for unknown in [0, 8, u32::MAX] {
        let refused = documents.save(&id, Change::text(unknown, "lost?"), Write::default()).await;
        assert_eq!(reason(refused), Reason::NoSuchVersion);
        assert_eq!(why(documents.read(&id, Some(unknown)).await), Reason::NoSuchVersion);
        assert_eq!(why(documents.compare(&id, 1, unknown).await), Reason::NoSuchVersion);
        assert_eq!(reason(documents.restore(&id, unknown, Write::default()).await), Reason::NoSuchVersion);
    }
    assert_eq!(reason(documents.save("nowhere", Change::text(1, ""), Write::default()).await), Reason::NotFound);

    // An agent adds at the end, for its person.
    let added = documents.append(&id, "Then publish.", by(&north())).await.unwrap();
    assert_eq!(added.snapshot.text, format!("{mine}\nDone.\n\nThen publish."));
    assert_eq!(splice("Then publish.", &added.splices), added.snapshot.text);
    assert!(documents.append(&id, " \n", Write::default()).await.unwrap().unchanged);

    // A restore is a new version; of what is the head it is none.
    let restored = documents.restore(&id, 1, Write::default()).await.unwrap();
    assert_eq!((restored.snapshot.text.as_str(), restored.snapshot.info.title.as_str()), (text, "Launch plan"));
    assert!(documents.restore(&id, 1, Write::default()).await.unwrap().unchanged);
    assert!(documents.restore(&id, 9, Write::default()).await.unwrap().unchanged);

    // A deletion is a version: the list leaves it out, its title is free, history and restore work.
    let gone = documents.remove(&id, by(&bo())).await.unwrap();
    assert_eq!((gone.version, gone.kind), (10, VersionKind::Delete));
    assert_eq!(documents.remove(&id, Write::default()).await.unwrap().version, 10, "it is gone already");
    let listed = documents.list(None, None).await.unwrap().documents;
    assert_eq!(listed.iter().map(|info| info.document.as_str()).collect::<Vec<_>>(), [notes.as_str()]);
    assert_eq!(why(documents.read(&id, None).await), Reason::NotFound);
    assert_eq!(why(documents.read("Launch plan", None).await), Reason::NotFound);
    assert_eq!(documents.read(&id, Some(3)).await.unwrap().text, three);
    assert_eq!(reason(documents.save(&id, Change::text(9, "late"), Write::default()).await), Reason::NotFound);
    assert_eq!(reason(documents.append(&id, "late", Write::default()).await), Reason::NotFound);
    assert_eq!(reason(documents.restore(&id, 10, Write::default()).await), Reason::NoSuchVersion);
    let other = documents.create("Launch plan", "another", Write::default()).await.unwrap().snapshot.info.document;
    assert_eq!(reason(documents.restore(&id, 9, Write::default()).await), Reason::TitleTaken);
    let back = documents.restore(&id, 8, Write::default()).await.unwrap();
    assert_eq!(back.snapshot.info.title, "LAUNCH plan 2027");
    // What was begun before the deletion merges with what came back.
    let late = documents.save(&id, Change::title(8, "Launch plan, late"), Write::default()).await.unwrap();
    assert_eq!((late.snapshot.info.version, late.snapshot.info.kind), (12, VersionKind::Merge));

    // By id, exact title, or the one title that has it; latest saved first.
    assert_eq!(documents.read("launch PLAN", None).await.unwrap().info.document, other);
    assert_eq!(documents.read("late", None).await.unwrap().info.document, id);
    assert_eq!(documents.read("NOTE", Some(1)).await.unwrap().info.document, notes);
    assert_eq!(why(documents.read("NOTE", Some(2)).await), Reason::NoSuchVersion);
    assert_eq!(why(documents.read("launch", None).await), Reason::Ambiguous);
    assert_eq!(why(documents.read(" ", None).await), Reason::NotFound);
    let recent = documents.recent(Some(2)).await.unwrap();
    assert_eq!(recent.iter().map(|info| info.document.as_str()).collect::<Vec<_>>(), [id.as_str(), other.as_str()]);
    let first = documents.list(Some(1), None).await.unwrap();
    let second = documents.list(Some(2), first.cursor.as_deref()).await.unwrap();
    assert_eq!((first.documents.len(), second.documents.len(), second.cursor), (1, 2, None));

    // Any two versions, in any order; a deletion takes all.
    let (forth, back) = (documents.compare(&id, 1, 3).await.unwrap(), documents.compare(&id, 3, 1).await.unwrap());
    assert_eq!((splice(text, &forth.splices), splice(three, &back.splices)), (three.to_owned(), text.to_owned()));
    assert_eq!(documents.compare(&id, 9, 10).await.unwrap().splices.len(), 1);

    // History, newest first, in pages.
    let newest = documents.history(&id, None, Some(5)).await.unwrap();
    let older = documents.history(&id, Some(newest.versions[4].version), Some(100)).await.unwrap();
    assert_eq!((newest.versions.len(), newest.more, older.versions.len(), older.more), (5, true, 7, false));
    assert!(documents.history(&id, Some(1), None).await.unwrap().versions.is_empty());
    newest.versions.iter().chain(&older.versions).rev().map(row).collect()
}

#[test]
fn the_scenario_over_every_store_here() {
    let expected = [
        "1 create Ana “Launch plan” +5 −0",
        "2 save Ana “Launch plan” +1 −1 ←1",
        "3 merge Bo “Launch plan” +1 −1 ←1",
        "4 save Ana “Launch plan” +1 −1 ←3",
        "5 rename Bo “Launch plan 2027” +0 −0 ←4",
        "6 merge Ana “Launch plan 2027” +2 −0 ←4",
        "7 rename Ana “LAUNCH plan 2027” +0 −0 ←6",
        "8 append North for Ana “LAUNCH plan 2027” +2 −0 ←7",
        "9 restore Ana “Launch plan” +2 −6 ←8 ↺1",
        "10 delete Bo “Launch plan” +0 −5 ←9",
        "11 restore Ana “LAUNCH plan 2027” +9 −0 ←10 ↺8",
        "12 merge Ana “Launch plan, late” +0 −0 ←8",
    ];
    assert_eq!(wait(scenario(&plans(MemoryStore::new()))), expected);
    assert_eq!(wait(scenario(&plans(Faulty::over(MemoryStore::without_proposals())))), expected);
}

#[test]
fn another_space_is_not_here() {
    let store = MemoryStore::new();
    let (here, there) = (plans(store.clone()), plans_of(store.clone(), bo(), 500));
    let there = countersign::history::Documents::new(there.store().clone(), Counting::default(), "secrets", bo());
    let hidden = wait(there.create("Payroll", "42,000", Write::default())).unwrap().snapshot.info.document;
    for refused in [
        why(wait(here.read(&hidden, None))),
        why(wait(here.read("Payroll", None))),
        why(wait(here.history(&hidden, None, None))),
        why(wait(here.remove(&hidden, Write::default()))),
        why(wait(here.erase(&hidden))),
        reason(wait(here.save(&hidden, Change::text(1, "0"), Write::default()))),
        reason(wait(here.append(&hidden, "0", Write::default()))),
        reason(wait(here.restore(&hidden, 1, Write::default()))),
    ] {
        assert_eq!(refused, Reason::NotFound);
    }
    assert_eq!(wait(there.read(&hidden, None)).unwrap().text, "42,000");
    // Its title is not taken here, and one key may be used in each.
    wait(here.create("Payroll", "ours", keyed("k"))).unwrap();
    wait(there.create("Other", "theirs", keyed("k"))).unwrap();
}

#[test]
fn erased_is_gone() {
    let documents = plans(MemoryStore::new());
    let id = wait(documents.create("Plan", "one", keyed("k"))).unwrap().snapshot.info.document;
    wait(documents.append(&id, "two", Write::default())).unwrap();
    wait(documents.erase(&id)).unwrap();
    assert_eq!(why(wait(documents.read(&id, Some(1)))), Reason::NotFound);
    assert_eq!(why(wait(documents.erase(&id))), Reason::NotFound);
    assert_ne!(wait(documents.create("Plan", "one", keyed("k"))).unwrap().snapshot.info.document, id);
}

#[test]
fn too_large_is_refused_before_it_is_sent() {
    let store = Faulty::over(MemoryStore::new());
    let documents = plans(store.clone()).with_max_bytes(10);
    let id = wait(documents.create("Plan", "123456789", Write::default())).unwrap().snapshot.info.document;
    let sent = store.commits.get();
    assert_eq!(reason(wait(documents.save(&id, Change::text(1, "12345678901"), Write::default()))), Reason::TooLarge);
    assert_eq!(reason(wait(documents.append(&id, "x", Write::default()))), Reason::TooLarge);
    assert_eq!(store.commits.get(), sent);
}

/// Every write, as one closure that can be sent twice, on a document of three versions.
type Sends = (&'static str, fn(&Plans<Faulty>, &str) -> Result<Saved, SaveRefused>);

const WRITES: [Sends; 7] = [
    ("create", |documents, _| wait(documents.create("New", "text", keyed("k1")))),
    ("save", |documents, id| wait(documents.save(id, Change::text(3, "ONE\n\ntwo\n\nthree\n"), Write::default()))),
    ("merge", |documents, id| wait(documents.save(id, Change::text(1, "ONE\n\ntwo\n"), Write::default()))),
    ("rename", |documents, id| wait(documents.save(id, Change::title(3, "Renamed"), Write::default()))),
    ("append", |documents, id| wait(documents.append(id, "four", keyed("k2")))),
    ("restore", |documents, id| wait(documents.restore(id, 1, keyed("k3")))),
    ("delete", |documents, id| {
        wait(documents.remove(id, keyed("k4")))
            .map(|info| {
                let snapshot = countersign::history::Snapshot { text: String::new(), info };
                Saved { snapshot, merged: false, unchanged: false, splices: Vec::new() }
            })
            .map_err(Into::into)
    }),
];

fn three_versions(documents: &Plans<Faulty>) -> String {
    let id = wait(documents.create("Plan", "one\n\ntwo\n", Write::default())).unwrap().snapshot.info.document;
    wait(documents.append(&id, "three", Write::default())).unwrap();
    wait(documents.save(&id, Change::text(2, "one\n\ntwo\n\nthree\n"), Write::default())).unwrap();
    id
}

/// Whoever else is here saves in the same document, in a way that makes the write above clash or change nothing.
fn others(store: &MemoryStore, id: &str, how: usize) {
    let documents = plans_of(store.clone(), bo(), 5000 + how as u32 * 1000);
    let Ok(head) = wait(documents.read(id, None)) else {
        // It was deleted: it comes back.
        wait(documents.restore(id, 2, Write::default())).unwrap();
        return;
    };
    let text = match how {
        0 => format!("{}\nBo was here.\n", head.text),
        1 => format!("Bo replaced all: {how}\n"),
        2 => "one\n\ntwo\n".to_owned(),
        _ => return,
    };
    wait(documents.save(
        id,
        Change { base: head.info.version, title: Some(format!("Bo {how}")), text: Some(text) },
        Write::default(),
    ))
    .unwrap();
}

#[test]
fn a_lost_answer_is_one_version_and_the_same_answer() {
    use Fault::*;
    let faults: [&[Fault]; 8] = [
        &[Before],
        &[After],
        &[Late],
        &[Before, After],
        &[After, Before],
        &[After, After, After],
        &[After, Late, Before],
        &[Before, Before, Before],
    ];
    for (name, write) in WRITES {
        // What the answer is when nothing fails.
        let calm = {
            let documents = plans(Faulty::over(MemoryStore::new()));
            let id = three_versions(&documents);
            write(&documents, &id).unwrap()
        };
        for faults in faults {
            for how in 0..4 {
                let store = Faulty::over(MemoryStore::new());
                let documents = plans(store.clone());
                let id = three_versions(&documents);
                let case = format!("{name}, {faults:?}, others {how}");
                store.next(faults);
                let first = write(&documents, &id);
                let lost = faults.len() == 3;
                if lost {
                    let refused = match &first {
                        Err(SaveRefused::Refused(refused)) => refused,
                        other => panic!("{case}: {other:?}"),
                    };
                    assert!(matches!(refused.reason, Reason::Unavailable | Reason::Timeout), "{case}");
                    assert!(refused.message.contains("send the same again"), "{case}");
                }
                // Others save in between; then the same write is sent once more.
                let written = faults.contains(&After);
                if written || !lost {
                    others(&store.inner, &id, how);
                }
                let second = write(&documents, &id).unwrap_or_else(|refused| panic!("{case}: {refused:?}"));
                assert_eq!(second.snapshot.text, calm.snapshot.text, "{case}");
                assert_eq!(second.snapshot.info.kind, calm.snapshot.info.kind, "{case}");
                assert_eq!(second.snapshot.info.version, calm.snapshot.info.version, "{case}");
                assert_eq!((second.merged, second.unchanged), (calm.merged, calm.unchanged), "{case}");
                assert_eq!(second.splices, calm.splices, "{case}");
                if let Ok(first) = first {
                    assert_eq!(first, second, "{case}");
                }
                // One version has the key.
                let all = all_versions(&documents, &second.snapshot.info.document);
                let key = &second.snapshot.info.key;
                assert_eq!(all.iter().filter(|version| version.info.key == *key).count(), 1, "{case}");
                let own = all.iter().filter(|version| version.info.by.id == "person:ana").count();
                let expected = if name == "create" { 1 } else { 4 };
                assert_eq!(own, expected, "{case}");
            }
        }
    }
}

#[test]
fn others_save_while_an_answer_is_lost() {
    // The write did not arrive, others saved, and the second sending meets their version: it merges, once.
    for fault in [Fault::Before, Fault::After] {
        let store = Faulty::over(MemoryStore::new());
        let documents = plans(store.clone());
        let id = three_versions(&documents);
        store.next(&[fault]);
        let (inner, document) = (store.inner.clone(), id.clone());
        store.meanwhile(move || others(&inner, &document, 0));
        let saved = wait(documents.save(&id, Change::text(3, "ONE\n\ntwo\n\nthree\n"), Write::default())).unwrap();
        assert_eq!(saved.merged, fault == Fault::Before);
        let all = all_versions(&documents, &id);
        assert_eq!(all.len(), 5);
        let last = all.last().unwrap();
        assert_eq!((last.text.as_str(), last.info.title.as_str()), ("ONE\n\ntwo\n\nthree\n\nBo was here.\n", "Bo 0"));
    }
}

#[test]
fn a_key_is_not_taken_for_another_write() {
    let documents = plans(MemoryStore::new());
    let id = wait(documents.create("Plan", "one\n", keyed("a"))).unwrap().snapshot.info.document;
    let other = wait(documents.create("Other", "one\n", Write::default())).unwrap().snapshot.info.document;
    wait(documents.save(&id, Change::text(1, "two\n"), keyed("b"))).unwrap();
    wait(documents.append(&id, "three", keyed("c"))).unwrap();
    for refused in [
        wait(documents.create("Third", "one\n", keyed("a"))),
        wait(documents.create("Plan", "words that nobody has seen", keyed("a"))),
        wait(documents.save(&id, Change::text(3, "words that nobody has seen"), keyed("b"))),
        wait(documents.save(&id, Change::text(1, "words that nobody has seen"), keyed("b"))),
        wait(documents.save(&other, Change::text(1, "two\n"), keyed("b"))),
        wait(documents.append(&id, "words that nobody has seen", keyed("c"))),
        wait(documents.append(&id, "three", keyed("b"))),
        wait(documents.append(&other, "three", keyed("c"))),
        wait(documents.save(&id, Change::text(1, "two\n"), Write { by: Some(bo()), ..keyed("b") })),
    ] {
        assert_eq!(reason(refused), Reason::Conflict);
    }
    assert_eq!(all_versions(&documents, &id).len(), 3);
    assert_eq!(all_versions(&documents, &other).len(), 1);
}

#[test]
fn twenty_writers_at_once() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let store = Faulty::over(MemoryStore::new());
        let lines: String = (0..20).map(|n| format!("line {n}\n\n")).collect();
        let documents = plans(store.clone());
        let id = wait(documents.create("Plan", &lines, Write::default())).unwrap().snapshot.info.document;
        let (id, documents) = (id.as_str(), &documents);
        let writers = (0..20)
            .map(|n| {
                let text = lines.replace(&format!("line {n}\n"), &format!("line {n} by writer {n}\n"));
                let save = async move {
                    let author = Author::person(format!("person:{n}"), format!("Writer {n}"));
                    documents.save(id, Change::text(1, text), by(&author)).await.unwrap().snapshot.info.version
                };
                Box::pin(save) as Running<'_, u32>
            })
            .collect();
        let mut versions = together(&mut random, writers);
        versions.sort_unstable();
        assert_eq!(versions, (2..=21).collect::<Vec<_>>(), "seed {seed}");
        let all = all_versions(documents, id);
        for n in 0..20 {
            assert!(all[20].text.contains(&format!("line {n} by writer {n}\n")), "seed {seed}");
        }
    }
}

#[test]
fn what_the_store_says_reaches_the_caller() {
    for reason_given in StoreReason::ALL {
        if matches!(reason_given, StoreReason::Conflict | StoreReason::Exists | StoreReason::TitleTaken) {
            continue;
        }
        let store = Faulty::over(MemoryStore::new());
        let documents = plans(store.clone());
        let id = three_versions(&documents);
        store.next(&[Fault::Refused(reason_given)]);
        let refused = wait(documents.save(&id, Change::text(3, "x"), Write::default()));
        assert_eq!(reason(refused), reason_given.reason());
        assert_eq!(all_versions(&documents, &id).len(), 3);
    }
    // A store that never lets anyone win is given up.
    let store = Faulty::over(MemoryStore::new());
    let documents = plans(store.clone());
    let id = three_versions(&documents);
    store.next(&[Fault::Refused(StoreReason::Conflict); 1000]);
    assert_eq!(reason(wait(documents.save(&id, Change::text(3, "x"), Write::default()))), Reason::Conflict);
}

#[test]
fn random_saves_lose_nothing_and_repeat_as_one() {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let store = Faulty::over(MemoryStore::new());
        let documents = plans(store.clone());
        let start: String = (0..12).map(|n| format!("paragraph {n}\n\n")).collect();
        let id = wait(documents.create("Plan", &start, Write::default())).unwrap().snapshot.info.document;
        // Each writer adds sentinels of their own to a version they read; some answers are lost.
        let mut accepted: Vec<(String, Change, Saved)> = Vec::new();
        for step in 0..25 {
            let newest = wait(documents.read(&id, None)).unwrap().info.version;
            let base = 1 + random.below(newest as usize) as u32;
            let read = wait(documents.read(&id, Some(base))).unwrap().text;
            let sentinel = format!("⟨{seed}.{step}⟩");
            let mut lines: Vec<String> = read.lines().map(str::to_owned).collect();
            let at = random.below(lines.len());
            match random.below(3) {
                0 => lines[at].push_str(&sentinel),
                1 => lines.insert(at, sentinel.clone()),
                _ => lines.splice(at..at, [String::new(), sentinel.clone(), String::new()]).for_each(drop),
            }
            let change = Change::text(base, lines.join("\n") + "\n");
            if random.once_in(3) {
                store.next(&[*random.pick(&[Fault::Before, Fault::After, Fault::Late])]);
            }
            match wait(documents.save(&id, change.clone(), Write::default())) {
                Ok(saved) => {
                    assert!(saved.snapshot.text.contains(&sentinel), "seed {seed}, step {step}");
                    assert_eq!(splice(change.text.as_ref().unwrap(), &saved.splices), saved.snapshot.text);
                    accepted.push((sentinel, change, saved));
                }
                Err(SaveRefused::Clash { clash, head }) => {
                    let all = clash.clashes.iter().map(|_| Choice::Both).collect::<Vec<_>>();
                    let text = resolve(&clash, &all);
                    assert!(text.contains(&sentinel), "seed {seed}, step {step}: a clash keeps both");
                    for (other, ..) in &accepted {
                        assert!(!head.text.contains(other) || text.contains(other), "seed {seed}, step {step}");
                    }
                }
                Err(SaveRefused::Refused(refused)) => panic!("seed {seed}, step {step}: {refused:?}"),
            }
        }
        // Nothing that was accepted is lost: nobody deleted anything.
        let all = all_versions(&documents, &id);
        assert_eq!(all.len(), accepted.len() + 1, "seed {seed}");
        for (sentinel, change, saved) in &accepted {
            assert_eq!(all.last().unwrap().text.matches(sentinel.as_str()).count(), 1, "seed {seed} {sentinel}");
            let again = wait(documents.save(&id, change.clone(), Write::default())).unwrap();
            assert_eq!(again, *saved, "seed {seed}: the same save, the same answer");
        }
        assert_eq!(all_versions(&documents, &id).len(), all.len(), "seed {seed}");
    }
}
