// Both engines in several threads at the same time, in threads that are ended during a call, and on bytes
// that another thread is writing.

import assert from "node:assert/strict";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { onEach } from "./engines.js";

/** A worker that runs `body`, the text of an asynchronous function of `api`, `port` and `workerData`. */
function work(engine, body, workerData) {
  const source = `
    const { parentPort: port, workerData } = require("node:worker_threads");
    import(${JSON.stringify(import.meta.resolve(`simdtext/${engine}`))}).then((api) => (${body})(api, port, workerData));
  `;
  return new Worker(source, { eval: true, workerData });
}

async function answer(worker) {
  const [message] = await once(worker, "message");
  return message;
}

onEach("several workers at once", async (api, context, engine) => {
  const workers = Array.from({ length: 6 }, (_, i) =>
    work(
      engine,
      (own, port, label) => {
        const decoder = new own.TextDecoder(label);
        const text = own.encodings.map(({ name }) => name).join() + "日本語";
        const bytes = own.encode(text.repeat(100), label);
        let same = 0;
        for (let round = 0; round < 200; round += 1) {
          same += Number(decoder.decode(bytes) === text.repeat(100));
        }
        port.postMessage(same);
      },
      ["shift_jis", "euc-jp", "gbk", "utf-8", "iso-2022-jp", "utf-16le"][i],
    ),
  );
  assert.deepEqual(await Promise.all(workers.map(answer)), [200, 200, 200, 200, 200, 200]);
  await Promise.all(workers.map((worker) => worker.terminate()));
  assert.equal(new api.TextDecoder("gbk").decode(Uint8Array.of(0xc4, 0xe3)), "你");
});

onEach("workers that are terminated during a call", async (api, context, engine) => {
  for (let round = 0; round < 3; round += 1) {
    const worker = work(engine, (own, port) => {
      const decoder = new own.TextDecoder("gb18030");
      const bytes = new Uint8Array(1 << 22).fill(0x81);
      port.postMessage("begun");
      for (;;) {
        decoder.decode(bytes, { stream: true });
      }
    });
    assert.equal(await answer(worker), "begun");
    await worker.terminate();
    assert.equal(new api.TextDecoder("gb18030").decode(Uint8Array.of(0xc4, 0xe3)), "你");
  }
  const last = work(engine, (own, port) => port.postMessage(own.decode(Uint8Array.of(0x93, 0xfa), "sjis")));
  assert.equal(await answer(last), "日");
  await last.terminate();
});

onEach("shared bytes that another thread is writing", async (api, context, engine) => {
  const shared = new SharedArrayBuffer(1 << 16);
  const bytes = new Uint8Array(shared);
  const worker = work(
    engine,
    (own, port, buffer) => {
      const target = new Uint8Array(buffer);
      port.postMessage("begun");
      for (let value = 0; ; value += 0x7f) {
        target.fill(value, value % 1000);
      }
    },
    shared,
  );
  assert.equal(await answer(worker), "begun");
  for (let round = 0; round < 60; round += 1) {
    for (const label of ["utf-8", "gb18030", "utf-16le", "euc-jp"]) {
      // Whatever the bytes were at each moment, the result is a text, and not longer than they can produce.
      const text = new api.TextDecoder(label).decode(bytes);
      assert.ok(text.length <= bytes.length + 1, label);
      assert.ok(text.isWellFormed(), label);
    }
    const { read, written } = new api.TextEncoder().encodeInto("é€💩".repeat(100), bytes);
    assert.deepEqual([read, written], [400, 900]);
  }
  await worker.terminate();
});

onEach("errors and text cross to another thread", async (api, context, engine) => {
  const worker = work(engine, (own, port) => {
    try {
      new own.TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.of(0xff));
    } catch (error) {
      port.postMessage(error);
    }
  });
  const error = await answer(worker);
  assert.ok(error instanceof TypeError);
  assert.match(error.message, /FF/);
  await worker.terminate();
});
