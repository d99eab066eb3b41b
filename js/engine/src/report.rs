//! A decoder that replaces malformed sequences and records them.

use simdtext::{Bom, Malformed, Status};

use crate::decode::{Failure, LONGEST_STRING, Text, with_buffer};
use crate::record::Record;

/// How to treat a byte order mark: 0 sniffs, 1 strips, 2 keeps.
pub(crate) fn bom(number: u32) -> Bom {
    match number {
        0 => Bom::Sniff,
        1 => Bom::Strip,
        _ => Bom::Keep,
    }
}

/// The package's `Decoder`.
#[derive(Debug)]
pub struct Decoder {
    decoder: simdtext::Decoder,
    record: Record<Malformed>,
}

impl Decoder {
    /// `bom`: 0 sniffs, 1 strips, 2 keeps.
    #[must_use]
    pub fn new(encoding: u32, bom: u32) -> Self {
        Decoder {
            decoder: crate::encoding(encoding).decoder(self::bom(bom)),
            record: Record::new(),
        }
    }

    /// Returns the number of the encoding that is decoded.
    #[must_use]
    pub fn encoding(&self) -> u32 {
        crate::number(self.decoder.encoding())
    }

    /// Returns the number of malformed sequences since the stream began.
    #[must_use]
    pub fn errors(&self) -> f64 {
        self.record.errors()
    }

    /// Returns the malformed sequences that were recorded since the last call of this function, as six numbers
    /// each: the offset, the length, and four bytes.
    pub fn take_malformed(&mut self) -> Vec<f64> {
        let numbers = |malformed: &Malformed| {
            let bytes = malformed.bytes.map(f64::from);
            let head = [malformed.offset as f64, f64::from(malformed.len)];
            head.into_iter().chain(bytes)
        };
        self.record.take().iter().flat_map(numbers).collect()
    }

    /// Decodes a piece to a string, and records the first `keep` malformed sequences. If the text is longer than a
    /// string can be, part of it is lost, and the decoder can't be used any more.
    pub fn decode<R>(
        &mut self,
        input: &[u8],
        stream: bool,
        keep: usize,
        take: impl FnOnce(Result<Text<'_>, Failure>) -> R,
    ) -> R {
        self.record.begin(stream, keep);
        with_buffer(|buffer| {
            let (mut src, mut written) = (input, 0_usize);
            loop {
                let most = self.decoder.max_utf16_len(src.len()).unwrap_or(usize::MAX);
                let room = most.saturating_add(simdtext::MIN_UTF16);
                let end = written.saturating_add(room).min(LONGEST_STRING);
                let lacking = end.saturating_sub(buffer.len());
                if buffer.try_reserve(lacking).is_err() {
                    return take(Err(Failure::Memory));
                }
                buffer.resize(buffer.len() + lacking, 0);
                let keep = |malformed| self.record.push(malformed);
                let dst = buffer.get_mut(written..end).unwrap_or_default();
                let progress = self.decoder.decode_to_utf16_with(src, dst, !stream, keep);
                self.record.count(progress.errors);
                written += progress.written;
                src = &src[progress.read..];
                if progress.status != Status::OutputFull {
                    return take(Ok(Text::Utf16(&buffer[..written])));
                }
                if end == LONGEST_STRING {
                    return take(Err(Failure::TooLong));
                }
            }
        })
    }

    /// Decodes a piece to UTF-8, and records the first `keep` malformed sequences. If there is no memory for it, part
    /// of it is lost, and the decoder can't be used any more.
    pub fn decode_to_utf8(
        &mut self,
        input: &[u8],
        stream: bool,
        keep: usize,
    ) -> Result<Vec<u8>, Failure> {
        self.record.begin(stream, keep);
        let mut text = String::new();
        let mut src = input;
        loop {
            let room = src.len().saturating_add(simdtext::MIN_UTF8);
            text.try_reserve(room)?;
            let keep = |malformed| self.record.push(malformed);
            let progress = self
                .decoder
                .decode_to_string_with(src, &mut text, !stream, keep);
            self.record.count(progress.errors);
            src = &src[progress.read..];
            if progress.status != Status::OutputFull {
                return Ok(text.into_bytes());
            }
        }
    }
}
