//! The operations on vectors of AVX2 and AVX-512 that counts and units of two and four bytes need, and the
//! kernels made from them.

use super::{utf16_units, utf32_valid};
use crate::simd::generic::count;
use crate::simd::generic::table::utf8_entries;
use crate::simd::generic::utf8_steps::Steps;
use crate::simd::kernels::Entries;
use crate::simd::scalar::blocks::convert_all;
use crate::simd::scalar::{ascii, count as plain_count, utf16_units as plain_units};
use crate::simd::vector::Vector;

/// The additional operations of vectors of 32 or 64 bytes.
///
/// # Safety
///
/// [`Vector`] says who may have a value. Well-formed output relies on `load_units`, `kinds`, `has_surrogates`
/// and `are_scalars`.
pub(super) unsafe trait UnitVector: Vector {
    /// Loads the bytes of `from`, followed by zeros: two whole vectors, or less and then an even number of
    /// bytes.
    #[inline(always)]
    fn load_units(self, from: &[u8]) -> [Self::V; 2] {
        // An empty rest keeps an address within the slice: masked loads from other addresses are slow.
        let (low, high) = from.split_at(from.len().min(Self::LANES));
        [self.load_front(low), self.load_front(high)]
    }

    /// Returns whether a UTF-16 code unit in the four vectors is a surrogate.
    #[inline(always)]
    fn has_surrogates(self, [a, b, c, d]: [Self::V; 4]) -> bool {
        // With this added, surrogates are the smallest units.
        let moved = self.splat_u16(0x2800);
        let [a, b] = [self.add_u16(a, moved), self.add_u16(b, moved)];
        let [c, d] = [self.add_u16(c, moved), self.add_u16(d, moved)];
        let least = self.min_u16(self.min_u16(a, b), self.min_u16(c, d));
        let upper = self.and(least, self.splat_u16(0xF800));
        self.mask_u8(self.eq_u16(upper, self.splat_u8(0))) != 0
    }

    /// Returns masks of the leading and the trailing surrogates in two vectors: a bit for each unit.
    fn kinds(self, units: [Self::V; 2]) -> [u64; 2];

    /// Returns, for each UTF-16 code unit in two vectors, in any order, how many bytes less than three it has
    /// in UTF-8.
    fn less_than_three(self, units: [Self::V; 2]) -> Self::V;

    /// Returns whether all UTF-32 code units in the four vectors are scalar values.
    fn are_scalars(self, units: [Self::V; 4]) -> bool;
}

/// Runs a function with the vectors of an instruction set and the slices that it reads and writes.
macro_rules! run {
    ($set:ident, $src:expr, $dst:expr, |$v:pat_param, $from:pat_param, $to:pat_param| $call:expr) => {{
        // SAFETY: the caller of `entries` guarantees that the processor has the instructions.
        let token = unsafe { $set::assume() };
        token.run_on(
            $src,
            $dst,
            #[inline(always)]
            |$v, $from, $to| $call,
        )
    }};
    ($set:ident, $src:expr, |$v:pat_param, $from:pat_param| $call:expr) => {
        run!($set, $src, &mut [0; 0], |$v, $from, _| $call)
    };
}

/// Returns `others` with the kernels for UTF-8, counts and code units. Those that use no vectors explicitly
/// are loops that the compiler vectorises as well.
///
/// # Safety
///
/// They may be called only if the processor has the instructions.
pub(super) const unsafe fn entries<V: UnitVector + Steps>(others: Entries) -> Entries
where
    V::Short: UnitVector,
{
    let others = Entries {
        unshifted_prefix: |src| run!(V, src, |_, src| ascii::unshifted_prefix(src)),
        utf16le_to_utf16: |src, dst| {
            run!(V, src, dst, |v, src, dst| {
                utf16_units::utf16_to_utf16::<false, _>(v, src, dst)
            })
        },
        utf16le_to_utf16_lossy: |src, dst| {
            run!(V, src, dst, |_, src, dst| {
                plain_units::utf16_to_utf16_lossy::<false>(src, dst)
            })
        },
        utf16be_to_utf16: |src, dst| {
            run!(V, src, dst, |v, src, dst| {
                utf16_units::utf16_to_utf16::<true, _>(v, src, dst)
            })
        },
        utf16be_to_utf16_lossy: |src, dst| {
            run!(V, src, dst, |_, src, dst| {
                plain_units::utf16_to_utf16_lossy::<true>(src, dst)
            })
        },
        utf16_swap: |src, dst| {
            run!(V, src, dst, |_, src, dst| convert_all(
                src,
                dst,
                u16::swap_bytes
            ))
        },
        latin1_to_utf16: |src, dst| {
            run!(V, src, dst, |_, src, dst| convert_all(src, dst, u16::from))
        },
        latin1_to_utf32: |src, dst| {
            run!(V, src, dst, |_, src, dst| convert_all(src, dst, u32::from))
        },
        utf32_valid_prefix: |src| run!(V, src, |v, src| utf32_valid::utf32_valid_prefix(v, src)),
        utf16_valid_prefix: |src| run!(V, src, |v, src| utf16_units::valid_prefix(v, src)),
        utf8_len_from_utf16: |src| run!(V, src, |v, src| utf16_units::utf8_len(v, src)),
        count_scalars_utf16: |src| run!(V, src, |v, src| utf16_units::scalars(v, src)),
        utf16_len_from_utf8: |src| run!(V, src, |v, src| count::utf16_len_from_utf8(v, src)),
        count_scalars_utf8: |src| run!(V, src, |v, src| count::count_scalars_utf8(v, src)),
        utf8_len_from_latin1: |src| run!(V, src, |v, src| count::utf8_len_from_latin1(v, src)),
        utf8_len_from_utf32: |src| run!(V, src, |_, src| plain_count::utf8_len_from_utf32(src)),
        utf16_len_from_utf32: |src| run!(V, src, |_, src| plain_count::utf16_len_from_utf32(src)),
        ..others
    };
    // SAFETY: the caller calls the kernels only if the processor has the instructions.
    unsafe { utf8_entries::<V>(others) }
}
