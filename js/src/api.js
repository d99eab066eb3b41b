// The whole API, on top of an engine. An engine is an object with
//
//   name                    "native" or "wasm"
//   limit                   the length of the longest string, in code units
//   readsLengthNatively     whether it takes a Uint8Array of which a script may have changed the properties
//   encodings()             names and labels, a line for each encoding
//   decode(setup, bytes)    a string, or an array that says what failed
//   StreamDecoder           a decoder of streams, for the class TextDecoder
//   Decoder, Encoder        for the classes of that name
//   encode, encodeUtf8, encodeInto, percentEncode, detect
//   mapOffsets, readMap, sourceRange, textOffset, firstValid, segments
//
// and only accepts arguments of the right types; the classes make sure of that.

import { defineDecoder } from "./decoder.js";
import { defineEncoder } from "./encoder.js";
import { readEncodings } from "./encodings.js";
import { defineOffsetMap } from "./offset-map.js";
import { defineTextDecoder } from "./text-decoder.js";
import { defineTextDecoderStream } from "./text-decoder-stream.js";
import { defineTextEncoder } from "./text-encoder.js";
import { defineTextEncoderStream } from "./text-encoder-stream.js";
import { defineTools } from "./tools.js";

export function defineApi(engine) {
  const encodings = readEncodings(engine);
  const Decoder = defineDecoder(engine, encodings);
  return {
    engine: engine.name,
    encodings: encodings.encodings,
    TextDecoder: defineTextDecoder(engine, encodings),
    TextEncoder: defineTextEncoder(engine),
    TextDecoderStream: defineTextDecoderStream(engine, encodings),
    TextEncoderStream: defineTextEncoderStream(engine),
    Decoder,
    Encoder: defineEncoder(engine, encodings),
    OffsetMap: defineOffsetMap(engine, encodings, Decoder),
    ...defineTools(engine, encodings),
  };
}
