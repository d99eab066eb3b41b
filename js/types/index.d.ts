// These are empty without the types of DOM or of Node, and merge with those if they are present.
declare global {
  interface ReadableStream<R = any> {}
  interface WritableStream<W = any> {}
}

/** A name of one of the forty encodings, as the standard spells it: `"Shift_JIS"`, `"UTF-8"`. */
export type EncodingName = string;

/** What the functions accept as bytes: a buffer, shared or not, or any view of one. */
export type Bytes = ArrayBufferView | ArrayBuffer | SharedArrayBuffer;

/** Which engine runs: the Node addon, or WebAssembly. Both give the same results. */
export const engine: "native" | "wasm";

/** An encoding, and its labels in lower case. */
export interface EncodingInfo {
  readonly name: EncodingName;
  readonly labels: readonly string[];
}

/** The forty encodings of the standard, in its order. */
export const encodings: readonly EncodingInfo[];

/**
 * The standard's *get an encoding* (section 4.2): the name of the encoding that has a label, or `null` if none
 * has it. ASCII white space around the label and the case of its letters don't count.
 */
export function labelToName(label: string): EncodingName | null;

// The API of section 7

export interface TextDecoderOptions {
  /** Whether malformed input throws a `TypeError` (if not, it becomes U+FFFD). `false` by default. */
  fatal?: boolean;
  /** Whether a byte order mark is kept as U+FEFF (if not, it is dropped). `false` by default. */
  ignoreBOM?: boolean;
}

export interface TextDecodeOptions {
  /** Whether more input follows, for which an incomplete sequence at the end of this piece waits. */
  stream?: boolean;
}

/** The standard's `TextDecoder` (section 7.2), for all encodings but replacement. */
export class TextDecoder {
  /**
   * @param label `"utf-8"` by default.
   * @throws {RangeError} if no encoding has the label, or if it is a label of replacement.
   */
  constructor(label?: string, options?: TextDecoderOptions);
  /** The encoding's name in lower case. */
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /**
   * @throws {MalformedError} if the decoder is fatal and the input is malformed. The input after the malformed
   * sequence is dropped; a stream continues with the next call.
   */
  decode(input?: Bytes, options?: TextDecodeOptions): string;
  readonly [Symbol.toStringTag]: string;
}

/** The `TypeError` that a fatal decoder throws, with the malformed sequence and its offset. */
export interface MalformedError extends TypeError {
  readonly code: "ERR_ENCODING_INVALID_ENCODED_DATA";
  /** Offset of the malformed sequence in bytes from the start of the stream. */
  readonly offset: number;
  /** The malformed sequence, one to four bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface TextEncoderEncodeIntoResult {
  /** Number of code units of the source that were converted. */
  read: number;
  /** Number of bytes that were written. */
  written: number;
}

/** The standard's `TextEncoder` (section 7.4): strings to UTF-8. For other encodings see {@link encode}. */
export class TextEncoder {
  constructor();
  readonly encoding: "utf-8";
  encode(input?: string): Uint8Array<ArrayBuffer>;
  encodeInto(source: string, destination: Uint8Array): TextEncoderEncodeIntoResult;
  readonly [Symbol.toStringTag]: string;
}

/** The standard's `TextDecoderStream` (section 7.5): a transform stream from bytes to strings. */
export class TextDecoderStream {
  /** @throws {RangeError} if no encoding has the label, or if it is a label of replacement. */
  constructor(label?: string, options?: TextDecoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Bytes>;
  readonly [Symbol.toStringTag]: string;
}

/** The standard's `TextEncoderStream` (section 7.6): a transform stream from strings to UTF-8. */
export class TextEncoderStream {
  constructor();
  readonly encoding: "utf-8";
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<string>;
  readonly [Symbol.toStringTag]: string;
}

// Beyond section 7

/**
 * The standard's *decode* (section 6): a byte order mark, which is dropped, determines the encoding, or else the
 * label does (`"utf-8"` by default). Malformed input becomes U+FFFD.
 *
 * @throws {RangeError} if no encoding has the label.
 */
export function decode(bytes: Bytes, label?: string): string;

export interface EncodeOptions {
  /**
   * What to do with a character that the encoding lacks: `"throw"` (the default) throws an
   * {@link UnmappableError}; `"html"` writes a character reference (`&#8253;`), as forms do; `"replace"` writes
   * {@link EncodeOptions.replacement}; `"skip"` writes nothing.
   */
  unmappable?: "throw" | "html" | "replace" | "skip";
  /** One character, `"?"` by default. */
  replacement?: string;
}

/**
 * Encodes a string in any encoding but replacement. UTF-16LE and UTF-16BE are supported (where the web would
 * write UTF-8); lone surrogates become U+FFFD. No byte order mark is written.
 *
 * @param label `"utf-8"` by default.
 * @throws {RangeError} if no encoding has the label, or if it is a label of replacement.
 * @throws {UnmappableError} if the encoding lacks a character and `unmappable` is `"throw"`.
 */
export function encode(string: string, label?: string, options?: EncodeOptions): Uint8Array<ArrayBuffer>;

export interface UnmappableError extends TypeError {
  readonly code: "ERR_ENCODING_UNMAPPABLE";
  /** The character's code point: 0x203D for U+203D. */
  readonly codePoint: number;
  /** Offset of the character in code units from the start of the string, or of an {@link Encoder}'s stream. */
  readonly index: number;
}

export interface PercentEncodeOptions {
  /** The URL standard's percent-encode set: which characters are written as `%XX`. By default `"special-query"`,
   * that of the query of an HTTP URL. */
  set?:
    | "c0-control"
    | "fragment"
    | "query"
    | "special-query"
    | "path"
    | "userinfo"
    | "component"
    | "application/x-www-form-urlencoded";
  /** Whether a space is written as `+`. By default `true` for the set of forms, and `false` for the others. */
  spaceAsPlus?: boolean;
}

/**
 * The URL standard's *percent-encode after encoding*. A character that the encoding lacks is written as
 * `%26%23`, its code point in decimal, and `%3B`.
 *
 * @param label `"utf-8"` by default; labels of UTF-16 and replacement select UTF-8, as on the web.
 * @throws {RangeError} if no encoding has the label, if there is no such set, or if the result would be longer than a
 * string can be (in ISO-2022-JP, if the string has more than 31,580,640 code units).
 */
export function percentEncodeAfterEncoding(
  string: string,
  label?: string,
  options?: PercentEncodeOptions,
): string;

/** What is known about the bytes from elsewhere. Labels that no encoding has are ignored. */
export interface DetectHints {
  /** The value of the Content-Type header that came with the bytes, of which 1,048,576 code units are read. */
  contentType?: string;
  /** Which declarations to look for. By default, `contentType` or the first bytes determine it. */
  format?: "html" | "xml" | "css" | "text";
  /** A label that a user has chosen. */
  override?: string;
  /** The label of the encoding of the document that refers to this one. */
  environment?: string;
  /** The last label of the name of the host that sent the bytes, such as `"jp"`. */
  tld?: string;
  /** Whether the bytes are all there are; if not, more follow. `true` by default. */
  complete?: boolean;
}

/** What {@link detect} found. */
export interface Detection {
  /**
   * `null` if the bytes are not text, if they are not plausible in any encoding, and for UTF-32, which the
   * standard does not have; `reason` says which.
   */
  readonly encoding: EncodingName | null;
  /**
   * What the answer is based on: a byte order mark, `override`, `contentType`, a declaration in the document,
   * `environment`, valid UTF-8, only ASCII, or a guess.
   */
  readonly evidence:
    | "bom"
    | "override"
    | "transport"
    | "declaration"
    | "environment"
    | "utf-8"
    | "ascii"
    | "guess";
  /** Whether neither more bytes nor a better guess could change the answer. */
  readonly certain: boolean;
  /** A phrase for users: `"most plausible, as Russian, by 71 bits"`. */
  readonly reason: string;
  /** Whether the bytes look like binary data, whatever is declared; `reason` says why. */
  readonly binary: boolean;
  /** Length of the byte order mark in bytes: 0 if there is none, 2 or 3, or 4 for UTF-32. */
  readonly bomLength: number;
  /** The encodings that a guess would choose from, the most plausible first, whatever `evidence` is. */
  readonly candidates: readonly Candidate[];
}

export interface Candidate {
  readonly encoding: EncodingName;
  /** The language in which the text is most plausible, as two letters of ISO 639-1, or `""`. */
  readonly language: string;
  /** How much less plausible this candidate is than the first one, in bits. */
  readonly bits: number;
  /** Number of malformed sequences in the part that was examined. */
  readonly malformed: number;
}

/**
 * Finds the encoding of bytes: the one that they or their transport declare, or else a guess. If there are more
 * than 64 MiB, only the beginning is examined.
 */
export function detect(bytes: Bytes, hints?: DetectHints): Detection;

export interface DecoderOptions {
  /**
   * How to treat a byte order mark: `"sniff"` (the default) has it determine the encoding and drops it;
   * `"strip"` drops only the one of the label's encoding; `"keep"` decodes it as text.
   */
  bom?: "sniff" | "strip" | "keep";
  /** How many malformed sequences of a stream are kept in {@link Decoder.malformed}; 1000 by default. */
  keepMalformed?: number;
}

export interface Malformed {
  /** Offset of the malformed sequence in bytes from the start of the stream. */
  readonly offset: number;
  /** The malformed sequence, one to four bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * A decoder that reports errors: it replaces malformed sequences with U+FFFD as `TextDecoder` does, and records
 * each of them with its offset. It returns strings or UTF-8, and can follow a byte order mark.
 */
export class Decoder {
  /** @throws {RangeError} if no encoding has the label. */
  constructor(label?: string, options?: DecoderOptions);
  /** The encoding's name: that of the label, unless a byte order mark has changed it. */
  readonly encoding: EncodingName;
  /** Number of malformed sequences since the stream began. */
  readonly errors: number;
  /** The first malformed sequences, as many as `keepMalformed` allows. */
  readonly malformed: readonly Malformed[];
  /** Decodes a piece to a string. Without `stream: true` it is the last piece of the stream. */
  decode(input?: Bytes, options?: TextDecodeOptions): string;
  /** Decodes a piece to UTF-8. Without `stream: true` it is the last piece of the stream. */
  decodeToUtf8(input?: Bytes, options?: TextDecodeOptions): Uint8Array<ArrayBuffer>;
}

export interface EncoderOptions {
  /**
   * What to do with a character that the encoding lacks: `"throw"` (the default) throws an {@link UnmappableError},
   * and the next call begins a new stream; `"html"` writes a character reference (`&#8253;`), as forms do;
   * `"replace"` writes {@link EncoderOptions.replacement}; `"skip"` writes nothing.
   */
  unmappable?: "throw" | "html" | "replace" | "skip";
  /** One character, `"?"` by default. */
  replacement?: string;
  /** How many unmappable characters of a stream are kept in {@link Encoder.unmappable}; 1000 by default. */
  keepUnmappable?: number;
}

export interface Unmappable {
  /** The character's code point: 0x203D for U+203D. */
  readonly codePoint: number;
  /** Offset of the character in code units from the start of the stream. */
  readonly index: number;
}

/**
 * An encoder that reports errors: it encodes a text in pieces, and records each character that the encoding
 * lacks. UTF-16LE and UTF-16BE are supported; lone surrogates become U+FFFD. No byte order mark is written.
 */
export class Encoder {
  /** @throws {RangeError} if no encoding has the label, or if it is a label of replacement. */
  constructor(label?: string, options?: EncoderOptions);
  readonly encoding: EncodingName;
  /** Number of unmappable characters since the stream began. */
  readonly errors: number;
  /** The first unmappable characters, as many as `keepUnmappable` allows. */
  readonly unmappable: readonly Unmappable[];
  /**
   * Encodes a piece. Without `stream: true` it is the last piece of the stream.
   *
   * @throws {UnmappableError} if the encoding lacks a character and `unmappable` is `"throw"`.
   */
  encode(input?: string, options?: TextEncodeOptions): Uint8Array<ArrayBuffer>;
}

export interface TextEncodeOptions {
  /** Whether more input follows, for which half a surrogate pair at the end of this piece waits. */
  stream?: boolean;
}

export interface OffsetMapOptions {
  /** As in {@link DecoderOptions}: `"sniff"` by default. */
  bom?: "sniff" | "strip" | "keep";
}

/**
 * A decoded text, whose places are mapped to the bytes that they were decoded from, and back. Places in the text are
 * counted in code units, as in strings, and those in the source in bytes.
 *
 * The map keeps the text and refers to the source, which must not change. A look-up decodes up to 64 KiB again; with
 * WebAssembly it also copies the source.
 *
 * ```js
 * const map = new OffsetMap(bytes, "shift_jis");
 * const at = map.text.indexOf("東京");
 * const [start, end] = map.sourceRange(at, at + 2);
 * bytes.subarray(start, end);                          // "東京" as it is in the source
 * ```
 */
export class OffsetMap {
  /**
   * Decodes `source`. Malformed input becomes U+FFFD.
   *
   * @param label `"utf-8"` by default.
   * @throws {RangeError} if no encoding has the label, or if the text is longer than a string can be.
   */
  constructor(source: Bytes, label?: string, options?: OffsetMapOptions);
  /**
   * The map that {@link OffsetMap.toBytes} has stored, with the text and the source that it was made of. Decodes
   * nothing.
   *
   * @throws {RangeError} if `stored` is not a map or is damaged, or its format is that of another version, or the text
   * or the source has another length than those that the map was made of.
   */
  static fromBytes(stored: Bytes, text: string, source: Bytes): OffsetMap;
  /**
   * The map as bytes, to be stored with the text: about 40, and 5 more for each 64 KiB of the source. The format has a
   * version, and is the same on all machines and in all languages.
   */
  toBytes(): Uint8Array<ArrayBuffer>;
  /** The encoding's name: that of the label, unless a byte order mark has changed it. */
  readonly encoding: EncodingName;
  readonly text: string;
  /**
   * The bytes that the characters from `start` to `end` were decoded from, as a start and an end: from the first byte
   * of the first one to the last byte of the last one, without escape sequences before and after them. Half a
   * surrogate pair counts as all of it. At the end of the text it is the end of the source.
   *
   * @throws {RangeError} if the text has no such characters, or the source is found to have changed.
   */
  sourceRange(start: number, end: number): [start: number, end: number];
  /**
   * The place in the text of the character that the byte at `offset` belongs to; of the next one, if the byte belongs
   * to a byte order mark or to an escape sequence. The end of the source maps to the end of the text.
   *
   * @throws {RangeError} if `offset` is after the end of the source, or that is found to have changed.
   */
  textOffset(offset: number): number;
}

/**
 * The name of the first encoding in which bytes are not malformed: UTF-8, or else one of a list. `null` if there is
 * none. A byte order mark decides nothing.
 *
 * In some encodings, such as windows-1252, nothing is malformed; those after them are never the answer. ASCII with
 * escape sequences is ISO-2022-JP if that is in the list.
 *
 * ```js
 * firstValid(bytes, ["shift_jis", "euc-jp"]) ?? "windows-1252"
 * ```
 *
 * @throws {RangeError} if no encoding has one of the labels.
 */
export function firstValid(bytes: Bytes, labels: Iterable<string>): EncodingName | null;

/** Lines that are in one encoding. */
export interface Segment {
  /** Where it begins, in bytes. Segments follow each other without gaps. */
  readonly start: number;
  readonly end: number;
  readonly encoding: EncodingName;
  /**
   * Why: all lines are ASCII, or valid UTF-8; or they have escape sequences of ISO-2022-JP, which
   * {@link SegmentsOptions.iso2022jp} looks for; or this is the first encoding of the list in which they are not
   * malformed; or they are malformed in all of the list.
   */
  readonly reason: "ascii" | "utf-8" | "escapes" | "first-of-list" | "otherwise";
}

export interface SegmentsOptions {
  /**
   * Whether to look for ISO-2022-JP even if it is not in the list: in lines of ASCII with valid escape sequences that
   * select another character set. Other lines with escape characters, such as terminal colours, remain ASCII. `false`
   * by default.
   */
  iso2022jp?: boolean;
}

/**
 * Cuts a text in which each line may be in another encoding, such as a log or a mailbox, into segments of lines in one
 * encoding. A line is in UTF-8 if it is valid UTF-8, or else in the first encoding of the list in which nothing is
 * malformed, or else in `otherwise` (`"windows-1252"` by default). Lines of ASCII belong to those before them, and at
 * the start to those after them.
 *
 * Decode each segment by itself, and keep what looks like a byte order mark:
 *
 * ```js
 * segments(bytes, ["shift_jis"])
 *   .map(({ start, end, encoding }) =>
 *     new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes.subarray(start, end)))
 *   .join("");
 * ```
 *
 * @param labels UTF-16 and replacement are skipped.
 * @throws {RangeError} if no encoding has one of the labels, or `otherwise` is UTF-16 or replacement.
 */
export function segments(
  bytes: Bytes,
  labels: Iterable<string>,
  otherwise?: string,
  options?: SegmentsOptions,
): Segment[];

/**
 * Undoes double encoding: the text before its UTF-8 was read as `readAs` (`"windows-1252"` by default), as `é` became
 * `Ã©`. `null` if undoing it is not possible without loss, or would change nothing: the text is right as it is, or
 * only parts of it were encoded twice. What was encoded three times needs two calls.
 *
 * ```js
 * undoDoubleEncoding("cafÃ©") ?? "cafÃ©"               // "café"
 * ```
 *
 * @param readAs a label of a single-byte encoding; for others the answer is `null`.
 * @throws {RangeError} if no encoding has the label.
 */
export function undoDoubleEncoding(string: string, readAs?: string): string | null;
