/*
 * simdtext: the whole WHATWG Encoding Standard at vector speed.
 * Written by cbindgen from capi/src; do not edit.
 *
 * LENGTHS are in units of the type that the pointer before them points to: bytes, or code units of UTF-16 or UTF-32.
 * Encoded bytes are `void`, UTF-8 and Latin-1 `char`. Inputs need no terminating NUL, and outputs have none unless the
 * function says so.
 *
 * POINTERS with length 0 may be anything, null included. With any other length null is refused
 * (SIMDTEXT_STATUS_INVALID_ARGUMENT), as are pointers to 16-bit or 32-bit units that are not aligned to them
 * (SIMDTEXT_STATUS_MISALIGNED), and input and output that overlap, even if they are the same
 * (SIMDTEXT_STATUS_OVERLAP). Input must be initialised, output need not be. Functions without a status say what
 * they return for such arguments. No function keeps its arguments after it returns, except for the functions of an
 * allocator and of simdtext_decoder_set_on_fault. During a call nothing else, not even a callback, may write to its
 * input or use its output.
 *
 * OUTPUT. After a call, the part of the output buffer after the written units may have any content.
 *
 * OWNERSHIP. The result of a function whose name ends in _new (a decoder, an encoder or another stream) belongs to the
 * caller until it is passed to the function of the same prefix that ends in _free. Encodings, and the strings that
 * functions return, live as long as the process.
 *
 * THREADS. A stream may be used by one thread at a time, and may be passed from one to another. Everything else may be
 * called by any thread at any time. Nothing depends on the locale, and errno is not used.
 *
 * FAULTS in text are results, not errors. The library never exits or unwinds into the caller. It aborts only if there
 * is no memory for its own tables, which it makes once per process when they are first needed: names and labels, and
 * the tables of an East Asian encoding, up to some hundred KiB for each.
 */


#ifndef SIMDTEXT_H
#define SIMDTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Code units of UTF-16 and UTF-32, in the byte order of this machine. */
#ifdef __cplusplus
typedef char16_t simdtext_char16;
typedef char32_t simdtext_char32;
#else
typedef uint16_t simdtext_char16;
typedef uint32_t simdtext_char32;
#endif


// The version of this header.
#define SIMDTEXT_VERSION_MAJOR 0

// The version of this header.
#define SIMDTEXT_VERSION_MINOR 1

// The version of this header.
#define SIMDTEXT_VERSION_PATCH 0

// The maximum number of candidates in a guess.
#define SIMDTEXT_MAX_CANDIDATES 8

// Why a call ended. From SIMDTEXT_STATUS_INVALID_ARGUMENT on, the call was refused: it read nothing, wrote
// nothing, and did not change the stream.
enum simdtext_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // All input was read. In a stream: give the next piece; after the last one the stream is finished, and the
    // next call begins a new one.
    SIMDTEXT_STATUS_OK = 0,
    // The next item does not fit into the output. In a stream: call again with the input that was not read and
    // more room.
    SIMDTEXT_STATUS_OUTPUT_FULL = 1,
    // The input is malformed at `fault`, and the policy is to stop there. Nothing was written for it. In a
    // stream it counts as read: the next call goes on after it.
    SIMDTEXT_STATUS_MALFORMED = 2,
    // The output's encoding does not have the character at `fault`, and the policy is to stop there. Nothing was
    // written for it. In a stream it counts as read: the next call goes on after it.
    SIMDTEXT_STATUS_UNMAPPABLE = 3,
    // An argument is null that must not be, a length is greater than PTRDIFF_MAX bytes, or a number is not a
    // value of the parameter.
    SIMDTEXT_STATUS_INVALID_ARGUMENT = 4,
    // A pointer to 16-bit or 32-bit units is not aligned to them.
    SIMDTEXT_STATUS_MISALIGNED = 5,
    // Input and output overlap.
    SIMDTEXT_STATUS_OVERLAP = 6,
    // The encoding can only be decoded: it is "replacement".
    SIMDTEXT_STATUS_NO_ENCODER = 7,
    // The allocator returned null, or memory that is not aligned like that of malloc.
    SIMDTEXT_STATUS_OUT_OF_MEMORY = 8,
    // A defect of the library. Buffers may hold anything afterwards; free the stream, if there is one.
    SIMDTEXT_STATUS_PANIC = 9,
    // The bytes are not those of a stored map, or are damaged.
    SIMDTEXT_STATUS_CORRUPT = 10,
    // The bytes were stored in a version of the format that this version of the library does not know.
    SIMDTEXT_STATUS_VERSION = 11,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum simdtext_status simdtext_status;
#else
typedef uint32_t simdtext_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The evidence for an answer; earlier ones win over later ones.
enum simdtext_evidence
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A byte order mark.
    SIMDTEXT_EVIDENCE_BOM = 0,
    // The label chosen by the user.
    SIMDTEXT_EVIDENCE_OVERRIDE = 1,
    // The charset of the Content-Type.
    SIMDTEXT_EVIDENCE_TRANSPORT = 2,
    // What the document declares.
    SIMDTEXT_EVIDENCE_PRESCAN = 3,
    // What an HTML document declares after its first 1024 bytes, if `late_meta` asks for it.
    SIMDTEXT_EVIDENCE_LATE_META = 4,
    // The encoding of the document that refers to this one.
    SIMDTEXT_EVIDENCE_ENVIRONMENT = 5,
    // A guess from the bytes: simdtext_detect, never simdtext_sniff.
    SIMDTEXT_EVIDENCE_DETECTED = 6,
    // It is UTF-8, and not only ASCII.
    SIMDTEXT_EVIDENCE_UTF8_VALID = 7,
    // Nothing: the fallback was taken.
    SIMDTEXT_EVIDENCE_FALLBACK = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum simdtext_evidence simdtext_evidence;
#else
typedef uint32_t simdtext_evidence;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Whether an answer may turn out to be wrong.
enum simdtext_confidence
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The best answer so far.
    SIMDTEXT_CONFIDENCE_TENTATIVE = 0,
    // Nothing that follows in the document changes it.
    SIMDTEXT_CONFIDENCE_CERTAIN = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum simdtext_confidence simdtext_confidence;
#else
typedef uint32_t simdtext_confidence;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The reason for a guess.
enum simdtext_reason
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A byte order mark.
    SIMDTEXT_REASON_BOM = 0,
    // Nothing but ASCII, which is the same in nearly all encodings.
    SIMDTEXT_REASON_ASCII = 1,
    // Valid UTF-8 with characters that are not ASCII.
    SIMDTEXT_REASON_UTF8 = 2,
    // Escape sequences of ISO-2022-JP, and hardly anything malformed.
    SIMDTEXT_REASON_ESCAPES = 3,
    // Pairs of bytes that are plausible code units of UTF-16.
    SIMDTEXT_REASON_CODE_UNITS = 4,
    // Four-byte characters, which only gb18030 has, and nothing malformed.
    SIMDTEXT_REASON_FOUR_BYTES = 5,
    // The most plausible text: `language` and `margin` say more.
    SIMDTEXT_REASON_PLAUSIBLE = 6,
    // UTF-32LE, which is not one of the standard's encodings.
    SIMDTEXT_REASON_UTF32LE = 7,
    // UTF-32BE, which is not one of the standard's encodings.
    SIMDTEXT_REASON_UTF32BE = 8,
    // It is not text: it has NUL bytes.
    SIMDTEXT_REASON_BINARY_NUL = 9,
    // It is not text: it has control characters that text does not have.
    SIMDTEXT_REASON_BINARY_CONTROL = 10,
    // It is not plausible as text in any encoding.
    SIMDTEXT_REASON_IMPLAUSIBLE = 11,
    // A reason that this header does not know.
    SIMDTEXT_REASON_OTHER = 12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum simdtext_reason simdtext_reason;
#else
typedef uint32_t simdtext_reason;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A sign that bytes are not text.
enum simdtext_sign
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    SIMDTEXT_SIGN_NONE = 0,
    // NUL bytes, or code units of UTF-16 that are 0.
    SIMDTEXT_SIGN_NUL = 1,
    // Control characters other than those of lines, pages, terminals and ISO-2022-JP.
    SIMDTEXT_SIGN_CONTROL = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum simdtext_sign simdtext_sign;
#else
typedef uint32_t simdtext_sign;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The reason for the encoding of a segment.
enum simdtext_segment_reason
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // All of it is ASCII.
    SIMDTEXT_SEGMENT_ASCII = 0,
    // Its lines are valid UTF-8, and not all ASCII.
    SIMDTEXT_SEGMENT_UTF8 = 1,
    // Its lines are ASCII with escape sequences of ISO-2022-JP, which was asked for and is not in the list.
    SIMDTEXT_SEGMENT_ESCAPES = 2,
    // Its lines are not UTF-8, and this is the first encoding of the list in which nothing in them is malformed.
    SIMDTEXT_SEGMENT_FIRST_OF_LIST = 3,
    // Its lines are malformed in UTF-8 and in the whole list.
    SIMDTEXT_SEGMENT_OTHERWISE = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum simdtext_segment_reason simdtext_segment_reason;
#else
typedef uint32_t simdtext_segment_reason;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a decoder handles a byte order mark at the start of the stream.
enum simdtext_bom
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The mark of UTF-8, UTF-16BE or UTF-16LE decides the encoding, overriding what was declared, and is removed.
    SIMDTEXT_BOM_SNIFF = 0,
    // The mark of the decoder's own encoding is removed; any other is decoded as text.
    SIMDTEXT_BOM_STRIP = 1,
    // All bytes are decoded; a mark becomes U+FEFF.
    SIMDTEXT_BOM_KEEP = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum simdtext_bom simdtext_bom;
#else
typedef uint32_t simdtext_bom;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kind of a document, which decides where it may declare its encoding.
enum simdtext_format
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Decided by the Content-Type, or else by the first bytes.
    SIMDTEXT_FORMAT_UNKNOWN = 0,
    // HTML: `meta` elements.
    SIMDTEXT_FORMAT_HTML = 1,
    // XML: the XML declaration.
    SIMDTEXT_FORMAT_XML = 2,
    // A style sheet: `@charset`.
    SIMDTEXT_FORMAT_CSS = 3,
    // Plain text, a script, or anything else that declares nothing.
    SIMDTEXT_FORMAT_TEXT = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum simdtext_format simdtext_format;
#else
typedef uint32_t simdtext_format;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How malformed input is handled.
enum simdtext_malformed
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Each malformed sequence becomes U+FFFD; in Latin-1, which does not have U+FFFD, it becomes `?`, and so does
    // each character that Latin-1 does not have.
    SIMDTEXT_MALFORMED_REPLACE = 0,
    // The call ends with SIMDTEXT_STATUS_MALFORMED; a conversion to Latin-1 also ends at each character that
    // Latin-1 does not have, with SIMDTEXT_STATUS_UNMAPPABLE.
    SIMDTEXT_MALFORMED_STOP = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum simdtext_malformed simdtext_malformed;
#else
typedef uint32_t simdtext_malformed;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The percent-encode sets of the URL standard: which ASCII characters become `%` and two digits. All others do.
enum simdtext_percent_encode_set
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // U+0000 to U+001F, and U+007F.
    SIMDTEXT_PERCENT_ENCODE_C0_CONTROL = 0,
    // The fragment of a URL.
    SIMDTEXT_PERCENT_ENCODE_FRAGMENT = 1,
    // The query of a URL.
    SIMDTEXT_PERCENT_ENCODE_QUERY = 2,
    // The query of a URL whose scheme is special, such as http and https.
    SIMDTEXT_PERCENT_ENCODE_SPECIAL_QUERY = 3,
    // The path of a URL.
    SIMDTEXT_PERCENT_ENCODE_PATH = 4,
    // The user name and the password in a URL.
    SIMDTEXT_PERCENT_ENCODE_USERINFO = 5,
    // One component: the set of JavaScript's encodeURIComponent().
    SIMDTEXT_PERCENT_ENCODE_COMPONENT = 6,
    // A form, application/x-www-form-urlencoded, in which a space is `+` as well (`space_as_plus`).
    SIMDTEXT_PERCENT_ENCODE_FORM = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum simdtext_percent_encode_set simdtext_percent_encode_set;
#else
typedef uint32_t simdtext_percent_encode_set;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How an encoder handles a character that the encoding does not have.
enum simdtext_unmappable
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The call ends with SIMDTEXT_STATUS_UNMAPPABLE.
    SIMDTEXT_UNMAPPABLE_STOP = 0,
    // A decimal numeric character reference of HTML and XML, such as `&#8364;`.
    SIMDTEXT_UNMAPPABLE_NCR = 1,
    // `?`, or the character set with simdtext_encoder_set_replacement.
    SIMDTEXT_UNMAPPABLE_REPLACE = 2,
    // It is left out.
    SIMDTEXT_UNMAPPABLE_SKIP = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum simdtext_unmappable simdtext_unmappable;
#else
typedef uint32_t simdtext_unmappable;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A stream of bytes that is searched for signs that they are not text. The result does not depend on how it is cut. It
// keeps none of the bytes.
//
// For one thread at a time.
typedef struct simdtext_binary_scan simdtext_binary_scan;

// A stream that is decoded piece by piece. How the input is cut and how much room the output has never changes
// the text, the faults or their offsets.
//
// For one thread at a time.
typedef struct simdtext_decoder simdtext_decoder;

// A stream of bytes whose encoding is guessed. However it is cut, the answer is that of simdtext_detect for all of
// the bytes in one piece.
//
// It keeps what it is fed, up to a limit, unless the first bytes decide for all: a byte order mark, or signs that
// they are not text. The memory for it is from malloc.
//
// For one thread at a time.
typedef struct simdtext_detector simdtext_detector;

// A stream of text that is encoded piece by piece. How the text is cut (even in the middle of a character)
// and how much room the output has never changes the bytes, the faults or their offsets. A stream is either
// UTF-8 or UTF-16 from start to end.
//
// For one thread at a time.
typedef struct simdtext_encoder simdtext_encoder;

// One of the forty encodings of the Encoding Standard. There is one object for each, which lives as long as
// the process: never free it, compare encodings by their pointers, and use them from any thread.
typedef struct simdtext_encoding simdtext_encoding;

// A stream of bytes that are UTF-8, or else in the first encoding of a list in which nothing is malformed. It keeps
// none of the bytes.
//
// Nothing is malformed in windows-1252 and other encodings in which every byte is a character, so that those after
// it in the list are not tried. ASCII with escape sequences is ISO-2022-JP if that is in the list. A byte order mark
// decides nothing; call simdtext_encoding_for_bom first if it should.
//
// For one thread at a time.
typedef struct simdtext_first_valid simdtext_first_valid;

// A document that is decoded piece by piece, and a map between positions in its text and in its bytes, the source.
// Positions are in bytes from the start: of the text in UTF-8, and of the source, in which a byte order mark counts.
//
// The map remembers a place every `spacing` bytes of the source, in memory from malloc, and nothing in between: a
// look-up decodes up to that many bytes again, and needs the whole source. It can't tell that the source has changed
// since; then positions are wrong.
//
// For one thread at a time; but look-ups, which do not change it, may be made by several.
typedef struct simdtext_offset_map simdtext_offset_map;

// What is wrong with the input, and where.
typedef struct simdtext_fault {
    // Where it begins, in units of the input (bytes; code units of UTF-16 and UTF-32). In a stream it counts
    // from the start of the stream, including a byte order mark, and may be in an earlier piece.
    uint64_t offset;
    // The length in units of the input; 0 if there is no fault.
    uint32_t len;
    // The unmappable character; 0 if the input is malformed. U+FFFD stands for a surrogate without its other
    // half, and in ISO-2022-JP for U+000E, U+000F and U+001B.
    simdtext_char32 character;
    // The malformed bytes, followed by 0. All 0 if the input is not bytes.
    uint8_t bytes[4];
} simdtext_fault;

// What a call did.
typedef struct simdtext_result {
    // Why it ended.
    simdtext_status status;
    // How many units of this call's input were read, including those that a stream now holds back.
    size_t read;
    // The encoding that is decoded, which a byte order mark may have changed, or encoded; null for
    // conversions between Unicode's own forms.
    const struct simdtext_encoding *encoding;
    // How many units were written to this call's output. Those after them may have any value.
    size_t written;
    // With SIMDTEXT_STATUS_MALFORMED and SIMDTEXT_STATUS_UNMAPPABLE, the fault at which the call stopped. In
    // conversions of a whole text that replace, the first malformed sequence. Otherwise all 0.
    struct simdtext_fault fault;
    // Malformed sequences and unmappable characters in this call: those that were replaced or left out, and the
    // one in `fault`.
    size_t errors;
} simdtext_result;

// Functions that provide memory. Null in place of a pointer to one stands for malloc and free. Streams keep
// a copy of it; the functions must stay callable until everything that they allocated is freed. They must
// return normally: no longjmp, no exception.
typedef struct simdtext_allocator {
    // Returns `size` bytes (at least 1), aligned like memory from malloc, or null.
    void *(*allocate)(void *context, size_t size);
    // Takes back what `allocate` returned, which is never null.
    void (*release)(void *context, void *memory);
    // Passed to both functions.
    void *context;
} simdtext_allocator;

// Called for each malformed sequence that is replaced, in order, with the `context` that was given with the
// function. The fault belongs to the library and is valid during the call. The function must return normally
// (no longjmp, no exception), and must use neither the stream nor the output.
typedef void (*simdtext_on_fault)(void *context, const struct simdtext_fault *fault);

// What is known about a document apart from its bytes. All 0 means nothing. Strings have a length in bytes
// and need no NUL; null stands for none.
typedef struct simdtext_hints {
    // The value of the Content-Type header, such as "text/html; charset=gbk". One that is not UTF-8 is ignored.
    const char *transport;
    // The length of `transport` in bytes.
    size_t transport_len;
    // A label chosen by the user for this document. Ignored if it is unknown.
    const char *override_label;
    // The length of `override_label` in bytes.
    size_t override_label_len;
    // The encoding of what refers to the document: the parent document, or the style sheet that imports it.
    const struct simdtext_encoding *environment;
    // The encoding to use if nothing declares one; null for UTF-8.
    const struct simdtext_encoding *fallback;
    // The kind of the document.
    simdtext_format format;
    // Whether an HTML document whose first 1024 bytes declare nothing is searched further for a `meta` element, as
    // browsers find it when they parse the page: up to 256 KiB, or as far as it is given.
    bool late_meta;
} simdtext_hints;

// The encoding of a document, and the evidence for it.
typedef struct simdtext_decision {
    // The encoding to decode the document with; never null.
    const struct simdtext_encoding *encoding;
    // The length of the byte order mark in bytes, or 0. A decoder with SIMDTEXT_BOM_SNIFF removes it by itself.
    size_t bom_len;
    // What decided.
    simdtext_evidence evidence;
    // Whether it may turn out to be wrong.
    simdtext_confidence confidence;
} simdtext_decision;

// How to guess. All 0 is the default.
typedef struct simdtext_detect_options {
    // The last label of the host name that the text comes from, such as "jp" (`tld_len` bytes, in any case);
    // it favours the languages of that country. Null for none.
    const char *tld;
    // The length of `tld` in bytes.
    size_t tld_len;
    // How many bytes of a longer text are weighed; 0 for 16384.
    size_t sample;
    // Whether UTF-8 must not be the answer. (Browsers do that so that authors declare it.) ASCII is then
    // windows-1252.
    bool no_utf8;
} simdtext_detect_options;

// An encoding that was weighed.
typedef struct simdtext_candidate {
    // The encoding.
    const struct simdtext_encoding *encoding;
    // Malformed sequences in the sample, and characters that are not text.
    size_t malformed;
    // How implausible the sample is, in eighths of a bit. Only the difference from other candidates is
    // meaningful.
    uint32_t cost;
    // The language that makes it most plausible: two letters of ISO 639-1 and NUL, or empty.
    char language[4];
} simdtext_candidate;

// What simdtext_detect found.
typedef struct simdtext_guess {
    // The encoding; null if the bytes are not text, not plausible in any encoding, or UTF-32.
    const struct simdtext_encoding *encoding;
    // The evidence: SIMDTEXT_EVIDENCE_BOM, _UTF8_VALID, _DETECTED, or _FALLBACK for ASCII.
    simdtext_evidence evidence;
    // Certain with a byte order mark, and if the whole text is UTF-8.
    simdtext_confidence confidence;
    // The reason, more precisely.
    simdtext_reason reason;
    // With SIMDTEXT_REASON_PLAUSIBLE, by how many bits the next candidate is less plausible; otherwise 0.
    uint32_t margin;
    // With the reasons SIMDTEXT_REASON_BINARY_..., the offset of the first of these, in bytes; otherwise 0.
    uint64_t binary_offset;
    // With the reasons SIMDTEXT_REASON_BINARY_..., how many there were when this was decided; otherwise 0.
    uint64_t binary_count;
    // The number of `candidates`; 0 if nothing had to be weighed.
    size_t candidate_count;
    // The encodings that were weighed, the most plausible first.
    struct simdtext_candidate candidates[SIMDTEXT_MAX_CANDIDATES];
    // With SIMDTEXT_REASON_PLAUSIBLE, the language: two letters of ISO 639-1 and NUL; otherwise empty.
    char language[4];
} simdtext_guess;

// Why bytes are not text. All 0 if they may be text.
typedef struct simdtext_binary {
    // The offset of the first sign, in bytes from the start.
    uint64_t offset;
    // How many there were when this was decided; later ones are not counted.
    uint64_t count;
    // The kind of sign.
    simdtext_sign sign;
} simdtext_binary;

// Lines in one encoding.
typedef struct simdtext_segment {
    // The offset of its first byte.
    size_t start;
    // The offset of what follows it.
    size_t end;
    // Its encoding. Decode each segment as a text of its own, with SIMDTEXT_BOM_KEEP.
    const struct simdtext_encoding *encoding;
    // Why it is in this encoding.
    simdtext_segment_reason reason;
} simdtext_segment;

// Called for each segment, in order, with the `context` that was given with the function. The segment belongs to the
// library and is valid during the call. Returns whether to go on. The function must return normally (no longjmp, no
// exception).
typedef bool (*simdtext_on_segment)(void *context, const struct simdtext_segment *segment);

// A part of a text or of its source, in bytes.
typedef struct simdtext_range {
    // The offset of its first byte.
    uint64_t start;
    // The offset of what follows it.
    uint64_t end;
} simdtext_range;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library that runs, such as "0.1.0".
const char *simdtext_version(void);

// The instruction set whose kernels are in use, such as "avx2". The processor is asked once; the environment
// variable SIMDTEXT_ISA, read once, forces a lower one. The string lives as long as the process.
const char *simdtext_active_isa(void);

// What a status means, in English, for messages: "the output is full". The string ends with NUL and lives as long
// as the process. "unknown status" for any other number.
const char *simdtext_status_message(simdtext_status status);

// The encoding that a label means, such as "latin1" (`len` bytes, in any case; white space around it is
// ignored). Null if no encoding of the standard has the label.
const struct simdtext_encoding *simdtext_encoding_for_label(const char *label, size_t len);

// The encoding whose byte order mark is at the start of `src` (`len` bytes; three are enough). Stores the
// length of the mark in bytes in `bom_len`, which may be null. Null and 0 if there is none, or if the arguments
// are refused.
const struct simdtext_encoding *simdtext_encoding_for_bom(const void *src,
                                                          size_t len,
                                                          size_t *bom_len);

// The number of encodings: 40.
size_t simdtext_encoding_count(void);

// The encodings in the order of the standard, by an index from 0; null from simdtext_encoding_count() on.
const struct simdtext_encoding *simdtext_encoding_at(size_t index);

// The place of an encoding in the order of the standard, from 0. SIZE_MAX if `encoding` is null.
size_t simdtext_encoding_index(const struct simdtext_encoding *encoding);

// The name, spelt as in the standard, such as "Shift_JIS"; it ends with NUL and lives as long as the process.
// Null if `encoding` is null.
const char *simdtext_encoding_name(const struct simdtext_encoding *encoding);

// The labels of an encoding, by an index from 0, in lower case; each ends with NUL and lives as long as the
// process. Null after the last one, or if `encoding` is null.
const char *simdtext_encoding_label(const struct simdtext_encoding *encoding, size_t index);

// The encoding in which forms and URLs of a document in this encoding are encoded: UTF-8 for replacement,
// UTF-16BE and UTF-16LE, and itself for any other. Null if `encoding` is null.
const struct simdtext_encoding *simdtext_encoding_output_encoding(const struct simdtext_encoding *encoding);

// Whether every byte decodes by itself. False if `encoding` is null.
bool simdtext_encoding_is_single_byte(const struct simdtext_encoding *encoding);

// Whether ASCII text is the same bytes in this encoding: true except for UTF-16BE, UTF-16LE, ISO-2022-JP and
// replacement. False if `encoding` is null.
bool simdtext_encoding_is_ascii_compatible(const struct simdtext_encoding *encoding);

// Whether text can be encoded to this encoding: true except for replacement. False if `encoding` is null.
bool simdtext_encoding_can_encode(const struct simdtext_encoding *encoding);

// Decodes all of `src` (`len` bytes) to UTF-8 in `dst` (room for `room` bytes). 3 * `len` bytes are always
// enough, and simdtext_decoded_utf8_len counts how many are needed.
struct simdtext_result simdtext_decode_to_utf8(const struct simdtext_encoding *encoding,
                                               const void *src,
                                               size_t len,
                                               char *dst,
                                               size_t room,
                                               simdtext_bom bom,
                                               simdtext_malformed malformed);

// Decodes all of `src` (`len` bytes) to UTF-16 in `dst` (room for `room` code units). `len` units are always
// enough, and simdtext_decoded_utf16_len counts how many are needed.
struct simdtext_result simdtext_decode_to_utf16(const struct simdtext_encoding *encoding,
                                                const void *src,
                                                size_t len,
                                                simdtext_char16 *dst,
                                                size_t room,
                                                simdtext_bom bom,
                                                simdtext_malformed malformed);

// The result of simdtext_decode_to_utf8 with enough room: `written` is the length of the text in bytes. This
// takes as long as decoding does.
struct simdtext_result simdtext_decoded_utf8_len(const struct simdtext_encoding *encoding,
                                                 const void *src,
                                                 size_t len,
                                                 simdtext_bom bom,
                                                 simdtext_malformed malformed);

// The result of simdtext_decode_to_utf16 with enough room: `written` is the length of the text in code
// units. This takes as long as decoding does.
struct simdtext_result simdtext_decoded_utf16_len(const struct simdtext_encoding *encoding,
                                                  const void *src,
                                                  size_t len,
                                                  simdtext_bom bom,
                                                  simdtext_malformed malformed);

// Decodes all of `src` (`len` bytes) to UTF-8 in memory from `allocator`, and stores a pointer to it in
// `text`; `written` is its length without the NUL that ends it. Free it with simdtext_free and the same
// allocator; if that was null, with free. `text` becomes null if the status is not SIMDTEXT_STATUS_OK.
struct simdtext_result simdtext_decode_to_new_utf8(const struct simdtext_encoding *encoding,
                                                   const void *src,
                                                   size_t len,
                                                   char **text,
                                                   simdtext_bom bom,
                                                   simdtext_malformed malformed,
                                                   const struct simdtext_allocator *allocator);

// Decodes all of `src` (`len` bytes) to UTF-16 in memory from `allocator`, and stores a pointer to it in
// `text`; `written` is its length without the NUL that ends it. Free it with simdtext_free and the same
// allocator; if that was null, with free. `text` becomes null if the status is not SIMDTEXT_STATUS_OK.
struct simdtext_result simdtext_decode_to_new_utf16(const struct simdtext_encoding *encoding,
                                                    const void *src,
                                                    size_t len,
                                                    simdtext_char16 **text,
                                                    simdtext_bom bom,
                                                    simdtext_malformed malformed,
                                                    const struct simdtext_allocator *allocator);

// Encodes all of `src` (UTF-8, `len` bytes) to `dst` (room for `room` bytes), as
// simdtext_encoder_encode_from_utf8 does.
struct simdtext_result simdtext_encode_from_utf8(const struct simdtext_encoding *encoding,
                                                 const char *src,
                                                 size_t len,
                                                 void *dst,
                                                 size_t room,
                                                 simdtext_unmappable unmappable);

// Encodes all of `src` (UTF-16, `len` code units) to `dst` (room for `room` bytes), as
// simdtext_encoder_encode_from_utf16 does.
struct simdtext_result simdtext_encode_from_utf16(const struct simdtext_encoding *encoding,
                                                  const simdtext_char16 *src,
                                                  size_t len,
                                                  void *dst,
                                                  size_t room,
                                                  simdtext_unmappable unmappable);

// The result of simdtext_encode_from_utf8 with enough room: `written` is the length of the output in bytes.
// This takes as long as encoding does.
struct simdtext_result simdtext_encoded_len_from_utf8(const struct simdtext_encoding *encoding,
                                                      const char *src,
                                                      size_t len,
                                                      simdtext_unmappable unmappable);

// The result of simdtext_encode_from_utf16 with enough room: `written` is the length of the output in bytes.
// This takes as long as encoding does.
struct simdtext_result simdtext_encoded_len_from_utf16(const struct simdtext_encoding *encoding,
                                                       const simdtext_char16 *src,
                                                       size_t len,
                                                       simdtext_unmappable unmappable);

// Encodes all of `src` (UTF-8, `len` bytes) to memory from `allocator`, and stores a pointer to it in
// `bytes`; `written` is its length (no NUL follows). Free it with simdtext_free and the same allocator; if
// that was null, with free. `bytes` becomes null if the status is not SIMDTEXT_STATUS_OK.
struct simdtext_result simdtext_encode_new_from_utf8(const struct simdtext_encoding *encoding,
                                                     const char *src,
                                                     size_t len,
                                                     void **bytes,
                                                     simdtext_unmappable unmappable,
                                                     const struct simdtext_allocator *allocator);

// Encodes all of `src` (UTF-16, `len` code units) to memory from `allocator`, and stores a pointer to it in
// `bytes`; `written` is its length (no NUL follows). Free it with simdtext_free and the same allocator; if
// that was null, with free. `bytes` becomes null if the status is not SIMDTEXT_STATUS_OK.
struct simdtext_result simdtext_encode_new_from_utf16(const struct simdtext_encoding *encoding,
                                                      const simdtext_char16 *src,
                                                      size_t len,
                                                      void **bytes,
                                                      simdtext_unmappable unmappable,
                                                      const struct simdtext_allocator *allocator);

// Makes a decoder from `encoding`. Null if an argument is invalid or there is no memory. Free it with
// simdtext_decoder_free.
struct simdtext_decoder *simdtext_decoder_new(const struct simdtext_encoding *encoding,
                                              simdtext_bom bom,
                                              simdtext_malformed malformed,
                                              const struct simdtext_allocator *allocator);

// Frees a decoder. Does nothing if it is null.
void simdtext_decoder_free(struct simdtext_decoder *decoder);

// Makes a decoder that replaces (SIMDTEXT_MALFORMED_REPLACE) call `on_fault` for each malformed sequence,
// after its U+FFFD was written; null for none. A decoder that stops does not call it. The function and `context`
// stay set in all later streams, until others are set, so `context` must stay valid for as long.
simdtext_status simdtext_decoder_set_on_fault(struct simdtext_decoder *decoder,
                                              simdtext_on_fault on_fault,
                                              void *context);

// Decodes `src` (`len` bytes) to UTF-8 in `dst` (room for `room` bytes; 4 or more always make progress).
// `last` says that nothing follows; repeat it, with the rest of the input, for as long as calls return a
// status other than SIMDTEXT_STATUS_OK.
struct simdtext_result simdtext_decoder_decode_to_utf8(struct simdtext_decoder *decoder,
                                                       const void *src,
                                                       size_t len,
                                                       char *dst,
                                                       size_t room,
                                                       bool last);

// Decodes `src` (`len` bytes) to UTF-16 in `dst` (room for `room` code units; 2 or more always make progress).
// Half a surrogate pair is never written. `last` is as in simdtext_decoder_decode_to_utf8.
struct simdtext_result simdtext_decoder_decode_to_utf16(struct simdtext_decoder *decoder,
                                                        const void *src,
                                                        size_t len,
                                                        simdtext_char16 *dst,
                                                        size_t room,
                                                        bool last);

// The encoding that is decoded. If a byte order mark may change it (SIMDTEXT_BOM_SNIFF), it is final after
// three bytes or at the end. Null if `decoder` is null.
const struct simdtext_encoding *simdtext_decoder_encoding(const struct simdtext_decoder *decoder);

// The number of bytes that were read since the start of the stream. 0 if `decoder` is null.
uint64_t simdtext_decoder_total_read(const struct simdtext_decoder *decoder);

// Stores the bytes that were read and are not decoded yet in `dst` (room for `room` bytes, of which 3 are always
// enough), and returns their number: the beginning of a character, of an escape sequence or of a byte order mark. If
// it is not 0 where the input ends, the input is cut off there. SIZE_MAX, and nothing is stored, if there are more than
// `room`, or if the arguments are refused.
size_t simdtext_decoder_pending(const struct simdtext_decoder *decoder,
                                void *dst,
                                size_t room);

// The most bytes of UTF-8 that `len` more bytes of input, including the end of the stream, can become.
// SIZE_MAX if that is more, or if `decoder` is null.
size_t simdtext_decoder_max_utf8_len(const struct simdtext_decoder *decoder, size_t len);

// The most code units of UTF-16 that `len` more bytes of input, including the end of the stream, can become.
// SIZE_MAX if that is more, or if `decoder` is null.
size_t simdtext_decoder_max_utf16_len(const struct simdtext_decoder *decoder, size_t len);

// Begins a new stream in the encoding for which the decoder was made. What was held back is dropped.
simdtext_status simdtext_decoder_reset(struct simdtext_decoder *decoder);

// Begins a new stream in another encoding, with the same decoder.
simdtext_status simdtext_decoder_reset_to(struct simdtext_decoder *decoder,
                                          const struct simdtext_encoding *encoding,
                                          simdtext_bom bom);

// Makes an encoder to `encoding`. Null if an argument is invalid, if there is no memory, or for the encoding
// replacement. Free it with simdtext_encoder_free.
struct simdtext_encoder *simdtext_encoder_new(const struct simdtext_encoding *encoding,
                                              simdtext_unmappable unmappable,
                                              const struct simdtext_allocator *allocator);

// Frees an encoder. Does nothing if it is null.
void simdtext_encoder_free(struct simdtext_encoder *encoder);

// Sets the character that SIMDTEXT_UNMAPPABLE_REPLACE writes from now on; `?` is written if the encoding
// does not have it either. Refused if it is not a scalar value, or the encoder was made with another policy.
simdtext_status simdtext_encoder_set_replacement(struct simdtext_encoder *encoder, simdtext_char32 character);

// Encodes UTF-8 from `src` (`len` bytes) to `dst` (room for `room` bytes; 10 or more always make progress).
// `last` says that nothing follows; repeat it, with the rest of the input, for as long as calls return a
// status other than SIMDTEXT_STATUS_OK.
//
// With SIMDTEXT_UNMAPPABLE_STOP, malformed UTF-8 ends the call with SIMDTEXT_STATUS_MALFORMED. Otherwise
// each malformed sequence is encoded as U+FFFD, which is unmappable in most encodings, and counts as one
// error.
struct simdtext_result simdtext_encoder_encode_from_utf8(struct simdtext_encoder *encoder,
                                                         const char *src,
                                                         size_t len,
                                                         void *dst,
                                                         size_t room,
                                                         bool last);

// Encodes UTF-16 from `src` (`len` code units) to `dst` (room for `room` bytes; 10 or more always make
// progress). A surrogate without its other half is U+FFFD: an ordinary character for a Unicode encoding and
// gb18030, an unmappable one for others. `last` is as in simdtext_encoder_encode_from_utf8.
struct simdtext_result simdtext_encoder_encode_from_utf16(struct simdtext_encoder *encoder,
                                                          const simdtext_char16 *src,
                                                          size_t len,
                                                          void *dst,
                                                          size_t room,
                                                          bool last);

// The encoding. Null if `encoder` is null.
const struct simdtext_encoding *simdtext_encoder_encoding(const struct simdtext_encoder *encoder);

// Whether the end of the stream still has something to write, even if no text follows: an escape sequence of
// ISO-2022-JP, or the replacement of an incomplete character. False if `encoder` is null.
bool simdtext_encoder_has_pending_output(const struct simdtext_encoder *encoder);

// The most bytes that `len` more bytes of UTF-8, including the end of the stream, can become, if all of it
// is well-formed and no character is unmappable. SIZE_MAX if that is more, or if `encoder` is null.
size_t simdtext_encoder_max_len_from_utf8(const struct simdtext_encoder *encoder, size_t len);

// The most bytes that `len` more code units of UTF-16, including the end of the stream, can become, if no
// character is unmappable. SIZE_MAX if that is more, or if `encoder` is null.
size_t simdtext_encoder_max_len_from_utf16(const struct simdtext_encoder *encoder, size_t len);

// Begins a new stream. What was held back, or was still to be written, is dropped.
simdtext_status simdtext_encoder_reset(struct simdtext_encoder *encoder);

// Decides which encoding a document is in, as browsers do, without guessing. `head` (`len` bytes) is the
// beginning of the document, 1024 bytes or more if it has them; with `complete` it is the whole document.
// `hints` may be null. The answer is stored in `decision`, which is not changed if the call is refused.
simdtext_status simdtext_sniff(const void *head,
                               size_t len,
                               bool complete,
                               const struct simdtext_hints *hints,
                               struct simdtext_decision *decision);

// Guesses the encoding of `src` (`len` bytes). With `complete` it is the whole text, otherwise more follows.
// `options` may be null. The answer is stored in `guess`, which is not changed if the call is refused. Call
// simdtext_sniff first: what a document declares is worth more than any guess.
simdtext_status simdtext_detect(const void *src,
                                size_t len,
                                bool complete,
                                const struct simdtext_detect_options *options,
                                struct simdtext_guess *guess);

// Begins a stream. `options` may be null. With a `limit`, no more than that many bytes are kept, and the guess is made
// from these; 0 for none. Null if an argument is invalid or there is no memory. Free it with simdtext_detector_free.
struct simdtext_detector *simdtext_detector_new(const struct simdtext_detect_options *options,
                                                size_t limit);

// Frees a stream. Does nothing if it is null.
void simdtext_detector_free(struct simdtext_detector *detector);

// Takes the next bytes of the stream (`len` bytes at `src`). If there is no memory to keep them, the stream is as it
// was before the call.
simdtext_status simdtext_detector_feed(struct simdtext_detector *detector,
                                       const void *src,
                                       size_t len);

// Whether nothing that follows can change the answer, so that the rest need not be read. False if `detector` is null.
bool simdtext_detector_is_decided(const struct simdtext_detector *detector);

// Guesses from the bytes fed so far, as if more followed, and stores the answer in `guess`, which is not changed if
// the call is refused. Takes as long as simdtext_detect for all of them.
simdtext_status simdtext_detector_guess(const struct simdtext_detector *detector,
                                        struct simdtext_guess *guess);

// Guesses from the bytes fed, as all that there are, and stores the answer in `guess`, which is not changed if the call
// is refused.
simdtext_status simdtext_detector_finish(const struct simdtext_detector *detector,
                                         struct simdtext_guess *guess);

// Begins a new stream with the same options, and keeps the memory.
simdtext_status simdtext_detector_reset(struct simdtext_detector *detector);

// Whether `src` (`len` bytes) is not text, by its control characters: more of them, or of more kinds, than text has.
// NUL and Ctrl-Z at the end are padding, however long. `encoding` is what the bytes are said to be in, or null; in
// UTF-16LE and UTF-16BE code units are examined, in all others bytes. Stores the reason in `binary`, which may be null.
// False, and nothing is stored, if the arguments are refused.
bool simdtext_is_binary(const struct simdtext_encoding *encoding,
                        const void *src,
                        size_t len,
                        struct simdtext_binary *binary);

// Begins a stream of bytes that are said to be in `encoding`, which may be null, as in simdtext_is_binary. Null if an
// argument is invalid or there is no memory. Free it with simdtext_binary_scan_free.
struct simdtext_binary_scan *simdtext_binary_scan_new(const struct simdtext_encoding *encoding,
                                                      const struct simdtext_allocator *allocator);

// Frees a stream. Does nothing if it is null.
void simdtext_binary_scan_free(struct simdtext_binary_scan *scan);

// Takes the next bytes of the stream (`len` bytes at `src`).
simdtext_status simdtext_binary_scan_feed(struct simdtext_binary_scan *scan, const void *src, size_t len);

// Whether they are not text, whatever follows, so that the rest need not be read. False if `scan` is null.
bool simdtext_binary_scan_is_decided(const struct simdtext_binary_scan *scan);

// Whether the bytes fed so far, as all that there are, are not text. Stores the reason in `binary`, which may be null.
// False, and nothing is stored, if `scan` is null.
bool simdtext_binary_scan_finish(const struct simdtext_binary_scan *scan,
                                 struct simdtext_binary *binary);

// Begins a stream that is UTF-8 or in one of `encodings` (`count` of them, in this order). Null if an argument is
// invalid or there is no memory. Free it with simdtext_first_valid_free.
struct simdtext_first_valid *simdtext_first_valid_new(const struct simdtext_encoding *const *encodings,
                                                      size_t count,
                                                      const struct simdtext_allocator *allocator);

// Frees a stream. Does nothing if it is null.
void simdtext_first_valid_free(struct simdtext_first_valid *stream);

// Takes the next bytes of the stream (`len` bytes at `src`). Refused after simdtext_first_valid_finish.
simdtext_status simdtext_first_valid_feed(struct simdtext_first_valid *stream, const void *src, size_t len);

// Whether nothing that follows can change the answer, so that the rest need not be read. False if `stream` is null.
bool simdtext_first_valid_is_decided(const struct simdtext_first_valid *stream);

// Ends the stream: an incomplete sequence at its end is malformed. Returns the first encoding in which nothing is
// malformed; null if there is none, or if `stream` is null.
const struct simdtext_encoding *simdtext_first_valid_finish(struct simdtext_first_valid *stream);

// The encodings that are tried, in order, by an index from 0; null after the last one, or if `stream` is null.
// Stores the first malformed sequence in `fault`, which may be null; its `len` is 0 if there is none so far.
const struct simdtext_encoding *simdtext_first_valid_tried(const struct simdtext_first_valid *stream,
                                                           size_t index,
                                                           struct simdtext_fault *fault);

// The answer of such a stream for `src` (`len` bytes), without allocating: UTF-8, or else the first of `encodings`
// (`count` of them) in which nothing is malformed. Null if there is none, or if the arguments are refused.
const struct simdtext_encoding *simdtext_first_valid_decide(const struct simdtext_encoding *const *encodings,
                                                            size_t count,
                                                            const void *src,
                                                            size_t len);

// Cuts `src` (`len` bytes), in which each line may be in another encoding, into segments of one encoding each, and
// calls `on_segment` for each. They follow each other without gaps.
//
// A line is in UTF-8 if it is valid UTF-8, or else in the first of `encodings` (`count` of them) in which nothing is
// malformed, or else in `otherwise`. With `iso_2022_jp` lines of ISO-2022-JP are looked for, even if it is not in the
// list. Lines end in LF, CR or both; UTF-16 and replacement in the list are skipped.
simdtext_status simdtext_segments(const void *src,
                                  size_t len,
                                  const struct simdtext_encoding *const *encodings,
                                  size_t count,
                                  const struct simdtext_encoding *otherwise,
                                  bool iso_2022_jp,
                                  simdtext_on_segment on_segment,
                                  void *context);

// Whether `src` (UTF-8, `len` bytes) is UTF-8 that was read as `read_as`, a single-byte encoding such as windows-1252,
// and written as UTF-8 again ("Ã©" for "é"), and undoing that loses nothing. If so, simdtext_encode_from_utf8 with
// `read_as` gives the original. False for text that is right as it is, for malformed UTF-8, and if the arguments are
// refused.
bool simdtext_is_double_encoded(const struct simdtext_encoding *read_as,
                                const char *src,
                                size_t len);

// Begins a document in `encoding`. `spacing` is 0 for 65536; less than 16 counts as 16. Null if an argument is invalid
// or there is no memory. Free it with simdtext_offset_map_free.
struct simdtext_offset_map *simdtext_offset_map_new(const struct simdtext_encoding *encoding,
                                                    simdtext_bom bom,
                                                    size_t spacing);

// Frees a map. Does nothing if it is null.
void simdtext_offset_map_free(struct simdtext_offset_map *map);

// Decodes the next bytes of the document as simdtext_decoder_decode_to_utf8 does with SIMDTEXT_MALFORMED_REPLACE. After
// the end of a document the next call begins another one in the same encoding, and the map forgets the last one. If
// there is no memory for the map, nothing is decoded and it is as it was.
struct simdtext_result simdtext_offset_map_decode_to_utf8(struct simdtext_offset_map *map,
                                                          const void *src,
                                                          size_t len,
                                                          char *dst,
                                                          size_t room,
                                                          bool last);

// The encoding of the document, which a byte order mark may have changed. Null if `map` is null.
const struct simdtext_encoding *simdtext_offset_map_encoding(const struct simdtext_offset_map *map);

// Finds the bytes of `source` (`len` bytes, from the start of the document) that the characters of the text from
// `start` to `end` were decoded from: from the first byte of the first character to the last byte of the last one,
// without escape sequences before and after them. If `start` is `end`, this is where the character at `start` begins;
// at the end of the text, the end of the source.
//
// Refused, so that `range` is not changed, if the text has no such characters, or `source` is shorter than what was
// decoded.
simdtext_status simdtext_offset_map_source_range(const struct simdtext_offset_map *map,
                                                 const void *source,
                                                 size_t len,
                                                 uint64_t start,
                                                 uint64_t end,
                                                 struct simdtext_range *range);

// The offset in the text of what the byte at `offset` of `source` (`len` bytes, from the start of the document) became.
// Bytes that become no text (a byte order mark, an escape sequence) map to the text of what follows, and the end of the
// source to the end of the text. UINT64_MAX if `offset` is after what was decoded, if `source` is shorter than that, or
// if the arguments are refused.
uint64_t simdtext_offset_map_text_offset(const struct simdtext_offset_map *map,
                                         const void *source,
                                         size_t len,
                                         uint64_t offset);

// Forgets the document and begins another one, which may be in another encoding. The spacing and the memory are kept.
simdtext_status simdtext_offset_map_reset_to(struct simdtext_offset_map *map,
                                             const struct simdtext_encoding *encoding,
                                             simdtext_bom bom);

// Stores the map as bytes, to be kept with an index: some 5 for each place, and about 40 more. The format is the same on
// all machines. `bytes` becomes a pointer to `len` bytes from the allocator, to be freed with simdtext_free; null and 0
// if there is no memory. If the call is refused for another reason, they are not changed.
simdtext_status simdtext_offset_map_to_new_bytes(const struct simdtext_offset_map *map,
                                                 void **bytes,
                                                 size_t *len,
                                                 const struct simdtext_allocator *allocator);

// Makes a map of the bytes that simdtext_offset_map_to_new_bytes gave, in memory from malloc. Free it with
// simdtext_offset_map_free. Look-ups in it need the same source as before. The next call of
// simdtext_offset_map_decode_to_utf8 begins another document in the same encoding, unless a byte order mark says
// otherwise.
//
// If it fails, `map` becomes null: SIMDTEXT_STATUS_CORRUPT if these are not the bytes of a map or are damaged,
// SIMDTEXT_STATUS_VERSION if a version of the library with another format stored them, SIMDTEXT_STATUS_OUT_OF_MEMORY.
// Not all damage can be noticed; a damaged map may give wrong positions, and no more.
simdtext_status simdtext_offset_map_from_bytes(const void *bytes,
                                               size_t len,
                                               struct simdtext_offset_map **map);

// Encodes all of `src` (UTF-8, `len` bytes) for a URL or a form, in `dst` (room for `room` bytes): the URL standard's
// "percent-encode after encoding". simdtext_percent_encoded_len counts how many bytes are needed.
//
// Encoded bytes that are not in `set` are written as they are, the others as `%` and two upper-case digits, and with
// `space_as_plus` a space as `+`. A character that the encoding does not have becomes `%26%23`, its number and `%3B`.
// Malformed UTF-8 is encoded as U+FFFD. Both are counted in `errors`. UTF-16 and replacement encode as UTF-8, as on the
// web.
struct simdtext_result simdtext_percent_encode_after_encoding(const struct simdtext_encoding *encoding,
                                                              const char *src,
                                                              size_t len,
                                                              char *dst,
                                                              size_t room,
                                                              simdtext_percent_encode_set set,
                                                              bool space_as_plus);

// The result of simdtext_percent_encode_after_encoding with enough room: `written` is the length of the output in
// bytes. This takes as long as encoding does.
struct simdtext_result simdtext_percent_encoded_len(const struct simdtext_encoding *encoding,
                                                    const char *src,
                                                    size_t len,
                                                    simdtext_percent_encode_set set,
                                                    bool space_as_plus);

// Copies UTF-8 from `src` (`len` bytes) to `dst` (room for `room` bytes; 3 * `len` are always enough),
// validating it.
struct simdtext_result simdtext_utf8_to_utf8(const char *src,
                                             size_t len,
                                             char *dst,
                                             size_t room,
                                             simdtext_malformed malformed);

// Converts UTF-8 from `src` (`len` bytes) to UTF-16 in `dst` (room for `room` code units; `len` are always
// enough).
struct simdtext_result simdtext_utf8_to_utf16(const char *src,
                                              size_t len,
                                              simdtext_char16 *dst,
                                              size_t room,
                                              simdtext_malformed malformed);

// Converts UTF-8 from `src` (`len` bytes) to UTF-16LE in `dst` (room for `room` bytes, at any address; 2 * `len`
// are always enough).
struct simdtext_result simdtext_utf8_to_utf16le(const char *src,
                                                size_t len,
                                                void *dst,
                                                size_t room,
                                                simdtext_malformed malformed);

// Converts UTF-8 from `src` (`len` bytes) to UTF-16BE in `dst` (room for `room` bytes, at any address; 2 * `len`
// are always enough).
struct simdtext_result simdtext_utf8_to_utf16be(const char *src,
                                                size_t len,
                                                void *dst,
                                                size_t room,
                                                simdtext_malformed malformed);

// Converts UTF-8 from `src` (`len` bytes) to UTF-32 in `dst` (room for `room` code units; `len` are always
// enough).
struct simdtext_result simdtext_utf8_to_utf32(const char *src,
                                              size_t len,
                                              simdtext_char32 *dst,
                                              size_t room,
                                              simdtext_malformed malformed);

// Converts UTF-8 from `src` (`len` bytes) to Latin-1 in `dst` (room for `room` bytes; `len` are always enough).
struct simdtext_result simdtext_utf8_to_latin1(const char *src,
                                               size_t len,
                                               char *dst,
                                               size_t room,
                                               simdtext_malformed malformed);

// Whether UTF-8 in `src` (`len` bytes) is well-formed. False if the arguments are refused.
bool simdtext_validate_utf8(const char *src, size_t len);

// Validates UTF-8 in `src` (`len` bytes). `read` is the length of the well-formed part, and `fault` what
// follows it: a malformed sequence.
struct simdtext_result simdtext_validate_utf8_with_errors(const char *src, size_t len);

// The code units of UTF-16 that well-formed UTF-8 in `src` (`len` bytes) becomes. SIZE_MAX if the arguments are
// refused.
size_t simdtext_utf16_len_from_utf8(const char *src,
                                    size_t len);

// The characters (scalar values) in well-formed UTF-8 in `src` (`len` bytes): the length of its UTF-32, and of
// its Latin-1 if it has one. SIZE_MAX if the arguments are refused.
size_t simdtext_count_scalars_utf8(const char *src,
                                   size_t len);

// The line ends in UTF-8 in `src` (`len` bytes), or in any other encoding that has LF and CR where ASCII does: each CR
// LF, and each LF and each CR that is not part of one. SIZE_MAX if the arguments are refused.
size_t simdtext_count_line_ends_utf8(const char *src,
                                     size_t len);

// The length of UTF-8 in `src` (`len` bytes) without the incomplete character at its end, if there is one.
// SIZE_MAX if the arguments are refused.
size_t simdtext_trim_partial_utf8(const char *src, size_t len);

// Converts UTF-16 from `src` (`len` code units) to UTF-8 in `dst` (room for `room` bytes; 3 * `len` are always
// enough).
struct simdtext_result simdtext_utf16_to_utf8(const simdtext_char16 *src,
                                              size_t len,
                                              char *dst,
                                              size_t room,
                                              simdtext_malformed malformed);

// Copies UTF-16 from `src` (`len` code units) to `dst` (room for `room` code units; `len` are always enough),
// validating it.
struct simdtext_result simdtext_utf16_to_utf16(const simdtext_char16 *src,
                                               size_t len,
                                               simdtext_char16 *dst,
                                               size_t room,
                                               simdtext_malformed malformed);

// Converts UTF-16 from `src` (`len` code units) to UTF-16LE in `dst` (room for `room` bytes, at any address; 2 *
// `len` are always enough).
struct simdtext_result simdtext_utf16_to_utf16le(const simdtext_char16 *src,
                                                 size_t len,
                                                 void *dst,
                                                 size_t room,
                                                 simdtext_malformed malformed);

// Converts UTF-16 from `src` (`len` code units) to UTF-16BE in `dst` (room for `room` bytes, at any address; 2 *
// `len` are always enough).
struct simdtext_result simdtext_utf16_to_utf16be(const simdtext_char16 *src,
                                                 size_t len,
                                                 void *dst,
                                                 size_t room,
                                                 simdtext_malformed malformed);

// Converts UTF-16 from `src` (`len` code units) to UTF-32 in `dst` (room for `room` code units; `len` are always
// enough).
struct simdtext_result simdtext_utf16_to_utf32(const simdtext_char16 *src,
                                               size_t len,
                                               simdtext_char32 *dst,
                                               size_t room,
                                               simdtext_malformed malformed);

// Converts UTF-16 from `src` (`len` code units) to Latin-1 in `dst` (room for `room` bytes; `len` are always
// enough).
struct simdtext_result simdtext_utf16_to_latin1(const simdtext_char16 *src,
                                                size_t len,
                                                char *dst,
                                                size_t room,
                                                simdtext_malformed malformed);

// Whether UTF-16 in `src` (`len` code units) is well-formed. False if the arguments are refused.
bool simdtext_validate_utf16(const simdtext_char16 *src, size_t len);

// Validates UTF-16 in `src` (`len` code units). `read` is the length of the well-formed part, and `fault`
// what follows it: a surrogate without its other half.
struct simdtext_result simdtext_validate_utf16_with_errors(const simdtext_char16 *src, size_t len);

// The bytes of UTF-8 that UTF-16 in `src` (`len` code units) becomes. A surrogate without its other half counts
// as 3, those of U+FFFD. SIZE_MAX if the arguments are refused.
size_t simdtext_utf8_len_from_utf16(const simdtext_char16 *src,
                                    size_t len);

// The characters (scalar values) in UTF-16 in `src` (`len` code units): the length of its UTF-32, and of its
// Latin-1 if it has one. A surrogate without its other half counts as one. SIZE_MAX if the arguments are
// refused.
size_t simdtext_count_scalars_utf16(const simdtext_char16 *src, size_t len);

// The length of UTF-16 in `src` (`len` code units) without the surrogate at its end whose other half may follow,
// if there is one. SIZE_MAX if the arguments are refused.
size_t simdtext_trim_partial_utf16(const simdtext_char16 *src,
                                   size_t len);

// Copies UTF-16 from `src` (`len` code units) to `dst` (room for `room` code units) in the other byte order,
// as much as fits. The input need not be well-formed.
struct simdtext_result simdtext_swap_utf16(const simdtext_char16 *src,
                                           size_t len,
                                           simdtext_char16 *dst,
                                           size_t room);

// Converts UTF-16BE from `src` (`len` bytes, at any address) to UTF-8 in `dst` (room for `room` bytes; 3 *
// (`len` / 2 + 1) are always enough).
struct simdtext_result simdtext_utf16be_to_utf8(const void *src,
                                                size_t len,
                                                char *dst,
                                                size_t room,
                                                simdtext_malformed malformed);

// Converts UTF-16BE from `src` (`len` bytes, at any address) to UTF-16 in `dst` (room for `room` code units;
// `len` / 2 + 1 are always enough).
struct simdtext_result simdtext_utf16be_to_utf16(const void *src,
                                                 size_t len,
                                                 simdtext_char16 *dst,
                                                 size_t room,
                                                 simdtext_malformed malformed);

// Converts UTF-16BE from `src` (`len` bytes, at any address) to UTF-16LE in `dst` (room for `room` bytes, at any
// address; `len` + 1 are always enough).
struct simdtext_result simdtext_utf16be_to_utf16le(const void *src,
                                                   size_t len,
                                                   void *dst,
                                                   size_t room,
                                                   simdtext_malformed malformed);

// Copies UTF-16BE from `src` (`len` bytes, at any address) to `dst` (room for `room` bytes; `len` + 1 are always
// enough), validating it.
struct simdtext_result simdtext_utf16be_to_utf16be(const void *src,
                                                   size_t len,
                                                   void *dst,
                                                   size_t room,
                                                   simdtext_malformed malformed);

// Converts UTF-16BE from `src` (`len` bytes, at any address) to UTF-32 in `dst` (room for `room` code units;
// `len` / 2 + 1 are always enough).
struct simdtext_result simdtext_utf16be_to_utf32(const void *src,
                                                 size_t len,
                                                 simdtext_char32 *dst,
                                                 size_t room,
                                                 simdtext_malformed malformed);

// Converts UTF-16BE from `src` (`len` bytes, at any address) to Latin-1 in `dst` (room for `room` bytes; `len` /
// 2 + 1 are always enough).
struct simdtext_result simdtext_utf16be_to_latin1(const void *src,
                                                  size_t len,
                                                  char *dst,
                                                  size_t room,
                                                  simdtext_malformed malformed);

// Whether UTF-16BE in `src` (`len` bytes, at any address) is well-formed. False if the arguments are refused.
bool simdtext_validate_utf16be(const void *src, size_t len);

// Validates UTF-16BE in `src` (`len` bytes, at any address). `read` is the length of the well-formed part,
// and `fault` what follows it: a surrogate without its other half, or an odd byte.
struct simdtext_result simdtext_validate_utf16be_with_errors(const void *src, size_t len);

// The bytes of UTF-8 that UTF-16BE in `src` (`len` bytes, at any address) becomes. A surrogate without its other
// half counts as 3, those of U+FFFD. An odd byte at the end counts as none, although SIMDTEXT_MALFORMED_REPLACE makes
// 3 bytes of it as well. SIZE_MAX if the arguments are refused.
size_t simdtext_utf8_len_from_utf16be(const void *src,
                                      size_t len);

// The characters (scalar values) in UTF-16BE in `src` (`len` bytes, at any address): the length of its UTF-32,
// and of its Latin-1 if it has one. A surrogate without its other half counts as one, and an odd byte at the end as
// none. SIZE_MAX if the arguments are refused.
size_t simdtext_count_scalars_utf16be(const void *src,
                                      size_t len);

// The length of UTF-16BE in `src` (`len` bytes, at any address) without the surrogate at its end whose other
// half may follow, if there is one, and without an odd byte. SIZE_MAX if the arguments are refused.
size_t simdtext_trim_partial_utf16be(const void *src, size_t len);

// Converts UTF-16LE from `src` (`len` bytes, at any address) to UTF-8 in `dst` (room for `room` bytes; 3 *
// (`len` / 2 + 1) are always enough).
struct simdtext_result simdtext_utf16le_to_utf8(const void *src,
                                                size_t len,
                                                char *dst,
                                                size_t room,
                                                simdtext_malformed malformed);

// Converts UTF-16LE from `src` (`len` bytes, at any address) to UTF-16 in `dst` (room for `room` code units;
// `len` / 2 + 1 are always enough).
struct simdtext_result simdtext_utf16le_to_utf16(const void *src,
                                                 size_t len,
                                                 simdtext_char16 *dst,
                                                 size_t room,
                                                 simdtext_malformed malformed);

// Copies UTF-16LE from `src` (`len` bytes, at any address) to `dst` (room for `room` bytes; `len` + 1 are always
// enough), validating it.
struct simdtext_result simdtext_utf16le_to_utf16le(const void *src,
                                                   size_t len,
                                                   void *dst,
                                                   size_t room,
                                                   simdtext_malformed malformed);

// Converts UTF-16LE from `src` (`len` bytes, at any address) to UTF-16BE in `dst` (room for `room` bytes, at any
// address; `len` + 1 are always enough).
struct simdtext_result simdtext_utf16le_to_utf16be(const void *src,
                                                   size_t len,
                                                   void *dst,
                                                   size_t room,
                                                   simdtext_malformed malformed);

// Converts UTF-16LE from `src` (`len` bytes, at any address) to UTF-32 in `dst` (room for `room` code units;
// `len` / 2 + 1 are always enough).
struct simdtext_result simdtext_utf16le_to_utf32(const void *src,
                                                 size_t len,
                                                 simdtext_char32 *dst,
                                                 size_t room,
                                                 simdtext_malformed malformed);

// Converts UTF-16LE from `src` (`len` bytes, at any address) to Latin-1 in `dst` (room for `room` bytes; `len` /
// 2 + 1 are always enough).
struct simdtext_result simdtext_utf16le_to_latin1(const void *src,
                                                  size_t len,
                                                  char *dst,
                                                  size_t room,
                                                  simdtext_malformed malformed);

// Whether UTF-16LE in `src` (`len` bytes, at any address) is well-formed. False if the arguments are refused.
bool simdtext_validate_utf16le(const void *src, size_t len);

// Validates UTF-16LE in `src` (`len` bytes, at any address). `read` is the length of the well-formed part,
// and `fault` what follows it: a surrogate without its other half, or an odd byte.
struct simdtext_result simdtext_validate_utf16le_with_errors(const void *src, size_t len);

// The bytes of UTF-8 that UTF-16LE in `src` (`len` bytes, at any address) becomes. A surrogate without its other
// half counts as 3, those of U+FFFD. An odd byte at the end counts as none, although SIMDTEXT_MALFORMED_REPLACE makes
// 3 bytes of it as well. SIZE_MAX if the arguments are refused.
size_t simdtext_utf8_len_from_utf16le(const void *src,
                                      size_t len);

// The characters (scalar values) in UTF-16LE in `src` (`len` bytes, at any address): the length of its UTF-32,
// and of its Latin-1 if it has one. A surrogate without its other half counts as one, and an odd byte at the end as
// none. SIZE_MAX if the arguments are refused.
size_t simdtext_count_scalars_utf16le(const void *src,
                                      size_t len);

// The length of UTF-16LE in `src` (`len` bytes, at any address) without the surrogate at its end whose other
// half may follow, if there is one, and without an odd byte. SIZE_MAX if the arguments are refused.
size_t simdtext_trim_partial_utf16le(const void *src, size_t len);

// Converts UTF-32 from `src` (`len` code units) to UTF-8 in `dst` (room for `room` bytes; 4 * `len` are always
// enough).
struct simdtext_result simdtext_utf32_to_utf8(const simdtext_char32 *src,
                                              size_t len,
                                              char *dst,
                                              size_t room,
                                              simdtext_malformed malformed);

// Converts UTF-32 from `src` (`len` code units) to UTF-16 in `dst` (room for `room` code units; 2 * `len` are
// always enough).
struct simdtext_result simdtext_utf32_to_utf16(const simdtext_char32 *src,
                                               size_t len,
                                               simdtext_char16 *dst,
                                               size_t room,
                                               simdtext_malformed malformed);

// Converts UTF-32 from `src` (`len` code units) to UTF-16LE in `dst` (room for `room` bytes, at any address; 4 *
// `len` are always enough).
struct simdtext_result simdtext_utf32_to_utf16le(const simdtext_char32 *src,
                                                 size_t len,
                                                 void *dst,
                                                 size_t room,
                                                 simdtext_malformed malformed);

// Converts UTF-32 from `src` (`len` code units) to UTF-16BE in `dst` (room for `room` bytes, at any address; 4 *
// `len` are always enough).
struct simdtext_result simdtext_utf32_to_utf16be(const simdtext_char32 *src,
                                                 size_t len,
                                                 void *dst,
                                                 size_t room,
                                                 simdtext_malformed malformed);

// Copies UTF-32 from `src` (`len` code units) to `dst` (room for `room` code units; `len` are always enough),
// validating it.
struct simdtext_result simdtext_utf32_to_utf32(const simdtext_char32 *src,
                                               size_t len,
                                               simdtext_char32 *dst,
                                               size_t room,
                                               simdtext_malformed malformed);

// Converts UTF-32 from `src` (`len` code units) to Latin-1 in `dst` (room for `room` bytes; `len` are always
// enough).
struct simdtext_result simdtext_utf32_to_latin1(const simdtext_char32 *src,
                                                size_t len,
                                                char *dst,
                                                size_t room,
                                                simdtext_malformed malformed);

// Whether UTF-32 in `src` (`len` code units) is well-formed. False if the arguments are refused.
bool simdtext_validate_utf32(const simdtext_char32 *src, size_t len);

// Validates UTF-32 in `src` (`len` code units). `read` is the length of the well-formed part, and `fault`
// what follows it: a unit that is not a scalar value.
struct simdtext_result simdtext_validate_utf32_with_errors(const simdtext_char32 *src, size_t len);

// The bytes of UTF-8 that UTF-32 in `src` (`len` code units) becomes, if it is well-formed. SIZE_MAX if the
// arguments are refused.
size_t simdtext_utf8_len_from_utf32(const simdtext_char32 *src, size_t len);

// The code units of UTF-16 that UTF-32 in `src` (`len` code units) becomes, if it is well-formed. SIZE_MAX if
// the arguments are refused.
size_t simdtext_utf16_len_from_utf32(const simdtext_char32 *src, size_t len);

// Converts Latin-1 from `src` (`len` bytes) to UTF-8 in `dst` (room for `room` bytes; 2 * `len` are always
// enough).
struct simdtext_result simdtext_latin1_to_utf8(const char *src, size_t len, char *dst, size_t room);

// Converts Latin-1 from `src` (`len` bytes) to UTF-16 in `dst` (room for `room` code units; `len` are always
// enough).
struct simdtext_result simdtext_latin1_to_utf16(const char *src,
                                                size_t len,
                                                simdtext_char16 *dst,
                                                size_t room);

// Converts Latin-1 from `src` (`len` bytes) to UTF-16LE in `dst` (room for `room` bytes, at any address; 2 *
// `len` are always enough).
struct simdtext_result simdtext_latin1_to_utf16le(const char *src, size_t len, void *dst, size_t room);

// Converts Latin-1 from `src` (`len` bytes) to UTF-16BE in `dst` (room for `room` bytes, at any address; 2 *
// `len` are always enough).
struct simdtext_result simdtext_latin1_to_utf16be(const char *src, size_t len, void *dst, size_t room);

// Converts Latin-1 from `src` (`len` bytes) to UTF-32 in `dst` (room for `room` code units; `len` are always
// enough).
struct simdtext_result simdtext_latin1_to_utf32(const char *src,
                                                size_t len,
                                                simdtext_char32 *dst,
                                                size_t room);

// The bytes of UTF-8 that Latin-1 in `src` (`len` bytes) becomes. SIZE_MAX if the arguments are refused.
size_t simdtext_utf8_len_from_latin1(const char *src, size_t len);

// Whether `src` (`len` bytes) is ASCII. False if the arguments are refused.
bool simdtext_validate_ascii(const char *src, size_t len);

// Validates ASCII in `src` (`len` bytes). `read` is the length of the ASCII, and `fault` the first other
// byte.
struct simdtext_result simdtext_validate_ascii_with_errors(const char *src, size_t len);

// Frees what a function has allocated with this allocator, which must be null if it was null there. Does
// nothing if `memory` is null.
void simdtext_free(void *memory, const struct simdtext_allocator *allocator);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SIMDTEXT_H */
