// `checkStore`: the memory store passes it, and a store that breaks one promise fails it, in the case that names the promise.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkStore } from "../../www/check-store.js";
import { memoryStore } from "../../www/memory-store.js";

const PATIENCE = 2000;

/** @typedef {import("../../www/core.js").DocumentStore} DocumentStore */
/** @typedef {{ what: string, fails: RegExp, broken: (store: any) => object }} Broken */

test("the memory store keeps every promise", async () => {
  assert.deepEqual((await checkStore(() => ({ store: memoryStore() }))).filter(({ ok }) => !ok), []);
});

/** @param {any} request @param {(snapshot: any) => void} change */
const withSnapshot = (request, change) => {
  const copy = structuredClone(request);
  change(copy.snapshot);
  return copy;
};
/** What a promise later would be. */
const later = () => new Promise((resolve) => setImmediate(resolve));

/** @type {Broken[]} */
const stores = [
  {
    what: "loses the compare-and-set between read and write",
    fails: /twenty writers/,
    broken: (store) => ({ commit: async (/** @type {any} */ request) => {
      const head = store.read({ document: request.snapshot.document });
      if (!head.ok || head.snapshot.version !== request.head) return store.commit(request);
      await later();
      const now = store.read({ document: request.snapshot.document });
      return store.commit({ ...request, head: now.snapshot.version });
    } }),
  },
  {
    what: "accepts a stale head",
    fails: /stale and future heads/,
    broken: (store) => ({ commit: (/** @type {any} */ request) => {
      const head = store.read({ document: request.snapshot.document });
      return store.commit(head.ok && request.head !== null ? { ...request, head: head.snapshot.version } : request);
    } }),
  },
  {
    what: "makes a second version of a repeated key",
    fails: /known key/,
    broken: (store) => {
      let n = 0;
      return { commit: (/** @type {any} */ request) => store.commit(withSnapshot(request, (it) => (it.key += ++n))) };
    },
  },
  {
    what: "looks at the head before it looks for the key",
    fails: /known key/,
    broken: (store) => ({ commit: (/** @type {any} */ request) => {
      const head = store.read({ document: request.snapshot.document });
      if ((head.ok ? head.snapshot.version : null) !== request.head) return { ok: false, reason: "conflict" };
      return store.commit(request);
    } }),
  },
  {
    what: "folds CRLF",
    fails: /every byte/,
    broken: (store) => ({ commit: (/** @type {any} */ request) => store.commit(withSnapshot(request, (it) => (it.text = it.text.replaceAll("\r\n", "\n")))) }),
  },
  {
    what: "normalises Unicode",
    fails: /every byte/,
    broken: (store) => ({ commit: (/** @type {any} */ request) => store.commit(withSnapshot(request, (it) => (it.text = it.text.normalize("NFC")))) }),
  },
  {
    what: "drops the byte order mark",
    fails: /every byte/,
    broken: (store) => ({ commit: (/** @type {any} */ request) => store.commit(withSnapshot(request, (it) => (it.text = it.text.replace(/^\uFEFF/, "")))) }),
  },
  {
    what: "ends a text at NUL",
    fails: /every byte/,
    broken: (store) => ({ commit: (/** @type {any} */ request) => store.commit(withSnapshot(request, (it) => (it.text = it.text.split("\0")[0]))) }),
  },
  {
    what: "cuts a large text",
    fails: /ten megabytes/,
    broken: (store) => ({ commit: (/** @type {any} */ request) => store.commit(withSnapshot(request, (it) => (it.text = it.text.slice(0, 1 << 20)))) }),
  },
  {
    what: "orders its list by the clock",
    fails: /latest commit/,
    broken: (store) => ({ list: (/** @type {any} */ request) => {
      const all = store.list({ ...request, cursor: undefined, limit: 1000 });
      all.documents.sort((/** @type {any} */ a, /** @type {any} */ b) => Date.parse(b.at) - Date.parse(a.at));
      const start = Number(request.cursor ?? 0);
      const documents = all.documents.slice(start, start + request.limit);
      return { ok: true, documents, ...(start + request.limit < all.documents.length && { cursor: String(start + request.limit) }) };
    } }),
  },
  {
    what: "lets times run back",
    fails: /run back/,
    broken: (store) => {
      const given = new Map();
      return { commit: (/** @type {any} */ request) => {
        const answer = store.commit(request);
        if (!answer.ok || given.has(request.snapshot.key)) return answer;
        given.set(request.snapshot.key, request.snapshot.at);
        return { ok: true, version: { ...answer.version, at: request.snapshot.at } };
      } };
    },
  },
  {
    what: "hands out what it keeps",
    fails: /no one else's/,
    broken: (store) => {
      const kept = new Map();
      return { read: (/** @type {any} */ request) => {
        const answer = store.read(request);
        if (!answer.ok) return answer;
        const key = JSON.stringify([answer.snapshot.document, answer.snapshot.version]);
        if (!kept.has(key)) kept.set(key, answer.snapshot);
        return { ok: true, snapshot: kept.get(key) };
      }, history: (/** @type {any} */ request) => {
        const answer = store.history(request);
        for (const info of answer.ok ? answer.versions : []) {
          const seen = kept.get(JSON.stringify([info.document, info.version]));
          if (seen) Object.assign(info, { by: seen.by });
        }
        return answer;
      } };
    },
  },
  {
    what: "copies a commit after it answered nothing yet",
    fails: /no one else's/,
    broken: (store) => ({ commit: async (/** @type {any} */ request) => {
      await later();
      return store.commit(request);
    } }),
  },
  {
    what: "tells histories with texts",
    fails: /without texts/,
    broken: (store) => ({ history: (/** @type {any} */ request) => {
      const answer = store.history(request);
      for (const info of answer.ok ? answer.versions : []) info.text = "…";
      return answer;
    } }),
  },
  {
    what: "pages one version twice",
    fails: /page newest first/,
    broken: (store) => ({ history: (/** @type {any} */ request) => store.history({ ...request, before: request.before && request.before + 1 }) }),
  },
  {
    what: "says that there is no more",
    fails: /page newest first/,
    broken: (store) => ({ history: (/** @type {any} */ request) => ({ ...store.history(request), more: false }) }),
  },
  {
    what: "lists deleted documents",
    fails: /deleted document leaves/,
    broken: (store) => {
      const ids = new Set();
      return {
        commit: (/** @type {any} */ request) => (ids.add(request.snapshot.document), store.commit(request)),
        list: (/** @type {any} */ request) => {
          const answer = store.list(request);
          for (const document of ids) {
            const { ok, snapshot } = store.read({ document });
            if (ok && snapshot.kind === "delete") answer.documents.push(snapshot);
          }
          return answer;
        },
      };
    },
  },
  {
    what: "lets two documents have one title",
    fails: /title/,
    broken: (store) => ({ commit: (/** @type {any} */ request) => store.commit({ ...request, titleKey: `${request.titleKey}:${request.snapshot.document}` }) }),
  },
  {
    what: "shows another space's documents",
    fails: /another space/,
    broken: (store) => ({ read: ({ space, ...request }) => store.read(request), history: ({ space, ...request }) => store.history(request) }),
  },
  {
    what: "keeps documents in an object's properties",
    fails: /any string is an id/,
    broken: (store) => ({ commit: (/** @type {any} */ request) => {
      const kept = /** @type {any} */ ({});
      kept[request.snapshot.document] = "kept";
      return Object.hasOwn(kept, request.snapshot.document) ? store.commit(request) : { ok: true, version: { ...request.snapshot, version: 1 } };
    } }),
  },
  {
    what: "overwrites proposals",
    fails: /saved by revision/,
    broken: (store) => ({ proposals: { ...store.proposals, save: (/** @type {any} */ proposal) => {
      const [stored] = store.proposals.list({ space: proposal.space, id: proposal.id }).proposals;
      const answer = store.proposals.save({ ...proposal, revision: (stored?.revision ?? 0) + 1 });
      return answer.ok ? { ok: true, proposal } : answer;
    } } }),
  },
  {
    what: "forgets the proposal that a version answers",
    fails: /together or not at all/,
    broken: (store) => ({ commit: ({ answers, ...request }) => store.commit(request) }),
  },
  {
    what: "stores the answer of a version that it refuses",
    fails: /together or not at all/,
    broken: (store) => ({ commit: (/** @type {any} */ request) => {
      if (request.answers) store.proposals.save(request.answers);
      return store.commit(request);
    } }),
  },
  {
    what: "leaves gaps in what it tells watchers",
    fails: /watcher hears/,
    broken: (store) => ({ watch: (/** @type {any} */ request, /** @type {any} */ changed) => store.watch(request, (/** @type {any} */ what) => what.version?.version === 5 || changed(what)) }),
  },
  {
    what: "tells watchers of other spaces",
    fails: /watcher hears/,
    broken: (store) => ({ watch: (/** @type {any} */ request, /** @type {any} */ changed) => store.watch({ ...request, space: "s" }, changed) }),
  },
  {
    what: "tells watchers that have stopped",
    fails: /watcher hears/,
    broken: (store) => ({ watch: (/** @type {any} */ request, /** @type {any} */ changed) => (store.watch(request, changed), () => {}) }),
  },
  {
    what: "erases all but the texts' numbers",
    fails: /erased document is gone/,
    broken: (store) => ({ erase: () => ({ ok: true }) }),
  },
  { what: "throws", fails: /as it was given/, broken: () => ({ read: () => { throw new Error("out of order"); } }) },
  { what: "never answers", fails: /latest commit/, broken: (store) => ({ list: (/** @type {any} */ request) => (request.cursor ? new Promise(() => {}) : store.list(request)) }) },
];

for (const { what, fails, broken } of stores) {
  test(`a store that ${what} fails`, async () => {
    const rows = await checkStore(() => {
      const store = memoryStore();
      return { store: /** @type {DocumentStore} */ ({ ...store, ...broken(store) }) };
    }, PATIENCE);
    const failed = rows.filter(({ ok }) => !ok);
    assert.ok(failed.some(({ name, message }) => fails.test(name) && message), `${JSON.stringify(failed.map(({ name }) => name))} has none like ${fails}`);
  });
}
