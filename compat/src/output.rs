//! The outputs of decoders.

#[cfg(feature = "alloc")]
use alloc::string::String;

/// An output, as far as calls have to know about it.
pub(crate) trait Output {
    /// The minimum room for Big5.
    const BIG5_ROOM: usize;
    /// The room, in code units.
    fn room(&self) -> usize;
    /// The rest of it, after the first `written` units.
    fn rest(&mut self, written: usize) -> &mut Self;
}

impl Output for [u8] {
    const BIG5_ROOM: usize = 4;

    fn room(&self) -> usize {
        self.len()
    }

    fn rest(&mut self, written: usize) -> &mut Self {
        &mut self[written..]
    }
}

impl Output for [u16] {
    const BIG5_ROOM: usize = 2;

    fn room(&self) -> usize {
        self.len()
    }

    fn rest(&mut self, written: usize) -> &mut Self {
        &mut self[written..]
    }
}

impl Output for str {
    const BIG5_ROOM: usize = 4;

    fn room(&self) -> usize {
        self.len()
    }

    fn rest(&mut self, written: usize) -> &mut Self {
        self.split_at_mut(written).1
    }
}

#[cfg(feature = "alloc")]
impl Output for String {
    const BIG5_ROOM: usize = 4;

    fn room(&self) -> usize {
        self.capacity() - self.len()
    }

    // The vector is appended to.
    fn rest(&mut self, _: usize) -> &mut Self {
        self
    }
}
