//! The one bridge from bytes to `str` without a second validation.
//!
//! [`Utf8Out`] is an output buffer with private fields. It accepts characters, and runs that a
//! kernel of `simd/` vouches for; so what stands in it is valid UTF-8 by construction, and
//! [`append_text`] may let a `String` own it. With `simd/` this is the only file that may hold
//! `unsafe`. Tested in `tests/exhaustive` (everything decoded is valid) and in `simd/tests` (every
//! kernel against a plain one).
#![allow(
    unsafe_code,
    reason = "the bridge from bytes that are known to be text to `str`"
)]

use core::mem::MaybeUninit;

#[cfg(feature = "rayon")]
pub(crate) use parts::{Adjacent, Part, Room, Units, append_parts, append_parts_of_text};

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

/// Lets `fill` write into the spare capacity of a vector and say how many bytes it wrote.
#[cfg(feature = "alloc")]
pub(crate) fn append_bytes<R>(
    bytes: &mut alloc::vec::Vec<u8>,
    fill: impl FnOnce(&mut crate::stream::byte_out::ByteOut<'_>) -> R,
) -> R {
    let old_len = bytes.len();
    let mut out = crate::stream::byte_out::ByteOut::new(bytes.spare_capacity_mut());
    let result = fill(&mut out);
    let added = out.len();
    // SAFETY: the first `added` bytes of the spare capacity were written, because `ByteOut::len`
    // grows only by what was.
    unsafe { bytes.set_len(old_len + added) };
    result
}

/// Lets `fill` write up to `most` code units into the spare capacity of a vector, and appends what it wrote.
#[cfg(feature = "alloc")]
pub(crate) fn append_units<R>(
    units: &mut alloc::vec::Vec<u16>,
    most: usize,
    fill: impl FnOnce(&mut crate::stream::sink::Utf16Out<'_>) -> R,
) -> R {
    let old_len = units.len();
    let spare = units.spare_capacity_mut();
    let room = spare.len().min(most);
    let mut out = crate::stream::sink::Utf16Out::new(&mut spare[..room]);
    let result = fill(&mut out);
    let added = crate::stream::sink::Sink::written(&out);
    // SAFETY: the first `added` units of the spare capacity were written, because `Utf16Out::written`
    // grows only by what was.
    unsafe { units.set_len(old_len + added) };
    result
}

/// The ASCII bytes at the front of `bytes`, all of them, as text.
#[cfg(feature = "alloc")]
pub(crate) fn ascii_prefix<'a>(kernels: &Kernels, bytes: &'a [u8]) -> &'a str {
    let len = if few_encoded::is_ascii(bytes) {
        bytes.len()
    } else {
        whole_prefix(kernels.ascii_prefix, bytes, u8::is_ascii)
    };
    // SAFETY: the kernel, or the look before or after it, says that these bytes are ASCII.
    unsafe { core::str::from_utf8_unchecked(&bytes[..len]) }
}

/// The bytes at the front of `bytes` that ISO-2022-JP has in common with ASCII, all of them, as text.
#[cfg(feature = "alloc")]
pub(crate) fn unshifted_prefix<'a>(kernels: &Kernels, bytes: &'a [u8]) -> &'a str {
    let is_unshifted = |byte: &u8| byte.is_ascii() && !matches!(byte, 0x0E | 0x0F | 0x1B);
    let len = whole_prefix(kernels.unshifted_prefix, bytes, is_unshifted);
    // SAFETY: the kernel, or the look after it, says that these bytes are ASCII.
    unsafe { core::str::from_utf8_unchecked(&bytes[..len]) }
}

/// How many bytes at the front are such; the kernel may stop earlier.
#[cfg(feature = "alloc")]
fn whole_prefix(kernel: fn(&[u8]) -> usize, bytes: &[u8], are: impl Fn(&u8) -> bool) -> usize {
    let len = kernel(bytes);
    len + bytes[len..].iter().take_while(|byte| are(byte)).count()
}

/// The well-formed UTF-8 at the front of `bytes`, all of it, as text.
#[cfg(feature = "alloc")]
pub(crate) fn utf8_prefix<'a>(kernels: &Kernels, bytes: &'a [u8]) -> &'a str {
    let len = (kernels.utf8_valid_prefix)(bytes);
    // The kernel may stop earlier.
    let len = match core::str::from_utf8(&bytes[len..]) {
        Ok(rest) => len + rest.len(),
        Err(error) => len + error.valid_up_to(),
    };
    // SAFETY: the kernel and std say that these bytes are well-formed UTF-8.
    unsafe { core::str::from_utf8_unchecked(&bytes[..len]) }
}

/// A caller's initialised buffer, to be written only.
pub(crate) fn write_only<T: Copy>(dst: &mut [T]) -> &mut [MaybeUninit<T>] {
    let len = dst.len();
    let ptr = dst.as_mut_ptr().cast::<MaybeUninit<T>>();
    // SAFETY: `MaybeUninit<T>` has the layout of `T`; the slice is borrowed for as long as the
    // result; and nothing in this crate writes an uninitialised value into such a slice, so that it
    // is initialised still when the caller has it back.
    unsafe { core::slice::from_raw_parts_mut(ptr, len) }
}

/// Bytes as code units, where their alignment allows it; an odd byte at the end is left out.
pub(crate) fn as_units(dst: &mut [MaybeUninit<u8>]) -> Option<&mut [MaybeUninit<u16>]> {
    // SAFETY: any two bytes, initialised or not, are a `MaybeUninit<u16>`, and the other way.
    match unsafe { dst.align_to_mut::<MaybeUninit<u16>>() } {
        ([], units, _) => Some(units),
        _ => None,
    }
}

/// What threads write together, and find together.
#[cfg(feature = "rayon")]
mod parts {
    use core::mem::MaybeUninit;
    use core::sync::atomic::{AtomicUsize, Ordering};

    /// Room after the end of a string or a vector, which is given away part by part from the front on, for
    /// threads to fill.
    pub(crate) struct Room<'a, S: Units + ?Sized> {
        rest: &'a mut [MaybeUninit<S::Unit>],
        given: &'a mut usize,
        filled: &'a AtomicUsize,
    }

    /// A part of the room.
    pub(crate) struct Part<'a, S: Units + ?Sized> {
        to: &'a mut [MaybeUninit<S::Unit>],
        filled: &'a AtomicUsize,
    }

    /// `str`, or a slice.
    pub(crate) trait Units {
        type Unit: Copy + Send + Sync;

        fn units(&self) -> &[Self::Unit];
    }

    impl Units for str {
        type Unit = u8;

        fn units(&self) -> &[u8] {
            self.as_bytes()
        }
    }

    impl<T: Copy + Send + Sync> Units for [T] {
        type Unit = T;

        fn units(&self) -> &[T] {
            self
        }
    }

    impl<'a, S: Units + ?Sized> Room<'a, S> {
        /// The next `len` units; `None`, and nothing is given, where there are not as many.
        pub(crate) fn part(&mut self, len: usize) -> Option<Part<'a, S>> {
            if self.rest.len() < len {
                return None;
            }
            let (to, rest) = core::mem::take(&mut self.rest).split_at_mut(len);
            self.rest = rest;
            *self.given += len;
            Some(Part {
                to,
                filled: self.filled,
            })
        }
    }

    impl<S: Units + ?Sized> Part<'_, S> {
        /// Copies `whole` to the part, if it has the length of the part.
        pub(crate) fn fill(self, whole: &S) {
            let units = whole.units();
            if units.len() != self.to.len() {
                return;
            }
            for (to, unit) in self.to.iter_mut().zip(units) {
                to.write(*unit);
            }
            self.filled.fetch_add(units.len(), Ordering::Release);
        }
    }

    /// Lets `give` give the spare capacity of a vector to threads, and appends what they wrote; or nothing,
    /// if they did not fill all that they got.
    pub(crate) fn append_parts<T: Copy + Send + Sync, R>(
        vec: &mut alloc::vec::Vec<T>,
        give: impl FnOnce(Room<'_, [T]>) -> R,
    ) -> R {
        append_parts_of::<[T], R>(vec, give)
    }

    /// The same for a string.
    pub(crate) fn append_parts_of_text<R>(
        string: &mut alloc::string::String,
        give: impl FnOnce(Room<'_, str>) -> R,
    ) -> R {
        // SAFETY: the bytes that the string holds stay as they are, and those added below are those of one
        // `str` after the other: a part is filled with a whole one, or not at all.
        let bytes = unsafe { string.as_mut_vec() };
        append_parts_of::<str, R>(bytes, give)
    }

    fn append_parts_of<S: Units + ?Sized, R>(
        vec: &mut alloc::vec::Vec<S::Unit>,
        give: impl FnOnce(Room<'_, S>) -> R,
    ) -> R {
        let old_len = vec.len();
        let (mut given, filled) = (0, AtomicUsize::new(0));
        let result = give(Room {
            rest: vec.spare_capacity_mut(),
            given: &mut given,
            filled: &filled,
        });
        if filled.into_inner() == given {
            // SAFETY: the parts lie one after the other from the front of the spare capacity on, and are
            // `given` units together. Each has counted its length once, when all of it was written; so
            // all are written. `give` and with it every borrow of the counter has ended.
            unsafe { vec.set_len(old_len + given) };
        }
        result
    }

    /// Text at the front of some bytes, found part by part.
    pub(crate) struct Adjacent<'a> {
        bytes: &'a [u8],
        len: usize,
    }

    impl<'a> Adjacent<'a> {
        pub(crate) fn new(bytes: &'a [u8]) -> Self {
            Adjacent { bytes, len: 0 }
        }

        /// Takes text that lies in the bytes right after what was taken before; anything else is not
        /// taken.
        pub(crate) fn push(&mut self, text: &'a str) {
            let rest = &self.bytes[self.len..];
            if text.len() <= rest.len() && core::ptr::eq(text.as_ptr(), rest.as_ptr()) {
                self.len += text.len();
            }
        }

        pub(crate) fn text(&self) -> &'a str {
            // SAFETY: these bytes are those of one `str` after the other: each lay where the ones before
            // it end, and what is borrowed for 'a does not change.
            unsafe { core::str::from_utf8_unchecked(&self.bytes[..self.len]) }
        }
    }
}
