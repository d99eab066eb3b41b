// Web IDL's BufferSource with [AllowShared] and without [AllowResizable], wherever bytes are accepted.

import assert from "node:assert/strict";
import vm from "node:vm";
import { onEach } from "./engines.js";
import { thrown } from "./tools.js";

const VIEWS = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
];

/** Everything that accepts bytes, as functions from bytes to text. */
function readers(api) {
  return {
    "TextDecoder.decode": (input) => new api.TextDecoder("windows-1252").decode(input),
    "fatal TextDecoder.decode": (input) => new api.TextDecoder("windows-1252", { fatal: true }).decode(input),
    "streaming TextDecoder.decode": (input) => {
      const decoder = new api.TextDecoder("windows-1252");
      return decoder.decode(input, { stream: true }) + decoder.decode();
    },
    decode: (input) => api.decode(input, "windows-1252"),
    "Decoder.decode": (input) => new api.Decoder("windows-1252", { bom: "keep" }).decode(input),
    "Decoder.decodeToUtf8": (input) =>
      Buffer.from(new api.Decoder("windows-1252", { bom: "keep" }).decodeToUtf8(input)).toString(),
  };
}

function detached() {
  const buffer = new ArrayBuffer(8);
  const view = new Uint8Array(buffer);
  structuredClone(buffer, { transfer: [buffer] });
  return { buffer, view };
}

onEach("every kind of view gives its bytes, and no others", (api) => {
  const backing = Uint8Array.from({ length: 64 }, (_, i) => 0x30 + i);
  const text = String.fromCharCode(...backing);
  const shared = new SharedArrayBuffer(64);
  new Uint8Array(shared).set(backing);
  for (const [name, read] of Object.entries(readers(api))) {
    for (const buffer of [backing.buffer, shared]) {
      assert.equal(read(buffer), text, name);
      for (const View of VIEWS) {
        const size = View.BYTES_PER_ELEMENT ?? 1;
        assert.equal(read(new View(buffer)), text, `${name} of ${View.name}`);
        assert.equal(read(new View(buffer, 8, 16 / size)), text.slice(8, 24), `${name} of ${View.name}`);
        assert.equal(read(new View(buffer, 64)), "", `${name} of ${View.name}`);
        assert.equal(read(new View(buffer, 16, 0)), "", `${name} of ${View.name}`);
      }
    }
    assert.equal(read(new DataView(backing.buffer, 3, 5)), text.slice(3, 8), name);
    assert.equal(read(backing.subarray(5, 9)), text.slice(5, 9), name);
    assert.equal(read(Buffer.from("pooled")), "pooled", name);
  }
});

onEach("bytes of WebAssembly memory and of other realms are bytes", (api) => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const sharedMemory = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });
  const realm = vm.createContext({});
  const run = (code) => vm.runInContext(code, realm);
  for (const [name, read] of Object.entries(readers(api))) {
    for (const { buffer } of [memory, sharedMemory]) {
      new Uint8Array(buffer).set([0x61, 0xe9, 0x62], 100);
      assert.equal(read(new Uint8Array(buffer, 100, 3)), "aéb", name);
      assert.equal(read(buffer).length, 65536, name);
    }
    assert.equal(read(run("Uint8Array.of(0x61, 0xE9).buffer")), "aé", name);
    assert.equal(read(run("Uint8Array.of(0x61, 0xE9)")), "aé", name);
    assert.equal(read(run("new DataView(Uint8Array.of(0x61, 0xE9).buffer, 1)")), "é", name);
    assert.equal(
      read(run("{ const s = new SharedArrayBuffer(1); new Uint8Array(s)[0] = 0x61; s }")),
      "a",
      name,
    );
  }
});

onEach("detached buffers hold no bytes", (api) => {
  for (const [name, read] of Object.entries(readers(api))) {
    const { buffer, view } = detached();
    assert.equal(read(buffer), "", name);
    assert.equal(read(view), "", name);
    const other = new ArrayBuffer(8);
    const data = new DataView(other, 2, 4);
    structuredClone(other, { transfer: [other] });
    assert.equal(read(data), "", name);
  }
});

onEach("what is no buffer throws a TypeError that says so", (api) => {
  const values = [
    null,
    "text",
    "",
    0,
    1,
    true,
    Symbol("bytes"),
    1n,
    [],
    [1, 2],
    {},
    () => {},
    new Date(),
    { buffer: new ArrayBuffer(1), byteOffset: 0, byteLength: 1 },
    { byteLength: 1, [Symbol.toStringTag]: "ArrayBuffer" },
    Object.create(Uint8Array.prototype),
    Object.create(ArrayBuffer.prototype),
    new Proxy(new Uint8Array(1), {}),
    new Proxy(new ArrayBuffer(1), {}),
    Uint8Array,
    new Blob([]),
  ];
  for (const [name, read] of Object.entries(readers(api))) {
    for (const [index, value] of values.entries()) {
      const error = thrown(() => read(value), TypeError, `${name} of value ${index}`);
      assert.match(error.message, /ArrayBuffer|buffer|BufferSource/i, `${name} of value ${index}`);
    }
  }
  for (const [index, value] of values.entries()) {
    thrown(() => api.detect(value), TypeError, `detect of value ${index}`);
  }
});

onEach("an input that is left out or undefined is empty", (api) => {
  assert.equal(new api.TextDecoder().decode(), "");
  assert.equal(new api.TextDecoder().decode(undefined), "");
  assert.equal(new api.TextDecoder().decode(undefined, { stream: true }), "");
  assert.equal(new api.Decoder().decode(), "");
  assert.equal(new api.Decoder().decodeToUtf8(undefined).length, 0);
});

onEach("resizable and growable buffers throw: the standard has no [AllowResizable]", (api) => {
  const resizable = new ArrayBuffer(4, { maxByteLength: 8 });
  const growable = new SharedArrayBuffer(4, { maxByteLength: 8 });
  for (const [name, read] of Object.entries(readers(api))) {
    for (const buffer of [resizable, growable]) {
      for (const input of [
        buffer,
        new Uint8Array(buffer),
        new Uint8Array(buffer, 1, 2),
        new DataView(buffer),
      ]) {
        const error = thrown(() => read(input), TypeError, name);
        assert.match(error.message, /change its size; pass a copy, such as bytes\.slice\(\)/, name);
      }
    }
  }
  for (const buffer of [resizable, growable]) {
    for (const view of [new Uint8Array(buffer), new Uint8Array(buffer, 1, 2)]) {
      const error = thrown(() => new api.TextEncoder().encodeInto("a", view), TypeError);
      assert.equal(view[0], 0);
      // A copy of the destination would be written to and lost.
      assert.match(error.message, /change its size; pass a Uint8Array on a buffer of fixed length/);
      assert.doesNotMatch(error.message, /copy|slice/);
    }
    thrown(() => api.detect(new Uint8Array(buffer)), TypeError);
  }
});

/** A property that must not be read. */
const lie = {
  get() {
    assert.fail("read");
  },
};

/** A view with properties of its own, which must not be read. */
function lying(prototype, ...input) {
  const view = Uint8Array.from([0x7e, ...input, 0x7e]).subarray(1, -1);
  for (const key of [
    ...["buffer", "byteOffset", "byteLength", "length", "constructor", "subarray", "slice", "set"],
    ...[Symbol.toStringTag, Symbol.iterator],
  ]) {
    Object.defineProperty(view, key, lie);
  }
  return Object.setPrototypeOf(view, prototype);
}

onEach("properties that a script puts on a view are not read", (api) => {
  for (const prototype of [Uint8Array.prototype, null]) {
    const view = lying(prototype, 0x62, 0x63);
    for (const [name, read] of Object.entries(readers(api))) {
      assert.equal(read(view), "bc", name);
    }
    const destination = lying(prototype, 0, 0, 0);
    assert.deepEqual(new api.TextEncoder().encodeInto("€", destination), { read: 1, written: 3 });
    assert.equal(destination[2], 0xac);
    const long = lying(prototype, ...new Array(50000).fill(0xe9));
    assert.equal(new api.TextDecoder("latin1").decode(long).length, 50000);
  }
});

onEach("properties that a script puts on a view are not read by the functions", (api) => {
  for (const prototype of [Uint8Array.prototype, null]) {
    assert.equal(api.decode(lying(prototype, 0x61), "replacement"), "\uFFFD");
    assert.equal(api.detect(lying(prototype, 0xef, 0xbb, 0xbf)).bomLength, 3);
  }
});

onEach("the input is checked before the options are read", (api) => {
  const options = {
    get stream() {
      return assert.fail("read though the input is none");
    },
  };
  thrown(() => new api.TextDecoder().decode("text", options), TypeError);
  thrown(() => new api.TextDecoder().decode(null, options), TypeError);
});

onEach("the bytes are read after the options were", (api) => {
  const view = Uint8Array.of(0x61, 0x62);
  const fill = {
    get stream() {
      view.fill(0x7a);
      return false;
    },
  };
  assert.equal(new api.TextDecoder().decode(view, fill), "zz");
  const detach = {
    get stream() {
      structuredClone(view.buffer, { transfer: [view.buffer] });
      return false;
    },
  };
  assert.equal(new api.TextDecoder().decode(view, detach), "");
  assert.equal(view.length, 0);
  const { buffer } = new Uint8Array(1 << 16).fill(0x61);
  const detachBuffer = {
    get stream() {
      structuredClone(buffer, { transfer: [buffer] });
      return true;
    },
  };
  const decoder = new api.TextDecoder();
  assert.equal(decoder.decode(buffer, detachBuffer), "");
  assert.equal(decoder.decode(), "");
});

onEach("a copy is decoded: later changes to the input do not reach the stream", (api) => {
  const view = Uint8Array.of(0xe2, 0x82);
  const decoder = new api.TextDecoder();
  assert.equal(decoder.decode(view, { stream: true }), "");
  view.fill(0x41);
  assert.equal(decoder.decode(Uint8Array.of(0xac)), "€");
});

onEach("encodeInto takes a Uint8Array and nothing else", (api) => {
  const encoder = new api.TextEncoder();
  const { view: gone } = detached();
  assert.deepEqual(encoder.encodeInto("abc", gone), { read: 0, written: 0 });
  const others = [
    undefined,
    null,
    "text",
    0,
    [],
    {},
    new ArrayBuffer(4),
    new SharedArrayBuffer(4),
    ...VIEWS.filter((View) => View !== Uint8Array).map((View) => new View(new ArrayBuffer(8))),
    new Proxy(new Uint8Array(1), {}),
    Object.create(Uint8Array.prototype),
  ];
  for (const [index, other] of others.entries()) {
    thrown(() => encoder.encodeInto("a", other), TypeError, `destination ${index}`);
  }
  const foreign = vm.runInNewContext("new Uint8Array(4)");
  assert.deepEqual({ ...encoder.encodeInto("aé", foreign) }, { read: 2, written: 3 });
  assert.equal(foreign[2], 0xa9);
  const pooled = Buffer.alloc(4);
  assert.deepEqual(encoder.encodeInto("€", pooled), { read: 1, written: 3 });
});

onEach("encodeInto reads its destination after the source was converted", (api) => {
  const destination = new Uint8Array(8);
  const source = {
    toString() {
      structuredClone(destination.buffer, { transfer: [destination.buffer] });
      return "abc";
    },
  };
  assert.deepEqual(new api.TextEncoder().encodeInto(source, destination), { read: 0, written: 0 });
});
