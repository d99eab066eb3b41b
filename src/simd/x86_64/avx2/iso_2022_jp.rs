//! ISO-2022-JP ↔ UTF-16 and UTF-8.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_set1_epi8,
};
use core::mem::MaybeUninit;

use super::three_bytes;
use super::utf8_blocks::widen;
use super::{LANES, load, store};
use crate::simd::two_byte::cells::TwoByteCells;
use crate::simd::two_byte::decode::{ToUtf8, ToUtf16};
use crate::simd::two_byte::encode::{FromUtf8, FromUtf16};
use crate::simd::two_byte::index::TwoByteIndex;
use crate::simd::two_byte::iso_2022_jp::{
    JisState, decode, encode, put_unshifted, put_unshifted_bytes,
};
use crate::simd::x86_64::as_bytes;

/// Decodes to UTF-16, up to what is neither ASCII nor a pair, nor an escape sequence to one of the two. Returns the
/// bytes read and the units written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn to_utf16(
    index: &TwoByteIndex,
    state: &mut JisState,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let target = ToUtf16 {
        ascii: |src: &[u8], to: &mut [_]| unshifted_to_utf16(src, to),
    };
    decode(target, index, state, src, dst)
}

/// Decodes to UTF-8, up to what is neither ASCII nor a pair, nor an escape sequence to one of the two. Returns the bytes read and the bytes written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn to_utf8(
    index: &TwoByteIndex,
    state: &mut JisState,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let target = ToUtf8 {
        ascii: |src: &[u8], to: &mut [_]| unshifted_to_utf8(src, to),
        three: |unit| three_bytes::three(unit),
    };
    decode(target, index, state, src, dst)
}

/// Encodes UTF-16 up to what is neither ASCII nor has a pair, with the escape sequences between the two. Returns
/// the units read and the bytes written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn of_utf16(
    cells: &TwoByteCells,
    pairs: &mut bool,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let source = FromUtf16 {
        ascii: |src: &[u16], to: &mut [_]| put_unshifted(src, to),
    };
    encode(source, cells, pairs, src, dst)
}

/// Encodes well-formed UTF-8 up to what is neither ASCII nor has a pair, with the escape sequences between
/// the two. Returns the bytes read and the bytes written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn of_utf8(
    cells: &TwoByteCells,
    pairs: &mut bool,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let source = FromUtf8 {
        ascii: |src: &[u8], to: &mut [_]| unshifted_to_utf8(src, to),
        unit: |four| three_bytes::unit(four),
    };
    encode(source, cells, pairs, src, dst)
}

/// Copies ASCII but ESC, SO and SI from the front, as far as there is room; returns its length.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn unshifted_to_utf8(src: &[u8], to: &mut [MaybeUninit<u8>]) -> usize {
    let mut run = 0;
    while let Some(from) = src.get(run..).and_then(<[_]>::first_chunk::<LANES>)
        && let Some(room) = to.get_mut(run..).and_then(<[_]>::first_chunk_mut::<LANES>)
    {
        let bytes = load(from);
        store(room, bytes);
        let stops = stops(bytes);
        if stops != 0 {
            return run + stops.trailing_zeros() as usize;
        }
        run += LANES;
    }
    run + put_unshifted_bytes(&src[run..], &mut to[run..])
}

/// Widens ASCII but ESC, SO and SI from the front, as far as there is room; returns its length.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn unshifted_to_utf16(src: &[u8], to: &mut [MaybeUninit<u16>]) -> usize {
    let mut run = 0;
    while let Some(from) = src.get(run..).and_then(<[_]>::first_chunk::<LANES>)
        && let Some(room) = to.get_mut(run..).and_then(<[_]>::first_chunk_mut::<LANES>)
    {
        let (rooms, _) = as_bytes(room).as_chunks_mut();
        for (room, half) in rooms.iter_mut().zip(from.as_chunks().0) {
            widen::<false>(room, half);
        }
        let stops = stops(load(from));
        if stops != 0 {
            return run + stops.trailing_zeros() as usize;
        }
        run += LANES;
    }
    run + put_unshifted_bytes(&src[run..], &mut to[run..])
}

/// Which bytes are ESC, SO, SI or no ASCII.
#[inline]
#[target_feature(enable = "avx2")]
fn stops(bytes: __m256i) -> u32 {
    let all = |byte: u8| _mm256_set1_epi8(byte.cast_signed());
    let is_escape = _mm256_cmpeq_epi8(bytes, all(0x1B));
    let is_shift = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, all(0xFE)), all(0x0E));
    let stops = _mm256_or_si256(bytes, _mm256_or_si256(is_escape, is_shift));
    _mm256_movemask_epi8(stops).cast_unsigned()
}
