//! Thread pools: of all sizes, the caller's, busy ones, and calls from within each other.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use rayon::prelude::*;
use simdtext::parallel::{Parallel, Pool};
use simdtext::{Bom, SHIFT_JIS, Unmappable};

/// A pool of `threads` threads, up to 5.
pub(crate) fn pool(threads: usize) -> &'static Pool {
    static POOLS: [OnceLock<Pool>; 5] = [const { OnceLock::new() }; 5];
    POOLS[threads - 1].get_or_init(|| Pool::new(threads).expect("threads can be started"))
}

/// Text of a few pieces, encoded and decoded.
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
        round_trip(&Parallel::new().piece_bytes(500).pool(pool(threads)));
    }
}

#[test]
fn that_the_caller_is_in() {
    let small = Parallel::new().piece_bytes(100);
    for threads in [1, 2, 5] {
        pool(threads).install(|| round_trip(&small));
        // From many tasks of the same pool at once, with and without naming the pool.
        pool(threads).install(|| {
            (0..100).into_par_iter().for_each(|i| {
                round_trip(&if i % 2 == 0 {
                    small
                } else {
                    small.pool(pool(threads))
                });
            });
        });
        // And from another pool.
        pool(2).install(|| round_trip(&small.pool(pool(threads))));
    }
}

/// If the caller is in a pool of rayon's, that one is used, with as many threads as allowed.
#[test]
fn of_rayon() {
    let of_rayon = rayon::ThreadPoolBuilder::new().num_threads(3).build();
    let of_rayon = of_rayon.expect("threads can be started");
    let small = Parallel::new().piece_bytes(100);
    let threads = |parallel: &Parallel<'_>| {
        let names = Mutex::new(HashSet::new());
        // Long enough for each thread to get some pieces.
        let work = |_| {
            names.lock().unwrap().insert(thread::current().id());
            thread::sleep(Duration::from_millis(1));
        };
        parallel.batch(0..200, work, |()| {});
        names.into_inner().unwrap()
    };
    // The maximum number that work at the same time.
    let at_once = |parallel: &Parallel<'_>| {
        let (busy, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |_| {
            most.fetch_max(busy.fetch_add(1, Relaxed) + 1, Relaxed);
            thread::sleep(Duration::from_millis(1));
            busy.fetch_sub(1, Relaxed);
        };
        parallel.batch(0..200, work, |()| {});
        most.into_inner()
    };
    let mine: HashSet<_> = of_rayon
        .broadcast(|_| thread::current().id())
        .into_iter()
        .collect();
    of_rayon.install(|| {
        round_trip(&small);
        assert!(threads(&small).is_subset(&mine));
        assert!(threads(&small.pool(pool(2))).is_disjoint(&mine));
        assert_eq!(threads(&small.max_threads(1)).len(), 1);
        assert!(at_once(&small.max_threads(2)) <= 2);
        assert_eq!(
            format!("{:?}", small.max_threads(2)),
            "Parallel { threads: 2, piece_bytes: 100 }"
        );
        assert_eq!(
            format!("{small:?}"),
            "Parallel { threads: 3, piece_bytes: 100 }"
        );
    });
    // Outside of a pool, with the caller's thread alone.
    assert_eq!(
        threads(&small.max_threads(0)),
        HashSet::from([thread::current().id()])
    );
    pool(5).install(|| round_trip(&small.max_threads(2)));
    assert_eq!(pool(5).threads(), 5);
}
