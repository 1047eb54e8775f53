// The package's own declarations against the contract's: assignable, for what is there. It compiles, or the build fails.
import type * as Contract from "./core.js";
import type * as Own from "../../www/core.js";

type Assignable<From extends To, To> = [From, To];
/** Each assignable to the other: a reason instead of `true` does not compile. */
type Both<A, B> = [A] extends [B] ? ([B] extends [A] ? true : "the contract's does not fit the package's") : "the package's does not fit the contract's";
type Yes<T extends true> = T;

/** What is there is what the contract says; what is more is allowed, what is less is not there yet. */
type Here = keyof Own.Core & keyof Contract.Core;
export type Core = Assignable<Omit<Own.Core, "documents">, Omit<Pick<Contract.Core, Here>, "documents">>;
export type Documents = Assignable<Own.Documents, Pick<Contract.Documents, keyof Own.Documents & keyof Contract.Documents>>;
export type Opened = Assignable<Own.Core["documents"], (options: Contract.DocumentsOptions) => Own.Documents>;
export type Load = Assignable<typeof Own.load, (...given: Parameters<typeof Contract.load>) => Promise<Own.Core>>;

/** A host's store that fits the contract fits the package, and the package's stores fit the contract. */
export type Store = Yes<Both<Own.DocumentStore, Contract.DocumentStore>>;

/** Values that go both ways mean the same on both sides. */
export type Values = [
  Yes<Both<Own.Block, Contract.Block>>, Yes<Both<Own.OutlineEntry, Contract.OutlineEntry>>, Yes<Both<Own.Source, Contract.Source>>, Yes<Both<Own.Quote, Contract.Quote>>,
  Yes<Both<Own.Edit, Contract.Edit>>, Yes<Both<Own.EditResult, Contract.EditResult>>, Yes<Both<Own.Comparison, Contract.Comparison>>, Yes<Both<Own.MergeResult, Contract.MergeResult>>,
  Yes<Both<Own.Mail, Contract.Mail>>, Yes<Both<Own.Reason, Contract.Reason>>, Yes<Both<Own.Author, Contract.Author>>, Yes<Both<Own.Snapshot, Contract.Snapshot>>,
  Yes<Both<Own.Proposal, Contract.Proposal>>, Yes<Both<Own.ProposedChange, Contract.ProposedChange>>, Yes<Both<Own.SaveResult, Contract.SaveResult>>,
  Yes<Both<Own.DocumentsOptions, Contract.DocumentsOptions>>, Yes<Both<Own.Commit, Contract.Commit>>, Yes<Both<Own.DocumentsEvents, Contract.DocumentsEvents>>,
];
