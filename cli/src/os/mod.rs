//! Signals and descriptors, which not all systems have.

#[cfg(unix)]
mod closed;
#[cfg(not(unix))]
#[path = "other_closed.rs"]
mod closed;
#[cfg(unix)]
mod signals;
#[cfg(not(unix))]
#[path = "other_signals.rs"]
mod signals;
mod streams;

pub(crate) use signals::{file_size_flag, file_size_signal, on_signals};
pub(crate) use streams::{
    end_output, names_stdout, refuse_closed_input, refuse_closed_output, standard_output,
    standard_output_if,
};
