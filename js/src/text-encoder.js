// TextEncoder (section 7.4).

import { encodeError, illegalInvocation, missingError } from "./errors.js";
import { byteLength, checkUint8Array, defineInterface, domString, write } from "./web-idl.js";

/** Returns the bytes of a string. @throws {RangeError} if there is no memory for them */
export function encodeUtf8(engine, string) {
  const bytes = engine.encodeUtf8(string);
  if (Array.isArray(bytes)) {
    throw encodeError("UTF-8", bytes);
  }
  return bytes;
}

export function defineTextEncoder(engine) {
  class TextEncoder {
    // There is no state. The private field marks an object as a TextEncoder.
    #brand = true;

    get encoding() {
      if (!(#brand in this)) throw illegalInvocation("TextEncoder");
      return "utf-8";
    }

    encode(input = "") {
      if (!(#brand in this)) throw illegalInvocation("TextEncoder");
      return encodeUtf8(engine, domString(input));
    }

    encodeInto(source, destination) {
      if (!(#brand in this)) throw illegalInvocation("TextEncoder");
      if (arguments.length < 2) {
        throw missingError(`encodeInto takes a string and a Uint8Array; ${arguments.length} of them were given`);
      }
      const string = domString(source);
      checkUint8Array(destination, "The destination");
      // The engine writes to memory of its own, because the destination may be shared with another thread.
      const [read, bytes] = engine.encodeInto(string, byteLength(destination));
      if (Array.isArray(bytes)) {
        throw encodeError("UTF-8", bytes);
      }
      if (bytes.length > 0) {
        write(bytes, destination);
      }
      return { read, written: bytes.length };
    }
  }

  defineInterface(TextEncoder, "TextEncoder");
  return TextEncoder;
}
