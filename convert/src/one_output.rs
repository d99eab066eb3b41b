//! Converts all inputs, one after the other, into one output.

use std::path::Path;
use std::{fmt, io};

use simdtext::REPLACEMENT;

use super::buffered::{Buffered, buffer};
use super::by_line::Choice;
use super::converter::Converter;
use super::cores::Cores;
use super::faults::Faults;
use super::output::{Abort, Output, Place, WriteError};
use super::settings::Settings;
use super::text::Broken;
use crate::binary::NotText;
use crate::cancel::Cancel;
use crate::decide::{
    Answer, Basis, Doubt, Judgement, Misnamed, Question, Seen, Unknown, Watch, judge,
    may_be_misnamed,
};
use crate::error::Error;
use crate::input::{Input, Source};
use crate::message::{bom_overrides, if_mounted, plain};
use crate::observer::{Event, Observer};
use crate::options::{Binary, Options};
use crate::severity::Severity;

/// Converts all `inputs`, one after the other, into one output. Options about many files have no effect.
///
/// An output file replaces what was there when everything is converted, or not at all. If the reader of a
/// pipe closes it, the conversion ends without an error. What is wrong with an input is sent as
/// [`Event::Warning`], [`Event::Notice`] or [`Event::Error`], and is part of the severity that is returned.
/// If `cancel` is cancelled while an input is being read, that counts as an input that can't be read to its
/// end: an output file stays as it was.
///
/// # Errors
///
/// The reason why nothing was begun.
///
/// ```
/// use simdtext_convert::{Cancel, Input, Options, Place, Severity, convert_files};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let (old, new) = (folder.path().join("old"), folder.path().join("new"));
/// std::fs::write(&old, b"\x93\xFA\x96{")?;
/// let options = Options::new().from(simdtext::SHIFT_JIS);
/// let place = Place::named(Some(&new));
/// let severity = convert_files(&[Input::Path(old)], &place, &options, &Cancel::new(), &())?;
/// assert_eq!(severity, Severity::Clean);
/// assert_eq!(std::fs::read_to_string(&new)?, "日本");
/// # Ok(())
/// # }
/// ```
pub fn convert_files(
    inputs: &[Input],
    place: &Place,
    options: &Options,
    cancel: &Cancel,
    observer: &dyn Observer,
) -> Result<Severity, Error> {
    let mut warn = |message: fmt::Arguments<'_>| observer.event(Event::Warning(message));
    let settings = Settings::new(options, &mut warn)?;
    place.refuse_inputs(inputs).map_err(Error::Collision)?;

    if options.no_clobber && place.is_file() {
        observer.event(Event::Notice(format_args!(
            "{place} exists, and --no-clobber keeps it; nothing was read or written"
        )));
        return Ok(Severity::Clean);
    }
    let mut hand_out = |path: &Path, abort: &Abort| {
        observer.event(Event::Temporary { path, abort });
    };
    let output = Output::open(place, &mut hand_out)?;
    let mut job = Job {
        options,
        cancel,
        observer,
        settings,
        converter: Converter::new(settings, Choice::of(options)),
        cores: (inputs.len() == 1).then(|| Cores::new(options.jobs, &mut warn)),
        out: Buffered::with_buffer(output, buffer()),
        has_begun: false,
    };
    let mut severity = Severity::Clean;
    let done = job.all(inputs, &mut severity);
    let output = job.out.into_parts().0;
    let given_up = output.is_given_up();
    let replacement = output.is_replacement();
    let fsync = !options.no_fsync;
    match done.and_then(|()| output.finish(fsync, options.no_clobber)) {
        Ok(Some(folder)) if fsync => {
            if let Err(error) = folder.sync() {
                observer.event(Event::Error(format_args!(
                    "{place} is written, and its folder can't be fsynced: {}",
                    plain(&error)
                )));
                severity = Severity::Error;
            }
        }
        Ok(_) if given_up => observer.event(Event::Notice(format_args!(
            "{place}: nothing was written to it, because not all of the input was converted"
        ))),
        Ok(_) => {}
        // Like any filter whose reader has seen enough.
        Err(WriteError::ClosedPipe) => return Ok(Severity::Clean),
        Err(WriteError::Failed(error)) => {
            let kept = if replacement {
                "; what was there before is unchanged"
            } else {
                ""
            };
            observer.event(Event::Error(format_args!(
                "cannot write {place}: {}{kept}{}",
                plain(&error),
                if_mounted(&error)
            )));
            severity = Severity::Error;
        }
    }
    Ok(severity)
}

/// Why an input is not converted, or not all of it.
enum Unconverted {
    /// It should not be, for this reason.
    Refused(String),
    Broken(Broken),
}

impl Unconverted {
    /// It should not be; `hint` says what to do about it.
    fn refused(what: &str, hint: &str) -> Self {
        Self::Refused(format!("{what}; not converted. {hint}"))
    }
}

impl<E: Into<Broken>> From<E> for Unconverted {
    fn from(error: E) -> Self {
        Self::Broken(error.into())
    }
}

impl From<Unknown> for Unconverted {
    fn from(unknown: Unknown) -> Self {
        match unknown {
            Unknown::Read(error) => error.into(),
            Unknown::Invalid(why) => Self::Refused(why),
        }
    }
}

/// A conversion in progress.
struct Job<'a> {
    options: &'a Options,
    cancel: &'a Cancel,
    observer: &'a dyn Observer,
    settings: Settings,
    converter: Converter,
    /// Set if there is only one input; otherwise the encoder goes on from one input to the next.
    cores: Option<Cores>,
    out: Buffered<Output>,
    has_begun: bool,
}

impl Job<'_> {
    fn all(&mut self, inputs: &[Input], severity: &mut Severity) -> Result<(), WriteError> {
        for input in inputs {
            if self.cancel.is_cancelled() {
                self.trouble(format_args!("cancelled before {input} was read"));
                self.out.writer_mut().give_up();
                severity.worsen(Severity::Error);
                break;
            }
            let (one, whole) = self.one(input)?;
            severity.worsen(one);
            if !whole {
                self.out.writer_mut().give_up();
            }
        }
        self.converter.end(&mut self.out)
    }

    /// Begins the output, unless an earlier input did. What is not text is copied as it is, and gets no byte order
    /// mark.
    fn begin(&mut self, is_text: bool) -> Result<(), WriteError> {
        if std::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        self.converter.begin(&mut self.out, is_text)
    }

    /// Opens an input and finds out its encoding.
    fn decided(&self, input: &Input) -> Result<(Source<'static>, Answer), Unknown> {
        let unpacked = |source: Source<'static>| {
            let source = source.until(self.cancel);
            if self.options.decompress {
                source.unpacked()
            } else {
                Ok(source)
            }
        };
        let start = input.start()?;
        let source = unpacked(input.open()?)?;
        let is_once = source.may_pause || start.is_none();
        let again = || unpacked(input.open_again(start.unwrap_or(0))?);
        let (source, answer) = match Question::of_convert(self.options) {
            Some(question) => {
                let (source, answer) = question.of_input(source, is_once, again)?;
                (source, answer.undone())
            }
            None => {
                let named = self.options.from.named().unwrap_or(self.settings.from);
                (source, Answer::named(named))
            }
        };
        let copies = self.options.binary == Some(Binary::Copy);
        if (copies || self.refuses_binary() && !is_once) && !answer.is_final {
            return Ok(self.looked_at(source, answer, is_once, again)?);
        }
        Ok((source, answer))
    }

    /// Whether an input is not converted if it is binary: nobody named its encoding.
    fn refuses_binary(&self) -> bool {
        let options = self.options;
        let asked = options.per_line && options.binary == Some(Binary::Convert);
        options.from.named().is_none() && !asked
    }

    /// Reads all of an input before anything of it is written, because it is copied or refused if it is
    /// binary. An input that can be read only once is kept in a temporary file.
    fn looked_at(
        &self,
        mut source: Source<'static>,
        answer: Answer,
        is_once: bool,
        again: impl FnOnce() -> io::Result<Source<'static>>,
    ) -> io::Result<(Source<'static>, Answer)> {
        let settings = self.settings.of(&answer);
        let mut watch = Watch::new(settings.from, settings.bom);
        let mut look = |source: &mut Source<'_>| {
            source.each_block(&mut vec![0; 64 * 1024], |bytes| {
                watch.feed(bytes);
                !watch.is_binary()
            })
        };
        let source = if is_once {
            let file = source.spooled(self.options.spool_limit)?;
            look(&mut Source::of_spool(file.try_clone()?)?)?;
            Source::of_spool(file)?
        } else {
            look(&mut source)?;
            again()?
        };
        let answer = watch.finish().not_text.map_or(answer, Answer::not_text);
        Ok((source, answer))
    }

    /// Converts one input, and returns what was wrong with it and whether all of it was converted.
    fn one(&mut self, input: &Input) -> Result<(Severity, bool), WriteError> {
        let before = input.state();
        let added = self.add(input).and_then(|severity| {
            let is_changed = |now| before.is_some_and(|before| before != now);
            if input.state().is_some_and(is_changed) {
                return Err(Unconverted::from(io::Error::other(
                    "it was changed while it was read, and what was read may be neither the old text nor the new one",
                )));
            }
            Ok(severity)
        });
        Ok(match added {
            Ok(severity) => (severity, true),
            Err(Unconverted::Refused(why)) => {
                (self.observer).event(Event::Warning(format_args!("{input}: {why}")));
                (Severity::Faults, false)
            }
            Err(Unconverted::Broken(Broken::Fault)) => (Severity::Faults, false),
            Err(Unconverted::Broken(Broken::Read(error))) => {
                self.trouble(format_args!("cannot read {input}: {}", plain(&error)));
                (Severity::Error, false)
            }
            Err(Unconverted::Broken(Broken::Write(error))) => return Err(error),
        })
    }

    /// Converts one input, as if no other program wrote to it meanwhile. Returns what was wrong with it.
    fn add(&mut self, input: &Input) -> Result<Severity, Unconverted> {
        let (mut source, answer) = self.decided(input)?;
        let settings = self.settings.of(&answer);
        self.converter.expect(settings);
        if !self.has_begun {
            self.converter.choose_mark(&mut source)?;
        }
        if let Some(not_text) = answer.not_text {
            return self.not_text(source, not_text);
        }
        if answer.is(REPLACEMENT) && answer.basis != Basis::Label {
            let doubt = Doubt::undecodable(&answer);
            return Err(Unconverted::refused(&doubt.what, doubt.elsewhere));
        }
        if let Some(doubt) = Doubt::undeclared(&answer).filter(|_| !self.options.force) {
            return Err(Unconverted::refused(&doubt.what, &doubt.hint));
        }
        self.begin(true)?;
        let observer = self.observer;
        let mut voice = |message: fmt::Arguments<'_>| observer.event(Event::Notice(message));
        if answer.basis.is_guess() {
            voice(format_args!(
                "{input}: read as {} ({}), which is a guess; --from says what it is",
                settings.from,
                answer.reason()
            ));
        }
        let mut watch = Watch::new(settings.from, settings.bom);
        if answer.basis == Basis::Ascii {
            watch = watch.for_ascii();
        }
        if settings.from != settings.to && may_be_misnamed(&answer, settings.from, self.options) {
            watch = watch.for_sample();
        }
        let mut source = if answer.is_final {
            source
        } else {
            source.watched(&mut watch)
        };
        let mut faults = Faults::new(input, &settings, &mut voice);
        let out = &mut self.out;
        let cores = self.cores.as_ref();
        let done = self.converter.add(&mut source, out, &mut faults, cores);
        let done = done.and_then(|whole| match source.cut_after(whole.bytes) {
            Some(error) => Err(Broken::Read(error)),
            None => Ok(whole),
        });
        drop(source);
        let mut severity = faults.finish();
        if let Ok(whole) = &done {
            let named = self.options.from.named();
            if let Some(named) = named.filter(|named| *named != whole.encoding && whole.bom > 0) {
                voice(format_args!(
                    "{input}: {}",
                    bom_overrides(whole.encoding, named)
                ));
            }
            if !answer.is_final {
                severity.worsen(self.check(input, &answer, &mut watch)?);
            }
        }
        if self.converter.is_guessed() {
            voice(format_args!(
                "{input}: the encoding of some lines was guessed; --from=auto:LIST says what they \
                 may be in"
            ));
        }
        done?;
        Ok(severity)
    }

    /// Looks whether an input, all of which was read by now, is what it was read as. What nobody has seen yet of the
    /// output can still be refused.
    fn check(
        &mut self,
        input: &Input,
        answer: &Answer,
        watch: &mut Watch,
    ) -> Result<Severity, Unconverted> {
        let seen = watch.finish();
        let is_unseen = self.out.writer_mut().is_replacement();
        if let Some(not_text) = seen.not_text
            && is_unseen
            && self.refuses_binary()
        {
            return Err(self.refused_binary(not_text));
        }
        if let Some(late) = seen.late
            && is_unseen
            && answer.basis == Basis::Ascii
        {
            let doubt = late.doubt(seen.charset);
            return Err(Unconverted::refused(&doubt.what, doubt.elsewhere));
        }
        let severity = self.doubts(input, answer, &seen);
        let from = self.converter.settings().from;
        if severity == Severity::Clean
            && seen.charset == from
            && let Some(sample) = watch.sample()
            && let Some(rather) = Misnamed::default().rather_in(from, self.options, sample)
        {
            let doubt = Doubt::misnamed(from, answer.basis.said(), rather);
            if is_unseen {
                return Err(Unconverted::refused(&doubt.what, &doubt.hint));
            }
            self.notice(format_args!(
                "{input}: {}; read as {from}. {}",
                doubt.what, doubt.hint
            ));
            return Ok(Severity::Faults);
        }
        Ok(severity)
    }

    /// Handles an input that is not text: it is copied or refused.
    fn not_text(
        &mut self,
        mut source: Source<'_>,
        not_text: NotText,
    ) -> Result<Severity, Unconverted> {
        if self.options.binary != Some(Binary::Copy) {
            return Err(self.refused_binary(not_text));
        }
        self.begin(false)?;
        self.converter.pause(&mut self.out)?;
        let mut block = vec![0; 64 * 1024];
        loop {
            match source.read(&mut block, 1)? {
                0 => return Ok(Severity::Clean),
                n => self.out.write(&block[..n])?,
            }
        }
    }

    /// The reason why an input is not converted that is not text.
    fn refused_binary(&self, not_text: NotText) -> Unconverted {
        let unpack = not_text.advice(self.options.decompress);
        let as_text = if self.options.per_line {
            "--binary=convert"
        } else {
            "--from=LABEL"
        };
        let hint =
            format!("{unpack}{as_text} converts it as text, --binary=copy writes it as it is");
        Unconverted::refused(&not_text.in_words(), &hint)
    }

    fn notice(&self, message: fmt::Arguments<'_>) {
        self.observer.event(Event::Notice(message));
    }

    fn trouble(&self, message: fmt::Arguments<'_>) {
        self.observer.event(Event::Error(message));
    }

    /// Reports what speaks against the encoding that an input, which is written by now, was read as.
    fn doubts(&self, input: &Input, answer: &Answer, seen: &Seen) -> Severity {
        if answer.is(REPLACEMENT) && seen.charset == REPLACEMENT {
            // Its one malformed sequence was reported.
            return Severity::Clean;
        }
        let judgement = judge(answer, seen, self.options, false);
        if let Judgement::Believe(note) = &judgement
            && seen.jis_at.is_some()
        {
            self.notice(format_args!("{input}: {note}"));
        }
        let Some(doubt) = judgement.doubt(seen.charset, self.options) else {
            return Severity::Clean;
        };
        self.notice(format_args!("{input}: {doubt}"));
        Severity::Faults
    }
}
