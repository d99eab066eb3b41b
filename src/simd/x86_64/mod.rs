//! Kernels for x86-64.

pub(super) mod avx2;
#[cfg(feature = "avx512")]
pub(super) mod avx512;
#[cfg(feature = "avx512")]
pub(super) mod avx512_vbmi2;
pub(super) mod sse4;

use super::shared::as_bytes;

/// Declares the methods of `Vector` that fill a vector.
macro_rules! splats {
    ($($method:ident($lane:ty) = $instruction:ident),+ $(,)?) => {$(
        #[inline(always)]
        fn $method(self, lane: $lane) -> Self::V {
            // SAFETY: `self` is the proof that the processor has the instruction.
            unsafe { $instruction(lane.cast_signed()) }
        }
    )+};
}
use splats;

/// Declares the methods of `Vector` that shift lanes by a constant.
macro_rules! shifts {
    ($($method:ident = $instruction:ident),+ $(,)?) => {$(
        #[inline(always)]
        fn $method<const BITS: i32>(self, v: Self::V) -> Self::V {
            // SAFETY: `self` is the proof that the processor has the instruction.
            unsafe { $instruction::<BITS>(v) }
        }
    )+};
}
use shifts;

/// Declares `run_on` for a token, which has only a `()` as its field, of an instruction set.
macro_rules! run_on_with {
    ($token:ident, $features:literal) => {
        #[inline(always)]
        fn run_on<T, U, R>(
            self,
            src: &[T],
            dst: &mut [U],
            f: impl FnOnce(Self, &[T], &mut [U]) -> R,
        ) -> R {
            #[target_feature(enable = $features)]
            fn enabled<T, U, R>(
                src: &[T],
                dst: &mut [U],
                f: impl FnOnce($token, &[T], &mut [U]) -> R,
            ) -> R {
                f($token(()), src, dst)
            }
            // SAFETY: `self` is the proof that the processor has these features.
            unsafe { enabled(src, dst, f) }
        }
    };
}
use run_on_with;

/// Declares the methods of `Vector` that vectors of several parts of 16 bytes have in common: they wrap a token,
/// whose features include those of SSE4.
macro_rules! vectors_of_parts {
    ($vectors:ident) => {
        type Part = Sse4;

        #[inline(always)]
        fn part(self) -> Sse4 {
            // SAFETY: a processor with the features of the token has SSE4.2 and POPCNT.
            unsafe { Vector::assume() }
        }

        #[inline(always)]
        fn run_on<T, U, R>(
            self,
            src: &[T],
            dst: &mut [U],
            f: impl FnOnce(Self, &[T], &mut [U]) -> R,
        ) -> R {
            self.0.run_on(
                src,
                dst,
                #[inline(always)]
                |token, src, dst| f($vectors(token), src, dst),
            )
        }
    };
}
use vectors_of_parts;
