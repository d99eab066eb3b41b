// The engine for Node: an addon, built from ../../native.

import { LONGEST_STRING } from "./limit.js";

/** The name of the addon for this platform. Linux has two C libraries. */
export function platforms({ arch, platform }) {
  return platform === "linux" ? [`linux-${arch}-gnu`, `linux-${arch}-musl`] : [`${platform}-${arch}`];
}

/** A `Uint8Array` of the addon's result, which is a `Buffer`; or the array that says what failed. */
function bytesOf(result) {
  return Array.isArray(result) ? result : new Uint8Array(result.buffer, result.byteOffset, result.length);
}

export function nativeEngine(addon) {
  class ReportDecoder extends addon.ReportDecoder {
    decodeToUtf8(bytes, stream, keep) {
      return bytesOf(super.decodeToUtf8(bytes, stream, keep));
    }
  }

  class ReportEncoder extends addon.ReportEncoder {
    encode(string, stream, unmappable, replacement, keep) {
      return bytesOf(super.encode(string, stream, unmappable, replacement, keep));
    }
  }

  return {
    name: "native",
    limit: LONGEST_STRING,
    // Node tells the addon where the bytes are, without reading the array's properties.
    readsLengthNatively: true,
    encodings: addon.encodings,
    decode: addon.decode,
    StreamDecoder: addon.StreamDecoder,
    Decoder: ReportDecoder,
    Encoder: ReportEncoder,
    encode: (encoding, unmappable, replacement, string) =>
      bytesOf(addon.encode(encoding, unmappable, replacement, string)),
    encodeUtf8: (string) => bytesOf(addon.encode(0, 0, 0, string)),
    encodeInto: addon.encodeInto,
    percentEncode: addon.percentEncode,
    detect: (hints, bytes) => addon.detect(bytes, ...hints),
    mapOffsets: (encoding, bom, bytes) => bytesOf(addon.mapOffsets(encoding, bom, bytes)),
    readMap: addon.readMap,
    sourceRange: addon.sourceRange,
    textOffset: addon.textOffset,
    firstValid: (list, bytes) => addon.firstValid(list, bytes) ?? -1,
    segments: addon.segments,
  };
}
