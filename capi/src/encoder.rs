//! Streams of text, encoded piece by piece.

use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use simdtext::unicode::{from_utf8, trim_partial_utf8};
use simdtext::{Encoder, Progress, Status, Unmappable};

use crate::allocator::{Allocator, simdtext_allocator};
use crate::boundary::{buffers, call, call_with_result, exclusive, shared};
use crate::encoding::{encoding_of, handle, simdtext_encoding};
use crate::types::simdtext_status::{
    SIMDTEXT_STATUS_INVALID_ARGUMENT, SIMDTEXT_STATUS_MALFORMED, SIMDTEXT_STATUS_NO_ENCODER,
    SIMDTEXT_STATUS_OK, SIMDTEXT_STATUS_OUTPUT_FULL, SIMDTEXT_STATUS_UNMAPPABLE,
};
use crate::types::{
    simdtext_char16, simdtext_char32, simdtext_fault, simdtext_result, simdtext_status,
    simdtext_unmappable_number,
};

/// A stream of text that is encoded piece by piece. How the text is cut (even in the middle of a character)
/// and how much room the output has never changes the bytes, the faults or their offsets. A stream is either
/// UTF-8 or UTF-16 from start to end.
///
/// For one thread at a time.
pub struct simdtext_encoder {
    stream: Stream,
    allocator: Allocator,
}

/// Makes an encoder to `encoding`. Null if an argument is invalid, if there is no memory, or for the encoding
/// replacement. Free it with simdtext_encoder_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoder_new(
    encoding: *const simdtext_encoding,
    unmappable: simdtext_unmappable_number,
    allocator: *const simdtext_allocator,
) -> *mut simdtext_encoder {
    call(|| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let allocator = unsafe { Allocator::new(allocator) }?;
        let encoder = encoding.encoder().ok_or(SIMDTEXT_STATUS_NO_ENCODER)?;
        allocator.boxed(simdtext_encoder {
            stream: Stream::new(encoder, unmappable.get()?),
            allocator,
        })
    })
}

/// Frees an encoder. Does nothing if it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoder_free(encoder: *mut simdtext_encoder) {
    call(|| {
        // SAFETY: the caller's promise.
        let allocator = unsafe { shared(encoder) }?.allocator;
        if let Some(memory) = NonNull::new(encoder) {
            // SAFETY: that is where it came from, and nothing in it needs to be dropped.
            unsafe { allocator.release(memory.cast()) };
        }
        Ok(())
    });
}

const _: () = assert!(!std::mem::needs_drop::<simdtext_encoder>());

/// Sets the character that SIMDTEXT_UNMAPPABLE_REPLACE writes from now on; `?` is written if the encoding
/// does not have it either. Refused if it is not a scalar value, or the encoder was made with another policy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoder_set_replacement(
    encoder: *mut simdtext_encoder,
    character: simdtext_char32,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let stream = &mut unsafe { exclusive(encoder) }?.stream;
        let character = char::from_u32(character).ok_or(SIMDTEXT_STATUS_INVALID_ARGUMENT)?;
        let Unmappable::Replace(replacement) = &mut stream.unmappable else {
            return Err(SIMDTEXT_STATUS_INVALID_ARGUMENT);
        };
        *replacement = character;
        Ok(SIMDTEXT_STATUS_OK)
    })
}

/// Encodes UTF-8 from `src` (`len` bytes) to `dst` (room for `room` bytes; 10 or more always make progress).
/// `last` says that nothing follows; repeat it, with the rest of the input, for as long as calls return a
/// status other than SIMDTEXT_STATUS_OK.
///
/// With SIMDTEXT_UNMAPPABLE_STOP, malformed UTF-8 ends the call with SIMDTEXT_STATUS_MALFORMED. Otherwise
/// each malformed sequence is encoded as U+FFFD, which is unmappable in most encodings, and counts as one
/// error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoder_encode_from_utf8(
    encoder: *mut simdtext_encoder,
    src: *const c_char,
    len: usize,
    dst: *mut c_void,
    room: usize,
    last: bool,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let stream = &mut unsafe { exclusive(encoder) }?.stream;
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { buffers(src.cast::<u8>(), len, dst.cast::<u8>(), room) }?;
        stream.encode_from_utf8(src, dst, last, result);
        Ok(())
    })
}

/// Encodes UTF-16 from `src` (`len` code units) to `dst` (room for `room` bytes; 10 or more always make
/// progress). A surrogate without its other half is U+FFFD: an ordinary character for a Unicode encoding and
/// gb18030, an unmappable one for others. `last` is as in simdtext_encoder_encode_from_utf8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoder_encode_from_utf16(
    encoder: *mut simdtext_encoder,
    src: *const simdtext_char16,
    len: usize,
    dst: *mut c_void,
    room: usize,
    last: bool,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let stream = &mut unsafe { exclusive(encoder) }?.stream;
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { buffers(src, len, dst.cast::<u8>(), room) }?;
        if !stream.held().is_empty() {
            return Err(SIMDTEXT_STATUS_INVALID_ARGUMENT);
        }
        stream.encode_from_utf16(src, dst, last, result);
        Ok(())
    })
}

/// The encoding. Null if `encoder` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoder_encoding(
    encoder: *const simdtext_encoder,
) -> *const simdtext_encoding {
    call(|| {
        // SAFETY: the caller's promise.
        let stream = &unsafe { shared(encoder) }?.stream;
        Ok(stream.encoding)
    })
}

/// Whether the end of the stream still has something to write, even if no text follows: an escape sequence of
/// ISO-2022-JP, or the replacement of an incomplete character. False if `encoder` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoder_has_pending_output(
    encoder: *const simdtext_encoder,
) -> bool {
    call(|| {
        // SAFETY: the caller's promise.
        let stream = &unsafe { shared(encoder) }?.stream;
        Ok(!stream.held().is_empty() || stream.encoder.has_pending_output())
    })
}

/// The most bytes that `len` more bytes of UTF-8, including the end of the stream, can become, if all of it
/// is well-formed and no character is unmappable. SIZE_MAX if that is more, or if `encoder` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoder_max_len_from_utf8(
    encoder: *const simdtext_encoder,
    len: usize,
) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let stream = &unsafe { shared(encoder) }?.stream;
        let len = len.checked_add(stream.held().len());
        let most = len.and_then(|len| stream.encoder.max_len_from_utf8(len));
        Ok(most.unwrap_or(usize::MAX))
    })
}

/// The most bytes that `len` more code units of UTF-16, including the end of the stream, can become, if no
/// character is unmappable. SIZE_MAX if that is more, or if `encoder` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoder_max_len_from_utf16(
    encoder: *const simdtext_encoder,
    len: usize,
) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let stream = &unsafe { shared(encoder) }?.stream;
        Ok(stream.encoder.max_len_from_utf16(len).unwrap_or(usize::MAX))
    })
}

/// Begins a new stream. What was held back, or was still to be written, is dropped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoder_reset(encoder: *mut simdtext_encoder) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        unsafe { exclusive(encoder) }?.stream.reset();
        Ok(SIMDTEXT_STATUS_OK)
    })
}

/// The library's encoder, for text that may be malformed and cut anywhere.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    encoder: Encoder,
    /// The encoding in results.
    encoding: *const simdtext_encoding,
    unmappable: Unmappable,
    /// The beginning of a character of UTF-8 at the end of the last piece.
    held: [u8; 3],
    held_len: u8,
    /// The offset in the stream of the held bytes, or of the next unit of input if none are held.
    offset: u64,
    /// Whether the stream is finished, so that the next call begins a new one.
    finished: bool,
}

/// UTF-8 is validated in pieces of this many bytes, which are still in a cache when they are encoded. (With 16 KiB
/// 120 KiB take 6 % longer, because each piece costs 50 ns.)
const PIECE: usize = 128 * 1024;

/// Up to this many bytes are encoded in one piece; if something in them is cut or malformed, they are
/// validated a second time.
const SHORT: usize = 256;

impl Stream {
    pub(crate) fn new(encoder: Encoder, unmappable: Unmappable) -> Self {
        Stream {
            encoding: handle(encoder.encoding()),
            encoder,
            unmappable,
            held: [0; 3],
            held_len: 0,
            offset: 0,
            finished: false,
        }
    }

    fn held(&self) -> &[u8] {
        self.held
            .get(..usize::from(self.held_len))
            .unwrap_or_default()
    }

    fn reset(&mut self) {
        self.encoder.reset();
        (self.held_len, self.offset, self.finished) = (0, 0, false);
    }

    /// Begins a new stream after the last one. (The encoder does so by itself, because it has finished.)
    #[inline(always)]
    fn begin(&mut self) {
        if self.finished {
            (self.offset, self.finished) = (0, false);
        }
    }

    #[inline(always)]
    pub(crate) fn encode_from_utf16(
        &mut self,
        src: &[u16],
        dst: &mut [MaybeUninit<u8>],
        last: bool,
        done: &mut simdtext_result,
    ) {
        self.begin();
        let progress = self
            .encoder
            .encode_from_utf16_uninit(src, dst, last, self.unmappable);
        self.finished = last && progress.status == Status::InputEmpty;
        self.offset += progress.read as u64;
        done.read += progress.read;
        self.add(progress, done);
        if let Status::Unmappable { ch, offset } = progress.status {
            // The replacement of a lone surrogate is one unit as well.
            done.fault = simdtext_fault::unmappable(ch, offset, ch.len_utf16());
        }
    }

    #[inline(always)]
    pub(crate) fn encode_from_utf8(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        last: bool,
        done: &mut simdtext_result,
    ) {
        self.begin();
        if self.held_len == 0
            && src.len() <= SHORT
            && let Ok(text) = from_utf8(src)
        {
            self.encode_text(text, dst, last, done);
        } else {
            *done = self.encode_pieces(Call::new(src, dst), last);
        }
    }

    /// By value, because what is passed to another function by reference stays in memory, which delays short
    /// text.
    #[inline(never)]
    fn encode_pieces(&mut self, mut call: Call<'_>, last: bool) -> simdtext_result {
        call.done.encoding = self.encoding;
        if self.held_len > 0 && !self.encode_held(&mut call, last) {
            return call.done;
        }
        while call.done.status == SIMDTEXT_STATUS_OK && !self.finished {
            if call.rest().is_empty() && !last {
                break;
            }
            self.encode_piece(&mut call, last);
            if self.held_len > 0 {
                break;
            }
        }
        call.done
    }

    /// Encodes the well-formed text at the start of the rest, or the malformed sequence there.
    #[inline(always)]
    fn encode_piece(&mut self, call: &mut Call<'_>, last: bool) {
        let rest = call.rest();
        // A character of up to four bytes becomes at least one byte, so more than this would not fit. The limit
        // keeps the time linear in what is converted, even with a small output.
        let most = PIECE.min(call.room().saturating_mul(4).saturating_add(16));
        let is_end = rest.len() <= most;
        let piece = rest.get(..most).unwrap_or(rest);
        let whole = piece.get(..trim_partial_utf8(piece)).unwrap_or(piece);
        let (text, wrong) = match from_utf8(whole) {
            Ok(text) => (text, &[][..]),
            Err(invalid) => {
                let (valid, wrong) = whole.split_at(invalid.offset);
                let wrong = wrong.get(..invalid.len).unwrap_or(wrong);
                (from_utf8(valid).unwrap_or_default(), wrong)
            }
        };
        let is_all = text.len() == rest.len();
        if !text.is_empty() || is_all {
            let out = call.dst.get_mut(call.done.written..).unwrap_or_default();
            if !self.encode_text(text, out, last && is_all, &mut call.done) {
                return;
            }
        }
        if !wrong.is_empty() {
            self.encode_malformed(call, wrong, 0);
        } else if is_end && whole.len() < piece.len() {
            let partial = piece.get(whole.len()..).unwrap_or_default();
            if last {
                self.encode_malformed(call, partial, 0);
            } else {
                call.done.read += partial.len();
                self.hold(partial);
            }
        }
    }

    /// Encodes text that follows what was read into the free part of the output. Returns whether it was all
    /// of it.
    #[inline(always)]
    fn encode_text(
        &mut self,
        text: &str,
        out: &mut [MaybeUninit<u8>],
        last: bool,
        done: &mut simdtext_result,
    ) -> bool {
        let progress = self
            .encoder
            .encode_from_utf8_uninit(text, out, last, self.unmappable);
        self.add(progress, done);
        done.read += progress.read;
        if let Status::Unmappable { ch, .. } = progress.status {
            done.fault = self.unmappable(ch, text, progress.read);
        }
        self.offset += progress.read as u64;
        self.finished = last && progress.status == Status::InputEmpty;
        progress.status == Status::InputEmpty
    }

    /// The fault for a character that ends after `read` bytes of `text`, which begins at the stream's offset.
    #[cold]
    fn unmappable(&self, ch: char, text: &str, read: usize) -> simdtext_fault {
        let before = text.get(..read).unwrap_or_default();
        let start = self.offset + read as u64;
        // If nothing was read, it is a surrogate that UTF-16 has left, and that was counted before.
        let len = before.chars().next_back().map_or(1, char::len_utf8);
        simdtext_fault::unmappable(ch, start.saturating_sub(len as u64), len)
    }

    /// Encodes one character and counts what was written. The caller counts what was read.
    fn encode_char(&mut self, call: &mut Call<'_>, text: &str) -> Progress {
        let out = call.dst.get_mut(call.done.written..).unwrap_or_default();
        let progress = self
            .encoder
            .encode_from_utf8_uninit(text, out, false, self.unmappable);
        self.add(progress, &mut call.done);
        progress
    }

    /// Handles a malformed sequence. All but its first `held` bytes follow what was read.
    #[cold]
    fn encode_malformed(&mut self, call: &mut Call<'_>, wrong: &[u8], held: usize) {
        if self.unmappable == Unmappable::Strict {
            call.done.status = SIMDTEXT_STATUS_MALFORMED;
            call.done.errors += 1;
            call.done.fault = simdtext_fault::malformed(wrong, self.offset);
        } else {
            let progress = self.encode_char(call, "\u{FFFD}");
            if progress.read == 0 {
                return;
            }
            // The sequence is one error, whether or not U+FFFD is unmappable.
            call.done.errors += 1 - progress.errors.min(1);
        }
        call.done.read += wrong.len() - held;
        self.offset += wrong.len() as u64;
        self.held_len = 0;
    }

    /// Encodes the character whose beginning is held. Returns whether the call goes on.
    #[cold]
    fn encode_held(&mut self, call: &mut Call<'_>, last: bool) -> bool {
        let held = usize::from(self.held_len);
        let mut bridge = [0; 4];
        let mut len = 0;
        for (to, from) in bridge.iter_mut().zip(self.held().iter().chain(call.src)) {
            *to = *from;
            len += 1;
        }
        let bridge = bridge.get(..len).unwrap_or_default();
        let (text, wrong) = match std::str::from_utf8(bridge) {
            Ok(text) => (text, 0),
            Err(error) => {
                let valid = bridge.get(..error.valid_up_to()).unwrap_or_default();
                let wrong = error.error_len().unwrap_or(if last { len } else { 0 });
                (std::str::from_utf8(valid).unwrap_or_default(), wrong)
            }
        };
        if let Some(ch) = text.chars().next() {
            let one = &mut [0; 4];
            let one = ch.encode_utf8(one);
            let progress = self.encode_char(call, one);
            if let Status::Unmappable { ch, .. } = progress.status {
                call.done.fault = self.unmappable(ch, one, progress.read);
            }
            if progress.read == 0 {
                return false;
            }
            call.done.read += one.len() - held;
            self.offset += one.len() as u64;
            self.held_len = 0;
        } else if wrong > 0 {
            let wrong = bridge.get(..wrong).unwrap_or(bridge);
            self.encode_malformed(call, wrong, held);
        } else {
            call.done.read = call.src.len();
            self.hold(bridge);
            return false;
        }
        call.done.status == SIMDTEXT_STATUS_OK
    }

    fn hold(&mut self, partial: &[u8]) {
        for (to, from) in self.held.iter_mut().zip(partial) {
            *to = *from;
        }
        self.held_len = partial.len().min(3) as u8;
    }

    /// Adds what the encoder did, except what it read and the fault, and sets the status.
    #[inline(always)]
    fn add(&self, progress: Progress, done: &mut simdtext_result) {
        done.status = match progress.status {
            Status::InputEmpty => SIMDTEXT_STATUS_OK,
            Status::OutputFull => SIMDTEXT_STATUS_OUTPUT_FULL,
            Status::Unmappable { .. } => SIMDTEXT_STATUS_UNMAPPABLE,
            Status::Malformed(_) => SIMDTEXT_STATUS_MALFORMED,
        };
        done.written += progress.written;
        done.errors += progress.errors;
        done.encoding = self.encoding;
    }
}

/// A call that encodes UTF-8.
struct Call<'a> {
    src: &'a [u8],
    dst: &'a mut [MaybeUninit<u8>],
    done: simdtext_result,
}

impl<'a> Call<'a> {
    fn new(src: &'a [u8], dst: &'a mut [MaybeUninit<u8>]) -> Self {
        Call {
            src,
            dst,
            done: simdtext_result::NOTHING,
        }
    }

    fn rest(&self) -> &'a [u8] {
        self.src.get(self.done.read..).unwrap_or_default()
    }

    fn room(&self) -> usize {
        self.dst.len() - self.done.written
    }
}
