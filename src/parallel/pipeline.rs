//! The engine under everything in this folder: workers convert pieces side by side, and the results
//! are delivered in order.
//!
//! A worker takes a free *slot* (a piece and the buffers for it, which are used again and again), takes
//! the next piece onto it, converts it, and hands it in. If it is its turn, the worker delivers it, and
//! then those after it that wait already. There are as many slots as pieces may be in flight, which
//! bounds memory.
//!
//! Workers never wait. One that can't go on, because another worker is taking a piece or no slot is free,
//! ends, and whoever changes that starts a new one. So there is no deadlock, even if a reader, a writer or a
//! closure of the caller runs other tasks of the same thread pool, and rayon runs a worker of this pipeline
//! within it.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::vec::Vec;

use rayon::Scope;

use super::Pool;

/// What the workers do.
pub(super) trait Work: Sync {
    /// Where pieces come from.
    type Source: Send;
    /// A piece, and what is needed to convert it.
    type Slot: Send;
    /// Where results go.
    type Sink: Send;

    /// A slot without a piece.
    fn slot(&self) -> Self::Slot;

    /// Takes the next piece. Returns false if there is none. Only one worker at a time does this.
    fn take(&self, source: &mut Self::Source, slot: &mut Self::Slot) -> bool;

    /// Converts the piece, in parallel with others.
    fn convert(&self, slot: &mut Self::Slot);

    /// Delivers the piece when it is its turn. `Break` ends the work.
    fn deliver(&self, sink: &mut Self::Sink, slot: &mut Self::Slot) -> ControlFlow<()>;

    /// Does what is left to do for a delivered piece, in parallel with others.
    fn settle(&self, _: &mut Self::Slot) {}
}

/// Works until the source has no more pieces or the sink wants no more, and gives back both.
///
/// With a pool, its threads do the work, and otherwise those of the pool that the caller is in, or the
/// global one. With one worker, the caller does it alone.
pub(super) fn run<W: Work>(
    work: &W,
    pool: Option<&Pool>,
    workers: usize,
    source: W::Source,
    sink: W::Sink,
) -> (W::Source, W::Sink) {
    let pipeline = Pipeline {
        work,
        workers,
        source: Mutex::new(source),
        sink: Mutex::new(sink),
        state: Mutex::new(State {
            taken: 0,
            turn: 0,
            is_taking: false,
            is_delivering: false,
            is_over: false,
            waiting: Vec::new(),
            free: Vec::new(),
            unmade: slots(workers),
            busy: 1,
        }),
    };
    if workers > 1 {
        let all = || rayon::scope(|scope| pipeline.work(Some(scope)));
        match pool {
            Some(pool) => pool.install(all),
            None => all(),
        }
    } else {
        pipeline.work(None);
    }
    let sink = unpoisoned(pipeline.sink.into_inner());
    (unpoisoned(pipeline.source.into_inner()), sink)
}

/// The maximum number of pieces in flight: more than there are workers, so that a worker that finishes early
/// can start on another piece.
pub(super) fn slots(workers: usize) -> usize {
    if workers > 1 {
        workers + workers.div_ceil(2)
    } else {
        1
    }
}

struct Pipeline<'w, W: Work> {
    work: &'w W,
    /// The maximum number of busy workers.
    workers: usize,
    /// Only the worker that has set `is_taking` locks this.
    source: Mutex<W::Source>,
    /// Only the worker that has set `is_delivering` locks this.
    sink: Mutex<W::Sink>,
    state: Mutex<State<W::Slot>>,
}

struct State<D> {
    /// How many pieces were taken.
    taken: u64,
    /// The piece that is to be delivered next.
    turn: u64,
    is_taking: bool,
    is_delivering: bool,
    /// No more pieces are to be taken.
    is_over: bool,
    /// Converted pieces whose turn has not come.
    waiting: Vec<(u64, D)>,
    /// Free slots. The one used last is at the end; it may still be in a cache.
    free: Vec<D>,
    /// Slots that may still be made.
    unmade: usize,
    /// Workers that are working or about to start.
    busy: usize,
}

/// A free slot, or the right to make one.
enum FreeSlot<D> {
    Used(D),
    New,
}

impl<D> State<D> {
    /// Whether a worker could take a piece.
    fn has_work(&self) -> bool {
        !self.is_over && !self.is_taking && (!self.free.is_empty() || self.unmade > 0)
    }

    fn begin_taking(&mut self) -> Option<FreeSlot<D>> {
        if !self.has_work() {
            return None;
        }
        self.is_taking = true;
        Some(self.free.pop().map_or_else(
            || {
                self.unmade -= 1;
                FreeSlot::New
            },
            FreeSlot::Used,
        ))
    }
}

impl<'w, W: Work> Pipeline<'w, W> {
    /// Works as long as there is something to do that no other worker does.
    fn work<'scope>(&'scope self, scope: Option<&Scope<'scope>>)
    where
        'w: 'scope,
    {
        while let Some((index, mut slot)) = self.take() {
            self.invite(scope);
            self.work.convert(&mut slot);
            self.state().waiting.push((index, slot));
            while let Some(mut slot) = self.deliver() {
                self.work.settle(&mut slot);
                self.state().free.push(slot);
                self.invite(scope);
            }
        }
    }

    /// Takes the next piece. If there is none to take, the worker no longer counts as busy.
    fn take(&self) -> Option<(u64, W::Slot)> {
        let mut state = self.state();
        let Some(free) = state.begin_taking() else {
            state.busy -= 1;
            return None;
        };
        drop(state);
        let mut slot = match free {
            FreeSlot::Used(slot) => slot,
            FreeSlot::New => self.work.slot(),
        };
        let is_piece = (self.work).take(&mut *unpoisoned(self.source.lock()), &mut slot);
        let mut state = self.state();
        state.is_taking = false;
        if is_piece {
            state.taken += 1;
            Some((state.taken - 1, slot))
        } else {
            state.is_over = true;
            state.busy -= 1;
            None
        }
    }

    /// Delivers the next piece in order, if it is converted and no other worker is delivering.
    fn deliver(&self) -> Option<W::Slot> {
        let mut state = self.state();
        if state.is_delivering {
            return None;
        }
        let turn = state.turn;
        let place = (state.waiting.iter()).position(|(index, _)| *index == turn)?;
        let (_, mut slot) = state.waiting.swap_remove(place);
        state.is_delivering = true;
        drop(state);
        let flow = (self.work).deliver(&mut *unpoisoned(self.sink.lock()), &mut slot);
        let mut state = self.state();
        if flow.is_break() {
            // `is_delivering` stays set, so that nothing more is delivered.
            state.is_over = true;
        } else {
            state.turn += 1;
            state.is_delivering = false;
        }
        Some(slot)
    }

    /// Starts another worker, if there is something for it to do.
    fn invite<'scope>(&'scope self, scope: Option<&Scope<'scope>>)
    where
        'w: 'scope,
    {
        let Some(scope) = scope else { return };
        let mut state = self.state();
        if state.busy < self.workers && state.has_work() {
            state.busy += 1;
            drop(state);
            scope.spawn(|scope| self.work(Some(scope)));
        }
    }

    fn state(&self) -> MutexGuard<'_, State<W::Slot>> {
        unpoisoned(self.state.lock())
    }
}

/// The content of a lock, even if a worker has panicked while it held the lock: rayon passes the panic on to
/// the caller, so nobody sees a result.
fn unpoisoned<T>(result: Result<T, PoisonError<T>>) -> T {
    result.unwrap_or_else(PoisonError::into_inner)
}
