//! Bytes that are in one of several encodings, as a whole or line by line, or encoded twice.

use std::ffi::{c_char, c_void};
use std::ptr::NonNull;

use simdtext::sniff::{DoubleEncoding, FirstValid, SegmentReason, Segments};
use simdtext::{Encoding, UTF_8, unicode};

use crate::allocator::{Allocator, simdtext_allocator};
use crate::boundary::{Outcome, call, exclusive, input, place, shared};
use crate::encoding::{ENCODINGS, encoding_of, handle, handle_or_null, simdtext_encoding};
use crate::types::simdtext_status::{SIMDTEXT_STATUS_INVALID_ARGUMENT, SIMDTEXT_STATUS_OK};
use crate::types::{simdtext_fault, simdtext_status};
use simdtext_segment_reason::{
    SIMDTEXT_SEGMENT_ASCII, SIMDTEXT_SEGMENT_ESCAPES, SIMDTEXT_SEGMENT_FIRST_OF_LIST,
    SIMDTEXT_SEGMENT_OTHERWISE, SIMDTEXT_SEGMENT_UTF8,
};

/// A stream of bytes that are UTF-8, or else in the first encoding of a list in which nothing is malformed. It keeps
/// none of the bytes.
///
/// Nothing is malformed in windows-1252 and other encodings in which every byte is a character, so that those after
/// it in the list are not tried. ASCII with escape sequences is ISO-2022-JP if that is in the list. A byte order mark
/// decides nothing; call simdtext_encoding_for_bom first if it should.
///
/// For one thread at a time.
pub struct simdtext_first_valid {
    first: FirstValid,
    has_ended: bool,
    allocator: Allocator,
}

/// Begins a stream that is UTF-8 or in one of `encodings` (`count` of them, in this order). Null if an argument is
/// invalid or there is no memory. Free it with simdtext_first_valid_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_first_valid_new(
    encodings: *const *const simdtext_encoding,
    count: usize,
    allocator: *const simdtext_allocator,
) -> *mut simdtext_first_valid {
    call(|| {
        // SAFETY: the caller's promise.
        let list = unsafe { List::new(encodings, count) }?;
        // SAFETY: the caller's promise.
        let allocator = unsafe { Allocator::new(allocator) }?;
        allocator.boxed(simdtext_first_valid {
            first: FirstValid::new(list.get()),
            has_ended: false,
            allocator,
        })
    })
}

/// Frees a stream. Does nothing if it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_first_valid_free(stream: *mut simdtext_first_valid) {
    call(|| {
        // SAFETY: the caller's promise.
        let allocator = unsafe { shared(stream) }?.allocator;
        if let Some(memory) = NonNull::new(stream) {
            // SAFETY: that is where it came from, and nothing in it needs to be dropped.
            unsafe { allocator.release(memory.cast()) };
        }
        Ok(())
    });
}

const _: () = assert!(!std::mem::needs_drop::<simdtext_first_valid>());

/// Takes the next bytes of the stream (`len` bytes at `src`). Refused after simdtext_first_valid_finish.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_first_valid_feed(
    stream: *mut simdtext_first_valid,
    src: *const c_void,
    len: usize,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let stream = unsafe { exclusive(stream) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        if stream.has_ended {
            return Err(SIMDTEXT_STATUS_INVALID_ARGUMENT);
        }
        stream.first.feed(src);
        Ok(SIMDTEXT_STATUS_OK)
    })
}

/// Whether nothing that follows can change the answer, so that the rest need not be read. False if `stream` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_first_valid_is_decided(
    stream: *const simdtext_first_valid,
) -> bool {
    // SAFETY: the caller's promise.
    call(|| Ok(unsafe { shared(stream) }?.first.is_decided()))
}

/// Ends the stream: an incomplete sequence at its end is malformed. Returns the first encoding in which nothing is
/// malformed; null if there is none, or if `stream` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_first_valid_finish(
    stream: *mut simdtext_first_valid,
) -> *const simdtext_encoding {
    call(|| {
        // SAFETY: the caller's promise.
        let stream = unsafe { exclusive(stream) }?;
        stream.has_ended = true;
        Ok(handle_or_null(stream.first.finish()))
    })
}

/// The encodings that are tried, in order, by an index from 0; null after the last one, or if `stream` is null.
/// Stores the first malformed sequence in `fault`, which may be null; its `len` is 0 if there is none so far.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_first_valid_tried(
    stream: *const simdtext_first_valid,
    index: usize,
    fault: *mut simdtext_fault,
) -> *const simdtext_encoding {
    call(|| {
        // SAFETY: the caller's promise.
        let tried = unsafe { shared(stream) }?.first.tried().nth(index);
        if !fault.is_null() {
            let failed = tried.and_then(|tried| tried.failed);
            // SAFETY: the caller's promise.
            unsafe { place(fault) }?.write(failed.map_or_else(Default::default, Into::into));
        }
        Ok(handle_or_null(tried.map(|tried| tried.encoding)))
    })
}

/// The answer of such a stream for `src` (`len` bytes), without allocating: UTF-8, or else the first of `encodings`
/// (`count` of them) in which nothing is malformed. Null if there is none, or if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_first_valid_decide(
    encodings: *const *const simdtext_encoding,
    count: usize,
    src: *const c_void,
    len: usize,
) -> *const simdtext_encoding {
    call(|| {
        // SAFETY: the caller's promise.
        let list = unsafe { List::new(encodings, count) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        Ok(handle_or_null(FirstValid::new(list.get()).decide(src)))
    })
}

/// The reason for the encoding of a segment.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum simdtext_segment_reason {
    /// All of it is ASCII.
    SIMDTEXT_SEGMENT_ASCII = 0,
    /// Its lines are valid UTF-8, and not all ASCII.
    SIMDTEXT_SEGMENT_UTF8 = 1,
    /// Its lines are ASCII with escape sequences of ISO-2022-JP, which was asked for and is not in the list.
    SIMDTEXT_SEGMENT_ESCAPES = 2,
    /// Its lines are not UTF-8, and this is the first encoding of the list in which nothing in them is malformed.
    SIMDTEXT_SEGMENT_FIRST_OF_LIST = 3,
    /// Its lines are malformed in UTF-8 and in the whole list.
    SIMDTEXT_SEGMENT_OTHERWISE = 4,
}

/// Lines in one encoding.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct simdtext_segment {
    /// The offset of its first byte.
    pub start: usize,
    /// The offset of what follows it.
    pub end: usize,
    /// Its encoding. Decode each segment as a text of its own, with SIMDTEXT_BOM_KEEP.
    pub encoding: *const simdtext_encoding,
    /// Why it is in this encoding.
    pub reason: simdtext_segment_reason,
}

/// Called for each segment, in order, with the `context` that was given with the function. The segment belongs to the
/// library and is valid during the call. Returns whether to go on. The function must return normally (no longjmp, no
/// exception).
pub type simdtext_on_segment =
    Option<unsafe extern "C" fn(context: *mut c_void, segment: *const simdtext_segment) -> bool>;

/// Cuts `src` (`len` bytes), in which each line may be in another encoding, into segments of one encoding each, and
/// calls `on_segment` for each. They follow each other without gaps.
///
/// A line is in UTF-8 if it is valid UTF-8, or else in the first of `encodings` (`count` of them) in which nothing is
/// malformed, or else in `otherwise`. With `iso_2022_jp` lines of ISO-2022-JP are looked for, even if it is not in the
/// list. Lines end in LF, CR or both; UTF-16 and replacement in the list are skipped.
#[allow(clippy::too_many_arguments, reason = "a C function")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_segments(
    src: *const c_void,
    len: usize,
    encodings: *const *const simdtext_encoding,
    count: usize,
    otherwise: *const simdtext_encoding,
    iso_2022_jp: bool,
    on_segment: simdtext_on_segment,
    context: *mut c_void,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        // SAFETY: the caller's promise.
        let list = unsafe { List::new(encodings, count) }?;
        // SAFETY: the caller's promise.
        let otherwise = unsafe { encoding_of(otherwise) }?;
        let on_segment = on_segment.ok_or(SIMDTEXT_STATUS_INVALID_ARGUMENT)?;
        let segments = Segments::new(src, list.get(), |_| otherwise).iso_2022_jp(iso_2022_jp);
        for segment in segments {
            let segment = simdtext_segment {
                start: segment.range.start,
                end: segment.range.end,
                encoding: handle(segment.encoding),
                reason: segment.reason.into(),
            };
            // SAFETY: the caller gave this function for this.
            if !unsafe { on_segment(context, &raw const segment) } {
                break;
            }
        }
        Ok(SIMDTEXT_STATUS_OK)
    })
}

impl From<SegmentReason> for simdtext_segment_reason {
    fn from(reason: SegmentReason) -> Self {
        match reason {
            SegmentReason::Ascii => SIMDTEXT_SEGMENT_ASCII,
            SegmentReason::Utf8Valid => SIMDTEXT_SEGMENT_UTF8,
            SegmentReason::Escapes => SIMDTEXT_SEGMENT_ESCAPES,
            SegmentReason::FirstOfList => SIMDTEXT_SEGMENT_FIRST_OF_LIST,
            // There are no other reasons today.
            _ => SIMDTEXT_SEGMENT_OTHERWISE,
        }
    }
}

/// Whether `src` (UTF-8, `len` bytes) is UTF-8 that was read as `read_as`, a single-byte encoding such as windows-1252,
/// and written as UTF-8 again ("Ã©" for "é"), and undoing that loses nothing. If so, simdtext_encode_from_utf8 with
/// `read_as` gives the original. False for text that is right as it is, for malformed UTF-8, and if the arguments are
/// refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_is_double_encoded(
    read_as: *const simdtext_encoding,
    src: *const c_char,
    len: usize,
) -> bool {
    call(|| {
        // SAFETY: the caller's promise.
        let read_as = unsafe { encoding_of(read_as) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        let text = unicode::from_utf8(src);
        Ok(text.is_ok_and(|text| DoubleEncoding::read_as(read_as).is_doubled(text)))
    })
}

/// The encodings of a caller's list, each only once.
struct List {
    encodings: [&'static Encoding; ENCODINGS],
    len: usize,
}

impl List {
    /// # Safety
    ///
    /// `encodings` points to `count` pointers that are null or came from the library.
    unsafe fn new(encodings: *const *const simdtext_encoding, count: usize) -> Outcome<Self> {
        let mut list = List {
            encodings: [UTF_8; ENCODINGS],
            len: 0,
        };
        // SAFETY: the caller's promise.
        for &encoding in unsafe { input(encodings, count) }? {
            // SAFETY: the caller's promise.
            let encoding = unsafe { encoding_of(encoding) }?;
            if list.get().contains(&encoding) {
                continue;
            }
            // There are no more than that.
            if let Some(place) = list.encodings.get_mut(list.len) {
                *place = encoding;
                list.len += 1;
            }
        }
        Ok(list)
    }

    fn get(&self) -> &[&'static Encoding] {
        self.encodings.get(..self.len).unwrap_or_default()
    }
}
