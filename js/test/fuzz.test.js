// Random calls with random and hostile arguments, on both engines in step. They must agree about every result
// and error, and the process must not end. The numbers are pseudo-random, so a failure can be repeated.

import assert from "node:assert/strict";
import test from "node:test";
import { engines } from "./engines.js";
import { generator, hex } from "./tools.js";
import { TRICKY } from "./tricky.js";

const LABELS = [
  ...Object.keys(TRICKY),
  "ibm866",
  "windows-1252",
  "windows-1258",
  "iso-8859-8-i",
  "latin1",
  "nonsense",
];

const PARTS = [
  [0x61],
  [0x0a],
  [0x1b],
  [0x1b, 0x24, 0x42],
  [0x1b, 0x28, 0x42],
  [0x1b, 0x28, 0x49],
  [0x1b, 0x28, 0x4a],
  [0x0e],
  [0x80],
  [0x81],
  [0x30],
  [0x81, 0x30, 0x81, 0x30],
  [0x84, 0x31, 0x95, 0x33],
  [0x8e],
  [0x8f, 0xa2],
  [0xa4, 0xa4],
  [0xef, 0xbb, 0xbf],
  [0xfe, 0xff],
  [0xff, 0xfe],
  [0xe2, 0x82, 0xac],
  [0xf0, 0x9f, 0x92, 0xa9],
  [0xd8],
  [0xdc],
  [0, 0],
  [0x3d, 0xd8],
  [0xa9, 0xdc],
  [0xff],
];

const STRINGS = [
  "a",
  "\0",
  "é",
  "日本",
  "€",
  "💩",
  "\uD83D",
  "\uDCA9",
  "\uFEFF",
  "☃",
  "¥",
  "ｱ",
  "\u001B",
  "\uE5E5",
  "𠀀",
  "&#1;",
  "%20 +",
];

/** Random bytes: noise, sequences with a meaning in some encoding, or long ASCII with few other bytes. */
function randomBytes(random) {
  switch (random.below(4)) {
    case 0:
      return random.bytes(random.below(40));
    case 1: {
      const bytes = new Uint8Array(random.below(3000)).fill(0x61);
      for (let i = random.below(5); i > 0 && bytes.length > 0; i -= 1) {
        bytes[random.below(bytes.length)] = random.below(256);
      }
      return bytes;
    }
    default:
      return Uint8Array.from(Array.from({ length: random.below(12) }, () => random.pick(PARTS)).flat());
  }
}

function randomString(random) {
  const string = Array.from({ length: random.below(8) }, () => random.pick(STRINGS)).join("");
  return random.below(6) === 0 ? string.padEnd(random.below(2000), random.pick(STRINGS)) : string;
}

/** Makes an argument that is invalid, or does harm while it is converted; a new one for each engine. */
const HOSTILE = [
  () => Symbol("hostile"),
  () => null,
  () => 7,
  () => [],
  () => Object.create(null),
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  () =>
    new Proxy(
      {},
      {
        get() {
          throw new RangeError("of the trap");
        },
      },
    ),
  () => ({
    toString() {
      throw new SyntaxError("of toString");
    },
    get stream() {
      throw new SyntaxError("of stream");
    },
    get fatal() {
      throw new SyntaxError("of fatal");
    },
  }),
  () => ({ toString: () => ({}), valueOf: () => ({}) }),
  () => new Proxy(new Uint8Array(4), {}),
  () => new Uint8Array(new ArrayBuffer(4, { maxByteLength: 8 })),
  () => {
    const bytes = new Uint8Array(4);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    return bytes;
  },
  () => "x".repeat(70000),
  () => -1,
  () => NaN,
  () => 2 ** 53,
];

/** An input for one engine: a view, a buffer, a shared one, or bytes that vanish during the call. */
function wrap(bytes, kind) {
  switch (kind) {
    case 0:
      return bytes.slice().buffer;
    case 1: {
      const shared = new Uint8Array(new SharedArrayBuffer(bytes.length + 3), 2, bytes.length);
      shared.set(bytes);
      return shared;
    }
    case 2: {
      const padded = new Uint8Array(bytes.length + 9);
      padded.set(bytes, 4);
      return new DataView(padded.buffer, 4, bytes.length);
    }
    default:
      return bytes.slice();
  }
}

/** Options with a getter that detaches the input, or fills it. */
function treacherous(input, kind) {
  return {
    get stream() {
      const buffer = ArrayBuffer.isView(input) ? input.buffer : input;
      if (kind === 0 && buffer instanceof ArrayBuffer) {
        structuredClone(buffer, { transfer: [buffer] });
      } else if (buffer.byteLength > 0) {
        new Uint8Array(buffer).fill(0x7a);
      }
      return kind !== 1;
    },
  };
}

/** The result of a call, in a form that can be compared. */
function outcome(call) {
  try {
    return shown(call());
  } catch (error) {
    const { name, message, code, offset, bytes, codePoint, index } = error;
    return { name, message, code, offset, bytes: bytes && hex(bytes), codePoint, index };
  }
}

function shown(value) {
  if (value instanceof Uint8Array) {
    return hex(value);
  }
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

/** The objects of one engine that earlier calls have made. */
const newState = (api) => ({ api, decoders: [], tools: [], encoders: [], encoder: new api.TextEncoder() });

/** A random call, as a function of an engine's state. All choices are made here, before it is called. */
function randomCall(random) {
  const label = random.pick(LABELS);
  const [bytes, string] = [randomBytes(random), randomString(random)];
  const [kind, slot, flag, other, size] = [5, 8, 2, 2, 300].map((limit) => random.below(limit));
  const hostile = random.pick(HOSTILE);
  const options = random.below(4) === 0 ? undefined : { fatal: flag === 1, ignoreBOM: other === 1 };
  const stream = { stream: random.below(3) > 0 };
  const unmappable = random.pick([undefined, "throw", "html", "replace", "skip"]);
  const call = random.below(24);
  const about = `call ${call}, ${label}, slot ${slot}, ${hex(bytes.subarray(0, 60))}, ${JSON.stringify(string)}`;
  const make = (state) => {
    switch (call) {
      case 0:
        return (state.decoders[slot] = new state.api.TextDecoder(label, options)).encoding;
      case 1:
        return (state.tools[slot] = new state.api.Decoder(label, {
          bom: ["sniff", "strip", "keep"][kind % 3],
          keepMalformed: size % 4,
        })).encoding;
      case 2:
        return new state.api.TextDecoder(hostile(), options).encoding;
      case 3:
        return new state.api.TextDecoder(label, hostile()).fatal;
      case 4:
        return state.decoders[slot]?.decode(hostile(), stream);
      case 5:
        return state.decoders[slot]?.decode(wrap(bytes, kind), hostile());
      case 6: {
        const input = wrap(bytes, kind);
        return state.decoders[slot]?.decode(input, treacherous(input, flag));
      }
      case 7:
        return state.encoder.encode(string);
      case 8: {
        const destination = new Uint8Array(size % 40);
        const result = state.encoder.encodeInto(string, destination);
        return `${JSON.stringify(result)} ${hex(destination)}`;
      }
      case 9:
        return state.encoder.encodeInto(hostile(), hostile());
      case 10:
        return state.api.encode(string, label, { unmappable, replacement: flag === 1 ? "☃" : undefined });
      case 11:
        return state.api.encode(string, label, hostile());
      case 12:
        return state.api.decode(wrap(bytes, kind), label);
      case 13:
        return state.api.percentEncodeAfterEncoding(
          string,
          label,
          flag === 1 ? { spaceAsPlus: true } : hostile(),
        );
      case 14:
        return state.api.detect(wrap(bytes, kind), other === 1 ? { tld: "jp" } : hostile());
      case 15: {
        const tool = state.tools[slot];
        return (
          tool && `${tool.decode(wrap(bytes, kind), stream)} ${tool.errors} ${JSON.stringify(tool.malformed)}`
        );
      }
      case 16: {
        const tool = state.tools[slot];
        return tool && `${hex(tool.decodeToUtf8(wrap(bytes, kind), stream))} ${tool.encoding}`;
      }
      case 17:
        return (state.encoders[slot] = new state.api.Encoder(label, {
          unmappable,
          keepUnmappable: size % 4,
        })).encoding;
      case 18: {
        const encoder = state.encoders[slot];
        return (
          encoder &&
          `${hex(encoder.encode(string, stream))} ${encoder.errors} ${JSON.stringify(encoder.unmappable)}`
        );
      }
      case 19:
        return state.api.firstValid(wrap(bytes, kind), flag === 1 ? [label, "koi8-u"] : hostile());
      case 20:
        return state.api.segments(wrap(bytes, kind), [label], "latin1", { iso2022jp: other === 1 });
      case 21:
        return state.api.undoDoubleEncoding(string, label);
      case 22: {
        const map = new state.api.OffsetMap(wrap(bytes, kind), label);
        const stored = map.toBytes();
        if (flag === 1) {
          stored[size % stored.length] ^= 1 << kind;
        }
        const same = state.api.OffsetMap.fromBytes(stored, map.text, bytes);
        return [map.text, same.sourceRange(slot, slot + other), same.textOffset(size % (bytes.length + 1))];
      }
      default:
        return state.decoders[slot]?.decode(wrap(bytes, kind), stream);
    }
  };
  return { about, make };
}

for (const seed of [1, 2026, 0xfeff, 0xd800]) {
  test(`random calls give the same in both engines, seed ${seed} [both]`, () => {
    const random = generator(seed);
    const states = engines.map(({ api }) => newState(api));
    let threw = 0;
    for (let round = 0; round < 6000; round += 1) {
      const { about, make } = randomCall(random);
      const [first, ...others] = states.map((state) => outcome(() => make(state)));
      threw += Number(typeof first === "object");
      for (const other of others) {
        assert.deepEqual(other, first, `seed ${seed}, round ${round}: ${about}`);
      }
    }
    assert.ok(threw > 500, "the arguments were hostile enough");
    for (const { api } of states) {
      assert.equal(new api.TextDecoder("shift_jis").decode(Uint8Array.of(0x93, 0xfa)), "日", "still alive");
    }
  });
}

test("random streams, cut at random, give the same as one call [both]", () => {
  const random = generator(77);
  for (let round = 0; round < 3000; round += 1) {
    const label = random.pick(Object.keys(TRICKY));
    const bytes = randomBytes(random);
    const cuts = Array.from({ length: random.below(4) }, () => random.below(bytes.length + 1)).sort(
      (a, b) => a - b,
    );
    const pieces = [0, ...cuts].map((start, i) => bytes.subarray(start, cuts[i] ?? bytes.length));
    const texts = engines.flatMap(({ api }) => {
      const decoder = new api.TextDecoder(label);
      const streamed =
        pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
      return [streamed, decoder.decode(bytes)];
    });
    assert.equal(new Set(texts).size, 1, `${label}: ${pieces.map(hex).join(" | ")}`);
  }
});
