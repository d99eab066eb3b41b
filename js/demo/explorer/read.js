// Reads an index with a decoder: makes the bytes of each pointer and decodes them.

import { TextDecoder } from "simdtext";
import { classify, UNMAPPED, withoutRun } from "./classes.js";

/** How many pointers are decoded before other work gets a turn. */
const AT_ONCE = 4000;

const done = new Map();

/**
 * @returns {Promise<{ codePoints: Uint32Array, classes: Uint8Array, firsts: Map<number, number> }>} the first two
 * by pointer, with 0 for none; and the first pointer of each code point.
 */
export function readIndex(index) {
  if (!done.has(index.name)) {
    done.set(index.name, decodeAll(index));
  }
  return done.get(index.name);
}

async function decodeAll(index) {
  const codePoints = new Uint32Array(index.pointers);
  const { encoding, bytes } = index.uses[index.read ?? 0];
  const decoder = new TextDecoder(encoding, { fatal: true });
  for (let pointer = 0; pointer < index.pointers; pointer++) {
    if (pointer % AT_ONCE === AT_ONCE - 1) {
      await new Promise((resume) => setTimeout(resume));
    }
    if (!index.skip?.(pointer) && !index.pairs?.has(pointer)) {
      codePoints[pointer] = decodeOne(decoder, bytes(pointer));
    }
  }
  return { codePoints, ...classify(codePoints) };
}

function decodeOne(decoder, bytes) {
  try {
    return decoder.decode(Uint8Array.from(bytes)).codePointAt(0);
  } catch (error) {
    if (error instanceof TypeError) {
      return 0;
    }
    throw error;
  }
}

/** The class of each code point of the BMP that the index has, without what it says about the previous pointer. */
export function bmpClasses({ classes, firsts }) {
  const covered = new Uint8Array(0x10000).fill(UNMAPPED);
  for (const [codePoint, pointer] of firsts) {
    if (codePoint < 0x10000) {
      covered[codePoint] = withoutRun(classes[pointer]);
    }
  }
  return covered;
}
