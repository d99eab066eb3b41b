// The meanings of the colours of cells: the legend of the standard's visualizations.

/** In the order of the legend. The class of a cell is a position in this list. */
export const legend = [
  { colour: "--unmapped", meaning: "Unmapped" },
  { colour: "--two", meaning: "Two bytes in UTF-8" },
  { colour: "--two-run", meaning: "Two bytes in UTF-8, follows on", run: true },
  { colour: "--three", meaning: "Three bytes in UTF-8" },
  { colour: "--three-run", meaning: "Three bytes in UTF-8, follows on", run: true },
  { colour: "--private", meaning: "Private use" },
  { colour: "--private-run", meaning: "Private use, follows on", run: true },
  { colour: "--four", meaning: "Four bytes in UTF-8" },
  { colour: "--four-run", meaning: "Four bytes in UTF-8, follows on", run: true },
  { colour: "--duplicate", meaning: "Duplicate: an earlier pointer has the code point", mark: "slash" },
  { colour: "--compatibility", meaning: "CJK Compatibility Ideograph", mark: "corner", bright: true },
  { colour: "--extension-a", meaning: "CJK Unified Ideographs Extension A", mark: "bar", bright: true },
];

export const FOLLOWS_ON = "“Follows on”: the code point is the next after the previous pointer’s.";

export const UNMAPPED = 0;
const TWO = 1;
const THREE = 3;
const PRIVATE = 5;
const FOUR = 7;
const DUPLICATE = 9;
const COMPATIBILITY = 10;
const EXTENSION_A = 11;

const within = (codePoint, first, last) => codePoint >= first && codePoint <= last;

/** The class without what it says about the previous pointer. */
export const withoutRun = (kind) => (legend[kind].run ? kind - 1 : kind);

/** Whether a code point of the BMP can have this class if each code point occurs once. */
export const canBeCovered = (kind) => !legend[kind].run && kind !== FOUR && kind !== DUPLICATE;

export const isPrivate = (codePoint) =>
  within(codePoint, 0xe000, 0xf8ff) || within(codePoint, 0xf0000, 0x10fffd);

function classOf(codePoint, previous) {
  if (within(codePoint, 0xf900, 0xfaff) || within(codePoint, 0x2f800, 0x2fa1f)) {
    return COMPATIBILITY;
  }
  if (within(codePoint, 0x3400, 0x4dbf)) {
    return EXTENSION_A;
  }
  const run = previous !== 0 && codePoint === previous + 1 ? 1 : 0;
  if (isPrivate(codePoint)) {
    return PRIVATE + run;
  }
  if (codePoint > 0xffff) {
    return FOUR + run;
  }
  return (codePoint > 0x7ff ? THREE : TWO) + run;
}

/** The class of each pointer, and the first pointer of each code point. */
export function classify(codePoints) {
  const classes = new Uint8Array(codePoints.length);
  const firsts = new Map();
  codePoints.forEach((codePoint, pointer) => {
    if (codePoint === 0) {
      classes[pointer] = UNMAPPED;
    } else if (firsts.has(codePoint)) {
      classes[pointer] = DUPLICATE;
    } else {
      firsts.set(codePoint, pointer);
      classes[pointer] = classOf(codePoint, pointer === 0 ? 0 : codePoints[pointer - 1]);
    }
  });
  return { classes, firsts };
}
