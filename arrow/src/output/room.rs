//! The spare capacity of an output buffer, which several threads fill at once.

#![expect(unsafe_code, reason = "threads write to spare capacity")]

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Growing, Output};

/// The spare capacity that has not been given out.
pub(crate) struct Room<'a, B> {
    left: &'a mut [MaybeUninit<u8>],
    count: &'a Count,
    kind: PhantomData<fn(B)>,
}

/// Numbers of bytes.
#[derive(Default)]
struct Count {
    placed: AtomicUsize,
    written: AtomicUsize,
    /// The input that was converted to the placed bytes.
    read: AtomicUsize,
}

/// The output of a block, and the place to copy it to.
pub(crate) struct Placed<'a, B> {
    from: Growing<B>,
    to: &'a mut [MaybeUninit<u8>],
    count: &'a Count,
}

impl<'a, B: Output> Room<'a, B> {
    /// Returns whether `len` more bytes fit.
    pub(crate) fn has(&self, len: usize) -> bool {
        len <= self.left.len()
    }

    /// Takes the contents of `from`, and assigns them the next place. `None` if they do not fit.
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
    /// Copies the output to its place, and returns its buffer, emptied.
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
    /// Appends what `write` places in the room that it is given. It has to copy everything that it places.
    pub(crate) fn append(&mut self, write: impl FnOnce(Room<'_, B>)) {
        let count = Count::default();
        write(Room {
            left: self.buffer().spare(),
            count: &count,
            kind: PhantomData,
        });
        let placed = count.placed.into_inner();
        assert_eq!(placed, count.written.into_inner(), "a place was left empty");
        // SAFETY: places follow each other from the start of the spare capacity. Each has the length of the buffer that is
        // copied to it, and counts as written once all of that buffer was copied, which happens once. The counts are
        // equal, so all `placed` bytes were written, and they are the contents of whole buffers.
        unsafe { self.buffer().advance(placed) };
        self.has_read(count.read.into_inner());
    }
}
