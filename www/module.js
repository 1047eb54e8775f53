// The elements' WebAssembly module: fetched once, when the first element connects.

import { start } from "./start.js";

/** @typedef {typeof import("./wasm/elements.js")} Module */

/** @type {Promise<Module> | null} */
let loading = null;
let stopped = false;
/** Who is told when the module panics. @type {Set<(error: Error) => void>} */
const listeners = new Set();

/** The module, instantiated. A failed attempt is forgotten, so that a later call tries again. @returns {Promise<Module>} */
export function module() {
  loading ??= instantiate().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** Calls `told` when the module panics. Returns the function that stops it. @param {(error: Error) => void} told */
export function onPanic(told) {
  listeners.add(told);
  return () => void listeners.delete(told);
}

/** After a panic nothing of the module may be called any more, and only a new page gets a new one. @param {string} [message] */
export function stop(message = "a call did not return") {
  if (stopped) return;
  stopped = true;
  const error = new Error(`Countersign stopped: ${message}`);
  loading = Promise.reject(error);
  loading.catch(() => {});
  const told = [...listeners];
  listeners.clear();
  for (const tell of told) tell(error);
}

async function instantiate() {
  try {
    const glue = await import("./wasm/elements.js");
    await start(glue, new URL("./wasm/elements_bg.wasm", import.meta.url));
    // The panic is still unwinding the stack of some call: elements fall back once that call is over.
    glue.start((/** @type {string} */ message) => queueMicrotask(() => stop(message)));
    return glue;
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    // Each engine words it differently, and none gives a code.
    if (error instanceof (globalThis.WebAssembly?.CompileError ?? Error) && /Content.Security|CSP|unsafe-eval|blocked/i.test(cause)) {
      throw new Error("The page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to script-src.", { cause: error });
    }
    throw new Error(`Countersign's module could not be loaded: ${cause}`, { cause: error });
  }
}
