//! The conversions that decoders of the legacy encodings have kernels do.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::little_room::{is_for_latin, latin_to_utf8};
use super::{DecodeRun, DecodeShort, after_front, equal_counts};
use crate::simd::fill::{Fill, TwoByteSource, fill_after};
use crate::simd::{
    JisState, Kernels, SingleByteTable, TextUnit, Transcoded, TwoByte, TwoByteIndex, decode_short,
    fill_iso_2022_jp, short_len_to_decode, short_single_byte, single_byte_fill_utf8,
    single_byte_to_utf8_lossy, single_byte_to_utf16_lossy, spare, two_byte_lossy,
};

/// Mapped bytes of a single-byte encoding.
#[derive(Clone, Copy)]
pub(crate) struct FromSingleByte(pub(crate) SingleByteTable);

// SAFETY: kernels of the table do what the trait requires, and the characters are those of a table without
// surrogates.
unsafe impl DecodeRun for FromSingleByte {
    type From = u8;

    #[inline(always)]
    fn into_utf8(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        let fitting = &src[..src.len().min(to.len())];
        (kernels.single_byte_to_utf8())(self.0.to_utf8(&mut spare()), fitting, to).into()
    }

    #[inline(always)]
    fn into_utf16(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Transcoded {
        let fitting = &src[..src.len().min(to.len())];
        equal_counts((kernels.single_byte_to_utf16())(
            self.0.to_utf16(&mut spare()),
            fitting,
            to,
        ))
    }

    #[inline(never)]
    fn fill_utf8(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Fill {
        let mut spare = spare();
        let table = self.0.to_utf8(&mut spare);
        if is_for_latin(table, to) {
            return latin_to_utf8(kernels, table, src, to);
        }
        let (read, written) = short_single_byte::sixteen_of_latin(table, src, to);
        if read > 0 {
            return Fill {
                read,
                written,
                errors: 0,
                full: true,
            };
        }
        single_byte_fill_utf8(table, src, to)
    }
}

// SAFETY: `short_single_byte` counts what it has written, and writes UTF-8 of the table's characters.
unsafe impl DecodeShort for FromSingleByte {
    #[inline(always)]
    fn try_into_utf8(self, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        short_single_byte::single_byte_to_utf8(self.0.to_utf8(&mut spare()), src, to)
    }

    #[inline(always)]
    fn try_into_utf16(self, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Option<usize> {
        short_single_byte::single_byte_to_utf16(self.0, src, to)
    }
}

/// A single-byte encoding with U+FFFD in place of unmapped bytes, until `enough` bytes in a row were mapped.
#[derive(Clone, Copy)]
pub(crate) struct FromSingleByteLossy {
    pub(crate) table: SingleByteTable,
    pub(crate) enough: usize,
}

// SAFETY: both functions count what they have written: characters of the table, and U+FFFD.
unsafe impl DecodeRun for FromSingleByteLossy {
    type From = u8;

    #[inline(always)]
    fn into_utf8(self, _: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        single_byte_to_utf8_lossy(self.table.to_utf8(&mut spare()), src, to, self.enough)
    }

    #[inline(always)]
    fn into_utf16(self, _: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Transcoded {
        single_byte_to_utf16_lossy(self.table.to_utf16(&mut spare()), src, to, self.enough)
    }
}

/// x-user-defined.
#[derive(Clone, Copy)]
pub(crate) struct FromUserDefined;

impl FromUserDefined {
    /// To UTF-8 it is decoded like a single-byte encoding.
    const SINGLE_BYTE: FromSingleByte = FromSingleByte(SingleByteTable::X_USER_DEFINED);
}

// SAFETY: kernels of the table do what the trait requires.
unsafe impl DecodeRun for FromUserDefined {
    type From = u8;

    #[inline(always)]
    fn into_utf8(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        Self::SINGLE_BYTE.into_utf8(kernels, src, to)
    }

    #[inline(always)]
    fn into_utf16(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Transcoded {
        equal_counts((kernels.user_defined_to_utf16())(src, to))
    }

    #[inline(never)]
    fn fill_utf8(self, _: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Fill {
        single_byte_fill_utf8(Self::SINGLE_BYTE.0.to_utf8(&mut spare()), src, to)
    }
}

// SAFETY: `short_single_byte` counts what it has written, and writes UTF-8 of the table's characters.
unsafe impl DecodeShort for FromUserDefined {
    #[inline(always)]
    fn try_into_utf8(self, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        Self::SINGLE_BYTE.try_into_utf8(src, to)
    }

    #[inline(always)]
    fn try_into_utf16(self, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Option<usize> {
        short_single_byte::user_defined_to_utf16(src, to)
    }
}

/// An encoding with characters of one and two bytes: the front inline, the rest with kernels.
#[derive(Clone, Copy)]
pub(crate) struct FromTwoByte<'a>(pub(crate) &'a TwoByteIndex);

// SAFETY: `decode_short` and kernels of the table do what the trait requires; the characters are those of an
// index without surrogates.
unsafe impl DecodeRun for FromTwoByte<'_> {
    type From = u8;

    fn into_utf8(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        let most = short_len_to_decode(kernels, src, true);
        let front = decode_short(self.0.pairs(), src, to, most);
        after_front(front, most, src, to, |src, to| {
            (kernels.two_byte_to_utf8())(self.0, src, to)
        })
        .into()
    }

    fn into_utf16(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Transcoded {
        let most = short_len_to_decode(kernels, src, false);
        let front = decode_short(self.0.pairs(), src, to, most);
        after_front(front, most, src, to, |src, to| {
            (kernels.two_byte_to_utf16())(self.0, src, to)
        })
        .into()
    }

    #[inline(never)]
    fn fill_utf8(self, _: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Fill {
        let front = decode_short(self.0.pairs(), src, to, src.len());
        fill_after(front, TwoByteSource(self.0), src, to)
    }

    #[inline(never)]
    fn fill_utf16(self, _: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Fill {
        let front = decode_short(self.0.pairs(), src, to, src.len());
        fill_after(front, TwoByteSource(self.0), src, to)
    }
}

/// An encoding with characters of one and two bytes, with kernels from the first byte on.
#[derive(Clone, Copy)]
pub(crate) struct FromLongTwoByte<'a>(pub(crate) &'a TwoByteIndex);

// SAFETY: kernels of the table do what the trait requires; the characters are those of an index without
// surrogates.
unsafe impl DecodeRun for FromLongTwoByte<'_> {
    type From = u8;

    #[inline(always)]
    fn into_utf8(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        (kernels.two_byte_to_utf8())(self.0, src, to).into()
    }

    #[inline(always)]
    fn into_utf16(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Transcoded {
        (kernels.two_byte_to_utf16())(self.0, src, to).into()
    }
}

/// Short text of an encoding with characters of one and two bytes, inline.
pub(crate) struct FromShortTwoByte<E>(pub(crate) E);

// SAFETY: both functions count what they have written: characters of an index without surrogates.
unsafe impl<E: TwoByte> DecodeRun for FromShortTwoByte<E> {
    type From = u8;

    #[inline(always)]
    fn into_utf8(self, _: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        decode_short_apart::<E, _>(src, to).into()
    }

    #[inline(always)]
    fn into_utf16(self, _: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Transcoded {
        decode_short_apart::<E, _>(src, to).into()
    }
}

// SAFETY: what `decode_short` has written is counted: characters of an index without surrogates.
unsafe impl<E: TwoByte> DecodeShort for FromShortTwoByte<E> {
    #[inline(always)]
    fn try_into_utf8(self, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        // With less room, the last character would be left, and all of them decoded twice.
        if to.len() < 2 * src.len() {
            return None;
        }
        decode_all_short::<E, _>(src, to)
    }

    #[inline(always)]
    fn try_into_utf16(self, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Option<usize> {
        decode_all_short::<E, _>(src, to)
    }
}

/// Decodes all of a short text. Returns the number of units written; `None` if it does not fit or is malformed.
#[inline(always)]
fn decode_all_short<E: TwoByte, To: TextUnit>(
    src: &[u8],
    to: &mut [MaybeUninit<To>],
) -> Option<usize> {
    let (read, written) = decode_short_apart::<E, _>(src, to);
    (read == src.len()).then_some(written)
}

/// Decodes from the front of a short text. A separate function, so that other encodings do not pay for its registers, and
/// programs have it once.
#[inline(never)]
fn decode_short_apart<E: TwoByte, To: TextUnit>(
    src: &[u8],
    to: &mut [MaybeUninit<To>],
) -> (usize, usize) {
    match E::pairs() {
        Some(pairs) => decode_short(pairs, src, to, src.len()),
        None => (0, 0),
    }
}

/// An encoding with characters of one and two bytes, one sequence at a time, with U+FFFD in place of
/// malformed ones, until `enough` bytes in a row were well-formed. A sequence that may continue after the
/// input is never read.
pub(crate) struct FromTwoByteLossy<E> {
    enough: usize,
    encoding: PhantomData<E>,
}

impl<E> FromTwoByteLossy<E> {
    pub(crate) fn until(enough: usize) -> Self {
        FromTwoByteLossy {
            enough,
            encoding: PhantomData,
        }
    }
}

// SAFETY: `two_byte_lossy` counts what it has written: characters of an index without surrogates, `char`s,
// and U+FFFD.
unsafe impl<E: TwoByte> DecodeRun for FromTwoByteLossy<E> {
    type From = u8;

    #[inline(never)]
    fn into_utf8(self, _: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        two_byte_lossy::<E, _>(src, to, self.enough)
    }

    #[inline(always)]
    fn into_utf16(self, _: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Transcoded {
        two_byte_lossy::<E, _>(src, to, self.enough)
    }
}

/// ASCII and pairs of ISO-2022-JP, and the escape sequences between them, which change the state.
pub(crate) struct FromIso2022Jp<'a> {
    pub(crate) index: &'a TwoByteIndex,
    pub(crate) state: &'a mut JisState,
}

// SAFETY: kernels of the table do what the trait requires; the characters are those of an index without
// surrogates.
unsafe impl DecodeRun for FromIso2022Jp<'_> {
    type From = u8;

    #[inline(always)]
    fn into_utf8(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Transcoded {
        (kernels.iso_2022_jp_to_utf8())(self.index, self.state, src, to).into()
    }

    #[inline(always)]
    fn into_utf16(self, kernels: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Transcoded {
        (kernels.iso_2022_jp_to_utf16())(self.index, self.state, src, to).into()
    }

    #[inline(never)]
    fn fill_utf8(self, _: &Kernels, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Fill {
        fill_iso_2022_jp(self.index, self.state, src, to)
    }

    #[inline(never)]
    fn fill_utf16(self, _: &Kernels, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Fill {
        fill_iso_2022_jp(self.index, self.state, src, to)
    }
}
