//! What an encoder is in the middle of, and how much room it needs.

use core::fmt;

use super::Encoder;
use crate::codec::{Encode, Growth, on_machine};
use crate::encoding::Encoding;

impl Encoder {
    /// The encoding.
    ///
    /// ```
    /// assert_eq!(simdtext::GBK.encoder().unwrap().encoding(), simdtext::GBK);
    /// ```
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// The number of units of input (bytes of UTF-8, code units of UTF-16) read since the start of the stream,
    /// including a held surrogate.
    ///
    /// ```
    /// use simdtext::{GBK, Unmappable};
    ///
    /// let mut encoder = GBK.encoder().unwrap();
    /// let _ = encoder.encode_from_utf8("é", &mut [0; 10], false, Unmappable::Ncr);
    /// assert_eq!(encoder.total_read(), 2);
    /// ```
    #[must_use]
    pub fn total_read(&self) -> u64 {
        self.offset + u64::from(self.held.is_some())
    }

    /// Whether ending the stream would still write something, even without more text: an escape sequence
    /// of ISO-2022-JP, or U+FFFD for a surrogate that is held back.
    ///
    /// ```
    /// use simdtext::{ISO_2022_JP, Unmappable};
    ///
    /// let mut encoder = ISO_2022_JP.encoder().unwrap();
    /// let mut dst = [0; 16];
    /// let progress = encoder.encode_from_utf8("日", &mut dst, false, Unmappable::Strict);
    /// assert!(encoder.has_pending_output());
    /// let progress = encoder.encode_from_utf8("", &mut dst, true, Unmappable::Strict);
    /// assert_eq!(&dst[..progress.written], b"\x1B(B");
    /// assert!(!encoder.has_pending_output());
    /// ```
    #[doc(alias = "has_pending_state")]
    #[must_use]
    pub fn has_pending_output(&self) -> bool {
        self.held.is_some()
            || on_machine!(AnyEncoder, &self.machine, machine => machine.finish().is_some())
    }

    /// Begins a new stream. A surrogate that was held back and an escape sequence that was still to
    /// be written are dropped.
    ///
    /// ```
    /// use simdtext::{ISO_2022_JP, Unmappable};
    ///
    /// let mut encoder = ISO_2022_JP.encoder().unwrap();
    /// let _ = encoder.encode_from_utf8("日", &mut [0; 16], false, Unmappable::Ncr);
    /// encoder.reset();
    /// assert!(!encoder.has_pending_output());
    /// ```
    pub fn reset(&mut self) {
        if let Some(fresh) = Self::with_kernels(self.encoding, self.kernels) {
            *self = fresh;
        }
    }

    /// The most bytes that `n` more bytes of UTF-8 can become, including the end of the stream, if no
    /// character is unmappable; hardly any text needs that much. `None` if that overflows.
    ///
    /// A numeric character reference ([`Unmappable::Ncr`](crate::Unmappable::Ncr)) is longer than this allows for, and a
    /// call then returns [`Status::OutputFull`](crate::Status::OutputFull).
    ///
    /// ```
    /// use simdtext::{GB18030, GBK};
    ///
    /// assert_eq!(GBK.encoder().unwrap().max_len_from_utf8(10), Some(10));
    /// assert_eq!(GB18030.encoder().unwrap().max_len_from_utf8(10), Some(20));
    /// ```
    #[doc(alias(
        "max_buffer_length_from_utf8_if_no_unmappables",
        "max_buffer_length_from_utf8_without_replacement",
    ))]
    #[must_use]
    pub fn max_len_from_utf8(&self, n: usize) -> Option<usize> {
        let growth = self.growth();
        // U+FFFD for a surrogate that is held back.
        let held = usize::from(self.held.is_some()) * growth.utf16;
        n.checked_mul(growth.utf8)?.checked_add(growth.extra + held)
    }

    /// The most bytes that `n` more code units of UTF-16 can become, including the end of the stream, if no
    /// character is unmappable; see [`Encoder::max_len_from_utf8`]. `None` if that overflows.
    ///
    /// ```
    /// use simdtext::{BIG5, UTF_8};
    ///
    /// assert_eq!(BIG5.encoder().unwrap().max_len_from_utf16(10), Some(20));
    /// assert_eq!(UTF_8.encoder().unwrap().max_len_from_utf16(10), Some(30));
    /// ```
    #[doc(alias(
        "max_buffer_length_from_utf16_if_no_unmappables",
        "max_buffer_length_from_utf16_without_replacement",
    ))]
    #[must_use]
    pub fn max_len_from_utf16(&self, n: usize) -> Option<usize> {
        let growth = self.growth();
        n.checked_add(usize::from(self.held.is_some()))?
            .checked_mul(growth.utf16)?
            .checked_add(growth.extra)
    }

    fn growth(&self) -> Growth {
        fn of<M: Encode>(_: &M) -> Growth {
            M::GROWTH
        }
        on_machine!(AnyEncoder, &self.machine, machine => of(machine))
    }
}

/// What the methods of the same names return.
///
/// ```
/// use simdtext::{ISO_2022_JP, Unmappable};
///
/// let mut encoder = ISO_2022_JP.encoder().unwrap();
/// let _ = encoder.encode_from_utf8("日", &mut [0; 8], false, Unmappable::Strict);
/// assert_eq!(
///     format!("{encoder:?}"),
///     "Encoder { encoding: Encoding(ISO-2022-JP), total_read: 3, has_pending_output: true }"
/// );
/// ```
impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder")
            .field("encoding", &self.encoding())
            .field("total_read", &self.total_read())
            .field("has_pending_output", &self.has_pending_output())
            .finish()
    }
}
