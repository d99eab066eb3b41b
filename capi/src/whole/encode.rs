//! Encoding.

use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr;

use simdtext::{Encoding, MIN_ENCODED, Unmappable};

use super::{Memory, SCRATCH, add};
use crate::allocator::{Allocator, simdtext_allocator};
use crate::boundary::{Outcome, buffers, call, input, place};
use crate::encoder::Stream;
use crate::encoding::{encoding_of, simdtext_encoding};
use crate::types::simdtext_status::{
    SIMDTEXT_STATUS_NO_ENCODER, SIMDTEXT_STATUS_OK, SIMDTEXT_STATUS_OUTPUT_FULL,
};
use crate::types::{simdtext_char16, simdtext_result, simdtext_unmappable_number};

/// Encodes all of `src` (UTF-8, `len` bytes) to `dst` (room for `room` bytes), as
/// simdtext_encoder_encode_from_utf8 does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encode_from_utf8(
    encoding: *const simdtext_encoding,
    src: *const c_char,
    len: usize,
    dst: *mut c_void,
    room: usize,
    unmappable: simdtext_unmappable_number,
) -> simdtext_result {
    call(|| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { buffers(src.cast::<u8>(), len, dst.cast::<u8>(), room) }?;
        Ok(stream(encoding, unmappable.get()?)?.encode_from_utf8(src, dst, true))
    })
}

/// Encodes all of `src` (UTF-16, `len` code units) to `dst` (room for `room` bytes), as
/// simdtext_encoder_encode_from_utf16 does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encode_from_utf16(
    encoding: *const simdtext_encoding,
    src: *const simdtext_char16,
    len: usize,
    dst: *mut c_void,
    room: usize,
    unmappable: simdtext_unmappable_number,
) -> simdtext_result {
    call(|| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { buffers(src, len, dst.cast::<u8>(), room) }?;
        Ok(stream(encoding, unmappable.get()?)?.encode_from_utf16(src, dst, true))
    })
}

/// What simdtext_encode_from_utf8 would do with enough room: `written` is the length of the output in bytes. It
/// takes as long as encoding does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoded_len_from_utf8(
    encoding: *const simdtext_encoding,
    src: *const c_char,
    len: usize,
    unmappable: simdtext_unmappable_number,
) -> simdtext_result {
    call(|| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        let mut stream = stream(encoding, unmappable.get()?)?;
        Ok(count(src, |rest, dst| {
            stream.encode_from_utf8(rest, dst, true)
        }))
    })
}

/// What simdtext_encode_from_utf16 would do with enough room: `written` is the length of the output in bytes. It
/// takes as long as encoding does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoded_len_from_utf16(
    encoding: *const simdtext_encoding,
    src: *const simdtext_char16,
    len: usize,
    unmappable: simdtext_unmappable_number,
) -> simdtext_result {
    call(|| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src, len) }?;
        let mut stream = stream(encoding, unmappable.get()?)?;
        Ok(count(src, |rest, dst| {
            stream.encode_from_utf16(rest, dst, true)
        }))
    })
}

/// Encodes all of `src` (UTF-8, `len` bytes) to memory from `allocator`, which is stored to `bytes`; `written` is
/// its length (no NUL follows). Free it with simdtext_free and the same allocator; if that was null, with free.
/// `bytes` becomes null if the status is not SIMDTEXT_STATUS_OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encode_new_from_utf8(
    encoding: *const simdtext_encoding,
    src: *const c_char,
    len: usize,
    bytes: *mut *mut c_void,
    unmappable: simdtext_unmappable_number,
    allocator: *const simdtext_allocator,
) -> simdtext_result {
    call(|| {
        // SAFETY: the caller's promise.
        let bytes = unsafe { place(bytes) }?.write(ptr::null_mut());
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        // SAFETY: the caller's promise.
        let allocator = unsafe { Allocator::new(allocator) }?;
        let mut stream = stream(encoding, unmappable.get()?)?;
        let (units, result) = encode_new(&allocator, src, |rest, dst| {
            stream.encode_from_utf8(rest, dst, true)
        })?;
        *bytes = units.cast();
        Ok(result)
    })
}

/// Encodes all of `src` (UTF-16, `len` code units) to memory from `allocator`, which is stored to `bytes`;
/// `written` is its length (no NUL follows). Free it with simdtext_free and the same allocator; if that was null,
/// with free. `bytes` becomes null if the status is not SIMDTEXT_STATUS_OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encode_new_from_utf16(
    encoding: *const simdtext_encoding,
    src: *const simdtext_char16,
    len: usize,
    bytes: *mut *mut c_void,
    unmappable: simdtext_unmappable_number,
    allocator: *const simdtext_allocator,
) -> simdtext_result {
    call(|| {
        // SAFETY: the caller's promise.
        let bytes = unsafe { place(bytes) }?.write(ptr::null_mut());
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src, len) }?;
        // SAFETY: the caller's promise.
        let allocator = unsafe { Allocator::new(allocator) }?;
        let mut stream = stream(encoding, unmappable.get()?)?;
        let (units, result) = encode_new(&allocator, src, |rest, dst| {
            stream.encode_from_utf16(rest, dst, true)
        })?;
        *bytes = units.cast();
        Ok(result)
    })
}

fn stream(encoding: &'static Encoding, unmappable: Unmappable) -> Outcome<Stream> {
    let encoder = encoding.encoder().ok_or(SIMDTEXT_STATUS_NO_ENCODER)?;
    Ok(Stream::new(encoder, unmappable))
}

/// Counts what `convert` writes, piece by piece.
fn count<S>(
    src: &[S],
    mut convert: impl FnMut(&[S], &mut [MaybeUninit<u8>]) -> simdtext_result,
) -> simdtext_result {
    let mut sum = simdtext_result::NOTHING;
    let mut dst = [MaybeUninit::uninit(); SCRATCH];
    loop {
        let rest = src.get(sum.read..).unwrap_or_default();
        sum = add(sum, convert(rest, &mut dst));
        if sum.status != SIMDTEXT_STATUS_OUTPUT_FULL {
            return sum;
        }
    }
}

/// Encodes to memory that grows.
fn encode_new<S>(
    allocator: &Allocator,
    src: &[S],
    mut convert: impl FnMut(&[S], &mut [MaybeUninit<u8>]) -> simdtext_result,
) -> Outcome<(*mut u8, simdtext_result)> {
    let mut text = Memory::new(allocator, src.len().saturating_add(2 * MIN_ENCODED))?;
    let mut sum = simdtext_result::NOTHING;
    loop {
        let rest = src.get(sum.read..).unwrap_or_default();
        sum = add(sum, convert(rest, text.free()));
        text.len = sum.written;
        match sum.status {
            SIMDTEXT_STATUS_OK => return Ok((text.take(), sum)),
            SIMDTEXT_STATUS_OUTPUT_FULL => text.grow(rest.len().saturating_add(MIN_ENCODED))?,
            _ => return Ok((ptr::null_mut(), sum)),
        }
    }
}
