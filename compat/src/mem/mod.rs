//! Conversions between UTF-8, UTF-16 and Latin-1 in memory, and checks for these forms and for text from
//! right to left.
//!
//! Latin-1 is true ISO-8859-1 here: bytes that are the code points U+0000 to U+00FF. For windows-1252, which
//! the web calls Latin-1, see [`WINDOWS_1252`](crate::WINDOWS_1252).
//!
//! `ascii.rs`, `bidi.rs`, `latin1.rs` and `utf16.rs` have the functions by what they are about.

mod ascii;
mod bidi;
mod latin1;
mod utf16;

pub use ascii::*;
pub use bidi::*;
pub use latin1::*;
pub use utf16::*;

/// Panics unless an output of `room` units has `wanted`.
#[track_caller]
fn check_room(room: usize, wanted: usize) {
    assert!(
        room >= wanted,
        "the destination has room for {room} units and needs {wanted}"
    );
}

/// Lets `write` write text to the front of `dst`, and clears what it may have overwritten after that, so that
/// all of `dst` is text.
fn overwrite(dst: &mut str, write: impl FnOnce(&mut [u8]) -> (usize, usize)) -> (usize, usize) {
    /// Clears the bytes from `start` on when it is dropped, even during a panic.
    struct Cleared<'a> {
        bytes: &'a mut [u8],
        start: usize,
    }

    impl Drop for Cleared<'_> {
        fn drop(&mut self) {
            self.bytes[self.start..].fill(0);
        }
    }

    // SAFETY: what `write` says that it has written is UTF-8: it is a conversion of simdtext, which writes whole
    // characters. All that follows is zeros when `text` is dropped, and all of it is if `write` panics.
    #[allow(unsafe_code, reason = "the signature takes a `str`")]
    let bytes = unsafe { dst.as_bytes_mut() };
    let mut text = Cleared { bytes, start: 0 };
    let (read, written) = write(text.bytes);
    text.start = written;
    (read, written)
}
