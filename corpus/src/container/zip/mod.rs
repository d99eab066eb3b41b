//! zip archives, by their central directory. The crate rawzip reads it piece by piece, while others keep all
//! of it in memory; deflate and zstd are decompressed here. If the directory is damaged, or a member can't be read as
//! it says, members are searched for.

mod search;

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, BufRead, BufReader, Read, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use rawzip::{
    CompressionMethod, RECOMMENDED_BUFFER_SIZE, RangeReader, ReaderAt, ZipArchive,
    ZipArchiveEntryWayfinder, ZipLocator,
};

use super::{Contained, name_of, reason_of};
use crate::limits::Limits;
use crate::record::{Item, Origin, Record};
use crate::rejected::{Reason, Rejection};
use crate::stream::{Input, Packing, read_some};
use search::{Found, Search};

/// The maximum number of members whose positions are kept at a time, and of bytes of their names. For each such set,
/// the directory is read again from its beginning.
const MAX_MEMBERS: usize = 1 << 16;
const MAX_NAMES: usize = 8 << 20;
/// The maximum window of a frame, as a power of 2 in bytes, which takes as much memory.
const ZSTD_WINDOW: u32 = 25;

/// Reads at any offset of a file.
#[derive(Clone)]
struct LockedInput(Arc<Mutex<Box<dyn Input>>>);

impl ReaderAt for LockedInput {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut input = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        input.seek(SeekFrom::Start(offset))?;
        read_some(&mut **input, buffer)
    }
}

pub(crate) struct Zip {
    input: LockedInput,
    /// `None` if there is no directory.
    archive: Option<ZipArchive<LockedInput>>,
    limits: Limits,
    members: VecDeque<Member>,
    /// The number of members that were taken from the directory.
    taken: usize,
    /// Why the directory ends early.
    broken: Option<String>,
    is_at_end: bool,
    /// The offsets of members that could not be read as the directory describes them.
    failed: BTreeSet<u64>,
    /// Begins after the members of the directory.
    search: Option<Search>,
    read: u64,
    /// The length of the file, and the number of bytes that its members have given so far.
    len: u64,
    given: u64,
}

struct Member {
    name: String,
    offset: u64,
    /// The number of its bytes, compressed. (It may be any number.)
    packed: u64,
    place: Place,
    method: CompressionMethod,
    is_folder: bool,
    is_encrypted: bool,
}

/// How the bytes of a member are found.
enum Place {
    Directory(ZipArchiveEntryWayfinder),
    /// By its own header: where they begin, and what they should become.
    Found {
        data: u64,
        size: u64,
        crc: u32,
    },
}

fn damaged(error: impl std::fmt::Display) -> Rejection {
    Rejection::new(Reason::Damaged, error.to_string())
}

impl Zip {
    pub(crate) fn new(mut input: Box<dyn Input>, limits: Limits) -> io::Result<Self> {
        let len = input.seek(SeekFrom::End(0))?;
        let input = LockedInput(Arc::new(Mutex::new(input)));
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let located = ZipLocator::new().locate_in_reader(input.clone(), &mut buffer, len);
        let (archive, broken) = match located {
            Ok(archive) => (Some(archive), None),
            Err((_, error)) => (None, Some(error.to_string())),
        };
        Ok(Self {
            input,
            is_at_end: archive.is_none(),
            archive,
            limits,
            members: VecDeque::new(),
            taken: 0,
            broken,
            failed: BTreeSet::new(),
            search: None,
            read: 0,
            len,
            given: 0,
        })
    }

    /// Reads further in the directory.
    fn more(&mut self) {
        let Some(archive) = &self.archive else {
            return;
        };
        let mut buffer = vec![0; rawzip::MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
        let mut entries = archive.entries(&mut buffer);
        let mut skip = self.taken;
        let mut names = 0;
        self.is_at_end = true;
        loop {
            match entries.next_entry() {
                Ok(None) => break,
                Err(error) => {
                    self.broken = Some(error.to_string());
                    break;
                }
                Ok(Some(_)) if skip > 0 => skip -= 1,
                Ok(Some(entry)) => {
                    let name = name_of(entry.file_path().as_ref());
                    // Some writers end the names of files like those of folders. Deflate has two bytes for nothing.
                    let is_empty =
                        entry.uncompressed_size_hint() == 0 && entry.compressed_size_hint() <= 2;
                    names += name.len();
                    self.members.push_back(Member {
                        name,
                        offset: entry.local_header_offset(),
                        packed: entry.compressed_size_hint(),
                        place: Place::Directory(entry.wayfinder()),
                        method: entry.compression_method(),
                        is_folder: entry.is_dir() && is_empty,
                        is_encrypted: entry.flags().is_encrypted(),
                    });
                    if self.members.len() == MAX_MEMBERS || names > MAX_NAMES {
                        self.is_at_end = false;
                        break;
                    }
                }
            }
        }
        self.taken += self.members.len();
        let promised = archive.entries_hint();
        // Some writers count to 65,535, and start over.
        if self.is_at_end && self.broken.is_none() && (self.taken as u64 ^ promised) & 0xFFFF != 0 {
            self.broken = Some(format!(
                "it has {} members instead of {promised}",
                self.taken
            ));
        }
    }

    fn body(&self, member: &Member) -> Result<Vec<u8>, Rejection> {
        if member.is_encrypted {
            return Err(Rejection::new(Reason::Unsupported, "it is encrypted"));
        }
        // Members may share the same bytes.
        self.limits.check_ratio(self.given, self.len)?;
        let packed = member.packed;
        let unpacked = match (&member.place, &self.archive) {
            (Place::Directory(place), Some(archive)) => {
                let entry = archive.get_entry(*place).map_err(damaged)?;
                let reader = self.unpacked(member, BufReader::new(entry.reader()))?;
                self.limits.unpack(entry.verifying_reader(reader), packed)?
            }
            (Place::Found { data, size, crc }, _) => {
                let range = *data..data.saturating_add(packed);
                let reader = BufReader::new(RangeReader::new(&self.input, range));
                let unpacked = self.limits.unpack(self.unpacked(member, reader)?, packed)?;
                let mut sum = Crc::new();
                sum.update(&unpacked.bytes);
                if unpacked.bytes.len() as u64 != *size || sum.sum() != *crc {
                    return Err(damaged("its size or checksum is wrong"));
                }
                unpacked
            }
            (Place::Directory(_), None) => return Err(damaged("there is no directory")),
        };
        if unpacked.truncated {
            return Err(damaged("it ends early"));
        }
        Ok(unpacked.bytes)
    }

    /// Decompresses the bytes of a member.
    fn unpacked<'a>(
        &self,
        member: &Member,
        reader: impl BufRead + 'a,
    ) -> Result<Box<dyn Read + 'a>, Rejection> {
        Ok(match member.method {
            CompressionMethod::STORE if member.packed > self.limits.max_record => {
                return Err(self.limits.too_large(member.packed));
            }
            CompressionMethod::STORE => Box::new(reader),
            CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(reader)),
            CompressionMethod::ZSTD => {
                let decoder = zstd::stream::read::Decoder::with_buffer(reader);
                let mut decoder = decoder.map_err(damaged)?;
                decoder.window_log_max(ZSTD_WINDOW).map_err(damaged)?;
                Box::new(decoder)
            }
            method => {
                let detail = format!("it is compressed by a method that is not read: {method:?}");
                return Err(Rejection::new(Reason::Unsupported, detail));
            }
        })
    }

    fn item(&mut self, member: Member) -> Item {
        self.read = self.read.saturating_add(member.packed);
        if member.is_folder {
            return Item::Skipped(String::from("folder"));
        }
        let body = self.body(&member);
        self.given += match &body {
            Ok(bytes) => bytes.len() as u64,
            Err(_) if member.method == CompressionMethod::STORE => 0,
            // That much may have been decompressed in vain.
            Err(it) if matches!(it.reason, Reason::Bomb | Reason::TooLarge) => {
                self.limits.max_record
            }
            Err(_) => 0,
        };
        let origin = origin_at(member.offset, member.name);
        Item::Record(Record::new(origin, body))
    }

    /// Prepares to find members that the directory does not have.
    fn begin_search(&mut self, is_broken: bool) {
        let mut known = Vec::new();
        if let Some(archive) = &self.archive {
            let mut buffer = vec![0; rawzip::MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
            let mut entries = archive.entries(&mut buffer);
            while let Ok(Some(entry)) = entries.next_entry() {
                let offset = entry.local_header_offset();
                if !self.failed.contains(&offset) {
                    known.push((offset, entry.compressed_size_hint()));
                }
            }
        }
        let search = Search::new(self.input.clone(), self.len, known);
        self.search = Some(search.with_gaps(is_broken));
    }
}

fn origin_at(offset: u64, name: String) -> Origin {
    Origin {
        offset,
        name,
        ..Origin::default()
    }
}

impl Iterator for Zip {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if self.members.is_empty() && !self.is_at_end {
            self.more();
        }
        if let Some(member) = self.members.pop_front() {
            let offset = member.offset;
            let item = self.item(member);
            if is_damaged(&item) {
                self.failed.insert(offset);
            }
            return Some(item);
        }
        if let Some(error) = self.broken.take() {
            self.begin_search(true);
            let offset = self
                .archive
                .as_ref()
                .map_or(0, ZipArchive::directory_offset);
            let what =
                format!("the directory of the archive: {error}; other members are searched for");
            return Some(Record::rejected(
                origin_at(offset, String::new()),
                damaged(what),
            ));
        }
        if self.search.is_none() && !self.failed.is_empty() {
            self.begin_search(false);
        }
        loop {
            let (offset, item) = match self.search.as_mut()?.next() {
                Ok(None) => return None,
                Ok(Some(Found::Member(member, end))) => {
                    let offset = member.offset;
                    let item = self.item(member);
                    if let Some(search) = self.search.as_mut().filter(|_| !is_damaged(&item)) {
                        search.pass(end);
                    }
                    (offset, item)
                }
                Ok(Some(Found::Damaged(offset, name, what))) => {
                    let rejection = damaged(format!("{what}, at offset {offset}"));
                    (offset, Record::rejected(origin_at(offset, name), rejection))
                }
                Err(error) => {
                    self.search = None;
                    self.failed.clear();
                    let reason = reason_of(&error, Packing::Plain);
                    let rejection = Rejection::new(reason, error.to_string());
                    return Some(Record::rejected(Origin::default(), rejection));
                }
            };
            // If the directory has it, it was rejected before.
            let is_rejected = matches!(&item, Item::Record(it) if it.body.is_err());
            if !(is_rejected && self.failed.contains(&offset)) {
                return Some(item);
            }
        }
    }
}

fn is_damaged(item: &Item) -> bool {
    matches!(item, Item::Record(Record { body: Err(it), .. }) if it.reason == Reason::Damaged)
}

impl Contained for Zip {
    fn read_of_file(&self) -> u64 {
        self.read
    }
}
