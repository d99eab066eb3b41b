//! Many independent inputs, each converted by one thread.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::vec::Vec;

use super::Parallel;
use super::pipeline::{self, Steps};

impl Parallel<'_> {
    /// Calls `convert` for each input, side by side, and `deliver` with the results, in the order of
    /// the inputs.
    ///
    /// Inputs are taken from the iterator when a thread is free, so only a few inputs per thread and their
    /// results are in memory: one or two if each takes long, up to 64 if they are small.
    /// [`Parallel::piece_bytes`] has no effect here. `convert` may itself use many cores.
    ///
    /// ```
    /// use simdtext::parallel::Parallel;
    /// use simdtext::{BIG5, KOI8_R, SHIFT_JIS};
    ///
    /// let inputs = [(KOI8_R, &b"\xCD\xC9\xD2"[..]), (SHIFT_JIS, b"\x90\xA2\x8AE"), (BIG5, b"\xA5@\xAC\xC9")];
    /// let mut texts = Vec::new();
    /// Parallel::new().batch(
    ///     inputs,
    ///     |(encoding, bytes)| encoding.decode(bytes).text,
    ///     |text| texts.push(text),
    /// );
    /// assert_eq!(texts, ["мир", "世界", "世界"]);
    /// ```
    pub fn batch<I: Send, R: Send>(
        &self,
        inputs: impl IntoIterator<Item = I, IntoIter: Send>,
        convert: impl Fn(I) -> R + Sync,
        mut deliver: impl FnMut(R) + Send,
    ) {
        // `take` asks again after the end.
        let mut inputs = inputs.into_iter().fuse();
        let workers = match inputs.size_hint() {
            (_, Some(0 | 1)) => 1,
            (_, most) => self.threads().min(most.unwrap_or(usize::MAX)),
        };
        // How many inputs are taken at once.
        let group = AtomicUsize::new(1);
        let steps = Steps::<(Vec<I>, Vec<R>)> {
            take: &mut |(taken, _)| {
                taken.extend(inputs.by_ref().take(group.load(Ordering::Relaxed)));
                !taken.is_empty()
            },
            convert: &|(taken, results)| {
                let (start, len) = (Instant::now(), taken.len());
                results.extend(taken.drain(..).map(&convert));
                let time = start.elapsed();
                if time < TIME_PER_GROUP / 2 {
                    group.store((2 * len).min(MAX_GROUP_INPUTS), Ordering::Relaxed);
                } else if time > 2 * TIME_PER_GROUP {
                    group.store(len.div_ceil(2), Ordering::Relaxed);
                }
            },
            deliver: &mut |(_, results)| {
                results.drain(..).for_each(&mut deliver);
                ControlFlow::Continue(())
            },
            settle: &|_| {},
        };
        pipeline::run(self.pool, workers, steps);
    }
}

/// About how long a group of inputs should take: much longer than it takes to hand it over.
const TIME_PER_GROUP: Duration = Duration::from_micros(100);
/// The most inputs that are taken at once.
const MAX_GROUP_INPUTS: usize = 64;
