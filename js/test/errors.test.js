// What users see of errors, and of objects that they print: codes, names, stacks, util.inspect.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { inspect } from "node:util";
import { onEach } from "./engines.js";
import { bytes, thrown } from "./tools.js";

/** The error that a call throws, whatever its type. */
function errorOf(call, about) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail(`${about}: nothing was thrown`);
}

const TYPE = "ERR_INVALID_ARG_TYPE";
const VALUE = "ERR_INVALID_ARG_VALUE";

onEach("argument errors have Node's codes", (api) => {
  const resizable = new Uint8Array(new ArrayBuffer(4, { maxByteLength: 8 }));
  for (const [call, Type, code] of [
    [() => new api.TextDecoder().decode("text"), TypeError, TYPE],
    [() => new api.TextDecoder().decode(null), TypeError, TYPE],
    [() => new api.TextDecoder().decode([1]), TypeError, TYPE],
    [() => new api.TextDecoder().decode({}), TypeError, TYPE],
    [() => new api.TextDecoder().decode(resizable), TypeError, TYPE],
    [() => new api.TextDecoder().decode(resizable, {}), TypeError, TYPE],
    [() => new api.TextDecoder().decode(bytes("a"), 1), TypeError, TYPE],
    [() => new api.TextDecoder("utf-8", "fatal"), TypeError, TYPE],
    [() => new api.TextDecoderStream("utf-8", 1), TypeError, TYPE],
    [() => new api.TextEncoder().encodeInto("a", "b"), TypeError, TYPE],
    [() => new api.TextEncoder().encodeInto("a", new Uint16Array(1)), TypeError, TYPE],
    [() => new api.TextEncoder().encodeInto("a", resizable), TypeError, TYPE],
    [() => new api.TextEncoder().encodeInto("a"), TypeError, "ERR_MISSING_ARGS"],
    [() => api.TextDecoder.prototype.decode.call({}), TypeError, "ERR_INVALID_THIS"],
    [() => api.TextEncoder.prototype.encode.call({}), TypeError, "ERR_INVALID_THIS"],
    [() => api.TextDecoderStream.prototype.readable, TypeError, "ERR_INVALID_THIS"],
    [() => new api.TextDecoder("x"), RangeError, "ERR_ENCODING_NOT_SUPPORTED"],
    [() => api.decode("text"), TypeError, TYPE],
    [() => api.detect("text"), TypeError, TYPE],
    [() => api.detect(bytes("a"), "html"), TypeError, TYPE],
    [() => api.detect(bytes("a"), { format: "json" }), RangeError, VALUE],
    [() => api.encode("a", "gbk", "html"), TypeError, TYPE],
    [() => api.encode("a", "gbk", { unmappable: "fatal" }), RangeError, VALUE],
    [() => api.encode("a", "gbk", { replacement: "??" }), RangeError, VALUE],
    [() => api.percentEncodeAfterEncoding("a", "gbk", { set: "form" }), RangeError, VALUE],
    [() => new api.Decoder("gbk", { bom: "drop" }), RangeError, VALUE],
    [() => new api.Decoder("gbk", { keepMalformed: -1 }), RangeError, VALUE],
    [() => new api.Decoder().decode("text"), TypeError, TYPE],
    [() => new api.Encoder("gbk", { unmappable: "fatal" }), RangeError, VALUE],
    [() => new api.Encoder("gbk", { keepUnmappable: NaN }), RangeError, VALUE],
    [() => new api.Encoder("gbk", 1), TypeError, TYPE],
  ]) {
    const error = thrown(call, Type, String(call));
    assert.equal(error.code, code, String(call));
    assert.equal(Object.getOwnPropertyDescriptor(error, "code").enumerable, false);
  }
});

onEach("Node's own classes give the same codes", (api) => {
  for (const call of [
    ({ Decoder }) => new Decoder().decode("text"),
    ({ Decoder }) => new Decoder("utf-8", 1),
    ({ Decoder }) => new Decoder("x"),
    ({ Encoder }) => new Encoder().encodeInto("a", "b"),
    ({ Decoder }) => Decoder.prototype.decode.call({}),
    ({ Decoder }) => new Decoder("utf-8", { fatal: true }).decode(bytes("FF")),
  ]) {
    const code = (Decoder, Encoder) => errorOf(() => call({ Decoder, Encoder }), String(call)).code;
    assert.equal(code(api.TextDecoder, api.TextEncoder), code(TextDecoder, TextEncoder), String(call));
  }
});

onEach("a stack names the class as it is called", (api) => {
  for (const [call, frame] of [
    [() => new api.TextDecoder("utf-8", { fatal: true }).decode(bytes("FF")), "TextDecoder.decode"],
    [() => new api.TextDecoder("x"), "new TextDecoder"],
    [() => new api.TextDecoderStream("x"), "new TextDecoderStream"],
    [() => new api.TextEncoder().encodeInto("a"), "TextEncoder.encodeInto"],
    [() => new api.Decoder("x"), "new Decoder"],
    [() => new api.Encoder("x"), "new Encoder"],
    [() => new api.Decoder().decode(""), "Decoder.decode"],
  ]) {
    const { stack } = errorOf(call, frame);
    assert.ok(stack.includes(`at ${frame} (`), stack);
  }
});

test("no class was renamed where the files are bundled [both]", () => {
  const dist = new URL("../dist/", import.meta.url);
  const files = readdirSync(dist).filter((name) => /\.[cm]js$/.test(name));
  assert.ok(files.length > 10);
  for (const name of files) {
    const source = readFileSync(new URL(name, dist), "utf8");
    assert.doesNotMatch(source, /\b(Text)?(De|En)coder(Stream)?\d\b/, name);
  }
});

onEach("util.inspect shows what an object is", (api) => {
  const decoder = new api.TextDecoder("sjis", { fatal: true });
  assert.equal(inspect(decoder), "TextDecoder { encoding: 'shift_jis', fatal: true, ignoreBOM: false }");
  assert.equal(inspect(new api.TextEncoder()), "TextEncoder { encoding: 'utf-8' }");
  assert.equal(inspect({ a: { decoder } }, { depth: 1 }), "{ a: { decoder: [TextDecoder] } }");
  const stream = new api.TextDecoderStream("gbk", { ignoreBOM: true });
  assert.equal(inspect(stream), "TextDecoderStream { encoding: 'gbk', fatal: false, ignoreBOM: true }");
  assert.equal(inspect(new api.TextEncoderStream()), "TextEncoderStream { encoding: 'utf-8' }");
  const tool = new api.Decoder("gbk");
  tool.decode(bytes("a FF"));
  const malformed = "[ { offset: 1, bytes: Uint8Array(1) [ 255 ] } ]";
  assert.equal(inspect(tool, { breakLength: 200, compact: 9, depth: 3 }), `Decoder { encoding: 'GBK', errors: 1, malformed: ${malformed} }`);
  const encoder = new api.Encoder("gbk", { unmappable: "skip" });
  encoder.encode("a☃");
  const unmappable = "[ { codePoint: 9731, index: 1 } ]";
  const expected = `Encoder { encoding: 'GBK', errors: 1, unmappable: ${unmappable} }`;
  assert.equal(inspect(encoder, { breakLength: 200, compact: 9, depth: 3 }), expected);
  class Sub extends api.TextDecoder {}
  assert.match(inspect(new Sub()), /^Sub \{ encoding: 'utf-8'/);
  for (const name of ["TextDecoder", "TextEncoder", "TextDecoderStream", "Decoder", "Encoder"]) {
    assert.match(inspect(api[name].prototype), /^(Object|{)/, `the prototype of ${name} is no instance`);
    assert.match(inspect(api[name]), new RegExp(`^\\[class ${name}\\]`));
  }
});
