//! Inputs: files and standard input, and their names in messages.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cancel::Cancel;
use crate::format::Format;
use crate::message::Escaped;
use crate::os;
use crate::read_fn::ReadFn;
use crate::scratch::Scratch;

/// An input, as it was named.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    Path(PathBuf),
}

impl Input {
    /// The inputs that some paths name: "-" is standard input, and so is an empty list.
    pub fn all(files: &[PathBuf]) -> Vec<Self> {
        if files.is_empty() {
            return vec![Self::Stdin];
        }
        files
            .iter()
            .map(|path| {
                if path == Path::new("-") {
                    Self::Stdin
                } else {
                    Self::Path(path.clone())
                }
            })
            .collect()
    }

    /// The identity of the file, if the input is a file.
    pub(crate) fn id(&self) -> Option<os::FileId> {
        match self {
            Self::Stdin => os::stream_id(&io::stdin()),
            Self::Path(path) => os::FileId::of_path(path),
        }
    }

    /// What tells whether a file was changed. `None` for what is no file, and for files that the system makes up, which
    /// have no size.
    pub(crate) fn state(&self) -> Option<(os::Stamp, i128)> {
        let metadata = match self {
            Self::Stdin => os::stdin_file().and_then(|file| file.metadata()),
            Self::Path(path) => fs::metadata(path),
        };
        let of_file = |it: &fs::Metadata| it.is_file() && it.len() > 0;
        let metadata = metadata.ok().filter(of_file)?;
        Some((os::Stamp::of(&metadata), os::Stamp::touched(&metadata)))
    }

    /// Opens the input.
    pub(crate) fn open(&self) -> io::Result<Source<'static>> {
        match self {
            Self::Stdin => match self.start()? {
                Some(start) => self.open_again(start),
                None => Ok(Source {
                    may_pause: os::stream_id(&io::stdin()).is_none(),
                    file: os::stdin_file().ok().map(Arc::new),
                    ..Source::new(read_to_end(io::stdin()))
                }),
            },
            Self::Path(path) => {
                let file = File::open(path)?;
                let metadata = file.metadata()?;
                if metadata.is_dir() {
                    return Err(io::Error::new(io::ErrorKind::IsADirectory, FOLDER));
                }
                let file = Arc::new(file);
                let reader = Arc::clone(&file);
                let is_file = metadata.is_file();
                Ok(Source {
                    may_pause: !is_file,
                    size: is_file.then_some(metadata.len()),
                    file: Some(file),
                    ..Source::new(match is_file {
                        true => Box::new(reader),
                        false => read_to_end(reader),
                    })
                })
            }
        }
    }

    /// The offset at which reading begins, if it can begin there a second time. Another program may have read
    /// the beginning of standard input.
    pub(crate) fn start(&self) -> io::Result<Option<u64>> {
        match self {
            Self::Stdin => match os::stdin_file() {
                Ok(mut file) if file.metadata()?.is_file() => file.stream_position().map(Some),
                _ => Ok(None),
            },
            Self::Path(_) => Ok(Some(0)),
        }
    }

    /// Opens the input a second time, from the offset `start` that [`Self::start`] returned.
    pub(crate) fn open_again(&self, start: u64) -> io::Result<Source<'static>> {
        match self {
            Self::Stdin => from_offset(os::stdin_file()?, start),
            Self::Path(_) => self.open(),
        }
    }

    /// The name as bytes, for output that other programs read.
    pub fn name_bytes(&self) -> Vec<u8> {
        match self {
            Self::Stdin => STDIN.as_bytes().to_vec(),
            Self::Path(path) => os::name_bytes(path),
        }
    }

    /// The name as text, as closely as Unicode allows.
    pub fn name_text(&self) -> String {
        match self {
            Self::Stdin => String::from(STDIN),
            Self::Path(path) => path.to_string_lossy().into_owned(),
        }
    }
}

/// The rest of an open file from an offset, in bytes from its start.
fn from_offset(mut file: File, offset: u64) -> io::Result<Source<'static>> {
    file.seek(io::SeekFrom::Start(offset))?;
    let file = Arc::new(file);
    Ok(Source {
        size: Some(file.metadata()?.len().saturating_sub(offset)),
        // A reader that reads a part again counts from the start of the input.
        file: (offset == 0).then(|| Arc::clone(&file)),
        ..Source::new(file)
    })
}

const FOLDER: &str = "it is a directory; name the files in it, or let `convert` walk it with --out-dir or --in-place";

const STDIN: &str = "<stdin>";

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Escaped(&self.name_text()))
    }
}

/// The message for an input that has to be read twice, and is too long for that.
pub(crate) fn too_long_to_spool(what: &str, limit: u64) -> io::Error {
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        format!(
            "{what} has to be read twice and can be read only once, and it is longer than the {limit} \
             bytes that --spool-limit lets a temporary file take; raise that, or save the input to a \
             file (decompressed) and name the file"
        ),
    )
}

/// An open input.
pub(crate) struct Source<'a> {
    pub(crate) reader: Box<dyn Read + Send + 'a>,
    /// Whether more may arrive later: true for pipes and terminals, false for files.
    pub(crate) may_pause: bool,
    /// The length in bytes, if it is known.
    pub(crate) size: Option<u64>,
    /// The format from which it is decompressed.
    pub(crate) format: Option<Format>,
    /// The file that `reader` reads from in the end.
    pub(crate) file: Option<Arc<File>>,
}

/// A reader that is not read again when it has ended. A terminal would wait for its end a second time.
fn read_to_end(mut reader: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    let mut has_ended = false;
    Box::new(ReadFn(move |buffer: &mut [u8]| {
        if has_ended || buffer.is_empty() {
            return Ok(0);
        }
        let n = reader.read(buffer)?;
        has_ended = n == 0;
        Ok(n)
    }))
}

impl<'a> Source<'a> {
    /// An input of which nothing more is known.
    pub(crate) fn new(reader: impl Read + Send + 'a) -> Self {
        Self {
            reader: Box::new(reader),
            may_pause: false,
            size: None,
            format: None,
            file: None,
        }
    }

    /// Makes reading fail once `cancel` is cancelled.
    pub(crate) fn until(self, cancel: &Cancel) -> Self {
        let (mut reader, cancel) = (self.reader, cancel.clone());
        let reader = ReadFn(move |buffer: &mut [u8]| {
            if cancel.is_cancelled() {
                return Err(io::Error::other("the run was cancelled"));
            }
            reader.read(buffer)
        });
        Self {
            reader: Box::new(reader),
            ..self
        }
    }

    /// Puts `head`, which was read before, back in front of the rest.
    pub(crate) fn after(self, head: Vec<u8>) -> Self {
        Self {
            reader: Box::new(io::Cursor::new(head).chain(self.reader)),
            ..self
        }
    }

    /// Returns the first bytes, `least` or all if there are fewer; they will be read again.
    pub(crate) fn head(&mut self, least: usize) -> io::Result<Vec<u8>> {
        let mut head = vec![0; least];
        let n = self.read(&mut head, least)?;
        head.truncate(n);
        let reader = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(io::Cursor::new(head.clone()).chain(reader));
        Ok(head)
    }

    /// Copies the rest to a temporary file without a name, to read it more than once. Refuses more than
    /// `limit` bytes, because decompressed data may have no end.
    pub(crate) fn spooled(mut self, limit: u64) -> io::Result<File> {
        let mut copy = Scratch::new()?;
        let mut rest = self.reader.by_ref().take(limit.saturating_add(1));
        if io::copy(&mut rest, &mut copy)? > limit {
            return Err(too_long_to_spool("the input", limit));
        }
        Ok(copy.into_file())
    }

    /// Reads the copy from its start.
    pub(crate) fn of_spool(mut file: File) -> io::Result<Source<'static>> {
        let size = Some(file.metadata()?.len());
        file.rewind()?;
        Ok(Source {
            size,
            ..Source::new(file)
        })
    }

    /// Whether there is something to read at once; `false` if that can't be known.
    pub(crate) fn is_ready(&self) -> bool {
        (self.file.as_deref()).is_some_and(os::is_readable)
    }

    /// The file that contains the bytes of this input at the same offsets.
    pub(crate) fn plain_file(&self) -> Option<&File> {
        self.file.as_deref().filter(|_| self.size.is_some())
    }

    /// The error if the file was cut while it was read, of which `bytes` were read up to its end.
    pub(crate) fn cut_after(&self, bytes: u64) -> Option<io::Error> {
        let size = self.size.filter(|size| bytes < *size)?;
        // Some systems have files that are never as long as they say.
        let now = self.plain_file()?.metadata().ok()?.len();
        (now < size).then(|| {
            io::Error::other(format!(
                "it was cut while it was read: of {size} bytes that it had, {bytes} could be read"
            ))
        })
    }

    /// Reads into `block` and passes that on, until `each` returns false or the input ends.
    pub(crate) fn each_block(
        &mut self,
        block: &mut [u8],
        mut each: impl FnMut(&[u8]) -> bool,
    ) -> io::Result<()> {
        loop {
            let n = self.read(block, 1)?;
            if n == 0 || !each(&block[..n]) {
                return Ok(());
            }
        }
    }

    /// [`read_least`] of the rest of it.
    pub(crate) fn read(&mut self, buffer: &mut [u8], least: usize) -> io::Result<usize> {
        read_least(&mut self.reader, buffer, least)
    }
}

/// Reads what is available, and at least `least` bytes unless the input ends before. 0 means the end.
pub(crate) fn read_least(
    reader: &mut impl Read,
    buffer: &mut [u8],
    least: usize,
) -> io::Result<usize> {
    let mut filled = 0;
    loop {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => return Ok(filled),
            Ok(n) => {
                filled += n;
                if filled >= least {
                    return Ok(filled);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::read_to_end;

    /// Ends after each line, as a terminal at which the end is typed.
    struct Terminal(&'static [&'static [u8]]);

    impl Read for Terminal {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some((line, rest)) = self.0.split_first() else {
                return Ok(0);
            };
            self.0 = rest;
            buffer[..line.len()].copy_from_slice(line);
            Ok(line.len())
        }
    }

    #[test]
    fn what_has_ended_is_not_read_again() {
        let mut reader = read_to_end(Terminal(&[b"one", b"two", b"", b"three"]));
        let mut buffer = [0; 16];
        let lengths: Vec<usize> = (0..5)
            .map(|_| reader.read(&mut buffer).expect("it can be read"))
            .collect();
        assert_eq!(lengths, [3, 3, 0, 0, 0]);
    }
}
