//! The journal of a run that can be resumed: text, with one line for each file, and only ever appended to.
//!
//! The line of a file is written and synced to the disk before the output takes its place. It identifies the
//! input and the output (by device, inode, size, time of modification, and a hash of the content of the
//! output), so that the files themselves show later whether the output was put into place, whatever happened
//! in between and however they are named by then. Tested by killing runs at random moments, in
//! `cli/tests/cli/killed.rs`, and by damaging journals, in `journal/tests.rs`.

mod facts;
mod format;
mod lines;
#[cfg(test)]
mod tests;

use std::collections::hash_map::RandomState;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::BuildHasher;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::inside::LastFolder;
use crate::error::Error;
use crate::message::shown;
use crate::mutex::lock;
use crate::os::{self, FileId, Folder, Stamp, TEMPORARY_PREFIX};
use crate::output::folder_of;
pub(crate) use facts::Before;
use facts::Facts;
pub(crate) use format::Record;
use format::{
    Damage, End, HEADER_LINES, JournalRoot, LONGEST_LINE, MAGIC, VERSION, escaped, unescaped,
};
use lines::{JournalLines, Line};

pub(crate) struct Journal {
    file: File,
    /// The id of the run in the names of its temporary files.
    run: String,
    id: Option<FileId>,
    fsync: bool,
    /// Whether the journal is only read.
    dry: bool,
    facts: Facts,
    /// Folders of this run, and their paths in an earlier one.
    renamed: Vec<(PathBuf, PathBuf)>,
    last: Mutex<LastFolder>,
    tail: Mutex<Tail>,
    /// How much of the journal is on the disk.
    on_disk: Mutex<u64>,
}

/// The end of the journal.
#[derive(Clone, Copy)]
struct Tail {
    /// The length, in bytes.
    length: u64,
    end: End,
}

/// How a journal is used.
pub(crate) struct Use<'a> {
    /// The options that decide what is written, which must be those of the earlier runs.
    pub(crate) options: &'a str,
    /// The folders that are converted.
    pub(crate) roots: &'a [PathBuf],
    pub(crate) fsync: bool,
    /// Whether the journal is only read.
    pub(crate) dry: bool,
}

impl Journal {
    /// Opens the journal at `path`, or creates it. `None` if it is only to be read and does not exist.
    pub(crate) fn open(path: &Path, with: &Use<'_>) -> Result<Option<Self>, Error> {
        let shown = shown(path);
        let cannot = |error| cannot_use(&shown, &error);
        if fs::metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            if with.dry {
                return Ok(None);
            }
            begin(path, with).map_err(cannot)?;
        }
        let opened = (OpenOptions::new().read(true).write(!with.dry)).open(path);
        let file = opened.map_err(cannot)?;
        let locked = if with.dry {
            file.try_lock_shared()
        } else {
            file.try_lock()
        };
        match locked {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let message = format!("the journal {shown} is in use by another run");
                return Err(Error::InUse(message));
            }
            Err(TryLockError::Error(error)) => return Err(cannot(error)),
        }
        let metadata = file.metadata().map_err(cannot)?;
        if !metadata.is_file() {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file");
            return Err(cannot(error));
        }
        let mut journal = Self {
            id: FileId::of(&metadata),
            file,
            run: String::new(),
            fsync: with.fsync,
            dry: with.dry,
            facts: Facts::default(),
            renamed: Vec::new(),
            last: Mutex::default(),
            tail: Mutex::new(Tail {
                length: 0,
                end: End { lines: 0, sum: 0 },
            }),
            on_disk: Mutex::new(0),
        };
        let known = journal.read(&shown, with.options)?;
        journal.find_roots(with.roots, &known).map_err(cannot)?;
        Ok(Some(journal))
    }

    /// Reads what earlier runs wrote, and cuts off a last line that is incomplete. Returns the folders that
    /// they converted.
    fn read(&mut self, shown: &str, options: &str) -> Result<Vec<JournalRoot>, Error> {
        let cannot = |error| cannot_use(shown, &error);
        let damaged = |number: u64, how: Damage| {
            Error::DamagedJournal(format!(
                "the journal {shown} is damaged in line {number}: {how}; nothing was read or \
                 written. It no longer says which files are converted. Put an undamaged \
                 copy of it in its place; or put the original files back, and name a new journal"
            ))
        };
        self.file.rewind().map_err(cannot)?;
        let mut lines = JournalLines::new(self.file.try_clone().map_err(cannot)?);
        let header = self.header(&mut lines, shown)?;
        let mut roots = Vec::new();
        let mut end = End::first(&self.run);
        loop {
            let number = end.lines + 1;
            let line = match lines.next().map_err(cannot)? {
                Line::Whole(line) => line,
                Line::Unfinished => break,
                Line::Endless => return Err(damaged(number, Damage::Endless)),
            };
            let text = end.follow(line).map_err(|how| damaged(number, how))?;
            let known = match text.split_once(' ') {
                Some(("options", earlier)) if number == HEADER_LINES + 1 => {
                    if earlier != options {
                        return Err(Error::OtherJournal(format!(
                            "the journal {shown} is of a run with other flags; nothing was read or \
                             written. It had\n  {earlier}\nand this run has\n  {options}\nRun with \
                             the same flags, or name a new journal"
                        )));
                    }
                    Some(())
                }
                Some(("root", root)) => JournalRoot::read(root).map(|root| roots.push(root)),
                Some(("file", record)) => {
                    Record::read(record).map(|record| self.facts.learn(&record))
                }
                _ => None,
            };
            if known.is_none() {
                return Err(damaged(number, Damage::Unknown));
            }
            if number == header.lines && end != header {
                return Err(damaged(number, Damage::Changed));
            }
        }
        if end.lines < header.lines {
            let lines = header.lines;
            return Err(damaged(end.lines + 1, Damage::Cut { lines }));
        }
        // What follows is an incomplete line.
        let whole = lines.length;
        if !self.dry {
            self.file.set_len(whole).map_err(cannot)?;
        }
        self.tail = Mutex::new(Tail { length: whole, end });
        self.facts.settle();
        Ok(roots)
    }

    /// Reads the first lines.
    fn header(&mut self, lines: &mut JournalLines, shown: &str) -> Result<End, Error> {
        let cannot = |error| cannot_use(shown, &error);
        let no_journal = || {
            Error::OtherJournal(format!(
                "{shown} is not a journal of simdtext; nothing was read or written. Name a new file"
            ))
        };
        if self.file.metadata().map_err(cannot)?.len() == 0 {
            // A new journal takes its name when its first lines are written, so that a run never leaves this.
            return Err(Error::DamagedJournal(format!(
                "the journal {shown} is empty; nothing was read or written. If it is that of an earlier run, it no \
                 longer says which files are converted: put an undamaged copy of it in its place; or put the \
                 original files back, and name a new journal. Otherwise remove it, or name a file that does not \
                 exist yet"
            )));
        }
        let mut next = || match lines.next() {
            Ok(Line::Whole(line)) => Ok(String::from(line)),
            Ok(Line::Unfinished | Line::Endless) => Ok(String::new()),
            Err(error) => Err(cannot(error)),
        };
        let first = next()?;
        match first.strip_prefix(MAGIC) {
            Some(VERSION) => {}
            Some(other) if other.bytes().all(|byte| byte.is_ascii_digit()) => {
                return Err(Error::OtherJournal(format!(
                    "{shown} is a journal of version {other}, and this simdtext reads version \
                     {VERSION}; nothing was read or written. Finish that run with the simdtext that \
                     began it"
                )));
            }
            _ => return Err(no_journal()),
        }
        let (run, end) = (next()?, next()?);
        let damaged = |number: u64| {
            Error::DamagedJournal(format!(
                "the journal {shown} is damaged in line {number}; nothing was read or written. Put \
                 an undamaged copy of it in its place; or put the original files back, and name a \
                 new journal"
            ))
        };
        match run.strip_prefix("run ") {
            Some(run) if run.len() == 16 && run.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                self.run = String::from(run);
            }
            _ => return Err(damaged(2)),
        }
        End::read(&end).ok_or_else(|| damaged(HEADER_LINES))
    }

    /// Recognises the folders that earlier runs converted, and records new ones.
    fn find_roots(&mut self, roots: &[PathBuf], known: &[JournalRoot]) -> io::Result<()> {
        for real in roots {
            let Ok(metadata) = fs::metadata(real) else {
                continue;
            };
            let stamp = Stamp::of(&metadata);
            let root = JournalRoot {
                device: stamp.device,
                inode: stamp.inode,
                path: escaped(real),
            };
            if known.contains(&root) {
                continue;
            }
            let same = |known: &&JournalRoot| {
                known.inode != 0 && (known.device, known.inode) == (root.device, root.inode)
            };
            if let Some(earlier) = known.iter().find(same) {
                let earlier = unescaped(&earlier.path)?;
                self.renamed.push((real.clone(), earlier));
            } else if !self.dry {
                self.append(&root.text())?;
            }
        }
        Ok(())
    }

    /// The id of the run in the names of its temporary files.
    pub(crate) fn run(&self) -> &str {
        &self.run
    }

    /// Whether this file is the journal itself.
    pub(crate) fn is(&self, id: Option<&FileId>) -> bool {
        self.id.is_some() && self.id.as_ref() == id
    }

    /// What earlier runs did with the input whose output belongs at `target`. `output` is what exists there
    /// now; with in-place conversion that is the input itself. `listed` is its encoding as in [`Record`].
    /// `content` reads the output, and returns the hash of its bytes.
    pub(crate) fn before(
        &self,
        target: &Path,
        input: Stamp,
        output: Option<Stamp>,
        listed: &str,
        content: impl FnOnce() -> io::Result<u128>,
    ) -> io::Result<Before> {
        match output {
            Some(output) if !self.facts.is_empty() => {
                let place = self.place(target);
                self.facts
                    .before(place.as_bytes(), input, output, listed, content)
            }
            _ => Ok(Before::Nothing),
        }
    }

    /// Writes the line of a file. Once this returns, the line survives any crash.
    pub(crate) fn write(&self, record: &Record<'_>) -> io::Result<()> {
        self.append(&record.text())
    }

    /// The full path as one word. The folders above are without links, and have the paths that they had in
    /// the first run.
    pub(crate) fn place(&self, path: &Path) -> String {
        let Some(name) = path.file_name() else {
            return escaped(path);
        };
        let real = self.real(&folder_of(path)).join(name);
        for (now, earlier) in &self.renamed {
            if let Ok(rest) = real.strip_prefix(now) {
                return escaped(&earlier.join(rest));
            }
        }
        escaped(&real)
    }

    /// The path of the folder without links.
    fn real(&self, folder: &Path) -> PathBuf {
        // Several workers are mostly in the same folder; if they are not, none waits for another.
        let real = match self.last.try_lock() {
            Ok(mut last) => last.real(folder),
            Err(_) => folder.canonicalize(),
        };
        real.or_else(|_| std::path::absolute(folder))
            .unwrap_or_else(|_| folder.to_path_buf())
    }

    /// Appends a line, and waits until it is on the disk. Lines of several workers share one wait.
    fn append(&self, text: &str) -> io::Result<()> {
        let written = {
            let mut tail = lock(&self.tail);
            let mut end = tail.end;
            let mut line = String::new();
            end.append(text, &mut line);
            if line.len() > LONGEST_LINE {
                return Err(io::Error::other("the path is too long for it"));
            }
            if let Err(error) = self.write_at(line.as_bytes(), tail.length) {
                // Half a line in the middle would damage the journal.
                self.file.set_len(tail.length)?;
                return Err(error);
            }
            tail.length += line.len() as u64;
            tail.end = end;
            if !self.fsync {
                return self.write_end(end);
            }
            tail.length
        };
        let mut on_disk = lock(&self.on_disk);
        if *on_disk < written {
            let tail = *lock(&self.tail);
            self.file.sync_data()?;
            // This is never ahead of the lines on the disk, and gets there together with the next of them.
            let _tail = lock(&self.tail);
            self.write_end(tail.end)?;
            *on_disk = tail.length;
        }
        Ok(())
    }

    /// Updates the third line, which says how long the journal is.
    fn write_end(&self, end: End) -> io::Result<()> {
        let offset = format::first_lines(&self.run).len() as u64;
        self.write_at(end.line().as_bytes(), offset)
    }

    /// Only for the holder of the tail, because the file may have a single position.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        os::write_all_at(&self.file, bytes, offset)
    }
}

/// Makes a journal with its first lines, which takes its name when they are on the disk. If there is one by now, it
/// is left as it is.
fn begin(path: &Path, with: &Use<'_>) -> io::Result<()> {
    let run = format!("{:016x}", RandomState::new().hash_one(os::name_bytes(path)));
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = Arc::new(Folder::open(&folder_of(path))?);
    let mut file = folder.create_temporary(&format!("{TEMPORARY_PREFIX}{run}-"), false)?;
    // No other run takes it for a leftover while it is locked.
    let _ = file.file().try_lock();
    let mut end = End::first(&run);
    let mut lines = String::new();
    end.append(&format!("options {}", with.options), &mut lines);
    let lines = format!("{}{}{lines}", format::first_lines(&run), end.line());
    file.file_mut().write_all(lines.as_bytes())?;
    if with.fsync {
        file.file().sync_all()?;
    }
    match file.put(name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ if with.fsync => folder.sync(),
        _ => Ok(()),
    }
}

fn cannot_use(journal: &str, error: &io::Error) -> Error {
    Error::io(format_args!("cannot use the journal {journal}"), error)
}
