// What every entry exports. The declarations are in ../types/index.d.ts.
export const NAMES = [
  "engine",
  "encodings",
  "labelToName",
  "TextDecoder",
  "TextEncoder",
  "TextDecoderStream",
  "TextEncoderStream",
  "Decoder",
  "Encoder",
  "decode",
  "encode",
  "percentEncodeAfterEncoding",
  "detect",
];
