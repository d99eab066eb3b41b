//! The progress bar.

use std::io::{self, IsTerminal};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::{ManyArgs, ProgressArg};

pub(crate) struct Progress {
    /// Its position is in bytes.
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(crate) fn new(args: &ManyArgs) -> Self {
        let shown = match args.progress {
            ProgressArg::Never => false,
            ProgressArg::Always => true,
            ProgressArg::Auto => !args.quiet && io::stderr().is_terminal(),
        };
        let bar = shown.then(|| {
            let target = if io::stderr().is_terminal() {
                ProgressDrawTarget::stderr()
            } else {
                // indicatif draws nothing without a terminal, even if it is asked to.
                ProgressDrawTarget::term_like_with_hz(Box::new(plain::Lines), 2)
            };
            let bar = ProgressBar::with_draw_target(None, target);
            bar.set_style(style(COUNTING));
            bar.set_message("0 files");
            // The bar ticks on a thread of its own, and panics if there is none to be had.
            if thread::Builder::new()
                .spawn(|| {})
                .is_ok_and(|probe| probe.join().is_ok())
            {
                bar.enable_steady_tick(Duration::from_millis(200));
            }
            bar
        });
        Self { bar }
    }

    pub(crate) fn is_shown(&self) -> bool {
        self.bar.is_some()
    }

    /// Sets the total, in bytes.
    pub(crate) fn total(&self, bytes: u64) {
        if let Some(bar) = &self.bar {
            bar.set_length(bytes);
            bar.set_style(style(TOWARDS));
        }
    }

    /// Adds the number of bytes that were read since the last call.
    pub(crate) fn read(&self, bytes: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(bytes);
        }
    }

    /// Shows the totals after another file is done.
    pub(crate) fn files(&self, files: u64, with_errors: u64) {
        if let Some(bar) = &self.bar {
            let errors = match with_errors {
                0 => String::new(),
                number => format!(", {number} with errors"),
            };
            bar.set_message(format!("{files} files{errors}"));
        }
    }

    /// Calls `write`, which writes to standard error, while the bar is hidden.
    pub(crate) fn aside(&self, write: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The form while the total is unknown.
const COUNTING: &str = "{elapsed_precise}  {msg}  {binary_bytes}  {binary_bytes_per_sec}";

/// The form once the total is known.
const TOWARDS: &str = "{elapsed_precise}  {msg}  {binary_bytes} of {binary_total_bytes}  \
    {binary_bytes_per_sec}  {eta} left  {wide_bar}";

fn style(template: &str) -> ProgressStyle {
    // A test makes sure that the templates are well-formed.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// In place of a terminal: writes each drawing as a line.
mod plain {
    use std::io::{self, Write};

    #[derive(Debug)]
    pub(super) struct Lines;

    impl indicatif::TermLike for Lines {
        fn width(&self) -> u16 {
            100
        }

        fn move_cursor_up(&self, _lines: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _lines: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _columns: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _columns: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, line: &str) -> io::Result<()> {
            writeln!(io::stderr().lock(), "{}", line.trim_end())
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            let text = text.trim_end();
            if text.is_empty() {
                return Ok(());
            }
            writeln!(io::stderr().lock(), "{text}")
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            io::stderr().lock().flush()
        }
    }
}

#[cfg(test)]
mod tests {
    use indicatif::ProgressStyle;

    #[test]
    fn templates_are_well_formed() {
        for template in [super::COUNTING, super::TOWARDS] {
            assert!(ProgressStyle::with_template(template).is_ok());
        }
    }
}
