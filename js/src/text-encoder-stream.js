// TextEncoderStream (section 7.6).

import { illegalInvocation } from "./errors.js";
import { encodeUtf8 } from "./text-encoder.js";
import { defineInterface, domString } from "./web-idl.js";

const isLeading = (unit) => (unit & 0xFC00) === 0xD800;

export function defineTextEncoderStream(engine) {
  const { TransformStream } = globalThis;

  class TextEncoderStream {
    #transform;

    constructor() {
      // The standard's *leading surrogate*, as a string, which waits for its other half.
      let leading = "";
      this.#transform = new TransformStream({
        // Members that a script has given Object.prototype are not to be read.
        __proto__: null,
        transform(chunk, controller) {
          let string = domString(chunk);
          if (string === "") {
            return;
          }
          string = leading + string;
          leading = "";
          if (isLeading(string.charCodeAt(string.length - 1))) {
            leading = string.slice(-1);
            string = string.slice(0, -1);
          }
          if (string !== "") {
            controller.enqueue(encodeUtf8(engine, string));
          }
        },
        flush(controller) {
          if (leading !== "") {
            controller.enqueue(encodeUtf8(engine, leading));
          }
        },
      });
    }

    get encoding() {
      if (!(#transform in this)) throw illegalInvocation("TextEncoderStream");
      return "utf-8";
    }

    get readable() {
      if (!(#transform in this)) throw illegalInvocation("TextEncoderStream");
      return this.#transform.readable;
    }

    get writable() {
      if (!(#transform in this)) throw illegalInvocation("TextEncoderStream");
      return this.#transform.writable;
    }
  }

  defineInterface(TextEncoderStream, "TextEncoderStream");
  return TextEncoderStream;
}
