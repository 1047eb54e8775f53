// What opening a document costs, in one run beside `innerHTML` of the same elements and beside marked with DOMPurify.

import { load } from "/dist/index.js";
import { marked } from "/npm/marked/lib/marked.esm.js";

const stage = document.getElementById("stage");

/** A varied report of about `size` characters: headings, prose with marks and links, lists, tables, quotes, code. @param {number} size */
function report(size) {
  let seed = 1;
  const next = (/** @type {number} */ below) => (seed = (seed * 48271) % 2147483647) % below;
  const words = "the vendor review found that renewal terms differ between regions and notice periods were longer than agreed in March".split(" ");
  const phrase = (/** @type {number} */ count) => Array.from({ length: count }, () => words[next(words.length)]).join(" ");
  const sentence = () => {
    const marks = [(/** @type {string} */ t) => t, (t) => `**${t}**`, (t) => `*${t}*`, (t) => `\`${t}\``, (t) => `[${t}](https://example.com/${next(999)})`];
    return `${phrase(4 + next(8))} ${marks[next(marks.length)](phrase(1 + next(3)))} ${phrase(3 + next(6))}.`;
  };
  const parts = [
    () => `## ${phrase(3 + next(3))}`,
    () => Array.from({ length: 2 + next(5) }, sentence).join(" "),
    () => Array.from({ length: 2 + next(5) }, sentence).join(" "),
    () => Array.from({ length: 3 + next(4) }, (_, at) => (next(2) ? `- ${sentence()}` : `- ${phrase(4)}\n  - ${sentence()} ${at}`)).join("\n"),
    () => `| ${phrase(1)} | ${phrase(1)} | ${phrase(1)} |\n|---|--:|:-:|\n${Array.from({ length: 3 + next(5) }, () => `| ${phrase(2)} | ${next(90000)} | ${phrase(1)} |`).join("\n")}`,
    () => `> ${sentence()}\n> ${sentence()}`,
    () => `\`\`\`js\n${Array.from({ length: 3 + next(6) }, () => `const value = ${next(999)};`).join("\n")}\n\`\`\``,
  ];
  let text = "# Report\n";
  while (text.length < size) text += `\n${parts[next(parts.length)]()}\n`;
  return text;
}

/** Milliseconds until an opened document is laid out. @param {() => void} open */
function time(open) {
  stage.replaceChildren();
  void stage.offsetHeight;
  const begun = performance.now();
  open();
  void stage.offsetHeight;
  return performance.now() - begun;
}

/** @type {{ text: string, html: string, nodes: number }} */
let prepared;
/** @type {any} */
let core;

const ways = {
  countersign: () => {
    const made = /** @type {any} */ (document.createElement("countersign-document"));
    stage.append(made);
    made.markdown = prepared.text;
  },
  innerHTML: () => (stage.innerHTML = prepared.html),
  marked: () => (stage.innerHTML = globalThis.DOMPurify.sanitize(marked.parse(prepared.text))),
};

globalThis.bench = {
  /** A report of about `size` characters is what is opened from now on. @param {number} size */
  async prepare(size) {
    core ??= await load();
    const text = report(size);
    prepared = { text, html: core.renderHtml(text), nodes: 0 };
    // The module is there, and so is an element: what is measured is opening, not loading.
    const first = document.createElement("countersign-document");
    stage.replaceChildren(first);
    await (/** @type {any} */ (first).ready);
    stage.innerHTML = prepared.html;
    return { characters: text.length, elements: stage.querySelectorAll("*").length };
  },
  /** Milliseconds of each way, in turn, so that all meet the same machine. */
  round: () => Object.fromEntries(Object.entries(ways).map(([name, open]) => [name, time(open)])),
};
