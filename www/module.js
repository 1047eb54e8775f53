// The elements' WebAssembly module: fetched once, when the first element connects.

import { start } from "./start.js";

/** @typedef {typeof import("./wasm/elements.js")} Module */

/** @type {Promise<Module> | null} */
let loading = null;
/** Why nothing of the module may be called any more. @type {Error | null} */
let stopped = null;
/** What a panic said; the call that panicked ends with a trap that says nothing. */
let panicked = "";
/** Who is told when the module stops. @type {Set<(error: Error) => void>} */
const listeners = new Set();

/** The module, instantiated. A failed attempt is forgotten, so that a later call tries again. @returns {Promise<Module>} */
export function module() {
  loading ??= instantiate().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** Calls `told` when the module stops, or soon where it has. Returns the function that takes that back. @param {(error: Error) => void} told */
export function onPanic(told) {
  const error = stopped;
  if (error) queueMicrotask(() => told(error));
  else listeners.add(told);
  return () => void listeners.delete(told);
}

/** Whether the module stopped: what was shown by it is there no more. */
export function hasStopped() {
  return stopped !== null;
}

/** After a panic, or a call that threw, nothing of the module may be called any more, and only a new page gets a new one. @param {string} [message] */
export function stop(message = "a call did not return") {
  if (stopped) return;
  const error = new Error(`Countersign stopped: ${panicked || message}`);
  stopped = error;
  loading = Promise.reject(error);
  loading.catch(() => {});
  const told = [...listeners];
  listeners.clear();
  for (const tell of told) tell(error);
}

/**
 * `of`, with methods that never throw: a call that does ends the module, and gives undefined.
 * @template {object} T @param {T} of @returns {T}
 */
export function guarded(of) {
  return new Proxy(of, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (/** @type {unknown[]} */ ...given) => {
        try {
          return member.apply(target, given);
        } catch (error) {
          stop(words(error));
        }
      };
    },
  });
}

/** @param {unknown} error */
const words = (error) => (error instanceof Error ? error.message : String(error));

/** What the page's policy said of WebAssembly while it was made; each engine words its exception differently, and none gives a code. */
function hearPolicy() {
  let forbidden = false;
  const hear = (/** @type {SecurityPolicyViolationEvent} */ { blockedURI, effectiveDirective }) => {
    if (/^script-src|^default-src/.test(effectiveDirective) && /eval/.test(blockedURI)) forbidden = true;
  };
  globalThis.document?.addEventListener("securitypolicyviolation", hear);
  return () => {
    globalThis.document?.removeEventListener("securitypolicyviolation", hear);
    return forbidden;
  };
}

async function instantiate() {
  const heard = hearPolicy();
  try {
    const glue = await import("./wasm/elements.js");
    await start(glue, new URL("./wasm/elements_bg.wasm", import.meta.url));
    // The panic is still unwinding the stack of some call: elements fall back once that call is over.
    glue.start((/** @type {string} */ message) => {
      panicked = message;
      queueMicrotask(() => stop());
    });
    // A listener of the module's own has no caller that could catch what it throws: a trap without a panic, say.
    globalThis.addEventListener?.("error", ({ error }) => {
      if (error instanceof WebAssembly.RuntimeError && /elements(_bg)?\.(wasm|js)/.test(error.stack ?? "")) stop(error.message);
    });
    return glue;
  } catch (error) {
    // An event of the policy comes as a task of its own, maybe behind the exception.
    await new Promise((next) => setTimeout(next));
    const cause = words(error);
    if (heard() || /Content.Security|\bCSP\b|unsafe-eval/i.test(cause)) {
      throw new Error("The page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to script-src.", { cause: error });
    }
    throw new Error(`Countersign's module could not be loaded: ${cause}`, { cause: error });
  } finally {
    heard();
  }
}
