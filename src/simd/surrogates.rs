//! Surrogates in UTF-16.

/// Returns whether a code unit is a leading surrogate.
#[inline(always)]
pub(crate) fn is_leading_surrogate(unit: u16) -> bool {
    matches!(unit, 0xD800..=0xDBFF)
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
