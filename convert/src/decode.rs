//! The loop that reads an input to its end and passes its text on, in a fixed amount of memory.

use std::{fmt, io};

use simdtext::{Bom, Decoder, Encoding, MIN_UTF8, Malformed, Progress, Status};

use crate::charset::Charset;
use crate::input::Source;
use crate::lines::Lines;
use crate::utf32;

/// The buffers for an input and for its text. One pair serves all files of a run.
pub(crate) struct Buffers {
    input: Vec<u8>,
    /// The capacity is fixed: the decoder fills the spare part and never grows it.
    pub(crate) text: String,
}

impl Buffers {
    pub(crate) fn new() -> Self {
        Self {
            input: vec![0; 64 * 1024],
            // Most inputs fit in one piece even if they grow.
            text: String::with_capacity(128 * 1024),
        }
    }
}

/// A byte order mark of the standard has at most three bytes. The first read gets that many, so that the mark
/// is decided there.
pub(crate) const LONGEST_BOM: usize = 3;

/// How one input is decoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoding {
    pub(crate) encoding: Charset,
    pub(crate) bom: Bom,
    /// The text to write for each malformed sequence.
    pub(crate) replacement: Option<char>,
}

/// A malformed sequence in an input.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Fault {
    /// The bytes and their offset, in bytes from the start of the input.
    pub malformed: Malformed,
    /// Its line in the decoded text, from 1.
    pub line: u64,
    /// The encoding that the input is decoded from.
    pub encoding: Charset,
}

/// For example `malformed byte D6 at offset 12 (UTF-8)`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            malformed,
            encoding,
            ..
        } = self;
        write!(f, "{malformed} ({encoding})")?;
        let unit = match encoding {
            Charset::Utf32(_) => 4,
            _ if encoding.is_utf16() => 2,
            Charset::Standard(_) => 1,
        };
        if malformed.bytes().len().is_multiple_of(unit) {
            return Ok(());
        }
        // Nothing else is malformed and has such a length.
        f.write_str(", where the input ends within a code unit")
    }
}

/// A piece of text, and where it came from.
#[derive(Debug)]
pub(crate) struct Piece<'a> {
    pub(crate) text: &'a str,
    /// The lines before this piece.
    pub(crate) lines: Lines,
    /// How it was decoded. The encoding may have been decided by a byte order mark.
    pub(crate) decoding: Decoding,
    /// The source of its text.
    pub(crate) start: &'a Start<'a>,
}

/// The point in the input at which a piece of text begins.
#[derive(Debug)]
pub(crate) struct Start<'a> {
    /// The text begins with the replacement of the malformed sequence at this offset.
    pub(crate) replaced: Option<u64>,
    /// The decoder of the text after that, in its state at that point.
    pub(crate) decoder: AnyDecoder,
    /// The input from that point on: all of the piece's, and maybe more.
    pub(crate) source: &'a [u8],
}

/// A decoder of any encoding. The methods are those of [`Decoder`].
#[derive(Clone, Debug)]
pub(crate) enum AnyDecoder {
    Standard(Decoder),
    Utf32(utf32::Decoder),
}

impl AnyDecoder {
    pub(crate) fn new(encoding: Charset, bom: Bom) -> Self {
        match encoding {
            Charset::Standard(encoding) => Self::Standard(encoding.decoder(bom)),
            Charset::Utf32(order) => Self::Utf32(utf32::Decoder::new(order, bom)),
        }
    }

    fn encoding(&self) -> Charset {
        match self {
            Self::Standard(decoder) => decoder.encoding().into(),
            Self::Utf32(decoder) => decoder.encoding(),
        }
    }

    pub(crate) fn total_read(&self) -> u64 {
        match self {
            Self::Standard(decoder) => decoder.total_read(),
            Self::Utf32(decoder) => decoder.total_read(),
        }
    }

    pub(crate) fn decode_to_string_strict(
        &mut self,
        src: &[u8],
        dst: &mut String,
        last: bool,
    ) -> Progress {
        match self {
            Self::Standard(decoder) => decoder.decode_to_string_strict(src, dst, last),
            Self::Utf32(decoder) => decoder.decode_to_string_strict(src, dst, last),
        }
    }
}

/// Receives the text.
pub(crate) trait Sink {
    /// Why the input is not read to its end.
    type Error;

    /// The error if it can't be read.
    fn unreadable(error: io::Error) -> Self::Error;

    /// Takes the next piece of text.
    fn text(&mut self, piece: &Piece<'_>) -> Result<(), Self::Error>;

    /// Whether it wants to see the next malformed sequence. If not, sequences are only counted.
    fn wants_fault(&self) -> bool;

    /// Receives a malformed sequence, after all of the text before it.
    fn fault(&mut self, fault: &Fault) -> Result<(), Self::Error>;

    /// Called for each malformed sequence that is only counted.
    fn count_fault(&mut self);

    /// Called when the input may have nothing more for a while.
    fn pause(&mut self) -> Result<(), Self::Error>;
}

/// The facts about an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whole {
    /// The encoding that it was decoded from in the end.
    pub(crate) encoding: Charset,
    pub(crate) bytes: u64,
    /// The length of the byte order mark that was removed, in bytes.
    pub(crate) bom: u64,
}

/// Decodes `source` to its end.
pub(crate) fn decode<S: Sink>(
    source: &mut Source<'_>,
    decoding: Decoding,
    buffers: &mut Buffers,
    sink: &mut S,
) -> Result<Whole, S::Error> {
    let may_pause = source.may_pause;
    let mut read = |buffer: &mut [u8], least| source.read(buffer, least).map_err(S::unreadable);
    let mut n = read(&mut buffers.input, LONGEST_BOM)?;
    if utf32::may_begin_bom(&buffers.input[..n]) && n < utf32::TELLING {
        n += read(&mut buffers.input[n..], utf32::TELLING - n)?;
    }
    let encoding = utf32::by_bom(decoding.encoding, &buffers.input[..n], decoding.bom);
    let decoding = Decoding {
        encoding,
        ..decoding
    };
    let bom = bom_length(&buffers.input[..n], encoding, decoding.bom) as u64;
    let mut run = DecodeRun::new(decoding, &mut buffers.text, sink);
    let mut bytes = 0;
    loop {
        let block = &mut buffers.input;
        let last = n == 0;
        run.take(&block[..n], last)?;
        if last {
            return Ok(Whole {
                encoding: run.decoder.encoding(),
                bytes,
                bom,
            });
        }
        bytes += n as u64;
        if may_pause && n < block.len() {
            run.sink.pause()?;
        }
        n = read(block, 1)?;
    }
}

/// An input, or a part of one, that is being decoded.
pub(crate) struct DecodeRun<'a, S> {
    decoder: AnyDecoder,
    decoding: Decoding,
    /// The lines of the text that was passed on.
    lines: Lines,
    text: &'a mut String,
    sink: &'a mut S,
}

impl<'a, S: Sink> DecodeRun<'a, S> {
    pub(crate) fn new(decoding: Decoding, text: &'a mut String, sink: &'a mut S) -> Self {
        DecodeRun {
            decoder: AnyDecoder::new(decoding.encoding, decoding.bom),
            decoding,
            lines: Lines::default(),
            text,
            sink,
        }
    }

    /// Starts in the middle of an input, where no byte order mark is expected: after `offset` bytes and some
    /// lines.
    pub(crate) fn starting_at(
        encoding: &'static Encoding,
        (offset, lines): (u64, Lines),
        replacement: Option<char>,
        text: &'a mut String,
        sink: &'a mut S,
    ) -> Self {
        let decoding = Decoding {
            encoding: encoding.into(),
            bom: Bom::Keep,
            replacement,
        };
        DecodeRun {
            decoder: AnyDecoder::Standard(encoding.decoder(Bom::Keep).at_offset(offset)),
            lines,
            ..Self::new(decoding, text, sink)
        }
    }

    /// The lines up to the current point.
    pub(crate) fn lines(&self) -> Lines {
        self.lines
    }

    /// Decodes one block of input, and passes all of its text on.
    pub(crate) fn take(&mut self, block: &[u8], last: bool) -> Result<(), S::Error> {
        let mut rest = block;
        let mut start = self.start(rest);
        self.text.clear();
        loop {
            let progress = self.decoder.decode_to_string_strict(rest, self.text, last);
            rest = &rest[progress.read..];
            match progress.status {
                Status::InputEmpty => return self.hand_on(&start),
                Status::Malformed(malformed) => {
                    if self.sink.wants_fault() {
                        self.hand_on(&start)?;
                        self.sink.fault(&Fault {
                            malformed,
                            line: self.lines.number(),
                            encoding: self.decoder.encoding(),
                        })?;
                        start = self.start(rest);
                        start.replaced = Some(malformed.offset);
                    } else {
                        self.sink.count_fault();
                        if self.text.capacity() - self.text.len() < MIN_UTF8 {
                            self.hand_on(&start)?;
                            start = self.start(rest);
                            start.replaced = Some(malformed.offset);
                        }
                    }
                    if let Some(replacement) = self.decoding.replacement {
                        self.text.push(replacement);
                    }
                }
                // A decoder never reports what is unmappable.
                Status::OutputFull | Status::Unmappable { .. } => {
                    self.hand_on(&start)?;
                    start = self.start(rest);
                }
            }
        }
    }

    fn start<'s>(&self, source: &'s [u8]) -> Start<'s> {
        Start {
            replaced: None,
            decoder: self.decoder.clone(),
            source,
        }
    }

    fn hand_on(&mut self, start: &Start<'_>) -> Result<(), S::Error> {
        if self.text.is_empty() {
            return Ok(());
        }
        self.sink.text(&Piece {
            text: self.text,
            lines: self.lines,
            decoding: Decoding {
                encoding: self.decoder.encoding(),
                ..self.decoding
            },
            start,
        })?;
        self.lines.advance(self.text.as_bytes());
        self.text.clear();
        Ok(())
    }
}

/// The length of the byte order mark that is removed from the start of an input.
pub(crate) fn bom_length(head: &[u8], encoding: Charset, bom: Bom) -> usize {
    match (encoding, bom, Encoding::for_bom(head)) {
        (Charset::Utf32(order), ..) => utf32::bom_length(head, order, bom),
        (_, Bom::Sniff, Some((_, length))) => length,
        (_, Bom::Strip, Some((marked, length))) if encoding == marked => length,
        _ => 0,
    }
}
