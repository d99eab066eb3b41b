//! Converts blocks of UTF-16 code units to UTF-8, for AVX-512 with VBMI2: selects the case, and handles
//! surrogates.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::utf16_bytes::{
    ROOM_OF_BLOCK, UNITS, all_three, count, half_len, last_two, pack_1_2, packed, packed_halves,
    splat, up_to_three,
};
use crate::simd::scalar::utf16::code_unit;
use crate::simd::surrogates::is_trailing_surrogate;
use crate::simd::x86_64::avx512::{LANES, load, load_front, store_front, store_front_half};

/// The ternary logic function `a & (b | !c)`.
const AND_OR_NOT: i32 = 0xF0 & (0xCC | !0xAA & 0xFF);

/// The bytes that two blocks take at most, plus what the last store may overrun them by.
pub(super) const ROOM_OF_TWO: usize = 3 * UNITS + ROOM_OF_BLOCK;

/// The result for two blocks with surrogates.
pub(super) struct ConvertedBlocks {
    pub(super) bytes: usize,
    /// The last unit if it is a leading surrogate whose trailing one follows, or else 0.
    pub(super) open: u16,
}

/// Returns native units for bytes in either order.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn native<const BE: bool>(bytes: __m512i) -> __m512i {
    if BE {
        _mm512_shldi_epi16::<8>(bytes, bytes)
    } else {
        bytes
    }
}

/// Returns a mask of the units below 80.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn ascii(units: __m512i) -> u32 {
    _mm512_testn_epi16_mask(units, splat(0xFF80))
}

/// Returns a mask of the units from 800 on.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn from_800(units: __m512i) -> u32 {
    _mm512_test_epi16_mask(units, splat(0xF800))
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn surrogates(units: __m512i) -> u32 {
    _mm512_cmplt_epu16_mask(_mm512_sub_epi16(units, splat(0xD800)), splat(0x800))
}

/// Returns masks of the leading and the trailing surrogates.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn halves(units: __m512i) -> [u32; 2] {
    let kind = _mm512_and_si512(units, splat(0xFC00));
    [
        _mm512_cmpeq_epi16_mask(kind, splat(0xD800)),
        _mm512_cmpeq_epi16_mask(kind, splat(0xDC00)),
    ]
}

/// Returns the surrogates that are lone, given whether a leading one precedes the first unit and a trailing
/// one follows the last.
#[inline(always)]
fn lone([leading, trailing]: [u64; 2], after_leading: u64, before_trailing: u64) -> u64 {
    leading & !(trailing >> 1 | before_trailing) | trailing & !(leading << 1 | after_leading)
}

/// Does the work of [`last_two`] for units with surrogates: each half of a pair has two bytes. `before` has
/// in each lane the unit before.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn last_two_of_pairs(
    units: __m512i,
    before: __m512i,
    [leading, trailing]: [u32; 2],
    ascii: u32,
) -> __m512i {
    // The leading one has the upper bits of the code point, after 0x10000 is added: the low six of them are
    // in its last byte.
    let upper = _mm512_sub_epi16(units, splat(0xD7C0));
    let bits = _mm512_mask_srli_epi16::<2>(units, leading, upper);
    let last = last_two(units, ascii, bits);
    let last = _mm512_mask_sub_epi16(last, from_800(units), last, splat(0x40));
    let last = _mm512_mask_add_epi16(last, leading, last, splat(0x70));
    // The trailing one has ones in place of its two lowest bits, which come from the leading one.
    let two_bits = _mm512_mask_slli_epi16::<4>(splat(0xFFFF), trailing, before);
    _mm512_ternarylogic_epi32::<AND_OR_NOT>(last, two_bits, splat(0x30))
}

/// Does the work of [`last_two`] for units without surrogates, of which those in `three` have three bytes.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn last_two_without_pairs(units: __m512i, ascii: u32, three: u32) -> __m512i {
    let last = last_two(units, ascii, units);
    _mm512_mask_sub_epi16(last, three, last, splat(0x40))
}

/// Returns the number of bytes of 32 units.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn bytes([ascii, three]: [u32; 2]) -> usize {
    2 * UNITS - count(ascii, UNITS) + count(three, UNITS)
}

/// Converts the first `len` units, which zeros follow. Returns the number of bytes, or `None` if there are
/// surrogates or too little room.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn block_to_utf8(
    units: __m512i,
    len: usize,
    to: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let ascii = ascii(units);
    if ascii == u32::MAX {
        store_front_half(to.get_mut(..len)?, _mm512_cvtepi16_epi8(units));
        return Some(len);
    }
    let three = from_800(units);
    let last = last_two(units, ascii, units);
    let bytes = len + count(!ascii, UNITS) + count(three, UNITS);
    if three == 0 {
        store_front(to.get_mut(..bytes)?, packed(last));
        return Some(bytes);
    }
    if surrogates(units) != 0 {
        return None;
    }
    let last = _mm512_mask_sub_epi16(last, three, last, splat(0x40));
    let [low, high] = packed_halves(units, last, three);
    let to = to.get_mut(..bytes)?;
    store_front(to, low);
    // With fewer than 16 units there is no upper half: `half_len` counts the zeros after them.
    if let Some(to) = to.get_mut(half_len([ascii, three])..) {
        store_front(to, high);
    }
    Some(bytes)
}

/// Converts two blocks without surrogates, and returns the number of bytes, or `None` if they have any.
///
/// This is to be inlined, which the compiler does because each set of parameters has only one caller.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn two_to_utf8<const BE: bool, const CALLER: u8>(
    units: [__m512i; 2],
    to: &mut [MaybeUninit<u8>; ROOM_OF_TWO],
) -> Option<usize> {
    let ascii = [ascii(units[0]), ascii(units[1])];
    if from_800(_mm512_or_si512(units[0], units[1])) == 0 {
        let bytes = [bytes([ascii[0], 0]), bytes([ascii[1], 0])];
        pack_1_2(last_two(units[0], ascii[0], units[0]), to);
        let to = &mut to[bytes[0]..];
        pack_1_2(last_two(units[1], ascii[1], units[1]), to);
        return Some(bytes[0] + bytes[1]);
    }
    if surrogates(units[0]) | surrogates(units[1]) != 0 {
        return None;
    }
    let three = [from_800(units[0]), from_800(units[1])];
    if three[0] & three[1] == u32::MAX {
        all_three(units[0], to);
        all_three(units[1], &mut to[3 * UNITS..]);
        return Some(6 * UNITS);
    }
    let bytes = [bytes([ascii[0], three[0]]), bytes([ascii[1], three[1]])];
    let last = [
        last_two_without_pairs(units[0], ascii[0], three[0]),
        last_two_without_pairs(units[1], ascii[1], three[1]),
    ];
    up_to_three(units[0], last[0], [ascii[0], three[0]], to);
    let to = &mut to[bytes[0]..];
    up_to_three(units[1], last[1], [ascii[1], three[1]], to);
    Some(bytes[0] + bytes[1])
}

/// Converts two blocks with surrogates, unless one is lone. `open` is the unit before them if that is a leading
/// surrogate whose trailing one comes first in them, or else 0; `after` is the unit after them.
///
/// This is to be inlined, which the compiler does because each set of parameters has only one caller.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn two_pairs_to_utf8<const BE: bool>(
    blocks: &[u8; 2 * LANES],
    units: [__m512i; 2],
    [open, after]: [u16; 2],
    to: &mut [MaybeUninit<u8>; ROOM_OF_TWO],
) -> Option<ConvertedBlocks> {
    let kinds = [halves(units[0]), halves(units[1])];
    let both = |kind: usize| u64::from(kinds[0][kind]) | u64::from(kinds[1][kind]) << UNITS;
    let after_leading = u64::from(open != 0);
    let before_trailing = u64::from(is_trailing_surrogate(after)) << (2 * UNITS - 1);
    if lone([both(0), both(1)], after_leading, before_trailing) != 0 {
        return None;
    }
    let open_after = match blocks.last_chunk() {
        Some(&last) if kinds[1][0] >> (UNITS - 1) == 1 => code_unit::<BE>(last),
        _ => 0,
    };
    let before = [
        before(units[0], open),
        match blocks[LANES - 2..].first_chunk() {
            Some(before) => native::<BE>(load(before)),
            None => units[1],
        },
    ];
    let ascii = [ascii(units[0]), ascii(units[1])];
    let three = [
        from_800(units[0]) & !(kinds[0][0] | kinds[0][1]),
        from_800(units[1]) & !(kinds[1][0] | kinds[1][1]),
    ];
    let last = [
        last_two_of_pairs(units[0], before[0], kinds[0], ascii[0]),
        last_two_of_pairs(units[1], before[1], kinds[1], ascii[1]),
    ];
    let bytes = [bytes([ascii[0], three[0]]), bytes([ascii[1], three[1]])];
    if three[0] | three[1] == 0 {
        pack_1_2(last[0], to);
        pack_1_2(last[1], &mut to[bytes[0]..]);
    } else {
        up_to_three(units[0], last[0], [ascii[0], three[0]], to);
        up_to_three(units[1], last[1], [ascii[1], three[1]], &mut to[bytes[0]..]);
    }
    Some(ConvertedBlocks {
        bytes: bytes[0] + bytes[1],
        open: open_after,
    })
}

/// For each lane of two bytes, the indexes of the lane before it.
static BEFORE: [u8; LANES] = {
    let mut lanes = [0; LANES];
    let mut i = 2;
    while i < LANES {
        lanes[i] = i as u8 - 2;
        i += 1;
    }
    lanes
};

/// Returns the unit before each unit.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn before(units: __m512i, first: u16) -> __m512i {
    _mm512_mask_permutexvar_epi8(splat(first), !0b11, load(&BEFORE), units)
}

/// The result for at most 32 units. Small, so that it is returned in a register.
#[derive(Clone, Copy)]
pub(super) struct Short {
    units: u8,
    bytes: u8,
    /// Whether a lone surrogate follows, or a leading one at the end.
    pub(super) stopped: bool,
}

impl Short {
    /// Returns the number of bytes read.
    pub(super) fn read(self) -> usize {
        2 * usize::from(self.units)
    }

    /// Returns the number of bytes written.
    pub(super) fn written(self) -> usize {
        self.bytes.into()
    }
}

/// Converts at most 32 units, if they fit. Stops before a lone surrogate, and before a leading one at the end.
///
/// A separate function and not part of a loop, so that the constants of one case are not loaded for the others.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn short_to_utf8<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Short {
    let units = native::<BE>(load_front(src));
    let mut len = src.len() / 2;
    let mut stopped = false;
    let ascii = ascii(units);
    let mut three = from_800(units);
    let last = if three == 0 {
        last_two(units, ascii, units)
    } else if surrogates(units) == 0 {
        last_two_without_pairs(units, ascii, three)
    } else {
        let [leading, trailing] = halves(units);
        len -= (leading >> (len - 1) & 1) as usize;
        let leading = _bzhi_u32(leading, len as u32);
        let lone = lone([leading.into(), trailing.into()], 0, 0) as u32;
        stopped = len == 0;
        if lone != 0 {
            len = lone.trailing_zeros() as usize;
            stopped = true;
        }
        three = from_800(units) & !(leading | trailing);
        last_two_of_pairs(units, before(units, 0), [leading, trailing], ascii)
    };
    let bytes = 2 * len - count(ascii, len) + count(three, len);
    let Some(to) = dst.get_mut(..bytes) else {
        return Short {
            units: 0,
            bytes: 0,
            stopped: false,
        };
    };
    if three == 0 {
        store_front(to, packed(last));
    } else {
        let [low, high] = packed_halves(units, last, three);
        store_front(to, low);
        // With fewer than 16 units there is no upper half: `half_len` counts the zeros after them.
        if let Some(to) = to.get_mut(half_len([ascii, three])..) {
            store_front(to, high);
        }
    }
    Short {
        units: len as u8,
        bytes: bytes as u8,
        stopped,
    }
}
