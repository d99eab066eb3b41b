// The errors of the package. They have the types that the standard requires, and say what is wrong and where.

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");

/** Adds a property for programs, which is not shown when the error is printed. */
function add(error, name, value) {
  // Without a prototype: a script may have given Object.prototype a `get`.
  const attributes = { __proto__: null, value, configurable: true, enumerable: false, writable: true };
  Object.defineProperty(error, name, attributes);
}

/** An error about an argument, with the code that Node has for it. */
function argumentError(Type, code, message) {
  const error = new Type(message);
  add(error, "code", code);
  return error;
}

/** The error for an argument of the wrong type. */
export const typeError = (message) => argumentError(TypeError, "ERR_INVALID_ARG_TYPE", message);

/** The error for an argument of the right type with a wrong value. */
export const valueError = (message) => argumentError(RangeError, "ERR_INVALID_ARG_VALUE", message);

/** The error for missing arguments. */
export const missingError = (message) => argumentError(TypeError, "ERR_MISSING_ARGS", message);

/** The error for a member that is used on another object. */
export const illegalInvocation = (name) =>
  argumentError(TypeError, "ERR_INVALID_THIS", `Illegal invocation: this is not a ${name}`);

// Labels come from headers, and may be of any length (in code units).
const LONGEST_SHOWN = 100;

/** The error for a label that no encoding has, or whose encoding the call can't use. */
export function labelError(label, why) {
  const shown = label.length <= LONGEST_SHOWN ? label : `${label.slice(0, LONGEST_SHOWN)}…`;
  const error = new RangeError(`The label ${JSON.stringify(shown)} ${why}`);
  add(error, "code", "ERR_ENCODING_NOT_SUPPORTED");
  return error;
}

/** The error for malformed input in fatal mode. `numbers` are the offset in the stream, and the bytes. */
function malformedError(encoding, numbers) {
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

/** The error for a text that is longer than a string can be. */
export function tooLongError(limit, does = "decode", what = "the longest string there can be") {
  const error = new RangeError(`The text is longer than ${limit} code units, ${what}; ${does} it in pieces`);
  add(error, "code", "ERR_STRING_TOO_LONG");
  return error;
}

/** The error if there is no memory for a result. */
export function memoryError() {
  const error = new RangeError("There is not enough memory for the result; convert in pieces");
  add(error, "code", "ERR_MEMORY_ALLOCATION_FAILED");
  return error;
}

// If an engine returns an array instead of a result, it begins with one of these. (../engine/src has the same
// numbers.)
export const MALFORMED = 0;
export const UNMAPPABLE = 0;
export const TOO_LONG = 1;
export const NO_MEMORY = 2;

/** The error for what an engine returned instead of text. */
export function decodeError(encoding, [kind, ...numbers], limit) {
  switch (kind) {
    case MALFORMED:
      return malformedError(encoding, numbers);
    case TOO_LONG:
      return tooLongError(limit);
    default:
      return memoryError();
  }
}

/** The error for what an engine returned instead of bytes. */
export function encodeError(encoding, [kind, ...numbers]) {
  return kind === UNMAPPABLE ? unmappableError(encoding, ...numbers) : memoryError();
}

/** The error for a character that the encoding does not have. */
function unmappableError(encoding, codePoint, index) {
  const number = codePoint.toString(16).toUpperCase().padStart(4, "0");
  const error = new TypeError(
    `${encoding} has no character U+${number}, which stands at index ${index} of the text`,
  );
  add(error, "code", "ERR_ENCODING_UNMAPPABLE");
  add(error, "codePoint", codePoint);
  add(error, "index", index);
  return error;
}
