//! All inputs, one after the other, into one output.

use std::io;

use simdtext::REPLACEMENT;

use super::buffered::{Buffered, buffer};
use super::by_line::Choice;
use super::converter::Converter;
use super::cores::Cores;
use super::faults::Faults;
use super::output::{Output, Place, WriteError};
use super::settings::Settings;
use super::text::Stop;
use crate::args::{BinaryArg, ConvertArgs};
use crate::binary::NotText;
use crate::decide::{Answer, Basis, Question, Seen, Stakes, Unknown, Watch, judge, undecodable};
use crate::decode::Broken;
use crate::exit::Exit;
use crate::input::{Input, Source};
use crate::message::{bom_overrides, plain, say};
use crate::os;

/// `Err` says why nothing could be begun.
pub(crate) fn run(args: &ConvertArgs, settings: Settings) -> Result<Exit, String> {
    let inputs = Input::all(&args.files);
    let place = Place::named(args.output.as_deref());
    place.refuse_inputs(&inputs)?;

    let no_clobber = args.many.no_clobber;
    if no_clobber && place.is_file() {
        if !args.many.quiet {
            say(format_args!(
                "{place} exists, and --no-clobber keeps it; nothing was read or written"
            ));
        }
        return Ok(Exit::Clean);
    }
    let output = Output::open(&place, no_clobber)?;
    let mut job = Job {
        args,
        settings,
        converter: Converter::new(settings),
        cores: (inputs.len() == 1).then(|| Cores::new(args.many.jobs)),
        out: Buffered::with_buffer(output, buffer()),
    };
    let mut exit = Exit::Clean;
    let done = job.all(&inputs, &mut exit);
    let output = job.out.writer();
    let given_up = output.is_given_up();
    let replacement = output.is_replacement();
    let fsync = !args.many.no_fsync;
    match done.and_then(|()| job.out.into_parts().0.finish(fsync)) {
        Ok(Some(folder)) if fsync => {
            if let Err(error) = folder.sync() {
                say(format_args!(
                    "{place} is written, and its folder can't be fsynced: {}",
                    plain(&error)
                ));
                exit = Exit::Trouble;
            }
        }
        Ok(_) if given_up && !args.many.quiet => say(format_args!(
            "{place}: nothing was written to it, because not all of the input was converted"
        )),
        Ok(_) => {}
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
            exit = os::file_size_signal().map_or(Exit::Trouble, Exit::Signal);
        }
    }
    Ok(exit)
}

/// A conversion under way.
struct Job<'a> {
    args: &'a ConvertArgs,
    settings: Settings,
    converter: Converter,
    /// Where there is one input: an encoder goes on from one to the next.
    cores: Option<Cores>,
    out: Buffered<Output>,
}

impl Job<'_> {
    fn all(&mut self, inputs: &[Input], exit: &mut Exit) -> Result<(), WriteError> {
        self.converter.begin(&mut self.out)?;
        for input in inputs {
            let (one, whole) = self.one(input)?;
            exit.worsen(one);
            if !whole {
                self.out.writer_mut().give_up();
            }
        }
        self.converter.end(&mut self.out)
    }

    /// What is to be found out about an input before it is converted.
    fn question(&self) -> Option<Question<'_>> {
        Question::of_convert(self.args)
    }

    /// Opens an input, and finds out what it is in.
    fn decided(&self, input: &Input) -> Result<(Source<'static>, Answer), Unknown> {
        let unpacked = |source: Source<'static>| {
            if self.args.decompress {
                source.unpacked()
            } else {
                Ok(source)
            }
        };
        let start = input.start()?;
        let source = unpacked(input.open()?)?;
        let is_once = source.may_pause || start.is_none();
        let again = || unpacked(input.open_again(start.unwrap_or(0))?);
        let (source, answer) = match self.question() {
            Some(question) => question.of_input(source, is_once, again)?,
            None => {
                let named = self.args.from.named().unwrap_or(self.settings.from);
                (source, Answer::named(named))
            }
        };
        if self.args.binary == Some(BinaryArg::Copy) && !answer.is_final {
            return Ok(self.looked_at(source, answer, is_once, again)?);
        }
        Ok((source, answer))
    }

    /// Reads all of an input before anything of it is written, because it is copied if it is binary. What
    /// can be read only once is kept in a temporary file.
    fn looked_at(
        &self,
        mut source: Source<'static>,
        answer: Answer,
        is_once: bool,
        again: impl FnOnce() -> io::Result<Source<'static>>,
    ) -> io::Result<(Source<'static>, Answer)> {
        let settings = self.settings.of(&answer, self.args.undo_double_encoding);
        let mut watch = Watch::new(settings.from, settings.bom);
        let mut look = |source: &mut Source<'_>| -> io::Result<()> {
            let mut block = vec![0; 64 * 1024];
            loop {
                match source.read(&mut block, 1)? {
                    0 => return Ok(()),
                    n => watch.feed(&block[..n]),
                }
            }
        };
        let source = if is_once {
            let file = source.spooled(self.args.spool_limit)?;
            look(&mut Source::of_spool(file.try_clone()?)?)?;
            Source::of_spool(file)?
        } else {
            look(&mut source)?;
            again()?
        };
        let answer = watch.finish().not_text.map_or(answer, Answer::not_text);
        Ok((source, answer))
    }

    /// Converts one input, and tells what was wrong with it and whether all of it was converted.
    fn one(&mut self, input: &Input) -> Result<(Exit, bool), WriteError> {
        let (source, answer) = match self.decided(input) {
            Ok(decided) => decided,
            Err(Unknown::Read(error)) => {
                say(format_args!("cannot read {input}: {}", plain(&error)));
                return Ok((Exit::Trouble, false));
            }
            Err(Unknown::Invalid(faults)) => {
                say(format_args!(
                    "{input}: it has malformed bytes in every encoding of the list ({faults}); not \
                     converted"
                ));
                return Ok((Exit::Faults, false));
            }
        };
        if let Some(not_text) = answer.not_text {
            return self.not_text(input, source, not_text);
        }
        if answer.is(REPLACEMENT) && answer.basis != Basis::Label {
            let doubt = undecodable(&answer);
            say(format_args!(
                "{input}: {}; not converted. {}",
                doubt.what, doubt.elsewhere
            ));
            return Ok((Exit::Faults, false));
        }
        let settings = self.settings.of(&answer, self.args.undo_double_encoding);
        let by_line = (self.args.per_line).then(|| Choice::of(self.args));
        self.converter.expect(settings, by_line);
        let quiet = self.args.many.quiet;
        let mut voice = |message: std::fmt::Arguments<'_>| {
            if !quiet {
                say(message);
            }
        };
        if answer.basis.is_guess() {
            voice(format_args!(
                "{input}: read as {} ({}), which is a guess; --from says what it is",
                settings.from,
                answer.reason()
            ));
        }
        let mut watch = Watch::new(settings.from, settings.bom);
        let mut source = if answer.is_final {
            source
        } else {
            source.watched(&mut watch)
        };
        let mut faults = Faults::new(input, &settings, &mut voice);
        let out = &mut self.out;
        let done = match &self.cores {
            Some(cores) => (self.converter).add_alone(&mut source, out, &mut faults, cores),
            None => self.converter.add(&mut source, out, &mut faults),
        };
        drop(source);
        let mut exit = faults.finish();
        if let Ok(whole) = &done {
            let named = self.args.from.named();
            if let Some(named) = named.filter(|named| *named != whole.encoding && whole.bom > 0) {
                voice(format_args!(
                    "{input}: {}",
                    bom_overrides(whole.encoding, named)
                ));
            }
            if !answer.is_final {
                exit.worsen(self.doubts(input, &answer, &watch.finish()));
            }
        }
        if self.converter.is_guessed() && !quiet {
            say(format_args!(
                "{input}: the encoding of some lines was guessed; --from=auto:LIST says what they \
                 may be in"
            ));
        }
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

    /// An input that is not text: it is copied or refused.
    fn not_text(
        &mut self,
        input: &Input,
        mut source: Source<'_>,
        not_text: NotText,
    ) -> Result<(Exit, bool), WriteError> {
        if self.args.binary != Some(BinaryArg::Copy) {
            let is = if not_text.is_binary() {
                format!("it is binary ({not_text})")
            } else {
                not_text.to_string()
            };
            say(format_args!(
                "{input}: {is}; not converted. --from=LABEL converts it as text, --binary=copy writes it \
                 as it is"
            ));
            return Ok((Exit::Faults, false));
        }
        let mut block = vec![0; 64 * 1024];
        loop {
            match source.read(&mut block, 1) {
                Ok(0) => return Ok((Exit::Clean, true)),
                Ok(n) => self.out.write(&block[..n])?,
                Err(error) => {
                    say(format_args!("cannot read {input}: {}", plain(&error)));
                    return Ok((Exit::Trouble, false));
                }
            }
        }
    }

    /// Says what speaks against what an input was read as. It is written by now.
    fn doubts(&self, input: &Input, answer: &Answer, seen: &Seen) -> Exit {
        let stakes = Stakes {
            to: self.settings.to,
            in_place: false,
            has_journal: false,
            force: self.args.per_line,
            binary: self.args.binary,
        };
        let judgement = judge(answer, seen, &stakes);
        let Some(doubt) = judgement.doubt(seen.charset) else {
            return Exit::Clean;
        };
        if !self.args.many.quiet {
            say(format_args!("{input}: {doubt}"));
        }
        Exit::Faults
    }
}
