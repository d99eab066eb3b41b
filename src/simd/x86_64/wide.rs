//! Vectors of 64 bytes, as the algorithms see them that AVX2 and AVX-512 share: the few operations that
//! all of these need, each of one to four instructions. AVX2 has two vectors for one.
//!
//! What is a question for each byte is answered by a mask, whose lowest bit is about the first byte.
//!
//! Methods, and the functions that take a `Wide`, are `inline(always)`: they become part of the kernel
//! that they are called from, and with it code for its instruction set. (A closure in one of them may not,
//! and then every instruction of it becomes a call: functions with the target feature may have closures,
//! others only such as pass their arguments to one operation.) Tested with the kernels.

use core::arch::x86_64::__m128i;
use core::mem::MaybeUninit;

/// Bytes in a block.
pub(super) const BLOCK: usize = 64;

/// Bytes before a block that it looks at.
pub(super) const BEFORE: usize = 4;

/// Those bytes and a block.
pub(super) type Block = [u8; BEFORE + BLOCK];

/// Room for the code units of a block, as bytes.
pub(super) type Units = [MaybeUninit<u8>; 2 * BLOCK];

/// The bytes of a block, and those one, two, three and four before each.
#[derive(Clone, Copy)]
pub(super) struct Views<V> {
    pub(super) x: V,
    pub(super) before: [V; BEFORE],
}

/// Vectors of 64 bytes.
///
/// # Safety
///
/// Who has a value runs on a processor with the instructions that its methods use, which has AVX2,
/// POPCNT, BMI1 and BMI2 in any case: safe code cannot make one elsewhere.
pub(super) unsafe trait Wide: Copy {
    type V: Copy;

    /// Whether a loop over characters of three bytes is begun after one block that has hardly any others,
    /// or after two.
    const TAKES_THREES_AT_ONCE: bool;

    fn load(self, from: &[u8; BLOCK]) -> Self::V;

    /// Up to 64 bytes from the front, and zeros after them.
    fn load_front(self, from: &[u8]) -> Self::V;

    /// Up to 64 bytes from `at` on, and zeros after them and for what comes before the first of all.
    fn views(self, src: &[u8], at: usize) -> Views<Self::V>;

    /// The bytes of `x`, and zeros before the first.
    fn views_after_zeros(self, x: Self::V) -> Views<Self::V>;

    fn splat_u8(self, byte: u8) -> Self::V;

    /// The table for [`Wide::look_up`].
    fn table(self, table: &[u8; 16]) -> Self::V;

    /// The bytes of the table at the given indices, each of which is less than 16.
    fn look_up(self, table: Self::V, indices: Self::V) -> Self::V;

    fn and(self, a: Self::V, b: Self::V) -> Self::V;

    fn or(self, a: Self::V, b: Self::V) -> Self::V;

    fn xor(self, a: Self::V, b: Self::V) -> Self::V;

    /// `a - b`, or 0 where that is negative.
    fn saturating_sub_u8(self, a: Self::V, b: Self::V) -> Self::V;

    fn shl_u16<const BITS: i32>(self, v: Self::V) -> Self::V;

    fn shr_u16<const BITS: i32>(self, v: Self::V) -> Self::V;

    /// Bytes of `a` and `b` by turns, of each 16 bytes the first eight, and the others.
    fn interleave_u8(self, a: Self::V, b: Self::V) -> [Self::V; 2];

    /// Where a byte is 80 or more.
    fn not_ascii(self, v: Self::V) -> u64;

    fn is_ascii(self, v: Self::V) -> bool;

    /// Where a byte is a continuation byte, 80 to BF.
    fn continuations(self, v: Self::V) -> u64;

    fn any_at_least(self, v: Self::V, least: u8) -> bool;

    /// Where a byte is not 0.
    fn not_zero(self, v: Self::V) -> u64;

    fn is_zero(self, v: Self::V) -> bool;

    /// `v` where `of` is not ASCII, and 0 elsewhere.
    fn keep_where_not_ascii(self, v: Self::V, of: Self::V) -> Self::V;

    /// `a` where `of` is not ASCII, and `b` elsewhere.
    fn select_where_not_ascii(self, of: Self::V, a: Self::V, b: Self::V) -> Self::V;

    fn quarters(self, v: Self::V) -> [__m128i; 4];
}

/// The bytes `BACK` before those of the block.
#[inline(always)]
pub(super) fn view<const BACK: usize, W: Wide>(w: W, block: &Block) -> W::V {
    const { assert!(BACK <= BEFORE) };
    match block[BEFORE - BACK..].first_chunk() {
        Some(bytes) => w.load(bytes),
        None => w.splat_u8(0),
    }
}

#[inline(always)]
pub(super) fn views_of_block<W: Wide>(w: W, block: &Block) -> Views<W::V> {
    Views {
        x: view::<0, W>(w, block),
        before: [
            view::<1, W>(w, block),
            view::<2, W>(w, block),
            view::<3, W>(w, block),
            view::<4, W>(w, block),
        ],
    }
}
