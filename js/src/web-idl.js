// The conversions of Web IDL that section 7 needs. The built-in functions that they use are taken when the
// package loads, so that scripts that replace these later do no harm.

import { typeError } from "./errors.js";

const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

const getter = (prototype, name) => {
  const { get } = getOwnPropertyDescriptor(prototype, name);
  return (object) => apply(get, object, []);
};

const TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);
const typedArrayName = getter(TypedArrayPrototype, Symbol.toStringTag);
const typedArrayBuffer = getter(TypedArrayPrototype, "buffer");
const typedArrayOffset = getter(TypedArrayPrototype, "byteOffset");
const typedArrayLength = getter(TypedArrayPrototype, "byteLength");
const dataViewBuffer = getter(DataView.prototype, "buffer");
const dataViewOffset = getter(DataView.prototype, "byteOffset");
const dataViewLength = getter(DataView.prototype, "byteLength");
const bufferLength = getter(ArrayBuffer.prototype, "byteLength");
const sharedLength = typeof SharedArrayBuffer === "function"
  ? getter(SharedArrayBuffer.prototype, "byteLength")
  : () => { throw new TypeError(); };
const never = () => false;
const resizable = "resizable" in ArrayBuffer.prototype ? getter(ArrayBuffer.prototype, "resizable") : never;
const growable = typeof SharedArrayBuffer === "function" && "growable" in SharedArrayBuffer.prototype
  ? getter(SharedArrayBuffer.prototype, "growable")
  : never;
const { isView } = ArrayBuffer;

/** Whether the getter, which throws for any other object, accepts this one. */
function has(get, object) {
  try {
    get(object);
    return true;
  } catch {
    return false;
  }
}

const NO_BYTES = new Uint8Array(0);

// What the caller can do about a buffer whose size can change. If it is only read, a copy will do; if it is
// written to, the result would be in the copy only.
const COPY = "pass a copy, such as bytes.slice()";
const FIXED = "pass a Uint8Array on a buffer of fixed length";

/** @throws {TypeError} if `buffer` is not a buffer, or is one whose size can change */
function checkBuffer(buffer, what, advice) {
  if (has(bufferLength, buffer)) {
    checkSize(resizable(buffer), what, advice);
  } else if (has(sharedLength, buffer)) {
    checkSize(growable(buffer), what, advice);
  } else {
    throw notBytes(what);
  }
}

function checkSize(canChange, what, advice) {
  if (canChange) {
    throw typeError(`${what} is on a buffer that can change its size; ${advice}`);
  }
}

function notBytes(what) {
  return typeError(`${what} is not an ArrayBuffer, a SharedArrayBuffer or a view on one`);
}

/**
 * Converts to `[AllowShared] BufferSource`, without looking at the bytes yet: a script that runs before
 * they are read may change them, or detach the buffer.
 *
 * @throws {TypeError} if the value is neither a buffer nor a view
 */
export function checkBufferSource(value, what) {
  if (!isView(value)) {
    if (value === null || typeof value !== "object") {
      throw notBytes(what);
    }
    checkBuffer(value, what, COPY);
  } else if (typedArrayName(value) !== undefined) {
    checkBuffer(typedArrayBuffer(value), what, COPY);
  } else {
    checkBuffer(dataViewBuffer(value), what, COPY);
  }
}

/**
 * Checks a value as {@link checkBufferSource} does and returns its bytes, in one step, for calls in which no
 * script runs in between.
 *
 * With `asItIs`, a `Uint8Array` is returned unchanged, for an engine that does not ask scripts for its length.
 *
 * @throws {TypeError} if the value is neither a buffer nor a view
 */
export function bufferSource(value, asItIs, what) {
  if (asItIs && isView(value) && typedArrayName(value) === "Uint8Array") {
    const buffer = typedArrayBuffer(value);
    if (has(bufferLength, buffer)) {
      checkSize(resizable(buffer), what, COPY);
      return value;
    }
  }
  checkBufferSource(value, what);
  return bytesOf(value);
}

/**
 * The bytes that a value which has passed {@link checkBufferSource} holds now: none if its buffer is detached, a
 * copy if another thread could write to them, and otherwise no copy. The result is a new view, because a script
 * may have given the value another `length` or `subarray`.
 *
 * @returns {Uint8Array}
 */
export function bytesOf(value) {
  let buffer = value;
  let offset = 0;
  let length;
  if (!isView(value)) {
    length = has(bufferLength, value) ? bufferLength(value) : sharedLength(value);
  } else if (typedArrayName(value) !== undefined) {
    buffer = typedArrayBuffer(value);
    offset = typedArrayOffset(value);
    length = typedArrayLength(value);
  } else {
    buffer = dataViewBuffer(value);
    if (has(bufferLength, buffer) && bufferLength(buffer) === 0) {
      return NO_BYTES;
    }
    offset = dataViewOffset(value);
    length = dataViewLength(value);
  }
  if (length === 0) {
    return NO_BYTES;
  }
  const bytes = new Uint8Array(buffer, offset, length);
  return has(bufferLength, buffer) ? bytes : new Uint8Array(bytes);
}

/** `[AllowShared] Uint8Array`, to write to. @throws {TypeError} */
export function checkUint8Array(value, what) {
  if (!isView(value) || typedArrayName(value) !== "Uint8Array") {
    throw typeError(`${what} is not a Uint8Array`);
  }
  checkBuffer(typedArrayBuffer(value), what, FIXED);
}

/** The length of a typed array in bytes, or 0 if its buffer is detached. */
export const byteLength = typedArrayLength;

/** Writes `bytes` to the start of a `Uint8Array`. */
export function write(bytes, destination) {
  apply(setBytes, destination, [bytes]);
}

const { set: setBytes } = TypedArrayPrototype;

/** `DOMString`. @throws {TypeError} for a symbol */
export function domString(value) {
  return typeof value === "string" ? value : `${value}`;
}

// It inherits nothing, or members that a script has given Object.prototype would be read.
const NO_MEMBERS = Object.freeze(Object.create(null));

/**
 * Converts to a dictionary.
 *
 * @returns {object} the object to read members of; if there is none, one without members
 * @throws {TypeError} if the value is not an object
 */
export function dictionary(value, what) {
  if (value === undefined || value === null) {
    return NO_MEMBERS;
  }
  if (typeof value !== "object" && typeof value !== "function") {
    throw typeError(`${what} is not an object`);
  }
  return value;
}

/**
 * Makes a class look as Web IDL says: members are enumerable, and instances have a name.
 *
 * @param {Function} interface_
 * @param {string} name
 */
export function defineInterface(interface_, name) {
  // A bundler may have renamed the class.
  Object.defineProperty(interface_, "name", { value: name, configurable: true });
  const { prototype } = interface_;
  for (const key of Reflect.ownKeys(prototype)) {
    if (key !== "constructor") {
      Object.defineProperty(prototype, key, { enumerable: true });
    }
  }
  Object.defineProperty(prototype, Symbol.toStringTag, {
    value: name,
    writable: false,
    enumerable: false,
    configurable: true,
  });
}
