// Accessibility and privacy of the page: by keyboard alone, on a narrow screen, and without sending data
// anywhere.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { drop, readAs, readToEnd, shownText } from "./support/converter.js";
import { samples, screenshot, withPage } from "./support/site.js";

const focused = (page) =>
  page.evaluate(() => {
    const { id, tagName, textContent } = document.activeElement;
    return id || `${tagName} ${textContent.trim()}`;
  });

const announced = (page, beginning) =>
  page.waitForFunction((text) => document.querySelector("#announce").textContent.startsWith(text), beginning);

/** Presses Tab until this element has the focus. Each stop on the way must show its focus. */
async function tabTo(page, wanted) {
  const stops = [];
  while (stops.length < 60) {
    await page.keyboard.press("Tab");
    const stop = await focused(page);
    stops.push(stop);
    const outlined = await page.evaluate(() => {
      const shows = (element) => element && getComputedStyle(element).outlineStyle !== "none";
      return shows(document.activeElement) || shows(document.activeElement.closest(".drop"));
    });
    assert.ok(outlined, `the focus of ${stop} can be seen`);
    if (stop === wanted) {
      return;
    }
  }
  assert.fail(`Tab does not reach ${wanted}: ${stops.join(", ")}`);
}

describe("access", () => {
  test("the whole way by keyboard", async () => {
    const init = () => delete window.showSaveFilePicker;
    await withPage({ init }, async (page) => {
      await tabTo(page, "file");
      await tabTo(page, "BUTTON Japanese, damaged");
      await page.keyboard.press("Enter");
      await readToEnd(page);
      await tabTo(page, "encoding");
      await page.keyboard.type("EUC-J");
      await announced(page, "Read as EUC-JP");
      // Keys that follow within a second add to what was typed before.
      await page.waitForTimeout(1200);
      await page.keyboard.type("Shift");
      await announced(page, "Read as Shift_JIS");
      await tabTo(page, "save");
      const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Space")]);
      assert.ok(readFileSync(await download.path(), "utf8").includes("朝の"));
      await tabTo(page, "BUTTON Show in text");
      await page.keyboard.press("Enter");
      assert.equal(await focused(page), "MARK \uFFFD");
      await page.keyboard.press("Shift+Tab");
      assert.equal(await focused(page), "text");
    });
    await withPage({}, async (page) => {
      await tabTo(page, "A Index explorer");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#grid[data-shown]");
      await tabTo(page, "query");
      await page.keyboard.type("U+4E00");
      await page.keyboard.press("Enter");
      await tabTo(page, "grid");
      await page.keyboard.press("ArrowRight");
      assert.match(await page.textContent("#cell-status"), /^Pointer 5496: U\+4E59 乙/);
    });
  });

  test("every control has a name", async () => {
    for (const view of ["converter", "explorer"]) {
      await withPage({ view }, async (page) => {
        const nameless = await page.$$eval("main input, main select, main textarea, main button", (all) =>
          all
            .filter((control) => !control.labels?.length && !control.ariaLabel && !control.textContent.trim())
            .map((control) => control.outerHTML),
        );
        assert.deepEqual(nameless, []);
      });
    }
  });

  test("nothing is wider than a screen of 360 pixels", async () => {
    const fits = async (page, what) => {
      const { wide, view } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        view: document.documentElement.clientWidth,
      }));
      assert.ok(wide <= view, `${what} is ${wide} pixels wide, the screen ${view}`);
    };
    for (const dark of [false, true]) {
      for (const width of [360, 1280]) {
        const size = { width, height: width === 360 ? 740 : 900, dark };
        const picture = `${width}-${dark ? "dark" : "light"}`;
        await withPage(size, async (page) => {
          await fits(page, "the empty converter");
          await screenshot(page, `converter-empty-${picture}`);
          const file = "ja-damaged.shift_jis.txt";
          const name = `a-very-long-name-of-a-file-${"x".repeat(80)}.txt`;
          await drop(page, name, readFileSync(join(samples, file)));
          await readAs(page, "Shift_JIS");
          await fits(page, "the converter");
          await screenshot(page, `converter-damaged-${picture}`);
          await drop(page, "long.txt", Buffer.from("wide".repeat(30_000)));
          await fits(page, "the converter with pages");
          await screenshot(page, `converter-pages-${picture}`);
        });
        for (const shown of ["big5", "jis0208/bmp", "koi8-r", "gb18030-ranges"]) {
          const view = `explorer/${shown}`;
          await withPage({ ...size, view }, async (page) => fits(page, view));
        }
      }
    }
  });

  test("neither the page nor its worker can reach another server", async () => {
    const asked = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.url);
      response.setHeader("access-control-allow-origin", "*");
      response.end("reached");
    });
    await new Promise((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${elsewhere.address().port}/`;
    const tryIt = (url) => fetch(url).then(() => "reached", (error) => error.name);
    try {
      assert.equal(await tryIt(address), "reached", "the server is there");
      asked.length = 0;
      // Refused requests are reported as errors, so withPage's own check is not used here.
      await assert.rejects(
        withPage({}, async (page) => {
          await drop(page, "text.txt", Buffer.from("text"));
          assert.equal(await shownText(page), "text");
          assert.equal(await page.evaluate(tryIt, address), "TypeError");
          const [worker] = page.workers();
          assert.equal(await worker.evaluate(tryIt, address), "TypeError");
          throw new Error("came to the end");
        }),
        /came to the end/,
      );
      assert.deepEqual(asked, []);
    } finally {
      elsewhere.close();
    }
  });
});
