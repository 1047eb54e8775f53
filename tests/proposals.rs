//! Proposals: an agent proposes, a person decides, and exactly what was accepted becomes one version, in its place or not
//! at all.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed expectation is a failed test")]

mod generate;
mod support;

use std::collections::BTreeMap;

use countersign::change::edits::Edit;
use countersign::change::proposal::{Proposal, ProposalState, ProposedChange};
use countersign::change::{Splice, splice};
use countersign::history::{
    Change, Decide, MemoryStore, Propose, ProposeRefused, Store, VersionKind, Which, Withdraw, Write,
};
use countersign::{Reason, Refused};
use generate::Random;
use support::*;

const TEXT: &str = "# Launch\n\nRecord the trailer on Monday.\n\nReview the page.\n\nSend 42,000 invitations.\n";

fn edit(find: &str, replace: &str) -> Edit {
    Edit { find: find.into(), replace: replace.into(), block: None }
}

fn edits(document: &str, edits: &[(&str, &str)]) -> ProposedChange {
    let edits = edits.iter().map(|(find, replace)| edit(find, replace)).collect();
    ProposedChange::Edits { document: document.into(), edits }
}

fn three(document: &str) -> ProposedChange {
    edits(document, &[("Monday", "Friday"), ("the page", "the page\ntwice"), ("42,000", "4,200")])
}

/// A store that holds proposals, and one that does not.
fn stores() -> [Faulty; 2] {
    [Faulty::over(MemoryStore::new()), Faulty::over(MemoryStore::without_proposals())]
}

fn with_document<S: Store>(store: S, text: &str) -> (Plans<S>, String) {
    let documents = plans(store);
    let id = wait(documents.create("Launch plan", text, Write::default())).unwrap().snapshot.info.document;
    (documents, id)
}

fn propose<S: Store>(documents: &Plans<S>, change: ProposedChange) -> Proposal {
    wait(documents.propose(change, Propose { summary: Some("Dates".into()), ..Propose::by(north()) })).unwrap()
}

fn decide<S: Store>(documents: &Plans<S>, proposal: &Proposal, accepted: &[usize]) -> Result<Proposal, Refused> {
    wait(documents.decide(&proposal.id, accepted, Decide::default()))
}

fn stored<S: Store>(documents: &Plans<S>, proposal: &Proposal) -> Proposal {
    let which = Which { id: Some(proposal.id.clone()), ..Which::default() };
    wait(documents.proposals(which)).unwrap().remove(0)
}

fn text<S: Store>(documents: &Plans<S>, id: &str) -> String {
    wait(documents.read(id, None)).unwrap().text
}

fn answer(proposal: &Proposal) -> &str {
    &proposal.answer.as_ref().unwrap().text
}

#[test]
fn accepted_whole_in_part_or_not() {
    for (accepted, state, expected, words) in [
        (
            &[0, 1, 2][..],
            ProposalState::Accepted,
            TEXT.replace("Monday", "Friday").replace("the page", "the page\ntwice").replace("42,000", "4,200"),
            "Ana accepted all 3 changes. Saved as version 2. Ana says: “Thanks!”",
        ),
        (
            &[2, 0, 2][..],
            ProposalState::Partly,
            TEXT.replace("Monday", "Friday").replace("42,000", "4,200"),
            "Ana accepted changes 1 and 3 and rejected change 2. Saved as version 2. Ana says: “Thanks!”",
        ),
        (
            &[],
            ProposalState::Rejected,
            TEXT.to_owned(),
            "Ana rejected all 3 changes. Nothing was written. Ana says: “Thanks!”",
        ),
    ] {
        for store in stores() {
            let (documents, id) = with_document(store, TEXT);
            let proposal = propose(&documents, three(&id));
            assert_eq!((proposal.state, proposal.revision, proposal.base), (ProposalState::Open, 1, Some(1)));
            assert_eq!(proposal.hunks.iter().map(|hunk| hunk.edit).collect::<Vec<_>>(), [Some(0), Some(1), Some(2)]);
            assert_eq!(text(&documents, &id), TEXT, "nothing is written yet");
            let options = Decide { note: Some("Thanks!".into()), ..Decide::default() };
            let closed = wait(documents.decide(&proposal.id, accepted, options.clone())).unwrap();
            assert_eq!((closed.state, closed.revision, answer(&closed)), (state, 2, words));
            assert_eq!(text(&documents, &id), expected);
            assert_eq!(stored(&documents, &proposal), closed);
            let all = all_versions(&documents, &id);
            if accepted.is_empty() {
                assert_eq!(all.len(), 1);
            } else {
                let info = &all[1].info;
                assert_eq!(closed.answer.as_ref().unwrap().version, Some(2));
                assert_eq!(
                    (info.kind, &info.by, info.approved_by.as_ref()),
                    (VersionKind::Edit, &north(), Some(&ana()))
                );
                assert_eq!((info.proposal.as_deref(), info.summary.as_deref()), (Some(&*proposal.id), Some("Dates")));
            }
            // The same decision again is the same answer; another one comes too late.
            assert_eq!(wait(documents.decide(&proposal.id, accepted, options)).unwrap(), closed);
            assert_eq!(why(decide(&documents, &proposal, &[1])), Reason::Answered);
            assert_eq!(why(wait(documents.withdraw(&proposal.id, Withdraw::default()))), Reason::Answered);
            assert_eq!(all_versions(&documents, &id).len(), all.len());
        }
    }
}

#[test]
fn each_kind_of_change() {
    for store in stores() {
        let (documents, id) = with_document(store, TEXT);
        // An append goes to the end of whatever is newest.
        let append = propose(&documents, ProposedChange::Append { document: id.clone(), text: "Done.".into() });
        assert_eq!((append.hunks.len(), append.hunks[0].splice.text.as_str()), (1, "\nDone."));
        let more = format!("{TEXT}\nBo was here.\n");
        wait(documents.save(&id, Change::text(1, more.clone()), Write::default())).unwrap();
        decide(&documents, &append, &[0]).unwrap();
        assert_eq!(text(&documents, &id), format!("{more}\nDone."));
        // A rewrite is one hunk per run of changed lines, and one for the title.
        let new =
            text(&documents, &id).replace("Monday", "Friday").replace("\nBo was here.\n", "").replace("Done.", "");
        let title = Some("Launch".to_owned());
        let rewrite = propose(&documents, ProposedChange::Rewrite { document: id.clone(), text: new.clone(), title });
        assert_eq!(rewrite.hunks.iter().map(|hunk| hunk.title).collect::<Vec<_>>(), [false, false, true]);
        let partly = decide(&documents, &rewrite, &[0]).unwrap();
        assert_eq!(partly.state, ProposalState::Partly);
        let head = wait(documents.read(&id, None)).unwrap();
        assert_eq!((head.info.title.as_str(), head.info.kind), ("Launch plan", VersionKind::Write));
        assert!(head.text.contains("Friday") && head.text.contains("Bo was here."));
        let rename =
            ProposedChange::Rewrite { document: id.clone(), text: head.text.clone(), title: Some("Plan B".into()) };
        let rename = propose(&documents, rename);
        assert_eq!(rename.hunks.len(), 1);
        decide(&documents, &rename, &[0]).unwrap();
        assert_eq!(wait(documents.read("Plan B", None)).unwrap().text, head.text);
        // A new document.
        let new = propose(&documents, ProposedChange::New { title: " Notes ".into(), text: "One.\n".into() });
        assert_eq!((new.document.as_deref(), new.base, new.title.as_str(), new.hunks.len()), (None, None, "Notes", 1));
        assert_eq!(why(wait(documents.read("Notes", None))), Reason::NotFound);
        let closed = decide(&documents, &new, &[0]).unwrap();
        let notes = wait(documents.read("Notes", None)).unwrap();
        assert_eq!((notes.info.kind, notes.info.version, notes.text.as_str()), (VersionKind::Create, 1, "One.\n"));
        assert_eq!(closed.document.as_ref(), Some(&notes.info.document));
        assert_eq!(notes.info.approved_by, Some(ana()));
    }
}

#[test]
fn refused_before_anyone_sees_it() {
    let (documents, id) = with_document(MemoryStore::new(), TEXT);
    let refused = |change| -> ProposeRefused { wait(documents.propose(change, Propose::by(north()))).unwrap_err() };
    let failing = refused(edits(&id, &[("Monday", "Friday"), ("nowhere", "x"), ("the ", "x")]));
    assert_eq!(failing.refusals.iter().map(|r| r.reason).collect::<Vec<_>>(), [Reason::NotFound, Reason::Ambiguous]);
    for (change, reason) in [
        (edits("elsewhere", &[("a", "b")]), Reason::NotFound),
        (ProposedChange::Append { document: id.clone(), text: " \n".into() }, Reason::NoChange),
        (ProposedChange::Rewrite { document: id.clone(), text: TEXT.into(), title: None }, Reason::NoChange),
        (
            ProposedChange::Rewrite { document: id.clone(), text: TEXT.into(), title: Some("a\nb".into()) },
            Reason::BadTitle,
        ),
        (ProposedChange::New { title: "launch PLAN".into(), text: String::new() }, Reason::TitleTaken),
    ] {
        assert_eq!(refused(change).refused.reason, reason);
    }
    let future = Propose { base: Some(7), ..Propose::by(north()) };
    assert_eq!(wait(documents.propose(three(&id), future)).unwrap_err().refused.reason, Reason::NoSuchVersion);
    let small = plans(documents.store().clone()).with_max_bytes(TEXT.len() + 3);
    let long = ProposedChange::Append { document: id.clone(), text: "long".into() };
    assert_eq!(wait(small.propose(long, Propose::by(north()))).unwrap_err().refused.reason, Reason::TooLarge);
    assert!(wait(documents.proposals(Which::default())).unwrap().is_empty());
}

#[test]
fn only_a_person_decides() {
    for store in stores() {
        let (documents, id) = with_document(store, TEXT);
        let proposal = propose(&documents, three(&id));
        let by_agent = Decide { by: Some(north()), ..Decide::default() };
        assert_eq!(why(wait(documents.decide(&proposal.id, &[0], by_agent))), Reason::Denied);
        assert_eq!(why(decide(&documents, &proposal, &[3])), Reason::BadRange);
        assert_eq!(why(wait(documents.decide("p-none", &[0], Decide::default()))), Reason::NotFound);
        let south = countersign::history::Author::agent("agent:south", "South", &bo());
        let by_other = Withdraw { by: Some(south), note: None };
        assert_eq!(why(wait(documents.withdraw(&proposal.id, by_other))), Reason::Denied);
        assert_eq!(stored(&documents, &proposal), proposal);
        let by_itself = Withdraw { by: Some(north()), note: Some("Too early".into()) };
        let closed = wait(documents.withdraw(&proposal.id, by_itself.clone())).unwrap();
        assert_eq!(closed.state, ProposalState::Withdrawn);
        assert_eq!(wait(documents.withdraw(&proposal.id, by_itself)).unwrap(), closed);
        assert_eq!(why(decide(&documents, &proposal, &[0])), Reason::Answered);
        assert_eq!(text(&documents, &id), TEXT);
    }
}

#[test]
fn amended_by_the_person() {
    for store in stores() {
        let (documents, id) = with_document(store, &TEXT.replace('\n', "\r\n"));
        let proposal = propose(&documents, three(&id));
        // An amendment of what is not accepted counts for nothing; line breaks are the document's.
        let amended = BTreeMap::from([(0, "Sunday".to_owned()), (1, "the page,\nslowly".to_owned())]);
        let options = Decide { amended, ..Decide::default() };
        let closed = wait(documents.decide(&proposal.id, &[1], options.clone())).unwrap();
        assert_eq!(text(&documents, &id), TEXT.replace("the page", "the page,\nslowly").replace('\n', "\r\n"));
        assert_eq!(
            answer(&closed),
            "Ana accepted change 2 and rejected changes 1 and 3. Saved as version 2. Ana changed change 2 to: “the page,\nslowly”"
        );
        assert_eq!(closed.answer.as_ref().unwrap().amended.len(), 1);
        assert_eq!(wait(documents.decide(&proposal.id, &[1], options)).unwrap(), closed);
        assert_eq!(why(decide(&documents, &proposal, &[1])), Reason::Answered, "the same hunks, not the same text");
        // Amended to what is there already: closed, and nothing is written.
        let same = propose(&documents, edits(&id, &[("Monday", "Friday")]));
        let options = Decide { amended: BTreeMap::from([(0, "Monday".to_owned())]), ..Decide::default() };
        let closed = wait(documents.decide(&same.id, &[0], options)).unwrap();
        assert_eq!(closed.answer.as_ref().unwrap().version, None);
        assert_eq!(all_versions(&documents, &id).len(), 2);
    }
}

#[test]
fn a_persons_version_in_between() {
    // Elsewhere: in its place, even where the same words stand twice by now, and blocks have moved.
    for (save, expected) in [
        (
            "Record no fiddle on Monday.\n\n# Launch\n\nRecord the trailer on Monday.\n\nReview the page.\n\nSend 42,000 invitations.\n",
            "Record no fiddle on Monday.\n\n# Launch\n\nRecord the trailer on Friday.\n\nReview the page.\n\nSend 42,000 invitations.\n",
        ),
        (
            "Send 42,000 invitations.\n\n# Launch\n\nRecord the trailer on Monday.\n\nMonday!\n",
            "Send 42,000 invitations.\n\n# Launch\n\nRecord the trailer on Friday.\n\nMonday!\n",
        ),
        (
            "# Launch\n\nWe record the trailer on Monday, early.\n",
            "# Launch\n\nWe record the trailer on Friday, early.\n",
        ),
    ] {
        for store in stores() {
            let (documents, id) = with_document(store, TEXT);
            let proposal = propose(&documents, edits(&id, &[("Monday", "Friday")]));
            wait(documents.save(&id, Change::text(1, save), Write::default())).unwrap();
            assert_eq!(wait(documents.misfits(&proposal)).unwrap(), [] as [usize; 0]);
            let closed = decide(&documents, &proposal, &[0]).unwrap();
            assert_eq!((closed.state, text(&documents, &id)), (ProposalState::Accepted, expected.to_owned()));
            let version = wait(documents.read(&id, None)).unwrap().info;
            assert_eq!((version.version, version.started_from), (3, Some(1)));
        }
    }
    // On the span: stale, stored, nothing else written, both told.
    for store in stores() {
        let (documents, id) = with_document(store, TEXT);
        let proposal = propose(&documents, three(&id));
        let save = TEXT.replace("Monday", "Tuesday");
        wait(documents.save(&id, Change::text(1, save.clone()), Write::default())).unwrap();
        assert_eq!(wait(documents.misfits(&proposal)).unwrap(), [0]);
        let refused = decide(&documents, &proposal, &[0, 2]).unwrap_err();
        assert_eq!(refused.reason, Reason::Stale);
        assert_eq!(
            refused.message,
            "Nothing was written: the text of change 1 has changed since version 1. Ask for a new proposal."
        );
        let stale = stored(&documents, &proposal);
        assert_eq!(stale.state, ProposalState::Stale);
        assert!(answer(&stale).starts_with("Ana accepted, but the text of change 1 has changed since version 1."));
        assert_eq!((text(&documents, &id), all_versions(&documents, &id).len()), (save, 2));
        assert_eq!(why(decide(&documents, &proposal, &[2])), Reason::Stale);
        // Without what changed it would have fitted; a new proposal does.
        let again = propose(&documents, edits(&id, &[("42,000", "4,200")]));
        decide(&documents, &again, &[0]).unwrap();
    }
    // On a deleted document.
    for store in stores() {
        let (documents, id) = with_document(store, TEXT);
        let proposal = propose(&documents, ProposedChange::Append { document: id.clone(), text: "x".into() });
        wait(documents.remove(&id, Write::default())).unwrap();
        assert_eq!(why(decide(&documents, &proposal, &[0])), Reason::Stale);
        assert_eq!(stored(&documents, &proposal).state, ProposalState::Stale);
    }
}

#[test]
fn insertions_need_their_neighbours() {
    let base = "one\n\ntwo\n\nthree\n";
    for (save, expected) in [
        ("zero\n\none\n\ntwo\n\nthree\n", Some("zero\n\none\n\ntwo\n\nnew\n\nthree\n")),
        ("ONE\n\ntwo\n\nthree\n\nfour\n", Some("ONE\n\ntwo\n\nnew\n\nthree\n\nfour\n")),
        ("one\n\ntwo\n\nbo\n\nthree\n", None),
        ("one\n\ntwo\n\nTHREE\n", None),
        ("one\n\ntwo\nthree\n", None),
    ] {
        for store in stores() {
            let (documents, id) = with_document(store, base);
            let new = "one\n\ntwo\n\nnew\n\nthree\n";
            let proposal =
                propose(&documents, ProposedChange::Rewrite { document: id.clone(), text: new.into(), title: None });
            assert!(proposal.hunks[0].splice.range.is_empty());
            wait(documents.save(&id, Change::text(1, save), Write::default())).unwrap();
            let decided = decide(&documents, &proposal, &[0]);
            match expected {
                Some(expected) => assert_eq!(decided.map(|_| text(&documents, &id)), Ok(expected.to_owned())),
                None => {
                    assert_eq!((why(decided), text(&documents, &id)), (Reason::Stale, save.to_owned()), "{save:?}");
                }
            }
        }
    }
}

#[test]
fn two_proposals_on_one_document() {
    for store in stores() {
        let (documents, id) = with_document(store, TEXT);
        let (first, second) =
            (propose(&documents, three(&id)), propose(&documents, edits(&id, &[("Review", "Check")])));
        let same = propose(&documents, edits(&id, &[("on Monday", "soon")]));
        decide(&documents, &first, &[0, 1, 2]).unwrap();
        decide(&documents, &second, &[0]).unwrap();
        assert!(text(&documents, &id).contains("Check the page\ntwice."));
        assert_eq!(why(decide(&documents, &same, &[0])), Reason::Stale);
        let open = |open| wait(documents.proposals(Which { open, ..Which::default() })).unwrap().len();
        assert_eq!((open(Some(true)), open(Some(false)), open(None)), (0, 3, 3));
    }
}

#[test]
fn the_same_call_twice_is_one_proposal() {
    for store in stores() {
        let (documents, id) = with_document(store.clone(), TEXT);
        let keyed = || Propose { key: Some("call-1".into()), ..Propose::by(north()) };
        store.next(&[Fault::After]);
        let proposal = wait(documents.propose(three(&id), keyed())).unwrap();
        wait(documents.save(&id, Change::text(1, "Something else.\n"), Write::default())).unwrap();
        assert_eq!(
            wait(documents.propose(three(&id), keyed())).unwrap(),
            proposal,
            "though it would be refused by now"
        );
        let other = wait(documents.propose(edits(&id, &[("else", "x")]), keyed())).unwrap_err();
        assert_eq!(other.refused.reason, Reason::Conflict);
        let closed = decide(&documents, &proposal, &[]).unwrap();
        assert_eq!(wait(documents.propose(three(&id), keyed())).unwrap(), closed);
        assert_eq!(wait(documents.proposals(Which::default())).unwrap().len(), 1);
    }
}

#[test]
fn a_decision_whose_answer_was_lost() {
    use Fault::*;
    let faults: [&[Fault]; 7] = [
        &[Before],
        &[After],
        &[After, Before],
        &[Before, Late, After],
        &[After, After, After],
        &[After, Before, Before],
        &[Before, Before, Before],
    ];
    for faults in faults {
        for accepted in [&[0, 1, 2][..], &[0], &[]] {
            for how in 0..4 {
                for store in stores() {
                    // A rejection is no commit: where the store holds no proposals, nothing is sent.
                    let (documents, id) = with_document(store.clone(), TEXT);
                    let proposal = propose(&documents, three(&id));
                    let case = format!("{faults:?} {accepted:?} {how} {}", store.holds_proposals());
                    store.next(faults);
                    let first = decide(&documents, &proposal, accepted);
                    store.next(&[]);
                    let made = all_versions(&documents, &id).len() == 2;
                    match how {
                        // Others save meanwhile: elsewhere, or on what was changed.
                        0 if made || !accepted.is_empty() => {
                            let head = wait(documents.read(&id, None)).unwrap();
                            let save = Change::text(head.info.version, format!("{}\nBo.\n", head.text));
                            wait(plans_of(store.inner.clone(), bo(), 900).save(&id, save, Write::default())).unwrap();
                        }
                        1 if made => {
                            let save = Change::text(2, "Bo replaced all.\n");
                            wait(plans_of(store.inner.clone(), bo(), 900).save(&id, save, Write::default())).unwrap();
                        }
                        // Someone decides otherwise: whatever was written first stands.
                        2 => {
                            let other = decide(&documents, &proposal, &[1]);
                            let closed = stored(&documents, &proposal);
                            let answer = closed.answer.as_ref().unwrap();
                            if made || (accepted.is_empty() && first.is_ok()) {
                                assert_eq!(why(other), Reason::Answered, "{case}");
                                assert_eq!(answer.accepted, accepted, "{case}");
                            }
                            let versions = all_versions(&documents, &id);
                            assert_eq!(versions.len(), 1 + usize::from(!answer.accepted.is_empty()), "{case}");
                            continue;
                        }
                        _ => {}
                    }
                    let second = decide(&documents, &proposal, accepted).unwrap_or_else(|r| panic!("{case}: {r:?}"));
                    if let Ok(first) = first {
                        assert_eq!(first, second, "{case}");
                    }
                    assert_eq!(second.answer.as_ref().unwrap().accepted, accepted, "{case}");
                    let own = |v: &&countersign::history::Snapshot| v.info.proposal.is_some();
                    let all = all_versions(&documents, &id);
                    let own: Vec<_> = all.iter().filter(own).collect();
                    assert_eq!(own.len(), usize::from(!accepted.is_empty()), "{case}");
                    let version = second.answer.as_ref().unwrap().version;
                    assert_eq!(own.first().map(|v| v.info.version), version, "{case}");
                    assert_eq!(stored(&documents, &proposal), second, "{case}");
                }
            }
        }
    }
}

#[test]
fn an_acceptance_and_a_withdrawal_at_once() {
    let mut won = [0; 2];
    for seed in 0..400 {
        let mut random = Random::new(seed);
        for store in stores() {
            let (documents, id) = with_document(store.clone(), TEXT);
            let proposal = propose(&documents, three(&id));
            if random.once_in(4) {
                store.next(&[*random.pick(&[Fault::Before, Fault::After])]);
            }
            let (documents, id) = (&documents, id.as_str());
            let (p, q) = (&proposal, &proposal);
            let racing: Vec<Running<'_, Result<Proposal, Refused>>> = vec![
                Box::pin(documents.decide(&p.id, &[0, 2], Decide::default())),
                Box::pin(documents.withdraw(&q.id, Withdraw { by: Some(north()), note: None })),
                // Another person decides otherwise, and one more saves.
                Box::pin(documents.decide(&q.id, &[1], Decide { by: Some(bo()), ..Decide::default() })),
                Box::pin(async move {
                    let save = Change::text(1, format!("{TEXT}\nCy.\n"));
                    let _ = documents.save(id, save, Write { by: Some(bo()), ..Write::default() }).await;
                    Err(Refused::new(Reason::Gone, "no decision"))
                }),
            ];
            let results = together(&mut random, racing);
            let winners: Vec<_> = results.iter().flatten().collect();
            assert_eq!(winners.len(), 1, "seed {seed}: {results:?}");
            let closed = stored(documents, &proposal);
            assert_eq!(*winners[0], closed, "seed {seed}");
            let all = all_versions(documents, id);
            let made = all.iter().filter(|version| version.info.proposal.is_some()).count();
            assert_eq!(made, usize::from(closed.state == ProposalState::Partly), "seed {seed}");
            assert!(all.last().unwrap().text.contains("Cy."), "seed {seed}");
            for lost in results.iter().filter_map(|result| result.as_ref().err()) {
                assert!(
                    matches!(lost.reason, Reason::Answered | Reason::Conflict | Reason::Gone),
                    "seed {seed}: {lost:?}"
                );
            }
            won[usize::from(closed.state == ProposalState::Withdrawn)] += 1;
        }
    }
    assert!(won.iter().all(|count| *count > 20), "both win at times: {won:?}");
}

#[test]
fn a_taken_title_leaves_it_open() {
    for store in stores() {
        let (documents, id) = with_document(store, TEXT);
        let new = propose(&documents, ProposedChange::New { title: "Notes".into(), text: "One.\n".into() });
        let other = wait(documents.create("notes", "Two.\n", Write::default())).unwrap().snapshot.info.document;
        assert_eq!(why(decide(&documents, &new, &[0])), Reason::TitleTaken);
        assert_eq!(stored(&documents, &new), new);
        wait(documents.remove(&other, Write::default())).unwrap();
        decide(&documents, &new, &[0]).unwrap();
        assert_eq!(wait(documents.read("Notes", None)).unwrap().text, "One.\n");
        let _ = id;
    }
}

// Laws.

/// How many cases a law runs: `COUNTERSIGN_CASES` times as many, where it is set.
fn seeds(usual: u64) -> u64 {
    let times = std::env::var("COUNTERSIGN_CASES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    usual * times
}

/// A text of lines, each of words that occur once in it, with blank lines between some.
fn unique_text(random: &mut Random) -> Vec<Vec<String>> {
    let mut word = 0;
    let mut lines = Vec::new();
    for _ in 0..2 + random.below(8) {
        let mut line = Vec::new();
        for _ in 0..1 + random.below(7) {
            word += 1;
            line.push(format!("w{word}"));
        }
        lines.push(line);
        if random.once_in(2) {
            lines.push(Vec::new());
        }
    }
    lines
}

fn join(lines: &[Vec<String>]) -> String {
    lines.iter().map(|line| line.join(" ") + "\n").collect()
}

/// A random change of `base`, and the splices that it makes.
fn random_change(random: &mut Random, id: &str, lines: &[Vec<String>]) -> ProposedChange {
    let base = join(lines);
    match random.below(3) {
        0 => {
            let mut new = lines.to_vec();
            for n in 0..1 + random.below(4) {
                let at = random.below(new.len());
                match random.below(3) {
                    0 => new.insert(at, vec![format!("n{n}"), "new".into()]),
                    1 if new.len() > 1 => drop(new.remove(at)),
                    _ => new[at].push(format!("n{n}")),
                }
            }
            ProposedChange::Rewrite { document: id.into(), text: join(&new), title: None }
        }
        _ => {
            let words: Vec<&String> = lines.iter().flatten().collect();
            let mut list = Vec::new();
            let mut at = random.below(3);
            while at < words.len() && list.len() < 5 {
                // One word, or a stretch that may cross lines.
                let last = (at + random.below(3)).min(words.len() - 1);
                let start = base.find(&format!("{}{}", words[at], if at + 1 == words.len() { "\n" } else { "" }));
                let start = start.filter(|s| !base[s + words[at].len()..].starts_with(|c: char| c.is_ascii_digit()));
                let end = base.rfind(words[last].as_str()).map(|s| s + words[last].len());
                if let (Some(start), Some(end)) = (start, end)
                    && start < end
                    && base.matches(&base[start..end]).count() == 1
                {
                    let new: &str = random.pick::<&str>(&["X", "", "X\nY", "X w1"]);
                    list.push(edit(&base[start..end], new));
                }
                at = last + 1 + random.below(4);
            }
            if list.is_empty() {
                list.push(edit(&base, "X\n"));
            }
            ProposedChange::Edits { document: id.into(), edits: list }
        }
    }
}

fn accepted_splices(proposal: &Proposal, accepted: &[usize]) -> Vec<Splice> {
    accepted.iter().map(|hunk| proposal.hunks[*hunk].splice.clone()).collect()
}

#[test]
fn any_subset_is_exactly_its_splices() {
    for seed in 0..seeds(3000) {
        let mut random = Random::new(seed);
        let lines = unique_text(&mut random);
        let base = join(&lines);
        let (documents, id) = with_document(MemoryStore::new(), &base);
        let change = random_change(&mut random, &id, &lines);
        let Ok(proposal) = wait(documents.propose(change.clone(), Propose::by(north()))) else { continue };
        let all: Vec<usize> = (0..proposal.hunks.len()).collect();
        let subset: Vec<usize> = all.iter().copied().filter(|_| random.once_in(2)).collect();
        let expected = splice(&base, &accepted_splices(&proposal, &subset));
        decide(&documents, &proposal, &subset).unwrap();
        assert_eq!(text(&documents, &id), expected, "seed {seed}");
        // All of it is the proposed text, also one by one in any order, as proposals of their own on the same base.
        let whole = splice(&base, &accepted_splices(&proposal, &all));
        if let ProposedChange::Rewrite { text, .. } = &change {
            assert_eq!(whole, *text, "seed {seed}");
        }
        if let ProposedChange::Edits { edits: list, .. } = &change {
            assert_eq!(all.len(), list.len(), "seed {seed}: one hunk per edit");
            for hunk in &proposal.hunks {
                let edit = &list[hunk.edit.unwrap()];
                assert_eq!((&base[hunk.splice.range.clone()], &hunk.splice.text), (edit.find.as_str(), &edit.replace));
            }
        }
    }
}

/// A word, and the word of the base that it is, if it is one. Moved words stay what they are; copies are new.
type Token = (String, Option<usize>);

#[test]
fn after_random_edits_in_its_place_or_stale() {
    let mut outcomes = [0usize; 3];
    for seed in 0..seeds(6000) {
        let mut random = Random::new(seed);
        let lines = unique_text(&mut random);
        let base = join(&lines);
        let (documents, id) = with_document(MemoryStore::new(), &base);
        // One edit of one word, whose neighbours are the sentinels.
        let words: Vec<&String> = lines.iter().flatten().collect();
        let target = random.below(words.len());
        let word = words[target].clone();
        let unique = base.split_whitespace().filter(|found| found.contains(word.as_str())).count() == 1;
        if !unique {
            continue;
        }
        let proposal = propose(&documents, edits(&id, &[(&word, "CHANGED")]));
        // What others do: with each word's origin known.
        let mut next = 0;
        let mut head: Vec<Vec<Token>> = Vec::new();
        for line in &lines {
            head.push(
                line.iter()
                    .map(|word| {
                        (word.clone(), {
                            next += 1;
                            Some(next - 1)
                        })
                    })
                    .collect(),
            );
        }
        let mut fresh = 0;
        let mut new_word = || {
            fresh += 1;
            (format!("z{fresh}"), None)
        };
        for _ in 0..1 + random.below(6) {
            let at = random.below(head.len());
            let within = random.below(head[at].len() + 1);
            match random.below(9) {
                // The same word in other company.
                0 => {
                    let copy = vec![new_word(), (word.clone(), None), new_word()];
                    head.insert(at, copy);
                }
                1 => {
                    let copy = [new_word(), (word.clone(), None), new_word()];
                    head[at].splice(within..within, copy).for_each(drop);
                }
                2 => {
                    let new = vec![new_word(), new_word()];
                    head.insert(at, new);
                }
                3 => head[at].insert(within, new_word()),
                // What stands beside a copy stays: without it, nobody could tell the copy from the word.
                4 if head[at].get(within).is_some_and(|(_, from)| from.is_some()) => drop(head[at].remove(within)),
                5 if head[at].get(within).is_some_and(|(_, from)| from.is_some()) => head[at][within] = new_word(),
                6 if head.len() > 2 => drop(head.remove(at)),
                7 => {
                    let line = head.remove(at);
                    let to = random.below(head.len() + 1);
                    head.insert(to, line);
                }
                _ => head.insert(at, Vec::new()),
            }
        }
        let now: String = head
            .iter()
            .map(|line| line.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" ") + "\n")
            .collect();
        wait(documents.save(&id, Change::text(1, now.clone()), Write::default())).unwrap();
        match decide(&documents, &proposal, &[0]) {
            Ok(_) => {
                outcomes[0] += 1;
                let origin =
                    |(word, from): &Token| if *from == Some(target) { "CHANGED".to_owned() } else { word.clone() };
                let expected: String =
                    head.iter().map(|line| line.iter().map(origin).collect::<Vec<_>>().join(" ") + "\n").collect();
                assert_eq!(text(&documents, &id), expected, "seed {seed}: {word} in {base:?}\nnow {now:?}");
                assert!(expected.contains("CHANGED"));
            }
            Err(refused) => {
                // Stale though the word is still there: too careful, never wrong.
                let there = head.iter().flatten().any(|(_, from)| *from == Some(target));
                outcomes[1 + usize::from(there)] += 1;
                assert_eq!(refused.reason, Reason::Stale, "seed {seed}");
                assert_eq!(text(&documents, &id), now, "seed {seed}");
            }
        }
    }
    let [carried, gone, careful] = outcomes;
    println!("carried {carried}, stale as its text went {gone}, stale out of care {careful}");
    assert!(careful * 5 < carried, "carried {carried}, stale out of care {careful}");
}
