// The built package, as a Node program meets it.
import { readFileSync } from "node:fs";
import { load } from "../../dist/core.js";

export const core = await load();

/** @param {string} name a file of tests/fixtures */
export const fixture = (name) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8");
/** @param {string} name */
export const cases = (name) => JSON.parse(fixture(name));
