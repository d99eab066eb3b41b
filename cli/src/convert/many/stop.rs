//! Why a run ends before its files do: a signal, or a failure with `--fail-fast`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};

use crate::os;

#[derive(Clone, Default)]
pub(crate) struct Stop(Arc<State>);

#[derive(Default)]
struct State {
    /// The number of the first signal, or 0.
    signal: AtomicU8,
    signals: AtomicU32,
    failed: AtomicBool,
}

impl Stop {
    /// One that SIGINT, SIGTERM and SIGHUP ask for.
    ///
    /// The error is why signals can't be caught: they end the run at once then.
    pub(crate) fn on_signals() -> (Self, Option<io::Error>) {
        let stop = Self::default();
        let state = Arc::clone(&stop.0);
        let caught = os::on_signals(move |signal| {
            let _ = state
                .signal
                .compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed);
            state.signals.fetch_add(1, Ordering::Relaxed);
        });
        (stop, caught.err())
    }

    /// A file failed where that is to be the end.
    pub(crate) fn fail(&self) {
        self.0.failed.store(true, Ordering::Relaxed);
    }

    /// Whether no further file is to be begun.
    pub(crate) fn is_asked(&self) -> bool {
        self.signal().is_some() || self.0.failed.load(Ordering::Relaxed)
    }

    /// Whether even the files in flight are to be given up: somebody asked twice.
    pub(crate) fn is_urgent(&self) -> bool {
        self.0.signals.load(Ordering::Relaxed) > 1
    }

    /// The signal that asked first.
    pub(crate) fn signal(&self) -> Option<u8> {
        match self.0.signal.load(Ordering::Relaxed) {
            // Every further file would fail as the one did that was too large.
            0 => os::file_size_signal(),
            signal => Some(signal),
        }
    }
}
