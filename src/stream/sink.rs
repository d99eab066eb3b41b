//! The output: the only place that checks room.

use core::mem::MaybeUninit;

use crate::simd::{
    JisState, Kernels, SingleByteTable, Transcoded, TwoByte, TwoByteIndex, few_encoded, few_of,
    few_to, short_to_utf16, single_byte_to_utf16_lossy, two_byte_lossy,
};
use crate::text::Utf8Out;

/// Where decoded text goes. Whatever does not fit is not written at all.
pub(crate) trait Sink {
    /// Units written so far.
    fn written(&self) -> usize;

    /// Writes a character; false where it does not fit.
    fn put(&mut self, ch: char) -> bool;

    /// Decodes an encoding of one and two bytes from the front of `src`, as far as there is room;
    /// returns the bytes read.
    fn put_two_byte_run(&mut self, _: &Kernels, _: &TwoByteIndex, _: &[u8]) -> usize {
        0
    }

    /// The same, by the kernels from the first byte on.
    fn put_long_two_byte_run(&mut self, _: &Kernels, _: &TwoByteIndex, _: &[u8]) -> usize {
        0
    }

    /// The same for short text.
    fn put_short_two_byte<E: TwoByte>(&mut self, _: &[u8]) -> usize {
        0
    }

    /// The same one by one, with U+FFFD in the place of malformed sequences, until `enough` bytes in
    /// a row were well-formed. A sequence that may go on after `src` is never taken.
    fn put_two_byte_lossy<E: TwoByte>(&mut self, _src: &[u8], _enough: usize) -> Transcoded {
        Transcoded::default()
    }

    /// Decodes ASCII and pairs of ISO-2022-JP from the front of `src`, as far as there is room; returns the
    /// bytes read.
    fn put_iso_2022_jp_run(
        &mut self,
        _: &Kernels,
        _: &TwoByteIndex,
        _: &mut JisState,
        _: &[u8],
    ) -> usize {
        0
    }

    /// Writes ASCII, if that is all, and short, and fits; or nothing.
    fn put_few_of_ascii(&mut self, _: &[u8]) -> bool {
        false
    }

    /// Writes UTF-16, if it is short and well-formed and fits; or nothing.
    fn put_few_of_utf16<const BE: bool>(&mut self, _: &[u8]) -> bool {
        false
    }

    /// Writes what bytes of a single-byte encoding stand for, if they are few and all mapped, and it
    /// fits; or nothing.
    fn put_few_of_single_byte(&mut self, _: &SingleByteTable, _: &[u8]) -> bool {
        false
    }

    /// The same for x-user-defined, whose table this is.
    #[inline(always)]
    fn put_few_of_user_defined(&mut self, table: &SingleByteTable, src: &[u8]) -> bool {
        self.put_few_of_single_byte(table, src)
    }

    /// Writes both characters or neither; false where they do not fit. An output that no encoding
    /// with pairs is decoded into may write neither.
    fn put_pair(&mut self, _: char, _: char) -> bool {
        false
    }

    /// Writes the ASCII prefix of `src`, as far as there is room; returns its length. Nothing is
    /// always right here and below.
    fn put_ascii_run(&mut self, _: &Kernels, _: &[u8]) -> usize {
        0
    }

    /// Writes well-formed UTF-8 from the front of `src`, as far as there is room; returns the bytes
    /// read.
    fn put_utf8_run(&mut self, _: &Kernels, _: &[u8]) -> usize {
        0
    }

    /// Writes UTF-8 from the front of `src`, with U+FFFD in the place of malformed sequences, as far
    /// as there is room. May stop before a malformed sequence, as [`Sink::put_utf8_run`] does.
    fn put_utf8_lossy(&mut self, kernels: &Kernels, src: &[u8]) -> Transcoded {
        let before = self.written();
        let read = self.put_utf8_run(kernels, src);
        Transcoded {
            read,
            written: self.written() - before,
            errors: 0,
        }
    }

    /// Writes well-formed UTF-16 from the front of `src`, as far as there is room; returns the
    /// bytes read.
    fn put_utf16_run<const BE: bool>(&mut self, _: &Kernels, _: &[u8]) -> usize {
        0
    }

    /// Writes scalar values of UTF-32 from the front of `src`, as far as there is room; returns the
    /// units read.
    fn put_utf32_run(&mut self, _: &Kernels, _: &[u32]) -> usize {
        0
    }

    /// Writes Latin-1 from the front of `src`, as far as there is room; returns the bytes read.
    fn put_latin1_run(&mut self, _: &Kernels, _: &[u8]) -> usize {
        0
    }

    /// Writes UTF-16 from the front of `src`, with U+FFFD in the place of lone surrogates, as far as
    /// there is room.
    fn put_utf16_lossy<const BE: bool>(&mut self, kernels: &Kernels, src: &[u8]) -> Transcoded {
        let before = self.written();
        let read = self.put_utf16_run::<BE>(kernels, src);
        Transcoded {
            read,
            written: self.written() - before,
            errors: 0,
        }
    }

    /// Writes mapped bytes of a single-byte encoding from the front of `src`, as far as there is
    /// room; returns the bytes read.
    fn put_single_byte_run(&mut self, _: &Kernels, _: &SingleByteTable, _: &[u8]) -> usize {
        0
    }

    /// The same, with U+FFFD in the place of unmapped bytes, until `enough` bytes in a row were mapped.
    fn put_single_byte_lossy(
        &mut self,
        _: &SingleByteTable,
        _: &[u8],
        _enough: usize,
    ) -> Transcoded {
        Transcoded::default()
    }

    /// [`Sink::put_single_byte_run`] for x-user-defined, whose table this is.
    fn put_user_defined_run(
        &mut self,
        kernels: &Kernels,
        table: &SingleByteTable,
        src: &[u8],
    ) -> usize {
        self.put_single_byte_run(kernels, table, src)
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

/// A buffer of UTF-16 code units.
#[derive(Debug)]
pub(crate) struct Utf16Out<'a> {
    buf: &'a mut [MaybeUninit<u16>],
    len: usize,
}

impl<'a> Utf16Out<'a> {
    pub(crate) fn new(buf: &'a mut [MaybeUninit<u16>]) -> Self {
        Utf16Out { buf, len: 0 }
    }

    fn spare(&mut self) -> &mut [MaybeUninit<u16>] {
        self.buf.get_mut(self.len..).unwrap_or_default()
    }

    /// Lets `put` write units, or nothing.
    #[inline(always)]
    fn put_few(&mut self, put: impl Fn(&mut [MaybeUninit<u16>]) -> Option<usize>) -> bool {
        let written = put(self.spare());
        self.len += written.unwrap_or(0);
        written.is_some()
    }
}

impl Sink for Utf16Out<'_> {
    #[inline(always)]
    fn written(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn put(&mut self, ch: char) -> bool {
        let mut units = [0; 2];
        match *ch.encode_utf16(&mut units) {
            [unit] => match self.buf.get_mut(self.len) {
                Some(to) => {
                    to.write(unit);
                    self.len += 1;
                    true
                }
                None => false,
            },
            [lead, trail] => match self.spare() {
                [first, second, ..] => {
                    first.write(lead);
                    second.write(trail);
                    self.len += 2;
                    true
                }
                _ => false,
            },
            _ => true,
        }
    }

    fn put_two_byte_run(&mut self, kernels: &Kernels, index: &TwoByteIndex, src: &[u8]) -> usize {
        let most = few_of(kernels, src.len(), false);
        let (few, written) = few_to(index, src, self.spare(), most);
        self.len += written;
        if few < most || few >= src.len() {
            return few;
        }
        few + self.put_long_two_byte_run(kernels, index, &src[few..])
    }

    fn put_long_two_byte_run(
        &mut self,
        kernels: &Kernels,
        index: &TwoByteIndex,
        src: &[u8],
    ) -> usize {
        let (read, written) = (kernels.two_byte_to_utf16)(index, src, self.spare());
        self.len += written;
        read
    }

    #[inline(always)]
    fn put_short_two_byte<E: TwoByte>(&mut self, src: &[u8]) -> usize {
        let (read, written) = short_to_utf16(E::INDEX, src, self.spare());
        self.len += written;
        read
    }

    fn put_two_byte_lossy<E: TwoByte>(&mut self, src: &[u8], enough: usize) -> Transcoded {
        let done = two_byte_lossy::<E, _>(src, self.spare(), enough);
        self.len += done.written;
        done
    }

    fn put_iso_2022_jp_run(
        &mut self,
        kernels: &Kernels,
        index: &TwoByteIndex,
        state: &mut JisState,
        src: &[u8],
    ) -> usize {
        let (read, written) = (kernels.iso_2022_jp_to_utf16)(index, state, src, self.spare());
        self.len += written;
        read
    }

    #[inline(always)]
    fn put_few_of_ascii(&mut self, src: &[u8]) -> bool {
        self.put_few(|spare| few_encoded::ascii_to_utf16(src, spare))
    }

    #[inline(always)]
    fn put_few_of_utf16<const BE: bool>(&mut self, src: &[u8]) -> bool {
        self.put_few(|spare| few_encoded::utf16::<BE>(src, spare))
    }

    #[inline(always)]
    fn put_few_of_single_byte(&mut self, table: &SingleByteTable, src: &[u8]) -> bool {
        self.put_few(|spare| few_encoded::single_byte_to_utf16(table, src, spare))
    }

    #[inline(always)]
    fn put_few_of_user_defined(&mut self, _: &SingleByteTable, src: &[u8]) -> bool {
        self.put_few(|spare| few_encoded::user_defined_to_utf16(src, spare))
    }

    fn put_pair(&mut self, first: char, second: char) -> bool {
        self.buf.len() - self.len >= first.len_utf16() + second.len_utf16()
            && self.put(first)
            && self.put(second)
    }

    #[inline(always)]
    fn put_ascii_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        let written = (kernels.ascii_to_utf16)(src, self.spare());
        self.len += written;
        written
    }

    fn put_utf8_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        let (read, written) = (kernels.utf8_to_utf16)(src, self.spare());
        self.len += written;
        read
    }

    fn put_utf8_lossy(&mut self, kernels: &Kernels, src: &[u8]) -> Transcoded {
        let done = (kernels.utf8_to_utf16_lossy)(src, self.spare());
        self.len += done.written;
        done
    }

    fn put_utf16_run<const BE: bool>(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        let kernel = if BE {
            kernels.utf16be_to_utf16
        } else {
            kernels.utf16le_to_utf16
        };
        let written = kernel(src, self.spare());
        self.len += written;
        2 * written
    }

    fn put_utf32_run(&mut self, kernels: &Kernels, src: &[u32]) -> usize {
        let (read, written) = (kernels.utf32_to_utf16)(src, self.spare());
        self.len += written;
        read
    }

    fn put_latin1_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        let written = (kernels.latin1_to_utf16)(src, self.spare());
        self.len += written;
        written
    }

    fn put_utf16_lossy<const BE: bool>(&mut self, kernels: &Kernels, src: &[u8]) -> Transcoded {
        let kernel = if BE {
            kernels.utf16be_to_utf16_lossy
        } else {
            kernels.utf16le_to_utf16_lossy
        };
        let done = kernel(src, self.spare());
        self.len += done.written;
        done
    }

    fn put_single_byte_run(
        &mut self,
        kernels: &Kernels,
        table: &SingleByteTable,
        src: &[u8],
    ) -> usize {
        let written = (kernels.single_byte_to_utf16)(table, src, self.spare());
        self.len += written;
        written
    }

    fn put_single_byte_lossy(
        &mut self,
        table: &SingleByteTable,
        src: &[u8],
        enough: usize,
    ) -> Transcoded {
        let done = single_byte_to_utf16_lossy(table, src, self.spare(), enough);
        self.len += done.written;
        done
    }

    fn put_user_defined_run(
        &mut self,
        kernels: &Kernels,
        _: &SingleByteTable,
        src: &[u8],
    ) -> usize {
        let written = (kernels.user_defined_to_utf16)(src, self.spare());
        self.len += written;
        written
    }
}
