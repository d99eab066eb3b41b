// Converts from one encoding to another, chunk by chunk, and records the characters that the target lacks.

import { Decoder, Encoder } from "simdtext";

/** How many unmappable characters are examined for the list. All are counted. */
const KEPT = 100_000;

/** How many different unmappable characters are listed. */
const LISTED = 200;

/** `convert(bytes, { stream })` returns bytes. `lost()` returns how many characters were unmappable, and the
 * most frequent ones.
 */
export function converter(from, to, unmappable) {
  const decoder = new Decoder(from, { bom: "strip", keepMalformed: 0 });
  if (to === "UTF-8") {
    return { convert: (bytes, options) => decoder.decodeToUtf8(bytes, options), lost: () => undefined };
  }
  const encoder = new Encoder(to, { unmappable, keepUnmappable: KEPT });
  return {
    convert: (bytes, options) => encoder.encode(decoder.decode(bytes, options), options),
    lost() {
      const times = new Map();
      for (const { codePoint } of encoder.unmappable) {
        times.set(codePoint, (times.get(codePoint) ?? 0) + 1);
      }
      const listed = [...times].map(([codePoint, count]) => ({ codePoint, times: count }));
      listed.sort((one, other) => other.times - one.times || one.codePoint - other.codePoint);
      return {
        errors: encoder.errors,
        listed: listed.slice(0, LISTED),
        all: encoder.errors <= KEPT && listed.length <= LISTED,
      };
    },
  };
}
