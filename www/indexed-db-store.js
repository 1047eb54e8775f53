// `indexedDbStore`: a store in the browser's own database. The store itself is in the elements' WebAssembly module;
// here requests are copied, the module is waited for, and what is the page's business is done: leaving, coming back.
import { joinByLocks } from "./presence.js";

/** @typedef {import("./core.js").DocumentStore} DocumentStore */
/** @typedef {import("./core.js").Commit} Commit */
/** @typedef {import("./core.js").Refused} Refused */
/** @typedef {Parameters<Parameters<NonNullable<DocumentStore["watch"]>>[1]>[0]} Change */

/**
 * What the store needs of the module.
 * @typedef {object} Handle
 * @property {(call: string, request: unknown) => Promise<any>} ask
 * @property {(space: string, changed: (what: Change) => void) => number} watch
 * @property {(number: number) => void} unwatch
 * @property {() => void} rest
 * @property {() => void} wake
 * @typedef {{ IndexedDb: new (name: string) => Handle }} Module
 */

/** A copy that is the store's own, of plain JSON; a framework's proxies become plain objects. @template T @param {T} value @returns {T} */
const copy = (value) => JSON.parse(JSON.stringify(value));

/** The text stays the string it is: it is never copied, nor written as JSON. @param {Commit} commit */
function split({ head, snapshot, titleKey, answers }) {
  const { text, ...rest } = snapshot;
  return { ...copy({ head, snapshot: rest, titleKey, answers }), text };
}

/** @param {unknown} error @returns {Refused} */
function unavailable(error) {
  const cause = error instanceof Error ? error.message : String(error);
  return { ok: false, reason: "unavailable", message: `Documents cannot be kept or read here: ${cause}` };
}

/** What a host's listener throws is the host's to see, and stops nothing. @param {(what: any) => void} listener */
const reporting = (listener) => (/** @type {any} */ what) => {
  try {
    // Each listener has its own copy.
    listener(structuredClone(what));
  } catch (error) {
    (globalThis.reportError ?? console.error)(error);
  }
};

/**
 * Makes `indexedDbStore` over a module that may not be loaded yet.
 * @param {() => Promise<Module>} module loads the module, once
 * @param {(told: (error: Error) => void) => () => void} [onPanic] calls back when the module stops for good; calls that wait then settle
 */
export function makeIndexedDbStore(module, onPanic) {
  /** @param {{ name?: string, persist?: boolean }} [options] @returns {DocumentStore} */
  return function indexedDbStore({ name = "countersign", persist = false } = {}) {
    /** @type {Promise<Handle> | null} */
    let opening = null;
    /** Calls without an answer yet. @type {Set<(answer: Refused) => void>} */
    const waiting = new Set();
    onPanic?.((error) => waiting.forEach((settle) => settle(unavailable(error))));

    // The handle subscribes when it is made, which is before anything is read through it.
    const handle = () => (opening ??= module().then(({ IndexedDb }) => new IndexedDb(name)).catch((error) => {
      opening = null;
      throw error;
    }));
    if (persist) {
      // The browser may say no; the store works all the same.
      globalThis.navigator?.storage?.persist?.().catch(() => {});
    }
    // An open connection or channel would keep the page out of the back/forward cache.
    globalThis.addEventListener?.("pagehide", () => void opening?.then((it) => it.rest(), () => {}));
    globalThis.addEventListener?.("pageshow", (event) => {
      if (/** @type {PageTransitionEvent} */ (event).persisted) opening?.then((it) => it.wake(), () => {});
    });

    /** @param {string} call @param {unknown} request @returns {Promise<any>} */
    const ask = (call, request) => new Promise((resolve) => {
      waiting.add(resolve);
      handle().then((it) => it.ask(call, request)).catch(unavailable).then((answer) => {
        waiting.delete(resolve);
        resolve(answer);
      });
    });

    /** @type {DocumentStore} */
    const store = {
      list: (request) => ask("list", copy(request)),
      read: (request) => ask("read", copy(request)),
      history: (request) => ask("history", copy(request)),
      commit: (request) => ask("commit", split(request)),
      proposals: {
        list: (request) => ask("proposals", copy(request)),
        save: (proposal) => ask("propose", copy(proposal)),
      },
      erase: (request) => ask("erase", copy(request)),
      watch({ space }, changed) {
        const heard = reporting(changed);
        let over = false;
        const watching = handle().then((it) => {
          const number = it.watch(space, (what) => over || heard(what));
          return () => it.unwatch(number);
        });
        // Without a module nothing is heard, and every call says why.
        watching.catch(() => {});
        return () => {
          over = true;
          watching.then((stop) => stop(), () => {});
        };
      },
    };
    if (globalThis.navigator?.locks !== undefined && typeof BroadcastChannel === "function") {
      store.presence = ({ space, document, me }, changed) => joinByLocks(name, space, document, me, reporting(changed));
    }
    return store;
  };
}

/**
 * The store that serves: the one in the browser's database, or, where that cannot open, one in memory. With `keeps:
 * false` the page says that nothing outlives the tab; `message` says why.
 * @param {DocumentStore} store
 * @param {() => DocumentStore} memoryStore
 * @returns {Promise<{ store: DocumentStore, keeps: boolean, message?: string }>}
 */
export async function keepingOrNot(store, memoryStore) {
  const answer = await store.list({ limit: 1 });
  if (answer.ok || answer.reason !== "unavailable") return { store, keeps: true };
  return { store: memoryStore(), keeps: false, message: answer.message };
}
