//! A buffer of encoded bytes: what encoders write to.

#![cfg_attr(
    feature = "alloc",
    allow(
        unsafe_code,
        reason = "a vector grows by what was written behind its end"
    )
)]

use core::mem::MaybeUninit;

use super::utf16_bytes::units_to_bytes;
use crate::simd::{Kernels, SingleByteTable, TwoByteCells, few_of, few_of_utf8, few_of_utf16};

/// A buffer of encoded bytes. Whatever does not fit is not written at all.
#[derive(Debug)]
pub(crate) struct ByteOut<'a> {
    buf: &'a mut [MaybeUninit<u8>],
    len: usize,
}

impl<'a> ByteOut<'a> {
    pub(crate) fn new(buf: &'a mut [MaybeUninit<u8>]) -> Self {
        ByteOut { buf, len: 0 }
    }

    /// Bytes written so far.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn room(&self) -> usize {
        self.buf.len() - self.len
    }

    fn spare(&mut self) -> &mut [MaybeUninit<u8>] {
        self.buf.get_mut(self.len..).unwrap_or_default()
    }

    /// Writes one to four bytes; false where they do not fit.
    #[inline(always)]
    pub(crate) fn put(&mut self, bytes: Bytes) -> bool {
        let padded = bytes.padded();
        match self.spare().first_chunk_mut::<4>() {
            Some(to) => {
                *to = padded.map(MaybeUninit::new);
                self.len += bytes.len();
                true
            }
            None => self.put_slice(&padded[..bytes.len()]),
        }
    }

    /// Writes the first `len` of `bytes`; false where they do not fit.
    #[inline(always)]
    pub(crate) fn put_padded<const N: usize>(&mut self, bytes: [u8; N], len: usize) -> bool {
        match self.spare().first_chunk_mut::<N>() {
            Some(to) => {
                *to = bytes.map(MaybeUninit::new);
                self.len += len.min(N);
                true
            }
            None => self.put_slice(&bytes[..len.min(N)]),
        }
    }

    /// Writes all of `bytes`; false where they do not fit.
    pub(crate) fn put_slice(&mut self, bytes: &[u8]) -> bool {
        let Some(to) = self.spare().get_mut(..bytes.len()) else {
            return false;
        };
        for (to, from) in to.iter_mut().zip(bytes) {
            to.write(*from);
        }
        self.len += bytes.len();
        true
    }

    /// Lets `put` write bytes of whole characters, or nothing.
    #[inline(always)]
    pub(crate) fn put_few(
        &mut self,
        put: impl Fn(&mut [MaybeUninit<u8>]) -> Option<usize>,
    ) -> bool {
        let written = put(self.spare());
        self.len += written.unwrap_or(0);
        written.is_some()
    }

    /// Copies the ASCII prefix of `src`, as far as there is room; returns its length.
    #[inline(always)]
    pub(crate) fn put_ascii_run(&mut self, kernels: &Kernels, src: &[u8]) -> usize {
        let written = (kernels.ascii_to_utf8)(src, self.spare());
        self.len += written;
        written
    }

    /// Converts the well-formed UTF-8 at the front of `src` to UTF-16 as far as the kernel goes and
    /// there is room; returns the bytes read.
    pub(crate) fn put_utf8_as_utf16_run<const BE: bool>(
        &mut self,
        kernels: &Kernels,
        src: &[u8],
    ) -> usize {
        let kernel = if BE {
            kernels.utf8_to_utf16be
        } else {
            kernels.utf8_to_utf16le
        };
        let (read, written) = kernel(src, self.spare());
        self.len += written;
        read
    }

    /// Writes the code units at the front of `src`, with U+FFFD for lone surrogates, as far as the
    /// kernels go and there is room; returns their number.
    pub(crate) fn put_units_run<const BE: bool>(
        &mut self,
        kernels: &Kernels,
        src: &[u16],
    ) -> usize {
        let run = units_to_bytes::<BE>(kernels, src, self.spare());
        self.len += 2 * run;
        run
    }

    /// Converts the UTF-16 at the front of `src` to UTF-8, with U+FFFD for lone surrogates, as far as
    /// the kernel goes and there is room; returns the units read.
    pub(crate) fn put_utf16_run(&mut self, kernels: &Kernels, src: &[u16]) -> usize {
        let kernel = if cfg!(target_endian = "big") {
            kernels.utf16be_to_utf8_lossy
        } else {
            kernels.utf16le_to_utf8_lossy
        };
        let done = kernel(bytemuck::cast_slice(src), self.spare());
        self.len += done.written;
        done.read / 2
    }

    /// Writes the ASCII code units at the front of `src` as bytes, as far as there is room; returns
    /// their number.
    #[inline(always)]
    pub(crate) fn put_utf16_ascii_run(&mut self, kernels: &Kernels, src: &[u16]) -> usize {
        let written = kernels.narrow(src, self.spare());
        self.len += written;
        written
    }

    /// Encodes code units that an encoding of one and two bytes has from the front of `src`, as far
    /// as there is room; returns their number.
    pub(crate) fn put_two_byte_run(
        &mut self,
        kernels: &Kernels,
        cells: &TwoByteCells,
        src: &[u16],
    ) -> usize {
        let most = few_of(kernels, src.len(), false);
        let (few, written) = few_of_utf16(cells, src, self.spare(), most);
        self.len += written;
        if few < most || few >= src.len() {
            return few;
        }
        let (read, written) = (kernels.utf16_to_two_byte)(cells, &src[few..], self.spare());
        self.len += written;
        few + read
    }

    /// Encodes ISO-2022-JP from the front of `src`, as far as there is room; returns the units read.
    /// `pairs` says whether pairs come next.
    pub(crate) fn put_iso_2022_jp_run(
        &mut self,
        kernels: &Kernels,
        cells: &TwoByteCells,
        pairs: &mut bool,
        src: &[u16],
    ) -> usize {
        let (read, written) = (kernels.utf16_to_iso_2022_jp)(cells, pairs, src, self.spare());
        self.len += written;
        read
    }

    /// The same from well-formed UTF-8; returns the bytes read.
    pub(crate) fn put_utf8_as_iso_2022_jp_run(
        &mut self,
        kernels: &Kernels,
        cells: &TwoByteCells,
        pairs: &mut bool,
        src: &[u8],
    ) -> usize {
        let (read, written) = (kernels.utf8_to_iso_2022_jp)(cells, pairs, src, self.spare());
        self.len += written;
        read
    }

    /// Encodes characters that an encoding of one and two bytes has from the front of well-formed
    /// UTF-8; returns the bytes read.
    pub(crate) fn put_utf8_as_two_byte_run(
        &mut self,
        kernels: &Kernels,
        cells: &TwoByteCells,
        src: &[u8],
    ) -> usize {
        let most = few_of(kernels, src.len(), true);
        let (few, written) = few_of_utf8(cells, src, self.spare(), most);
        self.len += written;
        if few < most || few >= src.len() {
            return few;
        }
        let (read, written) = (kernels.utf8_to_two_byte)(cells, &src[few..], self.spare());
        self.len += written;
        few + read
    }

    /// Encodes code units that a single-byte encoding has from the front of `src`, as far as there
    /// is room; returns their number.
    pub(crate) fn put_single_byte_run(
        &mut self,
        kernels: &Kernels,
        table: &SingleByteTable,
        src: &[u16],
    ) -> usize {
        let written = (kernels.utf16_to_single_byte)(table, src, self.spare());
        self.len += written;
        written
    }

    /// The same from well-formed UTF-8; returns the bytes read.
    pub(crate) fn put_utf8_as_single_byte_run(
        &mut self,
        kernels: &Kernels,
        table: &SingleByteTable,
        src: &[u8],
    ) -> usize {
        let (read, written) = (kernels.utf8_to_single_byte)(table, src, self.spare());
        self.len += written;
        read
    }

    /// Encodes the code units that x-user-defined has from the front of `src`, as far as there is
    /// room; returns their number.
    pub(crate) fn put_user_defined_run(&mut self, kernels: &Kernels, src: &[u16]) -> usize {
        let written = (kernels.utf16_to_user_defined)(src, self.spare());
        self.len += written;
        written
    }
}

/// One to four bytes, packed into a word so that they stay in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes {
    /// The first byte is the lowest; those past the length are 0.
    word: u32,
    len: u8,
}

impl Bytes {
    #[inline(always)]
    pub(crate) fn one(byte: u8) -> Self {
        Bytes {
            word: u32::from(byte),
            len: 1,
        }
    }

    #[inline(always)]
    pub(crate) fn two(bytes: [u8; 2]) -> Self {
        Bytes {
            word: u32::from(u16::from_le_bytes(bytes)),
            len: 2,
        }
    }

    #[inline(always)]
    pub(crate) fn three([a, b, c]: [u8; 3]) -> Self {
        Bytes {
            word: u32::from_le_bytes([a, b, c, 0]),
            len: 3,
        }
    }

    #[inline(always)]
    pub(crate) fn four(bytes: [u8; 4]) -> Self {
        Bytes {
            word: u32::from_le_bytes(bytes),
            len: 4,
        }
    }

    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        usize::from(self.len).min(4)
    }

    /// All four, those past the length being 0.
    #[inline(always)]
    pub(crate) fn padded(self) -> [u8; 4] {
        self.word.to_le_bytes()
    }
}

/// Lets `fill` write into the spare capacity of a vector and say how many bytes it wrote.
#[cfg(feature = "alloc")]
pub(crate) fn append_bytes<R>(
    bytes: &mut alloc::vec::Vec<u8>,
    fill: impl FnOnce(&mut ByteOut<'_>) -> R,
) -> R {
    let old_len = bytes.len();
    let mut out = ByteOut::new(bytes.spare_capacity_mut());
    let result = fill(&mut out);
    let added = out.len();
    // SAFETY: the first `added` bytes of the spare capacity were written, because `ByteOut::len`
    // grows only by what was.
    unsafe { bytes.set_len(old_len + added) };
    result
}
