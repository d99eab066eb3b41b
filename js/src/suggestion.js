// What someone who wrote a label that no encoding has may have meant.

// The numbers of code pages that have labels without them. (../../convert/src/labels/hints.rs has the same ones, and
// those below; a test compares them.)
const CODE_PAGES = new Map([
  ["878", "koi8-r"],
  ["912", "iso-8859-2"],
  ["923", "iso-8859-15"],
  ["932", "shift_jis"],
  ["936", "gbk"],
  ["943", "shift_jis"],
  ["949", "euc-kr"],
  ["950", "big5"],
  ["1168", "koi8-u"],
  ["1200", "utf-16le"],
  ["1201", "utf-16be"],
  ["1386", "gbk"],
  ["10000", "macintosh"],
  ["10007", "x-mac-cyrillic"],
  ["20127", "us-ascii"],
  ["20866", "koi8-r"],
  ["20932", "euc-jp"],
  ["21866", "koi8-u"],
  ["28591", "iso-8859-1"],
  ["28592", "iso-8859-2"],
  ["28595", "iso-8859-5"],
  ["28597", "iso-8859-7"],
  ["28605", "iso-8859-15"],
  ["50220", "iso-2022-jp"],
  ["50221", "iso-2022-jp"],
  ["50222", "iso-2022-jp"],
  ["51932", "euc-jp"],
  ["51936", "gbk"],
  ["51949", "euc-kr"],
  ["54936", "gb18030"],
  ["65001", "utf-8"],
]);

// Other names, squeezed.
const OTHER_NAMES = new Map([
  ["latin0", "iso-8859-15"],
  ["latin9", "iso-8859-15"],
  ["latin10", "iso-8859-16"],
  ["maccyrillic", "x-mac-cyrillic"],
  ["macroman", "macintosh"],
  ["uhc", "euc-kr"],
  // MySQL
  ["ujis", "euc-jp"],
  ["eucjpms", "euc-jp"],
  // PHP
  ["sjiswin", "shift_jis"],
  ["eucjpwin", "euc-jp"],
  ["euccn", "gbk"],
  // TeX
  ["ansinew", "windows-1252"],
  ["applemac", "macintosh"],
  // Emacs
  ["isolatin1", "iso-8859-1"],
  ["isolatin2", "iso-8859-2"],
  ["isolatin9", "iso-8859-15"],
  ["cyrillickoi8", "koi8-r"],
  ["eucjapan", "euc-jp"],
  ["japaneseiso8bit", "euc-jp"],
  ["japaneseshiftjis", "shift_jis"],
  ["euckorea", "euc-kr"],
  ["koreaniso8bit", "euc-kr"],
  ["eucchina", "gbk"],
  ["cngb2312", "gbk"],
  ["chineseiso8bit", "gbk"],
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
  const number = /^(?:windows|win|codepage|cp|ibm|ms)?[-_]?(\d+)$/.exec(label)?.[1];
  const letters = squeezed(label);
  const named = CODE_PAGES.get(number) ?? OTHER_NAMES.get(letters) ?? `windows-${number}`;
  if (labels.includes(named)) {
    return named;
  }
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
