//! Encodes text on its way to the output, and reports faults.

use std::io::{self, Write};

use simdtext::{Encoder, MIN_ENCODED, Status, Unmappable};

use super::buffered::Buffered;
use super::faults::Faults;
use super::output::WriteError;
use super::settings::Settings;
use crate::decode::{Fault, Piece, Sink};
use crate::locate::offset_in_input;
use crate::options::Invalid;
use crate::similar::similar;

/// Why an input was not converted to its end.
#[derive(Debug)]
pub(crate) enum Broken {
    Read(io::Error),
    /// A fault that is to be an error. It is reported already.
    Fault,
    Write(WriteError),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

impl From<WriteError> for Broken {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

/// One input on its way to the output.
pub(super) struct Conversion<'c, 'f, W> {
    pub(super) settings: &'c Settings,
    /// That of the whole output; `None` if it is UTF-8.
    pub(super) encoder: Option<&'c mut Encoder>,
    pub(super) out: &'c mut Buffered<W>,
    pub(super) faults: &'c mut Faults<'f>,
}

impl<W: Write> Sink for Conversion<'_, '_, W> {
    type Error = Broken;

    fn unreadable(error: io::Error) -> Broken {
        Broken::Read(error)
    }

    fn text(&mut self, piece: &Piece<'_>) -> Result<(), Broken> {
        let Some(encoder) = &mut self.encoder else {
            return Ok(self.out.write(piece.text.as_bytes())?);
        };
        let mut similar = similar(piece.text, self.settings.encodes_to()).peekable();
        let mut show_similar = |faults: &mut Faults<'_>, end: usize| {
            while let Some((position, ch)) = similar.next_if(|(position, _)| *position < end) {
                if faults.similar.room() > 0 {
                    let (line, offset) = place_of(piece, position);
                    faults.show_similar(ch, line, offset);
                }
                faults.similar.total += 1;
            }
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
                for position in unmappable_positions(before, read, self.faults.unmappable.room()) {
                    let position = done + position;
                    let Some(ch) = piece.text[position..].chars().next() else {
                        continue;
                    };
                    // In the order of their positions, however the text is cut into pieces.
                    show_similar(self.faults, position);
                    let (line, offset) = place_of(piece, position);
                    self.faults.show_unmappable(ch, line, offset);
                }
                self.faults.unmappable.total += progress.errors as u64;
            }
            done += progress.read;
            show_similar(self.faults, done);
            match progress.status {
                Status::InputEmpty => return Ok(()),
                Status::Unmappable { .. } => return Err(Broken::Fault),
                // An encoder never reports malformed input.
                Status::OutputFull | Status::Malformed(_) => {}
            }
        }
    }

    fn wants_fault(&self) -> bool {
        self.faults.wants_malformed()
    }

    fn fault(&mut self, fault: &Fault) -> Result<(), Broken> {
        self.faults.show_malformed(fault);
        self.faults.malformed.total += 1;
        match self.settings.invalid {
            Invalid::Strict => Err(Broken::Fault),
            Invalid::Replace | Invalid::Skip => Ok(()),
        }
    }

    fn count_fault(&mut self) {
        self.faults.malformed.total += 1;
    }

    fn pause(&mut self) -> Result<(), Broken> {
        Ok(self.out.flush()?)
    }
}

/// The line and the offset in the input of the character at this position in a piece of text.
fn place_of(piece: &Piece<'_>, position: usize) -> (u64, u64) {
    let mut lines = piece.lines;
    lines.advance(&piece.text.as_bytes()[..position]);
    (lines.number(), offset_in_input(piece, position))
}

/// The positions of the first `most` characters of `text` that the encoder does not have, in bytes.
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
