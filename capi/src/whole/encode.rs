//! Encodes whole texts.

use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr;

use simdtext::{Encoding, MIN_ENCODED, Unmappable};

use super::{Memory, SCRATCH};
use crate::allocator::{Allocator, simdtext_allocator};
use crate::boundary::{Outcome, buffers, call_with_result, input, place};
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
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { buffers(src.cast::<u8>(), len, dst.cast::<u8>(), room) }?;
        stream(encoding, unmappable.get()?)?.encode_from_utf8(src, dst, true, result);
        Ok(())
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
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { buffers(src, len, dst.cast::<u8>(), room) }?;
        stream(encoding, unmappable.get()?)?.encode_from_utf16(src, dst, true, result);
        Ok(())
    })
}

/// The result of simdtext_encode_from_utf8 with enough room: `written` is the length of the output in bytes.
/// This takes as long as encoding does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoded_len_from_utf8(
    encoding: *const simdtext_encoding,
    src: *const c_char,
    len: usize,
    unmappable: simdtext_unmappable_number,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        let mut stream = stream(encoding, unmappable.get()?)?;
        count(src, result, |rest, dst, done| {
            stream.encode_from_utf8(rest, dst, true, done);
        });
        Ok(())
    })
}

/// The result of simdtext_encode_from_utf16 with enough room: `written` is the length of the output in bytes.
/// This takes as long as encoding does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoded_len_from_utf16(
    encoding: *const simdtext_encoding,
    src: *const simdtext_char16,
    len: usize,
    unmappable: simdtext_unmappable_number,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src, len) }?;
        let mut stream = stream(encoding, unmappable.get()?)?;
        count(src, result, |rest, dst, done| {
            stream.encode_from_utf16(rest, dst, true, done);
        });
        Ok(())
    })
}

/// Encodes all of `src` (UTF-8, `len` bytes) to memory from `allocator`, and stores a pointer to it in
/// `bytes`; `written` is its length (no NUL follows). Free it with simdtext_free and the same allocator; if
/// that was null, with free. `bytes` becomes null if the status is not SIMDTEXT_STATUS_OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encode_new_from_utf8(
    encoding: *const simdtext_encoding,
    src: *const c_char,
    len: usize,
    bytes: *mut *mut c_void,
    unmappable: simdtext_unmappable_number,
    allocator: *const simdtext_allocator,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let bytes = unsafe { place(bytes) }?.write(ptr::null_mut());
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        // SAFETY: the caller's promise.
        let allocator = unsafe { Allocator::new(allocator) }?;
        let mut stream = stream(encoding, unmappable.get()?)?;
        *bytes = encode_new(&allocator, src, result, |rest, dst, done| {
            stream.encode_from_utf8(rest, dst, true, done);
        })?;
        Ok(())
    })
}

/// Encodes all of `src` (UTF-16, `len` code units) to memory from `allocator`, and stores a pointer to it in
/// `bytes`; `written` is its length (no NUL follows). Free it with simdtext_free and the same allocator; if
/// that was null, with free. `bytes` becomes null if the status is not SIMDTEXT_STATUS_OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encode_new_from_utf16(
    encoding: *const simdtext_encoding,
    src: *const simdtext_char16,
    len: usize,
    bytes: *mut *mut c_void,
    unmappable: simdtext_unmappable_number,
    allocator: *const simdtext_allocator,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let bytes = unsafe { place(bytes) }?.write(ptr::null_mut());
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src, len) }?;
        // SAFETY: the caller's promise.
        let allocator = unsafe { Allocator::new(allocator) }?;
        let mut stream = stream(encoding, unmappable.get()?)?;
        *bytes = encode_new(&allocator, src, result, |rest, dst, done| {
            stream.encode_from_utf16(rest, dst, true, done);
        })?;
        Ok(())
    })
}

fn stream(encoding: &'static Encoding, unmappable: Unmappable) -> Outcome<Stream> {
    let encoder = encoding.encoder().ok_or(SIMDTEXT_STATUS_NO_ENCODER)?;
    Ok(Stream::new(encoder, unmappable))
}

/// Counts what `convert` writes, piece by piece.
fn count<S>(
    src: &[S],
    done: &mut simdtext_result,
    mut convert: impl FnMut(&[S], &mut [MaybeUninit<u8>], &mut simdtext_result),
) {
    let mut dst = [MaybeUninit::uninit(); SCRATCH];
    let mut sum = simdtext_result::NOTHING;
    loop {
        *done = simdtext_result::NOTHING;
        convert(src.get(sum.read..).unwrap_or_default(), &mut dst, done);
        add(done, &mut sum);
        if done.status != SIMDTEXT_STATUS_OUTPUT_FULL {
            return;
        }
    }
}

/// Encodes to memory that grows. Returns null if encoding stops.
fn encode_new<S>(
    allocator: &Allocator,
    src: &[S],
    done: &mut simdtext_result,
    mut convert: impl FnMut(&[S], &mut [MaybeUninit<u8>], &mut simdtext_result),
) -> Outcome<*mut c_void> {
    let mut bytes = Memory::new(allocator, src.len().saturating_add(2 * MIN_ENCODED))?;
    let mut sum = simdtext_result::NOTHING;
    loop {
        let rest = src.get(sum.read..).unwrap_or_default();
        *done = simdtext_result::NOTHING;
        convert(rest, bytes.free(), done);
        add(done, &mut sum);
        bytes.len = done.written;
        match done.status {
            SIMDTEXT_STATUS_OK => return Ok(bytes.take().cast()),
            SIMDTEXT_STATUS_OUTPUT_FULL => bytes.grow(rest.len().saturating_add(MIN_ENCODED))?,
            _ => return Ok(ptr::null_mut()),
        }
    }
}

/// Adds what the earlier calls did to what the last one did.
fn add(done: &mut simdtext_result, sum: &mut simdtext_result) {
    done.read += sum.read;
    done.written += sum.written;
    done.errors += sum.errors;
    *sum = *done;
}
