//! Opens the journal of a run; what a worker asks it about a file, and records in it.

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use super::file::{Task, Worker, cannot_read};
use super::inside::real_of;
use super::journal::{Before, Journal, Record, Use};
use super::original::reading;
use crate::error::Error;
use crate::message::{plain, shown};
use crate::options::{Binary, Options};
use crate::os::{self, Stamp};
use crate::report::{Refusal, State};
use crate::walk::{FoundFile, Walk};

/// Opens the journal of `--resume`. `None` if there is none.
pub(super) fn journal(options: &Options, walk: &Walk<'_>) -> Result<Option<Journal>, Error> {
    let Some(path) = &options.resume else {
        return Ok(None);
    };
    let with = Use {
        options: &description(options),
        roots: &walk.folders().map(Path::to_path_buf).collect::<Vec<_>>(),
        fsync: !options.no_fsync,
        dry: options.dry_run,
    };
    Journal::open(path, &with)
}

/// The options that decide what is written, for the journal.
fn description(options: &Options) -> String {
    // Every option is named here, so that a new one can't be forgotten.
    let Options {
        from,
        to,
        invalid: _, // Its default depends on others.
        unmappable,
        bom,
        per_line,
        undo_double_encoding,
        tld,
        binary,
        output_bom,
        decompress,
        out_dir,
        backup,
        accept_guess,
        force,
        compress,
        fix_declarations,
        from_list,
        // How, and which files.
        spool_limit: _,
        in_place: _,
        break_hard_links: _,
        no_clobber: _,
        update: _,
        jobs: _,
        dry_run: _,
        fail_fast: _,
        preserve: _,
        no_fsync: _,
        verify: _,
        remove_orphans: _,
        resume: _,
        walk: _,
    } = options;
    let invalid = options.invalid_or_default();
    let from = match from_list {
        None => from.to_string(),
        Some(_) => String::from("list"),
    };
    // Whether binary files are copied or left out makes no difference to those that are finished. A journal in
    // which this is missing is of a run that did not convert them.
    let binary = match binary {
        Some(Binary::Convert) => "binary=convert ",
        Some(Binary::Copy) | None => "",
    };
    // A run that does not know the suffix would convert the backups.
    let backup = match backup {
        Some(suffix) => format!("backup={} ", suffix.escape_default()),
        None => String::new(),
    };
    let place = match out_dir {
        None => String::from("in-place"),
        // The path without links, however it is spelled. What does not exist yet will be made below what does.
        Some(folder) => format!("out-dir={}", escaped(&real_of(folder))),
    };
    format!(
        "from={from} to={to} bom={bom:?} output-bom={output_bom} invalid={invalid:?} \
         unmappable={unmappable:?} decompress={decompress} compress={compress:?} force={force} \
         per-line={per_line} undo={undo_double_encoding} tld={tld:?} accept={accept_guess} \
         declarations={fix_declarations} {binary}{backup}{place}",
    )
}

/// A path on one line.
fn escaped(path: &Path) -> String {
    os::name_bytes(path).escape_ascii().to_string()
}

impl Worker<'_, '_> {
    /// Whether an earlier run of the journal has finished this file.
    pub(super) fn is_finished(&self, task: &Task<'_>) -> Result<bool, Refusal> {
        let original = &task.original;
        let (Some(journal), Some((file, output))) = (&self.run.journal, readable(task)) else {
            return Ok(false);
        };
        let before = journal
            .before(
                &task.target,
                original.stamp(),
                Some(output),
                listed(task.job),
                || content_of(reading(file, original.stop, None)),
            )
            .map_err(cannot_read)?;
        match before {
            Before::Nothing => Ok(false),
            Before::Finished => Ok(true),
            Before::Changed => Err(Refusal::skip(
                "an earlier run of this journal converted it, and it was changed since; left alone, \
                 because to convert it twice would damage it",
            )),
            Before::OutputChanged => Err(Refusal::skip(format!(
                "an earlier run of this journal wrote its output {}, which was changed since; \
                 left alone. Move that file away to have it written again",
                shown(&task.target)
            ))),
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
        task: &Task<'_>,
        output: Stamp,
        content: Option<u128>,
        state: State,
    ) -> Result<(), Refusal> {
        let options = self.run.options;
        let Some(journal) = self.run.journal.as_ref().filter(|_| !options.dry_run) else {
            return Ok(());
        };
        let (result, listed) = (state.name(), listed(task.job));
        let over = readable(task).map(|(_, over)| over);
        let record = Record {
            result,
            listed,
            input: task.original.stamp(),
            output,
            content,
            over: over.filter(|_| !options.in_place),
            place: journal.place(&task.target),
            path: (!options.in_place).then(|| journal.place(&task.job.path)),
        };
        journal.write(&record).map_err(|error| {
            Refusal::fail(format!(
                "the journal can't be written: {}; left alone",
                plain(&error)
            ))
        })
    }
}

/// What exists at the place of the output, if it can be read.
fn readable<'t>(task: &'t Task<'_>) -> Option<(&'t File, Stamp)> {
    let there = task.there.as_ref()?;
    Some((there.file.as_deref()?, there.stamp))
}

/// The encoding that a list gives for the file, for the journal.
fn listed(job: &FoundFile) -> &'static str {
    job.from.map_or("", |from| from.name())
}

/// The hash of the content of a file.
pub(crate) fn content_of(mut file: impl Read) -> io::Result<u128> {
    let mut hash = Xxh3::new();
    let mut block = vec![0; 64 * 1024];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(hash.digest128()),
            n => hash.write(&block[..n]),
        }
    }
}
