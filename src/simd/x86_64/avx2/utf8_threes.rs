//! Runs of three-byte characters, 16 at a time: prose in Chinese, Japanese or Thai has little else. In other
//! text, most of the time is spent on finding out how many bytes each character has.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::store;
use crate::simd::x86_64::{as_bytes, sse4};

/// The number of characters that are converted together.
const CHARACTERS: usize = 16;

/// The number of their bytes.
const BYTES: usize = 3 * CHARACTERS;

/// These bytes, and what the last load reads after them.
const READ: usize = BYTES + 4;

/// Returns the code units of 16 characters, and two bits for each that is well-formed and has three bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn units(from: &[u8; READ]) -> (__m256i, u32) {
    // The packs below work within each 128-bit half, so these are characters 0 to 3 and 8 to 11, and then the others.
    let (low, low_whole) = eight_scalars(four_characters(from, 0), four_characters(from, 24));
    let (high, high_whole) = eight_scalars(four_characters(from, 12), four_characters(from, 36));
    let units = _mm256_packus_epi32(low, high);
    let kind = _mm256_and_si256(units, _mm256_set1_epi16(0xF800_u16.cast_signed()));
    let too_long = _mm256_cmpeq_epi16(kind, _mm256_setzero_si256());
    let surrogate = _mm256_cmpeq_epi16(kind, _mm256_set1_epi16(0xD800_u16.cast_signed()));
    let wrong = _mm256_or_si256(too_long, surrogate);
    let right = _mm256_andnot_si256(wrong, _mm256_packs_epi32(low_whole, high_whole));
    (units, _mm256_movemask_epi8(right).cast_unsigned())
}

/// Loads the four characters at `at`, and four bytes after them.
#[inline]
#[target_feature(enable = "avx2")]
fn four_characters(from: &[u8; READ], at: usize) -> __m128i {
    match from[at..].first_chunk() {
        Some(four) => sse4::load(four),
        None => sse4::load(&[0; 16]),
    }
}

/// Returns the bits of four characters and four others, and which of them are a lead byte of three and two continuation
/// bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn eight_scalars(first: __m128i, second: __m128i) -> (__m256i, __m256i) {
    #[rustfmt::skip]
    let each = _mm256_setr_epi8(
        2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1,
        2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1,
    );
    let characters = _mm256_shuffle_epi8(_mm256_set_m128i(second, first), each);
    let marks = _mm256_and_si256(characters, _mm256_set1_epi32(0x00F0_C0C0));
    let whole = _mm256_cmpeq_epi32(marks, _mm256_set1_epi32(0x00E0_8080));
    let bits = _mm256_and_si256(characters, _mm256_set1_epi32(0x000F_3F3F));
    // The last two bytes, and 16 times the first, which the next step multiplies by 256.
    let parts = _mm256_maddubs_epi16(bits, _mm256_set1_epi32(0x0010_4001));
    let scalars = _mm256_madd_epi16(parts, _mm256_set1_epi32(0x0100_0001));
    (scalars, whole)
}

/// Converts a run of three-byte characters; returns their number. `write` gets 16 code units and their place,
/// `ROOM` items of the output.
#[inline]
#[target_feature(enable = "avx2")]
fn convert<To, const ROOM: usize>(
    src: &[u8],
    dst: &mut [MaybeUninit<To>],
    write: impl Fn(&mut [MaybeUninit<To>; ROOM], __m256i),
) -> usize {
    let mut done = 0;
    while let Some(from) = src[3 * done..].first_chunk()
        && let Some(to) = dst[ROOM / CHARACTERS * done..].first_chunk_mut()
    {
        let (units, right) = units(from);
        write(to, units);
        // A branch, which is predicted, so that the next load need not wait for this one.
        if right != u32::MAX {
            return done + right.trailing_ones() as usize / 2;
        }
        done += CHARACTERS;
    }
    done
}

/// Converts a run of three-byte characters to UTF-16. Returns their number.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd::x86_64) fn to_utf16(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    convert(src, dst, |to, units| store(to, units))
}

/// Converts a run of three-byte characters to UTF-32. Returns their number.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd::x86_64) fn to_utf32(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> usize {
    convert::<_, CHARACTERS>(src, dst, |to, units| {
        if let ([low, high], _) = as_bytes(to).as_chunks_mut() {
            let upper = _mm256_extracti128_si256::<1>(units);
            store(low, _mm256_cvtepu16_epi32(_mm256_castsi256_si128(units)));
            store(high, _mm256_cvtepu16_epi32(upper));
        }
    })
}
