// TextDecoderStream (section 7.5): a decoder within the platform's TransformStream.

import { illegalInvocation } from "./errors.js";
import { decoderCommon, decoderSetup } from "./text-decoder.js";
import { bytesOf, checkBufferSource, defineInterface } from "./web-idl.js";

const NO_BYTES = new Uint8Array(0);

export function defineTextDecoderStream(engine, encodings) {
  const common = decoderCommon(encodings);
  const { TransformStream } = globalThis;

  class TextDecoderStream {
    #setup;
    #transform;

    constructor(label = "utf-8", options = undefined) {
      const setup = decoderSetup(encodings, label, options);
      const decoder = new engine.StreamDecoder(setup);
      const process = (bytes, stream, controller) => {
        const text = common.text(decoder.decode(bytes, stream), setup, engine.limit);
        if (text !== "") {
          controller.enqueue(text);
        }
      };
      this.#setup = setup;
      this.#transform = new TransformStream({
        // Members that a script has given Object.prototype are not to be read.
        __proto__: null,
        transform(chunk, controller) {
          checkBufferSource(chunk, "The chunk");
          process(bytesOf(chunk), true, controller);
        },
        flush(controller) {
          process(NO_BYTES, false, controller);
        },
      });
    }

    get encoding() {
      if (!(#setup in this)) throw illegalInvocation("TextDecoderStream");
      return common.encoding(this.#setup);
    }

    get fatal() {
      if (!(#setup in this)) throw illegalInvocation("TextDecoderStream");
      return common.fatal(this.#setup);
    }

    get ignoreBOM() {
      if (!(#setup in this)) throw illegalInvocation("TextDecoderStream");
      return common.ignoreBOM(this.#setup);
    }

    get readable() {
      if (!(#setup in this)) throw illegalInvocation("TextDecoderStream");
      return this.#transform.readable;
    }

    get writable() {
      if (!(#setup in this)) throw illegalInvocation("TextDecoderStream");
      return this.#transform.writable;
    }
  }

  defineInterface(TextDecoderStream, "TextDecoderStream");
  return TextDecoderStream;
}
