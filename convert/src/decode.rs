//! The loop that reads an input to its end and passes its text on, in a fixed amount of memory.

use std::io;

use simdtext::{Bom, Decoder, Encoding, MIN_UTF8, Malformed, Status};

use crate::charset::Charset;
use crate::input::Source;
use crate::lines::Lines;
use crate::utf32::{self, Item, Units};

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
#[derive(Clone, Debug)]
pub(crate) struct Start<'a> {
    /// The text begins with the replacement of the malformed sequence at this offset, and goes on with what
    /// `from` says.
    pub(crate) replaced: Option<u64>,
    pub(crate) from: From<'a>,
}

/// The source of the text after a replacement.
#[derive(Clone, Debug)]
pub(crate) enum From<'a> {
    Standard {
        /// The decoder at that point.
        decoder: Decoder,
        /// The input from that point on: all of the piece's, and maybe more.
        source: &'a [u8],
    },
    /// UTF-32 from this offset on, in bytes.
    Utf32(u64),
}

/// Receives the text.
pub(crate) trait Sink {
    /// Why it refuses more text.
    type Error;

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

/// Why an input was not read to its end.
#[derive(Debug)]
pub(crate) enum Broken<E> {
    Read(io::Error),
    Stopped(E),
}

/// Decodes `source` to its end.
pub(crate) fn decode<S: Sink>(
    source: &mut Source<'_>,
    decoding: Decoding,
    buffers: &mut Buffers,
    sink: &mut S,
) -> Result<Whole, Broken<S::Error>> {
    let mut n = source
        .read(&mut buffers.input, LONGEST_BOM)
        .map_err(Broken::Read)?;
    if utf32::may_begin_bom(&buffers.input[..n]) && n < utf32::TELLING {
        n += source
            .read(&mut buffers.input[n..], utf32::TELLING - n)
            .map_err(Broken::Read)?;
    }
    let encoding = utf32::by_bom(decoding.encoding, &buffers.input[..n], decoding.bom);
    let decoding = Decoding {
        encoding,
        ..decoding
    };
    match encoding {
        Charset::Standard(encoding) => {
            let run = DecodeRun::new(encoding, decoding, &mut buffers.text, sink);
            to_end(run, encoding, decoding, source, &mut buffers.input, n)
        }
        Charset::Utf32(order) => {
            let bom = utf32::bom_length(&buffers.input[..n], order, decoding.bom);
            let run = Utf32Run {
                units: Units::new(order, bom as u64),
                decoding,
                lines: Lines::default(),
                text: &mut buffers.text,
                sink,
            };
            run.whole(source, &mut buffers.input, n, bom)
        }
    }
}

/// Decodes the first `n` bytes of `block`, which were read already, and then the rest of `source`.
fn to_end<S: Sink>(
    mut run: DecodeRun<'_, S>,
    encoding: &'static Encoding,
    decoding: Decoding,
    source: &mut Source<'_>,
    block: &mut [u8],
    mut n: usize,
) -> Result<Whole, Broken<S::Error>> {
    let bom = bom_length(&block[..n], encoding, decoding.bom) as u64;
    let mut bytes = 0;
    loop {
        let last = n == 0;
        run.take(&block[..n], last).map_err(Broken::Stopped)?;
        if last {
            return Ok(Whole {
                encoding: run.decoder.encoding().into(),
                bytes,
                bom,
            });
        }
        bytes += n as u64;
        if source.may_pause && n < block.len() {
            run.sink.pause().map_err(Broken::Stopped)?;
        }
        n = source.read(block, 1).map_err(Broken::Read)?;
    }
}

/// An input, or a part of one, that is being decoded.
pub(crate) struct DecodeRun<'a, S> {
    decoder: Decoder,
    decoding: Decoding,
    /// The lines of the text that was passed on.
    lines: Lines,
    text: &'a mut String,
    sink: &'a mut S,
}

impl<'a, S: Sink> DecodeRun<'a, S> {
    /// `encoding` is the one that `decoding` names.
    pub(crate) fn new(
        encoding: &'static Encoding,
        decoding: Decoding,
        text: &'a mut String,
        sink: &'a mut S,
    ) -> Self {
        DecodeRun {
            decoder: encoding.decoder(decoding.bom),
            decoding,
            lines: Lines::default(),
            text,
            sink,
        }
    }

    /// Starts in the middle of an input, where no byte order mark is expected: after `offset` bytes and some
    /// lines.
    pub(crate) fn starting_at(self, offset: u64, lines: Lines) -> Self {
        DecodeRun {
            decoder: self.decoder.at_offset(offset),
            lines,
            ..self
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
                            encoding: self.decoder.encoding().into(),
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
            from: From::Standard {
                decoder: self.decoder.clone(),
                source,
            },
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
                encoding: self.decoder.encoding().into(),
                ..self.decoding
            },
            start,
        })?;
        self.lines.advance(self.text.as_bytes());
        self.text.clear();
        Ok(())
    }
}

/// An input in UTF-32 that is being decoded.
struct Utf32Run<'a, S> {
    units: Units,
    decoding: Decoding,
    /// The lines of the text that was passed on.
    lines: Lines,
    text: &'a mut String,
    sink: &'a mut S,
}

impl<S: Sink> Utf32Run<'_, S> {
    /// Decodes the first `n` bytes of `block`, which were read already and begin with a byte order mark of
    /// `bom` bytes, and then the rest of `source`.
    fn whole(
        mut self,
        source: &mut Source<'_>,
        block: &mut [u8],
        mut n: usize,
        bom: usize,
    ) -> Result<Whole, Broken<S::Error>> {
        let mut bytes = 0;
        let mut from = bom;
        while n > 0 {
            self.take(&block[from..n]).map_err(Broken::Stopped)?;
            from = 0;
            bytes += n as u64;
            if source.may_pause && n < block.len() {
                self.sink.pause().map_err(Broken::Stopped)?;
            }
            n = source.read(block, 1).map_err(Broken::Read)?;
        }
        if let Some(malformed) = self.units.end() {
            let mut start = self.start();
            self.malformed(malformed, &mut start)
                .and_then(|()| self.hand_on(&start))
                .map_err(Broken::Stopped)?;
        }
        Ok(Whole {
            encoding: self.decoding.encoding,
            bytes,
            bom: bom as u64,
        })
    }

    fn take(&mut self, mut block: &[u8]) -> Result<(), S::Error> {
        let mut start = self.start();
        while let Some(item) = self.units.next(&mut block) {
            match item {
                Item::Char(ch) => {
                    self.text.push(ch);
                    if self.text.capacity() - self.text.len() < MIN_UTF8 {
                        self.hand_on(&start)?;
                        start = self.start();
                    }
                }
                Item::Malformed(malformed) => self.malformed(malformed, &mut start)?,
            }
        }
        self.hand_on(&start)
    }

    /// Ends the piece of text, and begins the next one with the replacement of the malformed bytes.
    fn malformed(
        &mut self,
        malformed: Malformed,
        start: &mut Start<'static>,
    ) -> Result<(), S::Error> {
        self.hand_on(start)?;
        if self.sink.wants_fault() {
            self.sink.fault(&Fault {
                malformed,
                line: self.lines.number(),
                encoding: self.decoding.encoding,
            })?;
        } else {
            self.sink.count_fault();
        }
        *start = self.start();
        if let Some(replacement) = self.decoding.replacement {
            start.replaced = Some(malformed.offset);
            self.text.push(replacement);
        }
        Ok(())
    }

    fn start(&self) -> Start<'static> {
        Start {
            replaced: None,
            from: From::Utf32(self.units.offset()),
        }
    }

    fn hand_on(&mut self, start: &Start<'static>) -> Result<(), S::Error> {
        if self.text.is_empty() {
            return Ok(());
        }
        self.sink.text(&Piece {
            text: self.text,
            lines: self.lines,
            decoding: self.decoding,
            start,
        })?;
        self.lines.advance(self.text.as_bytes());
        self.text.clear();
        Ok(())
    }
}

/// The length of the byte order mark that was removed from the start of the input.
pub(crate) fn bom_length(source: &[u8], encoding: &'static Encoding, bom: Bom) -> usize {
    match (bom, Encoding::for_bom(source)) {
        (Bom::Sniff, Some((_, length))) => length,
        (Bom::Strip, Some((marked, length))) if marked == encoding => length,
        _ => 0,
    }
}
