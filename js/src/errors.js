// The errors of the package. They are of the types that the standard asks for, and say where and what.

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");

/** A property that is there for programs, and does not clutter what is printed. */
function add(error, name, value) {
  Object.defineProperty(error, name, { value, configurable: true, enumerable: false, writable: true });
}

// Labels come from headers, and may be anything (code units).
const LONGEST_SHOWN = 100;

/** No encoding has the label; or none that the call can use. */
export function labelError(label, why = "is not a label of any encoding") {
  const shown = label.length <= LONGEST_SHOWN ? label : `${label.slice(0, LONGEST_SHOWN)}…`;
  const error = new RangeError(`The label ${JSON.stringify(shown)} ${why}`);
  add(error, "code", "ERR_ENCODING_NOT_SUPPORTED");
  return error;
}

/** Malformed input in fatal mode. `numbers`: the offset in the stream, and the bytes. */
export function malformedError(encoding, numbers) {
  const [offset, ...values] = numbers;
  const bytes = Uint8Array.from(values);
  const error = new TypeError(
    `The input is not valid ${encoding}: malformed ${bytes.length === 1 ? "byte" : "bytes"} ${hex(bytes)} `
      + `at offset ${offset}`,
  );
  add(error, "code", "ERR_ENCODING_INVALID_ENCODED_DATA");
  add(error, "offset", offset);
  add(error, "bytes", bytes);
  return error;
}

/** The text is longer than a string can be. */
export function tooLongError(limit) {
  const error = new RangeError(
    `The text is longer than ${limit} code units, the longest string there can be; decode it in pieces`,
  );
  add(error, "code", "ERR_STRING_TOO_LONG");
  return error;
}

/** A character that the encoding does not have. */
export function unmappableError(encoding, codePoint, index) {
  const number = codePoint.toString(16).toUpperCase().padStart(4, "0");
  const error = new TypeError(
    `${encoding} has no character U+${number}, which stands at index ${index} of the string`,
  );
  add(error, "code", "ERR_ENCODING_UNMAPPABLE");
  add(error, "codePoint", codePoint);
  add(error, "index", index);
  return error;
}
