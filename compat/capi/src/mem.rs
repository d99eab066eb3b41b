//! The functions `encoding_mem_…`, which are those of encoding_c_mem.

use simdtext_encoding_rs::mem::{self, Latin1Bidi};

use crate::boundary::{InOut, buffers, input, output, required, store, text, text_and_output};

/// Whether all bytes are ASCII.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_is_ascii(buffer: *const u8, len: usize) -> bool {
    // SAFETY: the caller passes a buffer and its length.
    mem::is_ascii(unsafe { input(buffer, len) })
}

/// Whether all code units are below U+0080.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_is_basic_latin(
    buffer: *const u16,
    len: usize,
) -> bool {
    // SAFETY: the caller passes a buffer and its length.
    mem::is_basic_latin(unsafe { input(buffer, len) })
}

/// Whether the bytes are well-formed UTF-8 of code points up to U+00FF.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_is_utf8_latin1(buffer: *const u8, len: usize) -> bool {
    // SAFETY: the caller passes a buffer and its length.
    mem::is_utf8_latin1(unsafe { input(buffer, len) })
}

/// Whether all code points are up to U+00FF.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_is_str_latin1(buffer: *const u8, len: usize) -> bool {
    // SAFETY: the caller passes well-formed UTF-8 and its length.
    mem::is_str_latin1(unsafe { text(buffer, len) })
}

/// Whether all code units are up to U+00FF.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_is_utf16_latin1(
    buffer: *const u16,
    len: usize,
) -> bool {
    // SAFETY: the caller passes a buffer and its length.
    mem::is_utf16_latin1(unsafe { input(buffer, len) })
}

/// Whether the bytes are not well-formed UTF-8, or any character is written from right to left.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_is_utf8_bidi(buffer: *const u8, len: usize) -> bool {
    // SAFETY: the caller passes a buffer and its length.
    mem::is_utf8_bidi(unsafe { input(buffer, len) })
}

/// Whether any character is written from right to left.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_is_str_bidi(buffer: *const u8, len: usize) -> bool {
    // SAFETY: the caller passes well-formed UTF-8 and its length.
    mem::is_str_bidi(unsafe { text(buffer, len) })
}

/// Whether any code unit is a character that is written from right to left, or may be the first half of one.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_is_utf16_bidi(buffer: *const u16, len: usize) -> bool {
    // SAFETY: the caller passes a buffer and its length.
    mem::is_utf16_bidi(unsafe { input(buffer, len) })
}

/// Whether a character is written from right to left; false for a number that is not a scalar value.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoding_mem_is_char_bidi(c: u32) -> bool {
    char::from_u32(c).is_some_and(mem::is_char_bidi)
}

/// Whether a code unit is a character that is written from right to left, or may be the first half of one.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoding_mem_is_utf16_code_unit_bidi(u: u16) -> bool {
    mem::is_utf16_code_unit_bidi(u)
}

/// 0 for Latin-1, 1 for other text from left to right, 2 for text from right to left and malformed UTF-8.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_check_utf8_for_latin1_and_bidi(
    buffer: *const u8,
    len: usize,
) -> Latin1Bidi {
    // SAFETY: the caller passes a buffer and its length.
    mem::check_utf8_for_latin1_and_bidi(unsafe { input(buffer, len) })
}

/// 0 for Latin-1, 1 for other text from left to right, 2 for text from right to left.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_check_str_for_latin1_and_bidi(
    buffer: *const u8,
    len: usize,
) -> Latin1Bidi {
    // SAFETY: the caller passes well-formed UTF-8 and its length.
    mem::check_str_for_latin1_and_bidi(unsafe { text(buffer, len) })
}

/// 0 for Latin-1, 1 for other text from left to right, 2 for text from right to left.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_check_utf16_for_latin1_and_bidi(
    buffer: *const u16,
    len: usize,
) -> Latin1Bidi {
    // SAFETY: the caller passes a buffer and its length.
    mem::check_utf16_for_latin1_and_bidi(unsafe { input(buffer, len) })
}

/// The offset of the first lone surrogate, or the length.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_utf16_valid_up_to(
    buffer: *const u16,
    len: usize,
) -> usize {
    // SAFETY: the caller passes a buffer and its length.
    mem::utf16_valid_up_to(unsafe { input(buffer, len) })
}

/// The offset of the first malformed sequence or code point above U+00FF, or the length.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_utf8_latin1_up_to(
    buffer: *const u8,
    len: usize,
) -> usize {
    // SAFETY: the caller passes a buffer and its length.
    mem::utf8_latin1_up_to(unsafe { input(buffer, len) })
}

/// The offset of the first code point above U+00FF, or the length.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_str_latin1_up_to(
    buffer: *const u8,
    len: usize,
) -> usize {
    // SAFETY: the caller passes well-formed UTF-8 and its length.
    mem::str_latin1_up_to(unsafe { text(buffer, len) })
}

/// Replaces lone surrogates with U+FFFD.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_ensure_utf16_validity(buffer: *mut u16, len: usize) {
    // SAFETY: the caller passes a buffer and its length.
    mem::ensure_utf16_validity(unsafe { output(buffer, len) });
}

/// Copies ASCII up to the first byte that is not ASCII, and returns its length.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_copy_ascii_to_ascii(
    src: *const u8,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) -> usize {
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, src_len, dst, dst_len) };
    mem::copy_ascii_to_ascii(src, dst)
}

/// Widens ASCII up to the first byte that is not ASCII, and returns its length.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_copy_ascii_to_basic_latin(
    src: *const u8,
    src_len: usize,
    dst: *mut u16,
    dst_len: usize,
) -> usize {
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, src_len, dst, dst_len) };
    mem::copy_ascii_to_basic_latin(src, dst)
}

/// Narrows ASCII up to the first code unit that is not ASCII, and returns its length.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_copy_basic_latin_to_ascii(
    src: *const u16,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) -> usize {
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, src_len, dst, dst_len) };
    mem::copy_basic_latin_to_ascii(src, dst)
}

/// UTF-8 to UTF-16, with U+FFFD for what is malformed. Returns the code units written.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_convert_utf8_to_utf16(
    src: *const u8,
    src_len: usize,
    dst: *mut u16,
    dst_len: usize,
) -> usize {
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, src_len, dst, dst_len) };
    mem::convert_utf8_to_utf16(src, dst)
}

/// UTF-8 to UTF-16. Returns the code units written.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_convert_str_to_utf16(
    src: *const u8,
    src_len: usize,
    dst: *mut u16,
    dst_len: usize,
) -> usize {
    // SAFETY: the caller passes well-formed UTF-8 and a buffer that do not overlap, and their lengths.
    let (src, dst) = unsafe { text_and_output(src, src_len, dst, dst_len) };
    mem::convert_str_to_utf16(src, dst)
}

/// UTF-8 to UTF-16. Returns the code units written, or `SIZE_MAX` if anything is malformed.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_convert_utf8_to_utf16_without_replacement(
    src: *const u8,
    src_len: usize,
    dst: *mut u16,
    dst_len: usize,
) -> usize {
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, src_len, dst, dst_len) };
    mem::convert_utf8_to_utf16_without_replacement(src, dst).unwrap_or(usize::MAX)
}

/// UTF-16 to UTF-8, with U+FFFD for lone surrogates. Returns the bytes written.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_convert_utf16_to_utf8(
    src: *const u16,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) -> usize {
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, src_len, dst, dst_len) };
    mem::convert_utf16_to_utf8(src, dst)
}

/// Latin-1 to UTF-16.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_convert_latin1_to_utf16(
    src: *const u8,
    src_len: usize,
    dst: *mut u16,
    dst_len: usize,
) {
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, src_len, dst, dst_len) };
    mem::convert_latin1_to_utf16(src, dst);
}

/// Latin-1 to UTF-8. Returns the bytes written.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_convert_latin1_to_utf8(
    src: *const u8,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) -> usize {
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, src_len, dst, dst_len) };
    mem::convert_latin1_to_utf8(src, dst)
}

/// UTF-8 up to U+00FF to Latin-1. Returns the bytes written.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_convert_utf8_to_latin1_lossy(
    src: *const u8,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) -> usize {
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, src_len, dst, dst_len) };
    mem::convert_utf8_to_latin1_lossy(src, dst)
}

/// UTF-16 up to U+00FF to Latin-1.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_convert_utf16_to_latin1_lossy(
    src: *const u16,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) {
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, src_len, dst, dst_len) };
    mem::convert_utf16_to_latin1_lossy(src, dst);
}

/// As much UTF-16 to UTF-8 as there is room for, with U+FFFD for lone surrogates.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_convert_utf16_to_utf8_partial(
    src: *const u16,
    src_len: InOut<'_>,
    dst: *mut u8,
    dst_len: InOut<'_>,
) {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, *src_len, dst, *dst_len) };
    let (read, written) = mem::convert_utf16_to_utf8_partial(src, dst);
    store(((), read, written), src_len, dst_len);
}

/// As much Latin-1 to UTF-8 as there is room for.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_mem_convert_latin1_to_utf8_partial(
    src: *const u8,
    src_len: InOut<'_>,
    dst: *mut u8,
    dst_len: InOut<'_>,
) {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, *src_len, dst, *dst_len) };
    let (read, written) = mem::convert_latin1_to_utf8_partial(src, dst);
    store(((), read, written), src_len, dst_len);
}
