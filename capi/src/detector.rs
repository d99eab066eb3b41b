//! Guesses the encoding of bytes that come in pieces.

use std::ffi::c_void;
use std::ptr::NonNull;

use simdtext::detect::{Detector, Options};

use crate::allocator::Allocator;
use crate::boundary::{call, exclusive, input, place, shared};
use crate::detect::{options_of, simdtext_detect_options, simdtext_guess};
use crate::types::simdtext_status;
use crate::types::simdtext_status::{SIMDTEXT_STATUS_OK, SIMDTEXT_STATUS_OUT_OF_MEMORY};

/// A stream of bytes whose encoding is guessed. However it is cut, the answer is that of simdtext_detect for all of
/// the bytes in one piece.
///
/// It keeps what it is fed, up to a limit, unless the first bytes decide for all: a byte order mark, or signs that
/// they are not text. The memory for it is from malloc.
///
/// For one thread at a time.
pub struct simdtext_detector {
    detector: Detector<'static>,
    is_decided: bool,
}

/// Begins a stream. `options` may be null. With a `limit`, no more than that many bytes are kept, and the guess is made
/// from these; 0 for none. Null if an argument is invalid or there is no memory. Free it with simdtext_detector_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_detector_new(
    options: *const simdtext_detect_options,
    limit: usize,
) -> *mut simdtext_detector {
    call(|| {
        // SAFETY: the caller's promise.
        let options: Options<'_> = unsafe { options_of(options) }?;
        let mut detector = Detector::new(&options.into_static());
        if limit > 0 {
            detector = detector.limit(limit);
        }
        Allocator::MALLOC.boxed(simdtext_detector {
            detector,
            is_decided: false,
        })
    })
}

/// Frees a stream. Does nothing if it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_detector_free(detector: *mut simdtext_detector) {
    call(|| {
        if let Some(detector) = NonNull::new(detector) {
            // SAFETY: that is where it came from, and the caller does not use it after this.
            unsafe { Allocator::MALLOC.unboxed(detector) };
        }
        Ok(())
    });
}

/// Takes the next bytes of the stream (`len` bytes at `src`). If there is no memory to keep them, the stream is as it
/// was before the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_detector_feed(
    detector: *mut simdtext_detector,
    src: *const c_void,
    len: usize,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let stream = unsafe { exclusive(detector) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        let reserved = stream.detector.try_reserve(len);
        reserved.map_err(|_| SIMDTEXT_STATUS_OUT_OF_MEMORY)?;
        stream.is_decided = !stream.detector.feed(src);
        Ok(SIMDTEXT_STATUS_OK)
    })
}

/// Whether nothing that follows can change the answer, so that the rest need not be read. False if `detector` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_detector_is_decided(detector: *const simdtext_detector) -> bool {
    // SAFETY: the caller's promise.
    call(|| Ok(unsafe { shared(detector) }?.is_decided))
}

/// Guesses from the bytes fed so far, as if more followed, and stores the answer in `guess`, which is not changed if
/// the call is refused. Takes as long as simdtext_detect for all of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_detector_guess(
    detector: *const simdtext_detector,
    guess: *mut simdtext_guess,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let to = unsafe { place(guess) }?;
        // SAFETY: the caller's promise.
        to.write(unsafe { shared(detector) }?.detector.guess().into());
        Ok(SIMDTEXT_STATUS_OK)
    })
}

/// Guesses from the bytes fed, as all that there are, and stores the answer in `guess`, which is not changed if the call
/// is refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_detector_finish(
    detector: *const simdtext_detector,
    guess: *mut simdtext_guess,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let to = unsafe { place(guess) }?;
        // SAFETY: the caller's promise.
        to.write(unsafe { shared(detector) }?.detector.finish().into());
        Ok(SIMDTEXT_STATUS_OK)
    })
}

/// Begins a new stream with the same options, and keeps the memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_detector_reset(
    detector: *mut simdtext_detector,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let stream = unsafe { exclusive(detector) }?;
        stream.detector.reset();
        stream.is_decided = false;
        Ok(SIMDTEXT_STATUS_OK)
    })
}
