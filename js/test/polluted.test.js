// Members that a script has given Object.prototype are not options: Web IDL reads none of an argument that is left out.

import assert from "node:assert/strict";
import { onEach } from "./engines.js";
import { hex } from "./tools.js";

const MEMBERS = {
  fatal: true,
  ignoreBOM: true,
  stream: true,
  bom: "keep",
  keepMalformed: 0,
  unmappable: "skip",
  replacement: "x",
  keepUnmappable: 0,
  spaceAsPlus: true,
  iso2022jp: true,
  complete: false,
  contentType: "text/html; charset=big5",
  environment: "big5",
  format: "css",
  override: "gbk",
  tld: "jp",
  // Of the transformers of streams.
  readableType: "bytes",
  writableType: "bytes",
  start: "no function",
  cancel: "no function",
};

/** The code of the error that a call throws. */
function codeOf(call) {
  try {
    return call();
  } catch ({ code }) {
    return code;
  }
}

/** Calls without options, and what they give. */
function results(api) {
  const bytes = Uint8Array.of(0x93, 0xFA, 0xFF, 0x93);
  const decoder = new api.TextDecoder("shift_jis");
  const [tool, writer] = [new api.Decoder("utf-8"), new api.Encoder("shift_jis")];
  const stream = new api.TextDecoderStream();
  return {
    attributes: [decoder.fatal, decoder.ignoreBOM, stream.fatal, stream.ignoreBOM],
    text: [decoder.decode(bytes), decoder.decode(bytes, undefined), decoder.decode(bytes, null)],
    tool: [tool.decode(Uint8Array.of(0xEF, 0xBB, 0xBF, 0xE3)), tool.malformed.length, tool.decodeToUtf8().length],
    writer: [hex(writer.encode("日")), codeOf(() => writer.encode("☃")), writer.unmappable.length],
    segments: api.segments(Uint8Array.from(Buffer.from("\x1B$BF|\x1B(B")), []),
    encoded: [hex(api.encode("日", "euc-jp")), api.percentEncodeAfterEncoding("/ ☃", "euc-jp")],
    stream: typeof new api.TextEncoderStream().readable,
    detected: api.detect(Uint8Array.from(Buffer.from("<meta charset=koi8-r>\xE9", "latin1"))),
  };
}

onEach("members of Object.prototype are not read as options", (api) => {
  const expected = results(api);
  let polluted;
  Object.assign(Object.prototype, MEMBERS);
  try {
    polluted = results(api);
    assert.throws(() => api.encode("☃", "euc-jp"), { code: "ERR_ENCODING_UNMAPPABLE" });
  } finally {
    for (const name of Object.keys(MEMBERS)) {
      delete Object.prototype[name];
    }
  }
  assert.deepEqual(polluted, expected);
});

onEach("errors are those of the standard, whatever descriptors inherit from Object.prototype", (api) => {
  const calls = [
    () => new api.TextDecoder("nonsense"),
    () => new api.TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.of(0xFF)),
    () => api.encode("a", "gbk", { unmappable: "fatal" }),
  ];
  const codes = [];
  Object.prototype.get = () => "of a script";
  try {
    for (const call of calls) {
      try {
        call();
      } catch ({ code }) {
        codes.push(code);
      }
    }
  } finally {
    delete Object.prototype.get;
  }
  assert.deepEqual(codes, [
    "ERR_ENCODING_NOT_SUPPORTED",
    "ERR_ENCODING_INVALID_ENCODED_DATA",
    "ERR_INVALID_ARG_VALUE",
  ]);
});
