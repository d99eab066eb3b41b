//! A buffer of UTF-16 code units.
#![cfg_attr(
    feature = "alloc",
    allow(
        unsafe_code,
        reason = "a vector grows by what was written behind its end"
    )
)]

use core::mem::MaybeUninit;

use super::Sink;
use crate::simd::{
    JisState, Kernels, SingleByteTable, Transcoded, TwoByte, TwoByteIndex, few_encoded, few_of,
    few_to, short_to_utf16, single_byte_to_utf16_lossy, two_byte_lossy,
};

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

/// Lets `fill` write up to `most` code units into the spare capacity of a vector, and appends what it wrote.
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
    let added = out.len;
    // SAFETY: the first `added` units of the spare capacity were written, because `Utf16Out::written`
    // grows only by what was.
    unsafe { units.set_len(old_len + added) };
    result
}
