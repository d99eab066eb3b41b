//! The conversions of the crate simdutf (C++), over slices.
#![expect(unsafe_code, reason = "the crate's conversions take pointers")]

/// A conversion: source, units of source, destination. Returns the units written, 0 where the
/// source is malformed.
type Function<S, D> = unsafe fn(*const S, usize, *mut D) -> usize;

#[inline(always)]
fn call<S, D>(function: Function<S, D>, growth: usize, src: &[S], dst: &mut [D]) -> usize {
    assert!(dst.len() >= growth * src.len(), "room for the worst case");
    // SAFETY: `growth` is the most units that the function writes for one unit of any source, as
    // stated at each of its uses below, and `dst` has room for them.
    unsafe { function(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

pub(crate) fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    // A byte becomes one unit at the most.
    call(simdutf::convert_utf8_to_utf16, 1, src, dst)
}

pub(crate) fn utf8_to_utf32(src: &[u8], dst: &mut [u32]) -> usize {
    // A byte becomes one unit at the most.
    call(simdutf::convert_utf8_to_utf32, 1, src, dst)
}

pub(crate) fn utf8_to_latin1(src: &[u8], dst: &mut [u8]) -> usize {
    // A byte becomes one byte at the most.
    call(simdutf::convert_utf8_to_latin1, 1, src, dst)
}

pub(crate) fn utf16le_to_utf8(src: &[u16], dst: &mut [u8]) -> usize {
    // A unit becomes three bytes at the most.
    call(simdutf::convert_utf16le_to_utf8, 3, src, dst)
}

pub(crate) fn utf16be_to_utf8(src: &[u16], dst: &mut [u8]) -> usize {
    // A unit becomes three bytes at the most.
    call(simdutf::convert_utf16be_to_utf8, 3, src, dst)
}

pub(crate) fn utf16_to_utf32(src: &[u16], dst: &mut [u32]) -> usize {
    // A unit becomes one unit at the most.
    call(simdutf::convert_utf16_to_utf32, 1, src, dst)
}

pub(crate) fn utf16_to_latin1(src: &[u16], dst: &mut [u8]) -> usize {
    // A unit becomes one byte at the most.
    call(simdutf::convert_utf16_to_latin1, 1, src, dst)
}

pub(crate) fn utf32_to_utf8(src: &[u32], dst: &mut [u8]) -> usize {
    // A unit becomes four bytes at the most.
    call(simdutf::convert_utf32_to_utf8, 4, src, dst)
}

pub(crate) fn utf32_to_utf16(src: &[u32], dst: &mut [u16]) -> usize {
    // A unit becomes two units at the most.
    call(simdutf::convert_utf32_to_utf16, 2, src, dst)
}

pub(crate) fn latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    // A byte becomes two bytes at the most.
    call(simdutf::convert_latin1_to_utf8, 2, src, dst)
}

pub(crate) fn latin1_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    // A byte becomes one unit.
    call(simdutf::convert_latin1_to_utf16, 1, src, dst)
}

pub(crate) fn latin1_to_utf32(src: &[u8], dst: &mut [u32]) -> usize {
    // A byte becomes one unit.
    call(simdutf::convert_latin1_to_utf32, 1, src, dst)
}

pub(crate) fn swap_utf16(src: &[u16], dst: &mut [u16]) -> usize {
    assert!(dst.len() >= src.len(), "room for all units");
    // SAFETY: the function writes one unit for each unit of the source, and `dst` has room for them.
    unsafe { simdutf::change_endianness_utf16(src.as_ptr(), src.len(), dst.as_mut_ptr()) };
    src.len()
}
