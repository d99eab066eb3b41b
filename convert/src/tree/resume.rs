//! What a worker asks the journal about a file, and records in it.

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use super::file::Worker;
use super::journal::{Before, JournalEntry};
use super::original::{Original, Reading};
use crate::message::{Escaped, plain};
use crate::os::Stamp;
use crate::report::{Refusal, State};
use crate::walk::FoundFile;

impl Worker<'_, '_> {
    /// Whether an earlier run of the journal has finished this file. `there` is what exists at the place of
    /// the output, if that is not the input.
    pub(super) fn is_finished(
        &mut self,
        target: &Path,
        original: &Original<'_>,
        there: Option<&File>,
    ) -> Result<bool, Refusal> {
        let run = self.run;
        let Some(journal) = &run.journal else {
            return Ok(false);
        };
        let in_place = run.options.in_place;
        self.over = there
            .and_then(|file| file.metadata().ok())
            .map(|metadata| Stamp::of(&metadata));
        let (output, file) = if in_place {
            (Some(original.stamp()), Some(&original.file))
        } else {
            (self.over, there)
        };
        let content = || match file {
            Some(file) => content_of(file, original),
            None => Err(io::ErrorKind::NotFound.into()),
        };
        let before = journal
            .before(target, original.stamp(), output, content)
            .map_err(|error| Refusal::fail(format!("cannot be read: {}", plain(&error))))?;
        match before {
            Before::Nothing => Ok(false),
            Before::Finished => Ok(true),
            Before::Changed => Err(Refusal::skip(
                "an earlier run of this journal converted it, and it was changed since; left alone, \
                 because to convert it twice would damage it",
            )),
            Before::OutputChanged => {
                let target = target.to_string_lossy();
                Err(Refusal::skip(format!(
                    "an earlier run of this journal wrote its output {}, which was changed since; \
                     left alone. Move that file away to have it written again",
                    Escaped(&target)
                )))
            }
            Before::Unsure => Err(Refusal::skip(
                "an earlier run of this journal wrote the same few bytes to a file of another name; \
                 left alone, because to convert it twice would damage it. A run with a new journal \
                 converts it",
            )),
        }
    }

    /// Writes the line of the file into the journal. `content` is the hash of the content of the output.
    pub(super) fn record(
        &self,
        job: &FoundFile,
        target: &Path,
        original: &Original<'_>,
        output: Stamp,
        content: Option<u128>,
        state: State,
    ) -> Result<(), Refusal> {
        let run = self.run;
        let Some(journal) = &run.journal else {
            return Ok(());
        };
        if run.options.dry_run {
            return Ok(());
        }
        let entry = JournalEntry {
            path: &job.path,
            target,
            in_place: run.options.in_place,
            input: original.stamp(),
            output,
            content,
            over: self.over,
            result: state.name(),
        };
        journal.write(&entry).map_err(|error| {
            Refusal::fail(format!(
                "the journal can't be written: {}; left alone",
                plain(&error)
            ))
        })
    }
}

/// The hash of the content of a file.
fn content_of(file: &File, original: &Original<'_>) -> io::Result<u128> {
    let mut reading = Reading {
        file,
        offset: 0,
        stop: original.stop,
        progress: None,
    };
    let mut hash = Xxh3::new();
    let mut block = vec![0; 64 * 1024];
    loop {
        match reading.read(&mut block)? {
            0 => return Ok(hash.digest128()),
            n => hash.write(&block[..n]),
        }
    }
}
