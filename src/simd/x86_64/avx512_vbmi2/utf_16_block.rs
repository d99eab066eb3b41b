//! A block of 32 UTF-16 code units to UTF-8, for AVX-512 with VBMI2.
//!
//! Every unit gets as many bytes as the longest one takes, and the gaps are packed away: two bytes
//! where no character takes three (a surrogate pair is two times two), or else four.

use core::arch::x86_64::{
    __m512i, _bzhi_u32, _mm512_and_si512, _mm512_castsi512_si256, _mm512_cmpeq_epi16_mask,
    _mm512_cmpge_epu8_mask, _mm512_cmplt_epu16_mask, _mm512_mask_add_epi16, _mm512_mask_mov_epi16,
    _mm512_mask_slli_epi16, _mm512_mask_srli_epi16, _mm512_mask_sub_epi16,
    _mm512_maskz_compress_epi8, _mm512_maskz_shrdi_epi16, _mm512_multishift_epi64_epi8,
    _mm512_permutexvar_epi8, _mm512_permutexvar_epi64, _mm512_set_epi64, _mm512_set1_epi16,
    _mm512_set1_epi32, _mm512_set1_epi64, _mm512_shldi_epi16, _mm512_sub_epi16,
    _mm512_ternarylogic_epi32, _mm512_test_epi16_mask, _mm512_testn_epi16_mask,
    _mm512_unpackhi_epi16, _mm512_unpacklo_epi16,
};
use core::mem::MaybeUninit;

use crate::simd::x86_64::avx2;
use crate::simd::x86_64::avx512::{LANES, load, store, store_front};

/// Code units in a block.
pub(super) const UNITS: usize = 32;

/// What the bytes of a block take, and what the last store may overrun them by: 16 characters take
/// 48 bytes at the most, and those behind them are stored as a whole vector.
pub(super) const ROOM: usize = 48 + LANES;

/// For a ternary logic instruction: `a & b | c`.
const AND_OR: i32 = 0xF0 & 0xCC | 0xAA;
/// For a ternary logic instruction: `a & (b | !c)`.
const AND_OR_NOT: i32 = 0xF0 & (0xCC | !0xAA & 0xFF);

/// What became of a block.
pub(super) struct Converted {
    pub(super) units: usize,
    pub(super) bytes: usize,
    pub(super) errors: usize,
    /// A lone surrogate follows, or nothing but a leading one.
    pub(super) stopped: bool,
}

#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(super) fn splat(unit: u16) -> __m512i {
    _mm512_set1_epi16(unit.cast_signed())
}

/// Native units from bytes as they come.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(super) fn native<const BE: bool>(bytes: __m512i) -> __m512i {
    if BE {
        // Not a shuffle: those all wait for the one port that packs.
        _mm512_shldi_epi16::<8>(bytes, bytes)
    } else {
        bytes
    }
}

/// The units below 80.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(super) fn ascii(units: __m512i) -> u32 {
    _mm512_testn_epi16_mask(units, splat(0xFF80))
}

/// Converts the first `len` units; those behind them are 0. A leading surrogate at the end is left
/// for the next block. Stops before a lone one; `LOSSY`, writes U+FFFD in its place.
///
/// `AT_END`, writes nothing behind the bytes of these units, and none at all where they do not fit.
/// Else `len` is `UNITS`. This is to become part of its caller, and does so because each set of
/// parameters has only one.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(super) fn to_utf_8<const BE: bool, const LOSSY: bool, const AT_END: bool>(
    units: __m512i,
    ascii: u32,
    len: usize,
    to: &mut [MaybeUninit<u8>],
) -> Converted {
    let three = _mm512_test_epi16_mask(units, splat(0xF800));
    if three == 0 {
        let converted = Converted {
            units: len,
            bytes: 2 * len - front(ascii, len),
            errors: 0,
            stopped: false,
        };
        return one_or_two::<AT_END>(last_two(units, ascii, units), converted, to);
    }
    let from_surrogates = _mm512_sub_epi16(units, splat(0xD800));
    let (units, last, three, converted) =
        if _mm512_cmplt_epu16_mask(from_surrogates, splat(0x800)) != 0 {
            let pairs = pairs::<BE, LOSSY, AT_END>(units, [ascii, three], len);
            if pairs.2 == 0 {
                return one_or_two::<AT_END>(pairs.1, pairs.3, to);
            }
            pairs
        } else {
            let converted = Converted {
                units: len,
                bytes: 2 * len - front(ascii, len) + front(three, len),
                errors: 0,
                stopped: false,
            };
            if !AT_END && three == u32::MAX {
                all_three(units, to);
                return converted;
            }
            let last = last_two(units, ascii, units);
            let last = _mm512_mask_sub_epi16(last, three, last, splat(0x40));
            (units, last, three, converted)
        };
    up_to_three::<BE, LOSSY, AT_END>(units, last, [ascii, three], converted, to)
}

/// How many of the first `len` units are in the mask.
#[inline]
#[target_feature(enable = "bmi2,popcnt")]
fn front(mask: u32, len: usize) -> usize {
    _bzhi_u32(mask, len as u32).count_ones() as usize
}

/// The last two bytes of each unit, the first of the two in the low half of the lane, as if it were
/// the lead of two bytes; it is 0 for ASCII. `bits` are the units, their lowest 12 bits at least.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn last_two(units: __m512i, ascii: u32, bits: __m512i) -> __m512i {
    // For each of the four units of a quadword the bits from the sixth, and those from the first.
    let from_bits = _mm512_set1_epi64(i64::from_le_bytes([6, 0, 22, 16, 38, 32, 54, 48]));
    let sixes = _mm512_multishift_epi64_epi8(from_bits, bits);
    let bytes = _mm512_ternarylogic_epi32::<AND_OR>(sixes, splat(0x3F3F), splat(0x80C0));
    _mm512_mask_slli_epi16::<8>(bytes, ascii, units)
}

/// Writes the bytes of `last` that are no gaps.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn one_or_two<const AT_END: bool>(
    last: __m512i,
    converted: Converted,
    to: &mut [MaybeUninit<u8>],
) -> Converted {
    // Of each lane the upper byte always, the lower one where it is not 0.
    let kept = _mm512_cmpge_epu8_mask(last, splat(0x0001));
    let bytes = _mm512_maskz_compress_epi8(kept, last);
    if AT_END {
        let Some(to) = to.get_mut(..converted.bytes) else {
            return NOTHING;
        };
        store_front(to, bytes);
    } else if let Some(to) = to.first_chunk_mut::<LANES>() {
        store(to, bytes);
    }
    converted
}

/// Writes for each unit in the second mask the first of three bytes, and the bytes of `last` that
/// are no gaps.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn up_to_three<const BE: bool, const LOSSY: bool, const AT_END: bool>(
    units: __m512i,
    last: __m512i,
    [ascii, three]: [u32; 2],
    converted: Converted,
    to: &mut [MaybeUninit<u8>],
) -> Converted {
    // An E before the upper four bits.
    let first = _mm512_maskz_shrdi_epi16::<12>(three, units, splat(0xE));
    // The unpacks work on each quarter by itself.
    let order = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
    let first = _mm512_permutexvar_epi64(order, first);
    let last = _mm512_permutexvar_epi64(order, last);
    let packed = |fours: __m512i| {
        // Of each four the last byte always, the others where they are not 0.
        let kept = _mm512_cmpge_epu8_mask(fours, _mm512_set1_epi32(0x0001_0101));
        _mm512_maskz_compress_epi8(kept, fours)
    };
    let low = packed(_mm512_unpacklo_epi16(first, last));
    let high = packed(_mm512_unpackhi_epi16(first, last));
    let middle = 32 - front(ascii, 16) + front(three, 16);
    if AT_END {
        let Some(to) = to.get_mut(..converted.bytes) else {
            return NOTHING;
        };
        store_front(to, low);
        if let Some(to) = to.get_mut(middle..) {
            store_front(to, high);
        }
        return converted;
    }
    if let Some(to) = to.first_chunk_mut::<LANES>() {
        store(to, low);
    }
    if let Some(to) = to.get_mut(middle..)
        && let Some(to) = to.first_chunk_mut::<LANES>()
    {
        store(to, high);
    }
    converted
}

/// For the bytes of characters of three bytes without gaps: the units that each quadword is made
/// of, the bits of these that each byte is, and what is to be kept and set of these bits.
struct Threes {
    units: [u8; LANES],
    bits: [u8; LANES],
    kept: [u8; LANES],
    set: [u8; LANES],
}

impl Threes {
    const fn new(from: usize) -> Self {
        let mut threes = Threes {
            units: [0; LANES],
            bits: [0; LANES],
            kept: [0; LANES],
            set: [0; LANES],
        };
        let mut lane = 0;
        while lane < LANES {
            let byte = from + lane;
            let first_unit = (from + lane / 8 * 8) / 3;
            threes.units[lane] = (2 * first_unit + lane % 8) as u8;
            let unit = byte / 3 - first_unit;
            threes.bits[lane] = (16 * unit + [12, 6, 0][byte % 3]) as u8;
            threes.kept[lane] = [0x0F, 0x3F, 0x3F][byte % 3];
            threes.set[lane] = [0xE0, 0x80, 0x80][byte % 3];
            lane += 1;
        }
        threes
    }

    #[inline]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
    )]
    fn of(&self, units: __m512i) -> __m512i {
        let units = _mm512_permutexvar_epi8(load(&self.units), units);
        let bits = _mm512_multishift_epi64_epi8(load(&self.bits), units);
        _mm512_ternarylogic_epi32::<AND_OR>(bits, load(&self.kept), load(&self.set))
    }
}

static FRONT: Threes = Threes::new(0);
static BACK: Threes = Threes::new(LANES);

/// Writes 32 characters of three bytes.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn all_three(units: __m512i, to: &mut [MaybeUninit<u8>]) {
    if let Some(to) = to.first_chunk_mut::<{ 3 * UNITS }>() {
        if let Some(to) = to.first_chunk_mut::<LANES>() {
            store(to, FRONT.of(units));
        }
        if let Some(to) = to.last_chunk_mut::<{ LANES / 2 }>() {
            avx2::store(to, _mm512_castsi512_si256(BACK.of(units)));
        }
    }
}

/// For each lane of two bytes the numbers of those before it.
static BEFORE: [u8; LANES] = {
    let mut lanes = [0; LANES];
    let mut i = 2;
    while i < LANES {
        lanes[i] = i as u8 - 2;
        i += 1;
    }
    lanes
};

/// For a block that has surrogates: the units, with U+FFFD in the place of lone ones, their last two
/// bytes, those that have three, and what will have been converted.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn pairs<const BE: bool, const LOSSY: bool, const AT_END: bool>(
    units: __m512i,
    [ascii, three]: [u32; 2],
    len: usize,
) -> (__m512i, __m512i, u32, Converted) {
    let kind = _mm512_and_si512(units, splat(0xFC00));
    let mut leading = _mm512_cmpeq_epi16_mask(kind, splat(0xD800));
    let mut trailing = _mm512_cmpeq_epi16_mask(kind, splat(0xDC00));
    let len = len - (leading >> (len - 1) & 1) as usize;
    let mut converted = Converted {
        units: len,
        bytes: 0,
        errors: 0,
        stopped: AT_END && len == 0,
    };
    let mut units = units;
    let behind_leading = _bzhi_u32(leading, len as u32) << 1;
    if behind_leading != trailing {
        let lone = trailing & !behind_leading | _bzhi_u32(leading, len as u32) & !(trailing >> 1);
        if LOSSY {
            units = _mm512_mask_mov_epi16(units, lone, splat(0xFFFD));
            leading &= !lone;
            trailing &= !lone;
            converted.errors = lone.count_ones() as usize;
        } else {
            converted.units = lone.trailing_zeros() as usize;
            converted.stopped = true;
        }
    }
    let len = converted.units;
    // The leading one has the upper bits of the code point, after 0x10000 is added: six of them
    // are its last byte.
    let upper = _mm512_sub_epi16(units, splat(0xD7C0));
    let bits = _mm512_mask_srli_epi16::<2>(units, leading, upper);
    let last = last_two(units, ascii, bits);
    let last = _mm512_mask_sub_epi16(last, three, last, splat(0x40));
    let last = _mm512_mask_add_epi16(last, leading, last, splat(0x70));
    // Its two lowest bits are the trailing one's, which has ones in their place.
    let before = _mm512_permutexvar_epi8(load(&BEFORE), units);
    let two_bits = _mm512_mask_slli_epi16::<4>(splat(0xFFFF), trailing, before);
    let last = _mm512_ternarylogic_epi32::<AND_OR_NOT>(last, two_bits, splat(0x30));
    let three = three & !(leading | trailing);
    converted.bytes = 2 * len - front(ascii, len) + front(three, len);
    (units, last, three, converted)
}

/// Nothing is converted: there is no room for all.
const NOTHING: Converted = Converted {
    units: 0,
    bytes: 0,
    errors: 0,
    stopped: false,
};
