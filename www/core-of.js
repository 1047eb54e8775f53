// The Core of `core.d.ts` over a WebAssembly module's exports: the headless module's, or the elements', which holds the
// same functions. Arguments are checked and copied before they cross; a panic becomes an answer, never a broken page.
import { IllFormed, anyText, count, list, text, wellFormed } from "./check.js";
import { choice, rawEdit, refusedMerge } from "./shapes.js";

/** @typedef {import("./core.js").Core} Core */
/** @typedef {import("./core.js").Refused} Refused */
/** @typedef {typeof import("./wasm/core.js")} Glue */

/** The module panicked during a call. The next call runs in a fresh instance. */
export class Stopped extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    const words = cause instanceof Error ? cause.message : String(cause);
    super(`Countersign's module stopped during this call and was started anew. Nothing was changed. (${words.split("\n", 2).join(" ")})`, { cause });
    this.name = "Stopped";
  }
}

/** @param {string} message @returns {Refused} */
const invalidText = (message) => ({ ok: false, reason: "invalid-text", message });

/** Gives `run`'s answer, where a result can say what else may happen. @template T @param {() => T} run @returns {T | Refused} */
export function answer(run) {
  try {
    return run();
  } catch (error) {
    if (error instanceof IllFormed) return invalidText(error.message);
    if (error instanceof Stopped) return { ok: false, reason: "unavailable", message: error.message };
    throw error;
  }
}

/** Runs calls into `glue`; whatever they throw ends the instance. @param {Glue} glue */
export const caller = (glue) => /** @template T @param {() => T} call @returns {T} */ (call) => {
  try {
    return call();
  } catch (error) {
    // Marks the instance as poisoned: the glue makes a fresh one before the next call.
    glue.abandon();
    throw new Stopped(error);
  }
};

/** @param {Glue} glue an initialised module @returns {Core} */
export function coreOf(glue) {
  const call = caller(glue);
  /** @param {() => string} run */
  const parsed = (run) => JSON.parse(call(run));
  return Object.freeze({
    version: glue.version(),

    /** @param {string} markdown */
    outline(markdown) {
      const given = text(markdown, "outline: markdown");
      return parsed(() => glue.outline(given));
    },
    /** @param {string} markdown */
    blocks(markdown) {
      const given = text(markdown, "blocks: markdown");
      return parsed(() => glue.blocks(given));
    },
    /** @param {string} markdown @param {string} query */
    search(markdown, query) {
      const [given, sought] = [text(markdown, "search: markdown"), text(query, "search: query")];
      return parsed(() => glue.search(given, sought));
    },

    /** @param {string} markdown @param {readonly import("./core.js").Edit[]} edits @returns {import("./core.js").EditResult} */
    applyEdits(markdown, edits) {
      const given = anyText(markdown, "applyEdits: markdown");
      const asked = list(rawEdit)(edits, "applyEdits: edits");
      if (!wellFormed(given)) return { ok: false, reason: "invalid-text", message: "The text has a lone surrogate: it is not valid Unicode.", refusals: [] };
      const refusals = asked.flatMap(({ find, replace }, edit) => {
        const broken = !wellFormed(find) ? "find" : !wellFormed(replace) ? "replace" : null;
        return broken === null ? [] : [{ edit, reason: /** @type {const} */ ("invalid-text"), message: `Edit ${edit + 1}: \`${broken}\` has a lone surrogate: send valid Unicode text.` }];
      });
      if (refusals.length > 0) return { ok: false, reason: "invalid-text", message: refusals.map(({ message }) => message).join("\n"), refusals };
      return parsed(() => glue.applyEdits(given, JSON.stringify(asked)));
    },
    /** @param {string} before @param {string} after */
    compare(before, after) {
      const [from, to] = [text(before, "compare: before"), text(after, "compare: after")];
      return parsed(() => glue.compare(from, to));
    },
    /** @param {string} base @param {string} mine @param {string} theirs */
    merge(base, mine, theirs) {
      const three = /** @type {const} */ ([text(base, "merge: base"), text(mine, "merge: mine"), text(theirs, "merge: theirs")]);
      return parsed(() => glue.merge(...three));
    },
    /** @param {import("./core.js").RefusedMerge} refused @param {readonly ("mine" | "theirs" | "both")[]} choices */
    resolve(refused, choices) {
      const asked = refusedMerge(refused, "resolve: refused");
      const chosen = list(choice)(choices, "resolve: choices");
      return call(() => glue.resolve(JSON.stringify(asked), JSON.stringify(chosen)));
    },
  });
}
