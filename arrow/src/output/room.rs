//! The free part of a buffer of output, which several threads fill at once.

#![expect(unsafe_code, reason = "threads write to spare capacity")]

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Growing, Output};

/// What is left of the free part of a buffer.
pub(crate) struct Room<'a, B> {
    left: &'a mut [MaybeUninit<u8>],
    count: &'a Count,
    kind: PhantomData<fn(B)>,
}

/// Bytes of the room.
#[derive(Default)]
struct Count {
    placed: AtomicUsize,
    written: AtomicUsize,
    /// Bytes of the input that those placed were made of.
    read: AtomicUsize,
}

/// Output, and the place that it is to be copied to.
pub(crate) struct Placed<'a, B> {
    from: Growing<B>,
    to: &'a mut [MaybeUninit<u8>],
    count: &'a Count,
}

impl<'a, B: Output> Room<'a, B> {
    /// Whether so many bytes more have a place.
    pub(crate) fn has(&self, len: usize) -> bool {
        len <= self.left.len()
    }

    /// Gives what `from` holds the next place. `None` if there is not enough room.
    pub(crate) fn place(&mut self, from: &mut Growing<B>) -> Option<Placed<'a, B>> {
        let len = from.len();
        if !self.has(len) {
            return None;
        }
        let (to, left) = std::mem::take(&mut self.left).split_at_mut(len);
        self.left = left;
        self.count.placed.fetch_add(len, Ordering::Relaxed);
        self.count.read.fetch_add(from.read(), Ordering::Relaxed);
        Some(Placed {
            from: std::mem::take(from),
            to,
            count: self.count,
        })
    }
}

impl<B: Output> Placed<'_, B> {
    /// Copies the output to its place, and returns the buffer that it was in, which is empty then.
    pub(crate) fn copy(mut self) -> Growing<B> {
        for (to, byte) in self.to.iter_mut().zip(self.from.as_bytes()) {
            to.write(*byte);
        }
        self.count
            .written
            .fetch_add(self.to.len(), Ordering::Relaxed);
        self.from.clear();
        self.from
    }
}

impl<B: Output> Growing<B> {
    /// Appends what `write` places in the room that it gets, all of which it has to copy.
    pub(crate) fn append(&mut self, write: impl FnOnce(Room<'_, B>)) {
        let count = Count::default();
        write(Room {
            left: self.buffer().spare(),
            count: &count,
            kind: PhantomData,
        });
        let placed = count.placed.into_inner();
        assert_eq!(placed, count.written.into_inner(), "a place was left empty");
        // SAFETY: places are next to each other from the start of the spare capacity. Each has the length of the buffer
        // that is copied to it, and was counted as written when all of that was copied, which happens once. So these
        // bytes were written, and they are all that whole buffers hold.
        unsafe { self.buffer().advance(placed) };
        self.has_read(count.read.into_inner());
    }
}
