// OffsetMap: places in a text and the bytes that they were decoded from, compared with a decoder that is given one byte
// after another.

import assert from "node:assert/strict";
import { onEach } from "./engines.js";
import { TRICKY } from "./tricky.js";
import { bytes, generator, thrown } from "./tools.js";

onEach("OffsetMap: characters, byte order marks, escape sequences, malformed bytes", (api) => {
  const mark = new api.OffsetMap(bytes("EF BB BF C3 A9 E2 82 !"));
  assert.equal(mark.text, "é\uFFFD!");
  assert.deepEqual([0, 2, 3, 4, 5, 6, 7, 8].map((at) => mark.textOffset(at)), [0, 0, 0, 0, 1, 1, 2, 3]);
  assert.deepEqual(mark.sourceRange(1, 2), [5, 7]);

  const pair = new api.OffsetMap(bytes("FF FE a 00 = D8 A9 DC"), "koi8-r");
  assert.deepEqual([pair.text, pair.encoding], ["a💩", "UTF-16LE"]);
  for (const [start, end] of [[1, 3], [1, 2], [2, 3]]) {
    assert.deepEqual(pair.sourceRange(start, end), [4, 8], `${start} to ${end}`);
  }
  assert.deepEqual(pair.sourceRange(2, 2), [4, 4]);
  assert.deepEqual(pair.sourceRange(3, 3), [8, 8]);
  assert.equal(pair.textOffset(7), 1);

  const escaped = new api.OffsetMap(bytes("a 1B $B F| 1B (B b"), "iso-2022-jp");
  assert.equal(escaped.text, "a日b");
  assert.deepEqual(escaped.sourceRange(1, 2), [4, 6]);
  assert.equal(escaped.textOffset(1), 1);
  assert.equal(escaped.textOffset(6), 2);

  const two = new api.OffsetMap(bytes("a 88 62 b"), "big5");
  assert.equal(two.text, "a\u00CA\u0304b");
  assert.deepEqual([two.sourceRange(1, 2), two.sourceRange(2, 3), two.textOffset(2)], [[1, 3], [1, 3], 1]);

  const none = new api.OffsetMap(new Uint8Array(0), "gbk");
  assert.deepEqual([none.text, none.sourceRange(0, 0), none.textOffset(0)], ["", [0, 0], 0]);
});

onEach("OffsetMap: what to do with a byte order mark", (api) => {
  for (const [label, options, text, encoding, range] of [
    ["windows-1252", {}, "é", "UTF-8", [3, 5]],
    ["windows-1252", { bom: "strip" }, "ï»¿Ã©", "windows-1252", [0, 1]],
    ["utf-8", { bom: "strip" }, "é", "UTF-8", [3, 5]],
    ["utf-8", { bom: "keep" }, "\uFEFFé", "UTF-8", [0, 3]],
  ]) {
    const map = new api.OffsetMap(bytes("EF BB BF C3 A9"), label, options);
    assert.deepEqual([map.text, map.encoding, map.sourceRange(0, 1)], [text, encoding, range], label);
  }
});

/** For each code unit of the text, the start and end of its bytes; only for bytes that a decoder holds back or not. */
function model(api, label, input) {
  const decoder = new api.Decoder(label, { bom: "keep" });
  const ends = [];
  for (let at = 0; at < input.length; at += 1) {
    const { length } = decoder.decode(input.subarray(at, at + 1), { stream: true });
    ends.push(...Array.from({ length }, () => at + 1));
  }
  return ends;
}

onEach("OffsetMap: well-formed texts of several places", (api) => {
  const { pick } = generator(21);
  const texts = {
    "utf-8": "a é日💩",
    "utf-16be": "a é日💩",
    gb18030: "a é日💩",
    shift_jis: "aｱ日",
    "windows-1251": "aя",
    "euc-jp": "aｱ日",
  };
  for (const [label, characters] of Object.entries(texts)) {
    const list = Array.from(characters);
    const text = Array.from({ length: 60_000 }, () => pick(list)).join("");
    const input = api.encode(text, label);
    const map = new api.OffsetMap(input, label, { bom: "keep" });
    assert.ok(map.text === text, label);
    const ends = model(api, label, input);
    for (let index = 0; index < text.length; index += 997) {
      const isTrail = (text.charCodeAt(index) & 0xFC00) === 0xDC00;
      const first = index - Number(isTrail);
      const start = first === 0 ? 0 : ends[first - 1];
      const about = `${label}, ${index}`;
      assert.deepEqual(map.sourceRange(index, index + 1), [start, ends[index]], about);
      assert.deepEqual([map.textOffset(start), map.textOffset(ends[index] - 1)], [first, first], about);
    }
    const { length } = text;
    assert.deepEqual(map.sourceRange(0, length), [0, input.length], label);
    assert.deepEqual(map.sourceRange(length, length), [input.length, input.length], label);
    // From the other end, in a map without places.
    const other = new api.OffsetMap(input, label, { bom: "keep" });
    assert.equal(other.textOffset(input.length), length, label);
    assert.equal(other.textOffset(map.sourceRange(4096, 4097)[0]), map.textOffset(map.sourceRange(4096, 4097)[0]));
  }
});

onEach("OffsetMap: there and back, in every encoding", (api) => {
  for (const [label, inputs] of Object.entries(TRICKY)) {
    for (const input of inputs.map(bytes)) {
      const map = new api.OffsetMap(input, label);
      assert.equal(map.text, new api.Decoder(label).decode(input), label);
      let before = 0;
      for (let index = 0; index < map.text.length; index += 1) {
        const [start, end] = map.sourceRange(index, index + 1);
        assert.ok(start < end && end <= input.length && start >= before, `${label}: ${input}`);
        assert.ok(map.textOffset(start) <= index, `${label}: ${input}`);
        before = start;
      }
    }
  }
});

onEach("OffsetMap: stored, and read again", (api) => {
  const source = api.encode("日本語 ¥ ".repeat(20_000), "iso-2022-jp", { unmappable: "skip" });
  for (const [label, input] of [["iso-2022-jp", source], ["koi8-r", bytes("EF BB BF C3 A9 FF")], ["gbk", bytes("")]]) {
    const map = new api.OffsetMap(input, label);
    const stored = map.toBytes();
    const again = api.OffsetMap.fromBytes(stored, map.text, input);
    assert.ok(again instanceof api.OffsetMap);
    assert.deepEqual([again.encoding, again.text], [map.encoding, map.text]);
    assert.deepEqual(again.toBytes(), stored);
    // What it was made of may be changed.
    stored.fill(0);
    for (let start = 0; start <= map.text.length; start += 9973) {
      const end = Math.min(start + 1, map.text.length);
      assert.deepEqual(again.sourceRange(start, end), map.sourceRange(start, end), `${label}, ${start}`);
    }
    for (let offset = 0; offset <= input.length; offset += 9973) {
      assert.equal(again.textOffset(offset), map.textOffset(offset), `${label}, ${offset}`);
    }
  }
});

onEach("OffsetMap: stored maps that are of something else, damaged, or of another version", (api) => {
  const source = bytes("93 FA 96 {");
  const map = new api.OffsetMap(source, "sjis");
  const stored = map.toBytes();
  const { fromBytes } = api.OffsetMap;
  const changed = (at, value) => Uint8Array.from(stored, (byte, i) => (i === at ? value : byte));
  for (const [about, call, message] of [
    ["no map", () => fromBytes(bytes("{ }"), map.text, source), /not a stored map/],
    ["cut", () => fromBytes(stored.subarray(0, -1), map.text, source), /damaged/],
    ["version", () => fromBytes(changed(16, 9), map.text, source), /format is different/],
    ["encoding", () => fromBytes(changed(19, 0), map.text, source), /damaged/],
    ["text", () => fromBytes(stored, "日", source), /not of this source and this text/],
    ["source", () => fromBytes(stored, map.text, source.subarray(1)), /not of this source and this text/],
  ]) {
    const error = thrown(call, RangeError, about);
    assert.equal(error.code, "ERR_INVALID_ARG_VALUE", about);
    assert.match(error.message, message, about);
  }
  assert.equal(fromBytes(stored.buffer, map.text, source.buffer).text, "日本");
  thrown(() => fromBytes(), TypeError);
  thrown(() => fromBytes("text", "日本", source), TypeError);
  thrown(() => fromBytes(stored, "日本"), TypeError);
  thrown(() => api.OffsetMap.prototype.toBytes.call({}), TypeError);
});

onEach("OffsetMap: arguments", (api) => {
  const map = new api.OffsetMap(bytes("93 FA"), "sjis");
  for (const [start, end] of [[-1, 0], [0, 2], [1, 0], [0.5, 1], [NaN, 1], [0, undefined], ["x", 1], [0, 2 ** 53]]) {
    assert.equal(thrown(() => map.sourceRange(start, end), RangeError).code, "ERR_INVALID_ARG_VALUE");
  }
  for (const offset of [-1, 3, 0.5, NaN, undefined, Infinity]) {
    assert.equal(thrown(() => map.textOffset(offset), RangeError).code, "ERR_INVALID_ARG_VALUE");
  }
  assert.deepEqual(map.sourceRange("0", true), [0, 2]);
  thrown(() => new api.OffsetMap(), TypeError);
  thrown(() => new api.OffsetMap("text"), TypeError);
  thrown(() => new api.OffsetMap(bytes("a"), "nonsense"), RangeError);
  thrown(() => new api.OffsetMap(bytes("a"), "gbk", { bom: "drop" }), RangeError);
  thrown(() => api.OffsetMap.prototype.sourceRange.call({}, 0, 0), TypeError);
  assert.equal(new api.OffsetMap(bytes("a"), "iso-2022-kr").text, "\uFFFD");
});

onEach("OffsetMap: a source that has changed", (api) => {
  const source = bytes("93 FA 96 {");
  const map = new api.OffsetMap(source, "sjis");
  source.fill(0x61);
  assert.equal(map.text, "日本");
  assert.match(thrown(() => map.sourceRange(0, 2), RangeError).message, /has changed/);
  structuredClone(source.buffer, { transfer: [source.buffer] });
  assert.match(thrown(() => map.sourceRange(0, 1), RangeError).message, /has changed/);
  assert.match(thrown(() => map.textOffset(1), RangeError).message, /has changed/);
  const shared = new Uint8Array(new SharedArrayBuffer(2)).fill(0x61);
  const copied = new api.OffsetMap(shared);
  shared.fill(0xFF);
  assert.deepEqual(copied.sourceRange(1, 2), [1, 2], "shared bytes are copied");
});
