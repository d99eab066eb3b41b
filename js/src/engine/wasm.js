// The engine for everything else: WebAssembly, built from ../../wasm.

import { LONGEST_STRING } from "./limit.js";

// What is copied into the module's memory at a time, in bytes: more would be slower, for it would not stay
// in the cache, and would make the memory grow, which never shrinks.
const PIECE = 1 << 20;

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

/** Decodes piece by piece: the string, or what failed. */
function decodePieces(decode, bytes, stream) {
  if (bytes.length <= PIECE) {
    return decode(bytes, stream);
  }
  let string = "";
  for (const [piece, isLast] of piecesOf(bytes)) {
    const text = decode(piece, stream || !isLast);
    if (typeof text !== "string") {
      return text;
    }
    if (string.length + text.length > LONGEST_STRING) {
      return tooLong;
    }
    string += text;
  }
  return string;
}

/**
 * @param {object} module what wasm-bindgen made of ../../wasm, initialised
 */
export function wasmEngine(module) {
  class StreamDecoder extends module.StreamDecoder {
    #isFatal;

    constructor(setup) {
      super(setup);
      this.#isFatal = (setup & 0x40) !== 0;
    }

    decode(bytes, stream) {
      if (this.#isFatal && stream) {
        return bytes.length <= LONGEST_WHOLE ? super.decode(bytes, stream) : tooLong;
      }
      return decodePieces((piece, more) => super.decode(piece, more), bytes, stream);
    }
  }

  class Decoder extends module.Decoder {
    decode(bytes, stream) {
      return decodePieces((piece, more) => super.decode(piece, more), bytes, stream);
    }

    decodeToUtf8(bytes, stream) {
      const pieces = [];
      let length = 0;
      for (const [piece, isLast] of piecesOf(bytes)) {
        const text = super.decodeToUtf8(piece, stream || !isLast);
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
  }

  return {
    name: "wasm",
    limit: LONGEST_STRING,
    // JavaScript copies the bytes, and asks the array for its length.
    looksForItself: false,
    encodings: module.encodings,
    decode(setup, bytes) {
      if (bytes.length > PIECE) {
        const decoder = new StreamDecoder(setup);
        try {
          return decoder.decode(bytes, false);
        } finally {
          decoder.free();
        }
      }
      const text = module.decode(setup, bytes);
      return text === true ? asciiString(bytes) : text;
    },
    StreamDecoder,
    Decoder,
    encode: (encoding, unmappable, replacement, string) =>
      module.encode(encoding, unmappable, replacement, unitsOf(string)),
    encodeUtf8: (string) => module.encode(0, 0, 0, unitsOf(string)),
    encodeInto: (string, room) => module.encodeInto(unitsOf(string), room),
    percentEncode: (encoding, set, plus, string) => module.percentEncode(encoding, set, plus, unitsOf(string)),
    detect: (hints, bytes) => module.detect(bytes, ...hints),
  };
}
