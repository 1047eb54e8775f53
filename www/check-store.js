// `checkStore`: what every DocumentStore must do, written once. It runs against the memory store in Node, against IndexedDB
// in a page, against a host's own store, and against broken stores, which must fail here. Nothing but the contract's own
// interface is used. A case gets `store`, and `other`: a second handle on the same contents, as another tab has.

/** @typedef {import("./core.js").DocumentStore} DocumentStore */
/** @typedef {import("./core.js").Author} Author */
/** @typedef {import("./core.js").Commit} Commit */
/** @typedef {import("./core.js").VersionInfo} VersionInfo */
/** @typedef {import("./core.js").Proposal} Proposal */
/** @typedef {Parameters<Parameters<NonNullable<DocumentStore["watch"]>>[1]>[0]} Change */
/** @typedef {{ store: DocumentStore, other?: DocumentStore, done?: () => unknown }} Made */
/** @typedef {{ name: string, run: (store: DocumentStore, other: DocumentStore) => Promise<void> }} Case */

/** @type {Author} */
export const ana = { id: "person:ana", kind: "person", name: "Ana" };
/** @type {Author} */
export const north = { id: "agent:north", kind: "agent", name: "North", for: { id: "person:ana", name: "Ana" } };

let count = 0;
/** A name that no case has used. @param {string} word */
export const fresh = (word) => `${word}-${++count}`;
/** @param {string} text */
const bytesOf = (text) => new TextEncoder().encode(text).length;

/**
 * A commit as `Documents` sends it; what a case cares about is given.
 * @param {{ document: string, head?: number | null, text?: string, title?: string, space?: string, key?: string, titleKey?: string, answers?: Proposal } & Partial<VersionInfo>} given
 * @returns {Commit}
 */
export function commit({ document, head = null, text = "One.\n", title = document, space = "s", ...rest }) {
  const { key = fresh("key"), kind = head === null ? "create" : "edit", at = "2026-11-08T10:44:00Z", answers, titleKey, ...more } = rest;
  const snapshot = {
    document, space, kind, title, by: ana, at, bytes: bytesOf(text), added: 1, removed: 0, opens: "One.", startedFrom: head, key, ...more, text,
  };
  return { head, snapshot, titleKey: titleKey ?? title.trim().toLowerCase(), ...(answers && { answers }) };
}

/** @param {{ id: string, document?: string | null } & Partial<Proposal>} given @returns {Proposal} */
export function proposal({ id, revision = 1, state = "open", document = null, space = "s", ...more }) {
  return {
    id, revision, space, document, title: "Plan", base: document === null ? null : 1,
    change: document === null ? { title: "Plan", text: "Two." } : { document, append: "Two." }, by: north, at: "2026-11-08T10:45:00Z", state,
    hunks: [{
      index: 0, block: 0, before: { line: 1, lines: 0 }, after: { line: 1, lines: 1 }, lines: [{ sign: "+", text: "Two.", words: [[0, 3]] }], notes: [],
      splice: { start: 0, end: 0, text: "Two." },
    }],
    ...more,
  };
}

/** Whether two plain values say the same; a member that is `undefined` counts as absent. @param {any} one @param {any} other @returns {boolean} */
function same(one, other) {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => same(one[name], other[name]));
}

/** @param {unknown} value */
const short = (value) => {
  const text = typeof value === "string" ? JSON.stringify(value) : JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text;
};

/** @param {unknown} got @param {unknown} wanted @param {string} what */
export function equal(got, wanted, what) {
  if (!same(got, wanted)) throw new Error(`${what}: ${short(got)}, not ${short(wanted)}`);
}

/** @param {any} answer @param {string[]} reasons @param {string} what */
export function refused(answer, reasons, what) {
  if (answer?.ok !== false || !reasons.includes(answer.reason)) throw new Error(`${what}: ${short(answer)}, not a refusal for ${reasons.join(" or ")}`);
}

/**
 * The answer, where it is not a refusal.
 * @template {{ ok: boolean }} A @param {A} answer @param {string} what @returns {Extract<A, { ok: true }>}
 */
export function fine(answer, what) {
  if (answer?.ok !== true) throw new Error(`${what}: ${short(answer)}`);
  return /** @type {any} */ (answer);
}

/** @param {DocumentStore} store @param {Parameters<typeof commit>[0]} change */
export const saved = async (store, change) => fine(await store.commit(commit(change)), `saving ${change.document}`).version;
/** @param {DocumentStore} store @param {string} document @param {number} [version] */
export const textOf = async (store, document, version) => fine(await store.read({ space: "s", document, version }), `reading ${document}`).snapshot.text;

/**
 * Waits for what may never come; then it fails by name instead of hanging.
 * @template T @param {Promise<T>} promise @param {string} what @param {number} patience milliseconds @returns {Promise<T>}
 */
export function within(promise, what, patience) {
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  /** @type {Promise<never>} */
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} within ${patience} ms`)), patience);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/**
 * Collects what a watcher hears; `until` resolves when what was heard satisfies the test.
 * @param {DocumentStore} store @param {string} [space]
 */
export function listen(store, space = "s") {
  /** @type {Change[]} */
  const heard = [];
  /** @type {Set<() => void>} */
  const checks = new Set();
  const stop = /** @type {NonNullable<DocumentStore["watch"]>} */ (store.watch)({ space }, (what) => {
    heard.push(what);
    for (const check of [...checks]) check();
  });
  /** @param {(heard: Change[]) => boolean} test @returns {Promise<void>} */
  const until = (test) => new Promise((resolve) => {
    const check = () => {
      if (test(heard) && checks.delete(check)) resolve();
    };
    checks.add(check);
    check();
  });
  return { heard, until, stop };
}

/** @type {Case[]} */
export const cases = [
  {
    name: "an empty store lists nothing and finds nothing",
    async run(store) {
      equal(await store.list({ limit: 10 }), { ok: true, documents: [] }, "list");
      refused(await store.read({ document: "none" }), ["not-found"], "read");
      refused(await store.history({ document: "none", limit: 5 }), ["not-found"], "history");
    },
  },
  {
    name: "a created document is read as it was given",
    async run(store, other) {
      const given = commit({ document: "a", title: "Launch plan", by: north, approvedBy: ana, proposal: "p", summary: "Why" });
      const { text, ...info } = given.snapshot;
      equal(fine(await store.commit(given), "commit").version, { ...info, version: 1 }, "the commit's version");
      equal(fine(await other.read({ space: "s", document: "a" }), "read").snapshot, { ...info, version: 1, text }, "snapshot");
      equal(fine(await other.read({ document: "a", version: 1 }), "read").snapshot.text, text, "by number, without a space");
      equal(fine(await other.list({ space: "s", limit: 5 }), "list").documents, [{ ...info, version: 1 }], "list has no text");
      refused(await store.read({ document: "a", version: 2 }), ["not-found"], "a version that is not there");
    },
  },
  {
    name: "texts keep every byte",
    async run(store, other) {
      const texts = {
        empty: "", crlf: "a\r\nb\rc\n", nul: "a\0b", bom: "\uFEFF# x", nfc: "\u00E9", nfd: "e\u0301", astral: "𝒜👩‍👩‍👧", blanks: " \t\n\n  ", tags: "\u{E0041}\u202E\u200B",
        long: "0123456789abcdef".repeat(4096),
      };
      for (const [document, text] of Object.entries(texts)) await saved(store, { document, text });
      for (const [document, text] of Object.entries(texts)) equal(await textOf(other, document), text, document);
    },
  },
  {
    name: "ten megabytes are kept",
    async run(store, other) {
      const text = "ä€𝒜 line\n".repeat(690_000);
      await saved(store, { document: "big", text });
      if ((await textOf(other, "big")) !== text) throw new Error("the text of 10 MB came back changed");
    },
  },
  {
    name: "stale and future heads are refused and write nothing",
    async run(store, other) {
      await saved(store, { document: "a" });
      await saved(store, { document: "a", head: 1, text: "Two.\n" });
      refused(await other.commit(commit({ document: "a", head: 1, text: "stale" })), ["conflict"], "a stale head");
      refused(await other.commit(commit({ document: "a", head: 3, text: "future" })), ["conflict"], "a future head");
      refused(await other.commit(commit({ document: "a", title: "Other" })), ["exists", "conflict"], "a second creation");
      refused(await other.commit(commit({ document: "b", head: 1 })), ["not-found", "conflict"], "a head where there is no document");
      equal(fine(await store.history({ document: "a", limit: 9 }), "history").versions.map((it) => it.version), [2, 1], "versions");
      equal(await textOf(store, "a"), "Two.\n", "text");
    },
  },
  {
    name: "of twenty writers at once one wins",
    async run(store, other) {
      await saved(store, { document: "a" });
      const writers = Array.from({ length: 20 }, (_, n) => (n % 2 ? store : other).commit(commit({ document: "a", head: 1, text: `by ${n}` })));
      const answers = await Promise.all(writers);
      const won = answers.flatMap((answer, n) => (answer.ok ? [n] : []));
      equal(won.length, 1, "winners");
      for (const answer of answers) if (!answer.ok) refused(answer, ["conflict"], "a loser");
      equal(await textOf(store, "a"), `by ${won[0]}`, "the winner's text");
      equal(fine(await store.history({ document: "a", limit: 50 }), "history").versions.length, 2, "versions");
    },
  },
  {
    name: "of twenty creations with one title one wins",
    async run(store, other) {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? store : other).commit(commit({ document: `d${n}`, title: "Same" }))));
      equal(answers.filter((answer) => answer.ok).length, 1, "winners");
      for (const answer of answers) if (!answer.ok) refused(answer, ["title-taken"], "a loser");
      equal(fine(await store.list({ space: "s", limit: 50 }), "list").documents.length, 1, "documents");
    },
  },
  {
    name: "a known key answers its version, whatever the head is by then",
    async run(store, other) {
      await saved(store, { document: "a" });
      const second = commit({ document: "a", head: 1, text: "Two.\n", title: "Second" });
      const first = fine(await store.commit(second), "commit").version;
      await saved(store, { document: "a", head: 2, text: "Three.\n", title: "Third" });
      await saved(store, { document: "b", title: "Second" });
      equal(fine(await other.commit(second), "the repeat").version, first, "the repeat's version");
      const again = { ...second, snapshot: { ...second.snapshot, text: "Another.\n" } };
      equal(fine(await other.commit(again), "the key alone decides").version, first, "the repeat's version");
      equal(await textOf(store, "a"), "Three.\n", "the head");
      equal(fine(await store.history({ document: "a", limit: 9 }), "history").versions.length, 3, "versions");
      await saved(store, { document: "a2", space: "t", key: second.snapshot.key });
    },
  },
  {
    name: "the same commit twice at once is one version",
    async run(store, other) {
      await saved(store, { document: "a" });
      const change = commit({ document: "a", head: 1, text: "Two.\n" });
      const [one, two] = await Promise.all([store.commit(change), other.commit(change)]);
      equal(fine(one, "one").version, fine(two, "two").version, "versions");
      equal(fine(await store.history({ document: "a", limit: 9 }), "history").versions.length, 2, "versions");
    },
  },
  {
    name: "histories page newest first, without texts",
    async run(store, other) {
      await saved(store, { document: "a" });
      for (let head = 1; head < 7; head += 1) await saved(store, { document: "a", head, text: `${head}`, summary: `s${head}` });
      /** @param {number | undefined} before @param {number} limit */
      const page = async (before, limit) => {
        const { versions, more } = fine(await other.history({ space: "s", document: "a", before, limit }), "history");
        for (const info of versions) if ("text" in info) throw new Error("a history carries a text");
        return [versions.map((it) => it.version), more];
      };
      equal(await page(undefined, 3), [[7, 6, 5], true], "the first page");
      equal(await page(5, 3), [[4, 3, 2], true], "the second");
      equal(await page(2, 3), [[1], false], "the last");
      equal(await page(1, 3), [[], false], "before the first");
      equal(await page(undefined, 7), [[7, 6, 5, 4, 3, 2, 1], false], "all in one");
      equal(await page(100, 2), [[7, 6], true], "before a number that is not there yet");
      equal(fine(await other.history({ document: "a", limit: 1 }), "history").versions[0].summary, "s6", "summary");
    },
  },
  {
    name: "lists page by the latest commit, never by time",
    async run(store, other) {
      for (const n of [1, 2, 3, 4, 5]) await saved(store, { document: `d${n}`, at: `2026-01-0${6 - n}T00:00:00Z` });
      await saved(store, { document: "d2", head: 1, at: "2020-01-01T00:00:00Z" });
      await saved(store, { document: "else", space: "t" });
      /** @param {any} answer */
      const ids = (answer) => fine(answer, "list").documents.map((/** @type {VersionInfo} */ it) => it.document);
      const first = fine(await other.list({ space: "s", limit: 2 }), "list");
      equal(ids(first), ["d2", "d5"], "the first page");
      await saved(store, { document: "d5", head: 1 });
      const second = fine(await other.list({ space: "s", limit: 2, cursor: first.cursor }), "list");
      equal(ids(second), ["d4", "d3"], "the second page");
      const third = fine(await other.list({ space: "s", limit: 2, cursor: second.cursor }), "list");
      equal(ids(third), ["d1"], "the last page");
      equal(third.cursor, undefined, "the last page's cursor");
      equal(ids(await other.list({ limit: 10 })), ["d5", "else", "d2", "d4", "d3", "d1"], "across spaces");
      equal(ids(await other.list({ space: "t", limit: 10 })), ["else"], "another space");
    },
  },
  {
    name: "times never run back",
    async run(store) {
      await saved(store, { document: "a", at: "2026-05-01T00:00:00.500Z" });
      equal((await saved(store, { document: "a", head: 1, at: "2025-01-01T00:00:00Z" })).at, "2026-05-01T00:00:00.500Z", "an earlier time");
      equal((await saved(store, { document: "a", head: 2, at: "2026-05-01T00:00:00Z" })).at, "2026-05-01T00:00:00.500Z", "half a second earlier, in another form");
      equal((await saved(store, { document: "a", head: 3, at: "2026-05-01T00:00:01Z" })).at, "2026-05-01T00:00:01Z", "a later time");
    },
  },
  {
    name: "a title is one document's, until it is renamed or deleted",
    async run(store, other) {
      await saved(store, { document: "a", title: "Plan" });
      refused(await other.commit(commit({ document: "b", title: " PLAN " })), ["title-taken"], "a taken title");
      await saved(store, { document: "c", title: "Plan", space: "t" });
      await saved(store, { document: "a", head: 1, title: "Plan" });
      await saved(store, { document: "a", head: 2, title: "Plan B", kind: "rename" });
      await saved(store, { document: "b", title: "plan" });
      refused(await other.commit(commit({ document: "a", head: 3, title: "Plan" })), ["title-taken"], "a title given away");
      await saved(store, { document: "b", head: 1, title: "plan", kind: "delete", text: "" });
      await saved(store, { document: "a", head: 3, title: "Plan" });
      refused(await other.commit(commit({ document: "b", head: 2, title: "plan", kind: "restore" })), ["title-taken"], "restored under a taken title");
      equal(fine(await store.list({ space: "s", limit: 9 }), "list").documents.map((it) => it.document), ["a"], "list");
    },
  },
  {
    name: "a deleted document leaves the list and keeps its history",
    async run(store, other) {
      await saved(store, { document: "a", text: "Kept.\n" });
      await saved(store, { document: "a", head: 1, kind: "delete", text: "" });
      equal(fine(await other.list({ limit: 9 }), "list").documents, [], "list");
      equal(fine(await other.read({ document: "a" }), "read").snapshot.kind, "delete", "the head");
      equal(await textOf(other, "a", 1), "Kept.\n", "the first version");
      equal(fine(await other.history({ document: "a", limit: 9 }), "history").versions.map((it) => it.kind), ["delete", "create"], "history");
      equal((await saved(store, { document: "a", head: 2, kind: "restore", restoredFrom: 1, text: "Kept.\n" })).restoredFrom, 1, "restoredFrom");
      equal(fine(await other.list({ limit: 9 }), "list").documents.map((it) => it.version), [3], "restored");
    },
  },
  {
    name: "a document of another space is not found and not changed",
    async run(store, other) {
      await saved(store, { document: "a", space: "s" });
      refused(await other.read({ space: "t", document: "a" }), ["not-found"], "read");
      refused(await other.history({ space: "t", document: "a", limit: 3 }), ["not-found"], "history");
      refused(await other.commit(commit({ document: "a", head: 1, space: "t" })), ["not-found", "conflict", "exists"], "commit");
      equal(fine(await store.history({ document: "a", limit: 3 }), "history").versions.length, 1, "versions");
    },
  },
  {
    name: "any string is an id, a space, a title and a key",
    async run(store, other) {
      const ids = ["__proto__", "constructor", "a/b", "a,b", "", " ", "a\0b", "ä€𝒜", "0", "-1", "[\"a\",1]", "toString"];
      for (const id of ids) await saved(store, { document: id, space: id, title: id, titleKey: id, key: id, text: `of ${id}` });
      for (const id of ids) {
        equal(fine(await other.read({ space: id, document: id }), JSON.stringify(id)).snapshot.text, `of ${id}`, JSON.stringify(id));
        equal(fine(await other.list({ space: id, limit: 5 }), "list").documents.map((it) => it.document), [id], `list of ${JSON.stringify(id)}`);
        equal((await saved(store, { document: id, space: id, title: id, titleKey: id, key: id })).version, 1, "the repeat");
      }
    },
  },
  {
    name: "what is given and what is gotten is no one else's",
    async run(store) {
      const given = commit({ document: "a", by: { ...north } });
      const answer = store.commit(given);
      given.snapshot.title = "changed";
      given.snapshot.by.name = "changed";
      const version = fine(await answer, "commit").version;
      equal([version.title, version.by.name], ["a", "North"], "the answer");
      version.title = "changed";
      version.by.name = "changed";
      const read = fine(await store.read({ document: "a" }), "read").snapshot;
      equal([read.title, read.by.name], ["a", "North"], "read");
      read.by.name = "changed";
      const listed = fine(await store.list({ limit: 1 }), "list").documents[0];
      equal([listed.title, listed.by.name], ["a", "North"], "listed");
      listed.by.name = "changed";
      equal(fine(await store.history({ document: "a", limit: 1 }), "history").versions[0].by.name, "North", "history");
    },
  },
  {
    name: "proposals are saved by revision",
    async run(store, other) {
      if (!store.proposals || !other.proposals) return;
      const { proposals } = other;
      /** @param {{ document?: string, id?: string, open?: boolean }} [request] */
      const list = async (request = {}) => fine(await proposals.list({ space: "s", ...request }), "proposals").proposals;
      await saved(store, { document: "a" });
      equal(await list(), [], "none");
      const one = proposal({ id: "__proto__", document: "a" });
      equal(fine(await store.proposals.save(one), "save").proposal, one, "the answer");
      fine(await other.proposals.save({ ...one }), "an identical repeat");
      refused(await other.proposals.save({ ...one, summary: "else" }), ["conflict"], "the same revision with other words");
      refused(await other.proposals.save({ ...one, revision: 3 }), ["conflict"], "a revision that leaps");
      refused(await store.proposals.save(proposal({ id: "new", revision: 2 })), ["conflict"], "a new one that is not the first");
      fine(await store.proposals.save(proposal({ id: "two" })), "one without a document");
      fine(await store.proposals.save(proposal({ id: "far", space: "t", document: "a" })), "another space's");
      equal(await list({ id: "__proto__" }), [one], "by id");
      equal(await list({ id: "far" }), [], "by an id of another space");
      equal((await list({ document: "a" })).map((it) => it.id), ["__proto__"], "by document");
      /** @type {Proposal} */
      const closed = { ...one, revision: 2, state: "rejected", answer: { by: ana, at: one.at, accepted: [], version: null, text: "No." } };
      const race = await Promise.all([store.proposals.save(closed), other.proposals.save({ ...one, revision: 2, state: "withdrawn" })]);
      equal(race.filter((answer) => answer.ok).length, 1, "of two decisions one wins");
      const [stored] = await list({ id: "__proto__" });
      equal(stored.revision, 2, "revision");
      equal((await list({ open: true })).map((it) => it.id), ["two"], "open ones");
      equal((await list({ open: false })).map((it) => it.id), ["__proto__"], "closed ones");
      equal((await list({ open: true, document: "a" })).map((it) => it.id), [], "open ones of a document");
    },
  },
  {
    name: "a version and the proposal that it answers are stored together or not at all",
    async run(store, other) {
      if (!store.proposals || !other.proposals) return;
      await saved(store, { document: "a" });
      const open = proposal({ id: "p", document: "a" });
      fine(await store.proposals.save(open), "save");
      /** @type {Proposal} */
      const answers = { ...open, revision: 2, state: "accepted", answer: { by: ana, at: open.at, accepted: [0], version: 2, text: "Applied." } };
      const { proposals } = other;
      const stored = async () => fine(await proposals.list({ space: "s", id: "p" }), "proposals").proposals[0].state;
      refused(await store.commit(commit({ document: "a", head: 7, answers })), ["conflict"], "a stale head");
      equal(await stored(), "open", "after a stale head");
      refused(await store.commit(commit({ document: "a", head: 1, answers: { ...answers, revision: 3 } })), ["conflict"], "a revision that leaps");
      equal(fine(await other.history({ document: "a", limit: 9 }), "history").versions.length, 1, "nothing was written");
      const change = commit({ document: "a", head: 1, answers, proposal: "p" });
      fine(await store.commit(change), "commit");
      equal(await stored(), "accepted", "after the commit");
      fine(await store.commit(change), "the same again");
      equal(fine(await other.history({ document: "a", limit: 9 }), "history").versions.length, 2, "versions");
      refused(await other.proposals.save({ ...open, revision: 2, state: "withdrawn" }), ["conflict"], "a withdrawal after the decision");
    },
  },
  {
    name: "a watcher hears every version and proposal of its space, in order",
    async run(store, other) {
      if (!store.watch) return;
      const here = listen(store);
      const far = listen(store, "t");
      // What is read after watching began and what is heard leave nothing out between them.
      await store.list({ space: "s", limit: 1 });
      await saved(other, { document: "a" });
      for (let head = 1; head < 12; head += 1) await saved(head % 3 ? other : store, { document: "a", head, text: `${head}` });
      await here.until((heard) => heard.some((what) => what.missed || what.version?.version === 12));
      if (!here.heard.some((what) => what.missed)) {
        equal(here.heard.flatMap((what) => (what.version ? [what.version.version] : [])), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], "versions heard");
        for (const what of here.heard) if (what.version !== undefined && "text" in what.version) throw new Error("a watcher was given a text");
      }
      if (other.proposals) {
        const open = proposal({ id: "p", document: "a" });
        fine(await other.proposals.save(open), "save");
        await here.until((heard) => heard.some((what) => what.proposal?.revision === 1));
        /** @type {Proposal} */
        const answers = { ...open, revision: 2, state: "accepted", answer: { by: ana, at: open.at, accepted: [0], version: 13, text: "Applied." } };
        await saved(other, { document: "a", head: 12, answers });
        await here.until((heard) => heard.some((what) => what.proposal?.state === "accepted") && heard.some((what) => what.version?.version === 13));
      }
      equal(far.heard, [], "another space's watcher");
      here.stop();
      far.stop();
      const before = here.heard.length;
      const still = listen(store);
      await saved(other, { document: "b" });
      await still.until((heard) => heard.some((what) => what.version?.document === "b"));
      equal(here.heard.length, before, "after it stopped");
      still.stop();
    },
  },
  {
    name: "an erased document is gone, with its versions, keys, title and proposals",
    async run(store, other) {
      if (!store.erase || !other.erase) return;
      const made = commit({ document: "a", title: "Plan" });
      fine(await store.commit(made), "commit");
      await saved(store, { document: "a", head: 1, title: "Plan" });
      await saved(store, { document: "ab", title: "Kept", text: "Kept." });
      if (store.proposals) fine(await store.proposals.save(proposal({ id: "p", document: "a" })), "save");
      refused(await other.erase({ space: "t", document: "a" }), ["not-found"], "from another space");
      fine(await other.erase({ space: "s", document: "a" }), "erase");
      refused(await store.read({ document: "a" }), ["not-found"], "read");
      refused(await store.read({ document: "a", version: 1 }), ["not-found"], "read by number");
      refused(await store.history({ document: "a", limit: 9 }), ["not-found"], "history");
      refused(await store.erase({ space: "s", document: "a" }), ["not-found"], "erased twice");
      if (store.proposals) equal(fine(await store.proposals.list({ space: "s" }), "proposals").proposals, [], "proposals");
      equal(await textOf(store, "ab"), "Kept.", "another document");
      equal(fine(await store.commit(made), "made again").version.version, 1, "made again");
    },
  },
];

/**
 * Runs every case over a store of its own.
 * @param {() => Made | Promise<Made>} make an empty store
 * @param {number} [patience] milliseconds after which a case has failed
 * @returns {Promise<{ name: string, ok: boolean, message?: string }[]>}
 */
export async function checkStore(make, patience = 60_000) {
  /** @type {{ name: string, ok: boolean, message?: string }[]} */
  const rows = [];
  for (const { name, run } of cases) {
    const { store, other = store, done } = await make();
    try {
      await within(run(store, other), "what the case waits for did not come", patience);
      rows.push({ name, ok: true });
    } catch (error) {
      rows.push({ name, ok: false, message: error instanceof Error ? error.message : String(error) });
    }
    await done?.();
  }
  return rows;
}
