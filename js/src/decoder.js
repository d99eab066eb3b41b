// Decoder: replaces what is malformed, and reports where each sequence is.

import { decodeError, valueError } from "./errors.js";
import { bytesOf, checkBufferSource, defineInterface, dictionary, domString } from "./web-idl.js";

export const BOMS = ["sniff", "strip", "keep"];
const NO_BYTES = new Uint8Array(0);

export function defineDecoder(engine, encodings) {
  class Decoder {
    #setup;
    #decoder;
    #malformed = [];
    /** The next call begins a new stream. */
    #ended = false;

    constructor(label = "utf-8", options = undefined) {
      const labelString = domString(label);
      const { bom = "sniff", keepMalformed = 1000 } = dictionary(options, "options");
      const mode = choice(BOMS, bom, "bom");
      const keep = Number(keepMalformed);
      if (!(keep >= 0)) {
        throw valueError(`keepMalformed is ${keep}; it must be 0 or more`);
      }
      const number = encodings.findAny(labelString);
      this.#setup = [number, mode, Math.min(keep, 0xFFFF_FFFF)];
      this.#decoder = new engine.Decoder(...this.#setup);
    }

    get encoding() {
      return encodings.encodings[this.#decoder.encoding()].name;
    }

    get errors() {
      return this.#decoder.errors();
    }

    get malformed() {
      return this.#malformed;
    }

    decode(input = undefined, options = undefined) {
      return this.#call(input, options, (bytes, stream) => this.#decoder.decode(bytes, stream));
    }

    decodeToUtf8(input = undefined, options = undefined) {
      return this.#call(input, options, (bytes, stream) => this.#decoder.decodeToUtf8(bytes, stream));
    }

    #call(input, options, decode) {
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
      }
      this.#ended = !stream;
      const output = decode(bytes, stream);
      const numbers = this.#decoder.takeMalformed();
      for (let i = 0; i < numbers.length; i += 6) {
        const length = numbers[i + 1];
        this.#malformed.push({ offset: numbers[i], bytes: Uint8Array.from(numbers.slice(i + 2, i + 2 + length)) });
      }
      if (Array.isArray(output)) {
        // Part of the text is lost, so nothing can follow it.
        const name = this.encoding;
        this.#ended = true;
        this.#decoder = new engine.Decoder(...this.#setup);
        throw decodeError(name, output, engine.limit);
      }
      return output;
    }
  }

  defineInterface(Decoder, "Decoder");
  return Decoder;
}
