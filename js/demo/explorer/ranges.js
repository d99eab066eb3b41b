// Index gb18030 ranges, found by decoding all four-byte sequences of the BMP: a range extends as long as code
// points are consecutive.

import { decode } from "simdtext";
import { make } from "../dom.js";
import { count, hex, unicode } from "../format.js";

/** The standard computes this one before it looks at the index, so it does not end the range around it. */
const APART = 7457;

/** The pointers of the BMP. Beyond it there is a single range. */
const BMP_POINTERS = 39420;
const BEYOND = { first: 189000, last: 1237575 };

const fourBytes = (pointer) => [
  Math.floor(pointer / 12600) + 0x81,
  (Math.floor(pointer / 1260) % 10) + 0x30,
  (Math.floor(pointer / 10) % 126) + 0x81,
  (pointer % 10) + 0x30,
];

const decodeAt = (pointer) => decode(Uint8Array.from(fourBytes(pointer)), "gb18030").codePointAt(0);

export function readRanges() {
  const bytes = new Uint8Array(BMP_POINTERS * 4);
  for (let pointer = 0; pointer < BMP_POINTERS; pointer++) {
    bytes.set(fourBytes(pointer), pointer * 4);
  }
  const text = decode(bytes, "gb18030");
  const ranges = [];
  for (let pointer = 0; pointer < BMP_POINTERS; pointer++) {
    const codePoint = text.charCodeAt(pointer);
    const range = ranges.at(-1);
    if (pointer === APART || (range && codePoint === range.lastCodePoint + 1)) {
      range.last = pointer;
      range.lastCodePoint += 1;
    } else {
      ranges.push({ first: pointer, last: pointer, firstCodePoint: codePoint, lastCodePoint: codePoint });
    }
  }
  const [firstCodePoint, lastCodePoint] = [decodeAt(BEYOND.first), decodeAt(BEYOND.last)];
  ranges.push({ ...BEYOND, firstCodePoint, lastCodePoint });
  return ranges;
}

export function rangesTable() {
  const headings = ["Pointers", "Bytes", "Code points", "Count"];
  const head = headings.map((name) =>
    make("th", { scope: "col", className: name === "Count" ? "number" : "" }, name),
  );
  return make(
    "table",
    {},
    make("thead", {}, make("tr", {}, ...head)),
    make("tbody", {}, ...readRanges().map(row)),
  );
}

function row({ first, last, firstCodePoint, lastCodePoint }) {
  const between = (from, to) => (first === last ? from : `${from} – ${to}`);
  return make(
    "tr",
    {},
    make("td", {}, between(`${first}`, `${last}`)),
    make("td", { className: "hex" }, between(hex(fourBytes(first)), hex(fourBytes(last)))),
    make("td", { className: "hex" }, between(unicode(firstCodePoint), unicode(lastCodePoint))),
    make("td", { className: "number" }, count(last - first + 1)),
  );
}
