// A host's store that throws, hangs, answers garbage, late or not at all: words that name the method, and nothing lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { core } from "./core.js";
import { plainStore } from "./host.js";

/** @typedef {import("../../www/core.js").DocumentStore} DocumentStore */
/** @type {import("../../www/core.js").Author} */ const ana = { id: "person:ana", kind: "person", name: "Ana" };

/** @param {DocumentStore} store @param {Partial<import("../../www/core.js").DocumentsOptions>} [more] */
const open = (store, more) => core.documents({ store, space: "s", author: ana, timeout: 40, ...more });

for (const [name, commit, reason, words] of /** @type {[string, () => any, string, RegExp][]} */ ([
  ["throws", () => { throw new Error("disk on fire"); }, "unavailable", /`commit`.*disk on fire/],
  ["rejects", () => Promise.reject(new Error("offline")), "unavailable", /`commit`.*offline/],
  ["throws nothing sensible", () => { throw null; }, "unavailable", /`commit`/],
  ["hangs", () => new Promise(() => {}), "timeout", /`commit` gave no answer within 40 ms/],
  ["answers nothing", () => undefined, "unavailable", /`commit`: its answer must be an object/],
  ["answers half", () => ({ ok: true }), "unavailable", /`commit`: its answer\.version must be an object/],
  ["answers a wrong version", () => ({ ok: true, version: { version: "1" } }), "unavailable", /`commit`: its answer\.version\.document must be a string/],
  ["refuses for no known reason", () => ({ ok: false, reason: "tired" }), "unavailable", /`commit`: its answer\.reason must be "not-found"/],
  ["answers with a getter that throws", () => ({ get ok() { throw new Error("trap"); } }), "unavailable", /trap/],
  ["is full", () => ({ ok: false, reason: "quota", message: "No room." }), "quota", /^No room\.$/],
  ["is full and says no more", () => ({ ok: false, reason: "quota" }), "quota", /./],
])) {
  test(`a commit that ${name}`, async () => {
    const store = plainStore();
    /** @type {import("../../www/core.js").Refused[]} */ const errors = [];
    const documents = open({ ...store, commit });
    documents.on("error", (error) => void errors.push(error));
    const refused = await documents.create("A", "text");
    assert.ok(!refused.ok);
    assert.equal(refused.reason, reason);
    assert.match(refused.message, words);
    assert.equal(store.texts.size, 0);
    if (reason !== "quota") assert.match(errors[0].message, words);
    else assert.deepEqual(errors, []);
    // The page stays usable.
    assert.ok((await documents.list()).ok);
  });
}

test("an answer that was lost is asked for again, and the write is one version", async () => {
  const store = plainStore();
  let sent = 0;
  /** @type {string[]} */ const requests = [];
  const documents = open({
    ...store,
    async commit(request) {
      requests.push(JSON.stringify(request));
      const answer = await store.commit(request);
      if ((sent += 1) === 1) throw new Error("connection reset");
      return answer;
    },
  });
  const made = await documents.create("A", "text");
  assert.ok(made.ok && made.snapshot.version === 1);
  assert.equal(requests.length, 2);
  assert.equal(requests[0], requests[1]);
  assert.deepEqual([...store.texts.values()].map(({ length }) => length), [1]);
});

test("an answer that comes too late changes nothing", async () => {
  const store = plainStore();
  /** @type {(() => void)[]} */ const late = [];
  const documents = open({ ...store, read: (request) => (late.length < 1 ? new Promise((done) => late.push(() => done(store.read(request)))) : store.read(request)) });
  const made = await documents.create("A", "text");
  assert.ok(made.ok);
  const read = await documents.read(made.snapshot.document);
  assert.ok(read.ok && read.snapshot.text === "text");
  late.forEach((answer) => answer());
  await new Promise((done) => setTimeout(done));
  assert.ok((await documents.read(made.snapshot.document)).ok);
});

test("a store's answers about something else are its fault, by the method's name", async () => {
  const store = plainStore();
  const made = await open(store).create("A", "text");
  assert.ok(made.ok);
  const id = made.snapshot.document;
  const elsewhere = await open({ ...store, read: async () => ({ ok: true, snapshot: { ...made.snapshot, space: "other" } }) }).read(id);
  assert.ok(!elsewhere.ok);
  assert.match(elsewhere.message, /`read`/);
  const changed = await open({ ...store, read: async () => ({ ok: true, snapshot: { ...made.snapshot, text: "other text" } }) }).read(id);
  assert.deepEqual([changed.ok, changed.ok || changed.reason], [false, "corrupt"]);
  const broken = await open({ ...store, read: async () => ({ ok: true, snapshot: { ...made.snapshot, text: "\ud83d" } }) }).read(id);
  assert.ok(!broken.ok);
  assert.match(broken.message, /`read`: its answer\.snapshot\.text has a lone surrogate/);
});

test("what a host gives and gets is never shared", async () => {
  const store = plainStore();
  /** @type {any[]} */ const seen = [];
  const documents = open({
    ...store,
    async commit(request) {
      seen.push(request);
      const answer = await store.commit(request);
      /** @type {any} */ (request).snapshot.text = "changed by the host";
      return answer;
    },
  });
  const author = { ...ana };
  const made = await documents.create("A", "text", { by: new Proxy(author, {}) });
  author.name = "Someone else";
  assert.ok(made.ok);
  assert.deepEqual([made.snapshot.text, made.snapshot.by.name], ["text", "Ana"]);
  made.snapshot.text = "changed by the caller";
  const read = await documents.read(made.snapshot.document);
  assert.ok(read.ok && read.snapshot.text === "text");
});

test("a clock and ids that fail are told, and done without", async () => {
  const documents = open(core.memoryStore(), { now: () => /** @type {any} */ ("noon"), newId: () => { throw new Error("no ids today"); } });
  /** @type {string[]} */ const errors = [];
  documents.on("error", ({ message }) => void errors.push(message));
  const made = await documents.create("A", "text");
  assert.ok(made.ok);
  assert.match(made.snapshot.document, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.match(made.snapshot.at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  await new Promise((done) => setTimeout(done));
  assert.ok(errors.some((error) => /options\.now/.test(error)) && errors.some((error) => /options\.newId.*no ids today/.test(error)), errors.join("\n"));
});

test("events: a version and a proposal once each, wherever they were made; what a listener throws harms nobody", async () => {
  const store = core.memoryStore();
  const [here, there] = [open(store), open(store, { author: { ...ana, id: "person:bo", name: "Bo" } })];
  /** @type {[string, unknown][]} */ const heard = [];
  const stop = here.on("version", ({ version, kind }) => void heard.push(["version", [version, kind]]));
  here.on("proposal", ({ revision, state }) => void heard.push(["proposal", [revision, state]]));
  const made = await here.create("A", "one two\n");
  assert.ok(made.ok);
  const id = made.snapshot.document;
  await there.save(id, { base: 1, text: "one three\n" });
  const proposed = await there.propose({ document: id, edits: [{ find: "one", replace: "1" }] }, { by: { id: "agent:n", kind: "agent", name: "N" } });
  assert.ok(proposed.ok, JSON.stringify(proposed));
  await there.decide(proposed.proposal.id, [0]);
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(heard, [["version", [1, "create"]], ["version", [2, "save"]], ["proposal", [1, "open"]], ["version", [3, "edit"]], ["proposal", [2, "accepted"]]]);
  stop();
  await there.save(id, { base: 3, text: "x\n" });
  await new Promise((done) => setTimeout(done));
  assert.equal(heard.length, 5);
});

test("closed documents say so, and what waits is told", async () => {
  const documents = open({ ...plainStore(), list: () => new Promise(() => {}) });
  const waiting = documents.list();
  documents.close();
  documents.close();
  assert.deepEqual(await waiting.then(({ ok }) => ok), false);
  const after = await documents.read("x");
  assert.deepEqual([after.ok, after.ok || after.reason], [false, "unavailable"]);
});
