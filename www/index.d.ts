// `countersign`, the browser half: importing it defines the elements. `countersign/element` exports the classes and defines nothing.
import type { Documents, DocumentStore, OutlineEntry, Proposal, Quote, Refused, Result, Source, VersionInfo, Awaitable } from "./core.js";
export * from "./core.js";

/** Documents in the browser's own database: one `readwrite` transaction a version, strict durability, other tabs told. */
export function indexedDbStore(options?: { name?: string; /** Asks the browser not to evict. */ persist?: boolean }): DocumentStore;
/** The store that serves: the one in the browser's database, or, where that cannot open, one in memory. With `keeps: false` a page should say that nothing outlives the tab; `message` says why. */
export function keepingOrNot(store: DocumentStore, memoryStore: () => DocumentStore): Promise<{ store: DocumentStore; keeps: boolean; message?: string }>;
/** Replaces strings that a person sees; anything left out stays English. The names are in the repository's src/labels.rs, such as `ask.this`. */
export type Labels = Partial<Record<string, string | ((values: Record<string, string | number>) => string)>>;
/** For every element of the page that has no labels of its own. */
export function setLabels(labels: Labels): void;

interface Countersign extends HTMLElement {
  /** Strings of this element alone. */
  labels: Labels;
  /** Settles once the module serves this element; rejected where it cannot, and the text shows as source. */
  readonly ready: Promise<void>;
}

/** `<countersign-document document-id lang>`: renders a text, lets a person select and ask. No toolbar, no caret, no contentEditable. */
export class CountersignDocument extends HTMLElement implements Countersign {
  labels: Labels; readonly ready: Promise<void>;
  /** Text alone; also from a child `<script type="text/markdown">` (dedented; `<\/script` stands for the closing tag). Reading it gives the text on show. */
  markdown: string;
  /** Text with identity, so that its quotes name it. Setting one of markdown, source, documentId replaces the others. */
  source: Source | null;
  /** With storage: which documents, and which of them. */
  documents: Documents | null; documentId: string | null;
  /** The version on show; 0 where nothing is stored. */
  readonly version: number;
  /** One line per block of the text on show. */
  readonly outline: OutlineEntry[];
  /** Link schemes beside http, https, mailto and tel. */
  linkSchemes: string[];
  /** Says which images may be requested at once; without one, each waits for its button. */
  imagePolicy: ((url: string) => boolean) | null;
  /** What is selected, with its exact source. */
  quoteSelection(): Result<{ quote: Quote }>;
  /** Scrolls to a block and moves the focus there. */
  showBlock(block: number): void;
}
/** `<countersign-review>`: one proposal, hunk by hunk; answered ones too. */
export class CountersignReview extends HTMLElement implements Countersign {
  labels: Labels; readonly ready: Promise<void>;
  documents: Documents | null;
  /** The object, or its id in `documents`. */
  proposal: Proposal | string | null;
}
/** `<countersign-quotes>`: the quotes that will go with the next message. */
export class CountersignQuotes extends HTMLElement implements Countersign {
  labels: Labels; readonly ready: Promise<void>;
  quotes: Quote[];
  /** Adds a quote; the same stretch twice is one. */
  add(quote: Quote): void;
  clear(): void;
  /** The text that goes in front of the person's own words. */
  format(): string;
}

/** All bubble and are composed. */
export interface CountersignEventMap {
  "countersign-ready": CustomEvent<null>;
  /** Cancelable: prevented, the quote goes nowhere else. */
  "countersign-quote": CustomEvent<{ quote: Quote }>;
  /** A newer version is about to be shown. Cancelable: prevented, a bar offers it instead. */
  "countersign-version": CustomEvent<{ version: VersionInfo }>;
  /** Cancelable: prevented, nothing opens. */
  "countersign-link": CustomEvent<{ href: string }>;
  /** Cancelable. With `respondWith` the host decides, on a server for instance. */
  "countersign-decide": CustomEvent<{ proposal: Proposal; accepted: number[]; note?: string; respondWith(answer: Awaitable<Result<{ proposal: Proposal }>>): void }>;
  "countersign-quotes": CustomEvent<{ quotes: Quote[] }>;
  "countersign-error": CustomEvent<Refused>;
}
declare global {
  interface HTMLElementTagNameMap {
    "countersign-document": CountersignDocument; "countersign-review": CountersignReview; "countersign-quotes": CountersignQuotes;
  }
  interface HTMLElementEventMap extends CountersignEventMap {}
}
