//! The table of SSE4.2 kernels.

use crate::simd::kernels::Kernels;
use crate::simd::scalar;
use crate::simd::x86_64::sse4;

/// SSE4.2 and POPCNT, which every x86-64 processor since 2011 has. Selected only where they were
/// detected: what the calls below rest on.
pub(in crate::simd) const KERNELS: Kernels = Kernels {
    name: "sse4",
    // SAFETY: this table is selected only where SSE4.2 and POPCNT were detected.
    ascii_prefix: |src| unsafe { sse4::ascii::ascii_prefix(src) },
    // SAFETY: as above.
    ascii_to_utf8: |src, dst| unsafe { sse4::ascii::ascii_to_utf8(src, dst) },
    // SAFETY: as above.
    ascii_to_utf16: |src, dst| unsafe { sse4::ascii::ascii_to_utf16(src, dst) },
    // SAFETY: as above.
    utf16le_to_ascii: |src, dst| unsafe { sse4::ascii::utf16_to_ascii::<false>(src, dst) },
    // SAFETY: as above.
    utf16be_to_ascii: |src, dst| unsafe { sse4::ascii::utf16_to_ascii::<true>(src, dst) },
    // SAFETY: as above.
    utf8_valid_prefix: |src| unsafe { sse4::utf8::utf8_valid_prefix(src) },
    utf8_to_utf8: |src, dst| scalar::utf8::utf8_to_utf8(&SSE4, src, dst),
    utf8_to_utf8_lossy: |src, dst| scalar::utf8::utf8_to_utf8_lossy(&SSE4, src, dst),
    utf8_to_utf16: |src, dst| scalar::utf8::utf8_to_utf16(&SSE4, src, dst),
    utf8_to_utf16le: |src, dst| scalar::utf8::utf8_to_utf16_bytes::<false>(&SSE4, src, dst),
    utf8_to_utf16be: |src, dst| scalar::utf8::utf8_to_utf16_bytes::<true>(&SSE4, src, dst),
    utf8_to_utf16_lossy: |src, dst| scalar::utf8::utf8_to_utf16_lossy(&SSE4, src, dst),
    // SAFETY: as above.
    utf16le_to_utf8: |src, dst| unsafe {
        sse4::utf16::utf16_to_utf8::<false, false>(&SSE4, src, dst).counts()
    },
    // SAFETY: as above.
    utf16le_to_utf8_lossy: |src, dst| unsafe {
        sse4::utf16::utf16_to_utf8::<false, true>(&SSE4, src, dst)
    },
    // SAFETY: as above.
    utf16be_to_utf8: |src, dst| unsafe {
        sse4::utf16::utf16_to_utf8::<true, false>(&SSE4, src, dst).counts()
    },
    // SAFETY: as above.
    utf16be_to_utf8_lossy: |src, dst| unsafe {
        sse4::utf16::utf16_to_utf8::<true, true>(&SSE4, src, dst)
    },
    // SAFETY: as above.
    single_byte_to_utf8: |table, src, dst| {
        scalar::single_byte::single_byte_to_utf8(&SSE4, table, src, dst)
    },
    single_byte_to_utf16: scalar::single_byte::single_byte_to_utf16,
    utf8_to_single_byte: |table, src, dst| {
        scalar::single_byte::utf8_to_single_byte(&SSE4, table, src, dst)
    },
    utf16_to_two_byte: |cells, src, dst| {
        scalar::two_byte_encode::utf16_to_two_byte(&SSE4, cells, src, dst)
    },
    utf8_to_two_byte: |cells, src, dst| {
        scalar::two_byte_encode::utf8_to_two_byte(&SSE4, cells, src, dst)
    },
    two_byte_to_utf8: |index, src, dst| scalar::two_byte::two_byte_to_utf8(&SSE4, index, src, dst),
    two_byte_to_utf16: |index, src, dst| {
        scalar::two_byte::two_byte_to_utf16(&SSE4, index, src, dst)
    },
    utf16_to_single_byte: scalar::single_byte::utf16_to_single_byte,
    ..scalar::table::KERNELS
};
pub(crate) static SSE4: Kernels = KERNELS;
