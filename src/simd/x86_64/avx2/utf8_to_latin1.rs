//! UTF-8 to Latin-1 for AVX2; see `latin1.rs`.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi128_si64, _mm_unpackhi_epi64, _mm_unpacklo_epi64,
    _mm256_alignr_epi8, _mm256_and_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi8,
    _mm256_extracti128_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_permute2x128_si256,
    _mm256_set_m128i, _mm256_set1_epi8, _mm256_shuffle_epi8, _mm256_slli_epi16,
};
use core::mem::MaybeUninit;

use super::{LANES, latin1_short, load, load_8, store};
use crate::simd::shared::shuffles::Aligned;
use crate::simd::uninit::room_at;

/// For each set of eight bytes: the shuffle that drops them, for the lower and for the upper half of a
/// vector.
static BYTES_WITHOUT: Aligned<[[[u8; 8]; 256]; 2]> = Aligned({
    let mut table = [[[0x80; 8]; 256]; 2];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 0 {
                table[0][set][at] = lane;
                table[1][set][at] = lane + 8;
                at += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
});

/// Converts UTF-8 up to the first character above U+00FF or the first malformed byte. Returns the number of
/// bytes read and written.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    if src.len() <= LANES {
        if latin1_short::copies_ascii(src, dst) {
            return (src.len(), src.len());
        }
        return latin1_short::utf8_to_latin1(src, dst);
    }
    wide_utf8_to_latin1(src, dst)
}

/// Converts text of more than a vector.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt")]
fn wide_utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let mut read = ascii_run(src, dst);
    let mut written = read;
    // Whether the previous byte is a lead byte: 0 or 1.
    let mut carry = 0;
    if read == 0
        && let (Some(from), Some(to)) = (src.first_chunk(), dst.first_chunk_mut())
        && let Some(chars) = Chars::examine(bytes_before(load(from)), load(from), 0)
    {
        // Other blocks need the byte before them.
        chars.put(to);
        (read, written, carry) = (LANES, chars.len(), chars.carry());
    }
    while read > 0
        && let Some(from) = src[read - 1..].first_chunk::<{ LANES + 1 }>()
        && dst.len() - written >= LANES
        && let (Some(before), Some(from)) = (from.first_chunk(), from.last_chunk())
    {
        let bytes = load(from);
        if _mm256_movemask_epi8(bytes).cast_unsigned() | carry == 0 {
            if let Some(to) = room_at(dst, written) {
                store(to, bytes);
            }
            read += LANES;
            written += LANES;
            let len = ascii_run(&src[read..], &mut dst[written..]);
            read += len;
            written += len;
            continue;
        }
        let Some(chars) = Chars::examine(load(before), bytes, carry) else {
            break;
        };
        if chars.lead.count_ones() <= 2
            && let Some(from) = src[read..].first_chunk()
            && let Some(to) = dst[written..].first_chunk_mut()
        {
            sparse_to_latin1(chars.joined, chars.lead, from, to);
        } else if let Some(to) = room_at(dst, written) {
            chars.put(to);
        }
        carry = chars.carry();
        read += LANES;
        written += chars.len();
    }
    if let Some(done) = last_vector_to_latin1(src, dst, read, written) {
        return done;
    }
    // A lead byte at the end of the last block was not written.
    read -= carry as usize;
    let rest = latin1_short::utf8_to_latin1(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Copies ASCII, two vectors at a time, and returns the number of bytes.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd::x86_64) fn ascii_run(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let (blocks, _) = src.as_chunks::<{ 2 * LANES }>();
    let (rooms, _) = dst.as_chunks_mut::<{ 2 * LANES }>();
    let mut len = 0;
    for (from, to) in blocks.iter().zip(rooms) {
        let ([low, high], _) = from.as_chunks() else {
            break;
        };
        let (low, high) = (load(low), load(high));
        if _mm256_movemask_epi8(_mm256_or_si256(low, high)) != 0 {
            break;
        }
        if let ([to_low, to_high], _) = to.as_chunks_mut() {
            store(to_low, low);
            store(to_high, high);
        }
        len += 2 * LANES;
    }
    len
}

/// Converts the rest of the text, if that is less than a vector and well-formed, as part of the last vector, whose
/// front is converted again to the same place.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn last_vector_to_latin1(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Option<(usize, usize)> {
    let front = LANES.checked_sub(src.len() - read)?;
    if front == LANES {
        return None;
    }
    let from = src.last_chunk::<{ LANES + 1 }>()?;
    let (before, bytes) = (load(from.first_chunk()?), load(from.last_chunk()?));
    let carry = u32::from(from[0] & 0xFE == 0xC2);
    let chars = Chars::examine(before, bytes, carry)?;
    let start = written.checked_sub(chars.len_of(front))?;
    chars.put(dst.get_mut(start..)?.first_chunk_mut()?);
    Some((src.len() - chars.carry() as usize, start + chars.len()))
}

/// The characters of a vector of UTF-8.
struct Chars {
    /// Each at its last byte.
    joined: __m256i,
    /// The lead bytes, which are not characters.
    lead: u32,
}

impl Chars {
    /// Joins the bytes of each character. `before` are the bytes one before those of `bytes`, and `carry` says whether
    /// the first of them is a lead byte. Returns `None` if a byte is malformed, or begins a character above U+00FF.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn examine(before: __m256i, bytes: __m256i, carry: u32) -> Option<Chars> {
        let high = _mm256_movemask_epi8(bytes).cast_unsigned();
        let even = _mm256_and_si256(bytes, _mm256_set1_epi8(0xFE_u8.cast_signed()));
        let lead = _mm256_cmpeq_epi8(even, _mm256_set1_epi8(0xC2_u8.cast_signed()));
        let lead = _mm256_movemask_epi8(lead).cast_unsigned();
        // All bytes from C0 to FF, whether lead bytes or not, have bit 6 set.
        let bit_6 = _mm256_movemask_epi8(_mm256_slli_epi16::<1>(bytes)).cast_unsigned();
        let trail = lead << 1 | carry;
        if (high & !bit_6 != trail) | (high & bit_6 != lead) {
            return None;
        }
        let joined = joined(before, bytes);
        Some(Chars { joined, lead })
    }

    /// Writes them.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn put(&self, to: &mut [MaybeUninit<u8>; LANES]) {
        if self.lead == 0 {
            store(to, self.joined);
        } else {
            block_to_latin1(self.joined, self.lead, to);
        }
    }

    /// Returns their number.
    #[inline(always)]
    fn len(&self) -> usize {
        LANES - self.lead.count_ones() as usize
    }

    /// Returns the number of those that end in the first `bytes` bytes, which are not all.
    #[inline(always)]
    fn len_of(&self, bytes: usize) -> usize {
        bytes - (self.lead & !(u32::MAX << bytes)).count_ones() as usize
    }

    /// Returns whether the last byte is a lead byte: 0 or 1.
    #[inline(always)]
    fn carry(&self) -> u32 {
        self.lead >> 31
    }
}

/// Returns the bytes one before those of a vector that is at the front of the text.
#[inline]
#[target_feature(enable = "avx2")]
fn bytes_before(bytes: __m256i) -> __m256i {
    let halves = _mm256_permute2x128_si256::<0x08>(bytes, bytes);
    _mm256_alignr_epi8::<15>(bytes, halves)
}

/// Returns the bytes, with each byte after C3 replaced by the character that the two encode.
#[inline]
#[target_feature(enable = "avx2")]
fn joined(before: __m256i, bytes: __m256i) -> __m256i {
    // After C3, the bytes 80 to BF stand for C0 to FF.
    let after_c3 = _mm256_cmpeq_epi8(before, _mm256_set1_epi8(0xC3_u8.cast_signed()));
    let bit = _mm256_and_si256(after_c3, _mm256_set1_epi8(0x40));
    _mm256_or_si256(bytes, bit)
}

/// Writes the characters except those in `lead`, at most two. Copies the bytes, and then the bytes after each lead byte
/// again, at their new place. The loop always runs twice, so that nothing is mispredicted; what it writes needlessly is
/// after the text.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn sparse_to_latin1(
    chars: __m256i,
    lead: u32,
    from: &[u8; 2 * LANES + 1],
    to: &mut [MaybeUninit<u8>; 2 * LANES],
) {
    if let Some(to) = to.first_chunk_mut() {
        store(to, chars);
    }
    let mut ahead = lead;
    for round in 0..2 {
        // 32 if there is none.
        let at = ahead.trailing_zeros() as usize;
        ahead &= ahead.wrapping_sub(1);
        // The number of lead bytes before this one: `round`, if there are that many.
        let dropped = if round == 0 {
            0
        } else {
            usize::from(lead != 0)
        };
        if let Some(from) = from[at..].first_chunk::<{ LANES + 1 }>()
            && let (Some(before), Some(bytes)) = (from.first_chunk(), from.last_chunk())
            && let Some(to) = to[at - dropped..].first_chunk_mut()
        {
            store(to, joined(load(before), load(bytes)));
        }
    }
}

/// Returns the shuffle that drops these bytes of the lower half and of the upper half of a vector, and moves
/// the rest of each half to its front.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rows_without(lower: u32, upper: u32) -> __m128i {
    let lower = load_8(&BYTES_WITHOUT.0[0][(lower & 0xFF) as usize]);
    let upper = load_8(&BYTES_WITHOUT.0[1][(upper & 0xFF) as usize]);
    _mm_unpacklo_epi64(lower, upper)
}

/// Writes the 32 bytes except those in `lead`.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn block_to_latin1(chars: __m256i, lead: u32, to: &mut [MaybeUninit<u8>; LANES]) {
    let set = |window: u32| lead >> (8 * window) & 0xFF;
    let rows = |window: u32| rows_without(set(window), set(window + 1));
    let chars = _mm256_shuffle_epi8(chars, _mm256_set_m128i(rows(2), rows(0)));
    let len = |windows: u32| {
        let below = lead & !(u32::MAX << (8 * windows));
        (8 * windows - below.count_ones()) as usize
    };
    let lower = _mm256_castsi256_si128(chars);
    let upper = _mm256_extracti128_si256::<1>(chars);
    let windows = [
        (0, lower),
        (len(1), _mm_unpackhi_epi64(lower, lower)),
        (len(2), upper),
        (len(3), _mm_unpackhi_epi64(upper, upper)),
    ];
    for (at, window) in windows {
        if let Some(to) = room_at::<8, _>(to, at) {
            let bytes = _mm_cvtsi128_si64(window).to_le_bytes();
            *to = bytes.map(MaybeUninit::new);
        }
    }
}
