//! tar archives: ustar, GNU and pax. The crate tar reads headers; what is between them is read here, so that
//! no name takes more memory than it should, and damage is skipped.

use std::io;

use super::{Contained, name_of, reason_of};
use crate::limits::Limits;
use crate::record::{Item, Origin, Record};
use crate::rejected::{Reason, Rejection};
use crate::stream::Stream;

const BLOCK: usize = 512;
/// Where a header has the size of the contents.
const SIZE: std::ops::Range<usize> = 124..136;
/// The maximum length of a name or pax header that is read, in bytes. pax headers also hold attributes of files, which
/// Linux limits to 64 KiB each.
const MAX_EXTENSION: u64 = 1024 * 1024;

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
            let buffered = self.stream.peek_across(BLOCK, |_| false)?;
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
                // A part of a block may be that of a header.
                self.has_ended |= len == BLOCK;
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
            // The label of a volume of GNU tar has no size.
            let size = &header.as_bytes()[SIZE];
            let is_blank = size.iter().all(|byte| matches!(byte, 0 | b' '));
            let len = if is_blank { Ok(0) } else { header.entry_size() };
            let Ok(len) = len else {
                return Ok(Some(self.pass_over(offset, "a tar header without a size")));
            };
            // (X is what Solaris wrote before there was a standard.)
            let is_extension = matches!(kind.as_byte(), b'L' | b'x' | b'X');
            if is_extension && len > MAX_EXTENSION {
                self.stream.skip(padded(len), |_| false)?;
                let detail = format!(
                    "the name and the attributes of the next member have {len} bytes, more than {MAX_EXTENSION}"
                );
                let rejection = Rejection::new(Reason::TooLarge, detail);
                return Ok(Some(Record::rejected(origin_at(offset), rejection)));
            }
            if is_extension {
                let mut bytes = Vec::new();
                self.stream.take_into(&mut bytes, len, |_| false)?;
                self.stream.skip(padded(len) - len, |_| false)?;
                extended.read(kind.is_gnu_longname(), bytes);
                continue;
            }
            if kind.is_gnu_longlink() || kind.is_pax_global_extensions() {
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
                let block = self.stream.peek_across(BLOCK, |_| false)?;
                more = block.get(504).is_some_and(|it| *it == 1);
                self.stream.consume(BLOCK);
            }
            self.stream.skip(padded(len), |_| false)?;
            let rejection = Rejection::new(Reason::Unsupported, "a sparse file");
            return Ok(Record::rejected(origin, rejection));
        }
        match kind.as_byte() {
            // Only files have contents, but some writers give links and folders a length.
            b'1' | b'2' => return Ok(Item::Skipped(String::from("no-file"))),
            b'5' => return Ok(Item::Skipped(String::from("folder"))),
            // Devices and pipes; of GNU the names in a folder, names in an old form and the label of a volume; of Solaris
            // and star access lists, attributes and inodes.
            b'3' | b'4' | b'6' | b'D' | b'N' | b'V' | b'A' | b'E' | b'I' => {
                self.stream.skip(padded(len), |_| false)?;
                return Ok(Item::Skipped(String::from("no-file")));
            }
            b'M' => {
                self.stream.skip(padded(len), |_| false)?;
                let what = "the rest of a file that begins in another volume of the archive";
                let rejection = Rejection::new(Reason::Unsupported, what);
                return Ok(Record::rejected(origin, rejection));
            }
            // By the standard, members of a type that a reader does not know are files.
            _ => {}
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
            match self.stream.peek_across(BLOCK, |_| false) {
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

fn origin_at(offset: u64) -> Origin {
    Origin {
        offset,
        ..Origin::default()
    }
}

fn damaged(offset: u64, what: &str) -> Item {
    let detail = format!("{what}, at offset {offset}");
    Record::rejected(origin_at(offset), Rejection::new(Reason::Damaged, detail))
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
        let mut rest = &bytes[..];
        while let Some((key, value, after)) = pax_record(rest) {
            rest = after;
            match key {
                b"path" if !value.is_empty() => self.name = Some(value.to_vec()),
                b"size" => self.len = number(value),
                // The sizes of holes precede the contents.
                key if key.starts_with(b"GNU.sparse.") => self.is_sparse = true,
                _ => {}
            }
        }
    }
}

/// Returns the key and the value of the first record of a pax header, and what follows it. A record begins with its length,
/// because values may contain anything, line ends as well, on which the crate tar relies.
fn pax_record(mut bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    while !bytes.is_empty() {
        // A length has at most as many digits.
        let front = bytes.get(..20).unwrap_or(bytes);
        let record = memchr::memchr(b' ', front).and_then(|space| {
            let len = usize::try_from(number(&bytes[..space])?).ok()?;
            let record = bytes.get(space + 1..len)?.strip_suffix(b"\n")?;
            let equals = memchr::memchr(b'=', record)?;
            Some((&record[..equals], &record[equals + 1..], &bytes[len..]))
        });
        if record.is_some() {
            return record;
        }
        // Goes on after a record whose length is wrong.
        let end = memchr::memchr(b'\n', bytes)?;
        bytes = &bytes[end + 1..];
    }
    None
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
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
                let detail = format!("{error}, after offset {offset} of the decompressed data");
                let rejection = Rejection::new(reason, detail);
                Some(Record::rejected(origin_at(offset), rejection))
            }
        }
    }
}

impl Contained for Tar {
    fn read_of_file(&self) -> u64 {
        self.stream.read_of_file()
    }
}
