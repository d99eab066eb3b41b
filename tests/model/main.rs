//! Random calls in random order on random text: readers and writers, streams on many cores, and maps of offsets,
//! compared with encoding_rs and with the standard's algorithms.
//!
//! The seeds are fixed. SIMDTEXT_CASES in the environment says how many there are; a failure names its own.

mod io;
mod offsets;
#[cfg(feature = "rayon")]
mod parallel;
mod peer;
mod random;
#[path = "../offsets/model.rs"]
mod spans;
#[expect(dead_code, reason = "also serves the tests that it is from")]
#[path = "../spec/mod.rs"]
mod spec;

use random::Random;

/// Calls `check` for each seed.
fn each_case(check: impl Fn(&mut Random) + std::panic::RefUnwindSafe) {
    let cases = std::env::var("SIMDTEXT_CASES");
    for seed in 0..cases.map_or(150, |it| it.parse().expect("it is a number")) {
        let checked = std::panic::catch_unwind(|| check(&mut Random::new(seed)));
        assert!(checked.is_ok(), "the case with seed {seed} failed");
    }
}
