// `countersign/core`, as far as it is there: the contract's declarations, less what is still to come.
// Works in browsers, workers and Node ≥ 20, without a DOM.
//
// Units. Every offset, length and `chars` that crosses to JavaScript counts UTF-16 code units. Ranges are half-open [start, end).
// Lines count from 1, blocks from 0, edits in `message` texts from 1 ("edits 1 and 2"), in data from 0. Times are RFC 3339 strings in UTC.
// `bytes` are UTF-8 bytes. Failures that can be expected are values ({ ok: false, reason, message }), never exceptions; `message` is one short text
// that a model or a person can act on. A TypeError means a wrong argument, or lone surrogates where no result can say `invalid-text`. Objects that come in are copied, objects that
// go out are plain and the caller's own.

/** In Node the WebAssembly file is found beside the module; elsewhere by URL, or given. */
/** `wasm`: an address, bytes, a response or a compiled module. */
export function load(wasm?: string | { readonly href: string } | ArrayBuffer | ArrayBufferView | object): Promise<Core>;

export interface Core {
  readonly version: string;
  /** One line per block, never the body. */
  outline(markdown: string): OutlineEntry[];
  /** Top-level blocks in source order; between two of them lie only blank lines. */
  blocks(markdown: string): Block[];
  /** Blocks whose source contains `query` (trimmed, case-insensitive); "" finds none. */
  search(markdown: string, query: string): OutlineEntry[];
  /** Safe HTML: exactly the elements that the previewer shows, without its controls. */
  renderHtml(markdown: string, options?: RenderOptions): string;

  quoteBlocks(source: Source, first: number, last?: number): Result<{ quote: Quote }>;
  quoteRange(source: Source, start: number, end: number): Result<{ quote: Quote }>;
  /** The text that goes in front of the person's own words in a message. */
  formatQuotes(quotes: readonly Quote[]): string;
  /** Where what was selected stands in a later text. */
  locateQuote(quote: Quote, markdown: string): { state: "same" | "moved"; start: number; end: number } | { state: "changed" };

  applyEdits(markdown: string, edits: readonly Edit[]): EditResult;
  /** What changed, as hunks to show, counts of lines, and splices that turn `before` into `after`. */
  compare(before: string, after: string): Comparison;
  /** Line by line; a clash is an answer and writes nothing. `theirs` is what is stored. */
  merge(base: string, mine: string, theirs: string): MergeResult;
  /** A refused merge with a choice for each clash. */
  resolve(refused: RefusedMerge, choices: readonly ("mine" | "theirs" | "both")[]): string;

  buildEml(mail: Mail): Result<{ eml: string; fileName: string }>;
  buildMailto(mail: Mail): Result<{ href: string; length: number; mayTruncate: boolean }>;

  /** A store that forgets: for tests, demos and private windows. */
  memoryStore(): DocumentStore;
  /** Documents of one space, over any store. */
  documents(options: DocumentsOptions): Documents;
  /** The conformance tests for a host's store; resolves with one row a test. */
  checkStore(make: () => Awaitable<{ store: DocumentStore; done?: () => Awaitable<void> }>): Promise<{ name: string; ok: boolean; message?: string }[]>;
}

export type Awaitable<T> = T | Promise<T>;
export type Result<T> = ({ ok: true } & T) | Refused;
export interface Refused { ok: false; reason: Reason; message: string }
export type Reason =
  | EditReason | "exists" | "title-taken" | "bad-title" | "no-such-version" | "clash" | "denied" | "conflict" | "stale" | "answered"
  | "quota" | "blocked" | "corrupt" | "gone" | "unavailable" | "timeout" | "aborted" | "bad-address" | "bad-range";

// ───────────── Reading ─────────────
export type BlockKind = "text" | "fence" | "code" | "meta";
export type BlockType =
  | "heading" | "paragraph" | "list" | "quote" | "alert" | "table" | "rule" | "html" | "footnote" | "definition"
  | "fence" | "code" | "meta";
export interface Block { block: number; kind: BlockKind; type: BlockType; level?: number; start: number; end: number }
export interface OutlineEntry { block: number; kind: BlockKind; level?: number; preview: string; chars: number }
export interface RenderOptions { images?: "none" | "all"; headingOffset?: number; /** Beside http, https, mailto, tel. */ linkSchemes?: string[] }

/** What is read: a Snapshot fits. `document` may be "" and `version` 0 where nothing is stored. */
export interface Source { document: string; title: string; version: number; text: string }
export interface Quote {
  document: string; title: string; version: number;
  /** First and last block, inclusive, and their verbatim source with its place in the text. */
  blocks: [number, number]; source: string; start: number; end: number;
  /** What was selected: a verbatim substring of the text, and which of its occurrences (1-based, overlapping ones counted). */
  exact: { text: string; start: number; end: number; occurrence: number; of: number };
  /** `exact` widened until it occurs once: safe as an edit's `find`. */
  anchor: string;
  /** Only where the selection is not one stretch of source: the stretches in reading order. `exact` and `blocks` then enclose them. */
  ranges?: [number, number][];
  /** Only for a selection inside one table; the header is row 0. */
  table?: { rows: [number, number]; columns: [number, number] };
}

// ───────────── Changing ─────────────
export interface Edit { find: string; replace: string; /** Look only inside this block. */ block?: number }
export type EditReason =
  | "not-found" | "ambiguous" | "no-such-block" | "overlap" | "empty-find" | "no-change" | "stale-version"
  | "too-large" | "invalid-text";
export interface Place { block: number; line: number; start: number; end: number; heading?: string; text: string }
export interface Refusal {
  edit: number; reason: EditReason; message: string;
  /** ambiguous: how often `find` occurs, overlapping occurrences counted, and where (the first five). */
  count?: number; places?: Place[];
  /** not-found: the closest text that is really there. A hint: it is never applied. */
  nearest?: Place & { differs?: string };
  /** overlap: the earlier edit (the later one is refused). */
  with?: number;
}
export interface AppliedEdit { edit: number; start: number; end: number; block: number }
export type EditResult =
  | { ok: true; markdown: string; applied: AppliedEdit[] }
  | { ok: false; reason: EditReason; message: string; refusals: Refusal[] };

export interface DiffLine {
  sign: " " | "-" | "+"; text: string;
  /** Changed words, as ranges of `text`. */
  words?: [number, number][];
}
export interface Hunk {
  index: number; block: number; heading?: string;
  before: { line: number; lines: number }; after: { line: number; lines: number };
  lines: DiffLine[];
  /** What the eye cannot see: invisible and bidirectional characters, look-alikes, line endings, final newline. */
  notes: string[];
}
/** Replace [start, end) of the old text by `text`. Lists ascend and never overlap. */
export interface Splice { start: number; end: number; text: string }
export interface Comparison { added: number; removed: number; hunks: Hunk[]; splices: Splice[]; /** false: too large for word marks. */ precise: boolean }

export interface Stretch { line: number; lines: number; text: string }
export interface Clash { what: "text" | "title"; base: Stretch; mine: Stretch; theirs: Stretch }
/** The whole text as pieces: settled text, or the index of a clash. */
export interface RefusedMerge { ok: false; reason: "clash"; message: string; clashes: Clash[]; pieces: (string | number)[] }
export type MergeResult = { ok: true; text: string; from: "same" | "mine" | "theirs" | "both"; /** From `mine` to `text`. */ splices: Splice[] } | RefusedMerge;

// ───────────── The way out ─────────────
/** An address is one mailbox: `a@b.example` or `Name <a@b.example>`. */
export interface Mail {
  to: string[]; cc?: string[]; bcc?: string[]; subject: string; body: string;
  attachments?: { name: string; type: string; text: string }[];
  /** Marks the message as an unsent draft for mail clients that know the mark. */
  draft?: boolean;
}

// ───────────── Documents and versions ─────────────
/** `person:ana`, `agent:north`. `for` is the person that an agent works for. What a client writes here is a claim: a server stamps its own. */
export interface Author { id: string; kind: "person" | "agent"; name: string; for?: { id: string; name: string } }
export type VersionKind = "create" | "write" | "append" | "edit" | "save" | "merge" | "rename" | "restore" | "delete";
export interface VersionInfo {
  document: string; space: string; version: number; kind: VersionKind; title: string;
  by: Author; approvedBy?: Author; at: string;
  bytes: number; added: number; removed: number;
  /** First block's preview, for lists. */
  opens: string;
  /** The version that the writer started from; after a merge it is older than version - 1. null: nothing. */
  startedFrom: number | null;
  restoredFrom?: number; proposal?: string; summary?: string; key: string;
}
export interface Snapshot extends VersionInfo { text: string }

export interface DocumentsOptions {
  store: DocumentStore; space: string;
  /** Whoever acts through this object where no other author is named. */
  author: Author;
  /** "ask" (default): an agent's change is a proposal until a person decides. "never": it is a version at once. */
  approval?: "ask" | "never";
  /** What an agent's change meets where a person saved a version that it has not read: "merge" (default) or "refuse". */
  unread?: "merge" | "refuse";
  link?: (document: string) => string;
  maxBytes?: number;
  /** Milliseconds after which a store's call counts as lost. Default 30,000. */
  timeout?: number;
  now?: () => Date; newId?: () => string;
}
export interface DocumentsEvents { version: VersionInfo; proposal: Proposal; error: Refused; missed: null }
export interface Documents {
  readonly space: string; readonly author: Author;
  list(options?: { limit?: number; cursor?: string }): Promise<Result<{ documents: VersionInfo[]; cursor?: string }>>;
  /** Latest saved first, across the spaces that the store lets this host see. */
  recent(limit?: number): Promise<Result<{ documents: VersionInfo[] }>>;
  /** By id, exact title, or the one title that has it. */
  read(document: string, options?: { version?: number }): Promise<Result<{ snapshot: Snapshot }>>;
  history(document: string, options?: { before?: number; limit?: number }): Promise<Result<{ versions: VersionInfo[]; more: boolean }>>;
  compare(document: string, from: number, to: number): Promise<Result<{ comparison: Comparison }>>;
  create(title: string, text: string, options?: WriteOptions): Promise<SaveResult>;
  /** From `base`: forward, merged, or refused as a clash with nothing written and nothing lost. A title alone is a rename. */
  save(document: string, change: { base: number; title?: string; text?: string }, options?: WriteOptions): Promise<SaveResult>;
  append(document: string, text: string, options?: WriteOptions): Promise<SaveResult>;
  restore(document: string, version: number, options?: WriteOptions): Promise<SaveResult>;
  remove(document: string, options?: WriteOptions): Promise<Result<{ version: VersionInfo }>>;
  /** For good, with all versions, where the store can. */
  erase(document: string): Promise<Result<{}>>;
  /** An agent's change: checked now, applied when a person accepts. */
  propose(change: ProposedChange, options: { by: Author; base?: number; summary?: string; key?: string }): Promise<Result<{ proposal: Proposal }> | (Refused & { refusals: Refusal[] })>;
  proposals(options?: { document?: string; id?: string; open?: boolean }): Promise<Result<{ proposals: Proposal[] }>>;
  /** One decision closes a proposal: the accepted hunks become one version, the rest is rejected. */
  decide(proposal: string, accepted: readonly number[], options?: { by?: Author; amended?: Record<number, string>; note?: string }): Promise<Result<{ proposal: Proposal }>>;
  withdraw(proposal: string, options?: { by?: Author; note?: string }): Promise<Result<{ proposal: Proposal }>>;
  on<K extends keyof DocumentsEvents>(event: K, heard: (detail: DocumentsEvents[K]) => void): () => void;
  close(): void;
}
export interface WriteOptions { by?: Author; summary?: string; /** Makes a repeat harmless. */ key?: string }
export type SaveResult =
  | { ok: true; snapshot: Snapshot; merged: boolean; unchanged: boolean; /** From the text that was sent to the text that is stored. */ splices: Splice[] }
  | (RefusedMerge & { head: Snapshot })
  | Refused;
export type ProposedChange =
  | { document: string; edits: Edit[] }
  | { document: string; append: string }
  | { document: string; text: string; title?: string }
  | { title: string; text: string };
export interface Proposal {
  id: string; revision: number; space: string; document: string | null; title: string;
  /** null: a new document. */
  base: number | null; change: ProposedChange; by: Author; summary?: string; at: string;
  /** Each with its splice in the text of `base`; `amended` replaces a splice's text. */
  hunks: (Hunk & { splice: Splice; edit?: number; /** The change of the title: its splice changes no text. */ isTitle?: boolean })[];
  state: "open" | "accepted" | "partly" | "rejected" | "stale" | "withdrawn";
  answer?: { by: Author; at: string; accepted: number[]; amended?: Record<number, string>; note?: string; version: number | null; /** For the agent. */ text: string };
}
export interface Presence { id: string; name: string; kind: "person" | "agent"; away: boolean }

// ───────────── The host's storage ─────────────
// Plain JSON in and out, so it can cross to a worker or a server. A rejection, a throw or a time-out means "outcome unknown": the component
// sends the same commit again; a known `key` answers its version, whatever the head is by then.

export interface DocumentStore {
  /** Heads that are not deleted, the latest commit first. */
  list(request: { space?: string; limit: number; cursor?: string }): Awaitable<StoreResult<{ documents: VersionInfo[]; cursor?: string }>>;
  /** Without `version`, the head. */
  read(request: { space?: string; document: string; version?: number }): Awaitable<StoreResult<{ snapshot: Snapshot }>>;
  /** Newest first, without texts. */
  history(request: { space?: string; document: string; before?: number; limit: number }): Awaitable<StoreResult<{ versions: VersionInfo[]; more: boolean }>>;
  /** Compare-and-set in one transaction: only where the document's newest version is `head` (null: where there is none). */
  commit(request: Commit): Awaitable<StoreResult<{ version: VersionInfo }>>;
  /** Optional: without it, proposals live as long as the page. `save`: a new one has revision 1, a changed one the stored revision plus 1, else
   *  `conflict`; an identical repeat is ok. */
  proposals?: {
    list(request: { space: string; document?: string; id?: string; open?: boolean }): Awaitable<StoreResult<{ proposals: Proposal[] }>>;
    save(proposal: Proposal): Awaitable<StoreResult<{ proposal: Proposal }>>;
  };
  /** Optional: versions and proposals made elsewhere. `missed: true` where some may have been. */
  watch?(request: { space: string }, changed: (what: { version?: VersionInfo; proposal?: Proposal; missed?: true }) => void): () => void;
  presence?(request: { space: string; document: string; me: Presence }, changed: (people: Presence[]) => void): () => void;
  /** Optional: removes every version of a document for good. */
  erase?(request: { space: string; document: string }): Awaitable<StoreResult<{}>>;
}
export interface Commit {
  head: number | null;
  /** The new version but for its number. The store records the later of `at` and the last version's time. */
  snapshot: Omit<Snapshot, "version">;
  /** The title, trimmed and case-folded: unique among a space's documents that are not deleted, where the store keeps that rule. */
  titleKey: string;
  /** The proposal that this version answers, stored in the same transaction by the rule of `proposals.save`; its `conflict` is the commit's. */
  answers?: Proposal;
}
export type StoreResult<T> =
  | ({ ok: true } & T)
  | { ok: false; reason: "not-found" | "exists" | "conflict" | "title-taken" | "denied" | "too-large" | "quota" | "blocked" | "corrupt" | "gone" | "unavailable"; message?: string };
