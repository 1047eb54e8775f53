// Letting a text go through the package: the fixtures' mails, and what an argument may not be.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cases, core, fixture } from "./core.js";

for (const { name, mail, expect } of cases("mails.json")) {
  test(name, () => {
    const result = core.buildEml(mail);
    assert.equal(result.ok, expect.ok, JSON.stringify(result));
    if (!result.ok) return assert.equal(result.reason, expect.reason);
    if (expect.file !== undefined) assert.equal(result.eml, fixture(expect.file));
    assert.ok(!/[^\r]\n|\r[^\n]/.test(result.eml), "every line ends with CRLF");
    assert.match(result.fileName, /\.eml$/);
    if (expect.headers !== undefined) {
      const head = result.eml.slice(0, result.eml.indexOf("\r\n\r\n")).replace(/\r\n[ \t]/g, " ");
      assert.deepEqual(head.split("\r\n").map((line) => line.split(":")[0]), expect.headers);
    }
  });
}

test("a mailto says its length and whether it may be cut", () => {
  const short = core.buildMailto({ to: ["a@b.example"], subject: "Ä b", body: "one\ntwo" });
  assert.deepEqual(short, { ok: true, href: "mailto:a@b.example?subject=%C3%84%20b&body=one%0D%0Atwo", length: 55, mayTruncate: false });
  const long = core.buildMailto({ to: ["a@b.example"], subject: "s", body: "x".repeat(2000) });
  assert.ok(long.ok && long.mayTruncate && long.length === long.href.length);
});

test("wrong arguments are named, and lone surrogates are a refusal", () => {
  const mail = { to: ["a@b.example"], subject: "s", body: "b" };
  const any = /** @type {any} */ (core);
  assert.throws(() => any.buildEml({ ...mail, to: "a@b.example" }), { name: "TypeError", message: "buildEml: mail.to must be an array" });
  assert.throws(() => any.buildMailto({ ...mail, cc: [1] }), { name: "TypeError", message: "buildMailto: mail.cc[0] must be a string" });
  const broken = core.buildEml({ ...mail, attachments: [{ name: "a", type: "text/plain", text: "\udc00" }] });
  assert.deepEqual([broken.ok, broken.ok || broken.reason], [false, "invalid-text"]);
});
