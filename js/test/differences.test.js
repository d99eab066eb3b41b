// Each row of docs/differences.md says what the standard requires where Node 20 does something else. Only the
// standard's answer is checked, so that the tests still pass when Node improves.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { onEach } from "./engines.js";
import { bytes, codes, thrown } from "./tools.js";

const ROWS = readFileSync(new URL("../docs/differences.md", import.meta.url), "utf8")
  .split("\n")
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .filter((cells) => cells.length === 6 && /^`[0-9A-F /]+`$/.test(cells[2]))
  .map(([label, mode, input, standard]) => ({
    label,
    options: mode === "" ? {} : { [mode]: true },
    pieces: input.replaceAll("`", "").split(" / ").map(bytes),
    standard,
  }));

/** "U+0041 U+0042", or the name of the error. */
function answer(call) {
  let text;
  try {
    text = call();
  } catch (error) {
    return error.name;
  }
  return text === "" ? "nothing" : codes(text).replace(/[0-9A-F]+/g, "U+$&");
}

onEach("every row of differences.md has the standard's answer", (api) => {
  assert.ok(ROWS.length > 35, `${ROWS.length} rows were read`);
  for (const { label, options, pieces, standard } of ROWS) {
    const about = `${label}, ${Object.keys(options)}: ${pieces.map((piece) => Buffer.from(piece).toString("hex"))}`;
    const whole = answer(() => new api.TextDecoder(label, options).decode(Buffer.concat(pieces)));
    assert.equal(whole, standard, about);
    const streamed = answer(() => {
      const decoder = new api.TextDecoder(label, options);
      return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
    });
    assert.equal(streamed, standard, about);
  }
});

onEach("differences.md, errors: codes and their properties", (api) => {
  assert.equal(thrown(() => new api.TextDecoder("x"), RangeError).code, "ERR_ENCODING_NOT_SUPPORTED");
  const malformed = thrown(
    () => new api.TextDecoder("gbk", { fatal: true }).decode(bytes("a FF")),
    TypeError,
  );
  assert.equal(malformed.code, "ERR_ENCODING_INVALID_ENCODED_DATA");
  assert.equal(malformed.offset, 1);
  assert.deepEqual(malformed.bytes, bytes("FF"));
  const unmappable = thrown(() => api.encode("a☃", "gbk"), TypeError);
  assert.equal(unmappable.code, "ERR_ENCODING_UNMAPPABLE");
  assert.equal(unmappable.codePoint, 0x2603);
  assert.equal(unmappable.index, 1);
});

onEach("differences.md, arguments: a copy of a resizable buffer's bytes decodes", (api) => {
  const view = new Uint8Array(new ArrayBuffer(2, { maxByteLength: 4 })).fill(0x61);
  thrown(() => new api.TextDecoder().decode(view), TypeError);
  assert.equal(new api.TextDecoder().decode(new Uint8Array(view)), "aa");
});
