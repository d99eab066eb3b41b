//! Single-byte encodings to UTF-8 with AVX-512 VBMI and VBMI2: 64 characters at a time.
//!
//! There are planes (`single_byte.rs`) of the first, second and third bytes. All three bytes are put next to each
//! other, and the ones in use are compressed: `kept` has for each character the bits 1, 11 or 111.
//!
//! ```text
//! bytes       41          C4          88                 64 characters, here of windows-1251
//! places      41 .. ..    D0 94 ..    E2 82 AC           192 bytes in three vectors (`THREES`)
//! kept        1  0  0     1  1  0     1  1  1            deposited from the masks (`THIRDS`, each for one
//! compressed  41 D0 94 E2 82 AC                          byte of the characters in a vector)
//! ```
//!
//! In text without three-byte characters, pairs of two bytes are interleaved and compressed instead.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::single_byte::{Plane, fix_lane_order, interleave, look_up, look_up_in, plane};
use crate::simd::single_byte::{SingleByteToUtf8, UNMAPPED};
use crate::simd::uninit::room_at;
use crate::simd::x86_64::avx2;
use crate::simd::x86_64::avx512::{LANES, lanes_below, load, load_front, store, store_front};

/// The planes with the UTF-8 of the upper half.
struct Utf8PlaneVectors {
    first: Plane,
    second: Plane,
    third: Plane,
}

/// The bytes of some characters, and their number.
struct Piece {
    bytes: __m512i,
    len: usize,
}

/// Every third bit, from bits 0, 1 and 2.
const THIRDS: [u64; 3] = [
    0x9249_2492_4924_9249,
    0x2492_4924_9249_2492,
    0x4924_9249_2492_4924,
];

/// For each of the 192 bytes of 64 three-byte characters, its index among the first and second bytes, or
/// among the third ones.
static THREES: [[u8; LANES]; 3] = {
    let mut places = [[0; LANES]; 3];
    let mut i = 0;
    while i < 3 * LANES {
        let plane = if i % 3 == 1 { LANES } else { 0 };
        places[i / LANES][i % LANES] = (plane + i / 3) as u8;
        i += 1;
    }
    places
};

impl Utf8PlaneVectors {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn new(table: &SingleByteToUtf8) -> Self {
        Utf8PlaneVectors {
            first: plane(&table.planes.first),
            second: plane(&table.planes.second),
            third: plane(&table.planes.third),
        }
    }

    /// Returns the UTF-8 of bytes, none of which has three bytes in UTF-8; `upper` is a mask of those that
    /// have two.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
    fn up_to_two(&self, bytes: __m512i, first: __m512i, upper: __mmask64) -> [Piece; 2] {
        let [low, high] = interleave(first, look_up(self.second, bytes));
        let piece = |bytes, upper: u64| {
            let kept = kept_of_two(upper);
            Piece {
                bytes: _mm512_maskz_compress_epi8(kept, bytes),
                len: kept.count_ones() as usize,
            }
        };
        [piece(low, upper), piece(high, upper >> 32)]
    }

    /// Returns the UTF-8 of the bytes that are `inside`; `upper` is a mask of those that have at least two
    /// bytes in UTF-8, and `three` of those that have three.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
    fn up_to_three(
        &self,
        bytes: __m512i,
        first: __m512i,
        inside: __mmask64,
        upper: __mmask64,
        three: __mmask64,
    ) -> [Piece; 3] {
        let (upper, three) = (upper & inside, three & inside);
        let second = look_up(self.second, bytes);
        let third = look_up(self.third, bytes);
        let piece = |at: usize| {
            let places = load(&THREES[at]);
            // Every third lane: those of first bytes, of second bytes and of third bytes.
            let [a, b, c] = [
                THIRDS[(3 - at) % 3],
                THIRDS[(4 - at) % 3],
                THIRDS[(5 - at) % 3],
            ];
            let pairs = _mm512_permutex2var_epi8(first, places, second);
            let all = _mm512_mask_permutexvar_epi8(pairs, c, places, third);
            let before = [[0, 0, 0], [22, 21, 21], [43, 43, 42]][at];
            let kept = _pdep_u64(inside >> before[0], a)
                | _pdep_u64(upper >> before[1], b)
                | _pdep_u64(three >> before[2], c);
            Piece {
                bytes: _mm512_maskz_compress_epi8(kept, all),
                len: kept.count_ones() as usize,
            }
        };
        [piece(0), piece(1), piece(2)]
    }
}

/// Decodes up to the first unmapped byte. Returns the number of bytes read and written.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn single_byte_to_utf8(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    // With the planes, 64 bytes of German take 1.2 times as long.
    if src.len() <= LANES
        && table.is_latin()
        && let Some(written) = short_latin_to_utf8(table, src, dst)
    {
        return (src.len(), written);
    }
    // Characters from U+0800 on have three bytes in UTF-8: in Thai, hardly a vector is without them.
    if table.has_mostly_three() {
        to_utf8::<true>(table, src, dst)
    } else {
        to_utf8::<false>(table, src, dst)
    }
}

/// Decodes short text, most of which is ASCII. A separate function, so that longer text does not pay for saving
/// registers.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn short_latin_to_utf8(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    avx2::single_byte_short::single_byte_to_utf8(table, src, dst)
}

/// Decodes up to the first unmapped byte, in as much room as the characters take; `THREE` says that most of them have
/// three bytes in UTF-8.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn to_utf8<const THREE: bool>(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if src.len() >= LANES {
        let mut stopped = false;
        (read, written) = blocks_to_utf8::<THREE>(table, src, dst, &mut stopped);
        if stopped {
            return (read, written);
        }
    }
    while read < src.len() {
        let from = &src[read..][..LANES.min(src.len() - read)];
        let (taken, len) = block_to_utf8(table, from, &mut dst[written..]);
        read += taken;
        written += len;
        if taken < from.len() {
            break;
        }
    }
    (read, written)
}

/// Decodes whole vectors while there is room for what one may become, up to an unmapped byte, for which it sets
/// `stopped`. A separate function, so that it has the registers that it needs.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn blocks_to_utf8<const THREE: bool>(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    stopped: &mut bool,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let planes = Utf8PlaneVectors::new(table);
    while let Some(from) = src[read..].first_chunk::<LANES>()
        && let Some(to) = dst[written..].first_chunk_mut::<{ 3 * LANES }>()
    {
        let bytes = load(from);
        let upper = _mm512_movepi8_mask(bytes);
        if upper == 0 {
            if let Some(to) = to.first_chunk_mut() {
                store(to, bytes);
            }
            read += LANES;
            written += LANES;
            continue;
        }
        if !THREE {
            let in_order = fix_lane_order(bytes);
            let first = look_up_in(planes.first, _mm512_movepi8_mask(in_order), in_order);
            if at_least(first, 0xE0) == 0 {
                let pieces = planes.up_to_two(in_order, first, upper);
                written += store_all(pieces, to);
                read += LANES;
                continue;
            }
        }
        let first = look_up_in(planes.first, upper, bytes);
        let inside = below_first(at_least(first, UNMAPPED));
        let pieces = planes.up_to_three(bytes, first, inside, upper, at_least(first, 0xE0));
        written += store_all(pieces, to);
        read += inside.count_ones() as usize;
        if inside != u64::MAX {
            *stopped = true;
            break;
        }
    }
    (read, written)
}

/// Decodes up to 64 bytes, up to the first one that is unmapped or does not fit. Returns the number of bytes read and
/// written.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn block_to_utf8(
    table: &SingleByteToUtf8,
    src: &[u8],
    to: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let bytes = load_front(src);
    let upper = _mm512_movepi8_mask(bytes);
    let mut count = src.len().min(to.len());
    if upper == 0 {
        store_front(&mut to[..count], bytes);
        return (count, count);
    }
    let planes = Utf8PlaneVectors::new(table);
    let first = look_up_in(planes.first, upper, bytes);
    let three = at_least(first, 0xE0);
    count = count.min(at_least(first, UNMAPPED).trailing_zeros() as usize);
    let len_of = |lanes: u64| {
        (lanes.count_ones() + (upper & lanes).count_ones() + (three & lanes).count_ones()) as usize
    };
    if to.len() < 3 * count && three & lanes_below(count) == 0 {
        count = count.min(characters_of_up_to_two(upper, to.len()));
    } else {
        // Without a character, there is room for at most three bytes more.
        while let Some(beyond @ 1..) = len_of(lanes_below(count)).checked_sub(to.len()) {
            count -= beyond.div_ceil(3);
        }
    }
    let inside = lanes_below(count);
    if three & inside == 0 {
        const LOWER_HALF: u64 = u64::MAX >> (LANES / 2);
        let in_order = fix_lane_order(bytes);
        let mut pieces = planes.up_to_two(in_order, fix_lane_order(first), upper);
        pieces[0].len = len_of(inside & LOWER_HALF);
        pieces[1].len = len_of(inside & !LOWER_HALF);
        return (count, store_front_all(pieces, to));
    }
    let pieces = planes.up_to_three(bytes, first, inside, upper, three);
    (count, store_front_all(pieces, to))
}

/// Returns how many of 64 characters fit, if those in `upper` have two bytes and the others one.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn characters_of_up_to_two(upper: __mmask64, mut room: usize) -> usize {
    // The character of the first byte for which there is no room does not fit.
    for (half, upper) in [upper, upper >> (LANES / 2)].into_iter().enumerate() {
        let kept = kept_of_two(upper);
        let len = kept.count_ones() as usize;
        if room < len {
            let beyond = _pdep_u64(1 << room, kept).trailing_zeros() as usize;
            return (half * LANES + beyond) / 2;
        }
        room -= len;
    }
    LANES
}

/// Returns a mask with two bits for each of 32 characters: of which bytes it has, if those in `upper` have two.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn kept_of_two(upper: u64) -> u64 {
    const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    _pdep_u64(upper, ODD) | !ODD
}

/// Writes pieces one after another, and nothing after them. Returns their length in bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn store_front_all<const N: usize>(pieces: [Piece; N], to: &mut [MaybeUninit<u8>]) -> usize {
    let mut at = 0;
    for Piece { bytes, len } in pieces {
        if len > 0 {
            store_front(&mut to[at..][..len], bytes);
        }
        at += len;
    }
    at
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn at_least(bytes: __m512i, limit: u8) -> __mmask64 {
    _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(limit.cast_signed()))
}

/// Returns a mask of the lanes below the first one in `lanes`.
#[inline]
fn below_first(lanes: u64) -> u64 {
    !lanes & lanes.wrapping_sub(1)
}

/// Writes pieces one after another. Returns their length in bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn store_all<const N: usize>(pieces: [Piece; N], to: &mut [MaybeUninit<u8>; 3 * LANES]) -> usize {
    let mut at = 0;
    for (i, Piece { bytes, len }) in pieces.into_iter().enumerate() {
        if let Some(to) = room_at(to, at.min(i * LANES)) {
            store(to, bytes);
        }
        at += len;
    }
    at
}
