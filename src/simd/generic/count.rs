//! Lengths and counts, added up in the bytes of a vector for as long as they don't overflow. The last vector
//! overlaps the one before it; what was counted already is masked out.

use crate::simd::vector::Vector;

/// The number of vectors after which a byte of a sum is still at most 255: each adds at most 2, and so does
/// the last one.
const MAX_VECTORS: usize = 120;

/// Counts the UTF-16 code units of UTF-8 text.
#[inline(always)]
pub(in crate::simd) fn utf16_len_from_utf8<V: Vector>(v: V, src: &[u8]) -> usize {
    // By the upper four bits of a byte: none for a continuation byte, two for the lead byte of four bytes.
    let units = v.table(&[1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 2]);
    let half = v.splat_u8(0x0F);
    sum(
        v,
        src,
        #[inline(always)]
        |sum, bytes| v.add_u8(sum, v.look_up(units, v.and(v.shr_u16::<4>(bytes), half))),
    )
}

/// Counts the characters of UTF-8 text.
#[inline(always)]
pub(in crate::simd) fn count_scalars_utf8<V: Vector>(v: V, src: &[u8]) -> usize {
    // As signed bytes, continuation bytes are the smallest.
    let last = v.splat_u8(0xBF);
    sum(
        v,
        src,
        #[inline(always)]
        |sum, bytes| v.sub_u8(sum, v.lt_i8(last, bytes)),
    )
}

/// Counts the bytes of Latin-1 text in UTF-8.
#[inline(always)]
pub(in crate::simd) fn utf8_len_from_latin1<V: Vector>(v: V, src: &[u8]) -> usize {
    let zero = v.splat_u8(0);
    let longer = sum(
        v,
        src,
        #[inline(always)]
        |sum, bytes| v.sub_u8(sum, v.lt_i8(bytes, zero)),
    );
    src.len() + longer
}

/// Adds up the count of each byte. `add` adds the counts of a vector to a vector of sums.
#[inline(always)]
fn sum<V: Vector>(v: V, src: &[u8], add: impl Fn(V::V, V::V) -> V::V) -> usize {
    /// Zeros for bytes that were counted already, followed by ones for new bytes.
    const NEW: [u8; 128] = {
        let mut mask = [0; 128];
        let mut i = 64;
        while i < 128 {
            mask[i] = 0xFF;
            i += 1;
        }
        mask
    };
    let zero = v.splat_u8(0);
    let Some(last) = src.len().checked_sub(V::LANES) else {
        // Zeros follow the last byte.
        let counts = add(zero, v.load_front(src));
        let kept = v.xor(v.splat_u8(0xFF), v.load(&NEW[64 - src.len()..]));
        return v.sum_u8(v.and(counts, kept));
    };
    // Masks all but the new bytes of the last vector, even if there are none: a branch cost 1.17 times the
    // time for 16 to 256 bytes.
    let new = src.len() % V::LANES;
    let mask = v.load(&NEW[64 - V::LANES + new..]);
    let mut even = v.and(add(zero, v.load(&src[last..])), mask);
    let mut total = 0;
    for vectors in src.chunks(MAX_VECTORS * V::LANES) {
        let mut odd = zero;
        let mut fours = vectors.chunks_exact(4 * V::LANES);
        for four in fours.by_ref() {
            even = add(even, v.load(four));
            odd = add(odd, v.load(&four[V::LANES..]));
            even = add(even, v.load(&four[2 * V::LANES..]));
            odd = add(odd, v.load(&four[3 * V::LANES..]));
        }
        for one in fours.remainder().chunks_exact(V::LANES) {
            even = add(even, v.load(one));
        }
        total += v.sum_u8(v.add_u8(even, odd));
        even = zero;
    }
    total
}
