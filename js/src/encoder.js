// Encoder: encodes in pieces, and reports each character that the encoding lacks.

import { encodeError, valueError } from "./errors.js";
import { UNMAPPABLE, choice, oneCharacter } from "./tools.js";
import { defineInterface, dictionary, domString } from "./web-idl.js";

export function defineEncoder(engine, encodings) {
  class Encoder {
    #number;
    #setup;
    #encoder;
    #unmappable = [];
    /** The next call begins a new stream. */
    #ended = false;

    constructor(label = "utf-8", options = undefined) {
      const labelString = domString(label);
      const members = dictionary(options, "options");
      const { keepUnmappable = 1000, replacement = "?", unmappable = "html" } = members;
      const keep = Number(keepUnmappable);
      if (!(keep >= 0)) {
        throw valueError(`keepUnmappable is ${keep}; it must be 0 or more`);
      }
      this.#keep = Math.min(keep, 0xFFFF_FFFF);
      this.#codePoint = oneCharacter(replacement, "replacement");
      this.#mode = choice(UNMAPPABLE, unmappable, "unmappable");
      this.#number = encodings.findEncoding(labelString);
      this.#setup = [this.#number, mode, codePoint, Math.min(keep, 0xFFFF_FFFF)];
      this.#encoder = new engine.Encoder(...this.#setup);
    }

    get encoding() {
      return encodings.encodings[this.#number].name;
    }

    get errors() {
      return this.#encoder.errors();
    }

    get unmappable() {
      return this.#unmappable;
    }

    encode(input = "", options = undefined) {
      const string = domString(input);
      const stream = Boolean(dictionary(options, "options").stream);
      if (this.#ended) {
        this.#unmappable = [];
      }
      this.#ended = !stream;
      const output = this.#encoder.encode(string, stream);
      const numbers = this.#encoder.takeUnmappable();
      for (let i = 0; i < numbers.length; i += 2) {
        this.#unmappable.push({ codePoint: numbers[i], index: numbers[i + 1] });
      }
      if (Array.isArray(output)) {
        // An unmappable character throws, or there is no memory. Part of the bytes is lost, so nothing can follow
        // them.
        this.#ended = true;
        this.#encoder = new engine.Encoder(...this.#setup);
        throw encodeError(this.encoding, output);
      }
      return output;
    }
  }

  defineInterface(Encoder, "Encoder");
  return Encoder;
}
