//! Short text of single-byte encodings with AVX2, in vectors that may overlap. Text that is mostly ASCII is converted
//! as if all of it were, and then the other characters are put in place one by one: only their number may be
//! mispredicted. Any other text, of which that would take twice as long, is one block of 64 characters.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::compact::{self, ROOM_OF_32_CHARS};
use super::vector::Vectors256;
use super::{LANES, load, store, store_units};
use crate::simd::generic::single_byte as long;
use crate::simd::generic::single_byte::map_from_units;
use crate::simd::generic::single_byte_map::{Upper, needs_more_than, others, rows_for};
use crate::simd::scalar;
use crate::simd::single_byte::{SingleByteToUtf8, SingleByteToUtf16, UnitsToSingleByte};
use crate::simd::vector::Vector as _;
use crate::simd::x86_64::sse4;

/// The number of bytes in half a vector.
const HALF_LANES: usize = LANES / 2;

/// The maximum length of short text, in bytes or in code units, whichever it consists of.
const MAX_SHORT_LEN: usize = 2 * LANES;

/// With more non-ASCII characters than this, the kernels for long text are as fast to UTF-8.
const MAX_NOT_ASCII: u32 = 16;

/// Returns whether a text of `len` characters, of which those in `upper` are not ASCII, is mostly ASCII.
#[inline(always)]
fn is_mostly_ascii(upper: u64, len: usize) -> bool {
    upper.count_ones() as usize <= len / 4
}

/// The positions of the set bits, from the lowest one on.
#[inline(always)]
fn ones(bits: u64) -> impl Iterator<Item = usize> {
    let mut ahead = bits;
    core::iter::from_fn(move || {
        let at = ahead.trailing_zeros() as usize;
        ahead &= ahead.checked_sub(1)?;
        Some(at)
    })
}

/// Returns where four loads of 16 bytes begin that cover `len` bytes, which must be 16 to 64.
#[inline(always)]
fn quarters(len: usize) -> [usize; 4] {
    let last = len - HALF_LANES;
    [
        0,
        last.min(HALF_LANES),
        last.saturating_sub(HALF_LANES),
        last,
    ]
}

/// Decodes up to the first unmapped byte. Returns the number of code units.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn single_byte_to_utf16(
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    if src.len() > MAX_SHORT_LEN {
        return long::single_byte_to_utf16(Vectors256::here(), table, src, dst);
    }
    short_to_utf16(table, src, dst)
}

/// Decodes short text up to the first unmapped byte. A separate function, so that it has the stack frame that it needs.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn short_to_utf16(table: &SingleByteToUtf16, src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    let done = quarters_to_utf16(table, src, dst);
    done.unwrap_or_else(|| scalar::single_byte::single_byte_to_utf16(table, src, dst))
}

/// Decodes text of 16 to 64 bytes up to the first unmapped byte. Returns the number of code units; `None` if the text
/// has another length, or another way is better.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn quarters_to_utf16(
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> Option<usize> {
    let len = src.len();
    if !(HALF_LANES..=MAX_SHORT_LEN).contains(&len) {
        return None;
    }
    let dst = dst.get_mut(..len)?;
    let places = quarters(len);
    let quarter = |at: usize| Some(sse4::load(src.get(at..)?.first_chunk()?));
    let bytes = [
        quarter(places[0])?,
        quarter(places[1])?,
        quarter(places[2])?,
        quarter(places[3])?,
    ];
    let mut upper = 0;
    for (at, bytes) in places.into_iter().zip(bytes) {
        upper |= u64::from(_mm_movemask_epi8(bytes).cast_unsigned()) << at;
    }
    if is_mostly_ascii(upper, len) {
        for (at, bytes) in places.into_iter().zip(bytes) {
            let to = dst.get_mut(at..)?.first_chunk_mut()?;
            store_units(to, _mm256_cvtepu8_epi16(bytes));
        }
        for at in ones(upper) {
            let (&byte, to) = (src.get(at)?, dst.get_mut(at)?);
            match table.unit(byte) {
                0 => return Some(at),
                unit => to.write(unit),
            };
        }
        return Some(len);
    }
    let v = Vectors256::here();
    let [a, b, c, d] = bytes;
    let [low, high] = map_to_units(table, [_mm256_set_m128i(b, a), _mm256_set_m128i(d, c)])?;
    for (i, pair) in places.as_chunks::<2>().0.iter().enumerate() {
        let (low, high) = (v.for_interleaving(low[i]), v.for_interleaving(high[i]));
        let units = [
            _mm256_unpacklo_epi8(low, high),
            _mm256_unpackhi_epi8(low, high),
        ];
        for (at, units) in pair.iter().zip(units) {
            store_units(dst.get_mut(*at..)?.first_chunk_mut()?, units);
        }
    }
    Some(len)
}

/// Returns the low and the high bytes of the code units of 64 bytes; `None` if a byte is unmapped.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn map_to_units(table: &SingleByteToUtf16, bytes: [__m256i; 2]) -> Option<[[__m256i; 2]; 2]> {
    let v = Vectors256::here();
    let is_chain = table.byte_rows.wants_chain();
    let rows = if !is_chain {
        rows_for(v, bytes)
    } else if needs_more_than(v, 4, bytes) {
        // 6 or 8 would be mispredicted in IBM866, which has capitals in other rows than small letters.
        8
    } else {
        4
    };
    let upper = Upper {
        rows: &table.byte_rows,
        others: others(&table.byte_rows, rows),
        chain: &table.byte_chain,
    };
    let full = table.is_full();
    match (is_chain, rows) {
        (false, _) => upper.map::<0, _>(v, full, bytes),
        (true, 4) => upper.map::<4, _>(v, full, bytes),
        (true, _) => upper.map::<8, _>(v, full, bytes),
    }
}

/// Writes 32 bytes with a gap before each in `upper`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn with_gaps(from: &[u8; LANES], upper: u32, to: &mut [MaybeUninit<u8>; ROOM_OF_32_CHARS]) {
    let bytes = load(from);
    let words = [
        _mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes)),
        _mm256_cvtepu8_epi16(_mm256_extracti128_si256::<1>(bytes)),
    ];
    compact::pack_1_2(words, upper, to);
}

/// Decodes text of at least 32 bytes, most of them ASCII. Returns the number of bytes; `None` for any other text, or if a
/// byte is unmapped.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn single_byte_to_utf8(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let len = src.len();
    if len > MAX_SHORT_LEN {
        return None;
    }
    let (front, back) = (src.first_chunk()?, src.last_chunk()?);
    let after = len - LANES;
    let in_front = _mm256_movemask_epi8(load(front)).cast_unsigned();
    let in_back = _mm256_movemask_epi8(load(back)).cast_unsigned();
    let upper = u64::from(in_front) | u64::from(in_back) << after;
    if upper.count_ones() > MAX_NOT_ASCII {
        return None;
    }
    with_gaps(front, in_front, dst.first_chunk_mut()?);
    let before = (upper & !(u64::MAX << after)).count_ones() as usize;
    with_gaps(
        back,
        in_back,
        dst.get_mut(after + before..)?.first_chunk_mut()?,
    );
    let mut written = len + upper.count_ones() as usize;
    let mut growth = 0;
    for at in ones(upper) {
        let [lead, next, last, len] = table.utf8[usize::from(*src.get(at)?)];
        let to = dst.get_mut(at + growth..=written)?;
        *to.first_chunk_mut()? = [lead, next].map(MaybeUninit::new);
        growth += 1;
        if len != 2 {
            if len != 3 {
                return None;
            }
            make_room_for(last, to.get_mut(2..)?);
            growth += 1;
            written += 1;
        }
    }
    Some(written)
}

/// Writes the third byte of a character, and what was in its place after it.
#[cold]
fn make_room_for(last: u8, to: &mut [MaybeUninit<u8>]) {
    if let Some(end) = to.len().checked_sub(1) {
        to.copy_within(..end, 1);
        to[0].write(last);
    }
}

/// Narrows 32 units. Returns a mask of the non-ASCII ones.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn narrow(from: &[u16; LANES], to: &mut [MaybeUninit<u8>; LANES]) -> u64 {
    let ([low, high], _) = bytemuck::cast_slice(from).as_chunks() else {
        return 0;
    };
    // FF and above become FF, and everything from 80 on has the highest bit.
    let most = _mm256_set1_epi16(0xFF);
    let low = _mm256_min_epu16(load(low), most);
    let high = _mm256_min_epu16(load(high), most);
    let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(low, high));
    store(to, bytes);
    u64::from(_mm256_movemask_epi8(bytes).cast_unsigned())
}

/// Encodes UTF-16 up to the first unit that the encoding lacks. Returns the number of units.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_single_byte(
    table: &UnitsToSingleByte,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    match short_to_single_byte(table, src, dst) {
        Some(done) => done,
        None => long::utf16_to_single_byte(Vectors256::here(), table, src, dst),
    }
}

/// Encodes at least 16 units up to the first one that the encoding lacks. Returns their number; `None` if the
/// text is not short, or another way is better.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn short_to_single_byte(
    table: &UnitsToSingleByte,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let len = src.len();
    if len > MAX_SHORT_LEN {
        return None;
    }
    let dst = dst.get_mut(..len)?;
    if len < LANES {
        return half_vectors_to_single_byte(table, src, dst);
    }
    let upper = narrow(src.first_chunk()?, dst.first_chunk_mut()?)
        | narrow(src.last_chunk()?, dst.last_chunk_mut()?) << (len - LANES);
    if is_mostly_ascii(upper, len) {
        return put_others(table, src, dst, upper);
    }
    let (bytes, missing) = map_from_units(
        Vectors256::here(),
        table,
        [src.first_chunk::<LANES>()?, src.last_chunk::<LANES>()?],
    );
    store(dst.first_chunk_mut()?, bytes[0]);
    store(dst.last_chunk_mut()?, bytes[1]);
    let missing = missing[0] | missing[1] << (len - LANES);
    if missing != 0 {
        return Some(table.add_missing(missing, src, dst));
    }
    Some(len)
}

/// Does what [`short_to_single_byte`] does, for 16 to 31 units.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn half_vectors_to_single_byte(
    table: &UnitsToSingleByte,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    // The first and the last ones, which may overlap.
    let mut units = [0; LANES];
    *units.first_chunk_mut::<HALF_LANES>()? = *src.first_chunk()?;
    *units.last_chunk_mut::<HALF_LANES>()? = *src.last_chunk()?;
    let mut bytes = [MaybeUninit::uninit(); LANES];
    let upper = narrow(&units, &mut bytes);
    *dst.first_chunk_mut::<HALF_LANES>()? = *bytes.first_chunk()?;
    *dst.last_chunk_mut::<HALF_LANES>()? = *bytes.last_chunk()?;
    let in_place = |mask: u64| mask & 0xFFFF | (mask >> HALF_LANES) << (src.len() - HALF_LANES);
    let upper = in_place(upper);
    if is_mostly_ascii(upper, src.len()) {
        return put_others(table, src, dst, upper);
    }
    let (mapped, missing) = map_from_units(Vectors256::here(), table, [&units, &units]);
    store(&mut bytes, mapped[0]);
    *dst.first_chunk_mut::<HALF_LANES>()? = *bytes.first_chunk()?;
    *dst.last_chunk_mut::<HALF_LANES>()? = *bytes.last_chunk()?;
    let missing = in_place(missing[0]);
    if missing != 0 {
        return Some(table.add_missing(missing, src, dst));
    }
    Some(src.len())
}

/// Writes the bytes of the units in `upper`, up to the first one that the encoding lacks. Returns the number of units
/// before it.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn put_others(
    table: &UnitsToSingleByte,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
    upper: u64,
) -> Option<usize> {
    for at in ones(upper) {
        let (&unit, to) = (src.get(at)?, dst.get_mut(at)?);
        match table.cells.get(unit) {
            0 => return Some(at),
            byte => to.write(byte),
        };
    }
    Some(src.len())
}
