// Inputs whose text is longer than a string can be, and inputs whose text just fits.

import assert from "node:assert/strict";
import { constants } from "node:buffer";
import { freemem } from "node:os";
import { onEach } from "./engines.js";
import { thrown } from "./tools.js";

const MIB = 1 << 20;
// The input, an engine's copy of it, and its text in UTF-16 may all exist at the same time.
const skip = freemem() < 6144 * MIB ? "less than 6 GiB of memory are free" : false;

function assertTooLong(call, about) {
  const error = thrown(call, RangeError, about);
  assert.equal(error.code, "ERR_STRING_TOO_LONG", about);
  assert.match(error.message, /long/, about);
}

onEach(
  "1 GiB of ASCII is too long for a string: a RangeError says so",
  (api) => {
    assert.ok(constants.MAX_STRING_LENGTH < 1024 * MIB, "or else this test has lost its point");
    const input = new Uint8Array(1024 * MIB);
    const decoder = new api.TextDecoder();
    assertTooLong(() => decoder.decode(input), "utf-8");
    assert.equal(decoder.decode(Uint8Array.of(0x61)), "a", "the decoder works on");
    assertTooLong(() => api.decode(input, "shift_jis"), "shift_jis");
  },
  { skip },
);

onEach(
  "600 MiB in a legacy encoding are too long for a string",
  (api) => {
    const input = new Uint8Array(600 * MIB).fill(0xe9);
    const decoder = new api.TextDecoder("windows-1252");
    assertTooLong(() => decoder.decode(input), "windows-1252");
    assert.equal(decoder.decode(Uint8Array.of(0xe9)), "é");
    assertTooLong(() => new api.Decoder("windows-1252").decode(input), "Decoder");
  },
  { skip },
);

onEach(
  "a string whose percent-encoding is too long for a string",
  (api) => {
    const string = "é".repeat(100 * MIB);
    assertTooLong(() => api.percentEncodeAfterEncoding(string), "percentEncodeAfterEncoding");
    assert.equal(api.percentEncodeAfterEncoding("é"), "%C3%A9", "the engine works on");
  },
  { skip },
);

onEach(
  "a long text that fits is decoded",
  (api) => {
    const input = new Uint8Array(96 * MIB).fill(0x61);
    input[input.length - 1] = 0xe9;
    const text = new api.TextDecoder("windows-1252").decode(input);
    assert.equal(text.length, input.length);
    assert.equal(text.slice(-3), "aaé");
  },
  { skip },
);

onEach(
  "a long string is encoded",
  (api) => {
    const string = "é".repeat(100 * MIB);
    const bytes = new api.TextEncoder().encode(string);
    assert.equal(bytes.length, 200 * MIB);
    assert.deepEqual(bytes.subarray(-2), Uint8Array.of(0xc3, 0xa9));
  },
  { skip },
);
