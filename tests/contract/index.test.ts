// The browser half's declarations against the contract's: assignable, for what is there.
import type * as Contract from "./index.js";
import type * as Own from "../../www/index.js";

type Assignable<From extends To, To> = [From, To];
/** The contract's members that an element of ours has. `documents` is compared in core.test.ts: it lacks methods that are not there yet. */
type Here<From, To> = Omit<Pick<To, keyof From & keyof To>, "documents" | keyof HTMLElement>;

export type Document = Assignable<Own.CountersignDocument, Here<Own.CountersignDocument, Contract.CountersignDocument>>;
export type Review = Assignable<Own.CountersignReview, Here<Own.CountersignReview, Contract.CountersignReview>>;
export type Quotes = Assignable<Own.CountersignQuotes, Here<Own.CountersignQuotes, Contract.CountersignQuotes>>;
export type Functions = [
  Assignable<typeof Own.setLabels, typeof Contract.setLabels>,
  Assignable<typeof Own.indexedDbStore, typeof Contract.indexedDbStore>,
];
/** An event's detail is the contract's, where a page listens to it. */
export type Events = Assignable<Own.CountersignEventMap, Pick<Contract.CountersignEventMap, keyof Own.CountersignEventMap>>;
