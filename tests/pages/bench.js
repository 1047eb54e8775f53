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

/** Milliseconds until an opened document is laid out. @param {(text: string) => void} open @param {string} text */
function time(open, text) {
  stage.replaceChildren();
  void stage.offsetHeight;
  const begun = performance.now();
  open(text);
  void stage.offsetHeight;
  return performance.now() - begun;
}

const median = (/** @type {number[]} */ times) => times.toSorted((a, b) => a - b)[times.length >> 1];

/** @param {number} runs */
globalThis.bench = async (runs) => {
  const core = await load();
  const element = () => {
    const made = /** @type {any} */ (document.createElement("countersign-document"));
    stage.append(made);
    return made;
  };
  await element().ready;
  const rows = [];
  for (const size of [10_000, 100_000, 1_000_000]) {
    const text = report(size);
    const html = core.renderHtml(text);
    const ways = {
      countersign: (/** @type {string} */ text) => (element().markdown = text),
      innerHTML: () => (stage.innerHTML = html),
      marked: (/** @type {string} */ text) => (stage.innerHTML = globalThis.DOMPurify.sanitize(marked.parse(text))),
    };
    /** @type {Record<string, number[]>} */
    const times = { countersign: [], innerHTML: [], marked: [] };
    // In turn, so that all meet the same machine; the first round warms up.
    for (let run = 0; run <= runs; run += 1) {
      for (const [name, open] of Object.entries(ways)) {
        const took = time(open, text);
        if (run > 0) times[name].push(took);
      }
    }
    rows.push({ size: text.length, nodes: (stage.innerHTML = html) && stage.querySelectorAll("*").length, ...Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)])) });
  }
  stage.replaceChildren();
  return rows;
};
