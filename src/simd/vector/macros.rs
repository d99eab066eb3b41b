//! What implementations of [`Vector`](super::Vector) are declared with.

/// Declares methods of two vectors that are one instruction each, for lanes that may have a type of their
/// own: `as_lanes` and `of_lanes` convert to and from it.
#[allow(
    unused_macros,
    reason = "only instruction sets with vectors have such methods"
)]
macro_rules! binary {
    ($as_lanes:path, $of_lanes:path; $($method:ident = $instruction:ident),+ $(,)?) => {$(
        #[inline(always)]
        #[allow(unused_unsafe, reason = "instructions of WebAssembly are safe")]
        fn $method(self, a: Self::V, b: Self::V) -> Self::V {
            // SAFETY: `self` is the proof that the processor has the instruction.
            unsafe { $of_lanes($instruction($as_lanes(a), $as_lanes(b))) }
        }
    )+};
    ($($method:ident = $instruction:ident),+ $(,)?) => {
        $crate::simd::vector::binary! {
            core::convert::identity, core::convert::identity; $($method = $instruction),+
        }
    };
}
#[allow(
    unused_imports,
    reason = "only instruction sets with vectors have such methods"
)]
pub(in crate::simd) use binary;

/// Declares what is the same for all vectors of 16 bytes.
#[allow(
    unused_macros,
    reason = "only instruction sets with vectors have such methods"
)]
macro_rules! vectors_of_16 {
    () => {
        const LANES: usize = 16;
        type Short = Self;
        type Part = Self;

        #[inline(always)]
        fn short(self) -> Self {
            self
        }

        #[inline(always)]
        fn part(self) -> Self {
            self
        }

        #[inline(always)]
        fn part_of(self, interleaved: [Self::V; 2], i: usize) -> Self::V {
            interleaved[i]
        }
    };
}
#[allow(
    unused_imports,
    reason = "only instruction sets with vectors have such methods"
)]
pub(in crate::simd) use vectors_of_16;

/// Declares methods that are one expression each, with instructions that `self` proves the processor has.
#[allow(
    unused_macros,
    reason = "only instruction sets with vectors have such methods"
)]
macro_rules! methods {
    ($(
        fn $method:ident $(<const $number:ident: i32>)? (
            $self:ident $(, $argument:ident: $type:ty)*
        ) -> $result:ty = $value:expr;
    )+) => {$(
        #[inline(always)]
        #[allow(unused_unsafe, reason = "instructions of WebAssembly are safe")]
        fn $method $(<const $number: i32>)? ($self $(, $argument: $type)*) -> $result {
            // SAFETY: `self` is the proof that the processor has the instructions.
            unsafe { $value }
        }
    )+};
}
#[allow(
    unused_imports,
    reason = "only instruction sets with vectors have such methods"
)]
pub(in crate::simd) use methods;
