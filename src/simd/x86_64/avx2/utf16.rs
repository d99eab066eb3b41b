//! UTF-16 to UTF-8 for AVX2, 32 code units at a time.
//!
//! Every code unit becomes two lanes (`utf16_lanes.rs`), of which the bytes that count are brought together
//! (`compact.rs`). A surrogate pair is two characters of two bytes each, so that nothing else changes:
//!
//! ```text
//! leading   110110uuuuxxxxxx   less D7C0: vvvvvxxxxxx, vvvvv = uuuu + 1
//! trailing  110111yyyyyyyyyy
//! UTF-8     11110vvv 10vvxxxx 10xxyyyy 10yyyyyy
//! ```
//!
//! The leading one gets the first two of the four bytes, the trailing one the others, `xx` of which are the
//! lowest bits of the unit before it.

use core::arch::x86_64::{
    __m256i, _bzhi_u32, _mm256_add_epi16, _mm256_alignr_epi8, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_blendv_epi8, _mm256_cmpeq_epi16, _mm256_extract_epi16,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_packs_epi16, _mm256_packus_epi16,
    _mm256_permute2x128_si256, _mm256_permute4x64_epi64, _mm256_setr_epi8, _mm256_setr_epi16,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi16, _mm256_srli_epi16,
    _mm256_sub_epi16, _mm256_testz_si256,
};
use core::mem::MaybeUninit;

use super::compact::{self, Around, Converted, HALF, ROOM};
use super::utf16_halves::{end_to_utf8, half_to_utf8, short_to_utf8};
use super::utf16_lanes::{first, last, splat, tail};
use super::{LANES, ascii, load, load_fours, store};
use crate::simd::kernels::Transcoded;
use crate::simd::scalar::short;
use crate::simd::scalar::utf16::code_unit;

/// Code units in a block, which is two vectors.
pub(super) const UNITS: usize = 32;
/// Bytes in a block.
pub(super) const BLOCK: usize = 2 * LANES;

/// Native code units.
pub(super) type Block = [__m256i; 2];

#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn block<const BE: bool>(bytes: &[u8; BLOCK]) -> Block {
    let (vectors, _) = bytes.as_chunks::<LANES>();
    [load(&vectors[0]), load(&vectors[1])].map(|units| native::<BE>(units))
}

#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn native<const BE: bool>(units: __m256i) -> __m256i {
    let swap = _mm256_setr_epi8(
        1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10,
        13, 12, 15, 14,
    );
    if BE {
        _mm256_shuffle_epi8(units, swap)
    } else {
        units
    }
}

/// A bit for each unit of a block from a vector of all ones or all zeros for each.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn bits([low, high]: [__m256i; 2]) -> u32 {
    let bytes = _mm256_packs_epi16(low, high);
    // The pack works on each half by itself: put the quarters in order.
    _mm256_movemask_epi8(_mm256_permute4x64_epi64::<0b11_01_10_00>(bytes)).cast_unsigned()
}

/// All ones where a unit has none of these bits.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn without(units: Block, bits: u16) -> [__m256i; 2] {
    units.map(|units| {
        _mm256_cmpeq_epi16(_mm256_and_si256(units, splat(bits)), _mm256_setzero_si256())
    })
}

#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn is_ascii(units: __m256i) -> bool {
    _mm256_testz_si256(units, splat(0xFF80)) == 1
}

#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn any(units: Block, bits: u16) -> bool {
    _mm256_testz_si256(_mm256_or_si256(units[0], units[1]), splat(bits)) == 0
}

/// Converts the first `len` units at the end of a text; those after them are 0.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn block_to_utf8<const LOSSY: bool>(
    units: Block,
    len: usize,
    to: &mut [MaybeUninit<u8>; ROOM],
) -> Converted {
    let whole = |longer: u32, three: u32| Converted {
        units: len,
        bytes: len + longer.count_ones() as usize + three.count_ones() as usize,
        errors: 0,
        open: 0,
        stopped: false,
    };
    let longer = !bits(without(units, 0xFF80));
    if !any(units, 0xF800) {
        compact::pack_1_2(units.map(|units| last(units)), longer, to);
        return whole(longer, 0);
    }
    let surrogates = units.map(|units| {
        let kind = _mm256_and_si256(units, splat(0xF800));
        _mm256_cmpeq_epi16(kind, splat(0xD800))
    });
    if any(surrogates, u16::MAX) {
        return pairs_to_utf8::<LOSSY, true>(units, len, Around::NOTHING, to);
    }
    let three = !bits(without(units, 0xF800));
    let (first, last) = (
        units.map(|units| first(units)),
        units.map(|units| last(units)),
    );
    if three == u32::MAX {
        compact::all_three(first, last, to);
        return whole(u32::MAX, u32::MAX);
    }
    compact::up_to_three(first, last, longer, three, to);
    whole(longer, three)
}

/// Converts a block that has surrogates. With `AT_END`, a leading one at the end is left.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn pairs_to_utf8<const LOSSY: bool, const AT_END: bool>(
    units: Block,
    len: usize,
    around: Around,
    to: &mut [MaybeUninit<u8>; ROOM],
) -> Converted {
    let [low, high] = units;
    let middle = _mm256_permute2x128_si256::<0x21>(low, high);
    let after = _mm256_permute2x128_si256::<0x21>(high, splat(around.after));
    let next = [
        _mm256_alignr_epi8::<2>(middle, low),
        _mm256_alignr_epi8::<2>(after, high),
    ];
    let ahead = _mm256_permute2x128_si256::<0x20>(splat(around.before), low);
    let before = [
        _mm256_alignr_epi8::<14>(low, ahead),
        _mm256_alignr_epi8::<14>(high, middle),
    ];
    let are = |units: Block, kind: u16| {
        units.map(|units| _mm256_cmpeq_epi16(_mm256_and_si256(units, splat(0xFC00)), splat(kind)))
    };
    let and = |a: Block, b: Block| [0, 1].map(|i| _mm256_and_si256(a[i], b[i]));
    let or = |a: Block, b: Block| [0, 1].map(|i| _mm256_or_si256(a[i], b[i]));
    let (leading, trailing) = (are(units, 0xD800), are(units, 0xDC00));
    let paired_leading = and(leading, are(next, 0xDC00));
    let paired_trailing = and(trailing, are(before, 0xD800));
    let paired = or(paired_leading, paired_trailing);
    let surrogates = or(leading, trailing);
    let lone = [0, 1].map(|i| _mm256_andnot_si256(paired[i], surrogates[i]));
    let cut = AT_END && bits(leading) >> (len - 1) & 1 == 1;
    let len = len - usize::from(cut);
    let lone_bits = _bzhi_u32(bits(lone), len as u32);
    let stopped = !LOSSY && lone_bits != 0;
    let len = if stopped {
        lone_bits.trailing_zeros() as usize
    } else {
        len
    };
    let replaced = [0, 1].map(|i| _mm256_blendv_epi8(units[i], splat(0xFFFD), lone[i]));
    let (ascii, short) = (without(replaced, 0xFF80), without(replaced, 0xF800));
    let longer = !bits(ascii);
    let three = !bits(or(short, paired));
    let last = [0, 1].map(|i| {
        // The leading surrogate has the upper bits of the code point, after 0x10000 is added.
        let upper = _mm256_sub_epi16(replaced[i], splat(0xD7C0));
        let lead = _mm256_and_si256(upper, splat(0xFF00));
        let lead = _mm256_or_si256(lead, splat(0xF000));
        let second = tail(_mm256_srli_epi16::<2>(upper));
        let leading = _mm256_or_si256(lead, second);
        // Its two lowest bits are the trailing one's.
        let upper = _mm256_and_si256(_mm256_slli_epi16::<12>(before[i]), splat(0x3000));
        let lower = _mm256_and_si256(_mm256_slli_epi16::<2>(replaced[i]), splat(0xF00));
        let third = _mm256_or_si256(_mm256_or_si256(upper, lower), splat(0x8000));
        let trailing = _mm256_or_si256(third, tail(replaced[i]));
        let last = _mm256_blendv_epi8(last(replaced[i]), leading, paired_leading[i]);
        _mm256_blendv_epi8(last, trailing, paired_trailing[i])
    });
    if three == 0 {
        // Each half of a pair is two bytes.
        compact::pack_1_2(last, longer, to);
    } else {
        let first = replaced.map(|units| first(units));
        compact::up_to_three(first, last, longer, three, to);
    }
    let front = |mask: u32| _bzhi_u32(mask, len as u32).count_ones() as usize;
    let open = bits(paired_leading) >> 31 == 1;
    Converted {
        units: len,
        bytes: len + front(longer) + front(three),
        errors: if LOSSY { front(lone_bits) } else { 0 },
        open: if open {
            _mm256_extract_epi16::<15>(high) as u16
        } else {
            0
        },
        stopped: stopped || AT_END && len == 0,
    }
}

/// Writes the low bytes of a block.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn narrow([low, high]: Block) -> __m256i {
    // The pack works on each half by itself: put the quarters in order.
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(low, high))
}

/// Converts a few characters one after the other: up to 12 units, or ten pairs.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn few_to_utf8<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let is_surrogate = |unit| (0xD800..0xE000).contains(&code_unit::<BE>(unit));
    let most = if is_surrogate(*src.first_chunk()?) {
        4 * 10
    } else {
        2 * 12
    };
    match src.as_chunks() {
        (units, []) if src.len() <= most => short::utf16_to_utf8::<BE>(units, dst),
        _ => None,
    }
}

/// Converts UTF-16, at any alignment, up to the first lone surrogate or a leading one at the end;
/// or, with `LOSSY`, writes U+FFFD for every lone surrogate but a leading one at the end.
///
/// Short input, which is the common case, takes the shortest way.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_utf8<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    if !LOSSY && let Some(written) = few_to_utf8::<BE>(src, dst) {
        return (src.len(), written).into();
    }
    if let Some(written) = short_to_utf8::<BE>(src, dst) {
        return (src.len(), written).into();
    }
    if src.len() >= BLOCK + 2 {
        return wide::<BE, LOSSY>(src, dst);
    }
    at_end::<BE, LOSSY>(src, dst, Transcoded::NOTHING)
}

/// U+FFFD, and a byte that makes it a word.
const REPLACEMENT: [MaybeUninit<u8>; 4] = [
    MaybeUninit::new(0xEF),
    MaybeUninit::new(0xBF),
    MaybeUninit::new(0xBD),
    MaybeUninit::new(0),
];

/// How much ASCII is before the first other unit of a block that has one and that no leading
/// surrogate stands before, if that is a lone surrogate.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn ascii_before_lone<const BE: bool>(from: &[u8; BLOCK + 2], units: Block) -> Option<usize> {
    let ascii = bits(without(units, 0xFF80)).trailing_ones() as usize;
    let (here, after) = (from.get(2 * ascii..)?, from.get(2 * ascii + 2..)?);
    let here = code_unit::<BE>(*here.first_chunk()?);
    let after = code_unit::<BE>(*after.first_chunk()?);
    let lone = match here {
        0xD800..0xDC00 => !(0xDC00..0xE000).contains(&after),
        0xDC00..0xE000 => true,
        _ => false,
    };
    lone.then_some(ascii)
}

/// Converts input of more than a block, 16 or 32 units at a time: where pages change between ASCII
/// and another script, the half of a block that is ASCII takes the short way.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn wide<const BE: bool, const LOSSY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Transcoded {
    let dst_len = dst.len();
    let (mut ahead, mut room) = (src, &mut *dst);
    let mut errors = 0;
    // The unit before, if it is a leading surrogate whose first half only is written.
    let mut open = 0;
    while let Some(now) = ahead.first_chunk::<{ BLOCK + 2 }>()
        && let Some(to) = room.first_chunk_mut::<{ HALF + ROOM }>()
        && let Some(now) = now.first_chunk::<BLOCK>()
    {
        let units = block::<BE>(now);
        if !any(units, 0xFF80) {
            if let Some(to) = to.first_chunk_mut::<UNITS>() {
                store(to, narrow(units));
            }
            ahead = &ahead[BLOCK..];
            room = &mut core::mem::take(&mut room)[UNITS..];
            continue;
        }
        let mut half = units[0];
        if is_ascii(half) {
            if let Some(to) = to.first_chunk_mut::<UNITS>() {
                store(to, narrow(units));
            }
            half = units[1];
            ahead = &ahead[2 * HALF..];
            room = &mut core::mem::take(&mut room)[HALF..];
        }
        let Some(to) = room.first_chunk_mut::<ROOM>() else {
            break;
        };
        if let Some(written) = half_to_utf8(half, to) {
            ahead = &ahead[2 * HALF..];
            room = &mut core::mem::take(&mut room)[written..];
            continue;
        }
        // With surrogates, a block and the unit after it.
        let Some(from) = ahead.first_chunk::<{ BLOCK + 2 }>() else {
            break;
        };
        let (Some(now), Some(after)) = (from.first_chunk::<BLOCK>(), from.last_chunk::<2>()) else {
            break;
        };
        let units = block::<BE>(now);
        if LOSSY
            && open == 0
            && let Some(ascii) = ascii_before_lone::<BE>(from, units)
            && let Some(to) = to.first_chunk_mut::<{ UNITS + 4 }>()
        {
            if let Some(to) = to.first_chunk_mut() {
                store(to, narrow(units));
            }
            let replacement = to.get_mut(ascii..).and_then(|to| to.first_chunk_mut());
            debug_assert!(replacement.is_some(), "a block fits");
            if let Some(to) = replacement {
                *to = REPLACEMENT;
            }
            ahead = &ahead[2 * (ascii + 1)..];
            room = &mut core::mem::take(&mut room)[ascii + 3..];
            errors += 1;
            continue;
        }
        let around = Around {
            before: open,
            after: code_unit::<BE>(*after),
        };
        let converted = pairs_to_utf8::<LOSSY, false>(units, UNITS, around, to);
        ahead = &ahead[2 * converted.units..];
        room = &mut core::mem::take(&mut room)[converted.bytes..];
        errors += converted.errors;
        open = converted.open;
        if converted.stopped {
            return Transcoded {
                read: src.len() - ahead.len(),
                written: dst_len - room.len(),
                errors,
            };
        }
    }
    let (read, written) = (src.len() - ahead.len(), dst_len - room.len());
    if open == 0
        && let Some(written) = end_to_utf8::<BE>(src, dst, read, written)
    {
        return Transcoded {
            read: src.len(),
            written,
            errors,
        };
    }
    // A pair is not to be left half written.
    let half = if open == 0 { 0 } else { 2 };
    let done = Transcoded {
        read: read - half,
        written: written - half,
        errors,
    };
    at_end::<BE, LOSSY>(src, dst, done)
}

/// The units of input that is shorter than a block, and zeros after them.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn short_block<const BE: bool>(src: &[u8]) -> Block {
    let fours = load_fours(src);
    let Some(&odd) = src.last_chunk::<2>().filter(|_| src.len() % 4 == 2) else {
        return fours.map(|units| native::<BE>(units));
    };
    // The last unit, where the loads of four bytes have left it out.
    let last = splat(u16::from_le_bytes(odd));
    let lane = splat((src.len() / 2) as u16 - 1);
    let lanes = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let after = _mm256_add_epi16(lanes, splat(16));
    let with_last = |units: __m256i, lanes: __m256i| {
        let here = _mm256_cmpeq_epi16(lanes, lane);
        _mm256_or_si256(units, _mm256_and_si256(last, here))
    };
    let [low, high] = fours;
    [with_last(low, lanes), with_last(high, after)].map(|units| native::<BE>(units))
}

/// Converts fewer units than a block has, or none if they do not fit. Not in a loop, so that what
/// one case needs is not loaded for the others.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn front_to_utf8<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Converted {
    let (units, len) = (short_block::<BE>(src), src.len() / 2);
    let mut between = [MaybeUninit::uninit(); ROOM];
    let has_room = dst.len() >= ROOM;
    let to = match dst.first_chunk_mut::<ROOM>() {
        Some(to) => to,
        None => &mut between,
    };
    let converted = block_to_utf8::<LOSSY>(units, len, to);
    if has_room {
        return converted;
    }
    match dst.get_mut(..converted.bytes) {
        Some(to) => {
            to.copy_from_slice(&between[..converted.bytes]);
            converted
        }
        None => Converted::NOTHING,
    }
}

/// What is left at the end of either buffer.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn at_end<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut done: Transcoded,
) -> Transcoded {
    let mut most = UNITS;
    loop {
        let ascii = ascii::utf16_to_ascii::<BE>(&src[done.read..], &mut dst[done.written..]);
        done.read += 2 * ascii;
        done.written += ascii;
        let src = &src[done.read..];
        let dst = &mut dst[done.written..];
        let len = (src.len() / 2).min(most);
        if len == 0 {
            return done;
        }
        let converted = front_to_utf8::<BE, LOSSY>(&src[..2 * len], dst);
        done.read += 2 * converted.units;
        done.written += converted.bytes;
        done.errors += converted.errors;
        if converted.stopped || 2 * converted.units == src.len() {
            return done;
        }
        if converted.units == 0 {
            // A third of the room always serves.
            most = dst.len() / 3;
        }
    }
}
