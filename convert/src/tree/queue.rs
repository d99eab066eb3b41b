//! The queue between the walk and the workers. It is bounded, so that a tree of millions of files
//! takes no more memory than a small one.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

use crate::mutex::lock;

/// The maximum number of items that wait.
const MOST: usize = 512;

/// The end of a queue at which items are taken. When the last worker has dropped its end, nothing can be added any
/// more.
pub(crate) struct Items<T>(Arc<Mutex<Receiver<T>>>);

/// A queue. When the end at which items are added is dropped, those that wait are still taken.
pub(crate) fn queue<T>() -> (SyncSender<T>, Items<T>) {
    let (sender, receiver) = sync_channel(MOST);
    (sender, Items(Arc::new(Mutex::new(receiver))))
}

impl<T> Clone for Items<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Iterator for Items<T> {
    type Item = T;

    /// Waits for an item. `None` once there will be no more.
    fn next(&mut self) -> Option<T> {
        lock(&self.0).recv().ok()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::super::stop::Stop;
    use super::{MOST, queue};

    /// What `work` returns. If it hangs, the test fails instead of hanging as well.
    fn in_time<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || sender.send(work()));
        let done = receiver.recv_timeout(Duration::from_secs(60));
        done.expect("it ends")
    }

    #[test]
    fn everything_arrives_once() {
        let (sender, items) = queue();
        let total = 20 * MOST as u64;
        let sum: u64 = thread::scope(|scope| {
            let takers: Vec<_> = (0..3)
                .map(|_| {
                    let items = items.clone();
                    scope.spawn(|| items.sum::<u64>())
                })
                .collect();
            for item in 0..total {
                assert!(sender.send(item).is_ok());
            }
            drop(sender);
            takers
                .into_iter()
                .map(|taker| taker.join().expect("a taker ends"))
                .sum()
        });
        assert_eq!(sum, total * (total - 1) / 2);
    }

    #[test]
    fn nobody_waits_for_ever_on_an_abandoned_queue() {
        let (sender, mut items) = queue();
        let all_pushed = in_time(move || {
            let pusher =
                thread::spawn(move || (0..10 * MOST).all(|item| sender.send(item).is_ok()));
            assert!(items.next().is_some());
            drop(items);
            pusher.join().expect("the pusher ends")
        });
        assert!(!all_pushed);
    }

    #[test]
    fn a_walk_that_panics_ends_the_workers() {
        let (ended, asked) = in_time(|| {
            let stop = Stop::default();
            let ended = catch_unwind(AssertUnwindSafe(|| {
                thread::scope(|scope| {
                    let (sender, items) = queue();
                    for _ in 0..3 {
                        let items = items.clone();
                        scope.spawn(|| items.count());
                    }
                    let _ended = stop.by_panic();
                    assert!(sender.send(1).is_ok());
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
        let (ended, asked) = in_time(|| {
            let stop = Stop::default();
            let ended = catch_unwind(AssertUnwindSafe(|| {
                thread::scope(|scope| {
                    let (sender, items) = queue();
                    for _ in 0..2 {
                        let mut items = items.clone();
                        let stop = &stop;
                        scope.spawn(move || {
                            let _ended = stop.by_panic();
                            assert!(items.next().is_none(), "the worker");
                        });
                    }
                    drop(items);
                    while sender.send(1).is_ok() {}
                });
            }));
            (ended, stop.is_asked())
        });
        assert!(ended.is_err() && asked);
    }
}
