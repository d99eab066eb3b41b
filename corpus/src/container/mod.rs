//! The contents of files: each container returns its records one by one.

mod file;
mod jsonl;
mod mbox;
mod table;
mod tar;
pub mod warc;
mod zip;

use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use simdtext::UTF_8;
use simdtext::detect::{Options as DetectOptions, Reason as Why, detect};

use crate::limits::is_bomb;
use crate::options::{Container, Options};
use crate::record::{Item, Origin, Record};
use crate::rejected::{Reason, Rejection};
use crate::split::{Range, Split};
use crate::stream::{Input, Packing, Stream};
use crate::walk::text_of;

use warc::Warc;

/// The records of one file, or of a part of it.
pub struct Records {
    source: Arc<str>,
    number: u64,
    items: Items,
}

/// A container.
pub(crate) trait Contained: Iterator<Item = Item> + Send {
    /// Returns how much of the file has been read, in bytes.
    fn read_of_file(&self) -> u64;
}

enum Items {
    Of(Box<dyn Contained>),
    /// The file can't be read at all.
    Unreadable(Option<Item>),
}

impl Contained for Warc {
    fn read_of_file(&self) -> u64 {
        self.stream().read_of_file()
    }
}

impl Container {
    /// Returns the kind of a file, by its first bytes, decompressed, and its name.
    pub(crate) fn of(path: &Path, head: &[u8]) -> Self {
        if warc::begins_record(head) {
            return Self::Warc;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let name = name.strip_suffix(".zst").unwrap_or(name);
        match name.rsplit_once('.') {
            Some((_, "warc")) => Self::Warc,
            Some((_, "tar" | "tgz")) => Self::Tar,
            Some((_, "zip")) => Self::Zip,
            Some((_, "jsonl" | "ndjson")) => Self::Jsonl,
            Some((_, "parquet")) => Self::Parquet,
            Some((_, "mbox")) => Self::Mbox,
            _ if tar::begins_tar(head) => Self::Tar,
            _ if head.starts_with(b"PAR1") => Self::Parquet,
            _ => Self::File,
        }
    }
}

impl Records {
    /// Opens a file, or a range of its records.
    pub(crate) fn open(split: &Split, options: &Options) -> Self {
        let source = Arc::from(text_of(&split.path));
        let input = std::fs::File::open(&split.path);
        Self::of(
            &source,
            input.map(|it| Box::new(it) as _),
            split.range,
            options,
        )
    }

    pub(crate) fn of(
        source: &Arc<str>,
        input: io::Result<Box<dyn Input>>,
        range: Range,
        options: &Options,
    ) -> Self {
        let items = input.and_then(|input| {
            guarded(|| contained(source, input, range, options))
                .unwrap_or_else(|what| Err(invalid(what)))
        });
        Self {
            source: Arc::clone(source),
            number: range.first_record,
            items: match items {
                Ok(items) => Items::Of(items),
                Err(error) => Items::Unreadable(Some(unreadable(source, &error))),
            },
        }
    }

    /// Returns the number of the next record.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns how much of the file has been read, in bytes.
    #[must_use]
    pub fn read_of_file(&self) -> u64 {
        match &self.items {
            Items::Of(items) => items.read_of_file(),
            Items::Unreadable(_) => 0,
        }
    }
}

/// The number of bytes that show what a file is: as many as a tar header has.
const HEAD: usize = 512;

/// Opens a file, and returns it with its kind.
pub(crate) fn opened(
    name: &str,
    input: Box<dyn Input>,
    options: &Options,
) -> io::Result<(Stream, Container)> {
    let mut stream = Stream::new(input)?.within(options.limits());
    let is_plain = stream.packing() == Packing::Plain;
    let head = match stream.peek_across(HEAD, |_| false) {
        Err(error) if is_plain => return Err(error),
        head => head.unwrap_or_default(),
    };
    let head = head.get(..HEAD).unwrap_or(head);
    let of_name = || Container::of(Path::new(name), head);
    let container = options.container.unwrap_or_else(of_name);
    if !is_plain {
        // An error is to occur again where it is reported.
        let start = stream.offset();
        stream.seek_to(start)?;
    } else if let Some(packing) = packing_of(name) {
        let is_text = matches!(
            container,
            Container::Mbox | Container::Jsonl | Container::File
        );
        let is_tar = container == Container::Tar;
        let what = "its name says that it is compressed, and it";
        if head.is_empty() {
            return Err(invalid(format!("{what} is empty")));
        } else if is_text && is_binary(head) || is_tar && !tar::is_header(head) {
            let what =
                format!("{what} begins neither like gzip or zstd nor like what they compress");
            return Err(invalid(what));
        } else if container == Container::Warc && !warc::begins_record(head) {
            // Some programs decompress a file and keep its name. Otherwise members after the first one may be read.
            stream.assume(packing)?;
            let is_packed = stream.recover(warc::begins_record).unwrap_or(true);
            stream.assume(if is_packed { packing } else { Packing::Plain })?;
        }
    }
    Ok((stream, container))
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn contained(
    name: &str,
    input: Box<dyn Input>,
    range: Range,
    options: &Options,
) -> io::Result<Box<dyn Contained>> {
    let limits = options.limits();
    let (stream, container) = opened(name, input, options)?;
    Ok(match container {
        Container::Warc => Box::new(Warc::new(stream, limits).within(range.start, range.end)?),
        Container::Tar => Box::new(tar::Tar::new(stream, limits)),
        Container::Zip => Box::new(zip::Zip::new(stream.into_input()?, limits)?),
        Container::Parquet => {
            let columns = options.columns.clone();
            Box::new(table::Table::new(stream.into_input()?, limits, columns)?)
        }
        Container::Mbox => Box::new(mbox::Mbox::new(stream, limits)),
        Container::Jsonl => Box::new(jsonl::Jsonl::new(stream, limits, options.columns.clone())),
        Container::File => Box::new(file::File::new(name, stream, limits)),
    })
}

/// Returns what has compressed a file, by its name.
fn packing_of(name: &str) -> Option<Packing> {
    let name = name.to_ascii_lowercase();
    let packings = [
        (".gz", Packing::Gzip),
        (".tgz", Packing::Gzip),
        (".zst", Packing::Zstd),
    ];
    let found = packings.iter().find(|it| name.ends_with(it.0));
    found.map(|it| it.1)
}

fn is_binary(head: &[u8]) -> bool {
    let reason = detect(head, false, &DetectOptions::new()).reason;
    matches!(reason, Why::Binary(_) | Why::Implausible)
}

fn unreadable(name: &str, error: &io::Error) -> Item {
    let origin = Origin {
        name: String::from(name),
        ..Origin::default()
    };
    Record::rejected(
        origin,
        Rejection::new(reason_of(error, Packing::Plain), error.to_string()),
    )
}

/// Returns the reason for which an error of reading rejects a file.
fn reason_of(error: &io::Error, packing: Packing) -> Reason {
    match error.kind() {
        _ if is_bomb(error) => Reason::Bomb,
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            Reason::Damaged
        }
        // The zstd decoder does not distinguish kinds of errors.
        io::ErrorKind::Other if packing == Packing::Zstd => Reason::Damaged,
        _ => Reason::Unreadable,
    }
}

impl Iterator for Records {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        let mut item = match &mut self.items {
            Items::Of(items) => match guarded(|| items.next()) {
                Ok(item) => item?,
                Err(what) => {
                    self.items = Items::Unreadable(None);
                    let rejection = Rejection::new(Reason::Damaged, what);
                    Record::rejected(Origin::default(), rejection)
                }
            },
            Items::Unreadable(item) => item.take()?,
        };
        if let Item::Record(record) = &mut item {
            record.origin.source = Arc::clone(&self.source);
            record.origin.number = self.number;
        }
        // (A split may begin at any number.)
        self.number = self.number.saturating_add(1);
        Some(item)
    }
}

thread_local! {
    /// Whether a panic of this thread is going to be a rejection.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Other people's parsers panic at damaged input now and then. That loses the rest of the file, but not the
/// run.
fn guarded<T>(read: impl FnOnce() -> T) -> Result<T, String> {
    IS_GUARDED.set(true);
    // What the panic leaves behind is not used again.
    let done = catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(false);
    done.map_err(|panic| {
        let what = panic.downcast_ref::<&str>().copied();
        let what = what.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let what = what.unwrap_or("it panicked");
        format!("the parser of this format failed ({what}); the rest of the file is not read")
    })
}

/// Has the process print no message for a panic that becomes a rejection, which is reported itself.
pub(crate) fn hush_guarded_panics() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !IS_GUARDED.get() {
            hook(panic);
        }
    }));
}

/// Returns the name of a member: as UTF-8, or in a guessed encoding.
fn name_of(bytes: &[u8]) -> String {
    if let Ok(name) = std::str::from_utf8(bytes) {
        return name.to_owned();
    }
    let guess = detect(bytes, true, &DetectOptions::new());
    let encoding = guess.encoding.unwrap_or(UTF_8);
    encoding.decode(bytes).text.into_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_panic_says_what_failed() {
        let failed = super::guarded(|| panic!("attempt to divide {} by zero", 1));
        let expected = "the parser of this format failed (attempt to divide 1 by zero); the rest of the file is not read";
        assert_eq!(failed, Err::<(), _>(String::from(expected)));
        assert_eq!(super::guarded(|| 1), Ok(1));
    }
}
