// Reads files in the background: detects, cuts into pages, counts malformed sequences, and saves.
//
// Messages in: { ask: "open" | "page" | "save" | "cancel", ... }. Each answer has the number of the "open"
// that it belongs to, so that the page can ignore late ones.

import { detect } from "simdtext";
import { cutPage, firstPage, PAGE_BYTES, readPage } from "./pages.js";
import { converter } from "./transcode.js";

/** How many bytes of a long file are used for detection. */
const DETECT_BYTES = 1024 * 1024;

/** How many malformed sequences are listed. All are counted. */
const LISTED = 200;

/** How many bytes and code units are shown on each side of a malformed sequence. */
const CONTEXT = 8;
const TEXT_CONTEXT = 24;

const PROGRESS_MS = 60;

/** Pieces of a saved file are joined up to this size, which the browser can move to the disk. */
const PIECE_BYTES = 8 * 1024 * 1024;

/** The open file: its blob, encoding, pages, and what was found so far. */
let file = null;
let saving = null;

const answers = { open, page, save, cancel };

self.addEventListener("message", async ({ data }) => {
  try {
    await answers[data.ask](data);
  } catch (error) {
    self.postMessage({ tell: "problem", id: data.id, during: data.ask, message: error.message });
  }
});
self.postMessage({ tell: "ready" });

async function open({ id, blob, encoding }) {
  saving = null;
  const opened = { id, blob, pages: [], errors: 0, listed: [], told: 0, cancelled: false };
  file = opened;
  const head = new Uint8Array(await blob.slice(0, DETECT_BYTES).arrayBuffer());
  if (file !== opened) {
    return;
  }
  const detection = detect(head, {
    complete: blob.size <= head.length,
    ...(blob.type ? { contentType: blob.type } : {}),
  });
  opened.encoding = encoding ?? detection.encoding ?? "windows-1252";
  self.postMessage({ tell: "detected", id, encoding: opened.encoding, detection });
  await scan(opened);
}

/** Reads the file once from its beginning, page by page. */
async function scan(opened) {
  const { id, blob, encoding } = opened;
  const size = encoding === "replacement" ? Math.min(blob.size, PAGE_BYTES) : blob.size;
  const reader = blob.slice(0, size).stream().getReader();
  let begun = firstPage();
  let rest = new Uint8Array(0);
  let told = performance.now();
  const stopped = () => file !== opened || opened.cancelled;
  for (let done = false; !done && !stopped(); ) {
    const read = await reader.read();
    done = read.done;
    rest = done ? rest : joined(rest, read.value);
    // Even an empty file has a page.
    const more = () => (done ? rest.length > 0 || opened.pages.length === 0 : rest.length > PAGE_BYTES);
    while (!stopped() && more()) {
      const cut = cutPage(encoding, begun, rest, done);
      rest = rest.subarray(cut.page.end - cut.page.start);
      begun = cut.next;
      opened.pages.push(cut.page);
      opened.errors += cut.errors;
      if (cut.errors > 0 && opened.listed.length < LISTED) {
        await list(opened, cut.page);
      }
      if (opened.pages.length === 1) {
        await page({ id, number: 0 });
      }
      if (performance.now() - told > PROGRESS_MS) {
        told = performance.now();
        report(opened, cut.page.end, "reading");
        // Pages with many malformed sequences take long, so let messages through in between.
        await new Promise((resume) => setTimeout(resume));
      }
    }
  }
  await reader.cancel();
  if (file === opened) {
    const end = opened.pages.at(-1)?.end ?? 0;
    report(opened, end, opened.cancelled ? "cancelled" : "done");
  }
}

function joined(first, second) {
  if (first.length === 0) {
    return second;
  }
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function report(opened, bytesRead, state) {
  const { id, pages, errors } = opened;
  const listed = opened.listed.slice(opened.told);
  opened.told = opened.listed.length;
  self.postMessage({ tell: "progress", id, bytesRead, pages: pages.length, errors, listed, state });
}

/** Adds the page's malformed sequences to the list, each with its context. */
async function list(opened, inPage) {
  const { text, malformed } = await read(opened, inPage);
  const room = LISTED - opened.listed.length;
  for (const { offset, bytes, textAt } of malformed.slice(0, room)) {
    const end = offset + bytes.length;
    const from = Math.max(0, offset - CONTEXT);
    const around = new Uint8Array(await opened.blob.slice(from, end + CONTEXT).arrayBuffer());
    opened.listed.push({
      offset,
      bytes,
      page: opened.pages.length - 1,
      before: around.slice(0, offset - from),
      after: around.slice(end - from),
      textBefore: wholeCharacters(text.slice(Math.max(0, textAt - TEXT_CONTEXT), textAt)),
      textAfter: wholeCharacters(text.slice(textAt + 1, textAt + 1 + TEXT_CONTEXT)),
    });
  }
}

/** Removes half a surrogate pair at either end. */
const wholeCharacters = (text) => text.replace(/^[\uDC00-\uDFFF]/u, "").replace(/[\uD800-\uDBFF]$/u, "");

async function read(opened, wanted) {
  const bytes = new Uint8Array(await opened.blob.slice(wanted.start, wanted.end).arrayBuffer());
  const last = wanted.end === opened.blob.size;
  return readPage(opened.encoding, wanted, bytes, last);
}

async function page({ id, number }) {
  const opened = file;
  if (opened?.id !== id || number >= opened.pages.length) {
    return;
  }
  const wanted = opened.pages[number];
  const { text, malformed } = await read(opened, wanted);
  const marks = malformed.map(({ offset, textAt }) => ({ offset, textAt }));
  self.postMessage({ tell: "page", id, number, start: wanted.start, end: wanted.end, text, marks });
}

/** Writes the file in another encoding to the handle that the user chose, or makes a blob of it. */
async function save({ id, handle, target: encoding, unmappable }) {
  const opened = file;
  if (opened?.id !== id) {
    return;
  }
  const running = { cancelled: false };
  saving = running;
  const target = handle ? await fileTarget(handle) : blobTarget();
  const { convert, lost } = converter(opened.encoding, encoding, unmappable);
  const reader = opened.blob.stream().getReader();
  const tell = (state, bytesRead, more = {}) =>
    self.postMessage({ tell: "saving", id, state, bytesRead, written: target.written, ...more });
  let bytesRead = 0;
  let told = performance.now();
  const stopped = () => running.cancelled || file !== opened || saving !== running;
  try {
    for (let done = false; !done && !stopped(); ) {
      const next = await reader.read();
      done = next.done;
      bytesRead += next.value?.length ?? 0;
      await target.write(convert(next.value, { stream: !done }));
      if (performance.now() - told > PROGRESS_MS) {
        told = performance.now();
        tell("writing", bytesRead);
        await new Promise((resume) => setTimeout(resume));
      }
    }
  } catch (error) {
    await target.abort();
    throw error;
  } finally {
    await reader.cancel();
  }
  if (stopped()) {
    await target.abort();
    tell("cancelled", bytesRead);
    return;
  }
  const blob = await target.close();
  tell("done", bytesRead, { blob, lost: lost() });
}

async function fileTarget(handle) {
  const stream = await handle.createWritable();
  return {
    written: 0,
    async write(bytes) {
      await stream.write(bytes);
      this.written += bytes.length;
    },
    close: () => stream.close(),
    abort: () => stream.abort(),
  };
}

function blobTarget() {
  const pieces = [];
  let parts = [];
  let pending = 0;
  const gather = () => {
    pieces.push(new Blob(parts));
    parts = [];
    pending = 0;
  };
  return {
    written: 0,
    async write(bytes) {
      parts.push(bytes);
      this.written += bytes.length;
      pending += bytes.length;
      if (pending >= PIECE_BYTES) {
        gather();
      }
    },
    async close() {
      gather();
      return new Blob(pieces, { type: "text/plain" });
    },
    async abort() {
      pieces.length = 0;
      parts = [];
    },
  };
}

function cancel() {
  if (saving) {
    saving.cancelled = true;
  } else if (file) {
    file.cancelled = true;
  }
}
