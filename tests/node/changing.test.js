// Changing a text through the package: edits, comparisons and merges, with the fixtures' right answers.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cases, core, fixture } from "./core.js";

/** @param {string} text @param {{ start: number, end: number, text: string }[]} splices */
const spliced = (text, splices) => splices.reduceRight((all, { start, end, text: put }) => all.slice(0, start) + put + all.slice(end), text);

describe("applyEdits", () => {
  for (const { name, markdownFile, markdown = fixture(markdownFile), edits, expect } of cases("edits.json")) {
    test(name, () => {
      const result = core.applyEdits(markdown, edits);
      assert.equal(result.ok, expect.ok, JSON.stringify(result));
      if (result.ok) {
        if (expect.markdown !== undefined) assert.equal(result.markdown, expect.markdown);
        if (expect.applied !== undefined) assert.deepEqual(result.applied.map(({ start, end, block }) => [start, end, block]), expect.applied);
        result.applied.forEach(({ edit, start, end }) => assert.equal(markdown.slice(start, end).replace(/\r\n?/g, "\n"), edits[edit].find.replace(/\r\n?/g, "\n")));
        return;
      }
      if (expect.reason !== undefined) assert.equal(result.reason, expect.reason);
      if (expect.reasons !== undefined) assert.deepEqual(result.refusals.map(({ reason }) => reason), expect.reasons);
      if (expect.count !== undefined) assert.equal(result.refusals[0].count, expect.count);
      if (expect.lines !== undefined) assert.deepEqual(result.refusals[0].places?.map(({ line }) => line), expect.lines);
      for (const mention of expect.mentions ?? []) assert.ok(result.message.includes(mention), `${JSON.stringify(mention)} in ${result.message}`);
    });
  }

  test("places and applied spans count UTF-16 units", () => {
    const markdown = "😀😀 one\n\n😀 two two\n";
    const done = core.applyEdits(markdown, [{ find: "one", replace: "1" }]);
    assert.deepEqual(done, { ok: true, markdown: "😀😀 1\n\n😀 two two\n", applied: [{ edit: 0, start: 5, end: 8, block: 0 }] });
    const refused = core.applyEdits(markdown, [{ find: "two", replace: "2" }]);
    assert.ok(!refused.ok);
    assert.deepEqual(refused.refusals[0].places?.map(({ start, end }) => markdown.slice(start, end)), ["two", "two"]);
  });

  test("a wrong argument is a TypeError that names it", () => {
    /** @type {[unknown, string][]} */
    const wrong = [
      [undefined, "edits must be an array"],
      ["x", "edits must be an array"],
      [[null], "edits[0] must be an object"],
      [[{ find: "a", replace: "b" }, { find: "a" }], "edits[1].replace must be a string"],
      [[{ find: "a", replace: "b" }, { find: "a", replace: "b" }, { find: 1, replace: "b" }], "edits[2].find must be a string"],
      [[{ find: "a", replace: "b", block: "1" }], "edits[0].block must be an integer"],
      [[{ find: "a", replace: "b", block: 0.5 }], "edits[0].block must be an integer"],
      [[{ find: "a", replace: "b", block: -1 }], "edits[0].block must be an integer from 0"],
      [[{ find: "a", replace: "b", block: null }], "edits[0].block must be an integer"],
      // eslint-disable-next-line no-sparse-arrays
      [[, { find: "a", replace: "b" }], "edits[0] must be an object"],
    ];
    for (const [edits, message] of wrong) assert.throws(() => core.applyEdits("a", /** @type {any} */ (edits)), { name: "TypeError", message: `applyEdits: ${message}` });
  });

  test("lone surrogates are refused, edit by edit, and never altered", () => {
    const half = core.applyEdits("\ud800", []);
    assert.deepEqual([half.ok, half.ok || half.reason, half.ok || half.refusals], [false, "invalid-text", []]);
    const edits = [{ find: "a", replace: "b" }, { find: "\ud83d", replace: "" }, { find: "a", replace: "x\udc00" }];
    const refused = core.applyEdits("a 😀", edits);
    assert.ok(!refused.ok);
    assert.equal(refused.reason, "invalid-text");
    assert.deepEqual(refused.refusals.map(({ edit, reason }) => [edit, reason]), [[1, "invalid-text"], [2, "invalid-text"]]);
    assert.match(refused.message, /Edit 2.*find[^]*Edit 3.*replace/);
  });

  test("a proxy, a frozen list and unknown fields are taken as they read", () => {
    const edit = new Proxy(Object.freeze({ find: "a", replace: "b", why: () => 1 }), {});
    const result = core.applyEdits("a", Object.freeze([edit]));
    assert.deepEqual(result, { ok: true, markdown: "b", applied: [{ edit: 0, start: 0, end: 1, block: 0 }] });
  });
});

describe("compare", () => {
  test("splices turn the one text into the other, astral text included", () => {
    for (const [before, after] of [
      ["", ""],
      ["", "😀\n"],
      ["a 😀 b\nsame\n", "a 😀 c\nsame\nnew 👩‍👩‍👧\n"],
      ["one\r\ntwo\r\n", "one\r\nzwei 𝒳\r\n"],
      [fixture("vendor-review.md"), fixture("vendor-review.md").replace("42,000", "43,500 😀").replace("SSO", "SSO 𝒳")],
    ]) {
      const { splices, hunks } = core.compare(before, after);
      assert.equal(spliced(before, splices), after);
      for (const { text, words = [] } of hunks.flatMap(({ lines }) => lines)) {
        for (const [start, end] of words) assert.ok(text.slice(start, end).isWellFormed() && start < end, `a whole word of ${text}`);
      }
    }
  });

  test("counts lines and marks changed words in UTF-16 units", () => {
    const { added, removed, hunks, precise } = core.compare("top\n😀 the old price is 10\n", "top\n😀 the old price is 12\n");
    assert.deepEqual([added, removed, hunks.length, precise], [1, 1, 1, true]);
    const marked = hunks[0].lines.filter(({ sign }) => sign !== " ").map(({ sign, text, words = [] }) => [sign, ...words.map(([start, end]) => text.slice(start, end))]);
    assert.deepEqual(marked, [["-", "10"], ["+", "12"]]);
  });

  test("lone surrogates are a TypeError", () => {
    assert.throws(() => core.compare("a", "\ud800"), { name: "TypeError", message: /^compare: after has a lone surrogate/ });
  });
});

describe("merge", () => {
  for (const { name, base, mine, theirs, expect } of cases("merges.json")) {
    test(name, () => {
      const result = core.merge(base, mine, theirs);
      assert.equal(result.ok, expect.ok, JSON.stringify(result));
      if (result.ok) {
        if (expect.text !== undefined) assert.equal(result.text, expect.text);
        if (expect.from !== undefined) assert.equal(result.from, expect.from);
        assert.equal(spliced(mine, result.splices), result.text);
        return;
      }
      assert.equal(result.reason, "clash");
      for (const choice of /** @type {const} */ (["mine", "theirs", "both"])) {
        const picked = { mine: /** @type {const} */ (["mine"]), theirs: /** @type {const} */ (["theirs"]), both: /** @type {const} */ (["mine", "theirs"]) }[choice];
        const right = result.pieces.map((piece) => (typeof piece === "string" ? piece : picked.map((side) => result.clashes[piece][side].text).join(""))).join("");
        const text = core.resolve(result, result.clashes.map(() => choice));
        // Where a side's last line has no newline, the next line still begins on its own.
        assert.equal(text.replace(/\s/g, ""), right.replace(/\s/g, ""), choice);
      }
    });
  }

  test("a refused merge is resolved after a trip through JSON, and as a framework's proxy", () => {
    const refused = core.merge("a\n", "b 😀\n", "c\n");
    assert.ok(!refused.ok);
    const again = new Proxy(JSON.parse(JSON.stringify(refused)), {});
    assert.equal(core.resolve(again, ["both"]), "b 😀\nc\n");
  });

  test("wrong arguments are named", () => {
    const refused = /** @type {any} */ (core.merge("a\n", "b\n", "c\n"));
    assert.throws(() => core.resolve({ ...refused, pieces: [7] }, ["mine"]), { name: "TypeError", message: "resolve: refused.pieces[0] must be the index of a clash: there are 1" });
    assert.throws(() => core.resolve({ ...refused, pieces: [null] }, ["mine"]), { name: "TypeError", message: "resolve: refused.pieces[0] must be a string or the index of a clash" });
    assert.throws(() => core.resolve(refused, [/** @type {any} */ ("yours")]), { name: "TypeError", message: 'resolve: choices[0] must be "mine" or "theirs" or "both"' });
    assert.throws(() => core.merge("a", "b", "\udfff"), { name: "TypeError", message: /^merge: theirs has a lone surrogate/ });
  });
});
