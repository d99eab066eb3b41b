//! UTF-16 code units to UTF-16 bytes of either byte order, at any alignment: the encoders of UTF-16, for
//! input in UTF-16.

use core::mem::MaybeUninit;

use super::NATIVE_BE;
use crate::simd::{Kernels, as_units, write_only};

/// The number of units that are still in the first-level cache when they are written.
const WINDOW: usize = 4096;
/// The number of units that are examined if one has to be replaced.
const REPLACE_UNITS: usize = 256;

/// Writes the units at the front of `src`, with U+FFFD for lone surrogates, as far as there is room or up to
/// a leading one at the end; returns their number.
pub(super) fn units_to_bytes<const BE: bool>(
    kernels: &Kernels,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let len = src.len().min(dst.len() / 2);
    let mut done = 0;
    while done < len {
        let ahead = &src[done..len];
        let to = &mut dst[2 * done..2 * len];
        let window = &ahead[..ahead.len().min(WINDOW)];
        let valid = (kernels.utf16_valid_prefix())(window);
        store::<BE>(kernels, &window[..valid], to);
        done += valid;
        // If a window ends inside a pair, the next one starts with it.
        if valid + 1 < window.len() {
            let ahead = &src[done..];
            let replaced = replace::<BE>(kernels, ahead, &mut dst[2 * done..]);
            done += replaced;
            if replaced == 0 {
                break;
            }
        } else if valid == 0 {
            break;
        }
    }
    done
}

/// Writes a few units with U+FFFD for lone surrogates.
#[cold]
fn replace<const BE: bool>(kernels: &Kernels, src: &[u16], dst: &mut [MaybeUninit<u8>]) -> usize {
    let kernel = if NATIVE_BE {
        kernels.utf16be_to_utf16_lossy()
    } else {
        kernels.utf16le_to_utf16_lossy()
    };
    let mut between = [0; REPLACE_UNITS];
    let len = (dst.len() / 2).min(REPLACE_UNITS);
    let src = &src[..src.len().min(REPLACE_UNITS)];
    let done = kernel(bytemuck::cast_slice(src), write_only(&mut between[..len]));
    store::<BE>(kernels, &between[..done.written], dst);
    done.written
}

/// Writes units as bytes, for which there must be room.
fn store<const BE: bool>(kernels: &Kernels, units: &[u16], to: &mut [MaybeUninit<u8>]) {
    if BE != NATIVE_BE
        && let Some(to) = as_units(to)
    {
        (kernels.utf16_swap())(units, to);
        return;
    }
    let (to, _) = to.as_chunks_mut::<2>();
    for (to, unit) in to.iter_mut().zip(units) {
        let bytes = if BE {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        };
        *to = bytes.map(MaybeUninit::new);
    }
}
