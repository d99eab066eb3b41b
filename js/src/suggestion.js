// What someone who wrote a label that no encoding has may have meant.

// Windows's numbers for encodings that have labels without them.
const CODE_PAGES = new Map([
  ["932", "shift_jis"],
  ["936", "gbk"],
  ["949", "euc-kr"],
  ["950", "big5"],
  ["1200", "utf-16le"],
  ["1201", "utf-16be"],
  ["10000", "macintosh"],
  ["20866", "koi8-r"],
  ["21866", "koi8-u"],
  ["51932", "euc-jp"],
  ["54936", "gb18030"],
  ["65001", "utf-8"],
]);

// No label is half as long as this; longer text can't be a mistyped label.
const LONGEST = 40;

const squeezed = (label) => label.replace(/[^a-z0-9]/g, "");
const digits = (label) => label.replace(/[^0-9]/g, "");

/**
 * Returns the most similar label, if there is one that is similar enough.
 *
 * @param {string} label in lower case, without white space at the ends
 * @param {string[]} labels all that there are
 */
export function suggestion(label, labels) {
  if (label.length > LONGEST) {
    return undefined;
  }
  const number = /^(?:windows|win|cp|ms)?[-_]?(\d+)$/.exec(label)?.[1];
  const named = CODE_PAGES.get(number) ?? `windows-${number}`;
  if (labels.includes(named)) {
    return named;
  }
  const letters = squeezed(label);
  const same = letters && labels.find((other) => squeezed(other) === letters);
  if (same) {
    return same;
  }
  // A quarter of the label may be wrong, but no digit: another number is another encoding.
  let best = Math.max(Math.floor(label.length / 4), 1) + 1;
  let closest;
  for (const other of labels) {
    if (Math.abs(other.length - label.length) < best && digits(other) === digits(label)) {
      const edits = distance(label, other);
      if (edits < best) {
        [best, closest] = [edits, other];
      }
    }
  }
  return closest;
}

/** The number of characters to insert, delete or replace (Levenshtein's distance). */
function distance(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      next.push(Math.min(row[j] + Number(from[i] !== to[j]), row[j + 1] + 1, next[j] + 1));
    }
    row = next;
  }
  return row[to.length];
}
