// The results of the WebAssembly engine. They are JavaScript values, made from views of the module's memory,
// for the engine to pick up after the call.

import { TextDecoder } from "../src/platform.js";

const { fromCharCode } = String;

// Up to this many code units it is cheaper than a call into the platform.
const SHORT = 24;

// How many code units are converted by one call of fromCharCode if the platform has nothing better.
const PIECE = 4096;

function chooseLong() {
  if (typeof Buffer === "function" && typeof Buffer.prototype.ucs2Slice === "function") {
    const { ucs2Slice } = Buffer.prototype;
    return (units) => {
      const bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength);
      return ucs2Slice.call(bytes, 0, units.byteLength);
    };
  }
  if (typeof TextDecoder === "function" && isLittleEndian()) {
    try {
      const platform = new TextDecoder("utf-16le", { ignoreBOM: true });
      if (platform.decode(new Uint16Array([0xFEFF, 0xD83D, 0xDCA9])) === "\uFEFF\u{1F4A9}") {
        return (units) => platform.decode(units);
      }
    } catch {
      // This platform does not support UTF-16.
    }
  }
  return (units) => {
    let string = "";
    for (let start = 0; start < units.length; start += PIECE) {
      string += fromCharCode.apply(null, units.subarray(start, start + PIECE));
    }
    return string;
  };
}

function isLittleEndian() {
  return new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
}

const long = chooseLong();

/** Returns the string that consists of these code units. */
export function stringOf(units) {
  return units.length <= SHORT ? fromCharCode.apply(null, units) : long(units);
}

// What an engine returns if there is no memory for a result. (../src/errors.js defines the same number.)
const NO_MEMORY = 2;

/** Returns what `make` returns, or the number for "no memory", because no exception may pass through
 * the module. */
function unlessMemoryEnds(make) {
  try {
    return make();
  } catch {
    return [NO_MEMORY];
  }
}

const NO_BYTES = new Uint8Array(0);

/** Collects bytes that come in pieces into one array. */
export class Gathered {
  #bytes = NO_BYTES;
  #length = 0;
  #total;

  /** `total` is the number of units of input. */
  constructor(total) {
    this.#total = total;
  }

  /**
   * Adds the bytes that the input up to `done` gave.
   *
   * @throws {RangeError} if there is no memory for them
   */
  add(bytes, done) {
    const length = this.#length + bytes.length;
    if (length > this.#bytes.length) {
      // Room for the rest, if it needs as much per unit as the input so far, which is usual in text in one
      // language. For ASCII it is exact.
      const ratio = length / done;
      const slack = Number.isInteger(ratio) ? 1 : 1.01;
      const room = new Uint8Array(Math.max(length, Math.ceil(ratio * this.#total * slack)));
      room.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = room;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }

  get length() {
    return this.#length;
  }

  /** Returns all bytes, in a buffer of exactly this length. @throws {RangeError} if there is no memory for
   * them */
  bytes() {
    return this.#length === this.#bytes.length ? this.#bytes : this.#bytes.slice(0, this.#length);
  }
}

let given;
let gathered;

/**
 * Calls the module, which passes bytes for the input up to `done`, and adds them to `all`.
 *
 * @returns what failed, if something did
 */
export function gather(all, done, call) {
  gathered = { all, done };
  try {
    call();
  } finally {
    gathered = undefined;
  }
  return taken();
}

export function giveString(units) {
  given = unlessMemoryEnds(() => stringOf(units));
}

export function giveAscii() {
  given = true;
}

export function giveView(units) {
  given = units;
}

export function giveNumbers(numbers) {
  given = Array.from(numbers);
}

export function giveBytes(bytes) {
  given = unlessMemoryEnds(() => {
    if (gathered === undefined) {
      return bytes.slice();
    }
    gathered.all.add(bytes, gathered.done);
    return undefined;
  });
}

/** Returns the last value that the module passed, and forgets it. */
export function taken() {
  const result = given;
  given = undefined;
  return result;
}
