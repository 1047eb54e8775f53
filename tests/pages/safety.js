// Puts hostile texts into the elements, and into this page itself as HTML, and hears of everything that must not happen:
// a script that ran, a dialog, a navigation, a request. `safety` is what tests/browser/safety.rs calls.
import { load } from "../dist/index.js";

/** Whatever happened that must not. @type {string[]} */
const heard = [];
for (const name of ["alert", "confirm", "prompt", "print", "open"]) globalThis[name] = (...given) => void heard.push(`${name}(${given})`);
addEventListener("beforeunload", () => heard.push("beforeunload"));
addEventListener("hashchange", () => heard.push(`hashchange ${location.hash}`));
addEventListener("submit", () => heard.push("submit"), true);
// Browsers ask for an icon by themselves.
addEventListener("securitypolicyviolation", (event) => event.blockedURI.endsWith("/favicon.ico") || heard.push(`${event.effectiveDirective} ${event.blockedURI}`));
globalThis.navigation?.addEventListener("navigate", (event) => heard.push(`navigate ${event.destination.url}`));

const [article, quotes, review] = ["document", "quotes", "review"].map((name) => document.querySelector(`countersign-${name}`));
const main = document.querySelector("main");
/** Events of the elements. @type {CustomEvent[]} */
const links = [];
addEventListener("countersign-link", (event) => links.push(event.detail.href));
globalThis.errors = [];
addEventListener("countersign-error", (event) => globalThis.errors.push(event.detail));

// ── What may be ──

const elements = new Set(
  "p h1 h2 h3 h4 h5 h6 blockquote ul ol li pre code hr div section table thead tbody tr th td em strong del a br img input span kbd sub sup mark u s ins b i".split(" "),
);
const attributes = new Set(
  "href title start value align class dir rel target src alt type checked disabled role aria-label tabindex hidden loading decoding referrerpolicy".split(" "),
);
/** Names of the elements' own, without a word of the document in them; `data-…` values have no effect of their own. */
const ours = /^(data-[a-z-]+|aria-[a-z]+)$/;

/** Whether this browser would stay with what is allowed; what it cannot read as an address leads nowhere. @param {HTMLAnchorElement} link */
const isHarmless = (link) => ["http:", "https:", "mailto:", "tel:"].includes(link.protocol) || !URL.canParse(link.href);

/** The component's own controls: the first thing in a frame. @param {Element} element */
const isControls = (element) => element.className === "controls" && element.parentElement?.hasAttribute("data-frame") && !element.previousElementSibling;

/** What is wrong in what a text became. @param {ParentNode} root @param {{ links?: string[], images?: string[] }} may @param {(name: string) => void} wrong */
function inspect(root, may, wrong) {
  const found = { links: [], images: [], asked: 0 };
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_PROCESSING_INSTRUCTION | NodeFilter.SHOW_CDATA_SECTION);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!(node instanceof HTMLElement)) {
      wrong(`a ${node.nodeName}`);
      continue;
    }
    for (const { name } of node.attributes) if (/^on|^(id|style|name|srcdoc|action|form.*|ping|download|is|slot|part)$/.test(name)) wrong(`${node.localName} ${name}`);
    const own = node.closest(".controls, [data-placeholder] > button");
    if (own && (isControls(own) || own.localName === "button")) continue;
    if (!elements.has(node.localName)) wrong(`<${node.localName}>`);
    for (const { name, value } of node.attributes) {
      if (!attributes.has(name) && !ours.test(name)) wrong(`${node.localName} ${name}=${value}`);
      if (name === "class" && !/^language-[A-Za-z0-9+#._-]+$/.test(value)) wrong(`class=${value}`);
      if (name === "src") found.images.push(value);
      if (name === "href") {
        found.links.push(value);
        // As this browser reads it: a scheme that is allowed, and no other host where none is named.
        const link = /** @type {HTMLAnchorElement} */ (node);
        const outside = /^[a-z][a-z0-9+.-]*:/i.test(value);
        if (!isHarmless(link)) wrong(`leads to ${link.protocol}`);
        if (!outside && link.host !== location.host) wrong(`leads to ${link.host} without saying so`);
        if (outside !== (link.target === "_blank" && link.rel === "noopener noreferrer nofollow")) wrong(`${value} has target ${link.target} and rel ${link.rel}`);
      }
    }
    if (node.localName === "input" && node.getAttribute("type") !== "checkbox") wrong("an input");
    if (node.hasAttribute("data-placeholder")) found.asked += 1;
  }
  const same = (one, other = []) => JSON.stringify(one) === JSON.stringify(other);
  if (!same(found.links, may.links)) wrong(`links ${JSON.stringify(found.links)}`);
  return found;
}

/** Clicks everything in `root` but the component's own buttons. A link that is safe by this browser's own reading is held back; any other does what it does. @param {ParentNode} root */
function clickAll(root) {
  for (const element of root.querySelectorAll("*")) if (!element.closest("button, input") && element instanceof HTMLElement) element.click();
}
addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.composedPath()[0]).closest?.("a[href]");
  if (!link) return;
  const inside = link.getAttribute("href").startsWith("#");
  if (inside && link.getRootNode() !== document && !event.defaultPrevented) heard.push(`a fragment left its document: ${link.href}`);
  if (isHarmless(/** @type {HTMLAnchorElement} */ (link))) event.preventDefault();
});

// ── Telling ──

const corpus = async () => Object.entries(await (await fetch("/fixtures/hostile.json")).json()).flatMap(([family, cases]) => cases.map((one) => ({ ...one, family })));
/** Runs `judge` on each case; gives how many there were, and what was wrong. @param {(one: any, wrong: (what: string) => void) => void} judge */
async function each(judge) {
  const wrong = [];
  const cases = await corpus();
  for (const one of cases) judge(one, (what) => wrong.push(`${one.family}: ${one.name}: ${what}`));
  return [cases.length, wrong];
}
/** What a person sees of the document, without the component's own controls. @param {Element} root */
function textOf(root) {
  const copy = /** @type {Element} */ (root.cloneNode(true));
  for (const control of copy.querySelectorAll("[data-frame] > .controls")) control.remove();
  return copy.textContent ?? "";
}
/** What addresses were made of. @type {Map<string, Blob>} */
const blobs = new Map();
const addressOf = URL.createObjectURL;
URL.createObjectURL = (blob) => {
  const address = addressOf(blob);
  blobs.set(address, blob);
  return address;
};
const core = load();
core.catch(() => {});

globalThis.safety = {
  heard: () => heard,
  ready: async () => void (await Promise.all([core, article.ready, quotes.ready, review.ready])),

  /** Each text in `<countersign-document>`; `schemes` as the host's `linkSchemes`. */
  elements(schemes = []) {
    const asked = [];
    article.linkSchemes = schemes;
    article.imagePolicy = (url) => (asked.push(url), false);
    return each((one, wrong) => {
      asked.length = 0;
      article.source = { document: one.name, title: one.markdown, version: 1, text: one.markdown };
      const root = article.shadowRoot.querySelector("[part=text]");
      const found = inspect(root, one, wrong);
      if (found.images.length > 0) wrong(`images ${found.images}`);
      const images = JSON.stringify(one.images ?? []);
      if (JSON.stringify(asked) !== images || found.asked !== (one.images ?? []).length) wrong(`asked for ${asked}`);
      // A line break is an element here.
      if (one.shows && !textOf(root).includes(one.shows)) wrong(`shows ${textOf(root)}`);
      clickAll(root);
      links.length = 0;
      for (const link of root.querySelectorAll("a")) link.click();
      if (JSON.stringify(links) !== JSON.stringify(one.links ?? [])) wrong(`told of ${links}`);
    });
  },

  /** Each text's HTML in this very page, all of them at once. */
  async html() {
    const { renderHtml } = await core;
    const page = () => [document.scripts.length, document.styleSheets.length, document.forms.length, globalThis.length, document.images.length, document.title, Object.keys(Object.prototype), document.baseURI];
    const before = JSON.stringify(page());
    const answer = await each((one, wrong) => {
      const box = document.createElement("div");
      main.append(box);
      box.innerHTML = renderHtml(one.markdown);
      const found = inspect(box, one, wrong);
      if (found.images.length > 0) wrong(`images ${found.images}`);
      if (one.shows && !textOf(box).includes(one.shows)) wrong(`shows ${textOf(box)}`);
      clickAll(box);
      // With images, where nothing is fetched.
      const inert = document.createElement("template");
      inert.innerHTML = renderHtml(one.markdown, { images: "all" });
      const shown = inspect(inert.content, one, () => {});
      if (JSON.stringify(shown.images) !== JSON.stringify(one.images ?? [])) wrong(`with images ${shown.images}`);
      if (document.getElementById !== Document.prototype.getElementById || document.body?.localName !== "body") wrong("clobbers the document");
    });
    if (JSON.stringify(page()) !== before) answer[1].push(`the page was ${before} and is ${JSON.stringify(page())}`);
    return answer;
  },

  /** The texts as a proposal's, as titles and names, and as quotes, in the other two elements. */
  async others() {
    const { documents, memoryStore, quoteBlocks } = await core;
    const cases = (await corpus()).filter(({ markdown }) => markdown.trim());
    const wrong = [];
    const nasty = "<img src=x onerror=alert(1)> \"onclick=alert(1) [x](javascript:alert(1))";
    const kept = documents({ store: memoryStore(), space: "safety", author: { id: "person:a", kind: "person", name: nasty } });
    const texts = cases.map(({ markdown }) => markdown).join("\n\n");
    const made = await kept.create(nasty, texts);
    if (!made.ok) return [0, [made.message]];
    const by = { id: "agent:n", kind: "agent", name: nasty, for: { id: "person:a", name: nasty } };
    const proposed = await kept.propose({ document: made.snapshot.document, text: `${nasty}\n\n${texts.replaceAll("alert(1)", "alert(2)")}` }, { by, summary: nasty });
    if (!proposed.ok) return [0, [proposed.message]];
    review.documents = kept;
    review.proposal = proposed.proposal.id;
    await until(() => review.shadowRoot.querySelector("[part=apply]"));
    bare(review, wrong);
    review.shadowRoot.querySelector("[part=apply]").click();
    await until(() => review.shadowRoot.querySelector("[part=undo]"));
    bare(review, wrong);
    const taken = cases.map(({ name, markdown }) => quoteBlocks({ document: name, title: markdown, version: 1, text: markdown }, 0)).filter(({ ok }) => ok).map(({ quote }) => quote);
    if (taken.length < cases.length * 0.95) wrong.push(`only ${taken.length} quotes`);
    quotes.quotes = taken;
    await until(() => quotes.shadowRoot.querySelectorAll("[part=quote]").length === taken.length);
    bare(quotes, wrong);
    if (!quotes.format().includes("<script>alert(1)</script>")) wrong.push("quotes are not exact");
    quotes.shadowRoot.querySelector("button").click();
    quotes.clear();
    // A stored document, followed; a selection, offered, asked about.
    article.documents = kept;
    article.documentId = made.snapshot.document;
    await until(() => article.version === 2);
    const heading = article.shadowRoot.querySelector("h1");
    getSelection().selectAllChildren(heading);
    (await until(() => article.shadowRoot.querySelector("[part=ask]"))).click();
    bare({ shadowRoot: article.shadowRoot, localName: "countersign-document" }, wrong, "[part=text]");
    return [cases.length, wrong];
  },

  // ── When the module stops ──

  /** A stored document, another one without a store, a quote, and a call that waits for the store. */
  async keep() {
    const { documents, memoryStore, quoteBlocks } = await core;
    const store = memoryStore();
    let hold = false;
    const held = { ...store, read: (request) => (hold ? new Promise(() => {}) : store.read(request)) };
    const kept = documents({ store: held, space: "safety", author: { id: "person:a", kind: "person", name: "A" } });
    const { snapshot } = await kept.create("Kept", "# Kept\n\n*as it is*\n");
    article.documents = kept;
    article.documentId = snapshot.document;
    quotes.add(quoteBlocks(snapshot, 0).quote);
    await globalThis.safety.add("# Other").ready;
    await until(() => article.version === 1);
    hold = true;
    const waiting = kept.read(snapshot.document);
    globalThis.kept = { kept, store, waiting, id: snapshot.document };
  },
  /** Adds `<countersign-document>` with a text. @param {string} text */
  add(text) {
    const added = document.createElement("countersign-document");
    added.markdown = text;
    main.append(added);
    return added;
  },
  /** One call into the module ends as an exhausted stack or a bad address does: by a trap. Gives what was told. */
  async trap() {
    const { DocumentHandle } = await import("../dist/wasm/elements.js");
    // (module (func (export "trap") unreachable))
    const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 8, 1, 4, 116, 114, 97, 112, 0, 0, 10, 5, 1, 3, 0, 0, 11);
    const { instance } = await WebAssembly.instantiate(bytes);
    DocumentHandle.prototype.set = () => instance.exports.trap();
    const { kept, store, waiting, id } = globalThis.kept;
    let thrown = null;
    try {
      main.querySelector("countersign-document").markdown = "# Other, *longer*";
    } catch (error) {
      thrown = String(error);
    }
    const stored = await store.read({ document: id });
    return { thrown, waiting: await waiting, later: await kept.read(id), stored: stored.snapshot.text };
  },
  /** The text is set while it is being shown, which no page can do but by a hand inside of the element: a panic. */
  panic() {
    const text = article.shadowRoot.querySelector("[part=text]");
    text.setAttribute = () => (article.markdown = "*mine*");
    article.markdown = "# Shown";
  },
  /** What the first button of an element's fallback saves, and as what. @param {HTMLElement} element */
  async download(element) {
    let saved;
    HTMLAnchorElement.prototype.click = function () {
      saved = [this.download, this.href];
    };
    element.shadowRoot.querySelector("button").click();
    delete HTMLAnchorElement.prototype.click;
    // Its address is a blob's, which this page's policy keeps from being fetched.
    return [saved[0], await blobs.get(saved[1]).text()];
  },

  /** What must be heard of, so that silence says something: `markup` sets it off where the page may. */
  async alarm(markup) {
    if (markup) {
      main.innerHTML = "<img src='alarm.png' onerror='alert(`alarm`)'><a href='javascript:alert(`alarm`)'>x</a>";
      main.querySelector("a").click();
      await until(() => heard.filter((what) => what === "alert(alarm)").length === 2);
    }
    const image = new Image();
    image.src = "https://evil.example/alarm.png";
    await until(() => heard.some((what) => what.startsWith("img-src https://evil.example")));
    return heard;
  },
};

/** An element that shows words only. @param {{ shadowRoot: ShadowRoot, localName: string }} element @param {string[]} wrong @param {string} [apart] what is looked at elsewhere */
function bare({ shadowRoot, localName }, wrong, apart = "x-nothing") {
  for (const node of shadowRoot.querySelectorAll("*")) {
    if (node.closest(apart)) continue;
    if (!/^(article|button|code|del|details|div|footer|h[1-6]|header|input|ins|label|li|mark|ol|p|pre|section|small|span|strong|summary|table|tbody|td|th|thead|tr|ul|b|em|i|time|textarea)$/.test(node.localName)) wrong.push(`${localName} <${node.localName}>`);
    for (const { name, value } of node.attributes) if (/^on|^(style|href|src|srcdoc|name|action)$/.test(name)) wrong.push(`${localName} ${node.localName} ${name}=${value}`);
  }
}

/** Waits for a condition, looking at it with every frame or task. @param {() => any} condition */
async function until(condition) {
  for (;;) {
    const value = condition();
    if (value) return value;
    await new Promise((next) => setTimeout(next, 5));
  }
}
