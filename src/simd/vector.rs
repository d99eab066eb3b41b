//! The vectors of an instruction set, as the algorithms of `generic/` see them: the few operations that
//! all of them need, each of which is one to three instructions.
//!
//! A value of an implementation is a token of no size. It proves that the processor has the
//! instructions, so that the methods are safe. Methods, and the functions of `generic/`, are
//! `inline(always)`: they become part of the function that they are called from, and with it code for
//! the instruction set if that is one of [`Vector::run`]. Tested with the kernels.

use core::mem::MaybeUninit;

/// Vectors of `LANES` bytes. All instruction sets have 16 as yet.
///
/// A vector has one type, whatever its lanes are: `LANES` bytes (`u8`), `LANES / 2` code units of UTF-16
/// (`u16`) or `LANES / 4` of UTF-32 (`u32`), little-endian. A result or an argument called `lanes` has
/// all bits of a lane set, or none.
///
/// # Safety
///
/// Who has a value runs on a processor that has the instructions which its methods use.
pub(in crate::simd) unsafe trait Vector<const LANES: usize>: Copy {
    type V: Copy;

    /// A token.
    ///
    /// # Safety
    ///
    /// The processor has the instructions.
    unsafe fn assume() -> Self;

    /// Runs `f` in a function that is compiled for the instruction set: here any, as where all of the program is
    /// compiled for it. A closure is to be `#[inline(always)]`, to become part of it.
    #[inline(always)]
    fn run<R>(self, f: impl FnOnce(Self) -> R) -> R {
        f(self)
    }

    /// [`Vector::run`] with two slices, which go to the function as arguments: what a closure captures goes
    /// there through memory, and the compiler does not know that it does not overlap.
    #[inline(always)]
    fn run_on<T, U, R>(
        self,
        src: &[T],
        dst: &mut [U],
        f: impl FnOnce(Self, &[T], &mut [U]) -> R,
    ) -> R {
        f(self, src, dst)
    }

    fn load(self, from: &[u8; LANES]) -> Self::V;

    fn store(self, to: &mut [MaybeUninit<u8>; LANES], v: Self::V);

    fn splat_u8(self, byte: u8) -> Self::V;

    fn splat_u16(self, unit: u16) -> Self::V;

    fn splat_u32(self, unit: u32) -> Self::V;

    fn and(self, a: Self::V, b: Self::V) -> Self::V;

    fn or(self, a: Self::V, b: Self::V) -> Self::V;

    fn xor(self, a: Self::V, b: Self::V) -> Self::V;

    /// `a` where `lanes` are ones, `b` elsewhere. `lanes` may be as narrow as bytes.
    fn select(self, lanes: Self::V, a: Self::V, b: Self::V) -> Self::V;

    fn add_u8(self, a: Self::V, b: Self::V) -> Self::V;

    fn sub_u8(self, a: Self::V, b: Self::V) -> Self::V;

    /// `a - b`, or 0 where that is negative.
    fn saturating_sub_u8(self, a: Self::V, b: Self::V) -> Self::V;

    fn max_u8(self, a: Self::V, b: Self::V) -> Self::V;

    fn eq_u8(self, a: Self::V, b: Self::V) -> Self::V;

    /// The lanes of `a` that are less than those of `b`, as signed bytes: continuation bytes are the
    /// least of all.
    fn lt_i8(self, a: Self::V, b: Self::V) -> Self::V;

    /// The lanes that are `least` or more.
    #[inline(always)]
    fn at_least_u8(self, v: Self::V, least: u8) -> Self::V {
        self.eq_u8(self.max_u8(v, self.splat_u8(least)), v)
    }

    /// The upper four bits of each byte, as a number.
    #[inline(always)]
    fn high_half(self, v: Self::V) -> Self::V {
        self.and(self.shr_u16::<4>(v), self.splat_u8(0x0F))
    }

    fn add_u16(self, a: Self::V, b: Self::V) -> Self::V;

    fn min_u16(self, a: Self::V, b: Self::V) -> Self::V;

    fn eq_u16(self, a: Self::V, b: Self::V) -> Self::V;

    /// The lanes that are `least` or more.
    fn at_least_u16(self, v: Self::V, least: u16) -> Self::V;

    fn shl_u16<const BITS: i32>(self, v: Self::V) -> Self::V;

    fn shr_u16<const BITS: i32>(self, v: Self::V) -> Self::V;

    fn add_u32(self, a: Self::V, b: Self::V) -> Self::V;

    fn eq_u32(self, a: Self::V, b: Self::V) -> Self::V;

    /// The lanes that are `least` or more.
    fn at_least_u32(self, v: Self::V, least: u32) -> Self::V;

    fn shl_u32<const BITS: i32>(self, v: Self::V) -> Self::V;

    fn shr_u32<const BITS: i32>(self, v: Self::V) -> Self::V;

    /// The bytes of `table` at the given indices, each of which is less than 16, or 80 to FF and gives 0.
    fn look_up(self, table: Self::V, indices: Self::V) -> Self::V;

    /// The bytes of `table` at the given indices. Those that are 16 or more give 0.
    fn look_up_or_0(self, table: Self::V, indices: Self::V) -> Self::V;

    /// Bytes of `a` and `b` by turns: of the lower halves, and of the upper ones.
    fn interleave_u8(self, a: Self::V, b: Self::V) -> [Self::V; 2];

    /// Code units of `a` and `b` by turns: of the lower halves, and of the upper ones.
    fn interleave_u16(self, a: Self::V, b: Self::V) -> [Self::V; 2];

    /// The bytes of `a`, and 64 times those of `b`, all of them signed: sums of 16 bits, of the lower halves
    /// and of the upper ones.
    fn add_times_64(self, a: Self::V, b: Self::V) -> [Self::V; 2];

    /// The lower bytes of the units of `a`, then of `b`; anything for a unit above 00FF.
    fn narrow_u16(self, a: Self::V, b: Self::V) -> Self::V;

    /// The lower units of the words of `a`, then of `b`; anything for a word above FFFF.
    fn narrow_u32(self, a: Self::V, b: Self::V) -> Self::V;

    /// The byte before each byte of `v`, the first of which comes after `before`.
    fn one_before(self, before: Self::V, v: Self::V) -> Self::V;

    /// The second byte before each: of each unit, the one before it.
    fn two_before(self, before: Self::V, v: Self::V) -> Self::V;

    /// The third byte before each.
    fn three_before(self, before: Self::V, v: Self::V) -> Self::V;

    /// The unit after each unit of `v`, the last of which comes before `after`.
    fn unit_after(self, v: Self::V, after: Self::V) -> Self::V;

    /// Whether any bit is one.
    fn any(self, v: Self::V) -> bool;

    /// Whether any bit of `bits` is one in `v`.
    #[inline(always)]
    fn any_of(self, v: Self::V, bits: Self::V) -> bool {
        self.any(self.and(v, bits))
    }

    /// Whether all bytes are less than 80.
    fn is_ascii(self, v: Self::V) -> bool;

    /// The number of bytes before the first that is 80 or more, or `LANES`.
    fn ascii_len(self, v: Self::V) -> usize;

    /// The highest bit of each byte.
    fn mask_u8(self, lanes: Self::V) -> u32;

    /// A bit for each unit of a lane.
    fn mask_u16(self, lanes: Self::V) -> u32;

    /// For each unit the bit of `even`, and above it that of `odd`.
    #[inline(always)]
    fn mask_pairs(self, even: Self::V, odd: Self::V) -> u32 {
        self.mask_u8(self.select(self.splat_u16(0x00FF), even, odd))
    }

    /// The highest bit of each byte of four vectors of 16.
    #[inline(always)]
    fn mask_of_4(self, [a, b, c, d]: [Self::V; 4]) -> u64 {
        let low = self.mask_u8(a) | self.mask_u8(b) << 16;
        let high = self.mask_u8(c) | self.mask_u8(d) << 16;
        u64::from(low) | u64::from(high) << 32
    }

    /// A bit for each byte of four vectors of 16 that is `least` or more, which is 80 or more.
    #[inline(always)]
    fn mask_at_least(self, v: [Self::V; 4], least: u8) -> u64 {
        // What the subtraction leaves has the highest bit.
        let rest = self.splat_u8(least - 0x80);
        let [a, b, c, d] = v;
        self.mask_of_4([
            self.saturating_sub_u8(a, rest),
            self.saturating_sub_u8(b, rest),
            self.saturating_sub_u8(c, rest),
            self.saturating_sub_u8(d, rest),
        ])
    }

    /// The sum of the bytes.
    fn sum_u8(self, v: Self::V) -> usize;
}
