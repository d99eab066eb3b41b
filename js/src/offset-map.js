// OffsetMap: maps places in a text to the bytes that they were decoded from, and back. The engine's map counts the text
// in bytes of UTF-8; here they are counted from the nearest of some places.

import { BOMS } from "./decoder.js";
import { NO_MEMORY, memoryError, valueError } from "./errors.js";
import { choice } from "./tools.js";
import { bytesOf, checkBufferSource, defineInterface, dictionary, domString } from "./web-idl.js";

// The number of code units from one place to the next.
const BLOCK = 4096;

// What the engine says of a map that it can't read, besides NO_MEMORY. (../engine/src/offsets.rs has the same numbers.)
const OTHER_VERSION = 1;

const NO_BYTES = new Uint8Array(0);

/** The error for a map that the engine can't read. */
function unreadable(kind) {
  if (kind === NO_MEMORY) {
    return memoryError();
  }
  return valueError(
    kind === OTHER_VERSION
      ? "The map was stored by a version of simdtext whose format is different"
      : "The bytes are not a stored map, or are damaged",
  );
}

/** The number of bytes of UTF-8 for a code unit. Two surrogates have four, of which each counts for half. */
function lengthInUtf8(unit) {
  if (unit < 0x80) {
    return 1;
  }
  return unit < 0x800 || (unit & 0xF800) === 0xD800 ? 2 : 3;
}

/** Converts to a number. @throws {RangeError} unless it is an integer from `least` to `most` */
function position(value, least, most, what) {
  const number = Number(value);
  if (!Number.isInteger(number) || number < least || number > most) {
    throw valueError(`${what} is ${number}; it must be an integer from ${least} to ${most}`);
  }
  return number;
}

export function defineOffsetMap(engine, encodings, Decoder) {
  class OffsetMap {
    #source;
    #sourceLength;
    #map;
    #encoding;
    #text;
    /** The lengths in UTF-8 of the first `BLOCK` code units of the text, of twice as many, and so on, as far as they
     * were needed. */
    #places = [0];

    constructor(bytes, label = "utf-8", options = undefined) {
      checkBufferSource(bytes, "The source");
      const labelString = domString(label);
      const { bom = "sniff" } = dictionary(options, "options");
      const mode = choice(BOMS, bom, "bom");
      const number = encodings.findAny(labelString);
      const source = bytesOf(bytes);
      const decoder = new Decoder(labelString, { __proto__: null, bom: BOMS[mode], keepMalformed: 0 });
      this.#text = decoder.decode(source);
      this.#encoding = decoder.encoding;
      this.#map = engine.mapOffsets(number, mode, source);
      this.#source = source;
      this.#sourceLength = source.length;
    }

    static fromBytes(stored, text, source) {
      checkBufferSource(stored, "The map");
      const string = domString(text);
      checkBufferSource(source, "The source");
      const bytes = bytesOf(source);
      const map = new OffsetMap(NO_BYTES);
      // A copy, which nobody else can change.
      map.#map = bytesOf(stored).slice();
      const [number, sourceLength, textLength] = engine.readMap(map.#map);
      if (sourceLength === undefined) {
        throw unreadable(number);
      }
      map.#text = string;
      if (sourceLength !== bytes.length || textLength !== map.#length(0, string.length)) {
        throw valueError("The map is not of this source and this text");
      }
      map.#encoding = encodings.encodings[number].name;
      map.#source = bytes;
      map.#sourceLength = sourceLength;
      return map;
    }

    toBytes() {
      return this.#map.slice();
    }

    get encoding() {
      return this.#encoding;
    }

    get text() {
      return this.#text;
    }

    sourceRange(start, end) {
      const { length } = this.#text;
      const first = position(start, 0, length, "start");
      const last = position(end, first, length, "end");
      const [from, to] = [this.#toUtf8(first), this.#toUtf8(last)];
      return this.#checked(engine.sourceRange(this.#map, bytesOf(this.#source), from, to));
    }

    textOffset(offset) {
      const place = position(offset, 0, this.#sourceLength, "offset");
      const [found] = this.#checked(engine.textOffset(this.#map, bytesOf(this.#source), place));
      return this.#fromUtf8(found);
    }

    /** Returns what the engine has found. @throws {RangeError} if it has found nothing */
    #checked(numbers) {
      if (numbers.length === 0) {
        throw valueError("The source has changed since it was decoded");
      }
      return numbers;
    }

    /** The length in UTF-8 of a part of the text. */
    #length(start, end) {
      let length = 0;
      for (let i = start; i < end; i += 1) {
        length += lengthInUtf8(this.#text.charCodeAt(i));
      }
      return length;
    }

    /** Adds a place. Returns whether there is room for one in the text. */
    #addPlace() {
      const end = this.#places.length * BLOCK;
      if (end > this.#text.length) {
        return false;
      }
      this.#places.push(this.#places.at(-1) + this.#length(end - BLOCK, end));
      return true;
    }

    /** The offset in UTF-8 of a code unit. */
    #toUtf8(index) {
      const block = Math.floor(index / BLOCK);
      while (block >= this.#places.length && this.#addPlace());
      return this.#places[block] + this.#length(block * BLOCK, index);
    }

    /** The code unit at an offset in UTF-8 at which a character begins. */
    #fromUtf8(offset) {
      while (this.#places.at(-1) < offset && this.#addPlace());
      // The last place that is not after it is in [low, high).
      let low = 0;
      let high = this.#places.length;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (this.#places[middle] <= offset) {
          low = middle;
        } else {
          high = middle;
        }
      }
      let index = low * BLOCK;
      for (let length = this.#places[low]; length < offset; index += 1) {
        length += lengthInUtf8(this.#text.charCodeAt(index));
      }
      return index;
    }
  }

  defineInterface(OffsetMap, "OffsetMap");
  return OffsetMap;
}
