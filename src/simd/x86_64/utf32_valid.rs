//! UTF-32 validation.

use super::unit_vector::UnitVector;
use crate::simd::generic::load_4;

/// Returns the length of the prefix of scalar values, in units.
#[inline(always)]
pub(super) fn utf32_valid_prefix<V: UnitVector>(v: V, src: &[u32]) -> usize {
    let units = V::LANES / 4;
    let mut done = 0;
    while let Some(block) = src[done..].get(..4 * units)
        && v.are_scalars(load_4(v, bytemuck::cast_slice(block)))
    {
        done += 4 * units;
    }
    while done < src.len() {
        // Zeros after the last unit are scalar values.
        let from = &src[done..];
        let from = &from[..from.len().min(units)];
        let vector = v.load_front(bytemuck::cast_slice(from));
        if !v.are_scalars([vector; 4]) {
            let is_scalar = |&&unit: &&u32| char::from_u32(unit).is_some();
            return done + from.iter().take_while(is_scalar).count();
        }
        done += from.len();
    }
    done
}
