//! Exact lengths and counts. They look at each unit by itself, so that the compiler vectorises them. For
//! malformed text they return the plain sum as well.

/// Adds up the weights of units, in blocks whose sum fits in a byte.
#[inline(always)]
fn sum<T: Copy>(src: &[T], weight: impl Fn(T) -> u8) -> usize {
    /// No weight is above 4.
    const BLOCK: usize = 32;
    let (blocks, rest) = src.as_chunks::<BLOCK>();
    let small = |units: &[T]| {
        let sum = units.iter().fold(0, |sum: u8, &unit| sum + weight(unit));
        usize::from(sum)
    };
    blocks.iter().map(|block| small(block)).sum::<usize>() + small(rest)
}

/// Counts the UTF-16 code units of UTF-8 text: one per character, and one more for those of four bytes.
#[inline(always)]
pub(in crate::simd) fn utf16_len_from_utf8(src: &[u8]) -> usize {
    sum(src, |byte| {
        u8::from(byte & 0xC0 != 0x80) + u8::from(byte >= 0xF0)
    })
}

/// Counts the characters of UTF-8 text: bytes that are not continuation bytes.
#[inline(always)]
pub(in crate::simd) fn count_scalars_utf8(src: &[u8]) -> usize {
    sum(src, |byte| u8::from(byte & 0xC0 != 0x80))
}

/// Counts each CR, and each LF that is not right after one.
#[inline(always)]
pub(in crate::simd) fn line_ends(src: &[u8]) -> usize {
    /// The number of bytes that are summed in parallel, as the lanes of vectors.
    const LANES: usize = 64;
    let is_end = |before: u8, byte: u8| (byte == b'\r') | ((byte == b'\n') & (before != b'\r'));
    let ([first, bytes @ ..], [befores @ .., _]) = (src, src) else {
        return 0;
    };
    let mut ends = usize::from(is_end(0, *first));
    let (before_blocks, before_rest) = befores.as_chunks::<LANES>();
    let (blocks, rest) = bytes.as_chunks::<LANES>();
    // No byte of the sums exceeds 255.
    let per_sum = usize::from(u8::MAX);
    for (befores, blocks) in before_blocks.chunks(per_sum).zip(blocks.chunks(per_sum)) {
        let mut sums = [0_u8; LANES];
        for (befores, block) in befores.iter().zip(blocks) {
            for lane in 0..LANES {
                sums[lane] += u8::from(is_end(befores[lane], block[lane]));
            }
        }
        ends += sums.iter().map(|sum| usize::from(*sum)).sum::<usize>();
    }
    let rest = before_rest.iter().zip(rest);
    ends + rest
        .filter(|(before, byte)| is_end(**before, **byte))
        .count()
}

/// Returns the number of bytes of Latin-1 text in UTF-8.
#[inline(always)]
pub(in crate::simd) fn utf8_len_from_latin1(src: &[u8]) -> usize {
    src.len() + sum(src, |byte| byte >> 7)
}

/// Returns the number of bytes of UTF-32 text in UTF-8.
#[inline(always)]
pub(in crate::simd) fn utf8_len_from_utf32(src: &[u32]) -> usize {
    sum_of_words(src, |unit| {
        1 + u32::from(unit >= 0x80) + u32::from(unit >= 0x800) + u32::from(unit >= 0x1_0000)
    })
}

/// Returns the number of UTF-16 code units of UTF-32 text.
#[inline(always)]
pub(in crate::simd) fn utf16_len_from_utf32(src: &[u32]) -> usize {
    sum_of_words(src, |unit| 1 + u32::from(unit >= 0x1_0000))
}

/// Does what [`sum`] does, in lanes that are as wide as the units.
#[inline(always)]
fn sum_of_words(src: &[u32], weight: impl Fn(u32) -> u32) -> usize {
    const BLOCK: usize = 1024;
    let of_block = |block: &[u32]| block.iter().fold(0, |sum, &unit| sum + weight(unit)) as usize;
    src.chunks(BLOCK).map(of_block).sum()
}
