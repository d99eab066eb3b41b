// The indexes of section 5, each with the bytes of a pointer in the encodings that use it.

import { encode, encodings } from "simdtext";
import { hexByte } from "../format.js";

/** Two bytes as in Big5, gb18030 and Shift_JIS: their trail bytes exclude 7F, and in Big5 more. */
const trailWithGap = (trail, offset) => trail + (trail < 0x3f ? 0x40 : offset);

const big5 = (pointer) => [Math.floor(pointer / 157) + 0x81, trailWithGap(pointer % 157, 0x62)];

const gb18030 = (pointer) => [Math.floor(pointer / 190) + 0x81, trailWithGap(pointer % 190, 0x41)];

const eucKr = (pointer) => [Math.floor(pointer / 190) + 0x81, (pointer % 190) + 0x41];

const eucJp = (pointer) => [Math.floor(pointer / 94) + 0xa1, (pointer % 94) + 0xa1];

function shiftJis(pointer) {
  const lead = Math.floor(pointer / 188);
  return [lead + (lead < 0x1f ? 0x81 : 0xc1), trailWithGap(pointer % 188, 0x41)];
}

const JIS0208_ESCAPE = [0x1b, 0x24, 0x42];

const iso2022Jp = (pointer) => [
  ...JIS0208_ESCAPE,
  ...eucJp(pointer).map((byte) => byte - 0x80),
];

/** Shift_JIS reaches 120 rows of 94 characters. EUC-JP and ISO-2022-JP reach the first 94 rows. */
const JIS_SQUARE = 94 * 94;

const jis0208Uses = [
  { encoding: "EUC-JP", bytes: eucJp, below: JIS_SQUARE },
  { encoding: "Shift_JIS", bytes: shiftJis },
  { encoding: "ISO-2022-JP", bytes: iso2022Jp, below: JIS_SQUARE },
];

/** The pointers that Shift_JIS decodes without the index to private use, the "end-user-defined characters". */
export const EUDC = { first: 8836, last: 10715 };

const multiByte = [
  {
    id: "big5",
    lang: "zh-Hant",
    name: "Big5",
    columns: 157,
    pointers: 126 * 157,
    uses: [{ encoding: "Big5", bytes: big5 }],
    note:
      "Pointers 1133, 1135, 1164 and 1166 (88 62, 88 64, 88 A3, 88 A5) are no entries of the index: " +
      "the decoder makes two code points of each. The encoder writes nothing of the rows before lead byte A1.",
    pairs: new Set([1133, 1135, 1164, 1166]),
  },
  {
    id: "euc-kr",
    lang: "ko",
    name: "EUC-KR",
    columns: 190,
    pointers: 126 * 190,
    uses: [{ encoding: "EUC-KR", bytes: eucKr }],
    note: "KS X 1001 and, around it, the Unified Hangul Code: all syllables of the Hangul Syllables block.",
  },
  {
    id: "gb18030",
    lang: "zh-Hans",
    name: "gb18030",
    columns: 190,
    pointers: 126 * 190,
    uses: [
      { encoding: "gb18030", bytes: gb18030 },
      { encoding: "GBK", bytes: gb18030 },
    ],
    note: "The two-byte part of gb18030, which GBK shares. It has all of the CJK Unified Ideographs block.",
  },
  {
    id: "jis0208",
    lang: "ja",
    name: "jis0208",
    labels: "kuten",
    columns: 94,
    pointers: 120 * 94,
    uses: jis0208Uses,
    skip: (pointer) => pointer >= EUDC.first && pointer <= EUDC.last,
    // EUC-JP does not reach the rows beyond 94. Shift_JIS reaches all.
    read: 1,
    note: "JIS X 0208 with the extensions of NEC and IBM. Rows beyond 94 are reached by Shift_JIS alone.",
  },
  {
    id: "jis0212",
    lang: "ja",
    name: "jis0212",
    labels: "kuten",
    columns: 94,
    pointers: JIS_SQUARE,
    uses: [{ encoding: "EUC-JP", bytes: (pointer) => [0x8f, ...eucJp(pointer)] }],
    note: "JIS X 0212, which only the decoder of EUC-JP uses.",
  },
];

/** The Shift_JIS view of jis0208: rows by lead byte, and private use. */
export const shiftJisView = {
  id: "jis0208",
  lang: "ja",
  name: "jis0208 as Shift_JIS",
  columns: 188,
  pointers: 60 * 188,
  uses: [jis0208Uses[1], jis0208Uses[0], jis0208Uses[2]],
  note:
    "Pointers 8836 to 10715 are private use (EUDC): the decoder computes them, they are no entries of the " +
    "index. The encoder does not use pointers 8272 to 8835.",
};

const katakana = {
  id: "iso-2022-jp-katakana",
  lang: "ja",
  name: "ISO-2022-JP katakana",
  labels: "pointers",
  columns: 16,
  pointers: 63,
  uses: [{ encoding: "ISO-2022-JP", bytes: katakanaBytes }],
  onlyGrid: true,
  note:
    "For the encoder: halfwidth katakana U+FF61 to U+FF9F become fullwidth. The bytes are those that it " +
    "writes for the halfwidth character, without the escape sequence back to ASCII.",
};

function katakanaBytes(pointer) {
  return [...encode(halfwidth(pointer), "iso-2022-jp")].slice(0, -3);
}

/** The halfwidth character that a pointer of index ISO-2022-JP katakana stands for. */
export const halfwidth = (pointer) => String.fromCodePoint(0xff61 + pointer);

export const RANGES = { id: "gb18030-ranges", name: "gb18030 ranges", ranges: true };

/** Encodings without an index of their own: ISO-8859-8-I has that of ISO-8859-8. */
const withoutSingleByteIndex = new Set([
  ...["UTF-8", "UTF-16BE", "UTF-16LE", "replacement", "x-user-defined", "ISO-8859-8-I"],
  ...["GBK", "gb18030", "Big5", "EUC-JP", "ISO-2022-JP", "Shift_JIS", "EUC-KR"],
]);

const singleByte = encodings
  .filter(({ name }) => !withoutSingleByteIndex.has(name))
  .map(({ name }) => ({
    id: name.toLowerCase(),
    name,
    labels: "single",
    columns: 16,
    pointers: 128,
    uses: [name, ...(name === "ISO-8859-8" ? ["ISO-8859-8-I"] : [])].map((encoding) => ({
      encoding,
      bytes: (pointer) => [pointer + 0x80],
    })),
    note: "",
  }));

const labels = {
  // The standard's tables are by lead and trail byte.
  bytes: (index) => {
    const pair = (pointer) => index.uses[0].bytes(pointer).slice(-2).map(hexByte);
    return { row: (row) => pair(row * index.columns)[0], column: (column) => pair(column)[1] };
  },
  // JIS counts rows and cells from 1.
  kuten: () => ({ row: (row) => String(row + 1), column: (column) => String(column + 1) }),
  single: () => ({
    row: (row) => hexByte(0x80 + row * 16),
    column: (column) => column.toString(16).toUpperCase(),
  }),
  pointers: (index) => ({ row: (row) => String(row * index.columns), column: String }),
};

/** The labels of the rows and columns of an index. */
export const labelsOf = (index) => labels[index.labels ?? "bytes"](index);

export const groups = [
  { name: "Multi-byte", indexes: [...multiByte, RANGES, katakana] },
  { name: "Single-byte", indexes: singleByte },
];

export const findIndex = (id) => groups.flatMap(({ indexes }) => indexes).find((index) => index.id === id);
