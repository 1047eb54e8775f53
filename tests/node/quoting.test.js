// Quoting through the package: exact source in UTF-16 units, the text for a message, and where a quote stands later.
import assert from "node:assert/strict";
import { test } from "node:test";
import { core, fixture } from "./core.js";

const review = { document: "d1", title: "Vendor review", version: 1, text: fixture("vendor-review.md") };
const astral = { document: "", title: "", version: 0, text: "# 😀 Überblick\n\nDie **erste** 𝒳 Zeile. 👩‍👩‍👧 da.\n\nDie zweite.\n" };

/** @template T @param {T} result @returns {Extract<T, { ok: true }>["quote" & keyof Extract<T, { ok: true }>]} */
const quoted = (result) => {
  assert.ok(/** @type {any} */ (result).ok, JSON.stringify(result));
  return /** @type {any} */ (result).quote;
};

test("whole blocks", () => {
  const quote = quoted(core.quoteBlocks(review, 2, 3));
  const { text } = review;
  assert.deepEqual([quote.document, quote.title, quote.version, quote.blocks], ["d1", "Vendor review", 1, [2, 3]]);
  assert.equal(quote.source, text.slice(quote.start, quote.end));
  assert.equal(quote.exact.text, quote.source);
  assert.ok(quote.source.startsWith("## Findings") && quote.source.endsWith("not a saving."));
  assert.equal(text.split(quote.anchor).length, 2);
  assert.deepEqual(Object.keys(quote).slice(0, 9), ["document", "title", "version", "blocks", "source", "start", "end", "exact", "anchor"]);
  assert.deepEqual(quoted(core.quoteBlocks(review, 2)).blocks, [2, 2]);
});

test("a range counts UTF-16 units, grows to whole characters and names its occurrence", () => {
  const { text } = astral;
  const at = text.indexOf("Die", text.indexOf("zweite") - 5);
  const quote = quoted(core.quoteRange(astral, at, at + 3));
  assert.deepEqual(quote.exact, { text: "Die", start: at, end: at + 3, occurrence: 2, of: 2 });
  assert.equal(text.slice(quote.start, quote.end), "Die zweite.");
  assert.equal(text.split(quote.anchor).length, 2);
  // From within an emoji family, between two of its characters.
  const family = text.indexOf("👩‍👩‍👧");
  const whole = quoted(core.quoteRange(astral, family + 3, family + 5));
  assert.equal(whole.exact.text, "👩‍👩‍👧");
});

test("a range that is none is refused, never an exception or a wrong quote", () => {
  const half = astral.text.indexOf("😀") + 1;
  for (const [start, end] of [[half, half + 4], [0, half], [-1, 3], [3, -1], [5, 4], [0, 10_000], [10_000, 10_001]]) {
    const result = core.quoteRange(astral, start, end);
    assert.deepEqual([result.ok, result.ok || result.reason], [false, "bad-range"], `${start} to ${end}`);
  }
  const blocks = core.quoteBlocks(astral, 2, 9);
  assert.equal(blocks.ok, false);
  const broken = core.quoteRange({ ...astral, text: "\ud83d" }, 0, 1);
  assert.deepEqual([broken.ok, broken.ok || broken.reason], [false, "invalid-text"]);
  assert.throws(() => core.quoteRange(astral, /** @type {any} */ ("0"), 1), { name: "TypeError", message: "quoteRange: start must be an integer" });
  assert.throws(() => core.quoteBlocks(/** @type {any} */ ({ ...astral, version: "1" }), 0), { name: "TypeError", message: "quoteBlocks: source.version must be an integer" });
});

test("formatQuotes says where each is from, what it says and which words were meant", () => {
  const { text } = review;
  const words = "42,000";
  const [one, two] = [quoted(core.quoteBlocks(review, 0)), quoted(core.quoteRange(review, text.indexOf(words), text.indexOf(words) + words.length))];
  const message = core.formatQuotes([one, two]);
  assert.ok(message.startsWith('Quoted from "Vendor review" (d1 v1, block 0):\n```markdown\n# Vendor review\n```'), message);
  assert.ok(message.includes("Selected:\n```markdown\n42,000\n```"), message);
  // A quote that went through JSON, in a framework's proxy, is the same.
  assert.equal(core.formatQuotes([JSON.parse(JSON.stringify(one)), new Proxy(two, {})]), message);
  assert.throws(() => core.formatQuotes([/** @type {any} */ ({ ...one, exact: {} })]), { name: "TypeError", message: "formatQuotes: quotes[0].exact.text must be a string" });
  assert.equal(core.formatQuotes([]), "");
});

test("locateQuote finds the quote again: same, moved or changed", () => {
  const { text } = astral;
  const at = text.indexOf("zweite");
  const quote = quoted(core.quoteRange(astral, at, at + 6));
  assert.deepEqual(core.locateQuote(quote, text), { state: "same", start: at, end: at + 6 });
  assert.deepEqual(core.locateQuote(quote, `😀\n\n${text}`), { state: "moved", start: at + 4, end: at + 10 });
  assert.deepEqual(core.locateQuote(quote, text.replace("zweite", "dritte")), { state: "changed" });
  assert.deepEqual(core.locateQuote(quote, `${"zweite ".repeat(9)}`), { state: "changed" });
  assert.deepEqual(core.locateQuote(quote, ""), { state: "changed" });
});
