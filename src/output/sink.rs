//! Where decoded text goes.

use crate::simd::{JisState, Kernels, SingleByteTable, Transcoded, TwoByte, TwoByteIndex};

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
