//! UTF-8 for AVX2.

/// The length of the longest well-formed prefix.
#[target_feature(enable = "avx2")]
pub(in crate::simd) fn utf_8_valid_prefix(src: &[u8]) -> usize {
    // SAFETY: this function requires AVX2, which is all that the callee does.
    match unsafe { simdutf8::compat::imp::x86::avx2::validate_utf8(src) } {
        Ok(_) => src.len(),
        Err(error) => error.valid_up_to(),
    }
}
