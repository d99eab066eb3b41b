//! UTF-8 to single-byte encodings with AVX-512 VBMI and VBMI2: 64 bytes at a time. The pages of 128 code
//! points that have most of the characters stay in registers; the rare characters of other pages are encoded
//! one by one.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::single_byte::{Plane, look_up};
use crate::simd::Kernels;
use crate::simd::scalar;
use crate::simd::single_byte::UnitsToSingleByte;
use crate::simd::x86_64::avx512::{LANES, lanes_below, load, store, store_front};

/// The bytes of 128 code points, indexed by the low seven bits of a code point.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn bytes_of_page(table: &UnitsToSingleByte, page: u8) -> Plane {
    let unit = u16::from(page) << 7;
    [
        load(table.cells.block(unit)),
        load(table.cells.block(unit + 64)),
    ]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}

/// A page of 128 code points, identified by their UTF-8.
struct Utf8Page {
    bytes: Plane,
    /// The last byte but one, without its lowest bit.
    middle: __m512i,
    /// The first byte, if there are three.
    first: Option<__m512i>,
}

/// Vectors in which every byte of UTF-8 is treated as the last one of a character.
struct LastBytes {
    /// The low seven bits of the code point.
    low: __m512i,
    /// The byte before, without its lowest bit.
    middle: __m512i,
    /// The byte before that.
    first: __m512i,
    /// A mask of the bytes that are the last one of a non-ASCII character.
    ends: __mmask64,
}

impl Utf8Page {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn new(table: &UnitsToSingleByte, page: u8) -> Self {
        Utf8Page {
            bytes: bytes_of_page(table, page),
            middle: splat(if page < 16 {
                0xC0 | page << 1
            } else {
                0x80 | page << 1 & 0x3F
            }),
            first: (page >= 16).then(|| splat(0xE0 | page >> 5)),
        }
    }

    /// Adds the encoded bytes of the characters that are in this page.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn add(&self, bytes: __m512i, last: &LastBytes) -> __m512i {
        let inside = match self.first {
            None => u64::MAX,
            Some(first) => _mm512_cmpeq_epi8_mask(last.first, first),
        };
        let inside = _mm512_mask_cmpeq_epi8_mask(inside, last.middle, self.middle);
        _mm512_mask_mov_epi8(bytes, inside, look_up(self.bytes, last.low))
    }
}

impl LastBytes {
    /// Takes the bytes two before, the bytes one before, and the bytes themselves.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn new([two_before, before, bytes]: [__m512i; 3], ends: __mmask64) -> Self {
        const SELECT: i32 = 0xCA;
        // The shift moves bits between bytes, but none of them into bit 6.
        let bit_6 = _mm512_slli_epi16::<6>(before);
        LastBytes {
            low: _mm512_ternarylogic_epi32::<SELECT>(splat(0x40), bit_6, bytes),
            middle: _mm512_and_si512(before, splat(0xFE)),
            first: two_before,
            ends: ends & _mm512_movepi8_mask(bytes),
        }
    }

    /// Returns a mask of the characters that have no encoded byte yet.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn missing(&self, bytes: __m512i) -> __mmask64 {
        _mm512_mask_testn_epi8_mask(self.ends, bytes, bytes)
    }
}

/// Adds the encoded bytes of characters that are in none of the pages. `missing` is a mask of their last
/// bytes, from `src[at]` on. Returns the lane of the last byte of the first character that the encoding
/// lacks.
#[inline(never)]
fn add_missing(
    table: &UnitsToSingleByte,
    missing: __mmask64,
    ends: __mmask64,
    src: &[u8],
    at: usize,
    to: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let mut rest = missing;
    while rest != 0 {
        let lane = rest.trailing_zeros();
        rest &= rest - 1;
        let last = at + lane as usize;
        let byte = match src.get(last.saturating_sub(2)..=last) {
            Some(&[.., lead @ 0xC0..=0xFF, last]) => {
                let unit = u16::from(lead & 0x1F) << 6 | u16::from(last & 0x3F);
                table.cells.get(unit)
            }
            Some(&[lead @ 0xE0..=0xFF, middle, last]) => {
                let unit =
                    u16::from(lead) << 12 | u16::from(middle & 0x3F) << 6 | u16::from(last & 0x3F);
                table.cells.get(unit)
            }
            // Four bytes: no single-byte encoding has a character above U+FFFF.
            _ => 0,
        };
        let place = (ends & !(u64::MAX << lane)).count_ones() as usize;
        match to.get_mut(place) {
            Some(to) if byte != 0 => to.write(byte),
            _ => return Some(lane as usize),
        };
    }
    None
}

/// Returns the start of the character that `src[at]` is part of.
#[inline]
fn front_of_char(src: &[u8], mut at: usize) -> usize {
    while at > 0 && src.get(at).is_some_and(|&byte| byte & 0xC0 == 0x80) {
        at -= 1;
    }
    at
}

/// Returns a mask of the continuation bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn continuing(bytes: __m512i) -> __mmask64 {
    _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8(0xC0_u8.cast_signed()))
}

/// Loads 64 bytes from `back` bytes before `at`, with zeros outside of `src`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn load_around(src: &[u8], at: usize, back: usize) -> __m512i {
    let before = back.saturating_sub(at);
    let lanes = lanes_below((src.len() + back).saturating_sub(at)) & !lanes_below(before);
    let from = src.as_ptr().wrapping_add(at).wrapping_sub(back);
    // SAFETY: the mask has only lanes within the slice, and masked-off lanes are not read.
    unsafe { _mm512_maskz_loadu_epi8(lanes, from.cast()) }
}

/// From this many bytes on, it pays to load the pages.
const MIN_BYTES_FOR_PAGES: usize = 4 * LANES;

/// Into up to this many bytes, text that begins with mostly ASCII takes half the time by runs of ASCII and of other
/// characters: near the end of the room, each block here takes a step of its own.
const MAX_ROOM_BY_RUNS: usize = 512;

/// Returns whether at most three of the first 64 bytes, which are about one character, are not ASCII.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt")]
fn starts_with_mostly_ascii(src: &[u8]) -> bool {
    const MOST: u32 = 3;
    src.first_chunk()
        .is_some_and(|bytes| _mm512_movepi8_mask(load(bytes)).count_ones() <= MOST)
}

/// The result for a block at the start or the end of the text.
struct EncodedBlock {
    /// The position up to which the source has been read, in bytes.
    read: usize,
    written: usize,
    /// Whether encoding ends here, because the next character is unmappable or does not fit.
    stopped: bool,
}

/// Encodes well-formed UTF-8 up to the first character that the encoding lacks. Returns the number of bytes
/// read and written.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf8_to_single_byte(
    kernels: &Kernels,
    table: &UnitsToSingleByte,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    if dst.len() <= MAX_ROOM_BY_RUNS && dst.len() < src.len() && starts_with_mostly_ascii(src) {
        return scalar::single_byte::utf8_to_single_byte(kernels, table, src, dst);
    }
    // Text with an unmappable character near its start ends here.
    let first = block_at(table, src, 0, dst);
    // All characters that end before `read` are written; an unwritten one may begin there.
    let (mut read, mut written) = (first.read, first.written);
    if first.stopped || read == src.len() {
        return (read, written);
    }
    if src.len() - read >= MIN_BYTES_FOR_PAGES {
        let mut stopped = false;
        let (to, more) = blocks(table, src, read, &mut dst[written..], &mut stopped);
        read = to;
        written += more;
        if stopped {
            return (read, written);
        }
    }
    while read < src.len() {
        let block = block_at(table, src, read, &mut dst[written..]);
        read = block.read;
        written += block.written;
        if block.stopped {
            break;
        }
    }
    (read, written)
}

/// Encodes whole vectors from `read` on, two bytes at least, while there is room for 64 bytes, up to the first
/// character that the encoding lacks, for which it sets `stopped`. Returns up to where the source is read, and the
/// number of bytes written.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn blocks(
    table: &UnitsToSingleByte,
    src: &[u8],
    mut read: usize,
    dst: &mut [MaybeUninit<u8>],
    stopped: &mut bool,
) -> (usize, usize) {
    let mut written = 0;
    let [a, b, c, d] = table.pages;
    let [a, b] = [Utf8Page::new(table, a), Utf8Page::new(table, b)];
    let [c, d] = [Utf8Page::new(table, c), Utf8Page::new(table, d)];
    // Needs two bytes before the vector and one after it.
    while let Some(from) = src.get(read - 2..)
        && let Some(from) = from.first_chunk::<{ LANES + 3 }>()
        && let Some(to) = dst[written..].first_chunk_mut::<LANES>()
        && let (Some(two_before), Some(before), Some(bytes), Some(next)) = (
            from.first_chunk(),
            from[1..].first_chunk(),
            from[2..].first_chunk(),
            from[3..].first_chunk(),
        )
    {
        let bytes = load(bytes);
        let upper = _mm512_movepi8_mask(bytes);
        if upper == 0 {
            store(to, bytes);
            read += LANES;
            written += LANES;
            let more = ascii_blocks(&src[read..], &mut dst[written..]);
            read += more;
            written += more;
            continue;
        }
        let ends = !continuing(load(next));
        let last = LastBytes::new([load(two_before), load(before), bytes], ends);
        let mut found = _mm512_maskz_mov_epi8(!upper, bytes);
        found = b.add(a.add(found, &last), &last);
        let mut missing = last.missing(found);
        if missing != 0 {
            found = d.add(c.add(found, &last), &last);
            missing = last.missing(found);
        }
        store(to, _mm512_maskz_compress_epi8(ends, found));
        if missing != 0
            && let Some(lane) = add_missing(table, missing, ends, src, read, to)
        {
            let kept = (ends & lanes_below(lane)).count_ones() as usize;
            *stopped = true;
            return (front_of_char(src, read + lane), written + kept);
        }
        read += LANES;
        written += ends.count_ones() as usize;
    }
    (read, written)
}

/// Copies the blocks at the front that are ASCII, if there is room. Returns their length. Without this loop, pages took
/// up to 2.5 times as long in some builds, in which the same instructions were at other addresses.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn ascii_blocks(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let (blocks, _) = src.as_chunks::<LANES>();
    let (rooms, _) = dst.as_chunks_mut::<LANES>();
    let mut len = 0;
    for (block, to) in blocks.iter().zip(rooms) {
        let bytes = load(block);
        if _mm512_movepi8_mask(bytes) != 0 {
            break;
        }
        store(to, bytes);
        len += LANES;
    }
    len
}

/// Encodes the characters in up to 64 bytes from `read` on, to the front of `dst`.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn block_at(
    table: &UnitsToSingleByte,
    src: &[u8],
    read: usize,
    dst: &mut [MaybeUninit<u8>],
) -> EncodedBlock {
    let count = LANES.min(src.len() - read);
    let bytes = load_around(src, read, 0);
    let mut block = EncodedBlock {
        read: read + count,
        written: count,
        stopped: false,
    };
    let upper = _mm512_movepi8_mask(bytes);
    if upper == 0 && count <= dst.len() {
        store_front(&mut dst[..count], bytes);
        return block;
    }
    let mut ends = !continuing(load_around(src, read + 1, 0)) & lanes_below(count);
    if ends.count_ones() as usize > dst.len() {
        // The last byte of the first character that does not fit.
        let lane = _pdep_u64(1 << dst.len(), ends).trailing_zeros() as usize;
        block.read = front_of_char(src, read + lane);
        block.stopped = true;
        ends &= lanes_below(lane);
    }
    let around = [load_around(src, read, 2), load_around(src, read, 1), bytes];
    let last = LastBytes::new(around, ends);
    let mut found = _mm512_maskz_mov_epi8(!upper, bytes);
    for page in table.pages {
        if last.missing(found) == 0 {
            break;
        }
        found = Utf8Page::new(table, page).add(found, &last);
    }
    block.written = ends.count_ones() as usize;
    let to = &mut dst[..block.written];
    store_front(to, _mm512_maskz_compress_epi8(ends, found));
    let missing = last.missing(found);
    if missing != 0
        && let Some(lane) = add_missing(table, missing, ends, src, read, to)
    {
        block.read = front_of_char(src, read + lane);
        block.written = (ends & lanes_below(lane)).count_ones() as usize;
        block.stopped = true;
    }
    block
}
