//! Counts the instructions of the main conversions with valgrind. These counts do not depend on the load of
//! the machine, so CI can notice when one rises.
//!
//! `.ci/callgrind` runs this with the AVX2, SSE4 and scalar kernels (valgrind does not support AVX-512) and
//! compares the counts with `benches/instructions.tsv`. Instructions are not time: a count that rises, or
//! falls, is a reason to measure. Each conversion runs with long texts, each of which takes a different path
//! through the kernels, and with a text of 48 bytes, for which most of the cost is the way to the kernel.
#![expect(missing_docs, reason = "the harness's macros make public modules")]

use std::hint::black_box;

use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use simdtext::{Bom, Encoding, Unmappable, unicode};
use simdtext_bench::corpus::boundary;
use simdtext_bench::encoded;

/// The texts, which are the same on every machine: the files of `samples/`, repeated.
const TEXTS: [(&str, &str); 5] = [
    ("en", include_str!("../samples/utf-8/en.txt")),
    ("fr", include_str!("../samples/utf-8/fr.txt")),
    ("ru", include_str!("../samples/utf-8/ru.txt")),
    ("zh", include_str!("../samples/utf-8/zh-hans.txt")),
    ("rare", include_str!("../samples/utf-8/zh-hans-rare.txt")),
];

/// About `len` bytes of a text, in whole characters.
fn of_length(text: &str, len: usize) -> String {
    let mut repeated = text.repeat(len.div_ceil(text.len()));
    repeated.truncate(boundary(&repeated, len));
    repeated
}

fn bytes(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// The text with one byte in 100 changed to FF.
fn damaged(text: &str) -> Vec<u8> {
    with_one_in_100(bytes(text), 0xFF)
}

fn utf16(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// UTF-16 in which one code unit in 100 is a lone surrogate.
fn damaged_utf16(text: &str) -> Vec<u16> {
    with_one_in_100(utf16(text), 0xDC00)
}

fn with_one_in_100<T: Copy>(mut units: Vec<T>, other: T) -> Vec<T> {
    let places = units.iter_mut().skip(50).step_by(100);
    places.for_each(|unit| *unit = other);
    units
}

/// The text as UTF-16LE bytes.
fn utf16le(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn utf32(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

/// The text as Latin-1; other characters are reduced to their last seven bits.
fn latin1(text: &str) -> Vec<u8> {
    let byte = |ch: char| u8::try_from(ch).unwrap_or(u32::from(ch).to_le_bytes()[0] & 0x7F);
    text.chars().map(byte).collect()
}

/// The characters of [`latin1`] as UTF-8.
fn latin1_as_utf8(text: &str) -> Vec<u8> {
    let text: String = latin1(text).into_iter().map(char::from).collect();
    text.into_bytes()
}

/// The characters of [`latin1`] as UTF-16.
fn latin1_as_utf16(text: &str) -> Vec<u16> {
    latin1(text).into_iter().map(u16::from).collect()
}

/// A source, and room for the output. Also selects the kernels, which happens only once.
fn input<S, D: Clone + Default>(
    language: &str,
    len: usize,
    make: impl Fn(&str) -> Vec<S>,
) -> (Vec<S>, Vec<D>) {
    let isa = std::env::var("SIMDTEXT_ISA");
    assert!(
        isa.is_ok_and(|isa| isa == simdtext::active_isa()),
        "valgrind has no {}: .ci/callgrind says which to ask for",
        simdtext::active_isa()
    );
    let text = TEXTS.iter().find(|(code, _)| *code == language);
    let src = make(&of_length(text.map_or("", |(_, text)| text), len));
    let dst = vec![D::default(); 4 * src.len()];
    (src, dst)
}

/// Benchmarks that convert these texts: long ones, and a short one.
macro_rules! conversions {
    ($texts:tt $($name:ident: $source:ty => $target:ty, $make:expr, $convert:expr;)*) => {
        $(conversions!(@ $texts $name $source, $target, $make, $convert);)*
    };
    (@ [$($text:ident)*] $name:ident $source:ty, $target:ty, $make:expr, $convert:expr) => {
        #[library_benchmark]
        $(#[bench::$text(input(stringify!($text), 16384, $make))])*
        #[bench::short(input("ru", 48, $make))]
        fn $name(
            (src, mut dst): (Vec<$source>, Vec<$target>),
        ) -> (usize, Vec<$source>, Vec<$target>) {
            let convert: fn(&[$source], &mut [$target]) -> usize = $convert;
            // The buffers are returned, so that freeing them is not counted.
            (convert(black_box(&src), black_box(&mut dst)), src, dst)
        }
    };
}

// Each line names a conversion, its units, how its text is made, and the call.
conversions! {
    [en fr ru zh rare]
    utf8_validate: u8 => u8, bytes,
        |src, _| unicode::validate_utf8(src).is_ok().into();
    utf8_copy: u8 => u8, bytes,
        |src, dst| unicode::utf8_to_utf8(src, dst).written;
    utf8_lossy_1: u8 => u8, damaged,
        |src, dst| unicode::utf8_to_utf8_lossy(src, dst).written;
    utf8_to_utf16: u8 => u16, bytes,
        |src, dst| unicode::utf8_to_utf16(src, dst).written;
    utf8_to_utf32: u8 => u32, bytes,
        |src, dst| unicode::utf8_to_utf32(src, dst).written;
    utf8_to_latin1: u8 => u8, latin1_as_utf8,
        |src, dst| unicode::utf8_to_latin1(src, dst).written;
    utf16_to_utf8: u16 => u8, utf16,
        |src, dst| unicode::utf16_to_utf8(src, dst).written;
    utf16le_to_utf8: u8 => u8, utf16le,
        |src, dst| unicode::utf16le_to_utf8(src, dst).written;
    utf32_to_utf8: u32 => u8, utf32,
        |src, dst| unicode::utf32_to_utf8(src, dst).written;
    latin1_to_utf8: u8 => u8, latin1,
        |src, dst| unicode::latin1_to_utf8(src, dst).written;
}

// Conversions that differ less from text to text.
conversions! {
    [fr ru]
    utf8_lossy_to_utf16_1: u8 => u16, damaged,
        |src, dst| unicode::utf8_to_utf16_lossy(src, dst).written;
    utf16_lossy_1: u16 => u8, damaged_utf16,
        |src, dst| unicode::utf16_to_utf8_lossy(src, dst).written;
    utf16_to_utf32: u16 => u32, utf16,
        |src, dst| unicode::utf16_to_utf32(src, dst).written;
    utf32_to_utf16: u32 => u16, utf32,
        |src, dst| unicode::utf32_to_utf16(src, dst).written;
    latin1_to_utf16: u8 => u16, latin1,
        |src, dst| unicode::latin1_to_utf16(src, dst).written;
    utf16_to_latin1: u16 => u8, latin1_as_utf16,
        |src, dst| unicode::utf16_to_latin1(src, dst).written;
    utf16_len_of_utf8: u8 => u8, bytes,
        |src, _| unicode::utf16_len_from_utf8(src);
    utf8_len_of_utf16: u16 => u8, utf16,
        |src, _| unicode::utf8_len_from_utf16(src);
}

/// A text, and room for it in another form.
struct Legacy<D> {
    encoding: &'static Encoding,
    text: String,
    /// The text in the encoding, with character references for characters that the encoding lacks.
    encoded: Vec<u8>,
    dst: Vec<D>,
}

fn legacy<D: Clone + Default>(language: &str, label: &str, len: usize) -> Legacy<D> {
    let encoding = Encoding::for_label(label.as_bytes()).unwrap_or(simdtext::UTF_8);
    let (text, dst) = input(language, len, bytes);
    let text = String::from_utf8(text).unwrap_or_default();
    let encoded = encoded(encoding, &text).unwrap_or_default();
    // Has the tables of a single-byte encoding made, which happens only once.
    let (front, (mut utf8, mut utf16)) = (&encoded[..encoded.len().min(32)], ([0; 99], [0; 99]));
    let decoder = || encoding.decoder(Bom::Keep);
    let _ = decoder().decode_to_utf8(front, &mut utf8, false);
    let _ = decoder().decode_to_utf16(front, &mut utf16, false);
    Legacy {
        encoding,
        encoded,
        text,
        dst,
    }
}

#[library_benchmark]
#[bench::utf8(legacy("ru", "utf-8", 16384))]
#[bench::windows_1251(legacy("ru", "windows-1251", 16384))]
#[bench::windows_1251_short(legacy("ru", "windows-1251", 48))]
#[bench::windows_1252(legacy("fr", "windows-1252", 16384))]
#[bench::gbk(legacy("zh", "gbk", 16384))]
#[bench::gb18030(legacy("rare", "gb18030", 16384))]
fn decode_to_utf8(mut input: Legacy<u8>) -> (usize, Legacy<u8>) {
    let mut decoder = input.encoding.decoder(Bom::Keep);
    let (src, dst) = (black_box(&input.encoded), black_box(&mut input.dst));
    (decoder.decode_to_utf8(src, dst, true).written, input)
}

#[library_benchmark]
#[bench::windows_1251(legacy("ru", "windows-1251", 16384))]
#[bench::gbk(legacy("zh", "gbk", 16384))]
fn decode_to_utf16(mut input: Legacy<u16>) -> (usize, Legacy<u16>) {
    let mut decoder = input.encoding.decoder(Bom::Keep);
    let (src, dst) = (black_box(&input.encoded), black_box(&mut input.dst));
    (decoder.decode_to_utf16(src, dst, true).written, input)
}

#[library_benchmark]
#[bench::windows_1251(legacy("ru", "windows-1251", 16384))]
#[bench::windows_1251_short(legacy("ru", "windows-1251", 48))]
#[bench::windows_1252(legacy("fr", "windows-1252", 16384))]
#[bench::gbk(legacy("zh", "gbk", 16384))]
fn encode_from_utf8(mut input: Legacy<u8>) -> (usize, Legacy<u8>) {
    let Some(mut encoder) = input.encoding.encoder() else {
        return (0, input);
    };
    let (text, dst) = (black_box(&*input.text), black_box(&mut input.dst));
    let progress = encoder.encode_from_utf8(text, dst, true, Unmappable::Ncr);
    (progress.written, input)
}

library_benchmark_group!(
    name = instructions;
    benchmarks =
        utf8_validate, utf8_copy, utf8_lossy_1, utf8_to_utf16, utf8_to_utf32, utf8_to_latin1,
        utf16_to_utf8, utf16le_to_utf8, utf32_to_utf8, latin1_to_utf8, utf8_lossy_to_utf16_1,
        utf16_lossy_1, utf16_to_utf32, utf32_to_utf16, latin1_to_utf16, utf16_to_latin1,
        utf16_len_of_utf8, utf8_len_of_utf16, decode_to_utf8, decode_to_utf16, encode_from_utf8
);

main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("SIMDTEXT_ISA");
    library_benchmark_groups = instructions
);
