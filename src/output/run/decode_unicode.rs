//! The conversions that decoders of ASCII, Latin-1 and the Unicode encodings have kernels do.

use core::mem::{MaybeUninit, transmute};

use super::little_room::{
    self, MIN_ROOM_BYTES, MIN_ROOM_UNITS, is_for_buffer, is_for_turns, utf16_to_utf8_by_turns,
};
use super::{DecodeRun, DecodeShort, equal_counts};
use crate::output::NATIVE_BE;
use crate::simd::fill::{
    DamagedUtf8Source, Fill, Utf8Source, Utf16BytesSource, fill, fill_after, starts_with_more_than,
    starts_with_more_units_than, whole_characters,
};
use crate::simd::{Kernels, Transcoded, as_units, short_encoded, write_only};

/// The number of units that are converted at a time if they need a buffer in between.
const BETWEEN: usize = 512;

/// The number of units that are written at a time before they become bytes. The buffer for them is never cleared.
const BEFORE_BYTES: usize = 2048;

/// ASCII bytes.
#[derive(Clone, Copy)]
pub(crate) struct FromAscii;

// SAFETY: kernels of the table do what the trait requires.
unsafe impl DecodeRun for FromAscii {
    type From = u8;

    #[inline(always)]
    fn into_utf8(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        equal_counts((kernels.ascii_to_utf8())(src, to))
    }

    #[inline(always)]
    fn into_utf16(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Transcoded {
        equal_counts((kernels.ascii_to_utf16())(src, to))
    }
}

// SAFETY: `short_encoded` counts what it has written: ASCII.
unsafe impl DecodeShort for FromAscii {
    #[inline(always)]
    fn try_into_utf8(self, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        short_encoded::ascii(src, to)
    }

    #[inline(always)]
    fn try_into_utf16(self, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Option<usize> {
        short_encoded::ascii_to_utf16(src, to)
    }
}

/// Well-formed UTF-8.
#[derive(Clone, Copy)]
pub(crate) struct FromUtf8;

// SAFETY: kernels of the table do what the trait requires.
unsafe impl DecodeRun for FromUtf8 {
    type From = u8;

    #[inline(always)]
    fn into_utf8(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        equal_counts((kernels.utf8_to_utf8())(src, to))
    }

    #[inline(always)]
    fn into_utf16(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Transcoded {
        if is_for_buffer(src, to) {
            return little_room::utf8_to_utf16_apart(kernels, src, to).into();
        }
        (kernels.utf8_to_utf16())(src, to).into()
    }

    #[inline(never)]
    fn fill_utf8(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Fill {
        let window = &src[..src.len().min(to.len())];
        let whole = &window[..whole_characters(window)];
        let len = (kernels.utf8_to_utf8())(whole, to);
        let full = len == whole.len() && starts_with_more_than(to.len() - len, &src[len..]);
        Fill {
            read: len,
            written: len,
            errors: 0,
            full,
        }
    }

    #[inline(never)]
    fn fill_utf16(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Fill {
        let front = little_room::utf8_to_utf16(kernels, src, to);
        fill_after(front, Utf8Source, src, to)
    }

    #[inline(always)]
    fn into_utf16_bytes<const BE: bool>(
        self,
        kernels: &Kernels,
        src: &[u8],
        to: &mut [MaybeUninit<u8>],
    ) -> Transcoded {
        units_as_bytes::<BE>(to, |read, to| {
            let mut ahead = &src[read..];
            if to.len() == BEFORE_BYTES {
                // There are no more units than bytes, so the kernel never comes near the end of the room, where it is
                // slower.
                ahead = &ahead[..ahead.len().min(BEFORE_BYTES)];
            }
            (kernels.utf8_to_utf16())(ahead, to).into()
        })
    }

    #[inline(always)]
    fn into_utf32(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u32>]) -> Transcoded {
        (kernels.utf8_to_utf32())(src, to).into()
    }

    #[inline(always)]
    fn into_latin1(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        (kernels.utf8_to_latin1())(src, to).into()
    }

    #[inline(always)]
    fn valid_prefix(self, kernels: &Kernels, src: &[u8]) -> usize {
        (kernels.utf8_valid_prefix())(src)
    }
}

/// UTF-8 with U+FFFD in place of malformed sequences. May stop before one, as [`FromUtf8`] does.
#[derive(Clone, Copy)]
pub(crate) struct FromUtf8Lossy;

// SAFETY: kernels of the table do what the trait requires, and so does `FromUtf8`.
unsafe impl DecodeRun for FromUtf8Lossy {
    type From = u8;

    #[inline(always)]
    fn into_utf8(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        (kernels.utf8_to_utf8_lossy())(src, to)
    }

    #[inline(always)]
    fn into_utf16(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Transcoded {
        let mut done = Transcoded::NOTHING;
        if is_for_buffer(src, to) {
            done = little_room::utf8_to_utf16_apart(kernels, src, to).into();
            if to.len() - done.written < MIN_ROOM_UNITS {
                return done;
            }
        }
        let (ahead, room) = done.rest(src, to);
        done.then((kernels.utf8_to_utf16_lossy())(ahead, room))
    }

    #[inline(never)]
    fn fill_utf8(self, _: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Fill {
        fill(DamagedUtf8Source, src, to)
    }

    #[inline(never)]
    fn fill_utf16(self, _: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Fill {
        fill(DamagedUtf8Source, src, to)
    }

    fn into_utf16_bytes<const BE: bool>(
        self,
        kernels: &Kernels,
        src: &[u8],
        to: &mut [MaybeUninit<u8>],
    ) -> Transcoded {
        FromUtf8.into_utf16_bytes::<BE>(kernels, src, to)
    }

    fn into_utf32(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u32>]) -> Transcoded {
        /// The number of bytes that are converted by way of UTF-16 if something is malformed.
        const DETOUR: usize = 256;
        let mut done = Transcoded::NOTHING;
        loop {
            let (ahead, free) = done.rest(src, to);
            let by_run = FromUtf8.into_utf32(kernels, ahead, free);
            done = done.then(by_run);
            let (ahead, free) = by_run.rest(ahead, free);
            let mut units = [0; DETOUR];
            // At most as many units as there is room for scalar values, so that all of them fit.
            let fitting = write_only(&mut units[..free.len().min(DETOUR)]);
            let window = &ahead[..ahead.len().min(DETOUR)];
            let lossy = (kernels.utf8_to_utf16_lossy())(window, fitting);
            let (_, written) = (kernels.utf16_to_utf32())(&units[..lossy.written], free);
            done.read += lossy.read;
            done.written += written;
            done.errors += lossy.errors;
            if lossy.read == 0 {
                return done;
            }
        }
    }

    fn into_latin1(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        FromUtf8.into_latin1(kernels, src, to)
    }
}

/// Well-formed UTF-16, as bytes at any alignment.
#[derive(Clone, Copy)]
pub(crate) struct FromUtf16<const BE: bool>;

// SAFETY: kernels of the table do what the trait requires, and so does `short_encoded`; if units go through a
// buffer, what was written is counted.
unsafe impl<const BE: bool> DecodeRun for FromUtf16<BE> {
    type From = u8;

    #[inline(always)]
    fn into_utf8(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        if is_for_turns(src, to) {
            return utf16_to_utf8_by_turns(BE, kernels, src, to).into();
        }
        let kernel = if BE {
            kernels.utf16be_to_utf8()
        } else {
            kernels.utf16le_to_utf8()
        };
        kernel(src, to).into()
    }

    #[inline(always)]
    fn into_utf16(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Transcoded {
        let kernel = if BE {
            kernels.utf16be_to_utf16()
        } else {
            kernels.utf16le_to_utf16()
        };
        let written = kernel(src, to);
        (2 * written, written).into()
    }

    #[inline(always)]
    fn fill_utf8(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Fill {
        fill_utf16_as_utf8(BE, kernels, src, to)
    }

    #[inline(never)]
    fn fill_utf16(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Fill {
        let window = &src[..src.len().min(2 * to.len())];
        let units = match short_encoded::utf16::<BE>(window, to) {
            Some(units) => units,
            None => self.into_utf16(kernels, window, to).written,
        };
        // What else is left is malformed, or cut.
        let full = starts_with_more_units_than::<BE>(to.len() - units, &src[2 * units..]);
        Fill {
            read: 2 * units,
            written: units,
            errors: 0,
            full,
        }
    }

    fn into_utf16_bytes<const TO_BE: bool>(
        self,
        kernels: &Kernels,
        src: &[u8],
        to: &mut [MaybeUninit<u8>],
    ) -> Transcoded {
        units_as_bytes::<TO_BE>(to, |read, to| self.into_utf16(kernels, &src[read..], to))
    }

    fn into_utf32(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u32>]) -> Transcoded {
        let mut written = 0;
        let read = in_native_units::<BE>(src, |units| {
            let (read, put) = (kernels.utf16_to_utf32())(units, &mut to[written..]);
            written += put;
            read
        });
        (read, written).into()
    }

    fn into_latin1(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        let mut written = 0;
        let read = in_native_units::<BE>(src, |units| {
            let put = (kernels.utf16_to_latin1())(units, &mut to[written..]);
            written += put;
            put
        });
        (read, written).into()
    }

    fn valid_prefix(self, kernels: &Kernels, src: &[u8]) -> usize {
        in_native_units::<BE>(src, kernels.utf16_valid_prefix())
    }
}

// SAFETY: `short_encoded` counts what it has written: characters.
unsafe impl<const BE: bool> DecodeShort for FromUtf16<BE> {
    #[inline(always)]
    fn try_into_utf8(self, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        short_encoded::utf16_to_utf8::<BE>(src, to)
    }

    #[inline(always)]
    fn try_into_utf16(self, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Option<usize> {
        short_encoded::utf16::<BE>(src, to)
    }
}

/// [`DecodeRun::fill_utf8`] of [`FromUtf16`]: one function for both byte orders, as it is large.
#[inline(never)]
fn fill_utf16_as_utf8(
    is_big_endian: bool,
    kernels: &Kernels,
    src: &[u8],
    to: &mut [MaybeUninit<u8>],
) -> Fill {
    let front = if is_for_turns(src, to) {
        utf16_to_utf8_by_turns(is_big_endian, kernels, src, to)
    } else if to.len() < MIN_ROOM_BYTES {
        (0, 0)
    } else if to.len() < 2 * 15
        && let Some(written) = short_encoded::five_of_three_bytes(is_big_endian, src, to)
    {
        // Into 16 bytes, Japanese takes 0.8 times as long this way.
        (10, written)
    } else {
        little_room::utf16_to_utf8(is_big_endian, kernels, src, to)
    };
    fill_after(front, Utf16BytesSource::new(is_big_endian), src, to)
}

/// The front of UTF-16: to UTF-8 only ASCII. As calls, because it is seldom at the end of a text.
pub(crate) struct FromUtf16Front {
    pub(crate) is_big_endian: bool,
}

// SAFETY: `short_encoded` counts what it has written: ASCII, or characters.
unsafe impl DecodeShort for FromUtf16Front {
    #[inline(always)]
    fn try_into_utf8(self, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        short_encoded::utf16_bytes_to_ascii(self.is_big_endian, src, to)
    }

    #[inline(never)]
    fn try_into_utf16(self, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Option<usize> {
        if self.is_big_endian {
            short_encoded::utf16::<true>(src, to)
        } else {
            short_encoded::utf16::<false>(src, to)
        }
    }
}

/// UTF-16, as bytes at any alignment, with U+FFFD in place of lone surrogates. May stop before one, as
/// [`FromUtf16`] does.
#[derive(Clone, Copy)]
pub(crate) struct FromUtf16Lossy<const BE: bool>;

// SAFETY: kernels of the table do what the trait requires, and so does `FromUtf16`.
unsafe impl<const BE: bool> DecodeRun for FromUtf16Lossy<BE> {
    type From = u8;

    #[inline(always)]
    fn into_utf8(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        let kernel = if BE {
            kernels.utf16be_to_utf8_lossy()
        } else {
            kernels.utf16le_to_utf8_lossy()
        };
        kernel(src, to)
    }

    #[inline(always)]
    fn into_utf16(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Transcoded {
        let kernel = if BE {
            kernels.utf16be_to_utf16_lossy()
        } else {
            kernels.utf16le_to_utf16_lossy()
        };
        kernel(src, to)
    }

    fn into_utf16_bytes<const TO_BE: bool>(
        self,
        kernels: &Kernels,
        src: &[u8],
        to: &mut [MaybeUninit<u8>],
    ) -> Transcoded {
        units_as_bytes::<TO_BE>(to, |read, to| self.into_utf16(kernels, &src[read..], to))
    }

    fn into_utf32(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u32>]) -> Transcoded {
        FromUtf16::<BE>.into_utf32(kernels, src, to)
    }

    fn into_latin1(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        FromUtf16::<BE>.into_latin1(kernels, src, to)
    }
}

/// Scalar values of UTF-32.
#[derive(Clone, Copy)]
pub(crate) struct FromUtf32;

// SAFETY: kernels of the table do what the trait requires; if units are copied, what was written is counted.
unsafe impl DecodeRun for FromUtf32 {
    type From = u32;

    #[inline(always)]
    fn into_utf8(self, kernels: &Kernels, src: &[u32], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        (kernels.utf32_to_utf8())(src, to).into()
    }

    #[inline(always)]
    fn into_utf16(self, kernels: &Kernels, src: &[u32], to: &mut [MaybeUninit<u16>]) -> Transcoded {
        (kernels.utf32_to_utf16())(src, to).into()
    }

    fn into_utf16_bytes<const BE: bool>(
        self,
        kernels: &Kernels,
        src: &[u32],
        to: &mut [MaybeUninit<u8>],
    ) -> Transcoded {
        units_as_bytes::<BE>(to, |read, to| self.into_utf16(kernels, &src[read..], to))
    }

    fn into_utf32(self, kernels: &Kernels, src: &[u32], to: &mut [MaybeUninit<u32>]) -> Transcoded {
        let mut done = 0;
        // In pieces that are still in the first-level cache when they are copied.
        for (from, to) in src.chunks(BETWEEN).zip(to.chunks_mut(BETWEEN)) {
            let fitting = &from[..from.len().min(to.len())];
            let valid = (kernels.utf32_valid_prefix())(fitting);
            for (to, &unit) in to.iter_mut().zip(&fitting[..valid]) {
                to.write(unit);
            }
            done += valid;
            if valid < from.len() {
                break;
            }
        }
        equal_counts(done)
    }

    #[inline(always)]
    fn into_latin1(self, kernels: &Kernels, src: &[u32], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        equal_counts((kernels.utf32_to_latin1())(src, to))
    }

    #[inline(always)]
    fn valid_prefix(self, kernels: &Kernels, src: &[u32]) -> usize {
        (kernels.utf32_valid_prefix())(src)
    }
}

/// Latin-1, in which every byte is a character.
#[derive(Clone, Copy)]
pub(crate) struct FromLatin1;

// SAFETY: kernels of the table do what the trait requires.
unsafe impl DecodeRun for FromLatin1 {
    type From = u8;

    #[inline(always)]
    fn into_utf8(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        (kernels.latin1_to_utf8())(src, to).into()
    }

    #[inline(always)]
    fn into_utf16(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Transcoded {
        equal_counts((kernels.latin1_to_utf16())(src, to))
    }

    fn into_utf16_bytes<const BE: bool>(
        self,
        kernels: &Kernels,
        src: &[u8],
        to: &mut [MaybeUninit<u8>],
    ) -> Transcoded {
        units_as_bytes::<BE>(to, |read, to| self.into_utf16(kernels, &src[read..], to))
    }

    #[inline(always)]
    fn into_utf32(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u32>]) -> Transcoded {
        equal_counts((kernels.latin1_to_utf32())(src, to))
    }
}

/// Lets `write` write code units as bytes in either order: in place if order and alignment allow it, or else
/// by way of a buffer, until it reads nothing more. `write` is told how many units it has read so far. Counts
/// the bytes written.
fn units_as_bytes<const BE: bool>(
    to: &mut [MaybeUninit<u8>],
    mut write: impl FnMut(usize, &mut [MaybeUninit<u16>]) -> Transcoded,
) -> Transcoded {
    if BE == NATIVE_BE
        && let Some(units) = as_units(to)
    {
        let done = write(0, units);
        return Transcoded {
            written: 2 * done.written,
            ..done
        };
    }
    let mut between = [MaybeUninit::uninit(); BEFORE_BYTES];
    let mut done = Transcoded::NOTHING;
    loop {
        let (free, _) = to[done.written..].as_chunks_mut::<2>();
        let fitting = free.len().min(BEFORE_BYTES);
        let part = write(done.read, &mut between[..fitting]);
        for (to, unit) in free.iter_mut().zip(&between[..part.written]) {
            // SAFETY: any unit, initialised or not, is two such bytes.
            let [a, b] = unsafe { transmute::<MaybeUninit<u16>, [MaybeUninit<u8>; 2]>(*unit) };
            *to = if BE == NATIVE_BE { [a, b] } else { [b, a] };
        }
        done.read += part.read;
        done.written += 2 * part.written;
        done.errors += part.errors;
        if part.read == 0 {
            return done;
        }
    }
}

/// Passes the code units of UTF-16 bytes to `kernel`, in order, until it reads none; it returns the number of
/// units read. Returns the number of bytes read.
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

/// Adds up the results of `count` for the code units of UTF-16 bytes.
pub(crate) fn sum_in_native_units<const BE: bool>(src: &[u8], count: fn(&[u16]) -> usize) -> usize {
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
