//! ASCII runs for AVX-512.

use core::arch::x86_64::_mm512_movepi8_mask;
use core::mem::MaybeUninit;

use super::{LANES, load, store};
use crate::simd::x86_64::avx2;

/// Copies the ASCII prefix, as far as there is room.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd) fn ascii_to_utf_8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let len = src.len().min(dst.len());
    let (vectors, _) = src[..len].as_chunks::<LANES>();
    let (to_vectors, _) = dst[..len].as_chunks_mut::<LANES>();
    for (i, (from, to)) in vectors.iter().zip(to_vectors).enumerate() {
        let bytes = load(from);
        store(to, bytes);
        let high = _mm512_movepi8_mask(bytes);
        if high != 0 {
            return LANES * i + high.trailing_zeros() as usize;
        }
    }
    let i = LANES * vectors.len();
    i + avx2::ascii::ascii_to_utf_8(&src[i..len], &mut dst[i..len])
}
