//! The conversions of the crate simdutf (C++), over slices.
#![expect(unsafe_code, reason = "the crate's conversions take pointers")]

/// Takes the source, its length in units, and the destination. Returns the number of units written, 0 if the
/// source is malformed.
type Function<S, D> = unsafe fn(*const S, usize, *mut D) -> usize;

/// A function, and the maximum number of units that it writes per unit of source.
pub(crate) struct Conversion<S, D>(Function<S, D>, usize);

pub(crate) const UTF8_TO_UTF16: Conversion<u8, u16> = Conversion(simdutf::convert_utf8_to_utf16, 1);
pub(crate) const UTF8_TO_UTF32: Conversion<u8, u32> = Conversion(simdutf::convert_utf8_to_utf32, 1);
pub(crate) const UTF8_TO_LATIN1: Conversion<u8, u8> =
    Conversion(simdutf::convert_utf8_to_latin1, 1);
pub(crate) const UTF16LE_TO_UTF8: Conversion<u16, u8> =
    Conversion(simdutf::convert_utf16le_to_utf8, 3);
pub(crate) const UTF16BE_TO_UTF8: Conversion<u16, u8> =
    Conversion(simdutf::convert_utf16be_to_utf8, 3);
pub(crate) const UTF16_TO_UTF32: Conversion<u16, u32> =
    Conversion(simdutf::convert_utf16_to_utf32, 1);
pub(crate) const UTF16_TO_LATIN1: Conversion<u16, u8> =
    Conversion(simdutf::convert_utf16_to_latin1, 1);
pub(crate) const UTF32_TO_UTF8: Conversion<u32, u8> = Conversion(simdutf::convert_utf32_to_utf8, 4);
pub(crate) const UTF32_TO_UTF16: Conversion<u32, u16> =
    Conversion(simdutf::convert_utf32_to_utf16, 2);
pub(crate) const LATIN1_TO_UTF8: Conversion<u8, u8> =
    Conversion(simdutf::convert_latin1_to_utf8, 2);
pub(crate) const LATIN1_TO_UTF16: Conversion<u8, u16> =
    Conversion(simdutf::convert_latin1_to_utf16, 1);
pub(crate) const LATIN1_TO_UTF32: Conversion<u8, u32> =
    Conversion(simdutf::convert_latin1_to_utf32, 1);

impl<S, D> Conversion<S, D> {
    #[inline(always)]
    pub(crate) fn call(&self, src: &[S], dst: &mut [D]) -> usize {
        let Conversion(function, growth) = self;
        assert!(dst.len() >= growth * src.len(), "room for the worst case");
        // SAFETY: the function writes at most `growth` units for each unit of the source, as stated where the
        // constant is defined, and `dst` has room for them.
        unsafe { function(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
    }
}

pub(crate) fn swap_utf16(src: &[u16], dst: &mut [u16]) -> usize {
    assert!(dst.len() >= src.len(), "room for all units");
    // SAFETY: the function writes one unit for each unit of the source, and `dst` has room for them.
    unsafe { simdutf::change_endianness_utf16(src.as_ptr(), src.len(), dst.as_mut_ptr()) };
    src.len()
}
