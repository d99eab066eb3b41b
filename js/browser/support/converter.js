// Steps of a user of the converter, for several tests.

/** Drops a file on the page, as a file manager does, and waits until it has been read. */
export async function drop(page, name, bytes) {
  await page.evaluate(
    ([fileName, base64]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))], fileName));
      document.querySelector("#announce").textContent = "";
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [name, Buffer.from(bytes).toString("base64")],
  );
  await readToEnd(page);
}

export async function readAs(page, encoding) {
  await page.evaluate(() => (document.querySelector("#announce").textContent = ""));
  await page.selectOption("#encoding", encoding);
  await readToEnd(page);
}

/** Waits for the announcement that reading has ended. */
export const readToEnd = (page, timeout) =>
  page.waitForFunction(() => /^(Read as|Cancelled)/.test(document.querySelector("#announce").textContent), null, {
    timeout,
  });

export const shownText = (page) => page.textContent("#text");

/** The list of malformed sequences as `offset:bytes`, as in the samples' list. */
export const malformedList = (page) =>
  page.$$eval("#malformed li", (items) =>
    items.map((item) => {
      const offset = item.querySelector(".where").textContent.match(/Byte ([\d,]+)/)[1].replaceAll(",", "");
      return `${offset}:${item.querySelector(".hex b").textContent.replaceAll(" ", "")}`;
    }),
  );

/** The texts of all pages, joined. */
export async function allPages(page) {
  const texts = [await shownText(page)];
  while (await page.isEnabled("#next").catch(() => false)) {
    const before = await page.inputValue("#page");
    await page.click("#next");
    await page.waitForFunction((number) => document.querySelector("#page").value !== number, before);
    texts.push(await shownText(page));
  }
  return texts;
}
