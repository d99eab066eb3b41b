//! The code unit of the character that ends before each position of UTF-8, and how blocks are loaded and code
//! units stored.
//!
//! ```text
//! bytes                 é = C3 A9      日 = E6 97 A5      A = 41     (next)
//! one before            ..   C3   A9   E6   97   A5   41            the last byte of a character, where the
//! two before            ..   ..   C3   A9   E6   97   A5            byte here starts something
//! three before          ..   ..   ..   C3   A9   E6   97
//! starts                1    0    1    0    0    1    1    →  ends  the units at these lanes are written
//!
//! three before = 1110aaaa   two before = 10bbbbbb   one before = 10cccccc, as a signed number cccccc - 80
//!
//! 64 * (two before - C0 + 2) + one before  = bbbbbbcccccc - 1000      (110bbbbb: nothing to subtract)
//! (three before - DF) << 12, if positive   =         aaaa << 12 + 1000
//!                                     sum  = aaaabbbbbbcccccc
//! ```

use core::hint::black_box;
use core::mem::MaybeUninit;

use super::BLOCK;
use super::utf8_errors::{FIRST_HIGH, FIRST_LOW, SECOND_HIGH, TWO_CONTINUATIONS};
use crate::simd::shared::shuffles::WINDOWS;
use crate::simd::vector::{Text, Vector};

/// The number of bytes before a block that its conversion looks at.
pub(in crate::simd) const BEFORE: usize = 4;

/// These bytes and a block.
pub(in crate::simd) type Block = [u8; BEFORE + BLOCK];

/// Room for the units of a block, as bytes.
pub(in crate::simd) type Units = [MaybeUninit<u8>; 2 * BLOCK];

/// The vectors of a block and those before them. Of the four, as many are used as a block has.
pub(in crate::simd) type Texts<V> = [Text<<V as Vector>::V>; 4];

/// Loads the `i`-th vector that is `back` bytes before those of the block.
#[inline(always)]
pub(in crate::simd) fn view<V: Vector>(v: V, block: &Block, i: usize, back: usize) -> V::V {
    v.load(
        block
            .get(BEFORE + V::LANES * i - back..)
            .unwrap_or_default(),
    )
}

/// Loads the vectors that are `back` bytes before those of the block.
#[inline(always)]
pub(in crate::simd) fn views<V: Vector>(v: V, block: &Block, back: usize) -> [V::V; 4] {
    let mut views = [v.splat_u8(0); 4];
    for (i, to) in views.iter_mut().take(BLOCK / V::LANES).enumerate() {
        *to = view(v, block, i, back);
    }
    views
}

/// Loads the `i`-th vector of the block, and the bytes before each of its bytes.
#[inline(always)]
pub(in crate::simd) fn text<V: Vector>(v: V, block: &Block, i: usize) -> Text<V::V> {
    Text {
        bytes: view(v, block, i, 0),
        one_before: view(v, block, i, 1),
        two_before: view(v, block, i, 2),
        three_before: view(v, block, i, 3),
        four_before: view(v, block, i, 4),
    }
}

/// Loads the vectors of a whole block, and the bytes before each of its bytes.
#[inline(always)]
pub(in crate::simd) fn texts_of_block<V: Vector>(v: V, block: &Block) -> Texts<V> {
    let mut texts = [text(v, block, 0); 4];
    for (i, to) in texts.iter_mut().take(BLOCK / V::LANES).enumerate().skip(1) {
        *to = text(v, block, i);
    }
    texts
}

/// Loads up to a block from `at` on, with zeros after its last byte. `at` is 0 or at least the length of a
/// block.
#[inline(always)]
pub(in crate::simd) fn texts_at<V: Vector>(v: V, src: &[u8], at: usize) -> Texts<V> {
    let zero = v.splat_u8(0);
    let mut texts = [v.text_after(zero, zero); 4];
    let before = at.checked_sub(BEFORE).and_then(|at| src.get(at..));
    if V::LANES == BLOCK
        && let Some(block) = before.and_then(<[_]>::first_chunk)
    {
        return texts_of_block(v, block);
    }
    let mut before = match at.checked_sub(V::LANES).and_then(|at| src.get(at..)) {
        Some(before) => v.load(before),
        None => zero,
    };
    for (i, text) in texts.iter_mut().take(BLOCK / V::LANES).enumerate() {
        let bytes = v.load_front(src.get(at + V::LANES * i..).unwrap_or_default());
        *text = v.text_after(before, bytes);
        before = bytes;
    }
    texts
}

/// Returns one vector for each of the texts.
#[inline(always)]
pub(in crate::simd) fn each<V: Vector>(
    v: V,
    texts: &Texts<V>,
    vector: impl Fn(&Text<V::V>) -> V::V,
) -> [V::V; 4] {
    let mut vectors = [v.splat_u8(0); 4];
    for (to, text) in vectors.iter_mut().zip(texts).take(BLOCK / V::LANES) {
        *to = vector(text);
    }
    vectors
}

#[inline(always)]
pub(in crate::simd) fn bytes<V: Copy>(text: &Text<V>) -> V {
    text.bytes
}

#[inline(always)]
pub(super) fn one_before<V: Copy>(text: &Text<V>) -> V {
    text.one_before
}

#[inline(always)]
pub(super) fn two_before<V: Copy>(text: &Text<V>) -> V {
    text.two_before
}

#[inline(always)]
pub(in crate::simd) fn three_before<V: Copy>(text: &Text<V>) -> V {
    text.three_before
}

/// The constants that bytes are compared and computed with.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Constants<V: Vector> {
    tables: [V::V; 3],
    half: V::V,
    three: V::V,
    four: V::V,
    two_continuations: V::V,
    before: V::V,
    lead: V::V,
}

impl<V: Vector> Constants<V> {
    #[inline(always)]
    fn new(v: V, tables: &[[u8; 16]; 3], bytes: &[u8; 6]) -> Self {
        Constants {
            tables: [
                v.table(&tables[0]),
                v.table(&tables[1]),
                v.table(&tables[2]),
            ],
            half: v.splat_u8(bytes[0]),
            three: v.splat_u8(bytes[1]),
            four: v.splat_u8(bytes[2]),
            two_continuations: v.splat_u8(bytes[3]),
            before: v.splat_u8(bytes[4]),
            lead: v.splat_u8(bytes[5]),
        }
    }

    /// Constants for one block.
    #[inline(always)]
    pub(in crate::simd) fn for_block(v: V) -> Self {
        Self::new(v, &FAULTS_BY_HALF, &BYTES)
    }

    /// Constants for a loop. If there are registers for them, they are hidden from the compiler. It would
    /// otherwise load the ones that it knows again for each block, or broadcast them from single bytes, which
    /// costs two operations each.
    #[inline(always)]
    pub(in crate::simd) fn for_loop(v: V) -> Self {
        if V::KEEPS_CONSTANTS {
            Self::new(v, black_box(&FAULTS_BY_HALF), black_box(&BYTES))
        } else {
            Self::for_block(v)
        }
    }

    /// Returns the classes of errors that bytes and those before them belong to.
    #[inline(always)]
    pub(in crate::simd) fn classes(&self, v: V, text: Text<V::V>) -> V::V {
        let first_high = v.and(v.shr_u16::<4>(text.one_before), self.half);
        let second_high = v.and(v.shr_u16::<4>(text.bytes), self.half);
        let first = v.and(
            v.look_up(self.tables[0], first_high),
            v.look_up(self.tables[1], v.and(text.one_before, self.half)),
        );
        v.and(first, v.look_up(self.tables[2], second_high))
    }

    /// Returns non-zero in some byte if there is an error, in text of characters of at most `LONGEST` bytes.
    #[inline(always)]
    pub(in crate::simd) fn errors<const LONGEST: usize>(&self, v: V, text: Text<V::V>) -> V::V {
        if LONGEST == 2 {
            return errors_of_two(v, text.one_before, text.bytes);
        }
        let third = v.saturating_sub_u8(text.two_before, self.three);
        let due = if LONGEST == 3 {
            third
        } else {
            v.or(third, v.saturating_sub_u8(text.three_before, self.four))
        };
        let expected = v.and(due, self.two_continuations);
        v.xor(expected, self.classes(v, text))
    }

    /// For every byte before one of the block, returns the code unit of a character of up to `LONGEST` bytes
    /// that ends there; for four bytes, the bits that [`surrogates`] needs.
    #[inline(always)]
    pub(in crate::simd) fn units<const LONGEST: usize>(&self, v: V, text: Text<V::V>) -> [V::V; 2] {
        // C0 is subtracted, which for a continuation byte (of three) is 40 too much; the lead byte of three
        // bytes, which is 1 too high, makes up for it. 2 is added, because the last byte counts as a signed
        // number. Lead bytes end nothing, so all non-ASCII bytes may be treated as continuation bytes.
        let before = v.sub_u8(text.two_before, self.before);
        let before = v.keep_where_not_ascii(before, text.one_before);
        let [low, high] = v.add_times_64(text.one_before, before);
        if LONGEST == 2 {
            return [low, high];
        }
        let lead = v.saturating_sub_u8(text.three_before, self.lead);
        let [lead_low, lead_high] = v.interleave_u8(v.splat_u8(0), lead);
        [
            v.add_u16(low, v.shl_u16::<4>(lead_low)),
            v.add_u16(high, v.shl_u16::<4>(lead_high)),
        ]
    }
}

/// Returns non-zero in some byte if there is an error, given that no lead byte is one of three or four.
#[inline(always)]
fn errors_of_two<V: Vector>(v: V, one_before: V::V, bytes: V::V) -> V::V {
    let leads = v.at_least_u8(one_before, 0xC0);
    // C0 and C1.
    let upper = v.and(one_before, v.splat_u8(0xFE));
    let too_long = v.eq_u8(upper, v.splat_u8(0xC0));
    let continuations = v.lt_i8(bytes, v.splat_u8(0xC0));
    v.or(v.xor(continuations, leads), too_long)
}

/// The classes of errors that are possible by the first byte's high half, by its low half and by the second
/// byte's high half; an error in all three has occurred.
pub(in crate::simd) static FAULTS_BY_HALF: [[u8; 16]; 3] = [FIRST_HIGH, FIRST_LOW, SECOND_HIGH];

/// What [`Constants`] are made of, except for the tables.
static BYTES: [u8; 6] = [
    0x0F,
    0xE0 - 0x80,
    0xF0 - 0x80,
    TWO_CONTINUATIONS,
    0xC0 - 2,
    0xE0 - 1,
];

/// Turns the units at the `third` and `fourth` bytes of four-byte characters into surrogates.
#[inline(always)]
pub(in crate::simd) fn surrogates<V: Vector>(
    v: V,
    units: [V::V; 2],
    third: u64,
    fourth: u64,
) -> [V::V; 2] {
    let [low, high] = units;
    let units = v.blend_units(units, [lead(v, low), lead(v, high)], third);
    v.blend_units(units, [trail(v, low), trail(v, high)], fourth)
}

#[inline(always)]
fn lead<V: Vector>(v: V, units: V::V) -> V::V {
    v.add_u16(v.shr_u16::<4>(units), v.splat_u16(0xD7C0))
}

#[inline(always)]
fn trail<V: Vector>(v: V, units: V::V) -> V::V {
    v.or(v.and(units, v.splat_u16(0x3FF)), v.splat_u16(0xDC00))
}

/// Writes the units at `ends` in the first `vectors` of a block. `to` may be overwritten after them. `units`
/// computes those of each vector, in order.
#[inline(always)]
pub(in crate::simd) fn emit<V: Vector>(
    v: V,
    to: &mut Units,
    ends: u64,
    vectors: usize,
    mut units: impl FnMut(usize) -> [V::V; 2],
) {
    let part = v.part();
    let rows = &WINDOWS.0;
    let mut to = to.as_mut_ptr();
    for i in 0..vectors.min(BLOCK / V::LANES) {
        let units = units(i);
        for j in 0..V::LANES / 8 {
            // Eight bits of `ends`, times the length of a row.
            let window = V::LANES / 8 * i + j;
            let offset = ends.rotate_right((60 + 8 * window as u32) % 64) as usize & 0xFF0;
            let row = part.load(&rows[offset / 16]);
            let packed = part.look_up(v.part_of(units, j), row);
            // SAFETY: at most eight units were written for each window before this one, which is at most the
            // eighth, so 16 of the 128 bytes of `to` are left.
            let room = unsafe { &mut *to.cast::<[MaybeUninit<u8>; 16]>() };
            part.store(room, packed);
            to = to.wrapping_add(2 * offset.count_ones() as usize);
        }
    }
}

/// Writes the units at `ends` in the first `vectors` of a block, and nothing past the end of `to`.
#[inline(always)]
pub(in crate::simd) fn emit_exactly<V: Vector>(
    v: V,
    to: &mut [MaybeUninit<u8>],
    ends: u64,
    vectors: usize,
    units: impl FnMut(usize) -> [V::V; 2],
) {
    if let Some(to) = to.first_chunk_mut() {
        return emit(v, to, ends, vectors, units);
    }
    let mut between = [MaybeUninit::uninit(); 2 * BLOCK];
    emit(v, &mut between, ends, vectors, units);
    let len = 2 * ends.count_ones() as usize;
    copy_ends(to, &between[..len.min(to.len())]);
}

/// Copies up to 128 items to the front of `to`, as two pieces from both ends, which may overlap.
#[inline(always)]
pub(in crate::simd) fn copy_ends<T: Copy>(to: &mut [T], from: &[T]) {
    let to = &mut to[..from.len()];
    let _ = copy_both::<64, T>(to, from)
        || copy_both::<32, T>(to, from)
        || copy_both::<16, T>(to, from)
        || copy_both::<8, T>(to, from)
        || copy_both::<4, T>(to, from)
        || copy_both::<2, T>(to, from)
        || copy_both::<1, T>(to, from);
}

/// Copies the first and the last `N` items, if there are that many. Returns whether there are.
#[inline(always)]
pub(in crate::simd) fn copy_both<const N: usize, T: Copy>(to: &mut [T], from: &[T]) -> bool {
    let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) else {
        return false;
    };
    debug_assert!(to.len() >= from.len(), "all of `from` fits");
    if let Some(to) = to.first_chunk_mut() {
        *to = *first;
    }
    if let Some(to) = to.last_chunk_mut() {
        *to = *last;
    }
    true
}
