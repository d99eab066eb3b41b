//! The loop that reads an input to its end and hands its text on, in memory that stays the same.

use std::io;

use simdtext::{Bom, Decoder, Encoding, MIN_UTF8, Malformed, Status};

use crate::input::Source;
use crate::lines::Lines;
use crate::locate::bom_length;

/// The two buffers between a file and its text; one pair serves all files of a run.
pub(crate) struct Buffers {
    input: Vec<u8>,
    /// Its capacity is fixed: the decoder fills what is spare and never grows it.
    pub(crate) text: String,
}

impl Buffers {
    pub(crate) fn new() -> Self {
        Self {
            input: vec![0; 64 * 1024],
            // Most inputs fit in one go even if they grow.
            text: String::with_capacity(128 * 1024),
        }
    }
}

/// A byte order mark takes three bytes at the most. The first read gets as many, so that it is
/// decided there.
const LONGEST_BOM: usize = 3;

/// How to decode one input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoding {
    pub(crate) encoding: &'static Encoding,
    pub(crate) bom: Bom,
    /// What stands in the text for each malformed sequence.
    pub(crate) replacement: Option<char>,
}

/// A malformed sequence, with what a message about it needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) malformed: Malformed,
    pub(crate) line: u64,
    pub(crate) encoding: &'static Encoding,
}

/// A piece of text, and how it came about.
#[derive(Debug)]
pub(crate) struct Piece<'a> {
    pub(crate) text: &'a str,
    /// The lines before it.
    pub(crate) lines: Lines,
    /// How it was decoded; the encoding is the one that a byte order mark may have decided.
    pub(crate) decoding: Decoding,
    /// Where its text came from.
    pub(crate) start: &'a Start<'a>,
}

/// The point in the input where a piece of text begins.
#[derive(Clone, Debug)]
pub(crate) struct Start<'a> {
    /// The text begins with the replacement of the malformed sequence at this offset, which
    /// `decoder` has behind it.
    pub(crate) replaced: Option<u64>,
    /// The decoder as it was there.
    pub(crate) decoder: Decoder,
    /// The input that it had before it: all of the piece's, and maybe more.
    pub(crate) source: &'a [u8],
}

/// What takes the text.
pub(crate) trait Sink {
    /// Why it wants no more.
    type Stop;

    /// Takes the next piece of text.
    fn text(&mut self, piece: &Piece<'_>) -> Result<(), Self::Stop>;

    /// Whether it wants to see the next malformed sequence and not only to count it.
    fn wants_fault(&self) -> bool;

    /// Is shown a malformed sequence, when it has taken all of the text before it.
    fn fault(&mut self, fault: &Fault) -> Result<(), Self::Stop>;

    /// Is told that there was a malformed sequence.
    fn count_fault(&mut self);

    /// The input may have nothing more for a while.
    fn pause(&mut self) -> Result<(), Self::Stop>;
}

/// What an input was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whole {
    /// What it was decoded from in the end.
    pub(crate) encoding: &'static Encoding,
    pub(crate) bytes: u64,
    /// The length of the byte order mark that was removed, in bytes.
    pub(crate) bom: u64,
}

/// Why an input was not read to its end.
#[derive(Debug)]
pub(crate) enum Broken<Stop> {
    Read(io::Error),
    Stopped(Stop),
}

/// Decodes `source` to its end.
pub(crate) fn decode<S: Sink>(
    source: &mut Source<'_>,
    decoding: Decoding,
    buffers: &mut Buffers,
    sink: &mut S,
) -> Result<Whole, Broken<S::Stop>> {
    let mut run = Run::new(decoding, &mut buffers.text, sink);
    let (mut bytes, mut bom) = (0, 0);
    let mut least = LONGEST_BOM;
    loop {
        let n = source
            .read(&mut buffers.input, least)
            .map_err(Broken::Read)?;
        let last = n == 0;
        run.take(&buffers.input[..n], last)
            .map_err(Broken::Stopped)?;
        if last {
            return Ok(Whole {
                encoding: run.decoder.encoding(),
                bytes,
                bom,
            });
        }
        if bytes == 0 {
            let first = &buffers.input[..n];
            bom = bom_length(first, decoding.encoding, decoding.bom) as u64;
        }
        bytes += n as u64;
        least = 1;
        if source.may_pause && n < buffers.input.len() {
            run.sink.pause().map_err(Broken::Stopped)?;
        }
    }
}

/// One input being decoded, or a part of one.
pub(crate) struct Run<'a, S> {
    decoder: Decoder,
    decoding: Decoding,
    /// The lines of what was handed on.
    lines: Lines,
    text: &'a mut String,
    sink: &'a mut S,
}

impl<'a, S: Sink> Run<'a, S> {
    pub(crate) fn new(decoding: Decoding, text: &'a mut String, sink: &'a mut S) -> Self {
        Run {
            decoder: decoding.encoding.decoder(decoding.bom),
            decoding,
            lines: Lines::default(),
            text,
            sink,
        }
    }

    /// Starts in the middle of an input, where no byte order mark is looked for: `offset` bytes and
    /// some lines are before it.
    pub(crate) fn starting_at(self, offset: u64, lines: Lines) -> Self {
        Run {
            decoder: self.decoder.at_offset(offset),
            lines,
            ..self
        }
    }

    /// The lines up to here.
    pub(crate) fn lines(&self) -> Lines {
        self.lines
    }

    /// Decodes one block of input, and hands on all of its text.
    pub(crate) fn take(&mut self, block: &[u8], last: bool) -> Result<(), S::Stop> {
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

    fn hand_on(&mut self, start: &Start<'_>) -> Result<(), S::Stop> {
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
