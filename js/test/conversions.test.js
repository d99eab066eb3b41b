// Web IDL's conversions of labels, strings and dictionaries.

import assert from "node:assert/strict";
import { onEach } from "./engines.js";
import { hex, thrown } from "./tools.js";

/** An object that records what is read from it. */
function noting(log, members) {
  return new Proxy(members, {
    get(target, key) {
      log.push(`get ${String(key)}`);
      return target[key];
    },
    has: (target, key) => assert.fail(`asked for ${String(key)}`),
    ownKeys: () => assert.fail("listed"),
    getOwnPropertyDescriptor: (target, key) => assert.fail(`described ${String(key)}`),
    getPrototypeOf: () => assert.fail("asked for its prototype"),
  });
}

onEach("a label is converted to a string", (api) => {
  for (const Class of [api.TextDecoder, api.TextDecoderStream]) {
    assert.equal(new Class().encoding, "utf-8");
    assert.equal(new Class(undefined).encoding, "utf-8");
    assert.equal(new Class(866).encoding, "ibm866");
    assert.equal(new Class(866n).encoding, "ibm866");
    assert.equal(new Class(["greek"]).encoding, "iso-8859-7");
    assert.equal(new Class({ toString: () => "sjis" }).encoding, "shift_jis");
    assert.equal(new Class({ toString: () => 866 }).encoding, "ibm866");
    assert.equal(new Class({ toString: null, valueOf: () => "l2" }).encoding, "iso-8859-2");
    assert.equal(
      new Class({ [Symbol.toPrimitive]: (hint) => (hint === "string" ? "l4" : "") }).encoding,
      "iso-8859-4",
    );
    assert.equal(new Class(new String("gbk")).encoding, "gbk");
    assert.match(thrown(() => new Class(null), RangeError).message, /null/);
    assert.match(thrown(() => new Class(true), RangeError).message, /true/);
    thrown(() => new Class({}), RangeError);
    thrown(() => new Class([]), RangeError);
    thrown(() => new Class(""), RangeError);
    thrown(() => new Class(Symbol("utf-8")), TypeError);
    thrown(() => new Class({ toString: () => ({}), valueOf: () => ({}) }), TypeError);
    thrown(() => new Class(Object.create(null)), TypeError);
  }
});

onEach("labels with lone surrogates, NUL or great length are only unknown labels", (api) => {
  for (const label of [
    "\uD800",
    "utf-8\uDC00",
    "utf-8\0",
    "\0utf-8",
    "utf-8 x",
    "x".repeat(1e6),
    "é",
    "𝒖𝒕𝒇-8",
    "ＵＴＦ-8",
    "utf–8",
  ]) {
    thrown(() => new api.TextDecoder(label), RangeError, label.slice(0, 20));
    assert.equal(api.labelToName(label), null, label.slice(0, 20));
  }
  // The Kelvin sign and the long s have ASCII letters as their lower or upper case, which does not count.
  thrown(() => new api.TextDecoder("\u212Aoi8-r"), RangeError);
  thrown(() => new api.TextDecoder("\u017Fjis"), RangeError);
  const long = new api.TextDecoder(`${" \t\n\f\r".repeat(20000)}Latin1${" ".repeat(100000)}`);
  assert.equal(long.encoding, "windows-1252");
});

onEach("a label with much white space inside is refused in linear time", (api) => {
  const label = `a${" ".repeat(1 << 15)}b`;
  // Not by the clock, which goes on while a busy machine does other things.
  const start = process.cpuUsage();
  assert.equal(api.labelToName(label), null);
  thrown(() => new api.TextDecoder(label), RangeError);
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 500_000, "quadratic time is seconds");
});

onEach("a RangeError has a code and names the label", (api) => {
  for (const call of [
    () => new api.TextDecoder("utf-88"),
    () => new api.TextDecoderStream("utf-88"),
    () => api.decode(new Uint8Array(1), "utf-88"),
    () => api.encode("a", "utf-88"),
    () => api.percentEncodeAfterEncoding("a", "utf-88"),
    () => new api.Decoder("utf-88"),
  ]) {
    const error = thrown(call, RangeError, String(call));
    assert.match(error.message, /utf-88/, String(call));
    assert.equal(error.code, "ERR_ENCODING_NOT_SUPPORTED", String(call));
  }
});

onEach("options are a dictionary: an object, null or undefined", (api) => {
  for (const Class of [api.TextDecoder, api.TextDecoderStream]) {
    for (const options of [undefined, null, {}, [], () => {}, Object.create(null), new Date()]) {
      const decoder = new Class("utf-8", options);
      assert.equal(decoder.fatal, false);
      assert.equal(decoder.ignoreBOM, false);
    }
    for (const options of [true, false, 0, 1, "", "fatal", Symbol("fatal"), 1n]) {
      thrown(() => new Class("utf-8", options), TypeError, String(options));
    }
  }
  const decoder = new api.TextDecoder();
  for (const options of [undefined, null, {}, [], () => {}, Object.create(null)]) {
    assert.equal(decoder.decode(Uint8Array.of(0x61), options), "a");
  }
  for (const options of [true, false, 0, 1, "", "stream", Symbol("stream"), 1n]) {
    thrown(() => decoder.decode(Uint8Array.of(0x61), options), TypeError, String(options));
  }
});

onEach("members are converted to booleans", (api) => {
  for (const value of [true, 1, -1, "false", {}, [], Symbol("true"), 1n, () => {}, new Boolean(false)]) {
    const decoder = new api.TextDecoder("utf-8", { fatal: value, ignoreBOM: value });
    assert.equal(decoder.fatal, true);
    assert.equal(decoder.ignoreBOM, true);
    assert.equal(new api.TextDecoder().decode(Uint8Array.of(0xc3), { stream: value }), "");
  }
  for (const value of [false, 0, -0, NaN, "", null, undefined, 0n]) {
    const decoder = new api.TextDecoder("utf-8", { fatal: value, ignoreBOM: value });
    assert.equal(decoder.fatal, false);
    assert.equal(decoder.ignoreBOM, false);
    assert.equal(new api.TextDecoder().decode(Uint8Array.of(0xc3), { stream: value }), "\uFFFD");
  }
});

onEach("members are inherited, too, and functions are dictionaries", (api) => {
  const inherited = Object.create({ fatal: true, ignoreBOM: true });
  assert.equal(new api.TextDecoder("utf-8", inherited).fatal, true);
  const options = Object.assign(() => {}, { ignoreBOM: true });
  assert.equal(new api.TextDecoder("utf-8", options).ignoreBOM, true);
  assert.equal(new api.TextDecoderStream("utf-8", options).ignoreBOM, true);
});

onEach("members are read once each, in alphabetical order, after the label", (api) => {
  for (const Class of [api.TextDecoder, api.TextDecoderStream]) {
    const log = [];
    const label = {
      toString() {
        log.push("label");
        return "utf-8";
      },
    };
    new Class(label, noting(log, { stream: true, ignoreBOM: 1, fatal: 1 }));
    assert.deepEqual(log, ["label", "get fatal", "get ignoreBOM"]);
  }
  const log = [];
  new api.TextDecoder().decode(Uint8Array.of(1), noting(log, { stream: true }));
  assert.deepEqual(log, ["get stream"]);
});

onEach("options are converted before the label is looked up", (api) => {
  for (const Class of [api.TextDecoder, api.TextDecoderStream]) {
    const log = [];
    thrown(() => new Class("nonsense", noting(log, {})), RangeError);
    assert.deepEqual(log, ["get fatal", "get ignoreBOM"]);
    thrown(() => new Class("nonsense", 1), TypeError);
  }
});

onEach("what a getter throws is thrown, and no later member is read", (api) => {
  const reason = { no: "error" };
  const options = {
    get fatal() {
      throw reason;
    },
    get ignoreBOM() {
      return assert.fail("read after a throw");
    },
  };
  assert.throws(
    () => new api.TextDecoder("utf-8", options),
    (error) => error === reason,
  );
  assert.throws(
    () => new api.TextDecoderStream("utf-8", options),
    (error) => error === reason,
  );
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  thrown(() => new api.TextDecoder("utf-8", proxy), TypeError);
  thrown(() => new api.TextDecoder().decode(Uint8Array.of(), proxy), TypeError);
});

onEach("a throw of the options' conversion leaves the stream as it was", (api) => {
  const decoder = new api.TextDecoder("shift_jis");
  assert.equal(decoder.decode(Uint8Array.of(0x93), { stream: true }), "");
  const reason = new Error("of the caller");
  const options = {
    get stream() {
      throw reason;
    },
  };
  assert.throws(
    () => decoder.decode(Uint8Array.of(0x41), options),
    (error) => error === reason,
  );
  thrown(() => decoder.decode("text"), TypeError);
  assert.equal(decoder.decode(Uint8Array.of(0xfa)), "日");
});

onEach("a decoder that is used while its options are read is in one state after another", (api) => {
  const decoder = new api.TextDecoder("shift_jis");
  const options = {
    get stream() {
      assert.equal(decoder.decode(Uint8Array.of(0x93), { stream: true }), "");
      return true;
    },
  };
  // The lead byte of the inner call comes before the input of the outer call.
  assert.equal(decoder.decode(Uint8Array.of(0xfa), options), "日");
  assert.equal(decoder.decode(), "");
});

onEach("strings to encode are converted, and lone surrogates are U+FFFD", (api) => {
  const encoder = new api.TextEncoder();
  assert.equal(hex(encoder.encode()), "");
  assert.equal(hex(encoder.encode(undefined)), "");
  assert.equal(hex(encoder.encode(null)), "6E 75 6C 6C");
  assert.equal(hex(encoder.encode(12)), "31 32");
  assert.equal(hex(encoder.encode(false)), "66 61 6C 73 65");
  assert.equal(hex(encoder.encode({ toString: () => "é" })), "C3 A9");
  assert.equal(hex(encoder.encode(["a", "b"])), "61 2C 62");
  thrown(() => encoder.encode(Symbol("a")), TypeError);
  thrown(() => encoder.encode(Object.create(null)), TypeError);
  thrown(() => encoder.encodeInto(Symbol("a"), new Uint8Array(1)), TypeError);
  const into = new Uint8Array(9);
  assert.deepEqual(encoder.encodeInto(undefined, into), { read: 9, written: 9 });
  assert.equal(Buffer.from(into).toString(), "undefined");
  const replaced = "EF BF BD";
  for (const [string, expected] of [
    ["\uD800", replaced],
    ["\uDC00", replaced],
    ["\uDBFF\uD800", `${replaced} ${replaced}`],
    ["\uDC00\uD800", `${replaced} ${replaced}`],
    ["a\uD83Db", `61 ${replaced} 62`],
    ["\uD83D\uD83D\uDCA9", `${replaced} F0 9F 92 A9`],
    ["\uD83D\uDCA9\uDCA9", `F0 9F 92 A9 ${replaced}`],
  ]) {
    assert.equal(hex(encoder.encode(string)), expected);
    assert.equal(hex(api.encode(string)), expected);
    const destination = new Uint8Array(16);
    const { read, written } = encoder.encodeInto(string, destination);
    assert.equal(read, string.length);
    assert.equal(hex(destination.subarray(0, written)), expected);
  }
});

onEach("encodeInto needs two arguments and converts them in order", (api) => {
  const encoder = new api.TextEncoder();
  const untouched = {
    toString() {
      assert.fail("converted though an argument is missing");
    },
  };
  assert.match(thrown(() => encoder.encodeInto(), TypeError).message, /encodeInto/);
  thrown(() => encoder.encodeInto(untouched), TypeError);
  const reason = new Error("of the source");
  const source = {
    toString() {
      throw reason;
    },
  };
  assert.throws(
    () => encoder.encodeInto(source, "no array"),
    (error) => error === reason,
  );
});

onEach("surplus arguments are ignored", (api) => {
  assert.equal(new api.TextDecoder("utf-8", {}, 1, Symbol("a")).encoding, "utf-8");
  assert.equal(new api.TextEncoder(1, Symbol("a")).encode("a", 1).length, 1);
  assert.equal(new api.TextDecoder().decode(Uint8Array.of(0x61), {}, Symbol("a")), "a");
  assert.equal(new api.TextEncoderStream(Symbol("a")).encoding, "utf-8");
});

onEach("the functions convert as their classes do", (api) => {
  const bytes = Uint8Array.of(0x93, 0xfa);
  const label = { toString: () => "sjis" };
  assert.equal(api.decode(bytes, label), "日");
  assert.equal(api.labelToName(label), "Shift_JIS");
  assert.equal(hex(api.encode("日", label)), "93 FA");
  assert.equal(hex(api.encode({ toString: () => "日" }, label, null)), "93 FA");
  assert.equal(new api.Decoder(label, null).decode(bytes, null), "日");
  assert.equal(api.percentEncodeAfterEncoding("日", label, null), "%93%FA");
  for (const call of [
    () => api.decode(bytes, Symbol("a")),
    () => api.encode(Symbol("a")),
    () => api.encode("a", Symbol("a")),
    () => api.encode("a", "gbk", 1),
    () => api.labelToName(Symbol("a")),
    () => new api.Decoder(Symbol("a")),
    () => new api.Decoder("gbk", 1),
    () => api.percentEncodeAfterEncoding("a", "gbk", 1),
    () => api.detect(bytes, 1),
    () => api.decode(),
    () => api.detect(),
    () => api.decode("text"),
    () => api.detect("text"),
    () => new api.Decoder().decode("text"),
    () => new api.Decoder().decodeToUtf8("text"),
  ]) {
    thrown(call, TypeError, String(call));
  }
});
