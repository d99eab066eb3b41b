// TextDecoderStream: on the platform's TransformStream, as section 7.5 says.

import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { onEach } from "./engines.js";
import { TRICKY } from "./tricky.js";
import { assertMalformed, bytes, codes, hex, rejected, threePieces } from "./tools.js";

function source(chunks) {
  return new ReadableStream({
    start(controller) {
      chunks.forEach((chunk) => controller.enqueue(chunk));
      controller.close();
    },
  });
}

async function collect(readable) {
  const chunks = [];
  for await (const chunk of readable) {
    chunks.push(chunk);
  }
  return chunks;
}

const through = (stream, chunks) => collect(source(chunks).pipeThrough(stream));

onEach("TextDecoderStream: readable and writable are the platform's", (api) => {
  const stream = new api.TextDecoderStream();
  assert.ok(stream.readable instanceof ReadableStream);
  assert.ok(stream.writable instanceof WritableStream);
  assert.equal(stream.readable, stream.readable);
  assert.equal(stream.writable, stream.writable);
  assert.equal(stream.readable.locked, false);
  assert.equal(stream.writable.locked, false);
});

onEach("TextDecoderStream: the queues are those of a TransformStream: 1 to write, 0 to read", async (api) => {
  const stream = new api.TextDecoderStream();
  const writer = stream.writable.getWriter();
  assert.equal(writer.desiredSize, 1);
  const written = writer.write(bytes("a"));
  assert.equal(writer.desiredSize, 0);
  const reader = stream.readable.getReader();
  assert.deepEqual(await reader.read(), { value: "a", done: false });
  await written;
  const pending = reader.read();
  await writer.ready;
  assert.equal(writer.desiredSize, 1);
  await writer.close();
  assert.deepEqual(await pending, { value: undefined, done: true });
});

onEach("TextDecoderStream: a writer waits when nobody reads", async (api) => {
  const stream = new api.TextDecoderStream();
  const writer = stream.writable.getWriter();
  let done = 0;
  const writes = ["a", "b", "c"].map((text) => writer.write(bytes(text)).then(() => (done += 1)));
  let ready = false;
  writer.ready.then(() => (ready = true));
  await delay(5);
  assert.equal(done, 0, "no write is through before a read");
  assert.equal(ready, false);
  const reader = stream.readable.getReader();
  assert.equal((await reader.read()).value, "a");
  await delay(5);
  assert.ok(done <= 2, "the third write waits");
  assert.equal((await reader.read()).value, "b");
  assert.equal((await reader.read()).value, "c");
  await Promise.all(writes);
});

onEach("TextDecoderStream: pieces of characters wait for the rest", async (api) => {
  const chunks = await through(new api.TextDecoderStream("utf-16be"), [
    bytes("FE"),
    bytes("FF"),
    bytes("00 a D8"),
    bytes("3D"),
    bytes("DC A9 FE FF"),
    bytes("DC 00 00"),
  ]);
  assert.deepEqual(chunks.map(codes), ["0061", "1F4A9 FEFF", "FFFD", "FFFD"]);
});

onEach("TextDecoderStream: an empty output is not enqueued", async (api) => {
  assert.deepEqual(await through(new api.TextDecoderStream(), []), []);
  assert.deepEqual(await through(new api.TextDecoderStream(), [new Uint8Array(0), new ArrayBuffer(0)]), []);
  assert.deepEqual(await through(new api.TextDecoderStream(), [bytes("EF BB BF")]), []);
  assert.deepEqual(
    await through(new api.TextDecoderStream(), [bytes("E2"), new Uint8Array(0), bytes("82"), bytes("AC")]),
    ["€"],
  );
  assert.deepEqual(await through(new api.TextDecoderStream("iso-2022-jp"), [bytes("1B"), bytes("$B")]), []);
});

onEach("TextDecoderStream: byte order marks", async (api) => {
  for (const ignoreBOM of [false, true]) {
    for (const pieces of threePieces(bytes("EF BB BF a EF BB BF"))) {
      const chunks = await through(new api.TextDecoderStream("utf-8", { ignoreBOM }), pieces);
      assert.ok(
        chunks.every((chunk) => chunk !== ""),
        "no empty chunks",
      );
      assert.equal(codes(chunks.join("")), ignoreBOM ? "FEFF 0061 FEFF" : "0061 FEFF");
    }
  }
});

onEach("TextDecoderStream: any buffer is a chunk, shared ones too", async (api) => {
  const shared = new Uint8Array(new SharedArrayBuffer(8));
  shared.set(bytes("a b"), 2);
  const chunks = await through(new api.TextDecoderStream(), [
    bytes("x").buffer,
    new DataView(bytes("a b c").buffer, 1, 1),
    shared.subarray(2, 4),
    shared.buffer,
    Uint16Array.of(0x6161),
    Buffer.from("pooled"),
  ]);
  assert.deepEqual(chunks, ["x", "b", "ab", "\0\0ab\0\0\0\0", "aa", "pooled"]);
});

onEach("TextDecoderStream: what is no buffer errors both sides with one TypeError", async (api) => {
  for (const chunk of [
    undefined,
    null,
    "text",
    1,
    {},
    [1],
    Symbol("a"),
    new ArrayBuffer(1, { maxByteLength: 2 }),
  ]) {
    const stream = new api.TextDecoderStream();
    const writer = stream.writable.getWriter();
    const reader = stream.readable.getReader();
    const read = rejected(reader.read(), TypeError);
    const error = await rejected(writer.write(chunk), TypeError);
    assert.equal(await read, error);
    assert.equal(await rejected(reader.closed, TypeError), error);
    assert.equal(await rejected(writer.closed, TypeError), error);
    assert.equal(await rejected(writer.write(bytes("a")), TypeError), error);
  }
});

onEach("TextDecoderStream: malformed input in a fatal stream errors both sides", async (api) => {
  const stream = new api.TextDecoderStream("utf-8", { fatal: true });
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  const first = reader.read();
  await writer.write(bytes("ab E2"));
  assert.equal((await first).value, "ab");
  const read = rejected(reader.read(), TypeError);
  const error = await rejected(writer.write(bytes("cd")), TypeError);
  assertMalformed(error, 2, "E2");
  assert.equal(await read, error);
  await assert.rejects(writer.close(), TypeError);
});

onEach("TextDecoderStream: what is unfinished at the end is U+FFFD, or a TypeError", async (api) => {
  const input = [bytes("a E2"), bytes("82")];
  assert.deepEqual(await through(new api.TextDecoderStream(), input), ["a", "\uFFFD"]);
  const stream = new api.TextDecoderStream("utf-8", { fatal: true });
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  writer.write(bytes("a E2 82"));
  assert.equal((await reader.read()).value, "a");
  const read = rejected(reader.read(), TypeError);
  const closed = rejected(writer.close(), TypeError);
  assertMalformed(await read, 1, "E2 82");
  assert.equal(await closed, await read);
  await rejected(writer.closed, TypeError);
});

onEach("TextDecoderStream: the flush goes on until finished", async (api) => {
  // More than one step is needed: an error, then a restored byte. (The standard's text of 2020 stopped too
  // early.)
  assert.deepEqual(await through(new api.TextDecoderStream("iso-2022-jp"), [bytes("a 1B $")]), [
    "a",
    "\uFFFD$",
  ]);
});

onEach(
  "TextDecoderStream: a chunk that its writer changes at once is still decoded as it was or is",
  async (api) => {
    // The bytes are read when the chunk is transformed; what is unfinished then is copied.
    const stream = new api.TextDecoderStream();
    const writer = stream.writable.getWriter();
    const reader = stream.readable.getReader();
    const chunk = bytes("a E2 82");
    const read = reader.read();
    await writer.write(chunk);
    chunk.fill(0x7a);
    assert.equal((await read).value, "a");
    writer.write(bytes("AC"));
    assert.equal((await reader.read()).value, "€");
  },
);

onEach("TextDecoderStream: abort, cancel, and writing after the end", async (api) => {
  const reason = new Error("of the caller");
  const aborted = new api.TextDecoderStream();
  await aborted.writable.abort(reason);
  await assert.rejects(aborted.readable.getReader().read(), (error) => error === reason);

  const cancelled = new api.TextDecoderStream();
  const writer = cancelled.writable.getWriter();
  await cancelled.readable.cancel(reason);
  await assert.rejects(writer.write(bytes("a")), (error) => error === reason);

  const closed = new api.TextDecoderStream();
  const late = closed.writable.getWriter();
  const reading = collect(closed.readable);
  await late.close();
  assert.deepEqual(await reading, []);
  // Node 20 throws at once here, with an assertion of its own.
  await assert.rejects(async () => late.write(bytes("a")));
  await assert.rejects(late.close(), TypeError);
});

onEach("TextDecoderStream: a broken source breaks the reader with the same reason", async (api) => {
  const reason = { no: "error" };
  const broken = new ReadableStream({
    pull(controller) {
      controller.error(reason);
    },
  });
  await assert.rejects(collect(broken.pipeThrough(new api.TextDecoderStream())), (error) => error === reason);
});

onEach("TextDecoderStream: tricky inputs in single bytes, in every encoding", async (api) => {
  for (const [label, inputs] of Object.entries(TRICKY)) {
    for (const input of inputs) {
      const single = Array.from(bytes(input), (byte) => Uint8Array.of(byte));
      for (const ignoreBOM of [false, true]) {
        const chunks = await through(new api.TextDecoderStream(label, { ignoreBOM }), single);
        const whole = new api.TextDecoder(label, { ignoreBOM }).decode(bytes(input));
        assert.equal(codes(chunks.join("")), codes(whole), `${label}: ${input}`);
        assert.ok(!chunks.includes(""), `${label}: ${input}`);
      }
    }
  }
});

onEach("TextDecoderStream into TextEncoderStream converts to UTF-8", async (api) => {
  const chunks = await collect(
    source([bytes("93"), bytes("FA 96"), bytes("{")])
      .pipeThrough(new api.TextDecoderStream("shift_jis"))
      .pipeThrough(new api.TextEncoderStream()),
  );
  assert.equal(hex(Buffer.concat(chunks)), hex(Buffer.from("日本")));
});

onEach("TextDecoderStream: later changes to global classes do not matter", async (api) => {
  const { TransformStream: platform } = globalThis;
  globalThis.TransformStream = class {
    constructor() {
      assert.fail("the patched global was used");
    }
  };
  try {
    assert.deepEqual(await through(new api.TextDecoderStream(), [bytes("a")]), ["a"]);
  } finally {
    globalThis.TransformStream = platform;
  }
});
