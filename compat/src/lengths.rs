//! The maximum room that the output of a decoder or an encoder needs.
//!
//! The figures are those that encoding_rs documents for the same state, or higher: callers provide that much
//! room and rely on it never being full.

use crate::encoding::Kind;
use crate::{Decoder, Encoder};

// The names and parameters of the functions are those of encoding_rs.

/// The figure for `n` bytes or code units of input.
type Figure = fn(Kind, usize) -> Option<usize>;

/// The longest numeric character reference, `&#1114111;`.
pub(crate) const LONGEST_REFERENCE: usize = 10;

impl Decoder {
    /// The maximum number of bytes of UTF-8 that `byte_length` more bytes and the end of the stream become,
    /// with malformed sequences replaced by U+FFFD. `None` if it overflows.
    ///
    /// # Panics
    ///
    /// Panics if the stream is finished.
    pub fn max_utf8_buffer_length(&self, byte_length: usize) -> Option<usize> {
        self.max_length(byte_length, |kind, n| match kind {
            Kind::Utf8 | Kind::Big5 => n.checked_mul(3)?.checked_add(3),
            Kind::Utf16Be | Kind::Utf16Le => max_utf8_of_utf16(n),
            Kind::Gbk | Kind::Gb18030 => n.checked_mul(3)?.checked_add(1),
            Kind::Replacement => Some(3),
            _ => n.checked_mul(3),
        })
    }

    /// The maximum number of bytes of UTF-8 that `byte_length` more bytes and the end of the stream become if
    /// nothing is malformed. `None` if it overflows.
    ///
    /// # Panics
    ///
    /// Panics if the stream is finished.
    pub fn max_utf8_buffer_length_without_replacement(&self, byte_length: usize) -> Option<usize> {
        self.max_length(byte_length, |kind, n| match kind {
            Kind::Utf8 => n.checked_add(3),
            Kind::Big5 => n.checked_mul(2)?.checked_add(2),
            Kind::Utf16Be | Kind::Utf16Le => max_utf8_of_utf16(n),
            Kind::Gbk | Kind::Gb18030 => n.checked_mul(3)?.checked_add(1),
            // Two bytes become three.
            Kind::EucJp | Kind::EucKr => n.checked_add(n.checked_add(1)? / 2)?.checked_add(2),
            Kind::Replacement => Some(3),
            _ => n.checked_mul(3),
        })
    }

    /// The maximum number of code units of UTF-16 that `byte_length` more bytes and the end of the stream
    /// become. `None` if it overflows.
    ///
    /// # Panics
    ///
    /// Panics if the stream is finished.
    pub fn max_utf16_buffer_length(&self, byte_length: usize) -> Option<usize> {
        self.max_length(byte_length, |kind, n| match kind {
            Kind::Utf8 | Kind::Big5 | Kind::Gbk | Kind::Gb18030 => n.checked_add(1),
            Kind::Utf16Be | Kind::Utf16Le => (n.checked_add(1)? / 2).checked_add(1),
            Kind::Replacement => Some(1),
            _ => Some(n),
        })
    }

    fn max_length(&self, byte_length: usize, figure: Figure) -> Option<usize> {
        let state = self.for_lengths();
        let own = |pending: usize| {
            // In ISO-2022-JP an escape sequence may turn out to be malformed when the next one comes.
            let replaced = usize::from(state.kind == Kind::Iso2022Jp && !state.is_initial);
            figure(
                state.kind,
                byte_length.checked_add(pending)?.checked_add(replaced)?,
            )
        };
        let of_mark = |kinds: &[Kind], pending: usize| {
            let n = byte_length.checked_add(pending)?;
            let mut most = own(pending)?;
            for &kind in kinds {
                most = most.max(figure(kind, n)?);
            }
            Some(most)
        };
        match (state.mark, state.pending) {
            // Three bytes of EUC-JP become one character, like two bytes.
            (None, pending) if state.kind == Kind::EucJp => own(pending.min(1)),
            (None, pending) => own(pending),
            (Some(_), 0) if state.sniffs => of_mark(&[Kind::Utf8, Kind::Utf16Le], 0),
            (Some(_), 0) => own(0),
            (Some(0xEF), _) => of_mark(&[Kind::Utf8], 2),
            (Some(_), _) => of_mark(&[Kind::Utf16Le], 2),
        }
    }
}

/// Two bytes become three, and a byte at the end becomes U+FFFD.
fn max_utf8_of_utf16(n: usize) -> Option<usize> {
    (n.checked_add(1)? / 2).checked_mul(3)?.checked_add(1)
}

impl Encoder {
    /// The maximum number of bytes that `byte_length` more bytes of UTF-8 and the end of the stream become if
    /// nothing is unmappable, with the room that is kept free for a numeric character reference. `None` if it
    /// overflows.
    pub fn max_buffer_length_from_utf8_if_no_unmappables(
        &self,
        byte_length: usize,
    ) -> Option<usize> {
        self.max_buffer_length_from_utf8_without_replacement(byte_length)?
            .checked_add(self.reserve())
    }

    /// The maximum number of bytes that `byte_length` more bytes of UTF-8 and the end of the stream become if
    /// nothing is unmappable. `None` if it overflows.
    pub fn max_buffer_length_from_utf8_without_replacement(
        &self,
        byte_length: usize,
    ) -> Option<usize> {
        let n = byte_length;
        match self.encoding().kind {
            Kind::Gbk => n.checked_add(3),
            Kind::Gb18030 => n.checked_mul(2)?.checked_add(2),
            Kind::Iso2022Jp => n.checked_mul(3)?.checked_add(3),
            Kind::Big5 | Kind::EucJp | Kind::EucKr | Kind::ShiftJis => n.checked_add(1),
            _ => Some(n),
        }
    }

    /// The maximum number of bytes that `u16_length` more code units of UTF-16 and the end of the stream
    /// become if nothing is unmappable, with the room that is kept free for a numeric character reference.
    /// `None` if it overflows.
    pub fn max_buffer_length_from_utf16_if_no_unmappables(
        &self,
        u16_length: usize,
    ) -> Option<usize> {
        self.max_buffer_length_from_utf16_without_replacement(u16_length)?
            .checked_add(self.reserve())
    }

    /// The maximum number of bytes that `u16_length` more code units of UTF-16 and the end of the stream
    /// become if nothing is unmappable. `None` if it overflows.
    pub fn max_buffer_length_from_utf16_without_replacement(
        &self,
        u16_length: usize,
    ) -> Option<usize> {
        let n = u16_length;
        match self.encoding().kind {
            Kind::Utf8 => n.checked_mul(3),
            Kind::Gbk => n.checked_mul(2)?.checked_add(2),
            Kind::Gb18030 => n.checked_mul(4),
            Kind::Iso2022Jp => {
                let switches = n.checked_add(1)? / 2;
                n.checked_mul(4)?.checked_add(3)?.checked_add(switches)
            }
            Kind::Big5 | Kind::EucJp | Kind::EucKr | Kind::ShiftJis => n.checked_mul(2),
            _ => Some(n),
        }
    }

    /// What is kept free in every output: room for a numeric character reference, if the encoding can need
    /// one.
    pub(crate) fn reserve(&self) -> usize {
        if self.encoding().kind == Kind::Utf8 {
            0
        } else {
            LONGEST_REFERENCE
        }
    }
}
