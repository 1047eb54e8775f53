// <countersign-review>: one proposal, hunk by hunk; answered ones too.

import { CountersignElement } from "./base.js";

/** @typedef {import("../module.js").Module} Module */
/** @typedef {import("../index.d.ts").Documents} Documents */
/** @typedef {import("../index.d.ts").Proposal} Proposal */
/** @typedef {import("../index.d.ts").Refused} Refused */
/** @typedef {{ ok: true, proposal: Proposal } | Refused} Decided */

export class CountersignReview extends CountersignElement {
  static properties = ["documents", "proposal"];

  /** @returns {Documents | null} */
  get documents() {
    return /** @type {Documents | null} */ (this.value("documents") ?? null);
  }
  set documents(documents) {
    this.keep("documents", documents ?? null);
  }

  /** The proposal, or its id in `documents`. @returns {Proposal | string | null} */
  get proposal() {
    const proposal = /** @type {Proposal | string | null} */ (this.value("proposal") ?? null);
    return typeof proposal === "object" ? structuredClone(proposal) : proposal;
  }
  set proposal(proposal) {
    // A copy, and one that a framework's proxy can give.
    this.keep("proposal", proposal == null ? null : typeof proposal === "string" ? proposal : JSON.parse(JSON.stringify(proposal)));
  }

  /** @param {Module} module @protected @override */
  makeHandle(module) {
    return new module.ReviewHandle(this);
  }

  /**
   * Asks the host to decide. Resolves with the host's answer where it responds, with null where it prevented the decision,
   * and with undefined where it leaves the decision to `documents`.
   * @param {object} decision @returns {Promise<Decided | null | undefined>}
   */
  async decideByHost(decision) {
    /** @type {unknown} */
    let answer;
    let responded = false;
    const detail = {
      ...decision,
      respondWith: (/** @type {unknown} */ given) => {
        responded = true;
        answer = given;
      },
    };
    const allowed = this.emit("countersign-decide", detail, true);
    if (responded) return /** @type {Promise<Decided>} */ (answer);
    return allowed ? undefined : null;
  }
}
