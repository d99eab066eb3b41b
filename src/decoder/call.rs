//! One call of a decoder: the byte order mark, and then the loop.

use super::{Before, Decoder};
use crate::codec::{AnyDecoder, Decode, on_machine};
use crate::drive::{self, ErrorMode, Front, MAX_SHORT_BYTES, Outcome, Queue, Run};
use crate::encoding::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use crate::output::Sink;
use crate::output::run::{FromAscii, FromUtf16Front};
use crate::progress::{Bom, Progress, Status};
use crate::simd::fill::LittleRoom;
use crate::simd::short_encoded::{MAX_INLINE, MAX_INLINE_ASCII, starts_with_utf16_ascii};

/// The room for which single-byte encodings and UTF-16 are decoded inline: it is known how many bytes fill it.
const ONE_UNIT_EACH: LittleRoom = LittleRoom {
    utf8: 0,
    utf16: MAX_INLINE + 1,
};

/// The room for which UTF-16 that is ASCII is decoded inline.
const UTF16_ASCII: LittleRoom = LittleRoom {
    utf8: MAX_INLINE_ASCII + 1,
    utf16: 0,
};

/// The room for which x-user-defined is decoded inline: from 64 units on a kernel is as fast.
const USER_DEFINED: LittleRoom = LittleRoom { utf8: 0, utf16: 64 };

/// The number of bytes after a malformed sequence in which another one is likely.
const NEAR: u64 = 256;

/// The maximum length of the front of an incomplete character, in bytes.
const MAX_FRONT: usize = 3;

/// What a call did that has read `read` bytes.
#[inline(always)]
fn done<S: Sink>(status: Status, read: usize, errors: usize, out: &S) -> Progress {
    Progress {
        status,
        read,
        written: out.written(),
        errors,
    }
}

impl Decoder {
    pub(super) fn decode<S: Sink>(
        &mut self,
        src: &[u8],
        out: &mut S,
        last: bool,
        error_mode: ErrorMode<'_>,
    ) -> Progress {
        match self.before {
            Before::Nothing => {}
            Before::End => self.reset(),
            Before::Error => return self.decode_near_error(src, out, last, error_mode),
        }
        if self.at_start && !self.starts_without_bom(src) {
            return self.decode_after_bom(src, out, last, error_mode);
        }
        let (mut src, mut of_held) = (src, 0);
        if self.queue.held.len() > 0 {
            // Inlined for UTF-8 only: with a call, pieces of 15 bytes take 18 ns instead of 17.
            let finished = match self.machine {
                AnyDecoder::Utf8(_) => self.finish_held(src, out),
                _ => None,
            };
            let Some(read) = finished else {
                return self.decode_after_held(src, out, last, error_mode);
            };
            (src, of_held) = (src.get(read..).unwrap_or_default(), read);
        }
        if src.len() <= MAX_INLINE_ASCII && self.try_short(src, out) {
            self.queue.offset += src.len() as u64;
            self.before = Before::end_if(last);
            return done(Status::InputEmpty, of_held + src.len(), 0, out);
        }
        let room = out.room();
        if room <= MAX_INLINE_ASCII
            && room < src.len()
            && let Some(read) = self.try_front(src, room, out)
        {
            self.queue.offset += read as u64;
            return done(Status::OutputFull, of_held + read, 0, out);
        }
        let replace = matches!(error_mode, ErrorMode::Replace);
        // Usually a kernel reads all of it.
        let run = if src.len() > MAX_SHORT_BYTES {
            on_machine!(AnyDecoder, &mut self.machine, machine => {
                drive::decode_run(machine, self.kernels, src, replace, out)
            })
        } else {
            Run::default()
        };
        self.queue.offset += run.read as u64;
        if run.full {
            return done(Status::OutputFull, of_held + run.read, run.errors, out);
        }
        let rest = src.get(run.read..).unwrap_or_default();
        if rest.is_empty() || !last && self.hold_front(rest) {
            self.before = Before::end_if(last);
            return done(Status::InputEmpty, of_held + src.len(), run.errors, out);
        }
        let mut progress = self.decode_rest(rest, out, last, error_mode);
        progress.read += of_held + run.read;
        progress.errors += run.errors;
        progress
    }

    /// Decodes while bytes are held. A separate function, like the next ones: the stack frame that they need
    /// would cost short text a fifth of its time.
    #[inline(never)]
    fn decode_after_held<S: Sink>(
        &mut self,
        src: &[u8],
        out: &mut S,
        last: bool,
        error_mode: ErrorMode<'_>,
    ) -> Progress {
        let finished = match self.machine {
            // Tried by the caller.
            AnyDecoder::Utf8(_) => None,
            _ => self.finish_held(src, out),
        };
        let Some(read) = finished else {
            return self.decode_short(src, out, last, error_mode);
        };
        if read == src.len() {
            self.before = Before::end_if(last);
            return done(Status::InputEmpty, read, 0, out);
        }
        let rest = src.get(read..).unwrap_or_default();
        let mut progress = self.decode(rest, out, last, error_mode);
        progress.read += read;
        progress
    }

    /// Decodes the character whose front is held, and returns how many bytes of `src` belong to it. Returns
    /// `None`, and decodes nothing, if it is not complete or does not fit, or if something else is held.
    #[inline(always)]
    fn finish_held<S: Sink>(&mut self, src: &[u8], out: &mut S) -> Option<usize> {
        let held = self.queue.held.len();
        let (bridge, more) = self.queue.held.bridge(src);
        let Front::Char(ch, len) = drive::front(&self.machine, &bridge[..held + more]) else {
            return None;
        };
        let read = len.checked_sub(held)?;
        if !out.put(ch) {
            return None;
        }
        self.queue = Queue {
            offset: self.queue.offset + len as u64,
            ..Queue::default()
        };
        Some(read)
    }

    /// Holds `rest`, if it is the front of a character.
    #[inline(always)]
    fn hold_front(&mut self, rest: &[u8]) -> bool {
        let is_front = rest.len() <= MAX_FRONT
            && matches!(drive::front(&self.machine, rest), Front::Incomplete);
        if is_front {
            self.queue.held.extend(rest);
        }
        is_front
    }

    /// Decodes what is held, and all of `src` if that is only a few bytes.
    #[inline(never)]
    fn decode_short<S: Sink>(
        &mut self,
        src: &[u8],
        out: &mut S,
        last: bool,
        error_mode: ErrorMode<'_>,
    ) -> Progress {
        let replace = matches!(error_mode, ErrorMode::Replace);
        let (run, status) =
            drive::decode_short(&mut self.machine, &mut self.queue, src, last, replace, out);
        if let Some(status) = status {
            self.before = Before::end_if(last && status == Status::InputEmpty);
            return done(status, run.read, run.errors, out);
        }
        let rest = src.get(run.read..).unwrap_or_default();
        let mut progress = if self.queue.held.len() == 0 && rest.len() > MAX_SHORT_BYTES {
            self.decode(rest, out, last, error_mode)
        } else {
            self.decode_by_loop(rest, out, last, error_mode)
        };
        progress.read += run.read;
        progress.errors += run.errors;
        progress
    }

    /// Decodes where another malformed sequence is likely. A separate function that is called at once: later in
    /// [`Decoder::decode`], the mere call made UTF-8 into 256 bytes take 1.15 times as long.
    #[inline(never)]
    fn decode_near_error<S: Sink>(
        &mut self,
        src: &[u8],
        out: &mut S,
        last: bool,
        error_mode: ErrorMode<'_>,
    ) -> Progress {
        self.before = Before::Nothing;
        let replace = matches!(error_mode, ErrorMode::Replace);
        let without_kernel = replace
            && self.queue.held.len() == 0
            && on_machine!(AnyDecoder, &self.machine, machine => {
                drive::replaces_without_kernel(machine, self.kernels, src, out)
            });
        let progress = if without_kernel {
            self.replace_without_kernel(src, out, last)
        } else {
            self.decode(src, out, last, error_mode)
        };
        if self.queue.offset < self.near_error_until && self.before == Before::Nothing {
            self.before = Before::Error;
        }
        progress
    }

    /// Decodes into little room, with U+FFFD for malformed sequences.
    fn replace_without_kernel<S: Sink>(&mut self, src: &[u8], out: &mut S, last: bool) -> Progress {
        let room = out.room();
        let run = if room <= MAX_INLINE_ASCII
            && let Some((front, rest)) = src.split_at_checked(room)
            && rest.first().is_some_and(u8::is_ascii)
            && self.try_ascii(front, out)
        {
            Run {
                read: room,
                errors: 0,
                full: true,
            }
        } else {
            on_machine!(AnyDecoder, &mut self.machine, machine => {
                machine.fill_replacing(self.kernels, src, out).into()
            })
        };
        self.queue.offset += run.read as u64;
        if run.errors > 0 {
            self.near_error_until = self.queue.offset + NEAR;
        }
        let rest = src.get(run.read..).unwrap_or_default();
        let mut progress = if run.full || rest.is_empty() {
            self.before = Before::end_if(last && !run.full);
            let status = if run.full {
                Status::OutputFull
            } else {
                Status::InputEmpty
            };
            done(status, 0, 0, out)
        } else {
            self.decode_rest(rest, out, last, ErrorMode::Replace)
        };
        progress.read += run.read;
        progress.errors += run.errors;
        progress
    }

    /// Decodes what a kernel has left.
    #[inline(never)]
    fn decode_rest<S: Sink>(
        &mut self,
        src: &[u8],
        out: &mut S,
        last: bool,
        error_mode: ErrorMode<'_>,
    ) -> Progress {
        let progress = if src.len() <= MAX_SHORT_BYTES {
            self.decode_short(src, out, last, error_mode)
        } else {
            self.decode_by_loop(src, out, last, error_mode)
        };
        if progress.errors > 0 && self.before == Before::Nothing {
            self.before = Before::Error;
            self.near_error_until = self.queue.offset + NEAR;
        }
        progress
    }

    fn decode_by_loop<S: Sink>(
        &mut self,
        src: &[u8],
        out: &mut S,
        last: bool,
        error_mode: ErrorMode<'_>,
    ) -> Progress {
        let (machine, queue) = (&mut self.machine, &mut self.queue);
        let Outcome {
            status,
            read,
            errors,
        } = drive::decode(machine, queue, self.kernels, src, last, out, error_mode);
        self.before = Before::end_if(last && status == Status::InputEmpty);
        done(status, read, errors, out)
    }

    /// Decodes all of `src` if it is short, well-formed and fits, or else nothing. Returns whether it did.
    #[inline(always)]
    fn try_short<S: Sink>(&self, src: &[u8], out: &mut S) -> bool {
        // ASCII before any table is read. x-user-defined takes 0.75 times as long this way, up to 64 bytes.
        self.try_ascii(src, out)
            || self.kernels.inline_short
                && (src.len() <= 2 * MAX_INLINE
                    || matches!(self.machine, AnyDecoder::XUserDefined(_)))
                && on_machine!(AnyDecoder, &self.machine, machine => machine.try_short(src, out))
    }

    /// Decodes as many bytes as become `room` units, one each, or two in UTF-16, if a character follows them, or else
    /// nothing. Returns the number of bytes. ASCII, of which pages are full, is decoded here whatever the encoding; other
    /// text only to up to [`MAX_INLINE`] code units of UTF-16.
    #[inline(always)]
    fn try_front<S: Sink>(&self, src: &[u8], room: usize, out: &mut S) -> Option<usize> {
        if !self.kernels.inline_short {
            return None;
        }
        // Any text to up to `MAX_INLINE` code units, of which single-byte encodings have as many as bytes.
        let any = out.has_less_room_than(ONE_UNIT_EACH, usize::MAX);
        if let AnyDecoder::Utf16(machine) = &self.machine {
            let is_big_endian = machine.is_big_endian;
            let ascii = out.has_less_room_than(UTF16_ASCII, usize::MAX)
                && starts_with_utf16_ascii(is_big_endian, src);
            if !any && !ascii {
                return None;
            }
            let (front, rest) = src.split_at_checked(2 * room)?;
            let done = machine.starts_with_character(rest)
                && out.try_short(FromUtf16Front { is_big_endian }, front);
            return done.then_some(2 * room);
        }
        let (front, rest) = src.split_at_checked(room)?;
        // One branch for three bytes: in text of words, a branch for one of them would often be mispredicted.
        if let ([first, .., last], [next, ..]) = (front, rest)
            && (first | last | next).is_ascii()
            && self.try_ascii(front, out)
        {
            return Some(room);
        }
        let done = match &self.machine {
            AnyDecoder::SingleByte(machine) if any => {
                machine.starts_with_character(rest) && machine.try_short(front, out)
            }
            AnyDecoder::XUserDefined(machine)
                if out.has_less_room_than(USER_DEFINED, usize::MAX) =>
            {
                machine.try_short(front, out)
            }
            _ => false,
        };
        done.then_some(room)
    }

    /// Decodes all of `src` if it is short and ASCII, and fits, or else nothing. Returns whether it did.
    #[inline(always)]
    fn try_ascii<S: Sink>(&self, src: &[u8], out: &mut S) -> bool {
        self.kernels.inline_short
            && src.first().is_some_and(u8::is_ascii)
            && self.machine.is_ascii_compatible()
            && out.try_short(FromAscii, src)
    }

    /// Returns whether the first byte already rules out a byte order mark.
    #[inline(always)]
    fn starts_without_bom(&mut self, src: &[u8]) -> bool {
        let without = self.queue.held.len() == 0
            && src
                .first()
                .is_some_and(|byte| !matches!(byte, 0xEF | 0xFE | 0xFF));
        self.at_start &= !without;
        without
    }

    /// Decodes while the first bytes may be a byte order mark, or part of one.
    #[cold]
    fn decode_after_bom<S: Sink>(
        &mut self,
        src: &[u8],
        out: &mut S,
        last: bool,
        error_mode: ErrorMode<'_>,
    ) -> Progress {
        let Some(of_bom) = self.look_for_bom(src, last) else {
            self.queue.held.extend(src);
            return done(Status::InputEmpty, src.len(), 0, out);
        };
        let rest = src.get(of_bom..).unwrap_or_default();
        let mut progress = self.decode(rest, out, last, error_mode);
        progress.read += of_bom;
        progress
    }

    /// Decides about the byte order mark, and returns how many bytes of `src` belong to it. Returns `None` if
    /// the bytes so far may be the front of one and more may come.
    #[cold]
    fn look_for_bom(&mut self, src: &[u8], last: bool) -> Option<usize> {
        let held = self.queue.held.len();
        let (bridge, more) = self.queue.held.bridge(src);
        let head = &bridge[..held + more];
        let marks: [(&'static Encoding, &[u8]); 3] = [
            (UTF_8, b"\xEF\xBB\xBF"),
            (UTF_16BE, b"\xFE\xFF"),
            (UTF_16LE, b"\xFF\xFE"),
        ];
        let mut wanted = marks
            .iter()
            .filter(|(encoding, _)| self.bom == Bom::Sniff || *encoding == self.original);
        if !last
            && wanted
                .clone()
                .any(|(_, mark)| mark.len() > head.len() && mark.starts_with(head))
        {
            return None;
        }
        self.at_start = false;
        match wanted.find(|(_, mark)| head.starts_with(mark)) {
            Some((encoding, mark)) => {
                self.encoding = encoding;
                self.machine = encoding.codec().decoder();
                self.queue = Queue {
                    offset: mark.len() as u64,
                    ..Queue::default()
                };
                Some(mark.len() - held)
            }
            None => Some(0),
        }
    }
}
