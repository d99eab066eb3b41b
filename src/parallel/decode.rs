//! Decoding a slice into one string, or one vector of UTF-16.
//!
//! A worker decodes its piece to a buffer of its own, which stays in its cache. In its turn, when it
//! is known where its text begins in the result, it gets that part of the result's room, and copies
//! the buffer there side by side with the others.
//!
//! Tested in `tests/parallel`.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::string::String;
use std::vec::Vec;

use super::cut::Window;
use super::decode_units::{Errors, PieceBuffer, PieceErrors, Target, decode_piece};
use super::pipeline::{self, Work};
use super::{Parallel, Pool};
use crate::convert::{DecodeError, Decoded};
use crate::decoder::Decoder;
use crate::encoding::Encoding;
use crate::output::{Part, PartUnits, Spare};
use crate::progress::{Bom, Malformed};

/// The result of the functions of [`Parallel`] that decode to UTF-16.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodedUtf16 {
    /// The text, in native-endian code units.
    pub units: Vec<u16>,
    /// The encoding that was decoded; a byte order mark may have changed it.
    pub encoding: &'static Encoding,
    /// The number of malformed sequences, each of which became U+FFFD.
    pub errors: usize,
    /// The first malformed sequence.
    pub first_error: Option<Malformed>,
}

impl Parallel<'_> {
    /// Decodes `bytes`; malformed sequences become U+FFFD. Returns what [`Encoding::decode_with`] returns,
    /// and borrows whenever it does.
    ///
    /// ```
    /// use simdtext::parallel::Parallel;
    /// use simdtext::{BIG5, Bom};
    ///
    /// let bytes = b"\xA4\xA4\xFF ".repeat(1000);
    /// let decoded = Parallel::new().piece_bytes(256).decode(BIG5, &bytes, Bom::Keep);
    /// assert_eq!(decoded.text, "中\u{FFFD} ".repeat(1000));
    /// assert_eq!((decoded.errors, decoded.first_error.unwrap().offset), (1000, 2));
    /// ```
    #[must_use]
    pub fn decode<'a>(
        &self,
        encoding: &'static Encoding,
        bytes: &'a [u8],
        bom: Bom,
    ) -> Decoded<'a> {
        if self.workers(bytes.len()) == 1 {
            return encoding.decode_with(bytes, bom);
        }
        self.decode_to_text(encoding, bytes, bom, Errors::First, &mut |_| {})
    }

    /// Decodes `bytes`. Returns what [`Encoding::decode_strict`] returns, and borrows whenever it does.
    ///
    /// # Errors
    ///
    /// Fails at the first malformed sequence (in the order of the stream), with its offset and bytes.
    ///
    /// ```
    /// use simdtext::parallel::Parallel;
    /// use simdtext::{Bom, EUC_KR};
    ///
    /// let bytes = [b"\xB0\xA1 ".repeat(1000), b"\xFF".repeat(1000)].concat();
    /// let parallel = Parallel::new().piece_bytes(256);
    /// let error = parallel.decode_strict(EUC_KR, &bytes, Bom::Keep).unwrap_err();
    /// assert_eq!(error.malformed.offset, 3000);
    /// ```
    pub fn decode_strict<'a>(
        &self,
        encoding: &'static Encoding,
        bytes: &'a [u8],
        bom: Bom,
    ) -> Result<Decoded<'a>, DecodeError> {
        if self.workers(bytes.len()) == 1 {
            return encoding.decode_strict(bytes, bom);
        }
        let decoded = self.decode_to_text(encoding, bytes, bom, Errors::Strict, &mut |_| {});
        no_error(decoded.first_error, decoded.encoding)?;
        Ok(decoded)
    }

    /// Decodes `bytes` like [`Parallel::decode`], and calls `on_error` for each malformed sequence, in
    /// stream order.
    ///
    /// ```
    /// use simdtext::parallel::Parallel;
    /// use simdtext::{Bom, UTF_8};
    ///
    /// let mut offsets = Vec::new();
    /// let parallel = Parallel::new().piece_bytes(4);
    /// let decoded = parallel.decode_with(UTF_8, b"one\xFFtwo\xC3three", Bom::Keep, |malformed| {
    ///     offsets.push(malformed.offset);
    /// });
    /// assert_eq!(decoded.text, "one\u{FFFD}two\u{FFFD}three");
    /// assert_eq!(offsets, [3, 7]);
    /// ```
    pub fn decode_with<'a>(
        &self,
        encoding: &'static Encoding,
        bytes: &'a [u8],
        bom: Bom,
        mut on_error: impl FnMut(Malformed) + Send,
    ) -> Decoded<'a> {
        self.decode_to_text(encoding, bytes, bom, Errors::All, &mut on_error)
    }

    /// Decodes `bytes` to native-endian UTF-16; malformed sequences become U+FFFD.
    ///
    /// ```
    /// use simdtext::parallel::Parallel;
    /// use simdtext::{Bom, GB18030};
    ///
    /// let bytes = b"\x94\x39\xDA\x33\n".repeat(100);
    /// let decoded = Parallel::new().piece_bytes(64).decode_to_utf16(GB18030, &bytes, Bom::Sniff);
    /// assert_eq!(decoded.units, "💩\n".repeat(100).encode_utf16().collect::<Vec<_>>());
    /// ```
    #[must_use]
    pub fn decode_to_utf16(
        &self,
        encoding: &'static Encoding,
        bytes: &[u8],
        bom: Bom,
    ) -> DecodedUtf16 {
        self.decode_to_units(encoding, bytes, bom, Errors::First, &mut |_| {})
    }

    /// [`Parallel::decode_to_utf16`], failing as [`Parallel::decode_strict`] does.
    ///
    /// # Errors
    ///
    /// Fails at the first malformed sequence (in the order of the stream), with its offset and bytes.
    pub fn decode_to_utf16_strict(
        &self,
        encoding: &'static Encoding,
        bytes: &[u8],
        bom: Bom,
    ) -> Result<DecodedUtf16, DecodeError> {
        let decoded = self.decode_to_units(encoding, bytes, bom, Errors::Strict, &mut |_| {});
        no_error(decoded.first_error, decoded.encoding)?;
        Ok(decoded)
    }

    /// [`Parallel::decode_to_utf16`], calling `on_error` for each malformed sequence like
    /// [`Parallel::decode_with`].
    pub fn decode_to_utf16_with(
        &self,
        encoding: &'static Encoding,
        bytes: &[u8],
        bom: Bom,
        mut on_error: impl FnMut(Malformed) + Send,
    ) -> DecodedUtf16 {
        self.decode_to_units(encoding, bytes, bom, Errors::All, &mut on_error)
    }

    fn decode_to_text<'a>(
        &self,
        encoding: &'static Encoding,
        bytes: &'a [u8],
        bom: Bom,
        errors: Errors,
        on_error: &mut (dyn FnMut(Malformed) + Send),
    ) -> Decoded<'a> {
        let (encoding, mark) = encoding.after_bom(bytes, bom);
        if let Some(text) = self.borrow_text(encoding, &bytes[mark..]) {
            return Decoded {
                text: Cow::Borrowed(text),
                encoding,
                errors: 0,
                first_error: None,
            };
        }
        let whole = self.decode_all::<String>(encoding, bytes, mark, errors, on_error);
        Decoded {
            text: Cow::Owned(whole.target),
            encoding,
            errors: whole.errors,
            first_error: whole.first_error,
        }
    }

    fn decode_to_units(
        &self,
        encoding: &'static Encoding,
        bytes: &[u8],
        bom: Bom,
        errors: Errors,
        on_error: &mut (dyn FnMut(Malformed) + Send),
    ) -> DecodedUtf16 {
        let (encoding, mark) = encoding.after_bom(bytes, bom);
        let whole = self.decode_all::<Vec<u16>>(encoding, bytes, mark, errors, on_error);
        DecodedUtf16 {
            units: whole.target,
            encoding,
            errors: whole.errors,
            first_error: whole.first_error,
        }
    }

    /// Decodes from `mark` on.
    fn decode_all<T: Target>(
        &self,
        encoding: &'static Encoding,
        bytes: &[u8],
        mark: usize,
        errors: Errors,
        on_error: &mut (dyn FnMut(Malformed) + Send),
    ) -> Whole<T> {
        let workers = self.workers(bytes.len());
        if workers == 1 {
            let mut decoder = encoding.decoder(Bom::Keep).at_offset(mark as u64);
            let (mut buffer, mut found) = (T::Buffer::default(), PieceErrors::default());
            let rest = &bytes[mark..];
            decode_piece(&mut decoder, rest, true, errors, &mut buffer, &mut found);
            found.all.iter().for_each(|malformed| on_error(*malformed));
            let mut target = T::from_buffer(buffer);
            target.shrink();
            return Whole {
                target,
                errors: found.count,
                first_error: found.first,
            };
        }
        let job = Decoding {
            encoding,
            bytes,
            errors,
            piece_len: self.piece_len,
            target: PhantomData,
        };
        job.run(self.pool, workers, mark, on_error)
    }
}

fn no_error(malformed: Option<Malformed>, encoding: &'static Encoding) -> Result<(), DecodeError> {
    match malformed {
        Some(malformed) => Err(DecodeError {
            encoding,
            malformed,
        }),
        None => Ok(()),
    }
}

struct Whole<T> {
    target: T,
    errors: usize,
    first_error: Option<Malformed>,
}

/// A slice being decoded, without its byte order mark.
struct Decoding<'a, 'r, T> {
    encoding: &'static Encoding,
    bytes: &'a [u8],
    errors: Errors,
    piece_len: usize,
    target: PhantomData<fn(&'r T)>,
}

/// Where a piece begins.
#[derive(Clone, Debug)]
struct Start {
    at: usize,
    /// The decoder that the pieces before have led to; `None` at a cut, where it is a fresh one.
    decoder: Option<Decoder>,
}

/// A piece.
struct DecodeSlot<'r, T: Target> {
    start: usize,
    end: usize,
    starts_at_cut: bool,
    ends_at_cut: bool,
    /// The decoder after the piece.
    decoder: Option<Decoder>,
    buffer: T::Buffer,
    found: PieceErrors,
    part: Option<Part<'r, T::Slice>>,
}

/// Where the next piece is to be taken from.
struct Source {
    at: usize,
    at_cut: bool,
}

struct DecodeDelivery<'r, 'e, T: Target> {
    room: Spare<'r, T::Slice>,
    done: DecodeTotals,
    on_error: &'e mut (dyn FnMut(Malformed) + Send),
}

/// The total of the pieces that were delivered.
struct DecodeTotals {
    /// Where the next piece begins.
    next: Start,
    errors: usize,
    first_error: Option<Malformed>,
}

impl<'a, T: Target> Decoding<'a, '_, T> {
    fn run(
        &self,
        pool: Option<&Pool>,
        workers: usize,
        mark: usize,
        on_error: &mut (dyn FnMut(Malformed) + Send),
    ) -> Whole<T> {
        let mut target = T::default();
        let mut done = DecodeTotals {
            next: Start {
                at: mark,
                decoder: None,
            },
            errors: 0,
            first_error: None,
        };
        // Legacy text grows by about a half. When the target is full, it gets all the room that the rest can
        // need.
        let rest = self.bytes.len() - mark;
        target.reserve(rest + rest / 2 + 16);
        loop {
            done = target.append(|room| {
                let source = Source {
                    at: done.next.at,
                    at_cut: done.next.decoder.is_none(),
                };
                let sink = DecodeDelivery {
                    room,
                    done,
                    on_error: &mut *on_error,
                };
                let (_, sink) = pipeline::run(&self.for_room(), pool, workers, source, sink);
                sink.done
            });
            let is_stopped = self.errors == Errors::Strict && done.first_error.is_some();
            let rest = self.bytes.len() - done.next.at;
            if rest == 0 || is_stopped {
                break;
            }
            target.reserve(3 * rest + 16);
        }
        target.shrink();
        Whole {
            target,
            errors: done.errors,
            first_error: done.first_error,
        }
    }

    /// The same job with another lifetime for its room.
    fn for_room<'r>(&self) -> Decoding<'a, 'r, T> {
        Decoding {
            encoding: self.encoding,
            bytes: self.bytes,
            errors: self.errors,
            piece_len: self.piece_len,
            target: PhantomData,
        }
    }

    fn decode(&self, decoder: &mut Decoder, slot: &mut DecodeSlot<'_, T>) {
        decode_piece(
            decoder,
            &self.bytes[slot.start..slot.end],
            slot.ends_at_cut,
            self.errors,
            &mut slot.buffer,
            &mut slot.found,
        );
    }
}

impl<'r, T: Target> Work for Decoding<'_, 'r, T> {
    type Source = Source;
    type Slot = DecodeSlot<'r, T>;
    type Sink = DecodeDelivery<'r, 'r, T>;

    fn slot(&self) -> DecodeSlot<'r, T> {
        DecodeSlot {
            start: 0,
            end: 0,
            starts_at_cut: true,
            ends_at_cut: true,
            decoder: None,
            buffer: T::Buffer::default(),
            found: PieceErrors::default(),
            part: None,
        }
    }

    fn take(&self, source: &mut Source, slot: &mut DecodeSlot<'r, T>) -> bool {
        let Source { at: start, at_cut } = *source;
        let rest = self.bytes.len() - start;
        if rest == 0 {
            return false;
        }
        (source.at, source.at_cut) = if rest <= self.piece_len {
            (self.bytes.len(), true)
        } else {
            let window = Window {
                bytes: self.bytes,
                offset: 0,
            };
            window.piece_end(self.encoding.codec(), start, at_cut, self.piece_len)
        };
        (slot.start, slot.end) = (start, source.at);
        (slot.starts_at_cut, slot.ends_at_cut) = (at_cut, source.at_cut);
        true
    }

    fn convert(&self, slot: &mut DecodeSlot<'r, T>) {
        if slot.starts_at_cut {
            let decoder = self.encoding.decoder(Bom::Keep);
            let mut decoder = decoder.at_offset(slot.start as u64);
            self.decode(&mut decoder, slot);
            slot.decoder = Some(decoder);
        }
    }

    fn deliver(
        &self,
        sink: &mut DecodeDelivery<'r, 'r, T>,
        slot: &mut DecodeSlot<'r, T>,
    ) -> ControlFlow<()> {
        let before = sink.done.next.decoder.take();
        if !slot.starts_at_cut {
            let fresh = || {
                self.encoding
                    .decoder(Bom::Keep)
                    .at_offset(slot.start as u64)
            };
            let mut decoder = before.clone().unwrap_or_else(fresh);
            self.decode(&mut decoder, slot);
            slot.decoder = Some(decoder);
        }
        let Some(part) = sink.room.part(slot.buffer.whole().units().len()) else {
            sink.done.next.decoder = before;
            return ControlFlow::Break(());
        };
        slot.part = Some(part);
        sink.done.next = Start {
            at: slot.end,
            decoder: slot.decoder.take().filter(|_| !slot.ends_at_cut),
        };
        sink.done.errors += slot.found.count;
        sink.done.first_error = sink.done.first_error.or(slot.found.first);
        for malformed in &slot.found.all {
            (sink.on_error)(*malformed);
        }
        if self.errors == Errors::Strict && sink.done.first_error.is_some() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn settle(&self, slot: &mut DecodeSlot<'r, T>) {
        if let Some(part) = slot.part.take() {
            part.fill(slot.buffer.whole());
        }
    }
}
