// The engine for everything else: WebAssembly, built from ../../wasm.

import { stringOf, taken } from "../../wasm/results.js";

import { LONGEST_STRING } from "./limit.js";

// What is copied into the module's memory at a time, in bytes: more would be slower, for it would not stay
// in the cache, and would make the memory grow, which never shrinks.
const PIECE = 1 << 20;

// What is copied in only to be looked at, in bytes.
const CHECKED = 1 << 16;

// There are never more code units than bytes, but for what a decoder has held back from earlier ones.
const HELD_BACK = 8;

// As many code units of room are kept for the next long text.
const LONGEST_SCRATCH = 8 << 20;

// A fatal decoder must keep what it has not read where it throws, so such a piece is not divided.
const LONGEST_WHOLE = 1 << 28;

const tooLong = [];

// ASCII to a string, as the platform does it best.
const asciiString = typeof Buffer === "function" && typeof Buffer.prototype.latin1Slice === "function"
  ? (bytes) => Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length)
  : platformAscii();

function platformAscii() {
  if (typeof TextDecoder === "function") {
    const decoder = new TextDecoder();
    return (bytes) => decoder.decode(bytes);
  }
  return (bytes) => {
    let string = "";
    for (let start = 0; start < bytes.length; start += 4096) {
      string += String.fromCharCode.apply(null, bytes.subarray(start, start + 4096));
    }
    return string;
  };
}

// UTF-16LE to a string, from `start` on, where the platform can do that: a copy.
const utf16String = typeof Buffer === "function" && typeof Buffer.prototype.ucs2Slice === "function"
  ? (bytes, start) => Buffer.prototype.ucs2Slice.call(bytes, start, bytes.length)
  : undefined;

// The code units of a string.
const unitsOf = typeof Buffer === "function" && typeof Buffer.prototype.ucs2Write === "function"
  ? (string) => {
    const units = new Uint16Array(string.length);
    Buffer.from(units.buffer).ucs2Write(string, 0, units.byteLength);
    return units;
  }
  : (string) => {
    const units = new Uint16Array(string.length);
    for (let i = 0; i < units.length; i += 1) {
      units[i] = string.charCodeAt(i);
    }
    return units;
  };

/** Pieces, and whether each is the last; one where there are no bytes. */
function* piecesOf(bytes) {
  let start = 0;
  for (; start + PIECE < bytes.length; start += PIECE) {
    yield [bytes.subarray(start, start + PIECE), false];
  }
  yield [start === 0 ? bytes : bytes.subarray(start), true];
}

const NO_UNITS = new Uint16Array(0);

let scratch = NO_UNITS;

/** Room for so many code units, which hold anything; for no more than a string can have, or memory. */
function roomFor(length) {
  const room = Math.min(length, LONGEST_STRING);
  if (room <= scratch.length) {
    return scratch;
  }
  try {
    const units = new Uint16Array(room);
    if (room <= LONGEST_SCRATCH) {
      scratch = units;
    }
    return units;
  } catch {
    return NO_UNITS;
  }
}

/** More room, with the first `length` of `units` in it; or no more, where there is none. */
function grown(units, length, more) {
  const room = roomFor(more);
  if (room.length <= units.length) {
    return units;
  }
  room.set(units.subarray(0, length));
  return room;
}

/** Decodes piece by piece: one string of all, or what failed. */
function gather(decodeUnits, bytes, stream) {
  let units = roomFor(bytes.length + HELD_BACK);
  let length = 0;
  for (const [piece, isLast] of piecesOf(bytes)) {
    decodeUnits(piece, stream || !isLast);
    const decoded = taken();
    if (Array.isArray(decoded)) {
      return decoded;
    }
    if (length + decoded.length > units.length) {
      // A fatal decoder had a queue of what it had not read when it threw.
      units = grown(units, length, length + decoded.length + bytes.length);
    }
    if (length + decoded.length > units.length) {
      return tooLong;
    }
    units.set(decoded, length);
    length += decoded.length;
  }
  return stringOf(units.subarray(0, length));
}

/**
 * @param {object} module what wasm-bindgen made of ../../wasm, initialised
 */
export function wasmEngine(module) {
  const utf16le = module.encodings().split("\n").findIndex((line) => line.startsWith("UTF-16LE\t"));

  function isUtf16le(bytes) {
    const { length } = bytes;
    if (length <= CHECKED) {
      return module.isUtf16le(bytes);
    }
    for (let start = 0; start < length;) {
      let end = Math.min(start + CHECKED, length);
      if (end < length && (bytes[end - 1] & 0xFC) === 0xD8) {
        // Not between two surrogates.
        end -= 2;
      }
      if (!module.isUtf16le(bytes.subarray(start, end))) {
        return false;
      }
      start = end;
    }
    return true;
  }

  /** UTF-16LE without errors needs no decoding: the string, or undefined where that does not help. */
  function asItIs(setup, bytes) {
    if ((setup & 0x3F) !== utf16le || utf16String === undefined || bytes.length / 2 > LONGEST_STRING
      || !isUtf16le(bytes)) {
      return undefined;
    }
    const hasMark = (setup & 0x80) === 0 && bytes[0] === 0xFF && bytes[1] === 0xFE;
    return utf16String(bytes, hasMark ? 2 : 0);
  }

  class StreamDecoder extends module.StreamDecoder {
    #isFatal;

    constructor(setup) {
      super(setup);
      this.#isFatal = (setup & 0x40) !== 0;
    }

    decode(bytes, stream) {
      const isWhole = this.#isFatal && stream;
      if (isWhole && bytes.length > LONGEST_WHOLE) {
        return tooLong;
      }
      if (isWhole || bytes.length <= PIECE) {
        super.decode(bytes, stream);
        return taken();
      }
      return gather((piece, more) => super.decodeUnits(piece, more), bytes, stream);
    }
  }

  class Decoder extends module.Decoder {
    decode(bytes, stream) {
      if (bytes.length <= PIECE) {
        super.decode(bytes, stream);
        return taken();
      }
      return gather((piece, more) => super.decodeUnits(piece, more), bytes, stream);
    }

    decodeToUtf8(bytes, stream) {
      const pieces = [];
      let length = 0;
      for (const [piece, isLast] of piecesOf(bytes)) {
        super.decodeToUtf8(piece, stream || !isLast);
        const text = taken();
        pieces.push(text);
        length += text.length;
      }
      if (pieces.length === 1) {
        return pieces[0];
      }
      const all = new Uint8Array(length);
      let written = 0;
      for (const piece of pieces) {
        all.set(piece, written);
        written += piece.length;
      }
      return all;
    }

    takeMalformed() {
      super.takeMalformed();
      return taken();
    }
  }

  function encode(encoding, unmappable, replacement, string) {
    module.encode(encoding, unmappable, replacement, unitsOf(string));
    return taken();
  }

  return {
    name: "wasm",
    limit: LONGEST_STRING,
    // JavaScript copies the bytes, and asks the array for its length.
    looksForItself: false,
    encodings: module.encodings,
    decode(setup, bytes) {
      const string = asItIs(setup, bytes);
      if (string !== undefined) {
        return string;
      }
      if (bytes.length > PIECE) {
        const decoder = new StreamDecoder(setup);
        try {
          return decoder.decode(bytes, false);
        } finally {
          decoder.free();
        }
      }
      module.decode(setup, bytes);
      const text = taken();
      return text === true ? asciiString(bytes) : text;
    },
    StreamDecoder,
    Decoder,
    encode,
    encodeUtf8: (string) => encode(0, 0, 0, string),
    encodeInto: (string, room) => [module.encodeInto(unitsOf(string), room), taken()],
    percentEncode: (encoding, set, plus, string) => module.percentEncode(encoding, set, plus, unitsOf(string)),
    detect: (hints, bytes) => module.detect(bytes, ...hints),
  };
}
