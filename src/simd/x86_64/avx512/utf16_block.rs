//! A block of 32 UTF-16 code units to UTF-8, for AVX-512: which case it is, and surrogates.

use core::arch::x86_64::{
    __m512i, _bzhi_u32, _mm_extract_epi16, _mm512_and_si512, _mm512_cmpeq_epi16_mask,
    _mm512_cmplt_epu16_mask, _mm512_extracti32x4_epi32, _mm512_mask_mov_epi16,
    _mm512_mask_permutexvar_epi16, _mm512_or_si512, _mm512_slli_epi16, _mm512_srli_epi16,
    _mm512_sub_epi16, _mm512_ternarylogic_epi32, _mm512_test_epi16_mask,
};
use core::mem::MaybeUninit;

use super::utf16_bytes::{
    AND_OR, OR_AND, UNITS, all_three, first, last, pack_1_2, splat, swap_bytes, up_to_three,
};
use super::{LANES, load, store};
use crate::simd::x86_64::avx2::compact::{Around, Converted};

/// Native code units, and which of them take more than one byte and more than two.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) units: __m512i,
    pub(super) longer: u32,
    three: u32,
}

impl Block {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
    pub(super) fn new<const BE: bool>(bytes: __m512i) -> Self {
        let units = if BE { swap_bytes(bytes) } else { bytes };
        Block {
            units,
            longer: _mm512_test_epi16_mask(units, splat(0xFF80)),
            three: _mm512_test_epi16_mask(units, splat(0xF800)),
        }
    }

    /// Converts the first `len` units; those after them are 0. It is to become part of its caller,
    /// and does so because each set of parameters has only one.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
    pub(super) fn to_utf8<const BE: bool, const LOSSY: bool, const AT_END: bool>(
        self,
        len: usize,
        around: Around,
        to: &mut [MaybeUninit<u8>],
    ) -> Converted {
        let Block {
            units,
            longer,
            three,
        } = self;
        let whole = |three: u32| Converted {
            units: len,
            bytes: len + longer.count_ones() as usize + three.count_ones() as usize,
            errors: 0,
            open: 0,
            stopped: false,
        };
        if three == 0 {
            let two = _mm512_ternarylogic_epi32::<AND_OR>(units, splat(0x3F), splat(0xC080));
            let lead = _mm512_slli_epi16::<2>(units);
            let two = _mm512_ternarylogic_epi32::<OR_AND>(two, lead, splat(0x3F00));
            let words = _mm512_mask_mov_epi16(units, longer, two);
            let converted = whole(0);
            return written_by(converted, |bytes| {
                pack_1_2::<AT_END>(words, longer, bytes, to)
            });
        }
        let from_surrogates = _mm512_sub_epi16(units, splat(0xD800));
        let surrogates = _mm512_cmplt_epu16_mask(from_surrogates, splat(0x800));
        if surrogates != 0 {
            return if AT_END {
                self.end_pairs_to_utf8::<LOSSY>(len, to)
            } else {
                self.pairs_to_utf8::<BE, LOSSY, AT_END>(len, around, to)
            };
        }
        let (first, last) = (first(units), last(units));
        if !AT_END && three == u32::MAX {
            return written_by(whole(u32::MAX), |_| all_three(first, last, to));
        }
        written_by(whole(three), |bytes| {
            up_to_three::<AT_END>([first, last], [longer, three], bytes, to)
        })
    }

    /// The same for a block that has surrogates, the last one.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
    fn end_pairs_to_utf8<const LOSSY: bool>(
        self,
        len: usize,
        to: &mut [MaybeUninit<u8>],
    ) -> Converted {
        self.pairs_to_utf8::<false, LOSSY, true>(len, Around::NOTHING, to)
    }

    /// The same for a block that has surrogates. With `AT_END`, a leading one at the end is left.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
    fn pairs_to_utf8<const BE: bool, const LOSSY: bool, const AT_END: bool>(
        self,
        len: usize,
        around: Around,
        to: &mut [MaybeUninit<u8>],
    ) -> Converted {
        let kind = _mm512_and_si512(self.units, splat(0xFC00));
        let leading = _mm512_cmpeq_epi16_mask(kind, splat(0xD800));
        let trailing = _mm512_cmpeq_epi16_mask(kind, splat(0xDC00));
        let trailing_after = u32::from(around.after & 0xFC00 == 0xDC00);
        let paired_leading = leading & (trailing >> 1 | trailing_after << 31);
        let paired_trailing = trailing & (leading << 1 | u32::from(around.before != 0));
        let paired = paired_leading | paired_trailing;
        let cut = AT_END && leading >> (len - 1) & 1 == 1;
        let len = len - usize::from(cut);
        let lone = _bzhi_u32((leading | trailing) & !paired, len as u32);
        let stopped = !LOSSY && lone != 0;
        let len = if stopped {
            lone.trailing_zeros() as usize
        } else {
            len
        };
        let units = _mm512_mask_mov_epi16(self.units, lone, splat(0xFFFD));
        let (longer, three) = (self.longer, self.three & !paired);
        let last = last(units);
        // The leading surrogate has the upper bits of the code point, after 0x10000 is added.
        let upper = _mm512_sub_epi16(units, splat(0xD7C0));
        let lead = _mm512_ternarylogic_epi32::<AND_OR>(upper, splat(0xFF00), splat(0xF000));
        let second = _mm512_ternarylogic_epi32::<AND_OR>(
            _mm512_srli_epi16::<2>(upper),
            splat(0x3F),
            splat(0x80),
        );
        let last = _mm512_mask_mov_epi16(last, paired_leading, _mm512_or_si512(lead, second));
        // Its two lowest bits are the trailing one's.
        let before = _mm512_mask_permutexvar_epi16(splat(around.before), !1, load(&BEFORE), units);
        let upper = _mm512_slli_epi16::<12>(before);
        let third = _mm512_slli_epi16::<2>(units);
        let third = _mm512_ternarylogic_epi32::<AND_OR>(third, splat(0xF00), splat(0x8000));
        let third = _mm512_ternarylogic_epi32::<OR_AND>(third, upper, splat(0x3000));
        let fourth = _mm512_ternarylogic_epi32::<AND_OR>(units, splat(0x3F), splat(0x80));
        let last = _mm512_mask_mov_epi16(last, paired_trailing, _mm512_or_si512(third, fourth));
        let front = |mask: u32| _bzhi_u32(mask, len as u32).count_ones() as usize;
        let last_unit = _mm_extract_epi16::<7>(_mm512_extracti32x4_epi32::<3>(units)) as u16;
        let converted = Converted {
            units: len,
            bytes: len + front(longer) + front(three),
            errors: if LOSSY { front(lone) } else { 0 },
            open: if paired_leading >> 31 == 1 {
                last_unit
            } else {
                0
            },
            stopped: stopped || AT_END && len == 0,
        };
        written_by(converted, |bytes| {
            if !AT_END && longer & !three == u32::MAX {
                // Each half of a pair is two bytes.
                let to = to.first_chunk_mut::<LANES>();
                to.map(|to| store(to, swap_bytes(last))).is_some()
            } else if three == 0 {
                pack_1_2::<AT_END>(last, longer, bytes, to)
            } else {
                up_to_three::<AT_END>([first(units), last], [longer, three], bytes, to)
            }
        })
    }
}

/// For each lane the number of the one before it.
static BEFORE: [u8; LANES] = {
    let mut lanes = [0; LANES];
    let mut i = 1;
    while i < UNITS {
        lanes[2 * i] = i as u8 - 1;
        i += 1;
    }
    lanes
};

/// Lets `write` write so many bytes; says that nothing was converted where it says that they do
/// not fit.
#[inline(always)]
fn written_by(converted: Converted, write: impl FnOnce(usize) -> bool) -> Converted {
    if write(converted.bytes) {
        converted
    } else {
        Converted::NOTHING
    }
}
