//! Converts one stream on many cores (feature `rayon`), with exactly the same result as on one.
//!
//! [`Parallel`] cuts its input where a new decoder or encoder can start, converts the pieces in parallel
//! on the threads of a [`Pool`], or of [rayon](https://docs.rs/rayon), and joins the results in order.
//! Text, bytes, error counts and offsets are the same as with the sequential function of the same name,
//! whatever the input, the piece size and the number of threads.
//!
//! ```
//! use simdtext::parallel::Parallel;
//! use simdtext::{Bom, SHIFT_JIS, Unmappable};
//!
//! let text = "日本語のテキスト。\n".repeat(10_000);
//! let parallel = Parallel::new().piece_bytes(64 * 1024);
//! let encoded = parallel.encode(SHIFT_JIS, &text, Unmappable::Strict)?;
//! let decoded = parallel.decode(SHIFT_JIS, &encoded.bytes, Bom::Keep);
//! assert!(decoded.text == text);
//! # Ok::<(), simdtext::EncodeError>(())
//! ```
//!
//! | for | use |
//! |---|---|
//! | a slice | [`Parallel::decode`], `encode` and their variants |
//! | a stream that need not fit into memory | [`Parallel::convert_stream`] |
//! | many independent inputs | [`Parallel::batch`] |
//!
//! # What can't be cut
//!
//! In an East Asian multi-byte encoding, a stretch without ASCII characters that is as long as a piece
//! is converted in order, by one thread at a time; in ISO-2022-JP, a stretch without escape sequences
//! is. So is all input in the replacement encoding.
//!
//! # Thread pools
//!
//! Work is done in the [`Pool`] given with [`Parallel::pool`], or else in the rayon pool that the caller
//! is in, or else in rayon's global one. Each may be used for other things at the same time, even from
//! within readers, writers and closures given here. No rayon type is part of this API.

mod batch;
mod cut;
mod decode;
mod encode;
mod encode_text;
mod pipeline;
mod pool;
mod prefix;
mod stream;

use core::fmt;

pub use pool::Pool;
pub use stream::{
    Fault, FaultKind, OnMalformed, StreamError, StreamErrorKind, StreamOptions, Summary,
};

/// The length of a piece unless [`Parallel::piece_bytes`] sets another: its text and its input fit into
/// the second-level cache of one core. Lengths from 64 KiB to 4 MiB were as fast.
const PIECE_LEN: usize = 256 * 1024;

/// No slice is longer than this, and sums with it do not overflow.
const MAX_PIECE_LEN: usize = usize::MAX / 4;

/// Converts on many cores; see the [module](self).
#[derive(Clone, Copy)]
pub struct Parallel<'p> {
    pool: Option<&'p Pool>,
    piece_len: usize,
    max_threads: usize,
}

impl<'p> Parallel<'p> {
    /// In the thread pool that the caller is in, or else in rayon's global one; pieces of 256 KiB.
    #[must_use]
    pub fn new() -> Self {
        Parallel {
            pool: None,
            piece_len: PIECE_LEN,
            max_threads: usize::MAX,
        }
    }

    /// Cuts the input into pieces of about `len` bytes; 0 counts as 1, and no length is too large. Input
    /// of fewer than two pieces is converted by the caller's thread alone.
    ///
    /// For a piece in flight (there are some more than there are threads) the functions that take a
    /// whole slice need up to 4 times as much memory besides the result, and a stream up to 12 times.
    ///
    /// ```
    /// use simdtext::parallel::Parallel;
    /// use simdtext::{Bom, GBK};
    ///
    /// let parallel = Parallel::new().piece_bytes(4096);
    /// assert_eq!(parallel.decode(GBK, &b"\xC4\xE3".repeat(10_000), Bom::Keep).text, "你".repeat(10_000));
    /// ```
    #[must_use]
    pub fn piece_bytes(self, len: usize) -> Self {
        Parallel {
            piece_len: len.clamp(1, MAX_PIECE_LEN),
            ..self
        }
    }

    /// Works in this pool, instead of the one that the caller is in.
    ///
    /// ```
    /// use simdtext::parallel::{Parallel, Pool};
    /// use simdtext::{Bom, KOI8_R};
    ///
    /// let pool = Pool::new(2)?;
    /// let parallel = Parallel::new().pool(&pool);
    /// assert_eq!(parallel.decode(KOI8_R, b"\xCD\xC9\xD2", Bom::Sniff).text, "мир");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn pool<'q>(self, pool: &'q Pool) -> Parallel<'q> {
        Parallel {
            pool: Some(pool),
            piece_len: self.piece_len,
            max_threads: self.max_threads,
        }
    }

    /// Uses at most `threads` threads of the pool at a time, and at least one. With one, the caller's thread
    /// does all of the work.
    ///
    /// ```
    /// use simdtext::parallel::Parallel;
    /// use simdtext::{Bom, KOI8_R};
    ///
    /// let parallel = Parallel::new().max_threads(2);
    /// assert_eq!(parallel.decode(KOI8_R, b"\xCD\xC9\xD2", Bom::Sniff).text, "мир");
    /// ```
    #[must_use]
    pub fn max_threads(self, threads: usize) -> Self {
        Parallel {
            max_threads: threads.max(1),
            ..self
        }
    }

    fn threads(&self) -> usize {
        let threads = self
            .pool
            .map_or_else(rayon::current_num_threads, Pool::threads);
        threads.min(self.max_threads)
    }

    /// How many workers convert a slice of this length.
    fn workers(&self, len: usize) -> usize {
        let pieces = len / self.piece_len;
        if pieces < 2 {
            1
        } else {
            self.threads().min(pieces)
        }
    }
}

impl Default for Parallel<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Parallel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parallel")
            .field("threads", &self.threads())
            .field("piece_bytes", &self.piece_len)
            .finish()
    }
}
