//! The whole [WHATWG Encoding Standard](https://encoding.spec.whatwg.org/): forty encodings, to and
//! from UTF-8 and UTF-16, exactly as the standard says, in stable Rust.
//!
//! # A whole slice
//!
//! ```
//! use simdtext::{Encoding, SHIFT_JIS, Unmappable};
//!
//! let decoded = SHIFT_JIS.decode(b"\x93\xFA\x96{");
//! assert_eq!(decoded.text, "日本");
//! assert_eq!(decoded.errors, 0);
//!
//! let encoding = Encoding::for_label(b"iso-8859-2").expect("a label of the standard");
//! let encoded = encoding.encode("čeština", Unmappable::Strict)?;
//! assert_eq!(*encoded.bytes, *b"\xE8e\xB9tina");
//! # Ok::<(), simdtext::EncodeError>(())
//! ```
//!
//! [`Encoding::decode`] lets a byte order mark override the encoding and replaces malformed sequences by
//! U+FFFD, as browsers do; [`Encoding::decode_with_bom`] and [`Encoding::decode_strict`] let you choose. The
//! result borrows the input if that is already the text. [`Encoding::decode_to_utf16`] and
//! [`Encoding::encode_from_utf16`] do the same to and from UTF-16.
//!
//! # A stream
//!
//! [`Encoding::decoder`] and [`Encoding::encoder`] convert piece by piece, into your own buffers, and allocate
//! nothing except, once per process, the tables of East Asian encodings (without `alloc`, nothing at all). Each
//! call returns a [`Progress`], which says why it stopped, and how much it read and wrote. However the input is
//! cut, and with any output buffer of at least [`MIN_UTF8`], [`MIN_UTF16`] or [`MIN_ENCODED`] units, the text
//! and the errors are the same.
//!
//! ```
//! use simdtext::{Bom, GBK, Status};
//!
//! let mut decoder = GBK.decoder(Bom::Sniff);
//! let (mut text, mut dst) = (Vec::new(), [0; 16]);
//! let pieces = [&b"\xC4"[..], b"\xE3\xBA", b"\xC3\xFF"];
//! for (i, piece) in pieces.iter().enumerate() {
//!     let (mut src, last) = (*piece, i + 1 == pieces.len());
//!     loop {
//!         let progress = decoder.decode_to_utf8(src, &mut dst, last);
//!         text.extend_from_slice(&dst[..progress.written]);
//!         src = &src[progress.read..];
//!         if progress.status == Status::InputEmpty {
//!             break;
//!         }
//!     }
//! }
//! assert_eq!(text, "你好\u{FFFD}".as_bytes());
//! ```
//!
//! [`Decoder::decode_to_utf8_strict`] stops after each malformed sequence with [`Status::Malformed`], and
//! [`Decoder::decode_to_utf8_with`] calls a function for each. [`Decoder::decode_to_string`] and
//! [`Encoder::encode_to_vec`] append as much as there is room for; [`Decoder::decode_all_to_string`] and
//! [`Encoder::encode_all_to_vec`] append all of it.
//!
//! # Names
//!
//! - `decode…` and `encode…` without a suffix continue after errors, as browsers do: malformed sequences become
//!   U+FFFD, and [`Unmappable`] decides about characters that an encoding lacks. `…_strict` stops at the first
//!   malformed sequence, `…_with` also calls a function for each, and `…_with_bom` takes the rule for byte
//!   order marks, [`Bom`].
//! - In [`unicode`] the names follow `std` and simdutf instead: `utf8_to_utf16` stops, and `…_lossy` replaces.
//! - `…_to_string`, `…_to_vec` append as much as fits into the capacity, and `…_all_to_…` all of it.
//!   `…_to_utf8`, `…_to_utf16` and `…_to_str` write to a slice, and `…_uninit` to an uninitialised one.
//!   `…_from_utf16` reads UTF-16; without it, text is UTF-8. `try_…` returns an error where the function
//!   without the prefix can't; [`io::EncodeWriter::try_finish`] may be called again after one.
//! - Arguments come in this order: encoding, input, output, `last`, policy ([`Bom`], [`Unmappable`]), function.
//!   A wrapped reader or writer comes first. [`hooks`] and [`web`] use the names and the order of the standard.
//! - `with_…` is a constructor. Each option is set by a method with its name, which takes the value; options
//!   that are on or off take a `bool`.
//! - `feed` takes the next bytes, and `finish` ends the input. Lengths of text are in units of its form (bytes
//!   of UTF-8, code units of UTF-16), and offsets count from the start of the stream.
//!
//! # A document that may declare its encoding
//!
//! [`sniff::resolve`] determines the encoding from a byte order mark, the Content-Type, and the document's own
//! declaration, as browsers do, and returns the evidence. It does not guess; for documents that declare
//! nothing, [`detect`](mod@detect) does.
//!
//! ```
//! use simdtext::sniff::{Confidence, Evidence, Hints, resolve};
//!
//! let sheet = b"@charset \"koi8-r\"; q::before { content: '\xF6' }";
//! let decision = resolve(&Hints::default(), sheet, true);
//! assert_eq!(decision.encoding, simdtext::KOI8_R);
//! assert_eq!(decision.evidence, Evidence::Prescan);
//! assert_eq!(decision.confidence, Confidence::Certain);
//! assert!(decision.encoding.decode(sheet).text.contains('Ж'));
//! ```
//!
//! # Overview
//!
//! | for | use |
//! |---|---|
//! | labels, names, byte order marks | [`Encoding`] |
//! | whole slices | [`Encoding::decode`], [`Encoding::encode`] and related functions |
//! | streams | [`Decoder`], [`Encoder`] |
//! | the encoding that a document or its transport declares | [`sniff`] |
//! | text of mixed encodings, one of a few, or encoded twice | [`sniff::Segments`], [`sniff::FirstValid`], [`sniff::DoubleEncoding`] |
//! | `Read` and `Write` | [`io`]; [`io::DecodeReader::sniffing`] if the encoding is unknown |
//! | one stream, or many, on many cores | [`parallel`] |
//! | positions in text, mapped to the bytes that it was decoded from | [`offsets`] |
//! | a guess at the encoding of bytes that declare none | [`detect`](mod@detect); [`detect::Detector`] for bytes in pieces |
//! | UTF-8, UTF-16, UTF-32 and Latin-1, to and from each other | [`unicode`] |
//! | the standard's hooks for other standards (section 6), URLs | [`hooks`] |
//! | `TextDecoder`, `TextEncoder` and their streams (section 7) | [`web`] |
//!
//! # Features
//!
//! - `std` (default): [`io`], and detection of the processor at run time.
//! - `alloc` (default, part of `std`): one-shot conversion, [`hooks`], [`offsets`] and [`web`].
//! - `avx512` (default): kernels for AVX-512 on x86-64. Without this feature, processors that have AVX-512 run
//!   the kernels for AVX2.
//! - `legacy-cjk` (default): Big5, EUC-JP, EUC-KR, GBK, gb18030, ISO-2022-JP and Shift_JIS.
//! - `legacy-single-byte` (default): ISO-8859, KOI8, windows-125x and the other encodings of section 9.
//! - `rayon` (with `std`): [`parallel`].
//! - `detect` (with both families of legacy encodings): [`detect`](mod@detect), with 209 KB of data. A program that
//!   decodes any encoding grows by some 470 KB if it also detects.
//! - `serde`: an [`Encoding`] serializes as its name, and is deserialized from any of its labels; an
//!   [`offsets::OffsetMap`] as bytes with a version.
//!
//! Without `std` the crate is `no_std`, has only kernels for the instruction sets that it is compiled for, and
//! uses the best of them; without `alloc` it needs no allocator either.
//!
//! Encodings that are left out have no statics, and [`Encoding::for_label`] returns `None` for their labels;
//! [`Encoding::label_status`] distinguishes these from unknown labels.
//!
//! # Instruction sets
//!
//! The first conversion detects the features of the processor (with `std`), and from then on the best kernels
//! for them are used: AVX-512 with VBMI2, AVX-512, AVX2 or SSE4.2 on x86-64, NEON on 64-bit Arm, simd128 in
//! WebAssembly, or plain Rust. Results are the same with all of them. [`active_isa`] names those in use.
//!
//! The environment variable `SIMDTEXT_ISA`, which is read once, selects lower ones, for tests, measurements and
//! bug reports: `avx512_vbmi2`, `avx512`, `avx2`, `sse4`, `neon`, `simd128`, `scalar`, or `none`, with which
//! only the state machines are used. It can't select instruction sets that the processor lacks.
//!
//! # Surprises
//!
//! - The labels `latin1`, `iso-8859-1` and `ascii` mean windows-1252, as on the web: byte 80 is the
//!   euro sign. For true ISO-8859-1 use [`hooks::isomorphic_decode`].
//! - The label `utf-16` means UTF-16LE; with [`Bom::Sniff`], a byte order mark overrides it.
//! - Encoders never write a byte order mark.
//! - No encoding is guessed unless you call [`detect`](mod@detect).
#![cfg_attr(not(feature = "std"), no_std)]
// docs.rs builds with a nightly compiler, and says there which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(all(feature = "rayon", feature = "detect")),
    allow(
        rustdoc::broken_intra_doc_links,
        reason = "the guide names modules that features leave out"
    )
)]
#![cfg_attr(
    not(all(feature = "legacy-cjk", feature = "legacy-single-byte")),
    allow(
        dead_code,
        unreachable_code,
        unused_imports,
        clippy::absurd_extreme_comparisons,
        reason = "for encodings that are left out, whose machines have no values and whose tables are empty"
    )
)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod codec;
#[cfg(feature = "alloc")]
mod convert;
mod decoder;
#[cfg(feature = "detect")]
pub mod detect;
mod drive;
mod encoder;
mod encoding;
#[cfg(feature = "alloc")]
pub mod hooks;
#[cfg(feature = "std")]
pub mod io;
mod label;
#[cfg(feature = "alloc")]
pub mod offsets;
mod output;
#[cfg(feature = "rayon")]
pub mod parallel;
mod progress;
mod simd;
pub mod sniff;
pub mod unicode;
#[cfg(feature = "alloc")]
pub mod web;

#[cfg(feature = "alloc")]
pub use convert::{DecodeError, Decoded, DecodedUtf16, EncodeError, Encoded};
pub use decoder::Decoder;
pub use encoder::Encoder;
pub use encoding::*;
pub use label::UnknownLabel;
pub use progress::{
    Bom, MAX_OVERWRITTEN, MIN_ENCODED, MIN_UTF8, MIN_UTF16, Malformed, Progress, Status, Unmappable,
};
pub use simd::active_isa;
