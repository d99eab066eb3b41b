// Beyond section 7: `detect`, by what the bytes and their transport declare, or by a guess.

import assert from "node:assert/strict";
import { onEach } from "./engines.js";
import { SAMPLES } from "./samples.js";
import { bytes, thrown } from "./tools.js";

const ascii = (text) => new Uint8Array(Buffer.from(text, "latin1"));

/** A detection has exactly these properties, of these types. */
function assertShape(api, detection) {
  assert.deepEqual(Object.keys(detection).sort(), [
    "binary",
    "bomLength",
    "candidates",
    "certain",
    "encoding",
    "evidence",
    "reason",
  ]);
  if (detection.encoding !== null) {
    assert.equal(api.labelToName(detection.encoding), detection.encoding);
  }
  assert.ok(
    ["bom", "override", "transport", "declaration", "environment", "utf-8", "ascii", "guess"].includes(
      detection.evidence,
    ),
  );
  assert.equal(typeof detection.certain, "boolean");
  assert.equal(typeof detection.reason, "string");
  assert.ok([0, 2, 3].includes(detection.bomLength) || (detection.encoding === null && detection.bomLength === 4));
  let last = 0;
  for (const candidate of detection.candidates) {
    assert.deepEqual(Object.keys(candidate).sort(), ["bits", "encoding", "language", "malformed"]);
    assert.equal(api.labelToName(candidate.encoding), candidate.encoding);
    assert.match(candidate.language, /^([a-z]{2})?$/);
    assert.ok(candidate.bits >= last, "the most plausible first");
    last = candidate.bits;
    assert.ok(Number.isInteger(candidate.malformed) && candidate.malformed >= 0);
  }
}

onEach("detect: what it rests on", (api) => {
  for (const [input, hints, encoding, evidence, bomLength] of [
    [bytes("EF BB BF a"), undefined, "UTF-8", "bom", 3],
    [bytes("FF FE a 00"), { contentType: "text/html; charset=koi8-r" }, "UTF-16LE", "bom", 2],
    [bytes("FE FF 00 a"), { override: "koi8-r" }, "UTF-16BE", "bom", 2],
    [
      bytes("E9"),
      { override: "windows-1251", contentType: "text/html; charset=koi8-r" },
      "windows-1251",
      "override",
      0,
    ],
    [bytes("E9"), { contentType: "text/html; charset=koi8-r" }, "KOI8-R", "transport", 0],
    [bytes("E9"), { contentType: 'text/plain;charset="Shift_JIS"' }, "Shift_JIS", "transport", 0],
    [ascii("<!doctype html><meta charset=big5>"), undefined, "Big5", "declaration", 0],
    [ascii("<!doctype html><meta charset=big5>"), { format: "html" }, "Big5", "declaration", 0],
    [ascii("<?xml version='1.0' encoding='euc-kr'?><a/>"), { format: "xml" }, "EUC-KR", "declaration", 0],
    [ascii('@charset "koi8-r"; a {}'), { format: "css" }, "KOI8-R", "declaration", 0],
    [ascii("<meta charset=big5>\xE9"), { format: "css", environment: "gbk" }, "GBK", "environment", 0],
    [ascii(`<!doctype html><style>${"a {} ".repeat(400)}</style><meta charset=big5>`), {}, "Big5", "declaration", 0],
    [ascii("plain"), undefined, "UTF-8", "ascii", 0],
    [new Uint8Array(Buffer.from("Straße, größer, süß")), undefined, "UTF-8", "utf-8", 0],
  ]) {
    const detection = api.detect(input, hints);
    const about = `${JSON.stringify(hints)}: ${Buffer.from(input).toString("latin1")}`;
    assertShape(api, detection);
    assert.equal(detection.evidence, evidence, about);
    assert.equal(detection.bomLength, bomLength, about);
    if (evidence !== "ascii") {
      assert.equal(detection.encoding, encoding, about);
    }
  }
});

onEach("detect: guesses the samples' encodings, or one that gives the same text", (api) => {
  let right = 0;
  for (const { file, label, bytes: input, text } of SAMPLES) {
    const tld = file.slice(0, 2) === "ja" ? "jp" : undefined;
    const detection = api.detect(input, { tld });
    assertShape(api, detection);
    right += Number(
      detection.encoding === api.labelToName(label) || api.decode(input, detection.encoding) === text,
    );
  }
  // Some samples are too short or too damaged for any guess; the documentation of the Rust library lists
  // them.
  assert.ok(right >= SAMPLES.length * 0.85, `${right} of ${SAMPLES.length}`);
});

onEach("detect: signs of binary data are told, whatever declares an encoding", (api) => {
  const png = Uint8Array.from(Buffer.from("89504E470D0A1A0A0000000D4948445200000001000000010806000000", "hex"));
  const { binary, encoding, reason } = api.detect(png);
  assert.deepEqual([binary, encoding], [true, null]);
  assert.match(reason, /^not text: /);
  const declared = api.detect(png, { contentType: "text/plain; charset=koi8-r" });
  assert.deepEqual([declared.binary, declared.encoding, declared.evidence], [true, "KOI8-R", "transport"]);
  for (const text of ["", "plain", "日本語", "\u001B[1mbold\u001B[0m"]) {
    assert.equal(api.detect(api.encode(text)).binary, false, text);
  }
});

onEach("detect: what is no text has no encoding", (api) => {
  for (const [input, reason] of [
    [bytes("89 PNG 0D 0A 1A 0A 00 00 00 0D IHDR 00 00 01 00 00 00 01 00 08 06 00 00 00"), /^not text: /],
    [bytes("FF FE 00 00 a 00 00 00"), /UTF-32, little-endian$/],
    [bytes("00 00 FE FF 00 00 00 a"), /UTF-32, big-endian$/],
  ]) {
    const detection = api.detect(input);
    assertShape(api, detection);
    assert.equal(detection.encoding, null);
    assert.match(detection.reason, reason);
  }
});

onEach("detect: a guess has candidates, and says it is one", (api) => {
  const { bytes: russian } = SAMPLES.find(({ file }) => file === "ru.koi8-r.txt");
  const detection = api.detect(russian);
  assert.equal(detection.encoding, "KOI8-R");
  assert.equal(detection.evidence, "guess");
  assert.equal(detection.certain, false);
  assert.notEqual(detection.reason, "");
  assert.equal(detection.candidates[0].encoding, "KOI8-R");
  assert.equal(detection.candidates[0].language, "ru");
  assert.equal(detection.candidates[0].bits, 0);
  assert.ok(detection.candidates.length > 1);
});

onEach("detect: candidates are weighed whatever the evidence", (api) => {
  const { bytes: russian } = SAMPLES.find(({ file }) => file === "ru.koi8-r.txt");
  const detection = api.detect(russian, { override: "gbk" });
  assert.equal(detection.encoding, "GBK");
  assert.equal(detection.evidence, "override");
  assert.equal(detection.candidates[0].encoding, "KOI8-R");
});

onEach("detect: labels that mean nothing are ignored", (api) => {
  const plain = api.detect(ascii("plain"));
  for (const hints of [
    null,
    {},
    { contentType: "" },
    { contentType: "text/html; charset=nonsense" },
    { override: "nonsense" },
    { environment: "" },
    { tld: "" },
    { tld: "nonsense-of-a-tld" },
    { tld: "é" },
    { tld: "x".repeat(1000) },
    { contentType: ';;;==="\\\0' },
    { contentType: "x".repeat(100000) },
    { override: "\uD800" },
    { complete: true },
  ]) {
    const detection = api.detect(ascii("plain"), hints);
    assert.equal(detection.encoding, plain.encoding, JSON.stringify(hints)?.slice(0, 80));
    assert.equal(detection.evidence, plain.evidence, JSON.stringify(hints)?.slice(0, 80));
  }
});

onEach("detect: hostile hints throw what they throw", (api) => {
  const reason = new Error("of the caller");
  for (const key of ["complete", "contentType", "environment", "format", "override", "tld"]) {
    const hints = {
      get [key]() {
        throw reason;
      },
    };
    assert.throws(
      () => api.detect(ascii("a"), hints),
      (error) => error === reason,
      key,
    );
  }
  thrown(() => api.detect(ascii("a"), { override: Symbol("a") }), TypeError);
  for (const format of ["", "HTML", "json", null]) {
    const call = () => api.detect(ascii("a"), { format });
    assert.throws(call, (error) => error instanceof TypeError || error instanceof RangeError, String(format));
  }
  const input = ascii("plain");
  const detaching = {
    get contentType() {
      structuredClone(input.buffer, { transfer: [input.buffer] });
      return "text/html; charset=gbk";
    },
  };
  assert.equal(api.detect(input, detaching).encoding, "GBK");
});

onEach("detect: empty and incomplete input", (api) => {
  assertShape(api, api.detect(new Uint8Array(0)));
  assert.equal(api.detect(new Uint8Array(0)).bomLength, 0);
  // The beginning of a character at the end is not an error if more follows.
  const cut = new Uint8Array(Buffer.from("Grüße aus Köln")).subarray(0, 3);
  assert.equal(api.detect(cut, { complete: false }).candidates[0]?.malformed ?? 0, 0);
  const half = new Uint8Array(Buffer.from("größer, süß, schön, Straße €")).subarray(0, -1);
  assert.equal(api.detect(half, { complete: false }).encoding, "UTF-8");
});
