// Encoder: encodes strings in pieces, and reports each character that the encoding lacks.

import assert from "node:assert/strict";
import { onEach } from "./engines.js";
import { bytes, hex, thrown } from "./tools.js";

const MORE = { stream: true };

onEach("Encoder: what it has replaced, and where", (api) => {
  for (const [label, options, input, output, unmappable] of [
    ["windows-1252", { unmappable: "html" }, "3 € ≠ 4", "33 20 80 20 &#8800; 20 34", [[0x2260, 4]]],
    ["shift_jis", { unmappable: "replace" }, "日‽💩x", "93 FA ? ? x", [[0x203D, 1], [0x1F4A9, 2]]],
    ["koi8-r", { unmappable: "replace", replacement: "*" }, "aß", "a *", [[0xDF, 1]]],
    ["iso-8859-2", { unmappable: "skip" }, "čé☃", "E8 E9", [[0x2603, 2]]],
    ["gb18030", {}, "☃💩", "81 37 A3 30 94 39 DA 33", []],
    ["utf-8", {}, "é\uD83D", "C3 A9 EF BF BD", []],
    ["utf-16be", {}, "a€", "00 a 20 AC", []],
    ["euc-kr", {}, "가€", "B0 A1 A2 E6", []],
    ["gbk", { unmappable: "html" }, "a\uD83D", "a &#65533;", [[0xFFFD, 1]]],
  ]) {
    const encoder = new api.Encoder(label, options);
    const about = `${label}: ${input}`;
    assert.equal(hex(encoder.encode(input)), hex(bytes(output)), about);
    assert.deepEqual(encoder.unmappable.map(({ codePoint, index }) => [codePoint, index]), unmappable, about);
    assert.equal(encoder.errors, unmappable.length, about);
  }
});

onEach("Encoder: cut anywhere, the same bytes and the same places", (api) => {
  for (const [label, text] of [
    ["iso-2022-jp", "a日¥本☃ｱ💩\u001B\\終"],
    ["iso-2022-jp", "日☃☃本"],
    ["shift_jis", "a\uD83D💩\uDCA9日☃"],
    ["gbk", "你€☃\uE5E5💩"],
    ["iso-2022-jp", "日\uD83D"],
    ["utf-8", "\uD83D\uDCA9\uD83D"],
  ]) {
    for (const unmappable of ["html", "replace", "skip"]) {
      const whole = new api.Encoder(label, { unmappable });
      const expected = hex(whole.encode(text));
      assert.equal(expected, hex(api.encode(text, label, { unmappable })), `${label}, ${unmappable}`);
      for (let second = 0; second <= text.length; second += 1) {
        for (let first = 0; first <= second; first += 1) {
          const encoder = new api.Encoder(label, { unmappable });
          const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)];
          const parts = [...pieces.map((piece) => encoder.encode(piece, MORE)), encoder.encode()];
          assert.equal(hex(Buffer.concat(parts)), expected, `${label}, ${unmappable}: ${JSON.stringify(pieces)}`);
          assert.deepEqual(encoder.unmappable, whole.unmappable, `${label}, ${unmappable}`);
          assert.equal(encoder.errors, whole.errors);
        }
      }
    }
  }
});

onEach("Encoder: a call without stream ends it, and the next begins anew", (api) => {
  const encoder = new api.Encoder("iso-2022-jp", { unmappable: "html" });
  assert.equal(hex(encoder.encode("日☃", MORE)), hex(bytes("1B $B F| 1B (B &#9731;")));
  assert.equal(hex(encoder.encode("日")), hex(bytes("1B $B F| 1B (B")));
  assert.deepEqual(encoder.unmappable, [{ codePoint: 0x2603, index: 1 }]);
  assert.equal(hex(encoder.encode("a")), "61");
  assert.deepEqual([encoder.unmappable, encoder.errors], [[], 0]);
  encoder.encode("☃");
  assert.deepEqual(encoder.unmappable, [{ codePoint: 0x2603, index: 0 }]);
});

onEach("Encoder: throw says where in the stream, and the next call begins anew", (api) => {
  const text = `${"a".repeat(300_000)}日`;
  for (const [label, pieces, codePoint, index] of [
    ["iso-2022-jp", ["日", "本☃終"], 0x2603, 2],
    ["shift_jis", ["a💩"], 0x1F4A9, 1],
    ["shift_jis", ["日\uD83D", "\uDCA9"], 0x1F4A9, 1],
    ["gbk", ["", "a\uD83D", "b"], 0xFFFD, 1],
    ["koi8-r", [text, text], 0x65E5, 300_000],
    ["windows-1252", [text.slice(0, -1), text], 0x65E5, 600_000],
  ]) {
    const encoder = new api.Encoder(label, { unmappable: "throw" });
    const encode = () => pieces.forEach((piece) => encoder.encode(piece, MORE));
    const error = thrown(encode, TypeError, label);
    assert.equal(error.code, "ERR_ENCODING_UNMAPPABLE", label);
    assert.deepEqual([error.codePoint, error.index], [codePoint, index], label);
    assert.equal(hex(encoder.encode("a")), "61", `${label}: neither a state nor a surrogate is left`);
    assert.deepEqual([encoder.unmappable, encoder.errors], [[], 0], label);
  }
  const encoder = new api.Encoder("iso-2022-jp", { unmappable: "throw" });
  assert.equal(hex(encoder.encode("日", MORE)), hex(bytes("1B $B F|")));
  assert.equal(hex(encoder.encode()), hex(bytes("1B (B")));
  encoder.encode("日\uD83D", MORE);
  assert.equal(thrown(() => encoder.encode(), TypeError).index, 1, "half a pair at the end");
});

onEach("Encoder: as many places are kept as are asked for, and all are counted", (api) => {
  const text = "a☃".repeat(5000);
  for (const keepUnmappable of [0, 1, 999, 1000, Infinity]) {
    const encoder = new api.Encoder("windows-1252", { keepUnmappable, unmappable: "skip" });
    assert.equal(encoder.encode(text).length, 5000);
    const kept = Math.min(keepUnmappable, 5000);
    assert.equal(encoder.unmappable.length, kept);
    assert.ok(encoder.unmappable.every(({ index }, at) => index === 2 * at + 1));
    assert.equal(encoder.errors, 5000);
  }
  assert.equal(new api.Encoder("gbk").encoding, "GBK");
});

onEach("Encoder: labels and options", (api) => {
  thrown(() => new api.Encoder("nonsense"), RangeError);
  const { message } = thrown(() => new api.Encoder("iso-2022-kr"), RangeError);
  assert.match(message, /encodes nothing/);
  thrown(() => new api.Encoder("gbk", { unmappable: "fatal" }), RangeError);
  thrown(() => new api.Encoder("gbk", { replacement: "" }), RangeError);
  assert.equal(hex(new api.Encoder().encode("é")), "C3 A9");
  assert.equal(new api.Encoder().encode().length, 0);
  assert.equal(hex(new api.Encoder("latin1").encode(12)), "31 32");
});

onEach("Encoder and encode throw if nothing else is asked for", (api) => {
  for (const encode of [(text) => new api.Encoder("koi8-r").encode(text), (text) => api.encode(text, "koi8-r")]) {
    assert.equal(hex(encode("да")), "C4 C1");
    const { code, index } = thrown(() => encode("a☃"), TypeError);
    assert.deepEqual([code, index], ["ERR_ENCODING_UNMAPPABLE", 1]);
  }
});

onEach("Encoder: long strings", (api) => {
  const text = "a日¥☃ｱ💩".repeat(200_000);
  for (const label of ["iso-2022-jp", "shift_jis", "utf-8"]) {
    const expected = Buffer.from(api.encode(text, label, { unmappable: "html" }));
    const encoder = new api.Encoder(label, { keepUnmappable: 10, unmappable: "html" });
    assert.ok(expected.equals(encoder.encode(text)), label);
    assert.equal(encoder.errors, label === "utf-8" ? 0 : 400_000, label);
    const indexes = encoder.unmappable.map(({ index }) => index);
    assert.deepEqual(indexes, label === "utf-8" ? [] : [3, 5, 10, 12, 17, 19, 24, 26, 31, 33], label);
  }
});
