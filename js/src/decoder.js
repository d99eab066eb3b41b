// Decoder: replaces what is malformed, and reports where each sequence is.

import { decodeError, valueError } from "./errors.js";
import { choice } from "./tools.js";
import { bytesOf, checkBufferSource, defineInterface, dictionary, domString } from "./web-idl.js";

export const BOMS = ["sniff", "strip", "keep"];
const NO_BYTES = new Uint8Array(0);

export function defineDecoder(engine, encodings) {
  // For each encoding and kind of byte order mark, a decoder of the engine whose stream has ended, for the next
  // stream: what nobody uses any more is not freed before the event loop turns.
  const idle = [];

  class Decoder {
    #number;
    #mode;
    #keep;
    /** The engine's decoder, during a stream. */
    #decoder = null;
    #encoding;
    #errors = 0;
    #malformed = [];

    constructor(label = "utf-8", options = undefined) {
      const labelString = domString(label);
      const { bom = "sniff", keepMalformed = 1000 } = dictionary(options, "options");
      const mode = choice(BOMS, bom, "bom");
      const keep = Number(keepMalformed);
      if (!(keep >= 0)) {
        throw valueError(`keepMalformed is ${keep}; it must be 0 or more`);
      }
      this.#number = encodings.findAny(labelString);
      this.#encoding = this.#number;
      this.#mode = mode;
      this.#keep = Math.min(keep, 0xFFFF_FFFF);
    }

    get encoding() {
      return encodings.encodings[this.#encoding].name;
    }

    get errors() {
      return this.#errors;
    }

    get malformed() {
      return this.#malformed;
    }

    decode(input = undefined, options = undefined) {
      return this.#call("decode", input, options);
    }

    decodeToUtf8(input = undefined, options = undefined) {
      return this.#call("decodeToUtf8", input, options);
    }

    #call(method, input, options) {
      if (input !== undefined) {
        checkBufferSource(input, "The input");
      }
      const stream = Boolean(dictionary(options, "options").stream);
      const bytes = input === undefined ? NO_BYTES : bytesOf(input);
      const setup = this.#number * BOMS.length + this.#mode;
      let decoder = this.#decoder;
      if (decoder === null) {
        decoder = idle[setup] ?? new engine.Decoder(this.#number, this.#mode);
        idle[setup] = undefined;
        this.#malformed = [];
        this.#errors = 0;
      }
      // If this call throws, part of the text is lost, and nothing can follow it.
      this.#decoder = null;
      const keep = Math.max(this.#keep - this.#malformed.length, 0);
      const output = decoder[method](bytes, stream, keep);
      this.#encoding = decoder.encoding();
      const errors = decoder.errors();
      const numbers = errors > this.#errors ? decoder.takeMalformed() : [];
      this.#errors = errors;
      for (let i = 0; i < numbers.length; i += 6) {
        const length = numbers[i + 1];
        this.#malformed.push({ offset: numbers[i], bytes: Uint8Array.from(numbers.slice(i + 2, i + 2 + length)) });
      }
      if (Array.isArray(output)) {
        throw decodeError(this.encoding, output, engine.limit);
      }
      if (stream) {
        this.#decoder = decoder;
      } else {
        idle[setup] = decoder;
      }
      return output;
    }
  }

  defineInterface(Decoder, "Decoder");
  return Decoder;
}
