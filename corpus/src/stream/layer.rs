//! What a file is compressed with, member by member.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;
use zstd::stream::read::Decoder as ZstdDecoder;

use super::raw::{Input, Raw};
use crate::inflate;
use crate::limits::Limits;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    Gzip,
    Zstd,
}

const GZIP: [u8; 3] = [0x1F, 0x8B, 8];
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// The frame in front of a WARC's that holds the dictionary of all of them.
const ZSTD_DICTIONARY: [u8; 4] = [0x5D, 0x2A, 0x4D, 0x18];
/// A dictionary is at most as large as this, in bytes.
const MAX_DICTIONARY: u64 = 4 << 20;
/// A frame's window may be as large as 2 to this power, in bytes, which is as much memory.
const ZSTD_WINDOW: u32 = 25;

pub(super) struct Layer {
    packing: Packing,
    /// Shared by all frames of zstd; empty where there is none.
    dictionary: Vec<u8>,
    state: State,
    /// What no member may exceed.
    pub(super) limits: Option<Limits>,
    /// Where the open member begins, and what it gave so far.
    member: u64,
    given: u64,
    /// What the open member gave before an error, if it is read again.
    before_error: Option<u64>,
}

enum State {
    Plain(Raw),
    /// At the beginning of a member.
    Fresh(Raw),
    Gzip(Box<GzDecoder<Raw>>),
    Zstd(Box<ZstdDecoder<'static, Raw>>),
    /// No member is open.
    Between(Raw),
    /// Making a decoder failed, which took the file with it.
    Lost,
}

impl Packing {
    fn of(head: &[u8]) -> Self {
        if head.starts_with(&GZIP) {
            Self::Gzip
        } else if head.starts_with(&ZSTD) || is_skippable(head) {
            Self::Zstd
        } else {
            Self::Plain
        }
    }

    fn mark(self) -> &'static [u8] {
        match self {
            Self::Plain => b"",
            Self::Gzip => &GZIP,
            Self::Zstd => &ZSTD,
        }
    }
}

/// Whether bytes begin like a frame that zstd skips. Some programs, such as pzstd, write one before each frame.
fn is_skippable(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

fn invalid(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

impl Layer {
    /// Begins to read the first member, and says where it begins.
    pub(super) fn of(mut raw: Raw) -> io::Result<(Self, u64)> {
        let head = raw.fill_to(ZSTD.len())?;
        let packing = Packing::of(head);
        let has_dictionary = head.starts_with(&ZSTD_DICTIONARY);
        let mut layer = Self {
            packing,
            dictionary: Vec::new(),
            state: State::Lost,
            limits: None,
            member: 0,
            given: 0,
            before_error: None,
        };
        if has_dictionary {
            layer.dictionary = read_dictionary(&mut raw)?;
        }
        let start = raw.offset();
        layer.open(raw)?;
        Ok((layer, start))
    }

    /// Takes effect where a member is opened.
    pub(super) fn assume(&mut self, packing: Packing) {
        self.packing = packing;
    }

    pub(super) fn packing(&self) -> Packing {
        self.packing
    }

    /// How far the file was read.
    pub(super) fn offset(&self) -> u64 {
        match &self.state {
            State::Plain(raw) | State::Fresh(raw) | State::Between(raw) => raw.offset(),
            State::Gzip(decoder) => decoder.get_ref().offset(),
            State::Zstd(decoder) => decoder.get_ref().offset(),
            State::Lost => 0,
        }
    }

    /// Begins to read a member where the file is.
    fn open(&mut self, raw: Raw) -> io::Result<()> {
        self.member = raw.offset();
        self.given = 0;
        self.before_error = None;
        self.state = match self.packing {
            Packing::Plain => State::Plain(raw),
            Packing::Gzip => State::Fresh(raw),
            Packing::Zstd => {
                let mut decoder =
                    ZstdDecoder::with_dictionary(raw, &self.dictionary)?.single_frame();
                decoder.window_log_max(ZSTD_WINDOW)?;
                State::Zstd(Box::new(decoder))
            }
        };
        Ok(())
    }

    /// Ends a member and gives back the file, which is behind all that the member's decoder took.
    fn close(&mut self) -> io::Result<Raw> {
        match std::mem::replace(&mut self.state, State::Lost) {
            State::Plain(raw) | State::Fresh(raw) | State::Between(raw) => Ok(raw),
            State::Gzip(decoder) => Ok(decoder.into_inner()),
            State::Zstd(decoder) => Ok(decoder.finish()),
            State::Lost => Err(io::Error::other("the file was closed after an error")),
        }
    }

    /// Decompresses the whole gzip member that begins here, and returns the number of bytes it holds. `None` if that
    /// can't be done in one step; then the member has to be read as a stream.
    pub(super) fn whole_member(&mut self, out: &mut [u8]) -> Option<usize> {
        let State::Fresh(raw) = &mut self.state else {
            return None;
        };
        loop {
            if let Some(member) = inflate::gzip(raw.at_hand(), out) {
                raw.consume(member.read);
                self.state = State::Between(self.close().ok()?);
                return Some(member.written);
            }
            // It may only be cut by the buffer.
            if !raw.read_more() {
                return None;
            }
        }
    }

    /// Opens the member that follows, and returns where it begins.
    pub(super) fn next_member(&mut self) -> io::Result<Option<u64>> {
        if self.packing == Packing::Plain {
            return Ok(None);
        }
        let mut raw = self.close()?;
        let begins = begins_member(&mut raw, self.packing);
        let offset = raw.offset();
        match begins {
            Ok(true) => {
                self.open(raw)?;
                Ok(Some(offset))
            }
            Ok(false) => {
                self.state = State::Between(raw);
                Ok(None)
            }
            Err(error) => {
                self.state = State::Between(raw);
                Err(error)
            }
        }
    }

    pub(super) fn seek_to(&mut self, offset: u64) -> io::Result<()> {
        let mut raw = self.close()?;
        let sought = raw.seek_to(offset);
        self.open(raw)?;
        sought
    }

    pub(super) fn into_input(mut self) -> io::Result<Box<dyn Input>> {
        if self.packing != Packing::Plain {
            return Err(invalid("it is compressed, and can only be read as it is"));
        }
        Ok(self.close()?.into_input())
    }

    /// Finds the first member after `offset` that can be read and begins as `stop` wants it.
    pub(super) fn recover(
        &mut self,
        mut offset: u64,
        stop: fn(&[u8]) -> bool,
    ) -> io::Result<Option<u64>> {
        let mark = self.packing.mark();
        if mark.is_empty() {
            return Ok(None);
        }
        loop {
            let mut raw = self.close()?;
            let found = raw.seek_to(offset + 1).and_then(|()| find(&mut raw, mark));
            offset = raw.offset();
            if !matches!(found, Ok(true)) {
                self.state = State::Between(raw);
                return found.map(|_| None);
            }
            self.open(raw)?;
            let mut head = [0; 16];
            let mut len = 0;
            while len < head.len() {
                match self.read(&mut head[len..]) {
                    Ok(0) | Err(_) => break,
                    Ok(read) => len += read,
                }
            }
            if stop(&head[..len]) {
                self.seek_to(offset)?;
                return Ok(Some(offset));
            }
        }
    }
}

impl Layer {
    /// Reads a member again up to where it gave an error instead of what is in front of the damage, of which it can be
    /// much.
    fn return_to_error(&mut self) -> io::Result<()> {
        let given = self.given;
        self.seek_to(self.member)?;
        self.before_error = Some(given);
        let mut passed = [0; 4096];
        while self.given < given {
            let left = usize::try_from(given - self.given).unwrap_or(usize::MAX);
            let len = left.min(passed.len());
            if self.read(&mut passed[..len])? == 0 {
                break;
            }
        }
        Ok(())
    }
}

impl Read for Layer {
    /// Reads to the end of the member.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if matches!(self.state, State::Fresh(_)) {
            self.state = State::Gzip(Box::new(GzDecoder::new(self.close()?)));
        }
        let n = match &mut self.state {
            State::Plain(raw) => return raw.read(buffer),
            State::Gzip(decoder) => {
                // Byte by byte from there on.
                let most = match self.before_error {
                    Some(given) if given <= self.given => buffer.len().min(1),
                    _ => buffer.len(),
                };
                match decoder.read(&mut buffer[..most]) {
                    Err(error) if self.before_error.is_none() && is_damage(&error) => {
                        self.return_to_error()?;
                        return self.read(buffer);
                    }
                    done => done?,
                }
            }
            State::Zstd(decoder) => decoder.read(buffer).map_err(explained)?,
            State::Fresh(_) | State::Between(_) => 0,
            State::Lost => return Err(io::Error::other("the file was closed after an error")),
        };
        self.given += n as u64;
        if let Some(limits) = self.limits {
            limits.check_member(self.given, self.offset() - self.member)?;
        }
        Ok(n)
    }
}

fn is_damage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData
    )
}

/// Says what to do about an error of zstd that is about a well-formed frame.
fn explained(error: io::Error) -> io::Error {
    // The crate passes on only the text.
    if error.to_string().contains("too much memory") {
        let most = 1 << (ZSTD_WINDOW - 20);
        return invalid(format!(
            "its zstd window is larger than {most} MiB; compress it again with --long={ZSTD_WINDOW} or less"
        ));
    }
    error
}

/// Whether a member begins where the file is. Zero bytes in front of the end, with which tapes and block devices
/// fill up their last block, are passed over.
fn begins_member(raw: &mut Raw, packing: Packing) -> io::Result<bool> {
    let mut padded = false;
    loop {
        let offset = raw.offset();
        let head = raw.fill_buf()?;
        let Some(first) = head.first() else {
            return Ok(false);
        };
        match head.iter().position(|byte| *byte != 0) {
            Some(0) if !padded && packing.mark().first() == Some(first) => return Ok(true),
            // A frame that zstd is to skip.
            Some(0) if !padded && packing == Packing::Zstd && matches!(first, 0x50..=0x5F) => {
                return Ok(true);
            }
            Some(zeros) => {
                return Err(invalid(format!(
                    "after the compressed data, at offset {}, are bytes that are not compressed",
                    offset + zeros as u64
                )));
            }
            None => {
                let len = head.len();
                raw.consume(len);
                padded = true;
            }
        }
    }
}

/// Goes to the next place that begins with `mark`.
fn find(raw: &mut Raw, mark: &[u8]) -> io::Result<bool> {
    loop {
        let offset = raw.offset();
        let bytes = raw.fill_buf()?;
        if bytes.is_empty() {
            return Ok(false);
        }
        let Some(at) = memchr::memchr(mark[0], bytes) else {
            let len = bytes.len();
            raw.consume(len);
            continue;
        };
        raw.consume(at);
        let mut head = [0; 4];
        let head = &mut head[..mark.len()];
        // At the end of the buffer there may be less of it.
        let is_mark = match raw.read_exact(head) {
            Ok(()) => head == mark,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            Err(error) => return Err(error),
        };
        raw.seek_to(offset + at as u64 + u64::from(!is_mark))?;
        if is_mark {
            return Ok(true);
        }
    }
}

/// Reads the frame that holds the dictionary, which may be compressed itself.
fn read_dictionary(raw: &mut Raw) -> io::Result<Vec<u8>> {
    let mut header = [0; 8];
    raw.read_exact(&mut header)?;
    let len = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    if u64::from(len) > MAX_DICTIONARY {
        return Err(invalid(format!("its zstd dictionary has {len} bytes")));
    }
    let mut dictionary = Vec::new();
    raw.take(len.into()).read_to_end(&mut dictionary)?;
    if !dictionary.starts_with(&ZSTD) {
        return Ok(dictionary);
    }
    let mut unpacked = Vec::new();
    ZstdDecoder::new(&dictionary[..])?
        .take(MAX_DICTIONARY)
        .read_to_end(&mut unpacked)?;
    Ok(unpacked)
}
