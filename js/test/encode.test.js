// Beyond section 7: `decode` and `encode` for all encodings.

import assert from "node:assert/strict";
import { onEach } from "./engines.js";
import { bytes, codes, hex, thrown } from "./tools.js";

onEach("decode follows a byte order mark, then the label", (api) => {
  for (const [label, input, text] of [
    ["windows-1252", "EF BB BF C3 A9", "é"],
    ["windows-1252", "FF FE E9 00", "é"],
    ["windows-1252", "FE FF 00 E9", "é"],
    ["utf-8", "FF FE E9 00", "é"],
    ["replacement", "EF BB BF a", "a"],
    ["windows-1252", "E9", "é"],
    ["windows-1252", "EF BB", "ï»"],
    ["utf-8", "EF BB BF EF BB BF", "\uFEFF"],
    ["utf-16", "E9 00", "é"],
    ["shift_jis", "93 FA FF", "日\uFFFD"],
    [undefined, "C3 A9", "é"],
    ["latin1", "80", "€"],
  ]) {
    assert.equal(codes(api.decode(bytes(input), label)), codes(text), `${label}: ${input}`);
  }
  assert.equal(api.decode(bytes("C3 A9")), "é");
  assert.equal(api.decode(new Uint8Array(0), "gbk"), "");
});

onEach("encode: what encodings have", (api) => {
  for (const [label, string, expected] of [
    ["windows-1252", "naïve €", "n a EF v e 20 80"],
    ["shift_jis", "日本¥‾ｱ", "93 FA 96 { \\ ~ B1"],
    ["euc-jp", "日ｱ", "C6 FC 8E B1"],
    ["euc-kr", "한뷁", "C7 D1 94 EE"],
    ["big5", "中", "A4 A4"],
    ["gbk", "你€", "C4 E3 80"],
    ["gb18030", "你€💩é\u0080", "C4 E3 A2 E3 94 9 DA 3 A8 A6 81 0 81 0"],
    ["gb18030", "\uE78D\uE796\uE81E\uE864", "A6 D9 A6 F3 FE 59 FE A0"],
    ["iso-2022-jp", "a日本z", "a 1B $B F|K\\ 1B (B z"],
    ["iso-2022-jp", "¥\\‾", "1B (J\\ 1B (B\\ 1B (J~ 1B (B"],
    ["iso-2022-jp", "ｱ", "1B $B 25 22 1B (B"],
    ["utf-16le", "a💩", "a 00 3D D8 A9 DC"],
    ["utf-16be", "a💩", "00 a D8 3D DC A9"],
    ["utf-16", "a", "a 00"],
    ["utf-8", "é", "C3 A9"],
    ["x-user-defined", "a\uF780\uF7FF", "a 80 FF"],
    ["koi8-r", "Ж", "F6"],
    ["iso-8859-16", "Ț", "DE"],
    ["utf-8", "\uFEFFa", "EF BB BF a"],
  ]) {
    assert.equal(hex(api.encode(string, label)), hex(bytes(expected)), `${label}: ${string}`);
    assert.equal(api.encode("", label).length, 0);
  }
  assert.equal(hex(api.encode("é", undefined, undefined)), "C3 A9");
});

onEach("encode: lone surrogates are U+FFFD, mapped or not", (api) => {
  assert.equal(hex(api.encode("\uD83D", "utf-16le")), "FD FF");
  assert.equal(hex(api.encode("\uDCA9a", "utf-16be")), "FF FD 00 61");
  assert.equal(hex(api.encode("a\uD83Db", "gb18030")), hex(bytes("a 84 1 A4 7 b")));
  assert.equal(hex(api.encode("a\uD83Db", "koi8-r", { unmappable: "html" })), hex(bytes("a&#65533;b")));
  const error = thrown(() => api.encode("a\uD83Db", "koi8-r"), TypeError);
  assert.equal(error.codePoint, 0xfffd);
  assert.equal(error.index, 1);
});

onEach("encode: each mode for what an encoding lacks", (api) => {
  for (const [label, string, html, replaced, skipped] of [
    ["koi8-r", "a☃b💩", "a&#9731;b&#128169;", "a?b?", "ab"],
    ["iso-2022-jp", "日☃", "1B $B F| 1B (B &#9731;", "1B $B F| 1B (B ?", "1B $B F| 1B (B"],
    ["iso-2022-jp", "¥☃", "1B (J\\&#9731; 1B (B", "1B (J\\? 1B (B", "1B (J\\ 1B (B"],
    ["iso-2022-jp", "a\u001Bb", "a&#65533;b", "a?b", "ab"],
    ["gbk", "💩", "&#128169;", "?", ""],
    ["windows-1252", "☃☃", "&#9731;&#9731;", "??", ""],
  ]) {
    const about = `${label}: ${string}`;
    const expect = (text) => hex(text === "" ? [] : bytes(text));
    assert.equal(hex(api.encode(string, label, { unmappable: "html" })), expect(html), about);
    assert.equal(hex(api.encode(string, label, { unmappable: "replace" })), expect(replaced), about);
    assert.equal(hex(api.encode(string, label, { unmappable: "skip" })), expect(skipped), about);
    for (const options of [undefined, null, {}, { unmappable: undefined }, { unmappable: "throw" }]) {
      thrown(() => api.encode(string, label, options), TypeError, about);
    }
  }
});

onEach("encode: what skip leaves decodes to the text without what is skipped", (api) => {
  for (const [label, string, kept] of [
    ["koi8-r", "a☃b💩", "ab"],
    ["shift_jis", "日☃本💩a", "日本a"],
    ["gbk", "你💩好", "你好"],
    ["iso-2022-jp", "日☃本", "日本"],
    ["iso-2022-jp", "日☃a💩b", "日ab"],
    ["iso-2022-jp", "¥☃¥日💩", "¥¥日"],
  ]) {
    const bytes = api.encode(string, label, { unmappable: "skip" });
    assert.equal(api.decode(bytes, label), kept, `${label}: ${string}: ${hex(bytes)}`);
  }
});

onEach("encode: a replacement of one's own, which the encoding has or else is ?", (api) => {
  const replace = (string, label, replacement) =>
    hex(api.encode(string, label, { unmappable: "replace", replacement }));
  assert.equal(replace("a☃b", "koi8-r", "*"), "61 2A 62");
  assert.equal(replace("a☃b", "koi8-r", "Ж"), "61 F6 62");
  assert.equal(replace("a☃b", "koi8-r", "💩"), "61 3F 62");
  assert.equal(replace("a💩b", "shift_jis", "〓"), "61 81 AC 62");
  assert.equal(replace("a☃b", "koi8-r", undefined), "61 3F 62");
  for (const replacement of ["", "ab", "💩💩"]) {
    const call = () => api.encode("a", "koi8-r", { unmappable: "replace", replacement });
    assert.throws(call, (error) => error instanceof TypeError || error instanceof RangeError, replacement);
  }
});

onEach("encode: the error says which character, where, and in which encoding", (api) => {
  for (const [label, string, codePoint, index] of [
    ["koi8-r", "Жабa☃", 0x2603, 4],
    ["shift_jis", "💩", 0x1f4a9, 0],
    ["big5", "中💩", 0x1f4a9, 1],
    ["gbk", "𠀀a💩", 0x20000, 0],
    ["windows-1252", `${"a".repeat(1000)}Ж`, 0x416, 1000],
    ["windows-1252", `${"é".repeat(333)}Ж`, 0x416, 333],
    ["iso-2022-jp", "日本\u000E", 0xfffd, 2],
    ["x-user-defined", "ab€", 0x20ac, 2],
  ]) {
    const error = thrown(() => api.encode(string, label), TypeError, label);
    assert.equal(error.code, "ERR_ENCODING_UNMAPPABLE", label);
    assert.equal(error.codePoint, codePoint, label);
    assert.equal(error.index, index, label);
    assert.ok(error.message.includes(api.labelToName(label)), error.message);
    assert.match(error.message, new RegExp(`U\\+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`));
  }
});

onEach("encode: unknown modes throw", (api) => {
  for (const unmappable of ["", "fatal", "HTML", "throw ", null, 1]) {
    const call = () => api.encode("a", "gbk", { unmappable });
    assert.throws(
      call,
      (error) => error instanceof TypeError || error instanceof RangeError,
      String(unmappable),
    );
  }
});

onEach("encode and decode are inverse over long texts", (api) => {
  const text = "Wörter, слова, λέξεις, 言葉、単語。🙂 ";
  for (const label of ["utf-8", "utf-16le", "utf-16be", "gb18030"]) {
    for (const count of [1, 3, 50, 5000]) {
      const string = text.repeat(count);
      const decoded = new api.TextDecoder(label).decode(api.encode(string, label));
      assert.ok(decoded === string, `${label} × ${count}`);
    }
  }
});
