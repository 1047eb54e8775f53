// A host's own store, written as a host would: four methods over a Map, everything asynchronous, no optional ones.

/** @typedef {import("../../www/core.js").DocumentStore} DocumentStore */
/** @typedef {import("../../www/core.js").Snapshot} Snapshot */

/** @returns {DocumentStore & { texts: Map<string, Snapshot[]> }} */
export function plainStore() {
  /** @type {Map<string, Snapshot[]>} */
  const texts = new Map();
  let writes = 0;
  /** @type {Map<string, number>} */
  const latest = new Map();
  /** @param {Snapshot} snapshot */
  const info = ({ text, ...rest }) => structuredClone(rest);
  /** @param {string | undefined} space @param {string} id */
  const find = (space, id) => {
    const versions = texts.get(id);
    return versions && (space === undefined || versions[0].space === space) ? versions : undefined;
  };
  return {
    texts,
    async list({ space, limit, cursor }) {
      const heads = [...texts.values()].map((versions) => versions[versions.length - 1])
        .filter((head) => (space === undefined || head.space === space) && head.kind !== "delete")
        .sort((a, b) => /** @type {number} */ (latest.get(b.document)) - /** @type {number} */ (latest.get(a.document)));
      const from = Number(cursor ?? 0);
      const documents = heads.slice(from, from + limit).map(info);
      return from + limit < heads.length ? { ok: true, documents, cursor: String(from + limit) } : { ok: true, documents };
    },
    async read({ space, document, version }) {
      const versions = find(space, document);
      const snapshot = versions?.[(version ?? versions.length) - 1];
      return snapshot ? { ok: true, snapshot: structuredClone(snapshot) } : { ok: false, reason: "not-found" };
    },
    async history({ space, document, before, limit }) {
      const versions = find(space, document);
      if (!versions) return { ok: false, reason: "not-found" };
      const older = versions.filter(({ version }) => before === undefined || version < before).reverse();
      return { ok: true, versions: older.slice(0, limit).map(info), more: older.length > limit };
    },
    async commit({ head, snapshot, titleKey }) {
      const all = [...texts.values()].flat();
      const known = all.find((each) => each.space === snapshot.space && each.key === snapshot.key);
      if (known) return { ok: true, version: info(known) };
      const versions = texts.get(snapshot.document);
      if (versions && versions[0].space !== snapshot.space) return { ok: false, reason: "not-found" };
      const last = versions?.[versions.length - 1];
      if ((last?.version ?? null) !== head) return { ok: false, reason: "conflict" };
      const taken = [...texts.values()].map((each) => each[each.length - 1])
        .some((each) => each.document !== snapshot.document && each.space === snapshot.space && each.kind !== "delete" && each.title.trim().toLowerCase() === titleKey);
      if (taken && snapshot.kind !== "delete") return { ok: false, reason: "title-taken" };
      const at = last && Date.parse(last.at) > Date.parse(snapshot.at) ? last.at : snapshot.at;
      /** @type {Snapshot} */
      const made = { ...structuredClone(snapshot), version: (head ?? 0) + 1, at };
      texts.set(snapshot.document, [...(versions ?? []), made]);
      latest.set(snapshot.document, (writes += 1));
      return { ok: true, version: info(made) };
    },
  };
}
