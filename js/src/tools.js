// Functions beyond section 7: the standard's hooks, encoders, and detection.

import {
  MALFORMED,
  UNMAPPABLE as UNMAPPABLE_FOUND,
  decodeError,
  encodeError,
  labelError,
  tooLongError,
  typeError,
  valueError,
} from "./errors.js";
import { FATAL, IGNORE_BOM } from "./text-decoder.js";
import { bytesOf, checkBufferSource, dictionary, domString } from "./web-idl.js";

export const UNMAPPABLE = ["throw", "html", "replace", "skip"];

const SETS = [
  "c0-control",
  "fragment",
  "query",
  "special-query",
  "path",
  "userinfo",
  "component",
  "application/x-www-form-urlencoded",
];

// Why a segment is in its encoding.
const REASONS = ["ascii", "utf-8", "escapes", "first-of-list", "otherwise"];

const FORMATS = [undefined, "html", "xml", "css", "text"];

// More of a header (in code units) is not read. Servers and browsers allow less.
const LONGEST_HEADER = 1 << 20;

// No label of a host name is longer.
const LONGEST_TLD = 63;

// If there are more bytes than this, only the beginning is examined.
const MOST_DETECTED = 64 << 20;

/** Returns the position of an option's value in the list of those allowed. @throws {RangeError} */
export function choice(list, value, what) {
  const string = domString(value);
  const place = list.indexOf(string);
  if (place < 0) {
    const choices = list.filter((item) => item !== undefined).map((item) => JSON.stringify(item));
    throw valueError(`${what} is ${JSON.stringify(string)}; it must be one of ${choices.join(", ")}`);
  }
  return place;
}

/** Returns the code point of a string of one character. @throws {RangeError} */
export function oneCharacter(value, what) {
  const string = domString(value);
  const codePoint = string.codePointAt(0);
  if (codePoint === undefined || string !== String.fromCodePoint(codePoint)) {
    throw valueError(`${what} is ${JSON.stringify(string)}; it must be one character`);
  }
  return codePoint;
}

// How many code units are percent-encoded at a time. Each may take nine bytes, and all of them together more memory
// than there is.
const PIECE = 1 << 20;

/** Yields the pieces of a string, which are not cut within surrogate pairs; one if it is empty. */
function* piecesOf(string) {
  let start = 0;
  while (string.length - start > PIECE) {
    const end = start + PIECE - Number((string.charCodeAt(start + PIECE - 1) & 0xFC00) === 0xD800);
    yield string.slice(start, end);
    start = end;
  }
  yield start === 0 ? string : string.slice(start);
}

export function defineTools(engine, encodings) {
  // The only encoder whose output depends on what came before.
  const stateful = encodings.find("iso-2022-jp");
  // Its text is not cut. With escape sequences around each character, and references, a code unit may become 17
  // characters, and more would not fit into a string.
  const longestStateful = Math.floor(engine.limit / 17);
  const utf8 = encodings.find("utf-8");
  const wide = [encodings.find("utf-16le"), encodings.find("utf-16be")];

  const labelOf = (label) => label === undefined ? "utf-8" : domString(label);

  const findAny = (label) => encodings.findAny(labelOf(label));

  function labelToName(label) {
    const number = encodings.find(domString(label));
    return number === undefined ? null : encodings.encodings[number].name;
  }

  function decode(bytes, label = "utf-8") {
    checkBufferSource(bytes, "The input");
    const number = findAny(label);
    const input = bytesOf(bytes);
    const decider = bomLabel(input);
    const encoding = decider === undefined ? number : encodings.find(decider);
    if (encoding === encodings.replacement) {
      return input.length > 0 ? "\uFFFD" : "";
    }
    const text = engine.decode(encoding, input);
    if (typeof text !== "string") {
      throw decodeError(encodings.encodings[encoding].name, text, engine.limit);
    }
    return text;
  }

  function encode(string, label = "utf-8", options = undefined) {
    const input = domString(string);
    const labelString = labelOf(label);
    const members = dictionary(options, "options");
    const { replacement = "?", unmappable = "throw" } = members;
    const codePoint = oneCharacter(replacement, "replacement");
    const mode = choice(UNMAPPABLE, unmappable, "unmappable");
    const encoding = encodings.findEncoding(labelString);
    const bytes = engine.encode(encoding, mode, codePoint, input);
    if (Array.isArray(bytes)) {
      throw encodeError(encodings.encodings[encoding].name, bytes);
    }
    return bytes;
  }

  function percentEncodeAfterEncoding(string, label = "utf-8", options = undefined) {
    const input = domString(string);
    const number = findAny(label);
    const members = dictionary(options, "options");
    const { set = "special-query", spaceAsPlus } = members;
    const place = choice(SETS, set, "set");
    const plus = spaceAsPlus === undefined ? place === SETS.length - 1 : Boolean(spaceAsPlus);
    if (number === stateful && input.length > longestStateful) {
      throw tooLongError(longestStateful, "encode", "the longest that is percent-encoded in ISO-2022-JP");
    }
    let output = "";
    for (const piece of number === stateful ? [input] : piecesOf(input)) {
      const encoded = engine.percentEncode(number, place, plus, piece);
      if (output.length + encoded.length > engine.limit) {
        throw tooLongError(engine.limit, "encode");
      }
      output += encoded;
    }
    return output;
  }

  function detect(bytes, hints = undefined) {
    checkBufferSource(bytes, "The input");
    const members = dictionary(hints, "hints");
    const { complete = true, contentType, environment, format, override, tld } = members;
    const optional = (value) => value === undefined || value === null ? undefined : domString(value);
    const [type, chosen, referrer, topLevel] = [contentType, override, environment, tld].map(optional);
    const formatNumber = format === undefined ? 0 : choice(FORMATS, format, "format");
    const numberOf = (label) => label === undefined ? undefined : encodings.find(label);
    const input = bytesOf(bytes);
    const [first, ...rest] = engine.detect(
      [
        type?.slice(0, LONGEST_HEADER),
        formatNumber,
        numberOf(chosen),
        numberOf(referrer),
        topLevel?.length <= LONGEST_TLD ? topLevel : undefined,
        !complete || input.length > MOST_DETECTED,
      ],
      input.subarray(0, MOST_DETECTED),
    ).slice(0, -1).split("\n");
    const [encoding, evidence, certain, reason, bomLength, binary] = first.split("\t");
    return {
      encoding: encoding || null,
      evidence,
      certain: certain !== "",
      reason,
      bomLength: Number(bomLength),
      binary: binary !== "",
      candidates: rest.map((line) => {
        const [name, language, bits, malformed] = line.split("\t");
        return { encoding: name, language, bits: Number(bits), malformed: Number(malformed) };
      }),
    };
  }

  function undoDoubleEncoding(string, readAs = "windows-1252") {
    const input = domString(string);
    const encoding = encodings.findAny(domString(readAs));
    if (!encodings.singleByte[encoding]) {
      return null;
    }
    const bytes = engine.encode(encoding, UNMAPPABLE.indexOf("throw"), 0, input);
    if (Array.isArray(bytes)) {
      if (bytes[0] === UNMAPPABLE_FOUND) {
        return null;
      }
      throw encodeError(encodings.encodings[encoding].name, bytes);
    }
    const text = engine.decode(utf8 | FATAL | IGNORE_BOM, bytes);
    if (Array.isArray(text)) {
      if (text[0] === MALFORMED) {
        return null;
      }
      throw decodeError("UTF-8", text, engine.limit);
    }
    // They are the same only if all is ASCII.
    return text === input ? null : text;
  }

  /** The numbers of the encodings that have these labels. */
  function listOf(labels) {
    if (typeof labels === "string" || typeof labels?.[Symbol.iterator] !== "function") {
      throw typeError("The labels are not a list");
    }
    return Uint8Array.from(Array.from(labels, (label) => encodings.findAny(domString(label))));
  }

  function firstValid(bytes, labels) {
    checkBufferSource(bytes, "The input");
    const list = listOf(labels);
    const number = engine.firstValid(list, bytesOf(bytes));
    return number < 0 ? null : encodings.encodings[number].name;
  }

  function segments(bytes, labels, otherwise = "windows-1252", options = undefined) {
    checkBufferSource(bytes, "The input");
    const list = listOf(labels);
    const label = domString(otherwise);
    const iso2022jp = Boolean(dictionary(options, "options").iso2022jp);
    const chosen = encodings.findDecoding(label);
    if (wide.includes(chosen)) {
      throw labelError(label, "is one of UTF-16, which has other line ends than the rest");
    }
    const numbers = engine.segments(list, chosen, iso2022jp, bytesOf(bytes));
    const found = [];
    for (let i = 0, start = 0; i < numbers.length; i += 3) {
      const [end, number, reason] = numbers.slice(i, i + 3);
      found.push({ start, end, encoding: encodings.encodings[number].name, reason: REASONS[reason] });
      start = end;
    }
    return found;
  }

  return {
    labelToName,
    decode,
    encode,
    percentEncodeAfterEncoding,
    detect,
    firstValid,
    segments,
    undoDoubleEncoding,
  };
}

/** *BOM sniff* (section 6). */
function bomLabel(bytes) {
  if (bytes[0] === 0xEF && bytes[1] === 0xBB && bytes[2] === 0xBF) {
    return "utf-8";
  }
  if (bytes[0] === 0xFE && bytes[1] === 0xFF) {
    return "utf-16be";
  }
  return bytes[0] === 0xFF && bytes[1] === 0xFE ? "utf-16le" : undefined;
}
