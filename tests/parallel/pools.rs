//! Thread pools: of all sizes, the caller's, busy ones, and calls from within each other.

use std::sync::OnceLock;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use simdtext::parallel::Parallel;
use simdtext::{Bom, SHIFT_JIS, Unmappable};

/// A pool of so many threads, up to 5.
pub(crate) fn pool(threads: usize) -> &'static ThreadPool {
    static POOLS: [OnceLock<ThreadPool>; 5] = [const { OnceLock::new() }; 5];
    POOLS[threads - 1].get_or_init(|| {
        let builder = ThreadPoolBuilder::new().num_threads(threads);
        builder.build().expect("threads can be started")
    })
}

/// Text of a few pieces, there and back.
fn round_trip(parallel: &Parallel<'_>) {
    let text = "日本語のテキスト、\n".repeat(300);
    let encoded = parallel
        .encode(SHIFT_JIS, &text, Unmappable::Strict)
        .expect("mappable");
    let decoded = parallel.decode(SHIFT_JIS, &encoded.bytes, Bom::Keep);
    assert!(decoded.text == text);
}

#[test]
fn of_every_size() {
    for threads in 1..=5 {
        round_trip(&Parallel::new().piece_bytes(500).threads_of(pool(threads)));
    }
}

#[test]
fn that_the_caller_is_in() {
    let small = Parallel::new().piece_bytes(100);
    for threads in [1, 2, 5] {
        pool(threads).install(|| round_trip(&small));
        // From many tasks of the same pool at once, with the pool named and not.
        pool(threads).install(|| {
            (0..100).into_par_iter().for_each(|i| {
                round_trip(&if i % 2 == 0 {
                    small
                } else {
                    small.threads_of(pool(threads))
                });
            });
        });
        // And from another pool.
        pool(2).install(|| round_trip(&small.threads_of(pool(threads))));
    }
}
