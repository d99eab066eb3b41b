//! Surrogates in UTF-16. Single units are tested by masks: by ranges, the loops of `scalar/utf16_units.rs` become up to
//! a tenth more code.

/// Returns whether a code unit is a surrogate.
#[inline(always)]
pub(in crate::simd) fn is_surrogate(unit: u16) -> bool {
    unit & 0xF800 == 0xD800
}

/// Returns whether a code unit is a leading surrogate.
#[inline(always)]
pub(crate) fn is_leading_surrogate(unit: u16) -> bool {
    unit & 0xFC00 == 0xD800
}

/// Returns whether a code unit is a trailing surrogate.
#[inline(always)]
pub(in crate::simd) fn is_trailing_surrogate(unit: u16) -> bool {
    unit & 0xFC00 == 0xDC00
}

/// Returns the character of a surrogate pair; `None` if the two units are not one.
#[inline(always)]
pub(crate) fn surrogate_pair(lead: u16, trail: u16) -> Option<char> {
    match (lead, trail) {
        (0xD800..=0xDBFF, 0xDC00..=0xDFFF) => char::from_u32(
            0x10000 + ((u32::from(lead) - 0xD800) << 10) + (u32::from(trail) - 0xDC00),
        ),
        _ => None,
    }
}
