//! Decodes whole texts.

use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr;

use simdtext::{Bom, Decoder, Encoding, Progress, Status};

use super::{Memory, SCRATCH};
use crate::allocator::{Allocator, simdtext_allocator};
use crate::boundary::{Outcome, buffers, call_with_result, input, place};
use crate::encoding::{encoding_of, simdtext_encoding};
use crate::types::simdtext_status::{SIMDTEXT_STATUS_OK, SIMDTEXT_STATUS_OUTPUT_FULL};
use crate::types::{
    simdtext_bom_number, simdtext_char16, simdtext_malformed_number, simdtext_result,
};

/// Decodes all of `src` (`len` bytes) to UTF-8 in `dst` (room for `room` bytes). 3 * `len` bytes are always
/// enough, and simdtext_decoded_utf8_len counts how many are needed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decode_to_utf8(
    encoding: *const simdtext_encoding,
    src: *const c_void,
    len: usize,
    dst: *mut c_char,
    room: usize,
    bom: simdtext_bom_number,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { buffers(src.cast::<u8>(), len, dst.cast::<u8>(), room) }?;
        let mut whole = Decoding::<u8>::new(encoding, src, bom.get()?, malformed.is_stop()?);
        whole.run(dst, result);
        Ok(())
    })
}

/// Decodes all of `src` (`len` bytes) to UTF-16 in `dst` (room for `room` code units). `len` units are always
/// enough, and simdtext_decoded_utf16_len counts how many are needed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decode_to_utf16(
    encoding: *const simdtext_encoding,
    src: *const c_void,
    len: usize,
    dst: *mut simdtext_char16,
    room: usize,
    bom: simdtext_bom_number,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { buffers(src.cast::<u8>(), len, dst, room) }?;
        let mut whole = Decoding::<u16>::new(encoding, src, bom.get()?, malformed.is_stop()?);
        whole.run(dst, result);
        Ok(())
    })
}

/// The result of simdtext_decode_to_utf8 with enough room: `written` is the length of the text in bytes. This
/// takes as long as decoding does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decoded_utf8_len(
    encoding: *const simdtext_encoding,
    src: *const c_void,
    len: usize,
    bom: simdtext_bom_number,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        let whole = Decoding::<u8>::new(encoding, src, bom.get()?, malformed.is_stop()?);
        whole.count(result);
        Ok(())
    })
}

/// The result of simdtext_decode_to_utf16 with enough room: `written` is the length of the text in code
/// units. This takes as long as decoding does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decoded_utf16_len(
    encoding: *const simdtext_encoding,
    src: *const c_void,
    len: usize,
    bom: simdtext_bom_number,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        let whole = Decoding::<u16>::new(encoding, src, bom.get()?, malformed.is_stop()?);
        whole.count(result);
        Ok(())
    })
}

/// Decodes all of `src` (`len` bytes) to UTF-8 in memory from `allocator`, and stores a pointer to it in
/// `text`; `written` is its length without the NUL that ends it. Free it with simdtext_free and the same
/// allocator; if that was null, with free. `text` becomes null if the status is not SIMDTEXT_STATUS_OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decode_to_new_utf8(
    encoding: *const simdtext_encoding,
    src: *const c_void,
    len: usize,
    text: *mut *mut c_char,
    bom: simdtext_bom_number,
    malformed: simdtext_malformed_number,
    allocator: *const simdtext_allocator,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let text = unsafe { place(text) }?.write(ptr::null_mut());
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        // SAFETY: the caller's promise.
        let allocator = unsafe { Allocator::new(allocator) }?;
        let whole = Decoding::<u8>::new(encoding, src, bom.get()?, malformed.is_stop()?);
        *text = whole.allocate(&allocator, result)?.cast();
        Ok(())
    })
}

/// Decodes all of `src` (`len` bytes) to UTF-16 in memory from `allocator`, and stores a pointer to it in
/// `text`; `written` is its length without the NUL that ends it. Free it with simdtext_free and the same
/// allocator; if that was null, with free. `text` becomes null if the status is not SIMDTEXT_STATUS_OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decode_to_new_utf16(
    encoding: *const simdtext_encoding,
    src: *const c_void,
    len: usize,
    text: *mut *mut simdtext_char16,
    bom: simdtext_bom_number,
    malformed: simdtext_malformed_number,
    allocator: *const simdtext_allocator,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let text = unsafe { place(text) }?.write(ptr::null_mut());
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        // SAFETY: the caller's promise.
        let allocator = unsafe { Allocator::new(allocator) }?;
        let whole = Decoding::<u16>::new(encoding, src, bom.get()?, malformed.is_stop()?);
        *text = whole.allocate(&allocator, result)?;
        Ok(())
    })
}

/// A unit of the text that is decoded to.
trait Unit: Copy + 'static {
    /// U+FFFD.
    const REPLACEMENT: &'static [Self];
    const NUL: Self;
    /// The length of the text that `len` bytes become, as a first guess.
    fn guess(len: usize) -> usize;
    fn decode(decoder: &mut Decoder, src: &[u8], dst: &mut [MaybeUninit<Self>]) -> Progress;
    fn decode_strict(decoder: &mut Decoder, src: &[u8], dst: &mut [MaybeUninit<Self>]) -> Progress;
    /// The most units that `len` more bytes become.
    fn most(decoder: &Decoder, len: usize) -> Option<usize>;
}

impl Unit for u8 {
    const REPLACEMENT: &'static [u8] = "\u{FFFD}".as_bytes();
    const NUL: u8 = 0;

    fn guess(len: usize) -> usize {
        len + len / 2 + 16
    }

    #[inline(always)]
    fn decode(decoder: &mut Decoder, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
        decoder.decode_to_utf8_uninit(src, dst, true)
    }

    #[inline(always)]
    fn decode_strict(decoder: &mut Decoder, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
        decoder.decode_to_utf8_strict_uninit(src, dst, true)
    }

    fn most(decoder: &Decoder, len: usize) -> Option<usize> {
        decoder.max_utf8_len(len)
    }
}

impl Unit for u16 {
    const REPLACEMENT: &'static [u16] = &[0xFFFD];
    const NUL: u16 = 0;

    fn guess(len: usize) -> usize {
        len + 2
    }

    #[inline(always)]
    fn decode(decoder: &mut Decoder, src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Progress {
        decoder.decode_to_utf16_uninit(src, dst, true)
    }

    #[inline(always)]
    fn decode_strict(decoder: &mut Decoder, src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Progress {
        decoder.decode_to_utf16_strict_uninit(src, dst, true)
    }

    fn most(decoder: &Decoder, len: usize) -> Option<usize> {
        decoder.max_utf16_len(len)
    }
}

/// A whole text that is being decoded.
struct Decoding<'a, U: 'static> {
    decoder: Decoder,
    src: &'a [u8],
    stops: bool,
    /// The part of U+FFFD for the first malformed sequence that is still to be written.
    owed: &'static [U],
}

impl<'a, U: Unit> Decoding<'a, U> {
    #[inline(always)]
    fn new(encoding: &'static Encoding, src: &'a [u8], bom: Bom, stops: bool) -> Self {
        Decoding {
            decoder: encoding.decoder(bom),
            src,
            stops,
            owed: &[],
        }
    }

    /// Goes on, into a buffer without content. Adds to `done`, and sets the status.
    #[inline(always)]
    fn run(&mut self, dst: &mut [MaybeUninit<U>], done: &mut simdtext_result) {
        // It pays to stop only for the first malformed sequence.
        if done.fault.len > 0 {
            *done = self.run_on(dst, *done);
            return;
        }
        let rest = self.src.get(done.read..).unwrap_or_default();
        let progress = U::decode_strict(&mut self.decoder, rest, dst);
        done.add(progress, self.decoder.encoding());
        if matches!(progress.status, Status::Malformed(_)) && !self.stops {
            self.owed = U::REPLACEMENT;
            *done = self.run_on(dst.get_mut(progress.written..).unwrap_or_default(), *done);
        }
    }

    /// Replaces the first malformed sequence and goes on after it.
    #[cold]
    fn run_on(&mut self, dst: &mut [MaybeUninit<U>], mut done: simdtext_result) -> simdtext_result {
        let Some((first, dst)) = dst.split_at_mut_checked(self.owed.len()) else {
            done.status = SIMDTEXT_STATUS_OUTPUT_FULL;
            return done;
        };
        for (to, from) in first.iter_mut().zip(self.owed) {
            to.write(*from);
        }
        done.written += self.owed.len();
        self.owed = &[];
        let rest = self.src.get(done.read..).unwrap_or_default();
        let progress = U::decode(&mut self.decoder, rest, dst);
        done.add(progress, self.decoder.encoding());
        done
    }

    fn count(mut self, done: &mut simdtext_result) {
        let mut dst = [const { MaybeUninit::uninit() }; SCRATCH];
        loop {
            self.run(&mut dst, done);
            if done.status != SIMDTEXT_STATUS_OUTPUT_FULL {
                return;
            }
        }
    }

    /// Decodes to memory that grows, and ends the text with NUL. Returns null if decoding stops.
    fn allocate(mut self, allocator: &Allocator, done: &mut simdtext_result) -> Outcome<*mut U> {
        let mut text = Memory::new(allocator, U::guess(self.src.len()))?;
        loop {
            self.run(text.free(), done);
            text.len = done.written;
            match done.status {
                SIMDTEXT_STATUS_OK => break,
                SIMDTEXT_STATUS_OUTPUT_FULL => {
                    let rest = self.src.len() - done.read;
                    let most = U::most(&self.decoder, rest).unwrap_or(usize::MAX);
                    text.grow(most.saturating_add(2 * U::REPLACEMENT.len() + 1))?;
                }
                _ => return Ok(ptr::null_mut()),
            }
        }
        if text.free().is_empty() {
            text.grow(1)?;
        }
        if let Some(end) = text.free().first_mut() {
            end.write(U::NUL);
        }
        Ok(text.take())
    }
}
