//! The one bridge from bytes to `str` without a second validation.
//!
//! [`Utf8Out`] is an output buffer with private fields. It accepts characters, and runs that a
//! kernel of `simd/` vouches for; so what stands in it is valid UTF-8 by construction, and
//! [`append_text`] may let a `String` own it. Tested in `tests/exhaustive` (everything decoded is
//! valid) and in `simd/tests` (every kernel against a plain one).
#![allow(
    unsafe_code,
    reason = "the bridge from bytes that are known to be text to `String`"
)]

use core::mem::MaybeUninit;

use super::Sink;
use crate::simd::{
    JisState, Kernels, SingleByteTable, Transcoded, TwoByte, TwoByteIndex, few_encoded, few_of,
    few_to, single_byte_to_utf8_lossy, two_byte_lossy,
};

/// A buffer that holds `len` bytes of valid UTF-8 at its front.
#[derive(Debug)]
pub(crate) struct Utf8Out<'a> {
    buf: &'a mut [MaybeUninit<u8>],
    len: usize,
}

impl<'a> Utf8Out<'a> {
    pub(crate) fn new(buf: &'a mut [MaybeUninit<u8>]) -> Self {
        Utf8Out { buf, len: 0 }
    }

    /// Bytes written so far.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    fn spare(&mut self) -> &mut [MaybeUninit<u8>] {
        self.buf.get_mut(self.len..).unwrap_or_default()
    }

    /// Writes a character; false, and nothing is written, where it does not fit.
    #[inline(always)]
    pub(crate) fn push(&mut self, ch: char) -> bool {
        let c = u32::from(ch);
        let last = |shift: u32| (c >> shift & 0x3F) as u8 | 0x80;
        match c {
            0..=0x7F => self.write([c as u8]),
            0x80..=0x7FF => self.write([(c >> 6) as u8 | 0xC0, last(0)]),
            0x800..=0xFFFF => self.write([(c >> 12) as u8 | 0xE0, last(6), last(0)]),
            _ => self.write([(c >> 18) as u8 | 0xF0, last(12), last(6), last(0)]),
        }
    }

    /// Writes both characters or neither.
    pub(crate) fn push_pair(&mut self, first: char, second: char) -> bool {
        self.buf.len() - self.len >= first.len_utf8() + second.len_utf8()
            && self.push(first)
            && self.push(second)
    }

    #[inline(always)]
    fn write<const N: usize>(&mut self, bytes: [u8; N]) -> bool {
        let Some(room) = self.buf.get_mut(self.len..) else {
            return false;
        };
        let Some(to) = room.first_chunk_mut::<N>() else {
            return false;
        };
        *to = bytes.map(MaybeUninit::new);
        self.len += N;
        true
    }

    /// Decodes an encoding of one and two bytes as far as the kernel goes and there is room; returns
    /// the bytes read.
    pub(crate) fn push_two_byte_run(
        &mut self,
        kernels: &Kernels,
        index: &TwoByteIndex,
        src: &[u8],
    ) -> usize {
        let most = few_of(kernels, src.len(), true);
        let (read, written) = few_to(index, src, self.spare(), most);
        self.advance(written);
        if read < most || read >= src.len() {
            return read;
        }
        read + self.push_long_two_byte_run(kernels, index, &src[read..])
    }

    /// The same, by the kernel from the first byte on.
    pub(crate) fn push_long_two_byte_run(
        &mut self,
        kernels: &Kernels,
        index: &TwoByteIndex,
        src: &[u8],
    ) -> usize {
        let (read, written) = (kernels.two_byte_to_utf8)(index, src, self.spare());
        self.advance(written);
        read
    }

    /// Decodes short text of an encoding of one and two bytes; returns the bytes read.
    #[inline(always)]
    pub(crate) fn push_short_two_byte<E: TwoByte>(&mut self, src: &[u8]) -> usize {
        let (read, written) = few_to(E::INDEX, src, self.spare(), src.len());
        self.advance(written);
        read
    }

    /// Decodes an encoding of one and two bytes, with U+FFFD in the place of malformed sequences.
    #[inline(never)]
    pub(crate) fn push_two_byte_lossy<E: TwoByte>(
        &mut self,
        src: &[u8],
        enough: usize,
    ) -> Transcoded {
        let done = two_byte_lossy::<E, _>(src, self.spare(), enough);
        self.advance(done.written);
        done
    }

    /// Decodes a single-byte encoding with U+FFFD in the place of unmapped bytes, until `enough` bytes in a
    /// row were mapped, or as far as there is room.
    pub(crate) fn push_single_byte_lossy(
        &mut self,
        table: &SingleByteTable,
        src: &[u8],
        enough: usize,
    ) -> Transcoded {
        let done = single_byte_to_utf8_lossy(table, src, self.spare(), enough);
        self.advance(done.written);
        done
    }

    /// Decodes ASCII and pairs of ISO-2022-JP as far as the kernel goes and there is room; returns the
    /// bytes read.
    pub(crate) fn push_iso_2022_jp_run(
        &mut self,
        kernels: &Kernels,
        index: &TwoByteIndex,
        state: &mut JisState,
        src: &[u8],
    ) -> usize {
        let (read, written) = (kernels.iso_2022_jp_to_utf8)(index, state, src, self.spare());
        self.advance(written);
        read
    }

    /// Writes ASCII, if that is all, and short, and fits; or nothing.
    #[inline(always)]
    pub(crate) fn push_few_of_ascii(&mut self, src: &[u8]) -> bool {
        self.push_few(|spare| few_encoded::ascii(src, spare))
    }

    /// Writes UTF-16, if it is short and well-formed and fits; or nothing.
    #[inline(always)]
    pub(crate) fn push_few_of_utf16<const BE: bool>(&mut self, src: &[u8]) -> bool {
        self.push_few(|spare| few_encoded::utf16_to_utf8::<BE>(src, spare))
    }

    /// Writes what bytes of a single-byte encoding stand for, if they are few and all mapped, and it
    /// fits; or nothing.
    #[inline(always)]
    pub(crate) fn push_few_of_single_byte(&mut self, table: &SingleByteTable, src: &[u8]) -> bool {
        self.push_few(|spare| few_encoded::single_byte_to_utf8(table, src, spare))
    }

    /// Lets `put` write whole characters, or nothing.
    #[inline(always)]
    fn push_few(&mut self, put: impl Fn(&mut [MaybeUninit<u8>]) -> Option<usize>) -> bool {
        let written = put(self.spare());
        self.advance(written.unwrap_or(0));
        written.is_some()
    }

    /// Copies the ASCII prefix of `src`, as far as there is room; returns its length.
    #[inline(always)]
    pub(crate) fn push_ascii_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        let written = (kernels.ascii_to_utf8)(src, self.spare());
        self.advance(written);
        written
    }

    /// Copies well-formed UTF-8 from the front of `src`, as far as there is room; returns its
    /// length in bytes.
    pub(crate) fn push_utf8_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        let written = (kernels.utf8_to_utf8)(src, self.spare());
        self.advance(written);
        written
    }

    /// Copies UTF-8 from the front of `src`, with U+FFFD in the place of malformed sequences, as far
    /// as the kernel goes and there is room.
    pub(crate) fn push_utf8_lossy(&mut self, kernels: &Kernels, src: &[u8]) -> Transcoded {
        let replaced = (kernels.utf8_to_utf8_lossy)(src, self.spare());
        self.advance(replaced.written);
        replaced
    }

    /// Converts the well-formed UTF-16 at the front of `src` (its bytes) as far as the kernel goes
    /// and there is room; returns the bytes read.
    pub(crate) fn push_utf16_run<const BE: bool>(
        &mut self,
        kernels: &Kernels,
        src: &[u8],
    ) -> usize {
        let kernel = if BE {
            kernels.utf16be_to_utf8
        } else {
            kernels.utf16le_to_utf8
        };
        let (read, written) = kernel(src, self.spare());
        self.advance(written);
        read
    }

    /// The same with U+FFFD for lone surrogates.
    pub(crate) fn push_utf16_lossy<const BE: bool>(
        &mut self,
        kernels: &Kernels,
        src: &[u8],
    ) -> Transcoded {
        let kernel = if BE {
            kernels.utf16be_to_utf8_lossy
        } else {
            kernels.utf16le_to_utf8_lossy
        };
        let done = kernel(src, self.spare());
        self.advance(done.written);
        done
    }

    /// Decodes bytes of a single-byte encoding as far as the kernel goes and there is room; returns
    /// the bytes read.
    pub(crate) fn push_single_byte_run(
        &mut self,
        kernels: &Kernels,
        table: &SingleByteTable,
        src: &[u8],
    ) -> usize {
        let (read, written) = (kernels.single_byte_to_utf8)(table, src, self.spare());
        self.advance(written);
        read
    }

    /// Converts scalar values of UTF-32 as far as the kernel goes and there is room; returns the
    /// units read.
    pub(crate) fn push_utf32_run(&mut self, kernels: &Kernels, src: &[u32]) -> usize {
        let (read, written) = (kernels.utf32_to_utf8)(src, self.spare());
        self.advance(written);
        read
    }

    /// Converts Latin-1 as far as the kernel goes and there is room; returns the bytes read.
    pub(crate) fn push_latin1_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        let (read, written) = (kernels.latin1_to_utf8)(src, self.spare());
        self.advance(written);
        read
    }

    /// A kernel has written this many bytes of whole characters.
    #[inline(always)]
    fn advance(&mut self, written: usize) {
        debug_assert!(self.len + written <= self.buf.len());
        self.len = (self.len + written).min(self.buf.len());
    }
}

impl Sink for Utf8Out<'_> {
    #[inline(always)]
    fn written(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn put(&mut self, ch: char) -> bool {
        self.push(ch)
    }

    fn put_two_byte_run(&mut self, kernels: &Kernels, index: &TwoByteIndex, src: &[u8]) -> usize {
        self.push_two_byte_run(kernels, index, src)
    }

    fn put_long_two_byte_run(
        &mut self,
        kernels: &Kernels,
        index: &TwoByteIndex,
        src: &[u8],
    ) -> usize {
        self.push_long_two_byte_run(kernels, index, src)
    }

    #[inline(always)]
    fn put_short_two_byte<E: TwoByte>(&mut self, src: &[u8]) -> usize {
        self.push_short_two_byte::<E>(src)
    }

    fn put_two_byte_lossy<E: TwoByte>(&mut self, src: &[u8], enough: usize) -> Transcoded {
        self.push_two_byte_lossy::<E>(src, enough)
    }

    fn put_iso_2022_jp_run(
        &mut self,
        kernels: &Kernels,
        index: &TwoByteIndex,
        state: &mut JisState,
        src: &[u8],
    ) -> usize {
        self.push_iso_2022_jp_run(kernels, index, state, src)
    }

    #[inline(always)]
    fn put_few_of_ascii(&mut self, src: &[u8]) -> bool {
        self.push_few_of_ascii(src)
    }

    #[inline(always)]
    fn put_few_of_utf16<const BE: bool>(&mut self, src: &[u8]) -> bool {
        self.push_few_of_utf16::<BE>(src)
    }

    #[inline(always)]
    fn put_few_of_single_byte(&mut self, table: &SingleByteTable, src: &[u8]) -> bool {
        self.push_few_of_single_byte(table, src)
    }

    fn put_pair(&mut self, first: char, second: char) -> bool {
        self.push_pair(first, second)
    }

    #[inline(always)]
    fn put_ascii_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        self.push_ascii_run(kernels, src)
    }

    fn put_utf8_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        self.push_utf8_run(kernels, src)
    }

    fn put_utf8_lossy(&mut self, kernels: &Kernels, src: &[u8]) -> Transcoded {
        self.push_utf8_lossy(kernels, src)
    }

    fn put_utf16_run<const BE: bool>(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        self.push_utf16_run::<BE>(kernels, src)
    }

    fn put_utf32_run(&mut self, kernels: &Kernels, src: &[u32]) -> usize {
        self.push_utf32_run(kernels, src)
    }

    fn put_latin1_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        self.push_latin1_run(kernels, src)
    }

    fn put_utf16_lossy<const BE: bool>(&mut self, kernels: &Kernels, src: &[u8]) -> Transcoded {
        self.push_utf16_lossy::<BE>(kernels, src)
    }

    fn put_single_byte_run(
        &mut self,
        kernels: &Kernels,
        table: &SingleByteTable,
        src: &[u8],
    ) -> usize {
        self.push_single_byte_run(kernels, table, src)
    }

    fn put_single_byte_lossy(
        &mut self,
        table: &SingleByteTable,
        src: &[u8],
        enough: usize,
    ) -> Transcoded {
        self.push_single_byte_lossy(table, src, enough)
    }
}

/// Lets `fill` write into the spare capacity of a string, and appends what it wrote.
#[cfg(feature = "alloc")]
pub(crate) fn append_text<R>(
    string: &mut alloc::string::String,
    fill: impl FnOnce(&mut Utf8Out<'_>) -> R,
) -> R {
    // SAFETY: the bytes that the string holds stay as they are, and those added below are valid
    // UTF-8 by the invariant of `Utf8Out`.
    let bytes = unsafe { string.as_mut_vec() };
    let old_len = bytes.len();
    let mut out = Utf8Out::new(bytes.spare_capacity_mut());
    let result = fill(&mut out);
    let added = out.len;
    // SAFETY: the first `added` bytes of the spare capacity were written, because `Utf8Out::len`
    // grows only by what was.
    unsafe { bytes.set_len(old_len + added) };
    result
}
