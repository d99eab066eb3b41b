// The declarations, compiled by TypeScript with DOM's types, with Node's, and with neither: `npm run types`.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import test from "node:test";
import { fileURLToPath } from "node:url";

const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const folder = fileURLToPath(new URL("../types/test/", import.meta.url));

for (const types of ["dom", "node", "bare"]) {
  test(`types: ${types} [both]`, () => {
    const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", types], { cwd: folder, encoding: "utf8" });
    assert.equal(stdout, "");
    assert.equal(status, 0);
  });
}
