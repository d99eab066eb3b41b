//! A vector of UTF-8 with the bytes before each of its bytes, and what the trait's methods for it do by default.

use super::Vector;
use crate::simd::generic::utf8_errors::{FIRST_HIGH, FIRST_LOW, SECOND_HIGH};

/// A vector of text, and vectors of the bytes one to four before each of its bytes.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Text<V> {
    pub(in crate::simd) bytes: V,
    pub(in crate::simd) one_before: V,
    pub(in crate::simd) two_before: V,
    pub(in crate::simd) three_before: V,
    pub(in crate::simd) four_before: V,
}

/// The default of [`Vector::text_inside`].
#[inline(always)]
pub(in crate::simd) fn text_by_loads<V: Vector>(v: V, window: &[u8]) -> Text<V::V> {
    Text {
        bytes: v.load(window.get(4..).unwrap_or_default()),
        one_before: v.load(window.get(3..).unwrap_or_default()),
        two_before: v.load(window.get(2..).unwrap_or_default()),
        three_before: v.load(window.get(1..).unwrap_or_default()),
        four_before: v.load(window),
    }
}

/// The default of [`Vector::classes`], by look-ups of half bytes.
#[inline(always)]
pub(in crate::simd) fn classes_by_halves<V: Vector>(v: V, one_before: V::V, bytes: V::V) -> V::V {
    let half = v.splat_u8(0x0F);
    let first_high = v.and(v.shr_u16::<4>(one_before), half);
    let first_high = v.look_up(v.table(&FIRST_HIGH), first_high);
    let first_low = v.look_up(v.table(&FIRST_LOW), v.and(one_before, half));
    let second_high = v.and(v.shr_u16::<4>(bytes), half);
    let second_high = v.look_up(v.table(&SECOND_HIGH), second_high);
    v.and(v.and(first_high, first_low), second_high)
}
