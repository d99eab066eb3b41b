//! How many instructions the main conversions take, counted by valgrind: numbers that do not depend
//! on the machine's load, so that CI can tell when one rises.
//!
//! `.ci/callgrind` runs this with the AVX2, SSE4 and scalar kernels (valgrind knows no AVX-512) and
//! compares with `benches/instructions.tsv`. Instructions are not time: a count that rises is a
//! reason to measure, and so is one that falls.
#![expect(missing_docs, reason = "the harness's macros make public modules")]

mod fixed;

use std::hint::black_box;

use fixed::{TEXTS, of_length};
use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use simdtext::{Bom, Encoding, Unmappable, unicode};

/// A source, and room for what it becomes. Also chooses the kernels, which is done once.
fn input<S, D: Clone + Default>(
    language: &str,
    len: usize,
    make: impl Fn(&str) -> Vec<S>,
) -> (Vec<S>, Vec<D>) {
    black_box(simdtext::active_isa());
    let text = TEXTS.iter().find(|(code, _)| *code == language);
    let src = make(&of_length(text.map_or("", |(_, text)| text), len));
    let dst = vec![D::default(); 4 * src.len()];
    (src, dst)
}

/// A benchmark that converts each text, long, and one short one.
macro_rules! conversion {
    ($name:ident, $source:ty, $target:ty, $make:expr, $convert:expr) => {
        #[library_benchmark]
        #[bench::en(input("en", 16384, $make))]
        #[bench::fr(input("fr", 16384, $make))]
        #[bench::ru(input("ru", 16384, $make))]
        #[bench::zh(input("zh", 16384, $make))]
        #[bench::rare(input("rare", 16384, $make))]
        #[bench::short(input("ru", 48, $make))]
        fn $name(
            (src, mut dst): (Vec<$source>, Vec<$target>),
        ) -> (usize, Vec<$source>, Vec<$target>) {
            let convert: fn(&[$source], &mut [$target]) -> usize = $convert;
            // The buffers go out again so that freeing them is not counted.
            (convert(black_box(&src), black_box(&mut dst)), src, dst)
        }
    };
}

conversion!(utf8_validate, u8, u8, fixed::bytes, |src, _| {
    usize::from(unicode::validate_utf_8(src).is_ok())
});
conversion!(utf8_copy, u8, u8, fixed::bytes, |src, dst| {
    unicode::utf_8_to_utf_8(src, dst).written
});
conversion!(utf8_lossy_1, u8, u8, fixed::damaged, |src, dst| {
    unicode::utf_8_to_utf_8_lossy(src, dst).written
});
conversion!(utf8_to_utf16, u8, u16, fixed::bytes, |src, dst| {
    unicode::utf_8_to_utf_16(src, dst).written
});
conversion!(utf8_to_utf32, u8, u32, fixed::bytes, |src, dst| {
    unicode::utf_8_to_utf_32(src, dst).written
});
conversion!(
    utf8_to_latin1,
    u8,
    u8,
    fixed::latin_1_as_utf_8,
    |src, dst| { unicode::utf_8_to_latin_1(src, dst).written }
);
conversion!(utf16_to_utf8, u16, u8, fixed::utf_16, |src, dst| {
    unicode::utf_16_to_utf_8(src, dst).written
});
conversion!(utf16le_to_utf8, u8, u8, fixed::utf_16le, |src, dst| {
    unicode::utf_16le_to_utf_8(src, dst).written
});
conversion!(utf32_to_utf8, u32, u8, fixed::utf_32, |src, dst| {
    unicode::utf_32_to_utf_8(src, dst).written
});
conversion!(latin1_to_utf8, u8, u8, fixed::latin_1, |src, dst| {
    unicode::latin_1_to_utf_8(src, dst).written
});

/// A text in an encoding, without what it lacks.
fn encoded(language: &str, label: &str) -> (&'static Encoding, Vec<u8>, Vec<u8>) {
    let encoding = Encoding::for_label(label.as_bytes()).unwrap_or(simdtext::UTF_8);
    let (text, dst) = input(language, 16384, fixed::bytes);
    let text = String::from_utf8(text).unwrap_or_default();
    let bytes = encoding.encode(&text, Unmappable::Ncr);
    (
        encoding,
        bytes
            .map(|encoded| encoded.bytes.into_owned())
            .unwrap_or_default(),
        dst,
    )
}

#[library_benchmark]
#[bench::utf_8(encoded("ru", "utf-8"))]
#[bench::windows_1251(encoded("ru", "windows-1251"))]
#[bench::windows_1252(encoded("fr", "windows-1252"))]
#[bench::gbk(encoded("zh", "gbk"))]
#[bench::gb18030(encoded("rare", "gb18030"))]
fn decode_to_utf8(
    (encoding, src, mut dst): (&'static Encoding, Vec<u8>, Vec<u8>),
) -> (usize, Vec<u8>, Vec<u8>) {
    let mut decoder = encoding.decoder(Bom::Keep);
    let progress = decoder.decode_to_utf8(black_box(&src), black_box(&mut dst), true);
    (progress.written, src, dst)
}

library_benchmark_group!(
    name = instructions;
    benchmarks =
        utf8_validate, utf8_copy, utf8_lossy_1, utf8_to_utf16, utf8_to_utf32, utf8_to_latin1,
        utf16_to_utf8, utf16le_to_utf8, utf32_to_utf8, latin1_to_utf8, decode_to_utf8
);

main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("SIMDTEXT_ISA");
    library_benchmark_groups = instructions
);
