// The chat beside the document: what was said stays after a reload, and a proposal's card shows what became of it.

/** @typedef {import("../index.d.ts").Quote} Quote */
/** @typedef {import("../index.d.ts").Documents} Documents */
/** @typedef {{ who: "you" | "north", text: string, quotes?: Quote[], proposal?: string, refused?: string }} Message */

export class Chat {
  /** @type {Documents | null} */
  documents = null;
  #list;
  #key = "";
  /** @type {HTMLElement | null} */
  #newest = null;
  /** @type {Message[]} */
  #messages = [];

  /** @param {HTMLElement} list */
  constructor(list) {
    this.#list = list;
    // A card grows once its proposal is there: what was added last stays in view until the person looks elsewhere.
    new ResizeObserver(() => this.#newest?.scrollIntoView({ block: "nearest" })).observe(list);
    for (const looking of ["wheel", "pointerdown", "keydown"]) {
      list.parentElement?.addEventListener(looking, () => (this.#newest = null), { passive: true });
    }
  }

  /** The chat about one document. @param {string} document */
  open(document) {
    this.#key = `countersign-demo-chat:${document}`;
    this.#messages = recall(this.#key);
    this.#list.replaceChildren(...this.#messages.map((message) => this.#element(message)));
  }

  /** @param {Message} message */
  add(message) {
    this.#messages.push(message);
    this.#keep();
    const element = this.#element(message);
    this.#list.append(element);
    this.#newest = element;
  }

  clear() {
    this.#messages = [];
    this.#keep();
    this.#list.replaceChildren();
  }

  #keep() {
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.#messages));
    } catch {
      // Storage is refused or full: the chat lasts as long as the page.
    }
  }

  /** @param {Message} message */
  #element(message) {
    if (message.proposal) {
      const card = /** @type {import("../index.d.ts").CountersignReview} */ (document.createElement("countersign-review"));
      card.documents = this.documents;
      card.proposal = message.proposal;
      return card;
    }
    const element = document.createElement("div");
    element.dir = "auto";
    if (message.who === "you") {
      element.className = "me";
      element.append(...(message.quotes ?? []).map(quoted), message.text);
    } else if (message.refused) {
      element.className = "step refused";
      const reason = document.createElement("b");
      reason.textContent = `Refused (${message.refused}). `;
      element.append(reason, message.text);
    } else {
      element.className = "north";
      element.textContent = message.text;
    }
    return element;
  }
}

/** @param {Quote} quote */
function quoted(quote) {
  const element = document.createElement("blockquote");
  const where = document.createElement("small");
  const [first, last] = quote.blocks;
  where.textContent = `${quote.title} v${quote.version}, ${first === last ? `block ${first}` : `blocks ${first}–${last}`}`;
  element.append(where, quote.exact.text);
  return element;
}

/** @param {string} key @returns {Message[]} */
function recall(key) {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
