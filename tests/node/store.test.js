// The package's memory store keeps the contract's promises, and so does the host's store that these tests are written over.
import assert from "node:assert/strict";
import { test } from "node:test";
import { core } from "./core.js";
import { plainStore } from "./host.js";

for (const [name, make] of /** @type {const} */ ([["the memory store", () => core.memoryStore()], ["the tests' own host's store", plainStore]])) {
  test(`checkStore finds nothing in ${name}`, async () => {
    const rows = await core.checkStore(() => ({ store: make() }));
    assert.ok(rows.length >= 15);
    assert.deepEqual(rows.filter(({ ok }) => !ok), []);
  });
}

test("checkStore wants a function", () => {
  assert.throws(() => core.checkStore(/** @type {any} */ ({})), { name: "TypeError", message: "checkStore: make must be a function" });
});

test("presence: others are heard, oneself is not, and whoever leaves is gone", async () => {
  const store = core.memoryStore();
  /** @type {Record<string, string[]>} */ const heard = {};
  /** @param {string} name */
  const join = (name) => /** @type {NonNullable<typeof store.presence>} */ (store.presence)({ space: "s", document: "d", me: { id: `person:${name}`, name, kind: "person", away: false } }, (people) => {
    heard[name] = people.map((person) => person.name).sort();
  });
  const leave = join("ana");
  join("bo");
  const away = join("cy");
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(heard, { ana: ["bo", "cy"], bo: ["ana", "cy"], cy: ["ana", "bo"] });
  away();
  leave();
  leave();
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(heard.bo, []);
});
