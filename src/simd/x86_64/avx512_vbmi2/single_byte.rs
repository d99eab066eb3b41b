//! Single-byte encodings with AVX-512 VBMI and VBMI2: 64 characters at a time. The upper half of an
//! encoding's table has 128 entries, which take two registers, a *plane*, for each byte of an entry.
//!
//! To UTF-16, planes of the low and the high bytes of code units:
//!
//! ```text
//! bytes                41        C4        42   ...   64 bytes, their eighths in the order 0 4 1 5 2 6 3 7
//! upper                0         1         0          a bit for each that is 80 or more
//! low plane at `upper` 41        14        42         ASCII stays as it is
//! high plane           00        04        00         0 for ASCII
//! interleaved          41 00     14 04     42 00      low half, and high half
//! ```
//!
//! The unpacks work within each 16 bytes, which the order of the eighths compensates for. A byte is unmapped if
//! both planes have 0 for it.
//!
//! To UTF-8, planes of the first, second and third bytes. All three are put next to each other, and the ones
//! in use are compressed: `kept` has for each character the bits 1, 11 or 111.
//!
//! ```text
//! bytes       41          C4          88                 64 characters, here of windows-1251
//! places      41 .. ..    D0 94 ..    E2 82 AC           192 bytes in three vectors (`THREES`)
//! kept        1  0  0     1  1  0     1  1  1            deposited from the masks (`THIRDS`, each for one
//! compressed  41 D0 94 E2 82 AC                          byte of the characters in a vector)
//! ```
//!
//! In text without three-byte characters, pairs of two bytes are interleaved and compressed instead.

use core::arch::x86_64::{
    __m512i, __mmask64, _mm512_cmpge_epu8_mask, _mm512_mask_permutexvar_epi8,
    _mm512_mask_testn_epi8_mask, _mm512_mask2_permutex2var_epi8, _mm512_maskz_compress_epi8,
    _mm512_maskz_permutex2var_epi8, _mm512_movepi8_mask, _mm512_or_si512, _mm512_permutex2var_epi8,
    _mm512_permutexvar_epi64, _mm512_set1_epi8, _mm512_setr_epi64, _mm512_unpackhi_epi8,
    _mm512_unpacklo_epi8, _pdep_u64,
};
use core::mem::MaybeUninit;

use crate::simd::single_byte::{SingleByteToUtf8, SingleByteToUtf16, UNMAPPED};
use crate::simd::uninit::room_at;
use crate::simd::x86_64::as_bytes;
use crate::simd::x86_64::avx512::{LANES, lanes_below, load, load_front, store, store_front};

/// 128 bytes, which are indexed by the low seven bits of a byte.
pub(super) type Plane = [__m512i; 2];

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn plane(bytes: &[u8; 2 * LANES]) -> Plane {
    let (halves, _) = bytes.as_chunks::<LANES>();
    [load(&halves[0]), load(&halves[1])]
}

/// Looks up the bytes in `lanes`; the others stay unchanged.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn look_up_in(plane: Plane, lanes: __mmask64, bytes: __m512i) -> __m512i {
    _mm512_mask2_permutex2var_epi8(plane[0], bytes, lanes, plane[1])
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn look_up(plane: Plane, bytes: __m512i) -> __m512i {
    _mm512_permutex2var_epi8(plane[0], bytes, plane[1])
}

/// Puts the bytes into the order from which `interleave` restores the original one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn fix_lane_order(bytes: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), bytes)
}

/// Takes bytes from the two vectors in turn.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn interleave(first: __m512i, second: __m512i) -> [__m512i; 2] {
    [
        _mm512_unpacklo_epi8(first, second),
        _mm512_unpackhi_epi8(first, second),
    ]
}

/// The planes that give the code units of 64 bytes. Those of unmapped bytes are meaningless.
struct UnitPlanes {
    low: Plane,
    high: Plane,
}

impl UnitPlanes {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn new(table: &SingleByteToUtf16) -> Self {
        UnitPlanes {
            low: plane(&table.low),
            high: plane(&table.high),
        }
    }

    /// Returns the code units, and whether a byte is unmapped.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn decode(&self, bytes: __m512i) -> ([__m512i; 2], bool) {
        let bytes = fix_lane_order(bytes);
        let upper = _mm512_movepi8_mask(bytes);
        let (low, high) = self.look_up(bytes, upper);
        let unmapped = unmapped(low, high, upper);
        (interleave(low, high), unmapped != 0)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn look_up(&self, bytes: __m512i, upper: __mmask64) -> (__m512i, __m512i) {
        (
            look_up_in(self.low, upper, bytes),
            _mm512_maskz_permutex2var_epi8(upper, self.high[0], bytes, self.high[1]),
        )
    }

    /// Returns the number of bytes before the first unmapped one. There must be one.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn first_unmapped(&self, bytes: __m512i) -> usize {
        let upper = _mm512_movepi8_mask(bytes);
        let (low, high) = self.look_up(bytes, upper);
        unmapped(low, high, upper).trailing_zeros() as usize
    }
}

/// Returns a mask of the bytes that have no code unit.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn unmapped(low: __m512i, high: __m512i, upper: __mmask64) -> __mmask64 {
    let either = _mm512_or_si512(low, high);
    _mm512_mask_testn_epi8_mask(upper, either, either)
}

/// Decodes up to the first unmapped byte. Returns the number of code units.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn single_byte_to_utf16(
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    // All of a short text, or the bytes up to where stores are aligned.
    let front = match src.len().min(dst.len()) {
        0..LONG => 0,
        _ => dst.as_ptr().align_offset(LANES).min(LANES),
    };
    let mut done = 0;
    if front > 0 {
        done = block_to_utf16(table, &src[..front], dst);
        if done < front {
            return done;
        }
    }
    if src.len() - done >= LANES {
        let planes = UnitPlanes::new(table);
        while let Some(from) = src[done..].first_chunk::<LANES>()
            && let Some(to) = dst[done..].first_chunk_mut::<LANES>()
        {
            let bytes = load(from);
            let (units, unmapped) = planes.decode(bytes);
            let (to, _) = as_bytes(to).as_chunks_mut::<LANES>();
            for (to, units) in to.iter_mut().zip(units) {
                store(to, units);
            }
            if unmapped {
                return done + planes.first_unmapped(bytes);
            }
            done += LANES;
        }
    }
    if done == src.len() {
        return done;
    }
    done + block_to_utf16(table, &src[done..], &mut dst[done..])
}

/// The number of units for which aligned stores pay.
const LONG: usize = 1024;

/// Decodes up to 64 bytes, up to the first unmapped one. Returns the number of code units.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn block_to_utf16(table: &SingleByteToUtf16, src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    let count = src.len().min(dst.len()).min(LANES);
    let src = &src[..count];
    let (front, back) = dst[..count].split_at_mut(count.min(LANES / 2));
    let bytes = load_front(src);
    let mut done = count;
    let units = if _mm512_movepi8_mask(bytes) == 0 {
        interleave(fix_lane_order(bytes), _mm512_set1_epi8(0))
    } else {
        let planes = UnitPlanes::new(table);
        let (units, unmapped) = planes.decode(bytes);
        if unmapped {
            done = planes.first_unmapped(bytes);
        }
        units
    };
    store_front(as_bytes(front), units[0]);
    if !back.is_empty() {
        store_front(as_bytes(back), units[1]);
    }
    done
}

/// The planes with the UTF-8 of the upper half.
struct Utf8Planes {
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

impl Utf8Planes {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn new(table: &SingleByteToUtf8) -> Self {
        Utf8Planes {
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
    // Characters from U+0800 on have three bytes in UTF-8: in Thai, hardly a vector is without them.
    if table.has_mostly_three {
        to_utf8::<true>(table, src, dst)
    } else {
        to_utf8::<false>(table, src, dst)
    }
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
    let planes = Utf8Planes::new(table);
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
    let planes = Utf8Planes::new(table);
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
        const HALF: u64 = u64::MAX >> (LANES / 2);
        let in_order = fix_lane_order(bytes);
        let mut pieces = planes.up_to_two(in_order, fix_lane_order(first), upper);
        pieces[0].len = len_of(inside & HALF);
        pieces[1].len = len_of(inside & !HALF);
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
