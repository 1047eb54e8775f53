// What every element shares: one shadow root, one handle of the module, properties that may be set before either is
// there, and readable text where the module cannot serve.

import { guarded, hasStopped, module, onPanic, stop } from "../module.js";

// Importing this outside of a browser must throw nothing; there, no element can be made anyway.
const Base = globalThis.HTMLElement ?? /** @type {typeof HTMLElement} */ (/** @type {unknown} */ (class {}));

/** @typedef {import("../module.js").Module} Module */
/** @typedef {import("../index.d.ts").Labels} Labels */
/**
 * A handle in the module: `set` takes a property by name; `connected` and `disconnected` start and stop what the element
 * listens to. Both keep the handle's state.
 * @typedef {{ set(name: string, value: unknown): void, connected(): void, disconnected(): void }} Handle
 */

/** Labels of the page. @type {Labels} */
let pageLabels = {};
/** @type {Set<CountersignElement>} */
const connected = new Set();

/** Replaces strings for every element of the page that has no labels of its own. @param {Labels} labels */
export function setLabels(labels) {
  pageLabels = { ...labels };
  for (const element of connected) element.relabel();
}

/** Style sheets are made once a page and adopted by every shadow root. @type {Map<string, CSSStyleSheet>} */
const sheets = new Map();

export class CountersignElement extends Base {
  /** The element's properties by name, as they were set last. @type {Map<string, unknown>} */
  #values = new Map();
  /** @type {Module | null} */
  #module = null;
  /** @type {Handle | null} */
  #handle = null;
  /** @type {Labels | null} */
  #labels = null;
  /** @type {Promise<void>} */
  #ready;
  /** @type {{ resolve(): void, reject(error: Error): void }} */
  #settle;
  #asked = false;
  /** @type {HTMLElement | null} */
  #fallback = null;
  #forget = () => {};
  /** Why the module cannot serve, and whether only a new page gets another. @type {{ error: Error, lost: boolean } | null} */
  #trouble = null;

  /** Properties that may have been set on the element before its class was defined. @type {readonly string[]} */
  static properties = [];

  constructor() {
    super();
    this.attachShadow({ mode: "open" });
    let settle;
    this.#ready = new Promise((resolve, reject) => (settle = { resolve, reject }));
    this.#settle = /** @type {any} */ (settle);
    // A page that does not await `ready` hears of a failure by `countersign-error`.
    this.#ready.catch(() => {});
  }

  /** Settles once the module serves this element; rejected where it cannot, and the text shows as source. */
  get ready() {
    return this.#ready;
  }

  /** Strings of this element alone; anything left out comes from `setLabels`, then from English. */
  get labels() {
    return this.#labels ?? {};
  }
  set labels(labels) {
    this.#labels = labels ? { ...labels } : null;
    this.relabel();
  }

  /** The labels in force, for the module. */
  relabel() {
    this.#handle?.set("labels", { ...pageLabels, ...this.#labels });
  }

  connectedCallback() {
    connected.add(this);
    this.#takeEarlyProperties();
    if (this.#handle) return this.#handle.connected();
    if (!this.#asked) this.#start();
  }

  disconnectedCallback() {
    connected.delete(this);
    // Moving an element disconnects and connects it in one go: only one that stays away stops listening.
    queueMicrotask(() => {
      if (!this.isConnected) this.#handle?.disconnected();
    });
  }

  /**
   * The handle for this element. @param {Module} _module @returns {Handle} @protected
   */
  makeHandle(_module) {
    throw new Error("an element class makes its own handle");
  }

  /** The source to show where the module cannot serve. @returns {string} @protected */
  get fallbackText() {
    return "";
  }

  /** A property's value, as it was set. @param {string} name @protected */
  value(name) {
    return this.#values.get(name);
  }

  /** Keeps a property and hands it on. @param {string} name @param {unknown} value @protected */
  keep(name, value) {
    this.#values.set(name, value);
    if (this.#handle) this.#handle.set(name, value);
    else this.#showFallback();
  }

  /** Drops a property that another one replaces. @param {string} name @protected */
  forget(name) {
    this.#values.delete(name);
  }

  /** The label `name`, filled with `values`. @param {string} name @param {Record<string, string | number>} [values] @protected */
  label(name, values = {}) {
    return this.#module?.label({ ...pageLabels, ...this.#labels }, name, values) ?? name;
  }

  /** The handle, for what only this element's view can answer. @protected */
  get handle() {
    return this.#handle;
  }

  /** The module, for what any view can answer. @protected */
  get module() {
    return this.#module;
  }

  // ── What the module asks of the element ──

  /** Adopts a style sheet, by name. @param {string} name @param {string} css */
  adopt(name, css) {
    let sheet = sheets.get(name);
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      sheets.set(name, sheet);
    }
    const root = /** @type {ShadowRoot} */ (this.shadowRoot);
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }

  /** Dispatches an event of the contract. Returns false where the host prevented it. @param {string} name @param {unknown} detail @param {boolean} cancelable */
  emit(name, detail, cancelable) {
    return this.dispatchEvent(new CustomEvent(name, { detail, cancelable, bubbles: true, composed: true }));
  }

  // ── ──

  #takeEarlyProperties() {
    const own = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (this));
    for (const name of [.../** @type {typeof CountersignElement} */ (this.constructor).properties, "labels"]) {
      if (!Object.hasOwn(own, name)) continue;
      const value = own[name];
      delete own[name];
      own[name] = value;
    }
  }

  #start() {
    this.#asked = true;
    this.#showFallback();
    module().then((served) => {
      this.#forget = onPanic((error) => this.#fail(error));
      try {
        this.#module = guarded(served);
        const handle = guarded(this.makeHandle(served));
        this.#fallback?.remove();
        this.#fallback = null;
        this.#trouble = null;
        this.#handle = handle;
        this.relabel();
        // A call that stops the module puts the text back, and the handle is no longer ours.
        for (const [name, value] of this.#values) if (this.#handle === handle) handle.set(name, value);
        if (this.#handle !== handle) return;
        if (this.isConnected) handle.connected();
        this.#settle.resolve();
        this.emit("countersign-ready", null, false);
      } catch (error) {
        stop(error instanceof Error ? error.message : String(error));
      }
    }, (error) => this.#fail(error));
  }

  /** The module is not there, or lost: the text stays readable, and the host hears why. @param {Error} error */
  #fail(error) {
    this.#forget();
    this.#handle = null;
    this.#module = null;
    this.#asked = false;
    this.#settle.reject(error);
    this.#trouble = { error, lost: hasStopped() };
    this.#showFallback();
    this.emit("countersign-error", { ok: false, reason: "unavailable", message: error.message }, false);
  }

  #showFallback() {
    if (!this.isConnected) return;
    const root = /** @type {ShadowRoot} */ (this.shadowRoot);
    const text = this.fallbackText;
    const { error, lost } = this.#trouble ?? {};
    if (!this.#fallback) {
      this.#fallback = document.createElement("div");
      this.#fallback.setAttribute("part", "fallback");
    }
    // A view that came to nothing may stand beside it.
    if (root.childNodes.length !== 1 || root.firstChild !== this.#fallback) root.replaceChildren(this.#fallback);
    const parts = [];
    if (error) {
      const why = document.createElement("p");
      why.setAttribute("role", "alert");
      why.textContent = error.message;
      parts.push(why);
    }
    if (text) {
      const source = document.createElement("pre");
      source.dir = "auto";
      source.textContent = text;
      parts.push(source);
    }
    if (lost) parts.push(...this.#rescue(text));
    this.#fallback.replaceChildren(...parts);
    this.adopt("fallback", "pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:0}");
  }

  /** A label that is needed without the module. @param {string} name @param {string} english */
  #plainLabel(name, english) {
    const given = { ...pageLabels, ...this.#labels }[name];
    return typeof given === "function" ? given({}) : (given ?? english);
  }

  /** After a panic: take the text along, or begin anew. @param {string} text */
  #rescue(text) {
    const reload = document.createElement("button");
    reload.type = "button";
    reload.textContent = this.#plainLabel("fallback.reload", "Reload the page");
    reload.addEventListener("click", () => location.reload());
    if (!text) return [reload];
    const save = document.createElement("button");
    save.type = "button";
    save.textContent = this.#plainLabel("fallback.download", "Download the text");
    save.addEventListener("click", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
      link.download = "document.md";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    });
    return [save, reload];
  }
}
