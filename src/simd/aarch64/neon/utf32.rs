//! UTF-32 to and from UTF-8 and UTF-16 for NEON.

use core::arch::aarch64::{
    uint16x8_t, uint32x4_t, vaddq_u32, vandq_u16, vandq_u32, vbslq_u32, vceqq_u16, vceqq_u32,
    vcgtq_u32, vcombine_u16, vdupq_n_u16, vdupq_n_u32, veorq_u16, vextq_u16, vget_low_u16,
    vmaxq_u32, vmaxvq_u16, vmaxvq_u32, vmovl_high_u16, vmovl_u16, vmovn_u32, vmvnq_u32, vorrq_u32,
    vreinterpretq_u16_u32, vreinterpretq_u32_u8, vshlq_n_u32, vshrq_n_u32, vsubq_u32,
};
use core::mem::MaybeUninit;

use super::utf8_to_utf16::utf8_to_utf16;
use super::utf16::utf16_to_utf8;
use super::{
    LANES, load_units, load_words, mask_of_units, shuffled, store, store_units, store_words,
};
use crate::simd::scalar;
use crate::simd::shared::as_bytes;
use crate::simd::shared::shuffles::WINDOWS;

/// Code units of UTF-32 in a vector.
const UNITS: usize = LANES / 4;

/// All ones where the bits of a unit under `mask` are `top`.
#[inline]
#[target_feature(enable = "neon")]
fn has_top(units: uint16x8_t, mask: u16, top: u16) -> uint16x8_t {
    vceqq_u16(vandq_u16(units, vdupq_n_u16(mask)), vdupq_n_u16(top))
}

/// Converts UTF-32 up to the first unit that is no scalar value. Returns the units read and the
/// units written.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf32_to_utf16(src: &[u32], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // Two vectors, and the most units that they can become.
    while let Some(from) = src[read..].first_chunk::<{ 2 * UNITS }>()
        && let Some(to) = dst[written..].first_chunk_mut::<{ 4 * UNITS }>()
        && let ([low, high], _) = from.as_chunks()
    {
        let (low, high) = (load_words(low), load_words(high));
        let len = if vmaxvq_u32(vmaxq_u32(low, high)) <= 0xFFFF {
            let units = vcombine_u16(vmovn_u32(low), vmovn_u32(high));
            if vmaxvq_u16(has_top(units, 0xF800, 0xD800)) != 0 {
                break;
            }
            if let Some(to) = to.first_chunk_mut() {
                store_units(to, units);
            }
            2 * UNITS
        } else {
            if !all_are_scalar_values(low) || !all_are_scalar_values(high) {
                break;
            }
            let middle = vector_to_utf16(low, to, 0);
            middle + vector_to_utf16(high, to, middle)
        };
        read += 2 * UNITS;
        written += len;
    }
    let rest = scalar::utf32::utf32_to_utf16(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

#[inline]
#[target_feature(enable = "neon")]
fn all_are_scalar_values(chars: uint32x4_t) -> bool {
    let top = vandq_u32(chars, vdupq_n_u32(!0x7FF));
    let surrogates = vceqq_u32(top, vdupq_n_u32(0xD800));
    let beyond = vcgtq_u32(chars, vdupq_n_u32(0x10_FFFF));
    vmaxvq_u32(vorrq_u32(surrogates, beyond)) == 0
}

/// Writes four scalar values at `at` and returns their length.
#[inline]
#[target_feature(enable = "neon")]
fn vector_to_utf16(chars: uint32x4_t, to: &mut [MaybeUninit<u16>; 4 * UNITS], at: usize) -> usize {
    let pairs = vcgtq_u32(chars, vdupq_n_u32(0xFFFF));
    // D800 + (c - 10000 >> 10) in the low half, DC00 + (c & 3FF) in the high half.
    let lead = vaddq_u32(vshrq_n_u32::<10>(chars), vdupq_n_u32(0xD7C0));
    let trail = vandq_u32(chars, vdupq_n_u32(0x3FF));
    let trail = vshlq_n_u32::<16>(vorrq_u32(trail, vdupq_n_u32(0xDC00)));
    let units = vbslq_u32(pairs, vorrq_u32(lead, trail), chars);
    // The low half of every lane, and the high one of pairs.
    let kept = 0b0101_0101 | 0b1010_1010 & mask_of_units(vreinterpretq_u16_u32(pairs));
    let row = &WINDOWS[0].0[usize::from(kept)];
    if let Some(to) = as_bytes(&mut to[at..]).first_chunk_mut() {
        store(to, shuffled(vreinterpretq_u16_u32(units), row));
    }
    kept.count_ones() as usize
}

/// Converts UTF-16 up to the first lone surrogate. Returns the units read and the units written.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf16_to_utf32(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // The units before; the last of them counts if it is a leading surrogate.
    let mut before = vdupq_n_u16(0);
    let mut open = false;
    while let Some(from) = src[read..].first_chunk::<{ 2 * UNITS }>()
        && let Some(to) = dst[written..].first_chunk_mut::<{ 2 * UNITS }>()
    {
        let units = load_units(from);
        let surrogates = has_top(units, 0xF800, 0xD800);
        let halves = [vmovl_u16(vget_low_u16(units)), vmovl_high_u16(units)];
        if vmaxvq_u16(surrogates) == 0 && !open {
            let (to, _) = to.as_chunks_mut();
            for (to, half) in to.iter_mut().zip(halves) {
                store_words(to, half);
            }
            read += 2 * UNITS;
            written += 2 * UNITS;
            continue;
        }
        let one_before = vextq_u16::<7>(if open { before } else { vdupq_n_u16(0) }, units);
        let after_lead = has_top(one_before, 0xFC00, 0xD800);
        let trails = has_top(units, 0xFC00, 0xDC00);
        if vmaxvq_u16(veorq_u16(after_lead, trails)) != 0 {
            break;
        }
        let halves_before = [
            vmovl_u16(vget_low_u16(one_before)),
            vmovl_high_u16(one_before),
        ];
        let mut at = 0;
        for (half, half_before) in halves.into_iter().zip(halves_before) {
            at += pairs_to_utf32(half, half_before, to, at);
        }
        before = units;
        open = from[2 * UNITS - 1] & 0xFC00 == 0xD800;
        read += 2 * UNITS;
        written += at;
    }
    // A leading surrogate at the end of the last vector has written nothing.
    read -= usize::from(open);
    let rest = scalar::utf32::utf16_to_utf32(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Writes the characters that end at four code units, where those after leading surrogates are
/// trailing ones. Returns their number.
#[inline]
#[target_feature(enable = "neon")]
fn pairs_to_utf32(
    units: uint32x4_t,
    one_before: uint32x4_t,
    to: &mut [MaybeUninit<u32>; 2 * UNITS],
    at: usize,
) -> usize {
    let kind = |kind| vceqq_u32(vandq_u32(units, vdupq_n_u32(0xFC00)), vdupq_n_u32(kind));
    let pair = vaddq_u32(vshlq_n_u32::<10>(one_before), units);
    let pair = vsubq_u32(pair, vdupq_n_u32(0x35F_DC00));
    let chars = vbslq_u32(kind(0xDC00), pair, units);
    // Two bits a lane.
    let kept = mask_of_units(vreinterpretq_u16_u32(vmvnq_u32(kind(0xD800))));
    let row = &WINDOWS[0].0[usize::from(kept)];
    if let Some(to) = to[at..].first_chunk_mut() {
        let chars = shuffled(vreinterpretq_u16_u32(chars), row);
        store_words(to, vreinterpretq_u32_u8(chars));
    }
    (kept.count_ones() / 2) as usize
}

/// Code units of UTF-16 that are converted at a time where they stand between two other forms: the
/// first-level cache holds them.
const WINDOW: usize = 1024;

/// Room for code units that stand between two other forms.
fn window() -> [MaybeUninit<u16>; WINDOW] {
    [const { MaybeUninit::uninit() }; WINDOW]
}

/// The code units that a kernel has written.
///
/// # Safety
///
/// All of them were written.
unsafe fn written_units(units: &[MaybeUninit<u16>]) -> &[u16] {
    // SAFETY: the caller has written the units, and initialised ones have the same layout.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), units.len()) }
}

/// Converts well-formed UTF-8 by way of UTF-16. Returns the bytes read and the units written.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf8_to_utf32(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    let mut between = window();
    let (mut read, mut written) = (0, 0);
    loop {
        let room = &mut dst[written..];
        // No text has more characters than code units, so that there is room for these.
        let most = room.len().min(WINDOW);
        let (bytes, len) = utf8_to_utf16(&src[read..], &mut between[..most]);
        // SAFETY: the kernel says that it has written so many.
        let (_, chars) = utf16_to_utf32(unsafe { written_units(&between[..len]) }, room);
        read += bytes;
        written += chars;
        if bytes == 0 {
            return (read, written);
        }
    }
}

/// Converts UTF-32 up to the first unit that is no scalar value, by way of UTF-16. Returns the units
/// read and the bytes written.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf32_to_utf8(src: &[u32], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let mut between = window();
    let (mut read, mut written) = (0, 0);
    loop {
        let (ahead, room) = (&src[read..], &mut dst[written..]);
        // No text has more characters than bytes.
        let ahead = &ahead[..ahead.len().min(room.len())];
        let (chars, len) = utf32_to_utf16(ahead, &mut between);
        // SAFETY: the kernel says that it has written so many.
        let units = unsafe { written_units(&between[..len]) };
        let done = utf16_to_utf8::<false, false>(bytemuck::cast_slice(units), room);
        let taken = done.read / 2;
        read += if taken == len {
            chars
        } else {
            scalar::utf16_units::scalars(&units[..taken])
        };
        written += done.written;
        if taken == 0 {
            return (read, written);
        }
    }
}
