//! Reasons to end a run early: it was cancelled, or a file failed with `--fail-fast`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::cancel::Cancel;

#[derive(Debug, Default)]
pub(crate) struct Stop {
    cancel: Cancel,
    failed: AtomicBool,
}

impl Stop {
    pub(crate) fn new(cancel: &Cancel) -> Self {
        Self {
            cancel: cancel.clone(),
            failed: AtomicBool::new(false),
        }
    }

    /// Records that a file failed.
    pub(crate) fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// What the walk and each worker hold while they work: if one of them panics, the others end as well, and the panic
    /// is seen.
    pub(crate) fn by_panic(&self) -> StopByPanic<'_> {
        StopByPanic(self)
    }

    /// Whether no more files should be begun.
    pub(crate) fn is_asked(&self) -> bool {
        self.is_cancelled() || self.failed.load(Ordering::Relaxed)
    }

    /// Whether the run was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Whether files that were begun should be abandoned, too: the run was cancelled twice.
    pub(crate) fn is_urgent(&self) -> bool {
        self.cancel.is_urgent()
    }
}

/// Ends the run if it is dropped by a panic.
pub(crate) struct StopByPanic<'a>(&'a Stop);

impl Drop for StopByPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail();
        }
    }
}
