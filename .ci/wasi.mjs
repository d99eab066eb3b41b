// Runs a WebAssembly program under Node's WASI: a runner for cargo.
//
//   node .ci/wasi.mjs PROGRAM.wasm [ARGUMENT]...
//
// The program sees this machine's files and environment.

import { readFileSync } from "node:fs";
import { argv, env } from "node:process";
import { WASI } from "node:wasi";

const [, , program, ...rest] = argv;
const wasi = new WASI({
  version: "preview1",
  args: [program, ...rest],
  env,
  preopens: { "/": "/" },
  returnOnExit: true,
});
const module = await WebAssembly.compile(readFileSync(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
