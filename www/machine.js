// One WebAssembly module, as the calls into it see it: a call that throws has poisoned the instance, and the glue makes a
// fresh one before the next. Whoever still waits for the old one is told.

/** @typedef {typeof import("./wasm/core.js")} Glue */

/** The module stopped during a call. The next call runs in a fresh instance. */
export class Stopped extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    const words = cause instanceof Error ? cause.message : String(cause);
    super(`Countersign's module stopped during this call; the next one finds it started anew. (${words.split("\n", 2).join(" ")})`, { cause });
    this.name = "Stopped";
  }
}

export class Machine {
  /** Counts the instances. */
  instance = 0;
  /** @type {Set<(stopped: Stopped) => void>} */
  #waiting = new Set();

  /** @param {Glue} glue an initialised module */
  constructor(glue) {
    this.glue = glue;
  }

  /** @template T @param {(glue: Glue) => T} run @returns {T} */
  call(run) {
    const instance = this.instance;
    try {
      return run(this.glue);
    } catch (error) {
      const stopped = error instanceof Stopped ? error : new Stopped(error);
      // A call inside of a call may have said it already.
      if (this.instance === instance) {
        this.instance += 1;
        this.glue.abandon();
        for (const told of [...this.#waiting]) told(stopped);
      }
      throw stopped;
    }
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
