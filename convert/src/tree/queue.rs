//! The queue between the walk and the workers. It is bounded, so that a tree of millions of files
//! takes no more memory than a small one.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::stop::Stop;
use crate::mutex::lock;

/// The maximum number of items that wait.
const MOST: usize = 512;

/// A worker takes one part in this number at a time.
const PART: usize = 32;

pub(crate) struct Queue<T> {
    state: Mutex<QueueState<T>>,
    /// Signalled when there is something to take, or never will be again.
    filled: Condvar,
    /// Signalled when half of the room is free again, or nobody takes items any more.
    emptied: Condvar,
}

struct QueueState<T> {
    items: VecDeque<T>,
    /// How many workers wait for an item. A signal costs a system call even if nobody waits.
    waiting: usize,
    closed: bool,
}

impl<T> Queue<T> {
    pub(crate) fn new() -> Self {
        Self {
            state: Mutex::new(QueueState {
                items: VecDeque::new(),
                waiting: 0,
                closed: false,
            }),
            filled: Condvar::new(),
            emptied: Condvar::new(),
        }
    }

    /// Adds an item, and waits if there is no room. `false` if the queue was closed.
    pub(crate) fn push(&self, item: T) -> bool {
        let mut state = self.lock();
        if state.items.len() >= MOST {
            // Waking up for every single free place would cost more than the work.
            let full = |state: &mut QueueState<T>| state.items.len() > MOST / 2 && !state.closed;
            let waited = self.emptied.wait_while(state, full);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed {
            return false;
        }
        state.items.push_back(item);
        let waiting = state.waiting;
        drop(state);
        if waiting > 0 {
            self.filled.notify_one();
        }
        true
    }

    /// Takes the oldest items, and waits for one. The result is empty once the queue is closed and empty.
    ///
    /// This takes a small part of the items, so that no worker has all of them left at the end.
    pub(crate) fn pop(&self) -> Vec<T> {
        let none = |state: &mut QueueState<T>| state.items.is_empty() && !state.closed;
        let mut state = self.lock();
        state.waiting += 1;
        let waited = self.filled.wait_while(state, none);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        let before = state.items.len();
        let part = before.min(before / PART + 1);
        let items = state.items.drain(..part).collect();
        if before > MOST / 2 && before - part <= MOST / 2 {
            self.emptied.notify_one();
        }
        items
    }

    /// Ends adding. Items that wait are still taken.
    pub(crate) fn close(&self) {
        self.end(|_| {});
    }

    /// Ends adding, and drops the items that wait.
    pub(crate) fn abandon(&self) {
        self.end(VecDeque::clear);
    }

    /// What the walk and each worker hold while they work: if one of them panics, the others end as well. They
    /// would wait for it for ever, and the panic would never be seen.
    pub(crate) fn ended_by_panic<'a>(&'a self, stop: &'a Stop) -> EndedByPanic<'a, T> {
        EndedByPanic { queue: self, stop }
    }

    /// Changes the items that wait, and ends adding.
    fn end(&self, to: impl FnOnce(&mut VecDeque<T>)) {
        let mut state = self.lock();
        to(&mut state.items);
        state.closed = true;
        drop(state);
        self.filled.notify_all();
        self.emptied.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<T>> {
        lock(&self.state)
    }
}

/// Ends the run if it is dropped by a panic.
pub(crate) struct EndedByPanic<'a, T> {
    queue: &'a Queue<T>,
    stop: &'a Stop,
}

impl<T> Drop for EndedByPanic<'_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.stop.fail();
            self.queue.abandon();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::{MOST, Queue, Stop};

    /// What `work` returns. If it hangs, the test fails instead of hanging as well.
    fn in_time<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || sender.send(work()));
        let done = receiver.recv_timeout(Duration::from_secs(60));
        done.expect("it ends")
    }

    #[test]
    fn everything_arrives_once() {
        let queue = Queue::new();
        let total = 20 * MOST as u64;
        let sum: u64 = thread::scope(|scope| {
            let takers: Vec<_> = (0..3)
                .map(|_| {
                    scope.spawn(|| {
                        let parts = std::iter::from_fn(|| {
                            let part = queue.pop();
                            (!part.is_empty()).then_some(part)
                        });
                        parts.flatten().sum::<u64>()
                    })
                })
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
            assert!(!queue.pop().is_empty());
            queue.abandon();
            assert!(!pusher.join().expect("the pusher ends"));
        });
        assert!(queue.pop().is_empty());
    }

    #[test]
    fn a_walk_that_panics_ends_the_workers() {
        let (ended, asked) = in_time(|| {
            let (queue, stop) = (Queue::new(), Stop::default());
            let ended = catch_unwind(AssertUnwindSafe(|| {
                thread::scope(|scope| {
                    for _ in 0..3 {
                        scope.spawn(|| while !queue.pop().is_empty() {});
                    }
                    let _ended = queue.ended_by_panic(&stop);
                    assert!(queue.push(1));
                    panic!("the walk");
                });
            }));
            (ended, stop.is_asked())
        });
        let panic = ended.expect_err("the panic goes on");
        assert_eq!(panic.downcast_ref(), Some(&"the walk"));
        assert!(asked);
    }

    #[test]
    fn workers_that_panic_end_the_walk() {
        let (ended, pushed) = in_time(|| {
            let (queue, stop) = (Queue::new(), Stop::default());
            let mut pushed = 0;
            let ended = catch_unwind(AssertUnwindSafe(|| {
                thread::scope(|scope| {
                    for _ in 0..2 {
                        scope.spawn(|| {
                            let _ended = queue.ended_by_panic(&stop);
                            assert!(queue.pop().is_empty(), "the worker");
                        });
                    }
                    let _ended = queue.ended_by_panic(&stop);
                    while queue.push(1) {
                        pushed += 1;
                    }
                });
            }));
            (ended, pushed)
        });
        assert!(ended.is_err(), "{pushed}");
    }
}
