// A module that stops during a call: who waits is told, and the next call finds a fresh instance.
import assert from "node:assert/strict";
import { test } from "node:test";
import { documentsOf } from "../../dist/documents.js";
import { Machine, Stopped } from "../../dist/machine.js";
import * as glue from "../../dist/wasm/core.js";
import { core } from "./core.js";

/** @type {import("../../www/core.js").Author} */ const ana = { id: "person:ana", kind: "person", name: "Ana" };
// What a panic, an exhausted stack or a trap is to JavaScript: a call that throws.
const panic = () => { throw new WebAssembly.RuntimeError("unreachable"); };

test("after a call that threw, the next one answers as before", () => {
  const machine = new Machine(glue);
  assert.throws(() => machine.call(panic), { name: "Stopped", message: /stopped during this call.*unreachable/ });
  assert.equal(machine.instance, 1);
  assert.equal(core.outline("# A 😀")[0].preview, "# A 😀");
  assert.equal(machine.parsed((glue) => glue.blocks("x"))[0].end, 1);
});

test("a call inside of which another stopped has stopped too", () => {
  const machine = new Machine(glue);
  /** @type {string[]} */ const told = [];
  const stop = machine.whenStopped(({ message }) => void told.push(message));
  const inner = () => assert.throws(() => machine.call(panic), Stopped);
  assert.throws(() => machine.call((glue) => { inner(); return glue.version(); }), { name: "Stopped", message: /a call inside of it stopped/ });
  assert.equal(told.length, 2);
  stop();
  assert.equal(machine.parsed((glue) => glue.outline("# A 😀"))[0].preview, "# A 😀");
});

test("documents that wait are told, keep their store, and go on", async () => {
  const machine = new Machine(glue);
  const store = core.memoryStore();
  /** @type {((go: unknown) => void)[]} */ const held = [];
  let hold = false;
  const documents = documentsOf(machine, {
    store: { ...store, read: async (/** @type {any} */ request) => { if (hold) await new Promise((go) => held.push(go)); return store.read(request); } },
    space: "s", author: ana,
  });
  const made = await documents.create("A", "kept 😀");
  assert.ok(made.ok);
  hold = true;
  const waiting = documents.read(made.snapshot.document);
  await new Promise((done) => setTimeout(done));
  assert.throws(() => machine.call(panic), Stopped);
  const told = await waiting;
  assert.deepEqual([told.ok, told.ok || told.reason], [false, "unavailable"]);
  hold = false;
  // The store's answer comes to an instance that never asked.
  held.forEach((go) => go(undefined));
  const read = await documents.read(made.snapshot.document);
  assert.ok(read.ok && read.snapshot.text === "kept 😀");
});

test("a module that ended elsewhere answers nobody any more, and says so", async () => {
  const machine = new Machine(glue);
  const documents = documentsOf(machine, { store: { ...core.memoryStore(), read: () => new Promise(() => {}) }, space: "s", author: ana });
  const waiting = documents.read("a");
  machine.end(new Error("the element's call trapped"));
  for (const told of [await waiting, await documents.read("a")])
    assert.deepEqual([told.ok, !told.ok && told.reason, !told.ok && /trapped/.test(told.message)], [false, "unavailable", true]);
  assert.throws(() => machine.call((glue) => glue.version()), { name: "Stopped", message: /only a new page/ });
  documents.close();
});
