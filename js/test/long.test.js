// Texts of several MiB, which engines decode in pieces or in other ways than short ones.

import assert from "node:assert/strict";
import { onEach } from "./engines.js";
import { assertMalformed, hex, thrown } from "./tools.js";

const MIB = 1 << 20;
const MORE = { stream: true };

/** With up to three letters in front of them, these are cut between any two of their bytes. */
const TEXTS = {
  "utf-8": "a\u{1F35E}",
  "utf-16le": "\u{1F35E}",
  "utf-16be": "\u{1F35E}",
  gb18030: "a\u{1F35E}",
  shift_jis: "パ",
  // Without the letter, one escape sequence would follow right after another.
  "iso-2022-jp": "aパン",
  big5: "麵包",
  "windows-1251": "хлеб",
};

/** Encodes a text; UTF-16 without the package. */
function encoded(api, text, label) {
  if (!label.startsWith("utf-16")) {
    return Buffer.from(api.encode(text, label));
  }
  const bytes = Buffer.from(text, "utf16le");
  return label === "utf-16be" ? bytes.swap16() : bytes;
}

onEach("long texts, whatever stands in front of them", (api) => {
  for (const [label, text] of Object.entries(TEXTS)) {
    const unit = encoded(api, text, label);
    const count = Math.ceil(2.5 * MIB / unit.length);
    for (const front of ["", "a", "ab", "abc"]) {
      const bytes = Buffer.concat([encoded(api, front, label), Buffer.alloc(count * unit.length, unit)]);
      const expected = front + text.repeat(count);
      assert.ok(new api.TextDecoder(label).decode(bytes) === expected, `${label}, ${front}`);
      assert.ok(new api.TextDecoder(label, { fatal: true }).decode(bytes) === expected, `fatal ${label}, ${front}`);
      assert.ok(new api.Decoder(label).decode(bytes) === expected, `Decoder of ${label}, ${front}`);
    }
  }
});

onEach("long UTF-16LE: a byte order mark, an odd byte, lone surrogates where it is cut", (api) => {
  const bread = Buffer.from("\u{1F35E}", "utf16le");
  const long = Buffer.alloc(3 * MIB, bread);
  const expected = "\u{1F35E}".repeat(long.length / 4);
  const mark = Uint8Array.of(0xFF, 0xFE);
  const decode = (parts, options) => new api.TextDecoder("utf-16le", options).decode(Buffer.concat(parts));
  assert.ok(decode([mark, long]) === expected, "the mark is dropped");
  assert.ok(decode([mark, long], { ignoreBOM: true }) === `\uFEFF${expected}`, "the mark is kept");
  assert.ok(decode([long, Uint8Array.of(0x61)]) === `${expected}\uFFFD`, "an odd byte");
  for (const at of [0, 65532, 65534, 65536, MIB - 2, MIB, long.length - 2]) {
    const damaged = Buffer.from(long);
    damaged.writeUInt16LE(0x61, at);
    const pair = at - at % 4;
    const text = expected.slice(0, pair / 2) + (at === pair ? "a\uFFFD" : "\uFFFDa") + expected.slice(pair / 2 + 2);
    assert.ok(decode([damaged]) === text, `a lone surrogate at ${at}`);
    assert.throws(() => decode([damaged], { fatal: true }), TypeError, `fatal, at ${at}`);
  }
});

/** The positions in a chunk of these lengths that are malformed: in the first MiB, at the ends of the second,
 * in the last. */
const PLACES = [0, 100, MIB - 1, MIB, MIB + 1, 2 * MIB - 1, 2.5 * MIB, 3 * MIB - 1];

onEach("long chunks of a fatal stream: offsets, and the rest is dropped", (api) => {
  for (const [label, bad, letter] of [["utf-8", 0xFF, 0x61], ["windows-1253", 0xAA, 0xE1], ["gb18030", 0xFF, 0x62]]) {
    const good = new Uint8Array(3 * MIB).fill(letter);
    const character = new api.TextDecoder(label).decode(Uint8Array.of(letter));
    for (const place of PLACES) {
      const decoder = new api.TextDecoder(label, { fatal: true });
      assert.ok(decoder.decode(good, MORE) === character.repeat(3 * MIB), label);
      const damaged = good.slice();
      damaged[place] = bad;
      for (const before of [3 * MIB, 6 * MIB]) {
        const error = thrown(() => decoder.decode(damaged, MORE), TypeError);
        assertMalformed(error, before + place, hex([bad]), label);
      }
      assert.equal(decoder.decode(good.subarray(0, 2)), character.repeat(2), `${label}: the rest at ${place}`);
    }
  }
});

onEach("long chunks of a fatal stream: a call that throws has not seen the byte order mark", (api) => {
  for (const place of PLACES) {
    const damaged = new Uint8Array(3 * MIB).fill(0x61);
    damaged[place] = 0xFF;
    const decoder = new api.TextDecoder("utf-8", { fatal: true });
    thrown(() => decoder.decode(damaged, MORE), TypeError);
    const next = Uint8Array.of(0xEF, 0xBB, 0xBF, 0x62);
    assert.equal(decoder.decode(next, MORE), "b", `after an error at ${place}`);
    assert.equal(decoder.decode(next), "\uFEFFb");
    const seen = new api.TextDecoder("utf-8", { fatal: true });
    assert.equal(seen.decode(next, MORE), "b");
    thrown(() => seen.decode(damaged, MORE), TypeError);
    assert.equal(seen.decode(next), "\uFEFFb", "it was seen before");
  }
});

onEach("long strings are encoded as short ones are, cut where they may be", (api) => {
  const piece = 1 << 18;
  for (const [label, text] of Object.entries({ ...TEXTS, "utf-8": "a\u{1F35E}", "iso-2022-jp": "aパ¥ン" })) {
    for (const front of ["", "a", "ab"]) {
      const count = Math.ceil(2.5 * piece / text.length);
      const string = front + text.repeat(count);
      const bytes = api.encode(string, label);
      assert.equal(bytes.buffer.byteLength, bytes.length, `${label}: no bytes around them`);
      assert.ok(api.decode(bytes, label) === string, `${label}, ${front}`);
      // No escape sequence follows right after another, and none is written twice.
      const short = api.encode(front + text.repeat(3), label).length - api.encode(front + text.repeat(2), label).length;
      const expected = api.encode(front + text.repeat(2), label).length + (count - 2) * short;
      assert.equal(bytes.length, expected, `${label}, ${front}`);
    }
  }
  for (const index of [0, piece - 1, piece, 2 * piece + 7]) {
    const string = "a".repeat(index) + "\u2603" + "b".repeat(piece);
    const error = thrown(() => api.encode(string, "koi8-r"), TypeError);
    assert.deepEqual([error.code, error.codePoint, error.index], ["ERR_ENCODING_UNMAPPABLE", 0x2603, index]);
    const html = Buffer.from(api.encode(string, "koi8-r", { unmappable: "html" }));
    assert.equal(html.indexOf("a&#9731;b".slice(index === 0 ? 1 : 0)), Math.max(0, index - 1));
    assert.equal(html.length, index + 7 + piece);
  }
});

onEach("encodeInto takes of a long string what fits", (api) => {
  const piece = 1 << 18;
  const encoder = new api.TextEncoder();
  for (const front of ["", "a"]) {
    const string = front + "\u{1F35E}".repeat(piece);
    for (const room of [0, 1, 3, 4, 5, 2 * piece - 1, 2 * piece, 4 * piece - 1, 4 * piece + 1, 5 * piece]) {
      const destination = new Uint8Array(room + 3);
      const result = encoder.encodeInto(string, destination.subarray(0, room));
      const pairs = Math.max(0, Math.min(piece, Math.floor((room - front.length) / 4)));
      const ahead = room >= front.length ? front.length : 0;
      assert.deepEqual(result, { read: ahead + 2 * pairs, written: ahead + 4 * pairs }, `${room} bytes`);
      const expected = Buffer.from(string.slice(0, result.read));
      assert.ok(expected.equals(destination.subarray(0, result.written)), `${room} bytes`);
      assert.ok(destination.subarray(result.written).every((byte) => byte === 0), `${room} bytes: no more`);
    }
  }
});

onEach("long strings that nobody uses any more are collected", (api) => {
  const decoder = new api.TextDecoder("windows-1251");
  const bytes = new Uint8Array(4 * MIB).fill(0xE1);
  const before = process.memoryUsage.rss();
  for (let i = 0; i < 200; i += 1) {
    assert.equal(decoder.decode(bytes).length, bytes.length);
  }
  // 200 strings of 8 MiB each have 1.6 GiB.
  const grown = process.memoryUsage.rss() - before;
  assert.ok(grown < 600 * MIB, `${grown / MIB} MiB more`);
});
