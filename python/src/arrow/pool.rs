//! The threads that convert the chunks of a column.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The threads, and the process that they are in.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Runs `work` where rayon's parallel iterators use as many threads as there are cores.
///
/// In rayon's own pool they would wait forever in a process that was forked after the pool's first use, as
/// `multiprocessing` does: threads do not survive a fork.
pub(super) fn on_all_cores<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match pool() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

fn pool() -> Option<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match &*pool {
        Some((of, pool)) if *of == process => return Some(Arc::clone(pool)),
        _ => {}
    }
    let made = Arc::new(ThreadPoolBuilder::new().build().ok()?);
    if let Some(lost) = pool.replace((process, Arc::clone(&made))) {
        // Dropping the pool would wait for threads that do not exist.
        std::mem::forget(lost);
    }
    Some(made)
}
