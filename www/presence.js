// Who else has a document open in this browser, without a timer: each one holds a Web Lock whose name says who it is.
// The browser frees the lock when a tab closes or dies, and whoever waits for it learns of it then.

/** @typedef {import("./core.js").Presence} Presence */

/** One prefix per store, space and document; what follows is the person, as JSON. @param {string[]} of */
const prefixOf = (...of) => `countersign:presence:${JSON.stringify(of)}:`;

/**
 * Joins a document. `changed` hears who else is there, at once and whenever that changes.
 * @param {string} store @param {string} space @param {string} document @param {Presence} me
 * @param {(people: Presence[]) => void} changed
 * @returns {() => void} leaves
 */
export function joinByLocks(store, space, document, me, changed) {
  const { locks } = navigator;
  const prefix = prefixOf(store, space, document);
  const nonce = `${Math.random()}`.slice(2);
  const channel = new BroadcastChannel(prefix);
  /** Locks of others that are waited for, to hear when they end. @type {Map<string, AbortController>} */
  const waiting = new Map();
  let over = false;
  let told = "";
  /** Ends the hold on our own lock. */
  let release = () => {};
  let looking = false;
  let again = false;

  /** Holds the lock that says how we are now; the one before is let go once the new one is held. */
  function show() {
    const letGo = release;
    const away = globalThis.document?.visibilityState === "hidden" || me.away;
    const name = prefix + JSON.stringify({ ...me, away, nonce });
    /** @type {Promise<void>} */
    const held = new Promise((resolve) => (release = resolve));
    // Whatever ends the request, we are then not shown to others; the document works all the same.
    locks.request(name, { mode: "shared" }, () => {
      letGo();
      if (over) return;
      channel.postMessage(null);
      look();
      return held;
    }).catch(() => {});
  }

  /** Reads who is there; what came up meanwhile is read again afterwards. */
  async function look() {
    again = looking;
    if (looking || over) return;
    looking = true;
    try {
      do {
        again = false;
        await readOnce();
      } while (again && !over);
    } finally {
      looking = false;
    }
  }

  async function readOnce() {
    const { held = [] } = await locks.query();
    if (over) return;
    // Held exclusively are only the locks that others wait for, for a moment.
    const names = new Set(held.filter(({ mode, name }) => mode === "shared" && name?.startsWith(prefix)).map(({ name }) => name));
    /** @type {Map<string, Presence>} */
    const people = new Map();
    for (const name of /** @type {Set<string>} */ (names)) {
      const { nonce: theirs, ...person } = JSON.parse(name.slice(prefix.length));
      if (theirs === nonce) continue;
      waitFor(name);
      if (person.id === me.id) continue;
      // Somebody with two tabs is there once, and away only if both are.
      people.set(person.id, { ...person, away: person.away && (people.get(person.id)?.away ?? true) });
    }
    const now = [...people.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    if (told !== (told = JSON.stringify(now))) changed(now);
  }

  /** An exclusive request is granted when its last holder is gone. @param {string} name */
  function waitFor(name) {
    if (waiting.has(name)) return;
    const stop = new AbortController();
    waiting.set(name, stop);
    locks.request(name, { mode: "exclusive", signal: stop.signal }, () => {}).then(
      () => {
        waiting.delete(name);
        look();
      },
      () => waiting.delete(name),
    );
  }

  const turned = () => over || show();
  channel.onmessage = () => void look();
  globalThis.document?.addEventListener("visibilitychange", turned);
  show();
  return () => {
    if (over) return;
    over = true;
    globalThis.document?.removeEventListener("visibilitychange", turned);
    for (const stop of waiting.values()) stop.abort();
    release();
    channel.close();
  };
}
