// TextDecoder: the steps of section 7.2 in order, including its state after an exception.

import assert from "node:assert/strict";
import { onEach } from "./engines.js";
import { assertMalformed, bytes, codes, thrown, threePieces } from "./tools.js";

const MORE = { stream: true };

/** Decodes pieces as a stream, and ends it with a call without input. */
function streamed(decoder, pieces) {
  return pieces.map((piece) => decoder.decode(piece, MORE)).join("") + decoder.decode();
}

onEach("decode, step 1: without stream each call begins anew", (api) => {
  const decoder = new api.TextDecoder("shift_jis");
  assert.equal(decoder.decode(bytes("93")), "\uFFFD");
  assert.equal(decoder.decode(bytes("FA")), "\uFFFD");
  assert.equal(decoder.decode(bytes("93 FA")), "日");
  const utf8 = new api.TextDecoder();
  assert.equal(utf8.decode(bytes("EF BB BF a")), "a");
  assert.equal(utf8.decode(bytes("EF BB BF a")), "a", "BOM seen is false again");
});

onEach("decode, steps 1 and 2: what came with stream goes on, whatever the next call says", (api) => {
  const decoder = new api.TextDecoder("shift_jis");
  assert.equal(decoder.decode(bytes("93"), MORE), "");
  assert.equal(decoder.decode(bytes("FA 96"), MORE), "日");
  assert.equal(decoder.decode(bytes("{")), "本");
  assert.equal(decoder.decode(bytes("93"), MORE), "");
  assert.equal(decoder.decode(), "\uFFFD");
  assert.equal(decoder.decode(), "");
});

onEach("decode, step 3: no input and empty input push nothing", (api) => {
  for (const empty of [[], [undefined], [new Uint8Array(0)], [new ArrayBuffer(0)]]) {
    const decoder = new api.TextDecoder();
    assert.equal(decoder.decode(...empty), "");
    assert.equal(decoder.decode(bytes("E2 82"), MORE), "");
    assert.equal(decoder.decode(empty[0], MORE), "");
    assert.equal(decoder.decode(bytes("AC"), MORE), "€");
    assert.equal(decoder.decode(...empty), "");
  }
});

onEach("decode, step 5: the end of the stream decides about what is unfinished", (api) => {
  for (const [label, input, open, end] of [
    ["utf-8", "a F0 9F 92", "a", "\uFFFD"],
    ["utf-16le", "a 00 3D D8 A9", "a", "\uFFFD"],
    ["utf-16be", "00 a D8 3D DC", "a", "\uFFFD"],
    ["shift_jis", "a 93", "a", "\uFFFD"],
    ["euc-jp", "a 8F A2", "a", "\uFFFD"],
    ["euc-kr", "a B0", "a", "\uFFFD"],
    ["big5", "a A4", "a", "\uFFFD"],
    ["gbk", "a 81 30 81", "a", "\uFFFD"],
    ["iso-2022-jp", "a 1B $", "a", "\uFFFD$"],
    ["iso-2022-jp", "a 1B", "a", "\uFFFD"],
    ["iso-2022-jp", "1B $B F", "", "\uFFFD"],
    // This is the only decoder that can swallow an ASCII byte, but only at the end.
    ["gb18030", "a 81 0", "a", "\uFFFD"],
  ]) {
    const lenient = new api.TextDecoder(label);
    assert.equal(lenient.decode(bytes(input), MORE), open, label);
    assert.equal(lenient.decode(undefined, MORE), "", label);
    assert.equal(lenient.decode(), end, label);
    assert.equal(lenient.decode(), "", label);
    const fatal = new api.TextDecoder(label, { fatal: true });
    assert.equal(fatal.decode(bytes(input), MORE), open, label);
    thrown(() => fatal.decode(), TypeError, label);
    assert.equal(fatal.decode(), "", label);
  }
});

onEach("fatal: the error says where, what, and in which encoding", (api) => {
  for (const [label, input, offset, malformed] of [
    ["utf-8", "a FF", 1, "FF"],
    ["utf-8", "abc E4 BD z", 3, "E4 BD"],
    ["utf-8", "F0 9F 92", 0, "F0 9F 92"],
    ["utf-8", "ED A0 80", 0, "ED"],
    ["utf-16le", "a 00 3D D8 b 00", 2, "3D D8"],
    ["utf-16be", "00 a DC A9", 2, "DC A9"],
    ["shift_jis", "93 FA 81 FD", 2, "81 FD"],
    ["gb18030", "a 84 31 A5 30 b", 1, "84 31 A5 30"],
    ["windows-1253", "a D2", 1, "D2"],
    ["iso-2022-jp", "a 0E", 1, "0E"],
    ["euc-jp", "8F A2 A1", 0, "8F A2 A1"],
  ]) {
    const decoder = new api.TextDecoder(label, { fatal: true });
    const error = thrown(() => decoder.decode(bytes(input)), TypeError, `${label}: ${input}`);
    assertMalformed(error, offset, malformed, `${label}: ${input}`);
    assert.ok(error.message.toLowerCase().includes(decoder.encoding), error.message);
    assert.ok(error.message.includes(malformed), error.message);
    assert.match(error.message, new RegExp(`\\b${offset}\\b`));
  }
});

onEach("fatal: offsets count from the start of the stream", (api) => {
  const decoder = new api.TextDecoder("utf-8", { fatal: true });
  decoder.decode(bytes("EF BB BF abc"), MORE);
  decoder.decode(bytes("E2"), MORE);
  assertMalformed(
    thrown(() => decoder.decode(bytes("82 z"), MORE), TypeError),
    6,
    "E2 82",
  );
  // z is dropped, but counts: it is at 8.
  assertMalformed(
    thrown(() => decoder.decode(bytes("y FF"), MORE), TypeError),
    10,
    "FF",
  );
  assert.equal(decoder.decode(), "");
  assertMalformed(
    thrown(() => decoder.decode(bytes("a FF")), TypeError),
    1,
    "FF",
  );
});

onEach("fatal: after a throw with stream the rest of the queue is dropped", (api) => {
  const decoder = new api.TextDecoder("utf-8", { fatal: true });
  const malformed = (input, options, ...expected) =>
    assertMalformed(
      thrown(() => decoder.decode(bytes(input), options), TypeError),
      ...expected,
    );
  // So is the beginning of a sequence.
  malformed("FD EF", MORE, 0, "FD");
  assert.equal(decoder.decode(), "");
  // The text before a malformed sequence is lost with the exception, too.
  malformed("a FF b FE c", MORE, 1, "FF");
  malformed("d FD", MORE, 6, "FD");
  assert.equal(decoder.decode(undefined, MORE), "");
  assert.equal(decoder.decode(bytes("e E2 82"), MORE), "e");
  assert.equal(decoder.decode(bytes("AC")), "€");
  // The last call of a stream.
  malformed("a FF b", MORE, 1, "FF");
  malformed("C0 c", undefined, 3, "C0");
  assert.equal(decoder.decode(bytes("d")), "d");
  malformed("a FF b", MORE, 1, "FF");
  assert.equal(decoder.decode(bytes("c")), "c");
});

onEach("fatal: after a throw with stream a decoder is where Node's own is", (api) => {
  for (const [input, next] of [
    ["FD EF", "BB BF a"], ["a FF b", "c"], ["E2 28 A1", "A1"], ["F0 9F 92 z", "A9"], ["ED A0 80", "a"], ["EF BB FF", "EF BB BF a"],
  ]) {
    const outcome = (Class) => {
      const decoder = new Class("utf-8", { fatal: true });
      assert.throws(() => decoder.decode(bytes(input), MORE), TypeError);
      try {
        return decoder.decode(bytes(next), MORE) + decoder.decode();
      } catch (error) {
        return error.name;
      }
    };
    assert.equal(outcome(api.TextDecoder), outcome(TextDecoder), `${input}, then ${next}`);
  }
});

onEach("fatal: after a throw without stream the next call begins anew", (api) => {
  const decoder = new api.TextDecoder("shift_jis", { fatal: true });
  assertMalformed(
    thrown(() => decoder.decode(bytes("A0 93 FA")), TypeError),
    0,
    "A0",
  );
  assert.equal(decoder.decode(bytes("93"), MORE), "");
  assertMalformed(
    thrown(() => decoder.decode(), TypeError),
    0,
    "93",
  );
  assertMalformed(
    thrown(() => decoder.decode(bytes("FD"), MORE), TypeError),
    0,
    "FD",
  );
});

onEach("fatal: after a throw the decoder keeps its state and loses what it restored", (api) => {
  const jis = new api.TextDecoder("iso-2022-jp", { fatal: true });
  const throws = (decoder, input, ...expected) =>
    assertMalformed(
      thrown(() => decoder.decode(bytes(input), MORE), TypeError),
      ...expected,
    );
  throws(jis, "1B $B 80 F|", 3, "80");
  assert.equal(jis.decode(bytes("K\\"), MORE), "本");
  // The escape byte in place of a trail byte is read and not restored: the state is escape start.
  throws(jis, "F 1B $B", 8, "46");
  assert.equal(jis.decode(bytes("(B!")), "!");
  // gb18030 restores the second and the third byte, too.
  const gb18030 = new api.TextDecoder("gb18030", { fatal: true });
  throws(gb18030, "81 0 81 20", 0, "81");
  throws(gb18030, "x FF", 5, "FF");
  assert.equal(gb18030.decode(bytes("y")), "y");
});

onEach("fatal: a throw before any text leaves the byte order mark to come", (api) => {
  // "BOM seen" is set when text is serialized, and a call that throws serializes none.
  const decoder = new api.TextDecoder("utf-8", { fatal: true });
  thrown(() => decoder.decode(bytes("x FF"), MORE), TypeError);
  assert.equal(decoder.decode(undefined, MORE), "");
  assert.equal(decoder.decode(bytes("EF BB BF a"), MORE), "a");
  assert.equal(codes(decoder.decode(bytes("EF BB BF"), MORE)), "FEFF");
  assert.equal(decoder.decode(), "");
});

onEach("fatal: thousands of bad chunks hold no memory", (api) => {
  const decoder = new api.TextDecoder("utf-8", { fatal: true });
  const length = 84 << 10;
  const chunk = new Uint8Array(length).fill(0xff);
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const before = process.memoryUsage.rss();
  try {
    for (let count = 0; count < 3000; count += 1) {
      const { offset } = thrown(() => decoder.decode(chunk, MORE), TypeError);
      assert.equal(offset, count * length);
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  // They once took 246 MiB.
  const grown = (process.memoryUsage.rss() - before) / (1 << 20);
  assert.ok(grown < 100, `${grown} MiB more`);
  assert.equal(decoder.decode(bytes("end")), "end");
});

/** From web-platform-tests: `textdecoder-fatal-streaming`. */
onEach("fatal UTF-16 in odd and even pieces", (api) => {
  const [odd, even] = [bytes("00"), bytes("00 00")];
  const decoder = new api.TextDecoder("utf-16le", { fatal: true });
  assert.equal(decoder.decode(odd, MORE), "");
  assert.equal(decoder.decode(odd), "\0");
  assert.equal(decoder.decode(even, MORE), "\0");
  assertMalformed(
    thrown(() => decoder.decode(odd), TypeError),
    2,
    "00",
  );
  assert.equal(decoder.decode(odd, MORE), "");
  thrown(() => decoder.decode(even), TypeError);
  assert.equal(decoder.decode(odd, MORE), "");
  assert.equal(decoder.decode(odd), "\0");
  assert.equal(decoder.decode(even, MORE), "\0");
  assert.equal(decoder.decode(even), "\0");
});

onEach("serialize: a byte order mark is dropped at the start and kept elsewhere", (api) => {
  for (const [label, bom, a] of [
    ["utf-8", "EF BB BF", "a"],
    ["utf-16le", "FF FE", "a 00"],
    ["utf-16be", "FE FF", "00 a"],
  ]) {
    for (const [input, dropped, kept] of [
      [`${bom} ${a}`, "a", "\uFEFFa"],
      [`${bom} ${bom} ${a}`, "\uFEFFa", "\uFEFF\uFEFFa"],
      [`${a} ${bom} ${a}`, "a\uFEFFa", "a\uFEFFa"],
      [bom, "", "\uFEFF"],
    ]) {
      for (const fatal of [false, true]) {
        for (const ignoreBOM of [false, true]) {
          const about = `${label}, ${input}, fatal ${fatal}, ignoreBOM ${ignoreBOM}`;
          const expected = codes(ignoreBOM ? kept : dropped);
          const decoder = new api.TextDecoder(label, { fatal, ignoreBOM });
          // Twice, because a new stream has a new start.
          assert.equal(codes(decoder.decode(bytes(input))), expected, about);
          assert.equal(codes(decoder.decode(bytes(input))), expected, about);
          for (const pieces of threePieces(bytes(input))) {
            assert.equal(codes(streamed(decoder, pieces)), expected, about);
          }
        }
      }
    }
  }
});

onEach("serialize: half a byte order mark at the end of the stream is malformed", (api) => {
  assert.equal(new api.TextDecoder().decode(bytes("EF BB")), "\uFFFD");
  assert.equal(new api.TextDecoder("utf-16le").decode(bytes("FF")), "\uFFFD");
  assert.equal(streamed(new api.TextDecoder(), [bytes("EF"), bytes("BB")]), "\uFFFD");
});

onEach("serialize: a byte order mark of another encoding is text", (api) => {
  for (const [label, input, text] of [
    ["windows-1252", "EF BB BF a", "ï»¿a"],
    ["utf-8", "FE FF a", "\uFFFD\uFFFDa"],
    ["utf-16le", "FE FF a 00", "\uFFFEa"],
    ["utf-16be", "FF FE 00 a", "\uFFFEa"],
    ["utf-16le", "EF BB BF 00", "\uBBEF\u00BF"],
    // gb18030 has U+FEFF, but it is not a byte order mark there.
    ["gb18030", "84 1 95 3 a", "\uFEFFa"],
    ["gbk", "84 1 95 3 a", "\uFEFFa"],
  ]) {
    assert.equal(codes(new api.TextDecoder(label).decode(bytes(input))), codes(text), label);
  }
});

onEach("two decoders do not share a state", (api) => {
  const one = new api.TextDecoder("shift_jis");
  const other = new api.TextDecoder("shift_jis");
  assert.equal(one.decode(bytes("93"), MORE), "");
  assert.equal(other.decode(bytes("96"), MORE), "");
  assert.equal(one.decode(bytes("FA")), "日");
  assert.equal(other.decode(bytes("{")), "本");
});

onEach("a stream does not see what streams of other decoders have left", (api) => {
  const fatal = { fatal: true };
  for (let round = 0; round < 3; round += 1) {
    const [first, second] = [new api.TextDecoder("utf-8", fatal), new api.TextDecoder("utf-8", fatal)];
    assert.equal(first.decode(bytes("EF BB BF a E3"), MORE), "a");
    assert.equal(second.decode(bytes("EF BB"), MORE), "", "the first one's decoder is in use");
    assert.equal(first.decode(bytes("81 82")), "あ");
    const third = new api.TextDecoder("utf-8", fatal);
    assert.equal(third.decode(bytes("EF BB BF b"), MORE), "b", "the byte order mark is at the start");
    assertMalformed(thrown(() => third.decode(bytes("FF c")), TypeError), 4, "FF");
    assertMalformed(thrown(() => second.decode(bytes("d")), TypeError), 0, "EF BB");
    assert.equal(second.decode(bytes("EF BB BF EF BB BF"), MORE), "\uFEFF");
    assert.equal(second.decode(), "");
  }
});

onEach("thousands of decoders in the middle of a stream are collected or kept, as they are used", (api) => {
  const decoders = Array.from({ length: 5000 }, () => new api.TextDecoder("gb18030"));
  for (const decoder of decoders) {
    assert.equal(decoder.decode(bytes("81 0 81"), MORE), "");
  }
  for (const decoder of decoders) {
    assert.equal(decoder.decode(bytes("0")), "\u0080");
  }
});
