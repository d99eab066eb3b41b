//! What a process does before it is forked.

use std::io;
use std::sync::Once;

use ignore::WalkBuilder;
use rayon::ThreadPoolBuilder;

/// Does what the first run in a process does only once. Call it before a run whose process may be forked
/// while it goes on, as Python's `multiprocessing` does. Only the first call has an effect.
///
/// The child has no thread that could finish what one of the parent's had begun at that moment. A run in the
/// child would wait for it forever.
pub fn prepare_for_fork() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // The pattern with which the crate `ignore` reads the configuration of Git.
        let _ = WalkBuilder::new("").build();
        // What is made at the first use of a standard stream.
        let _ = (io::stdin(), io::stdout());
        // What the queues of rayon's threads share. They need it when a thread without work asks others.
        if let Ok(pool) = ThreadPoolBuilder::new().num_threads(2).build() {
            pool.broadcast(|_| rayon::yield_now());
        }
    });
}
