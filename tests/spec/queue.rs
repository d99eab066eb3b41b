//! I/O queues (section 3): a list of items that ends with end-of-queue.

use std::collections::VecDeque;

/// An I/O queue that has all of its items from the start, so that reading never waits. End-of-queue is
/// `None`; it stays at the end, however often it is read.
#[derive(Clone, Debug)]
pub(crate) struct Queue<T> {
    items: VecDeque<T>,
    position: usize,
}

impl<T: Copy> Queue<T> {
    pub(crate) fn new(items: &[T]) -> Self {
        Queue {
            items: items.iter().copied().collect(),
            position: 0,
        }
    }

    /// *Read* an item.
    pub(crate) fn read(&mut self) -> Option<T> {
        let item = self.items.pop_front();
        self.position += usize::from(item.is_some());
        item
    }

    /// *Peek* at `number` items, or at as many as there are.
    pub(crate) fn peek(&self, number: usize) -> Vec<T> {
        self.items.iter().take(number).copied().collect()
    }

    /// *Restore* items: insert them, in the given order, before the first item.
    pub(crate) fn restore(&mut self, items: &[T]) {
        for &item in items.iter().rev() {
            self.items.push_front(item);
        }
        self.position -= items.len();
    }

    /// Whether end-of-queue is next.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The position of the next item, counted from the start: the items read, without those restored.
    pub(crate) fn position(&self) -> usize {
        self.position
    }
}
