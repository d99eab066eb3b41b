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
use super::writing::Written;
use crate::buffered::buffer;
use crate::by_line::Choice;
use crate::converter::Converter;
use crate::decide::{Answer, Misnamed, Question, Unknown, Watch};
use crate::message::{if_mounted, plain, shown};
use crate::os::{self, FileId, Kind, is_link_refused};
use crate::report::{FileReport, Refusal, RefusalKind, State};
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

    /// The steps for one file, in this order. `false` if it is one of the run's own files.
    fn attempt(&mut self, job: &FoundFile, outcome: &mut FileReport) -> Result<bool, Refusal> {
        let Some((task, place)) = self.begin(job, outcome)? else {
            return Ok(false);
        };
        if let Some(state) = self.needs_nothing(&task)? {
            outcome.state = state;
            outcome.bytes_out = task.there.as_ref().map_or(0, |there| there.stamp.size);
            return Ok(true);
        }
        let answer = self.decide(&task)?;
        self.converter.expect(self.run.settings.of(&answer));
        if let Some(charset) = answer.charset {
            outcome.from = charset;
            outcome.evidence = answer.basis;
        }
        if self.must_not_guess(&answer) {
            return self.refuse_guess(&task, &answer, outcome).map(|()| true);
        }
        let mut watch = self.new_watch(&answer);
        let judgement = self.look(&task.original, &answer, &mut watch)?;
        let course = judgement.map(|it| self.obey(it, &answer, outcome));
        let course = self.or_correct(course.transpose()?, outcome);
        if course == Some(Course::Done) {
            return self.leave(&task, outcome).map(|()| true);
        }
        let place = self.made(&task, place)?;
        if let Some(written) =
            self.convert_or_copy(&task, place, &answer, course, watch, outcome)?
        {
            self.place(&task, written, outcome)?;
        }
        Ok(true)
    }

    /// Opens the file, and finds the place of its output. `None` if it is one of the run's own files.
    fn begin<'t>(
        &mut self,
        job: &'t FoundFile,
        outcome: &mut FileReport,
    ) -> Result<Option<(Task<'t>, Option<Entry>)>, Refusal>
    where
        'r: 't,
    {
        let run = self.run;
        let options = run.options;
        let (original, entry) = self.open(job)?;
        let name = os::name_bytes(Path::new(&entry.name));
        let is_backup = |suffix: &String| name.ends_with(suffix.as_bytes());
        if !job.named && options.backup.as_ref().is_some_and(is_backup) {
            // A link leads to it. The walk leaves out what has such a name itself.
            return Ok(None);
        }
        if !original.metadata.is_file() {
            return Err(Refusal::fail("it is not a regular file"));
        }
        if run.is_own(FileId::of(&original.metadata).as_ref()) {
            return Ok(None);
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
        Ok(Some((task, place)))
    }

    /// How a file is reported that an earlier run has finished, or whose output is to be kept.
    fn needs_nothing(&self, task: &Task<'_>) -> Result<Option<State>, Refusal> {
        let options = self.run.options;
        if self.is_finished(task)? {
            return Ok(Some(State::Finished));
        }
        let input = task.original.stamp().modified;
        let is_newer = |there: &There| there.stamp.modified >= input;
        let is_kept = (task.there.as_ref()).is_some_and(|there| {
            !options.in_place && (options.no_clobber || options.update && is_newer(there))
        });
        Ok(is_kept.then_some(State::Kept))
    }

    /// Finds out the encoding of the file.
    fn decide(&self, task: &Task<'_>) -> Result<Answer, Refusal> {
        if let Some(listed) = task.job.from {
            return Ok(Answer::named(listed));
        }
        let Some(question) = Question::of_convert(self.run.options) else {
            return Ok(Answer::named(self.run.settings.from));
        };
        match question.of_source(&mut task.original.again()?) {
            Ok(answer) => Ok(answer.undone()),
            Err(Unknown::Read(error)) => Err(cannot_read(error)),
            Err(Unknown::Invalid(why)) => Err(Refusal::skip(why)),
        }
    }

    /// Whether the encoding is a guess, and the file may not be replaced on the basis of that.
    fn must_not_guess(&self, answer: &Answer) -> bool {
        let options = self.run.options;
        let is_guess = answer.charset.is_some() && answer.basis.is_guess();
        // What declares an encoding that is not in the standard needs more than --accept-guess.
        let is_open = answer.unknown.is_none() || options.force;
        options.in_place && !options.accept_guess && is_guess && is_open
    }

    /// Refuses the file because its encoding is a guess, unless it is not text.
    fn refuse_guess(
        &mut self,
        task: &Task<'_>,
        answer: &Answer,
        outcome: &mut FileReport,
    ) -> Result<(), Refusal> {
        // The guess may be that of the text before binary data, of which only the rest tells.
        if self.if_text(&task.original, answer, outcome)? == Course::Done {
            return self.leave(task, outcome);
        }
        Err(RefusalKind::Guess.because(format!(
            "it is most likely {charset} ({reason}), which is a guess; left alone. --accept-guess converts it from \
             that, --from=LABEL from the encoding that you name",
            charset = outcome.from,
            reason = answer.reason()
        )))
    }

    /// With `--fix-declarations`, what is UTF-8 already is converted, because it may declare another encoding.
    fn or_correct(&mut self, course: Option<Course>, outcome: &mut FileReport) -> Option<Course> {
        let run = self.run;
        let is_to_utf8 = run.settings.to == UTF_8;
        if outcome.state != State::Already || !run.options.fix_declarations || !is_to_utf8 {
            return course;
        }
        outcome.state = State::Converted;
        let as_utf8 = run.settings.of(&Answer::named(UTF_8.into()));
        self.converter.expect(as_utf8);
        Some(Course::Convert)
    }

    /// Writes the output. `None` if there is to be none. Without a `course`, all of the file decides, which `watch`
    /// sees while it is converted; otherwise `watch` has seen enough of it.
    fn convert_or_copy<'t>(
        &mut self,
        task: &'t Task<'_>,
        place: Option<Entry>,
        answer: &Answer,
        course: Option<Course>,
        mut watch: Watch,
        outcome: &mut FileReport,
    ) -> Result<Option<Written<'t>>, Refusal>
    where
        'r: 't,
    {
        let in_place = self.run.options.in_place;
        let is_decided = course.is_some();
        let mut course = course.unwrap_or(Course::Convert);
        let mut written = None;
        if course == Course::Convert {
            if !is_decided {
                watch = self.new_watch(answer);
            }
            let seen_by = (!is_decided).then_some(&mut watch);
            written = self.write(task, place.clone(), seen_by, outcome)?;
            if written.is_none() {
                // There was a fault, so this may not be text.
                course = self.if_text(&task.original, answer, outcome)?;
            } else if !is_decided {
                course = self.obey(self.judge(answer, &mut watch), answer, outcome)?;
            }
        }
        match course {
            Course::Convert => {
                // With an output folder, the output may be that of an earlier run.
                if written
                    .as_ref()
                    .is_some_and(|it| it.is_change() || !in_place)
                {
                    self.doubt(answer, &mut watch, outcome)?;
                }
                Ok(written)
            }
            Course::Copy => {
                outcome.forget_faults();
                self.copy(task, place).map(Some)
            }
            Course::Done => self.leave(task, outcome).map(|()| None),
        }
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

    /// Reports that nothing has to be done: the file is its own output.
    fn leave(&self, task: &Task<'_>, outcome: &mut FileReport) -> Result<(), Refusal> {
        outcome.forget_faults();
        outcome.bytes_out = outcome.bytes_in;
        task.original.check()?;
        if outcome.state == State::Already {
            self.record(task, task.original.stamp(), None, State::Already)?;
        }
        Ok(())
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
