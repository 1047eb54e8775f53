// <countersign-quotes>: the quotes that will go with the next message.

import { CountersignElement } from "./base.js";

/** @typedef {import("../module.js").Module} Module */
/** @typedef {import("../index.d.ts").Quote} Quote */

export class CountersignQuotes extends CountersignElement {
  static properties = ["quotes"];

  /** The quotes, in the order in which they were added. @returns {Quote[]} */
  get quotes() {
    return structuredClone(/** @type {Quote[]} */ (this.value("quotes") ?? []));
  }
  set quotes(quotes) {
    const kept = /** @type {Quote[]} */ ([]);
    for (const quote of copies(quotes ?? [])) if (!kept.some((known) => same(known, quote))) kept.push(quote);
    this.keep("quotes", kept);
  }

  /** Adds a quote; the same stretch twice is one. @param {Quote} quote */
  add(quote) {
    const quotes = /** @type {Quote[]} */ (this.value("quotes") ?? []);
    const [added] = copies([quote]);
    if (quotes.some((known) => same(known, added))) return;
    this.#change([...quotes, added]);
  }

  clear() {
    if (/** @type {Quote[]} */ (this.value("quotes") ?? []).length > 0) this.#change([]);
  }

  /** The text that goes in front of the person's own words; empty without quotes, and before the module is there. */
  format() {
    const quotes = /** @type {Quote[]} */ (this.value("quotes") ?? []);
    return quotes.length > 0 ? (this.module?.formatQuotes(JSON.stringify(quotes)) ?? "") : "";
  }

  /** @protected @override */
  get fallbackText() {
    const quotes = /** @type {Quote[]} */ (this.value("quotes") ?? []);
    return quotes.map(({ exact }) => exact.text).join("\n\n");
  }

  /** @param {Module} module @protected @override */
  makeHandle(module) {
    return new module.QuotesHandle(this, (/** @type {number} */ index) => {
      this.#change(/** @type {Quote[]} */ (this.value("quotes") ?? []).filter((_, at) => at !== index));
      this.#focusChip(index);
    });
  }

  /** The button that was pressed is gone: the focus goes to the next chip's, once it is there. @param {number} index */
  async #focusChip(index) {
    await new Promise(requestAnimationFrame);
    const buttons = this.shadowRoot?.querySelectorAll("button") ?? [];
    buttons[Math.min(index, buttons.length - 1)]?.focus();
  }

  /** @param {Quote[]} quotes */
  #change(quotes) {
    this.keep("quotes", quotes);
    this.emit("countersign-quotes", { quotes: this.quotes }, false);
  }
}

/** Copies that share nothing with the host's objects; a framework's proxy included. @param {readonly Quote[]} quotes @returns {Quote[]} */
function copies(quotes) {
  const copied = JSON.parse(JSON.stringify([...quotes]));
  for (const quote of copied) {
    const whole = typeof quote?.source === "string" && typeof quote.exact?.text === "string" && Array.isArray(quote.blocks);
    if (!whole) throw new TypeError("<countersign-quotes>: that is no quote");
  }
  return copied;
}

/** @param {Quote} one @param {Quote} other */
function same(one, other) {
  return (
    one.document === other.document && one.version === other.version && one.exact.start === other.exact.start && one.exact.end === other.exact.end &&
    one.exact.text === other.exact.text
  );
}
