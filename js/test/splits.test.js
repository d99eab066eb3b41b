// However a stream is cut, the text and the errors are the same as for one call.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { onEach } from "./engines.js";
import { TRICKY } from "./tricky.js";
import { bytes, codes, hex, threePieces } from "./tools.js";

const MORE = { stream: true };

onEach("TextDecoder: every way of cutting tricky inputs into three pieces", (api) => {
  for (const [label, inputs] of Object.entries(TRICKY)) {
    const decoder = new api.TextDecoder(label, { ignoreBOM: true });
    for (const input of inputs) {
      const whole = decoder.decode(bytes(input));
      assert.equal(whole, new api.Decoder(label, { bom: "keep" }).decode(bytes(input)), `${label}: ${input}`);
      for (const pieces of threePieces(bytes(input))) {
        const text = pieces.map((piece) => decoder.decode(piece, MORE)).join("") + decoder.decode();
        assert.equal(codes(text), codes(whole), `${label}: ${pieces.map(hex).join(" | ")}`);
        const last =
          decoder.decode(pieces[0], MORE) + decoder.decode(pieces[1], MORE) + decoder.decode(pieces[2]);
        assert.equal(codes(last), codes(whole), `${label}: ${pieces.map(hex).join(" | ")}`);
      }
    }
  }
});

onEach("fatal TextDecoder: cut anywhere, the same first malformed sequence at the same offset", (api) => {
  for (const [label, inputs] of Object.entries(TRICKY)) {
    for (const input of inputs) {
      const reference = new api.Decoder(label, { bom: "keep" });
      const whole = reference.decode(bytes(input));
      const [first] = reference.malformed;
      const expected = first && `${first.offset}: ${hex(first.bytes)}`;
      const single = Array.from(bytes(input), (byte) => Uint8Array.of(byte));
      for (const pieces of [...threePieces(bytes(input)), single]) {
        const decoder = new api.TextDecoder(label, { fatal: true, ignoreBOM: true });
        let text = "";
        let malformed;
        try {
          for (const piece of pieces) {
            text += decoder.decode(piece, MORE);
          }
          text += decoder.decode();
        } catch (error) {
          malformed = `${error.offset}: ${hex(error.bytes)}`;
        }
        assert.equal(malformed, expected, `${label}: ${pieces.map(hex).join(" | ")}`);
        if (expected === undefined) {
          assert.equal(codes(text), codes(whole), label);
        }
      }
    }
  }
});

onEach("TextDecoder: long texts in pieces of any size", (api) => {
  for (const [file, label] of [
    ["ja.shift_jis.txt", "shift_jis"],
    ["ja.iso-2022-jp.txt", "iso-2022-jp"],
    ["ko.euc-kr.txt", "euc-kr"],
    ["zh-hans-rare.gb18030.txt", "gb18030"],
    ["zh-hant.big5.txt", "big5"],
    ["ru.koi8-r.txt", "koi8-r"],
    ["ja.utf-16le.txt", "utf-16le"],
    ["vi.utf-8.txt", "utf-8"],
    ["ja.euc-jp.txt", "euc-jp"],
  ]) {
    const sample = readFileSync(new URL(`../../samples/${file}`, import.meta.url));
    const input = Buffer.concat(Array.from({ length: 40 }, () => sample));
    const decoder = new api.TextDecoder(label);
    const whole = decoder.decode(input);
    for (const size of [1, 7, 63, 64, 65, 1000, 4096, input.length]) {
      let text = "";
      for (let start = 0; start < input.length; start += size) {
        text += decoder.decode(input.subarray(start, start + size), MORE);
      }
      text += decoder.decode();
      assert.ok(text === whole, `${label} in pieces of ${size} bytes`);
    }
  }
});
