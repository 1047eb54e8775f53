// A page with three documents, one of them in a host's own shadow root, and what the stories of selecting need: to find
// shown text as the fixtures name it, to select it, and to hear of quotes.
import "/dist/index.js";

customElements.define("host-box", class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    const words = document.createElement("p");
    words.textContent = "In the host's own root.";
    root.append(words, document.createElement("countersign-document"));
  }
});

const LINES = new Set(["P", "LI", "UL", "OL", "PRE", "TD", "TH", "TR", "TABLE", "BLOCKQUOTE", "H1", "H2", "H3", "H4", "H5", "H6", "DIV", "SECTION"]);

const page = {
  /** Every quote that was asked for. */
  heard: [],
  /** Of the last copy: each type's text. */
  copied: null,
  documents() {
    return [document.querySelector("#document"), document.querySelector("#second"), document.querySelector("#box")?.shadowRoot.querySelector("countersign-document")];
  },
  at(which = 0) {
    return page.documents()[which];
  },
  article(which = 0) {
    return page.at(which).shadowRoot.querySelector("article");
  },
  show(text, which = 0) {
    page.at(which).source = { document: `d${which + 1}`, title: "Plan", version: 3, text };
  },
  frame: () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),

  /** Each shown character with its text node; what stands in two blocks does not read as one. Controls show nothing. */
  shown(which = 0) {
    let text = "";
    const places = [];
    const gap = () => {
      text += "\u0001";
      places.push(null);
    };
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) {
        for (let at = 0; at < node.length; at += 1) places.push([node, at]);
        text += node.data;
      } else if (!node.classList?.contains("controls") && node.localName !== "button") {
        const line = LINES.has(node.tagName);
        if (line) gap();
        node.childNodes.forEach(walk);
        if (line) gap();
      }
    };
    walk(page.article(which));
    return { text, places };
  },

  /** Where a shown text begins and ends, by its occurrence (from 1, -1 the last). */
  place([words, occurrence], which = 0) {
    const { text, places } = page.shown(which);
    const found = [];
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) found.push(at);
    const at = occurrence < 0 ? found.at(occurrence) : found[occurrence - 1];
    if (at === undefined) throw new Error(`${JSON.stringify(words)} is shown ${found.length} times in ${JSON.stringify(text)}`);
    const [last, offset] = places[at + words.length - 1];
    return { start: places[at], end: [last, offset + 1] };
  },

  /** Selects from before the first to behind the second. */
  select(first, second = first, which = 0) {
    const [start, end] = [page.place(first, which).start, page.place(second, which).end];
    getSelection().setBaseAndExtent(...start, ...end);
  },

  /** Where on the screen one shown text begins and another ends, once both are in view. */
  async points(first, last) {
    // What is out of view has no boxes until a frame brings it in.
    await page.frame();
    const [start, end] = [page.place([first, 1]).start, page.place([last, 1]).end];
    const box = ([node, offset]) => {
      const range = document.createRange();
      range.setStart(node, offset);
      range.setEnd(node, offset + 1);
      return range.getBoundingClientRect();
    };
    const places = () => [box(start), box([end[0], end[1] - 1])];
    if (places()[0].top < 0 || places()[1].bottom > innerHeight - 80) start[0].parentElement.scrollIntoView({ block: "start", behavior: "instant" });
    await page.frame();
    const [from, to] = places();
    return [[from.left + 0.5, from.top + from.height / 2], [to.right - 0.5, to.top + to.height / 2]];
  },

  words: (which = 0) => page.at(which).shadowRoot.querySelector(".bar .words")?.textContent ?? null,
  button: (part, which = 0) => page.at(which).shadowRoot.querySelector(`[part=${part}]`),

  /** A random number below `limit`, the same ones for the same seed. */
  random(seed) {
    let state = seed >>> 0;
    return (limit) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
  },
};
globalThis.page = page;

addEventListener("countersign-quote", (event) => {
  page.heard.push(event.detail.quote);
  if (page.collect) document.querySelector("#quotes").add(event.detail.quote);
});
addEventListener("copy", (event) => {
  page.copied = event.defaultPrevented ? Object.fromEntries([...event.clipboardData.types].map((type) => [type, event.clipboardData.getData(type)])) : null;
});
await Promise.all(page.documents().map((element) => element.ready));
document.documentElement.dataset.ready = "";
