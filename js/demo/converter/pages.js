// Cuts a stream of bytes into pages that can be decoded one by one, in any order.
//
// A page ends where the decoder holds nothing back, so that its flush returns nothing. Only ISO-2022-JP has a
// state beyond that: what the last escape sequence selected. Each page keeps it as a prefix.

import { Decoder } from "simdtext";

/** The size of a page in bytes: enough to read for minutes, and small enough to lay out at once. */
export const PAGE_BYTES = 16 * 1024;

/** The maximum number of bytes that a decoder holds back, in any encoding. */
const LONGEST_PENDING = 3;

/** How many malformed sequences of a page are reported individually. In a wrong encoding, each byte can be one. */
const MALFORMED_PER_PAGE = 1000;

const NOTHING = { bytes: new Uint8Array(0), codeUnits: 0 };

/** The start of a file's first page, which needs no prefix. */
export const firstPage = () => ({ start: 0, end: 0, prefix: NOTHING });

/**
 * Finds the end of the page that starts where `bytes` do, and decodes it.
 *
 * @param {Uint8Array} bytes at least a page, or, if `last`, the rest of the file.
 * @returns the page, what it decoded to, and the next page's beginning.
 */
export function cutPage(encoding, begun, bytes, last) {
  if (last && bytes.length <= PAGE_BYTES) {
    return finish(encoding, begun, bytes, true);
  }
  const wanted = afterLineEnd(encoding, bytes.subarray(0, PAGE_BYTES));
  for (let back = 0; back <= LONGEST_PENDING; back++) {
    const cut = finish(encoding, begun, bytes.subarray(0, wanted - back), false);
    if (cut) {
      return cut;
    }
  }
  throw new Error(`no end of a character near byte ${begun.start + wanted} in ${encoding}`);
}

/** Decodes the page as if it ended here; `null` if the decoder still holds bytes back, unless `forced`. */
function finish(encoding, begun, bytes, forced) {
  const decoder = new Decoder(encoding, options(begun.start, 0));
  decoder.decodeToUtf8(begun.prefix.bytes, { stream: true });
  decoder.decodeToUtf8(bytes, { stream: true });
  const errors = decoder.errors;
  const flushed = decoder.decodeToUtf8();
  if (flushed.length > 0 && !forced) {
    return null;
  }
  const end = begun.start + bytes.length;
  const page = { ...begun, end };
  const prefix = encoding === "ISO-2022-JP" ? escapePrefix(begun.prefix, bytes) : NOTHING;
  return {
    page,
    errors: forced ? decoder.errors : errors,
    next: { start: end, end, prefix },
  };
}

/** Only the file's first page can begin with a byte order mark. */
const options = (start, keepMalformed) => ({ bom: start === 0 ? "strip" : "keep", keepMalformed });

/** A page is easiest to read if it ends with a line: cuts after the last line end in its second half, if any. */
function afterLineEnd(encoding, bytes) {
  const wide = encoding.startsWith("UTF-16");
  const full = wide ? bytes.length & ~1 : bytes.length;
  for (let at = full - 1; at > full / 2; at--) {
    if (bytes[at] === 0x0a) {
      if (!wide) {
        return at + 1;
      }
      const [low, high] = encoding === "UTF-16LE" ? [at, at + 1] : [at, at - 1];
      if (Math.min(low, high) % 2 === 0 && bytes[high] === 0) {
        return Math.max(low, high) + 1;
      }
    }
  }
  return full;
}

/** The escape sequences of ISO-2022-JP, each with the bytes of a character in the set that it selects. */
const ESCAPES = new Map([
  ["(B", [0x41]],
  ["(J", [0x41]],
  ["(I", [0x21]],
  ["$@", [0x21, 0x21]],
  ["$B", [0x21, 0x21]],
]);

/** The bytes that bring a fresh decoder into the state after `bytes`: the last escape sequence, and a
 * character unless nothing follows it, because two escape sequences with nothing between them are an error.
 */
function escapePrefix(before, bytes) {
  for (let at = bytes.length - 3; at >= 0; at--) {
    const escape = bytes.subarray(at, at + 3);
    if (escape[0] === 0x1b && ESCAPES.has(String.fromCharCode(escape[1], escape[2]))) {
      return prefixOf(escape, at + 3 === bytes.length);
    }
  }
  const none = before.bytes.length === 0 || bytes.length === 0;
  return none ? before : prefixOf(before.bytes.subarray(0, 3), false);
}

function prefixOf(escape, justNow) {
  const character = justNow ? [] : ESCAPES.get(String.fromCharCode(escape[1], escape[2]));
  return { bytes: Uint8Array.from([...escape, ...character]), codeUnits: justNow ? 0 : 1 };
}

/** Decodes a page to text, and reports for each malformed sequence where it is in the file and in the text.
/**
/** @param {Uint8Array} bytes the bytes of the page.
 */
export function readPage(encoding, page, bytes, lastPage) {
  const prefix = page.prefix;
  const finder = new Decoder(encoding, options(page.start, MALFORMED_PER_PAGE));
  finder.decodeToUtf8(prefix.bytes, { stream: true });
  finder.decodeToUtf8(bytes, { stream: !lastPage });
  const found = finder.malformed.map(({ offset, bytes: sequence }) => ({
    at: offset - prefix.bytes.length,
    bytes: sequence,
  }));
  // Everything before a malformed sequence has become text, except a sequence right before it that the next
  // byte shows to be malformed. In ISO-2022-JP, an escape sequence that is followed by another one may even
  // be before the page.
  const decoder = new Decoder(encoding, options(page.start, 0));
  let text = decoder.decode(prefix.bytes, { stream: true }).slice(prefix.codeUnits);
  let fed = 0;
  let least = 0;
  const malformed = found.map(({ at, bytes: sequence }) => {
    const upTo = Math.max(fed, at);
    text += decoder.decode(bytes.subarray(fed, upTo), { stream: true });
    fed = upTo;
    const textAt = Math.max(text.length, least);
    least = textAt + 1;
    return { offset: page.start + at, bytes: sequence, textAt };
  });
  text += decoder.decode(bytes.subarray(fed), { stream: !lastPage });
  return { text, malformed };
}
