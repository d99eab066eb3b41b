// The first line that a newcomer types: `const { TextDecoder } = require("simdtext")`, in places where it
// makes a binding of the global scope. Until `require` has returned, that binding throws when anything uses
// the name. Each case runs in a process of its own, as people type it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

const NAMES = "TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream";
const ALL = `${NAMES}, Decoder, Encoder, engine, encodings, decode, encode, detect, labelToName`;

/** How each entry is loaded, by `require` and by `import`, and the names that are taken from it. */
const ENTRIES = [
  ["simdtext", (load) => load("simdtext"), ALL, "native"],
  ["simdtext/native", (load) => load("simdtext/native"), ALL, "native"],
  ["simdtext/wasm", (load) => load("simdtext/wasm"), ALL, "wasm"],
  ["simdtext/polyfill", (load) => `(${load("simdtext/polyfill")}, globalThis)`, NAMES, undefined],
];

const required = (name) => `require(${JSON.stringify(name)})`;
const imported = (name) => `await import(${JSON.stringify(name)})`;

/** Uses these names, and Node's own functions, which must not be disturbed by the bindings. */
const use = (hasEngine) => [
  "const text = new TextDecoder('shift_jis').decode(new Uint8Array([0x93, 0xFA]))",
  "const latin1 = new TextDecoder('latin1').decode(new Uint8Array(3e6).fill(0x80)).length",
  "const bytes = new TextEncoder().encode('é'.repeat(1000)).length",
  "const stream = new TextDecoderStream('gbk').encoding + new TextEncoderStream().encoding",
  ...(hasEngine
    ? ["const tools = decode(encode('日', 'euc-jp'), 'euc-jp') + detect(new Uint8Array(2)).evidence"]
    : []),
  `console.log('GOT ' + [text, latin1, bytes, stream, ${hasEngine ? "engine" : "undefined"}].join())`,
];

const expected = (engine) => `GOT 日,3000000,2000,gbkutf-8,${engine ?? ""}`;

function run(args, input) {
  const environment = { ...process.env, NODE_OPTIONS: "", NO_COLOR: "1", NODE_REPL_HISTORY: "" };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root, input, encoding: "utf8", env: environment,
  });
  return { status, output: stdout + stderr };
}

function check({ status, output }, engine, about) {
  assert.ok(output.includes(expected(engine)), `${about}: ${output}`);
  assert.doesNotMatch(output, /Error|Warning/, about);
  assert.equal(status, 0, about);
}

for (const [name, get, names, engine] of ENTRIES) {
  const lines = (load) => [`const { ${names} } = ${get(load)}`, ...use(engine !== undefined)];

  test(`node -e, ${name} [both]`, () => {
    check(run(["-e", lines(required).join(";\n")]), engine, "-e");
    check(run(["-p", `${lines(required).join(";\n")}; 1`]), engine, "-p");
    check(run(["--input-type=module", "-e", lines(imported).join(";\n")]), engine, "a module");
  });

  test(`the REPL, ${name} [both]`, () => {
    check(run(["-i"], `${lines(required).join("\n")}\n`), engine, "require");
    // In one line, because the next one would not wait for it.
    check(run(["-i"], `${lines(imported).join("; ")}\n`), engine, "import");
  });

  test(`new Worker(…, { eval: true }), ${name} [both]`, () => {
    const source = JSON.stringify(lines(required).join(";\n"));
    check(run(["-e", `new (require("node:worker_threads").Worker)(${source}, { eval: true })`]), engine, "worker");
  });
}

test("a global binding of each name is no hindrance to the others [both]", () => {
  const script = `
    const { TextDecoder } = require("simdtext/wasm");
    const { TextEncoder } = require("simdtext/native");
    console.log("GOT", new TextDecoder("gbk").decode(new Uint8Array([0xC4, 0xE3])), new TextEncoder().encode("é").length);
  `;
  assert.match(run(["-e", script]).output, /^GOT 你 2\n$/);
});

test("/native does not load WebAssembly, nor does the package where there is an addon [both]", () => {
  for (const name of ["simdtext", "simdtext/native"]) {
    const script = `
      WebAssembly.Module = class { constructor() { throw new Error("WebAssembly was compiled"); } };
      const { engine } = require(${JSON.stringify(name)});
      const loaded = Object.keys(require.cache).map((file) => require("node:path").basename(file));
      console.log(JSON.stringify([engine, loaded.filter((file) => /wasm/.test(file)), loaded.length > 1]));
    `;
    assert.deepEqual(JSON.parse(run(["-e", script]).output), ["native", [], true], name);
  }
});
