// Decodes, encodes and detects a few things with both engines.

import { readFileSync } from "node:fs";

import * as native from "simdtext/native";
import * as wasm from "simdtext/wasm";

const sample = (name) => readFileSync(new URL(`../../samples/${name}`, import.meta.url));

for (const { engine, TextDecoder, Decoder, encode, detect, percentEncodeAfterEncoding } of [native, wasm]) {
  console.log(`${engine}:`);

  const [line] = new TextDecoder("koi8-r").decode(sample("ru.koi8-r.txt")).split("\n");
  console.log(`  ru.koi8-r.txt begins: ${line}`);

  const { encoding, reason } = detect(sample("ja.euc-jp.txt"));
  console.log(`  ja.euc-jp.txt is in ${encoding}: ${reason}`);

  const decoder = new Decoder("shift_jis");
  decoder.decode(sample("ja-damaged.shift_jis.txt"));
  for (const { offset, bytes } of decoder.malformed) {
    const hex = Array.from(bytes, (byte) => byte.toString(16).toUpperCase()).join(" ");
    console.log(`  ja-damaged.shift_jis.txt has malformed ${hex} at offset ${offset}`);
  }

  console.log(`  čeština in ISO-8859-2: ${Buffer.from(encode("čeština", "iso-8859-2")).toString("hex")}`);
  console.log(`  ≡ ‽ in a URL of a Shift_JIS page: ${percentEncodeAfterEncoding("≡ ‽", "shift_jis")}`);
}
