//! The functions `encoder_…`.

use simdtext_encoding_rs::{Encoder, Encoding};

use crate::boundary::{
    FlagOut, InOut, buffers, coder_result, encoder_result, required, store, store_flag,
    text_and_output,
};

/// Frees an encoder; does nothing if it is NULL.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoder_free(_encoder: Option<Box<Encoder>>) {}

/// The encoding, which is an output encoding.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoder_encoding(encoder: Option<&Encoder>) -> &'static Encoding {
    required(encoder).encoding()
}

/// Whether the end of the stream still has to write an escape sequence.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoder_has_pending_state(encoder: Option<&Encoder>) -> bool {
    required(encoder).has_pending_state()
}

/// The number of bytes that suffices for bytes of UTF-8 if nothing is unmappable, or `SIZE_MAX` if it
/// overflows.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoder_max_buffer_length_from_utf8_if_no_unmappables(
    encoder: Option<&Encoder>,
    byte_length: usize,
) -> usize {
    let len = required(encoder).max_buffer_length_from_utf8_if_no_unmappables(byte_length);
    len.unwrap_or(usize::MAX)
}

/// The number of bytes that suffices for bytes of UTF-8 without replacement, or `SIZE_MAX` if it overflows.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoder_max_buffer_length_from_utf8_without_replacement(
    encoder: Option<&Encoder>,
    byte_length: usize,
) -> usize {
    let len = required(encoder).max_buffer_length_from_utf8_without_replacement(byte_length);
    len.unwrap_or(usize::MAX)
}

/// The number of bytes that suffices for code units of UTF-16 if nothing is unmappable, or `SIZE_MAX` if it
/// overflows.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoder_max_buffer_length_from_utf16_if_no_unmappables(
    encoder: Option<&Encoder>,
    u16_length: usize,
) -> usize {
    let len = required(encoder).max_buffer_length_from_utf16_if_no_unmappables(u16_length);
    len.unwrap_or(usize::MAX)
}

/// The number of bytes that suffices for code units of UTF-16 without replacement, or `SIZE_MAX` if it
/// overflows.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoder_max_buffer_length_from_utf16_without_replacement(
    encoder: Option<&Encoder>,
    u16_length: usize,
) -> usize {
    let len = required(encoder).max_buffer_length_from_utf16_without_replacement(u16_length);
    len.unwrap_or(usize::MAX)
}

/// Encodes UTF-8, which must be well-formed, with numeric character references for what is unmappable.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoder_encode_from_utf8(
    encoder: Option<&mut Encoder>,
    src: *const u8,
    src_len: InOut<'_>,
    dst: *mut u8,
    dst_len: InOut<'_>,
    last: bool,
    had_replacements: FlagOut<'_>,
) -> u32 {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: the caller passes UTF-8 and a buffer that do not overlap, and their lengths.
    let (src, dst) = unsafe { text_and_output(src, *src_len, dst, *dst_len) };
    let done = required(encoder).encode_from_utf8(src, dst, last);
    coder_result(store(store_flag(done, had_replacements), src_len, dst_len))
}

/// Encodes UTF-8, which must be well-formed, and stops after each unmappable character.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoder_encode_from_utf8_without_replacement(
    encoder: Option<&mut Encoder>,
    src: *const u8,
    src_len: InOut<'_>,
    dst: *mut u8,
    dst_len: InOut<'_>,
    last: bool,
) -> u32 {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: the caller passes UTF-8 and a buffer that do not overlap, and their lengths.
    let (src, dst) = unsafe { text_and_output(src, *src_len, dst, *dst_len) };
    let done = required(encoder).encode_from_utf8_without_replacement(src, dst, last);
    encoder_result(store(done, src_len, dst_len))
}

/// Encodes UTF-16, with numeric character references for what is unmappable.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoder_encode_from_utf16(
    encoder: Option<&mut Encoder>,
    src: *const u16,
    src_len: InOut<'_>,
    dst: *mut u8,
    dst_len: InOut<'_>,
    last: bool,
    had_replacements: FlagOut<'_>,
) -> u32 {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, *src_len, dst, *dst_len) };
    let done = required(encoder).encode_from_utf16(src, dst, last);
    coder_result(store(store_flag(done, had_replacements), src_len, dst_len))
}

/// Encodes UTF-16, and stops after each unmappable character.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoder_encode_from_utf16_without_replacement(
    encoder: Option<&mut Encoder>,
    src: *const u16,
    src_len: InOut<'_>,
    dst: *mut u8,
    dst_len: InOut<'_>,
    last: bool,
) -> u32 {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: the caller passes two buffers that do not overlap, and their lengths.
    let (src, dst) = unsafe { buffers(src, *src_len, dst, *dst_len) };
    let done = required(encoder).encode_from_utf16_without_replacement(src, dst, last);
    encoder_result(store(done, src_len, dst_len))
}
