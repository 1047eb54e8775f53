// The Core of `core.d.ts` over a WebAssembly module's exports: the headless module's, or the elements', which holds the
// same functions. Arguments are checked and copied before they cross; a panic becomes an answer, never a broken page.
import { IllFormed, anyText, callable, count, integer, list, text, wellFormed } from "./check.js";
import { documentsOf } from "./documents.js";
import { Machine, Stopped } from "./machine.js";
import { memoryStore } from "./memory-store.js";
import { choice, mail, quote, rawEdit, refusedMerge, renderOptions, source as sourceShape } from "./shapes.js";

/** @typedef {import("./core.js").Core} Core */
/** @typedef {import("./core.js").Refused} Refused */
/** @param {string} message @returns {Refused} */
const invalidText = (message) => ({ ok: false, reason: "invalid-text", message });

/** A position that may lie outside: that is a refusal, not a wrong argument. */
const place = integer(-0xffffffff);
/** @param {string} which @returns {Refused} */
const badRange = (which) => ({ ok: false, reason: "bad-range", message: `The range's ${which} is no place in the text: it lies outside.` });

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

/**
 * @param {import("./machine.js").Glue} glue an initialised module
 * @param {(told: (error: Error) => void) => void} [onStop] calls back when the module stopped elsewhere, for good
 * @returns {Core}
 */
export function coreOf(glue, onStop) {
  const machine = new Machine(glue);
  onStop?.((error) => machine.end(error));
  return Object.freeze({
    version: glue.version(),

    /** @param {string} markdown */
    outline(markdown) {
      const given = text(markdown, "outline: markdown");
      return machine.parsed((glue) => glue.outline(given));
    },
    /** @param {string} markdown */
    blocks(markdown) {
      const given = text(markdown, "blocks: markdown");
      return machine.parsed((glue) => glue.blocks(given));
    },
    /** @param {string} markdown @param {string} query */
    search(markdown, query) {
      const [given, sought] = [text(markdown, "search: markdown"), text(query, "search: query")];
      return machine.parsed((glue) => glue.search(given, sought));
    },

    /** @param {string} markdown @param {import("./core.js").RenderOptions} [options] */
    renderHtml(markdown, options) {
      const given = text(markdown, "renderHtml: markdown");
      const how = JSON.stringify(renderOptions(options, "renderHtml: options"));
      return machine.call((glue) => glue.renderHtml(given, how));
    },

    /** @param {import("./core.js").Source} source @param {number} first @param {number} [last] */
    quoteBlocks(source, first, last = first) {
      return answer(() => {
        const from = JSON.stringify(sourceShape(source, "quoteBlocks: source"));
        const [head, tail] = [count(first, "quoteBlocks: first"), count(last, "quoteBlocks: last")];
        return machine.parsed((glue) => glue.quoteBlocks(from, head, tail));
      });
    },
    /** @param {import("./core.js").Source} source @param {number} start @param {number} end */
    quoteRange(source, start, end) {
      return answer(() => {
        const from = JSON.stringify(sourceShape(source, "quoteRange: source"));
        const [head, tail] = [place(start, "quoteRange: start"), place(end, "quoteRange: end")];
        if (head < 0 || tail < 0) return badRange(head < 0 ? "start" : "end");
        return machine.parsed((glue) => glue.quoteRange(from, head, tail));
      });
    },
    /** @param {readonly import("./core.js").Quote[]} quotes */
    formatQuotes(quotes) {
      const given = JSON.stringify(list(quote)(quotes, "formatQuotes: quotes"));
      return machine.call((glue) => glue.formatQuotes(given));
    },
    /** @param {import("./core.js").Quote} given @param {string} markdown */
    locateQuote(given, markdown) {
      const [sought, later] = [JSON.stringify(quote(given, "locateQuote: quote")), text(markdown, "locateQuote: markdown")];
      return machine.parsed((glue) => glue.locateQuote(sought, later));
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
      return machine.parsed((glue) => glue.applyEdits(given, JSON.stringify(asked)));
    },
    /** @param {string} before @param {string} after @returns {import("./core.js").Comparison} */
    compare(before, after) {
      const [from, to] = [text(before, "compare: before"), text(after, "compare: after")];
      return machine.parsed((glue) => glue.compare(from, to));
    },
    /** @param {string} base @param {string} mine @param {string} theirs */
    merge(base, mine, theirs) {
      const three = /** @type {const} */ ([text(base, "merge: base"), text(mine, "merge: mine"), text(theirs, "merge: theirs")]);
      return machine.parsed((glue) => glue.merge(...three));
    },
    /** @param {import("./core.js").RefusedMerge} refused @param {readonly ("mine" | "theirs" | "both")[]} choices */
    resolve(refused, choices) {
      const asked = refusedMerge(refused, "resolve: refused");
      const chosen = list(choice)(choices, "resolve: choices");
      return machine.call((glue) => glue.resolve(JSON.stringify(asked), JSON.stringify(chosen)));
    },

    /** @param {import("./core.js").Mail} given */
    buildEml(given) {
      return answer(() => {
        const letter = JSON.stringify(mail(given, "buildEml: mail"));
        return machine.parsed((glue) => glue.buildEml(letter));
      });
    },
    /** @param {import("./core.js").Mail} given */
    buildMailto(given) {
      return answer(() => {
        const letter = JSON.stringify(mail(given, "buildMailto: mail"));
        return machine.parsed((glue) => glue.buildMailto(letter));
      });
    },

    memoryStore,
    /** @param {import("./core.js").DocumentsOptions} options */
    documents: (options) => documentsOf(machine, options),
    /** Loaded when it is called: a host runs it in its tests, not in its pages. @param {Parameters<Core["checkStore"]>[0]} make */
    checkStore(make) {
      const made = /** @type {typeof make} */ (callable(make, "checkStore: make"));
      return import("./check-store.js").then(({ checkStore }) => checkStore(made));
    },
  });
}
