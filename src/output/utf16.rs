//! A buffer of UTF-16 code units.
#![cfg_attr(
    feature = "alloc",
    allow(
        unsafe_code,
        reason = "a vector grows by what was written after its end"
    )
)]

use core::mem::MaybeUninit;

use super::Sink;
use super::filled::Filled;
use super::run::{DecodeRun, DecodeShort};
use crate::simd::fill::{Fill, LittleRoom};
use crate::simd::{Kernels, Transcoded};

/// A buffer of UTF-16 code units. Half a surrogate pair is never written.
#[derive(Debug)]
pub(crate) struct Utf16Out<'a>(Filled<'a, u16>);

impl<'a> Utf16Out<'a> {
    pub(crate) fn new(buf: &'a mut [MaybeUninit<u16>]) -> Self {
        Utf16Out(Filled::new(buf))
    }
}

impl Sink for Utf16Out<'_> {
    #[inline(always)]
    fn written(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn put(&mut self, ch: char) -> bool {
        let mut units = [0; 2];
        match *ch.encode_utf16(&mut units) {
            [unit] => self.0.put([unit]),
            _ => self.0.put(units),
        }
    }

    fn put_pair(&mut self, first: char, second: char) -> bool {
        self.0.room() >= first.len_utf16() + second.len_utf16()
            && self.put(first)
            && self.put(second)
    }

    #[inline(always)]
    fn run<R: DecodeRun>(&mut self, kernels: &Kernels, run: R, src: &[R::From]) -> Transcoded {
        self.0.run(|to| run.into_utf16(kernels, src, to))
    }

    #[inline(always)]
    fn room(&self) -> usize {
        self.0.room()
    }

    #[inline(always)]
    fn has_less_room_than(&self, little: LittleRoom, input: usize) -> bool {
        self.0.room() < input.min(little.utf16)
    }

    #[inline(always)]
    fn fill<R: DecodeRun>(&mut self, kernels: &Kernels, run: R, src: &[R::From]) -> Fill {
        self.0.fill(|to| run.fill_utf16(kernels, src, to))
    }

    #[inline(always)]
    fn try_short<R: DecodeShort>(&mut self, run: R, src: &[u8]) -> bool {
        // As a call, 16 bytes of UTF-16 take a third longer, and of single-byte encodings a tenth.
        self.0.try_run(
            #[inline(always)]
            |to| run.try_into_utf16(src, to),
        )
    }
}

/// Lets `fill` write at most `most` code units into the spare capacity of a vector, and appends what it
/// wrote.
#[cfg(feature = "alloc")]
pub(crate) fn append_units<R>(
    units: &mut alloc::vec::Vec<u16>,
    most: usize,
    fill: impl FnOnce(&mut Utf16Out<'_>) -> R,
) -> R {
    let old_len = units.len();
    let spare = units.spare_capacity_mut();
    let room = spare.len().min(most);
    let mut out = Utf16Out::new(&mut spare[..room]);
    let result = fill(&mut out);
    let added = out.written();
    // SAFETY: the first `added` units of the spare capacity were written: `out` is the output made above,
    // because `fill` has no other one of that lifetime, and it counts only what was written to it.
    unsafe { units.set_len(old_len + added) };
    result
}
