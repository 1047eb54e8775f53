// Documents of one space: checks what comes in, and lets the core do the work over the host's store.
import { IllFormed, callable, count, flag, integer, list, object, oneOf, optional, options as given, text } from "./check.js";
import { callStore, watchStore } from "./host-store.js";
import { amended, author, change, store as storeShape, writeOptions } from "./shapes.js";

/** @typedef {import("./core.js").Documents} Documents */
/** @typedef {import("./core.js").DocumentsEvents} Events */
/** @typedef {import("./core.js").Refused} Refused */

const checkOptions = object({
  store: storeShape, space: text, author, approval: optional(oneOf("ask", "never")), unread: optional(oneOf("merge", "refuse")),
  link: optional(callable), maxBytes: optional(integer(1)), timeout: optional(integer(1)), now: optional(callable), newId: optional(callable),
});

const listOptions = given(object({ limit: optional(integer(1)), cursor: optional(text) }));
const readOptions = given(object({ version: optional(count) }));
const historyOptions = given(object({ before: optional(count), limit: optional(integer(1)) }));
const saveChange = object({ base: count, title: optional(text), text: optional(text) });
const write = given(writeOptions);
const proposeOptions = object({ by: author, base: optional(count), summary: optional(text), key: optional(text) });
const proposalsOptions = given(object({ document: optional(text), id: optional(text), open: optional(flag) }));
const decideOptions = given(object({ by: optional(author), amended: optional(amended), note: optional(text) }));
const withdrawOptions = given(object({ by: optional(author), note: optional(text) }));

/** 122 random bits, where `crypto.randomUUID` is kept from pages without TLS. */
function randomId() {
  const bits = globalThis.crypto.getRandomValues(new Uint8Array(16));
  bits[6] = (bits[6] & 0x0f) | 0x40;
  bits[8] = (bits[8] & 0x3f) | 0x80;
  const hex = Array.from(bits, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Throws where nobody waits for an answer: as an event listener's error does. @param {unknown} error */
function report(error) {
  if (typeof globalThis.reportError === "function") globalThis.reportError(error);
  else setTimeout(() => { throw error; });
}

/** @param {import("./machine.js").Machine} machine @param {unknown} asked @returns {Documents} */
export function documentsOf(machine, asked) {
  const { store, space, author: me, timeout = 30_000, maxBytes, now, newId } = checkOptions(asked, "documents: options");

  /** @type {Map<number, (result: any) => void>} */ const waiting = new Map();
  /** @type {{ [K in keyof Events]: Set<(detail: Events[K]) => void> }} */
  const listeners = { version: new Set(), proposal: new Set(), error: new Set(), missed: new Set() };
  /** What was told already, by a result or by the store's watch. @type {Set<string>} */ const told = new Set();
  let [tasks, handle, instance, closed] = [0, 0, -1, false];
  /** @type {(() => void) | undefined} */ let stopWatching;
  /** @type {(() => void) | undefined} */ let stopListening;

  /** @template {keyof Events} K @param {K} event @param {Events[K]} detail */
  function tell(event, detail) {
    for (const heard of [...listeners[event]]) {
      // A copy for each, so that none sees what another does to it.
      const own = structuredClone(detail);
      queueMicrotask(() => {
        if (!listeners[event].has(heard)) return;
        try {
          heard(own);
        } catch (error) {
          report(error);
        }
      });
    }
  }
  /** @param {import("./core.js").VersionInfo} version */
  function tellVersion(version) {
    const name = JSON.stringify([version.document, version.version]);
    if (told.has(name)) return;
    told.add(name);
    tell("version", version);
  }
  /** @param {import("./core.js").Proposal} proposal */
  function tellProposal(proposal) {
    const name = JSON.stringify([proposal.id, "revision", proposal.revision]);
    if (told.has(name)) return;
    told.add(name);
    tell("proposal", proposal);
  }
  /** @param {string} message @param {import("./core.js").Reason} [reason] */
  const tellError = (message, reason = "unavailable") => tell("error", { ok: false, reason, message });

  /** What the host gives where it can; its mistakes are told and harm nothing. @template T @param {string} name @param {() => T | undefined} ask @param {() => T} otherwise */
  function fromHost(name, ask, otherwise) {
    try {
      const answer = ask();
      if (answer !== undefined) return answer;
      tellError(`options.${name} gave something else than it should; it was done without.`);
    } catch (error) {
      tellError(`options.${name} failed: ${error instanceof Error ? error.message : String(error)}; it was done without.`);
    }
    return otherwise();
  }

  // The host's side of one Documents in WebAssembly. Nothing in here throws: that would leave the instance half changed.
  const host = {
    /** @param {number} call @param {string} method @param {string} request */
    call(call, method, request) {
      const asking = machine.instance;
      void callStore(store, timeout, method, JSON.parse(request)).then((outcome) => {
        if (outcome.ok && method === "commit") tellVersion(/** @type {any} */ (outcome).version);
        if (outcome.ok && method === "proposals.save") tellProposal(/** @type {any} */ (outcome).proposal);
        if (!outcome.ok && (outcome.reason === "unknown" || outcome.reason === "timeout"))
          tellError(outcome.message, outcome.reason === "timeout" ? "timeout" : "unavailable");
        // An instance that is gone waits for nothing.
        if (asking !== machine.instance) return;
        try {
          machine.call((glue) => glue.answer(call, JSON.stringify(outcome)));
        } catch {
          // The module stopped, and whoever waited has been told.
        }
      });
    },
    now() {
      const time = now && fromHost("now", () => {
        const date = now();
        return date instanceof Date && !Number.isNaN(date.getTime()) ? date : undefined;
      }, () => new Date());
      return (time ?? new Date()).toISOString();
    },
    newId() {
      return newId ? fromHost("newId", () => {
        const id = newId();
        return typeof id === "string" && id !== "" && text(id, "options.newId: its answer") ? id : undefined;
      }, randomId) : randomId();
    },
    /** @param {number} task @param {string} result */
    settle(task, result) {
      const done = waiting.get(task);
      finished(task);
      done?.(JSON.parse(result));
    },
  };

  /** @param {number} task */
  function finished(task) {
    waiting.delete(task);
    if (waiting.size > 0) return;
    stopListening?.();
    stopListening = undefined;
  }

  /** @param {Refused} refusal */
  function refuseAll(refusal) {
    for (const [task, done] of [...waiting]) {
      finished(task);
      done({ ...refusal });
    }
  }

  /** Runs an operation of the core's, with arguments that have been checked. @param {string} operation @param {object} args @returns {Promise<any>} */
  function run(operation, args) {
    return new Promise((resolve) => {
      if (closed) return resolve({ ok: false, reason: "unavailable", message: "These documents are closed. Open them again." });
      const task = (tasks += 1);
      waiting.set(task, resolve);
      stopListening ??= machine.whenStopped((stopped) => {
        refuseAll({ ok: false, reason: "unavailable", message: `${stopped.message} A write may have happened: send it again.` });
      });
      try {
        machine.call((glue) => {
          if (instance !== machine.instance) {
            const open = JSON.stringify({ space, author: me, maxBytes, proposals: store.proposals !== undefined, erase: store.erase !== undefined });
            handle = glue.openDocuments(host, open);
            instance = machine.instance;
          }
          glue.runDocuments(handle, task, operation, JSON.stringify(args));
        });
      } catch {
        // The module stopped, and this call was told with the others that waited.
      }
    });
  }

  /** Checks arguments, then runs; lone surrogates are a result. @param {string} operation @param {() => object} check @returns {Promise<any>} */
  async function ask(operation, check) {
    try {
      return await run(operation, check());
    } catch (error) {
      if (error instanceof IllFormed) return { ok: false, reason: "invalid-text", message: error.message };
      throw error;
    }
  }

  /** A store that cannot hold proposals cannot tell of them either. @param {any} result */
  function proposed(result) {
    if (result.ok) tellProposal(result.proposal);
    return result;
  }

  function watch() {
    if (closed) return;
    const wanted = [listeners.version, listeners.proposal, listeners.missed].some((heard) => heard.size > 0);
    if (wanted && stopWatching === undefined) {
      stopWatching = watchStore(store, space, (what) => {
        if (what.version?.space === space) tellVersion(what.version);
        if (what.proposal?.space === space) tellProposal(what.proposal);
        if (what.missed) tell("missed", null);
      }, tellError);
    } else if (!wanted) {
      stopWatching?.();
      stopWatching = undefined;
    }
  }

  return Object.freeze({
    space,
    author: Object.freeze(me),

    /** @param {{ limit?: number, cursor?: string }} [options] */
    list: (options) => ask("list", () => listOptions(options, "list: options")),
    /** @param {number} [limit] */
    recent: (limit) => ask("recent", () => (limit === undefined ? {} : { limit: integer(1)(limit, "recent: limit") })),
    /** @param {string} document @param {{ version?: number }} [options] */
    read: (document, options) => ask("read", () => ({ document: text(document, "read: document"), ...readOptions(options, "read: options") })),
    /** @param {string} document @param {{ before?: number, limit?: number }} [options] */
    history: (document, options) => ask("history", () => ({ document: text(document, "history: document"), ...historyOptions(options, "history: options") })),
    /** @param {string} document @param {number} from @param {number} to */
    compare: (document, from, to) => ask("compare", () => ({ document: text(document, "compare: document"), from: count(from, "compare: from"), to: count(to, "compare: to") })),

    /** @param {string} title @param {string} body @param {import("./core.js").WriteOptions} [options] */
    create: (title, body, options) => ask("create", () => ({ title: text(title, "create: title"), text: text(body, "create: text"), options: write(options, "create: options") })),
    /** @param {string} document @param {{ base: number, title?: string, text?: string }} what @param {import("./core.js").WriteOptions} [options] */
    save: (document, what, options) => ask("save", () => ({ document: text(document, "save: document"), change: saveChange(what, "save: change"), options: write(options, "save: options") })),
    /** @param {string} document @param {string} body @param {import("./core.js").WriteOptions} [options] */
    append: (document, body, options) => ask("append", () => ({ document: text(document, "append: document"), text: text(body, "append: text"), options: write(options, "append: options") })),
    /** @param {string} document @param {number} version @param {import("./core.js").WriteOptions} [options] */
    restore: (document, version, options) => ask("restore", () => ({ document: text(document, "restore: document"), version: count(version, "restore: version"), options: write(options, "restore: options") })),
    /** @param {string} document @param {import("./core.js").WriteOptions} [options] */
    remove: (document, options) => ask("remove", () => ({ document: text(document, "remove: document"), options: write(options, "remove: options") })),
    /** @param {string} document */
    erase: (document) => ask("erase", () => ({ document: text(document, "erase: document") })),

    /** @param {import("./core.js").ProposedChange} what @param {{ by: import("./core.js").Author, base?: number, summary?: string, key?: string }} options */
    propose: (what, options) => ask("propose", () => ({ change: change(what, "propose: change"), options: proposeOptions(options, "propose: options") })).then(proposed),
    /** @param {{ document?: string, id?: string, open?: boolean }} [options] */
    proposals: (options) => ask("proposals", () => proposalsOptions(options, "proposals: options")),
    /** @param {string} proposal @param {readonly number[]} accepted @param {{ by?: import("./core.js").Author, amended?: Record<number, string>, note?: string }} [options] */
    decide: (proposal, accepted, options) => ask("decide", () => ({ proposal: text(proposal, "decide: proposal"), accepted: list(count)(accepted, "decide: accepted"), options: decideOptions(options, "decide: options") })).then(proposed),
    /** @param {string} proposal @param {{ by?: import("./core.js").Author, note?: string }} [options] */
    withdraw: (proposal, options) => ask("withdraw", () => ({ proposal: text(proposal, "withdraw: proposal"), options: withdrawOptions(options, "withdraw: options") })).then(proposed),

    /** @template {keyof Events} K @param {K} event @param {(detail: Events[K]) => void} heard */
    on(event, heard) {
      oneOf("version", "proposal", "error", "missed")(event, "on: event");
      callable(heard, "on: heard");
      // One listener twice is two listeners: each has its own way out.
      const own = /** @param {Events[K]} detail */ (detail) => heard(detail);
      listeners[event].add(own);
      watch();
      return () => {
        if (listeners[event].delete(own)) watch();
      };
    },

    close() {
      if (closed) return;
      closed = true;
      stopWatching?.();
      for (const heard of Object.values(listeners)) heard.clear();
      refuseAll({ ok: false, reason: "aborted", message: "The documents were closed meanwhile. A write may have happened." });
      if (instance === machine.instance) machine.call((glue) => glue.closeDocuments(handle));
    },
  });
}
