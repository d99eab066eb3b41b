//! Encoding a slice into one vector of bytes.
//!
//! It works as `decode.rs` does, with pieces that end between characters. Tested in `tests/parallel`.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::vec::Vec;

use super::Parallel;
use super::encode_text::{Missing, PieceText, encode_piece, join};
use super::pipeline::{self, Steps};
use crate::convert::{EncodeError, Encoded};
use crate::encoder::Encoder;
use crate::encoding::{Encoding, UTF_8};
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
        if encoding == UTF_8 || self.unchanged(encoding, text.as_bytes()).is_some() {
            return Ok(Encoded {
                bytes: Cow::Borrowed(text.as_bytes()),
                errors: 0,
            });
        }
        self.encode_pieces(encoding, text, unmappable)
    }

    /// Encodes `text` in native-endian code units, which need not be well-formed: a surrogate without
    /// its other half is U+FFFD, an ordinary character for a Unicode encoding or gb18030, an unmappable
    /// one for any other. Returns what [`Encoding::encode_from_utf16`] returns.
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
        self.encode_pieces(encoding, text, unmappable)
    }

    fn encode_pieces<T: PieceText>(
        &self,
        encoding: &'static Encoding,
        text: T,
        unmappable: Unmappable,
    ) -> Result<Encoded<'static>, EncodeError> {
        let fresh = encoding
            .encoder()
            .ok_or(EncodeError::NoEncoder { encoding })?;
        let workers = self.workers(text.units() * T::UNIT_BYTES);
        let piece_len = (self.piece_len / T::UNIT_BYTES).max(1);
        let (mut bytes, mut errors, mut stop) = (Vec::new(), 0, None);
        // Where the next piece to be delivered begins, in units, and the encoder at that point.
        let (mut next, mut before) = (0, fresh.clone());
        // Few texts grow. When the vector is full, it gets all the room that the rest can need.
        bytes.reserve(text.units() + MIN_ENCODED);
        while next < text.units() {
            let mut at = next;
            // How much room was needed for a piece that did not fit.
            let mut wanted = 0;
            append_parts(&mut bytes, |mut room: Spare<'_, [u8]>| {
                let steps = Steps::<EncodeSlot<'_>> {
                    take: &mut |slot| {
                        (slot.start, slot.end) = (at, text.piece_end(at, piece_len));
                        at = slot.end;
                        slot.start < slot.end
                    },
                    convert: &|slot| {
                        let piece = text.part(slot.start, slot.end);
                        let encoder = slot.encoder.insert(fresh.clone());
                        slot.encoded.clear();
                        slot.missing = encode_piece(encoder, piece, unmappable, &mut slot.encoded);
                    },
                    deliver: &mut |slot| {
                        let mut after = slot.encoder.take().unwrap_or_else(|| fresh.clone());
                        let piece = text.part(slot.start, slot.end);
                        join(&before, &mut after, piece, unmappable, &mut slot.encoded);
                        if let Some((ch, at)) = slot.missing.stop {
                            stop = Some(EncodeError::Unmappable {
                                encoding,
                                ch,
                                offset: (slot.start + at) as u64,
                            });
                            return ControlFlow::Break(());
                        }
                        let len = slot.encoded.len();
                        slot.part = room.part(len);
                        if slot.part.is_none() {
                            wanted = len;
                            return ControlFlow::Break(());
                        }
                        next = slot.end;
                        before = after;
                        errors += slot.missing.count;
                        ControlFlow::Continue(())
                    },
                    settle: &|slot| {
                        if let Some(part) = slot.part.take() {
                            part.fill(&slot.encoded);
                        }
                    },
                };
                pipeline::run(self.pool, workers, steps);
            });
            if let Some(error) = stop {
                return Err(error);
            }
            if next < text.units() {
                let rest = text.part(next, text.units());
                let most = rest.max_len(&before).unwrap_or(rest.units());
                bytes.reserve(most.max(wanted));
            }
        }
        bytes.reserve(MIN_ENCODED);
        let _ = before.encode_to_vec("", &mut bytes, true, unmappable);
        bytes.shrink_to_fit();
        Ok(Encoded {
            bytes: Cow::Owned(bytes),
            errors,
        })
    }
}

/// A piece.
#[derive(Default)]
struct EncodeSlot<'r> {
    start: usize,
    end: usize,
    /// The encoder after the piece.
    encoder: Option<Encoder>,
    encoded: Vec<u8>,
    missing: Missing,
    part: Option<Part<'r, [u8]>>,
}
