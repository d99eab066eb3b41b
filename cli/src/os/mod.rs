//! Signals, which not all systems have.

#[cfg(unix)]
mod signals;
#[cfg(not(unix))]
#[path = "other_signals.rs"]
mod signals;

pub(crate) use signals::{file_size_flag, file_size_signal, on_signals};
