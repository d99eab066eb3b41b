//! UTF-32 validation.

use super::unit_vector::UnitVector;
use super::utf16_units::test_last_4;
use crate::simd::generic::load_4;

/// Returns the length of the prefix of scalar values, in units.
#[inline(always)]
pub(super) fn utf32_valid_prefix<V: UnitVector>(v: V, src: &[u32]) -> usize {
    let bytes = bytemuck::cast_slice(src);
    let mut done = 0;
    // The last group overlaps the one before it. Zeros after the last unit are scalar values.
    let is_valid = loop {
        let Some(group) = bytes[done..].get(..=4 * V::LANES) else {
            break test_last_4(
                v,
                bytes,
                #[inline(always)]
                |last| v.are_scalars(last),
            );
        };
        if !v.are_scalars(load_4(v, group)) {
            break false;
        }
        done += 4 * V::LANES;
    };
    if is_valid {
        return src.len();
    }
    let is_scalar = |&&unit: &&u32| char::from_u32(unit).is_some();
    done / 4 + src[done / 4..].iter().take_while(is_scalar).count()
}
