//! The last steps for a file: its output is verified, recorded in the journal, and put into its place.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use super::backup::{back_up, backup_of, check_backup, take_back};
use super::file::{Task, Worker, cannot_read};
use super::places::Entry;
use super::replace::{Finished, settle};
use super::verify::verify;
use super::writing::Written;
use crate::message::{plain, shown};
use crate::os::{self, FileId, Stamp, Temporary};
use crate::report::{FileReport, Refusal, State};
use crate::severity::Severity;

impl Worker<'_, '_> {
    /// Refuses to replace a file that has the name of the output in a different spelling.
    pub(super) fn refuse_spelling(&self, task: &Task<'_>, place: &Entry) -> Result<(), Refusal> {
        let run = self.run;
        let (Some(relative), Some(top), false) =
            (&task.relative, run.places.top(), run.options.dry_run)
        else {
            return Ok(());
        };
        let is_spelled = run.claims.is_spelled(top, place, relative);
        if is_spelled.map_err(|error| task.cannot_write(&error))? {
            return Ok(());
        }
        Err(Refusal::fail(format!(
            "its output {} exists under a name in another spelling, which the file system takes \
             for the same (as it may upper and lower case); not written. Rename one of the two, \
             or convert them into separate folders",
            shown(&task.target)
        )))
    }

    /// Verifies what was written, and puts it into its place.
    pub(super) fn place(
        &mut self,
        task: &Task<'_>,
        written: Written<'_>,
        outcome: &mut FileReport,
    ) -> Result<(), Refusal> {
        let run = self.run;
        let options = run.options;
        let original = &task.original;
        let Written { output, content } = written;
        let failed = |error: io::Error| task.cannot_write(&error);
        if content.format.is_none() && content.whole.bytes != original.metadata.len() {
            original.check()?;
            return Err(Refusal::skip(format!(
                "{} bytes could be read, but its size is {}; skipped, and nothing was written",
                content.whole.bytes,
                original.metadata.len()
            )));
        }
        outcome.bytes_out = content.bytes;
        let (temporary, place) = match output {
            Finished::New(temporary, place) => (temporary, place),
            Finished::Dry(place) => {
                original.check()?;
                if let (Some(suffix), Some(place)) = (&options.backup, &place) {
                    let backup = backup_of(&place.name, suffix);
                    check_backup(&place.folder, &original.file, &backup)
                        .map_err(|error| no_backup(place, &backup, &error))?;
                }
                outcome.changed = true;
                return Ok(());
            }
            Finished::Same(there) => {
                original.check()?;
                if outcome.state == State::Converted {
                    outcome.state = State::Unchanged;
                }
                let stamp = if options.in_place {
                    original.stamp()
                } else {
                    let there = there.metadata().map_err(failed)?;
                    if !run.claims.claim(&there) {
                        return Err(same_output(&task.target));
                    }
                    Stamp::of(&there)
                };
                // The same text may have been compressed to different bytes.
                let is_hash_of = !options.in_place || content.format.is_none();
                let hash = content.hash.filter(|_| is_hash_of);
                return self.record(task, stamp, hash, outcome.state);
            }
        };
        let file = temporary.file();
        if options.verify && outcome.state == State::Converted {
            let differs = verify(
                original,
                file,
                &content,
                &self.converter.settings(),
                &run.cores,
            )
            .map_err(cannot_read)?;
            outcome.verified = Some(differs.is_none());
            if let Some(how) = differs {
                if options.in_place {
                    return Err(Refusal::skip(format!("{how}; not replaced")));
                }
                outcome.severity.worsen(Severity::Faults);
                outcome.why = Some(format!("{how}; written all the same"));
            }
        }
        if !self.note(original, file, &content).map_err(failed)? {
            return Err(Refusal::skip(
                "nothing would show that it was converted, and its file system keeps no extended attribute that says \
                 so; left alone. --resume STATE keeps a journal, --force converts it anyway",
            ));
        }
        if options.backup.is_some()
            && let Some(hash) = content.hash
            && let Err(error) = os::note_backup(file, &original.stamp(), hash)
        {
            outcome.add_note(format!(
                "no extended attribute says what its backup is: {}; `simdtext restore` goes by times, or needs \
                 --force",
                plain(&error)
            ));
        }
        let settled = settle(file, original, options, run.journal.is_some())
            .map_err(failed)?
            .map_err(|lost| {
                Refusal::skip(format!(
                    "{lost} can't be kept, which would change who may read or write the file; left alone. \
                     Convert it as its owner or as root, or with --out-dir"
                ))
            })?;
        if run.journal.is_some() {
            // A file that was changed is not recorded.
            original.check()?;
        }
        self.record(task, Stamp::of(&settled), content.hash, outcome.state)?;
        // Syncing may have taken a while. This is the last check before the original may be gone.
        original.check()?;
        let id = FileId::of(&settled);
        if let Some(relative) = &task.relative {
            let is_new = task.there.is_none();
            let put = run.claims.put(temporary, id.as_ref(), &place, is_new);
            let is_put = put.map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => appeared(&task.target),
                _ => failed(error),
            })?;
            if !is_put {
                return Err(same_output(&task.target));
            }
            run.claims.is_put(relative);
        } else {
            run.claims.add(id.as_ref());
            self.replace(task, temporary, &place)?;
        }
        outcome.changed = true;
        run.folders.changed(&place.folder);
        Ok(())
    }

    /// Replaces the original, of which a backup is kept if that is wished. If it can't be replaced, no backup
    /// is left either.
    fn replace(&self, task: &Task<'_>, temporary: Temporary, place: &Entry) -> Result<(), Refusal> {
        let (run, original) = (self.run, &task.original);
        let failed = |error: io::Error| task.cannot_write(&error);
        let Some(suffix) = &run.options.backup else {
            return temporary.replace(&place.name).map_err(failed);
        };
        let backup = backup_of(&place.name, suffix);
        let is_new = back_up(place, &original.file, &backup, run.names.own())
            .map_err(|error| no_backup(place, &backup, &error))?;
        let mut replaced =
            (original.check_linked()).and_then(|()| temporary.replace(&place.name).map_err(failed));
        if let Err(refusal) = &mut replaced
            && is_new
            && let Err(error) = take_back(place, &original.file, &backup)
        {
            let backup = place.folder.path().join(&backup);
            refusal.why += &format!(
                ". Its backup {} can't be removed again: {}",
                shown(backup),
                plain(&error)
            );
        }
        replaced
    }
}

/// The error if the original can't be kept under the name `backup`.
fn no_backup(place: &Entry, backup: &OsStr, error: &io::Error) -> Refusal {
    let hint = if error.kind() == io::ErrorKind::AlreadyExists {
        ". Choose another suffix, or move that file away: `simdtext restore` would take it for the original"
    } else {
        ""
    };
    Refusal::fail(format!(
        "its backup {} can't be made: {}; left alone{hint}",
        shown(place.folder.path().join(backup)),
        plain(error)
    ))
}

/// The error if the file system takes the names of two outputs for the same.
pub(super) fn same_output(target: &Path) -> Refusal {
    Refusal::fail(format!(
        "its output {} would replace that of another file, because the file system takes their names \
         for the same (as it may upper and lower case); not written. Rename one of the two, or convert \
         them into separate folders",
        shown(target)
    ))
}

/// The error if something has taken the name of an output that was free.
fn appeared(target: &Path) -> Refusal {
    Refusal::fail(format!(
        "its output {} was not there before, and is there now: another program made it, or it is that of \
         another file whose name the file system takes for the same (as it may upper and lower case); \
         not written. Rename one of the two, or convert them into separate folders",
        shown(target)
    ))
}
