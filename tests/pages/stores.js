// Gives the tests in tests/browser/stores.rs what they call, as `stores`; `ready` is when they can.
import { checkStore, commit, fine, saved } from "../dist/check-store.js";
import { keepingOrNot, makeIndexedDbStore } from "../dist/indexed-db-store.js";
import { memoryStore } from "../dist/memory-store.js";
import { checkFaults } from "./indexed-db-faults.js";

let loading;
const module = () => (loading ??= (async () => {
  const glue = await import("../dist/wasm/elements.js");
  await glue.default({ module_or_path: new URL("../dist/wasm/elements_bg.wasm", import.meta.url) });
  return glue;
})());
const indexedDbStore = makeIndexedDbStore(module);
const failed = (rows) => rows.filter(({ ok }) => !ok).map(({ name, message }) => `${name}: ${message}`);

let databases = 0;
/** The text of a document's version `n`, when `append` wrote them all. */
const textOf = (name, n) => Array.from({ length: n }, (_, line) => `${name} ${line}\n`).join("");

globalThis.stores = {
  /** `checkStore` over IndexedDB, two store objects a case. Gives how many cases there were, and what failed. */
  async conformance() {
    const rows = await checkStore(() => {
      const name = `conformance-${(databases += 1)}`;
      return { store: indexedDbStore({ name }), other: indexedDbStore({ name }), done: () => void indexedDB.deleteDatabase(name) };
    });
    return [rows.length, failed(rows)];
  },
  async faults() {
    const rows = await checkFaults((name) => indexedDbStore({ name }), { keepingOrNot, memoryStore });
    return [rows.length, failed(rows)];
  },

  /** Saves `times` lines to one document that others write, too, reading again after each conflict. */
  async race(who, times) {
    const store = indexedDbStore({ name: "race" });
    for (let line = 0; line < times; ) {
      const head = await store.read({ space: "s", document: "a" });
      const [version, text] = head.ok ? [head.snapshot.version, head.snapshot.text] : [null, ""];
      const answer = await store.commit(commit({ document: "a", head: version, key: `${who}:${line}`, text: `${text}${who} ${line}\n` }));
      if (answer.ok) line += 1;
      else if (!["conflict", "exists"].includes(answer.reason)) throw new Error(JSON.stringify(answer));
    }
    return times;
  },
  /** The numbers and the last text of a document. */
  async read(name, document) {
    const store = indexedDbStore({ name });
    const numbers = [];
    for (let before, more = true; more; before = numbers.at(-1)) {
      const page = fine(await store.history({ document, before, limit: 100 }), "history");
      numbers.push(...page.versions.map(({ version }) => version));
      more = page.more;
    }
    return [numbers, fine(await store.read({ document }), "read").snapshot.text];
  },

  /** Appends to a document for ever; the server hears of each version once it is reported saved. */
  async append(document) {
    const store = indexedDbStore({ name: "append" });
    for (let version = 1; ; version += 1) {
      const head = version === 1 ? null : version - 1;
      const answer = await store.commit(commit({ document, head, key: `${document}:${version}`, text: textOf(document, version) }));
      if (!answer.ok) throw new Error(JSON.stringify(answer));
      await fetch(`/saved/${document}/${version}`);
    }
  },
  /** What of a document's versions is not what `append` wrote. */
  async wrong(document) {
    const store = indexedDbStore({ name: "append" });
    const [numbers] = await globalThis.stores.read("append", document);
    const wrong = [];
    for (const version of numbers) {
      const read = await store.read({ document, version });
      if (!read.ok || read.snapshot.text !== textOf(document, version)) wrong.push(version);
    }
    return [numbers, wrong];
  },

  /** Saves documents of about three incompressible megabytes until there is no room; gives how many were saved, and why it ended. */
  async fill(most) {
    const store = indexedDbStore({ name: "full" });
    const units = new Uint16Array(30_000);
    const kept = [];
    for (let n = 0; n < most; n += 1) {
      let text = "";
      for (let part = 0; part < 40; part += 1) {
        crypto.getRandomValues(units);
        text += String.fromCharCode(...units.map((unit) => 0x4e00 + (unit % 20_000)));
      }
      const answer = await store.commit(commit({ document: `d${n}`, text }));
      if (!answer.ok) {
        const listed = fine(await store.list({ limit: 1000 }), "list").documents.length;
        return [kept.length, listed, answer.reason];
      }
      kept.push(text);
      if (fine(await store.read({ document: `d${n}` }), "read").snapshot.text !== text) throw new Error(`d${n} came back changed`);
    }
    return [kept.length, kept.length, "room"];
  },

  /** Watches a database, and remembers in the page what it heard. */
  async watch(name) {
    globalThis.heard = [];
    globalThis.kept = indexedDbStore({ name });
    globalThis.kept.watch({ space: "s" }, (what) => globalThis.heard.push(what.missed ? "missed" : what.version?.version));
    addEventListener("pageshow", (event) => (globalThis.cached = event.persisted));
    return fine(await globalThis.kept.list({ limit: 1 }), "list").documents.length;
  },
  save: async (name, change) => (await saved(indexedDbStore({ name }), change)).version,

  /** Joins a document and remembers in the page who else is there. */
  join(id) {
    globalThis.people = null;
    const store = indexedDbStore({ name: "presence" });
    globalThis.leave = store.presence({ space: "s", document: "a", me: { id, name: id, kind: "person", away: false } }, (people) => {
      globalThis.people = people.map((person) => person.id);
    });
  },
};
globalThis.ready = true;
