//! A block of UTF-8 as scalar values: what the kernels to UTF-32 of both kinds of AVX-512 share.
//!
//! As in the kernels to UTF-16, what is said at each byte is about the character that ends *before*
//! it: only a byte after it shows that it ends.

use core::arch::x86_64::{
    __m128i, __m512i, _mm512_and_si512, _mm512_castsi512_si128, _mm512_cvtepu8_epi32,
    _mm512_extracti32x4_epi32, _mm512_mask_mov_epi8, _mm512_maskz_loadu_epi8,
    _mm512_maskz_mov_epi8, _mm512_movepi8_mask, _mm512_setzero_si512, _mm512_slli_epi16,
    _mm512_srli_epi16, _mm512_subs_epu8, _mm512_ternarylogic_epi32, _pdep_u64,
};
use core::mem::MaybeUninit;

use super::utf8_units::{
    at_least, bytes, continuations, pair_faults, second_continuation_is_wrong, wrong_continuations,
};
use super::utf32::{self, UNITS};
use super::{LANES, lanes_below};
use crate::simd::scalar::short;
use crate::simd::x86_64::avx2::utf8_threes;

/// Bytes before a block that it looks at.
const BEFORE: usize = 4;

/// (a & b) | c
const AND_OR: i32 = 0xEA;

/// The scalar value that ends before each byte: bits 0 to 7, 8 to 15, and 16 to 20 if there are
/// any.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Scalars {
    pub(in crate::simd::x86_64) low: __m512i,
    pub(in crate::simd::x86_64) high: __m512i,
    pub(in crate::simd::x86_64) top: Option<__m512i>,
}

/// The bytes of a block, and those one, two, three and four before each.
struct Block {
    x: __m512i,
    before: [__m512i; BEFORE],
    /// Where the byte four before leads four.
    fourth: u64,
    /// Whether a byte before one of the block leads four.
    fours: bool,
}

impl Block {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn inside(from: &[u8; BEFORE + LANES]) -> Self {
        let view = |back: usize| match from[BEFORE - back..].first_chunk() {
            Some(bytes) => super::load(bytes),
            None => _mm512_setzero_si512(),
        };
        Self::new(
            view(0),
            [view(1), view(2), view(3), view(4)],
            from[0] >= 0xF0,
        )
    }

    /// At `at`, which is not 0, and as far as there are bytes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn at_edge(src: &[u8], at: usize) -> Self {
        let view = |back: usize| {
            let inside = lanes_below(src.len() - at + back) & !0 << back.saturating_sub(at);
            let from = src.as_ptr().wrapping_add(at).wrapping_sub(back);
            // SAFETY: the mask has no lanes before the front of the slice and none after its end.
            unsafe { _mm512_maskz_loadu_epi8(inside, from.cast()) }
        };
        let four_before = at >= BEFORE && src[at - BEFORE] >= 0xF0;
        Self::new(view(0), [view(1), view(2), view(3), view(4)], four_before)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn new(x: __m512i, before: [__m512i; BEFORE], four_before: bool) -> Self {
        let third = at_least(before[2], 0xF0);
        Block {
            x,
            before,
            fourth: third << 1 | u64::from(four_before),
            fours: third != 0 || four_before,
        }
    }

    /// Where a byte can't stand after those before it.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn wrong(&self) -> u64 {
        let [p1, p2, p3, _] = self.before;
        let faults = pair_faults(self.x, p1);
        if self.fours {
            wrong_continuations(faults, p2, p3)
        } else {
            second_continuation_is_wrong(faults, p2)
        }
    }

    /// Where a character starts.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn starts(&self) -> u64 {
        !continuations(self.x)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn scalars(&self) -> Scalars {
        let [p1, p2, p3, p4] = self.before;
        let longer = _mm512_movepi8_mask(p1);
        let a = _mm512_and_si512(p1, bytes(0x7F));
        let b = _mm512_maskz_mov_epi8(longer, _mm512_and_si512(p2, bytes(0x3F)));
        // 0 if this is no lead byte of three.
        let c = _mm512_subs_epu8(p3, bytes(0xE0));
        let low = _mm512_ternarylogic_epi32::<AND_OR>(_mm512_slli_epi16::<6>(b), bytes(0xC0), a);
        let b = _mm512_srli_epi16::<2>(b);
        if !self.fours {
            let c = _mm512_slli_epi16::<4>(c);
            return Scalars {
                low,
                high: _mm512_ternarylogic_epi32::<AND_OR>(b, bytes(0x0F), c),
                top: None,
            };
        }
        let c = _mm512_mask_mov_epi8(c, self.fourth, _mm512_and_si512(p3, bytes(0x3F)));
        let upper = _mm512_and_si512(_mm512_slli_epi16::<4>(c), bytes(0xF0));
        let d = _mm512_maskz_mov_epi8(self.fourth, _mm512_and_si512(p4, bytes(0x07)));
        let d = _mm512_slli_epi16::<2>(d);
        Scalars {
            low,
            high: _mm512_ternarylogic_epi32::<AND_OR>(b, bytes(0x0F), upper),
            top: Some(_mm512_ternarylogic_epi32::<AND_OR>(
                _mm512_srli_epi16::<4>(c),
                bytes(0x03),
                d,
            )),
        }
    }
}

/// Bytes of long characters that are converted one after the other.
const FEW: usize = 16;

/// Converts well-formed UTF-8. `emit` writes the scalar values at the bits of a mask to the front
/// of 64 units; `emit_exactly` writes nothing after the last of them. With `THREES`, runs of
/// characters of three bytes go another way.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd::x86_64) fn convert<const THREES: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u32>],
    emit: impl Fn(&mut [MaybeUninit<u32>; LANES], u64, Scalars),
    emit_exactly: impl Fn(&mut [MaybeUninit<u32>], u64, Scalars),
) -> (usize, usize) {
    if let [] | [0x80..0xC0, ..] = *src {
        return (0, 0);
    }
    if src.len() <= FEW
        && src[0] >= 0xE0
        && let Some(written) = short::utf8_to_utf32(src, dst)
    {
        return (src.len(), written);
    }
    // Much text begins with ASCII, or is nothing else.
    let run = if src.len() > LANES {
        ascii_blocks(src, dst)
    } else {
        0
    };
    let (rest, room) = (&src[run..], &mut dst[run..]);
    if rest.len() <= LANES && rest.len() <= room.len() {
        let x = super::load_front(rest);
        if _mm512_movepi8_mask(x) == 0 {
            for (to, quarter) in room[..rest.len()].chunks_mut(UNITS).zip(quarters(x)) {
                utf32::store_front(to, _mm512_cvtepu8_epi32(quarter));
            }
            return (src.len(), src.len());
        }
    }
    if let [] | [0x80..0xC0, ..] = *rest {
        return (run, run);
    }
    let (mut at, mut written) = (run + 1, run);
    loop {
        // One block anywhere: the first, the last, one with malformed input or with little room.
        let block = Block::at_edge(src, at);
        let rest = src.len() - at;
        // Behind the last byte stands one more start.
        let after = lanes_below(rest + 1);
        let wrong = block.wrong() & after;
        let mut starts = block.starts() & after;
        // Below the lowest bit.
        starts &= wrong.wrapping_sub(1) & !wrong;
        let room = &mut dst[written..];
        let mut ends = rest < LANES || wrong != 0;
        if starts.count_ones() as usize > room.len() {
            starts = _pdep_u64(lanes_below(room.len()), starts);
            ends = true;
        }
        let len = starts.count_ones() as usize;
        match room.first_chunk_mut() {
            Some(to) => emit(to, starts, block.scalars()),
            None => emit_exactly(&mut room[..len], starts, block.scalars()),
        }
        written += len;
        if ends {
            return (end(src, at, starts), written);
        }
        at += LANES;
        // Whole blocks of well-formed input.
        let mut threes = false;
        while let (Some(from), Some(to)) = (
            src[at - BEFORE..].first_chunk::<{ BEFORE + LANES }>(),
            dst[written..].first_chunk_mut::<{ LANES + 1 }>(),
        ) {
            let block = Block::inside(from);
            if _mm512_movepi8_mask(block.x) == 0 && from[BEFORE - 1] < 0x80 {
                to[0].write(u32::from(from[BEFORE - 1]));
                let len = ascii_blocks(&src[at..], &mut dst[written + 1..]);
                at += len;
                written += len;
                continue;
            }
            if block.wrong() != 0 {
                break;
            }
            let Some(to) = to.first_chunk_mut() else {
                break;
            };
            let starts = block.starts();
            emit(to, starts, block.scalars());
            written += starts.count_ones() as usize;
            let before = core::mem::replace(&mut threes, THREES && utf8_threes::is_likely(starts));
            if before && threes && !block.fours {
                // From the last start on, before which all is written.
                let from = at + LANES - 1 - starts.leading_zeros() as usize;
                let more = utf8_threes::to_utf32(&src[from..], &mut dst[written..]);
                if more > 0 {
                    at = from + 3 * more;
                    // The last one is left, and written again.
                    written += more - 1;
                    continue;
                }
            }
            at += LANES;
        }
    }
}

/// Where the character starts that is the first one not written: the last bit of `starts`, or
/// before the block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn end(src: &[u8], at: usize, starts: u64) -> usize {
    match starts.checked_ilog2() {
        Some(last) => at + last as usize,
        None => {
            let is_start = |byte: &u8| !(0x80..0xC0).contains(byte);
            src[..at].iter().rposition(is_start).unwrap_or_default()
        }
    }
}

/// The blocks in front that are ASCII.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn ascii_blocks(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> usize {
    /// So much is worth aligned stores.
    const FEW: usize = 8 * LANES;
    let len = unaligned_ascii(&src[..src.len().min(FEW)], dst);
    if len < FEW {
        return len;
    }
    // Some are written again.
    let len = len - dst[len..].as_ptr().addr() % 64 / 4;
    len + long_ascii(&src[len..], &mut dst[len..])
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn long_ascii(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> usize {
    unaligned_ascii(src, dst)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn unaligned_ascii(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> usize {
    let (blocks, _) = src.as_chunks::<LANES>();
    let (rooms, _) = dst.as_chunks_mut::<LANES>();
    let mut len = 0;
    for (block, to) in blocks.iter().zip(rooms) {
        let x = super::load(block);
        if _mm512_movepi8_mask(x) != 0 {
            break;
        }
        let (to, _) = to.as_chunks_mut::<UNITS>();
        for (to, quarter) in to.iter_mut().zip(quarters(x)) {
            utf32::store(to, _mm512_cvtepu8_epi32(quarter));
        }
        len += LANES;
    }
    len
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn quarters(x: __m512i) -> [__m128i; 4] {
    [
        _mm512_castsi512_si128(x),
        _mm512_extracti32x4_epi32::<1>(x),
        _mm512_extracti32x4_epi32::<2>(x),
        _mm512_extracti32x4_epi32::<3>(x),
    ]
}
