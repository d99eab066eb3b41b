//! The queue between the walk and the workers. It is bounded, so that a tree of millions of files
//! takes no more memory than a small one.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many items wait at the most.
const MOST: usize = 512;

pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    /// Told when there is something to take, or never will be again.
    filled: Condvar,
    /// Told when half of the room is free again, or nobody takes any more.
    emptied: Condvar,
}

struct State<T> {
    items: VecDeque<T>,
    closed: bool,
}

impl<T> Queue<T> {
    pub(crate) fn new() -> Self {
        Self {
            state: Mutex::new(State {
                items: VecDeque::new(),
                closed: false,
            }),
            filled: Condvar::new(),
            emptied: Condvar::new(),
        }
    }

    /// Adds an item, and waits for room where there is none. `false` if the queue was closed.
    pub(crate) fn push(&self, item: T) -> bool {
        let mut state = self.lock();
        if state.items.len() >= MOST {
            // Waking up for every single place would cost more than the work.
            let full = |state: &mut State<T>| state.items.len() > MOST / 2 && !state.closed;
            let waited = self.emptied.wait_while(state, full);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed {
            return false;
        }
        state.items.push_back(item);
        drop(state);
        self.filled.notify_one();
        true
    }

    /// Takes the oldest item, and waits for one. `None` when the queue is closed and empty.
    pub(crate) fn pop(&self) -> Option<T> {
        let none = |state: &mut State<T>| state.items.is_empty() && !state.closed;
        let waited = self.filled.wait_while(self.lock(), none);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        let item = state.items.pop_front();
        if state.items.len() == MOST / 2 {
            self.emptied.notify_one();
        }
        item
    }

    /// Nothing more is added; what waits is still taken.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_all();
        self.emptied.notify_all();
    }

    /// Nothing more is added, and what waits is forgotten.
    pub(crate) fn abandon(&self) {
        self.lock().items.clear();
        self.close();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::{MOST, Queue};

    #[test]
    fn everything_arrives_once() {
        let queue = Queue::new();
        let total = 20 * MOST as u64;
        let sum: u64 = thread::scope(|scope| {
            let takers: Vec<_> = (0..3)
                .map(|_| scope.spawn(|| std::iter::from_fn(|| queue.pop()).sum::<u64>()))
                .collect();
            for item in 0..total {
                assert!(queue.push(item));
            }
            queue.close();
            takers
                .into_iter()
                .map(|taker| taker.join().expect("a taker ends"))
                .sum()
        });
        assert_eq!(sum, total * (total - 1) / 2);
    }

    #[test]
    fn nobody_waits_for_ever_on_an_abandoned_queue() {
        let queue = Queue::new();
        thread::scope(|scope| {
            let pusher = scope.spawn(|| (0..10 * MOST).all(|item| queue.push(item)));
            assert!(queue.pop().is_some());
            queue.abandon();
            assert!(!pusher.join().expect("the pusher ends"));
        });
        assert!(queue.pop().is_none());
    }
}
