//! The functions `encoding_…`.

use simdtext_encoding_rs::{Decoder, Encoder, Encoding};

use crate::boundary::{InOut, input, output, required};

type EncodingIn = Option<&'static Encoding>;
type EncodingOut = Option<&'static Encoding>;

/// The encoding of a label, or NULL.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_for_label(
    label: *const u8,
    label_len: usize,
) -> EncodingOut {
    // SAFETY: the caller passes a buffer and its length.
    Encoding::for_label(unsafe { input(label, label_len) })
}

/// The encoding of a label, or NULL; NULL for the labels of replacement as well.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_for_label_no_replacement(
    label: *const u8,
    label_len: usize,
) -> EncodingOut {
    // SAFETY: the caller passes a buffer and its length.
    Encoding::for_label_no_replacement(unsafe { input(label, label_len) })
}

/// The encoding whose byte order mark the buffer starts with, or NULL. Stores the length of the mark.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_for_bom(
    buffer: *const u8,
    buffer_len: InOut<'_>,
) -> EncodingOut {
    let len = required(buffer_len);
    // SAFETY: the caller passes a buffer and its length.
    let found = Encoding::for_bom(unsafe { input(buffer, *len) });
    *len = found.map_or(0, |(_, mark)| mark);
    found.map(|(encoding, _)| encoding)
}

/// Writes the name, of at most 14 bytes and without a zero at its end, and returns its length.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_name(encoding: EncodingIn, name_out: *mut u8) -> usize {
    let name = required(encoding).name().as_bytes();
    // SAFETY: the caller passes a buffer for the longest name.
    unsafe { output(name_out, name.len()) }.copy_from_slice(name);
    name.len()
}

/// Whether the output encoding has every character.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoding_can_encode_everything(encoding: EncodingIn) -> bool {
    required(encoding).can_encode_everything()
}

/// Whether the bytes below 80 are ASCII, and stand for nothing else.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoding_is_ascii_compatible(encoding: EncodingIn) -> bool {
    required(encoding).is_ascii_compatible()
}

/// Whether each byte is a code unit of UTF-16.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoding_is_single_byte(encoding: EncodingIn) -> bool {
    required(encoding).is_single_byte()
}

/// The encoding that forms and URLs are encoded in.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoding_output_encoding(encoding: EncodingIn) -> &'static Encoding {
    required(encoding).output_encoding()
}

/// A decoder that follows a byte order mark. To be freed with `decoder_free`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoding_new_decoder(encoding: EncodingIn) -> Box<Decoder> {
    Box::new(required(encoding).new_decoder())
}

/// A decoder that removes the byte order mark of its own encoding. To be freed with `decoder_free`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoding_new_decoder_with_bom_removal(
    encoding: EncodingIn,
) -> Box<Decoder> {
    Box::new(required(encoding).new_decoder_with_bom_removal())
}

/// A decoder that decodes a byte order mark as text. To be freed with `decoder_free`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoding_new_decoder_without_bom_handling(
    encoding: EncodingIn,
) -> Box<Decoder> {
    Box::new(required(encoding).new_decoder_without_bom_handling())
}

/// Replaces an existing decoder by a new one, as `encoding_new_decoder` returns it.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoding_new_decoder_into(
    encoding: EncodingIn,
    decoder: Option<&mut Decoder>,
) {
    *required(decoder) = required(encoding).new_decoder();
}

/// Replaces an existing decoder by a new one, as `encoding_new_decoder_with_bom_removal` returns it.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoding_new_decoder_with_bom_removal_into(
    encoding: EncodingIn,
    decoder: Option<&mut Decoder>,
) {
    *required(decoder) = required(encoding).new_decoder_with_bom_removal();
}

/// Replaces an existing decoder by a new one, as `encoding_new_decoder_without_bom_handling` returns it.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoding_new_decoder_without_bom_handling_into(
    encoding: EncodingIn,
    decoder: Option<&mut Decoder>,
) {
    *required(decoder) = required(encoding).new_decoder_without_bom_handling();
}

/// An encoder to the output encoding. To be freed with `encoder_free`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoding_new_encoder(encoding: EncodingIn) -> Box<Encoder> {
    Box::new(required(encoding).new_encoder())
}

/// Replaces an existing encoder by a new one.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encoding_new_encoder_into(
    encoding: EncodingIn,
    encoder: Option<&mut Encoder>,
) {
    *required(encoder) = required(encoding).new_encoder();
}

/// The offset of the first malformed sequence of UTF-8, or the length.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_utf8_valid_up_to(
    buffer: *const u8,
    buffer_len: usize,
) -> usize {
    // SAFETY: the caller passes a buffer and its length.
    Encoding::utf8_valid_up_to(unsafe { input(buffer, buffer_len) })
}

/// The offset of the first byte that is not ASCII, or the length.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_ascii_valid_up_to(
    buffer: *const u8,
    buffer_len: usize,
) -> usize {
    // SAFETY: the caller passes a buffer and its length.
    Encoding::ascii_valid_up_to(unsafe { input(buffer, buffer_len) })
}

/// The offset of the first byte that is not ASCII in ISO-2022-JP, or the length.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn encoding_iso_2022_jp_ascii_valid_up_to(
    buffer: *const u8,
    buffer_len: usize,
) -> usize {
    // SAFETY: the caller passes a buffer and its length.
    Encoding::iso_2022_jp_ascii_valid_up_to(unsafe { input(buffer, buffer_len) })
}
