//! The input of encoders: text, as UTF-8 or UTF-16.

use super::{Emit, Encode};
use crate::output::ByteOut;
use crate::simd::{
    Kernels, SingleByteTable, TwoByteCells, encode_by_utf16, few, few_encoded,
    is_leading_surrogate, surrogate_pair,
};

/// What stands at the front of a text.
pub(crate) enum Front<T> {
    /// A character, and the text after it. A lone surrogate is U+FFFD.
    Char(char, T),
    /// A leading surrogate at the end of the text.
    Incomplete,
    /// Nothing.
    Empty,
}

/// Text to encode: `&str`, or `&[u16]` that need not be well-formed.
pub(crate) trait Text: Copy {
    /// The length in code units (bytes of UTF-8).
    fn units(self) -> usize;

    /// The character at the front. `at_end` says that nothing follows this text.
    fn front(self, at_end: bool) -> Front<Self>;

    /// The text after the first `units` code units, which are whole characters.
    fn skip(self, units: usize) -> Self;

    /// Copies the ASCII characters at the front, as far as there is room; returns their number.
    fn ascii_run(self, kernels: &Kernels, out: &mut ByteOut<'_>) -> usize;

    /// Copies a few units, if all are ASCII and fit, or nothing.
    fn few_of_ascii(self, out: &mut ByteOut<'_>) -> bool;

    /// Converts a few units to UTF-8, if they are well-formed and fit, or nothing.
    fn few_of_utf8(self, out: &mut ByteOut<'_>) -> bool;

    /// Encodes a few units, if each character has a byte and they fit, or nothing.
    fn few_of_bytes(self, out: &mut ByteOut<'_>, byte: impl Fn(u32) -> Option<u8>) -> bool;

    /// Encodes a few units, if a single-byte encoding has them all and they fit, or nothing.
    fn few_of_single_byte(self, table: &SingleByteTable, out: &mut ByteOut<'_>) -> bool;

    /// Converts the front to UTF-8, as far as there is room and the kernel goes; returns the units
    /// read.
    fn utf8_run(self, kernels: &Kernels, out: &mut ByteOut<'_>) -> usize;

    /// Converts the front to UTF-16 bytes, as far as there is room and the kernel goes; returns the
    /// units read.
    fn utf16_run<const BE: bool>(self, kernels: &Kernels, out: &mut ByteOut<'_>) -> usize;

    /// Encodes characters that a single-byte encoding has from the front, as far as there is room
    /// and the kernel goes; returns the units read.
    fn single_byte_run(
        self,
        kernels: &Kernels,
        table: &SingleByteTable,
        out: &mut ByteOut<'_>,
    ) -> usize;

    /// Encodes the front with a kernel that reads UTF-16: it gets code units, writes the bytes of
    /// whole characters of theirs as far as it goes and there is room, and returns the number of
    /// units that these have. Long runs of ASCII are copied besides. Returns the units of this text
    /// read.
    fn run_by_utf16(
        self,
        kernels: &Kernels,
        out: &mut ByteOut<'_>,
        kernel: impl Fn(&[u16], &mut ByteOut<'_>) -> usize,
    ) -> usize;

    /// Encodes characters that an encoding of one and two bytes has from the front, as far as there
    /// is room and the kernel goes; returns the units read.
    fn two_byte_run(self, kernels: &Kernels, cells: &TwoByteCells, out: &mut ByteOut<'_>) -> usize;

    /// Encodes ISO-2022-JP from the front, as far as there is room and the kernel goes; returns the units
    /// read. `pairs` says whether pairs come next.
    fn iso_2022_jp_run(
        self,
        kernels: &Kernels,
        cells: &TwoByteCells,
        pairs: &mut bool,
        out: &mut ByteOut<'_>,
    ) -> usize;

    /// Whether eight ASCII characters come next.
    fn starts_with_ascii(self) -> bool;

    /// Whether three characters that `machine` has come next: where one is unmappable, the next ones
    /// often are, too, and a kernel would stop again.
    #[inline(always)]
    fn starts_with_mappable<M: Encode>(self, machine: M) -> bool {
        let mut text = self;
        for _ in 0..3 {
            text = match text.front(false) {
                Front::Char(ch, after) if !matches!(machine.step(ch).0, Emit::Unmappable(_)) => {
                    after
                }
                _ => return false,
            };
        }
        true
    }
}

impl Text for &str {
    #[inline(always)]
    fn units(self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn front(self, _: bool) -> Front<Self> {
        let mut chars = self.chars();
        match chars.next() {
            Some(ch) => Front::Char(ch, chars.as_str()),
            None => Front::Empty,
        }
    }

    #[inline(always)]
    fn skip(self, units: usize) -> Self {
        self.get(units..).unwrap_or_default()
    }

    #[inline(always)]
    fn ascii_run(self, kernels: &Kernels, out: &mut ByteOut<'_>) -> usize {
        out.put_ascii_run(kernels, self.as_bytes())
    }

    #[inline(always)]
    fn few_of_ascii(self, out: &mut ByteOut<'_>) -> bool {
        out.put_few(|spare| few_encoded::ascii(self.as_bytes(), spare))
    }

    #[inline(always)]
    fn few_of_utf8(self, out: &mut ByteOut<'_>) -> bool {
        out.put_few(|spare| few_encoded::utf8(self, spare))
    }

    #[inline(always)]
    fn few_of_bytes(self, out: &mut ByteOut<'_>, byte: impl Fn(u32) -> Option<u8>) -> bool {
        out.put_few(|spare| {
            if self.units() > few_encoded::FEW {
                return None;
            }
            let mut written = 0;
            few::scalars(self.as_bytes(), |scalar| {
                spare.get_mut(written)?.write(byte(scalar)?);
                written += 1;
                Some(())
            })?;
            Some(written)
        })
    }

    #[inline(always)]
    fn few_of_single_byte(self, _: &SingleByteTable, out: &mut ByteOut<'_>) -> bool {
        self.few_of_ascii(out)
    }

    fn utf8_run(self, _: &Kernels, out: &mut ByteOut<'_>) -> usize {
        let fitting = self.floor_char_boundary_at(out.room());
        out.put_slice(&self.as_bytes()[..fitting]);
        fitting
    }

    fn utf16_run<const BE: bool>(self, kernels: &Kernels, out: &mut ByteOut<'_>) -> usize {
        out.put_utf8_as_utf16_run::<BE>(kernels, self.as_bytes())
    }

    #[inline(always)]
    fn run_by_utf16(
        self,
        kernels: &Kernels,
        out: &mut ByteOut<'_>,
        kernel: impl Fn(&[u16], &mut ByteOut<'_>) -> usize,
    ) -> usize {
        encode_by_utf16(
            kernels,
            self.as_bytes(),
            out,
            |ascii, out| out.put_ascii_run(kernels, ascii),
            kernel,
        )
    }

    #[inline(always)]
    fn single_byte_run(
        self,
        kernels: &Kernels,
        table: &SingleByteTable,
        out: &mut ByteOut<'_>,
    ) -> usize {
        out.put_utf8_as_single_byte_run(kernels, table, self.as_bytes())
    }

    fn two_byte_run(self, kernels: &Kernels, cells: &TwoByteCells, out: &mut ByteOut<'_>) -> usize {
        out.put_utf8_as_two_byte_run(kernels, cells, self.as_bytes())
    }

    fn iso_2022_jp_run(
        self,
        kernels: &Kernels,
        cells: &TwoByteCells,
        pairs: &mut bool,
        out: &mut ByteOut<'_>,
    ) -> usize {
        out.put_utf8_as_iso_2022_jp_run(kernels, cells, pairs, self.as_bytes())
    }

    #[inline(always)]
    fn starts_with_ascii(self) -> bool {
        starts_with_ascii(self.as_bytes())
    }
}

/// `str::floor_char_boundary`, which the supported Rust versions do not all have.
trait FloorCharBoundary {
    fn floor_char_boundary_at(&self, index: usize) -> usize;
}

impl FloorCharBoundary for str {
    fn floor_char_boundary_at(&self, index: usize) -> usize {
        let mut index = index.min(self.len());
        while !self.is_char_boundary(index) {
            index -= 1;
        }
        index
    }
}

impl Text for &[u16] {
    #[inline(always)]
    fn units(self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn front(self, at_end: bool) -> Front<Self> {
        let Some((&unit, rest)) = self.split_first() else {
            return Front::Empty;
        };
        if let Some(ch) = char::from_u32(u32::from(unit)) {
            return Front::Char(ch, rest);
        }
        if is_leading_surrogate(unit) {
            match rest.split_first() {
                None if !at_end => return Front::Incomplete,
                Some((&trail, after)) => {
                    if let Some(ch) = surrogate_pair(unit, trail) {
                        return Front::Char(ch, after);
                    }
                }
                None => {}
            }
        }
        Front::Char(char::REPLACEMENT_CHARACTER, rest)
    }

    #[inline(always)]
    fn skip(self, units: usize) -> Self {
        self.get(units..).unwrap_or_default()
    }

    #[inline(always)]
    fn ascii_run(self, kernels: &Kernels, out: &mut ByteOut<'_>) -> usize {
        out.put_utf16_ascii_run(kernels, self)
    }

    #[inline(always)]
    fn few_of_ascii(self, out: &mut ByteOut<'_>) -> bool {
        out.put_few(|spare| few_encoded::utf16_to_ascii(self, spare))
    }

    #[inline(always)]
    fn few_of_utf8(self, out: &mut ByteOut<'_>) -> bool {
        const BE: bool = cfg!(target_endian = "big");
        out.put_few(|spare| {
            few_encoded::utf16_to_ascii(self, spare)
                .or_else(|| few_encoded::utf16_to_utf8::<BE>(bytemuck::cast_slice(self), spare))
        })
    }

    #[inline(always)]
    fn few_of_bytes(self, out: &mut ByteOut<'_>, byte: impl Fn(u32) -> Option<u8>) -> bool {
        out.put_few(|spare| {
            if self.units() > few_encoded::FEW {
                return None;
            }
            for (&unit, to) in self.iter().zip(spare.get_mut(..self.len())?) {
                to.write(byte(u32::from(unit))?);
            }
            Some(self.len())
        })
    }

    #[inline(always)]
    fn few_of_single_byte(self, table: &SingleByteTable, out: &mut ByteOut<'_>) -> bool {
        out.put_few(|spare| few_encoded::utf16_to_single_byte(table, self, spare))
    }

    #[inline(always)]
    fn utf8_run(self, kernels: &Kernels, out: &mut ByteOut<'_>) -> usize {
        out.put_utf16_run(kernels, self)
    }

    fn utf16_run<const BE: bool>(self, kernels: &Kernels, out: &mut ByteOut<'_>) -> usize {
        out.put_units_run::<BE>(kernels, self)
    }

    #[inline(always)]
    fn run_by_utf16(
        self,
        _: &Kernels,
        out: &mut ByteOut<'_>,
        kernel: impl Fn(&[u16], &mut ByteOut<'_>) -> usize,
    ) -> usize {
        kernel(self, out)
    }

    #[inline(always)]
    fn single_byte_run(
        self,
        kernels: &Kernels,
        table: &SingleByteTable,
        out: &mut ByteOut<'_>,
    ) -> usize {
        out.put_single_byte_run(kernels, table, self)
    }

    fn two_byte_run(self, kernels: &Kernels, cells: &TwoByteCells, out: &mut ByteOut<'_>) -> usize {
        out.put_two_byte_run(kernels, cells, self)
    }

    fn iso_2022_jp_run(
        self,
        kernels: &Kernels,
        cells: &TwoByteCells,
        pairs: &mut bool,
        out: &mut ByteOut<'_>,
    ) -> usize {
        out.put_iso_2022_jp_run(kernels, cells, pairs, self)
    }

    #[inline(always)]
    fn starts_with_ascii(self) -> bool {
        // The first one decides most often, and cheaply.
        self.first().is_some_and(|&unit| unit < 0x80)
            && self
                .first_chunk::<8>()
                .is_some_and(|units| units.iter().fold(0, |all, unit| all | unit) < 0x80)
    }
}

/// Whether eight ASCII bytes come next.
#[inline(always)]
pub(crate) fn starts_with_ascii(src: &[u8]) -> bool {
    // The first one decides most often, and cheaply.
    src.first().is_some_and(u8::is_ascii)
        && src
            .first_chunk::<8>()
            .is_some_and(|bytes| u64::from_ne_bytes(*bytes) & 0x8080_8080_8080_8080 == 0)
}
