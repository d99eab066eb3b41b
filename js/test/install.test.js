// The package as it is packed and installed: it can't be packed before it is built, and if the addon can't be
// loaded, a warning says so before WebAssembly is used instead.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { install, temporaryFolder, unbuiltCopy } from "./packed.js";

test("npm pack without a build fails, and says what to do [both]", () => {
  const folder = unbuiltCopy();
  const { status, stderr } = spawnSync("npm", ["pack"], { cwd: folder, encoding: "utf8" });
  assert.notEqual(status, 0);
  assert.match(stderr, /not built, nothing is packed: run npm run build first/);
  assert.match(stderr, /dist\/node\.cjs.*dist\/simdtext\.wasm.*dist\/addon/s);
  assert.deepEqual(readdirSync(folder).filter((name) => name.endsWith(".tgz")), []);
});

const DECODE = `
  const { engine, decode } = require("simdtext");
  console.log(engine, decode(Buffer.from([0x93, 0xFA]), "sjis"));
`;

function run(folder, script, environment = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", script], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "", SIMDTEXT_QUIET: "", ...environment },
  });
  assert.equal(status, 0, stderr);
  return { stdout, stderr };
}

const warnings = (stderr) => stderr.match(/SimdtextWarning: the addon could not be loaded/g)?.length ?? 0;

test("a missing or corrupt addon warns once, and WebAssembly takes over [both]", () => {
  const folder = temporaryFolder();
  const addons = join(install(folder), "dist", "addon");
  const [addon] = readdirSync(addons);
  const [there, away] = [join(addons, addon), join(folder, addon)];

  assert.deepEqual(run(folder, DECODE), { stdout: "native 日\n", stderr: "" });

  const check = (because) => {
    const { stdout, stderr } = run(folder, DECODE);
    assert.equal(stdout, "wasm 日\n");
    assert.equal(warnings(stderr), 1, stderr);
    assert.match(stderr, /\[SIMDTEXT_NO_ADDON\]/);
    assert.match(stderr, because);
    assert.match(stderr, /SIMDTEXT_QUIET/);
    // Loaded in both ways, from the entry and from the polyfill, and from workers.
    const often = `
      ${DECODE}
      import("simdtext").then(() => require("simdtext/polyfill"));
      const { Worker } = require("node:worker_threads");
      for (let i = 0; i < 3; i += 1) new Worker(${JSON.stringify(DECODE)}, { eval: true });
    `;
    const many = run(folder, often);
    assert.equal(many.stdout, "wasm 日\n".repeat(4));
    assert.equal(warnings(many.stderr), 1, many.stderr);
    assert.deepEqual(run(folder, DECODE, { SIMDTEXT_QUIET: "1" }), { stdout: "wasm 日\n", stderr: "" });
    // A program that asks for an engine is told what is wrong, unless it needs no addon.
    const asked = run(folder, "try { require('simdtext/native') } catch (error) { console.log(error.message) }");
    assert.match(asked.stdout, /could not be loaded\. Import "simdtext\/wasm" instead/);
    // The process goes on if the error is caught.
    const caught = run(folder, "import('simdtext/native').catch((error) => console.log(error.message))");
    assert.equal(caught.stdout, asked.stdout);
    assert.deepEqual(run(folder, DECODE.replace("simdtext", "simdtext/wasm")), { stdout: "wasm 日\n", stderr: "" });
  };

  renameSync(there, away);
  check(/Cannot find module/);
  writeFileSync(there, "this is no addon");
  check(/simdtext\..*\.node/);
  renameSync(away, there);
  assert.ok(existsSync(there));
  assert.deepEqual(run(folder, DECODE), { stdout: "native 日\n", stderr: "" });
});
