// TextEncoder: encode and encodeInto, compared with Node's Buffer, which shares no code with either engine.

import assert from "node:assert/strict";
import { onEach } from "./engines.js";
import { generator, hex } from "./tools.js";

const MIXED = [
  "",
  "a",
  "é",
  "€",
  "💩",
  "aé€💩",
  "💩€éa",
  "\0",
  "\u007F\u0080\u07FF\u0800\uFFFF\u{10000}\u{10FFFF}",
  "日本語のテキスト",
  "\uD83D",
  "\uDCA9",
  "a\uD83D€\uDCA9b",
  "\uDCA9\uD83D",
  "x\uD83D\uD83D\uDCA9y",
  "Plain ASCII text that fills a vector and a bit more than that: 64 units, and a few.",
  "ÀÉÎÕÜ".repeat(15),
  "→".repeat(40),
  "💩".repeat(20),
  `${"a".repeat(63)}é${"b".repeat(63)}€${"c".repeat(63)}💩`,
];

/** The bytes of each character: what `encodeInto` writes is a prefix of these. */
function characters(string) {
  return Array.from(string, (character) => ({
    units: character.length,
    bytes: Buffer.from(character),
  }));
}

/** What encodeInto's steps give for a destination of `size` bytes. */
function expectedInto(string, size) {
  const written = [];
  let read = 0;
  for (const { units, bytes } of characters(string)) {
    if (size - written.length < bytes.length) {
      break;
    }
    written.push(...bytes);
    read += units;
  }
  return { read, written };
}

onEach("encode gives UTF-8", (api) => {
  const encoder = new api.TextEncoder();
  for (const string of MIXED) {
    const expected = Buffer.from(string);
    assert.equal(hex(encoder.encode(string)), hex(expected), JSON.stringify(string));
    assert.equal(hex(api.encode(string)), hex(expected), JSON.stringify(string));
    assert.equal(hex(new TextEncoder().encode(string)), hex(expected), "the oracle");
  }
});

onEach("encode gives a fresh Uint8Array with a buffer of exactly its length", (api) => {
  const encoder = new api.TextEncoder();
  for (const string of ["", "a", "é", "€".repeat(5000), "a".repeat(100000)]) {
    for (const encode of [
      () => encoder.encode(string),
      () => api.encode(string),
      () => api.encode(string, "gbk"),
    ]) {
      const [one, other] = [encode(), encode()];
      assert.equal(Object.getPrototypeOf(one), Uint8Array.prototype);
      assert.equal(one.byteOffset, 0);
      assert.equal(one.buffer.byteLength, one.length);
      assert.equal(Object.getPrototypeOf(one.buffer), ArrayBuffer.prototype);
      assert.notEqual(one.buffer, other.buffer);
      one.fill(0);
      assert.deepEqual(encode(), other);
      // The buffer belongs to the caller, and can be transferred.
      const moved = structuredClone(other, { transfer: [other.buffer] });
      assert.deepEqual(moved, encode());
    }
  }
});

onEach("encode: every code unit, alone and between others", (api) => {
  const encoder = new api.TextEncoder();
  for (let unit = 0; unit < 0x10000; unit += 1) {
    const string = String.fromCharCode(unit);
    const expected = Buffer.from(string);
    const encoded = encoder.encode(string);
    if (!expected.equals(encoded)) {
      assert.equal(hex(encoded), hex(expected), unit.toString(16));
    }
  }
  let all = "";
  for (let unit = 0; unit < 0x10000; unit += 1) {
    all += `${String.fromCharCode(unit)}-`;
  }
  assert.ok(Buffer.from(all).equals(encoder.encode(all)));
});

onEach("encode: long strings, one-byte and two-byte ones, ropes and slices", (api) => {
  const encoder = new api.TextEncoder();
  let rope = "";
  for (let i = 0; i < 3000; i += 1) {
    rope += `${MIXED[i % MIXED.length]}${i}`;
  }
  const long = "é".repeat(300001);
  for (const string of [
    rope,
    rope.slice(1),
    long,
    long.slice(7, -3),
    `${"a".repeat(1 << 20)}é`,
    `${"a".repeat(1 << 20)}€`,
    "💩".repeat(100001).slice(1),
  ]) {
    assert.ok(Buffer.from(string).equals(encoder.encode(string)));
  }
});

onEach("encodeInto: every size of destination, at an offset, and nothing past written", (api) => {
  const encoder = new api.TextEncoder();
  for (const string of MIXED) {
    const size = Buffer.byteLength(string);
    for (let room = 0; room <= size + 2; room += 1) {
      for (const Backing of [ArrayBuffer, SharedArrayBuffer]) {
        const backing = new Uint8Array(new Backing(room + 11)).fill(0xa5);
        const destination = new Uint8Array(backing.buffer, 5, room);
        const result = encoder.encodeInto(string, destination);
        const { read, written } = expectedInto(string, room);
        const about = `${JSON.stringify(string)} into ${room} bytes`;
        assert.deepEqual(result, { read, written: written.length }, about);
        assert.equal(hex(destination.subarray(0, written.length)), hex(written), about);
        backing.fill(0xa5, 5, 5 + written.length);
        assert.ok(
          backing.every((byte) => byte === 0xa5),
          `${about}: bytes past written were touched`,
        );
      }
    }
  }
});

onEach("encodeInto gives a plain object with read and written", (api) => {
  const result = new api.TextEncoder().encodeInto("a💩", new Uint8Array(8));
  assert.equal(Object.getPrototypeOf(result), Object.prototype);
  assert.deepEqual(Object.entries(Object.getOwnPropertyDescriptors(result)), [
    ["read", { value: 3, writable: true, enumerable: true, configurable: true }],
    ["written", { value: 5, writable: true, enumerable: true, configurable: true }],
  ]);
});

onEach("encodeInto: long strings and random room", (api) => {
  const encoder = new api.TextEncoder();
  const random = generator(7);
  const string = MIXED.join(" ").repeat(30);
  const whole = Buffer.from(string);
  for (let round = 0; round < 40; round += 1) {
    const destination = new Uint8Array(random.below(whole.length + 10));
    const { read, written } = encoder.encodeInto(string, destination);
    assert.equal(Buffer.byteLength(string.slice(0, read)), written);
    assert.ok(whole.subarray(0, written).equals(destination.subarray(0, written)));
    const room = destination.length - written;
    const next = String.fromCodePoint(string.codePointAt(read) ?? 0);
    assert.ok(read === string.length || room < Buffer.byteLength(next), "it stopped though there was room");
  }
});

onEach("encodeInto in a loop converts a whole string, however small the buffer", (api) => {
  const encoder = new api.TextEncoder();
  const string = MIXED.join("");
  for (const room of [4, 5, 7, 64]) {
    const buffer = new Uint8Array(room);
    const pieces = [];
    let rest = string;
    while (rest !== "") {
      const { read, written } = encoder.encodeInto(rest, buffer);
      assert.ok(read > 0);
      pieces.push(Buffer.from(buffer.subarray(0, written)));
      rest = rest.slice(read);
    }
    assert.ok(Buffer.concat(pieces).equals(Buffer.from(string)), `${room} bytes`);
  }
});
