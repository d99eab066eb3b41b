//! How much text a number of bytes can decode to.

use super::{Before, Decoder};
use crate::codec::AnyDecoder;
use crate::codec::utf16::Utf16;
use crate::progress::Bom;

/// The maximum length of the text of `n` bytes, for one of the three functions.
type Figure = fn(&AnyDecoder, n: usize) -> Option<usize>;

impl Decoder {
    /// Returns the maximum number of bytes of UTF-8 that `n` more bytes of input can decode to, including the end of
    /// the stream and malformed sequences (three bytes each). `None` if that overflows.
    ///
    /// With that much room, one call of [`Decoder::decode_to_utf8`] reads all `n` bytes. The result is never
    /// too small, and for every encoding except ISO-2022-JP there are `n` bytes at the start of a stream that
    /// need all of it.
    ///
    /// ```
    /// use simdtext::{Bom, UTF_8, UTF_16LE};
    ///
    /// assert_eq!(UTF_8.decoder(Bom::Keep).max_utf8_len(10), Some(30));
    /// assert_eq!(UTF_16LE.decoder(Bom::Keep).max_utf8_len(10), Some(15));
    /// ```
    #[doc(alias = "max_utf8_buffer_length")]
    #[must_use]
    pub fn max_utf8_len(&self, n: usize) -> Option<usize> {
        self.most(n, utf8_lossy)
    }

    /// Returns the maximum number of bytes of UTF-8 that `n` more bytes of well-formed input can decode to. `None` if
    /// that overflows.
    ///
    /// With that much room, one call of [`Decoder::decode_to_utf8_strict`] reads all `n` bytes or ends with
    /// [`Status::Malformed`](crate::Status::Malformed).
    ///
    /// ```
    /// use simdtext::{Bom, EUC_KR, UTF_8};
    ///
    /// assert_eq!(UTF_8.decoder(Bom::Keep).max_utf8_len_strict(10), Some(10));
    /// assert_eq!(EUC_KR.decoder(Bom::Keep).max_utf8_len_strict(10), Some(15));
    /// ```
    #[doc(alias = "max_utf8_buffer_length_without_replacement")]
    #[must_use]
    pub fn max_utf8_len_strict(&self, n: usize) -> Option<usize> {
        self.most(n, utf8_strict)
    }

    /// Returns the maximum number of code units of UTF-16 that `n` more bytes of input can decode to, including the
    /// end of the stream and malformed sequences (one unit each). `None` if that overflows.
    ///
    /// ```
    /// use simdtext::{BIG5, Bom, UTF_16LE};
    ///
    /// assert_eq!(BIG5.decoder(Bom::Keep).max_utf16_len(10), Some(10));
    /// assert_eq!(UTF_16LE.decoder(Bom::Keep).max_utf16_len(10), Some(5));
    /// ```
    #[doc(alias = "max_utf16_buffer_length")]
    #[must_use]
    pub fn max_utf16_len(&self, n: usize) -> Option<usize> {
        self.most(n, utf16)
    }

    fn most(&self, n: usize, figure: Figure) -> Option<usize> {
        if self.before == Before::End {
            let next = Self::with_kernels(self.original, self.bom, self.kernels);
            return next.most(n, figure);
        }
        let n = n.checked_add(self.queue.held.len())?;
        let own = figure(&self.machine, n)?;
        if !self.at_start || self.bom != Bom::Sniff {
            return Some(own);
        }
        // Unless a byte order mark, which is removed, changes the encoding.
        let utf8 = figure(&AnyDecoder::Utf8(Default::default()), n.saturating_sub(3))?;
        let utf16 = figure(&AnyDecoder::Utf16(Utf16::LE), n.saturating_sub(2))?;
        Some(own.max(utf8).max(utf16))
    }
}

fn utf8_lossy(decoder: &AnyDecoder, n: usize) -> Option<usize> {
    match decoder {
        AnyDecoder::Utf16(_) => n.div_ceil(2).checked_mul(3),
        AnyDecoder::Replacement(_) => Some(if n == 0 { 0 } else { 3 }),
        AnyDecoder::SingleByte(machine) if machine.is_full() => utf8_strict(decoder, n),
        // U+FFFD for each byte.
        _ => n.checked_mul(3),
    }
}

fn utf8_strict(decoder: &AnyDecoder, n: usize) -> Option<usize> {
    match decoder {
        AnyDecoder::Utf8(_) => Some(n),
        // A code unit has at most three bytes; a surrogate pair has four.
        AnyDecoder::Utf16(_) => (n / 2).checked_mul(3),
        // Two bytes decode to a character of four bytes, or to two of two bytes each.
        AnyDecoder::Big5(_) => (n / 2).checked_mul(4)?.checked_add(n % 2),
        AnyDecoder::EucJp(_) | AnyDecoder::EucKr(_) => (n / 2).checked_mul(3)?.checked_add(n % 2),
        AnyDecoder::Replacement(_) => Some(0),
        AnyDecoder::SingleByte(machine) => n.checked_mul(machine.max_utf8()),
        // In ISO-2022-JP and Shift_JIS one byte of half-width katakana has three bytes in UTF-8, and so has
        // byte 80 in GBK and gb18030.
        _ => n.checked_mul(3),
    }
}

fn utf16(decoder: &AnyDecoder, n: usize) -> Option<usize> {
    match decoder {
        AnyDecoder::Utf16(_) => Some(n.div_ceil(2)),
        AnyDecoder::Replacement(_) => Some(n.min(1)),
        _ => Some(n),
    }
}
