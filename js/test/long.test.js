// Texts of several MiB, which engines decode in pieces or in other ways than short ones.

import assert from "node:assert/strict";
import { onEach } from "./engines.js";

const MIB = 1 << 20;

/** With up to three letters in front of them, these are cut between any two of their bytes. */
const TEXTS = {
  "utf-8": "a\u{1F35E}",
  "utf-16le": "\u{1F35E}",
  "utf-16be": "\u{1F35E}",
  gb18030: "a\u{1F35E}",
  shift_jis: "パ",
  // Without the letter one escape would stand right after another.
  "iso-2022-jp": "aパン",
  big5: "麵包",
  "windows-1251": "хлеб",
};

/** UTF-16 by hand, which the package encodes to no more than the standard does. */
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

onEach("a long queue of unread bytes, and a long input after it", (api) => {
  for (const [label, bad, letter] of [["utf-8", 0xFF, 0x61], ["windows-1253", 0xAA, 0xE1], ["gb18030", 0xFF, 0x62]]) {
    for (const [queued, more] of [[3 * MIB, 1.5 * MIB], [MIB / 2, 20 * MIB], [20 * MIB, 2 * MIB]]) {
      const decoder = new api.TextDecoder(label, { fatal: true });
      const first = new Uint8Array(1 + queued).fill(letter);
      first[0] = bad;
      assert.throws(() => decoder.decode(first, { stream: true }), TypeError);
      const second = new Uint8Array(more).fill(letter);
      const character = new api.TextDecoder(label).decode(Uint8Array.of(letter));
      const text = decoder.decode(second);
      assert.ok(text === character.repeat(queued + more), `${label}: ${queued} bytes, then ${more}`);
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
  // 200 strings of 8 MiB each are 1.6 GiB.
  const grown = process.memoryUsage.rss() - before;
  assert.ok(grown < 600 * MIB, `${grown / MIB} MiB more`);
});
