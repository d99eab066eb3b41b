//! encoding_rs after a C interface.
//!
//! Cargo links one build of a version into a program. The matrix has the one with the features that are
//! fastest on stable Rust; builds with other features or another compiler it loads when it runs
//! (`matrix/peers/encoding_rs.rs`).

use std::slice;

use encoding_rs::Encoding;

/// The encoding of a label, or null.
///
/// # Safety
///
/// `label` has `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_encoding(label: *const u8, len: usize) -> *const Encoding {
    // SAFETY: as promised.
    let label = unsafe { slice::from_raw_parts(label, len) };
    Encoding::for_label(label).map_or(std::ptr::null(), |encoding| encoding)
}

/// Returns the bytes written.
///
/// # Safety
///
/// `encoding` comes from [`peer_encoding`] and is not null, `src` has `src_len` bytes, and `dst` room for
/// `dst_len`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_decode_to_utf8(
    encoding: *const Encoding,
    src: *const u8,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) -> usize {
    // SAFETY: as promised; all encodings are static.
    let encoding: &'static Encoding = unsafe { &*encoding };
    // SAFETY: as promised.
    let src = unsafe { slice::from_raw_parts(src, src_len) };
    // SAFETY: as promised.
    let dst = unsafe { slice::from_raw_parts_mut(dst, dst_len) };
    let mut decoder = encoding.new_decoder_without_bom_handling();
    decoder.decode_to_utf8(src, dst, true).2
}

/// Returns the code units written.
///
/// # Safety
///
/// As for [`peer_decode_to_utf8`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_decode_to_utf16(
    encoding: *const Encoding,
    src: *const u8,
    src_len: usize,
    dst: *mut u16,
    dst_len: usize,
) -> usize {
    // SAFETY: as promised; all encodings are static.
    let encoding: &'static Encoding = unsafe { &*encoding };
    // SAFETY: as promised.
    let src = unsafe { slice::from_raw_parts(src, src_len) };
    // SAFETY: as promised.
    let dst = unsafe { slice::from_raw_parts_mut(dst, dst_len) };
    let mut decoder = encoding.new_decoder_without_bom_handling();
    decoder.decode_to_utf16(src, dst, true).2
}

/// Returns the bytes written.
///
/// # Safety
///
/// As for [`peer_decode_to_utf8`], and `src` is well-formed UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_encode_utf8(
    encoding: *const Encoding,
    src: *const u8,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) -> usize {
    // SAFETY: as promised; all encodings are static.
    let encoding: &'static Encoding = unsafe { &*encoding };
    // SAFETY: as promised.
    let src = unsafe { slice::from_raw_parts(src, src_len) };
    // SAFETY: as promised.
    let dst = unsafe { slice::from_raw_parts_mut(dst, dst_len) };
    // SAFETY: as promised. The check would be measured too.
    let src = unsafe { str::from_utf8_unchecked(src) };
    encoding.new_encoder().encode_from_utf8(src, dst, true).2
}

/// Returns the bytes written.
///
/// # Safety
///
/// As for [`peer_decode_to_utf8`], with code units for the bytes of `src`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_encode_utf16(
    encoding: *const Encoding,
    src: *const u16,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) -> usize {
    // SAFETY: as promised; all encodings are static.
    let encoding: &'static Encoding = unsafe { &*encoding };
    // SAFETY: as promised.
    let src = unsafe { slice::from_raw_parts(src, src_len) };
    // SAFETY: as promised.
    let dst = unsafe { slice::from_raw_parts_mut(dst, dst_len) };
    encoding.new_encoder().encode_from_utf16(src, dst, true).2
}
