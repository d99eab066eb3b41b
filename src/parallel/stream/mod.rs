//! Streams that need not fit into memory: read, converted and written in order, with a fixed number of
//! pieces in flight.
//!
//! `source.rs` reads pieces, `piece.rs` converts them, this file writes them and tells of faults
//! (`faults.rs`). Tested in `tests/parallel`.

mod faults;
mod lines;
mod locate;
mod piece;
mod source;

use std::io::{self, ErrorKind, Read, Write};
use std::ops::ControlFlow;

pub use self::faults::{Fault, FaultKind, StreamError, StreamErrorKind, Summary};
use self::lines::Lines;
use self::piece::{Converter, PieceFault, StreamSlot, Wanted};
use self::source::PieceReader;
use super::Parallel;
use super::pipeline::{self, Steps};
use crate::decoder::Decoder;
use crate::encoder::Encoder;
use crate::encoding::{Encoding, UTF_8};
use crate::progress::{Bom, MIN_ENCODED, Malformed, Unmappable};
use crate::simd;

/// How malformed bytes in a stream are handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnMalformed {
    /// U+FFFD is written in their place.
    #[default]
    Replace,
    /// Nothing is written in their place.
    Skip,
    /// The conversion stops before them.
    Stop,
}

/// How a stream is converted: from any encoding to any other, UTF-8 and UTF-16 among them.
///
/// ```
/// use simdtext::parallel::{StreamOptions, OnMalformed};
/// use simdtext::{Bom, EUC_JP, SHIFT_JIS, Unmappable};
///
/// let conversion = StreamOptions::new(EUC_JP, SHIFT_JIS)
///     .bom(Bom::Keep)
///     .malformed(OnMalformed::Stop)
///     .unmappable(Unmappable::Ncr)
///     .count_lines(true);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StreamOptions {
    from: &'static Encoding,
    to: &'static Encoding,
    bom: Bom,
    malformed: OnMalformed,
    unmappable: Unmappable,
    max_reported: usize,
    lines: bool,
}

impl StreamOptions {
    /// From one encoding to another, with [`Bom::Sniff`], [`OnMalformed::Replace`] and
    /// [`Unmappable::Strict`]. All faults are reported, and no lines are counted.
    #[must_use]
    pub fn new(from: &'static Encoding, to: &'static Encoding) -> Self {
        StreamOptions {
            from,
            to,
            bom: Bom::default(),
            malformed: OnMalformed::default(),
            unmappable: Unmappable::default(),
            max_reported: usize::MAX,
            lines: false,
        }
    }

    /// What is done about a byte order mark in the input. None is ever written, except as U+FEFF of
    /// the text.
    #[must_use]
    pub fn bom(self, bom: Bom) -> Self {
        StreamOptions { bom, ..self }
    }

    /// What is done about malformed bytes.
    ///
    /// ```
    /// use simdtext::parallel::{OnMalformed, Parallel, StreamOptions};
    /// use simdtext::UTF_8;
    ///
    /// let options = StreamOptions::new(UTF_8, UTF_8).malformed(OnMalformed::Stop);
    /// let result = Parallel::new().convert_stream(&options, &b"a\xFF"[..], std::io::sink(), |_| {});
    /// assert!(result.is_err());
    /// ```
    #[must_use]
    pub fn malformed(self, malformed: OnMalformed) -> Self {
        StreamOptions { malformed, ..self }
    }

    /// What is done about characters that the encoding does not have.
    ///
    /// ```
    /// use simdtext::parallel::{Parallel, StreamOptions};
    /// use simdtext::{KOI8_R, UTF_8, Unmappable};
    ///
    /// let options = StreamOptions::new(UTF_8, KOI8_R).unmappable(Unmappable::Ncr);
    /// let mut bytes = Vec::new();
    /// let summary = Parallel::new().convert_stream(&options, "☮".as_bytes(), &mut bytes, |_| {})?;
    /// assert_eq!((&*bytes, summary.unmappable), (&b"&#9774;"[..], 1));
    /// # Ok::<(), simdtext::parallel::StreamError>(())
    /// ```
    #[must_use]
    pub fn unmappable(self, unmappable: Unmappable) -> Self {
        StreamOptions { unmappable, ..self }
    }

    /// Reports at most the first `most` malformed sequences, and at most the first `most` unmappable
    /// characters. All are counted.
    ///
    /// This makes input with very many faults faster to convert, and saves memory for the faults in the
    /// pieces in flight (48 bytes each).
    #[must_use]
    pub fn report_at_most(self, most: usize) -> Self {
        StreamOptions {
            max_reported: most,
            ..self
        }
    }

    /// Whether lines are counted. LF, CR LF, and CR alone each end one.
    #[must_use]
    pub fn count_lines(self, lines: bool) -> Self {
        StreamOptions { lines, ..self }
    }
}

impl Parallel<'_> {
    /// Converts what `reader` reads, and writes it to `writer`, in order. Calls `on_fault` for each
    /// fault, in order, after what comes before it has been written.
    ///
    /// Whole pieces are read, so a slow reader is waited for; reader and writer need no buffers of their
    /// own. A stream of one piece is converted by the caller's thread alone.
    ///
    /// ```
    /// use simdtext::parallel::{StreamOptions, Parallel};
    /// use simdtext::{EUC_JP, SHIFT_JIS, Unmappable};
    ///
    /// let file = b"\xC6\xFC\xCB\xDC\xFF\n".repeat(1000);
    /// let mut converted = Vec::new();
    /// let mut lines = Vec::new();
    /// let summary = Parallel::new().piece_bytes(1024).convert_stream(
    ///     &StreamOptions::new(EUC_JP, SHIFT_JIS)
    ///         .unmappable(Unmappable::Replace('?'))
    ///         .count_lines(true)
    ///         .report_at_most(1),
    ///     &file[..],
    ///     &mut converted,
    ///     |fault| lines.push(fault.line),
    /// )?;
    /// assert_eq!(converted, b"\x93\xFA\x96{?\n".repeat(1000));
    /// assert_eq!((summary.read, summary.written), (6000, 6000));
    /// // Each FF is malformed, and Shift_JIS does not have the U+FFFD that it becomes.
    /// assert_eq!((summary.malformed, summary.unmappable), (1000, 1000));
    /// assert_eq!(lines, [Some(1), Some(1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Why the end of the input was not reached, and what was converted before.
    pub fn convert_stream(
        &self,
        conversion: &StreamOptions,
        reader: impl Read + Send,
        writer: impl Write + Send,
        mut on_fault: impl FnMut(&Fault) + Send,
    ) -> Result<Summary, StreamError> {
        let mut summary = Summary {
            encoding: conversion.from,
            read: 0,
            written: 0,
            malformed: 0,
            unmappable: 0,
            line_ends: None,
        };
        let Some(encoder) = conversion.to.encoder() else {
            let kind = StreamErrorKind::NoEncoder {
                encoding: conversion.to,
            };
            return Err(StreamError { kind, summary });
        };
        let mut source = PieceReader::new(reader, conversion.from, conversion.bom, self.piece_len);
        let workers = if source.begin() { 1 } else { self.threads() };
        (summary.encoding, summary.read) = (source.encoding(), source.offset());
        let converter = Converter {
            conversion,
            encoding: source.encoding(),
            // Decoded text is UTF-8 already.
            encoder: (conversion.to != UTF_8).then(|| encoder.clone()),
            kernels: simd::active(),
            wanted: Wanted::new(conversion.max_reported),
        };
        let mut sink = StreamDelivery {
            writer,
            encoder,
            decoder: None,
            summary,
            lines: Lines::default(),
            on_fault: &mut on_fault,
            stop: None,
        };
        let steps = Steps::<StreamSlot> {
            take: &mut |slot| source.next(&mut slot.input),
            convert: &|slot| {
                if slot.input.starts_at_cut {
                    converter.convert(slot, None);
                }
            },
            deliver: &mut |slot| sink.deliver(&converter, slot),
            settle: &|_| {},
        };
        pipeline::run(self.pool, workers, steps);
        sink.end();
        let mut summary = sink.summary;
        summary.line_ends = conversion.lines.then(|| sink.lines.number() - 1);
        match sink.stop.or(source.into_error().map(StreamErrorKind::Read)) {
            Some(kind) => Err(StreamError { kind, summary }),
            None => Ok(summary),
        }
    }

    /// Decodes what `reader` reads and writes it to `writer` as UTF-8: [`Parallel::convert_stream`]
    /// with [`StreamOptions::new`]`(encoding, UTF_8)`. Malformed sequences become U+FFFD, and `on_error` is
    /// called for each.
    ///
    /// ```
    /// use simdtext::parallel::Parallel;
    /// use simdtext::{Bom, GBK};
    ///
    /// let mut text = Vec::new();
    /// let mut offsets = Vec::new();
    /// let on_error = |malformed: simdtext::Malformed| offsets.push(malformed.offset);
    /// Parallel::new().decode_stream(GBK, &b"\xC4\xE3\xFF"[..], &mut text, Bom::Sniff, on_error)?;
    /// assert_eq!((text, offsets), ("你\u{FFFD}".into(), vec![2]));
    /// # Ok::<(), simdtext::parallel::StreamError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the reader and the writer.
    pub fn decode_stream(
        &self,
        encoding: &'static Encoding,
        reader: impl Read + Send,
        writer: impl Write + Send,
        bom: Bom,
        mut on_error: impl FnMut(Malformed) + Send,
    ) -> Result<Summary, StreamError> {
        let conversion = StreamOptions::new(encoding, UTF_8).bom(bom);
        self.convert_stream(&conversion, reader, writer, |fault| {
            if let FaultKind::Malformed(malformed) = fault.kind {
                on_error(malformed);
            }
        })
    }

    /// Encodes the UTF-8 that `reader` reads and writes it to `writer`, as
    /// [`EncodeWriter`](crate::io::EncodeWriter) does.
    ///
    /// ```
    /// use simdtext::parallel::Parallel;
    /// use simdtext::{ISO_2022_JP, Unmappable};
    ///
    /// let (text, mut bytes) = ("日本☃".as_bytes(), Vec::new());
    /// Parallel::new().encode_stream(ISO_2022_JP, text, &mut bytes, Unmappable::Ncr)?;
    /// assert_eq!(bytes, b"\x1B$BF|K\\\x1B(B&#9731;");
    /// # Ok::<(), simdtext::parallel::StreamError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the reader and the writer, input that is not UTF-8, and, with [`Unmappable::Strict`],
    /// a character that the encoding does not have.
    pub fn encode_stream(
        &self,
        encoding: &'static Encoding,
        reader: impl Read + Send,
        writer: impl Write + Send,
        unmappable: Unmappable,
    ) -> Result<Summary, StreamError> {
        let conversion = StreamOptions::new(UTF_8, encoding)
            .bom(Bom::Keep)
            .malformed(OnMalformed::Stop)
            .unmappable(unmappable)
            .report_at_most(0);
        self.convert_stream(&conversion, reader, writer, |_| {})
    }
}

/// Where pieces are written.
struct StreamDelivery<'e, W> {
    writer: W,
    /// The encoder after what was written, and the decoder if that is not a cut.
    encoder: Encoder,
    decoder: Option<Decoder>,
    summary: Summary,
    lines: Lines,
    on_fault: &'e mut (dyn FnMut(&Fault) + Send),
    stop: Option<StreamErrorKind>,
}

impl<W: Write> StreamDelivery<'_, W> {
    /// Writes what a piece became, and tells of its faults.
    fn deliver(&mut self, converter: &Converter<'_>, slot: &mut StreamSlot) -> ControlFlow<()> {
        if !slot.input.starts_at_cut {
            converter.convert(slot, self.decoder.take());
        }
        let read_to = slot.read_to();
        self.decoder = slot.decoder.take();
        self.encoder = converter.join(&self.encoder, slot);
        if let Err(error) = self.write(slot.result()) {
            self.stop = Some(StreamErrorKind::Write(error));
            return ControlFlow::Break(());
        }
        self.summary.read = read_to;
        let found = &slot.found;
        self.summary.malformed += found.malformed;
        self.summary.unmappable += found.unmappable;
        let report = |fault: &PieceFault| Fault {
            kind: fault.kind,
            line: (converter.conversion.lines).then(|| self.lines.and(fault.lines).number()),
            encoding: converter.encoding,
            to: converter.conversion.to,
        };
        for fault in &found.faults {
            // Fewer faults may be wanted by now than when the piece was converted.
            if converter.wanted.take(fault.kind) {
                (self.on_fault)(&report(fault));
            }
        }
        self.stop = found.stop().map(report).map(StreamErrorKind::Fault);
        self.lines = self.lines.and(found.lines);
        match self.stop {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    /// Writes the escape sequence that the encoder owes, and flushes.
    fn end(&mut self) {
        if matches!(self.stop, Some(StreamErrorKind::Write(_))) {
            return;
        }
        let mut escape = [0; MIN_ENCODED];
        let progress = (self.encoder).encode_from_utf8("", &mut escape, true, Unmappable::Strict);
        let written = self.write(&escape[..progress.written]);
        if let Err(error) = written.and_then(|()| self.writer.flush()) {
            self.stop = Some(StreamErrorKind::Write(error));
        }
    }

    /// Writes all of `bytes` and counts what was written, even if the writer fails.
    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.writer.write(bytes) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(len) => {
                    // A writer may claim more than it was given.
                    let len = len.min(bytes.len());
                    bytes = &bytes[len..];
                    self.summary.written += len as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
