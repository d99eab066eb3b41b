//! Signals on Unix: those that ask the process to end, and the one that says a file has grown as large
//! as it may. Tested in `tests/cli/signals.rs`.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

/// Set by the handler of SIGXFSZ.
static FILE_SIZE: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Whether there is one.
static IS_HANDLED: AtomicBool = AtomicBool::new(false);

/// Calls `each` with the number of every signal that asks the process to end. An error means that they
/// are not caught, and end the process at once.
///
/// SIGHUP is left alone where it is ignored from the start, as `nohup` has it. From now on a write past
/// the limit of `ulimit -f` is an error like any other, and [`file_size_signal`] tells of it.
pub(crate) fn on_signals(mut each: impl FnMut(u8) + Send + 'static) -> io::Result<()> {
    let ignored = ignored();
    if !is_in(ignored, SIGXFSZ) && !IS_HANDLED.load(Ordering::Relaxed) {
        signal_hook::flag::register(SIGXFSZ, file_size_flag())?;
        IS_HANDLED.store(true, Ordering::Relaxed);
    }
    let mut wanted = vec![SIGINT, SIGTERM];
    if !is_in(ignored, SIGHUP) {
        wanted.push(SIGHUP);
    }
    // The thread comes first: a signal that is caught, and that nobody then looks at, would be lost.
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

/// What is true once a file would have grown past the limit of `ulimit -f`, and signals are caught.
pub(crate) fn file_size_flag() -> Arc<AtomicBool> {
    Arc::clone(FILE_SIZE.get_or_init(Arc::default))
}

/// SIGXFSZ, if it was raised: a file would have grown past the limit of `ulimit -f`.
pub(crate) fn file_size_signal() -> Option<u8> {
    let raised = file_size_flag().load(Ordering::Relaxed);
    raised.then(|| u8::try_from(SIGXFSZ).unwrap_or(u8::MAX))
}

fn is_in(mask: u64, signal: i32) -> bool {
    mask >> (signal - 1) & 1 == 1
}

/// The signals that the process ignores, as a mask. The standard library can't ask for it; Linux tells
/// in a file.
#[cfg(target_os = "linux")]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

/// The signals that the process ignores, as a mask. Not known here, so that SIGHUP, which `nohup`
/// ignores, is best left alone.
#[cfg(not(target_os = "linux"))]
fn ignored() -> u64 {
    1 << (SIGHUP - 1)
}
