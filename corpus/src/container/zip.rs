//! zip archives, by their central directory. The crate rawzip reads it piece by piece, while others keep all
//! of it in memory; deflate and zstd are decompressed here.

use std::collections::VecDeque;
use std::io::{self, BufReader, SeekFrom};
use std::sync::{Mutex, PoisonError};

use flate2::bufread::DeflateDecoder;
use rawzip::{
    CompressionMethod, RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder,
    ZipLocator,
};

use super::{Contained, name_of};
use crate::limits::Limits;
use crate::record::{Item, Origin, Record};
use crate::rejected::{Reason, Rejection};
use crate::stream::{Input, read_some};

/// The maximum number of members whose positions are kept at a time, and of bytes of their names. For each such set,
/// the directory is read again from its beginning.
const MAX_MEMBERS: usize = 1 << 16;
const MAX_NAMES: usize = 8 << 20;
/// The maximum window of a frame, as a power of 2 in bytes, which takes as much memory.
const ZSTD_WINDOW: u32 = 25;

/// Reads at any offset of a file.
struct LockedInput(Mutex<Box<dyn Input>>);

impl ReaderAt for LockedInput {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut input = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        input.seek(SeekFrom::Start(offset))?;
        read_some(&mut **input, buffer)
    }
}

pub(crate) struct Zip {
    archive: ZipArchive<LockedInput>,
    limits: Limits,
    members: VecDeque<Member>,
    /// The number of members that were taken from the directory.
    taken: usize,
    /// Why the directory ends early.
    broken: Option<String>,
    is_at_end: bool,
    read: u64,
    /// The length of the file, and the number of bytes that its members have given so far.
    len: u64,
    given: u64,
}

struct Member {
    name: String,
    offset: u64,
    place: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    is_folder: bool,
    is_encrypted: bool,
}

fn invalid(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

impl Zip {
    pub(crate) fn new(mut input: Box<dyn Input>, limits: Limits) -> io::Result<Self> {
        let len = input.seek(SeekFrom::End(0))?;
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let archive = ZipLocator::new()
            .locate_in_reader(LockedInput(Mutex::new(input)), &mut buffer, len)
            .map_err(|(_, error)| invalid(error))?;
        Ok(Self {
            archive,
            limits,
            members: VecDeque::new(),
            taken: 0,
            broken: None,
            is_at_end: false,
            read: 0,
            len,
            given: 0,
        })
    }

    /// Reads further in the directory.
    fn more(&mut self) {
        let mut buffer = vec![0; rawzip::MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
        let mut entries = self.archive.entries(&mut buffer);
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
                        place: entry.wayfinder(),
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
        let promised = self.archive.entries_hint();
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
        let damaged =
            |error: &dyn std::fmt::Display| Rejection::new(Reason::Damaged, error.to_string());
        let entry = self
            .archive
            .get_entry(member.place)
            .map_err(|error| damaged(&error))?;
        let packed = member.place.compressed_size_hint();
        let reader = BufReader::new(entry.reader());
        let unpacked = match member.method {
            CompressionMethod::STORE => {
                if packed > self.limits.max_record {
                    return Err(self.limits.too_large(packed));
                }
                self.limits.unpack(entry.verifying_reader(reader), packed)?
            }
            CompressionMethod::DEFLATE => {
                let reader = entry.verifying_reader(DeflateDecoder::new(reader));
                self.limits.unpack(reader, packed)?
            }
            CompressionMethod::ZSTD => {
                let decoder = zstd::stream::read::Decoder::with_buffer(reader);
                let mut decoder = decoder.map_err(|error| damaged(&error))?;
                decoder
                    .window_log_max(ZSTD_WINDOW)
                    .map_err(|error| damaged(&error))?;
                self.limits
                    .unpack(entry.verifying_reader(decoder), packed)?
            }
            method => {
                let detail = format!("it is compressed by a method that is not read: {method:?}");
                return Err(Rejection::new(Reason::Unsupported, detail));
            }
        };
        if unpacked.truncated {
            return Err(Rejection::new(Reason::Damaged, "it ends early"));
        }
        Ok(unpacked.bytes)
    }
}

impl Iterator for Zip {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if self.members.is_empty() && !self.is_at_end {
            self.more();
        }
        let Some(member) = self.members.pop_front() else {
            let error = self.broken.take()?;
            let detail = format!("the directory of the archive: {error}");
            return Some(Record::rejected(
                Origin::default(),
                Rejection::new(Reason::Damaged, detail),
            ));
        };
        // (It may be any number.)
        let packed = member.place.compressed_size_hint();
        self.read = self.read.saturating_add(packed);
        if member.is_folder {
            return Some(Item::Skipped(String::from("folder")));
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
        let origin = Origin {
            offset: member.offset,
            name: member.name,
            ..Origin::default()
        };
        Some(Item::Record(Record::new(origin, body)))
    }
}

impl Contained for Zip {
    fn read_of_file(&self) -> u64 {
        self.read
    }
}
