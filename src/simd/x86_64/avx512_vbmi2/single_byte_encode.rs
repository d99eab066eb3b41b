//! To single-byte encodings with AVX-512 VBMI and VBMI2: 64 code units or bytes of UTF-8 at a time.
//! The pages of 128 code points where most of the characters are stay in registers; the rare
//! characters of other pages are added one by one.

use core::arch::x86_64::{
    __m512i, __mmask64, _mm512_and_si512, _mm512_cmpeq_epi8_mask, _mm512_cmplt_epi8_mask,
    _mm512_mask_cmpeq_epi8_mask, _mm512_mask_mov_epi8, _mm512_mask_testn_epi8_mask,
    _mm512_maskz_compress_epi8, _mm512_maskz_loadu_epi8, _mm512_maskz_mov_epi8,
    _mm512_movepi8_mask, _mm512_permutex2var_epi8, _mm512_set1_epi8, _mm512_slli_epi16,
    _mm512_ternarylogic_epi32, _pdep_u64,
};
use core::mem::MaybeUninit;

use super::single_byte::{EVEN, ODD, Plane, look_up};
use crate::simd::single_byte::{PAGES, SingleByteTable};
use crate::simd::x86_64::avx512::{LANES, lanes_below, load, load_front, store, store_front};

/// The bytes of 128 code points.
struct Page {
    bytes: Plane,
    /// The high byte of these code points.
    high: __m512i,
    /// All lanes, if bit 7 of these code points is 0.
    even: __mmask64,
    /// The last byte but one of their UTF-8, without its lowest bit.
    middle: __m512i,
    /// The first byte of their UTF-8, if that has three.
    first: Option<__m512i>,
}

/// What turns 64 characters into bytes.
struct Encoder<'a> {
    table: &'a SingleByteTable,
    pages: [Page; PAGES],
}

impl Page {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn new(table: &SingleByteTable, page: u8) -> Self {
        let unit = u16::from(page) << 7;
        let splat = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
        Page {
            bytes: [
                load(table.cells.block(unit)),
                load(table.cells.block(unit + 64)),
            ],
            high: splat(page >> 1),
            even: if page & 1 == 0 { u64::MAX } else { 0 },
            middle: splat(if page < 16 {
                0xC0 | page << 1
            } else {
                0x80 | page << 1 & 0x3F
            }),
            first: (page >= 16).then(|| splat(0xE0 | page >> 5)),
        }
    }

    /// Adds the bytes of those units that are in this page; `odd` are those with bit 7.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn add(&self, bytes: __m512i, low: __m512i, high: __m512i, odd: __mmask64) -> __m512i {
        let inside = _mm512_mask_cmpeq_epi8_mask(odd ^ self.even, high, self.high);
        _mm512_mask_mov_epi8(bytes, inside, look_up(self.bytes, low))
    }

    /// Adds the bytes of those last bytes of UTF-8 that are in this page.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn add_utf_8(&self, bytes: __m512i, last: &Last) -> __m512i {
        let inside = match self.first {
            None => u64::MAX,
            Some(first) => _mm512_cmpeq_epi8_mask(last.first, first),
        };
        let inside = _mm512_mask_cmpeq_epi8_mask(inside, last.middle, self.middle);
        _mm512_mask_mov_epi8(bytes, inside, look_up(self.bytes, last.low))
    }
}

/// Bytes of UTF-8 as if each were the last one of a character.
struct Last {
    /// The low seven bits of the code point.
    low: __m512i,
    /// The byte before, without its lowest bit.
    middle: __m512i,
    /// The byte before that.
    first: __m512i,
}

impl<'a> Encoder<'a> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn new(table: &'a SingleByteTable) -> Self {
        let [a, b, c, d] = table.pages;
        let pages = [
            Page::new(table, a),
            Page::new(table, b),
            Page::new(table, c),
            Page::new(table, d),
        ];
        Encoder { table, pages }
    }

    /// The bytes of units, and which of the units that are not ASCII are in no page.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn encode(&self, front: __m512i, back: __m512i) -> (__m512i, __mmask64) {
        let low = _mm512_permutex2var_epi8(front, load(&EVEN), back);
        let high = _mm512_permutex2var_epi8(front, load(&ODD), back);
        let odd = _mm512_movepi8_mask(low);
        let ascii = _mm512_mask_testn_epi8_mask(!odd, high, high);
        if ascii == u64::MAX {
            return (low, 0);
        }
        let [a, b, c, d] = &self.pages;
        let bytes = _mm512_maskz_mov_epi8(ascii, low);
        let bytes = b.add(a.add(bytes, low, high, odd), low, high, odd);
        let missing = _mm512_mask_testn_epi8_mask(!ascii, bytes, bytes);
        if missing == 0 {
            return (bytes, 0);
        }
        let bytes = d.add(c.add(bytes, low, high, odd), low, high, odd);
        (bytes, _mm512_mask_testn_epi8_mask(!ascii, bytes, bytes))
    }

    /// The bytes of last bytes of UTF-8, which are those in `ends`, and which of them that are not
    /// ASCII are in no page. `bytes` are the bytes, behind one and two others.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn encode_utf_8(
        &self,
        [two_before, before, bytes]: [__m512i; 3],
        ends: __mmask64,
    ) -> (__m512i, __mmask64) {
        const SELECT: i32 = 0xCA;
        let splat = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
        // The shift moves bits between bytes; none of them is bit 6.
        let bit_6 = _mm512_slli_epi16::<6>(before);
        let last = Last {
            low: _mm512_ternarylogic_epi32::<SELECT>(splat(0x40), bit_6, bytes),
            middle: _mm512_and_si512(before, splat(0xFE)),
            first: two_before,
        };
        let upper = _mm512_movepi8_mask(bytes);
        let [a, b, c, d] = &self.pages;
        let found = _mm512_maskz_mov_epi8(!upper, bytes);
        let found = b.add_utf_8(a.add_utf_8(found, &last), &last);
        let missing = _mm512_mask_testn_epi8_mask(ends & upper, found, found);
        if missing == 0 {
            return (found, 0);
        }
        let found = d.add_utf_8(c.add_utf_8(found, &last), &last);
        (
            found,
            _mm512_mask_testn_epi8_mask(ends & upper, found, found),
        )
    }

    /// Adds the bytes of characters that are in none of the pages; `missing` are their last bytes,
    /// from `src[at]` on. Returns the last byte of the first character that the encoding does not
    /// have.
    #[inline(never)]
    fn add_missing_utf_8(
        &self,
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
                    self.table.cells.get(unit)
                }
                Some(&[lead @ 0xE0..=0xFF, middle, last]) => {
                    let unit = u16::from(lead) << 12
                        | u16::from(middle & 0x3F) << 6
                        | u16::from(last & 0x3F);
                    self.table.cells.get(unit)
                }
                // Four bytes: no such encoding has a character above U+FFFF.
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
}

/// Encodes UTF-16 up to the first unit that the encoding does not have. Returns the number of units.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn utf_16_to_single_byte(
    table: &SingleByteTable,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let encoder = Encoder::new(table);
    let mut done = 0;
    while let Some(from) = src[done..].first_chunk::<LANES>()
        && let Some(to) = dst[done..].first_chunk_mut::<LANES>()
    {
        let halves: &[[u8; LANES]; 2] = bytemuck::cast_ref(from);
        let (bytes, missing) = encoder.encode(load(&halves[0]), load(&halves[1]));
        store(to, bytes);
        if missing != 0 {
            let encoded = table.add_missing(missing, from, to);
            if encoded < LANES {
                return done + encoded;
            }
        }
        done += LANES;
    }
    let rest = (src.len() - done).min(dst.len() - done);
    if rest > 0 {
        // Less than a vector, because one of the two ends there.
        let (from, to) = (&src[done..][..rest], &mut dst[done..][..rest]);
        let bytes: &[u8] = bytemuck::cast_slice(from);
        let (front, back) = bytes.split_at(bytes.len().min(LANES));
        let (bytes, missing) = encoder.encode(load_front(front), load_front(back));
        store_front(to, bytes);
        done += if missing == 0 {
            rest
        } else {
            table.add_missing(missing, from, to)
        };
    }
    done
}

/// The front of the character of which `src[at]` is a byte.
#[inline]
fn front_of_char(src: &[u8], mut at: usize) -> usize {
    while at > 0 && src.get(at).is_some_and(|&byte| byte & 0xC0 == 0x80) {
        at -= 1;
    }
    at
}

/// The bytes that go on with a character.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn continuing(bytes: __m512i) -> __mmask64 {
    _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8(0xC0_u8.cast_signed()))
}

/// 64 bytes from `at` on, or from `back` bytes before that; zeros where `src` does not reach.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn load_around(src: &[u8], at: usize, back: usize) -> __m512i {
    let before = back.saturating_sub(at);
    let lanes = lanes_below((src.len() + back).saturating_sub(at)) & !lanes_below(before);
    let from = src.as_ptr().wrapping_add(at).wrapping_sub(back);
    // SAFETY: only lanes that lie in the slice are in the mask, and others are not read.
    unsafe { _mm512_maskz_loadu_epi8(lanes, from.cast()) }
}

/// Encodes well-formed UTF-8 up to the first character that the encoding does not have. Returns the
/// bytes read and the bytes written.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn utf_8_to_single_byte(
    table: &SingleByteTable,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let encoder = Encoder::new(table);
    // All characters that end before `read` are written; one that does not may begin there.
    let (mut read, mut written) = (0_usize, 0);
    loop {
        // Two bytes before the vector and one behind it.
        while let Some(from) = read.checked_sub(2).and_then(|at| src.get(at..))
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
            if _mm512_movepi8_mask(bytes) == 0 {
                store(to, bytes);
                read += LANES;
                written += LANES;
                continue;
            }
            let ends = !continuing(load(next));
            let (found, missing) =
                encoder.encode_utf_8([load(two_before), load(before), bytes], ends);
            store(to, _mm512_maskz_compress_epi8(ends, found));
            if missing != 0
                && let Some(lane) = encoder.add_missing_utf_8(missing, ends, src, read, to)
            {
                let kept = (ends & lanes_below(lane)).count_ones() as usize;
                return (front_of_char(src, read + lane), written + kept);
            }
            read += LANES;
            written += ends.count_ones() as usize;
        }
        // The first vector and the last ones.
        if read >= src.len() {
            return (read, written);
        }
        let to = &mut dst[written..];
        let around = [
            load_around(src, read, 2),
            load_around(src, read, 1),
            load_around(src, read, 0),
        ];
        let count = LANES.min(src.len() - read);
        let mut next = read + count;
        let mut ends = !continuing(load_around(src, read + 1, 0)) & lanes_below(count);
        if ends.count_ones() as usize > to.len() {
            // The first of them that does not fit.
            let lane = _pdep_u64(1 << to.len(), ends).trailing_zeros() as usize;
            next = front_of_char(src, read + lane);
            ends &= lanes_below(lane);
        }
        let (found, missing) = encoder.encode_utf_8(around, ends);
        let kept = ends.count_ones() as usize;
        store_front(&mut to[..kept], _mm512_maskz_compress_epi8(ends, found));
        if missing != 0
            && let Some(lane) = encoder.add_missing_utf_8(missing, ends, src, read, to)
        {
            let kept = (ends & lanes_below(lane)).count_ones() as usize;
            return (front_of_char(src, read + lane), written + kept);
        }
        written += kept;
        if next < read + count {
            return (next, written);
        }
        read = next;
    }
}
