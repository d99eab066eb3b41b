//! How to ask a run to end early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Asks a run to end. All clones ask the same run, from any thread or from a signal handler.
///
/// ```
/// let cancel = simdtext_convert::Cancel::new();
/// let elsewhere = cancel.clone();
/// std::thread::spawn(move || elsewhere.cancel()).join().unwrap();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    asked: Arc<AtomicU32>,
    flag: Option<Arc<AtomicBool>>,
}

impl Cancel {
    /// A token that nobody has cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// A token that is cancelled as soon as `flag` is true, too.
    pub fn with_flag(flag: Arc<AtomicBool>) -> Self {
        Self {
            asked: Arc::default(),
            flag: Some(flag),
        }
    }

    /// Asks the run to end. After the first call, files that were begun are still finished; a second call
    /// abandons them, so that they stay as they were.
    pub fn cancel(&self) {
        let more = |asked: u32| asked.checked_add(1);
        let _ = (self.asked).fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }

    /// Whether the run should begin no more files.
    pub fn is_cancelled(&self) -> bool {
        self.asked.load(Ordering::Relaxed) > 0
            || (self.flag.as_ref()).is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether files that were begun should be abandoned, too.
    pub(crate) fn is_urgent(&self) -> bool {
        self.asked.load(Ordering::Relaxed) > 1
    }
}
