// The repository's samples, which were written by Python's codecs. Each decodes to its text, and encodes
// back.

import assert from "node:assert/strict";
import { onEach } from "./engines.js";
import { SAMPLES } from "./samples.js";
import { hex } from "./tools.js";

onEach("every sample decodes to its text", (api) => {
  assert.ok(SAMPLES.length > 60);
  for (const { file, label, bytes, text } of SAMPLES) {
    assert.equal(api.decode(bytes, label), text, file);
    assert.equal(new api.TextDecoder(label).decode(bytes), text, file);
    assert.equal(new api.Decoder(label).decode(bytes), text, file);
    assert.equal(Buffer.from(new api.Decoder(label).decodeToUtf8(bytes)).toString(), text, file);
  }
});

onEach("damaged samples have their malformed sequences", (api) => {
  for (const { file, label, bytes, errors, malformed } of SAMPLES) {
    const decoder = new api.Decoder(label);
    decoder.decode(bytes);
    assert.equal(decoder.errors, errors, file);
    assert.deepEqual(
      decoder.malformed.map(
        ({ offset, bytes: sequence }) => `${offset}:${hex(sequence).replaceAll(" ", "")}`,
      ),
      malformed,
      file,
    );
    const fatal = new api.TextDecoder(label, { fatal: true });
    if (errors === 0) {
      assert.doesNotThrow(() => fatal.decode(bytes), file);
    } else {
      assert.throws(() => fatal.decode(bytes), {
        name: "TypeError",
        offset: Number(malformed[0].split(":")[0]),
      });
    }
  }
});

onEach("undamaged samples encode to their bytes", (api) => {
  for (const { file, label, bytes, text, errors } of SAMPLES) {
    if (errors > 0) {
      continue;
    }
    // No encoder writes a byte order mark, and the text has none.
    const encoded = api.encode(text, label);
    assert.ok(Buffer.from(bytes.subarray(bytes.length - encoded.length)).equals(encoded), file);
    assert.ok([0, 2, 3].includes(bytes.length - encoded.length), file);
  }
});
