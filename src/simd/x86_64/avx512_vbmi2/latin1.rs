//! Latin-1 to and from UTF-8 for AVX-512 with VBMI2: to UTF-8, each byte gets a place for a lead byte, and those not
//! in use are compressed away.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use crate::simd::generic::latin1::ascii_run;
use crate::simd::vector::Vector;
use crate::simd::x86_64::avx512::vector::Vectors512;
use crate::simd::x86_64::avx512::{LANES, lanes_below, load, load_front, store, store_front};

/// The maximum number of bytes that a vector becomes. If the room that is left is compared for each vector, pages take
/// 1.08 times as long.
const ROOM_OF_VECTOR: usize = 2 * LANES;

/// From this many bytes on, `utf8_to_latin1` compares only once how much room is left, for all vectors: pages take 0.9
/// times as long.
const MIN_LOOP_BYTES: usize = 512;

/// The ternary logic function `a & b | c`.
const AND_OR: i32 = 0xF0 & 0xCC | 0xAA;

/// The even bits.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// Converts Latin-1. Stops only if the next character does not fit. Returns the number of bytes read and
/// written.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn latin1_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    if src.len() <= LANES
        && let Some(written) = one_vector_to_utf8(src, dst)
    {
        return (src.len(), written);
    }
    wide_latin1_to_utf8(src, dst)
}

/// Converts up to a vector, if all fits.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn one_vector_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let bytes = load_front(src);
    let high = _mm512_movepi8_mask(bytes);
    let dst = dst.get_mut(..src.len() + high.count_ones() as usize)?;
    if high == 0 {
        store_front(dst, bytes);
        return Some(dst.len());
    }
    let [low, upper] = to_utf8(bytes, high);
    let low_len = HALF_LANES + (high as u32).count_ones() as usize;
    store_front(dst, low);
    if let Some(to) = dst.get_mut(low_len..) {
        store_front(to, upper);
    }
    Some(dst.len())
}

/// Converts text of any length.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn wide_latin1_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    // Many texts begin with a long run of ASCII, or are all ASCII. This is not part of the loop, which has
    // more to keep in registers: there it would cost more than it saves.
    let mut read = ascii_run(Vectors512::here().short(), src, dst);
    let mut written = read;
    if read == src.len() {
        return (read, read);
    }
    loop {
        let (ahead, room) = (&src[read..], &mut dst[written..]);
        let vectors = (ahead.len() / LANES).min(room.len() / ROOM_OF_VECTOR);
        if vectors == 0 {
            break;
        }
        for from in ahead.as_chunks().0.iter().take(vectors) {
            // SAFETY: `vectors` times `ROOM_OF_VECTOR` bytes were left, and each vector before this one has taken at
            // most `ROOM_OF_VECTOR`.
            let to = unsafe { dst.as_mut_ptr().add(written) };
            // SAFETY: so `ROOM_OF_VECTOR` bytes are left for this one, and nothing else borrows them until the next.
            let to = unsafe { &mut *to.cast::<[MaybeUninit<u8>; ROOM_OF_VECTOR]>() };
            written += bytes_to_utf8(load(from), to);
        }
        read += vectors * LANES;
    }
    if let Some(to) = dst[written..].first_chunk_mut()
        && src.len() - read <= LANES
    {
        let from = &src[read..];
        // Here the stores need no masks.
        written += from.len() + bytes_to_utf8(load_front(from), to) - LANES;
        return (src.len(), written);
    }
    while read < src.len() {
        let (from, to) = (&src[read..], &mut dst[written..]);
        let bytes = load_front(from);
        let high = _mm512_movepi8_mask(bytes);
        let mut len = from.len().min(LANES).min(to.len());
        let len_of = |len: usize| len + (high & lanes_below(len)).count_ones() as usize;
        // Without a character, there is room for at most two bytes more.
        while let Some(beyond @ 1..) = len_of(len).checked_sub(to.len()) {
            len -= beyond.div_ceil(2);
        }
        let to = &mut to[..len_of(len)];
        if high == 0 {
            store_front(to, bytes);
        } else {
            let [low, upper] = to_utf8(bytes, high);
            let low_len = len_of(len.min(HALF_LANES));
            store_front(&mut to[..low_len], low);
            if len > HALF_LANES {
                store_front(&mut to[low_len..], upper);
            }
        }
        read += len;
        written += to.len();
        if len == 0 {
            break;
        }
    }
    (read, written)
}

/// Converts a vector. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn bytes_to_utf8(bytes: __m512i, to: &mut [MaybeUninit<u8>; ROOM_OF_VECTOR]) -> usize {
    let high = _mm512_movepi8_mask(bytes);
    if high == 0 {
        if let Some(to) = to.first_chunk_mut() {
            store(to, bytes);
        }
        return LANES;
    }
    let [low, upper] = to_utf8(bytes, high);
    let low_len = HALF_LANES + (high as u32).count_ones() as usize;
    debug_assert!(low_len + LANES <= ROOM_OF_VECTOR, "both halves fit");
    if let Some(to) = to.first_chunk_mut() {
        store(to, low);
    }
    if let Some(to) = to.get_mut(low_len..).and_then(<[_]>::first_chunk_mut) {
        store(to, upper);
    }
    LANES + high.count_ones() as usize
}

/// The number of bytes in half a vector.
const HALF_LANES: usize = LANES / 2;

/// The order in which each byte of the lower half is followed by one of the upper half.
static IN_TURN: [u8; LANES] = {
    let mut lanes = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        lanes[lane] = (lane / 2 + lane % 2 * HALF_LANES) as u8;
        lane += 1;
    }
    lanes
};

/// Returns the UTF-8 of the lower and of the upper half of a vector of Latin-1. `high` is a mask of the non-ASCII
/// bytes.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn to_utf8(bytes: __m512i, high: __mmask64) -> [__m512i; 2] {
    // The lead byte of 80 to BF is C2, and they are the last byte themselves. C0 to FF have C3, and 40 less.
    let top = _mm512_cmpge_epu8_mask(bytes, splat(0xC0));
    let more = _mm512_set1_epi16(1 - 0x4000);
    let in_turn = _mm512_permutexvar_epi8(load(&IN_TURN), bytes);
    // A lead byte below each byte.
    let low = _mm512_shldi_epi16::<8>(in_turn, splat(0xC2));
    let (kept, lead) = (_mm512_set1_epi16(!0xFF), _mm512_set1_epi16(0xC2));
    let upper = _mm512_ternarylogic_epi32::<AND_OR>(in_turn, kept, lead);
    let low = _mm512_mask_add_epi16(low, top as u32, low, more);
    let upper = _mm512_mask_add_epi16(upper, (top >> 32) as u32, upper, more);
    // ASCII has no lead byte.
    let kept = |high: u64| _pdep_u64(high, EVEN) | !EVEN;
    [
        _mm512_maskz_compress_epi8(kept(high), low),
        _mm512_maskz_compress_epi8(kept(high >> 32), upper),
    ]
}

/// Converts UTF-8 up to the first character above U+00FF or the first malformed byte, as far as there is
/// room. Returns the number of bytes read and written.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    if src.len() >= 2 * LANES {
        return wide_utf8_to_latin1(src, dst);
    }
    let copied = match dst.get_mut(..src.len()) {
        Some(to) if src.len() <= LANES => copies_ascii(src, to),
        Some(to) => copies_ascii_ends(src, to),
        None => false,
    };
    if copied {
        (src.len(), src.len())
    } else {
        short_utf8_to_latin1(src, dst)
    }
}

/// Copies up to a vector to as much room, if all of it is ASCII. Returns whether it has.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn copies_ascii(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
    let bytes = load_front(src);
    let is_ascii = _mm512_movepi8_mask(bytes) == 0;
    if is_ascii {
        store_front(dst, bytes);
    }
    is_ascii
}

/// Copies one to two vectors to as much room, if all of it is ASCII. Returns whether it has.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn copies_ascii_ends(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
    let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) else {
        return false;
    };
    let (first, last) = (load(first), load(last));
    if _mm512_movepi8_mask(_mm512_or_si512(first, last)) != 0 {
        return false;
    }
    if let Some(to) = dst.first_chunk_mut() {
        store(to, first);
    }
    if let Some(to) = dst.last_chunk_mut() {
        store(to, last);
    }
    true
}

/// Converts up to two vectors that are not all ASCII. A separate function, so that ASCII needs no stack frame.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn short_utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let written = if src.len() <= LANES {
        one_vector_to_latin1(src, dst)
    } else {
        two_vectors_to_latin1(src, dst)
    };
    match written {
        Some(written) => (src.len(), written),
        None => wide_utf8_to_latin1(src, dst),
    }
}

/// Converts up to a vector of well-formed text without characters above U+00FF, if there is as much room.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn one_vector_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let dst = dst.get_mut(..src.len())?;
    let bytes = load_front(src);
    let chars = Chars::examine(bytes, 0, is_c3(bytes) << 1);
    store_front(dst, _mm512_maskz_compress_epi8(chars.ends, chars.joined));
    let ends = chars.ends & lanes_below(src.len());
    // In a shorter vector, the zero after a lead byte at the end is wrong.
    let is_cut = src.len() == LANES && ends >> (LANES - 1) == 0;
    (chars.wrong == 0 && !is_cut).then_some(ends.count_ones() as usize)
}

/// Converts one to two vectors of well-formed text without characters above U+00FF, if there is as much room.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn two_vectors_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let dst = dst.get_mut(..src.len())?;
    let (front, rest) = src.split_first_chunk()?;
    let (low, high) = (load(front), load_front(rest));
    let (low_c3, high_c3) = (is_c3(low), is_c3(high));
    let front = Chars::examine(low, 0, low_c3 << 1);
    let back = Chars::examine(high, !front.ends >> 63, high_c3 << 1 | low_c3 >> 63);
    store(
        dst.first_chunk_mut()?,
        _mm512_maskz_compress_epi8(front.ends, front.joined),
    );
    let written = front.ends.count_ones() as usize;
    store_front(
        &mut dst[written..],
        _mm512_maskz_compress_epi8(back.ends, back.joined),
    );
    let written = written + (back.ends & lanes_below(rest.len())).count_ones() as usize;
    (front.wrong | back.wrong == 0).then_some(written)
}

/// Converts text of any length.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn wide_utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    // Many texts begin with a long run of ASCII, or are all ASCII. This is not part of the loop, which has
    // more to keep in registers: there it would cost more than it saves.
    let mut read = ascii_run(Vectors512::here().short(), src, dst);
    let mut written = read;
    // Whether the previous byte is a lead byte: 0 or 1.
    let mut carry = 0;
    // The position to stop at.
    let mut end = src.len();
    while read < end && written < dst.len() {
        // Vectors need the byte before them.
        if read > 0 && src.len() - read >= MIN_LOOP_BYTES {
            let vectors = (dst.len() - written) / LANES;
            let before = src[read - 1..].as_chunks().0.iter();
            let pairs = before.zip(src[read..].as_chunks().0);
            for (before, bytes) in pairs.take(vectors) {
                // SAFETY: `vectors` times `LANES` bytes were left, and each vector before this one has taken at most
                // `LANES`.
                let to = unsafe { dst.as_mut_ptr().add(written) };
                // SAFETY: so `LANES` bytes are left for this one, and nothing else borrows them until the next.
                let to = unsafe { &mut *to.cast::<[MaybeUninit<u8>; LANES]>() };
                let Some(len) = vector_to_latin1(before, bytes, &mut carry, to) else {
                    break;
                };
                read += LANES;
                written += len;
            }
        }
        while read > 0
            && let Some(from) = src[read - 1..].first_chunk::<{ LANES + 1 }>()
            && let Some(to) = dst[written..].first_chunk_mut()
            && let (Some(before), Some(bytes)) = (from.first_chunk(), from.last_chunk())
            && let Some(len) = vector_to_latin1(before, bytes, &mut carry, to)
        {
            read += LANES;
            written += len;
        }
        let to = &mut dst[written..];
        let len = (end - read).min(to.len()).min(LANES);
        if len == 0 {
            break;
        }
        let bytes = load_front(&src[read..read + len]);
        let high = _mm512_movepi8_mask(bytes);
        if high | carry == 0 {
            store_front(to, bytes);
            read += len;
            written += len;
            continue;
        }
        let inside = lanes_below(len);
        // Whether the previous byte is C3.
        let c3 = match read.checked_sub(1).and_then(|before| src.get(before)) {
            Some(0xC3) => 1,
            _ => 0,
        };
        let chars = Chars::examine(bytes, carry, is_c3(bytes) << 1 | c3);
        let wrong = chars.wrong & inside;
        if wrong != 0 {
            // Starts over, with the text up to the malformed byte.
            end = read + wrong.trailing_zeros() as usize;
            continue;
        }
        let ends = chars.ends & inside;
        store_front(to, _mm512_maskz_compress_epi8(ends, chars.joined));
        carry = !chars.ends >> (len - 1) & 1;
        read += len;
        written += ends.count_ones() as usize;
    }
    // A lead byte at the end was not written.
    (read - carry as usize, written)
}

/// The characters of a vector of UTF-8.
struct Chars {
    /// Each at its last byte.
    joined: __m512i,
    /// The last byte of each: the bytes that are not lead bytes.
    ends: u64,
    /// The bytes that are malformed, or begin a character above U+00FF.
    wrong: u64,
}

impl Chars {
    /// Joins the bytes of each character. `carry` is whether the previous byte is a lead byte: 0 or 1. `after_c3` is a
    /// mask of the bytes after C3.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
    fn examine(bytes: __m512i, carry: u64, after_c3: __mmask64) -> Chars {
        let high = _mm512_movepi8_mask(bytes);
        // The bytes that are not C2 or C3.
        let ends = _mm512_test_epi8_mask(_mm512_xor_si512(bytes, splat(0xC2)), splat(0xFE));
        // Of these, exactly those after lead bytes must be non-ASCII, and all must be below C0.
        let top = _mm512_mask_cmpge_epu8_mask(ends, bytes, splat(0xC0));
        Chars {
            // After C3, the bytes 80 to BF stand for C0 to FF.
            joined: _mm512_mask_add_epi8(bytes, after_c3, bytes, splat(0x40)),
            ends,
            wrong: (high & ends) ^ (!ends << 1 | carry) | top,
        }
    }
}

/// Converts a vector, given the one that starts a byte before, unless it has a malformed byte or a character above
/// U+00FF. Returns the number of bytes written. `carry` is whether the previous byte is a lead byte: 0 or 1.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn vector_to_latin1(
    before: &[u8; LANES],
    bytes: &[u8; LANES],
    carry: &mut u64,
    to: &mut [MaybeUninit<u8>; LANES],
) -> Option<usize> {
    let bytes = load(bytes);
    let high = _mm512_movepi8_mask(bytes);
    if high | *carry == 0 {
        store(to, bytes);
        return Some(LANES);
    }
    let chars = Chars::examine(bytes, *carry, is_c3(load(before)));
    if chars.wrong != 0 {
        return None;
    }
    store(to, _mm512_maskz_compress_epi8(chars.ends, chars.joined));
    *carry = !chars.ends >> 63;
    Some(chars.ends.count_ones() as usize)
}

/// Returns a mask of the bytes C3.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn is_c3(bytes: __m512i) -> __mmask64 {
    _mm512_cmpeq_epi8_mask(bytes, splat(0xC3))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}
