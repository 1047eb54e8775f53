// What goes wrong below `indexedDbStore`, provoked in a real browser page, and what the store must answer then.
//
// "Another tab" is a raw connection of this page here: IndexedDB makes no difference between two connections of one page
// and of two. Where a page cannot bring a fault about, it is injected under the crate's calls, and the case says so.
import { commit, equal, fine, fresh, listen, refused, saved, textOf, within } from "../dist/check-store.js";

/** @typedef {import("../../www/core.js").DocumentStore} DocumentStore */
/** @typedef {(name: string) => DocumentStore} Open a new store object, as a new tab has one */
/** @typedef {{ name: string, run: (open: Open, database: string, tools: { keepingOrNot: Function, memoryStore: () => DocumentStore }) => Promise<void> }} Case */

/** The answer of a raw request; a block is a failure unless it is expected. @param {IDBOpenDBRequest} request @returns {Promise<any>} */
const answered = (request, blocked = (event, fail) => fail(new Error("blocked"))) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
  request.onblocked = (event) => blocked(event, reject);
});

/** Opens the raw database, as another tab would. @param {string} name @param {number} [version] @param {(database: IDBDatabase) => void} [upgrade] */
function raw(name, version, upgrade) {
  const request = indexedDB.open(name, version);
  if (upgrade) request.onupgradeneeded = () => upgrade(request.result);
  return answered(request);
}

/** Changes a store's contents from outside. @param {string} name @param {string[]} stores @param {(of: (store: string) => IDBObjectStore) => void} change */
async function meddle(name, stores, change) {
  const database = await raw(name);
  const transaction = database.transaction(stores, "readwrite");
  change((store) => transaction.objectStore(store));
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = reject;
  });
  database.close();
}

/** Replaces a method for the time of `during`. */
async function patched(prototype, method, replacement, during) {
  const original = prototype[method];
  prototype[method] = function patch(...rest) {
    return replacement.call(this, original, ...rest);
  };
  try {
    return await during();
  } finally {
    prototype[method] = original;
  }
}

const versions = async (store) => fine(await store.history({ document: "a", limit: 50 }), "history").versions.map((it) => it.version);
const quota = () => new DOMException("injected", "QuotaExceededError");

/** @type {Case[]} */
export const cases = [
  {
    name: "an upgrade from another tab is not blocked, and this tab goes on reading",
    async run(open, database) {
      const store = open(database);
      const first = commit({ document: "a", text: "One.\n" });
      fine(await store.commit(first), "commit");
      const newer = await raw(database, 2, (upgraded) => upgraded.createObjectStore("of-version-2"));
      equal(await textOf(store, "a"), "One.\n", "reading");
      equal(fine(await store.list({ space: "s", limit: 5 }), "list").documents.length, 1, "list");
      refused(await store.commit(commit({ document: "a", head: 1 })), ["blocked"], "a commit");
      refused(await store.proposals.save({ id: "p", revision: 1, space: "s" }), ["blocked"], "a proposal");
      refused(await store.erase({ space: "s", document: "a" }), ["blocked"], "erasing");
      equal(fine(await store.commit(first), "a known key").version.version, 1, "what was saved is still known");
      newer.close();
      equal(await versions(open(database)), [1], "a tab that opens later reads, too");
    },
  },
  {
    name: "a newer schema without our object stores is blocked, not broken",
    async run(open, database) {
      (await raw(database, 7, (made) => made.createObjectStore("else"))).close();
      const store = open(database);
      refused(await store.list({ limit: 1 }), ["blocked"], "list");
      refused(await store.commit(commit({ document: "a" })), ["blocked"], "commit");
      equal((await raw(database)).version, 7, "its version");
    },
  },
  {
    name: "another's database of the same name is left alone",
    async run(open, database) {
      (await raw(database, 1, (made) => made.createObjectStore("else"))).close();
      refused(await open(database).commit(commit({ document: "a" })), ["unavailable"], "commit");
      const theirs = await raw(database);
      equal([...theirs.objectStoreNames], ["else"], "its object stores");
      theirs.close();
    },
  },
  {
    name: "a head that is not a head is `corrupt`, for its document only",
    async run(open, database) {
      const store = open(database);
      await saved(store, { document: "a" });
      await saved(store, { document: "b" });
      await meddle(database, ["heads"], (of) => of("heads").put({ document: "a", space: "s", order: -1 }));
      refused(await store.read({ document: "a" }), ["corrupt"], "read");
      refused(await store.history({ document: "a", limit: 3 }), ["corrupt"], "history");
      refused(await store.commit(commit({ document: "a", head: 1 })), ["corrupt"], "commit");
      equal(fine(await store.list({ limit: 5 }), "list").documents.map((it) => it.document), ["b"], "list");
      await saved(store, { document: "b", head: 1 });
    },
  },
  {
    name: "a database deleted from another tab is gone, and is not begun anew",
    async run(open, database) {
      const store = open(database);
      await saved(store, { document: "a" });
      await answered(indexedDB.deleteDatabase(database));
      refused(await store.read({ document: "a" }), ["gone"], "read");
      refused(await store.commit(commit({ document: "a", head: 1 })), ["gone"], "commit");
      refused(await store.commit(commit({ document: "b" })), ["gone"], "another document");
      const anew = open(database);
      await saved(anew, { document: "a", text: "Anew.\n" });
      equal(await textOf(anew, "a"), "Anew.\n", "a page that is loaded again");
      refused(await store.read({ document: "a" }), ["gone"], "the old page");
    },
  },
  {
    name: "object stores cleared underneath are gone",
    async run(open, database) {
      const store = open(database);
      await saved(store, { document: "a" });
      const all = ["heads", "versions", "texts", "proposals", "store"];
      await meddle(database, all, (of) => all.forEach((each) => of(each).clear()));
      refused(await store.read({ document: "a" }), ["gone"], "read");
      refused(await store.list({ limit: 3 }), ["gone"], "list");
      refused(await store.history({ document: "a", limit: 3 }), ["gone"], "history");
      refused(await store.commit(commit({ document: "a", head: 1 })), ["gone"], "commit");
    },
  },
  {
    name: "a connection closed under the store is opened again",
    async run(open, database) {
      const store = open(database);
      let connection;
      await patched(IDBDatabase.prototype, "transaction", function (original, ...rest) {
        connection = this;
        return original.apply(this, rest);
      }, () => saved(store, { document: "a" }));
      connection.close();
      await saved(store, { document: "a", head: 1 });
      connection.close();
      equal(await versions(store), [2, 1], "versions");
    },
  },
  {
    name: "a commit whose transaction breaks is made once more, and is one version (injected: abort at commit)",
    async run(open, database) {
      const store = open(database);
      await saved(store, { document: "a" });
      let times = 0;
      const breaks = (often) => () => patched(IDBTransaction.prototype, "commit", function (original) {
        if ((times += 1) <= often) this.abort();
        else original.call(this);
      }, () => store.commit(commit({ document: "a", head: 1, text: "Two.\n" })));
      equal(fine(await breaks(1)(), "broken once").version.version, 2, "version");
      equal(times, 2, "attempts");
      times = 0;
      refused(await breaks(2)(), ["conflict"], "a stale head, after all");
      times = 0;
      const twice = () => store.commit(commit({ document: "a", head: 2, text: "Three.\n" }));
      refused(await patched(IDBTransaction.prototype, "commit", function () { this.abort(); }, twice), ["unavailable"], "broken twice");
      equal(await versions(store), [2, 1], "versions");
      equal(await textOf(store, "a"), "Two.\n", "text");
      await saved(store, { document: "a", head: 2 });
    },
  },
  {
    name: "no room at a request is `quota`, and nothing is written (injected: put throws)",
    async run(open, database) {
      const store = open(database);
      await saved(store, { document: "a" });
      const full = (original, ...rest) => { throw quota(); };
      refused(await patched(IDBObjectStore.prototype, "put", function (original, ...rest) {
        return this.name === "texts" ? full() : original.apply(this, rest);
      }, () => store.commit(commit({ document: "a", head: 1 }))), ["quota"], "commit");
      equal(await versions(store), [1], "versions");
      await saved(store, { document: "a", head: 1 });
    },
  },
  {
    name: "no room at the end of a transaction is `quota`, and nothing is written (injected: abort with that error)",
    async run(open, database) {
      const store = open(database);
      await saved(store, { document: "a" });
      refused(await patched(IDBTransaction.prototype, "commit", function () {
        Object.defineProperty(this, "error", { get: quota });
        this.abort();
      }, () => store.commit(commit({ document: "a", head: 1 }))), ["quota"], "commit");
      equal(await versions(store), [1], "versions");
      await saved(store, { document: "a", head: 1 });
    },
  },
  {
    name: "a text that cannot be read is `corrupt`, for its version only",
    async run(open, database) {
      const store = open(database);
      await saved(store, { document: "a", text: "One.\n" });
      for (const head of [1, 2, 3, 4]) await saved(store, { document: "a", head, text: `${head + 1}.\n` });
      await meddle(database, ["texts"], (of) => {
        of("texts").delete(["a", 2]);
        of("texts").put(17, ["a", 3]);
        of("texts").put("", ["a", 4]);
      });
      for (const version of [2, 3, 4]) refused(await store.read({ document: "a", version }), ["corrupt"], `version ${version}`);
      equal(await textOf(store, "a", 1), "One.\n", "version 1");
      equal(await textOf(store, "a"), "5.\n", "the head");
      equal(await versions(store), [5, 4, 3, 2, 1], "history");
      await saved(store, { document: "a", head: 5, kind: "restore", restoredFrom: 1, text: "One.\n" });
      // Injected, because no page can damage a file: the read itself fails.
      const failing = function (original, ...rest) {
        if (this.name === "texts") throw new DOMException("injected", "DataError");
        return original.apply(this, rest);
      };
      refused(await patched(IDBObjectStore.prototype, "get", failing, () => store.read({ document: "a" })), ["corrupt"], "a read that fails");
      equal(await textOf(store, "a"), "One.\n", "afterwards");
    },
  },
  {
    name: "a database that does not open is `blocked` within five seconds, and serves once it does",
    async run(open, database) {
      const holding = await raw(database, 1, (made) => made.createObjectStore("else"));
      // It does not close on `versionchange`, so the deletion waits for it and our opening waits for the deletion.
      const deleting = answered(indexedDB.deleteDatabase(database), () => {});
      const store = open(database);
      const started = performance.now();
      refused(await store.list({ limit: 1 }), ["blocked"], "list");
      if (performance.now() - started > 5000) throw new Error("it took more than five seconds to say so");
      holding.close();
      await deleting;
      await saved(store, { document: "a" });
    },
  },
  {
    name: "where IndexedDB is refused, memory serves and it is said that nothing is kept (injected: open throws)",
    async run(open, database, { keepingOrNot, memoryStore }) {
      await patched(IDBFactory.prototype, "open", () => { throw new DOMException("injected", "SecurityError"); }, async () => {
        const answer = await open(database).list({ limit: 1 });
        refused(answer, ["unavailable"], "list");
        const serving = await keepingOrNot(open(database), memoryStore);
        equal([serving.keeps, serving.message], [false, answer.message], "what serves");
        await saved(serving.store, { document: "a" });
      });
      const kept = await keepingOrNot(open(database), memoryStore);
      equal(kept.keeps, true, "where it opens");
    },
  },
  {
    name: "commits are one strict transaction, and are reported after its complete event",
    async run(open, database) {
      const store = open(database);
      await store.list({ limit: 1 });
      const opened = [];
      const order = [];
      await patched(IDBDatabase.prototype, "transaction", function (original, ...rest) {
        const transaction = original.apply(this, rest);
        opened.push([transaction.mode, transaction.durability]);
        transaction.addEventListener("complete", () => order.push("complete"));
        return transaction;
      }, async () => {
        await saved(store, { document: "a" });
        order.push("saved");
      });
      equal(opened, [["readwrite", "strict"]], "transactions");
      equal(order, ["complete", "saved"], "order");
    },
  },
  {
    name: "other tabs are told of names and numbers only",
    async run(open, database) {
      const channel = new BroadcastChannel(`countersign:${database}`);
      const heard = [];
      const three = within(new Promise((resolve) => (channel.onmessage = ({ data }) => heard.push(data) === 2 && resolve(undefined))), "the notes", 10_000);
      const store = open(database);
      await saved(store, { document: "a", text: "A secret." });
      await saved(store, { document: "a", head: 1, text: "Another." });
      await three;
      channel.close();
      equal(heard, [{ document: "a", version: 1 }, { document: "a", version: 2 }], "notes");
    },
  },
  {
    name: "a page that comes back from the cache says that it missed something, and hears again",
    async run(open, database) {
      const store = open(database);
      const elsewhere = open(database);
      await saved(store, { document: "a" });
      const here = listen(store);
      await saved(elsewhere, { document: "a", head: 1 });
      await here.until((heard) => heard.some((what) => what.version?.version === 2));
      window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
      window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
      await here.until((heard) => heard.some((what) => what.missed === true));
      await saved(elsewhere, { document: "a", head: 2 });
      await here.until((heard) => heard.some((what) => what.version?.version === 3));
      here.stop();
    },
  },
  {
    name: "presence tells who else is there, once each, and that they left",
    async run(open, database) {
      const store = open(database);
      if (!store.presence) return;
      const seen = [];
      let check = () => {};
      const join = (me, heard = () => {}) => store.presence({ space: "s", document: "a", me: { kind: "person", away: false, name: me, id: me } }, heard);
      const until = (wanted) => within(new Promise((resolve) => {
        check = () => JSON.stringify(seen.at(-1)) === JSON.stringify(wanted) && resolve(undefined);
        check();
      }), `presence of ${wanted} did not come`, 10_000);
      const leave = join("ana", (people) => { seen.push(people.map((it) => it.id)); check(); });
      await until([]);
      const others = [join("ben"), join("cem"), join("ben")];
      await until(["ben", "cem"]);
      others[0]();
      others[1]();
      await until(["ben"]);
      others[2]();
      await until([]);
      leave();
      leave();
    },
  },
];

/**
 * @param {Open} open
 * @param {{ keepingOrNot: Function, memoryStore: () => DocumentStore }} tools
 * @returns {Promise<{ name: string, ok: boolean, message?: string }[]>}
 */
export async function checkFaults(open, tools) {
  const rows = [];
  for (const { name, run } of cases) {
    const database = fresh("fault");
    try {
      await within(run(open, database, tools), "what the case waits for did not come", 30_000);
      rows.push({ name, ok: true });
    } catch (error) {
      rows.push({ name, ok: false, message: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) });
    }
    indexedDB.deleteDatabase(database);
  }
  return rows;
}
