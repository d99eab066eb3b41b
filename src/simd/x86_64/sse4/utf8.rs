//! UTF-8 for SSE4.2.

/// The length of the longest well-formed prefix.
#[target_feature(enable = "sse4.2")]
pub(in crate::simd) fn utf8_valid_prefix(src: &[u8]) -> usize {
    // SAFETY: this function requires SSE4.2, which is all that the callee does.
    match unsafe { simdutf8::compat::imp::x86::sse42::validate_utf8(src) } {
        Ok(_) => src.len(),
        Err(error) => error.valid_up_to(),
    }
}
