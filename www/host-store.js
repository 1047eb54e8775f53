// A host's store behind four walls: its methods are called with copies, waited for no longer than may be, and every reply
// is checked and copied before it is used. Whatever a host does wrong becomes words that name the method.
import { flag, list, object, oneOf, optional, text } from "./check.js";
import { proposal, snapshot, versionInfo } from "./shapes.js";

/** @typedef {import("./core.js").DocumentStore} DocumentStore */
/**
 * What one call came to, as WebAssembly reads it: the host's answer, or its refusal. `timeout` and `unknown` say that no
 * answer came that could be understood: a write may have happened.
 * @typedef {{ ok: true, [field: string]: unknown } | { ok: false, reason: string, message: string }} Outcome
 */

const refusal = object({
  reason: oneOf("not-found", "exists", "conflict", "title-taken", "denied", "too-large", "quota", "blocked", "corrupt", "gone", "unavailable"),
  message: optional(text),
});

/** @type {Record<string, { fields: import("./check.js").Shape<object>, call: (store: any, request: any) => unknown }>} */
const methods = {
  list: { fields: object({ documents: list(versionInfo), cursor: optional(text) }), call: (store, request) => store.list(request) },
  read: { fields: object({ snapshot }), call: (store, request) => store.read(request) },
  history: { fields: object({ versions: list(versionInfo), more: flag }), call: (store, request) => store.history(request) },
  commit: { fields: object({ version: versionInfo }), call: (store, request) => store.commit(request) },
  "proposals.list": { fields: object({ proposals: list(proposal) }), call: (store, request) => store.proposals.list(request) },
  "proposals.save": { fields: object({ proposal }), call: (store, request) => store.proposals.save(request) },
  erase: { fields: object({}), call: (store, request) => store.erase(request) },
};

/** @param {string} method @param {unknown} reply @returns {Outcome} */
function checked(method, reply) {
  const at = `The store's \`${method}\`: its answer`;
  try {
    const ok = /** @type {{ ok?: unknown } | null | undefined} */ (reply)?.ok;
    if (ok === true) return { ok: true, ...methods[method].fields(reply, at) };
    if (ok === false) return { ok: false, message: "", ...refusal(reply, at) };
    return { ok: false, reason: "unknown", message: `${at} must be an object whose \`ok\` is true or false.` };
  } catch (error) {
    // A getter of the host's may throw as well.
    return { ok: false, reason: "unknown", message: `${error instanceof Error ? error.message : String(error)}.` };
  }
}

/** @param {unknown} thrown */
function words(thrown) {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return "something that has no words";
  }
}

/**
 * Always resolves. An answer that comes too late is dropped.
 * @param {DocumentStore} store @param {number} timeout in milliseconds
 * @param {string} method @param {unknown} request a plain object that nobody else holds
 * @returns {Promise<Outcome>}
 */
export function callStore(store, timeout, method, request) {
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      resolve({ ok: false, reason: "timeout", message: `The store's \`${method}\` gave no answer within ${timeout} ms.` });
    }, timeout);
    // From a microtask: a host's method never runs inside of a call into WebAssembly.
    Promise.resolve()
      .then(() => methods[method].call(store, request))
      .then((reply) => checked(method, reply), (thrown) => ({ ok: false, reason: "unknown", message: `The store's \`${method}\` failed: ${words(thrown)}` }))
      .then((outcome) => {
        clearTimeout(late);
        resolve(/** @type {Outcome} */ (outcome));
      });
  });
}

const watched = object({ version: optional(versionInfo), proposal: optional(proposal), missed: optional(flag) });

/**
 * Follows the store's `watch`, with what it says checked. Returns the function that stops.
 * @param {DocumentStore} store @param {string} space
 * @param {(what: { version?: import("./core.js").VersionInfo, proposal?: import("./core.js").Proposal, missed?: boolean }) => void} heard
 * @param {(message: string) => void} failed
 * @returns {() => void}
 */
export function watchStore(store, space, heard, failed) {
  if (store.watch === undefined) return () => {};
  let watching = true;
  let stop = /** @type {unknown} */ (undefined);
  try {
    stop = store.watch({ space }, (what) => {
      if (!watching) return;
      try {
        heard(/** @type {any} */ (watched(what, "The store's `watch`: what it says")));
      } catch (error) {
        failed(`${words(error)}.`);
      }
    });
  } catch (thrown) {
    failed(`The store's \`watch\` failed: ${words(thrown)}`);
  }
  return () => {
    if (!watching) return;
    watching = false;
    try {
      if (typeof stop === "function") stop();
    } catch (thrown) {
      failed(`The store's \`watch\` failed to stop: ${words(thrown)}`);
    }
  };
}
