// Documents through the package, over the memory store and over a host's own object: the whole life of a document.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { core, fixture } from "./core.js";
import { plainStore } from "./host.js";

/** @typedef {import("../../www/core.js").Author} Author */
/** @type {Author} */ const ana = { id: "person:ana", kind: "person", name: "Ana" };
/** @type {Author} */ const bo = { id: "person:bo", kind: "person", name: "Bo" };
/** @type {Author} */ const north = { id: "agent:north", kind: "agent", name: "North", for: { id: "person:ana", name: "Ana" } };

/** @template T @param {T} result @returns {Extract<T, { ok: true }>} */
function good(result) {
  assert.ok(/** @type {any} */ (result).ok, JSON.stringify(result));
  return /** @type {any} */ (result);
}
/** @template T @param {T} result @param {string} reason @returns {Extract<T, { ok: false }>} */
function bad(result, reason) {
  const { ok, reason: given, message } = /** @type {any} */ (result);
  assert.deepEqual([ok, given], [false, reason], message);
  assert.ok(message.length > 0 && message.length < 600, message);
  return /** @type {any} */ (result);
}
/** @param {string} text @param {{ start: number, end: number, text: string }[]} splices */
const spliced = (text, splices) => splices.reduceRight((all, { start, end, text: put }) => all.slice(0, start) + put + all.slice(end), text);

/** @param {Partial<import("../../www/core.js").DocumentsOptions>} [options] */
function open(options = {}) {
  let [ids, minutes] = [0, 0];
  return core.documents({
    store: core.memoryStore(), space: "plans", author: ana,
    now: () => new Date(Date.UTC(2026, 10, 8, 10, (minutes += 1))), newId: () => `id${(ids += 1)}`,
    ...options,
  });
}

const review = fixture("vendor-review.md");

for (const [name, make] of /** @type {const} */ ([["the memory store", () => core.memoryStore()], ["a host's own store", plainStore]])) {
  describe(`over ${name}`, () => {
    test("create, read, save, rename, restore, remove, and the history of it", async () => {
      const documents = open({ store: make() });
      const made = good(await documents.create("  Launch plan ", "one 😀\n\ntwo\n", { summary: "first" }));
      const id = made.snapshot.document;
      assert.deepEqual(made, {
        ok: true,
        snapshot: {
          document: id, space: "plans", version: 1, kind: "create", title: "Launch plan", by: ana, at: made.snapshot.at,
          bytes: 14, added: 3, removed: 0, opens: "one 😀", startedFrom: null, summary: "first", key: made.snapshot.key, text: "one 😀\n\ntwo\n",
        },
        merged: false, unchanged: false, splices: [],
      });
      assert.deepEqual(Object.keys(made.snapshot), ["document", "space", "version", "kind", "title", "by", "at", "bytes", "added", "removed", "opens", "startedFrom", "summary", "key", "text"]);

      const saved = good(await documents.save(id, { base: 1, text: "one 😀\n\ntwo, or three\n" }, { by: bo }));
      assert.deepEqual([saved.snapshot.version, saved.snapshot.kind, saved.snapshot.by, saved.snapshot.startedFrom], [2, "save", bo, 1]);
      assert.deepEqual(good(await documents.save(id, { base: 2, text: "one 😀\n\ntwo, or three\n" })).unchanged, true);
      assert.equal(good(await documents.save(id, { base: 2, title: "Plan B" })).snapshot.kind, "rename");
      assert.equal(good(await documents.append(id, "more 𝒳")).snapshot.text, "one 😀\n\ntwo, or three\n\nmore 𝒳");
      const restored = good(await documents.restore(id, 1)).snapshot;
      assert.deepEqual([restored.version, restored.kind, restored.restoredFrom, restored.title, restored.text], [5, "restore", 1, "Launch plan", "one 😀\n\ntwo\n"]);

      assert.equal(good(await documents.read(id)).snapshot.version, 5);
      assert.equal(good(await documents.read("Launch plan")).snapshot.document, id);
      assert.equal(good(await documents.read("launch")).snapshot.document, id);
      assert.equal(good(await documents.read(id, { version: 2 })).snapshot.text, "one 😀\n\ntwo, or three\n");
      bad(await documents.read(id, { version: 9 }), "no-such-version");
      bad(await documents.read("nothing of the kind"), "not-found");

      const page = good(await documents.history(id, { limit: 2 }));
      assert.deepEqual([page.versions.map(({ version, kind }) => [version, kind]), page.more], [[[5, "restore"], [4, "append"]], true]);
      const rest = good(await documents.history(id, { before: 4 }));
      assert.deepEqual([rest.versions.map(({ version, kind }) => [version, kind]), rest.more], [[[3, "rename"], [2, "save"], [1, "create"]], false]);
      assert.ok(!("text" in rest.versions[0]));

      const { comparison } = good(await documents.compare(id, 4, 1));
      assert.equal(spliced("one 😀\n\ntwo, or three\n\nmore 𝒳", comparison.splices), "one 😀\n\ntwo\n");

      assert.equal(good(await documents.remove(id)).version.kind, "delete");
      assert.deepEqual(good(await documents.list()).documents, []);
      bad(await documents.read(id), "not-found");
      assert.equal(good(await documents.create("Launch plan", "another")).snapshot.version, 1);
      assert.equal(good(await documents.history(id)).versions.length, 6);
    });

    test("saves merge, and lead an editor from its text to the stored one in UTF-16 units", async () => {
      const documents = open({ store: make() });
      const id = good(await documents.create("A", "😀 one\n\n𝒳 two\n\nthree\n")).snapshot.document;
      good(await documents.save(id, { base: 1, text: "😀😀 one!\n\n𝒳 two\n\nthree\n" }, { by: bo }));
      const mine = "😀 one\n\n𝒳 two\n\nthree 👩‍👩‍👧\n";
      const merged = good(await documents.save(id, { base: 1, text: mine }));
      assert.deepEqual([merged.merged, merged.snapshot.kind, merged.snapshot.startedFrom, merged.snapshot.version], [true, "merge", 1, 3]);
      assert.equal(merged.snapshot.text, "😀😀 one!\n\n𝒳 two\n\nthree 👩‍👩‍👧\n");
      assert.equal(spliced(mine, merged.splices), merged.snapshot.text);
      // A title alone, from an old version: the splices lead from that version's text.
      const renamed = good(await documents.save(id, { base: 1, title: "B" }));
      assert.equal(spliced("😀 one\n\n𝒳 two\n\nthree\n", renamed.splices), renamed.snapshot.text);
    });

    test("a clash writes nothing, gives everything back, and can be resolved", async () => {
      const documents = open({ store: make() });
      const id = good(await documents.create("A", "one\n\ntwo\n")).snapshot.document;
      good(await documents.save(id, { base: 1, text: "ONE\n\ntwo\n", title: "Theirs" }, { by: bo }));
      const clash = /** @type {any} */ (bad(await documents.save(id, { base: 1, text: "Ooone\n\ntwo\n", title: "Mine" }), "clash"));
      assert.deepEqual(Object.keys(clash), ["ok", "reason", "message", "clashes", "pieces", "head"]);
      assert.deepEqual(clash.clashes.map((/** @type {any} */ { what, mine, theirs }) => [what, mine.text, theirs.text]), [["text", "Ooone\n", "ONE\n"], ["title", "Mine", "Theirs"]]);
      assert.deepEqual([clash.head.version, clash.head.text], [2, "ONE\n\ntwo\n"]);
      assert.equal(good(await documents.history(id)).versions.length, 2);
      const text = core.resolve(clash, ["both", "mine"]);
      assert.equal(good(await documents.save(id, { base: clash.head.version, text, title: "Mine" })).snapshot.text, "Ooone\nONE\n\ntwo\n");
    });

    test("expected failures are values", async () => {
      const documents = open({ store: make(), maxBytes: 20 });
      const id = good(await documents.create("A", "one")).snapshot.document;
      bad(await documents.create(" a", "two"), "title-taken");
      bad(await documents.create("", "two"), "bad-title");
      bad(await documents.create("x\ny", "two"), "bad-title");
      bad(await documents.create("B", "123456789012345678901"), "too-large");
      bad(await documents.save(id, { base: 7, text: "x" }), "no-such-version");
      bad(await documents.save("nope", { base: 1, text: "x" }), "not-found");
      bad(await documents.create("B", "half \ud83d"), "invalid-text");
      bad(await documents.create("\udc00", "x"), "invalid-text");
      bad(await documents.read("\ud800"), "invalid-text");
      bad(await documents.decide("nope", [0]), "not-found");
    });

    test("the same write twice, by key, is one version", async () => {
      const documents = open({ store: make() });
      const first = good(await documents.create("A", "one", { key: "k1" }));
      assert.deepEqual(good(await documents.create("A", "one", { key: "k1" })).snapshot, first.snapshot);
      const id = first.snapshot.document;
      const saved = good(await documents.save(id, { base: 1, text: "two" }, { key: "k2" }));
      good(await documents.save(id, { base: 2, text: "three" }));
      assert.deepEqual(good(await documents.save(id, { base: 1, text: "two" }, { key: "k2" })).snapshot, saved.snapshot);
      assert.equal(good(await documents.history(id)).versions.length, 3);
    });

    test("an agent proposes, a person decides", async () => {
      const documents = open({ store: make() });
      const id = good(await documents.create("Vendor review", `😀 first\n\n${review}`)).snapshot.document;
      const text = `😀 first\n\n${review}`;
      const { proposal } = good(await documents.propose(
        { document: id, edits: [{ find: "42,000", replace: "43,500" }, { find: "31,500", replace: "29,900 😀" }] },
        { by: north, summary: "New prices" },
      ));
      assert.deepEqual([proposal.state, proposal.revision, proposal.base, proposal.by, proposal.summary, proposal.title], ["open", 1, 1, north, "New prices", "Vendor review"]);
      assert.deepEqual(proposal.hunks.map(({ splice }) => text.slice(splice.start, splice.end)), ["42,000", "31,500"]);
      assert.deepEqual(good(await documents.proposals({ open: true })).proposals, [proposal]);
      assert.equal(good(await documents.read(id)).snapshot.version, 1);

      bad(await documents.decide(proposal.id, [0], { by: north }), "denied");
      const decided = good(await documents.decide(proposal.id, [1], { by: bo, note: "Not the first." })).proposal;
      assert.deepEqual([decided.state, decided.revision, decided.answer?.accepted, decided.answer?.by, decided.answer?.note, decided.answer?.version], ["partly", 2, [1], bo, "Not the first.", 2]);
      const { snapshot } = good(await documents.read(id));
      assert.deepEqual([snapshot.text, snapshot.by, snapshot.approvedBy, snapshot.kind, snapshot.proposal], [text.replace("31,500", "29,900 😀"), north, bo, "edit", proposal.id]);
      bad(await documents.decide(proposal.id, [0]), "answered");
      assert.deepEqual(good(await documents.proposals({ id: proposal.id })).proposals, [decided]);
    });

    test("a person amends, a change elsewhere moves the span, a change on it is stale, an agent withdraws", async () => {
      const documents = open({ store: make() });
      const id = good(await documents.create("A", "😀 price 10\n\nend\n")).snapshot.document;
      const one = good(await documents.propose({ document: id, edits: [{ find: "10", replace: "11" }] }, { by: north })).proposal;
      const two = good(await documents.propose({ document: id, edits: [{ find: "price", replace: "cost" }] }, { by: north })).proposal;
      const three = good(await documents.propose({ document: id, append: "added" }, { by: north })).proposal;
      good(await documents.save(id, { base: 1, text: "new 👩‍👩‍👧 top\n\n😀 price 10\n\nend\n" }));
      const decided = good(await documents.decide(one.id, [0], { amended: { 0: "12 𝒳" } })).proposal;
      assert.deepEqual([decided.state, decided.answer?.amended], ["accepted", { 0: "12 𝒳" }]);
      assert.equal(good(await documents.read(id)).snapshot.text, "new 👩‍👩‍👧 top\n\n😀 price 12 𝒳\n\nend\n");
      good(await documents.save(id, { base: 3, text: "new 👩‍👩‍👧 top\n\n😀 PRICE 12 𝒳\n\nend\n" }));
      bad(await documents.decide(two.id, [0]), "stale");
      assert.equal(good(await documents.proposals({ id: two.id })).proposals[0].state, "stale");
      assert.equal(good(await documents.withdraw(three.id, { by: north, note: "Never mind." })).proposal.state, "withdrawn");
      assert.equal(good(await documents.read(id)).snapshot.version, 4);
    });

    test("a rewrite, a new document and edits that do not fit", async () => {
      const documents = open({ store: make() });
      const id = good(await documents.create("A", "😀 a\n\nb\n\nb\n")).snapshot.document;
      const refused = bad(await documents.propose({ document: id, edits: [{ find: "b", replace: "c" }, { find: "a", replace: "A" }] }, { by: north }), "ambiguous");
      const [refusal] = /** @type {any} */ (refused).refusals;
      assert.deepEqual([refusal.edit, refusal.count, refusal.places.map((/** @type {any} */ { start, end }) => "😀 a\n\nb\n\nb\n".slice(start, end))], [0, 2, ["b", "b"]]);
      const rewrite = good(await documents.propose({ document: id, text: "😀 A\n\nb\n\nc\n", title: "B" }, { by: north })).proposal;
      const all = rewrite.hunks.map(({ index }) => index);
      good(await documents.decide(rewrite.id, all));
      assert.deepEqual([good(await documents.read(id)).snapshot.text, good(await documents.read(id)).snapshot.title], ["😀 A\n\nb\n\nc\n", "B"]);
      const fresh = good(await documents.propose({ title: "New", text: "text 😀" }, { by: north })).proposal;
      assert.deepEqual([fresh.document, fresh.base], [null, null]);
      const made = good(await documents.decide(fresh.id, [0])).proposal;
      assert.equal(good(await documents.read("New")).snapshot.text, "text 😀");
      assert.equal(made.state, "accepted");
    });

    test("lists and recents, page by page", async () => {
      const store = make();
      const [documents, others] = [open({ store }), open({ store, space: "others", newId: (() => { let n = 0; return () => `o${(n += 1)}`; })() })];
      for (const title of ["a", "b", "c"]) good(await documents.create(title, title));
      good(await others.create("a", "elsewhere"));
      const first = good(await documents.list({ limit: 2 }));
      const second = good(await documents.list({ limit: 2, cursor: first.cursor }));
      assert.deepEqual([...first.documents, ...second.documents].map(({ title }) => title), ["c", "b", "a"]);
      assert.ok(!("cursor" in second));
      assert.deepEqual(good(await documents.recent(2)).documents.map(({ space, title }) => [space, title]), [["others", "a"], ["plans", "c"]]);
      bad(await documents.read("o1"), "not-found");
    });

    test("twenty writers at once lose nothing", async () => {
      const documents = open({ store: make() });
      const lines = Array.from({ length: 20 }, (_, line) => `line ${line}\n\nstays\n\n`);
      const id = good(await documents.create("A", lines.join(""))).snapshot.document;
      const results = await Promise.all(lines.map((_, line) => documents.save(id, { base: 1, text: lines.map((each, at) => (at === line ? `changed ${each}` : each)).join("") })));
      results.forEach(good);
      const { snapshot } = good(await documents.read(id));
      assert.deepEqual([snapshot.version, snapshot.text], [21, lines.map((each) => `changed ${each}`).join("")]);
    });
  });
}

test("wrong arguments are TypeErrors that name the argument", async () => {
  const documents = open();
  const any = /** @type {any} */ (documents);
  /** @type {[() => Promise<unknown>, string][]} */
  const wrong = [
    [() => any.create(1, ""), "create: title must be a string"],
    [() => any.create("a", null), "create: text must be a string"],
    [() => any.create("a", "b", { by: { id: "x", kind: "robot", name: "X" } }), 'create: options.by.kind must be "person" or "agent"'],
    [() => any.create("a", "b", null), "create: options must be an object"],
    [() => any.save("a", { text: "x" }), "save: change.base must be an integer"],
    [() => any.save("a", { base: 1.5, text: "x" }), "save: change.base must be an integer"],
    [() => any.read(), "read: document must be a string"],
    [() => any.read("a", { version: -1 }), "read: options.version must be an integer from 0"],
    [() => any.list({ limit: 0 }), "list: options.limit must be an integer from 1"],
    [() => any.propose({ document: "a", edits: [{ find: "x" }] }, { by: north }), "propose: change.edits[0].replace must be a string"],
    [() => any.propose({ document: "a", append: "x" }), "propose: options must be an object"],
    [() => any.decide("p", 0), "decide: accepted must be an array"],
    [() => any.decide("p", [0], { amended: { x: "y" } }), 'decide: options.amended: "x" must be the index of a hunk'],
  ];
  for (const [call, message] of wrong) await assert.rejects(call, { name: "TypeError", message });
  assert.throws(() => any.on("versions", () => {}), { name: "TypeError", message: /^on: event must be "version" or/ });
  const options = { store: core.memoryStore(), space: "s", author: ana };
  for (const [given, message] of /** @type {[unknown, string][]} */ ([
    [undefined, "documents: options must be an object"],
    [{ ...options, store: {} }, "documents: options.store.list must be a function"],
    [{ ...options, space: 1 }, "documents: options.space must be a string"],
    [{ ...options, author: undefined }, "documents: options.author must be an object"],
    [{ ...options, approval: "yes" }, 'documents: options.approval must be "ask" or "never"'],
    [{ ...options, timeout: "1" }, "documents: options.timeout must be an integer"],
    [{ ...options, now: 1 }, "documents: options.now must be a function"],
    [{ ...options, store: { ...plainStore(), proposals: {} } }, "documents: options.store.proposals.list must be a function"],
  ])) assert.throws(() => core.documents(/** @type {any} */ (given)), { name: "TypeError", message });
});
