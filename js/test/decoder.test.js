// Beyond section 7: `Decoder`, which reports every malformed sequence, and returns strings or UTF-8.

import assert from "node:assert/strict";
import { onEach } from "./engines.js";
import { TRICKY } from "./tricky.js";
import { bytes, codes, hex, thrown, threePieces } from "./tools.js";

const MORE = { stream: true };
const list = (decoder) =>
  decoder.malformed.map(({ offset, bytes: sequence }) => `${offset}: ${hex(sequence)}`);

onEach("Decoder: names, errors and malformed sequences", (api) => {
  const decoder = new api.Decoder("sjis");
  assert.equal(decoder.encoding, "Shift_JIS");
  assert.equal(decoder.errors, 0);
  assert.deepEqual(decoder.malformed, []);
  assert.equal(decoder.decode(bytes("93 FA FF a 81 FD b 93")), "日\uFFFDa\uFFFDb\uFFFD");
  assert.equal(decoder.errors, 3);
  assert.deepEqual(list(decoder), ["2: FF", "4: 81 FD", "7: 93"]);
  assert.ok(decoder.malformed.every(({ bytes: sequence }) => sequence instanceof Uint8Array));
});

onEach("Decoder: offsets are absolute, however the input is cut", (api) => {
  for (const [label, inputs] of Object.entries(TRICKY)) {
    for (const input of inputs) {
      const whole = new api.Decoder(label, { bom: "keep" });
      const text = whole.decode(bytes(input));
      const utf8 = Buffer.from(text).toString("hex");
      for (const pieces of threePieces(bytes(input))) {
        const about = `${label}: ${pieces.map(hex).join(" | ")}`;
        const decoder = new api.Decoder(label, { bom: "keep" });
        const got = pieces.map((piece) => decoder.decode(piece, MORE)).join("") + decoder.decode();
        assert.equal(codes(got), codes(text), about);
        assert.equal(decoder.errors, whole.errors, about);
        assert.deepEqual(list(decoder), list(whole), about);
        const other = new api.Decoder(label, { bom: "keep" });
        const parts = [...pieces.map((piece) => other.decodeToUtf8(piece, MORE)), other.decodeToUtf8()];
        assert.equal(Buffer.concat(parts).toString("hex"), utf8, about);
        assert.deepEqual(list(other), list(whole), about);
      }
    }
  }
});

onEach("Decoder: strings and UTF-8 may be asked for in turn", (api) => {
  const decoder = new api.Decoder("gb18030");
  assert.equal(decoder.decode(bytes("C4"), MORE), "");
  assert.equal(hex(decoder.decodeToUtf8(bytes("E3 BA"), MORE)), "E4 BD A0");
  assert.equal(decoder.decode(bytes("C3 FF")), "好\uFFFD");
  assert.deepEqual(list(decoder), ["4: FF"]);
});

onEach("Decoder: keepMalformed limits what is kept, not what is counted", (api) => {
  const input = new Uint8Array(3000).fill(0xff);
  for (const [keepMalformed, kept] of [
    [undefined, 1000],
    [0, 0],
    [1, 1],
    [5, 5],
    [2999, 2999],
    [1e6, 3000],
  ]) {
    const decoder = new api.Decoder("utf-8", { keepMalformed });
    assert.equal(decoder.decode(input), "\uFFFD".repeat(3000));
    assert.equal(decoder.errors, 3000);
    assert.equal(decoder.malformed.length, kept);
    decoder.malformed.forEach(({ offset }, index) => assert.equal(offset, index));
  }
});

onEach("Decoder: the next stream begins with no errors", (api) => {
  const decoder = new api.Decoder("utf-8");
  decoder.decode(bytes("a FF"));
  const { malformed } = decoder;
  assert.equal(decoder.errors, 1);
  assert.equal(decoder.decode(bytes("b"), MORE), "b");
  assert.equal(decoder.errors, 0);
  assert.deepEqual(decoder.malformed, []);
  assert.equal(malformed.length, 1, "what was handed out stays");
  decoder.decode(bytes("FE"), MORE);
  assert.deepEqual(list(decoder), ["1: FE"]);
});

onEach("Decoder: byte order marks", (api) => {
  for (const [bom, label, input, text, encoding] of [
    ["sniff", "windows-1252", "EF BB BF C3 A9", "é", "UTF-8"],
    ["sniff", "utf-8", "FF FE E9 00", "é", "UTF-16LE"],
    ["sniff", "utf-8", "FE FF 00 E9", "é", "UTF-16BE"],
    ["sniff", "koi8-r", "F6", "Ж", "KOI8-R"],
    ["strip", "utf-8", "EF BB BF a", "a", "UTF-8"],
    ["strip", "windows-1252", "EF BB BF a", "ï»¿a", "windows-1252"],
    ["strip", "utf-8", "FF FE a", "\uFFFD\uFFFDa", "UTF-8"],
    ["keep", "utf-8", "EF BB BF a", "\uFEFFa", "UTF-8"],
    ["keep", "utf-16le", "FF FE a 00", "\uFEFFa", "UTF-16LE"],
  ]) {
    const about = `${bom}, ${label}: ${input}`;
    const whole = new api.Decoder(label, { bom });
    assert.equal(codes(whole.decode(bytes(input))), codes(text), about);
    assert.equal(whole.encoding, encoding, about);
    for (const pieces of threePieces(bytes(input))) {
      const decoder = new api.Decoder(label, { bom });
      const got = pieces.map((piece) => decoder.decode(piece, MORE)).join("") + decoder.decode();
      assert.equal(codes(got), codes(text), about);
      assert.equal(decoder.encoding, encoding, about);
    }
  }
  const sniffing = new api.Decoder("koi8-r");
  assert.equal(sniffing.decode(bytes("EF BB BF C3 A9")), "é");
  assert.equal(sniffing.decode(bytes("F6")), "Ж", "the next stream is in the label's encoding again");
  assert.equal(sniffing.encoding, "KOI8-R");
  assert.equal(new api.Decoder("koi8-r", {}).decode(bytes("EF BB BF a")), "a", "sniff is what nothing means");
});

onEach("Decoder: offsets count the byte order mark", (api) => {
  const decoder = new api.Decoder("windows-1252");
  decoder.decode(bytes("EF BB BF a FF"));
  assert.deepEqual(list(decoder), ["4: FF"]);
});

onEach("Decoder: wrong options throw", (api) => {
  for (const bom of ["", "Sniff", "drop", null, 1]) {
    const call = () => new api.Decoder("utf-8", { bom });
    assert.throws(call, (error) => error instanceof TypeError || error instanceof RangeError, String(bom));
  }
  thrown(() => new api.Decoder("utf-8", { keepMalformed: Symbol("a") }), TypeError);
  for (const keepMalformed of [-1, NaN, "many"]) {
    thrown(() => new api.Decoder("utf-8", { keepMalformed }), RangeError, String(keepMalformed));
  }
});

onEach("Decoder: attributes can't be set, and a wrong this throws", (api) => {
  const decoder = new api.Decoder();
  for (const key of ["encoding", "errors", "malformed"]) {
    assert.throws(
      () => {
        decoder[key] = 1;
      },
      TypeError,
      key,
    );
    const { get } = Object.getOwnPropertyDescriptor(api.Decoder.prototype, key);
    thrown(() => get.call({}), TypeError, key);
  }
  thrown(() => api.Decoder(), TypeError);
  thrown(() => api.Decoder.prototype.decode.call(new api.TextDecoder()), TypeError);
  thrown(() => api.TextDecoder.prototype.decode.call(decoder), TypeError);
  thrown(() => api.Decoder.prototype.decodeToUtf8.call({}), TypeError);
});
