//! A file's bytes, decompressed, with the place in the file where each record begins.
//!
//! A compressed file is a row of *members* (of gzip) or *frames* (of zstd). Crawlers compress each record by
//! itself, so that it can be read alone: then the offset of its member is the offset of the record. No call but
//! [`Stream::peek_across`] reads past the end of a member unless the bytes before it were taken.

mod layer;
mod raw;

use std::collections::VecDeque;
use std::io::{self, Read};

pub use raw::Input;

use crate::inflate;
use crate::limits::Limits;
use layer::Layer;
pub(crate) use layer::Packing;
use raw::Raw;
pub(crate) use raw::read_some;

/// The most that [`Stream::peek`] can show.
pub(crate) const PEEK: usize = 64 * 1024;

/// The maximum number of members that [`Stream::peek_across`] adds: more than the bytes of a tar header, in case that each
/// is one.
const MAX_JOINED: usize = 1024;

/// Returns the size of the buffer in bytes: for gzip, that of the largest member that is decompressed in one step.
fn room_for(packing: Packing) -> usize {
    match packing {
        Packing::Gzip => inflate::MOST,
        Packing::Plain | Packing::Zstd => PEEK,
    }
}

/// Reads a file, whatever it is compressed with.
pub(crate) struct Stream {
    layer: Layer,
    buffer: Box<[u8]>,
    /// What of the buffer was read and not yet taken.
    start: usize,
    end: usize,
    /// Bytes taken so far, decompressed; in a plain file the offset in it.
    position: u64,
    /// Where the member begins that the buffer is from.
    member: u64,
    /// Whether nothing of this member was taken.
    is_fresh: bool,
    /// Whether the buffer holds all that is left of the member, or of the last one of `seams`.
    member_ended: bool,
    /// The members that begin in the buffer after `start`: where in the buffer, and where in the file.
    seams: VecDeque<(usize, u64)>,
    /// Whether the next member can't be read, so that [`peek_across`](Self::peek_across) stops before it.
    is_blocked: bool,
    len: u64,
}

impl Stream {
    /// Reads from the beginning; the first bytes tell how it is compressed.
    pub(crate) fn new(input: Box<dyn Input>) -> io::Result<Self> {
        let raw = Raw::new(input)?;
        let len = raw.len();
        let (layer, member) = Layer::of(raw)?;
        Ok(Self {
            member,
            buffer: vec![0; room_for(layer.packing())].into_boxed_slice(),
            layer,
            start: 0,
            end: 0,
            position: 0,
            is_fresh: true,
            member_ended: false,
            seams: VecDeque::new(),
            is_blocked: false,
            len,
        })
    }

    /// Fails where a member becomes so large that it must be a bomb.
    pub(crate) fn within(mut self, limits: Limits) -> Self {
        self.layer.limits = Some(limits);
        self
    }

    /// Reads from the beginning, as a file that is compressed like this, whatever it begins with.
    pub(crate) fn assume(&mut self, packing: Packing) -> io::Result<()> {
        self.layer.assume(packing);
        self.buffer = vec![0; room_for(packing)].into_boxed_slice();
        self.forget();
        self.layer.seek_to(0)?;
        self.begin(0);
        self.position = 0;
        Ok(())
    }

    pub(crate) fn packing(&self) -> Packing {
        self.layer.packing()
    }

    /// Where what comes next begins in the file: the byte itself in a plain file, else its member.
    pub(crate) fn offset(&self) -> u64 {
        match self.packing() {
            Packing::Plain => self.position,
            _ => self.member,
        }
    }

    /// Whether what comes next is the first byte of a member.
    pub(crate) fn begins_member(&self) -> bool {
        self.is_fresh
    }

    /// Bytes taken so far, decompressed.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// How much of the file was read, for progress bars.
    pub(crate) fn read_of_file(&self) -> u64 {
        self.layer.offset()
    }

    /// Bytes of the file, compressed as it is.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The next `n` bytes, at most [`PEEK`], or fewer where the member or the file ends. None are left in the
    /// file if there are none.
    pub(crate) fn peek(&mut self, n: usize) -> io::Result<&[u8]> {
        loop {
            self.fill(n)?;
            if self.start < self.shown_end() || !self.next_member()? {
                return Ok(self.shown());
            }
        }
    }

    /// As [`peek`](Self::peek), but also what is in the members after it, up to one that begins as `stop` wants it, or
    /// that can't be read: what begins in one member may end in another, where the file was compressed in blocks.
    pub(crate) fn peek_across(&mut self, n: usize, stop: fn(&[u8]) -> bool) -> io::Result<&[u8]> {
        let n = n.min(PEEK);
        self.peek(n)?;
        // How many of the seams are within what is shown.
        let mut crossed = 0;
        let end_of = |it: &Self, seam| it.seams.get(seam).map_or(it.end, |seam| seam.0);
        loop {
            let end = end_of(self, crossed);
            let is_at_seam = crossed < self.seams.len();
            if end - self.start >= n
                || crossed == MAX_JOINED
                || is_at_seam && stop(&self.buffer[end..end_of(self, crossed + 1)])
                || !is_at_seam && !self.read_across(n)
            {
                let end = end_of(self, crossed);
                return Ok(&self.buffer[self.start..end]);
            }
            crossed += usize::from(is_at_seam);
        }
    }

    /// As [`peek`](Self::peek), but never what is in another member. What a member's checksum says is known
    /// once this is empty.
    pub(crate) fn peek_within(&mut self, n: usize) -> io::Result<&[u8]> {
        self.fill(n)?;
        Ok(self.shown())
    }

    /// Takes bytes that were shown by [`peek`](Self::peek) or [`peek_across`](Self::peek_across).
    pub(crate) fn consume(&mut self, n: usize) {
        let mut left = n;
        loop {
            let taken = left.min(self.shown_end() - self.start);
            self.start += taken;
            self.position += taken as u64;
            self.is_fresh &= taken == 0;
            left -= taken;
            // (A member is left when something of the next one is asked for.)
            if left == 0 || !self.enter_joined() {
                break;
            }
        }
    }

    /// What is in the buffer of the member that comes next.
    fn shown(&self) -> &[u8] {
        &self.buffer[self.start..self.shown_end()]
    }

    fn shown_end(&self) -> usize {
        self.seams.front().map_or(self.end, |seam| seam.0)
    }

    /// Appends up to `n` bytes, and returns how many. There are fewer at the end of the file, and where a new
    /// member begins at which `stop` says so.
    pub(crate) fn take_into(
        &mut self,
        out: &mut Vec<u8>,
        n: u64,
        stop: fn(&[u8]) -> bool,
    ) -> io::Result<u64> {
        let mut left = n;
        while left > 0 {
            if self.ends(left < n, stop)? {
                break;
            }
            let buffered = self.shown();
            let taken = usize::try_from(left)
                .unwrap_or(usize::MAX)
                .min(buffered.len());
            out.extend_from_slice(&buffered[..taken]);
            self.consume(taken);
            left -= taken as u64;
            if left > 0 && !self.member_ended && self.seams.is_empty() {
                // Not through the buffer.
                let read = (&mut self.layer).take(left).read_to_end(out)? as u64;
                self.position += read;
                self.member_ended = read < left;
                left -= read;
            }
        }
        Ok(n - left)
    }

    /// Passes over up to `n` bytes, and returns how many, as [`take_into`](Self::take_into) would take.
    pub(crate) fn skip(&mut self, n: u64, stop: fn(&[u8]) -> bool) -> io::Result<u64> {
        let mut left = n;
        if self.packing() == Packing::Plain {
            // What has been added to the file since it was opened is read.
            let to = self.position.saturating_add(n).min(self.len);
            if let Some(skipped) = to.checked_sub(self.position) {
                self.seek_to(to)?;
                self.is_fresh = false;
                left -= skipped;
            }
        }
        while left > 0 {
            if self.ends(left < n, stop)? {
                break;
            }
            let shown = self.shown().len();
            let taken = usize::try_from(left).unwrap_or(usize::MAX).min(shown);
            self.consume(taken);
            left -= taken as u64;
        }
        Ok(n - left)
    }

    /// Whether nothing follows of a record, of which something was `taken`. A member that can't be read is left to be
    /// found again, because it may be another record.
    pub(crate) fn ends(&mut self, taken: bool, stop: fn(&[u8]) -> bool) -> io::Result<bool> {
        let shown = self.peek(16).map(<[u8]>::len);
        match shown {
            Ok(0) => Ok(true),
            Ok(_) => Ok(taken && self.is_fresh && stop(self.shown())),
            Err(_) if taken && self.is_fresh && self.packing() != Packing::Plain => {
                self.seek_to(self.member)?;
                Ok(true)
            }
            Err(error) => Err(error),
        }
    }

    /// Goes to an offset of the file: to a byte of a plain one, or the beginning of a member.
    pub(crate) fn seek_to(&mut self, offset: u64) -> io::Result<()> {
        let buffered = (self.end - self.start) as u64;
        let ahead = offset.checked_sub(self.position);
        if let Some(ahead) = ahead.filter(|it| *it <= buffered && self.packing() == Packing::Plain)
        {
            self.consume(usize::try_from(ahead).unwrap_or(0));
            return Ok(());
        }
        self.forget();
        self.layer.seek_to(offset)?;
        self.begin(offset);
        if self.packing() == Packing::Plain {
            self.position = offset;
        }
        Ok(())
    }

    /// After an error: goes on with the next member that can be read and begins as `stop` wants it. Says
    /// whether there is one.
    pub(crate) fn recover(&mut self, stop: fn(&[u8]) -> bool) -> io::Result<bool> {
        self.forget();
        let Some(member) = self.layer.recover(self.member, stop)? else {
            self.member_ended = true;
            return Ok(false);
        };
        self.begin(member);
        Ok(true)
    }

    /// Drops what was buffered.
    fn forget(&mut self) {
        self.start = 0;
        self.end = 0;
        self.seams.clear();
        self.is_blocked = false;
    }

    /// A member was opened that begins here, and nothing of it was read.
    fn begin(&mut self, member: u64) {
        self.member = member;
        self.is_fresh = true;
        self.member_ended = false;
        self.is_blocked = false;
    }

    /// The file, where it is not compressed.
    pub(crate) fn into_input(self) -> io::Result<Box<dyn Input>> {
        self.layer.into_input()
    }

    /// Has `n` bytes in the buffer, or all that are left of the member.
    fn fill(&mut self, n: usize) -> io::Result<()> {
        let n = n.min(PEEK);
        if self.end - self.start >= n || self.member_ended || !self.seams.is_empty() {
            return Ok(());
        }
        self.move_to_front();
        // (The buffer is empty where a member begins.)
        if self.end == 0
            && let Some(len) = self.layer.whole_member(&mut self.buffer)
        {
            self.end = len;
            self.member_ended = true;
            return Ok(());
        }
        self.read_to(n)
    }

    fn move_to_front(&mut self) {
        if self.start == 0 {
            return;
        }
        self.buffer.copy_within(self.start..self.end, 0);
        for seam in &mut self.seams {
            seam.0 -= self.start;
        }
        self.end -= self.start;
        self.start = 0;
    }

    /// Reads until the buffer holds `n` bytes, or the member ends.
    fn read_to(&mut self, n: usize) -> io::Result<()> {
        while self.end < n {
            match self.layer.read(&mut self.buffer[self.end..PEEK]) {
                Ok(0) => {
                    self.member_ended = true;
                    break;
                }
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn next_member(&mut self) -> io::Result<bool> {
        if self.enter_joined() {
            return Ok(true);
        }
        let Some(member) = self.layer.next_member()? else {
            return Ok(false);
        };
        self.begin(member);
        Ok(true)
    }

    /// Goes on to a member whose beginning is in the buffer, if that comes next.
    fn enter_joined(&mut self) -> bool {
        match self.seams.front() {
            Some(&(at, member)) if at == self.start => {
                self.seams.pop_front();
                self.member = member;
                self.is_fresh = true;
                true
            }
            _ => false,
        }
    }

    /// Adds to the buffer what follows in the last member of it, or the beginning of the next one. Returns whether there
    /// is any such member. One that can't be read is removed from the buffer, for the error to occur where it is due.
    fn read_across(&mut self, n: usize) -> bool {
        if self.is_blocked {
            return false;
        }
        self.move_to_front();
        let next = self.layer.offset();
        let added = if self.member_ended {
            self.join_member(n)
        } else {
            self.read_to(n).map(|()| true)
        };
        added.unwrap_or_else(|_| {
            let (at, offset) = self.seams.pop_back().unwrap_or((self.end, next));
            self.end = at;
            self.member_ended = true;
            self.is_blocked = true;
            let _ = self.layer.seek_to(offset);
            false
        })
    }

    fn join_member(&mut self, n: usize) -> io::Result<bool> {
        let Some(member) = self.layer.next_member()? else {
            return Ok(false);
        };
        self.seams.push_back((self.end, member));
        self.member_ended = false;
        // So much shows how it begins.
        self.read_to(n.max(self.end + 16).min(PEEK))?;
        Ok(true)
    }
}

impl Read for Stream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let shown = self.peek(1)?;
        let n = shown.len().min(out.len());
        out[..n].copy_from_slice(&shown[..n]);
        self.consume(n);
        Ok(n)
    }
}

#[cfg(test)]
mod tests;
