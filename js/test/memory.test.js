// The memory that long inputs leave in use, and what happens if there is none for a result. Each test runs in
// a process of its own, which can collect garbage at any time.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { freemem } from "node:os";
import test from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const skip = freemem() < 3 * 2 ** 30 ? "less than 3 GiB of memory are free" : false;

/** Runs a function of the package, given as text. Returns its result, and how much memory stays in use, in
 * MiB. */
function run(entry, body, before = "") {
  const source = `
    ${before}
    const api = require(${JSON.stringify(entry)});
    const MIB = 2 ** 20;
    const kept = () => {
      for (let i = 0; i < 4; i += 1) gc();
      return process.memoryUsage.rss() / MIB;
    };
    const start = kept();
    const result = (${body})(api, MIB);
    setTimeout(() => console.log(JSON.stringify({ result, kept: kept() - start })), 200);
  `;
  return JSON.parse(execFileSync(process.execPath, ["--expose-gc", "-e", source], { cwd: root, encoding: "utf8" }));
}

// What ../README.md says is kept, and some more by which the JavaScript engine itself has grown meanwhile.
const MOST_KEPT = 16 + 40;

for (const [what, body, expected] of [
  [
    "decodeToUtf8 of ASCII",
    (api, MIB) => new api.Decoder("windows-1252").decodeToUtf8(new Uint8Array(256 * MIB).fill(0x61)).length,
    256 * 2 ** 20,
  ],
  [
    "decodeToUtf8 of Greek",
    (api, MIB) => new api.Decoder("windows-1253").decodeToUtf8(new Uint8Array(128 * MIB).fill(0xe1)).length,
    256 * 2 ** 20,
  ],
  ["encode", (api, MIB) => api.encode("é".repeat(100 * MIB), "windows-1252").length, 100 * 2 ** 20],
  ["TextEncoder", (api, MIB) => new api.TextEncoder().encode("é".repeat(100 * MIB)).length, 200 * 2 ** 20],
  [
    "a fatal chunk of 300 MiB",
    (api, MIB) => {
      const decoder = new api.TextDecoder("utf-8", { fatal: true });
      return decoder.decode(new Uint8Array(300 * MIB).fill(0x61), { stream: true }).length;
    },
    300 * 2 ** 20,
  ],
]) {
  test(`${what}: done, and little is kept [wasm]`, { skip }, () => {
    const { result, kept } = run("simdtext/wasm", body);
    assert.equal(result, expected);
    assert.ok(kept < MOST_KEPT, `${kept} MiB are kept`);
  });
}

for (const engine of ["native", "wasm"]) {
  test(`100,000 short streams without a turn of the event loop leave nothing [${engine}]`, () => {
    const { result } = run(`simdtext/${engine}`, (api, MIB) => {
      const streams = (count) => {
        for (let i = 0; i < count; i += 1) {
          const decoder = new api.TextDecoder("gbk");
          decoder.decode(Uint8Array.of(0xb0), { stream: true });
          decoder.decode(Uint8Array.of(0xa1));
        }
        return process.memoryUsage.rss() / MIB;
      };
      const before = streams(20_000);
      return streams(100_000) - before;
    });
    assert.ok(result < 15, `${result} MiB`);
  });
}

/** Makes the allocation of any array of more than this many MiB fail. */
const scarce = (limit) => `
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, args, self) {
      if (args[0] > ${limit} * 2 ** 20) throw new RangeError("Array buffer allocation failed");
      return Reflect.construct(target, args, self);
    },
  });
`;

for (const [what, body] of [
  ["decodeToUtf8", (api, MIB) => new api.Decoder("windows-1253").decodeToUtf8(Buffer.alloc(20 * MIB, 0xe1))],
  ["encode", (api, MIB) => api.encode("é".repeat(40 * MIB), "windows-1252")],
  ["TextEncoder", (api, MIB) => new api.TextEncoder().encode("é".repeat(20 * MIB))],
  ["Encoder", (api, MIB) => new api.Encoder("utf-16le").encode("é".repeat(20 * MIB))],
]) {
  test(`${what}: an error says that there is no memory, and the module works on [wasm]`, { skip }, () => {
    const { result } = run(
      "simdtext/wasm",
      `(api, MIB) => {
        try {
          return (${body})(api, MIB).length;
        } catch ({ name, code, message }) {
          return [name, code, message, api.decode(api.encode("č", "iso-8859-2"), "iso-8859-2")];
        }
      }`,
      scarce(32),
    );
    const message = "There is not enough memory for the result; convert in pieces";
    assert.deepEqual(result, ["RangeError", "ERR_MEMORY_ALLOCATION_FAILED", message, "č"]);
  });
}
