//! Turns what C passes into slices and references, and stores what is returned to it.

use std::mem::MaybeUninit;
use std::slice;

use simdtext_encoding_rs::{CoderResult, DecoderResult, EncoderResult};

const INPUT_EMPTY: u32 = 0;
const OUTPUT_FULL: u32 = u32::MAX;

/// What an argument points to.
///
/// # Panics
///
/// Panics if it is NULL.
#[inline]
pub(crate) fn required<T>(argument: Option<T>) -> T {
    argument.expect("an argument of a function of encoding_c must not be NULL")
}

#[inline]
fn check<T>(data: *const T, len: usize) {
    assert!(
        !data.is_null() && data.is_aligned() && len <= isize::MAX as usize / size_of::<T>(),
        "a buffer passed to a function of encoding_c is NULL, misaligned or too long"
    );
}

/// The input at `data`, which may be NULL if `len` is 0.
///
/// # Safety
///
/// `len` elements must be readable, and stay as they are while the slice lives.
#[inline]
pub(crate) unsafe fn input<'a, T>(data: *const T, len: usize) -> &'a [T] {
    if len == 0 {
        return &[];
    }
    check(data, len);
    // SAFETY: by this function's contract; the pointer is aligned, and the length was checked.
    unsafe { slice::from_raw_parts(data, len) }
}

/// The text at `data`, which may be NULL if `len` is 0.
///
/// # Safety
///
/// As for [`input`]; and the bytes must be well-formed UTF-8.
#[inline]
pub(crate) unsafe fn text<'a>(data: *const u8, len: usize) -> &'a str {
    // SAFETY: by this function's contract.
    let bytes = unsafe { input(data, len) };
    // SAFETY: by this function's contract.
    unsafe { str::from_utf8_unchecked(bytes) }
}

/// The output at `data`, which may be NULL if `len` is 0.
///
/// # Safety
///
/// `len` elements must be writable, and nothing else may refer to them while the slice lives. Their content
/// does not matter: on this side of the boundary, memory that C has not written is memory with some value.
#[inline]
pub(crate) unsafe fn output<'a, T>(data: *mut T, len: usize) -> &'a mut [T] {
    if len == 0 {
        return &mut [];
    }
    check(data, len);
    // SAFETY: by this function's contract; the pointer is aligned, and the length was checked.
    unsafe { slice::from_raw_parts_mut(data, len) }
}

/// The input at `src` and the output at `dst`.
///
/// # Safety
///
/// As for [`input`] and [`output`].
#[inline]
pub(crate) unsafe fn buffers<'a, S, D>(
    src: *const S,
    src_len: usize,
    dst: *mut D,
    dst_len: usize,
) -> (&'a [S], &'a mut [D]) {
    // SAFETY: by this function's contract.
    let src = unsafe { input(src, src_len) };
    // SAFETY: by this function's contract.
    (src, unsafe { output(dst, dst_len) })
}

/// The text at `src` and the output at `dst`.
///
/// # Safety
///
/// As for [`text`] and [`output`].
#[inline]
pub(crate) unsafe fn text_and_output<'a, D>(
    src: *const u8,
    src_len: usize,
    dst: *mut D,
    dst_len: usize,
) -> (&'a str, &'a mut [D]) {
    // SAFETY: by this function's contract.
    let src = unsafe { text(src, src_len) };
    // SAFETY: by this function's contract.
    (src, unsafe { output(dst, dst_len) })
}

/// A number that C passes in, and reads after the call.
pub(crate) type InOut<'a> = Option<&'a mut usize>;

/// A flag that C reads after the call.
pub(crate) type FlagOut<'a> = Option<&'a mut MaybeUninit<bool>>;

/// Stores how much of the input and of the output was used, and returns the result.
#[inline]
pub(crate) fn store<R>(
    (result, read, written): (R, usize, usize),
    src_len: &mut usize,
    dst_len: &mut usize,
) -> R {
    *src_len = read;
    *dst_len = written;
    result
}

/// Stores whether anything was replaced, and returns the other results.
#[inline]
pub(crate) fn store_flag(
    (result, read, written, replaced): (CoderResult, usize, usize, bool),
    had_replacements: FlagOut<'_>,
) -> (CoderResult, usize, usize) {
    required(had_replacements).write(replaced);
    (result, read, written)
}

pub(crate) fn coder_result(result: CoderResult) -> u32 {
    match result {
        CoderResult::InputEmpty => INPUT_EMPTY,
        CoderResult::OutputFull => OUTPUT_FULL,
    }
}

/// The length of a malformed sequence is in the lowest byte, and the number of bytes read after it in the next one.
pub(crate) fn decoder_result(result: DecoderResult) -> u32 {
    match result {
        DecoderResult::InputEmpty => INPUT_EMPTY,
        DecoderResult::OutputFull => OUTPUT_FULL,
        DecoderResult::Malformed(len, read_after) => u32::from(read_after) << 8 | u32::from(len),
    }
}

pub(crate) fn encoder_result(result: EncoderResult) -> u32 {
    match result {
        EncoderResult::InputEmpty => INPUT_EMPTY,
        EncoderResult::OutputFull => OUTPUT_FULL,
        EncoderResult::Unmappable(ch) => u32::from(ch),
    }
}
