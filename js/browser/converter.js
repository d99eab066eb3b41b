import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { drop, malformedList, readAs, readToEnd, shownText } from "./support/converter.js";
import { samples, screenshot, withPage } from "./support/site.js";

const sample = (name) => readFileSync(join(samples, name));

const listed = readFileSync(join(samples, "LIST"), "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"))
  .map((line) => {
    const [file, label, text, , malformed] = line.split("\t");
    return { file, label, text, malformed: malformed === "-" ? [] : malformed.split(",") };
  });

/** One file of each family, whose encoding has to be recognized, too. */
const families = [
  ["uk-damaged.utf-8.txt", "UTF-8"],
  ["ko-bom.utf-8.txt", "UTF-8"],
  ["ja.utf-16le.txt", "UTF-16LE"],
  ["ro.utf-16be.txt", "UTF-16BE"],
  ["ru.koi8-r.txt", "KOI8-R"],
  ["el.windows-1253.txt", "windows-1253"],
  ["zh-hans.gbk.txt", "GBK"],
  ["zh-hant.big5.txt", "Big5"],
  ["ja.euc-jp.txt", "EUC-JP"],
  ["ja.shift_jis.txt", "Shift_JIS"],
  ["ja.iso-2022-jp.txt", "ISO-2022-JP"],
  ["ko.euc-kr.txt", "EUC-KR"],
];

describe("converter", () => {
  test("a file of each family is recognized when it is dropped", async () => {
    await withPage({}, async (page) => {
      for (const [file, encoding] of families) {
        const { text } = listed.find((entry) => entry.file === file);
        await drop(page, file, sample(file));
        const found = await page.textContent("#found");
        // GBK and gb18030 decode the same.
        assert.equal(found === "gb18030" && encoding === "GBK" ? "GBK" : found, encoding, file);
        assert.equal(await shownText(page), sample(text).toString(), file);
        assert.equal(await page.textContent("#source-name"), file);
      }
    });
  });

  test("each sample is read right in its encoding, with its malformed sequences", async () => {
    await withPage({}, async (page) => {
      assert.ok(listed.length > 50);
      for (const { file, label, text, malformed } of listed) {
        await drop(page, file, sample(file));
        const current = await page.inputValue("#encoding");
        if (current.toLowerCase() !== label) {
          const options = await page.$$eval("#encoding option", (all) => all.map(({ value }) => value));
          await readAs(page, options.find((name) => name.toLowerCase() === label));
        }
        assert.equal(await shownText(page), sample(text).toString(), file);
        assert.deepEqual(await malformedList(page), malformed, file);
      }
    });
  });

  test("a malformed sequence is shown with what is around it, and found in the text", async () => {
    await withPage({}, async (page) => {
      await drop(page, "ja-damaged.shift_jis.txt", sample("ja-damaged.shift_jis.txt"));
      await readAs(page, "Shift_JIS");
      const bytes = sample("ja-damaged.shift_jis.txt");
      const hex = (from, to) => bytes.subarray(from, to).toString("hex").toUpperCase().match(/../g).join(" ");
      const [first] = await page.$$eval("#malformed li .hex", (all) => all.map((each) => each.textContent));
      assert.equal(first, `${hex(43, 51)} FF ${hex(52, 60)}`);
      await page.click("#malformed li:nth-child(2) button");
      const focused = await page.evaluate(() => {
        const mark = document.activeElement;
        const before = document.createRange();
        before.setStart(document.querySelector("#text"), 0);
        before.setEndBefore(mark);
        return { tag: mark.tagName, text: mark.textContent, at: before.toString().length };
      });
      // The second one is before the line feed at byte 63.
      const until = new TextDecoder("shift_jis").decode(bytes.subarray(0, 62));
      assert.deepEqual(focused, { tag: "MARK", text: "\uFFFD", at: until.length });
      await screenshot(page, "converter-damaged-light");
    });
  });

  test("another encoding changes the text", async () => {
    await withPage({}, async (page) => {
      const bytes = sample("ru.koi8-r.txt");
      await drop(page, "ru.koi8-r.txt", bytes);
      assert.equal(await page.locator("#encoding option").count(), 40);
      await readAs(page, "windows-1251");
      assert.equal(await shownText(page), new TextDecoder("windows-1251").decode(bytes));
      assert.equal(await page.textContent("#found"), "windows-1251", "the heading follows the choice");
      assert.equal(await page.textContent("#certain"), "your choice");
      assert.match(await page.textContent("#evidence"), /^Detected: KOI8-R\. Guessed from the bytes: /);
      await readAs(page, "KOI8-R");
      assert.equal(await page.textContent("#found"), "KOI8-R");
      assert.match(await page.textContent("#certain"), /certain/);
      await readAs(page, "replacement");
      assert.equal(await shownText(page), "\uFFFD");
      await readAs(page, "x-user-defined");
      const userDefined = [...bytes].map((byte) => String.fromCharCode(byte < 0x80 ? byte : 0xf700 + byte));
      assert.equal(await shownText(page), userDefined.join(""));
    });
  });

  test("bytes in hex are read, and what is wrong with them is told", async () => {
    await withPage({}, async (page) => {
      await page.fill("#hex", "0x83,0x65 83 4C\n83 58 8367");
      await readToEnd(page);
      await readAs(page, "Shift_JIS");
      assert.equal(await shownText(page), "テキスト");
      await page.fill("#hex", "83 6");
      assert.match(await page.textContent("#hex-problem"), /^Character 4: a byte has two hex digits/);
      await page.fill("#hex", "83 zz");
      assert.match(await page.textContent("#hex-problem"), /^Character 4: “z” is no hex digit/);
    });
  });

  test("the samples of the page are what they say", async () => {
    await withPage({}, async (page) => {
      const names = await page.locator("#samples button").allTextContents();
      assert.ok(names.length >= 8);
      for (const name of names) {
        await page.evaluate(() => (document.querySelector("#announce").textContent = ""));
        await page.click(`#samples button:text-is("${name}")`);
        await readToEnd(page);
        const found = await page.textContent("#found");
        const [, encoding] = name.split(", ");
        if (encoding === "damaged") {
          assert.equal(found, "Shift_JIS");
          assert.equal(await page.locator("#malformed li").count(), 2);
        } else {
          assert.equal(found, encoding, name);
          assert.match(await page.textContent("#malformed-count"), /^None/, name);
        }
        assert.notEqual(await shownText(page), "");
      }
    });
  });

  test("binary files are called binary", async () => {
    const png = Buffer.from("89504E470D0A1A0A0000000D4948445200000001000000010806000000", "hex");
    const noise = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * at * 7919 + 13 * at) >> 3));
    await withPage({}, async (page) => {
      for (const bytes of [png, noise]) {
        await drop(page, "file.bin", bytes);
        assert.equal(await page.textContent("#found"), "Binary data");
        assert.match(await page.textContent("#evidence"), /^Not text: /);
      }
      await readAs(page, "KOI8-R");
      assert.equal(await page.textContent("#found"), "KOI8-R");
      assert.match(await page.textContent("#evidence"), /^Detected: Binary data\. Not text: /);
      await screenshot(page, "converter-binary");
    });
  });

  test("languages are called by their names", async () => {
    await withPage({}, async (page) => {
      await drop(page, "ja.shift_jis.txt", sample("ja.shift_jis.txt"));
      assert.match(await page.textContent("#evidence"), /most plausible, as Japanese, by [\d,]+ bits\.$/);
      const cells = await page.$$eval("#candidates td:nth-child(2)", (all) => all.map((cell) => cell.textContent));
      assert.equal(cells[0], "Japanese");
      assert.ok(cells.every((cell) => cell === "–" || /^[A-Z][a-z]{3,}/.test(cell)), cells.join());
    });
  });

  test("names of encodings are not broken", async () => {
    await withPage({ width: 360, height: 740 }, async (page) => {
      for (const file of ["ja.iso-2022-jp.txt", "el.windows-1253.txt", "ro.utf-16be.txt"]) {
        await drop(page, file, sample(file));
        const lines = await page.$$eval("#found, #candidates button", (all) =>
          all.map((each) => {
            const range = document.createRange();
            range.selectNodeContents(each);
            return [each.textContent, new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size];
          }),
        );
        assert.ok(lines.length > 0);
        for (const [name, count] of lines) {
          assert.equal(count, 1, name);
        }
      }
      await screenshot(page, "converter-names-narrow");
    });
  });

  test("a file is saved in any encoding, and what that lacks is listed", async () => {
    const init = () => delete window.showSaveFilePicker;
    const text = "≡ ‽ ☃ ‽\n日本語のテキスト\n";
    await withPage({ init }, async (page) => {
      const targets = await page.$$eval("#target option", (all) => all.map(({ value }) => value));
      assert.equal(targets.length, 39);
      assert.ok(!targets.includes("replacement"));
      await drop(page, "text.txt", Buffer.from(text));
      const save = async (target, unmappable) => {
        await page.selectOption("#target", target);
        if (unmappable) {
          await page.selectOption("#unmappable", unmappable);
        }
        assert.equal(await page.textContent("#save"), `Save as ${target}`);
        const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
        assert.equal(download.suggestedFilename(), `text.${target.toLowerCase()}.txt`);
        const bytes = await readFile(await download.path());
        assert.match(await page.textContent("#save-note"), new RegExp(`^Saved ${bytes.length} bytes of ${target}`));
        return bytes;
      };
      const lost = async () =>
        (await page.isVisible("#lost"))
          ? [await page.textContent("#lost-count"), await page.locator("#lost-list li").allTextContents()]
          : null;

      const iso = await save("ISO-2022-JP");
      const references = text.replaceAll("‽", "&#8253;").replaceAll("☃", "&#9731;");
      assert.equal(new TextDecoder("iso-2022-jp", { fatal: true }).decode(iso), references);
      const listed = ["‽ U+203D, 2 times", "☃ U+2603"];
      assert.deepEqual(await lost(), ["3 characters are not in ISO-2022-JP, and written as references.", listed]);
      await screenshot(page, "converter-lost");

      const sjis = await save("Shift_JIS", "replace");
      assert.equal(new TextDecoder("shift_jis").decode(sjis), text.replace(/[‽☃]/g, "?"));
      assert.deepEqual((await lost())[1], listed);
      const skipped = await save("EUC-JP", "skip");
      assert.equal(new TextDecoder("euc-jp").decode(skipped), text.replace(/[‽☃]/g, ""));
      assert.deepEqual(await lost(), ["3 characters are not in EUC-JP, and left out.", listed]);

      assert.equal((await save("UTF-16LE")).toString("utf16le"), text);
      assert.equal(await lost(), null);
      assert.equal(new TextDecoder("gb18030").decode(await save("gb18030")), text);
      assert.equal(await lost(), null);
      assert.equal((await save("UTF-8")).toString(), text);
    });
  });

  test("the page says its version, and leads to the README", async () => {
    const { version } = JSON.parse(readFileSync(join(samples, "../js/package.json"), "utf8"));
    await withPage({}, async (page) => {
      assert.equal(await page.textContent("#version"), version);
      const answer = await page.evaluate(async () => {
        const response = await fetch(document.querySelector("#readme").href);
        return [response.status, await response.text()];
      });
      assert.equal(answer[0], 200);
      assert.match(answer[1], /^# simdtext for JavaScript/);
    });
  });

  test("a file is saved as UTF-8 by download", async () => {
    const init = () => delete window.showSaveFilePicker;
    await withPage({ init }, async (page) => {
      const files = [["zh-hant.big5.txt", "zh-hant"], ["ro.utf-16be.txt", "ro"], ["ko-bom.utf-8.txt", "ko"]];
      for (const [file, text] of files) {
        await drop(page, file, sample(file));
        const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
        assert.equal(download.suggestedFilename(), file.replace(/\.txt$/, ".utf-8.txt"));
        assert.deepEqual(await readFile(await download.path()), sample(`utf-8/${text}.txt`), file);
      }
    });
  });

  test("a file is saved to where the reader chose, where the browser can write files", async () => {
    const init = () => {
      window.showSaveFilePicker = async ({ suggestedName }) => {
        const folder = await navigator.storage.getDirectory();
        return folder.getFileHandle(suggestedName, { create: true });
      };
    };
    await withPage({ init }, async (page) => {
      await drop(page, "ja.iso-2022-jp.txt", sample("ja.iso-2022-jp.txt"));
      await page.click("#save");
      await page.waitForFunction(() => document.querySelector("#save-note").textContent.startsWith("Saved"));
      const written = await page.evaluate(async () => {
        const folder = await navigator.storage.getDirectory();
        const handle = await folder.getFileHandle("ja.iso-2022-jp.utf-8.txt");
        return (await handle.getFile()).text();
      });
      assert.equal(written, sample("utf-8/ja.txt").toString());
    });
  });

  test("an empty file is no problem", async () => {
    await withPage({}, async (page) => {
      await drop(page, "empty.txt", new Uint8Array(0));
      assert.equal(await shownText(page), "");
      assert.equal(await page.textContent("#window"), "The file is empty.");
      assert.equal(await page.isHidden("#problem"), true);
    });
  });
});
