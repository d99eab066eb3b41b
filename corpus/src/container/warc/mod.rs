//! Web archives: WARC 1.0 and 1.1 (ISO 28500), plain or compressed record by record.
//!
//! A record is damaged if no end of a record is where its length says, or if the file ends before the record
//! does. It is reported, and the search for the next place at which a record begins starts at its header.

mod header;

use std::io;

use memchr::memmem;

use super::reason_of;
use crate::http;
use crate::limits::Limits;
use crate::record::{Item, Origin, Record};
use crate::rejected::{Reason, Rejection};
use crate::stream::{PEEK, Packing, Stream};

pub(crate) use header::begins_record;
pub use header::{Header, Malformed, parse_header};

use header::{MAX_HEADER, begins_with_version};

/// The length of a block from which on its end is examined before it is read.
const CHECKED_FIRST: u64 = 16 * 1024;

/// How many bytes are needed to see that a line with a version begins, and whether a line ends before it.
const LOOK_BACK: usize = b"\nWARC/1.0\r\n".len();

/// The records of an archive, in order.
pub(crate) struct Warc {
    stream: Stream,
    limits: Limits,
    /// Records that begin here or later are left to other readers.
    end: u64,
    /// Whether blocks are skipped, because only the offsets matter.
    only_offsets: bool,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Reading,
    /// The stream can't be read where it is.
    Broken,
    Done,
}

impl Warc {
    pub(crate) fn new(stream: Stream, limits: Limits) -> Self {
        Self {
            stream,
            limits,
            end: u64::MAX,
            only_offsets: false,
            state: State::Reading,
        }
    }

    /// Restricts the records to those that begin in this range of the file.
    pub(crate) fn within(mut self, start: u64, end: u64) -> io::Result<Self> {
        if start > 0 {
            self.stream.seek_to(start)?;
        }
        self.end = end;
        Ok(self)
    }

    /// Does not read the contents of the records.
    pub(crate) fn only_offsets(mut self) -> Self {
        self.only_offsets = true;
        self
    }

    pub(crate) fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Returns where the next record begins; `None` at the end.
    pub(crate) fn next_start(&mut self) -> io::Result<Option<u64>> {
        loop {
            let shown = self.stream.peek(2)?;
            match shown.first() {
                None => return Ok(None),
                // Line ends between records, of which there may be too many or too few.
                Some(b'\r' | b'\n') => self.stream.consume(1),
                Some(_) => {
                    let start = self.stream.offset();
                    return Ok((start < self.end).then_some(start));
                }
            }
        }
    }

    /// Reads one record, which begins at `offset`.
    fn record(&mut self, offset: u64) -> io::Result<Item> {
        let begins_member = self.stream.begins_member();
        let is_plain = self.stream.packing() == Packing::Plain;
        let parsed = parse_header(self.stream.peek(MAX_HEADER)?);
        let parsed = match parsed {
            // It may end in another member.
            Err(Malformed::Version | Malformed::Endless) if !is_plain => {
                let shown = self.stream.peek_across(MAX_HEADER, begins_record)?;
                parse_header(shown)
            }
            parsed => parsed,
        };
        let (header, len) = match parsed {
            Ok(parsed) => parsed,
            Err(malformed) => {
                // Skips a byte of the refused record, so that it is not found again.
                self.stream.consume(1);
                self.resync();
                let origin = Origin {
                    offset,
                    ..Origin::default()
                };
                let detail = format!("{}, at offset {offset}", malformed.as_str());
                return Ok(Record::rejected(
                    origin,
                    Rejection::new(Reason::Damaged, detail),
                ));
            }
        };
        self.stream.consume(len);
        let after_header = self.stream.position();
        let origin = Origin {
            offset,
            name: header.uri.clone().unwrap_or_default(),
            content_type: header.content_type.clone(),
            date: header.date.clone(),
            truncated: header.truncated,
            ..Origin::default()
        };
        let is_read = matches!(&*header.kind, "response" | "resource" | "conversion");
        let is_too_large = header.len > self.limits.max_record;
        let is_taken = is_read && !is_too_large && !self.only_offsets;
        // If it is cheap, the end is examined first: otherwise many headers with wrong lengths would cause
        // the same bytes to be read again and again.
        let is_checked_first = is_plain && header.len > CHECKED_FIRST;
        let mut block = Vec::new();
        let taken = if is_taken && !is_checked_first {
            self.stream
                .take_into(&mut block, header.len, begins_record)?
        } else {
            self.stream.skip(header.len, begins_record)?
        };
        if let Err(what) = self.end_of_record(taken, &header) {
            // Where the stream broke, nothing more is read: a decoder may go on after an error, with the next member.
            let what = what?;
            if is_plain {
                self.stream.seek_to(after_header)?;
            }
            self.resync();
            let detail = format!("{what} of the record at offset {offset}");
            return Ok(Record::rejected(
                origin,
                Rejection::new(Reason::Damaged, detail),
            ));
        }
        if is_taken && is_checked_first {
            let end = self.stream.position();
            self.stream.seek_to(after_header)?;
            self.stream
                .take_into(&mut block, header.len, begins_record)?;
            self.stream.seek_to(end)?;
        }
        if !is_read {
            let what = match &*header.kind {
                "warcinfo" | "request" | "metadata" | "revisit" => {
                    return Ok(Item::Skipped(header.kind));
                }
                "continuation" => {
                    String::from("a later segment of a record, of which the first one is read")
                }
                // It may be a damaged name of another kind.
                kind => {
                    let shown: String = kind.chars().take(40).collect();
                    format!("a record of an unknown kind: {shown:?}")
                }
            };
            let rejection = Rejection::new(Reason::Unsupported, what);
            return Ok(Record::rejected(origin, rejection));
        }
        if is_too_large {
            return Ok(Record::rejected(origin, self.limits.too_large(header.len)));
        }
        if begins_member && !is_plain {
            let packed = self.stream.read_of_file().saturating_sub(offset);
            if let Err(bomb) = self.limits.check_ratio(header.len, packed) {
                return Ok(Record::rejected(origin, bomb));
            }
        }
        Ok(Item::Record(record_of(
            origin,
            &header,
            block,
            &self.limits,
        )))
    }

    /// Returns `Ok` if the record ends where its length says. Otherwise returns what is wrong, or why that
    /// can't be read.
    fn end_of_record(&mut self, taken: u64, header: &Header) -> Result<(), io::Result<String>> {
        if taken < header.len {
            return Err(Ok(format!(
                "{taken} bytes instead of {} are left",
                header.len
            )));
        }
        let shown = self.stream.peek_within(16).map_err(Err)?;
        // Some writers omit one or both of the two empty lines, or add more.
        let ends = shown
            .iter()
            .take_while(|it| matches!(it, b'\r' | b'\n'))
            .count();
        let rest = &shown[ends..];
        let is_end = shown.starts_with(b"\r\n\r\n") || shown.starts_with(b"\n\n");
        // As when a byte of the block is missing, or there is one too many.
        let is_shifted = shown.starts_with(b"\n\r");
        if is_shifted || !is_end && !rest.is_empty() && !begins_record(rest) {
            return Err(Ok(format!(
                "the length, {} bytes, does not lead to the end",
                header.len
            )));
        }
        self.stream.consume(ends);
        // The checksum of the member is read only now.
        self.stream.peek_within(1).map_err(Err)?;
        Ok(())
    }

    /// Goes to the next line that begins like a record, to a whole line with a version behind damaged bytes, or to the
    /// next member that begins like a record.
    fn resync(&mut self) {
        if self.next_record().is_err() {
            self.state = State::Broken;
        }
    }

    fn next_record(&mut self) -> io::Result<()> {
        let mark = memmem::Finder::new(b"WARC/");
        // Of what is shown again only what begins after its first byte is new.
        let mut is_new = true;
        while !self.stream.ends(true, begins_record)? {
            let shown = self.stream.peek_across(PEEK, begins_record)?;
            let begins = |at: &usize| {
                let rest = &shown[*at..];
                let is_line = *at == 0 || shown[at - 1] == b'\n';
                (is_new || *at > 0) && (is_line && begins_record(rest) || begins_with_version(rest))
            };
            let found = mark.find_iter(shown).find(begins);
            let len = shown.len();
            // What begins in the last bytes may go on in the next ones.
            let passed = found.unwrap_or(if len > LOOK_BACK {
                len - LOOK_BACK
            } else {
                len
            });
            self.stream.consume(passed);
            if found.is_some() {
                return Ok(());
            }
            is_new = false;
        }
        Ok(())
    }

    /// Returns the record in which the stream broke.
    fn broken(&mut self, offset: u64, error: &io::Error) -> Item {
        let packing = self.stream.packing();
        let reason = reason_of(error, packing);
        self.state = if packing == Packing::Plain || reason == Reason::Unreadable {
            State::Done
        } else {
            State::Broken
        };
        let origin = Origin {
            offset,
            ..Origin::default()
        };
        Record::rejected(
            origin,
            Rejection::new(reason, format!("{error}, at offset {offset}")),
        )
    }
}

impl Iterator for Warc {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if self.state == State::Broken {
            // If nothing is found, there is no record; read errors have been reported.
            self.state = match self.stream.recover(begins_record) {
                Ok(true) => State::Reading,
                Ok(false) | Err(_) => State::Done,
            };
        }
        if self.state == State::Done {
            return None;
        }
        let offset = match self.next_start() {
            Ok(Some(offset)) => offset,
            Ok(None) => {
                self.state = State::Done;
                return None;
            }
            Err(error) => {
                let offset = self.stream.offset();
                return Some(self.broken(offset, &error));
            }
        };
        let item = self.record(offset);
        Some(item.unwrap_or_else(|error| self.broken(offset, &error)))
    }
}

/// Returns the contents of a record, with the HTTP headers in front of them decoded.
fn record_of(origin: Origin, header: &Header, block: Vec<u8>, limits: &Limits) -> Record {
    let is_http = header.content_type.as_deref().is_some_and(|it| {
        it.trim_start()
            .to_ascii_lowercase()
            .starts_with("application/http")
    });
    if header.kind == "response" && (is_http || block.starts_with(b"HTTP/")) {
        return http::record_of(origin, block, limits);
    }
    Record::new(origin, Ok(block))
}

#[cfg(test)]
mod tests;
