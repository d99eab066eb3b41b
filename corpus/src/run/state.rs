//! The state of a run that may have been interrupted: a note for each part that is complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::part::{Folders, UNFINISHED, nameless, place};
use crate::error::Error;
use crate::tally::Tally;

/// The file that is locked while a run writes.
const LOCK: &str = "lock";
/// How often to try to lock a folder, ten times per second.
const PATIENCE: u32 = 30;

/// Says that a part is complete, and where the unit continues after it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Note {
    pub(super) unit: String,
    /// The split of the unit with which it continues, and the number of the record in it; `None` if
    /// everything was read.
    pub(super) next: Option<(usize, u64)>,
    /// The lengths of the part's files in bytes, which show that they still exist.
    pub(super) files: [Option<u64>; 2],
    pub(super) tally: Tally,
}

impl Note {
    pub(super) fn write(&self, folder: &Path, name: &str) -> Result<(), Error> {
        let path = folder.join(format!("{name}.json"));
        write_json(&path, self)
    }

    /// Returns `None` if the part is not complete.
    pub(super) fn read(folder: &Path, name: &str) -> Result<Option<Self>, Error> {
        let path = folder.join(format!("{name}.json"));
        match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text)
                .map(Some)
                .map_err(|error| Error::io(&path)(error.into())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io(&path)(error)),
        }
    }
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Error> {
    let mut file = nameless(path)?;
    let written = serde_json::to_writer(&mut file, value).map_err(io::Error::from);
    written
        .and_then(|()| file.write_all(b"\n"))
        .map_err(Error::io(path))?;
    place(file, path)
}

/// What the output of a run depends on, apart from its inputs.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) version: u32,
    pub(super) options: String,
}

/// Prepares the output folder for a new or a resumed run. The file is locked while it is open.
pub(super) fn begin(
    out: &Path,
    folders: &Folders,
    settings: &Settings,
    resume: bool,
) -> Result<File, Error> {
    let path = folders.state.join("run.json");
    if !(resume && path.exists() || is_new(out, folders)?) {
        return Err(Error::NotEmpty(out.into()));
    }
    for folder in [&folders.state, &folders.text, &folders.rejected] {
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
    }
    let lock_path = folders.state.join(LOCK);
    let lock = File::create(&lock_path).map_err(Error::io(&lock_path))?;
    // A run that was killed in the middle of a write may take a moment to end.
    for wait in (0..PATIENCE).rev() {
        match lock.try_lock() {
            Err(fs::TryLockError::WouldBlock) if wait == 0 => {
                return Err(Error::Locked(out.into()));
            }
            Err(fs::TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(100)),
            // Or the file system does not support locks.
            Ok(()) | Err(fs::TryLockError::Error(_)) => break,
        }
    }
    remove_unfinished(folders)?;
    match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => write_json(&path, settings)?,
        Err(error) => return Err(Error::io(&path)(error)),
        // Another run has started in the meantime, and may even have finished.
        Ok(_) if !resume => return Err(Error::Locked(out.into())),
        Ok(text) => {
            let before: Settings =
                serde_json::from_slice(&text).map_err(|error| Error::io(&path)(error.into()))?;
            if before != *settings {
                return Err(Error::Changed(format!(
                    "the options were {}, and are {}",
                    before.options, settings.options
                )));
            }
        }
    }
    Ok(lock)
}

/// Returns whether a folder is empty, or has only what a run that was killed immediately left there.
fn is_new(out: &Path, folders: &Folders) -> Result<bool, Error> {
    let entries = |folder: &Path| match fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    let own = [&folders.state, &folders.text, &folders.rejected];
    for entry in entries(out).map_err(Error::io(out))? {
        let path = entry.path();
        if !own.contains(&&path) {
            return Ok(false);
        }
        let is_ours = |entry: &fs::DirEntry| {
            let name = entry.file_name();
            name == LOCK || name.to_string_lossy().starts_with(UNFINISHED)
        };
        if !entries(&path)
            .map_err(Error::io(&path))?
            .iter()
            .all(is_ours)
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Fails if there are parts of units that this run does not have.
pub(super) fn check_units(folders: &Folders, units: u64) -> Result<(), Error> {
    for entry in fs::read_dir(&folders.state).map_err(Error::io(&folders.state))? {
        let entry = entry.map_err(Error::io(&folders.state))?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|it| it.strip_prefix("part-"));
        let number = number.and_then(|it| it.split('-').next()?.parse::<u64>().ok());
        if number.is_some_and(|it| it >= units) {
            return Err(Error::Changed(String::from(
                "there are fewer files than before",
            )));
        }
    }
    Ok(())
}

/// Removes incomplete files of a killed run.
fn remove_unfinished(folders: &Folders) -> Result<(), Error> {
    for folder in [&folders.state, &folders.text, &folders.rejected] {
        for entry in fs::read_dir(folder).map_err(Error::io(folder))? {
            let entry = entry.map_err(Error::io(folder))?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_part = name.starts_with("part-") && *folder != folders.state;
            let stem = name.split('.').next().unwrap_or_default();
            let is_unfinished = name.starts_with(UNFINISHED)
                || is_part && !folders.state.join(format!("{stem}.json")).exists();
            if is_unfinished {
                let path = entry.path();
                fs::remove_file(&path).map_err(Error::io(&path))?;
            }
        }
    }
    Ok(())
}
