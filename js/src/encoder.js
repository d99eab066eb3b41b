// Encoder: encodes in pieces, and reports each character that the encoding lacks.

import { UNMAPPABLE as UNMAPPABLE_FOUND, encodeError, valueError } from "./errors.js";
import { UNMAPPABLE, choice, oneCharacter } from "./tools.js";
import { defineInterface, dictionary, domString } from "./web-idl.js";

export function defineEncoder(engine, encodings) {
  // For each encoding, an encoder of the engine whose stream has ended, for the next stream: what nobody uses any more
  // is not freed before the event loop turns.
  const idle = [];

  class Encoder {
    #number;
    #mode;
    #codePoint;
    #keep;
    /** The engine's encoder, during a stream. */
    #encoder = null;
    #errors = 0;
    #unmappable = [];

    constructor(label = "utf-8", options = undefined) {
      const labelString = domString(label);
      const members = dictionary(options, "options");
      const { keepUnmappable = 1000, replacement = "?", unmappable = "throw" } = members;
      const keep = Number(keepUnmappable);
      if (!(keep >= 0)) {
        throw valueError(`keepUnmappable is ${keep}; it must be 0 or more`);
      }
      this.#keep = Math.min(keep, 0xFFFF_FFFF);
      this.#codePoint = oneCharacter(replacement, "replacement");
      this.#mode = choice(UNMAPPABLE, unmappable, "unmappable");
      this.#number = encodings.findEncoding(labelString);
    }

    get encoding() {
      return encodings.encodings[this.#number].name;
    }

    get errors() {
      return this.#errors;
    }

    get unmappable() {
      return this.#unmappable;
    }

    encode(input = "", options = undefined) {
      const string = domString(input);
      const stream = Boolean(dictionary(options, "options").stream);
      const number = this.#number;
      let encoder = this.#encoder;
      if (encoder === null) {
        encoder = idle[number] ?? new engine.Encoder(number);
        idle[number] = undefined;
        this.#unmappable = [];
        this.#errors = 0;
      }
      // If this call throws, part of the bytes is lost, and nothing can follow them.
      this.#encoder = null;
      const keep = Math.max(this.#keep - this.#unmappable.length, 0);
      const output = encoder.encode(string, stream, this.#mode, this.#codePoint, keep);
      const errors = encoder.errors();
      const numbers = errors > this.#errors ? encoder.takeUnmappable() : [];
      this.#errors = errors;
      for (let i = 0; i < numbers.length; i += 2) {
        this.#unmappable.push({ codePoint: numbers[i], index: numbers[i + 1] });
      }
      const failed = Array.isArray(output);
      if (stream && !failed) {
        this.#encoder = encoder;
      } else if (!failed || output[0] === UNMAPPABLE_FOUND) {
        // In both cases its next call begins a new stream.
        idle[number] = encoder;
      }
      if (failed) {
        throw encodeError(this.encoding, output);
      }
      return output;
    }
  }

  defineInterface(Encoder, "Encoder");
  return Encoder;
}
