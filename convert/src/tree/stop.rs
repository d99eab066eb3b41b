//! Why a run ends before its files do: it was cancelled, or a file failed with `--fail-fast`.

use std::sync::atomic::{AtomicBool, Ordering};

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

    /// A file failed where that is to be the end.
    pub(crate) fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// Whether no further file is to be begun.
    pub(crate) fn is_asked(&self) -> bool {
        self.is_cancelled() || self.failed.load(Ordering::Relaxed)
    }

    /// Whether somebody cancelled the run.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Whether even the files in flight are to be given up: somebody asked twice.
    pub(crate) fn is_urgent(&self) -> bool {
        self.cancel.is_urgent()
    }
}
