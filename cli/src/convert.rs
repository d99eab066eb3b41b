//! `simdtext convert`: inputs of one encoding to an output of another.

use simdtext::{Encoder, Encoding, MIN_ENCODED, Status, UTF_8, UTF_16BE, UTF_16LE, Unmappable};

use crate::args::{ConvertArgs, Invalid};
use crate::decode::{Broken, Buffers, Decoding, Fault, Piece, Sink, decode};
use crate::exit::Exit;
use crate::input::Input;
use crate::locate::offset_in_input;
use crate::message::{plain, say};
use crate::output::{Output, Place, WriteError};
use crate::report::Report;

pub(crate) fn run(args: &ConvertArgs) -> Exit {
    match convert_all(args) {
        Ok(exit) => exit,
        Err(message) => {
            say(format_args!("{message}"));
            Exit::Trouble
        }
    }
}

/// Converts all inputs. `Err` says why nothing could be begun.
fn convert_all(args: &ConvertArgs) -> Result<Exit, String> {
    let bom = if args.output_bom {
        bom_of(args.to)?
    } else {
        &[]
    };
    let Some(encoder) = args.to.encoder() else {
        return Err(format!(
            "--to={}: this encoding can only be read, never written; choose another, such as utf-8",
            args.to
        ));
    };
    let inputs = Input::all(&args.files);
    let place = Place::named(args.output.as_deref());
    place.refuse_inputs(&inputs)?;
    warn_about_replacement(args);

    let output = Output::open(&place)?;
    let mut job = Job {
        args,
        // What is decoded is UTF-8 already.
        encoder: (args.to != UTF_8).then_some(encoder),
        output,
        buffers: Some(Buffers::new()),
    };
    let mut exit = Exit::Clean;
    let done = job.all(bom, &inputs, &mut exit);
    let given_up = job.output.is_given_up();
    let replacement = job.output.is_replacement();
    match done.and_then(|()| job.output.finish()) {
        Ok(()) if given_up => say(format_args!(
            "{place}: nothing was written to it, because not all of the input was converted"
        )),
        Ok(()) => {}
        // As with any filter whose reader has seen enough.
        Err(WriteError::ClosedPipe) => return Ok(Exit::Clean),
        Err(WriteError::Failed(error)) => {
            let kept = if replacement {
                "; what was there before is unchanged"
            } else {
                ""
            };
            say(format_args!(
                "cannot write {place}: {}{kept}",
                plain(&error)
            ));
            exit = Exit::Trouble;
        }
    }
    Ok(exit)
}

/// The byte order mark of an encoding.
fn bom_of(encoding: &'static Encoding) -> Result<&'static [u8], String> {
    if encoding == UTF_8 {
        Ok(b"\xEF\xBB\xBF")
    } else if encoding == UTF_16LE {
        Ok(b"\xFF\xFE")
    } else if encoding == UTF_16BE {
        Ok(b"\xFE\xFF")
    } else {
        Err(format!(
            "--output-bom: {encoding} has no byte order mark; only UTF-8, UTF-16LE and UTF-16BE have one"
        ))
    }
}

/// `--unmappable=replace:CHAR` with a CHAR that is unmappable itself is likely a mistake.
fn warn_about_replacement(args: &ConvertArgs) {
    if let Unmappable::Replace(ch) = args.unmappable
        && let Some(mut encoder) = args.to.encoder()
    {
        let mut text = [0; 4];
        let mut scratch = [0; 2 * MIN_ENCODED];
        let text = ch.encode_utf8(&mut text);
        let progress = encoder.encode_from_utf8(text, &mut scratch, false, Unmappable::Strict);
        if progress.errors > 0 {
            say(format_args!(
                "--unmappable=replace: {} has no {}; \"?\" is written instead",
                args.to,
                crate::message::Shown(ch)
            ));
        }
    }
}

/// A conversion under way.
struct Job<'a> {
    args: &'a ConvertArgs,
    /// One for the whole output. None where the output is UTF-8.
    encoder: Option<Encoder>,
    output: Output,
    /// Absent while an input is being decoded.
    buffers: Option<Buffers>,
}

/// Why an input stops being converted.
enum Stop {
    /// A fault that was to be strict about, and is reported.
    Fault,
    Write(WriteError),
}

impl From<WriteError> for Stop {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

impl Job<'_> {
    fn all(&mut self, bom: &[u8], inputs: &[Input], exit: &mut Exit) -> Result<(), WriteError> {
        self.output.write(bom)?;
        for input in inputs {
            let (one, whole) = self.one(input)?;
            exit.worsen(one);
            if !whole {
                self.output.give_up();
            }
        }
        self.end()
    }

    /// Converts one input, and tells what was wrong with it and whether all of it was converted.
    fn one(&mut self, input: &Input) -> Result<(Exit, bool), WriteError> {
        let mut source = match input.open() {
            Ok(source) => source,
            Err(error) => {
                say(format_args!("cannot read {input}: {}", plain(&error)));
                return Ok((Exit::Trouble, false));
            }
        };
        let decoding = Decoding {
            encoding: self.args.from,
            bom: self.args.bom.into(),
            replacement: match self.args.invalid {
                Invalid::Replace => Some(char::REPLACEMENT_CHARACTER),
                Invalid::Strict | Invalid::Skip => None,
            },
        };
        let mut buffers = self.buffers.take().unwrap_or_else(Buffers::new);
        let mut conversion = Conversion {
            report: Report::new(input, self.args),
            job: self,
        };
        let done = decode(&mut source, decoding, &mut buffers, &mut conversion);
        let mut exit = conversion.report.finish();
        self.buffers = Some(buffers);
        match done {
            Ok(_) => Ok((exit, true)),
            Err(Broken::Stopped(Stop::Fault)) => Ok((exit, false)),
            Err(Broken::Stopped(Stop::Write(error))) => Err(error),
            Err(Broken::Read(error)) => {
                say(format_args!("cannot read {input}: {}", plain(&error)));
                exit.worsen(Exit::Trouble);
                Ok((exit, false))
            }
        }
    }

    /// Ends the output: ISO-2022-JP returns to ASCII.
    fn end(&mut self) -> Result<(), WriteError> {
        let Some(encoder) = &mut self.encoder else {
            return Ok(());
        };
        loop {
            let room = self.output.room(MIN_ENCODED)?;
            let progress = encoder.encode_from_utf8("", room, true, self.args.unmappable);
            self.output.advance(progress.written);
            if progress.status == Status::InputEmpty {
                return Ok(());
            }
        }
    }
}

/// One input on its way to the output.
struct Conversion<'j, 'a> {
    job: &'j mut Job<'a>,
    report: Report<'j>,
}

impl Sink for Conversion<'_, '_> {
    type Stop = Stop;

    fn text(&mut self, piece: &Piece<'_>) -> Result<(), Stop> {
        let Job {
            args,
            encoder,
            output,
            ..
        } = &mut *self.job;
        let Some(encoder) = encoder else {
            return Ok(output.write(piece.text.as_bytes())?);
        };
        let mut done = 0;
        loop {
            let rest = &piece.text[done..];
            let room = output.room(MIN_ENCODED)?;
            let before = encoder.clone();
            let progress = encoder.encode_from_utf8(rest, room, false, args.unmappable);
            output.advance(progress.written);
            if progress.errors > 0 {
                let read = &rest[..progress.read];
                for position in unmappable_positions(before, read, self.report.room()) {
                    let position = done + position;
                    let Some(ch) = piece.text[position..].chars().next() else {
                        continue;
                    };
                    let mut lines = piece.lines;
                    lines.advance(&piece.text.as_bytes()[..position]);
                    let offset = offset_in_input(piece, position);
                    self.report.unmappable(ch, lines.number(), offset);
                }
                self.report.count_unmappable(progress.errors as u64);
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
        self.report.wants_malformed()
    }

    fn fault(&mut self, fault: &Fault) -> Result<(), Stop> {
        self.report.malformed(fault);
        self.report.count_malformed();
        match self.job.args.invalid {
            Invalid::Strict => Err(Stop::Fault),
            Invalid::Replace | Invalid::Skip => Ok(()),
        }
    }

    fn count_fault(&mut self) {
        self.report.count_malformed();
    }

    fn pause(&mut self) -> Result<(), Stop> {
        Ok(self.job.output.flush()?)
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
