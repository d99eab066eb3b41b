// The WebAssembly build as browsers load it, against the native engine in Node.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as native from "simdtext/native";
import { withPackage } from "./support/site.js";

/** Bytes of every kind, the same in each run (xorshift). */
function noise(length, seed) {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  });
}

/** All pairs of a byte and another, as many as can follow each other in a decoder. */
function pairs(lead) {
  return Uint8Array.from({ length: 512 }, (_, at) => (at % 2 === 0 ? lead : at >> 1));
}

const inputs = [
  new Uint8Array(0),
  Uint8Array.from({ length: 256 }, (_, byte) => byte),
  ...Array.from({ length: 128 }, (_, byte) => pairs(byte + 0x80)),
  noise(5000, 7),
  noise(5001, 11).map((byte) => byte | 0x80),
  new TextEncoder().encode("\uFEFFASCII, Ünïcödé, кириллица, ελληνικά, 亜唖, 一乙, 가각, 😀 €\n".repeat(30)),
  // ISO-2022-JP: a character of jis0208, two of Roman, one of katakana, one of ASCII.
  new TextEncoder().encode("\x1B$B0!\x1B(J\\~\x1B(I1\x1B(BA"),
];

const strings = [
  "",
  "plain ASCII",
  "Ünïcödé, кириллица, ελληνικά, עברית, ไทย, €“”",
  "亜唖娃 あいう アイウ ｱｲｳ ¥‾ 一乙丁 가각간 龥 㐀 \u{20000} 😀",
  "lone \uD83D surrogates \uDE00",
  // One in sixteen characters of the BMP, without surrogates.
  String.fromCharCode(...Array.from({ length: 0xd80 }, (_, at) => at * 16 + 5)),
];

const toBase64 = (bytes) => Buffer.from(bytes).toString("base64");

/** The calls that both engines have to answer, as the same code for both. The package is `simdtext` there. */
function results(simdtext, name, encodedInputs, texts) {
  const bytesOf = (base64) => Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const outcome = (work) => {
    try {
      return work();
    } catch (error) {
      const { name: kind, code, message, offset, bytes, codePoint, index } = error;
      return { kind, code, message, offset, bytes: bytes && hex(bytes), codePoint, index };
    }
  };
  const all = encodedInputs.map(bytesOf);
  return {
    decoded: all.map((bytes) => simdtext.decode(bytes, name)),
    fatal: all.map((bytes) => outcome(() => new simdtext.TextDecoder(name, { fatal: true }).decode(bytes))),
    streamed: all.map((bytes) =>
      outcome(() => {
        const decoder = new simdtext.TextDecoder(name, { ignoreBOM: true });
        let text = "";
        for (let at = 0; at < bytes.length; at += 7) {
          text += decoder.decode(bytes.subarray(at, at + 7), { stream: true });
        }
        return text + decoder.decode();
      }),
    ),
    tools: all.map((bytes) => {
      const decoder = new simdtext.Decoder(name, { bom: "keep", keepMalformed: 50 });
      const utf8 = hex(decoder.decodeToUtf8(bytes));
      const malformed = decoder.malformed.map((each) => `${each.offset}:${hex(each.bytes)}`);
      return { utf8, errors: decoder.errors, malformed };
    }),
    encoded: texts.flatMap((text) =>
      ["throw", "html", "replace", "skip"].map((unmappable) =>
        outcome(() => hex(simdtext.encode(text, name, { unmappable }))),
      ),
    ),
    percent: texts.map((text) => outcome(() => simdtext.percentEncodeAfterEncoding(text, name))),
  };
}

describe("WebAssembly in the browser", () => {
  test("each encoding decodes and encodes as the native engine does", async () => {
    assert.equal(native.engine, "native");
    const encodedInputs = inputs.map(toBase64);
    const wellFormed = strings.map((text) => text.toWellFormed?.() ?? text);
    await withPackage(async (page) => {
      assert.equal(await page.evaluate(async () => (await import("/web.mjs")).engine), "wasm");
      const names = await page.evaluate(async () => (await import("/web.mjs")).encodings);
      assert.deepEqual(names, JSON.parse(JSON.stringify(native.encodings)));
      assert.equal(names.length, 40);
      await page.addScriptTag({ content: `window.results = ${results}` });
      for (const { name } of names) {
        const inBrowser = await page.evaluate(
          async ([encoding, given, texts]) => window.results(await import("/web.mjs"), encoding, given, texts),
          [name, encodedInputs, wellFormed],
        );
        const expected = results(native, name, encodedInputs, wellFormed);
        for (const [what, values] of Object.entries(expected)) {
          values.forEach((value, at) => {
            // A property of an object that is undefined is not transferred.
            assert.deepEqual(plain(inBrowser[what][at]), plain(value), `${name}, ${what} of input ${at}`);
          });
        }
      }
    });
  });

  test("prototypes have what Web IDL gives them, and nothing for Node", async () => {
    await withPackage(async (page) => {
      const symbols = await page.evaluate(async () => {
        const api = await import("/web.mjs");
        const names = ["TextDecoder", "TextEncoder", "TextDecoderStream", "TextEncoderStream"];
        return names.flatMap((name) => Object.getOwnPropertySymbols(api[name].prototype).map(String));
      });
      assert.deepEqual(symbols, Array.from({ length: 4 }, () => "Symbol(Symbol.toStringTag)"));
    });
  });

  test("the console's first line: a binding of each name, and after a throw the rest is dropped", async () => {
    await withPackage(async (page) => {
      const session = await page.context().newCDPSession(page);
      const expression = `
        const { TextDecoder, TextEncoder, decode } = await import("/web.mjs");
        const fatal = (Class) => {
          const decoder = new Class("utf-8", { fatal: true });
          try {
            decoder.decode(Uint8Array.of(0xFD, 0xEF), { stream: true });
          } catch {
            return JSON.stringify(decoder.decode());
          }
        };
        [new TextDecoder("sjis").decode(Uint8Array.of(0x93, 0xFA)), new TextEncoder().encode("é".repeat(1000)).length,
          decode(new Uint8Array(3e6), "gbk").length, fatal(TextDecoder), fatal(globalThis.TextDecoder)].join();
      `;
      const { result } = await session.send("Runtime.evaluate", { expression, replMode: true, awaitPromise: true });
      assert.equal(result.value, '日,2000,3000000,"",""', JSON.stringify(result));
    });
  });

  test("lone surrogates become U+FFFD", async () => {
    await withPackage(async (page) => {
      const bytes = await page.evaluate(async () => {
        const { encode, TextEncoder: Encoder } = await import("/web.mjs");
        const text = "a\uD83Db\uDE00";
        return [[...encode(text)], [...new Encoder().encode(text)], [...encode(text, "utf-16le")]];
      });
      const utf8 = [0x61, 0xef, 0xbf, 0xbd, 0x62, 0xef, 0xbf, 0xbd];
      assert.deepEqual(bytes, [utf8, utf8, [0x61, 0, 0xfd, 0xff, 0x62, 0, 0xfd, 0xff]]);
    });
  });

  test("streams are the browser's own, and cut anywhere", async () => {
    await withPackage(async (page) => {
      const result = await page.evaluate(async () => {
        const { TextDecoderStream, TextEncoderStream } = await import("/web.mjs");
        const text = "市場の朝、パンの匂い。😀".repeat(500);
        const through = async (source, transform) => {
          const chunks = [];
          const readable = new ReadableStream({
            start(controller) {
              source.forEach((chunk) => controller.enqueue(chunk));
              controller.close();
            },
          });
          const collect = new WritableStream({ write: (chunk) => void chunks.push(chunk) });
          await readable.pipeThrough(transform).pipeTo(collect);
          return chunks;
        };
        const units = [...Array(text.length).keys()].map((at) => text[at]);
        const encoded = await through(units, new TextEncoderStream());
        const bytes = new Uint8Array(await new Blob(encoded).arrayBuffer());
        const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
        const decoded = (await through(single, new TextDecoderStream())).join("");
        const halves = [Uint8Array.of(0x88), Uint8Array.of(0x9f)];
        const shiftJis = (await through(halves, new TextDecoderStream("sjis"))).join("");
        const strict = new TextDecoderStream("utf-8", { fatal: true });
        const fatal = await through([Uint8Array.of(0xff)], strict).then(
          () => "no error",
          (error) => error.constructor === TypeError,
        );
        const stream = new TextDecoderStream();
        return {
          same: decoded === text,
          bytes: new TextDecoder().decode(bytes) === text,
          shiftJis,
          fatal,
          platform: stream.readable instanceof ReadableStream && stream.writable instanceof WritableStream,
        };
      });
      assert.deepEqual(result, { same: true, bytes: true, shiftJis: "亜", fatal: true, platform: true });
    });
  });

  test("the classes look like the browser's own", async () => {
    await withPackage(async (page) => {
      const surfaces = await page.evaluate(async () => {
        const simdtext = await import("/web.mjs");
        const member = ([key, { value, get, set, enumerable, configurable, writable }]) => ({
          key: String(key),
          enumerable,
          configurable,
          writable,
          kind: get ? "getter" : typeof value,
          setter: Boolean(set),
          name: get?.name ?? value?.name ?? value,
          length: get?.length ?? value?.length,
        });
        const surface = (Class) => ({
          name: Class.name,
          length: Class.length,
          tag: Object.prototype.toString.call(Class.prototype),
          members: Reflect.ownKeys(Class.prototype)
            .filter((key) => key !== "constructor")
            .map((key) => member([key, Object.getOwnPropertyDescriptor(Class.prototype, key)]))
            .sort((one, other) => (one.key < other.key ? -1 : 1)),
        });
        const names = ["TextDecoder", "TextEncoder", "TextDecoderStream", "TextEncoderStream"];
        return names.map((name) => [surface(simdtext[name]), surface(window[name])]);
      });
      for (const [ours, browsers] of surfaces) {
        assert.deepEqual(ours, browsers);
      }
    });
  });

  test("labels, errors and realms", async () => {
    await withPackage(async (page) => {
      const result = await page.evaluate(async () => {
        const { TextDecoder: Decoder, labelToName } = await import("/web.mjs");
        const thrown = (work) => {
          try {
            work();
            return "nothing";
          } catch (error) {
            return [RangeError, TypeError].find((kind) => error.constructor === kind)?.name ?? String(error);
          }
        };
        return {
          label: new Decoder(" ASCII\n").encoding,
          none: labelToName("nothing"),
          unknown: thrown(() => new Decoder("nothing")),
          replacement: thrown(() => new Decoder("hz-gb-2312")),
          fatal: thrown(() => new Decoder("utf-8", { fatal: true }).decode(Uint8Array.of(0xff))),
          input: thrown(() => new Decoder().decode("text")),
          called: thrown(() => Decoder()),
          ours: Decoder !== window.TextDecoder,
        };
      });
      assert.deepEqual(result, {
        label: "windows-1252",
        none: null,
        unknown: "RangeError",
        replacement: "RangeError",
        fatal: "TypeError",
        input: "TypeError",
        called: "TypeError",
        ours: true,
      });
    });
  });
});

const plain = (value) => (value === undefined ? value : JSON.parse(JSON.stringify(value)));
