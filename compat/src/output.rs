//! What decoders write to.

#[cfg(feature = "alloc")]
use alloc::string::String;

/// An output, as far as calls have to look at it.
pub(crate) trait Output {
    /// The room that Big5 has to have.
    const BIG5_ROOM: usize;
    /// The room in it, in code units.
    fn room(&self) -> usize;
    /// What is left of it when the first `written` units are not touched any more.
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

    // Calls append to it.
    fn rest(&mut self, _: usize) -> &mut Self {
        self
    }
}
