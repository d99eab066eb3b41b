//! UTF-16 to UTF-8 for NEON, eight code units at a time.

use core::arch::aarch64::{
    uint8x16_t, uint16x8_t, vaddq_u16, vaddvq_u16, vandq_u16, vbicq_u16, vbslq_u16, vceqq_u16,
    vcgtq_u16, vdupq_n_u16, vextq_u16, vgetq_lane_u16, vmaxvq_u16, vminq_u16, vmvnq_u16, vorrq_u16,
    vreinterpretq_u16_u8, vrev16q_u8, vshlq_n_u16, vshrq_n_u16, vsubq_u16, vzip1q_u16, vzip2q_u16,
};
use core::mem::MaybeUninit;

use super::ascii::utf16_to_ascii;
use super::table::kernels;
use super::{LANES, load, load_units, mask_of_units, shuffled, store};
use crate::simd::kernels::Transcoded;
use crate::simd::scalar;
use crate::simd::scalar::utf16::code_unit;
use crate::simd::shared::shuffles::{ONE_OR_TWO, UP_TO_THREE};

/// Code units in a vector.
const UNITS: usize = 8;

/// Room for the units of a vector, and for what the last store may overrun them by.
type Room = [MaybeUninit<u8>; 32];

/// Native code units.
#[inline]
#[target_feature(enable = "neon")]
fn units_of<const BE: bool>(bytes: &[u8; LANES]) -> uint16x8_t {
    let bytes: uint8x16_t = load(bytes);
    vreinterpretq_u16_u8(if BE { vrev16q_u8(bytes) } else { bytes })
}

/// All ones where the bits of a unit under `mask` are `top`.
#[inline]
#[target_feature(enable = "neon")]
fn has_top(units: uint16x8_t, mask: u16, top: u16) -> uint16x8_t {
    vceqq_u16(vandq_u16(units, vdupq_n_u16(mask)), vdupq_n_u16(top))
}

/// The first two bytes of three.
#[inline]
#[target_feature(enable = "neon")]
fn first(units: uint16x8_t) -> uint16x8_t {
    let lead = vorrq_u16(vshrq_n_u16::<12>(units), vdupq_n_u16(0x80E0));
    vorrq_u16(lead, middle(units))
}

/// The last byte of each character in the low half of each lane (below 80 the first as well), the
/// first of two in the high one.
#[inline]
#[target_feature(enable = "neon")]
fn last(units: uint16x8_t) -> uint16x8_t {
    let last = vminq_u16(units, tail(units));
    vorrq_u16(last, vorrq_u16(middle(units), vdupq_n_u16(0xC000)))
}

/// The six bits above the lowest six, in the high half of each lane.
#[inline]
#[target_feature(enable = "neon")]
fn middle(units: uint16x8_t) -> uint16x8_t {
    vandq_u16(vshlq_n_u16::<2>(units), vdupq_n_u16(0x3F00))
}

/// The lowest six bits as a byte that is not the first.
#[inline]
#[target_feature(enable = "neon")]
fn tail(bits: uint16x8_t) -> uint16x8_t {
    vorrq_u16(vandq_u16(bits, vdupq_n_u16(0x3F)), vdupq_n_u16(0x80))
}

/// Writes of every lane in `three` both bytes of `first` and the low one of `last`, of every other in
/// `longer` the high byte of `last` and the low one, and of the others the low byte of `last`.
/// Returns their number.
#[inline]
#[target_feature(enable = "neon")]
fn write(
    first: uint16x8_t,
    last: uint16x8_t,
    longer: uint16x8_t,
    three: uint16x8_t,
    to: &mut Room,
) -> usize {
    /// For each lane a pair of bits, of which `longer` keeps the first and `three` the second.
    static LONGER: [u16; UNITS] = [1, 1 << 2, 1 << 4, 1 << 6, 1 << 8, 1 << 10, 1 << 12, 1 << 14];
    static THREE: [u16; UNITS] = [2, 2 << 2, 2 << 4, 2 << 6, 2 << 8, 2 << 10, 2 << 12, 2 << 14];
    let twos = vandq_u16(longer, load_units(&LONGER));
    let threes = vandq_u16(three, load_units(&THREE));
    if vmaxvq_u16(threes) == 0 {
        let longer = mask_of_units(longer);
        if let Some(to) = to.first_chunk_mut() {
            store(to, shuffled(last, &ONE_OR_TWO[usize::from(longer)]));
        }
        return UNITS + longer.count_ones() as usize;
    }
    let [low, high] = vaddvq_u16(vorrq_u16(twos, threes)).to_le_bytes();
    let low_len = UNITS / 2 + low.count_ones() as usize;
    let halves = [
        (0, vzip1q_u16(first, last), low),
        (low_len, vzip2q_u16(first, last), high),
    ];
    for (at, half, lanes) in halves {
        if let Some(to) = to[at..].first_chunk_mut() {
            store(to, shuffled(half, &UP_TO_THREE[usize::from(lanes)]));
        }
    }
    low_len + UNITS / 2 + high.count_ones() as usize
}

/// Writes eight characters of the Basic Multilingual Plane and returns their length in bytes. None
/// of the units is a surrogate.
#[inline]
#[target_feature(enable = "neon")]
fn block_to_utf8(units: uint16x8_t, to: &mut Room) -> usize {
    let longer = vcgtq_u16(units, vdupq_n_u16(0x7F));
    let three = vcgtq_u16(units, vdupq_n_u16(0x7FF));
    write(first(units), last(units), longer, three, to)
}

/// What became of a vector with surrogates.
struct Converted {
    bytes: usize,
    errors: usize,
    /// The last unit if it is a leading surrogate whose trailing one follows, or else 0.
    open: u16,
}

/// Writes a vector that has surrogates, with U+FFFD for each lone one; of a pair across its edges
/// two bytes. `before` is the unit before if it is the first half of such a pair, or else 0; `after`
/// is the unit after. `None` without `LOSSY` where there is a lone surrogate.
#[inline]
#[target_feature(enable = "neon")]
fn pairs_to_utf8<const LOSSY: bool>(
    units: uint16x8_t,
    before: u16,
    after: u16,
    to: &mut Room,
) -> Option<Converted> {
    let next = vextq_u16::<1>(units, vdupq_n_u16(after));
    let before = vextq_u16::<7>(vdupq_n_u16(before), units);
    let leading = has_top(units, 0xFC00, 0xD800);
    let trailing = has_top(units, 0xFC00, 0xDC00);
    let paired_leading = vandq_u16(leading, has_top(next, 0xFC00, 0xDC00));
    let paired_trailing = vandq_u16(trailing, has_top(before, 0xFC00, 0xD800));
    let paired = vorrq_u16(paired_leading, paired_trailing);
    let lone = vbicq_u16(vorrq_u16(leading, trailing), paired);
    let errors = mask_of_units(lone).count_ones() as usize;
    if !LOSSY && errors != 0 {
        return None;
    }
    let units = vbslq_u16(lone, vdupq_n_u16(0xFFFD), units);
    // The leading surrogate has the upper bits of the code point, after 0x10000 is added.
    let upper = vsubq_u16(units, vdupq_n_u16(0xD7C0));
    let lead = vandq_u16(upper, vdupq_n_u16(0xFF00));
    let lead = vorrq_u16(lead, vdupq_n_u16(0xF000));
    let front = vorrq_u16(lead, tail(vshrq_n_u16::<2>(upper)));
    // Its two lowest bits are the trailing one's.
    let upper = vandq_u16(vshlq_n_u16::<12>(before), vdupq_n_u16(0x3000));
    let lower = vandq_u16(vshlq_n_u16::<2>(units), vdupq_n_u16(0x0F00));
    let third = vaddq_u16(vaddq_u16(upper, lower), vdupq_n_u16(0x8000));
    let back = vorrq_u16(third, tail(units));
    let last = vbslq_u16(paired_leading, front, last(units));
    let last = vbslq_u16(paired_trailing, back, last);
    let longer = vcgtq_u16(units, vdupq_n_u16(0x7F));
    // Each half of a pair is two bytes.
    let three = vandq_u16(vcgtq_u16(units, vdupq_n_u16(0x7FF)), vmvnq_u16(paired));
    let bytes = write(first(units), last, longer, three, to);
    let is_open = mask_of_units(paired_leading) >> (UNITS - 1) == 1;
    let open = if is_open {
        vgetq_lane_u16::<7>(units)
    } else {
        0
    };
    Some(Converted {
        bytes,
        errors,
        open,
    })
}

/// Converts UTF-16, at any alignment, up to the first lone surrogate or a leading one at the end;
/// or, with `LOSSY`, writes U+FFFD for every lone surrogate but a leading one at the end.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf16_to_utf8<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    let mut done = Transcoded::NOTHING;
    // The unit before, if it is a leading surrogate whose first half only is written.
    let mut open = 0;
    while let Some(from) = src[done.read..].first_chunk::<{ LANES + 2 }>()
        && let Some(to) = dst[done.written..].first_chunk_mut()
        && let (Some(now), Some(after)) = (from.first_chunk(), from.last_chunk())
    {
        let units = units_of::<BE>(now);
        if vmaxvq_u16(units) < 0x80 {
            let run = utf16_to_ascii::<BE>(&src[done.read..], &mut dst[done.written..]);
            done.read += 2 * run;
            done.written += run;
            continue;
        }
        if vmaxvq_u16(has_top(units, 0xF800, 0xD800)) == 0 {
            done.written += block_to_utf8(units, to);
        } else {
            let after = code_unit::<BE>(*after);
            let Some(converted) = pairs_to_utf8::<LOSSY>(units, open, after, to) else {
                break;
            };
            done.written += converted.bytes;
            done.errors += converted.errors;
            open = converted.open;
        }
        done.read += LANES;
    }
    if open != 0 {
        // A pair is not to be left half written.
        done.read -= 2;
        done.written -= 2;
    }
    // Less than a vector and a unit, or up to a lone surrogate in the vector at hand.
    let rest = scalar::utf16::utf16_to_utf8::<BE, LOSSY>(
        kernels(),
        &src[done.read..],
        &mut dst[done.written..],
    );
    Transcoded {
        read: done.read + rest.read,
        written: done.written + rest.written,
        errors: done.errors + rest.errors,
    }
}
