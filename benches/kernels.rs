//! Single kernels, for while one works on them: criterion remembers the last run and says whether
//! this one is faster.
//!
//! `cargo bench --bench kernels -- utf8-to-utf16/ru` takes half a minute, with `--quick` a few
//! seconds, and `-- --list` names all; `SIMDTEXT_ISA` chooses the kernels. What the peers do is for
//! the matrix. Here the texts repeat, which branch predictors may learn.

mod fixed;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use fixed::{TEXTS, of_length};
use simdtext::unicode;

/// Runs a function on each text, long and short.
fn each<S, D: Clone + Default>(
    criterion: &mut Criterion,
    name: &str,
    input: impl Fn(&str) -> Vec<S>,
    convert: impl Fn(&[S], &mut [D]) -> usize,
) {
    let mut group = criterion.benchmark_group(name);
    for (language, text) in TEXTS {
        for len in [48, 64 * 1024] {
            let src = input(&of_length(text, len));
            let mut dst = vec![D::default(); 4 * src.len()];
            group.throughput(Throughput::Bytes(size_of_val(&*src) as u64));
            group.bench_function(BenchmarkId::new(language, len), |bencher| {
                bencher.iter(|| convert(black_box(&src), black_box(&mut dst)));
            });
        }
    }
}

fn utf8(c: &mut Criterion) {
    each(c, "utf8-validate", fixed::bytes, |src, _: &mut [u8]| {
        usize::from(unicode::validate_utf8(src).is_ok())
    });
    each(c, "utf8-copy", fixed::bytes, |src, dst: &mut [u8]| {
        unicode::utf8_to_utf8(src, dst).written
    });
    each(c, "utf8-lossy-1", fixed::damaged, |src, dst: &mut [u8]| {
        unicode::utf8_to_utf8_lossy(src, dst).written
    });
    each(c, "utf8-to-utf16", fixed::bytes, |src, dst: &mut [u16]| {
        unicode::utf8_to_utf16(src, dst).written
    });
    each(c, "utf8-to-utf32", fixed::bytes, |src, dst: &mut [u32]| {
        unicode::utf8_to_utf32(src, dst).written
    });
    each(
        c,
        "utf8-to-latin1",
        fixed::latin1_as_utf8,
        |src, dst: &mut [u8]| unicode::utf8_to_latin1(src, dst).written,
    );
    each(c, "utf16-len-of-utf8", fixed::bytes, |src, _: &mut [u8]| {
        unicode::utf16_len_from_utf8(src)
    });
}

fn others(c: &mut Criterion) {
    each(c, "utf16-to-utf8", fixed::utf16, |src, dst: &mut [u8]| {
        unicode::utf16_to_utf8(src, dst).written
    });
    each(
        c,
        "utf16le-to-utf8",
        fixed::utf16le,
        |src, dst: &mut [u8]| unicode::utf16le_to_utf8(src, dst).written,
    );
    each(c, "utf16-validate", fixed::utf16, |src, _: &mut [u8]| {
        usize::from(unicode::validate_utf16(src).is_ok())
    });
    each(
        c,
        "utf16-lossy-1",
        fixed::damaged_utf16,
        |src, dst: &mut [u8]| unicode::utf16_to_utf8_lossy(src, dst).written,
    );
    each(
        c,
        "utf16-to-latin1",
        fixed::latin1_as_utf16,
        |src, dst: &mut [u8]| unicode::utf16_to_latin1(src, dst).written,
    );
    each(c, "utf32-to-utf8", fixed::utf32, |src, dst: &mut [u8]| {
        unicode::utf32_to_utf8(src, dst).written
    });
    each(c, "latin1-to-utf8", fixed::latin1, |src, dst: &mut [u8]| {
        unicode::latin1_to_utf8(src, dst).written
    });
}

criterion_group!(kernels, utf8, others);
criterion_main!(kernels);
