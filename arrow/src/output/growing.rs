//! A buffer of output that grows by a forecast from its input.

use arrow_buffer::Buffer;

use super::Output;
use super::pages::{fill_large, prefer_large};
use crate::reuse::{self, Reuse};

/// The maximum initial capacity of a buffer: enough input to see how much longer the output is.
const FIRST_ROOM: usize = 256 * 1024;

/// A buffer of output.
#[derive(Default)]
pub(crate) struct Growing<B> {
    buffer: B,
    /// The number of bytes of input that are expected; `read` has those that were read.
    expected: usize,
    read: usize,
    reuse: Option<Reuse>,
}

impl<B: Output> Growing<B> {
    /// Makes a buffer for the output of `expected` bytes of input.
    pub(crate) fn new(expected: usize) -> Self {
        Growing {
            buffer: B::default(),
            expected,
            read: 0,
            reuse: None,
        }
    }

    /// Sets where large buffers come from and go to.
    pub(crate) fn reusing(self, reuse: Option<&Reuse>) -> Self {
        Growing {
            reuse: reuse.cloned(),
            ..self
        }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.buffer.as_bytes()
    }

    pub(crate) fn len(&self) -> usize {
        self.buffer.as_bytes().len()
    }

    pub(crate) fn buffer(&mut self) -> &mut B {
        &mut self.buffer
    }

    /// Returns the buffer as an Arrow buffer.
    pub(crate) fn into_arrow(mut self) -> Buffer {
        let len = self.len();
        let reuse = self.reuse.filter(|_| len >= reuse::MIN_BYTES);
        let has = self.buffer.capacity();
        if reuse.is_some() {
            // The next result may be slightly longer.
            self.buffer.shrink_to(fill_large(len + len / 4));
        } else if has - len > len / 32 + 64 {
            // The unused rest of the last page is not worth a copy.
            self.buffer.shrink_to(len);
        }
        let bytes = self.buffer.into_vec();
        match reuse {
            Some(reuse) => reuse.lend(bytes),
            None => Buffer::from_vec(bytes),
        }
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.buffer.truncate(len);
    }

    pub(crate) fn spare(&self) -> usize {
        self.buffer.capacity() - self.len()
    }

    /// Empties the buffer for other input.
    #[cfg(feature = "rayon")]
    pub(crate) fn clear(&mut self) {
        self.read = 0;
        self.truncate(0);
    }

    /// Bytes of input that have become output.
    #[cfg(feature = "rayon")]
    pub(crate) fn read(&self) -> usize {
        self.read
    }

    /// Makes room for what `others` hold, and then for what is still to come.
    #[cfg(feature = "rayon")]
    pub(crate) fn make_room_for<'o>(&mut self, others: impl Iterator<Item = &'o mut Self>)
    where
        B: 'o,
    {
        let (len, read) = others.fold((self.len(), self.read), |(len, read), other| {
            (len + other.len(), read + other.read)
        });
        if self.spare() < len - self.len() {
            self.grow_to(len, len, read);
        }
    }

    /// Records that `read` bytes of input have been converted.
    pub(crate) fn has_read(&mut self, read: usize) {
        self.read += read;
    }

    /// Makes room for the output of `input_len` bytes of input, if it is not much longer.
    pub(crate) fn make_room(&mut self, input_len: usize) {
        // Short texts are rarely ASCII, and half as much again is cheap.
        let wanted = input_len + input_len.min(4096) / 2 + 32;
        if self.spare() < wanted {
            self.grow(wanted);
        }
    }

    /// Makes room for at least `least` more bytes, and for the output of all input that is still expected if it
    /// grows like the output so far, so that the buffer neither moves often nor is much too large.
    pub(crate) fn grow(&mut self, least: usize) {
        let len = self.len();
        self.grow_to(len + least, len, self.read);
    }

    /// Makes room for at least `least` bytes in all, and for those to be expected if `read` bytes of input give
    /// `len`.
    fn grow_to(&mut self, least: usize, len: usize, read: usize) {
        let coming = self.expected.saturating_sub(read);
        let (forecast, slack) = if read == 0 {
            ((coming + coming / 8).min(FIRST_ROOM), 0)
        } else {
            let forecast = coming as u128 * len as u128 / read as u128;
            // No text becomes more than three times as long.
            let forecast = usize::try_from(forecast)
                .unwrap_or(usize::MAX)
                .min(coming.saturating_mul(3));
            // Unused capacity costs only addresses, and is given back.
            (forecast, forecast / 8)
        };
        let least = least.max(len.saturating_add(forecast));
        let wanted = fill_large(least.saturating_add(slack).max(len + len / 16));
        let has = self.len();
        if wanted >= reuse::MIN_BYTES
            // Moving much text to memory that was used before is not worth the copy.
            && has <= FIRST_ROOM
            && let Some(reuse) = &self.reuse
            && let Some(memory) = reuse.take(least, wanted)
        {
            self.buffer.move_to(memory);
            return;
        }
        self.buffer.reserve_exact(wanted - has);
        prefer_large(self.buffer.as_bytes().as_ptr(), self.buffer.capacity());
    }
}
