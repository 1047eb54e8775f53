// The demo: a chat with a scripted model beside a document, without network or key. All that a host of its own would
// write is in this folder; the document, the quotes and the review cards are the package's elements.

import { indexedDbStore, keepingOrNot, load } from "../../dist/index.js";
import { Chat } from "./chat.js";
import { readMarkdown, titleOf } from "./files.js";
import { editFor, manners } from "./north.js";

/** @typedef {import("../index.d.ts").Documents} Documents */
/** @typedef {import("../index.d.ts").Snapshot} Snapshot */
/** @typedef {import("../index.d.ts").Edit} Edit */
/** @typedef {import("../index.d.ts").Quote} Quote */
/** @typedef {{ name: string, edits: Edit[], expect: { ok: boolean, reasons?: string[] } }} Attempt */

const you = /** @type {const} */ ({ id: "person:you", kind: "person", name: "You" });
const north = /** @type {const} */ ({ id: "agent:north", kind: "agent", name: "North", for: { id: "person:you", name: "you" } });

/** @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
const $ = (id) => /** @type {T} */ (document.getElementById(id));
const view = /** @type {import("../index.d.ts").CountersignDocument} */ ($("document"));
const quotes = /** @type {import("../index.d.ts").CountersignQuotes} */ ($("quotes"));
const chat = new Chat($("messages"));

/** The document on the page. @type {Snapshot | null} */
let current = null;

/** @param {string} text @param {"note" | "error"} [kind] */
function announce(text, kind = "note") {
  const banner = $("banner");
  banner.textContent = text;
  banner.dataset.kind = kind;
  banner.hidden = text === "";
}

/** @param {string} path */
async function fixture(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response;
}

const review = fixture("tests/fixtures/vendor-review.md").then((response) => response.text());
const attempts = fixture("tests/fixtures/edits.json").then(async (response) => /** @type {Attempt[]} */ (await response.json()).slice(0, 6));

async function begin() {
  const core = await load();
  const { store, keeps, message } = await keepingOrNot(indexedDbStore({ name: "countersign-demo" }), core.memoryStore);
  if (!keeps) announce(`Nothing here outlives this tab: ${message}`);
  const documents = core.documents({ store, space: "demo", author: you });
  await new Demo(core, documents).open();
}

class Demo {
  /** @param {import("../index.d.ts").Core} core @param {Documents} documents */
  constructor(core, documents) {
    this.core = core;
    this.documents = documents;
    view.documents = documents;
    chat.documents = documents;
  }

  async open() {
    this.#listen();
    await this.#offerAttempts();
    const listed = await this.documents.list({ limit: 100 });
    if (!listed.ok) return announce(listed.message, "error");
    const chosen = listed.documents.find(({ document }) => document === location.hash.slice(1)) ?? listed.documents[0];
    const first = chosen ? await this.documents.read(chosen.document) : await this.documents.create("Vendor review", await review);
    if (first.ok) this.#show(first.snapshot);
    else announce(first.message, "error");
  }

  /** @param {Snapshot} snapshot */
  #show(snapshot) {
    const other = snapshot.document !== current?.document;
    this.#update(snapshot);
    if (!other) return;
    view.documentId = snapshot.document;
    quotes.clear();
    history.replaceState(null, "", `#${snapshot.document}`);
    chat.open(snapshot.document);
    void this.#listDocuments();
  }

  /** The page around the document. @param {Snapshot} snapshot */
  #update(snapshot) {
    current = snapshot;
    $("title").textContent = snapshot.title;
    $("version").textContent = `v${snapshot.version}`;
    const { by, at } = snapshot;
    const time = new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    $("saved").textContent = `saved by ${by.name}${by.for ? `, for ${by.for.name}` : ""}, ${time}`;
    /** @type {HTMLElement} */ ($("outline").querySelector("pre")).textContent = JSON.stringify(this.core.outline(snapshot.text), null, 2);
  }

  async #listDocuments() {
    const listed = await this.documents.list({ limit: 100 });
    if (!listed.ok) return;
    $("others").hidden = listed.documents.length < 2;
    const select = /** @type {HTMLSelectElement} */ ($("documents"));
    select.replaceChildren(...listed.documents.map(({ document, title }) => new Option(title, document, false, document === current?.document)));
  }

  #listen() {
    view.addEventListener("countersign-quote", (event) => {
      quotes.add(event.detail.quote);
      $("message").focus();
    });
    this.documents.on("version", async ({ document }) => {
      if (document !== current?.document) return void this.#listDocuments();
      const read = await this.documents.read(document);
      if (read.ok && read.snapshot.document === current?.document) this.#update(read.snapshot);
    });
    this.documents.on("error", ({ message }) => announce(message, "error"));
    $("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#send();
    });
    $("message").addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      /** @type {HTMLFormElement} */ ($("composer")).requestSubmit();
    });
    $("documents").addEventListener("change", async (event) => {
      const read = await this.documents.read(/** @type {HTMLSelectElement} */ (event.target).value);
      if (read.ok) this.#show(read.snapshot);
      else announce(read.message, "error");
    });
    $("start-over").addEventListener("click", () => void this.#startOver());
    this.#listenForFiles();
  }

  #listenForFiles() {
    const input = /** @type {HTMLInputElement} */ ($("file"));
    $("open-file").addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      const [file] = input.files ?? [];
      // The same file can be chosen again.
      if (file) void this.#openFile(file).finally(() => (input.value = ""));
    });
    const drop = $("drop");
    addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      drop.hidden = false;
    });
    addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) drop.hidden = true;
    });
    addEventListener("drop", (event) => {
      drop.hidden = true;
      const [file] = event.dataTransfer?.files ?? [];
      if (!file) return;
      event.preventDefault();
      void this.#openFile(file);
    });
  }

  /** Opens a file of the person's own; what cannot be opened changes nothing. @param {File} file */
  async #openFile(file) {
    const read = await readMarkdown(file);
    if (!read.ok) return announce(read.message, "error");
    const title = titleOf(file.name);
    let made = await this.documents.create(title, read.text);
    for (let copy = 2; !made.ok && made.reason === "title-taken" && copy < 100; copy += 1) {
      made = await this.documents.create(`${title} (${copy})`, read.text);
    }
    if (!made.ok) return announce(`${file.name} could not be kept: ${made.message}`, "error");
    announce("");
    this.#show(made.snapshot);
  }

  /** The vendor review as it was at first, as a new version: nothing is lost by starting over. */
  async #startOver() {
    announce("");
    quotes.clear();
    const kept = await this.documents.read("Vendor review");
    const first = kept.ok ? await this.documents.restore(kept.snapshot.document, 1) : await this.documents.create("Vendor review", await review);
    if (!first.ok) return announce(first.message, "error");
    this.#show(first.snapshot);
    chat.clear();
  }

  async #send() {
    const field = /** @type {HTMLTextAreaElement} */ ($("message"));
    const words = field.value.trim();
    const asked = quotes.quotes;
    if (!current || (words === "" && asked.length === 0)) return;
    announce("");
    chat.add({ who: "you", text: words, quotes: asked });
    field.value = "";
    quotes.clear();
    await this.#answer(words, asked);
  }

  /** What North does with a message. @param {string} words @param {Quote[]} asked */
  async #answer(words, asked) {
    if (!current) return;
    const read = await this.documents.read(current.document);
    if (!read.ok) return announce(read.message, "error");
    const { snapshot } = read;
    const wishes = asked.flatMap((quote) => editFor(words, quote, snapshot.text) ?? []);
    if (wishes.length === 0) return chat.add({ who: "north", text: manners });
    await this.#propose(snapshot, wishes.map(({ edit }) => edit), wishes[0].summary);
  }

  /** A proposal, or its refusals: words that a model can act on. @param {Snapshot} snapshot @param {Edit[]} edits @param {string} summary */
  async #propose({ document, version }, edits, summary) {
    const proposed = await this.documents.propose({ document, edits }, { by: north, base: version, summary });
    if (proposed.ok) return chat.add({ who: "north", text: "", proposal: proposed.proposal.id });
    chat.add({ who: "north", text: proposed.message, refused: proposed.reason });
  }

  async #offerAttempts() {
    const buttons = (await attempts).map((attempt) => {
      const button = document.createElement("button");
      button.type = "button";
      const name = document.createElement("span");
      name.textContent = attempt.name[0].toUpperCase() + attempt.name.slice(1);
      const meant = document.createElement("small");
      meant.textContent = attempt.expect.ok ? "applies" : "refused";
      button.append(name, meant);
      button.addEventListener("click", () => {
        if (current) void this.#propose(current, attempt.edits, name.textContent ?? "");
      });
      return button;
    });
    $("attempt-buttons").replaceChildren(...buttons);
  }
}

begin().catch(async (error) => {
  // The text is always there to read, and to take along.
  announce(error instanceof Error ? error.message : String(error), "error");
  view.markdown = await review;
});
