//! The kernels for an instruction set that consist of the algorithms in this folder.
//!
//! Some kernels use no vectors explicitly, because the compiler vectorises the loops of `scalar/` for the
//! instruction set. Single-byte encodings are decoded to UTF-8 byte by byte: by way of
//! UTF-16 it took as long.

use core::mem::MaybeUninit;

use super::utf8_steps::Steps;
use super::utf8_to_utf32::Steps32;
use super::{
    ascii, count, latin1, narrow, single_byte, utf8_copy, utf8_lossy, utf8_to_latin1,
    utf8_to_utf16, utf8_to_utf32, utf8_valid, utf16_to_utf8, utf16_units, utf32, utf32_to_utf8,
};
use crate::simd::Kernels;
use crate::simd::kernels::{Entries, Transcoded};
use crate::simd::scalar;
use crate::simd::scalar::blocks::convert_all;
use crate::simd::scalar::two_byte;
use crate::simd::scalar::utf16::FixedOrder;
use crate::simd::scalar::utf16_units::utf16_to_utf16_lossy as lossy_utf16;
use crate::simd::vector::Vector;

/// The vectors that the kernels of a table use.
pub(in crate::simd) trait InstructionSet: Steps32 {
    /// Returns the table.
    fn kernels() -> &'static Kernels;
}

/// Runs a kernel with the vectors of an instruction set and the slices that it converts from and to.
macro_rules! run_on {
    ($set:ident, $src:expr, $dst:expr, |$v:pat_param, $from:pat_param, $to:pat_param| $kernel:expr) => {{
        // SAFETY: the caller of `entries` guarantees that the processor has the instructions.
        let token = unsafe { $set::assume() };
        token.run_on(
            $src,
            $dst,
            #[inline(always)]
            |$v, $from, $to| $kernel,
        )
    }};
}

/// Makes an entry of a function of the vectors and of one slice, or two. One that does not use vectors is a loop that
/// the compiler vectorises.
macro_rules! kernel {
    ($set:ident, |$v:pat_param, $src:ident| $kernel:expr) => {
        |src| run_on!($set, src, &mut [0; 0], |$v, $src, _| $kernel)
    };
    ($set:ident, |$v:pat_param, $src:ident, $dst:ident| $kernel:expr) => {
        |src, dst| run_on!($set, src, dst, |$v, $src, $dst| $kernel)
    };
    ($set:ident, $kernel:expr) => {
        kernel!($set, |v, src, dst| $kernel(v, src, dst))
    };
}

/// From this many bytes of UTF-8 on, conversion to a single-byte encoding by way of UTF-16 pays. Fewer are encoded one
/// character at a time.
const MIN_BYTES_BY_UTF16: usize = 128;

/// Returns all kernels.
///
/// # Safety
///
/// They may be called only if the processor has the instructions.
pub(in crate::simd) const unsafe fn entries<V: InstructionSet>() -> Entries {
    let others = Entries {
        unshifted_prefix: kernel!(V, |v, src| ascii::unshifted_prefix(v, src)),
        utf16le_to_utf16: kernel!(V, utf16_units::utf16_to_utf16::<false, _>),
        utf16be_to_utf16: kernel!(V, utf16_units::utf16_to_utf16::<true, _>),
        utf16le_to_utf16_lossy: kernel!(V, |_, src, dst| lossy_utf16::<false>(src, dst)),
        utf16be_to_utf16_lossy: kernel!(V, |_, src, dst| lossy_utf16::<true>(src, dst)),
        utf16_swap: kernel!(V, |_, src, dst| convert_all(src, dst, u16::swap_bytes)),
        utf16_valid_prefix: kernel!(V, |v, src| utf16_units::valid_prefix(v, src)),
        utf8_len_from_utf16: kernel!(V, |v, src| utf16_units::utf8_len(v, src)),
        count_scalars_utf16: kernel!(V, |v, src| utf16_units::scalars(v, src)),
        two_byte_to_utf8: |index, src, dst| {
            two_byte::two_byte_to_utf8(V::kernels(), index, src, dst)
        },
        two_byte_to_utf16: |index, src, dst| {
            two_byte::two_byte_to_utf16(V::kernels(), index, src, dst)
        },
        utf16_to_two_byte: |cells, src, dst| {
            two_byte::utf16_to_two_byte(V::kernels(), cells, src, dst)
        },
        utf8_to_two_byte: |cells, src, dst| {
            two_byte::utf8_to_two_byte(V::kernels(), cells, src, dst)
        },
        single_byte_to_utf16: |table, src, dst| {
            run_on!(
                V,
                src,
                dst,
                |v, src, dst| single_byte::single_byte_to_utf16(v, table, src, dst)
            )
        },
        utf16_to_single_byte: |table, src, dst| {
            run_on!(
                V,
                src,
                dst,
                |v, src, dst| single_byte::utf16_to_single_byte(v, table, src, dst)
            )
        },
        utf8_to_single_byte: |table, src, dst| {
            if src.len() < MIN_BYTES_BY_UTF16 {
                scalar::single_byte::utf8_to_single_byte(V::kernels(), table, src, dst)
            } else {
                scalar::single_byte::utf8_to_single_byte_by_script(V::kernels(), table, src, dst)
            }
        },
        user_defined_to_utf16: kernel!(V, |_, src, dst| {
            scalar::single_byte::user_defined_to_utf16(src, dst)
        }),
        latin1_to_utf16: kernel!(V, |_, src, dst| convert_all(src, dst, u16::from)),
        latin1_to_utf32: kernel!(V, |_, src, dst| convert_all(src, dst, u32::from)),
        utf16_len_from_utf8: kernel!(V, |v, src| count::utf16_len_from_utf8(v, src)),
        count_scalars_utf8: kernel!(V, |v, src| count::count_scalars_utf8(v, src)),
        utf8_len_from_latin1: kernel!(V, |v, src| count::utf8_len_from_latin1(v, src)),
        utf8_len_from_utf32: kernel!(V, |_, src| scalar::count::utf8_len_from_utf32(src)),
        utf16_len_from_utf32: kernel!(V, |_, src| scalar::count::utf16_len_from_utf32(src)),
        ..scalar::table::ENTRIES
    };
    // SAFETY: the caller calls them only if the processor has the instructions.
    let others = unsafe { ascii_entries::<V>(others) };
    // SAFETY: the caller calls them only if the processor has the instructions.
    let others = unsafe { utf16_entries::<V>(others) };
    // SAFETY: the caller calls them only if the processor has the instructions.
    let others = unsafe { utf8_to_utf16_entries::<V>(others) };
    // SAFETY: the caller calls them only if the processor has the instructions.
    unsafe { utf8_entries::<V>(others) }
}

/// Returns `others` with the kernels for ASCII, Latin-1 and UTF-32.
///
/// # Safety
///
/// They may be called only if the processor has the instructions.
pub(in crate::simd) const unsafe fn ascii_entries<V: Vector>(others: Entries) -> Entries {
    Entries {
        ascii_prefix: kernel!(V, |v, src| ascii::ascii_prefix(v, src)),
        textual_prefix: kernel!(V, |v, src| ascii::textual_prefix(v, src)),
        ascii_to_utf8: kernel!(V, ascii::ascii_to_utf8),
        ascii_to_utf16: kernel!(V, ascii::ascii_to_utf16),
        utf16le_to_ascii: kernel!(V, ascii::utf16_to_ascii::<false, _>),
        utf16be_to_ascii: kernel!(V, ascii::utf16_to_ascii::<true, _>),
        line_ends: kernel!(V, |_, src| scalar::count::line_ends(src)),
        latin1_to_utf8: kernel!(V, latin1::latin1_to_utf8),
        utf8_to_latin1: kernel!(V, utf8_to_latin1::utf8_to_latin1),
        utf16_to_latin1: kernel!(V, narrow::utf16_to_latin1),
        utf32_to_latin1: kernel!(V, narrow::utf32_to_latin1),
        utf16_to_utf32: kernel!(V, utf32::utf16_to_utf32),
        utf32_to_utf8: kernel!(V, utf32_to_utf8::utf32_to_utf8),
        utf32_to_utf16: kernel!(V, utf32::utf32_to_utf16),
        ..others
    }
}

/// Returns `others` with the kernels that convert UTF-16 to UTF-8.
///
/// # Safety
///
/// They may be called only if the processor has the instructions.
pub(in crate::simd) const unsafe fn utf16_entries<V: Vector>(others: Entries) -> Entries {
    macro_rules! from_utf16 {
        ($be:literal, $src:expr, $dst:expr, $is_lossy:literal) => {
            // SAFETY: the caller calls the kernels only if the processor has the instructions.
            unsafe { from_utf16::<V, $be>($src, $dst, $is_lossy) }
        };
    }
    Entries {
        utf16le_to_utf8: |src, dst| from_utf16!(false, src, dst, false).counts(),
        utf16le_to_utf8_lossy: |src, dst| from_utf16!(false, src, dst, true),
        utf16be_to_utf8: |src, dst| from_utf16!(true, src, dst, false).counts(),
        utf16be_to_utf8_lossy: |src, dst| from_utf16!(true, src, dst, true),
        ..others
    }
}

/// Converts UTF-16 to UTF-8, with or without U+FFFD for lone surrogates: two kernels would hardly be faster. One kernel
/// for both byte orders, with the shuffle of the bytes in a variable, took 6 to 12 % longer, and up to a third longer
/// for emoji.
///
/// # Safety
///
/// The processor has the instructions.
#[inline(always)]
unsafe fn from_utf16<V: Vector, const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    is_lossy: bool,
) -> Transcoded {
    // SAFETY: the caller guarantees that the processor has the instructions.
    let token = unsafe { V::assume() };
    token.run_on(
        src,
        dst,
        #[inline(always)]
        move |v, src, dst| utf16_to_utf8::utf16_to_utf8(v, src, dst, FixedOrder::<BE>, is_lossy),
    )
}

/// Returns `others` with the kernels that validate and copy UTF-8 and convert it to UTF-32, and validate that.
///
/// # Safety
///
/// They may be called only if the processor has the instructions.
pub(in crate::simd) const unsafe fn utf8_entries<V: Steps32>(others: Entries) -> Entries {
    Entries {
        utf8_valid_prefix: kernel!(V, |v, src| utf8_valid::utf8_valid_prefix(v, src)),
        utf8_to_utf8: kernel!(V, utf8_copy::utf8_to_utf8),
        utf8_to_utf8_lossy: kernel!(V, utf8_lossy::utf8_to_utf8_lossy),
        utf8_to_utf32: kernel!(V, utf8_to_utf32::utf8_to_utf32),
        utf32_valid_prefix: kernel!(V, |v, src| utf32::utf32_valid_prefix(v, src)),
        ..others
    }
}

/// Returns `others` with the kernels that convert UTF-8 to UTF-16.
///
/// # Safety
///
/// They may be called only if the processor has the instructions.
pub(in crate::simd) const unsafe fn utf8_to_utf16_entries<V: Steps>(others: Entries) -> Entries {
    Entries {
        utf8_to_utf16: kernel!(V, utf8_to_utf16::utf8_to_utf16),
        utf8_to_utf16_lossy: kernel!(V, utf8_to_utf16::utf8_to_utf16_lossy),
        ..others
    }
}
