// Helpers for tests: bytes in hexadecimal, errors with their type, splits.

import assert from "node:assert/strict";

/** `bytes("EF BB BF")`. What is not a pair of hexadecimal digits stands for itself: `bytes("1B $B")`. */
export function bytes(text) {
  return Uint8Array.from(
    text
      .split(" ")
      .flatMap((part) =>
        /^[0-9A-F]{2}$/.test(part) ? [Number.parseInt(part, 16)] : Array.from(part, (c) => c.charCodeAt(0)),
      ),
  );
}

export function hex(view) {
  return Array.from(view, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
}

/** Code points in hexadecimal, so that a failure shows invisible characters. */
export function codes(string) {
  return Array.from(string, (c) => c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")).join(" ");
}

/** Checks that `call` throws an error of exactly this type, of this realm, and returns the error. */
export function thrown(call, Type, about = "") {
  let result;
  try {
    result = call();
  } catch (error) {
    assertError(error, Type, about);
    return error;
  }
  assert.fail(`${about}: no ${Type.name}, but ${String(result)}`);
}

export async function rejected(promise, Type, about = "") {
  let result;
  try {
    result = await promise;
  } catch (error) {
    assertError(error, Type, about);
    return error;
  }
  assert.fail(`${about}: no ${Type.name}, but ${String(result)}`);
}

export function assertError(error, Type, about = "") {
  assert.equal(Object.getPrototypeOf(error), Type.prototype, `${about}: ${String(error)}`);
  assert.equal(error.name, Type.name, about);
  assert.equal(typeof error.message, "string", about);
  assert.notEqual(error.message, "", about);
}

/** Checks the `TypeError` of a fatal decoder: where it is, and what is malformed. */
export function assertMalformed(error, offset, malformed, about = "") {
  assertError(error, TypeError, about);
  assert.equal(error.code, "ERR_ENCODING_INVALID_ENCODED_DATA", about);
  assert.equal(error.offset, offset, about);
  assert.ok(error.bytes instanceof Uint8Array, about);
  assert.equal(hex(error.bytes), malformed, about);
}

/** Every way to cut `whole` into three pieces, including empty ones. */
export function* threePieces(whole) {
  for (let second = 0; second <= whole.length; second += 1) {
    for (let first = 0; first <= second; first += 1) {
      yield [whole.subarray(0, first), whole.subarray(first, second), whole.subarray(second)];
    }
  }
}

/** A small generator of pseudo-random numbers (mulberry32): the same numbers for the same seed. */
export function generator(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    below: (limit) => next() % limit,
    pick: (list) => list[next() % list.length],
    bytes: (length) => Uint8Array.from({ length }, () => next() & 0xff),
  };
}
