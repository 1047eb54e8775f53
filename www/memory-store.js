// A store that forgets: for tests, demos and private windows. Plain JavaScript, so that its data outlives the module.

/** @typedef {import("./core.js").DocumentStore} DocumentStore */
/** @typedef {import("./core.js").Snapshot} Snapshot */
/** @typedef {import("./core.js").VersionInfo} VersionInfo */
/** @typedef {import("./core.js").Proposal} Proposal */
/** @typedef {import("./core.js").Presence} Presence */
/** @typedef {{ document: string, space: string, versions: Snapshot[], titleKey: string, turn: number }} Kept `turn` orders by commit */
/** @typedef {Parameters<Parameters<NonNullable<DocumentStore["watch"]>>[1]>[0]} Change */

/** What is kept and what is given are never one object. @template T @param {T} value @returns {T} */
function copy(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return /** @type {T} */ (value.map(copy));
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  return /** @type {T} */ (Object.fromEntries(fields.map(([name, each]) => [name, copy(each)])));
}

/** @param {unknown} a @param {unknown} b @returns {boolean} */
function same(a, b) {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const [left, right] = [Object.entries(a), /** @type {Record<string, unknown>} */ (b)];
  return Array.isArray(a) === Array.isArray(b) && left.length === Object.keys(b).length
    && left.every(([name, each]) => Object.hasOwn(right, name) && same(each, right[name]));
}

/** A version without its text. @param {Snapshot} snapshot @returns {VersionInfo} */
function infoOf({ text, ...info }) {
  return copy(info);
}

/** @template {string} R @param {R} reason @param {string} [message] */
const no = (reason, message) => (message === undefined ? { ok: /** @type {const} */ (false), reason } : { ok: /** @type {const} */ (false), reason, message });

/** One value per space and name; neither can be taken for the other. @template T */
class Index {
  /** @type {Map<string, Map<string, T>>} */ #spaces = new Map();
  /** @param {string} space @param {string} name */
  get(space, name) {
    return this.#spaces.get(space)?.get(name);
  }
  /** @param {string} space @param {string} name @param {T} value */
  set(space, name, value) {
    let names = this.#spaces.get(space);
    if (names === undefined) this.#spaces.set(space, (names = new Map()));
    names.set(name, value);
  }
  /** @param {string} space @param {string} name */
  delete(space, name) {
    this.#spaces.get(space)?.delete(name);
  }
  /** In the order in which the names came. @param {string} space */
  values(space) {
    return [...(this.#spaces.get(space)?.values() ?? [])];
  }
}

/** @returns {DocumentStore} */
export function memoryStore() {
  /** @type {Map<string, Kept>} */ const kept = new Map();
  /** Every write ever made, by its key. @type {Index<Snapshot>} */ const keys = new Index();
  /** Who has a title now, by its folded form. @type {Index<string>} */ const titles = new Index();
  /** In the order of their first save. @type {Index<Proposal>} */ const proposals = new Index();
  /** @type {Set<{ space: string, changed: (what: Change) => void }>} */ const watchers = new Set();
  /** @type {Set<{ space: string, document: string, me: Presence, changed: (people: Presence[]) => void }>} */ const present = new Set();
  let turns = 0;

  /** @param {string | undefined} space @param {string} document */
  const find = (space, document) => {
    const found = kept.get(document);
    return found !== undefined && (space === undefined || found.space === space) ? found : undefined;
  };
  /** @param {Kept} document */
  const headOf = ({ versions }) => versions[versions.length - 1];

  /** Later, so that a listener that writes does not write inside of a write; each hears its own copy. @param {string} space @param {Change} what */
  function tell(space, what) {
    for (const watcher of watchers) {
      if (watcher.space !== space) continue;
      const change = copy(what);
      queueMicrotask(() => {
        if (watchers.has(watcher)) watcher.changed(change);
      });
    }
  }

  /** @param {Proposal} proposal whether it may be stored: new, the next revision, or what is stored already */
  function fits(proposal) {
    const stored = proposals.get(proposal.space, proposal.id);
    return stored === undefined ? proposal.revision === 1 : proposal.revision === stored.revision + 1 || same(proposal, stored);
  }

  /** @param {Proposal} proposal */
  function put(proposal) {
    if (same(proposal, proposals.get(proposal.space, proposal.id))) return;
    proposals.set(proposal.space, proposal.id, proposal);
    tell(proposal.space, { proposal });
  }

  /** @param {string} space @param {string} document */
  function tellPresent(space, document) {
    const here = [...present].filter((each) => each.space === space && each.document === document);
    for (const each of here) {
      const others = new Map(here.filter(({ me }) => me.id !== each.me.id).map(({ me }) => [me.id, me]));
      queueMicrotask(() => {
        if (present.has(each)) each.changed([...others.values()].map(copy));
      });
    }
  }

  return {
    list({ space, limit, cursor }) {
      const before = cursor === undefined ? Infinity : Number(cursor);
      const found = [...kept.values()]
        .filter((each) => (space === undefined || each.space === space) && each.turn < before && headOf(each).kind !== "delete")
        .sort((a, b) => b.turn - a.turn);
      const page = found.slice(0, limit);
      const documents = page.map((each) => infoOf(headOf(each)));
      return page.length < found.length && page.length > 0
        ? { ok: true, documents, cursor: String(page[page.length - 1].turn) }
        : { ok: true, documents };
    },

    read({ space, document, version }) {
      const found = find(space, document);
      const snapshot = found && (version === undefined ? headOf(found) : found.versions[version - 1]);
      return snapshot === undefined ? no("not-found") : { ok: true, snapshot: copy(snapshot) };
    },

    history({ space, document, before, limit }) {
      const found = find(space, document);
      if (found === undefined) return no("not-found");
      const end = Math.min(found.versions.length, before === undefined ? Infinity : Math.max(0, before - 1));
      const start = Math.max(0, end - limit);
      return { ok: true, versions: found.versions.slice(start, end).reverse().map(infoOf), more: start > 0 };
    },

    commit({ head, snapshot: given, titleKey, answers }) {
      const { document, space, ...rest } = copy(given);
      const answered = answers === undefined ? undefined : copy(answers);
      const known = keys.get(space, rest.key);
      if (known !== undefined) return { ok: true, version: infoOf(known) };

      const found = kept.get(document);
      if (found === undefined && head !== null) return no("not-found");
      if (found !== undefined && head === null) return no("exists");
      if (found !== undefined && found.space !== space) return no("not-found");
      const last = found && headOf(found);
      if (last !== undefined && last.version !== head) return no("conflict");
      const holder = titles.get(space, titleKey);
      if (rest.kind !== "delete" && holder !== undefined && holder !== document) return no("title-taken");
      if (answered !== undefined && !fits(answered)) return no("conflict");

      const at = last !== undefined && Date.parse(last.at) > Date.parse(rest.at) ? last.at : rest.at;
      /** @type {Snapshot} */
      const snapshot = { document, space, version: (last?.version ?? 0) + 1, ...rest, at };
      const entry = found ?? { document, space, versions: [], titleKey, turn: 0 };
      if (titles.get(space, entry.titleKey) === document) titles.delete(space, entry.titleKey);
      entry.versions.push(snapshot);
      entry.titleKey = titleKey;
      entry.turn = ++turns;
      kept.set(document, entry);
      if (snapshot.kind !== "delete") titles.set(space, titleKey, document);
      keys.set(space, snapshot.key, snapshot);
      tell(space, { version: infoOf(snapshot) });
      if (answered !== undefined) put(answered);
      return { ok: true, version: infoOf(snapshot) };
    },

    proposals: {
      list({ space, document, id, open }) {
        const found = proposals.values(space).filter((each) =>
          (document === undefined || each.document === document)
          && (id === undefined || each.id === id)
          && (open === undefined || (each.state === "open") === open));
        return { ok: true, proposals: found.map(copy) };
      },
      save(given) {
        const proposal = copy(given);
        if (!fits(proposal)) return no("conflict");
        put(proposal);
        return { ok: true, proposal: copy(proposal) };
      },
    },

    watch({ space }, changed) {
      const watcher = { space, changed };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },

    presence({ space, document, me }, changed) {
      const here = { space, document, me: copy(me), changed };
      present.add(here);
      tellPresent(space, document);
      return () => {
        if (present.delete(here)) tellPresent(space, document);
      };
    },

    erase({ space, document }) {
      const found = find(space, document);
      if (found === undefined) return no("not-found");
      for (const { key } of found.versions) keys.delete(space, key);
      for (const proposal of proposals.values(space)) if (proposal.document === document) proposals.delete(space, proposal.id);
      if (titles.get(space, found.titleKey) === document) titles.delete(space, found.titleKey);
      kept.delete(document);
      return { ok: true };
    },
  };
}
