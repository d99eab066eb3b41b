// These are empty without the types of DOM or of Node, and merge with those if they are present.
declare global {
  interface ReadableStream<R = any> {}
  interface WritableStream<W = any> {}
}

/** A name of one of the forty encodings, as the standard spells it: `"Shift_JIS"`, `"UTF-8"`. */
export type EncodingName = string;

/** What the functions take as bytes: a buffer, shared or not, or any view on one. */
export type Bytes = ArrayBufferView | ArrayBuffer | SharedArrayBuffer;

/** Which engine runs: the Node addon, or WebAssembly. Both give the same results. */
export const engine: "native" | "wasm";

/** An encoding, and all labels that mean it, in lower case. */
export interface EncodingInfo {
  readonly name: EncodingName;
  readonly labels: readonly string[];
}

/** The forty encodings of the standard, in its order. */
export const encodings: readonly EncodingInfo[];

/**
 * The standard's *get an encoding*: the name of the encoding that a label means, or `null` where no
 * encoding has the label. ASCII white space around the label and the case of its letters don't count.
 */
export function labelToName(label: string): EncodingName | null;

// The API of section 7

export interface TextDecoderOptions {
  /** Malformed input throws a `TypeError`; else it becomes U+FFFD. */
  fatal?: boolean;
  /** A byte order mark is kept as U+FEFF; else it is dropped. */
  ignoreBOM?: boolean;
}

export interface TextDecodeOptions {
  /** More input follows: what is unfinished at the end of this piece waits for it. */
  stream?: boolean;
}

/** The standard's `TextDecoder`, for all encodings but replacement. */
export class TextDecoder {
  /**
   * @param label `"utf-8"` unless given.
   * @throws {RangeError} where no encoding has the label, or the label is one of replacement.
   */
  constructor(label?: string, options?: TextDecoderOptions);
  /** The encoding's name in lower case. */
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /**
   * @throws {MalformedError} where the decoder is fatal and the input is malformed. What stands after the
   * malformed sequence in this input is dropped; a stream goes on with the next.
   */
  decode(input?: Bytes, options?: TextDecodeOptions): string;
  readonly [Symbol.toStringTag]: string;
}

/** The `TypeError` of a fatal decoder says where and what. */
export interface MalformedError extends TypeError {
  readonly code: "ERR_ENCODING_INVALID_ENCODED_DATA";
  /** Where the malformed sequence begins: bytes from the start of the stream. */
  readonly offset: number;
  /** The malformed sequence, one to four bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface TextEncoderEncodeIntoResult {
  /** Code units of the source that were converted. */
  read: number;
  /** Bytes that were written. */
  written: number;
}

/** The standard's `TextEncoder`: strings to UTF-8. For other encodings see {@link encode}. */
export class TextEncoder {
  constructor();
  readonly encoding: "utf-8";
  encode(input?: string): Uint8Array<ArrayBuffer>;
  encodeInto(source: string, destination: Uint8Array): TextEncoderEncodeIntoResult;
  readonly [Symbol.toStringTag]: string;
}

/** The standard's `TextDecoderStream`: a transform stream from bytes to strings. */
export class TextDecoderStream {
  /** @throws {RangeError} as the constructor of {@link TextDecoder} does. */
  constructor(label?: string, options?: TextDecoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Bytes>;
  readonly [Symbol.toStringTag]: string;
}

/** The standard's `TextEncoderStream`: a transform stream from strings to UTF-8. */
export class TextEncoderStream {
  constructor();
  readonly encoding: "utf-8";
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<string>;
  readonly [Symbol.toStringTag]: string;
}

// Beyond section 7

/**
 * The standard's *decode*: a byte order mark decides, and is dropped, or else the label does
 * (`"utf-8"` unless given). Malformed input becomes U+FFFD.
 *
 * @throws {RangeError} where no encoding has the label.
 */
export function decode(bytes: Bytes, label?: string): string;

export interface EncodeOptions {
  /**
   * What becomes of a character that the encoding does not have: `"throw"` (unless given) throws an
   * {@link UnmappableError}; `"html"` writes `&#8253;`, as forms do; `"replace"` writes
   * {@link EncodeOptions.replacement}; `"skip"` writes nothing.
   */
  unmappable?: "throw" | "html" | "replace" | "skip";
  /** One character, `"?"` unless given. */
  replacement?: string;
}

/**
 * Encodes a string in any encoding but replacement. UTF-16LE and UTF-16BE are encoded as such (where
 * the web would write UTF-8); lone surrogates become U+FFFD. No byte order mark is written.
 *
 * @param label `"utf-8"` unless given.
 * @throws {RangeError} where no encoding has the label, or the label is one of replacement.
 * @throws {UnmappableError} with `unmappable: "throw"`.
 */
export function encode(string: string, label?: string, options?: EncodeOptions): Uint8Array<ArrayBuffer>;

export interface UnmappableError extends TypeError {
  readonly code: "ERR_ENCODING_UNMAPPABLE";
  /** The character's number: 0x203D for U+203D. */
  readonly codePoint: number;
  /** Where it stands: code units from the start of the string. */
  readonly index: number;
}

export interface PercentEncodeOptions {
  /** The URL standard's percent-encode set: which characters are written as `%XX`. `"special-query"`,
   * as in the query of an HTTP URL, unless given. */
  set?:
    | "c0-control"
    | "fragment"
    | "query"
    | "special-query"
    | "path"
    | "userinfo"
    | "component"
    | "application/x-www-form-urlencoded";
  /** A space is written as `+`. `true` with the set of forms, unless given, and else `false`. */
  spaceAsPlus?: boolean;
}

/**
 * The URL standard's *percent-encode after encoding*. A character that the encoding does not have
 * becomes `%26%23`, its number, `%3B`.
 *
 * @param label `"utf-8"` unless given; UTF-16 and replacement encode as UTF-8, as on the web.
 * @throws {RangeError} where no encoding has the label, or there is no such set.
 */
export function percentEncodeAfterEncoding(
  string: string,
  label?: string,
  options?: PercentEncodeOptions,
): string;

/** What is known of bytes beside themselves. Labels that mean nothing are ignored. */
export interface DetectHints {
  /** The value of the Content-Type header that came with the bytes. */
  contentType?: string;
  /** Which declarations to look for. Unless given, `contentType` or the first bytes tell. */
  format?: "html" | "xml" | "css" | "text";
  /** A label that somebody chose by hand. */
  override?: string;
  /** The label of the encoding of the document that refers to this one. */
  environment?: string;
  /** The last label of the host name that the bytes come from, such as `"jp"`. */
  tld?: string;
  /** The bytes are only the beginning: more follows. `false` unless given. */
  partial?: boolean;
}

/** What {@link detect} found. */
export interface Detection {
  /**
   * `null` where the bytes are no text, where they would not be plausible in any encoding, and for UTF-32,
   * which the standard does not have; `reason` says which.
   */
  readonly encoding: EncodingName | null;
  /**
   * What it rests on: a byte order mark, `override`, `contentType`, a declaration in the document,
   * `environment`, that it is valid UTF-8, that it is ASCII only, or a guess.
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
  /** Whether more bytes, or a better guess, could change it. */
  readonly certain: boolean;
  /** A phrase for people: `"most plausible, as ru, by 71 bits"`. */
  readonly reason: string;
  /** Whether the bytes have signs of being no text, whatever declares it; `reason` says by what. */
  readonly binary: boolean;
  /** Bytes of the byte order mark: 0, 2 or 3, or 4 where it is that of UTF-32. */
  readonly bomLength: number;
  /** What was weighed for a guess, the most plausible first; made whatever `evidence` is. */
  readonly candidates: readonly Candidate[];
}

export interface Candidate {
  readonly encoding: EncodingName;
  /** The language that makes it most plausible, two letters of ISO 639-1, or `""`. */
  readonly language: string;
  /** How much less plausible than the first candidate, in bits. */
  readonly behind: number;
  /** Malformed sequences in the part that was weighed. */
  readonly malformed: number;
}

/**
 * Finds out which encoding bytes are in: what they and their transport declare, or else a guess. Of more
 * than 64 MiB the beginning is looked at.
 */
export function detect(bytes: Bytes, hints?: DetectHints): Detection;

export interface DecoderOptions {
  /**
   * What a byte order mark does: `"sniff"` (unless given) lets it decide the encoding and drops it,
   * `"strip"` drops the encoding's own, `"keep"` decodes it as text.
   */
  bom?: "sniff" | "strip" | "keep";
  /** How many malformed sequences are kept in {@link Decoder.malformed}; 1000 unless given. */
  keepMalformed?: number;
}

export interface Malformed {
  /** Where it begins: bytes from the start of the stream. */
  readonly offset: number;
  /** One to four bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * A decoder for tools: it replaces malformed sequences by U+FFFD as `TextDecoder` does, and tells each
 * of them with its place. It gives strings or UTF-8, and can follow a byte order mark.
 */
export class Decoder {
  /** @throws {RangeError} where no encoding has the label. */
  constructor(label?: string, options?: DecoderOptions);
  /** The encoding's name: what the label says, or what a byte order mark has changed it to. */
  readonly encoding: EncodingName;
  /** Malformed sequences found since the stream began. */
  readonly errors: number;
  /** The first of them. */
  readonly malformed: readonly Malformed[];
  /** Decodes a piece to a string. Without `stream: true` it is the last of the stream. */
  decode(input?: Bytes, options?: TextDecodeOptions): string;
  /** Decodes a piece to UTF-8. */
  decodeToUtf8(input?: Bytes, options?: TextDecodeOptions): Uint8Array<ArrayBuffer>;
}

export interface EncoderOptions {
  /**
   * What becomes of a character that the encoding does not have: `"html"` (unless given) writes `&#8253;`, as
   * forms do; `"replace"` writes {@link EncoderOptions.replacement}; `"skip"` writes nothing.
   */
  unmappable?: "html" | "replace" | "skip";
  /** One character, `"?"` unless given. */
  replacement?: string;
  /** How many unmappable characters are kept in {@link Encoder.unmappable}; 1000 unless given. */
  keepUnmappable?: number;
}

export interface Unmappable {
  /** The character's number: 0x203D for U+203D. */
  readonly codePoint: number;
  /** Where it stands: code units from the start of the stream. */
  readonly index: number;
}

/**
 * An encoder for tools: it takes a text in pieces, and tells each character that the encoding does not have.
 * UTF-16LE and UTF-16BE are encoded as such; lone surrogates become U+FFFD. No byte order mark is written.
 */
export class Encoder {
  /** @throws {RangeError} where no encoding has the label, or the label is one of replacement. */
  constructor(label?: string, options?: EncoderOptions);
  readonly encoding: EncodingName;
  /** Unmappable characters found since the stream began. */
  readonly errors: number;
  /** The first of them. */
  readonly unmappable: readonly Unmappable[];
  /** Encodes a piece. Without `stream: true` it is the last of the stream. */
  encode(input?: string, options?: TextEncodeOptions): Uint8Array<ArrayBuffer>;
}

export interface TextEncodeOptions {
  /** More input follows: half a surrogate pair at the end of this piece waits for it. */
  stream?: boolean;
}
