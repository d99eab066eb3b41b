// TextDecoder (section 7.2), and what it shares with TextDecoderStream (7.1).

import { MALFORMED, decodeError, illegalInvocation } from "./errors.js";
import { bufferSource, bytesOf, checkBufferSource, defineInterface, dictionary, domString } from "./web-idl.js";

export const FATAL = 0x40;
export const IGNORE_BOM = 0x80;

/**
 * The arguments of both constructors, converted in the order of Web IDL.
 *
 * @returns {number} the encoding's number and the options, as engines take them
 */
export function decoderSetup(encodings, label, options) {
  const labelString = label === undefined ? "utf-8" : domString(label);
  const members = dictionary(options, "options");
  // Read in alphabetical order, each only once.
  const fatal = Boolean(members.fatal);
  const ignoreBOM = Boolean(members.ignoreBOM);
  return encodings.findDecoding(labelString) | (fatal ? FATAL : 0) | (ignoreBOM ? IGNORE_BOM : 0);
}

/** The getters of TextDecoderCommon, each of which reads a setup. */
export function decoderCommon(encodings) {
  return {
    encoding: (setup) => encodings.lowerNames[setup & 0x3F],
    fatal: (setup) => (setup & FATAL) !== 0,
    ignoreBOM: (setup) => (setup & IGNORE_BOM) !== 0,
    /** Returns the engine's result if it is a string, and otherwise throws the error. */
    text: (result, setup, limit) => {
      if (typeof result === "string") {
        return result;
      }
      throw decodeError(encodings.encodings[setup & 0x3F].name, result, limit);
    },
  };
}

export function defineTextDecoder(engine, encodings) {
  const common = decoderCommon(encodings);

  // For each setup, a decoder whose stream has ended, for the next stream: what nobody uses any more is not freed
  // before the event loop turns.
  const idle = [];

  class TextDecoder {
    #setup;
    /** The engine's decoder, from the first call with `stream` up to the first call without it. */
    #stream = null;

    constructor(label = "utf-8", options = undefined) {
      this.#setup = decoderSetup(encodings, label, options);
    }

    get encoding() {
      if (!(#setup in this)) throw illegalInvocation("TextDecoder");
      return common.encoding(this.#setup);
    }

    get fatal() {
      if (!(#setup in this)) throw illegalInvocation("TextDecoder");
      return common.fatal(this.#setup);
    }

    get ignoreBOM() {
      if (!(#setup in this)) throw illegalInvocation("TextDecoder");
      return common.ignoreBOM(this.#setup);
    }

    decode(input = undefined, options = undefined) {
      if (!(#setup in this)) throw illegalInvocation("TextDecoder");
      let bytes = NO_BYTES;
      let stream = false;
      if (options === undefined) {
        bytes = input === undefined ? NO_BYTES : bufferSource(input, engine.readsLengthNatively, "The input");
      } else {
        if (input !== undefined) {
          checkBufferSource(input, "The input");
        }
        // This may run a script, which may do anything to the bytes.
        stream = Boolean(dictionary(options, "options").stream);
        bytes = input === undefined ? NO_BYTES : bytesOf(input);
      }
      const setup = this.#setup;
      let result;
      if (this.#stream === null && !stream) {
        result = engine.decode(setup, bytes);
      } else {
        let decoder = this.#stream;
        if (decoder === null) {
          decoder = idle[setup] ?? new engine.StreamDecoder(setup);
          idle[setup] = undefined;
        }
        // This is set before anything can throw: after a call without `stream`, the next call begins a new
        // stream.
        this.#stream = stream ? decoder : null;
        result = decoder.decode(bytes, stream);
        if (!stream && (typeof result === "string" || result[0] === MALFORMED)) {
          idle[setup] = decoder;
        }
      }
      if (typeof result === "string") {
        return result;
      }
      if (result[0] !== MALFORMED) {
        // The text doesn't fit, and part of it is lost, so nothing can follow it.
        this.#stream = null;
      }
      return common.text(result, setup, engine.limit);
    }
  }

  defineInterface(TextDecoder, "TextDecoder");
  return TextDecoder;
}

const NO_BYTES = new Uint8Array(0);
