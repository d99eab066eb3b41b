//! Decoding a slice into one string, or one vector of UTF-16.
//!
//! A worker decodes its piece to a buffer of its own, which stays in its cache. In its turn, when it
//! is known where its text begins in the result, it gets that part of the result's room, and copies
//! the buffer there side by side with the others.
//!
//! Tested in `tests/parallel`.

use std::borrow::{Borrow, Cow};
use std::ops::ControlFlow;
use std::string::String;
use std::vec::Vec;

use super::Parallel;
use super::cut::Window;
use super::pipeline::{self, Steps};
use crate::convert::{DecodeError, Decoded, DecodedUtf16, DecoderOutput, decode_all, no_error};
use crate::decoder::Decoder;
use crate::encoding::Encoding;
use crate::output::{Part, PartUnits, Spare, append_parts, append_parts_of_text};
use crate::progress::{Bom, Malformed};

impl Parallel<'_> {
    /// Decodes `bytes`; malformed sequences become U+FFFD. Returns what [`Encoding::decode_with_bom`] returns,
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
            return encoding.decode_with_bom(bytes, bom);
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

    /// Decodes `bytes` to native-endian UTF-16; malformed sequences become U+FFFD. Returns what
    /// [`Encoding::decode_to_utf16_with_bom`] returns.
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
    ///
    /// ```
    /// use simdtext::parallel::Parallel;
    /// use simdtext::{Bom, GBK};
    ///
    /// let error = Parallel::new().decode_to_utf16_strict(GBK, b"\xC4\xE3\xFF", Bom::Keep).unwrap_err();
    /// assert_eq!(error.malformed.offset, 2);
    /// ```
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
    ///
    /// ```
    /// use simdtext::parallel::Parallel;
    /// use simdtext::{Bom, GBK};
    ///
    /// let mut offsets = Vec::new();
    /// let bytes = b"\xC4\xE3\xFF";
    /// let decoded = Parallel::new().decode_to_utf16_with(GBK, bytes, Bom::Keep, |it| offsets.push(it.offset));
    /// assert_eq!((decoded.units, offsets), (vec![0x4F60, 0xFFFD], vec![2]));
    /// ```
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
        if let Some(text) = self.unchanged(encoding, &bytes[mark..]) {
            return Decoded {
                text: Cow::Borrowed(text),
                encoding,
                errors: 0,
                first_error: None,
            };
        }
        let (mut text, found) =
            self.decode_pieces::<String>(encoding, bytes, mark, errors, on_error);
        text.shrink_to_fit();
        Decoded {
            text: Cow::Owned(text),
            encoding,
            errors: found.count,
            first_error: found.first,
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
        let (mut units, found) =
            self.decode_pieces::<Vec<u16>>(encoding, bytes, mark, errors, on_error);
        units.shrink_to_fit();
        DecodedUtf16 {
            units,
            encoding,
            errors: found.count,
            first_error: found.first,
        }
    }

    /// Decodes from `mark` on.
    fn decode_pieces<T: Target>(
        &self,
        encoding: &'static Encoding,
        bytes: &[u8],
        mark: usize,
        errors: Errors,
        on_error: &mut (dyn FnMut(Malformed) + Send),
    ) -> (T, PieceErrors) {
        let fresh = |at: usize| encoding.decoder(Bom::Keep).at_offset(at as u64);
        let decode = |slot: &mut DecodeSlot<T>, mut decoder: Decoder| {
            let piece = &bytes[slot.start..slot.end];
            slot.text.clear();
            slot.found = decode_piece(
                &mut decoder,
                piece,
                &mut slot.text,
                slot.ends_at_cut,
                errors,
            );
            slot.decoder = Some(decoder);
        };
        let workers = self.workers(bytes.len());
        let mut target = T::default();
        if workers == 1 {
            let found = decode_piece(&mut fresh(mark), &bytes[mark..], &mut target, true, errors);
            found.all.iter().for_each(|malformed| on_error(*malformed));
            return (target, found);
        }
        let mut total = PieceErrors::default();
        // Where the next piece to be delivered begins, and the decoder that the pieces before have led to; `None` at a
        // cut, where it is a fresh one.
        let (mut next, mut before) = (mark, None::<Decoder>);
        // Legacy text grows by about a half. When the target is full, it gets all the room that the rest can
        // need.
        let rest = bytes.len() - mark;
        target.reserve(rest + rest / 2 + 16);
        loop {
            let (mut at, mut at_cut) = (next, before.is_none());
            target.append(|mut room| {
                // A piece, and its part of the target.
                let steps = Steps::<(DecodeSlot<T>, Option<Part<'_, T::Slice>>)> {
                    take: &mut |(slot, _)| {
                        (slot.start, slot.starts_at_cut) = (at, at_cut);
                        let rest = bytes.len() - at;
                        (at, at_cut) = if rest <= self.piece_len {
                            (bytes.len(), true)
                        } else {
                            let window = Window { bytes, offset: 0 };
                            window.piece_end(encoding.codec(), at, at_cut, self.piece_len)
                        };
                        (slot.end, slot.ends_at_cut) = (at, at_cut);
                        rest > 0
                    },
                    convert: &|(slot, _)| {
                        if slot.starts_at_cut {
                            decode(slot, fresh(slot.start));
                        }
                    },
                    deliver: &mut |(slot, part)| {
                        if !slot.starts_at_cut {
                            let start = slot.start;
                            decode(slot, before.clone().unwrap_or_else(|| fresh(start)));
                        }
                        *part = room.part(slot.text.borrow().units().len());
                        if part.is_none() {
                            return ControlFlow::Break(());
                        }
                        next = slot.end;
                        before = slot.decoder.take().filter(|_| !slot.ends_at_cut);
                        total.count += slot.found.count;
                        total.first = total.first.or(slot.found.first);
                        for malformed in &slot.found.all {
                            on_error(*malformed);
                        }
                        if errors == Errors::Strict && total.first.is_some() {
                            return ControlFlow::Break(());
                        }
                        ControlFlow::Continue(())
                    },
                    settle: &|(slot, part)| {
                        if let Some(part) = part.take() {
                            part.fill(slot.text.borrow());
                        }
                    },
                };
                pipeline::run(self.pool, workers, steps);
            });
            let is_stopped = errors == Errors::Strict && total.first.is_some();
            let rest = bytes.len() - next;
            if rest == 0 || is_stopped {
                break;
            }
            // Three times the rest may be more than a 32-bit number.
            let most = rest.checked_mul(3).unwrap_or(rest);
            target.reserve(most.saturating_add(16));
        }
        (target, total)
    }
}

/// A piece.
#[derive(Default)]
struct DecodeSlot<T> {
    start: usize,
    end: usize,
    starts_at_cut: bool,
    ends_at_cut: bool,
    /// The decoder after the piece.
    decoder: Option<Decoder>,
    text: T,
    found: PieceErrors,
}

/// Which errors are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errors {
    /// The first, and the number of all.
    First,
    /// The first, and nothing after it.
    Strict,
    /// All.
    All,
}

/// What was malformed in a piece.
#[derive(Debug, Default)]
struct PieceErrors {
    count: usize,
    first: Option<Malformed>,
    /// With [`Errors::All`].
    all: Vec<Malformed>,
}

/// Decodes one piece, with [`Errors::Strict`] only up to the first error.
fn decode_piece<T: Target>(
    decoder: &mut Decoder,
    piece: &[u8],
    text: &mut T,
    last: bool,
    errors: Errors,
) -> PieceErrors {
    text.reserve(T::max_len(decoder, piece.len()).unwrap_or(piece.len()));
    let (strict, mut all) = (errors == Errors::Strict, Vec::new());
    let mut keep = |malformed| all.push(malformed);
    let on_error = (errors == Errors::All).then_some(&mut keep as &mut dyn FnMut(Malformed));
    let (count, first) = decode_all(decoder, piece, text, last, strict, on_error);
    PieceErrors {
        count,
        first: first.or(all.first().copied()),
        all,
    }
}

/// Text that is decoded to: that of a piece, and the result, which is put together of pieces.
trait Target: DecoderOutput + Borrow<Self::Slice> + Default + Send {
    type Slice: PartUnits + ?Sized;

    fn clear(&mut self);

    /// Lets threads fill the room after the end.
    fn append<R>(&mut self, give: impl FnOnce(Spare<'_, Self::Slice>) -> R) -> R;
}

impl Target for String {
    type Slice = str;

    fn clear(&mut self) {
        self.clear();
    }

    fn append<R>(&mut self, give: impl FnOnce(Spare<'_, str>) -> R) -> R {
        append_parts_of_text(self, give)
    }
}

impl Target for Vec<u16> {
    type Slice = [u16];

    fn clear(&mut self) {
        self.clear();
    }

    fn append<R>(&mut self, give: impl FnOnce(Spare<'_, [u16]>) -> R) -> R {
        append_parts(self, give)
    }
}
