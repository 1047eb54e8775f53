// The shapes of `core.d.ts` that come in from outside: arguments, and what a host's store answers.
import { anyText, callable, count, flag, integer, list, object, oneOf, optional, options, orNull, pair, text } from "./check.js";

export const source = object({ document: text, title: text, version: count, text });

/** Checked but for surrogates: those are a refusal of the one edit. */
export const rawEdit = object({ find: anyText, replace: anyText, block: optional(count) });
export const edit = object({ find: text, replace: text, block: optional(count) });

const stretch = object({ line: count, lines: count, text });
const clash = object({ what: oneOf("text", "title"), base: stretch, mine: stretch, theirs: stretch });

/** Settled text or the number of a clash. @type {import("./check.js").Shape<string | number>} */
const piece = (value, at) => {
  if (typeof value === "string") return text(value, at);
  if (typeof value === "number") return count(value, at);
  throw new TypeError(`${at} must be a string or the index of a clash`);
};

const anyRefusedMerge = object({ message: text, clashes: list(clash), pieces: list(piece) });
/** @type {typeof anyRefusedMerge} */
export const refusedMerge = (value, at) => {
  const refused = anyRefusedMerge(value, at);
  refused.pieces.forEach((each, index) => {
    if (typeof each === "number" && each >= refused.clashes.length)
      throw new TypeError(`${at}.pieces[${index}] must be the index of a clash: there are ${refused.clashes.length}`);
  });
  return refused;
};
export const choice = oneOf("mine", "theirs", "both");

const range = pair(count, count);
export const quote = object({
  document: text, title: text, version: count, blocks: range, source: text, start: count, end: count,
  exact: object({ text, start: count, end: count, occurrence: count, of: count }),
  anchor: text, ranges: optional(list(range)), table: optional(object({ rows: range, columns: range })),
});

export const mail = object({
  to: list(text), cc: optional(list(text)), bcc: optional(list(text)), subject: text, body: text,
  attachments: optional(list(object({ name: text, type: text, text }))), draft: optional(flag),
});

export const renderOptions = options(object({ images: optional(oneOf("none", "all")), headingOffset: optional(integer(0)), linkSchemes: optional(list(text)) }));

// ───────────── Documents ─────────────

export const author = object({ id: text, kind: oneOf("person", "agent"), name: text, for: optional(object({ id: text, name: text })) });

const version = {
  document: text, space: text, version: integer(1),
  kind: oneOf("create", "write", "append", "edit", "save", "merge", "rename", "restore", "delete"),
  title: text, by: author, approvedBy: optional(author), at: text, bytes: count, added: count, removed: count, opens: text,
  startedFrom: orNull(count), restoredFrom: optional(count), proposal: optional(text), summary: optional(text), key: text,
};
export const versionInfo = object(version);
export const snapshot = object({ ...version, text });

const edits = object({ document: text, edits: list(edit) });
const append = object({ document: text, append: text });
const rewrite = object({ document: text, text, title: optional(text) });
const creation = object({ title: text, text });
/** What is told apart by its fields: the first that fits. @type {import("./check.js").Shape<import("./core.js").ProposedChange>} */
export const change = (value, at) => {
  const given = /** @type {Record<string, unknown>} */ (typeof value === "object" && value !== null ? value : {});
  if (given.document === undefined) return creation(value, at);
  if (given.edits !== undefined) return edits(value, at);
  return given.append !== undefined ? append(value, at) : rewrite(value, at);
};

/** New texts by the number of their hunk. @type {import("./check.js").Shape<Record<number, string>>} */
export const amended = (value, at) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError(`${at} must be an object`);
  return Object.fromEntries(Object.entries(value).map(([hunk, put]) => {
    if (!/^(0|[1-9]\d{0,8})$/.test(hunk)) throw new TypeError(`${at}: ${JSON.stringify(hunk)} must be the index of a hunk`);
    return [hunk, text(put, `${at}[${hunk}]`)];
  }));
};

const lines = object({ line: count, lines: count });
const hunk = object({
  index: count, block: count, heading: optional(text), before: lines, after: lines,
  lines: list(object({ sign: oneOf(" ", "-", "+"), text, words: optional(list(range)) })), notes: list(text),
  splice: object({ start: count, end: count, text }), edit: optional(count), isTitle: optional(flag),
});
export const proposal = object({
  id: text, revision: integer(1), space: text, document: orNull(text), title: text, base: orNull(count), change, by: author,
  summary: optional(text), at: text, hunks: list(hunk), state: oneOf("open", "accepted", "partly", "rejected", "stale", "withdrawn"),
  answer: optional(object({
    by: author, at: text, accepted: list(count), amended: optional(amended), note: optional(text), version: orNull(count), text,
  })),
});

/** A host's store, as it stands: its methods are looked up when they are called. @type {import("./check.js").Shape<import("./core.js").DocumentStore>} */
export const store = (value, at) => {
  if (typeof value !== "object" || value === null) throw new TypeError(`${at} must be an object`);
  const given = /** @type {Record<string, any>} */ (value);
  for (const method of ["list", "read", "history", "commit"]) callable(given[method], `${at}.${method}`);
  for (const method of ["watch", "presence", "erase"]) if (given[method] !== undefined) callable(given[method], `${at}.${method}`);
  if (given.proposals !== undefined) {
    if (typeof given.proposals !== "object" || given.proposals === null) throw new TypeError(`${at}.proposals must be an object`);
    for (const method of ["list", "save"]) callable(given.proposals[method], `${at}.proposals.${method}`);
  }
  return /** @type {import("./core.js").DocumentStore} */ (value);
};

export const writeOptions = object({ by: optional(author), summary: optional(text), key: optional(text) });
