//! Encoding a slice into one vector of bytes.
//!
//! It works as `decode.rs` does, with pieces that end between characters. Tested in `tests/parallel`.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::vec::Vec;

use super::encode_join::join;
use super::encode_text::{self, EncoderInput, Missing, encode_piece};
use super::pipeline::{self, Work};
use super::{Parallel, Pool};
use crate::convert::{EncodeError, Encoded};
use crate::encoder::Encoder;
use crate::encoding::Encoding;
use crate::output::{Part, Spare, append_parts};
use crate::progress::{MIN_ENCODED, Unmappable};

impl Parallel<'_> {
    /// Encodes `text`. Returns what [`Encoding::encode`] returns, and borrows whenever it does.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Unmappable`] with [`Unmappable::Strict`], for the first character (in the order
    /// of the text) that the encoding does not have; [`EncodeError::NoEncoder`] for replacement.
    ///
    /// ```
    /// use simdtext::parallel::Parallel;
    /// use simdtext::{EncodeError, ISO_2022_JP, Unmappable};
    ///
    /// let parallel = Parallel::new().piece_bytes(3);
    /// let encoded = parallel.encode(ISO_2022_JP, "日本☃", Unmappable::Ncr)?;
    /// assert_eq!(*encoded.bytes, *b"\x1B$BF|K\\\x1B(B&#9731;");
    ///
    /// let error = parallel.encode(ISO_2022_JP, "日本☃ ☃", Unmappable::Strict).unwrap_err();
    /// assert_eq!(error, EncodeError::Unmappable { encoding: ISO_2022_JP, ch: '☃', offset: 6 });
    /// # Ok::<(), EncodeError>(())
    /// ```
    pub fn encode<'a>(
        &self,
        encoding: &'static Encoding,
        text: &'a str,
        unmappable: Unmappable,
    ) -> Result<Encoded<'a>, EncodeError> {
        if self.workers(text.len()) == 1 {
            return encoding.encode(text, unmappable);
        }
        if self.is_encoded(encoding, text) {
            return Ok(Encoded {
                bytes: Cow::Borrowed(text.as_bytes()),
                errors: 0,
            });
        }
        self.encode_all(encoding, text, unmappable)
    }

    /// Encodes `text` in native-endian code units, which need not be well-formed: a surrogate without
    /// its other half is U+FFFD, an ordinary character for a Unicode encoding or gb18030, an unmappable
    /// one for any other. Never borrows.
    ///
    /// # Errors
    ///
    /// Those of [`Parallel::encode`], with offsets in code units.
    ///
    /// ```
    /// use simdtext::parallel::Parallel;
    /// use simdtext::{UTF_8, Unmappable};
    ///
    /// let units: Vec<u16> = "💩 ".repeat(100).encode_utf16().collect();
    /// let parallel = Parallel::new().piece_bytes(16);
    /// let encoded = parallel.encode_from_utf16(UTF_8, &units, Unmappable::Strict)?;
    /// assert_eq!(*encoded.bytes, *"💩 ".repeat(100).as_bytes());
    /// # Ok::<(), simdtext::EncodeError>(())
    /// ```
    pub fn encode_from_utf16(
        &self,
        encoding: &'static Encoding,
        text: &[u16],
        unmappable: Unmappable,
    ) -> Result<Encoded<'static>, EncodeError> {
        self.encode_all(encoding, text, unmappable)
    }

    fn encode_all<T: EncoderInput>(
        &self,
        encoding: &'static Encoding,
        text: T,
        unmappable: Unmappable,
    ) -> Result<Encoded<'static>, EncodeError> {
        let fresh = encoding
            .encoder()
            .ok_or(EncodeError::NoEncoder { encoding })?;
        let whole_len = text.units() * T::UNIT_BYTES;
        let job = Job {
            fresh,
            text,
            unmappable,
            piece_len: (self.piece_len / T::UNIT_BYTES).max(1),
            room: PhantomData,
        };
        job.run(self.pool, self.workers(whole_len))
    }
}

/// A text being encoded into room that lives for `'r`.
struct Job<'r, T> {
    /// An encoder at the start of a stream.
    fresh: Encoder,
    text: T,
    unmappable: Unmappable,
    /// In units of the text.
    piece_len: usize,
    room: PhantomData<fn(&'r T)>,
}

/// A piece.
struct EncodeSlot<'r> {
    start: usize,
    end: usize,
    /// The encoder after the piece.
    encoder: Encoder,
    encoded: encode_text::EncodedPiece,
    missing: Missing,
    part: Option<Part<'r, [u8]>>,
}

struct EncodeDelivery<'r> {
    room: Spare<'r, [u8]>,
    done: EncodeTotals,
    /// How much room was needed for a piece that did not fit.
    wanted: usize,
}

/// The total of the pieces that were delivered.
struct EncodeTotals {
    /// Where the next piece begins.
    at: usize,
    /// The encoder at that point.
    encoder: Encoder,
    errors: usize,
    stop: Option<EncodeError>,
}

impl<T: EncoderInput> Job<'_, T> {
    fn run(&self, pool: Option<&Pool>, workers: usize) -> Result<Encoded<'static>, EncodeError> {
        let mut bytes = Vec::new();
        let mut done = EncodeTotals {
            at: 0,
            encoder: self.fresh.clone(),
            errors: 0,
            stop: None,
        };
        // Few texts grow. When the vector is full, it gets all the room that the rest can need.
        bytes.reserve(self.text.units() + MIN_ENCODED);
        loop {
            let wanted;
            (done, wanted) = append_parts(&mut bytes, |room| {
                let source = done.at;
                let sink = EncodeDelivery {
                    room,
                    done,
                    wanted: 0,
                };
                let (_, sink) = pipeline::run(&self.for_room(), pool, workers, source, sink);
                (sink.done, sink.wanted)
            });
            if let Some(error) = done.stop {
                return Err(error);
            }
            if done.at == self.text.units() {
                break;
            }
            let rest = self.text.part(done.at, self.text.units());
            let most = rest.max_len(&done.encoder).unwrap_or(rest.units());
            bytes.reserve(most.max(wanted));
        }
        let mut end = [0; MIN_ENCODED];
        let progress = (done.encoder).encode_from_utf8("", &mut end, true, self.unmappable);
        bytes.extend_from_slice(&end[..progress.written]);
        bytes.shrink_to_fit();
        Ok(Encoded {
            bytes: Cow::Owned(bytes),
            errors: done.errors,
        })
    }

    /// The same job with another lifetime for its room.
    fn for_room<'r>(&self) -> Job<'r, T> {
        Job {
            fresh: self.fresh.clone(),
            text: self.text,
            unmappable: self.unmappable,
            piece_len: self.piece_len,
            room: PhantomData,
        }
    }
}

impl<'r, T: EncoderInput> Work for Job<'r, T> {
    /// Where the next piece begins.
    type Source = usize;
    type Slot = EncodeSlot<'r>;
    type Sink = EncodeDelivery<'r>;

    fn slot(&self) -> EncodeSlot<'r> {
        EncodeSlot {
            start: 0,
            end: 0,
            encoder: self.fresh.clone(),
            encoded: encode_text::EncodedPiece::default(),
            missing: Missing::default(),
            part: None,
        }
    }

    fn take(&self, at: &mut usize, slot: &mut EncodeSlot<'r>) -> bool {
        slot.start = *at;
        slot.end = self.text.piece_end(*at, self.piece_len);
        *at = slot.end;
        slot.start < slot.end
    }

    fn convert(&self, slot: &mut EncodeSlot<'r>) {
        slot.encoder = self.fresh.clone();
        let piece = self.text.part(slot.start, slot.end);
        let (encoder, encoded) = (&mut slot.encoder, &mut slot.encoded);
        slot.missing = encode_piece(encoder, piece, self.unmappable, encoded);
    }

    fn deliver(&self, sink: &mut EncodeDelivery<'r>, slot: &mut EncodeSlot<'r>) -> ControlFlow<()> {
        let piece = self.text.part(slot.start, slot.end);
        let (before, after) = (&sink.done.encoder, slot.encoder.clone());
        let after = join(before, after, piece, self.unmappable, &mut slot.encoded);
        if let Some((ch, at)) = slot.missing.stop {
            let offset = (slot.start + at) as u64;
            sink.done.stop = Some(EncodeError::Unmappable {
                encoding: self.fresh.encoding(),
                ch,
                offset,
            });
            return ControlFlow::Break(());
        }
        let len = slot.encoded.bytes().len();
        let Some(part) = sink.room.part(len) else {
            sink.wanted = len;
            return ControlFlow::Break(());
        };
        slot.part = Some(part);
        sink.done.at = slot.end;
        sink.done.encoder = after;
        sink.done.errors += slot.missing.count;
        ControlFlow::Continue(())
    }

    fn settle(&self, slot: &mut EncodeSlot<'r>) {
        if let Some(part) = slot.part.take() {
            part.fill(slot.encoded.bytes());
        }
    }
}
