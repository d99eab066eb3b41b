//! The table of kernels for AVX-512 with VBMI and VBMI2.

use crate::simd::kernels::Kernels;
use crate::simd::x86_64::{avx512, avx512_vbmi2};

/// AVX-512 with VBMI and VBMI2, which processors since Ice Lake and Zen 4 have, and all of the
/// AVX-512 table. Selected only where they were detected: what the calls below rest on.
pub(in crate::simd) const KERNELS: Kernels = Kernels {
    name: "avx512_vbmi2",
    // SAFETY: this table is selected only where AVX-512 with VBMI and VBMI2 was detected.
    two_byte_to_utf_16: |index, src, dst| unsafe {
        avx512_vbmi2::two_byte::two_byte_to_utf_16(index, src, dst)
    },
    ..avx512::table::KERNELS
};

pub(crate) static AVX512_VBMI2: Kernels = KERNELS;
