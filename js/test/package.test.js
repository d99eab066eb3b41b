// The entries of the package: the same names everywhere, the same classes by import and require, and the
// polyfill, which runs in a process of its own.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "node:test";
import { fileURLToPath } from "node:url";
import * as main from "simdtext";
import { engines } from "./engines.js";

const require = createRequire(import.meta.url);
const root = new URL("../", import.meta.url);

const NAMES = [
  "Decoder",
  "Encoder",
  "OffsetMap",
  "TextDecoder",
  "TextDecoderStream",
  "TextEncoder",
  "TextEncoderStream",
  "decode",
  "detect",
  "encode",
  "encodings",
  "engine",
  "firstValid",
  "labelToName",
  "percentEncodeAfterEncoding",
  "segments",
  "undoDoubleEncoding",
];

const named = (namespace) =>
  Object.keys(namespace)
    .filter((name) => name !== "default")
    .sort();

test("every entry has the names of the types [both]", () => {
  const types = readFileSync(new URL("types/index.d.ts", root), "utf8");
  const declared = Array.from(types.matchAll(/^export (?:class|const|function) (\w+)/gm), ([, name]) => name);
  assert.deepEqual(declared.sort(), NAMES);
  for (const namespace of [main, ...engines.map(({ api }) => api)]) {
    assert.deepEqual(named(namespace), NAMES);
  }
  for (const name of ["simdtext", "simdtext/native", "simdtext/wasm"]) {
    assert.deepEqual(named(require(name)), NAMES, name);
  }
});

test("an entry says which engine it is [both]", () => {
  for (const { name, api } of engines) {
    assert.equal(api.engine, name);
  }
  assert.equal(main.engine, "native", "Node runs the addon where it was built");
});

test("require and import give the same objects [both]", async () => {
  for (const name of ["simdtext", "simdtext/native", "simdtext/wasm"]) {
    const [required, imported] = [require(name), await import(name)];
    for (const key of NAMES) {
      assert.equal(required[key], imported[key], `${key} of ${name}`);
    }
    assert.ok(new required.TextDecoder() instanceof imported.TextDecoder);
  }
  assert.equal(require("simdtext").TextDecoder, require("simdtext/native").TextDecoder);
});

test("the two engines have classes of their own [both]", () => {
  const [native, wasm] = engines.map(({ api }) => api);
  assert.notEqual(native.TextDecoder, wasm.TextDecoder);
  assert.throws(() => native.TextDecoder.prototype.decode.call(new wasm.TextDecoder()), TypeError);
});

/** Runs a module in a process of its own, in the package's folder. Returns what it prints. */
function run(source, type = "module") {
  return JSON.parse(
    execFileSync(process.execPath, [`--input-type=${type}`, "-e", source], {
      cwd: fileURLToPath(root),
      encoding: "utf8",
    }),
  );
}

const REPORT = `
  const names = ["TextDecoder", "TextEncoder", "TextDecoderStream", "TextEncoderStream"];
  const report = (api) => console.log(JSON.stringify({
    same: names.map((name) => globalThis[name] === api[name]),
    flags: names.map((name) => {
      const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
      return [writable, enumerable, configurable];
    }),
    text: new TextDecoder("x-user-defined").decode(Uint8Array.of(0x80)),
    latin1: new TextDecoder("latin1").decode(Uint8Array.of(0x80)),
    bytes: Array.from(new TextEncoder().encode("é")),
  }));
`;

const EXPECTED = {
  same: [true, true, true, true],
  flags: Array.from({ length: 4 }, () => [true, false, true]),
  text: "\uF780",
  latin1: "€",
  bytes: [0xc3, 0xa9],
};

test("the polyfill installs the globals as Web IDL has them, by import [both]", () => {
  const source = `import "simdtext/polyfill"; import * as api from "simdtext"; ${REPORT} report(api);`;
  assert.deepEqual(run(source), EXPECTED);
});

test("the polyfill installs the globals by require, twice over [both]", () => {
  const source = `require("simdtext/polyfill"); require("simdtext/polyfill"); ${REPORT} report(require("simdtext"));`;
  assert.deepEqual(run(source, "commonjs"), EXPECTED);
});

test("the package does not touch globals unless it is the polyfill [both]", () => {
  const source = `
    const before = [TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream];
    await import("simdtext"); await import("simdtext/wasm"); await import("simdtext/native");
    const after = [TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream];
    console.log(JSON.stringify(before.every((Class, i) => Class === after[i])));
  `;
  assert.equal(run(source), true);
});

test("what Node does with its own classes goes on under the polyfill [both]", () => {
  const source = `
    import "simdtext/polyfill";
    import { text } from "node:stream/consumers";
    const stream = new Blob(["a€"]).stream().pipeThrough(new TextDecoderStream());
    console.log(JSON.stringify([await text(stream), await new Response("é").text(), new URL("http://é/?é").href]));
  `;
  assert.deepEqual(run(source), ["a€", "é", "http://xn--9ca/?%C3%A9"]);
});

test("the second example of the README gives what its comments say [both]", () => {
  const [, example] = /```js\n(import \{ OffsetMap.*?)```/s.exec(readFileSync(new URL("README.md", root), "utf8"));
  const answers = [];
  const source = example.replace(/^(\S.*?);\s+\/\/ ("[^"]+"|\[.*?\]|\d+).*$/gm, (line, call, value) => {
    answers.push(JSON.parse(value));
    return `answers.push(${call});`;
  });
  assert.equal(answers.length, 4);
  const program = `const answers = []; console.log = (...values) => answers.push(values.join()); ${source}
    process.stdout.write(JSON.stringify(answers));`;
  assert.deepEqual(run(program), [...answers, "UTF-8,é\n", "windows-1252,é\n"]);
});
