// The forty encodings, by number and by label.

import { labelError } from "./errors.js";
import { suggestion } from "./suggestion.js";

/**
 * @param {{ encodings(): string }} engine
 */
export function readEncodings(engine) {
  const encodings = [];
  const numbers = new Map();
  const singleByte = [];
  for (const line of engine.encodings().trimEnd().split("\n")) {
    const [name, kind, ...labels] = line.split("\t");
    singleByte.push(kind !== "");
    for (const label of labels) {
      numbers.set(label, encodings.length);
    }
    encodings.push(Object.freeze({ name, labels: Object.freeze(labels) }));
  }
  const lowerNames = encodings.map(({ name }) => name.toLowerCase());
  const replacement = numbers.get("replacement");

  /** *Get an encoding* (section 4.2): the number of the encoding, or undefined. */
  const find = (label) => numbers.get(label) ?? numbers.get(normalized(label));

  /** *Get an encoding*. @throws {RangeError} */
  const findAny = (label) => {
    const number = find(label);
    if (number === undefined) {
      const meant = suggestion(normalized(label), [...numbers.keys()]);
      throw labelError(
        label,
        `is not a label of any encoding${meant === undefined ? "" : `; did you mean ${JSON.stringify(meant)}?`}`,
      );
    }
    return number;
  };

  /** *Get an encoding*, of any but replacement. @throws {RangeError} */
  const findFor = (does) => (label) => {
    const number = findAny(label);
    if (number === replacement) {
      throw labelError(label, `is one of the replacement encoding, which ${does} nothing`);
    }
    return number;
  };

  return {
    encodings: Object.freeze(encodings),
    lowerNames,
    singleByte,
    replacement,
    find,
    findAny,
    findDecoding: findFor("decodes"),
    findEncoding: findFor("encodes"),
  };
}

const WHITE_SPACE = "\t\n\f\r ";

/** Without ASCII white space at the ends, and in ASCII lower case. */
function normalized(label) {
  let start = 0;
  let end = label.length;
  while (start < end && WHITE_SPACE.includes(label[start])) {
    start += 1;
  }
  while (start < end && WHITE_SPACE.includes(label[end - 1])) {
    end -= 1;
  }
  return label.slice(start, end).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
