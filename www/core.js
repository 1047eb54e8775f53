// countersign/core: the headless half, for browsers, workers and Node. Importing it does nothing yet; `load` starts the module.
import { coreOf } from "./core-of.js";
import { start } from "./start.js";
import * as glue from "./wasm/core.js";

/** @type {Promise<import("./core.js").Core> | undefined} */
let loading;

/**
 * The one Core of this page, worker or process: the module starts once, and every further call gives the same. A failed
 * start is forgotten, so that the next call tries again.
 * @param {string | { readonly href: string } | ArrayBuffer | ArrayBufferView | object} [wasm] in Node the file is found
 *   beside this module, elsewhere by URL, or it is given: an address, bytes, a response or a compiled module
 * @returns {Promise<import("./core.js").Core>}
 */
export function load(wasm) {
  loading ??= start(glue, new URL("./wasm/core_bg.wasm", import.meta.url), wasm).then(
    () => coreOf(glue),
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}
