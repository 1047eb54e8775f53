// Starts a WebAssembly module, wherever its file is to be found.

/** @typedef {{ default: (given: { module_or_path: any }) => Promise<unknown> }} Startable wasm-bindgen's glue */

/** @param {URL} url @returns {Promise<unknown>} what WebAssembly can be made of */
async function find(url) {
  if (url.protocol === "file:" && globalThis.process?.versions?.node) return fromDisk(url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`countersign: ${url.href} answered ${response.status} ${response.statusText}`.trimEnd());
  return response;
}

/** @param {URL | string} file */
async function fromDisk(file) {
  // By a name that bundlers for the browser do not follow.
  const name = "node:fs/promises";
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  return readFile(file);
}

/** @param {string} address */
async function atAddress(address) {
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  if (base !== undefined) return find(new URL(address, base));
  // Without a page, what is no URL is a path; `C:\…` only looks like one.
  return URL.canParse(address) && !/^[a-z]:[\\/]/i.test(address) ? find(new URL(address)) : fromDisk(address);
}

/**
 * @param {Startable} glue
 * @param {URL} beside where the file lies when nothing else is given
 * @param {unknown} [given] an address, bytes, a response or a compiled module
 */
export async function start(glue, beside, given) {
  if (typeof WebAssembly !== "object") throw new Error("countersign: WebAssembly is not available here");
  if (given !== undefined && typeof given !== "string" && (typeof given !== "object" || given === null))
    throw new TypeError("load: wasm must be an address, bytes, a response or a compiled module");
  /** @type {any} */
  let source = given;
  if (source === undefined) source = await find(beside);
  else if (typeof source === "string") source = await atAddress(source);
  else if (typeof source.href === "string") source = await atAddress(source.href);
  await glue.default({ module_or_path: source });
}
