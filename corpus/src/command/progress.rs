//! The progress bar, on standard error.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::Tally;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const COUNTING: &str = "{elapsed_precise}  {msg}  {binary_bytes} read  {binary_bytes_per_sec}";
const TOWARDS: &str = "{elapsed_precise}  {msg}  {binary_bytes} of {binary_total_bytes} read  \
    {binary_bytes_per_sec}  {eta} left  {wide_bar}";

pub(super) struct Progress {
    bar: Option<ProgressBar>,
    records: AtomicU64,
}

fn style(template: &str) -> ProgressStyle {
    // The templates are tested.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Progress {
    /// Shows nothing if standard error is not a terminal.
    pub(super) fn new(quiet: bool) -> Self {
        let shown = !quiet && io::stderr().is_terminal();
        let bar = shown.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(style(COUNTING));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self {
            bar,
            records: AtomicU64::new(0),
        }
    }

    pub(super) fn is_shown(&self) -> bool {
        self.bar.is_some()
    }

    /// Sets the total, in bytes, once it is known.
    pub(super) fn total(&self, bytes: u64) {
        if let Some(bar) = &self.bar {
            bar.set_length(bytes);
            bar.set_style(style(TOWARDS));
        }
    }

    pub(super) fn read(&self, bytes: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(bytes);
        }
    }

    pub(super) fn part(&self, tally: &Tally) {
        let records = self.records.fetch_add(tally.records, Ordering::Relaxed) + tally.records;
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{records} records"));
        }
    }

    /// Writes a line while the bar is hidden.
    pub(super) fn aside(&self, write: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn templates_are_well_formed() {
        for template in [super::COUNTING, super::TOWARDS] {
            assert!(indicatif::ProgressStyle::with_template(template).is_ok());
        }
    }
}
