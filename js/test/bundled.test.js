// Programs for Node that esbuild has bundled with the package, as the README says.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Bundles a program that imports `from` and returns what it prints. `complete` is given the bundle's folder. */
async function printed(from, options, complete = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), "simdtext-bundled-"));
  try {
    await build({
      stdin: {
        contents: `import { decode, engine } from "${from}"; console.log(engine, decode(Uint8Array.of(0x93, 0xFA), "sjis"));`,
        resolveDir: root,
      },
      bundle: true,
      platform: "node",
      format: "cjs",
      outfile: join(folder, "program.cjs"),
      logLevel: "silent",
      ...options,
    });
    complete(folder);
    return execFileSync(process.execPath, [join(folder, "program.cjs")], { encoding: "utf8" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("bundled for Node: the addon is copied [native]", async () => {
  assert.equal(await printed("simdtext", { loader: { ".node": "copy" } }), "native 日\n");
});

test("bundled for Node: the module is next to the bundle [wasm]", async () => {
  const copy = (folder) => copyFileSync(join(root, "dist/simdtext.wasm"), join(folder, "simdtext.wasm"));
  assert.equal(await printed("simdtext/wasm", {}, copy), "wasm 日\n");
});
