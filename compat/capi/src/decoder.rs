//! The functions `decoder_…`.

use simdtext_encoding_rs::{Decoder, Encoding};

use crate::boundary::{
    FlagOut, InOut, buffers, coder_result, decoder_result, input, required, store, store_flag,
};

/// Frees a decoder; does nothing if it is NULL.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn decoder_free(_decoder: Option<Box<Decoder>>) {}

/// The encoding, which a byte order mark may change.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn decoder_encoding(decoder: Option<&Decoder>) -> &'static Encoding {
    required(decoder).encoding()
}

/// The number of bytes of UTF-8 that always suffices, or `SIZE_MAX` if it overflows.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn decoder_max_utf8_buffer_length(
    decoder: Option<&Decoder>,
    byte_length: usize,
) -> usize {
    let len = required(decoder).max_utf8_buffer_length(byte_length);
    len.unwrap_or(usize::MAX)
}

/// The number of bytes of UTF-8 that suffices without replacement, or `SIZE_MAX` if it overflows.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn decoder_max_utf8_buffer_length_without_replacement(
    decoder: Option<&Decoder>,
    byte_length: usize,
) -> usize {
    let len = required(decoder).max_utf8_buffer_length_without_replacement(byte_length);
    len.unwrap_or(usize::MAX)
}

/// The number of code units of UTF-16 that always suffices, or `SIZE_MAX` if it overflows.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn decoder_max_utf16_buffer_length(
    decoder: Option<&Decoder>,
    byte_length: usize,
) -> usize {
    let len = required(decoder).max_utf16_buffer_length(byte_length);
    len.unwrap_or(usize::MAX)
}

/// Decodes to UTF-8, with U+FFFD for what is malformed.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn decoder_decode_to_utf8(
    decoder: Option<&mut Decoder>,
    src: *const u8,
    src_len: InOut<'_>,
    dst: *mut u8,
    dst_len: InOut<'_>,
    last: bool,
    had_replacements: FlagOut<'_>,
) -> u32 {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, *src_len, dst, *dst_len) };
    let done = required(decoder).decode_to_utf8(src, dst, last);
    coder_result(store(store_flag(done, had_replacements), src_len, dst_len))
}

/// Decodes to UTF-8, and stops after each malformed sequence.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn decoder_decode_to_utf8_without_replacement(
    decoder: Option<&mut Decoder>,
    src: *const u8,
    src_len: InOut<'_>,
    dst: *mut u8,
    dst_len: InOut<'_>,
    last: bool,
) -> u32 {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, *src_len, dst, *dst_len) };
    let done = required(decoder).decode_to_utf8_without_replacement(src, dst, last);
    decoder_result(store(done, src_len, dst_len))
}

/// Decodes to UTF-16, with U+FFFD for what is malformed.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn decoder_decode_to_utf16(
    decoder: Option<&mut Decoder>,
    src: *const u8,
    src_len: InOut<'_>,
    dst: *mut u16,
    dst_len: InOut<'_>,
    last: bool,
    had_replacements: FlagOut<'_>,
) -> u32 {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, *src_len, dst, *dst_len) };
    let done = required(decoder).decode_to_utf16(src, dst, last);
    coder_result(store(store_flag(done, had_replacements), src_len, dst_len))
}

/// Decodes to UTF-16, and stops after each malformed sequence.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn decoder_decode_to_utf16_without_replacement(
    decoder: Option<&mut Decoder>,
    src: *const u8,
    src_len: InOut<'_>,
    dst: *mut u16,
    dst_len: InOut<'_>,
    last: bool,
) -> u32 {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, *src_len, dst, *dst_len) };
    let done = required(decoder).decode_to_utf16_without_replacement(src, dst, last);
    decoder_result(store(done, src_len, dst_len))
}

/// How many of the bytes decode to code units equal to them, if they come next, or `SIZE_MAX` if that is not
/// known.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn decoder_latin1_byte_compatible_up_to(
    decoder: Option<&Decoder>,
    buffer: *const u8,
    buffer_len: usize,
) -> usize {
    // SAFETY: the caller passes a buffer and its length.
    let buffer = unsafe { input(buffer, buffer_len) };
    let len = required(decoder).latin1_byte_compatible_up_to(buffer);
    len.unwrap_or(usize::MAX)
}
