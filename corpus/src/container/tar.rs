//! tar archives: ustar, GNU and pax. The crate tar reads headers; what is between them is read here, so that
//! no name takes more memory than it should, and damage is skipped.

use std::io;

use memchr::memmem;

use super::{Contained, name_of, reason_of};
use crate::limits::Limits;
use crate::record::{Item, Origin, Record};
use crate::rejected::{Reason, Rejection};
use crate::stream::{PEEK, Stream};

const BLOCK: usize = 512;
/// Where a header has its magic number.
const MAGIC: usize = 257;
/// Where a header has the size of the contents.
const SIZE: std::ops::Range<usize> = 124..136;
/// The maximum length of a name or pax header that is read, in bytes. pax headers also hold attributes of files, which
/// Linux limits to 64 KiB each.
const MAX_EXTENSION: u64 = 1024 * 1024;

/// To a multiple of so many blocks programs fill up an archive with zeros: of 20 unless they are told otherwise.
const BLOCKINGS: [u64; 8] = [20, 32, 64, 128, 256, 512, 1024, 2048];

pub(crate) struct Tar {
    stream: Stream,
    limits: Limits,
    /// What was read about the next member.
    extended: Extended,
    /// Where the archive begins: several may follow one another.
    start: u64,
    /// The number of zero blocks that were read last.
    zeros: u64,
    /// Whether the blocks that end an archive have been read, or an error about them was reported.
    has_ended: bool,
    is_done: bool,
}

/// What the headers before a file's own header say about it.
#[derive(Default)]
struct Extended {
    /// The offset of the first of them.
    begin: Option<u64>,
    name: Option<Vec<u8>>,
    len: Option<u64>,
    is_sparse: bool,
}

/// Returns whether bytes are a tar header.
pub(crate) fn begins_tar(head: &[u8]) -> bool {
    head.get(MAGIC..MAGIC + 5) == Some(b"ustar") && is_header(head)
}

pub(crate) fn is_header(block: &[u8]) -> bool {
    let Some(block) = block.get(..BLOCK) else {
        return false;
    };
    let Ok(sum) = tar::Header::from_byte_slice(block).cksum() else {
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
    [unsigned, signed].contains(&i64::from(sum))
}

fn padded(len: u64) -> u64 {
    len.saturating_add(511) & !511
}

impl Tar {
    pub(crate) fn new(stream: Stream, limits: Limits) -> Self {
        Self {
            stream,
            limits,
            extended: Extended::default(),
            start: 0,
            zeros: 0,
            has_ended: false,
            is_done: false,
        }
    }

    /// Returns the offset in the file, or of the block in the decompressed file.
    fn offset(&self) -> u64 {
        self.stream.position()
    }

    fn next_item(&mut self) -> io::Result<Option<Item>> {
        loop {
            let buffered = self.stream.peek_across(BLOCK, |_| false)?;
            let block = &buffered[..buffered.len().min(BLOCK)];
            if !block.is_empty() && block.iter().all(|it| *it == 0) {
                // The end of this archive, which another may follow, or lost blocks of a disk.
                let len = block.len();
                let offset = self.offset();
                self.stream.consume(len);
                // A part of a block may be that of a header.
                self.has_ended |= len == BLOCK;
                self.zeros += u64::from(len == BLOCK);
                if let Some(begin) = std::mem::take(&mut self.extended).begin {
                    let what = format!(
                        "a header without the member that it is about, which is lost at {offset}"
                    );
                    return Ok(Some(damaged(begin, &what)));
                }
                continue;
            }
            let (is_end, is_header) = (block.is_empty(), is_header(block));
            let mut header = tar::Header::new_old();
            if is_header {
                header.as_mut_bytes().copy_from_slice(block);
            }
            // What is not a header is reported itself.
            let zeros = std::mem::take(&mut self.zeros);
            if zeros > 0 && (is_end || is_header) && !self.end_archive(zeros, is_end) {
                let offset = self.offset() - zeros * BLOCK as u64;
                let what =
                    format!("{zeros} zero blocks do not end an archive: members may be lost");
                return Ok(Some(damaged(offset, &what)));
            }
            if is_end {
                if self.has_ended || self.stream.position() == 0 {
                    return Ok(None);
                }
                self.has_ended = true;
                let what = "the archive has no end: it may have been cut";
                return Ok(Some(damaged(self.begin(), what)));
            }
            self.has_ended = false;
            if !is_header {
                return Ok(Some(self.pass_over("not a tar header")));
            }
            let kind = header.entry_type();
            // The label of a volume of GNU tar has no size.
            let size = &header.as_bytes()[SIZE];
            let is_blank = size.iter().all(|byte| matches!(byte, 0 | b' '));
            let len = if is_blank { Ok(0) } else { header.entry_size() };
            let Ok(len) = len else {
                return Ok(Some(self.pass_over("a tar header without a size")));
            };
            // (X is what Solaris wrote before there was a standard.)
            let is_extension = matches!(kind.as_byte(), b'L' | b'x' | b'X');
            if is_extension {
                match self.extension(kind.is_gnu_longname(), len)? {
                    Some(rejected) => return Ok(Some(rejected)),
                    None => continue,
                }
            }
            let offset = self.begin();
            self.stream.consume(BLOCK);
            if kind.is_gnu_longlink() || kind.is_pax_global_extensions() {
                self.stream.skip(padded(len), |_| false)?;
                continue;
            }
            let extended = std::mem::take(&mut self.extended);
            return self.member(offset, &header, extended).map(Some);
        }
    }

    /// Returns where the next member begins: at the first of its headers.
    fn begin(&self) -> u64 {
        self.extended.begin.unwrap_or_else(|| self.offset())
    }

    /// Returns whether so many zero blocks as were read last end an archive: two, and what fills up the file. At the
    /// end of the file one of them may be missing.
    fn end_archive(&mut self, zeros: u64, is_last: bool) -> bool {
        let end = self.offset();
        let blocks = (end - std::mem::replace(&mut self.start, end)) / BLOCK as u64;
        let fills_up = |it: &u64| blocks.is_multiple_of(*it) && (2..*it + 2).contains(&zeros);
        zeros == 2 || zeros == 1 && is_last || BLOCKINGS.iter().any(fills_up)
    }

    /// Reads a header that is about the next member. Returns what tells of damage in it.
    fn extension(&mut self, is_name: bool, len: u64) -> io::Result<Option<Item>> {
        let offset = self.offset();
        self.extended.begin.get_or_insert(offset);
        self.stream.consume(BLOCK);
        if len > MAX_EXTENSION {
            self.stream.skip(padded(len), |_| false)?;
            let detail = format!(
                "the name and the attributes of the next member have {len} bytes, more than {MAX_EXTENSION}"
            );
            let rejection = Rejection::new(Reason::TooLarge, detail);
            return Ok(Some(Record::rejected(origin_at(offset), rejection)));
        }
        let mut bytes = Vec::new();
        let read = self.stream.take_into(&mut bytes, len, |_| false)?;
        self.stream.skip(padded(len) - len, |_| false)?;
        // (If the archive ends here, that is reported next.)
        let is_whole = read < len || self.extended.read(is_name, &bytes);
        let what = if is_name {
            "the name of the next member is damaged"
        } else {
            "the attributes of the next member are damaged"
        };
        Ok((!is_whole).then(|| damaged(offset, what)))
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

    /// Goes to the next header.
    fn pass_over(&mut self, what: &str) -> Item {
        let offset = self.begin();
        self.extended = Extended::default();
        let detail = match self.find_header() {
            Ok(()) => String::from(what),
            Err(error) => {
                self.is_done = true;
                format!("{what}; {error}")
            }
        };
        damaged(offset, &detail)
    }

    /// Headers are searched for in whole blocks, and if bytes are missing or added, by their magic number anywhere.
    fn find_header(&mut self) -> io::Result<()> {
        let magic = memmem::Finder::new(b"ustar");
        // The block that was refused is no header.
        let mut from = 1;
        loop {
            let shown = self.stream.peek_across(PEEK, |_| false)?;
            let len = shown.len();
            let is_header = |at: &usize| *at >= from && is_header(&shown[*at..]);
            let whole = (0..len).step_by(BLOCK).find(is_header);
            let before = &shown[..whole.map_or(len, |it| it + MAGIC)];
            let found = magic
                .find_iter(before)
                .filter_map(|at| at.checked_sub(MAGIC))
                .find(is_header);
            if let Some(at) = found.or(whole) {
                self.stream.consume(at);
                return Ok(());
            }
            if len == 0 {
                self.has_ended = true;
                return Ok(());
            }
            // What begins in the last bytes may go on in the next ones.
            self.stream.consume(if len < PEEK {
                len
            } else {
                (len - BLOCK) & !(BLOCK - 1)
            });
            from = 0;
        }
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
    /// Returns whether all of it is well-formed.
    fn read(&mut self, is_name: bool, bytes: &[u8]) -> bool {
        let end = bytes.iter().rposition(|it| *it != 0).map_or(0, |at| at + 1);
        let mut rest = &bytes[..end];
        if is_name {
            self.name = Some(rest.to_vec()).filter(|it| !it.is_empty());
            return self.name.is_some() && !rest.contains(&0);
        }
        let mut is_whole = true;
        while !rest.is_empty() {
            let Some((key, value, after)) = pax_record(rest) else {
                is_whole = false;
                let end = memchr::memchr(b'\n', rest);
                rest = end.map_or(&[], |end| &rest[end + 1..]);
                continue;
            };
            rest = after;
            match key {
                b"path" if !value.is_empty() => self.name = Some(value.to_vec()),
                b"size" => {
                    self.len = number(value);
                    is_whole &= self.len.is_some();
                }
                // The sizes of holes precede the contents.
                key if key.starts_with(b"GNU.sparse.") => self.is_sparse = true,
                _ => {}
            }
        }
        is_whole
    }
}

/// Returns the key and the value of the first record of a pax header, and what follows it. A record begins with its
/// length, because values may contain anything, line ends as well, on which the crate tar relies. If no record has this
/// length, it is a line: some writers count characters.
fn pax_record(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    // A length has at most as many digits.
    let front = bytes.get(..20).unwrap_or(bytes);
    let space = memchr::memchr(b' ', front)?;
    let len = usize::try_from(number(&bytes[..space])?).ok()?;
    let of_len = |len: usize| {
        let record = bytes.get(space + 1..len)?.strip_suffix(b"\n")?;
        let equals = memchr::memchr(b'=', record)?;
        Some((&record[..equals], &record[equals + 1..], &bytes[len..]))
    };
    of_len(len).or_else(|| of_len(memchr::memchr(b'\n', bytes)? + 1))
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
