//! UTF-8 to UTF-32, 64 bytes at a time: the loop over blocks and the computation of scalar values, which the
//! instruction sets share.
//!
//! At every position of a block, the scalar value is computed that is right if a character ends *before* it,
//! because only the byte after a character shows that it ends, as in the conversion to UTF-16. The values of
//! actual characters are then moved together, which each instruction set does in its own way.
//!
//! ```text
//! p4 = 11110ddd   p3 = 10cccccc or 1110cccc   p2 = 10bbbbbb   p1 = 10aaaaaa or 0aaaaaaa
//! top = 000dddcc                high = ccccbbbb                low = bbaaaaaa
//! ```
//!
//! Stops before malformed or incomplete sequences, and before characters that don't fit.

use core::arch::x86_64::_pdep_u64;
use core::hint::black_box;
use core::mem::MaybeUninit;

use super::avx2::utf8_threes;
use crate::simd::generic::BLOCK;
use crate::simd::generic::utf8_steps::Steps;
use crate::simd::generic::utf8_to_utf16::any_at_least;
use crate::simd::generic::utf8_units::{
    BEFORE, Constants, Texts, bytes, each, texts_at, texts_of_block, three_before,
};
use crate::simd::vector::{Text, Vector};

/// Room for the UTF-32 code units of a block.
pub(super) type Units32 = [MaybeUninit<u32>; BLOCK];

/// Loads up to 64 bytes from the second one on, followed by zeros.
#[inline(always)]
fn texts_from_1<V: Vector>(v: V, src: &[u8]) -> Texts<V> {
    let mut texts = texts_at(v, src, 0);
    for (i, text) in texts.iter_mut().take(BLOCK / V::LANES).enumerate() {
        *text = Text {
            bytes: v.load_front(src.get(1 + V::LANES * i..).unwrap_or_default()),
            one_before: text.bytes,
            two_before: text.one_before,
            three_before: text.two_before,
            four_before: text.three_before,
        };
    }
    texts
}

/// Returns the bits that are set in any vector of a block.
#[inline(always)]
fn any_bits<V: Vector>(v: V, vectors: [V::V; 4]) -> V::V {
    let mut any = vectors[0];
    for vector in &vectors[1..BLOCK / V::LANES] {
        any = v.or(any, *vector);
    }
    any
}

/// Returns whether a four-byte character ends in a block, or has all bytes except its last in it.
#[inline(always)]
fn has_fours<V: Vector>(v: V, texts: &Texts<V>) -> bool {
    if V::LANES == BLOCK {
        return v.block_at_least(each(v, texts, three_before), 0xF0) != 0;
    }
    let mut highest = texts[0].three_before;
    for text in &texts[1..BLOCK / V::LANES] {
        highest = v.max_u8(highest, text.three_before);
    }
    any_at_least(v, highest, 0xF0)
}

/// The scalar value that ends before each byte: bits 0 to 7, 8 to 15, and 16 to 20 if any are needed.
#[derive(Clone, Copy)]
pub(super) struct Scalars<V> {
    pub(super) low: V,
    pub(super) high: V,
    pub(super) top: Option<V>,
}

/// How an instruction set writes units.
pub(super) struct UnitWriters<Widen, Emit, EmitExactly> {
    /// Widens a block of ASCII.
    pub(super) widen: Widen,
    /// Writes the scalar values at the bits of a mask to the front; the rest may be overwritten.
    pub(super) emit: Emit,
    /// Writes the scalar values at the bits of a mask, and nothing after them.
    pub(super) emit_exactly: EmitExactly,
}

impl<Widen, Emit, EmitExactly> UnitWriters<Widen, Emit, EmitExactly> {
    #[inline(always)]
    pub(super) fn new(widen: Widen, emit: Emit, emit_exactly: EmitExactly) -> Self {
        UnitWriters {
            widen,
            emit,
            emit_exactly,
        }
    }
}

/// The masks that [`scalars`] needs, hidden from the compiler as those of [`Constants`] are.
#[derive(Clone, Copy)]
struct ScalarMasks<V> {
    seven: V,
    six: V,
    upper_two: V,
    half: V,
    lead: V,
}

/// The bytes of [`ScalarMasks`].
static MASKS: [u8; 5] = [0x7F, 0x3F, 0xC0, 0x0F, 0xE0];

impl<V> ScalarMasks<V> {
    #[inline(always)]
    fn for_loop<W: Vector<V = V>>(w: W) -> Self {
        Self::new(w, black_box(&MASKS))
    }

    #[inline(always)]
    fn new<W: Vector<V = V>>(w: W, rows: &[u8; 5]) -> Self {
        ScalarMasks {
            seven: w.splat_u8(rows[0]),
            six: w.splat_u8(rows[1]),
            upper_two: w.splat_u8(rows[2]),
            half: w.splat_u8(rows[3]),
            lead: w.splat_u8(rows[4]),
        }
    }
}

/// Converts well-formed UTF-8 that is not a short piece of ASCII. Returns the number of bytes read and of code units
/// written. `one_block` and `characters` are the functions of these names, which are compiled separately: ASCII text
/// does not need their registers, nor does a block need the constants of a loop.
#[inline(always)]
pub(super) fn convert<W: Vector>(
    w: W,
    src: &[u8],
    dst: &mut [MaybeUninit<u32>],
    short_ascii: impl Fn(&[u8], &mut [MaybeUninit<u32>]) -> bool,
    widen: impl Fn(&[u8; BLOCK], &mut Units32),
    one_block: impl Fn(&[u8], &mut [MaybeUninit<u32>]) -> Option<usize>,
    characters: impl Fn(&[u8], &mut [MaybeUninit<u32>]) -> (usize, usize),
) -> (usize, usize) {
    if let [] | [0x80..0xC0, ..] = *src {
        return (0, 0);
    }
    // Many texts begin with ASCII, or are all ASCII.
    let run = if src.len() > BLOCK {
        ascii_blocks(w, src, dst, &widen)
    } else if let Some(written) = one_block(src, dst) {
        return (src.len(), written);
    } else {
        0
    };
    let (rest, room) = (&src[run..], &mut dst[run..]);
    if rest.is_empty() || run > 0 && short_ascii(rest, room) {
        return (src.len(), src.len());
    }
    let (read, written) = characters(rest, room);
    (run + read, run + written)
}

/// Widens text of `N` bytes up to a block, as many at a time, if it is ASCII and there is room for it. Returns whether
/// it has.
#[inline(always)]
pub(super) fn short_ascii<const N: usize>(
    src: &[u8],
    dst: &mut [MaybeUninit<u32>],
    is_ascii: impl Fn(&[u8]) -> bool,
    widen: impl Fn(&[u8; N], &mut [MaybeUninit<u32>; N]),
) -> bool {
    // Text is tested first: whether short text has less than `N` bytes is hard to predict.
    if src.len() > BLOCK || !is_ascii(src) {
        return false;
    }
    let Some(dst) = dst.get_mut(..src.len()) else {
        return false;
    };
    let (Some(last), Some(to_last)) = (src.last_chunk::<N>(), dst.last_chunk_mut::<N>()) else {
        return false;
    };
    // Some of the last units are written twice.
    if !src.len().is_multiple_of(N) {
        widen(last, to_last);
    }
    let ((pieces, _), (to, _)) = (src.as_chunks::<N>(), dst.as_chunks_mut::<N>());
    for (to, piece) in to.iter_mut().zip(pieces) {
        widen(piece, to);
    }
    true
}

/// Converts text of any characters, of one byte up to a block, if it is well-formed and there is room. Returns the
/// number of code units written.
#[inline(always)]
pub(super) fn one_block<W: Vector>(
    w: W,
    src: &[u8],
    dst: &mut [MaybeUninit<u32>],
    writers: &UnitWriters<
        impl Fn(&[u8; BLOCK], &mut Units32),
        impl Fn(&mut Units32, u64, [Scalars<W::V>; 4]),
        impl Fn(&mut [MaybeUninit<u32>], u64, [Scalars<W::V>; 4]),
    >,
) -> Option<usize> {
    let (c, m) = (&Constants::for_block(w), &ScalarMasks::new(w, &MASKS));
    let texts = &texts_from_1(w, src);
    // One more start is assumed after the last byte.
    let after = !0 >> (BLOCK - src.len());
    let errors = each(
        w,
        texts,
        #[inline(always)]
        |text| c.errors::<4>(w, *text),
    );
    if w.block_not_zero(errors) & after != 0 {
        return None;
    }
    let starts = !w.block_continuations(each(w, texts, bytes)) & after;
    let len = starts.count_ones() as usize;
    let values = scalars(w, m, texts, has_fours(w, texts));
    match dst.first_chunk_mut() {
        Some(to) => (writers.emit)(to, starts, values),
        None => (writers.emit_exactly)(dst.get_mut(..len)?, starts, values),
    }
    Some(len)
}

/// Converts text of any characters. With `THREES`, runs of three-byte characters are converted separately.
#[inline(always)]
pub(super) fn characters<W: Steps, const THREES: bool>(
    w: W,
    src: &[u8],
    dst: &mut [MaybeUninit<u32>],
    writers: &UnitWriters<
        impl Fn(&[u8; BLOCK], &mut Units32),
        impl Fn(&mut Units32, u64, [Scalars<W::V>; 4]),
        impl Fn(&mut [MaybeUninit<u32>], u64, [Scalars<W::V>; 4]),
    >,
) -> (usize, usize) {
    if let [] | [0x80..0xC0, ..] = *src {
        return (0, 0);
    }
    let (c, m) = (&Constants::for_loop(w), &ScalarMasks::for_loop(w));
    let (mut at, mut written) = (1, 0);
    loop {
        // One block of any kind: the first, the last, one with malformed input or with little room.
        let texts = &if at == 1 {
            texts_from_1(w, src)
        } else {
            texts_at(w, src, at)
        };
        let rest = src.len() - at;
        // One more start is assumed after the last byte.
        let after = !0 >> (BLOCK - 1 - rest.min(BLOCK - 1));
        let wrong = w.block_not_zero(each(
            w,
            texts,
            #[inline(always)]
            |text| c.errors::<4>(w, *text),
        ));
        let wrong = wrong & after;
        // The starts below the lowest error.
        let here = each(w, texts, bytes);
        let mut starts = !w.block_continuations(here) & after & wrong.wrapping_sub(1) & !wrong;
        let room = &mut dst[written..];
        let mut ends = rest < BLOCK || wrong != 0;
        if starts.count_ones() as usize > room.len() {
            // SAFETY: `w` is the proof that the processor has BMI2.
            starts = unsafe { _pdep_u64((1 << room.len()) - 1, starts) };
            ends = true;
        }
        let len = starts.count_ones() as usize;
        let fours = has_fours(w, texts) || at >= BEFORE && src[at - BEFORE] >= 0xF0;
        let values = scalars(w, m, texts, fours);
        match room.first_chunk_mut() {
            Some(to) => (writers.emit)(to, starts, values),
            None => (writers.emit_exactly)(&mut room[..len], starts, values),
        }
        written += len;
        if ends {
            return (end(src, at, starts), written);
        }
        at += BLOCK;
        // Whole blocks of well-formed input.
        let mut starts_before = !0;
        while let (Some(block), Some(to)) = (
            src[at - BEFORE..].first_chunk::<{ BEFORE + BLOCK }>(),
            dst[written..].first_chunk_mut::<{ BLOCK + 1 }>(),
        ) {
            let texts = &texts_of_block(w, block);
            let here = each(w, texts, bytes);
            if w.is_ascii(any_bits(w, here)) && block[BEFORE - 1] < 0x80 {
                to[0].write(u32::from(block[BEFORE - 1]));
                let len = ascii_blocks(w, &src[at..], &mut dst[written + 1..], &writers.widen);
                at += len;
                written += len;
                continue;
            }
            let Some(to) = to.first_chunk_mut() else {
                break;
            };
            let fours = has_fours(w, texts) || block[0] >= 0xF0;
            let starts = !w.block_continuations(here);
            if fours {
                let errors = each(
                    w,
                    texts,
                    #[inline(always)]
                    |text| c.errors::<4>(w, *text),
                );
                if w.any(any_bits(w, errors)) {
                    break;
                }
                (writers.emit)(to, starts, scalars(w, m, texts, true));
            } else {
                let errors = each(
                    w,
                    texts,
                    #[inline(always)]
                    |text| c.errors::<3>(w, *text),
                );
                if w.any(any_bits(w, errors)) {
                    break;
                }
                (writers.emit)(to, starts, scalars(w, m, texts, false));
            }
            written += starts.count_ones() as usize;
            let likely = utf8_threes::is_likely(starts)
                && (W::BLOCKS_BEFORE_THREES == 1 || utf8_threes::is_likely(starts_before));
            starts_before = starts;
            if THREES && likely && !fours {
                // From the last start on, before which everything is written.
                let from = at + BLOCK - 1 - starts.leading_zeros() as usize;
                // SAFETY: `w` is the proof that the processor has AVX2.
                let more = unsafe { utf8_threes::to_utf32(&src[from..], &mut dst[written..]) };
                if more > 0 {
                    at = from + 3 * more;
                    // The last character is left, and written again.
                    written += more - 1;
                    continue;
                }
            }
            at += BLOCK;
        }
    }
}

/// Returns the start of the first unwritten character: the last bit of `starts`, or a position before the
/// block.
#[inline(always)]
fn end(src: &[u8], at: usize, starts: u64) -> usize {
    match starts.checked_ilog2() {
        Some(last) => at + last as usize,
        None => {
            let is_start = |byte: &u8| !(0x80..0xC0).contains(byte);
            src[..at].iter().rposition(is_start).unwrap_or_default()
        }
    }
}

/// Returns what ends before each byte of the vectors of a block. Without `fours`, no byte of it is part of a
/// four-byte character or follows one.
#[inline(always)]
fn scalars<W: Vector>(
    w: W,
    m: &ScalarMasks<W::V>,
    texts: &Texts<W>,
    fours: bool,
) -> [Scalars<W::V>; 4] {
    let mut scalars = [scalars_of(w, m, texts[0], fours); 4];
    // With iterators, this would be a loop over memory.
    for i in 1..BLOCK / W::LANES {
        scalars[i] = scalars_of(w, m, texts[i], fours);
    }
    scalars
}

/// Returns what ends before each byte of a vector.
#[inline(always)]
fn scalars_of<W: Vector>(
    w: W,
    m: &ScalarMasks<W::V>,
    text: Text<W::V>,
    fours: bool,
) -> Scalars<W::V> {
    let (p1, p2) = (text.one_before, text.two_before);
    let (p3, p4) = (text.three_before, text.four_before);
    // Lead bytes end nothing, so all non-ASCII bytes may be treated as continuation bytes.
    let b = w.keep_where_not_ascii(w.and(p2, m.six), p1);
    let low = w.or(w.and(w.shl_u16::<6>(b), m.upper_two), w.and(p1, m.seven));
    let high = w.and(w.shr_u16::<2>(b), m.half);
    // 0 if this is not a lead byte of three.
    let c = w.saturating_sub_u8(p3, m.lead);
    if !fours {
        return Scalars {
            low,
            high: w.or(high, w.shl_u16::<4>(c)),
            top: None,
        };
    }
    // The highest bit is set if the byte four before is a lead byte of four.
    let fourth = w.saturating_sub_u8(p4, w.splat_u8(0xF0 - 0x80));
    let c = w.select_where_not_ascii(fourth, w.and(p3, m.six), c);
    let d = w.keep_where_not_ascii(w.and(p4, w.splat_u8(0x07)), fourth);
    let top = w.and(w.shr_u16::<4>(c), w.splat_u8(0x03));
    Scalars {
        low,
        high: w.or(high, w.shl_u16::<4>(w.and(c, m.half))),
        top: Some(w.or(top, w.shl_u16::<2>(d))),
    }
}

/// Widens the ASCII blocks at the front, as far as there is room. Returns their length.
#[inline(always)]
fn ascii_blocks<W: Vector>(
    w: W,
    src: &[u8],
    dst: &mut [MaybeUninit<u32>],
    widen: &impl Fn(&[u8; BLOCK], &mut Units32),
) -> usize {
    /// The number of bytes for which aligned stores pay.
    const MIN_ALIGNED: usize = 8 * BLOCK;
    let len = unaligned_ascii(w, &src[..src.len().min(MIN_ALIGNED)], dst, widen);
    if len < MIN_ALIGNED {
        return len;
    }
    // Goes back to an aligned address, writing a few units again.
    let len = len - dst[len..].as_ptr().addr() % 64 / 4;
    len + unaligned_ascii(w, &src[len..], &mut dst[len..], widen)
}

#[inline(always)]
fn unaligned_ascii<W: Vector>(
    w: W,
    src: &[u8],
    dst: &mut [MaybeUninit<u32>],
    widen: &impl Fn(&[u8; BLOCK], &mut Units32),
) -> usize {
    let (blocks, _) = src.as_chunks::<BLOCK>();
    let (rooms, _) = dst.as_chunks_mut::<BLOCK>();
    let mut len = 0;
    for (block, to) in blocks.iter().zip(rooms) {
        let mut any = w.load(block);
        for i in 1..BLOCK / W::LANES {
            any = w.or(any, w.load(&block[W::LANES * i..]));
        }
        if !w.is_ascii(any) {
            break;
        }
        widen(block, to);
        len += BLOCK;
    }
    len
}
