//! Outputs that the encodings of the standard do not have: UTF-32, Latin-1, UTF-16 as bytes, and
//! none at all.

use core::mem::MaybeUninit;

use super::buffer::Room;
use super::machine::NATIVE_BE;
use crate::output::{Sink, Utf8Out, Utf16Out};
use crate::simd::{Kernels, Transcoded, as_units, write_only};

/// Code units that are converted at a time where they need a buffer in between.
const BETWEEN: usize = 512;

/// An output of a conversion.
pub(super) trait Target: Sink {
    /// The character that the output can't hold, where that is why it took no more.
    fn refused(&self) -> Option<char> {
        None
    }

    /// How many characters were replaced, where the output is who knows.
    fn replaced(&self) -> Option<usize> {
        None
    }
}

impl Target for Utf8Out<'_> {}
impl Target for Utf16Out<'_> {}

pub(super) fn utf8_out(room: Room<'_, u8>) -> Utf8Out<'_> {
    Utf8Out::new(room.0)
}

pub(super) fn utf16_out(room: Room<'_, u16>) -> Utf16Out<'_> {
    Utf16Out::new(room.0)
}

/// A buffer of UTF-32 code units.
pub(super) struct Utf32Out<'a> {
    buf: &'a mut [MaybeUninit<u32>],
    len: usize,
}

impl<'a> Utf32Out<'a> {
    pub(super) fn new(room: Room<'a, u32>) -> Self {
        Utf32Out {
            buf: room.0,
            len: 0,
        }
    }
}

impl Sink for Utf32Out<'_> {
    fn written(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn put(&mut self, ch: char) -> bool {
        match self.buf.get_mut(self.len) {
            Some(to) => {
                to.write(u32::from(ch));
                self.len += 1;
                true
            }
            None => false,
        }
    }

    fn put_utf8_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        let (read, written) = (kernels.utf8_to_utf32)(src, &mut self.buf[self.len..]);
        self.len += written;
        read
    }

    fn put_utf8_lossy(&mut self, kernels: &Kernels, src: &[u8]) -> Transcoded {
        /// Bytes that are converted by way of UTF-16 where something is malformed.
        const AROUND: usize = 256;
        let before = self.len;
        let (mut read, mut errors) = (0, 0);
        loop {
            read += self.put_utf8_run(kernels, &src[read..]);
            let ahead = &src[read..];
            let room = &mut self.buf[self.len..];
            let mut units = [0; AROUND];
            // No more units than there is room for scalar values, so that all of them fit.
            let fitting = write_only(&mut units[..room.len().min(AROUND)]);
            let window = &ahead[..ahead.len().min(AROUND)];
            let done = (kernels.utf8_to_utf16_lossy)(window, fitting);
            let (_, written) = (kernels.utf16_to_utf32)(&units[..done.written], room);
            self.len += written;
            read += done.read;
            errors += done.errors;
            if done.read == 0 {
                return Transcoded {
                    read,
                    written: self.len - before,
                    errors,
                };
            }
        }
    }

    fn put_utf16_run<const BE: bool>(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        in_native_units::<BE>(src, |units| {
            let (read, written) = (kernels.utf16_to_utf32)(units, &mut self.buf[self.len..]);
            self.len += written;
            read
        })
    }

    fn put_utf32_run(&mut self, kernels: &Kernels, src: &[u32]) -> usize {
        let read = copy_scalars(kernels, src, &mut self.buf[self.len..]);
        self.len += read;
        read
    }

    fn put_latin1_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        let written = (kernels.latin1_to_utf32)(src, &mut self.buf[self.len..]);
        self.len += written;
        written
    }
}

impl Target for Utf32Out<'_> {}

/// Copies the prefix of scalar values, as far as there is room.
pub(super) fn copy_scalars(kernels: &Kernels, src: &[u32], room: &mut [MaybeUninit<u32>]) -> usize {
    let len = src.len().min(room.len());
    let (src, room) = (&src[..len], &mut room[..len]);
    let mut done = 0;
    // So few at a time that they are still in the first-level cache when they are copied.
    for (from, to) in src.chunks(BETWEEN).zip(room.chunks_mut(BETWEEN)) {
        let valid = (kernels.utf32_valid_prefix)(from);
        for (to, &unit) in to.iter_mut().zip(&from[..valid]) {
            *to = MaybeUninit::new(unit);
        }
        done += valid;
        if valid < from.len() {
            break;
        }
    }
    done
}

/// Gives `kernel` the units of UTF-16 bytes, in order, until it takes none; it returns how many it
/// has taken. Returns the bytes taken.
fn in_native_units<const BE: bool>(src: &[u8], mut kernel: impl FnMut(&[u16]) -> usize) -> usize {
    let (units, _) = src.as_chunks::<2>();
    if BE == NATIVE_BE
        && let Ok(units) = bytemuck::try_cast_slice(units)
    {
        return 2 * kernel(units);
    }
    let mut between = [0; BETWEEN];
    let mut read = 0;
    loop {
        let ahead = &units[read..];
        for (to, unit) in between.iter_mut().zip(ahead) {
            *to = if BE {
                u16::from_be_bytes(*unit)
            } else {
                u16::from_le_bytes(*unit)
            };
        }
        let taken = kernel(&between[..ahead.len().min(BETWEEN)]);
        read += taken;
        if taken == 0 {
            return 2 * read;
        }
    }
}

/// Sums up what `count` says of UTF-16 bytes.
pub(super) fn sum_in_native_units<const BE: bool>(src: &[u8], count: fn(&[u16]) -> usize) -> usize {
    let (mut sum, mut left) = (0, src.len() / 2);
    in_native_units::<BE>(src, |units| {
        // A pair is counted as a whole; at the end there is none.
        let whole = match units {
            [whole @ .., 0xD800..=0xDBFF] if units.len() < left => whole,
            _ => units,
        };
        sum += count(whole);
        left -= whole.len();
        whole.len()
    });
    sum
}

/// A buffer of Latin-1, which refuses or replaces characters above U+00FF.
pub(super) struct Latin1Out<'a> {
    buf: &'a mut [MaybeUninit<u8>],
    len: usize,
    refused: Option<char>,
    replaced: Option<usize>,
}

impl<'a> Latin1Out<'a> {
    pub(super) fn strict(room: Room<'a, u8>) -> Self {
        Latin1Out {
            buf: room.0,
            len: 0,
            refused: None,
            replaced: None,
        }
    }

    /// Writes a question mark for each character above U+00FF.
    pub(super) fn lossy(room: Room<'a, u8>) -> Self {
        Latin1Out {
            replaced: Some(0),
            ..Self::strict(room)
        }
    }
}

impl Sink for Latin1Out<'_> {
    fn written(&self) -> usize {
        self.len
    }

    fn put(&mut self, ch: char) -> bool {
        let byte = u8::try_from(ch);
        if byte.is_err() && self.replaced.is_none() {
            self.refused = Some(ch);
            return false;
        }
        let Some(to) = self.buf.get_mut(self.len) else {
            return false;
        };
        to.write(byte.unwrap_or(b'?'));
        self.len += 1;
        if byte.is_err()
            && let Some(replaced) = &mut self.replaced
        {
            *replaced += 1;
        }
        true
    }

    fn put_utf8_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        let (read, written) = (kernels.utf8_to_latin1)(src, &mut self.buf[self.len..]);
        self.len += written;
        read
    }

    fn put_utf16_run<const BE: bool>(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        in_native_units::<BE>(src, |units| {
            let written = (kernels.utf16_to_latin1)(units, &mut self.buf[self.len..]);
            self.len += written;
            written
        })
    }

    fn put_utf32_run(&mut self, kernels: &Kernels, src: &[u32]) -> usize {
        let written = (kernels.utf32_to_latin1)(src, &mut self.buf[self.len..]);
        self.len += written;
        written
    }
}

impl Target for Latin1Out<'_> {
    fn refused(&self) -> Option<char> {
        self.refused
    }

    fn replaced(&self) -> Option<usize> {
        self.replaced
    }
}

/// A buffer of UTF-16 as bytes, at any alignment. Its length is in bytes and even.
pub(super) struct Utf16BytesOut<'a, const BE: bool> {
    buf: &'a mut [MaybeUninit<u8>],
    len: usize,
}

impl<'a, const BE: bool> Utf16BytesOut<'a, BE> {
    pub(super) fn new(room: Room<'a, u8>) -> Self {
        Utf16BytesOut {
            buf: room.0,
            len: 0,
        }
    }

    /// Lets `put_run` write into UTF-16 code units until it reads nothing more. It gets the units
    /// read so far, and returns how many it has read.
    fn put_run(&mut self, mut put_run: impl FnMut(&mut Utf16Out<'_>, usize) -> usize) -> usize {
        let room = &mut self.buf[self.len..];
        if BE == NATIVE_BE
            && let Some(units) = as_units(room)
        {
            let mut out = Utf16Out::new(units);
            let read = put_run(&mut out, 0);
            self.len += 2 * out.written();
            return read;
        }
        let mut between = [0; BETWEEN];
        let mut read = 0;
        loop {
            let (room, _) = self.buf[self.len..].as_chunks_mut::<2>();
            let fitting = room.len().min(BETWEEN);
            let mut out = Utf16Out::new(write_only(&mut between[..fitting]));
            let taken = put_run(&mut out, read);
            let written = out.written();
            for (to, unit) in room.iter_mut().zip(&between[..written]) {
                *to = in_order::<BE>(*unit).map(MaybeUninit::new);
            }
            self.len += 2 * written;
            read += taken;
            if taken == 0 {
                return read;
            }
        }
    }
}

#[inline(always)]
fn in_order<const BE: bool>(unit: u16) -> [u8; 2] {
    if BE {
        unit.to_be_bytes()
    } else {
        unit.to_le_bytes()
    }
}

impl<const BE: bool> Sink for Utf16BytesOut<'_, BE> {
    fn written(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn put(&mut self, ch: char) -> bool {
        let (room, _) = self.buf[self.len..].as_chunks_mut::<2>();
        let mut units = [0; 2];
        let units = ch.encode_utf16(&mut units);
        let Some(to) = room.get_mut(..units.len()) else {
            return false;
        };
        for (to, unit) in to.iter_mut().zip(&*units) {
            *to = in_order::<BE>(*unit).map(MaybeUninit::new);
        }
        self.len += 2 * units.len();
        true
    }

    fn put_utf8_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        let kernel = if BE {
            kernels.utf8_to_utf16be
        } else {
            kernels.utf8_to_utf16le
        };
        let (read, written) = kernel(src, &mut self.buf[self.len..]);
        self.len += written;
        read
    }

    fn put_utf16_run<const OF_BE: bool>(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        self.put_run(|out, read| out.put_utf16_run::<OF_BE>(kernels, &src[read..]))
    }

    fn put_utf16_lossy<const OF_BE: bool>(&mut self, kernels: &Kernels, src: &[u8]) -> Transcoded {
        let before = self.len;
        let mut errors = 0;
        let read = self.put_run(|out, read| {
            let done = out.put_utf16_lossy::<OF_BE>(kernels, &src[read..]);
            errors += done.errors;
            done.read
        });
        Transcoded {
            read,
            written: self.len - before,
            errors,
        }
    }

    fn put_utf32_run(&mut self, kernels: &Kernels, src: &[u32]) -> usize {
        self.put_run(|out, read| out.put_utf32_run(kernels, &src[read..]))
    }

    fn put_latin1_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        self.put_run(|out, read| out.put_latin1_run(kernels, &src[read..]))
    }
}

impl<const BE: bool> Target for Utf16BytesOut<'_, BE> {}

/// No output, for whoever only wants to know whether the input is well-formed.
pub(super) struct Nowhere;

impl Sink for Nowhere {
    fn written(&self) -> usize {
        0
    }

    #[inline(always)]
    fn put(&mut self, _: char) -> bool {
        true
    }

    fn put_utf8_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        (kernels.utf8_valid_prefix)(src)
    }

    fn put_utf16_run<const BE: bool>(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        in_native_units::<BE>(src, kernels.utf16_valid_prefix)
    }

    fn put_utf32_run(&mut self, kernels: &Kernels, src: &[u32]) -> usize {
        (kernels.utf32_valid_prefix)(src)
    }
}

impl Target for Nowhere {}
