//! An open input file: read by offset, and checked for changes afterwards.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::sync::Arc;

use super::file::cannot_read;
use super::places::Entry;
use super::stop::Stop;
use crate::input::Source;
use crate::observer::Observer;
use crate::os::{self, FileId, Stamp, Status};
use crate::read_fn::ReadFn;
use crate::report::{Refusal, RefusalKind};

pub(crate) struct Original<'a> {
    entry: Entry,
    pub(crate) file: Arc<File>,
    /// The metadata when it was opened.
    pub(crate) metadata: Metadata,
    decompress: bool,
    pub(crate) stop: &'a Stop,
}

impl<'a> Original<'a> {
    pub(crate) fn open(entry: Entry, decompress: bool, stop: &'a Stop) -> io::Result<Self> {
        let file = entry.folder.open_file(&entry.name, entry.follow)?;
        let metadata = file.metadata()?;
        Ok(Self {
            entry,
            file: Arc::new(file),
            metadata,
            decompress,
            stop,
        })
    }

    /// The text from the start. `progress` is told how much of the file was read.
    pub(crate) fn text(&self, progress: Option<&'a dyn Observer>) -> io::Result<Source<'_>> {
        let source = Source {
            file: Some(Arc::clone(&self.file)),
            size: Some(self.metadata.len()),
            ..Source::new(reading(&self.file, self.stop, progress))
        };
        if self.decompress {
            source.unpacked()
        } else {
            Ok(source)
        }
    }

    /// The text from the start, to examine it.
    pub(crate) fn again(&self) -> Result<Source<'_>, Refusal> {
        self.text(None).map_err(cannot_read)
    }

    /// What identified it when it was opened.
    pub(crate) fn stamp(&self) -> Stamp {
        Stamp::of(&self.metadata)
    }

    /// Refuses a file that is not what was opened any more, or not at the same place.
    ///
    /// If a program writes to the file and sets its time of modification back, the time of the last change
    /// reveals it, which can't be set back.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        self.at_rest(true)
    }

    /// Refuses a file whose content is not what was opened any more. Renaming it or giving it a second name changes
    /// the time of the last change, too.
    pub(crate) fn check_linked(&self) -> Result<(), Refusal> {
        self.at_rest(false)
    }

    fn at_rest(&self, untouched: bool) -> Result<(), Refusal> {
        let compared = self.compare(untouched).map_err(cannot_read)?;
        compared.map_err(|happened| {
            RefusalKind::Restless.because(format!(
                "{happened}; skipped, and nothing was written. Convert it again when it is at rest"
            ))
        })
    }

    /// `Err` says what happened to it.
    fn compare(&self, untouched: bool) -> io::Result<Result<(), &'static str>> {
        let is_it = |there: &Status| Some(&there.id) == FileId::of(&self.metadata).as_ref();
        let is_touched = |touched| untouched && touched != Stamp::touched(&self.metadata);
        // Looking up its name is mostly enough: no other file has its number while it is open.
        if let Ok(there) = self.entry.status()
            && is_it(&there)
            && there.stamp() == self.stamp()
            && !is_touched(there.changed)
        {
            return Ok(Ok(()));
        }
        let now = self.file.metadata()?;
        let changed = Err("it was changed while it was read");
        if Stamp::of(&now) != self.stamp() {
            return Ok(changed);
        }
        Ok(match self.entry.status() {
            Ok(there) if !is_it(&there) => Err("another file took its place while it was read"),
            Err(_) => Err("it was removed while it was read"),
            Ok(_) if is_touched(Stamp::touched(&now)) => changed,
            Ok(_) => Ok(()),
        })
    }
}

/// Reads a file by offset, so that several readers of one file do not disturb each other. `progress` is told how much
/// was read.
pub(crate) fn reading<'a>(
    file: &'a File,
    stop: &'a Stop,
    progress: Option<&'a dyn Observer>,
) -> impl Read + Send + 'a {
    let mut reader = os::reader(file);
    ReadFn(move |buffer: &mut [u8]| {
        if stop.is_urgent() {
            return Err(io::Error::other("abandoned at the second signal"));
        }
        let n = reader.read(buffer)?;
        if let Some(progress) = progress {
            progress.read(n as u64);
        }
        Ok(n)
    })
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::fs::{self, File, FileTimes};
    use std::sync::Arc;

    use super::Original;
    use crate::os::Folder;
    use crate::tree::places::Entry;
    use crate::tree::stop::Stop;

    #[test]
    fn a_write_is_noticed_though_the_time_is_set_back() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("a");
        fs::write(&path, "before").expect("it can be written");
        let entry = || Entry {
            folder: Arc::new(Folder::open(folder.path()).expect("it is there")),
            name: OsString::from("a"),
            follow: false,
        };
        let stop = Stop::default();
        let original = Original::open(entry(), false, &stop).expect("it is there");
        assert_eq!(original.compare(true).expect("it is there"), Ok(()));
        let before = original.metadata.modified().expect("it has a time");
        // The clock of a file system may advance only every few milliseconds.
        std::thread::sleep(std::time::Duration::from_millis(20));
        fs::write(&path, "after").expect("it can be written");
        let times = FileTimes::new().set_modified(before);
        let file = File::options().write(true).open(&path);
        file.and_then(|file| file.set_times(times))
            .expect("it is ours");
        assert_eq!(
            original.compare(true).expect("it is there"),
            Err("it was changed while it was read")
        );
        assert!(original.compare(false).expect("it is there").is_err());
        // Renaming changes the same time.
        let original = Original::open(entry(), false, &stop).expect("it is there");
        std::thread::sleep(std::time::Duration::from_millis(20));
        fs::hard_link(&path, folder.path().join("b")).expect("it can have another name");
        assert!(original.compare(true).expect("it is there").is_err());
        assert_eq!(original.compare(false).expect("it is there"), Ok(()));
    }
}
