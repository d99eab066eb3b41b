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

const ONCE = {
  Decoder: (api) => new api.Decoder("gbk").decode(Uint8Array.of(0xb0, 0xa1)),
  "Decoder without a call": (api) => new api.Decoder("gbk"),
  "a Decoder's stream": (api) => {
    const decoder = new api.Decoder("gbk");
    decoder.decode(Uint8Array.of(0xb0), { stream: true });
    return decoder.decodeToUtf8(Uint8Array.of(0xa1));
  },
  Encoder: (api) => new api.Encoder("gbk").encode("啊"),
  "an Encoder that throws": (api) => {
    try {
      new api.Encoder("gbk", { unmappable: "throw" }).encode("é\uD800");
    } catch ({ code }) {
      return code;
    }
  },
  "a fatal TextDecoder's stream": (api) => {
    const decoder = new api.TextDecoder("gbk", { fatal: true });
    decoder.decode(Uint8Array.of(0xb0), { stream: true });
    try {
      decoder.decode(Uint8Array.of(0xff));
    } catch ({ code }) {
      return code;
    }
  },
  OffsetMap: (api) => new api.OffsetMap(Uint8Array.of(0xb0, 0xa1), "gbk").sourceRange(0, 1),
  firstValid: (api) => api.firstValid(Uint8Array.of(0xb0, 0xa1), ["gbk"]),
};

for (const engine of ["native", "wasm"]) {
  for (const [what, once] of Object.entries(ONCE)) {
    test(`${what}, 50,000 times without a turn of the event loop, leaves nothing [${engine}]`, () => {
      const { result } = run(
        `simdtext/${engine}`,
        `(api, MIB) => {
          Error.stackTraceLimit = 0;
          const once = ${once};
          const many = (count) => {
            for (let i = 0; i < count; i += 1) once(api);
            gc();
            return process.memoryUsage.rss() / MIB;
          };
          const before = many(10_000);
          return many(50_000) - before;
        }`,
      );
      assert.ok(result < 8, `${result} MiB`);
    });
  }
}

test("long hints are read only as far as such things may be long [wasm]", { skip }, () => {
  const { result, kept } = run("simdtext/wasm", (api, MIB) => {
    const long = "é".repeat(100 * MIB);
    const bytes = Uint8Array.of(0x61);
    return [
      api.detect(bytes, { contentType: `text/plain; charset=koi8-r; x=${long}` }).encoding,
      api.detect(bytes, { override: long, environment: long, tld: long }).encoding,
    ];
  });
  assert.deepEqual(result, ["KOI8-R", "UTF-8"]);
  assert.ok(kept < MOST_KEPT, `${kept} MiB are kept`);
});

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
