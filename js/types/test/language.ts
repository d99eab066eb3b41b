// What the types allow and refuse. Nothing here runs: `npm run types` compiles it with DOM's types, with
// Node's and with neither, and fails if a correct use is refused or a line under @ts-expect-error is allowed.

import {
  Decoder,
  Encoder,
  OffsetMap,
  TextDecoder,
  TextDecoderStream,
  TextEncoder,
  TextEncoderStream,
  decode,
  detect,
  encode,
  encodings,
  engine,
  firstValid,
  labelToName,
  percentEncodeAfterEncoding,
  segments,
  undoDoubleEncoding,
} from "simdtext";
import type {
  Bytes,
  Candidate,
  DecoderOptions,
  DetectHints,
  Detection,
  EncodeOptions,
  EncoderOptions,
  EncodingInfo,
  EncodingName,
  Malformed,
  MalformedError,
  OffsetMapOptions,
  PercentEncodeOptions,
  Segment,
  SegmentsOptions,
  TextDecodeOptions,
  TextDecoderOptions,
  TextEncodeOptions,
  TextEncoderEncodeIntoResult,
  Unmappable,
  UnmappableError,
} from "simdtext";
import * as native from "simdtext/native";
import * as wasm from "simdtext/wasm";
import "simdtext/polyfill";

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function same<A, B>(proof: Same<A, B>): void {
  void proof;
}

const bytes = new Uint8Array(4);

// Labels and names.
same<typeof engine, "native" | "wasm">(true);
same<typeof encodings, readonly EncodingInfo[]>(true);
same<ReturnType<typeof labelToName>, EncodingName | null>(true);
// @ts-expect-error the result may be null
const name: string = labelToName("utf-8");
// @ts-expect-error a label is a string
labelToName(866);
// @ts-expect-error the list can't be changed
encodings.push({ name: "x", labels: [] });
// @ts-expect-error nor can its members
encodings[0]!.labels.push("x");
// @ts-expect-error it may be shorter than one thinks
const first: EncodingInfo = encodings[0];

// TextDecoder.
const options: TextDecoderOptions = { fatal: true, ignoreBOM: true };
const decoder = new TextDecoder("shift_jis", options);
new TextDecoder();
new TextDecoder(undefined, {});
same<typeof decoder.encoding, string>(true);
same<typeof decoder.fatal, boolean>(true);
same<typeof decoder.ignoreBOM, boolean>(true);
const more: TextDecodeOptions = { stream: true };
same<ReturnType<typeof decoder.decode>, string>(true);
decoder.decode();
decoder.decode(undefined, more);
for (const input of [
  bytes, bytes.buffer, new DataView(bytes.buffer), new SharedArrayBuffer(1), new Float64Array(1),
]) {
  decoder.decode(input, more);
  const any: Bytes = input;
  decode(any, "gbk");
}
// @ts-expect-error no such option
new TextDecoder("utf-8", { ignoreBom: true });
// @ts-expect-error a boolean
new TextDecoder("utf-8", { fatal: 1 });
// @ts-expect-error a label is a string
new TextDecoder(866);
// @ts-expect-error bytes, not a string
decoder.decode("text");
// @ts-expect-error bytes, not an array of numbers
decoder.decode([1, 2]);
// @ts-expect-error null is not left out
decoder.decode(null);
// @ts-expect-error read only
decoder.encoding = "utf-8";
// @ts-expect-error read only
decoder.fatal = true;
// @ts-expect-error called with new
TextDecoder("utf-8");
// @ts-expect-error the option belongs to decode
new TextDecoder("utf-8", { stream: true });

// TextEncoder.
const encoder = new TextEncoder();
same<ReturnType<typeof encoder.encode>, Uint8Array<ArrayBuffer>>(true);
same<ReturnType<typeof encoder.encodeInto>, TextEncoderEncodeIntoResult>(true);
const { read, written } = encoder.encodeInto("text", bytes);
same<typeof read, number>(true);
same<typeof written, number>(true);
encoder.encodeInto("text", new Uint8Array(new SharedArrayBuffer(4)));
// @ts-expect-error a Uint8Array only
encoder.encodeInto("text", new Uint16Array(1));
// @ts-expect-error a destination is needed
encoder.encodeInto("text");
// @ts-expect-error no label
new TextEncoder("gbk");
// @ts-expect-error a string
encoder.encode(bytes);

// Streams.
const stream = new TextDecoderStream("gbk", { fatal: true });
same<typeof stream.readable, ReadableStream<string>>(true);
same<typeof stream.writable, WritableStream<Bytes>>(true);
same<typeof stream.encoding, string>(true);
same<TextEncoderStream["readable"], ReadableStream<Uint8Array<ArrayBuffer>>>(true);
same<TextEncoderStream["writable"], WritableStream<string>>(true);
// @ts-expect-error read only
stream.readable = stream.readable;

// decode and encode.
same<ReturnType<typeof decode>, string>(true);
same<ReturnType<typeof encode>, Uint8Array<ArrayBuffer>>(true);
decode(bytes);
// @ts-expect-error bytes are needed
decode();
// @ts-expect-error bytes first
decode("gbk", bytes);
const encodeOptions: EncodeOptions = { unmappable: "replace", replacement: "?" };
encode("text", "gbk", encodeOptions);
encode("text");
for (const unmappable of ["throw", "html", "replace", "skip"] as const) {
  new Encoder("gbk", { unmappable });
  encode("text", "gbk", { unmappable });
}
// @ts-expect-error no such mode
encode("text", "gbk", { unmappable: "fatal" });
// @ts-expect-error a string
encode("text", "gbk", { replacement: 63 });
// @ts-expect-error options are an object
encode("text", "gbk", "html");

// Errors.
function report(error: MalformedError | UnmappableError): string {
  if (error.code === "ERR_ENCODING_UNMAPPABLE") {
    same<typeof error.codePoint, number>(true);
    return `${error.message} ${error.index}`;
  }
  same<typeof error.offset, number>(true);
  same<typeof error.bytes, Uint8Array<ArrayBuffer>>(true);
  const plain: TypeError = error;
  return plain.name;
}

// percentEncodeAfterEncoding.
const percent: PercentEncodeOptions = { set: "application/x-www-form-urlencoded", spaceAsPlus: true };
same<ReturnType<typeof percentEncodeAfterEncoding>, string>(true);
percentEncodeAfterEncoding("text", "gbk", percent);
for (const set of ["c0-control", "fragment", "query", "special-query", "path", "userinfo", "component"] as const) {
  percentEncodeAfterEncoding("text", "utf-8", { set });
}
// @ts-expect-error no such set
percentEncodeAfterEncoding("text", "gbk", { set: "form" });

// detect.
const hints: DetectHints = {
  contentType: "text/html", format: "html", override: "gbk", environment: "gbk", tld: "cn", complete: false,
};
const detection: Detection = detect(bytes, hints);
same<
  typeof detection.evidence,
  "bom" | "override" | "transport" | "declaration" | "environment" | "utf-8" | "ascii" | "guess"
>(true);
same<typeof detection.encoding, EncodingName | null>(true);
same<typeof detection.candidates, readonly Candidate[]>(true);
same<Candidate["bits"], number>(true);
same<Candidate["language"], string>(true);
same<Detection["binary"], boolean>(true);
// @ts-expect-error no such format
detect(bytes, { format: "json" });
// @ts-expect-error there may be no candidate
const best: Candidate = detection.candidates[0];
// @ts-expect-error read only
detection.encoding = "UTF-8";

// Decoder.
const decoderOptions: DecoderOptions = { bom: "strip", keepMalformed: 10 };
const tool = new Decoder("gbk", decoderOptions);
new Decoder();
same<ReturnType<typeof tool.decode>, string>(true);
same<ReturnType<typeof tool.decodeToUtf8>, Uint8Array<ArrayBuffer>>(true);
same<typeof tool.malformed, readonly Malformed[]>(true);
same<typeof tool.errors, number>(true);
tool.decodeToUtf8(bytes, { stream: true });
// @ts-expect-error no such mode
new Decoder("gbk", { bom: "drop" });
// @ts-expect-error never fatal: it tells what is malformed instead
new Decoder("gbk", { fatal: true });
// @ts-expect-error read only
tool.malformed.push({ offset: 0, bytes });

// Encoder.
const encoderOptions: EncoderOptions = { unmappable: "skip", replacement: "*", keepUnmappable: 10 };
const writer = new Encoder("gbk", encoderOptions);
const encodeMore: TextEncodeOptions = { stream: true };
same<ReturnType<typeof writer.encode>, Uint8Array<ArrayBuffer>>(true);
same<typeof writer.unmappable, readonly Unmappable[]>(true);
writer.encode("text", encodeMore);
writer.encode();
// @ts-expect-error a string
writer.encode(bytes);
// @ts-expect-error no such mode
new Encoder("gbk", { unmappable: "fatal" });

// OffsetMap.
const mapOptions: OffsetMapOptions = { bom: "keep" };
const map = new OffsetMap(bytes, "gbk", mapOptions);
new OffsetMap(bytes.buffer);
same<typeof map.text, string>(true);
same<typeof map.encoding, EncodingName>(true);
same<ReturnType<typeof map.sourceRange>, [start: number, end: number]>(true);
same<ReturnType<typeof map.textOffset>, number>(true);
bytes.subarray(...map.sourceRange(0, 1));
same<ReturnType<typeof map.toBytes>, Uint8Array<ArrayBuffer>>(true);
same<ReturnType<typeof OffsetMap.fromBytes>, OffsetMap>(true);
OffsetMap.fromBytes(map.toBytes(), map.text, bytes.buffer);
// @ts-expect-error the source is needed
OffsetMap.fromBytes(map.toBytes(), map.text);
// @ts-expect-error a source is needed
new OffsetMap();
// @ts-expect-error an end is needed
map.sourceRange(0);
// @ts-expect-error read only
map.text = "";

// Texts of several encodings.
same<ReturnType<typeof firstValid>, EncodingName | null>(true);
firstValid(bytes, ["shift_jis", "euc-jp"] as const);
firstValid(bytes, new Set(["gbk"]));
// @ts-expect-error a list is needed
firstValid(bytes);
same<ReturnType<typeof segments>, Segment[]>(true);
same<Segment["reason"], "ascii" | "utf-8" | "escapes" | "first-of-list" | "otherwise">(true);
const segmentsOptions: SegmentsOptions = { iso2022jp: true };
segments(bytes, [], "koi8-r", segmentsOptions);
// @ts-expect-error a label
segments(bytes, ["gbk"], 866);
same<ReturnType<typeof undoDoubleEncoding>, string | null>(true);
undoDoubleEncoding("text", "windows-1251");
// @ts-expect-error a string
undoDoubleEncoding(bytes);

// The engines have the same types.
same<typeof native, typeof wasm>(true);
same<typeof native.decode, typeof decode>(true);

void [name, first, best, report];
