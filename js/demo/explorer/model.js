// The data for the grid and the readout: an index by pointer, or its coverage of the BMP.

import { decode, encode } from "simdtext";
import { count, hex, hexByte, unicode } from "../format.js";
import { canBeCovered, FOLLOWS_ON, isPrivate, legend, UNMAPPED } from "./classes.js";
import { halfwidth, labelsOf } from "./indexes.js";
import { bmpClasses, readIndex } from "./read.js";

/** A map by pointer. `tell(cell)` returns the character, the lines of the readout, and a phrase made of them;
 * `find(codePoint)` returns the cells that have it.
 */
export async function pointerMap(index) {
  const { codePoints, classes, firsts } = await readIndex(index);
  const { row, column } = labelsOf(index);
  return {
    columns: index.columns,
    cells: index.pointers,
    classes,
    legend: legend.map((_, kind) => kind),
    rowLabel: row,
    columnLabel: column,
    character: (pointer) => printable(codePoints[pointer]),
    cellName: (pointer) => `pointer ${pointer}`,
    find: (codePoint) => positions(codePoints, codePoint),
    first: Math.max(0, codePoints.findIndex((codePoint) => codePoint !== 0)),
    example: exampleOf(codePoints),
    tell(pointer) {
      const codePoint = codePoints[pointer];
      const kind = classes[pointer];
      const duplicate = firsts.has(codePoint) && firsts.get(codePoint) !== pointer;
      return {
        kind,
        character: printable(codePoint),
        lines: [
          ["Pointer", `${pointer}`],
          place(index, pointer),
          ...bytesOf(index, pointer),
          ...(index.id === "iso-2022-jp-katakana" ? [["Halfwidth", withCharacter(halfwidth(pointer))]] : []),
          ...codePointLines(codePoint),
          ...(index.pairs?.has(pointer) ? [["Decoded to", pairOf(index, pointer)]] : []),
          ["Colour", `${legend[kind].meaning}.`],
          ...(duplicate ? [["First at", `pointer ${firsts.get(codePoint)}`]] : []),
        ],
        phrase: `Pointer ${pointer}: ${codePhrase(codePoint)}. ${legend[kind].meaning}`,
      };
    },
  };
}

/** A letter of the index, as an example of a search. It is in the middle, because the first characters are
 * often signs. */
function exampleOf(codePoints) {
  const letters = codePoints.filter((codePoint) => /^[\p{Lu}\p{Ll}\p{Lo}]/u.test(String.fromCodePoint(codePoint)));
  return String.fromCodePoint(letters[letters.length >> 1] ?? codePoints.find((codePoint) => codePoint !== 0));
}

/** The map of the BMP, with 256 code points in a row. */
export async function coverageMap(index) {
  const data = await readIndex(index);
  const classes = bmpClasses(data);
  const covered = [...data.firsts.keys()];
  const beyond = covered.filter((codePoint) => codePoint > 0xffff).length;
  return {
    columns: 256,
    cells: 0x10000,
    classes,
    legend: legend.map((_, kind) => kind).filter(canBeCovered),
    note:
      `${count(covered.length - beyond)} code points of the Basic Multilingual Plane are in the index` +
      `${beyond > 0 ? `, and ${count(beyond)} beyond it` : ""}.`,
    rowLabel: hexByte,
    columnLabel: hexByte,
    example: exampleOf(Uint32Array.from(covered.filter((codePoint) => codePoint <= 0xffff))),
    character: (codePoint) => (classes[codePoint] === UNMAPPED ? "" : printable(codePoint)),
    cellName: unicode,
    find: (codePoint) => (codePoint < 0x10000 && classes[codePoint] !== UNMAPPED ? [codePoint] : []),
    first: Math.min(...covered),
    tell(codePoint) {
      const pointer = data.firsts.get(codePoint);
      const kind = classes[codePoint];
      const found = pointer !== undefined;
      const pointers = found ? positions(data.codePoints, codePoint) : [];
      const meaning = found ? legend[kind].meaning : "Not in the index";
      return {
        kind,
        character: found ? printable(codePoint) : "",
        lines: [
          ["Code point", unicode(codePoint)],
          ...(found ? [["UTF-8", hex(encode(String.fromCodePoint(codePoint))), "hex"]] : []),
          ...(found ? [[pointers.length > 1 ? "Pointers" : "Pointer", pointers.join(", ")]] : []),
          ...(found ? bytesOf(index, pointer) : []),
          ["Colour", `${meaning}.`],
        ],
        phrase: `${unicode(codePoint)}: ${found ? `pointer ${pointers.join(", ")}. ${meaning}` : meaning}`,
      };
    },
  };
}

export const legendNote = (model) => (model.legend.some((kind) => legend[kind].run) ? FOLLOWS_ON : "");

function positions(codePoints, codePoint) {
  const found = [];
  for (let at = codePoints.indexOf(codePoint); at !== -1; at = codePoints.indexOf(codePoint, at + 1)) {
    found.push(at);
  }
  return found;
}

/** JIS counts from 1. */
function place(index, pointer) {
  const from = index.labels === "kuten" ? 1 : 0;
  const row = Math.floor(pointer / index.columns) + from;
  return [from === 1 ? "Row, cell" : "Row, column", `${row}, ${(pointer % index.columns) + from}`];
}

const bytesOf = (index, pointer) =>
  index.uses
    .filter(({ below = Infinity }) => pointer < below)
    .map(({ encoding, bytes }) => [encoding, hex(bytes(pointer)), "hex"]);

const codePointLines = (codePoint) =>
  codePoint === 0
    ? [["Code point", "none"]]
    : [
        ["Code point", unicode(codePoint)],
        ["UTF-8", hex(encode(String.fromCodePoint(codePoint))), "hex"],
      ];

const codePhrase = (codePoint) =>
  codePoint === 0 ? "no code point" : withCharacter(String.fromCodePoint(codePoint));

const withCharacter = (character) =>
  `${unicode(character.codePointAt(0))} ${printable(character.codePointAt(0))}`.trimEnd();

function pairOf(index, pointer) {
  const { encoding, bytes } = index.uses[0];
  const text = decode(Uint8Array.from(bytes(pointer)), encoding);
  return [...text].map((character) => unicode(character.codePointAt(0))).join(" ");
}

/** What can be drawn for a code point: nothing for controls and private use; a combining mark gets a ring
 * below it. */
function printable(codePoint) {
  if (codePoint < 0xa0 || isPrivate(codePoint)) {
    return "";
  }
  const character = String.fromCodePoint(codePoint);
  return /^\p{M}/u.test(character) ? `\u25CC${character}` : character;
}
