//! The conversion itself: an open input into an open output, and a report of what was wrong.

use std::io::Write;

use simdtext::{Encoder, MIN_ENCODED, Status, UTF_8, Unmappable};

use super::buffered::Buffered;
use super::by_line::Choice;
use super::cores::Cores;
use super::faults::Faults;
use super::output::WriteError;
use super::settings::Settings;
use crate::args::Invalid;
use crate::decode::{Broken, Buffers, Decoding, Fault, Piece, Sink, Whole, decode};
use crate::input::Source;
use crate::locate::offset_in_input;
use crate::utf32;

/// What converts inputs, one after the other.
pub(crate) struct Converter {
    settings: Settings,
    /// How each line is decided, where each is by itself.
    by_line: Option<Choice>,
    /// Whether a line of the last input was guessed.
    is_guessed: bool,
    /// One for the whole output. None where the output is UTF-8.
    encoder: Option<Encoder>,
    buffers: Buffers,
}

/// Why an input stops being converted.
#[derive(Debug)]
pub(crate) enum Stop {
    /// A fault that was to be strict about, and is reported.
    Fault,
    Write(WriteError),
}

impl From<Stop> for Broken<Stop> {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl From<WriteError> for Stop {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

impl Converter {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            settings,
            by_line: None,
            is_guessed: false,
            encoder: settings.encoder(),
            buffers: Buffers::new(),
        }
    }

    /// What is known about the next input: how to convert it, and maybe each of its lines.
    pub(crate) fn expect(&mut self, settings: Settings, by_line: Option<Choice>) {
        // UTF-8 has no state that would have to go on from one input to the next.
        if settings.to == UTF_8 {
            self.encoder = settings.encoder();
        }
        self.settings = settings;
        self.by_line = by_line;
        self.is_guessed = false;
    }

    /// Whether the encoding of a line of the last input was guessed.
    pub(crate) fn is_guessed(&self) -> bool {
        self.is_guessed
    }

    pub(super) fn set_guessed(&mut self, is_guessed: bool) {
        self.is_guessed = is_guessed;
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(super) fn parts(&mut self) -> (Option<&mut Encoder>, &mut Buffers, &Settings) {
        (self.encoder.as_mut(), &mut self.buffers, &self.settings)
    }

    /// Converts one input to an output of its own.
    pub(crate) fn whole<W: Write + Send>(
        &mut self,
        source: &mut Source<'_>,
        out: &mut Buffered<W>,
        faults: &mut Faults<'_>,
        cores: &Cores,
    ) -> Result<Whole, Broken<Stop>> {
        let broken = |error| Broken::Stopped(Stop::Write(error));
        self.begin(out).map_err(broken)?;
        let whole = self.add_alone(source, out, faults, cores)?;
        self.end(out).map_err(broken)?;
        Ok(whole)
    }

    /// [`Converter::add`] for the only input of an output: on `cores`, if that is worth it.
    pub(crate) fn add_alone<W: Write + Send>(
        &mut self,
        source: &mut Source<'_>,
        out: &mut Buffered<W>,
        faults: &mut Faults<'_>,
        cores: &Cores,
    ) -> Result<Whole, Broken<Stop>> {
        if self.by_line.is_some() {
            return self.add_on(Some(cores), source, out, faults);
        }
        let Some(cores) = cores.for_input(source) else {
            return self.add(source, out, faults);
        };
        // UTF-32 is decoded on one core, also where only its byte order mark tells.
        let head = source.head(utf32::TELLING).map_err(Broken::Read)?;
        let from = utf32::by_bom(self.settings.from, &head, self.settings.bom);
        let Some(from) = from.standard() else {
            return self.add(source, out, faults);
        };
        out.flush()
            .map_err(|error| Broken::Stopped(Stop::Write(error)))?;
        cores.convert(&self.settings, from, source, out.writer_mut(), faults)
    }

    /// Begins an output.
    pub(crate) fn begin<W: Write>(&mut self, out: &mut Buffered<W>) -> Result<(), WriteError> {
        self.encoder = self.settings.encoder();
        out.write(self.settings.output_bom)
    }

    /// Adds one input to the output, and tells `faults` what is wrong with it.
    pub(crate) fn add<W: Write>(
        &mut self,
        source: &mut Source<'_>,
        out: &mut Buffered<W>,
        faults: &mut Faults<'_>,
    ) -> Result<Whole, Broken<Stop>> {
        self.add_on(None, source, out, faults)
    }

    /// [`Converter::add`], where lines may be decided on `cores`.
    fn add_on<W: Write>(
        &mut self,
        cores: Option<&Cores>,
        source: &mut Source<'_>,
        out: &mut Buffered<W>,
        faults: &mut Faults<'_>,
    ) -> Result<Whole, Broken<Stop>> {
        if let Some(choice) = self.by_line.take() {
            let cores = cores.filter(|_| source.size.is_none_or(Cores::is_big));
            let done = self.add_by_line(&choice, source, out, faults, cores);
            self.by_line = Some(choice);
            return done;
        }
        let settings = &self.settings;
        let decoding = Decoding {
            encoding: settings.from,
            bom: settings.bom,
            replacement: settings.replacement(),
        };
        let mut conversion = Conversion {
            settings,
            encoder: self.encoder.as_mut(),
            out,
            faults,
        };
        decode(source, decoding, &mut self.buffers, &mut conversion)
    }

    /// Ends the output: ISO-2022-JP returns to ASCII, and all is passed on.
    pub(crate) fn end<W: Write>(&mut self, out: &mut Buffered<W>) -> Result<(), WriteError> {
        if let Some(encoder) = &mut self.encoder {
            loop {
                let room = out.room(MIN_ENCODED)?;
                let progress = encoder.encode_from_utf8("", room, true, self.settings.unmappable);
                out.advance(progress.written);
                if progress.status == Status::InputEmpty {
                    break;
                }
            }
        }
        out.flush()
    }
}

/// One input on its way to the output.
pub(super) struct Conversion<'c, 'f, W> {
    pub(super) settings: &'c Settings,
    pub(super) encoder: Option<&'c mut Encoder>,
    pub(super) out: &'c mut Buffered<W>,
    pub(super) faults: &'c mut Faults<'f>,
}

impl<W: Write> Sink for Conversion<'_, '_, W> {
    type Stop = Stop;

    fn text(&mut self, piece: &Piece<'_>) -> Result<(), Stop> {
        let Some(encoder) = &mut self.encoder else {
            return Ok(self.out.write(piece.text.as_bytes())?);
        };
        let mut done = 0;
        loop {
            let rest = &piece.text[done..];
            let room = self.out.room(MIN_ENCODED)?;
            let before = encoder.clone();
            let progress = encoder.encode_from_utf8(rest, room, false, self.settings.unmappable);
            self.out.advance(progress.written);
            if progress.errors > 0 {
                let read = &rest[..progress.read];
                for position in unmappable_positions(before, read, self.faults.room()) {
                    let position = done + position;
                    let Some(ch) = piece.text[position..].chars().next() else {
                        continue;
                    };
                    let mut lines = piece.lines;
                    lines.advance(&piece.text.as_bytes()[..position]);
                    let offset = offset_in_input(piece, position);
                    self.faults.unmappable(ch, lines.number(), offset);
                }
                self.faults.count_unmappable(progress.errors as u64);
            }
            done += progress.read;
            match progress.status {
                Status::InputEmpty => return Ok(()),
                Status::Unmappable { .. } => return Err(Stop::Fault),
                // An encoder never reports what is malformed.
                Status::OutputFull | Status::Malformed(_) => {}
            }
        }
    }

    fn wants_fault(&self) -> bool {
        self.faults.wants_malformed()
    }

    fn fault(&mut self, fault: &Fault) -> Result<(), Stop> {
        self.faults.malformed(fault);
        self.faults.count_malformed(1);
        match self.settings.invalid {
            Invalid::Strict => Err(Stop::Fault),
            Invalid::Replace | Invalid::Skip => Ok(()),
        }
    }

    fn count_fault(&mut self) {
        self.faults.count_malformed(1);
    }

    fn pause(&mut self) -> Result<(), Stop> {
        Ok(self.out.flush()?)
    }
}

/// Where the first `most` characters of `text` are that the encoder has not, in bytes.
fn unmappable_positions(mut encoder: Encoder, text: &str, most: usize) -> Vec<usize> {
    let mut positions = Vec::new();
    let mut scratch = [0; 1024];
    let mut done = 0;
    while positions.len() < most {
        let rest = &text[done..];
        let progress = encoder.encode_from_utf8(rest, &mut scratch, false, Unmappable::Strict);
        done += progress.read;
        match progress.status {
            Status::InputEmpty => break,
            Status::Unmappable { .. } => {
                let length = text[..done].chars().next_back().map_or(0, char::len_utf8);
                positions.push(done - length);
            }
            Status::OutputFull | Status::Malformed(_) => {}
        }
    }
    positions
}
