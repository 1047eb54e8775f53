// <countersign-document>: renders a text, lets a person select and ask, shows versions as they come.

import { BlockNodes } from "../nodes.js";
import { CountersignElement } from "./base.js";
import { fillClipboard } from "./clipboard.js";

/** @typedef {import("../module.js").Module} Module */
/** @typedef {import("../index.d.ts").Source} Source */
/** @typedef {import("../index.d.ts").Documents} Documents */

const properties = ["markdown", "source", "documents", "documentId", "linkSchemes", "imagePolicy"];

/** The three ways to say which text: the one that is set last replaces the others. */
const texts = ["markdown", "source", "documentId"];

export class CountersignDocument extends CountersignElement {
  static properties = properties;
  static observedAttributes = ["document-id"];
  /** @type {string | null} */
  #shown = null;

  /** Text alone; reading it gives the text on show. */
  get markdown() {
    return this.fallbackText;
  }
  set markdown(markdown) {
    this.#say("markdown", markdown == null ? null : String(markdown));
  }

  /** Text with identity, so that its quotes name it. @returns {Source | null} */
  get source() {
    return /** @type {Source | null} */ (this.value("source") ?? null);
  }
  set source(source) {
    const { document = "", title = "", version = 0, text = "" } = source ?? {};
    this.#say("source", source == null ? null : { document, title, version, text });
  }

  /** With storage: which documents. @returns {Documents | null} */
  get documents() {
    return /** @type {Documents | null} */ (this.value("documents") ?? null);
  }
  set documents(documents) {
    this.keep("documents", documents ?? null);
  }

  /** With storage: which of them. @returns {string | null} */
  get documentId() {
    return /** @type {string | null} */ (this.value("documentId") ?? null);
  }
  set documentId(id) {
    this.#say("documentId", id == null ? null : String(id));
  }

  /** Link schemes beside http, https, mailto and tel. @returns {string[]} */
  get linkSchemes() {
    return [.../** @type {string[]} */ (this.value("linkSchemes") ?? [])];
  }
  set linkSchemes(schemes) {
    this.keep("linkSchemes", [...(schemes ?? [])].map(String));
  }

  /** Says which images may be requested; without one, each has a button. @returns {((url: string) => boolean) | null} */
  get imagePolicy() {
    return /** @type {((url: string) => boolean) | null} */ (this.value("imagePolicy") ?? null);
  }
  set imagePolicy(policy) {
    this.keep("imagePolicy", typeof policy === "function" ? policy : null);
  }

  /** The version on show; 0 where nothing is stored. */
  get version() {
    return this.documentHandle?.version() ?? 0;
  }

  /** One line per block of the text on show. @returns {import("../index.d.ts").OutlineEntry[]} */
  get outline() {
    return JSON.parse(this.module?.outline(this.markdown) ?? "[]");
  }

  /** What is selected, as a quote or a refusal. @returns {import("../index.d.ts").Result<{ quote: import("../index.d.ts").Quote }>} */
  quoteSelection() {
    const answer = this.documentHandle?.quoteSelection();
    return answer ? JSON.parse(answer) : { ok: false, reason: "unavailable", message: "The document is not ready yet." };
  }

  /** Scrolls to a block. @param {number} block */
  showBlock(block) {
    this.documentHandle?.showBlock(block);
  }

  /** @param {string} _name @param {string | null} _old @param {string | null} value */
  attributeChangedCallback(_name, _old, value) {
    this.documentId = value;
  }

  connectedCallback() {
    super.connectedCallback();
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => this.#readScript(), { once: true });
    else this.#readScript();
  }

  /** @protected */
  get documentHandle() {
    return /** @type {import("../wasm/elements.js").DocumentHandle | null} */ (this.handle);
  }

  /** @param {Module} module @protected @override */
  makeHandle(module) {
    const content = document.createElement("article");
    content.className = "text";
    content.setAttribute("part", "text");
    /** @type {import("../nodes.js").Surroundings} */
    const surroundings = {
      label: (name, gap) => this.label(name, { n: gap }),
      imageAllowed: (url) => {
        try {
          return this.imagePolicy?.(url) === true;
        } catch {
          return false;
        }
      },
      controls: (frame, language) => controls(frame, language, (name) => this.label(name)),
      placeholder: (image, host, load) => placeholder(image, host, load, (name, values) => this.label(name, values)),
    };
    const names = /** @type {import("../nodes.js").Vocabulary} */ (module.vocabulary());
    return new module.DocumentHandle(this, content, new BlockNodes(content, names, surroundings));
  }

  /** @protected @override */
  get fallbackText() {
    // What was shown last is kept here: it outlives the module.
    return this.#shown ?? /** @type {string | null} */ (this.value("markdown")) ?? this.source?.text ?? "";
  }

  /** The module tells what it shows. @param {string} text */
  shows(text) {
    this.#shown = text;
  }

  /**
   * A selection is copied: its source goes along. @param {ClipboardEvent} event @param {string} markdown
   * @param {(Node | number)[]} ends of each of its ranges: start, offset, end, offset
   */
  copies(event, markdown, ends) {
    fillClipboard(event, markdown, ends);
  }

  /** @param {string} name @param {unknown} value */
  #say(name, value) {
    this.#shown = null;
    for (const other of texts) if (other !== name) this.forget(other);
    this.keep(name, value);
  }

  /** `<script type="text/markdown">` as a child gives the text where no property does. */
  #readScript() {
    if (texts.some((name) => this.value(name) != null)) return;
    const script = this.querySelector(':scope > script[type="text/markdown"]');
    if (script) this.markdown = dedent(script.textContent ?? "");
  }
}

/** The text of a script child: `<\/script` stands for the closing tag, and the indentation that all lines share is the page's. @param {string} text */
function dedent(text) {
  const lines = text.replaceAll("<\\/script", "</script").replace(/^[ \t]*\r?\n/, "").replace(/\n[ \t]*$/, "\n").split("\n");
  const indents = lines.filter((line) => line.trim()).map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  const shared = indents.reduce((common, indent) => {
    let at = 0;
    while (at < common.length && common[at] === indent[at]) at += 1;
    return common.slice(0, at);
  }, indents[0] ?? "");
  return lines.map((line) => (line.startsWith(shared) ? line.slice(shared.length) : line.trimStart())).join("\n");
}

/** @typedef {(name: string, values?: Record<string, string | number>) => string} Label */

/**
 * The controls above a code block or a table: nothing in them has a source, so nothing of them is ever quoted.
 * @param {string} frame @param {string} language @param {Label} label @returns {Node[]}
 */
function controls(frame, language, label) {
  const bar = document.createElement("div");
  bar.className = "controls";
  if (language) {
    const caption = document.createElement("span");
    caption.textContent = language;
    bar.append(caption);
  }
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label(`${frame}.copy`);
  button.addEventListener("click", async () => {
    const framed = bar.nextElementSibling;
    const text = frame === "table" ? tabSeparated(framed?.querySelector("table")) : (framed?.querySelector("code, pre")?.textContent ?? "");
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = label("copied");
    } catch {
      button.textContent = label("copy-failed");
    }
  });
  button.addEventListener("blur", () => (button.textContent = label(`${frame}.copy`)));
  bar.append(button);
  return [bar];
}

/** @param {HTMLTableElement | null | undefined} table */
function tabSeparated(table) {
  const rows = [...(table?.rows ?? [])];
  return rows.map((row) => [...row.cells].map((cell) => (cell.textContent ?? "").replace(/\s+/g, " ")).join("\t")).join("\n");
}

/**
 * What stands for an image until it may be requested: its text, its host, and a button.
 * @param {HTMLImageElement} image @param {string} host @param {() => void} load @param {Label} label
 */
function placeholder(image, host, load, label) {
  const box = document.createElement("span");
  box.setAttribute("data-placeholder", "");
  const text = document.createElement("span");
  text.dir = "auto";
  text.textContent = image.alt || label("image.here");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = host ? label("image.load-from", { host }) : label("image.load");
  button.addEventListener("click", () => {
    load();
    image.hidden = false;
    box.replaceChildren(image);
    box.removeAttribute("data-placeholder");
  });
  // Without an address it requests nothing.
  image.hidden = true;
  box.append(text, button, image);
  return box;
}
