//! Converts one file, from opening it to putting its output into place.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use simdtext::UTF_8;

use super::Run;
use super::backup::backup_of;
use super::doubts::Course;
use super::original::Original;
use super::places::{Entry, Recent};
use super::placing::same_output;
use super::replace::There;
use crate::buffered::buffer;
use crate::by_line::Choice;
use crate::converter::Converter;
use crate::decide::{Answer, Basis, Misnamed, Question, Unknown};
use crate::message::{if_mounted, plain, shown};
use crate::os::{self, FileId, Kind, is_link_refused};
use crate::report::{FileReport, Refusal, RefusalKind, State};
use crate::severity::Severity;
use crate::walk::FoundFile;

/// Converts files, one after the other.
pub(crate) struct Worker<'r, 'a> {
    pub(super) run: &'r Run<'a>,
    pub(super) converter: Converter,
    pub(super) misnamed: Misnamed,
    pub(super) out: Vec<u8>,
    pub(super) block: Vec<u8>,
    /// The folders that were used last, which are open.
    recent: Recent,
}

/// A file that is being converted.
pub(super) struct Task<'t> {
    pub(super) job: &'t FoundFile,
    pub(super) original: Original<'t>,
    /// The path of its output; in place, its own.
    pub(super) target: PathBuf,
    /// The path of its output in the output folder; `None` in place.
    pub(super) relative: Option<PathBuf>,
    /// What exists at that place; in place, the file itself.
    pub(super) there: Option<There>,
}

impl Task<'_> {
    /// The error if its output can't be written.
    pub(super) fn cannot_write(&self, error: &io::Error) -> Refusal {
        let advice = if_mounted(error);
        let error = plain(error);
        Refusal::fail(if self.relative.is_none() {
            format!("cannot be replaced: {error}; it is unchanged{advice}")
        } else {
            let target = shown(&self.target);
            format!("its output {target} cannot be written: {error}{advice}")
        })
    }
}

impl<'r, 'a> Worker<'r, 'a> {
    pub(crate) fn new(run: &'r Run<'a>) -> Self {
        Self {
            run,
            converter: Converter::new(run.settings, Choice::of(run.options)),
            misnamed: Misnamed::default(),
            out: buffer(),
            block: vec![0; 64 * 1024],
            recent: Recent::default(),
        }
    }

    /// Converts one file. `None` if it is not to be converted, because it is one of the run's own.
    pub(crate) fn convert(&mut self, job: &FoundFile) -> Option<FileReport> {
        let started = Instant::now();
        let named = job.from.or(self.run.options.from.named());
        let mut outcome = FileReport::new(named);
        // If another worker removes another name of a file, it looks as if this file had changed.
        let mut tries = if self.run.options.break_hard_links {
            4
        } else {
            1
        };
        loop {
            tries -= 1;
            match self.attempt(job, &mut outcome) {
                Ok(true) => break,
                Ok(false) => return None,
                Err(refusal) if refusal.kind == RefusalKind::Restless && tries > 0 => {
                    outcome = FileReport::new(named);
                }
                Err(refusal) => {
                    outcome.refuse(refusal);
                    break;
                }
            }
        }
        outcome.took = started.elapsed();
        Some(outcome)
    }

    /// `false` if it is one of the run's own files.
    fn attempt(&mut self, job: &FoundFile, outcome: &mut FileReport) -> Result<bool, Refusal> {
        let run = self.run;
        let options = run.options;
        let (original, entry) = self.open(job)?;
        let name = os::name_bytes(Path::new(&entry.name));
        let is_backup = |suffix: &String| name.ends_with(suffix.as_bytes());
        if !job.named && options.backup.as_ref().is_some_and(is_backup) {
            // A link leads to it. The walk leaves out what has such a name itself.
            return Ok(false);
        }
        if !original.metadata.is_file() {
            return Err(Refusal::fail("it is not a regular file"));
        }
        if run.is_own(FileId::of(&original.metadata).as_ref()) {
            return Ok(false);
        }
        outcome.bytes_in = original.metadata.len();
        let mut task = Task {
            job,
            target: match run.below {
                Some(below) => below.target(&job.relative),
                // The file that a link leads to.
                None if options.walk.follow => entry.folder.path().join(&entry.name),
                None => job.path.clone(),
            },
            relative: run.below.map(|below| below.relative_target(&job.relative)),
            original,
            there: None,
        };
        outcome.target = task.relative.is_some().then(|| task.target.clone());
        self.refuse_links(&task.original, &entry)?;
        let place = match &task.relative {
            None => Some(entry),
            Some(relative) => (run.places.output(relative, &mut self.recent))
                .map_err(|error| task.cannot_write(&error))?,
        };
        task.there = self.there(&task, place.as_ref())?;
        let (task, original) = (&task, &task.original);
        if self.is_finished(task)? {
            outcome.state = State::Finished;
            return Ok(true);
        }
        let is_newer = |there: &There| there.stamp.modified >= original.stamp().modified;
        if let (Some(there), false) = (&task.there, options.in_place)
            && (options.no_clobber || (options.update && is_newer(there)))
        {
            outcome.state = State::Kept;
            return Ok(true);
        }

        let answer = match job.from {
            Some(listed) => Answer::named(listed),
            None => self.decide(original)?,
        };
        self.converter.expect(run.settings.of(&answer));
        if let Some(charset) = answer.charset {
            outcome.from = charset;
            outcome.evidence = answer.basis;
            // What declares an encoding that is not in the standard needs more than --accept-guess.
            let is_open = answer.unknown.is_none() || options.force;
            if options.in_place && !options.accept_guess && answer.basis.is_guess() && is_open {
                // The guess may be that of the text before binary data, of which only the rest tells.
                if self.if_text(original, answer.stated(), outcome)? == Course::Done {
                    return self.leave(task, outcome);
                }
                return Err(RefusalKind::Guess.because(format!(
                    "it is most likely {charset} ({reason}), which is a guess; left alone. \
                     --accept-guess converts it from that, --from=LABEL from the encoding that you \
                     name",
                    reason = answer.reason()
                )));
            }
        }

        let mut course = Course::Convert;
        // Examines the file while it is converted.
        let mut watch = None;
        match self.look(original, &answer)? {
            Some(judgement) => course = self.obey(judgement, answer.stated(), outcome)?,
            None => watch = Some(self.new_watch()),
        }
        if outcome.state == State::Already && options.fix_declarations && run.settings.to == UTF_8 {
            // It is UTF-8 as it should be, but may declare another encoding.
            course = Course::Convert;
            outcome.state = State::Converted;
            let as_utf8 = run.settings.of(&Answer::named(UTF_8.into()));
            self.converter.expect(as_utf8);
        }
        if course == Course::Done {
            return self.leave(task, outcome);
        }
        let place = self.made(task, place)?;
        let mut written = None;
        if course == Course::Convert {
            written = self.write(task, place.clone(), watch.as_mut(), outcome)?;
            if written.is_none() {
                // There was a fault, so this may not be text.
                course = self.if_text(original, answer.stated(), outcome)?;
            }
        }
        // What was written is not in its place yet.
        if written.is_some()
            && let Some(watch) = &mut watch
        {
            let judgement = self.judge(&answer, watch);
            course = self.obey(judgement, answer.stated(), outcome)?;
        }
        let written = match (course, written) {
            (Course::Convert, Some(written)) => written,
            (Course::Done, _) => return self.leave(task, outcome),
            (Course::Convert, None) => return Ok(true),
            (Course::Copy, _) => {
                outcome.forget_faults();
                self.copy(task, place)?
            }
        };
        if course == Course::Convert && written.is_change() {
            if let Some(rival) = answer.rival {
                if !options.accept_guess && !options.force {
                    outcome.severity.worsen(Severity::Faults);
                }
                outcome.add_note(format!(
                    "read as {}, which is a guess, and {rival} is hardly less plausible; --from says what it is",
                    self.converter.settings().from
                ));
            }
            if let Some(doubt) = self.if_misnamed(original, &answer)? {
                if options.in_place {
                    return Err(Refusal::skip(doubt.message(true)));
                }
                outcome.severity.worsen(Severity::Faults);
                outcome.note = Some(format!(
                    "{}; read as {}",
                    doubt.what,
                    self.converter.settings().from
                ));
            } else if outcome.note.is_none()
                && let Some(declared) = self.still_declared(original, &answer)?
            {
                let correct = if answer.basis == Basis::Comment {
                    "correct that by hand"
                } else {
                    "--fix-declarations corrects that"
                };
                outcome.note = Some(format!("it still declares {declared}; {correct}"));
            }
        }
        if options.in_place
            && !options.accept_guess
            && written.is_change()
            && self.converter.is_guessed()
        {
            return Err(Refusal::skip(
                "the encoding of some lines was guessed; left alone. --accept-guess converts it \
                 anyway, --from=auto:LIST says what they may be in",
            ));
        }
        self.place(task, written, outcome)?;
        Ok(true)
    }

    /// Opens the file, and returns its place.
    fn open(&mut self, job: &FoundFile) -> Result<(Original<'r>, Entry), Refusal> {
        let run = self.run;
        loop {
            let entry = run.places.input(job, &mut self.recent);
            let entry = entry.map_err(|error| {
                let if_link = "a folder above it is a symbolic link, or became one; left alone. -L follows links";
                cannot_open(job, error, if_link)
            })?;
            match Original::open(entry.clone(), run.options.decompress, &run.stop) {
                // A folder that was removed and created again is not the one that is open.
                Err(error)
                    if error.kind() == io::ErrorKind::NotFound && self.recent.is_old_input() => {}
                Err(error) => {
                    let if_link = "it is a symbolic link; -L follows it";
                    return Err(cannot_open(job, error, if_link));
                }
                Ok(original) => return Ok((original, entry)),
            }
        }
    }

    /// Reports that nothing has to be done.
    fn leave(&self, task: &Task<'_>, outcome: &mut FileReport) -> Result<bool, Refusal> {
        outcome.forget_faults();
        task.original.check()?;
        if outcome.state == State::Already {
            self.record(task, task.original.stamp(), None, State::Already)?;
        }
        Ok(true)
    }

    /// Finds out the encoding of the file.
    fn decide(&self, original: &Original<'_>) -> Result<Answer, Refusal> {
        let Some(question) = Question::of_convert(self.run.options) else {
            return Ok(Answer::named(self.run.settings.from));
        };
        let mut source = original.again()?;
        match question.of_source(&mut source) {
            Ok(answer) => Ok(answer.undone()),
            Err(Unknown::Read(error)) => Err(cannot_read(error)),
            Err(Unknown::Invalid(faults)) => Err(Refusal::skip(format!(
                "it has malformed bytes in every encoding of the list ({faults}); not converted"
            ))),
        }
    }

    /// Refuses to replace a file that has several names.
    fn refuse_links(&self, original: &Original<'_>, entry: &Entry) -> Result<(), Refusal> {
        let options = self.run.options;
        let links = FileId::links(&original.metadata);
        if !options.in_place || options.break_hard_links || links < 2 {
            return Ok(());
        }
        // A run that was killed may have made the backup without replacing the file.
        let backup = options.backup.as_ref().and_then(|suffix| {
            let backup = backup_of(&entry.name, suffix);
            Some(entry.folder.status(&backup, false).ok()?.id)
        });
        if links == 2 && backup.is_some() && backup == FileId::of(&original.metadata) {
            return Ok(());
        }
        Err(Refusal::skip(format!(
            "it has {links} hard links; left alone. With --break-hard-links it is replaced, and the \
             other names keep the old content"
        )))
    }

    /// What exists at the place of an output.
    fn there(&self, task: &Task<'_>, place: Option<&Entry>) -> Result<Option<There>, Refusal> {
        let original = &task.original;
        if self.run.options.in_place {
            return Ok(Some(There {
                file: Some(Arc::clone(&original.file)),
                stamp: original.stamp(),
            }));
        }
        let Some(place) = place else {
            return Ok(None);
        };
        let status = match place.status() {
            Ok(status) => status,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(task.cannot_write(&error)),
        };
        let shown = shown(&task.target);
        if status.kind != Kind::File {
            return Err(Refusal::fail(format!(
                "its output {shown} exists and is not a regular file"
            )));
        }
        if Some(&status.id) == FileId::of(&original.metadata).as_ref() {
            return Err(Refusal::fail(format!(
                "its output {shown} is the same file as the input"
            )));
        }
        if self.run.is_record(Some(&status.id)) {
            return Err(Refusal::fail(format!(
                "its output {shown} is the journal of this run, or its report; not written. Keep both \
                 outside of the output folder"
            )));
        }
        if self.run.claims.is_taken(&status) {
            return Err(same_output(&task.target));
        }
        self.refuse_spelling(task, place)?;
        // A file that can't be read can't be compared with, but may be replaced.
        let file = place.folder.open_file(&place.name, false).ok();
        Ok(Some(There {
            file: file.map(Arc::new),
            stamp: status.stamp(),
        }))
    }

    /// The place of the output, in a folder that exists. `None` if nothing is to be written.
    fn made(&mut self, task: &Task<'_>, place: Option<Entry>) -> Result<Option<Entry>, Refusal> {
        let run = self.run;
        let (Some(relative), None) = (&task.relative, &place) else {
            return Ok(place);
        };
        let made = if run.options.dry_run {
            run.places.check_output(relative).map(|()| None)
        } else {
            let entry = (run.places).make_output(relative, &run.folders, &mut self.recent);
            entry.map(Some)
        };
        made.map_err(|error| task.cannot_write(&error))
    }
}

/// The error if a file, or the folder that it is in, can't be opened; `if_link` is that for a symbolic link.
fn cannot_open(job: &FoundFile, error: io::Error, if_link: &str) -> Refusal {
    if error.kind() == io::ErrorKind::NotFound && !job.named {
        // It may have been renamed to where the walk has been already, so that the run as a whole has failed.
        Refusal::fail(
            "it was removed or renamed before its turn came, and is not converted; run again when the \
             tree is at rest",
        )
    } else if is_link_refused(&error) {
        Refusal::skip(if_link)
    } else {
        cannot_read(error)
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is handed to map_err as it is"
)]
pub(super) fn cannot_read(error: io::Error) -> Refusal {
    Refusal::fail(format!("cannot be read: {}", plain(&error)))
}
