//! Finds the members of an archive whose directory is damaged, or says that they are elsewhere: by their own headers.

use std::io;

use memchr::memmem;
use rawzip::{CompressionMethod, ReaderAt};

use super::{LockedInput, Member, Place};
use crate::container::name_of;

/// Where a member begins, and where its header in the directory does.
const LOCAL: [u8; 4] = *b"PK\x03\x04";
const CENTRAL: [u8; 4] = *b"PK\x01\x02";
/// What may follow a member whose sizes were not known when it was begun.
const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";
/// The length of a member's header without its name.
const HEADER: usize = 30;
/// The lengths of what follows a member: with and without a mark, with sizes of 32 and 64 bits.
const DESCRIPTORS: [usize; 4] = [12, 16, 20, 24];
/// The number of bytes that are read at a time: more than the longest header.
const WINDOW: usize = 256 * 1024;

pub(super) struct Search {
    window: Window,
    len: u64,
    /// How far it went.
    at: u64,
    /// The members that the directory has: their offsets and compressed sizes, in order.
    known: Vec<(u64, u64)>,
    /// How many bytes may still be read in vain, so that wrong sizes do not cause the same bytes to be read again and again.
    credit: u64,
    /// Whether to return what is between members, because the directory did not say what that was.
    with_gaps: bool,
    /// The member after a gap.
    next: Option<Found>,
}

pub(super) enum Found {
    /// And where its bytes end.
    Member(Member, u64),
    /// What is no whole member: its offset, its name, and why.
    Damaged(u64, String, String),
}

/// The header in front of a member.
struct Header {
    name: String,
    method: CompressionMethod,
    flags: u16,
    crc: u32,
    packed: u64,
    size: u64,
    /// Where its bytes begin.
    data: u64,
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    let field = bytes.get(at..at + 2).and_then(|it| it.try_into().ok());
    u16::from_le_bytes(field.unwrap_or_default())
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let field = bytes.get(at..at + 4).and_then(|it| it.try_into().ok());
    u32::from_le_bytes(field.unwrap_or_default())
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

impl Search {
    pub(super) fn new(input: LockedInput, len: u64, mut known: Vec<(u64, u64)>) -> Self {
        known.sort_unstable();
        Self {
            window: Window {
                input,
                start: 0,
                bytes: Vec::new(),
            },
            len,
            at: 0,
            known,
            credit: len,
            with_gaps: false,
            next: None,
        }
    }

    pub(super) fn with_gaps(self, with_gaps: bool) -> Self {
        Self { with_gaps, ..self }
    }

    /// Returns the next member that the directory does not have, or the next bytes that belong to none.
    pub(super) fn next(&mut self) -> io::Result<Option<Found>> {
        if let Some(found) = self.next.take() {
            return Ok(Some(found));
        }
        loop {
            let from = self.at;
            let start = self.find(from, &[LOCAL])?.map(|it| it.0);
            let gap = self.gap(from, start.unwrap_or(self.len))?;
            let found = match start {
                None => {
                    self.at = self.len;
                    None
                }
                Some(start) => self.member(start)?,
            };
            match (gap, found) {
                (Some(gap), found) => {
                    self.next = found;
                    return Ok(Some(gap));
                }
                (None, Some(found)) => return Ok(Some(found)),
                (None, None) if start.is_none() => return Ok(None),
                (None, None) => {}
            }
        }
    }

    /// Returns what tells of the bytes between two members.
    fn gap(&mut self, from: u64, to: u64) -> io::Result<Option<Found>> {
        let begin = self.window.at(from, 2)?;
        // What begins with PK is a descriptor or the directory, and is expected there.
        if !self.with_gaps || from >= to || b"PK".starts_with(&begin[..begin.len().min(2)]) {
            return Ok(None);
        }
        let what = format!("{} bytes that belong to no member", to - from);
        Ok(Some(Found::Damaged(from, String::new(), what)))
    }

    /// Returns the member whose header is at `start`, and goes on behind it. `None` if the directory has it.
    fn member(&mut self, start: u64) -> io::Result<Option<Found>> {
        let known = self.known.binary_search_by_key(&start, |it| it.0);
        let known = known.ok().and_then(|at| self.known.get(at));
        let known = known.map(|it| it.1);
        self.at = start + LOCAL.len() as u64;
        let Some(mut header) = self.header(start)? else {
            let what = String::from("its header is damaged or was cut");
            return Ok(known
                .is_none()
                .then(|| Found::Damaged(start, String::new(), what)));
        };
        self.at = header.data;
        let has_descriptor = header.flags & 8 != 0;
        if let Some(packed) = known {
            self.at = header.data.saturating_add(packed).min(self.len);
            self.pass_descriptor(has_descriptor)?;
            return Ok(None);
        }
        let is_whole = if has_descriptor && header.packed == 0 {
            self.find_descriptor(&mut header)?
        } else {
            let end = header.data.checked_add(header.packed);
            match end.filter(|it| *it <= self.len) {
                Some(end) if self.ends_at(end, has_descriptor)? => {
                    self.at = end;
                    self.pass_descriptor(has_descriptor)?;
                    true
                }
                // Either the size is wrong, or what follows is damaged.
                Some(_) if header.packed <= self.credit => {
                    self.credit -= header.packed;
                    true
                }
                _ => false,
            }
        };
        if !is_whole {
            let what = String::from("it does not end where its size says, or was cut");
            return Ok(Some(Found::Damaged(start, header.name, what)));
        }
        let end = header.data + header.packed;
        let member = Member {
            offset: start,
            is_folder: header.name.ends_with('/') && header.size == 0 && header.packed <= 2,
            is_encrypted: header.flags & 1 != 0,
            name: header.name,
            method: header.method,
            packed: header.packed,
            place: Place::Found {
                data: header.data,
                size: header.size,
                crc: header.crc,
            },
        };
        Ok(Some(Found::Member(member, end)))
    }

    /// Reads a header. `None` if the file ends in it, or another one begins.
    fn header(&mut self, start: u64) -> io::Result<Option<Header>> {
        let fixed = self.window.at(start, HEADER)?;
        let name_len = usize::from(u16_at(fixed, 26));
        let len = HEADER + name_len + usize::from(u16_at(fixed, 28));
        let header = self.window.at(start, len + 3)?;
        let front = header.get(..len + 3).unwrap_or(header);
        let Some((fixed, rest)) = header.get(..len).map(|it| it.split_at(HEADER)) else {
            return Ok(None);
        };
        if memmem::find(&front[1..], &LOCAL).is_some() {
            return Ok(None);
        }
        let (name, mut extra) = rest.split_at(name_len);
        let mut packed = u64::from(u32_at(fixed, 18));
        let mut size = u64::from(u32_at(fixed, 22));
        // Of a member of more than 4 GiB, an extra field has both sizes.
        while extra.len() >= 4 {
            let field_len = usize::from(u16_at(extra, 2)) + 4;
            if u16_at(extra, 0) == 1 && field_len >= 20 && packed == u64::from(u32::MAX) {
                (size, packed) = (u64_at(extra, 4), u64_at(extra, 12));
            }
            extra = extra.get(field_len..).unwrap_or_default();
        }
        Ok(Some(Header {
            name: name_of(name),
            method: u16_at(fixed, 8).into(),
            flags: u16_at(fixed, 6),
            crc: u32_at(fixed, 14),
            packed,
            size,
            data: start + len as u64,
        }))
    }

    /// Goes to the end of a member whose sizes follow it, and sets them. Returns whether there is one before the next
    /// member begins.
    fn find_descriptor(&mut self, header: &mut Header) -> io::Result<bool> {
        let mut from = header.data;
        loop {
            let found = self.find(from, &[DESCRIPTOR, LOCAL, CENTRAL])?;
            let Some((at, mark)) = found else {
                return Ok(false);
            };
            for len in [12, 20] {
                // Some writers omit its mark.
                let (end, fields) = match mark {
                    DESCRIPTOR => (at, at + DESCRIPTOR.len() as u64),
                    _ => (at.saturating_sub(len), at.saturating_sub(len)),
                };
                let bytes = self.window.at(fields, 20)?;
                let (packed, size) = match len {
                    12 => (u32_at(bytes, 4).into(), u32_at(bytes, 8).into()),
                    _ => (u64_at(bytes, 4), u64_at(bytes, 12)),
                };
                if end.checked_sub(header.data) == Some(packed) {
                    header.crc = u32_at(bytes, 0);
                    (header.packed, header.size) = (packed, size);
                    self.at = fields + len;
                    return Ok(true);
                }
            }
            if mark != DESCRIPTOR {
                self.at = at;
                return Ok(false);
            }
            from = at + 4;
        }
    }

    /// Goes on behind a member that was whole, wherever that is.
    pub(super) fn pass(&mut self, end: u64) {
        self.at = self.at.max(end);
    }

    /// Returns whether something that belongs to an archive, or its end, follows a member.
    fn ends_at(&mut self, end: u64, has_descriptor: bool) -> io::Result<bool> {
        // Not through the window, which stays where it is.
        let mut after = [0; 2];
        let read = self.window.read(&mut after, end)?;
        Ok(read == 0 || after == *b"PK" || has_descriptor && self.descriptor(end)? > 0)
    }

    /// Passes over the sizes that may follow a member.
    fn pass_descriptor(&mut self, has_descriptor: bool) -> io::Result<()> {
        if has_descriptor {
            self.at += self.descriptor(self.at)?;
        }
        Ok(())
    }

    /// Returns the length of the descriptor at this offset, or 0 if there is none.
    fn descriptor(&mut self, at: u64) -> io::Result<u64> {
        let mut after = [0; 26];
        self.window.read(&mut after, at)?;
        let is_end = |len: &usize| after[*len..].starts_with(b"PK");
        Ok(DESCRIPTORS.into_iter().find(is_end).unwrap_or(0) as u64)
    }

    /// Returns the first place from `from` on that begins with one of these marks.
    fn find(&mut self, mut from: u64, marks: &[[u8; 4]]) -> io::Result<Option<(u64, [u8; 4])>> {
        loop {
            let shown = self.window.at(from, 4)?;
            for at in memmem::find_iter(shown, b"PK") {
                if let Some(mark) = marks.iter().find(|it| shown[at..].starts_with(*it)) {
                    return Ok(Some((from + at as u64, *mark)));
                }
            }
            if shown.len() < 4 {
                return Ok(None);
            }
            // What begins in the last bytes may go on in the next ones.
            from += (shown.len() - 3) as u64;
        }
    }
}

/// A part of the file.
struct Window {
    input: LockedInput,
    start: u64,
    bytes: Vec<u8>,
}

impl Window {
    /// Returns at least `n` bytes from an offset on, or fewer if the file ends.
    fn at(&mut self, offset: u64, n: usize) -> io::Result<&[u8]> {
        let at = offset
            .checked_sub(self.start)
            .and_then(|it| usize::try_from(it).ok());
        if let Some(at) = at.filter(|it| it.saturating_add(n) <= self.bytes.len()) {
            return Ok(&self.bytes[at..]);
        }
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.resize(WINDOW, 0);
        let len = self.read(&mut bytes, offset)?;
        bytes.truncate(len);
        (self.start, self.bytes) = (offset, bytes);
        Ok(&self.bytes)
    }

    /// Reads, past the window, until the buffer is full or the file ends.
    fn read(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut len = 0;
        while len < buffer.len() {
            match self
                .input
                .read_at(&mut buffer[len..], offset.saturating_add(len as u64))?
            {
                0 => break,
                read => len += read,
            }
        }
        Ok(len)
    }
}
