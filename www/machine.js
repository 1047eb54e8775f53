// One WebAssembly module, as the calls into it see it: a call that throws has poisoned the instance, and the glue makes a
// fresh one before the next. Whoever still waits for the old one is told.

/** @typedef {typeof import("./wasm/core.js")} Glue */

/** The module stopped during a call. The next call runs in a fresh instance. */
export class Stopped extends Error {
  /** @param {unknown} cause @param {string} [next] what becomes of later calls */
  constructor(cause, next = "the next one finds it started anew") {
    const words = cause instanceof Error ? cause.message : String(cause);
    super(`Countersign's module stopped during this call; ${next}. (${words.split("\n", 2).join(" ")})`, { cause });
    this.name = "Stopped";
  }
}

export class Machine {
  /** Counts the instances. */
  instance = 0;
  /** @type {Set<(stopped: Stopped) => void>} */
  #waiting = new Set();
  /** Why there will be no other instance. @type {Stopped | null} */
  #ended = null;

  /** @param {Glue} glue an initialised module */
  constructor(glue) {
    this.glue = glue;
  }

  /** @template T @param {(glue: Glue) => T} run @returns {T} */
  call(run) {
    if (this.#ended) throw this.#tell(this.#ended);
    const instance = this.instance;
    let cause;
    try {
      const result = run(this.glue);
      if (this.instance === instance) return result;
      // The host's code ran inside of this call, called in turn, and that call stopped: this one came back from an
      // instance that is gone, and the glue has mixed it up with the new one.
      cause = new Error("a call inside of it stopped");
    } catch (error) {
      cause = error;
    }
    this.#renew();
    throw this.#tell(this.#ended ?? (cause instanceof Stopped ? cause : new Stopped(cause)));
  }

  /** A call without arguments makes the fresh instance: others would hand theirs to the old one. */
  #renew() {
    this.instance += 1;
    try {
      this.glue.abandon();
      if (!this.#ended) this.glue.version();
    } catch {
      // There is no room for another instance: every further call says so.
    }
  }

  /** The instance stopped outside of any call from here, and there will be no other. @param {unknown} cause */
  end(cause) {
    if (this.#ended) return;
    this.instance += 1;
    this.#ended = new Stopped(cause, "only a new page gets another");
    this.#tell(this.#ended);
  }

  /** @param {Stopped} stopped */
  #tell(stopped) {
    for (const told of [...this.#waiting]) told(stopped);
    return stopped;
  }

  /** What a call gives as JSON. @param {(glue: Glue) => string} run @returns {any} */
  parsed(run) {
    return JSON.parse(this.call(run));
  }

  /** Calls `told` when the instance stops, until the function that comes back is called. @param {(stopped: Stopped) => void} told */
  whenStopped(told) {
    this.#waiting.add(told);
    return () => void this.#waiting.delete(told);
  }
}
