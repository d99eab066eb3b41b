//! A buffer of UTF-8, and the one bridge from it to `String`.
//!
//! [`Utf8Out`] accepts characters, and what a [`DecodeRun`] or a [`DecodeShort`] writes, which only `simd/`
//! and this layer can implement; so its contents are valid UTF-8 by construction, and [`append_text`] may let
//! a `String` own them. Tested in `tests/exhaustive` (all decoded text is valid) and in `simd/tests` (every
//! kernel against a plain one).
#![allow(
    unsafe_code,
    reason = "the bridge from bytes that are known to be text to `String` and `str`"
)]

use core::mem::MaybeUninit;

use super::Sink;
use super::filled::Filled;
use super::run::{DecodeRun, DecodeShort};
use crate::simd::fill::{Fill, LittleRoom};
use crate::simd::{Kernels, Transcoded, write_only};

/// A buffer with valid UTF-8 at its front.
#[derive(Debug)]
pub(crate) struct Utf8Out<'a>(Filled<'a, u8>);

impl<'a> Utf8Out<'a> {
    pub(crate) fn new(buf: &'a mut [MaybeUninit<u8>]) -> Self {
        Utf8Out(Filled::new(buf))
    }
}

impl Sink for Utf8Out<'_> {
    #[inline(always)]
    fn written(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn put(&mut self, ch: char) -> bool {
        let c = u32::from(ch);
        let last = |shift: u32| (c >> shift & 0x3F) as u8 | 0x80;
        match c {
            0..=0x7F => self.0.put([c as u8]),
            0x80..=0x7FF => self.0.put([(c >> 6) as u8 | 0xC0, last(0)]),
            0x800..=0xFFFF => self.0.put([(c >> 12) as u8 | 0xE0, last(6), last(0)]),
            _ => self
                .0
                .put([(c >> 18) as u8 | 0xF0, last(12), last(6), last(0)]),
        }
    }

    fn put_pair(&mut self, first: char, second: char) -> bool {
        self.0.room() >= first.len_utf8() + second.len_utf8() && self.put(first) && self.put(second)
    }

    #[inline(always)]
    fn run<R: DecodeRun>(&mut self, kernels: &Kernels, run: R, src: &[R::From]) -> Transcoded {
        self.0.run(|to| run.into_utf8(kernels, src, to))
    }

    #[inline(always)]
    fn room(&self) -> usize {
        self.0.room()
    }

    #[inline(always)]
    fn has_less_room_than(&self, little: LittleRoom, input: usize) -> bool {
        self.0.room() < input.min(little.utf8)
    }

    #[inline(always)]
    fn fill<R: DecodeRun>(&mut self, kernels: &Kernels, run: R, src: &[R::From]) -> Fill {
        self.0.fill(|to| run.fill_utf8(kernels, src, to))
    }

    #[inline(always)]
    fn try_short<R: DecodeShort>(&mut self, run: R, src: &[u8]) -> bool {
        // As a call, 16 bytes of single-byte encodings take a tenth longer.
        self.0.try_run(
            #[inline(always)]
            |to| run.try_into_utf8(src, to),
        )
    }
}

/// Lets `fill` write into the spare capacity of a string, and appends what it wrote.
#[cfg(feature = "alloc")]
pub(crate) fn append_text<R>(
    string: &mut alloc::string::String,
    fill: impl FnOnce(&mut Utf8Out<'_>) -> R,
) -> R {
    // SAFETY: the bytes that the string holds stay unchanged, and those added below are valid UTF-8 by the
    // invariant of `Utf8Out`.
    let bytes = unsafe { string.as_mut_vec() };
    let old_len = bytes.len();
    let mut out = Utf8Out::new(bytes.spare_capacity_mut());
    let result = fill(&mut out);
    let added = out.written();
    // SAFETY: the first `added` bytes of the spare capacity were written: `out` is the output made above,
    // because `fill` has no other one of that lifetime, and it counts only what was written to it.
    unsafe { bytes.set_len(old_len + added) };
    result
}

/// Lets `fill` write over the first `most` bytes of `text`. Bytes that it may have overwritten without
/// writing text, and the rest of a character of which it has overwritten a part, become U+0000.
pub(crate) fn overwrite_text<R>(
    text: &mut str,
    most: usize,
    fill: impl FnOnce(&mut Utf8Out<'_>) -> R,
) -> R {
    // SAFETY: when `rest` is dropped, also by a panic, the bytes are UTF-8: those written are, by the
    // invariant of `Utf8Out`; zeros follow them, up to the next byte that was not overwritten and starts a
    // character.
    let bytes = unsafe { text.as_bytes_mut() };
    let mut rest = Rest {
        overwritten: most.min(bytes.len()),
        bytes,
        written: 0,
    };
    let mut out = Utf8Out::new(write_only(&mut rest.bytes[..rest.overwritten]));
    let result = fill(&mut out);
    rest.written = out.written();
    result
}

/// The bytes of a `str`, of which the first `written` are text and the others up to `overwritten` may have
/// any value.
struct Rest<'a> {
    bytes: &'a mut [u8],
    written: usize,
    overwritten: usize,
}

impl Drop for Rest<'_> {
    fn drop(&mut self) {
        self.bytes[self.written..self.overwritten].fill(0);
        let cut = self.bytes[self.overwritten..].iter_mut();
        for byte in cut.take_while(|byte| **byte & 0xC0 == 0x80) {
            *byte = 0;
        }
    }
}
