//! Many independent inputs, each converted by one thread.

use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::vec::Vec;

use super::Parallel;
use super::pipeline::{self, Work};

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
        deliver: impl FnMut(R) + Send,
    ) {
        // `take` asks again after the end.
        let inputs = inputs.into_iter().fuse();
        let workers = match inputs.size_hint() {
            (_, Some(0 | 1)) => 1,
            (_, most) => self.threads().min(most.unwrap_or(usize::MAX)),
        };
        let batch = Batch {
            convert,
            group: AtomicUsize::new(1),
            types: PhantomData,
        };
        let (_inputs, _deliver) = pipeline::run(&batch, self.pool, workers, inputs, deliver);
    }
}

/// About how long a group of inputs should take: much longer than it takes to hand it over.
const TIME_PER_GROUP: Duration = Duration::from_micros(100);
/// The most inputs that are taken at once.
const MAX_GROUP_INPUTS: usize = 64;

struct Batch<I, R, S, C, D> {
    convert: C,
    /// How many inputs are taken at once.
    group: AtomicUsize,
    #[expect(
        clippy::type_complexity,
        reason = "the types are named in this one place"
    )]
    types: PhantomData<(fn(I) -> R, fn(S), fn(D))>,
}

/// Some inputs, and what became of them.
struct BatchSlot<I, R> {
    inputs: Vec<I>,
    results: Vec<R>,
}

impl<I: Send, R: Send, S, C, D> Work for Batch<I, R, S, C, D>
where
    S: Iterator<Item = I> + Send,
    C: Fn(I) -> R + Sync,
    D: FnMut(R) + Send,
{
    type Source = S;
    type Slot = BatchSlot<I, R>;
    type Sink = D;

    fn slot(&self) -> BatchSlot<I, R> {
        BatchSlot {
            inputs: Vec::new(),
            results: Vec::new(),
        }
    }

    fn take(&self, source: &mut S, slot: &mut BatchSlot<I, R>) -> bool {
        let group = self.group.load(Ordering::Relaxed);
        slot.inputs.extend(source.take(group));
        !slot.inputs.is_empty()
    }

    fn convert(&self, slot: &mut BatchSlot<I, R>) {
        let start = Instant::now();
        let len = slot.inputs.len();
        slot.results
            .extend(slot.inputs.drain(..).map(&self.convert));
        let taken = start.elapsed();
        let group = if taken < TIME_PER_GROUP / 2 {
            (2 * len).min(MAX_GROUP_INPUTS)
        } else if taken > 2 * TIME_PER_GROUP {
            len.div_ceil(2)
        } else {
            return;
        };
        self.group.store(group, Ordering::Relaxed);
    }

    fn deliver(&self, deliver: &mut D, slot: &mut BatchSlot<I, R>) -> ControlFlow<()> {
        slot.results.drain(..).for_each(deliver);
        ControlFlow::Continue(())
    }
}
