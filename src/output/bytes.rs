//! A buffer of encoded bytes, the output of encoders.
#![cfg_attr(
    feature = "alloc",
    allow(
        unsafe_code,
        reason = "a vector grows by what was written after its end"
    )
)]

use core::mem::MaybeUninit;

use super::filled::Filled;
use super::run::{EncodeRun, EncodeShort};
use crate::simd::Kernels;
use crate::simd::fill::Fill;

/// A buffer of encoded bytes. Whatever does not fit is not written at all.
#[derive(Debug)]
pub(crate) struct ByteOut<'a>(Filled<'a, u8>);

impl<'a> ByteOut<'a> {
    pub(crate) fn new(buf: &'a mut [MaybeUninit<u8>]) -> Self {
        ByteOut(Filled::new(buf))
    }

    /// Returns the number of bytes written so far.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Writes one to four bytes; returns false if they don't fit.
    #[inline(always)]
    pub(crate) fn put(&mut self, bytes: Bytes) -> bool {
        self.put_padded(bytes.padded(), bytes.len())
    }

    /// Writes the first `len` of `bytes`; returns false if they don't fit.
    #[inline(always)]
    pub(crate) fn put_padded<const N: usize>(&mut self, bytes: [u8; N], len: usize) -> bool {
        self.0.put_padded(bytes, len) || self.0.put_slice(&bytes[..len.min(N)])
    }

    /// Writes all of `bytes`; returns false if they don't fit.
    pub(crate) fn put_slice(&mut self, bytes: &[u8]) -> bool {
        self.0.put_slice(bytes)
    }

    /// Lets kernels encode from the front of `src`, as far as they go and there is room; returns the number
    /// of bytes read.
    pub(crate) fn run_utf8(&mut self, kernels: &Kernels, run: impl EncodeRun, src: &str) -> usize {
        self.0.run(|to| run.run_utf8(kernels, src, to)).read
    }

    /// Lets kernels encode from the front of `src`, as far as they go and there is room; returns the number
    /// of code units read.
    pub(crate) fn run_utf16(
        &mut self,
        kernels: &Kernels,
        run: impl EncodeRun,
        src: &[u16],
    ) -> usize {
        self.0.run(|to| run.run_utf16(kernels, src, to)).read
    }

    /// Returns how many more bytes there is room for.
    #[inline(always)]
    pub(crate) fn room(&self) -> usize {
        self.0.room()
    }

    /// Encodes from the front of `src` into little room.
    #[inline(always)]
    pub(crate) fn fill_utf8(&mut self, kernels: &Kernels, run: impl EncodeRun, src: &str) -> Fill {
        self.0.fill(|to| run.fill_utf8(kernels, src, to))
    }

    /// Encodes from the front of `src` into little room.
    #[inline(always)]
    pub(crate) fn fill_utf16(
        &mut self,
        kernels: &Kernels,
        run: impl EncodeRun,
        src: &[u16],
    ) -> Fill {
        self.0.fill(|to| run.fill_utf16(kernels, src, to))
    }

    /// Encodes all of `src` if it is short, mappable and fits, or else nothing. Returns whether it did.
    #[inline(always)]
    pub(crate) fn try_short_utf8(&mut self, run: impl EncodeShort, src: &str) -> bool {
        self.0.try_run(|to| run.try_utf8(src, to))
    }

    /// Encodes all of `src` if it is short, mappable and fits, or else nothing. Returns whether it did.
    #[inline(always)]
    pub(crate) fn try_short_utf16(&mut self, run: impl EncodeShort, src: &[u16]) -> bool {
        // As a call, 16 units take up to a tenth longer. From UTF-8 they don't, and a copy of 256 bytes is
        // faster as a call.
        self.0.try_run(
            #[inline(always)]
            |to| run.try_utf16(src, to),
        )
    }
}

/// One to four bytes, packed into a word so that they stay in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes {
    /// The first byte is the lowest; those after the last one are 0.
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

    /// Returns all four bytes, with 0 after the last one.
    #[inline(always)]
    pub(crate) fn padded(self) -> [u8; 4] {
        self.word.to_le_bytes()
    }
}

/// Lets `fill` write into the spare capacity of a vector, and appends what it wrote.
#[cfg(feature = "alloc")]
pub(crate) fn append_bytes<R>(
    bytes: &mut alloc::vec::Vec<u8>,
    fill: impl FnOnce(&mut ByteOut<'_>) -> R,
) -> R {
    let old_len = bytes.len();
    let mut out = ByteOut::new(bytes.spare_capacity_mut());
    let result = fill(&mut out);
    let added = out.len();
    // SAFETY: the first `added` bytes of the spare capacity were written: `out` is the output made above,
    // because `fill` has no other one of that lifetime, and it counts only what was written to it.
    unsafe { bytes.set_len(old_len + added) };
    result
}
