//! The results of calls: why they stopped.

use simdtext::Status;

/// Why a call that replaces malformed sequences or unmappable characters returned.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum CoderResult {
    /// All of the input was read. With `last`, the stream is finished.
    InputEmpty,
    /// There is not enough room for what comes next: call again with the rest of the input and more room.
    OutputFull,
}

/// Why a decoder that does not replace malformed sequences returned.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum DecoderResult {
    /// All of the input was read. With `last`, the stream is finished.
    InputEmpty,
    /// There is not enough room for what comes next: call again with the rest of the input and more room.
    OutputFull,
    /// A malformed sequence was read: its length in bytes (1 to 4), and the number of bytes (0 to 3) that were read
    /// after it.
    ///
    /// The decoder goes on with those as if they came next, and the caller does not pass them again. So the
    /// sequence ends that many bytes before the end of what was read of the stream.
    ///
    /// If a byte order mark seemed to begin in an earlier call, in an encoding in which its first byte alone
    /// is malformed, its second byte is read, too, but not counted.
    Malformed(u8, u8),
}

/// Why an encoder that does not replace unmappable characters returned.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum EncoderResult {
    /// All of the input was read. With `last`, the stream is finished.
    InputEmpty,
    /// There is not enough room for what comes next: call again with the rest of the input and more room.
    OutputFull,
    /// The encoding does not have this character, which was read. In ISO-2022-JP it is U+FFFD for U+000E, U+000F and
    /// U+001B.
    Unmappable(char),
}

impl From<Status> for CoderResult {
    #[inline]
    fn from(status: Status) -> Self {
        match status {
            Status::OutputFull => CoderResult::OutputFull,
            _ => CoderResult::InputEmpty,
        }
    }
}

impl From<Status> for EncoderResult {
    #[inline]
    fn from(status: Status) -> Self {
        match status {
            Status::OutputFull => EncoderResult::OutputFull,
            Status::Unmappable { ch, .. } => EncoderResult::Unmappable(ch),
            _ => EncoderResult::InputEmpty,
        }
    }
}
