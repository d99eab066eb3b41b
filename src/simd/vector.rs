//! The vectors of an instruction set, as the algorithms of `generic/` see them: the few operations that all
//! of them need, each of which takes one to three instructions.
//!
//! A value of an implementation is a zero-sized token. It proves that the processor has the instructions, so the
//! methods are safe. Methods, and the functions of `generic/`, are `inline(always)`: they become part of the function
//! that calls them, and are compiled for the instruction set if that function is run by [`Vector::run_on`]. So are
//! closures that use vectors, and they are marked so where they are written: in a closure that became a function of its
//! own, each operation would be a call. Tested with the kernels.

use core::mem::MaybeUninit;

mod macros;
mod text;

#[allow(
    unused_imports,
    reason = "only instruction sets with vectors have such methods"
)]
pub(in crate::simd) use macros::{binary, methods, vectors_of_16};
pub(in crate::simd) use text::{Text, classes_by_halves, text_by_loads};

/// Vectors of 16, 32 or 64 bytes.
///
/// A vector has one type, whatever its lanes are: bytes (`u8`), code units of UTF-16 (`u16`) or of UTF-32
/// (`u32`), little-endian. In a result or an argument called `lanes`, all bits of each lane are set, or none.
/// Masks have a bit for each byte or unit, the lowest one for the first, followed by zeros. A block is 64
/// bytes: of an array of four vectors, the first ones make up a block.
///
/// # Safety
///
/// A value may exist only on a processor that has the instructions which its methods use. The methods do what
/// their documentation says: well-formed output relies on the comparisons and masks, and initialised output
/// on `store` and `copy_front`.
pub(in crate::simd) unsafe trait Vector: Copy {
    type V: Copy;

    /// The number of bytes in a vector.
    const LANES: usize;

    /// Whether there are enough registers for the constants of a loop.
    const KEEPS_CONSTANTS: bool = false;

    /// Whether UTF-8 in which ASCII and other text alternate is validated faster if it is tested for ASCII in smaller
    /// pieces: short text in blocks, one after the other; long text in vectors, many of which are tested before any is
    /// examined.
    const MARKS_VECTORS: bool = false;

    /// Whether short text that is longer than a vector of [`Vector::Short`] is better served by these vectors.
    const IS_FOR_SHORT: bool = false;

    /// The vectors to use for short text.
    type Short: Vector;

    /// The vectors of 16 bytes that these consist of.
    type Part: Vector;

    /// Makes a token.
    ///
    /// # Safety
    ///
    /// The processor has the instructions.
    unsafe fn assume() -> Self;

    fn short(self) -> Self::Short;

    fn part(self) -> Self::Part;

    /// Runs `f` on two slices in a function that is compiled for the instruction set. The default only calls
    /// `f`, for targets on which the whole program is compiled for it. The slices are passed as arguments:
    /// captured variables would go through memory, and the compiler would not know that the slices don't
    /// overlap. Closures should be `#[inline(always)]`, to become part of the function.
    #[inline(always)]
    fn run_on<T, U, R>(
        self,
        src: &[T],
        dst: &mut [U],
        f: impl FnOnce(Self, &[T], &mut [U]) -> R,
    ) -> R {
        f(self, src, dst)
    }

    /// Does what [`Vector::run_on`] does, in a function of its own that is never inlined: for what short text should
    /// not pay for, such as saving registers, and for loops that need all registers.
    #[inline(never)]
    fn run_apart<T, U, R>(
        self,
        src: &[T],
        dst: &mut [U],
        f: impl FnOnce(Self, &[T], &mut [U]) -> R,
    ) -> R {
        self.run_on(src, dst, f)
    }

    /// Loads the first bytes of `from`, or zeros if there are fewer than a vector has.
    fn load(self, from: &[u8]) -> Self::V;

    /// Loads the first bytes of `from`, followed by zeros if there are fewer than a vector has.
    #[inline(always)]
    fn load_front(self, from: &[u8]) -> Self::V {
        if from.len() >= Self::LANES {
            self.load(from)
        } else {
            self.load(&padded_16(from))
        }
    }

    /// Stores a vector at the front of `to`, which has at least [`Vector::LANES`] bytes.
    fn store(self, to: &mut [MaybeUninit<u8>], v: Self::V);

    /// Copies at most a vector; the slices have the same length.
    #[inline(always)]
    fn copy_front(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        for (to, from) in dst.iter_mut().zip(src) {
            to.write(*from);
        }
    }

    fn splat_u8(self, byte: u8) -> Self::V;

    fn splat_u16(self, unit: u16) -> Self::V;

    fn splat_u32(self, unit: u32) -> Self::V;

    fn and(self, a: Self::V, b: Self::V) -> Self::V;

    fn or(self, a: Self::V, b: Self::V) -> Self::V;

    fn xor(self, a: Self::V, b: Self::V) -> Self::V;

    /// Selects `a` where `lanes` are ones, and `b` elsewhere. `lanes` may be as narrow as bytes.
    fn select(self, lanes: Self::V, a: Self::V, b: Self::V) -> Self::V;

    fn add_u8(self, a: Self::V, b: Self::V) -> Self::V;

    fn sub_u8(self, a: Self::V, b: Self::V) -> Self::V;

    /// Returns `a + b`, or FF if that is more.
    fn saturating_add_u8(self, a: Self::V, b: Self::V) -> Self::V;

    /// Returns `a - b`, or 0 if that is negative.
    fn saturating_sub_u8(self, a: Self::V, b: Self::V) -> Self::V;

    fn max_u8(self, a: Self::V, b: Self::V) -> Self::V;

    fn eq_u8(self, a: Self::V, b: Self::V) -> Self::V;

    /// Returns the lanes of `a` that are less than those of `b`, as signed bytes: continuation bytes are the
    /// least of all.
    fn lt_i8(self, a: Self::V, b: Self::V) -> Self::V;

    /// Returns the lanes that are at least `least`.
    #[inline(always)]
    fn at_least_u8(self, v: Self::V, least: u8) -> Self::V {
        self.eq_u8(self.max_u8(v, self.splat_u8(least)), v)
    }

    /// Returns the upper four bits of each byte, as a number.
    #[inline(always)]
    fn high_half(self, v: Self::V) -> Self::V {
        self.and(self.shr_u16::<4>(v), self.splat_u8(0x0F))
    }

    fn add_u16(self, a: Self::V, b: Self::V) -> Self::V;

    fn min_u16(self, a: Self::V, b: Self::V) -> Self::V;

    fn eq_u16(self, a: Self::V, b: Self::V) -> Self::V;

    /// Returns the lanes of `a` that are greater than those of `b`, as signed numbers.
    fn gt_i16(self, a: Self::V, b: Self::V) -> Self::V;

    /// Returns the lanes that are at least `least`.
    #[inline(always)]
    fn at_least_u16(self, v: Self::V, least: u16) -> Self::V {
        let least = self.splat_u16(least);
        self.eq_u16(self.min_u16(v, least), least)
    }

    fn shl_u16<const BITS: i32>(self, v: Self::V) -> Self::V;

    fn shr_u16<const BITS: i32>(self, v: Self::V) -> Self::V;

    fn add_u32(self, a: Self::V, b: Self::V) -> Self::V;

    fn min_u32(self, a: Self::V, b: Self::V) -> Self::V;

    fn max_u32(self, a: Self::V, b: Self::V) -> Self::V;

    fn eq_u32(self, a: Self::V, b: Self::V) -> Self::V;

    /// Returns the lanes that are at least `least`.
    #[inline(always)]
    fn at_least_u32(self, v: Self::V, least: u32) -> Self::V {
        let least = self.splat_u32(least);
        self.eq_u32(self.min_u32(v, least), least)
    }

    fn shl_u32<const BITS: i32>(self, v: Self::V) -> Self::V;

    fn shr_u32<const BITS: i32>(self, v: Self::V) -> Self::V;

    /// Repeats the 16 bytes of a table for [`Vector::look_up`].
    #[inline(always)]
    fn table(self, table: &[u8; 16]) -> Self::V {
        self.load(table)
    }

    /// Loads rows of a table of shuffles for [`Vector::look_up`], one for each 16 bytes.
    #[inline(always)]
    fn rows(self, table: &[[u8; 16]; 256], [row, _]: [u8; 2]) -> Self::V {
        self.load(&table[usize::from(row)])
    }

    /// Returns the bytes of `table` at the given indices, each of which is less than 16, or 80 to FF and
    /// gives 0. A vector of more than 16 bytes consists of several tables.
    fn look_up(self, table: Self::V, indices: Self::V) -> Self::V;

    /// Returns the bytes of `table` at the low halves of the given indices. Indices from 80 on give 0.
    #[inline(always)]
    fn look_up_low_half(self, table: Self::V, indices: Self::V) -> Self::V {
        self.look_up(table, self.and(indices, self.splat_u8(0x8F)))
    }

    /// Returns the bytes of `table` at the given indices. Indices of 16 and more give 0.
    #[inline(always)]
    fn look_up_or_0(self, table: Self::V, indices: Self::V) -> Self::V {
        let indices = self.saturating_add_u8(indices, self.splat_u8(0x70));
        self.look_up_low_half(table, indices)
    }

    /// Reorders bytes so that [`Vector::interleave_u8`] gives all of them in order.
    #[inline(always)]
    fn for_interleaving(self, bytes: Self::V) -> Self::V {
        bytes
    }

    /// Interleaves bytes of `a` and `b`: within each 16 bytes, the first eight of both, and the last eight.
    fn interleave_u8(self, a: Self::V, b: Self::V) -> [Self::V; 2];

    /// Interleaves code units of `a` and `b`: within each eight units, the first four of both, and the last
    /// four.
    fn interleave_u16(self, a: Self::V, b: Self::V) -> [Self::V; 2];

    /// Returns the `i`-th 16 bytes of the result of an interleaving.
    fn part_of(self, interleaved: [Self::V; 2], i: usize) -> <Self::Part as Vector>::V;

    /// Adds to the bytes of `a` 64 times those of `b`, all of them signed: gives sums of 16 bits, in the
    /// order of [`Vector::interleave_u8`].
    fn add_times_64(self, a: Self::V, b: Self::V) -> [Self::V; 2];

    /// Returns the lower bytes of the units of `a`, then of `b`; any value for a unit above 00FF.
    fn narrow_u16(self, a: Self::V, b: Self::V) -> Self::V;

    /// Returns the units of `a` and `b` as bytes, with FF for a unit of 0100 to 7FFF, in an order from which
    /// [`Vector::packed_in_order`] restores their own.
    #[inline(always)]
    fn pack_u16(self, a: Self::V, b: Self::V) -> Self::V {
        let most = self.splat_u16(0xFF);
        self.narrow_u16(self.min_u16(a, most), self.min_u16(b, most))
    }

    /// Restores the order of bytes after [`Vector::pack_u16`].
    #[inline(always)]
    fn packed_in_order(self, packed: Self::V) -> Self::V {
        packed
    }

    /// Returns the lower units of the words of `a`, then of `b`; any value for a word above FFFF.
    fn narrow_u32(self, a: Self::V, b: Self::V) -> Self::V;

    /// Returns the byte that is `N`, 1 to 4, before each byte of `v`, which is preceded by `before`.
    fn before<const N: usize>(self, before: Self::V, v: Self::V) -> Self::V;

    /// Returns the text of a vector that is preceded by `before`.
    #[inline(always)]
    fn text_after(self, before: Self::V, bytes: Self::V) -> Text<Self::V> {
        Text {
            bytes,
            one_before: self.before::<1>(before, bytes),
            two_before: self.before::<2>(before, bytes),
            three_before: self.before::<3>(before, bytes),
            four_before: self.before::<4>(before, bytes),
        }
    }

    /// Loads the text of the vector that starts four bytes into `window`. Loads leave the port that moves bytes
    /// between lanes to look-ups.
    #[inline(always)]
    fn text_inside(self, window: &[u8]) -> Text<Self::V> {
        text_by_loads(self, window)
    }

    /// Returns the unit after each unit of `v`, the last of which is followed by `after`.
    fn unit_after(self, v: Self::V, after: Self::V) -> Self::V;

    /// Returns whether any bit is set.
    #[inline(always)]
    fn any(self, v: Self::V) -> bool {
        self.any_of(v, v)
    }

    /// Returns whether any of the bits of `bits` is set in `v`.
    fn any_of(self, v: Self::V, bits: Self::V) -> bool;

    /// Returns whether all bytes are less than 80.
    #[inline(always)]
    fn is_ascii(self, v: Self::V) -> bool {
        self.mask_u8(v) == 0
    }

    /// Returns the number of bytes before the first that is at least 80, or `LANES`.
    #[inline(always)]
    fn ascii_len(self, v: Self::V) -> usize {
        match self.mask_u8(v) {
            0 => Self::LANES,
            others => others.trailing_zeros() as usize,
        }
    }

    /// Returns a mask of the highest bit of each byte.
    fn mask_u8(self, v: Self::V) -> u64;

    /// Returns a mask with a bit for each unit of `lanes`: a byte for each 16 bytes.
    fn mask_u16(self, lanes: Self::V) -> [u8; 4];

    /// Returns two bits for each unit, which is not a surrogate: whether it has a second byte in UTF-8, and
    /// above it, a third.
    #[inline(always)]
    fn mask_of_lengths(self, units: Self::V) -> u32 {
        let (two, three) = (
            self.at_least_u16(units, 0x80),
            self.at_least_u16(units, 0x800),
        );
        self.mask_u8(self.select(self.splat_u16(0x00FF), two, three)) as u32
    }

    /// Returns all ones in every byte whose bit is set.
    #[inline(always)]
    fn lanes_of(self, mask: u64) -> Self::V {
        const BYTE: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1];
        const BIT: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        let bits = self.load(&BIT);
        let spread = self.look_up(self.splat_u16(mask as u16), self.load(&BYTE));
        self.eq_u8(self.and(spread, bits), bits)
    }

    /// Returns `v` where the bits of `bytes` are set, and 0 elsewhere.
    #[inline(always)]
    fn keep(self, v: Self::V, bytes: u64) -> Self::V {
        self.and(v, self.lanes_of(bytes))
    }

    /// Returns `others` where the bits of `bytes` are set, and `units` elsewhere, for units in the order of
    /// [`Vector::interleave_u8`].
    #[inline(always)]
    fn blend_units(self, units: [Self::V; 2], others: [Self::V; 2], bytes: u64) -> [Self::V; 2] {
        let lanes = self.lanes_of(bytes);
        let [low, high] = self.interleave_u8(lanes, lanes);
        [
            self.select(low, others[0], units[0]),
            self.select(high, others[1], units[1]),
        ]
    }

    /// Returns `v` where `of` is not ASCII, and 0 elsewhere.
    #[inline(always)]
    fn keep_where_not_ascii(self, v: Self::V, of: Self::V) -> Self::V {
        self.and(v, self.lt_i8(of, self.splat_u8(0)))
    }

    /// Returns `a` where `of` is not ASCII, and `b` elsewhere.
    #[inline(always)]
    fn select_where_not_ascii(self, of: Self::V, a: Self::V, b: Self::V) -> Self::V {
        self.select(self.lt_i8(of, self.splat_u8(0)), a, b)
    }

    /// Writes each byte, sign-extended, as a code unit at the front of `to`, which has at least two vectors' bytes.
    #[inline(always)]
    fn widen_signed(self, to: &mut [MaybeUninit<u8>], v: Self::V) {
        debug_assert!(to.len() >= 2 * Self::LANES, "two vectors fit");
        let units = self.add_times_64(v, self.splat_u8(0));
        let (rooms, _) = to.as_chunks_mut::<16>();
        for (i, to) in rooms.iter_mut().take(Self::LANES / 8).enumerate() {
            self.part().store(to, self.part_of(units, i));
        }
    }

    /// Returns, for each byte, the classes of errors that it and the one before it belong to
    /// (`utf8_errors.rs`).
    #[inline(always)]
    fn classes(self, one_before: Self::V, bytes: Self::V) -> Self::V {
        classes_by_halves(self, one_before, bytes)
    }

    /// Returns a mask of the bytes that are not 0.
    #[inline(always)]
    fn not_zero(self, v: Self::V) -> u64 {
        let zeros = self.mask_u8(self.eq_u8(v, self.splat_u8(0)));
        !zeros & u64::MAX >> (64 - Self::LANES)
    }

    /// Returns a mask of the highest bit of each byte of a block.
    #[inline(always)]
    fn mask_of_block(self, [a, b, c, d]: [Self::V; 4]) -> u64 {
        match Self::LANES {
            16 => {
                let low = self.mask_u8(a) as u32 | (self.mask_u8(b) as u32) << 16;
                let high = self.mask_u8(c) as u32 | (self.mask_u8(d) as u32) << 16;
                u64::from(low) | u64::from(high) << 32
            }
            32 => self.mask_u8(a) | self.mask_u8(b) << 32,
            _ => self.mask_u8(a),
        }
    }

    /// Returns a mask of the bytes of a block that are not 0.
    #[inline(always)]
    fn block_not_zero(self, [a, b, c, d]: [Self::V; 4]) -> u64 {
        let zero = self.splat_u8(0);
        !self.mask_of_block([
            self.eq_u8(a, zero),
            self.eq_u8(b, zero),
            self.eq_u8(c, zero),
            self.eq_u8(d, zero),
        ])
    }

    /// Returns a mask of the bytes of a block that are at least `least`, which must be at least 80.
    #[inline(always)]
    fn block_at_least(self, [a, b, c, d]: [Self::V; 4], least: u8) -> u64 {
        // After the subtraction, bytes that are at least `least` have the highest bit set.
        let rest = self.splat_u8(least - 0x80);
        self.mask_of_block([
            self.saturating_sub_u8(a, rest),
            self.saturating_sub_u8(b, rest),
            self.saturating_sub_u8(c, rest),
            self.saturating_sub_u8(d, rest),
        ])
    }

    /// Returns a mask of the continuation bytes of a block, 80 to BF.
    #[inline(always)]
    fn block_continuations(self, [a, b, c, d]: [Self::V; 4]) -> u64 {
        // As signed bytes, continuation bytes are the smallest.
        let starts = self.splat_u8(0xC0);
        self.mask_of_block([
            self.lt_i8(a, starts),
            self.lt_i8(b, starts),
            self.lt_i8(c, starts),
            self.lt_i8(d, starts),
        ])
    }

    /// Returns a bit for each of [`MARKED`] vectors at the front of `src`, set if the vector is not ASCII.
    #[inline(always)]
    fn marks(self, src: &[u8]) -> u16 {
        let mut marks = 0;
        for (i, bytes) in src.chunks_exact(Self::LANES).take(MARKED).enumerate() {
            marks |= u16::from(!self.is_ascii(self.load(bytes))) << i;
        }
        marks
    }

    /// Returns the sum of the bytes.
    fn sum_u8(self, v: Self::V) -> usize;
}

/// The number of vectors that [`Vector::marks`] tests.
pub(in crate::simd) const MARKED: usize = 16;

/// Loads less than 16 bytes, followed by zeros.
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
