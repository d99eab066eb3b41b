// The engine for everything else: WebAssembly, built from ../../wasm.

import { Gathered, gather, stringOf, taken } from "../../wasm/results.js";

import { NO_MEMORY, TOO_LONG, memoryError } from "../errors.js";
import { TextDecoder } from "../platform.js";
import { LONGEST_STRING } from "./limit.js";

// How many bytes are copied into the module's memory at a time. More would be slower, because they would not
// stay in the cache, and would make the memory grow, which never shrinks.
const PIECE = 1 << 20;

// How many bytes are copied at a time if they are only checked.
const CHECKED = 1 << 16;

// Decoding gives at most one code unit per byte, plus these for bytes held back from earlier calls.
const HELD_BACK = 8;

// Room for up to this many code units is kept for the next long text.
const LONGEST_SCRATCH = 8 << 20;

// How many code units are encoded at a time. Each may take five bytes.
const STRING_PIECE = 1 << 18;

// Makes a string of ASCII in the way that is fastest on this platform.
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

// Makes a string of a copy of UTF-16LE, from `start` on, if the platform can do that.
const utf16String = typeof Buffer === "function" && typeof Buffer.prototype.ucs2Slice === "function"
  ? (bytes, start) => Buffer.prototype.ucs2Slice.call(bytes, start, bytes.length)
  : undefined;

// Returns the code units of a string.
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

/** Yields the pieces of some bytes, and the number of bytes after each; one empty piece if there are none. */
function* piecesOf(bytes) {
  let start = 0;
  for (; start + PIECE < bytes.length; start += PIECE) {
    yield [bytes.subarray(start, start + PIECE), bytes.length - start - PIECE];
  }
  yield [start === 0 ? bytes : bytes.subarray(start), 0];
}

/** Yields the pieces of a string, and the end of each. */
function* piecesOfString(string) {
  for (let start = 0; start < string.length; start += STRING_PIECE) {
    const end = Math.min(start + STRING_PIECE, string.length);
    yield [unitsOf(string.slice(start, end)), end];
  }
}

/** Returns all bytes that were gathered, or what failed. */
function allOf(gathered) {
  try {
    return gathered.bytes();
  } catch {
    return [NO_MEMORY];
  }
}

const isLead = (unit) => (unit & 0xFC00) === 0xD800;

const NO_UNITS = new Uint16Array(0);

let scratch = NO_UNITS;

/** Returns room for this many code units, uninitialised, but no more than a string or memory can hold. */
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

/** Decodes piece by piece. Returns one string, or what failed. */
function gatherText(decodeUnits, bytes) {
  const units = roomFor(bytes.length + HELD_BACK);
  let length = 0;
  for (const [piece, rest] of piecesOf(bytes)) {
    decodeUnits(piece, rest);
    const decoded = taken();
    if (Array.isArray(decoded)) {
      return decoded;
    }
    if (length + decoded.length > units.length) {
      return [length + decoded.length > LONGEST_STRING ? TOO_LONG : NO_MEMORY];
    }
    units.set(decoded, length);
    length += decoded.length;
  }
  try {
    return stringOf(units.subarray(0, length));
  } catch {
    return [NO_MEMORY];
  }
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
        // Do not cut between two surrogates.
        end -= 2;
      }
      if (!module.isUtf16le(bytes.subarray(start, end))) {
        return false;
      }
      start = end;
    }
    return true;
  }

  /** UTF-16LE without errors needs no decoding. Returns the string, or undefined if the input is something else. */
  function asItIs(setup, bytes) {
    if ((setup & 0x3F) !== utf16le || utf16String === undefined || bytes.length / 2 > LONGEST_STRING
      || !isUtf16le(bytes)) {
      return undefined;
    }
    const hasMark = (setup & 0x80) === 0 && bytes[0] === 0xFF && bytes[1] === 0xFE;
    return utf16String(bytes, hasMark ? 2 : 0);
  }

  class StreamDecoder extends module.StreamDecoder {
    decode(bytes, stream) {
      if (bytes.length <= PIECE) {
        super.decode(bytes, stream);
        return taken();
      }
      return gatherText((piece, rest) => super.decodeUnits(piece, rest, stream), bytes);
    }
  }

  class ReportDecoder extends module.ReportDecoder {
    decode(bytes, stream, keep) {
      if (bytes.length <= PIECE) {
        super.decode(bytes, stream, keep);
        return taken();
      }
      return gatherText((piece, rest) => super.decodeUnits(piece, stream || rest > 0, keep), bytes);
    }

    decodeToUtf8(bytes, stream, keep) {
      if (bytes.length <= PIECE) {
        super.decodeToUtf8(bytes, stream, keep);
        return taken();
      }
      const all = new Gathered(bytes.length);
      for (const [piece, rest] of piecesOf(bytes)) {
        const decode = () => super.decodeToUtf8(piece, stream || rest > 0, keep);
        const failed = gather(all, bytes.length - rest, decode);
        if (failed !== undefined) {
          return failed;
        }
      }
      return allOf(all);
    }

    takeMalformed() {
      super.takeMalformed();
      return taken();
    }
  }

  class ReportEncoder extends module.ReportEncoder {
    encode(string, stream, unmappable, replacement, keep) {
      if (string.length <= STRING_PIECE) {
        super.encode(unitsOf(string), stream, unmappable, replacement, keep);
        return taken();
      }
      const all = new Gathered(string.length);
      for (const [units, end] of piecesOfString(string)) {
        const encode = () => super.encode(units, stream || end < string.length, unmappable, replacement, keep);
        const failed = gather(all, end, encode);
        if (failed !== undefined) {
          return failed;
        }
      }
      return allOf(all);
    }

    takeUnmappable() {
      super.takeUnmappable();
      return taken();
    }
  }

  /** Checks that there is room for a copy of these bytes. @throws {RangeError} */
  function checkRoom(bytes) {
    if (!module.hasRoom(bytes.length)) {
      throw memoryError();
    }
  }

  function encode(encoding, unmappable, replacement, string) {
    if (string.length > STRING_PIECE) {
      const encoder = new ReportEncoder(encoding);
      try {
        return encoder.encode(string, false, unmappable, replacement, 0);
      } finally {
        encoder.free();
      }
    }
    module.encode(encoding, unmappable, replacement, unitsOf(string));
    return taken();
  }

  function encodeInto(string, room) {
    if (string.length <= STRING_PIECE) {
      return [module.encodeInto(unitsOf(string), room), taken()];
    }
    const all = new Gathered(Math.min(string.length, room));
    let read = 0;
    let written = 0;
    for (;;) {
      // A code unit becomes at least one byte.
      let end = Math.min(read + STRING_PIECE, read + room - written, string.length);
      if (end < string.length && isLead(string.charCodeAt(end - 1))) {
        end -= 1;
      }
      if (end <= read) {
        break;
      }
      let units;
      const encodePiece = () => (units = module.encodeInto(unitsOf(string.slice(read, end)), room - written));
      const failed = gather(all, end, encodePiece);
      if (failed !== undefined) {
        return [0, failed];
      }
      written = all.length;
      read += units;
      if (read < end) {
        break;
      }
    }
    return [read, allOf(all)];
  }

  return {
    name: "wasm",
    limit: LONGEST_STRING,
    // JavaScript copies the bytes, and asks the array for its length.
    readsLengthNatively: false,
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
    Decoder: ReportDecoder,
    Encoder: ReportEncoder,
    encode,
    encodeUtf8: (string) => encode(0, 0, 0, string),
    encodeInto,
    percentEncode: (encoding, set, plus, string) => module.percentEncode(encoding, set, plus, unitsOf(string)),
    detect(hints, bytes) {
      checkRoom(bytes);
      return module.detect(bytes, ...hints);
    },
    mapOffsets(encoding, bom, bytes) {
      const mapper = new module.OffsetMapper(encoding, bom);
      try {
        for (const [piece] of piecesOf(bytes)) {
          mapper.feed(piece);
        }
        mapper.finish();
        return taken();
      } finally {
        mapper.free();
      }
    },
    readMap(map) {
      checkRoom(map);
      module.readMap(map);
      return taken();
    },
    sourceRange(map, source, start, end) {
      checkRoom(source);
      module.sourceRange(map, source, start, end);
      return taken();
    },
    textOffset(map, source, offset) {
      checkRoom(source);
      module.textOffset(map, source, offset);
      return taken();
    },
    firstValid(list, bytes) {
      const first = new module.FirstValid(list);
      try {
        for (const [piece] of piecesOf(bytes)) {
          if (first.feed(piece)) {
            break;
          }
        }
        return first.finish();
      } finally {
        first.free();
      }
    },
    segments(list, otherwise, iso2022jp, bytes) {
      checkRoom(bytes);
      module.segments(list, otherwise, iso2022jp, bytes);
      return taken();
    },
  };
}
