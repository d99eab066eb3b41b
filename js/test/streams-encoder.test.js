// TextEncoderStream: on the platform's TransformStream, as section 7.6 says.

import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { onEach } from "./engines.js";
import { hex } from "./tools.js";

async function through(stream, chunks) {
  const output = [];
  const source = new ReadableStream({
    start(controller) {
      chunks.forEach((chunk) => controller.enqueue(chunk));
      controller.close();
    },
  });
  for await (const chunk of source.pipeThrough(stream)) {
    assert.equal(Object.getPrototypeOf(chunk), Uint8Array.prototype);
    assert.equal(chunk.byteOffset, 0);
    assert.equal(chunk.buffer.byteLength, chunk.length);
    output.push(hex(chunk));
  }
  return output;
}

onEach("TextEncoderStream: readable and writable are the platform's", (api) => {
  const stream = new api.TextEncoderStream();
  assert.ok(stream.readable instanceof ReadableStream);
  assert.ok(stream.writable instanceof WritableStream);
  assert.equal(stream.readable, stream.readable);
  assert.equal(stream.writable.getWriter().desiredSize, 1);
});

onEach("TextEncoderStream: strings become UTF-8, chunk by chunk", async (api) => {
  assert.deepEqual(await through(new api.TextEncoderStream(), ["a", "é€", "💩"]), [
    "61",
    "C3 A9 E2 82 AC",
    "F0 9F 92 A9",
  ]);
});

onEach("TextEncoderStream: surrogates that are split between chunks", async (api) => {
  const R = "EF BF BD";
  for (const [chunks, expected] of [
    [["\uD83D", "\uDCA9"], ["F0 9F 92 A9"]],
    [
      ["a\uD83D", "\uDCA9b"],
      ["61", "F0 9F 92 A9 62"],
    ],
    [["\uD83D", "", "\uDCA9"], ["F0 9F 92 A9"]],
    [["\uD83D", "a"], [`${R} 61`]],
    [
      ["\uD83D", "\uD83D", "\uDCA9"],
      [R, "F0 9F 92 A9"],
    ],
    [
      ["\uD83D\uD83D", "\uDCA9"],
      [R, "F0 9F 92 A9"],
    ],
    [
      ["\uDCA9", "\uD83D"],
      [R, R],
    ],
    [["\uD83D"], [R]],
    [["a\uD83D"], ["61", R]],
    [["\uD83D", ""], [R]],
    [["\uDCA9\uDCA9"], [`${R} ${R}`]],
    [
      ["\uD83D", "\uDCA9\uD83D", "\uDCA9"],
      ["F0 9F 92 A9", "F0 9F 92 A9"],
    ],
    [["\uD83D", "\uDCA9\uDCA9"], [`F0 9F 92 A9 ${R}`]],
  ]) {
    assert.deepEqual(await through(new api.TextEncoderStream(), chunks), expected, JSON.stringify(chunks));
  }
});

onEach("TextEncoderStream: an empty output is not enqueued", async (api) => {
  assert.deepEqual(await through(new api.TextEncoderStream(), []), []);
  assert.deepEqual(await through(new api.TextEncoderStream(), ["", ""]), []);
});

onEach("TextEncoderStream: chunks are converted to strings", async (api) => {
  assert.deepEqual(
    await through(new api.TextEncoderStream(), [
      1,
      null,
      undefined,
      true,
      { toString: () => "é" },
      ["a", "b"],
      2n,
    ]),
    ["31", "6E 75 6C 6C", "75 6E 64 65 66 69 6E 65 64", "74 72 75 65", "C3 A9", "61 2C 62", "32"],
  );
});

onEach("TextEncoderStream: what can't be a string errors both sides", async (api) => {
  const reason = new Error("of the caller");
  const throwing = {
    toString() {
      throw reason;
    },
  };
  for (const [chunk, check] of [
    [Symbol("a"), (error) => Object.getPrototypeOf(error) === TypeError.prototype],
    [Object.create(null), (error) => Object.getPrototypeOf(error) === TypeError.prototype],
    [throwing, (error) => error === reason],
  ]) {
    const stream = new api.TextEncoderStream();
    const writer = stream.writable.getWriter();
    const reader = stream.readable.getReader();
    const read = assert.rejects(reader.read(), check);
    await assert.rejects(writer.write(chunk), check);
    await read;
    await assert.rejects(writer.closed, check);
    await assert.rejects(reader.closed, check);
  }
});

onEach("TextEncoderStream: a writer waits when nobody reads", async (api) => {
  const stream = new api.TextEncoderStream();
  const writer = stream.writable.getWriter();
  let done = 0;
  const writes = ["a", "b"].map((text) => writer.write(text).then(() => (done += 1)));
  await delay(5);
  assert.equal(done, 0);
  assert.equal(writer.desiredSize, -1);
  const reader = stream.readable.getReader();
  assert.equal(hex((await reader.read()).value), "61");
  assert.equal(hex((await reader.read()).value), "62");
  await Promise.all(writes);
});

onEach("TextEncoderStream: abort, cancel, and writing after the end", async (api) => {
  const reason = new Error("of the caller");
  const aborted = new api.TextEncoderStream();
  await aborted.writable.abort(reason);
  await assert.rejects(aborted.readable.getReader().read(), (error) => error === reason);

  const cancelled = new api.TextEncoderStream();
  const writer = cancelled.writable.getWriter();
  await cancelled.readable.cancel(reason);
  await assert.rejects(writer.write("a"), (error) => error === reason);

  const closed = new api.TextEncoderStream();
  const late = closed.writable.getWriter();
  const end = closed.readable.getReader().read();
  await late.close();
  assert.deepEqual(await end, { value: undefined, done: true });
  // Node 20 throws at once here, with an assertion of its own.
  await assert.rejects(async () => late.write("a"));
  await assert.rejects(late.close(), TypeError);
});
