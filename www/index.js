// `countersign`: importing it defines the elements, once; a second copy of the package leaves the first one's in place.
// Its `Core` is the elements' module's, so that a page loads one module.

import { coreOf } from "./core-of.js";
import { CountersignDocument, CountersignQuotes, CountersignReview } from "./element.js";
import { keepingOrNot, makeIndexedDbStore } from "./indexed-db-store.js";
import { module, onPanic, stop } from "./module.js";

export * from "./element.js";
export { keepingOrNot };

/** Documents in the browser's own database. */
export const indexedDbStore = makeIndexedDbStore(module, onPanic);

/** @type {Promise<import("./core.js").Core> | undefined} */
let loading;

/** The page's one Core, over the module that the elements use; a failed attempt is forgotten. */
export function load() {
  // A call that stops takes the elements with it, and the other way round: they live in the same memory.
  loading ??= module().then(
    (glue) => coreOf({ ...glue, abandon: stop }, onPanic),
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

for (const [name, element] of /** @type {const} */ ([
  ["countersign-document", CountersignDocument],
  ["countersign-quotes", CountersignQuotes],
  ["countersign-review", CountersignReview],
])) {
  // In Node and on servers there is no registry, and nothing to define.
  const registry = globalThis.customElements;
  if (registry && !registry.get(name)) registry.define(name, element);
}
