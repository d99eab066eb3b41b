//! Standard streams that were closed when the process started, as by `<&-` and `>&-` in a shell, and the error that
//! only closing one reveals.
//!
//! Before `main`, the runtime of Rust opens /dev/null in their place, so that no other file gets their numbers:
//! reading would seem to succeed with nothing, and what is written would be lost. A parent may also hand
//! /dev/null over on purpose, in the same way. So this looks before the runtime does.

#![allow(
    unsafe_code,
    reason = "nothing else in Rust runs before its runtime has opened the descriptors, or returns the error of closing one"
)]

use std::ffi::c_int;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, IntoRawFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::sync::atomic::{AtomicU8, Ordering};

const STDIN: c_int = 0;
const STDOUT: c_int = 1;

/// Bit 0 for standard input, bit 1 for standard output.
static CLOSED: AtomicU8 = AtomicU8::new(0);

unsafe extern "C" {
    fn fcntl(descriptor: c_int, command: c_int, ...) -> c_int;
    fn close(descriptor: c_int) -> c_int;
}

/// The same number on every Unix.
const F_GETFD: c_int = 1;

/// Looks at the descriptors.
extern "C" fn look() {
    for descriptor in [STDIN, STDOUT] {
        // SAFETY: This only asks for a flag, which takes no argument, and fails if there is no such descriptor.
        if unsafe { fcntl(descriptor, F_GETFD) } == -1 {
            CLOSED.fetch_or(1 << descriptor, Ordering::Relaxed);
        }
    }
}

// SAFETY: The section is an array of pointers to functions that are called when the program, or the library that
// this is in, is loaded; additional arguments that some systems pass are ignored by the C calling convention.
// `look` needs nothing that the runtime sets up: it makes system calls, sets an atomic number, and can't panic.
#[used]
#[cfg_attr(
    any(
        target_os = "linux",
        target_os = "android",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd",
        target_os = "dragonfly"
    ),
    unsafe(link_section = ".init_array")
)]
#[cfg_attr(
    target_vendor = "apple",
    unsafe(link_section = "__DATA,__mod_init_func")
)]
static LOOK: extern "C" fn() = look;

/// Whether standard input was closed from the start.
pub(super) fn is_stdin_closed() -> bool {
    is_closed(STDIN, io::stdin().as_fd())
}

/// Whether standard output was closed from the start.
pub(super) fn is_stdout_closed() -> bool {
    is_closed(STDOUT, io::stdout().as_fd())
}

/// Closes a copy of standard output. Network file systems may report only then that there is no room for what was
/// written.
pub(super) fn close_stdout_copy() -> io::Result<()> {
    // Without a free descriptor this can't be known.
    let Ok(copy) = io::stdout().as_fd().try_clone_to_owned() else {
        return Ok(());
    };
    // SAFETY: The descriptor is open, and nothing else has it.
    match unsafe { close(copy.into_raw_fd()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// In a program that loads this as a library, the descriptor may have been opened since then.
fn is_closed(number: c_int, descriptor: BorrowedFd<'_>) -> bool {
    CLOSED.load(Ordering::Relaxed) >> number & 1 == 1 && !is_in_use(descriptor).unwrap_or(false)
}

/// Whether the descriptor is something other than what the runtime opened.
fn is_in_use(descriptor: BorrowedFd<'_>) -> io::Result<bool> {
    let there = std::fs::File::from(descriptor.try_clone_to_owned()?).metadata()?;
    let null = std::fs::metadata("/dev/null")?;
    Ok(!there.file_type().is_char_device() || there.rdev() != null.rdev())
}
