//! UTF-16 as code units: copied with either byte order, validated and counted.
//!
//! Plain loops over blocks, without branches inside, so that the compiler vectorises them for each
//! instruction set.

use core::mem::MaybeUninit;

use super::utf16::code_unit;
use crate::simd::kernels::Transcoded;
use crate::simd::surrogates::{is_leading_surrogate, is_trailing_surrogate};

/// The number of units in a block.
const BLOCK: usize = 64;

/// The number of units in a block at the end.
const SMALL_BLOCK: usize = 16;

/// Returns whether a unit may be followed by this one in well-formed UTF-16: they are the halves of a pair,
/// or the first is not a leading surrogate and the second not a trailing one.
#[inline(always)]
fn fits<const BE: bool>(unit: [u8; 2], after: [u8; 2]) -> bool {
    is_leading_surrogate(code_unit::<BE>(unit)) == is_trailing_surrogate(code_unit::<BE>(after))
}

/// Returns whether each unit may be followed by the one after it.
#[inline(always)]
fn all_fit<const N: usize, const BE: bool>(now: &[[u8; 2]; N], after: &[[u8; 2]; N]) -> bool {
    now.iter()
        .zip(after)
        .fold(true, |all, (unit, after)| all & fits::<BE>(*unit, *after))
}

/// Returns the length of the longest well-formed prefix, in units; it ends with a whole character.
#[inline(always)]
pub(in crate::simd) fn valid_prefix<const BE: bool>(units: &[[u8; 2]]) -> usize {
    if units
        .first()
        .is_none_or(|unit| is_trailing_surrogate(code_unit::<BE>(*unit)))
    {
        return 0;
    }
    let (now, _) = units[..units.len() - 1].as_chunks::<BLOCK>();
    let (after, _) = units[1..].as_chunks::<BLOCK>();
    let whole = now
        .iter()
        .zip(after)
        .take_while(|(now, after)| all_fit::<BLOCK, BE>(now, after));
    // Every unit before this one may be followed by the one after it.
    let mut at = BLOCK * whole.count();
    while let (Some(now), Some(after)) = (units[at..].first_chunk(), units[at + 1..].first_chunk())
        && all_fit::<SMALL_BLOCK, BE>(now, after)
    {
        at += SMALL_BLOCK;
    }
    if let (Some(now), Some(after)) = (units[..units.len() - 1].last_chunk(), units.last_chunk())
        && at + SMALL_BLOCK >= units.len() - 1
        && all_fit::<SMALL_BLOCK, BE>(now, after)
    {
        at = units.len() - 1;
    }
    while at + 1 < units.len() && fits::<BE>(units[at], units[at + 1]) {
        at += 1;
    }
    at + usize::from(!is_leading_surrogate(code_unit::<BE>(units[at])))
}

/// Does what [`valid_prefix`] does, for native units.
#[inline(always)]
pub(in crate::simd) fn native_valid_prefix(units: &[u16]) -> usize {
    let units = bytemuck::cast_slice(units);
    if cfg!(target_endian = "big") {
        valid_prefix::<true>(units)
    } else {
        valid_prefix::<false>(units)
    }
}

/// Copies well-formed UTF-16, as far as there is room. Returns the number of units.
#[inline(always)]
pub(in crate::simd) fn utf16_to_utf16<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    /// The number of units that are still in the first-level cache when they are copied.
    const WINDOW: usize = 4096;
    let (units, _) = src.as_chunks::<2>();
    let mut copied = 0;
    loop {
        let len = (units.len() - copied).min(dst.len() - copied).min(WINDOW);
        let window = &units[copied..copied + len];
        let valid = valid_prefix::<BE>(window);
        for (unit, to) in window[..valid].iter().zip(&mut dst[copied..]) {
            to.write(code_unit::<BE>(*unit));
        }
        copied += valid;
        // If a window ends inside a pair, the next one starts with it.
        if valid + 1 < WINDOW {
            return copied;
        }
    }
}

/// Copies UTF-16 with U+FFFD for every lone surrogate except a leading one at the end, as far as there is
/// room.
#[inline(always)]
pub(in crate::simd) fn utf16_to_utf16_lossy<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> Transcoded {
    let (units, _) = src.as_chunks::<2>();
    let mut len = units.len().min(dst.len());
    // A pair is not cut, and a leading surrogate at the end may not be lone.
    if len > 0 && is_leading_surrogate(code_unit::<BE>(units[len - 1])) {
        len -= 1;
    }
    let mut errors = 0;
    let mut at = 0;
    let unit = |at: usize| units.get(at).map_or(0, |unit| code_unit::<BE>(*unit));
    let replaced = |before: u16, unit: u16, after: u16| {
        let lone = (is_leading_surrogate(unit) & !is_trailing_surrogate(after))
            | (is_trailing_surrogate(unit) & !is_leading_surrogate(before));
        (if lone { 0xFFFD } else { unit }, lone)
    };
    while at < len {
        // The first unit of a block is the first of all, or is read again with the one before it.
        if let Some(around) = units.get(at.wrapping_sub(1)..)
            && let Some(around) = around.first_chunk::<{ BLOCK + 2 }>()
            && let Some(to) = dst[..len][at..].first_chunk_mut::<BLOCK>()
            && let (Some(before), Some(after)) =
                (around.first_chunk::<BLOCK>(), around.last_chunk::<BLOCK>())
            && let Some(now) = around[1..].first_chunk::<BLOCK>()
        {
            let mut lone_in_block = 0_u16;
            for i in 0..BLOCK {
                let [before, unit, after] = [before[i], now[i], after[i]].map(code_unit::<BE>);
                let (unit, lone) = replaced(before, unit, after);
                to[i].write(unit);
                lone_in_block += u16::from(lone);
            }
            errors += usize::from(lone_in_block);
            at += BLOCK;
        } else {
            let before = if at == 0 { 0 } else { unit(at - 1) };
            let (unit, lone) = replaced(before, unit(at), unit(at + 1));
            dst[at].write(unit);
            errors += usize::from(lone);
            at += 1;
        }
    }
    Transcoded {
        read: 2 * len,
        written: len,
        errors,
    }
}

/// Adds up a small number, at most 3, for each unit and the one after it (0 after the last).
#[inline(always)]
fn sum(units: &[u16], of: impl Fn(u16, u16) -> u16) -> usize {
    // The number of units for which the sum fits in 16 bits.
    const CHUNK: usize = 1024;
    let Some((&last, all_but_last)) = units.split_last() else {
        return 0;
    };
    let pairs = all_but_last.chunks(CHUNK).zip(units[1..].chunks(CHUNK));
    let sum: usize = pairs
        .map(|(now, after)| {
            let sum: u16 = now
                .iter()
                .zip(after)
                .map(|(unit, after)| of(*unit, *after))
                .sum();
            usize::from(sum)
        })
        .sum();
    sum + usize::from(of(last, 0))
}

/// Returns whether two units are a surrogate pair.
#[inline(always)]
fn are_pair(unit: u16, after: u16) -> bool {
    is_leading_surrogate(unit) & is_trailing_surrogate(after)
}

/// Returns the number of bytes of UTF-16 text in UTF-8, with three for each lone surrogate.
#[inline(always)]
pub(in crate::simd) fn utf8_len(units: &[u16]) -> usize {
    // Each half of a pair counts as three as well; a pair has four.
    let beyond = sum(units, |unit, after| {
        let longer = u16::from(unit >= 0x80) + u16::from(unit >= 0x800);
        longer.wrapping_sub(2 * u16::from(are_pair(unit, after)))
    });
    units.len() + beyond
}

/// Counts the scalar values of UTF-16, a lone surrogate as one.
#[inline(always)]
pub(in crate::simd) fn scalars(units: &[u16]) -> usize {
    sum(units, |unit, after| u16::from(!are_pair(unit, after)))
}
