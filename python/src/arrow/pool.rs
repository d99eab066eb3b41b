//! The threads that convert the chunks of a column.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The threads, and the process that they are in.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Returns a pool with as many threads as there are cores, or `None` if the system starts no threads.
///
/// In rayon's own pool work would wait forever in a process that was forked after the pool's first use, as
/// `multiprocessing` does: threads do not survive a fork.
///
/// Python forks no process before this returns, because its caller does not detach from the interpreter. So no child
/// inherits the lock from a thread that it does not have, nor what rayon initialises once per process.
pub(super) fn on_all_cores(_: Python<'_>) -> Option<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match &*pool {
        Some((of, pool)) if *of == process => return Some(Arc::clone(pool)),
        _ => {}
    }
    let made = Arc::new(ThreadPoolBuilder::new().build().ok()?);
    // What the queues of all threads share. They need it when a thread without work asks others.
    made.broadcast(|_| rayon::yield_now());
    if let Some(lost) = pool.replace((process, Arc::clone(&made))) {
        // Dropping the pool would wait for threads that do not exist.
        std::mem::forget(lost);
    }
    Some(made)
}
