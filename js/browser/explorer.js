import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { screenshot, withPage } from "./support/site.js";

/** The readout as an object: `{ Pointer: "1410", "Code point": "U+4E9C", ... }`. */
const readout = (page) =>
  page.$eval("#cell", (cell) => {
    const terms = [...cell.querySelectorAll("dt")];
    const lines = terms.map((term) => [term.textContent, term.nextSibling.textContent]);
    return { character: cell.querySelector(".character").textContent, ...Object.fromEntries(lines) };
  });

async function show(page, index, layout = "grid") {
  await page.evaluate((hash) => (location.hash = hash), `#/explorer/${index}/${layout}`);
  await page.waitForFunction(
    (shown) => document.querySelector("#grid").dataset.shown === shown,
    `${index}/${layout}`,
  );
}

async function find(page, query) {
  await page.fill("#query", query);
  await page.press("#query", "Enter");
}

const has = (actual, expected) => {
  for (const [name, value] of Object.entries(expected)) {
    assert.equal(actual[name], value, `${name} of ${JSON.stringify(actual)}`);
  }
};

// These come from the standards themselves, not from this library.
const known = [
  {
    index: "jis0208",
    query: "亜",
    cell: {
      Pointer: "1410",
      "EUC-JP": "B0 A1",
      Shift_JIS: "88 9F",
      "ISO-2022-JP": "1B 24 42 30 21",
      "Code point": "U+4E9C",
      "UTF-8": "E4 BA 9C",
      character: "亜",
    },
  },
  { index: "jis0208", query: "U+FF5E", cell: { Pointer: "32", "EUC-JP": "A1 C1", Shift_JIS: "81 60" } },
  { index: "jis0212", query: "丂", cell: { Pointer: "1410", "EUC-JP": "8F B0 A1", "Code point": "U+4E02" } },
  { index: "big5", query: "一", cell: { Big5: "A4 40", "Code point": "U+4E00", Pointer: "5495" } },
  { index: "euc-kr", query: "가", cell: { "EUC-KR": "B0 A1", "Code point": "U+AC00", "UTF-8": "EA B0 80" } },
  { index: "gb18030", query: "啊", cell: { gb18030: "B0 A1", GBK: "B0 A1", "Code point": "U+554A" } },
  { index: "windows-1252", query: "€", cell: { "windows-1252": "80", Pointer: "0", "Code point": "U+20AC" } },
  { index: "koi8-r", query: "0x0430", cell: { "KOI8-R": "C1", "Code point": "U+0430", character: "а" } },
  { index: "iso-8859-8", query: "א", cell: { "ISO-8859-8": "E0", "ISO-8859-8-I": "E0" } },
  {
    index: "iso-2022-jp-katakana",
    query: "ア",
    cell: { Pointer: "16", Halfwidth: "U+FF71 ｱ", "ISO-2022-JP": "1B 24 42 25 22" },
  },
];

describe("index explorer", () => {
  test("known cells are found, with their bytes", async () => {
    await withPage({ view: "explorer" }, async (page) => {
      for (const { index, query, cell } of known) {
        await show(page, index);
        await find(page, query);
        has(await readout(page), cell);
      }
    });
  });

  test("each index of the standard is there, and has its view of the BMP", async () => {
    await withPage({ view: "explorer" }, async (page) => {
      const ids = await page.$$eval("#index option", (all) => all.map(({ value }) => value));
      assert.equal(ids.length, 7 + 27);
      for (const id of ids.filter((each) => each !== "gb18030-ranges")) {
        await show(page, id);
        assert.match((await readout(page))["Code point"], /^U\+/, id);
        const layouts = await page.$$eval("#layout option", (all) => all.map(({ value }) => value));
        assert.equal(layouts.includes("bmp"), id !== "iso-2022-jp-katakana", id);
      }
    });
  });

  test("what the search field suggests is in the index shown", async () => {
    await withPage({ view: "explorer" }, async (page) => {
      const ids = await page.$$eval("#index option", (all) => all.map(({ value }) => value));
      const suggested = new Set();
      for (const id of ids.filter((each) => each !== "gb18030-ranges")) {
        for (const layout of id === "jis0208" || id === "koi8-r" ? ["grid", "bmp"] : ["grid"]) {
          await show(page, id, layout);
          const [, character, number] = /^(.+) or (U\+[0-9A-F]{4,})$/u.exec(await page.getAttribute("#query", "placeholder"));
          suggested.add(character);
          for (const query of [character, number]) {
            await find(page, query);
            assert.equal((await readout(page))["Code point"], number, `${id}, ${layout}: ${query}`);
            assert.ok((await page.textContent("#find-result")).startsWith(`${number}: `), `${id}: ${query}`);
          }
        }
      }
      assert.ok(suggested.size > 15, [...suggested].join());
    });
  });

  test("an address that can't be decoded is no error", async () => {
    for (const view of ["explorer/%E0%A4%A", "explorer/big5/%", "%E0%A4%A"]) {
      await withPage({ view }, async (page) => {
        assert.equal(await page.isVisible("#failed"), false);
        assert.equal(await page.isVisible(view.startsWith("explorer") ? "#explorer" : "#converter"), true);
      });
    }
    await withPage({ view: "explorer/koi8-r" }, async (page) => {
      await page.evaluate(() => (location.hash = "#/explorer/%E0%A4%A"));
      await page.waitForFunction(() => document.querySelector("#index").value === "big5");
    });
  });

  test("the colours mean what the standard's legend says", async () => {
    await withPage({ view: "explorer" }, async (page) => {
      const meaning = async (index, query, layout) => {
        await show(page, index, layout);
        await find(page, query);
        return (await readout(page)).Colour;
      };
      assert.equal(await meaning("koi8-r", "U+0430"), "Two bytes in UTF-8.");
      assert.equal(await meaning("koi8-r", "U+0431"), "Two bytes in UTF-8, follows on.");
      assert.equal(await meaning("jis0208", "U+4E9C"), "Three bytes in UTF-8.");
      assert.equal(await meaning("jis0208", "U+5516"), "Three bytes in UTF-8.");
      assert.equal(await meaning("euc-kr", "U+AC01"), "Three bytes in UTF-8, follows on.");
      assert.equal(await meaning("jis0208", "U+F929"), "CJK Compatibility Ideograph.");
      assert.equal(await meaning("big5", "U+3447"), "CJK Unified Ideographs Extension A.");
      assert.equal(await meaning("big5", "U+200CC"), "Four bytes in UTF-8.");
      assert.equal(await meaning("jis0208", "U+E000", "shift-jis"), "Private use.");
      assert.equal(await meaning("jis0208", "U+E001", "shift-jis"), "Private use, follows on.");
      assert.equal(await meaning("jis0208", "U+4E9C", "bmp"), "Three bytes in UTF-8.");
      // U+FFE2 is at 2-44 of JIS X 0208, and again in IBM's extension and in NEC's selection of it.
      await show(page, "jis0208");
      await find(page, "U+FFE2");
      assert.equal((await readout(page)).Pointer, "137");
      await find(page, "U+FFE2");
      has(await readout(page), {
        Pointer: "8644",
        Shift_JIS: "EE F9",
        Colour: "Duplicate: an earlier pointer has the code point.",
        "First at": "pointer 137",
      });
      await find(page, "U+FFE2");
      has(await readout(page), { Pointer: "10736", Shift_JIS: "FA 54", "EUC-JP": undefined });
      // Box drawing occurs twice in Big5, and the later position is the one that is encoded.
      await show(page, "big5");
      await find(page, "U+2550");
      has(await readout(page), { Big5: "A2 A4", Colour: "Three bytes in UTF-8." });
      await find(page, "U+2550");
      has(await readout(page), { Big5: "F9 F9", "First at": "pointer 5247" });
    });
  });

  test("the Shift_JIS view has private use where the index has nothing", async () => {
    await withPage({ view: "explorer" }, async (page) => {
      await show(page, "jis0208", "shift-jis");
      await find(page, "U+E000");
      has(await readout(page), { Pointer: "8836", Shift_JIS: "F0 40" });
      await find(page, "U+E757");
      has(await readout(page), { Pointer: "10715", Shift_JIS: "F9 FC" });
      await show(page, "jis0208");
      await find(page, "U+E000");
      assert.equal(await page.textContent("#find-result"), "U+E000 is not in this index.");
    });
  });

  test("Big5's pairs of code points are told apart", async () => {
    await withPage({ view: "explorer" }, async (page) => {
      await show(page, "big5");
      await page.focus("#grid");
      await page.press("#grid", "Control+Home");
      for (let row = 0; row < 7; row++) {
        await page.press("#grid", "ArrowDown");
      }
      for (let column = 0; column < 1133 - 7 * 157; column++) {
        await page.press("#grid", "ArrowRight");
      }
      has(await readout(page), { Pointer: "1133", Big5: "88 62", "Decoded to": "U+00CA U+0304" });
      has(await readout(page), { "Code point": "none", Colour: "Unmapped." });
    });
  });

  test("keys move the cursor, and each move is told", async () => {
    await withPage({ view: "explorer" }, async (page) => {
      await show(page, "jis0208");
      await find(page, "亜");
      await page.focus("#grid");
      const at = async (key) => {
        await page.press("#grid", key);
        return Number((await readout(page)).Pointer);
      };
      assert.equal(await at("ArrowRight"), 1411);
      assert.match(await page.textContent("#cell-status"), /^Pointer 1411: U\+5516 唖\. Three bytes/);
      assert.equal(await at("ArrowLeft"), 1410);
      assert.equal(await at("ArrowDown"), 1504);
      assert.equal(await at("ArrowUp"), 1410);
      assert.equal(await at("End"), 1503);
      assert.equal(await at("Home"), 1410);
      assert.equal(await at("PageDown"), 1410 + 8 * 94);
      assert.equal(await at("PageUp"), 1410);
      assert.equal(await at("Control+Home"), 0);
      assert.equal(await at("ArrowUp"), 0);
      assert.equal(await at("ArrowLeft"), 0);
      assert.equal(await at("Control+End"), 120 * 94 - 1);
      assert.equal(await at("ArrowDown"), 120 * 94 - 1);
    });
  });

  test("the cell under the mouse is told", async () => {
    await withPage({ view: "explorer" }, async (page) => {
      await show(page, "windows-1252");
      await page.selectOption("#size", "28");
      const box = await page.locator("#grid canvas").boundingBox();
      // Beside the labels, which take 38 and 22 pixels: the third cell of the second row.
      await page.mouse.move(box.x + 38 + 2.5 * 28, box.y + 22 + 1.5 * 28);
      has(await readout(page), { Pointer: "18", "windows-1252": "92", "Code point": "U+2019" });
      await page.mouse.click(box.x + 38 + 0.5 * 28, box.y + 22 + 0.5 * 28);
      await page.mouse.move(5, 5);
      has(await readout(page), { Pointer: "0", "Code point": "U+20AC" });
    });
  });

  test("cells have the colour that the legend has", async () => {
    await withPage({ view: "explorer" }, async (page) => {
      await show(page, "windows-1252");
      await page.selectOption("#size", "12");
      await page.waitForTimeout(100);
      const pixels = await page.evaluate(() => {
        const canvas = document.querySelector("#grid canvas");
        const context = canvas.getContext("2d");
        const colour = (from, x, y) => [...from.getImageData(x, y, 1, 1).data].slice(0, 3);
        const at = (column, row) => colour(context, 38 + column * 12 + 3, 22 + row * 12 + 3);
        const legend = (kind) => {
          const swatch = document.querySelector(`#legend li[data-kind="${kind}"] canvas`);
          return colour(swatch.getContext("2d"), 3, 3);
        };
        // 82 is U+201A, three bytes; A1 follows A0; 83 is U+0192, two bytes.
        return [[at(2, 0), legend(3)], [at(1, 2), legend(2)], [at(3, 0), legend(1)]];
      });
      for (const [cell, swatch] of pixels) {
        assert.deepEqual(cell, swatch);
      }
    });
  });

  test("gb18030's ranges are a table", async () => {
    await withPage({ view: "explorer/gb18030-ranges" }, async (page) => {
      const rows = await page.$$eval("#ranges tbody tr", (all) =>
        all.map((row) => [...row.cells].map((cell) => cell.textContent)),
      );
      assert.deepEqual(rows[0], ["0 – 35", "81 30 81 30 – 81 30 84 35", "U+0080 – U+00A3", "36"]);
      const beyond = ["189000 – 1237575", "90 30 81 30 – E3 32 9A 35", "U+10000 – U+10FFFF", "1,048,576"];
      assert.deepEqual(rows.at(-1), beyond);
      assert.equal(rows.length, 207);
      assert.equal(rows.reduce((sum, row) => sum + Number(row[3].replaceAll(",", "")), 0), 39420 + 1048576);
    });
  });

  test("both views are drawn, in light and dark, wide and narrow", async () => {
    for (const dark of [false, true]) {
      for (const width of [1280, 360]) {
        await withPage({ view: "explorer", width, height: width === 360 ? 740 : 900, dark }, async (page) => {
          const name = `${width}-${dark ? "dark" : "light"}`;
          const views = [["big5", "grid"], ["jis0208", "shift-jis"], ["euc-kr", "bmp"], ["koi8-r", "grid"]];
          for (const [index, layout] of views) {
            await show(page, index, layout);
            await page.waitForTimeout(100);
            await screenshot(page, `explorer-${index}-${layout}-${name}`);
          }
          await show(page, "jis0208");
          await page.selectOption("#size", "28");
          await find(page, "亜");
          await page.waitForTimeout(100);
          await screenshot(page, `explorer-jis0208-characters-${name}`);
        });
      }
    }
  });
});
