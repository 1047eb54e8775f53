// Loading the package in Node: from beside the module, and given in each form that the declarations name.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { load } from "../../dist/core.js";

const wasmUrl = new URL("../../dist/wasm/core_bg.wasm", import.meta.url);
const coreUrl = new URL("../../dist/core.js", import.meta.url);

/** Runs `code` in a fresh process, with `load` and the file's places at hand, and gives what it prints. @param {string} code */
async function fresh(code) {
  const program = `
    import { readFile } from "node:fs/promises";
    const { load } = await import(${JSON.stringify(coreUrl.href)});
    const [url, path] = [${JSON.stringify(wasmUrl.href)}, ${JSON.stringify(fileURLToPath(wasmUrl))}];
    ${code}`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  return stdout.trim();
}

test("load gives one Core, however often it is called", async () => {
  const [first, second] = await Promise.all([load(), load()]);
  assert.equal(first, second);
  assert.match(first.version, /^\d+\.\d+\.\d+/);
  assert.ok(Object.isFrozen(first));
});

test("importing throws nothing and starts nothing", async () => {
  assert.equal(await fresh(`console.log(typeof load)`), "function");
});

for (const [name, given] of [
  ["nothing", ""],
  ["an address", "url"],
  ["a path", "path"],
  ["a URL", "new URL(url)"],
  ["a Buffer", "await readFile(path)"],
  ["an ArrayBuffer", "(await readFile(path)).buffer.slice(0)"],
  ["a view into a larger buffer", "(() => { const all = new Uint8Array(bytes.length + 7); all.set(bytes, 7); return all.subarray(7); })()"],
  ["a compiled module", "await WebAssembly.compile(bytes)"],
  ["a response", 'new Response(bytes, { headers: { "content-type": "application/wasm" } })'],
]) {
  test(`starts from ${name}`, async () => {
    assert.equal(await fresh(`const bytes = await readFile(path); const core = await load(${given}); console.log(core.outline("# A 😀")[0].preview)`), "# A 😀");
  });
}

test("starts from an http address, and says which address failed", async () => {
  const server = createServer(async (request, response) => {
    if (request.url !== "/core_bg.wasm") return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "application/wasm" }).end(await readFile(wasmUrl));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", () => done(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  try {
    const said = await fresh(`
      const failed = await load("http://127.0.0.1:${port}/nothing").catch((error) => error.message);
      const core = await load("http://127.0.0.1:${port}/core_bg.wasm");
      console.log(failed, core.blocks("x").length)`);
    assert.equal(said, `countersign: http://127.0.0.1:${port}/nothing answered 404 Not Found 1`);
  } finally {
    server.close();
  }
});

test("a wrong argument and bytes that are no module are rejected, and the next call starts anew", async () => {
  const said = await fresh(`
    const wrong = await load(42).catch((error) => error.name + ": " + error.message);
    const broken = await load(new Uint8Array([1, 2, 3])).catch((error) => error.name);
    const missing = await load("./no/such/file.wasm").catch((error) => error.code);
    console.log([wrong, broken, missing, (await load()).blocks("x").length].join("\\n"))`);
  assert.deepEqual(said.split("\n"), ["TypeError: load: wasm must be an address, bytes, a response or a compiled module", "CompileError", "ENOENT", "1"]);
});
