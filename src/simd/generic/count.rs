//! Lengths and counts. Lanes that are all ones are minus one: they are added up in bytes, as long as
//! those hold the sum.

use super::LANES;
use crate::simd::scalar;
use crate::simd::vector::Vector;

/// Code units of UTF-16 in UTF-8.
#[inline(always)]
pub(in crate::simd) fn utf16_len_from_utf8(v: impl Vector<LANES>, src: &[u8]) -> usize {
    let (vectors, rest) = src.as_chunks();
    let len = sum(v, vectors, |bytes| {
        v.add_u8(is_no_continuation(v, bytes), v.at_least_u8(bytes, 0xF0))
    });
    len + scalar::count::utf16_len_from_utf8(rest)
}

/// Characters in UTF-8.
#[inline(always)]
pub(in crate::simd) fn count_scalars_utf8(v: impl Vector<LANES>, src: &[u8]) -> usize {
    let (vectors, rest) = src.as_chunks();
    let count = sum(v, vectors, |bytes| is_no_continuation(v, bytes));
    count + scalar::count::count_scalars_utf8(rest)
}

/// Bytes of UTF-8 in Latin-1.
#[inline(always)]
pub(in crate::simd) fn utf8_len_from_latin1(v: impl Vector<LANES>, src: &[u8]) -> usize {
    let (vectors, rest) = src.as_chunks();
    let longer = sum(v, vectors, |bytes| v.lt_i8(bytes, v.splat_u8(0)));
    LANES * vectors.len() + longer + scalar::count::utf8_len_from_latin1(rest)
}

#[inline(always)]
fn is_no_continuation<V: Vector<LANES>>(v: V, bytes: V::V) -> V::V {
    // Signed, continuation bytes are the smallest.
    v.lt_i8(v.splat_u8(0xBF), bytes)
}

/// Adds up what each byte counts; `minus` is 0 to 2 less than nothing.
#[inline(always)]
fn sum<V: Vector<LANES>>(v: V, vectors: &[[u8; LANES]], minus: impl Fn(V::V) -> V::V) -> usize {
    /// A byte holds twice their number.
    const MAX_VECTORS: usize = 127;
    let mut sum = 0;
    for vectors in vectors.chunks(MAX_VECTORS) {
        let mut counts = v.splat_u8(0);
        for from in vectors {
            counts = v.sub_u8(counts, minus(v.load(from)));
        }
        sum += v.sum_u8(counts);
    }
    sum
}
