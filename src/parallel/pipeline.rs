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

type Take<'w, S> = &'w mut (dyn FnMut(&mut S) -> bool + Send);
type Deliver<'w, S> = &'w mut (dyn FnMut(&mut S) -> ControlFlow<()> + Send);

/// What is done with each piece, on a slot. What the functions need to know from piece to piece they keep themselves.
pub(super) struct Steps<'w, S> {
    /// Takes the next piece onto the slot. Returns false if there is none. Only one worker at a time does this.
    pub(super) take: Take<'w, S>,
    /// Converts the piece, in parallel with others.
    pub(super) convert: &'w (dyn Fn(&mut S) + Sync),
    /// Delivers the piece when it is its turn. `Break` ends the work.
    pub(super) deliver: Deliver<'w, S>,
    /// Does what is left to do for a delivered piece, in parallel with others.
    pub(super) settle: &'w (dyn Fn(&mut S) + Sync),
}

/// Works until there are no more pieces, or a delivery has ended the work.
///
/// With a pool, its threads do the work, and otherwise those of the pool that the caller is in, or the
/// global one. With one worker, the caller does it alone.
pub(super) fn run<S: Default + Send>(pool: Option<&Pool>, workers: usize, steps: Steps<'_, S>) {
    // There are more slots than workers, so that a worker that finishes early can start on another piece.
    let slots = if workers > 1 {
        workers + workers.div_ceil(2)
    } else {
        1
    };
    let pipeline = Pipeline {
        take: Mutex::new(steps.take),
        convert: steps.convert,
        deliver: Mutex::new(steps.deliver),
        settle: steps.settle,
        workers,
        state: Mutex::new(State {
            taken: 0,
            turn: 0,
            is_taking: false,
            is_delivering: false,
            is_over: false,
            waiting: Vec::new(),
            free: Vec::new(),
            unmade: slots,
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
}

/// [`Steps`], shared by all workers, and the state of the work.
struct Pipeline<'w, S> {
    /// Only the worker that has set `is_taking` locks this.
    take: Mutex<Take<'w, S>>,
    convert: &'w (dyn Fn(&mut S) + Sync),
    /// Only the worker that has set `is_delivering` locks this.
    deliver: Mutex<Deliver<'w, S>>,
    settle: &'w (dyn Fn(&mut S) + Sync),
    /// The maximum number of busy workers.
    workers: usize,
    state: Mutex<State<S>>,
}

struct State<S> {
    /// How many pieces were taken.
    taken: u64,
    /// The piece that is to be delivered next.
    turn: u64,
    is_taking: bool,
    is_delivering: bool,
    /// No more pieces are to be taken.
    is_over: bool,
    /// Converted pieces whose turn has not come.
    waiting: Vec<(u64, S)>,
    /// Free slots. The one used last is at the end; it may still be in a cache.
    free: Vec<S>,
    /// Slots that may still be made.
    unmade: usize,
    /// Workers that are working or about to start.
    busy: usize,
}

impl<S: Default> State<S> {
    /// Whether a worker could take a piece.
    fn has_work(&self) -> bool {
        !self.is_over && !self.is_taking && (!self.free.is_empty() || self.unmade > 0)
    }

    /// A slot for the next piece, if a worker could take one.
    fn begin_taking(&mut self) -> Option<S> {
        if !self.has_work() {
            return None;
        }
        self.is_taking = true;
        Some(self.free.pop().unwrap_or_else(|| {
            self.unmade -= 1;
            S::default()
        }))
    }
}

impl<'w, S: Default + Send> Pipeline<'w, S> {
    /// Works as long as there is something to do that no other worker does.
    fn work<'scope>(&'scope self, scope: Option<&Scope<'scope>>)
    where
        'w: 'scope,
    {
        while let Some((index, mut slot)) = self.take() {
            self.invite(scope);
            (self.convert)(&mut slot);
            self.state().waiting.push((index, slot));
            while let Some(mut slot) = self.deliver() {
                (self.settle)(&mut slot);
                self.state().free.push(slot);
                self.invite(scope);
            }
        }
    }

    /// Takes the next piece. If there is none to take, the worker no longer counts as busy.
    fn take(&self) -> Option<(u64, S)> {
        let mut state = self.state();
        let Some(mut slot) = state.begin_taking() else {
            state.busy -= 1;
            return None;
        };
        drop(state);
        let is_piece = unpoisoned(self.take.lock())(&mut slot);
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
    fn deliver(&self) -> Option<S> {
        let mut state = self.state();
        if state.is_delivering {
            return None;
        }
        let turn = state.turn;
        let place = (state.waiting.iter()).position(|(index, _)| *index == turn)?;
        let (_, mut slot) = state.waiting.swap_remove(place);
        state.is_delivering = true;
        drop(state);
        let flow = unpoisoned(self.deliver.lock())(&mut slot);
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

    fn state(&self) -> MutexGuard<'_, State<S>> {
        unpoisoned(self.state.lock())
    }
}

/// The content of a lock, even if a worker has panicked while it held the lock: rayon passes the panic on to
/// the caller, so nobody sees a result.
fn unpoisoned<T>(result: Result<T, PoisonError<T>>) -> T {
    result.unwrap_or_else(PoisonError::into_inner)
}
