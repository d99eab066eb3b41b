// The examples for bundlers, ../examples: built as users would build them, and run.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createServer } from "vite";
import { install, temporaryFolder } from "../test/packed.js";
import { serveFolder, withAddress } from "./support/site.js";

const EXPECTED = "wasm: Shift_JIS, 日本語のテキスト、かなと漢字。";

/** Copies the example to a folder of its own, and installs the packed package there. */
function example(name) {
  const folder = temporaryFolder();
  install(folder, ["esbuild", "vite"]);
  cpSync(join(import.meta.dirname, "../examples", name), folder, { recursive: true });
  return folder;
}

const build = (folder) => execFileSync("npm", ["run", "--silent", "build"], { cwd: folder, stdio: "pipe" });

const check = (address) =>
  withAddress(address, async (page) => {
    await page.waitForFunction(() => document.querySelector("output").textContent !== "");
    assert.equal(await page.textContent("output"), EXPECTED);
  });

async function checkFolder(folder) {
  const server = await serveFolder(folder);
  try {
    await check(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.close();
  }
}

describe("bundlers", () => {
  test("esbuild: the example is built and runs", async () => {
    const folder = example("esbuild");
    build(folder);
    await checkFolder(join(folder, "site"));
  });

  test("Vite: the example is built and runs", async () => {
    const folder = example("vite");
    build(folder);
    await checkFolder(join(folder, "dist"));
  });

  test("Vite: the example runs on the development server", async () => {
    const folder = example("vite");
    const server = await createServer({ root: folder, server: { host: "127.0.0.1", port: 0 }, logLevel: "error" });
    try {
      await server.listen();
      await check(`http://127.0.0.1:${server.httpServer.address().port}/`);
    } finally {
      await server.close();
    }
  });
});
