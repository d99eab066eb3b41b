// Decodes, encodes, detects and repairs a few things with both engines.

import { readFileSync } from "node:fs";

import * as native from "simdtext/native";
import * as wasm from "simdtext/wasm";

const sample = (name) => readFileSync(new URL(`../../samples/${name}`, import.meta.url));

for (const api of [native, wasm]) {
  const { engine, TextDecoder, Decoder, OffsetMap, encode, detect, percentEncodeAfterEncoding } = api;
  const { firstValid, segments, undoDoubleEncoding } = api;
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
  const japanese = sample("ja.shift_jis.txt");
  console.log(`  ja.shift_jis.txt is EUC-JP or Shift_JIS: ${firstValid(japanese, ["euc-jp", "shift_jis"])}`);
  const map = new OffsetMap(japanese, "shift_jis");
  const [start] = map.sourceRange(map.text.indexOf("\n") + 1, map.text.length);
  console.log(`  Its second line begins at byte ${start}`);

  const log = Buffer.concat([encode("naïve\n"), encode("naïve\n", "windows-1252")]);
  for (const segment of segments(log, ["shift_jis"])) {
    console.log(`  Bytes ${segment.start} to ${segment.end} of a log are in ${segment.encoding}`);
  }
  console.log(`  cafÃ© was ${undoDoubleEncoding("cafÃ©")}`);
  console.log(`  ≡ ‽ in a URL of a Shift_JIS page: ${percentEncodeAfterEncoding("≡ ‽", "shift_jis")}`);
}
