//! Latin-1 to and from UTF-8 for NEON.
//!
//! A byte from 80 up is two bytes of UTF-8, the first of which is C2 or C3. Both directions work on
//! 16 bytes at once, whatever is where, and then move eight characters together by a look-up in a
//! table; there is no loop over characters.

use core::arch::aarch64::{
    uint8x16_t, vandq_u8, vbslq_u8, vceqq_u8, vcgeq_u8, vdupq_n_u8, veorq_u8, vget_low_u8,
    vmaxvq_u8, vmovl_high_u8, vmovl_u8, vmovn_u16, vmvnq_u8, vorrq_u8, vreinterpretq_u16_u8,
    vshrq_n_u8, vzip1q_u8, vzip2q_u8,
};
use core::mem::MaybeUninit;

use super::ascii::ascii_to_utf8;
use super::{LANES, load, mask_of_bytes, shuffled, store, store_half};
use crate::simd::scalar;
use crate::simd::shared::shuffles::{ONE_OR_TWO, WINDOWS};

#[inline]
#[target_feature(enable = "neon")]
fn at_least(bytes: uint8x16_t, least: u8) -> uint8x16_t {
    vcgeq_u8(bytes, vdupq_n_u8(least))
}

/// Converts Latin-1. Returns the bytes read and the bytes written.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn latin1_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(from) = src[read..].first_chunk()
        && let Some(to) = dst[written..].first_chunk_mut()
    {
        let bytes = load(from);
        if vmaxvq_u8(bytes) < 0x80 {
            let run = ascii_to_utf8(&src[read..], &mut dst[written..]);
            read += run;
            written += run;
        } else {
            read += LANES;
            written += vector_to_utf8(bytes, to);
        }
    }
    let rest = scalar::latin1::latin1_to_utf8(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Writes the UTF-8 of 16 bytes of Latin-1, and returns its length.
#[inline]
#[target_feature(enable = "neon")]
fn vector_to_utf8(bytes: uint8x16_t, to: &mut [MaybeUninit<u8>; 2 * LANES]) -> usize {
    let longer = at_least(bytes, 0x80);
    // C2 or C3, and the byte without bit 6.
    let lead = vorrq_u8(vshrq_n_u8::<6>(bytes), vdupq_n_u8(0xC0));
    let last = vbslq_u8(longer, vandq_u8(bytes, vdupq_n_u8(0xBF)), bytes);
    let [low, high] = mask_of_bytes(longer).to_le_bytes();
    let low_len = LANES / 2 + low.count_ones() as usize;
    let halves = [
        (0, vzip1q_u8(last, lead), low),
        (low_len, vzip2q_u8(last, lead), high),
    ];
    for (at, half, lanes) in halves {
        if let Some(to) = to[at..].first_chunk_mut() {
            let row = &ONE_OR_TWO[usize::from(lanes)];
            store(to, shuffled(vreinterpretq_u16_u8(half), row));
        }
    }
    low_len + LANES / 2 + high.count_ones() as usize
}

/// Converts UTF-8 up to the first character above U+00FF or the first byte that is malformed.
/// Returns the bytes read and the bytes written.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    // Vectors look at the byte before them: the first character is done by itself.
    let first = match src {
        [0..0x80, _, ..] => 1,
        [_, _, ..] => 2,
        _ => 0,
    };
    let (mut read, mut written) = scalar::latin1::utf8_to_latin1(&src[..first], dst);
    // Whether the byte before is a lead byte.
    let mut open = false;
    while read > 0
        && let Some(from) = src[read - 1..].first_chunk::<{ LANES + 1 }>()
        && let Some(to) = dst[written..].first_chunk_mut::<LANES>()
        && let (Some(before), Some(from)) = (from.first_chunk(), from.last_chunk())
    {
        let (before, bytes) = (load(before), load(from));
        if vmaxvq_u8(bytes) < 0x80 && !open {
            store(to, bytes);
            read += LANES;
            written += LANES;
            continue;
        }
        let is_lead = |bytes| {
            let even = vandq_u8(bytes, vdupq_n_u8(0xFE));
            vceqq_u8(even, vdupq_n_u8(0xC2))
        };
        let (lead, trail) = (is_lead(bytes), is_lead(before));
        // Behind lead bytes stand continuation bytes, and these and lead bytes are all.
        let continuation = vceqq_u8(vandq_u8(bytes, vdupq_n_u8(0xC0)), vdupq_n_u8(0x80));
        let wrong = vorrq_u8(
            veorq_u8(continuation, trail),
            veorq_u8(at_least(bytes, 0xC0), lead),
        );
        if vmaxvq_u8(wrong) != 0 {
            break;
        }
        // Behind C3 a byte from 80 to BF is one from C0 to FF.
        let after_c3 = vceqq_u8(before, vdupq_n_u8(0xC3));
        let chars = vorrq_u8(bytes, vandq_u8(after_c3, vdupq_n_u8(0x40)));
        written += without_leads(chars, lead, to);
        read += LANES;
        open = from[LANES - 1] >= 0xC0;
    }
    // A lead byte at the end of the last vector has written nothing.
    read -= usize::from(open);
    let rest = scalar::latin1::utf8_to_latin1(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Writes the 16 characters without those in `lead`. Returns their number.
#[inline]
#[target_feature(enable = "neon")]
fn without_leads(chars: uint8x16_t, lead: uint8x16_t, to: &mut [MaybeUninit<u8>; LANES]) -> usize {
    let [low, high] = mask_of_bytes(vmvnq_u8(lead)).to_le_bytes();
    let low_len = low.count_ones() as usize;
    let halves = [
        (0, vmovl_u8(vget_low_u8(chars)), low),
        (low_len, vmovl_high_u8(chars), high),
    ];
    for (at, half, lanes) in halves {
        if let Some(to) = to[at..].first_chunk_mut() {
            let units = shuffled(half, &WINDOWS[0].0[usize::from(lanes)]);
            store_half(to, vmovn_u16(vreinterpretq_u16_u8(units)));
        }
    }
    low_len + high.count_ones() as usize
}
