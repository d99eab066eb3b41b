// Every input of two bytes in every encoding, and every character of the Basic Multilingual Plane with a
// sample of the others, in both engines compared with the Rust library (`../engine/examples/two_bytes.rs`).

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onEach } from "./engines.js";
import { codes, hex } from "./tools.js";

/** The output of that program, which describes its format. The first test that needs it runs the program. */
let output;
function expected() {
  if (output === undefined) {
    // As the engines are built, so that the library is not built again.
    const { SIMDTEXT_BUILT: built, SIMDTEXT_PROFILE: profile = "release" } = process.env;
    const command = built === undefined
      ? ["cargo", "run", "-q", "--profile", profile, "-p", "simdtext-js-engine", "--example", "two_bytes"]
      : [`${built}/examples/two_bytes`];
    const { status, stdout, stderr, error } = spawnSync(command[0], command.slice(1), {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      maxBuffer: 1 << 30,
    });
    assert.ifError(error);
    assert.equal(status, 0, stderr?.toString());
    output = sections(stdout);
  }
  return output;
}

/** Cuts the output into its sections without looking at the records. */
function sections(data) {
  const found = { D: [], E: [], W: [] };
  let at = 0;
  const number = () => {
    at += 4;
    return data.readUInt32LE(at - 4);
  };
  const name = () => {
    const length = data[at];
    at += 1 + length;
    return data.subarray(at - length, at);
  };
  while (at < data.length) {
    const tag = String.fromCharCode(data[at]);
    at += 1;
    const section = { encoding: name().toString() };
    found[tag].push(section);
    if (tag === "D") {
      section.prefix = name();
      section.start = at;
      for (let pair = 0; pair < 65536; pair += 1) {
        at += 3 + 2 * data[at];
      }
    } else if (tag === "E") {
      section.count = number();
      section.start = at;
      for (let record = 0; record < section.count; record += 1) {
        at += 4 + (data[at + 3] & 0x7f);
      }
    } else {
      const length = number();
      section.bytes = data.subarray(at, at + length);
      at += length;
    }
    section.data = data;
  }
  assert.deepEqual([found.D.length, found.E.length, found.W.length], [56, 39, 39]);
  return found;
}

/** Whether `text` is the code units of the record at `at`. */
function isText(text, data, at) {
  const units = data[at];
  if (text.length !== units) {
    return false;
  }
  for (let i = 0; i < units; i += 1) {
    if (text.charCodeAt(i) !== (data[at + 3 + 2 * i] | (data[at + 4 + 2 * i] << 8))) {
      return false;
    }
  }
  return true;
}

/** Calls `check(input, place)` for each record of a section, or for one in `step` records, among which are
 * all first and all second bytes. `place` is the start of the record.
 */
function forEachInput({ prefix, data, start }, step, check) {
  const input = new Uint8Array(prefix.length + 2);
  input.set(prefix);
  let at = start;
  for (let pair = 0; pair < 65536; pair += 1) {
    const [first, second] = [pair >> 8, pair & 0xff];
    if (step === 1 || (first ^ second) % step === 0) {
      input[prefix.length] = first;
      input[prefix.length + 1] = second;
      check(input, at);
    }
    at += 3 + 2 * data[at];
  }
}

const MULTI_BYTE = /^(UTF|GBK$|gb18030$|Big5$|EUC|ISO-2022|Shift)/;

function wrong(section, input, text, at) {
  const { data, encoding } = section;
  const units = Array.from({ length: data[at] }, (_, i) => data.readUInt16LE(at + 3 + 2 * i));
  const message = `${encoding}: ${hex(input)}`;
  assert.equal(codes(text), codes(String.fromCharCode(...units)), message);
  assert.fail(message);
}

onEach("every two bytes: TextDecoder gives the library's text", (api) => {
  for (const section of expected().D) {
    if (section.encoding === "replacement") {
      continue;
    }
    const decoder = new api.TextDecoder(section.encoding, { ignoreBOM: true });
    forEachInput(section, 1, (input, at) => {
      const text = decoder.decode(input);
      if (!isText(text, section.data, at)) {
        wrong(section, input, text, at);
      }
    });
  }
});

onEach("every two bytes: a fatal TextDecoder gives the text, or throws where the library does", (api) => {
  const { stackTraceLimit } = Error;
  // Hundreds of thousands of errors are thrown, whose stack traces nobody reads.
  Error.stackTraceLimit = 0;
  try {
    for (const section of expected().D) {
      if (section.encoding === "replacement") {
        continue;
      }
      const decoder = new api.TextDecoder(section.encoding, { fatal: true, ignoreBOM: true });
      const { data } = section;
      // An error takes a while. If a byte does not depend on the one before it, a part of the inputs is
      // enough.
      const step = MULTI_BYTE.test(section.encoding) && section.prefix.length === 0 ? 1 : 7;
      forEachInput(section, step, (input, at) => {
        const [place, length] = [data[at + 1], data[at + 2]];
        let text;
        try {
          text = decoder.decode(input);
        } catch (error) {
          const { offset, bytes } = error;
          const malformed = input.subarray(place - 1, place - 1 + length);
          if (
            !(error instanceof TypeError) ||
            offset !== place - 1 ||
            Buffer.compare(bytes, malformed) !== 0
          ) {
            assert.fail(
              `${section.encoding}: ${hex(input)}: ${error}, not ${hex(malformed)} at ${place - 1}`,
            );
          }
          return;
        }
        if (place !== 0) {
          assert.fail(`${section.encoding}: ${hex(input)}: no error at ${place - 1}, but ${codes(text)}`);
        }
        if (!isText(text, data, at)) {
          wrong(section, input, text, at);
        }
      });
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
});

onEach("two bytes, streamed one by one: TextDecoder gives the same", (api) => {
  const more = { stream: true };
  for (const section of expected().D) {
    if (section.encoding === "replacement") {
      continue;
    }
    const decoder = new api.TextDecoder(section.encoding, { ignoreBOM: true });
    forEachInput(section, 11, (input, at) => {
      const { length } = input;
      const text =
        decoder.decode(input.subarray(0, length - 1), more) + decoder.decode(input.subarray(length - 1));
      if (!isText(text, section.data, at)) {
        wrong(section, input, text, at);
      }
    });
  }
});

onEach("two bytes: Decoder gives the library's text and first malformed sequence", (api) => {
  for (const section of expected().D) {
    const { data } = section;
    forEachInput(section, 17, (input, at) => {
      const decoder = new api.Decoder(section.encoding, { bom: "keep", keepMalformed: 1 });
      const text = decoder.decode(input);
      if (!isText(text, data, at)) {
        wrong(section, input, text, at);
      }
      const [first] = decoder.malformed;
      const about = `${section.encoding}: ${hex(input)}`;
      assert.equal(decoder.errors > 0, data[at + 1] > 0, about);
      assert.equal(first === undefined ? 0 : first.offset + 1, data[at + 1], about);
      assert.equal(first === undefined ? 0 : first.bytes.length, data[at + 2], about);
    });
  }
});

/** Calls `check(string, bytes, unmappable)` for each record of a section. */
function forEachCharacter({ data, start, count }, check) {
  let at = start;
  for (let record = 0; record < count; record += 1) {
    const length = data[at + 3] & 0x7f;
    check(
      String.fromCodePoint(data.readUIntLE(at, 3)),
      data.subarray(at + 4, at + 4 + length),
      data[at + 3] > 0x7f,
    );
    at += 4 + length;
  }
}

onEach("every character alone: encode gives the library's bytes", (api) => {
  const html = { unmappable: "html" };
  // The other encoders have no state, so the next test, of all characters in a row, covers them.
  for (const section of expected().E.filter(({ encoding }) => MULTI_BYTE.test(encoding))) {
    forEachCharacter(section, (string, bytes) => {
      const encoded = api.encode(string, section.encoding, html);
      if (Buffer.compare(encoded, bytes) !== 0) {
        assert.fail(`${section.encoding}: ${codes(string)}: ${hex(encoded)}, not ${hex(bytes)}`);
      }
    });
  }
});

onEach("all characters as one string: encode in each mode", (api) => {
  const { E, W } = expected();
  for (const [index, section] of E.entries()) {
    const { encoding } = section;
    const [strings, mapped, known] = [[], [], []];
    let unknown = 0;
    forEachCharacter(section, (string, bytes, unmappable) => {
      strings.push(string);
      unknown += Number(unmappable);
      if (!unmappable) {
        mapped.push(bytes);
        known.push(string);
      }
    });
    const string = strings.join("");
    assert.equal(W[index].encoding, encoding);
    const html = api.encode(string, encoding, { unmappable: "html" });
    assert.ok(W[index].bytes.equals(html), `${encoding}: html`);
    const skipped = api.encode(string, encoding, { unmappable: "skip" });
    const replaced = api.encode(string, encoding, { unmappable: "replace" });
    // The escape sequences of ISO-2022-JP depend on the neighbours.
    if (encoding !== "ISO-2022-JP") {
      assert.ok(Buffer.concat(mapped).equals(skipped), `${encoding}: skip`);
      assert.equal(
        replaced.length,
        skipped.length + unknown * (encoding.startsWith("UTF-16") ? 2 : 1),
        encoding,
      );
    }
    if (unknown > 0) {
      assert.throws(() => api.encode(string, encoding), { code: "ERR_ENCODING_UNMAPPABLE" }, encoding);
    }
    assert.doesNotThrow(() => api.encode(known.join(""), encoding), encoding);
  }
});
