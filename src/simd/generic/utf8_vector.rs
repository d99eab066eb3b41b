//! What the algorithms for UTF-8 ask of an instruction set, whatever the length of its vectors.
//!
//! A value is a token of no size that proves that the processor has the instructions, as with
//! [`Vector`]. Answers for each byte are masks of 64 bits, the lowest of which is about the first byte;
//! bits above the lanes are 0.

use core::mem::MaybeUninit;

use super::utf8_errors::{FIRST_HIGH, FIRST_LOW, SECOND_HIGH};
use crate::simd::vector::Vector;

/// A vector of text, and the bytes one, two and three before each of its bytes.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Text<V> {
    pub(in crate::simd) bytes: V,
    pub(in crate::simd) one_before: V,
    pub(in crate::simd) two_before: V,
    pub(in crate::simd) three_before: V,
}

/// Vectors of at most 64 bytes.
///
/// # Safety
///
/// Who has a value runs on a processor that has the instructions which its methods use. The methods do
/// what is said of them: that what a kernel copies is well-formed rests on `classes`, `saturating_sub_u8`,
/// `is_ascii` and the masks, and that it was written on `store` and `copy_front`.
pub(in crate::simd) unsafe trait Utf8Vector: Copy {
    type V: Copy;

    /// Bytes in a vector.
    const LANES: usize;

    /// Whether there are registers for what a loop computes with.
    const KEEPS_CONSTANTS: bool;

    /// The vectors for a few bytes.
    type Short: Utf8Vector;

    /// The vectors of 16 bytes of which these are made.
    type Part: Vector<16>;

    /// A token.
    ///
    /// # Safety
    ///
    /// The processor has the instructions.
    unsafe fn assume() -> Self;

    fn short(self) -> Self::Short;

    fn part(self) -> Self::Part;

    /// Runs `f` in a function that is compiled for the instruction set, with two slices. A closure is to be
    /// `#[inline(always)]`, to become part of it.
    fn run_on<T, U, R>(
        self,
        src: &[T],
        dst: &mut [U],
        f: impl FnOnce(Self, &[T], &mut [U]) -> R,
    ) -> R;

    /// The first bytes of `from`, or zeros where there are fewer than a vector has.
    fn load(self, from: &[u8]) -> Self::V;

    /// The first bytes of `from`, and zeros after the last of them.
    fn load_front(self, from: &[u8]) -> Self::V;

    /// Stores at the front of `to`, if there is room.
    fn store(self, to: &mut [MaybeUninit<u8>], v: Self::V);

    /// Copies a vector at most; the slices have the same length.
    fn copy_front(self, src: &[u8], dst: &mut [MaybeUninit<u8>]);

    /// The text of a vector that `before` comes before.
    fn text_after(self, before: Self::V, bytes: Self::V) -> Text<Self::V>;

    fn splat_u8(self, byte: u8) -> Self::V;

    fn splat_u16(self, unit: u16) -> Self::V;

    fn and(self, a: Self::V, b: Self::V) -> Self::V;

    fn or(self, a: Self::V, b: Self::V) -> Self::V;

    fn xor(self, a: Self::V, b: Self::V) -> Self::V;

    /// `a - b`, or 0 where that is negative.
    fn saturating_sub_u8(self, a: Self::V, b: Self::V) -> Self::V;

    /// The 16 bytes of a table for [`Utf8Vector::look_up`], repeated.
    fn table(self, table: &[u8; 16]) -> Self::V;

    /// The bytes of `table` at the given indices, each of which is less than 16.
    fn look_up(self, table: Self::V, indices: Self::V) -> Self::V;

    fn sub_u8(self, a: Self::V, b: Self::V) -> Self::V;

    fn max_u8(self, a: Self::V, b: Self::V) -> Self::V;

    fn add_u16(self, a: Self::V, b: Self::V) -> Self::V;

    fn shl_u16<const BITS: i32>(self, v: Self::V) -> Self::V;

    fn shr_u16<const BITS: i32>(self, v: Self::V) -> Self::V;

    /// Bytes of `a` and `b` by turns, of each 16 bytes the first eight, and the others.
    fn interleave_u8(self, a: Self::V, b: Self::V) -> [Self::V; 2];

    /// The bytes of `a`, and 64 times those of `b`, all of them signed: sums of 16 bits, in the order of
    /// [`Utf8Vector::interleave_u8`].
    fn add_times_64(self, a: Self::V, b: Self::V) -> [Self::V; 2];

    /// The `i`th eight units in the order of [`Utf8Vector::interleave_u8`].
    fn part_of(self, units: [Self::V; 2], i: usize) -> <Self::Part as Vector<16>>::V;

    /// `v` where `of` is not ASCII, and 0 elsewhere.
    fn keep_where_not_ascii(self, v: Self::V, of: Self::V) -> Self::V;

    /// `a` where `of` is not ASCII, and `b` elsewhere.
    fn select_where_not_ascii(self, of: Self::V, a: Self::V, b: Self::V) -> Self::V;

    /// `v` where `bytes` has bits, and 0 elsewhere.
    fn keep(self, v: Self::V, bytes: u64) -> Self::V;

    /// `others` where `bytes` has bits, and `units` elsewhere: units as [`Utf8Vector::interleave_u8`] makes
    /// them.
    fn blend_units(self, units: [Self::V; 2], others: [Self::V; 2], bytes: u64) -> [Self::V; 2];

    /// Writes each byte, as a signed number, as a code unit.
    #[inline(always)]
    fn widen_signed(self, to: &mut [MaybeUninit<u8>], v: Self::V) {
        let units = self.add_times_64(v, self.splat_u8(0));
        for (i, to) in to
            .as_chunks_mut()
            .0
            .iter_mut()
            .take(Self::LANES / 8)
            .enumerate()
        {
            Vector::store(self.part(), to, self.part_of(units, i));
        }
    }

    /// For each byte the classes of errors that it and the one before it belong to (`utf8_errors.rs`).
    #[inline(always)]
    fn classes(self, one_before: Self::V, bytes: Self::V) -> Self::V {
        classes_by_halves(self, one_before, bytes)
    }

    /// Not 0 in some byte where something is wrong, if no lead byte is one of three or four.
    #[inline(always)]
    fn errors_of_two(self, one_before: Self::V, bytes: Self::V) -> Self::V {
        self.classes(one_before, bytes)
    }

    fn is_ascii(self, v: Self::V) -> bool;

    fn is_zero(self, v: Self::V) -> bool;

    /// Where a byte is not 0.
    fn not_zero(self, v: Self::V) -> u64;

    /// Where the bytes of a block are not 0. The vectors of a block come first, of which there may be fewer.
    fn block_not_zero(self, block: [Self::V; 4]) -> u64;

    /// Where the bytes of a block are `least` or more, which is 80 or more.
    fn block_at_least(self, block: [Self::V; 4], least: u8) -> u64;

    /// Where the bytes of a block are continuation bytes, 80 to BF.
    fn block_continuations(self, block: [Self::V; 4]) -> u64;
}

/// [`Utf8Vector::classes`], by look-ups of half bytes.
#[inline(always)]
pub(in crate::simd) fn classes_by_halves<V: Utf8Vector>(
    v: V,
    one_before: V::V,
    bytes: V::V,
) -> V::V {
    let half = v.splat_u8(0x0F);
    let first_high = v.and(v.shr_u16::<4>(one_before), half);
    let first_high = v.look_up(v.table(&FIRST_HIGH), first_high);
    let first_low = v.look_up(v.table(&FIRST_LOW), v.and(one_before, half));
    let second_high = v.and(v.shr_u16::<4>(bytes), half);
    let second_high = v.look_up(v.table(&SECOND_HIGH), second_high);
    v.and(v.and(first_high, first_low), second_high)
}

/// Less than 16 bytes, and zeros.
#[inline(always)]
fn padded_16(src: &[u8]) -> [u8; 16] {
    let word = |bytes: &[u8; 8]| u128::from(u64::from_le_bytes(*bytes));
    let half = |bytes: &[u8; 4]| u128::from(u32::from_le_bytes(*bytes));
    let len = src.len();
    // The last bytes overlap the first ones.
    let bytes = match (src.first_chunk(), src.last_chunk()) {
        (Some(first), Some(last)) => word(first) | word(last) << (8 * (len - 8)),
        _ => match (src.first_chunk(), src.last_chunk()) {
            (Some(first), Some(last)) => half(first) | half(last) << (8 * (len - 4)),
            _ => match *src {
                [a] => u128::from(a),
                [a, b] => u128::from(a) | u128::from(b) << 8,
                [a, b, c] => u128::from(a) | u128::from(b) << 8 | u128::from(c) << 16,
                _ => 0,
            },
        },
    };
    bytes.to_le_bytes()
}

// SAFETY: a value is a token of `Vector`, whose methods do the work.
unsafe impl<Token: Vector<16>> Utf8Vector for Token {
    type V = <Token as Vector<16>>::V;
    const LANES: usize = 16;
    const KEEPS_CONSTANTS: bool = false;
    type Short = Self;
    type Part = Self;

    #[inline(always)]
    unsafe fn assume() -> Self {
        // SAFETY: the caller says so.
        unsafe { <Token as Vector<16>>::assume() }
    }

    #[inline(always)]
    fn short(self) -> Self {
        self
    }

    #[inline(always)]
    fn part(self) -> Self {
        self
    }

    #[inline(always)]
    fn run_on<T, U, R>(
        self,
        src: &[T],
        dst: &mut [U],
        f: impl FnOnce(Self, &[T], &mut [U]) -> R,
    ) -> R {
        Vector::run_on(self, src, dst, f)
    }

    #[inline(always)]
    fn load(self, from: &[u8]) -> Self::V {
        match from.first_chunk() {
            Some(bytes) => Vector::load(self, bytes),
            None => Vector::splat_u8(self, 0),
        }
    }

    #[inline(always)]
    fn load_front(self, from: &[u8]) -> Self::V {
        match from.first_chunk() {
            Some(bytes) => Vector::load(self, bytes),
            None => Vector::load(self, &padded_16(from)),
        }
    }

    #[inline(always)]
    fn store(self, to: &mut [MaybeUninit<u8>], v: Self::V) {
        if let Some(to) = to.first_chunk_mut() {
            Vector::store(self, to, v);
        }
    }

    #[inline(always)]
    fn copy_front(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        for (to, from) in dst.iter_mut().zip(src) {
            to.write(*from);
        }
    }

    #[inline(always)]
    fn text_after(self, before: Self::V, bytes: Self::V) -> Text<Self::V> {
        Text {
            bytes,
            one_before: self.one_before(before, bytes),
            two_before: self.two_before(before, bytes),
            three_before: self.three_before(before, bytes),
        }
    }

    #[inline(always)]
    fn splat_u8(self, byte: u8) -> Self::V {
        Vector::splat_u8(self, byte)
    }

    #[inline(always)]
    fn and(self, a: Self::V, b: Self::V) -> Self::V {
        Vector::and(self, a, b)
    }

    #[inline(always)]
    fn or(self, a: Self::V, b: Self::V) -> Self::V {
        Vector::or(self, a, b)
    }

    #[inline(always)]
    fn xor(self, a: Self::V, b: Self::V) -> Self::V {
        Vector::xor(self, a, b)
    }

    #[inline(always)]
    fn saturating_sub_u8(self, a: Self::V, b: Self::V) -> Self::V {
        Vector::saturating_sub_u8(self, a, b)
    }

    #[inline(always)]
    fn table(self, table: &[u8; 16]) -> Self::V {
        Vector::load(self, table)
    }

    #[inline(always)]
    fn look_up(self, table: Self::V, indices: Self::V) -> Self::V {
        Vector::look_up(self, table, indices)
    }

    #[inline(always)]
    fn splat_u16(self, unit: u16) -> Self::V {
        Vector::splat_u16(self, unit)
    }

    #[inline(always)]
    fn sub_u8(self, a: Self::V, b: Self::V) -> Self::V {
        Vector::sub_u8(self, a, b)
    }

    #[inline(always)]
    fn max_u8(self, a: Self::V, b: Self::V) -> Self::V {
        Vector::max_u8(self, a, b)
    }

    #[inline(always)]
    fn add_u16(self, a: Self::V, b: Self::V) -> Self::V {
        Vector::add_u16(self, a, b)
    }

    #[inline(always)]
    fn shl_u16<const BITS: i32>(self, v: Self::V) -> Self::V {
        Vector::shl_u16::<BITS>(self, v)
    }

    #[inline(always)]
    fn shr_u16<const BITS: i32>(self, v: Self::V) -> Self::V {
        Vector::shr_u16::<BITS>(self, v)
    }

    #[inline(always)]
    fn interleave_u8(self, a: Self::V, b: Self::V) -> [Self::V; 2] {
        Vector::interleave_u8(self, a, b)
    }

    #[inline(always)]
    fn add_times_64(self, a: Self::V, b: Self::V) -> [Self::V; 2] {
        Vector::add_times_64(self, a, b)
    }

    #[inline(always)]
    fn part_of(self, units: [Self::V; 2], i: usize) -> Self::V {
        units[i]
    }

    #[inline(always)]
    fn keep_where_not_ascii(self, v: Self::V, of: Self::V) -> Self::V {
        Vector::and(self, v, self.lt_i8(of, Vector::splat_u8(self, 0)))
    }

    #[inline(always)]
    fn select_where_not_ascii(self, of: Self::V, a: Self::V, b: Self::V) -> Self::V {
        self.select(self.lt_i8(of, Vector::splat_u8(self, 0)), a, b)
    }

    #[inline(always)]
    fn keep(self, v: Self::V, bytes: u64) -> Self::V {
        Vector::and(self, v, lanes_of(self, bytes))
    }

    #[inline(always)]
    fn blend_units(self, units: [Self::V; 2], others: [Self::V; 2], bytes: u64) -> [Self::V; 2] {
        let lanes = lanes_of(self, bytes);
        let [low, high] = Vector::interleave_u8(self, lanes, lanes);
        [
            self.select(low, others[0], units[0]),
            self.select(high, others[1], units[1]),
        ]
    }

    #[inline(always)]
    fn errors_of_two(self, one_before: Self::V, bytes: Self::V) -> Self::V {
        let leads = self.at_least_u8(one_before, 0xC0);
        // C0 and C1.
        let upper = Vector::and(self, one_before, Vector::splat_u8(self, 0xFE));
        let too_long = self.eq_u8(upper, Vector::splat_u8(self, 0xC0));
        let continuations = self.lt_i8(bytes, Vector::splat_u8(self, 0xC0));
        Vector::or(self, Vector::xor(self, continuations, leads), too_long)
    }

    #[inline(always)]
    fn is_ascii(self, v: Self::V) -> bool {
        Vector::is_ascii(self, v)
    }

    #[inline(always)]
    fn is_zero(self, v: Self::V) -> bool {
        !self.any(v)
    }

    #[inline(always)]
    fn not_zero(self, v: Self::V) -> u64 {
        let zeros = self.eq_u8(v, Vector::splat_u8(self, 0));
        u64::from(!self.mask_u8(zeros) & 0xFFFF)
    }

    #[inline(always)]
    fn block_not_zero(self, block: [Self::V; 4]) -> u64 {
        let zero = Vector::splat_u8(self, 0);
        let [a, b, c, d] = block;
        !self.mask_of_4([
            self.eq_u8(a, zero),
            self.eq_u8(b, zero),
            self.eq_u8(c, zero),
            self.eq_u8(d, zero),
        ])
    }

    #[inline(always)]
    fn block_at_least(self, block: [Self::V; 4], least: u8) -> u64 {
        self.mask_at_least(block, least)
    }

    #[inline(always)]
    fn block_continuations(self, [a, b, c, d]: [Self::V; 4]) -> u64 {
        let starts = Vector::splat_u8(self, 0xC0);
        // Signed, continuation bytes are the smallest.
        self.mask_of_4([
            self.lt_i8(a, starts),
            self.lt_i8(b, starts),
            self.lt_i8(c, starts),
            self.lt_i8(d, starts),
        ])
    }
}

/// All ones for every set bit of the lower 16.
#[inline(always)]
fn lanes_of<V: Vector<16>>(v: V, mask: u64) -> <V as Vector<16>>::V {
    const BYTE: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1];
    const BIT: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
    let bits = Vector::load(v, &BIT);
    let spread = Vector::look_up(v, Vector::splat_u16(v, mask as u16), Vector::load(v, &BYTE));
    v.eq_u8(Vector::and(v, spread, bits), bits)
}
