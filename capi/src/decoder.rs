//! Streams of bytes, decoded piece by piece.

use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use simdtext::{Decoder, Malformed, Progress};

use crate::allocator::{Allocator, simdtext_allocator};
use crate::boundary::{buffers, call, call_with_result, exclusive, output, shared};
use crate::encoding::{encoding_of, handle, simdtext_encoding};
use crate::types::simdtext_status::{SIMDTEXT_STATUS_OK, SIMDTEXT_STATUS_OUTPUT_FULL};
use crate::types::{
    simdtext_bom_number, simdtext_char16, simdtext_fault, simdtext_malformed_number,
    simdtext_result, simdtext_status,
};

/// A stream that is decoded piece by piece. How the input is cut and how much room the output has never changes
/// the text, the faults or their offsets.
///
/// For one thread at a time.
pub struct simdtext_decoder {
    decoder: Decoder,
    stops: bool,
    on_fault: simdtext_on_fault,
    context: *mut c_void,
    allocator: Allocator,
}

/// Called for each malformed sequence that is replaced, in order, with the `context` that was given with the
/// function. The fault belongs to the library and is valid during the call. The function must return normally
/// (no longjmp, no exception), and must use neither the stream nor the output.
pub type simdtext_on_fault =
    Option<unsafe extern "C" fn(context: *mut c_void, fault: *const simdtext_fault)>;

/// Makes a decoder from `encoding`. Null if an argument is invalid or there is no memory. Free it with
/// simdtext_decoder_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decoder_new(
    encoding: *const simdtext_encoding,
    bom: simdtext_bom_number,
    malformed: simdtext_malformed_number,
    allocator: *const simdtext_allocator,
) -> *mut simdtext_decoder {
    call(|| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let allocator = unsafe { Allocator::new(allocator) }?;
        allocator.boxed(simdtext_decoder {
            decoder: encoding.decoder(bom.get()?),
            stops: malformed.is_stop()?,
            on_fault: None,
            context: std::ptr::null_mut(),
            allocator,
        })
    })
}

/// Frees a decoder. Does nothing if it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decoder_free(decoder: *mut simdtext_decoder) {
    call(|| {
        // SAFETY: the caller's promise.
        let allocator = unsafe { shared(decoder) }?.allocator;
        if let Some(memory) = NonNull::new(decoder) {
            // SAFETY: that is where it came from, and nothing in it needs to be dropped.
            unsafe { allocator.release(memory.cast()) };
        }
        Ok(())
    });
}

const _: () = assert!(!std::mem::needs_drop::<simdtext_decoder>());

/// Makes a decoder that replaces (SIMDTEXT_MALFORMED_REPLACE) call `on_fault` for each malformed sequence,
/// after its U+FFFD was written; null for none. A decoder that stops does not call it. The function and `context`
/// stay set in all later streams, until others are set, so `context` must stay valid for as long.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decoder_set_on_fault(
    decoder: *mut simdtext_decoder,
    on_fault: simdtext_on_fault,
    context: *mut c_void,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let stream = unsafe { exclusive(decoder) }?;
        (stream.on_fault, stream.context) = (on_fault, context);
        Ok(SIMDTEXT_STATUS_OK)
    })
}

/// Decodes `src` (`len` bytes) to UTF-8 in `dst` (room for `room` bytes; 4 or more always make progress).
/// `last` says that nothing follows; repeat it, with the rest of the input, for as long as calls return a
/// status other than SIMDTEXT_STATUS_OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decoder_decode_to_utf8(
    decoder: *mut simdtext_decoder,
    src: *const c_void,
    len: usize,
    dst: *mut c_char,
    room: usize,
    last: bool,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let stream = unsafe { exclusive(decoder) }?;
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { buffers(src.cast::<u8>(), len, dst.cast::<u8>(), room) }?;
        let progress = stream.decode_to_utf8(src, dst, last);
        result.add(progress, stream.decoder.encoding());
        Ok(())
    })
}

/// Decodes `src` (`len` bytes) to UTF-16 in `dst` (room for `room` code units; 2 or more always make progress).
/// Half a surrogate pair is never written. `last` is as in simdtext_decoder_decode_to_utf8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decoder_decode_to_utf16(
    decoder: *mut simdtext_decoder,
    src: *const c_void,
    len: usize,
    dst: *mut simdtext_char16,
    room: usize,
    last: bool,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let stream = unsafe { exclusive(decoder) }?;
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { buffers(src.cast::<u8>(), len, dst, room) }?;
        let progress = stream.decode_to_utf16(src, dst, last);
        result.add(progress, stream.decoder.encoding());
        Ok(())
    })
}

impl simdtext_decoder {
    #[inline(always)]
    fn decode_to_utf8(&mut self, src: &[u8], dst: &mut [MaybeUninit<u8>], last: bool) -> Progress {
        if self.stops {
            return self.decoder.decode_to_utf8_strict_uninit(src, dst, last);
        }
        let Some(on_fault) = self.on_fault else {
            return self.decoder.decode_to_utf8_uninit(src, dst, last);
        };
        let tell = teller(on_fault, self.context);
        self.decoder
            .decode_to_utf8_with_uninit(src, dst, last, tell)
    }

    #[inline(always)]
    fn decode_to_utf16(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u16>],
        last: bool,
    ) -> Progress {
        if self.stops {
            return self.decoder.decode_to_utf16_strict_uninit(src, dst, last);
        }
        let Some(on_fault) = self.on_fault else {
            return self.decoder.decode_to_utf16_uninit(src, dst, last);
        };
        let tell = teller(on_fault, self.context);
        self.decoder
            .decode_to_utf16_with_uninit(src, dst, last, tell)
    }
}

fn teller(
    on_fault: unsafe extern "C" fn(*mut c_void, *const simdtext_fault),
    context: *mut c_void,
) -> impl FnMut(Malformed) {
    move |malformed| {
        let fault = simdtext_fault::from(malformed);
        // SAFETY: the caller gave this function for this.
        unsafe { on_fault(context, &raw const fault) };
    }
}

/// The encoding that is decoded. If a byte order mark may change it (SIMDTEXT_BOM_SNIFF), it is final after
/// three bytes or at the end. Null if `decoder` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decoder_encoding(
    decoder: *const simdtext_decoder,
) -> *const simdtext_encoding {
    // SAFETY: the caller's promise.
    call(|| Ok(handle(unsafe { shared(decoder) }?.decoder.encoding())))
}

/// The number of bytes that were read since the start of the stream. 0 if `decoder` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decoder_total_read(decoder: *const simdtext_decoder) -> u64 {
    // SAFETY: the caller's promise.
    match unsafe { shared(decoder) } {
        Ok(stream) => stream.decoder.total_read(),
        Err(_) => 0,
    }
}

/// Stores the bytes that were read and are not decoded yet in `dst` (room for `room` bytes, of which 3 are always
/// enough), and returns their number: the beginning of a character, of an escape sequence or of a byte order mark. If
/// it is not 0 where the input ends, the input is cut off there. SIZE_MAX, and nothing is stored, if there are more than
/// `room`, or if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decoder_pending(
    decoder: *const simdtext_decoder,
    dst: *mut c_void,
    room: usize,
) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let pending = unsafe { shared(decoder) }?.decoder.pending();
        // SAFETY: the caller's promise.
        let dst = unsafe { output(dst.cast::<u8>(), room) }?;
        let to = dst
            .get_mut(..pending.len())
            .ok_or(SIMDTEXT_STATUS_OUTPUT_FULL)?;
        for (to, from) in to.iter_mut().zip(pending) {
            to.write(*from);
        }
        Ok(pending.len())
    })
}

/// The most bytes of UTF-8 that `len` more bytes of input, including the end of the stream, can become.
/// SIZE_MAX if that is more, or if `decoder` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decoder_max_utf8_len(
    decoder: *const simdtext_decoder,
    len: usize,
) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let stream = unsafe { shared(decoder) }?;
        Ok(stream.decoder.max_utf8_len(len).unwrap_or(usize::MAX))
    })
}

/// The most code units of UTF-16 that `len` more bytes of input, including the end of the stream, can become.
/// SIZE_MAX if that is more, or if `decoder` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decoder_max_utf16_len(
    decoder: *const simdtext_decoder,
    len: usize,
) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let stream = unsafe { shared(decoder) }?;
        Ok(stream.decoder.max_utf16_len(len).unwrap_or(usize::MAX))
    })
}

/// Begins a new stream in the encoding for which the decoder was made. What was held back is dropped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decoder_reset(decoder: *mut simdtext_decoder) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        unsafe { exclusive(decoder) }?.decoder.reset();
        Ok(SIMDTEXT_STATUS_OK)
    })
}

/// Begins a new stream in another encoding, with the same decoder.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_decoder_reset_to(
    decoder: *mut simdtext_decoder,
    encoding: *const simdtext_encoding,
    bom: simdtext_bom_number,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let stream = unsafe { exclusive(decoder) }?;
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        stream.decoder.reset_to(encoding, bom.get()?);
        Ok(SIMDTEXT_STATUS_OK)
    })
}
