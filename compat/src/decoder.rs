//! The streaming decoder. `lengths.rs` calculates the room that its output needs, and `attribution.rs` what
//! was read after a malformed sequence.

#[cfg(feature = "alloc")]
use alloc::string::String;
use core::fmt;

use simdtext::{Bom, Progress, Status};

use crate::attribution::bytes_read_after;
use crate::encoding::Kind;
use crate::latin1_compatible::latin1_compatible_up_to;
use crate::output::Output;
use crate::{CoderResult, DecoderResult, Encoding};

/// Decodes a stream of bytes, piece by piece.
///
/// Made by [`Encoding::new_decoder`], or by one of the two functions beside it. Give it the stream in pieces of any size,
/// and set `last` with the last one, until a call returns `InputEmpty`: then the stream is finished, and another call
/// panics.
///
/// An empty piece at the start of a stream does nothing, not even with `last`, as long as a byte order mark
/// may follow.
///
/// ```
/// use simdtext_encoding_rs::{CoderResult, SHIFT_JIS};
///
/// let mut decoder = SHIFT_JIS.new_decoder();
/// let mut text = String::with_capacity(64);
/// for (piece, last) in [(&b"\x93"[..], false), (b"\xFA\x96{", true)] {
///     let (result, read, had_errors) = decoder.decode_to_string(piece, &mut text, last);
///     assert_eq!((result, read, had_errors), (CoderResult::InputEmpty, piece.len(), false));
/// }
/// assert_eq!(text, "日本");
/// ```
pub struct Decoder {
    inner: simdtext::Decoder,
    encoding: &'static Encoding,
    state: State,
    /// Whether a byte order mark may change the encoding.
    sniffs: bool,
    replay: Replay,
}

/// What a call has to check before it decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing.
    Plain,
    /// The room, because the encoding is Big5.
    Big5,
    /// Whether a byte order mark follows, or bytes have to be replayed.
    Special,
    Finished,
}

impl State {
    /// The checks for a decoder that expects no byte order mark and has nothing to replay.
    #[inline]
    fn between_calls(encoding: &Encoding) -> Self {
        if encoding.kind == Kind::Big5 {
            State::Big5
        } else {
            State::Plain
        }
    }
}

/// Bytes after a malformed sequence that a call has read, and that have not been decoded yet.
#[derive(Clone, Copy, Debug, Default)]
struct Replay {
    bytes: [u8; 3],
    len: u8,
}

impl Replay {
    fn as_slice(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len).min(3)]
    }

    fn set(&mut self, bytes: &[u8]) {
        let len = bytes.len().min(3);
        self.bytes[..len].copy_from_slice(&bytes[..len]);
        self.len = len as u8;
    }
}

/// The facts on which the room for the output depends.
pub(crate) struct ForLengths {
    pub(crate) kind: Kind,
    /// The number of bytes that were read and not decoded.
    pub(crate) pending: usize,
    /// If a byte order mark may follow: its first byte, or 0 before that.
    pub(crate) mark: Option<u8>,
    /// Whether the mark of another encoding counts.
    pub(crate) sniffs: bool,
    /// Whether a new decoder would go on in the same way.
    pub(crate) is_initial: bool,
}

/// A function of simdtext's decoder.
type Decode<T> = fn(&mut simdtext::Decoder, &[u8], &mut T, bool) -> Progress;

impl Decoder {
    #[inline]
    pub(crate) fn new(encoding: &'static Encoding, bom: Bom) -> Self {
        Decoder {
            inner: encoding.inner.decoder(bom),
            encoding,
            state: if bom == Bom::Keep {
                State::between_calls(encoding)
            } else {
                State::Special
            },
            sniffs: bom == Bom::Sniff,
            replay: Replay::default(),
        }
    }

    /// The encoding that is being decoded. A byte order mark may change it, which is decided when three bytes have been
    /// read.
    #[inline]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Decodes `src` to UTF-8 in `dst`; malformed sequences become U+FFFD. Returns why it stopped, the bytes read, the
    /// bytes written, and whether anything was malformed.
    ///
    /// Bytes of `dst` past those written may be overwritten, too.
    ///
    /// # Panics
    ///
    /// Panics if the stream is finished.
    #[inline]
    pub fn decode_to_utf8(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        let done = self.decode(src, dst, last, simdtext::Decoder::decode_to_utf8);
        (done.status.into(), done.read, done.written, done.errors > 0)
    }

    /// Decodes `src` to the front of `dst`; malformed sequences become U+FFFD. Returns why it stopped, the bytes read,
    /// the bytes written, and whether anything was malformed.
    ///
    /// What follows in `dst` remains a `str`, but bytes past those written may have become U+0000.
    ///
    /// # Panics
    ///
    /// Panics if the stream is finished.
    #[inline]
    pub fn decode_to_str(
        &mut self,
        src: &[u8],
        dst: &mut str,
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        let done = self.decode(src, dst, last, simdtext::Decoder::decode_to_str);
        (done.status.into(), done.read, done.written, done.errors > 0)
    }

    /// Decodes `src` and appends to `dst` within its spare capacity; malformed sequences become U+FFFD. Returns why it
    /// stopped, the bytes read, and whether anything was malformed.
    ///
    /// # Panics
    ///
    /// Panics if the stream is finished.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn decode_to_string(
        &mut self,
        src: &[u8],
        dst: &mut String,
        last: bool,
    ) -> (CoderResult, usize, bool) {
        let done = self.decode(src, dst, last, simdtext::Decoder::decode_to_string);
        (done.status.into(), done.read, done.errors > 0)
    }

    /// Decodes `src` to UTF-8 in `dst`, and stops after each malformed sequence. Returns why it stopped, the bytes read,
    /// and the bytes written.
    ///
    /// Bytes of `dst` past those written may be overwritten, too.
    ///
    /// # Panics
    ///
    /// Panics if the stream is finished.
    #[inline]
    pub fn decode_to_utf8_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        self.decode_strict(src, dst, last, simdtext::Decoder::decode_to_utf8_strict)
    }

    /// Decodes `src` to the front of `dst`, and stops after each malformed sequence. Returns why it stopped, the bytes
    /// read, and the bytes written.
    ///
    /// What follows in `dst` remains a `str`, but bytes past those written may have become U+0000.
    ///
    /// # Panics
    ///
    /// Panics if the stream is finished.
    #[inline]
    pub fn decode_to_str_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut str,
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        self.decode_strict(src, dst, last, simdtext::Decoder::decode_to_str_strict)
    }

    /// Decodes `src` and appends to `dst` within its spare capacity, and stops after each malformed sequence. Returns why
    /// it stopped, and the bytes read.
    ///
    /// # Panics
    ///
    /// Panics if the stream is finished.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn decode_to_string_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut String,
        last: bool,
    ) -> (DecoderResult, usize) {
        let (result, read, _) =
            self.decode_strict(src, dst, last, simdtext::Decoder::decode_to_string_strict);
        (result, read)
    }

    /// Decodes `src` to UTF-16 in `dst`; malformed sequences become U+FFFD. Returns why it stopped, the bytes read, the
    /// code units written, and whether anything was malformed.
    ///
    /// Units of `dst` past those written may be overwritten, too.
    ///
    /// # Panics
    ///
    /// Panics if the stream is finished.
    #[inline]
    pub fn decode_to_utf16(
        &mut self,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        let done = self.decode(src, dst, last, simdtext::Decoder::decode_to_utf16);
        (done.status.into(), done.read, done.written, done.errors > 0)
    }

    /// Decodes `src` to UTF-16 in `dst`, and stops after each malformed sequence. Returns why it stopped, the bytes read,
    /// and the code units written.
    ///
    /// Units of `dst` past those written may be overwritten, too.
    ///
    /// # Panics
    ///
    /// Panics if the stream is finished.
    #[inline]
    pub fn decode_to_utf16_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        self.decode_strict(src, dst, last, simdtext::Decoder::decode_to_utf16_strict)
    }

    /// How many of `bytes` decode to code units equal to them, if they come next: that many need no decoding
    /// to become UTF-16. `None` if the decoder is inside a character, if a byte order mark may follow, or if
    /// the encoding is UTF-16BE, UTF-16LE or replacement.
    ///
    /// In single-byte encodings, encoding_rs does not count the ASCII after the last byte that is not ASCII;
    /// here it counts.
    ///
    /// # Panics
    ///
    /// Panics if the stream is finished.
    pub fn latin1_byte_compatible_up_to(&self, bytes: &[u8]) -> Option<usize> {
        self.check_alive();
        if !self.inner.is_in_initial_state() || self.replay.len > 0 {
            return None;
        }
        latin1_compatible_up_to(self.encoding, bytes)
    }

    #[inline(always)]
    fn decode<T: Output + ?Sized>(
        &mut self,
        src: &[u8],
        dst: &mut T,
        last: bool,
        decode: Decode<T>,
    ) -> Progress {
        match self.state {
            State::Plain => {}
            State::Big5 if dst.room() >= T::BIG5_ROOM => {}
            _ => return self.decode_special(src, dst, last, decode),
        }
        let done = decode(&mut self.inner, src, dst, last);
        if last && done.status == Status::InputEmpty {
            self.state = State::Finished;
        }
        done
    }

    #[inline(always)]
    fn decode_strict<T: Output + ?Sized>(
        &mut self,
        src: &[u8],
        dst: &mut T,
        last: bool,
        decode: Decode<T>,
    ) -> (DecoderResult, usize, usize) {
        let done = self.decode(src, dst, last, decode);
        match done.status {
            Status::OutputFull => (DecoderResult::OutputFull, done.read, done.written),
            Status::Malformed(_) => self.malformed(done, src),
            _ => (DecoderResult::InputEmpty, done.read, done.written),
        }
    }

    /// Reads what encoding_rs reads after a malformed sequence.
    #[cold]
    fn malformed(&mut self, done: Progress, src: &[u8]) -> (DecoderResult, usize, usize) {
        let Status::Malformed(malformed) = done.status else {
            return (DecoderResult::InputEmpty, done.read, done.written);
        };
        let unread = &src[done.read..];
        // The bytes after the sequence: those that were read before, and the start of the input.
        let mut ahead = [0; 8];
        let (pending, replay) = (self.inner.pending(), self.replay.as_slice());
        let read_before = pending.len() + replay.len();
        let mut len = 0;
        for (to, from) in ahead
            .iter_mut()
            .zip(pending.iter().chain(replay).chain(unread))
        {
            *to = *from;
            len += 1;
        }
        let start = self.inner.total_read() + replay.len() as u64 - done.read as u64;
        let began_before = malformed.offset < start;
        let kind = self.encoding.kind;
        let after = bytes_read_after(&malformed, &ahead[..len], kind, began_before, &self.inner);
        // One escape sequence is decoded already, in place of the one before it.
        let is_decoded = kind == Kind::Iso2022Jp && malformed.len == 3;
        let more = if is_decoded {
            0
        } else {
            after.saturating_sub(read_before)
        };
        let replay_from = pending.len();
        if more > 0 {
            self.replay.set(&ahead[replay_from..read_before + more]);
            self.state = State::Special;
        }
        (
            DecoderResult::Malformed(malformed.len, after as u8),
            done.read + more,
            done.written,
        )
    }

    /// Decodes if more than the input has to be considered.
    #[inline(never)]
    fn decode_special<T: Output + ?Sized>(
        &mut self,
        src: &[u8],
        dst: &mut T,
        last: bool,
        decode: Decode<T>,
    ) -> Progress {
        self.check_alive();
        let nothing = |status| Progress {
            status,
            read: 0,
            written: 0,
            errors: 0,
        };
        let may_be_bom = self.inner.is_at_bom();
        if may_be_bom && src.is_empty() && self.inner.pending().is_empty() {
            return nothing(Status::InputEmpty);
        }
        let starts_bom = may_be_bom
            && (!self.inner.pending().is_empty()
                || matches!(src.first(), Some(0xEF | 0xFE | 0xFF)));
        if self.encoding.kind == Kind::Big5
            && !starts_bom
            && !src.is_empty()
            && dst.room() < T::BIG5_ROOM
        {
            return nothing(Status::OutputFull);
        }
        let mut before = nothing(Status::InputEmpty);
        if self.replay.len > 0 {
            let replay = self.replay;
            before = decode(&mut self.inner, replay.as_slice(), dst, false);
            self.replay.set(&replay.as_slice()[before.read..]);
            before.read = 0;
        }
        let mut done = before;
        if before.status == Status::InputEmpty {
            done = decode(&mut self.inner, src, dst.rest(before.written), last);
            done.written += before.written;
            done.errors += before.errors;
        }
        self.encoding = self.inner.encoding().into();
        self.state = if last && done.status == Status::InputEmpty {
            State::Finished
        } else if self.replay.len > 0 || self.inner.is_at_bom() {
            State::Special
        } else {
            State::between_calls(self.encoding)
        };
        done
    }

    #[inline]
    fn check_alive(&self) {
        assert!(
            self.state != State::Finished,
            "Must not use a decoder that has finished."
        );
    }

    pub(crate) fn for_lengths(&self) -> ForLengths {
        self.check_alive();
        let pending = self.inner.pending();
        let mark = self.inner.is_at_bom().then(|| pending.first().copied());
        ForLengths {
            kind: self.encoding.kind,
            pending: pending.len() + self.replay.as_slice().len(),
            mark: mark.map(Option::unwrap_or_default),
            sniffs: self.sniffs,
            is_initial: self.inner.is_in_initial_state(),
        }
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder")
            .field("encoding", self.encoding)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
