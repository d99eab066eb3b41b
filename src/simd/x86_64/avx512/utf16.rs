//! UTF-16 to UTF-8 for AVX-512, 32 code units at a time.

use core::arch::x86_64::{
    __m512i, _mm512_cvtepi16_epi8, _mm512_or_si512, _mm512_packus_epi16, _mm512_permutexvar_epi64,
    _mm512_set_epi64, _mm512_srli_epi16, _mm512_ternarylogic_epi32, _mm512_test_epi16_mask,
};
use core::mem::MaybeUninit;

use super::utf16_block::Block;
use super::utf16_bytes::{OR, UNITS, splat};
use super::{LANES, load, load_front, store, store_front_half};
use crate::simd::kernels::Transcoded;
use crate::simd::scalar::utf16::code_unit;
use crate::simd::x86_64::avx2::{
    self,
    compact::{Around, Converted, ROOM},
    utf16_halves::{end_to_utf8, short_to_utf8},
};

/// Converts UTF-16, at any alignment, up to the first lone surrogate or a leading one at the end;
/// or, with `LOSSY`, writes U+FFFD for every lone surrogate but a leading one at the end.
///
/// Short input, which is the common case, takes the shortest way.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_utf8<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    if !LOSSY && let Some(written) = avx2::utf16::few_to_utf8::<BE>(src, dst) {
        return (src.len(), written).into();
    }
    if let Some(written) = short_to_utf8::<BE>(src, dst) {
        return (src.len(), written).into();
    }
    if src.len() >= 2 * LANES {
        return wide::<BE, LOSSY>(src, dst);
    }
    let len = src.len() / 2;
    if len <= UNITS && len <= dst.len() {
        let bytes = load_front(&src[..2 * len]);
        if _mm512_test_epi16_mask(bytes, not_ascii::<BE>()) == 0 {
            let to = &mut dst[..len];
            let units = if BE {
                _mm512_srli_epi16::<8>(bytes)
            } else {
                bytes
            };
            store_front_half(to, _mm512_cvtepi16_epi8(units));
            return Transcoded {
                read: 2 * len,
                written: len,
                errors: 0,
            };
        }
        let converted = front_to_utf8::<BE, LOSSY>(&src[..2 * len], dst);
        if converted.units == len || converted.stopped {
            return Transcoded {
                read: 2 * converted.units,
                written: converted.bytes,
                errors: converted.errors,
            };
        }
    }
    narrow::<BE, LOSSY>(src, dst, Transcoded::NOTHING)
}

/// The bits that no ASCII unit has, in bytes as they come.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn not_ascii<const BE: bool>() -> __m512i {
    splat(if BE { 0x80FF } else { 0xFF80 })
}

/// Converts input of at least two blocks.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn wide<const BE: bool, const LOSSY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Transcoded {
    let dst_len = dst.len();
    let (mut ahead, mut room) = (src, &mut *dst);
    let mut errors = 0;
    // The unit before, if it is a leading surrogate whose first half only is written.
    let mut open = 0;
    if let Some(front) = ahead.first_chunk::<LANES>() {
        let mut block = Block::new::<BE>(load(front));
        // A block ahead, so that a branch on what it holds is decided early.
        while let Some(blocks) = ahead.first_chunk::<{ 2 * LANES }>()
            && let Some(to) = room.first_chunk_mut::<ROOM>()
            && let ([_, after], _) = blocks.as_chunks::<LANES>()
        {
            let next = Block::new::<BE>(load(after));
            if block.longer == 0 {
                if let Some(to) = to.first_chunk_mut::<UNITS>() {
                    avx2::store(to, _mm512_cvtepi16_epi8(block.units));
                }
                ahead = &ahead[LANES..];
                room = &mut core::mem::take(&mut room)[UNITS..];
                block = next;
                if block.longer == 0 {
                    let run = ascii_run::<BE>(ahead, room);
                    ahead = &ahead[2 * run..];
                    room = &mut core::mem::take(&mut room)[run..];
                    let Some(front) = ahead.first_chunk::<LANES>() else {
                        break;
                    };
                    block = Block::new::<BE>(load(front));
                }
                continue;
            }
            let around = Around {
                before: open,
                after: code_unit::<BE>([after[0], after[1]]),
            };
            let converted = block.to_utf8::<BE, LOSSY, false>(UNITS, around, to);
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
            block = next;
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
    narrow::<BE, LOSSY>(src, dst, done)
}

/// Narrows blocks of ASCII, as far as there is room. Returns the number of units.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn ascii_run<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let not_ascii = not_ascii::<BE>();
    let narrow = |low: __m512i, high: __m512i| {
        let (low, high) = if BE {
            (_mm512_srli_epi16::<8>(low), _mm512_srli_epi16::<8>(high))
        } else {
            (low, high)
        };
        // The packs work on each quarter by itself: put the eighths in order.
        let order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
        _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high))
    };
    let (blocks, _) = src.as_chunks::<{ 4 * LANES }>();
    let (to_blocks, _) = dst.as_chunks_mut::<{ 2 * LANES }>();
    let mut run = 0;
    for (from, to) in blocks.iter().zip(to_blocks) {
        let ([a, b, c, d], _) = from.as_chunks::<LANES>() else {
            break;
        };
        let [a, b, c, d] = [load(a), load(b), load(c), load(d)];
        let any = _mm512_or_si512(_mm512_ternarylogic_epi32::<OR>(a, b, c), d);
        if _mm512_test_epi16_mask(any, not_ascii) != 0 {
            break;
        }
        if let ([low, high], _) = to.as_chunks_mut::<LANES>() {
            store(low, narrow(a, b));
            store(high, narrow(c, d));
        }
        run += 2 * LANES;
    }
    run
}

/// Converts at most 32 units, if they fit. Not in a loop, so that what one case needs is not loaded
/// for the others.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn front_to_utf8<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Converted {
    let block = Block::new::<BE>(load_front(src));
    block.to_utf8::<BE, LOSSY, true>(src.len() / 2, Around::NOTHING, dst)
}

/// What is left at the end of either buffer.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn narrow<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut done: Transcoded,
) -> Transcoded {
    let mut most = UNITS;
    loop {
        let src = &src[done.read..];
        let dst = &mut dst[done.written..];
        let len = (src.len() / 2).min(most);
        if len == 0 {
            return done;
        }
        let bytes = load_front(&src[..2 * len]);
        if _mm512_test_epi16_mask(bytes, not_ascii::<BE>()) == 0 {
            let units = if BE {
                _mm512_srli_epi16::<8>(bytes)
            } else {
                bytes
            };
            let len = len.min(dst.len());
            store_front_half(&mut dst[..len], _mm512_cvtepi16_epi8(units));
            done.read += 2 * len;
            done.written += len;
            if 2 * len == src.len() || len == 0 {
                return done;
            }
            continue;
        }
        let converted = front_to_utf8::<BE, LOSSY>(&src[..2 * len], dst);
        if converted.units == 0 {
            if converted.stopped {
                return done;
            }
            // A third of the room always serves.
            most = dst.len() / 3;
        }
        done.read += 2 * converted.units;
        done.written += converted.bytes;
        done.errors += converted.errors;
        if converted.stopped || 2 * converted.units == src.len() {
            return done;
        }
    }
}
