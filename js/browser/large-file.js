import assert from "node:assert/strict";
import { mkdtempSync, openSync, readFileSync, rmSync, writeSync, closeSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { readToEnd, shownText } from "./support/converter.js";
import { samples, withPage } from "./support/site.js";

const SIZE = 200 * 1024 * 1024;

/** The longest time that the page may be busy at once, in milliseconds. */
const LONGEST_TASK = 100;

const text = readFileSync(join(samples, "ja.shift_jis.txt"), "latin1");
const block = Buffer.from(`${text.repeat(400)}\xFF\n`, "latin1");
const blocks = Math.ceil(SIZE / block.length);

/** A browser that can write files, in a folder of its own. */
function withPicker() {
  window.showSaveFilePicker = async () => {
    const folder = await navigator.storage.getDirectory();
    return folder.getFileHandle("saved.txt", { create: true });
  };
}

/** Runs `work` with a page, and checks that no task of its main thread takes long: during a task the page does not
 * answer. Processor time counts, because other work on the machine makes a task last longer.
 */
async function inTime(t, work) {
  await withPage({ init: withPicker }, async (page) => {
    const browser = page.context().browser();
    await browser.startTracing(page, { categories: ["-*", "toplevel"] });
    await work(page);
    const { traceEvents } = JSON.parse(await browser.stopTracing());
    const threadOf = ({ pid, tid }) => `${pid}/${tid}`;
    const isMain = ({ name, args }) => name === "thread_name" && args.name === "CrRendererMain";
    const main = new Set(traceEvents.filter(isMain).map(threadOf));
    // `tdur` is processor time, in microseconds.
    const tasks = traceEvents.filter((event) => main.has(threadOf(event)) && event.tdur !== undefined);
    assert.ok(tasks.length > 20, "the tasks were measured");
    const longest = Math.round(tasks.reduce((most, { tdur }) => Math.max(most, tdur), 0) / 1000);
    t.diagnostic(`${tasks.length} tasks, the longest takes ${longest} ms`);
    assert.ok(longest < LONGEST_TASK, `the page did nothing else for ${longest} ms`);
  });
}

describe("a file of 200 MB", () => {
  let folder;
  let path;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "simdtext-large-"));
    path = join(folder, "large.shift_jis.txt");
    const file = openSync(path, "w");
    for (let at = 0; at < blocks; at++) {
      writeSync(file, block);
    }
    closeSync(file);
    assert.ok(statSync(path).size >= SIZE);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  test("is read to its end while the page answers", async (t) => {
    await inTime(t, async (page) => {
      const started = Date.now();
      await page.setInputFiles("#file", path);
      await readToEnd(page, 180_000);
      t.diagnostic(`read in ${Date.now() - started} ms`);
      assert.equal(await page.textContent("#found"), "Shift_JIS");
      const told = await page.textContent("#malformed-count");
      const count = blocks.toLocaleString("en");
      assert.equal(told, `${count} sequences, each read as U+FFFD. The first 200 are listed.`);
      // Only a part of the text is in the page.
      assert.ok((await shownText(page)).length <= 16 * 1024);
      await page.click("#last");
      const end = (blocks * block.length - 1).toLocaleString("en");
      await page.waitForSelector(`#window:has-text("to ${end}")`);
      assert.ok((await shownText(page)).endsWith("\uFFFD\n"));
    });
  });

  test("can be cancelled", async () => {
    await withPage({}, async (page) => {
      await page.setInputFiles("#file", path);
      await page.waitForFunction(() => document.querySelector("#progress-bar").value > 0);
      await page.click("#cancel");
      await readToEnd(page);
      assert.match(await page.textContent("#announce"), /^Cancelled after /);
      assert.equal(await page.isHidden("#progress"), true);
      assert.match(await page.textContent("#malformed-count"), /until reading was cancelled/);
      const pages = Number(await page.getAttribute("#page", "max"));
      assert.ok(pages > 0 && pages < SIZE / 16 / 1024, `${pages} pages were read`);
      assert.notEqual(await shownText(page), "");
    });
  });

  test("is saved as UTF-8 in a stream, and saving can be cancelled", async (t) => {
    await inTime(t, async (page) => {
      await page.setInputFiles("#file", path);
      await readToEnd(page, 180_000);
      await page.click("#save");
      await page.waitForFunction(() => {
        const [title, bar] = ["title", "bar"].map((part) => document.querySelector(`#progress-${part}`));
        return title.textContent === "Saving" && bar.value > 0;
      });
      await page.click("#cancel");
      await page.waitForFunction(() => document.querySelector("#save-note").textContent !== "");
      assert.equal(await page.textContent("#save-note"), "Saving was cancelled.");
      await page.click("#save");
      await page.waitForSelector('#save-note:has-text("Saved ")', { timeout: 180_000 });
      const bytes = new TextEncoder().encode(new TextDecoder("shift_jis").decode(block)).length * blocks;
      assert.equal(await page.textContent("#save-note"), `Saved ${bytes.toLocaleString("en")} bytes of UTF-8.`);
      const size = await page.evaluate(async () => {
        const folder = await navigator.storage.getDirectory();
        return (await (await folder.getFileHandle("saved.txt")).getFile()).size;
      });
      assert.equal(size, bytes);
    });
  });
});
