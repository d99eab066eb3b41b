//! Signals on Unix: those that ask the process to end, and the one that says that a file has reached its
//! maximum size. Tested in `tests/cli/signals.rs`.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

/// Set by the handler of SIGXFSZ.
static FILE_SIZE: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Whether a handler of SIGXFSZ is installed.
static IS_HANDLED: AtomicBool = AtomicBool::new(false);

/// Calls `each` with the number of every signal that asks the process to end. After an error they are not
/// caught, and end the process at once.
///
/// A signal that was ignored from the start is left alone: SIGHUP is under `nohup`, and SIGINT in what a script runs
/// in the background. From now on, a write beyond the limit of `ulimit -f` is an error like any other, and
/// [`file_size_signal`] returns its signal.
pub(crate) fn on_signals(mut each: impl FnMut(u8) + Send + 'static) -> io::Result<()> {
    let ignored = ignored();
    if !is_in(ignored, SIGXFSZ) && !IS_HANDLED.load(Ordering::Relaxed) {
        signal_hook::flag::register(SIGXFSZ, file_size_flag())?;
        IS_HANDLED.store(true, Ordering::Relaxed);
    }
    let mut wanted = vec![SIGINT, SIGTERM, SIGHUP];
    wanted.retain(|signal| !is_in(ignored, *signal));
    // The thread is started first: a signal that is caught while nobody waits for it would be lost.
    let (caught, is_caught) = mpsc::channel();
    let handle = move || match Signals::new(wanted) {
        Ok(mut signals) => {
            let _ = caught.send(Ok(()));
            for signal in signals.forever() {
                each(u8::try_from(signal).unwrap_or(u8::MAX));
            }
        }
        Err(error) => {
            let _ = caught.send(Err(error));
        }
    };
    thread::Builder::new()
        .name(String::from("signals"))
        .spawn(handle)?;
    is_caught.recv().map_err(io::Error::other)?
}

/// A flag that is set when a file would have grown beyond the limit of `ulimit -f`, if signals are caught.
pub(crate) fn file_size_flag() -> Arc<AtomicBool> {
    Arc::clone(FILE_SIZE.get_or_init(Arc::default))
}

/// SIGXFSZ, if it was raised because a file would have grown beyond the limit of `ulimit -f`.
pub(crate) fn file_size_signal() -> Option<u8> {
    let raised = file_size_flag().load(Ordering::Relaxed);
    raised.then(|| u8::try_from(SIGXFSZ).unwrap_or(u8::MAX))
}

fn is_in(mask: u64, signal: i32) -> bool {
    mask >> (signal - 1) & 1 == 1
}

/// The signals that the process ignores, as a mask. The standard library has no call for it; on Linux a file
/// has it.
#[cfg(target_os = "linux")]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

/// The signals that the process ignores, as a mask. It is not known on this system, so SIGHUP counts as
/// ignored, in case the process runs under `nohup`.
#[cfg(not(target_os = "linux"))]
fn ignored() -> u64 {
    1 << (SIGHUP - 1)
}
