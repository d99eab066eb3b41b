// Texts in one of several encodings, texts whose lines are in several, and texts that were encoded twice.

import assert from "node:assert/strict";
import { onEach } from "./engines.js";
import { bytes, generator, thrown } from "./tools.js";

const utf8 = (text) => new Uint8Array(Buffer.from(text));

onEach("firstValid: UTF-8, or the first of the list without errors", (api) => {
  for (const [input, list, expected] of [
    ["", [], "UTF-8"],
    ["ascii", ["sjis"], "UTF-8"],
    ["C3 A9", ["windows-1252"], "UTF-8"],
    ["E9 t E9", ["windows-1252"], "windows-1252"],
    ["93 FA 96 {", ["euc-jp", "shift_jis", "windows-1252"], "Shift_JIS"],
    ["1B $B4A 1B (B", ["euc-jp", "iso-2022-jp"], "ISO-2022-JP"],
    ["1B $B4A 1B (B", ["euc-jp"], "UTF-8"],
    ["FF", ["euc-jp", "shift_jis"], null],
    ["FF", ["euc-jp", "windows-1251", "big5"], "windows-1251"],
    ["E3 81", ["sjis"], "Shift_JIS"],
    ["EF BB BF a", ["windows-1252"], "UTF-8"],
    ["FF FE a 00", ["utf-16le", "windows-1252"], "UTF-16LE"],
  ]) {
    assert.equal(api.firstValid(bytes(input), list), expected, input);
    assert.equal(api.firstValid(bytes(input).buffer, new Set(list)), expected, input);
  }
});

onEach("firstValid: the same as fatal decoders say", (api) => {
  const { bytes: random, below, pick } = generator(5);
  const labels = ["euc-jp", "shift_jis", "gbk", "big5", "euc-kr", "gb18030", "utf-16be", "windows-1253", "koi8-r"];
  for (let round = 0; round < 500; round += 1) {
    const input = random(below(6));
    const list = Array.from({ length: below(5) }, () => pick(labels));
    const isValid = (label) => {
      try {
        new api.TextDecoder(label, { fatal: true }).decode(input);
        return true;
      } catch {
        return false;
      }
    };
    const expected = ["utf-8", ...list].find(isValid);
    const about = `${input}, ${list}`;
    assert.equal(api.firstValid(input, list), expected === undefined ? null : api.labelToName(expected), about);
  }
});

onEach("firstValid: errors far into long inputs, and characters that are cut there", (api) => {
  const character = bytes("A4 A2");
  for (const front of [0, 1]) {
    const input = new Uint8Array((3 << 20) + front);
    input.fill(0x61, 0, front);
    for (let at = front; at < input.length; at += 2) {
      input.set(character, at);
    }
    assert.equal(api.firstValid(input, ["euc-jp", "windows-1252"]), "EUC-JP");
    input[input.length - 1] = 0x61;
    assert.equal(api.firstValid(input, ["euc-jp", "windows-1252"]), "windows-1252");
    assert.equal(api.firstValid(input, ["euc-jp"]), null);
  }
});

onEach("segments: lines in several encodings", (api) => {
  const log = bytes("start 0A caf C3 A9 0A done 0A caf E9 0A 93 FA 96 { 0A FF FF");
  assert.deepEqual(api.segments(log, ["shift_jis"]), [
    { start: 0, end: 17, encoding: "UTF-8", reason: "utf-8" },
    { start: 17, end: 22, encoding: "windows-1252", reason: "otherwise" },
    { start: 22, end: 27, encoding: "Shift_JIS", reason: "first-of-list" },
    { start: 27, end: 29, encoding: "windows-1252", reason: "otherwise" },
  ]);
  const koi = api.segments(log, [], "koi8-r");
  assert.deepEqual(koi.map(({ encoding }) => encoding), ["UTF-8", "KOI8-R"]);
  const text = koi
    .map(({ start, end, encoding }) =>
      new api.TextDecoder(encoding, { ignoreBOM: true }).decode(log.subarray(start, end)))
    .join("");
  assert.equal(text, "start\ncafé\ndone\ncafИ\n⌠З√{\nЪЪ");
  assert.deepEqual(api.segments(utf8("a\nb"), []), [{ start: 0, end: 3, encoding: "UTF-8", reason: "ascii" }]);
  assert.deepEqual(api.segments(new Uint8Array(0), ["gbk"]), []);
  const mail = bytes("a 0A 1B $BF| 1B (B 0A b 0A C3 A9");
  assert.deepEqual(api.segments(mail, ["iso-2022-jp"]), [
    { start: 0, end: 13, encoding: "ISO-2022-JP", reason: "first-of-list" },
    { start: 13, end: 15, encoding: "UTF-8", reason: "utf-8" },
  ]);
});

onEach("segments: lines of ISO-2022-JP that are not in the list", (api) => {
  const log = bytes("1B [31m 0A 1B $BF| 1B (B 0A E9");
  const [colours, japanese, otherwise] = [
    { start: 0, end: 6, encoding: "UTF-8", reason: "ascii" },
    { start: 6, end: 15, encoding: "ISO-2022-JP", reason: "escapes" },
    { start: 15, end: 16, encoding: "KOI8-R", reason: "otherwise" },
  ];
  assert.deepEqual(api.segments(log, [], "koi8-r", { iso2022jp: true }), [colours, japanese, otherwise]);
  for (const options of [undefined, null, {}, { iso2022jp: false }]) {
    assert.deepEqual(api.segments(log, [], "koi8-r", options), [{ ...otherwise, start: 0 }], "lines of ASCII join others");
  }
  assert.equal(thrown(() => api.segments(log, [], "koi8-r", true), TypeError).code, "ERR_INVALID_ARG_TYPE");
});

onEach("undoDoubleEncoding: text that was encoded twice, and text that was not", (api) => {
  for (const [text, readAs, expected] of [
    ["Ã©tÃ© â‚¬", undefined, "été €"],
    ["Ã©tÃ©", "latin1", "été"],
    ["РјРёСЂ", "windows-1251", "мир"],
    ["ï»¿Ã©", undefined, "\uFEFFé"],
    ["été", undefined, null],
    ["Ã©tÃ© and été", undefined, null],
    ["nothing but ASCII", undefined, null],
    ["", undefined, null],
    ["Ã©\uD83D", undefined, null],
    ["Ã©日", undefined, null],
    ["\uFEFFÃ©", undefined, null],
    ["Ã©", "shift_jis", null],
    ["Ã©", "utf-8", null],
    ["Ã©", "iso-2022-kr", null],
    ["\uF7C3\uF7A9", "x-user-defined", "é"],
  ]) {
    assert.equal(api.undoDoubleEncoding(text, readAs), expected, `${text}, ${readAs}`);
  }
});

onEach("undoDoubleEncoding: undoes what each single-byte encoding does, also to long texts", (api) => {
  const text = "Ünïcödé, кириллица, 日本語 😀\n";
  for (const { name } of api.encodings) {
    const label = name === "replacement" ? "utf-8" : name;
    const doubled = new api.TextDecoder(label, { ignoreBOM: true }).decode(utf8(text));
    let isLossless;
    try {
      isLossless = Buffer.from(api.encode(doubled, name)).equals(utf8(text));
    } catch {
      isLossless = false;
    }
    const isSingle = /^(?:windows-|iso-8859|koi8|macintosh|x-|ibm866)/i.test(name);
    assert.equal(api.undoDoubleEncoding(doubled, name), isSingle && isLossless ? text : null, name);
  }
  const long = "é".repeat(1 << 20);
  const doubled = api.decode(utf8(long), "windows-1252");
  assert.ok(api.undoDoubleEncoding(doubled) === long);
  assert.equal(api.undoDoubleEncoding(`${doubled}é`), null);
});

onEach("lists and labels that are wrong", (api) => {
  for (const call of [
    (list) => api.firstValid(bytes("FF"), list),
    (list) => api.segments(bytes("FF"), list),
  ]) {
    for (const list of [undefined, null, "sjis", 5, {}]) {
      assert.equal(thrown(() => call(list), TypeError).code, "ERR_INVALID_ARG_TYPE");
    }
    assert.match(thrown(() => call(["sjiss"]), RangeError).message, /did you mean "sjis"/);
    thrown(() => call([Symbol("a")]), TypeError);
  }
  thrown(() => api.firstValid("text", []), TypeError);
  thrown(() => api.segments("text", []), TypeError);
  for (const otherwise of ["utf-16", "utf-16be", "iso-2022-kr", "nonsense"]) {
    assert.equal(
      thrown(() => api.segments(bytes("FF"), [], otherwise), RangeError).code,
      "ERR_ENCODING_NOT_SUPPORTED",
    );
  }
  assert.deepEqual(api.segments(bytes("FF"), ["utf-16le", "replacement"]).map(({ encoding }) => encoding), [
    "windows-1252",
  ]);
  thrown(() => api.undoDoubleEncoding("a", "nonsense"), RangeError);
  thrown(() => api.undoDoubleEncoding(Symbol("a")), TypeError);
});
