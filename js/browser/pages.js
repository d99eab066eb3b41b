// Long files are cut into pages that are decoded separately. Put together they must be the whole text, even
// if no line ends, or a page begins inside of what an escape sequence has selected.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode, Decoder, encode } from "simdtext/native";
import { allPages, drop, malformedList, readAs } from "./support/converter.js";
import { withPage } from "./support/site.js";

const kanji = "亜唖娃阿哀愛挨姶逢葵茜穐悪握渥旭葦芦鯵梓圧斡扱宛姐虻飴絢綾鮎或粟袷安庵按暗案闇鞍杏";
const kana = "あいうえおかきくけこ";

const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

const cases = [
  { name: "UTF-8 without line ends", encoding: "UTF-8", bytes: () => encode(`a${kanji}😀`.repeat(800)) },
  {
    name: "gb18030 with four bytes",
    encoding: "gb18030",
    bytes: () => encode(`a${kanji}😀ĀȀ`.repeat(900), "gb18030"),
  },
  { name: "Shift_JIS", encoding: "Shift_JIS", bytes: () => encode(`a${kanji}`.repeat(1100), "shift_jis") },
  { name: "EUC-JP", encoding: "EUC-JP", bytes: () => encode(`${kanji}ｱb`.repeat(1100), "euc-jp") },
  {
    name: "UTF-16 with surrogates",
    encoding: "UTF-16LE",
    bytes: () => encode(`x${"😀".repeat(50)}`.repeat(500), "utf-16le"),
  },
  {
    name: "ISO-2022-JP in one state",
    encoding: "ISO-2022-JP",
    bytes: () => encode(kanji.repeat(1100), "iso-2022-jp"),
  },
  {
    name: "ISO-2022-JP in all states",
    encoding: "ISO-2022-JP",
    bytes: () => encode(`abc${kana}¥‾yen${kanji}\n`.repeat(800), "iso-2022-jp"),
  },
  {
    name: "ISO-2022-JP whose escape sequences follow each other",
    encoding: "ISO-2022-JP",
    bytes: () => new TextEncoder().encode("\x1B(I1\x1B$B\x1B(B".repeat(9000)),
  },
  {
    name: "damaged Big5",
    encoding: "Big5",
    bytes: () => {
      const part = (at) => joined(encode("一乙丁七乃九".repeat(100 + at), "big5"), [0xff, 0x81]);
      return joined(...Array.from({ length: 60 }, (_, at) => part(at)));
    },
  },
];

describe("pages", () => {
  for (const { name, encoding, bytes } of cases) {
    test(name, async () => {
      const input = bytes();
      assert.ok(input.length > 64 * 1024, `${input.length} bytes are too few for three pages`);
      await withPage({}, async (page) => {
        await drop(page, "long.txt", input);
        await readAs(page, encoding);
        const pages = await allPages(page);
        assert.ok(pages.length >= 3, `${pages.length} pages`);
        assert.ok(pages.join("") === decode(input, encoding), "the pages are the text");
        const decoder = new Decoder(encoding);
        decoder.decode(input);
        const expected = decoder.malformed.slice(0, 200).map(({ offset, bytes: sequence }) => {
          const hex = Buffer.from(sequence).toString("hex").toUpperCase();
          return `${offset}:${hex}`;
        });
        assert.deepEqual(await malformedList(page), expected);
        const count = await page.textContent("#malformed-count");
        const told = /^None/.test(count) ? 0 : Number(count.match(/^[\d,]+/)[0].replaceAll(",", ""));
        assert.equal(told, decoder.errors);
      });
    });
  }

  test("a malformed sequence of a later page is found in the text", async () => {
    const input = joined(encode(`${kanji}\n`.repeat(1200), "shift_jis"), [0xff], encode(kana, "shift_jis"));
    await withPage({}, async (page) => {
      await drop(page, "long.txt", input);
      await readAs(page, "Shift_JIS");
      await page.click("#malformed li button");
      await page.waitForSelector("mark.here");
      assert.equal(await page.inputValue("#page"), String(await page.getAttribute("#page", "max")));
      assert.equal(await page.evaluate(() => document.activeElement.nextSibling.textContent), kana);
    });
  });
});
