// Reading a text through the package: the outline that a model gets, and blocks whose offsets slice a JavaScript string.
import assert from "node:assert/strict";
import { test } from "node:test";
import { core, fixture } from "./core.js";

test("the vendor review gives its outline exactly, key order included", () => {
  const right = JSON.parse(fixture("vendor-review.outline.json"));
  assert.equal(JSON.stringify(core.outline(fixture("vendor-review.md"))), JSON.stringify(right));
});

test("blocks slice the text in UTF-16 units, after astral text too", () => {
  const markdown = "# 😀 Überblick\n\nEin 👩‍👩‍👧 Absatz.\n\n> quoted 𝒳\n\n```js\n\"😀\"\n```\n\nlast";
  const blocks = core.blocks(markdown);
  assert.deepEqual(
    blocks.map(({ start, end }) => markdown.slice(start, end)),
    ["# 😀 Überblick", "Ein 👩‍👩‍👧 Absatz.", "> quoted 𝒳", "```js\n\"😀\"\n```", "last"],
  );
  assert.deepEqual(blocks.map(({ type }) => type), ["heading", "paragraph", "quote", "fence", "paragraph"]);
  assert.deepEqual(Object.keys(blocks[0]), ["block", "kind", "type", "level", "start", "end"]);
  assert.deepEqual(Object.keys(blocks[1]), ["block", "kind", "type", "start", "end"]);
  assert.deepEqual(core.outline(markdown).map(({ chars }) => chars), blocks.map(({ start, end }) => end - start));
});

test("search finds blocks by their source and an empty query finds none", () => {
  const markdown = fixture("vendor-review.md");
  assert.deepEqual(core.search(markdown, " NORTHWIND ").map(({ block }) => block), [4, 7]);
  assert.deepEqual(core.search(markdown, "  "), []);
});

test("an empty text has no blocks", () => {
  assert.deepEqual(core.blocks(""), []);
  assert.deepEqual(core.outline("\n \n"), []);
});

test("a wrong argument is a TypeError that names it, a lone surrogate too", () => {
  for (const wrong of [undefined, null, 1, {}, ["x"], new String("x")]) {
    assert.throws(() => core.outline(/** @type {any} */ (wrong)), { name: "TypeError", message: "outline: markdown must be a string" });
    assert.throws(() => core.search("x", /** @type {any} */ (wrong)), { name: "TypeError", message: "search: query must be a string" });
  }
  for (const broken of ["\ud83d", "a\udc00b", "\udc00\ud83d"]) {
    for (const call of [() => core.outline(broken), () => core.blocks(broken), () => core.search("x", broken)]) {
      assert.throws(call, { name: "TypeError", message: /lone surrogate/ });
    }
  }
});

test("renderHtml gives the elements as a string, as its options say", () => {
  assert.match(core.renderHtml("# Plan 😀\n\n<script>x</script>\n"), /^<h1[^>]*>Plan 😀<\/h1>[^]*&lt;script&gt;/);
  assert.match(core.renderHtml("# Plan", { headingOffset: 2 }), /^<h3/);
  assert.match(core.renderHtml("# Plan", { headingOffset: 4_000_000_000 }), /^<h6/);
  assert.doesNotMatch(core.renderHtml("![alt](https://a.example/x.png)"), /<img/);
  assert.match(core.renderHtml("![alt](https://a.example/x.png)", { images: "all" }), /<img/);
  assert.doesNotMatch(core.renderHtml("[x](javascript:alert(1))", { linkSchemes: ["ftp"] }), /href/);
  assert.match(core.renderHtml("[x](ftp://a.example/)", { linkSchemes: ["ftp"] }), /href="ftp:/);
  assert.throws(() => core.renderHtml("x", /** @type {any} */ ({ images: "some" })), { name: "TypeError", message: 'renderHtml: options.images must be "none" or "all"' });
  assert.throws(() => core.renderHtml("x", /** @type {any} */ (null)), { name: "TypeError", message: "renderHtml: options must be an object" });
});

test("answers are the caller's own", () => {
  const first = core.outline("# A");
  first[0].preview = "changed";
  assert.equal(core.outline("# A")[0].preview, "# A");
});
