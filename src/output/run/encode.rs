//! The conversions that encoders have kernels do.

use core::mem::MaybeUninit;

use super::little_room::{MIN_ROOM_BYTES, is_for_turns, utf16_to_utf8_by_turns};
use super::{DecodeRun, EncodeRun, EncodeShort, FromUtf8, FromUtf16, after_front, equal_counts};
use crate::output::NATIVE_BE;
use crate::output::utf16_bytes::units_to_bytes;
use crate::simd::fill::{Fill, fill, whole_characters};
use crate::simd::fill_text::{ByteMap, Utf8Text, Utf16Text};
use crate::simd::{
    Kernels, SingleByteTable, Transcoded, TwoByteCells, encode_by_utf16, short_encoded,
    short_len_to_encode, short_single_byte, spare,
};

/// ASCII characters.
#[derive(Clone, Copy)]
pub(crate) struct ToAscii;

// SAFETY: kernels of the table do what the trait requires.
unsafe impl EncodeRun for ToAscii {
    #[inline(always)]
    fn run_utf8(self, kernels: &Kernels, src: &str, to: &mut [MaybeUninit<u8>]) -> Transcoded {
        equal_counts((kernels.ascii_to_utf8())(src.as_bytes(), to))
    }

    #[inline(always)]
    fn run_utf16(self, kernels: &Kernels, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        equal_counts(kernels.narrow(src, to))
    }
}

// SAFETY: `short_encoded` counts what it has written.
unsafe impl EncodeShort for ToAscii {
    #[inline(always)]
    fn try_utf8(self, src: &str, to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        short_encoded::ascii(src.as_bytes(), to)
    }

    #[inline(always)]
    fn try_utf16(self, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        short_encoded::utf16_to_ascii(src, to)
    }
}

/// Copies the characters at the front that there is room for; returns their length in bytes.
#[inline(always)]
fn copy_whole(src: &str, to: &mut [MaybeUninit<u8>]) -> usize {
    let mut fitting = src.len().min(to.len());
    while !src.is_char_boundary(fitting) {
        fitting -= 1;
    }
    for (to, &byte) in to.iter_mut().zip(&src.as_bytes()[..fitting]) {
        to.write(byte);
    }
    fitting
}

/// UTF-8, with U+FFFD for lone surrogates.
#[derive(Clone, Copy)]
pub(crate) struct ToUtf8;

// SAFETY: as many bytes are counted as are copied; kernels of the table do what the trait requires.
unsafe impl EncodeRun for ToUtf8 {
    #[inline(always)]
    fn run_utf8(self, _: &Kernels, src: &str, to: &mut [MaybeUninit<u8>]) -> Transcoded {
        equal_counts(copy_whole(src, to))
    }

    #[inline(always)]
    fn run_utf16(self, kernels: &Kernels, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        let src = bytemuck::cast_slice(src);
        let mut done = Transcoded::NOTHING;
        if is_for_turns(src, to) {
            done = utf16_to_utf8_by_turns(NATIVE_BE, kernels, src, to).into();
            if to.len() - done.written < MIN_ROOM_BYTES {
                return in_units(done);
            }
        }
        let kernel = if NATIVE_BE {
            kernels.utf16be_to_utf8_lossy()
        } else {
            kernels.utf16le_to_utf8_lossy()
        };
        let (ahead, room) = done.rest(src, to);
        in_units(done.then(kernel(ahead, room)))
    }

    #[inline(always)]
    fn fill_utf16(self, kernels: &Kernels, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Fill {
        let done = FromUtf16::<NATIVE_BE>.fill_utf8(kernels, bytemuck::cast_slice(src), to);
        Fill {
            read: done.read / 2,
            ..done
        }
    }
}

// SAFETY: `short_encoded` counts what it has written.
unsafe impl EncodeShort for ToUtf8 {
    #[inline(always)]
    fn try_utf8(self, src: &str, to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        short_encoded::utf8(src, to)
    }

    #[inline(always)]
    fn try_utf16(self, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        short_encoded::utf16_to_ascii(src, to)
            .or_else(|| short_encoded::utf16_to_utf8::<NATIVE_BE>(bytemuck::cast_slice(src), to))
    }
}

/// The counts of a conversion of UTF-16 that was given as bytes.
#[inline(always)]
fn in_units(done: Transcoded) -> Transcoded {
    Transcoded {
        read: done.read / 2,
        ..done
    }
}

/// The bytes of UTF-16, with U+FFFD for lone surrogates.
#[derive(Clone, Copy)]
pub(crate) struct ToUtf16Bytes<const BE: bool>;

// SAFETY: kernels of the table do what the trait requires, and `units_to_bytes` counts what it has written.
unsafe impl<const BE: bool> EncodeRun for ToUtf16Bytes<BE> {
    #[inline(always)]
    fn run_utf8(self, kernels: &Kernels, src: &str, to: &mut [MaybeUninit<u8>]) -> Transcoded {
        FromUtf8.into_utf16_bytes::<BE>(kernels, src.as_bytes(), to)
    }

    #[inline(always)]
    fn run_utf16(self, kernels: &Kernels, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        let units = units_to_bytes::<BE>(kernels, src, to);
        (units, 2 * units).into()
    }
}

/// Characters that a single-byte encoding has.
#[derive(Clone, Copy)]
pub(crate) struct ToSingleByte(pub(crate) SingleByteTable);

// SAFETY: kernels of the table do what the trait requires.
unsafe impl EncodeRun for ToSingleByte {
    #[inline(always)]
    fn run_utf8(self, kernels: &Kernels, src: &str, to: &mut [MaybeUninit<u8>]) -> Transcoded {
        (kernels.utf8_to_single_byte())(self.0.to_bytes(&mut spare()), src.as_bytes(), to).into()
    }

    #[inline(always)]
    fn run_utf16(self, kernels: &Kernels, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        let fitting = &src[..src.len().min(to.len())];
        equal_counts((kernels.utf16_to_single_byte())(
            self.0.to_bytes(&mut spare()),
            fitting,
            to,
        ))
    }

    #[inline(never)]
    fn fill_utf8(self, _: &Kernels, src: &str, to: &mut [MaybeUninit<u8>]) -> Fill {
        fill(Utf8Text(self.0.cells()), src.as_bytes(), to)
    }

    #[inline(never)]
    fn fill_utf16(self, _: &Kernels, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Fill {
        fill(Utf16Text(self.0.cells()), src, to)
    }
}

// SAFETY: `short_encoded` and `short_single_byte` count what they have written.
unsafe impl EncodeShort for ToSingleByte {
    #[inline(always)]
    fn try_utf8(self, src: &str, to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        ToAscii.try_utf8(src, to)
    }

    #[inline(always)]
    fn try_utf16(self, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        short_single_byte::utf16_to_single_byte(self.0, src, to)
    }
}

/// Characters that x-user-defined has.
#[derive(Clone, Copy)]
pub(crate) struct ToUserDefined;

impl ToUserDefined {
    /// Less than this many bytes of UTF-8 are encoded directly: 64 characters take 0.6 times as long as by way of UTF-16.
    const SHORT: usize = 256;

    /// Encodes text one character at a time.
    fn encode_short(src: &[u8], to: &mut [MaybeUninit<u8>]) -> Fill {
        let (mut ahead, mut written, mut full) = (src, 0, false);
        loop {
            let (byte, after) = match ahead {
                // The last bits of the second byte and of the third one.
                [0xEF, second @ 0x9E..=0x9F, third, after @ ..] => {
                    (second << 6 | third & 0x3F, after)
                }
                [ascii @ 0..0x80, after @ ..] => (*ascii, after),
                _ => break,
            };
            let Some(to) = to.get_mut(written) else {
                full = true;
                break;
            };
            to.write(byte);
            written += 1;
            ahead = after;
        }
        Fill {
            read: src.len() - ahead.len(),
            written,
            errors: 0,
            full,
        }
    }

    #[inline(always)]
    fn byte(unit: u16) -> Option<u8> {
        match unit {
            0x00..=0x7F | 0xF780..=0xF7FF => Some(unit as u8),
            _ => None,
        }
    }
}

// SAFETY: `written` counts what kernels of the table have written, one after another.
unsafe impl EncodeRun for ToUserDefined {
    #[inline(always)]
    fn run_utf8(self, kernels: &Kernels, src: &str, to: &mut [MaybeUninit<u8>]) -> Transcoded {
        if src.len() < Self::SHORT {
            return Self::encode_short(src.as_bytes(), to).into();
        }
        let mut out = (to, 0);
        let read = encode_by_utf16(
            kernels,
            src.as_bytes(),
            &mut out,
            |ascii, (to, written)| {
                let run =
                    (kernels.ascii_to_utf8())(ascii, to.get_mut(*written..).unwrap_or_default());
                *written += run;
                run
            },
            |units, (to, written)| {
                let free = to.get_mut(*written..).unwrap_or_default();
                let run = (kernels.utf16_to_user_defined())(units, free);
                *written += run;
                run
            },
        );
        (read, out.1).into()
    }

    #[inline(always)]
    fn run_utf16(self, kernels: &Kernels, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        equal_counts((kernels.utf16_to_user_defined())(src, to))
    }

    #[inline(never)]
    fn fill_utf8(self, _: &Kernels, src: &str, to: &mut [MaybeUninit<u8>]) -> Fill {
        Self::encode_short(src.as_bytes(), to)
    }

    #[inline(never)]
    fn fill_utf16(self, _: &Kernels, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Fill {
        fill(Utf16Text(self), src, to)
    }
}

impl ByteMap for ToUserDefined {
    #[inline(always)]
    fn bytes(self, unit: u16) -> Option<(u16, usize)> {
        Self::byte(unit).map(|byte| (u16::from(byte), 1))
    }
}

// SAFETY: `short_encoded` and `short_single_byte` count what they have written.
unsafe impl EncodeShort for ToUserDefined {
    #[inline(always)]
    fn try_utf8(self, src: &str, to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        ToAscii.try_utf8(src, to)
    }

    #[inline(always)]
    fn try_utf16(self, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        short_single_byte::utf16_to_user_defined(src, to)
    }
}

/// Characters of an encoding with characters of one and two bytes: the front inline, the rest with kernels.
#[derive(Clone, Copy)]
pub(crate) struct ToTwoByte<'a>(pub(crate) &'a TwoByteCells);

// SAFETY: the functions for the front count what they have written, and kernels of the table do what the
// trait requires.
unsafe impl EncodeRun for ToTwoByte<'_> {
    #[inline(always)]
    fn run_utf8(self, kernels: &Kernels, src: &str, to: &mut [MaybeUninit<u8>]) -> Transcoded {
        let most = short_len_to_encode(kernels, src.len(), true);
        let most = whole_characters(&src.as_bytes()[..most]);
        let front = self.fill_utf8(kernels, &src[..most], to);
        after_front(front, most, src.as_bytes(), to, |src, to| {
            (kernels.utf8_to_two_byte())(self.0, src, to)
        })
        .into()
    }

    #[inline(always)]
    fn run_utf16(self, kernels: &Kernels, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        let most = short_len_to_encode(kernels, src.len(), false);
        let front = self.fill_utf16(kernels, &src[..most], to);
        after_front(front, most, src, to, |src, to| {
            (kernels.utf16_to_two_byte())(self.0, src, to)
        })
        .into()
    }

    #[inline(never)]
    fn fill_utf8(self, _: &Kernels, src: &str, to: &mut [MaybeUninit<u8>]) -> Fill {
        fill(Utf8Text(self.0), src.as_bytes(), to)
    }

    #[inline(never)]
    fn fill_utf16(self, _: &Kernels, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Fill {
        fill(Utf16Text(self.0), src, to)
    }
}

/// ASCII and pairs of ISO-2022-JP, and the escape sequences between them. `pairs` says whether pairs come
/// next.
pub(crate) struct ToIso2022Jp<'a> {
    pub(crate) cells: &'a TwoByteCells,
    pub(crate) pairs: &'a mut bool,
}

// SAFETY: kernels of the table do what the trait requires.
unsafe impl EncodeRun for ToIso2022Jp<'_> {
    #[inline(always)]
    fn run_utf8(self, kernels: &Kernels, src: &str, to: &mut [MaybeUninit<u8>]) -> Transcoded {
        (kernels.utf8_to_iso_2022_jp())(self.cells, self.pairs, src.as_bytes(), to).into()
    }

    #[inline(always)]
    fn run_utf16(self, kernels: &Kernels, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        (kernels.utf16_to_iso_2022_jp())(self.cells, self.pairs, src, to).into()
    }
}
