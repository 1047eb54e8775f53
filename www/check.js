// What comes in is checked and copied here, before it crosses into WebAssembly: a wrong type is a TypeError that names
// the argument, a lone surrogate is an IllFormed (the border would silently replace it), and what is kept is a copy,
// so that neither a framework's proxy nor a later change by the caller reaches us. Unknown fields are left out.

/** @template T @typedef {(value: unknown, at: string) => T} Shape Gives a copy, or throws a TypeError that names `at`. */
/** @template T @typedef {{ shape: Shape<T>, optional: true }} Optional */

/** Text with a lone surrogate: a TypeError where no result can say `invalid-text`. */
export class IllFormed extends TypeError {
  /** @param {string} at */
  constructor(at) {
    super(`${at} has a lone surrogate: it is not valid Unicode text`);
    this.name = "TypeError";
  }
}

/** @param {string} text */
export function wellFormed(text) {
  const native = /** @type {{ isWellFormed?: () => boolean }} */ (/** @type {unknown} */ (text)).isWellFormed;
  return native ? native.call(text) : !/\p{Surrogate}/u.test(text);
}

/** Text as it is, lone surrogates and all. @type {Shape<string>} */
export function anyText(value, at) {
  if (typeof value !== "string") throw new TypeError(`${at} must be a string`);
  return value;
}

/** @type {Shape<string>} */
export function text(value, at) {
  const given = anyText(value, at);
  if (!wellFormed(given)) throw new IllFormed(at);
  return given;
}

/** @type {Shape<boolean>} */
export function flag(value, at) {
  if (typeof value !== "boolean") throw new TypeError(`${at} must be true or false`);
  return value;
}

/** An integer from `least`, up to what 32 bits hold. @param {number} least @returns {Shape<number>} */
export const integer = (least) => (value, at) => {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > 0xffffffff)
    throw new TypeError(`${at} must be an integer${Number.isInteger(value) ? ` from ${least}` : ""}`);
  return value;
};

/** A position, a block, a count. */
export const count = integer(0);

/** @template {string} T @param {T[]} names @returns {Shape<T>} */
export const oneOf = (...names) => (value, at) => {
  if (!names.includes(/** @type {T} */ (value)))
    throw new TypeError(`${at} must be ${names.map((name) => JSON.stringify(name)).join(" or ")}`);
  return /** @type {T} */ (value);
};

/** @template T @param {Shape<T>} shape @returns {Shape<T | null>} */
export const orNull = (shape) => (value, at) => (value === null ? null : shape(value, at));

/** @template T @param {Shape<T>} item @returns {Shape<T[]>} */
export const list = (item) => (value, at) => {
  if (!Array.isArray(value)) throw new TypeError(`${at} must be an array`);
  // Not map(): it skips holes, and a hole is a missing item.
  return Array.from(value, (each, index) => item(each, `${at}[${index}]`));
};

/** @template A @template B @param {Shape<A>} first @param {Shape<B>} second @returns {Shape<[A, B]>} */
export const pair = (first, second) => (value, at) => {
  if (!Array.isArray(value) || value.length !== 2) throw new TypeError(`${at} must be an array of two`);
  return [first(value[0], `${at}[0]`), second(value[1], `${at}[1]`)];
};

/** A field that may be left out: absent and undefined are the same. @template T @param {Shape<T>} shape @returns {Optional<T>} */
export const optional = (shape) => ({ shape, optional: true });

/**
 * @template {Record<string, Shape<any> | Optional<any>>} F
 * @typedef {{ [K in keyof F as F[K] extends Shape<any> ? K : never]: F[K] extends Shape<infer T> ? T : never }
 *   & { [K in keyof F as F[K] extends Optional<any> ? K : never]?: F[K] extends Optional<infer T> ? T : never }} Fields
 */

/**
 * A plain object with these fields, in this order.
 * @template {Record<string, Shape<any> | Optional<any>>} F
 * @param {F} fields
 * @returns {Shape<Fields<F>>}
 */
export const object = (fields) => {
  const entries = Object.entries(fields);
  return (value, at) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError(`${at} must be an object`);
    /** @type {Record<string, unknown>} */
    const copy = {};
    for (const [name, field] of entries) {
      const given = /** @type {Record<string, unknown>} */ (value)[name];
      if (typeof field === "function") copy[name] = field(given, `${at}.${name}`);
      else if (given !== undefined) copy[name] = field.shape(given, `${at}.${name}`);
    }
    return /** @type {any} */ (copy);
  };
};

/** Options: an object, or nothing at all. @template T @param {Shape<T>} shape @returns {Shape<T>} */
export const options = (shape) => (value, at) => shape(value === undefined ? {} : value, at);

/** What a host calls us with, or gives us to call. @type {Shape<Function>} */
export function callable(value, at) {
  if (typeof value !== "function") throw new TypeError(`${at} must be a function`);
  return value;
}
