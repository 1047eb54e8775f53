// The shapes of `core.d.ts` that come in from outside: arguments, and what a host's store answers.
import { anyText, count, flag, integer, list, object, oneOf, optional, orNull, pair, text } from "./check.js";

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

export const renderOptions = object({ images: optional(oneOf("none", "all")), headingOffset: optional(integer(0)), linkSchemes: optional(list(text)) });
