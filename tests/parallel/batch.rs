//! Many independent inputs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use std::{iter, thread};

use rayon::prelude::*;
use simdtext::parallel::Parallel;
use simdtext::{Bom, EUC_KR, Unmappable};

use crate::pools::pool;

#[test]
fn results_come_in_the_order_of_the_inputs() {
    for threads in [1, 2, 5] {
        let parallel = Parallel::new().pool(pool(threads));
        let mut results = Vec::new();
        // Some take longer than those after them.
        let convert = |i: u64| {
            if i.is_multiple_of(97) {
                thread::sleep(Duration::from_micros(300));
            }
            i * i
        };
        parallel.batch(0..5000, convert, |result| results.push(result));
        assert!(
            results.into_iter().eq((0..5000).map(|i| i * i)),
            "{threads} threads"
        );
    }
}

/// The iterator does not run ahead, however slow a thread is.
#[test]
fn inputs_in_memory_are_bounded() {
    let (taken, delivered) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let most = AtomicUsize::new(0);
    let inputs = iter::repeat_with(|| {
        let ahead = taken.fetch_add(1, Ordering::SeqCst) + 1 - delivered.load(Ordering::SeqCst);
        most.fetch_max(ahead, Ordering::SeqCst);
    });
    let convert = |()| thread::sleep(Duration::from_millis(1));
    let deliver = |()| {
        delivered.fetch_add(1, Ordering::SeqCst);
    };
    Parallel::new()
        .pool(pool(2))
        .batch(inputs.take(300), convert, deliver);
    // Three pieces of one or two inputs each.
    assert!(most.into_inner() <= 6);
}

/// Closures that use the same pool: several levels of parallel work in one pool.
#[test]
fn closures_may_use_the_pool() {
    for threads in [1, 2, 5] {
        let parallel = Parallel::new().piece_bytes(200).pool(pool(threads));
        let text = "한국어 문장\n".repeat(100);
        let mut count = 0;
        let convert = |i: usize| {
            let encoded = parallel
                .encode(EUC_KR, &text, Unmappable::Strict)
                .expect("mappable");
            let sum: usize = (0..100).into_par_iter().map(|j| i + j).sum();
            assert_eq!(sum, 100 * i + 4950);
            parallel
                .decode(EUC_KR, &encoded.bytes, Bom::Keep)
                .text
                .into_owned()
        };
        parallel.batch(0..200, convert, |decoded| {
            assert!(decoded == text);
            count += (0..10).into_par_iter().map(|_| 1).sum::<usize>();
        });
        assert_eq!(count, 2000);
    }
}

#[test]
fn a_panic_comes_to_the_caller() {
    for threads in [1, 2, 5] {
        let parallel = Parallel::new().pool(pool(threads));
        let convert = |i: usize| assert!(i != 50, "input 50");
        let result = catch_unwind(AssertUnwindSafe(|| {
            parallel.batch(0..1000, convert, |()| {})
        }));
        assert!(result.is_err(), "{threads} threads");
    }
}
