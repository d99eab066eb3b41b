//! tar archives: ustar, GNU and pax. The crate tar reads headers; what is between them is read here, so that
//! no name takes more memory than it should, and damage is skipped.

use std::io;

use super::{Contained, name_of, reason_of};
use crate::limits::Limits;
use crate::record::{Item, Origin, Record};
use crate::rejected::{Reason, Rejection};
use crate::stream::Stream;

const BLOCK: usize = 512;
/// The maximum length of a name or pax header that is read, in bytes.
const MAX_EXTENSION: u64 = 64 * 1024;

pub(crate) struct Tar {
    stream: Stream,
    limits: Limits,
    /// Whether the blocks that end an archive have been read, or an error about them was reported.
    has_ended: bool,
    is_done: bool,
}

/// What the headers before a file's own header say about it.
#[derive(Default)]
struct Extended {
    name: Option<Vec<u8>>,
    len: Option<u64>,
    is_sparse: bool,
}

/// Returns whether bytes are a tar header.
pub(crate) fn begins_tar(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar") && is_header(head)
}

fn is_header(block: &[u8]) -> bool {
    let Some(block) = block.get(..BLOCK) else {
        return false;
    };
    // All bytes except the checksum itself, which counts as spaces.
    let bytes = || block[..148].iter().chain(&block[156..]);
    let unsigned = bytes().map(|byte| i64::from(*byte)).sum::<i64>() + 8 * 32;
    // Some old programs add the bytes as signed numbers.
    let signed = bytes()
        .map(|byte| i64::from(byte.cast_signed()))
        .sum::<i64>()
        + 8 * 32;
    let header = tar::Header::from_byte_slice(block);
    header
        .cksum()
        .is_ok_and(|it| [unsigned, signed].contains(&i64::from(it)))
}

fn padded(len: u64) -> u64 {
    len.saturating_add(511) & !511
}

impl Tar {
    pub(crate) fn new(stream: Stream, limits: Limits) -> Self {
        Self {
            stream,
            limits,
            has_ended: false,
            is_done: false,
        }
    }

    /// Returns the offset in the file, or of the block in the decompressed file.
    fn offset(&self) -> u64 {
        self.stream.position()
    }

    fn next_item(&mut self) -> io::Result<Option<Item>> {
        let mut extended = Extended::default();
        let mut offset = self.offset();
        loop {
            let buffered = self.stream.peek(BLOCK)?;
            let block = &buffered[..buffered.len().min(BLOCK)];
            if block.is_empty() {
                if self.has_ended || self.stream.position() == 0 {
                    return Ok(None);
                }
                self.has_ended = true;
                let what = "the archive has no end: it may have been cut";
                return Ok(Some(damaged(offset, what)));
            }
            if block.iter().all(|it| *it == 0) {
                // The end of this archive, which another may follow, or lost blocks of a disk.
                let len = block.len();
                self.stream.consume(len);
                self.has_ended = true;
                offset = self.offset();
                continue;
            }
            self.has_ended = false;
            if !is_header(block) {
                return Ok(Some(self.pass_over(offset, "not a tar header")));
            }
            let mut header = tar::Header::new_old();
            header.as_mut_bytes().copy_from_slice(&block[..BLOCK]);
            self.stream.consume(BLOCK);
            let kind = header.entry_type();
            let Ok(len) = header.entry_size() else {
                return Ok(Some(self.pass_over(offset, "a tar header without a size")));
            };
            let is_extension = kind.is_gnu_longname() || kind.is_pax_local_extensions();
            if is_extension && len <= MAX_EXTENSION {
                let mut bytes = Vec::new();
                self.stream.take_into(&mut bytes, len, |_| false)?;
                self.stream.skip(padded(len) - len, |_| false)?;
                extended.read(kind.is_gnu_longname(), bytes);
                continue;
            }
            if is_extension || kind.is_gnu_longlink() || kind.is_pax_global_extensions() {
                self.stream.skip(padded(len), |_| false)?;
                continue;
            }
            return self.member(offset, &header, extended).map(Some);
        }
    }

    fn member(
        &mut self,
        offset: u64,
        header: &tar::Header,
        extended: Extended,
    ) -> io::Result<Item> {
        let kind = header.entry_type();
        let len = match extended.len {
            Some(len) => len,
            None => header.entry_size().unwrap_or(0),
        };
        let name = extended
            .name
            .unwrap_or_else(|| header.path_bytes().into_owned());
        let origin = Origin {
            offset,
            name: name_of(&name),
            ..Origin::default()
        };
        if kind.is_gnu_sparse() || extended.is_sparse {
            // If there are many holes, more blocks follow that list them; the byte at 504 says whether a
            // block is the last.
            let mut more = header.as_gnu().is_some_and(tar::GnuHeader::is_extended);
            while more {
                let block = self.stream.peek(BLOCK)?;
                more = block.get(504).is_some_and(|it| *it == 1);
                self.stream.consume(BLOCK);
            }
            self.stream.skip(padded(len), |_| false)?;
            let rejection = Rejection::new(Reason::Unsupported, "a sparse file");
            return Ok(Record::rejected(origin, rejection));
        }
        if !kind.is_file() && !kind.is_contiguous() {
            // Only files have contents, but some writers give links a length.
            if !kind.is_hard_link() && !kind.is_symlink() && !kind.is_dir() {
                self.stream.skip(padded(len), |_| false)?;
            }
            return Ok(Item::Skipped(String::from(if kind.is_dir() {
                "folder"
            } else {
                "no-file"
            })));
        }
        let mut body = Vec::new();
        let is_too_large = len > self.limits.max_record;
        let read = if is_too_large {
            self.stream.skip(len, |_| false)?
        } else {
            self.stream.take_into(&mut body, len, |_| false)?
        };
        if read < len {
            self.has_ended = true;
            let detail = format!("{read} of {len} bytes are left, at offset {offset}");
            return Ok(Record::rejected(
                origin,
                Rejection::new(Reason::Damaged, detail),
            ));
        }
        self.stream.skip(padded(len) - len, |_| false)?;
        if is_too_large {
            return Ok(Record::rejected(origin, self.limits.too_large(len)));
        }
        Ok(Item::Record(Record::new(origin, Ok(body))))
    }

    /// Goes to the next block that is a header.
    fn pass_over(&mut self, offset: u64, what: &str) -> Item {
        let mut detail = String::from(what);
        loop {
            // Nothing of the refused block may be taken yet.
            match self
                .stream
                .skip(BLOCK as u64 - self.offset() % BLOCK as u64, |_| false)
            {
                Ok(_) => {}
                Err(error) => {
                    self.is_done = true;
                    detail = format!("{detail}; {error}");
                    break;
                }
            }
            match self.stream.peek(BLOCK) {
                Ok([]) => {
                    self.has_ended = true;
                    break;
                }
                Ok(block) if is_header(block) => break,
                Ok(_) => {}
                Err(error) => {
                    self.is_done = true;
                    detail = format!("{detail}; {error}");
                    break;
                }
            }
        }
        damaged(offset, &detail)
    }
}

fn damaged(offset: u64, what: &str) -> Item {
    let origin = Origin {
        offset,
        ..Origin::default()
    };
    let detail = format!("{what}, at offset {offset}");
    Record::rejected(origin, Rejection::new(Reason::Damaged, detail))
}

impl Extended {
    fn read(&mut self, is_name: bool, mut bytes: Vec<u8>) {
        if is_name {
            // Ends in NUL.
            while bytes.last() == Some(&0) {
                bytes.pop();
            }
            self.name = Some(bytes);
            return;
        }
        for extension in tar::PaxExtensions::new(&bytes).flatten() {
            match extension.key_bytes() {
                b"path" => self.name = Some(extension.value_bytes().to_vec()),
                b"size" => self.len = extension.value().ok().and_then(|it| it.parse().ok()),
                // The sizes of holes precede the contents.
                key if key.starts_with(b"GNU.sparse.") => self.is_sparse = true,
                _ => {}
            }
        }
    }
}

impl Iterator for Tar {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if self.is_done {
            return None;
        }
        let offset = self.offset();
        match self.next_item() {
            Ok(Some(item)) => Some(item),
            Ok(None) => {
                self.is_done = true;
                None
            }
            Err(error) => {
                self.is_done = true;
                let reason = reason_of(&error, self.stream.packing());
                let origin = Origin {
                    offset,
                    ..Origin::default()
                };
                let detail = format!("{error}, after offset {offset} of the decompressed data");
                Some(Record::rejected(origin, Rejection::new(reason, detail)))
            }
        }
    }
}

impl Contained for Tar {
    fn read_of_file(&self) -> u64 {
        self.stream.read_of_file()
    }
}
