//! Threads to work on.

use std::io;

/// A number of threads, for [`Parallel::pool`](super::Parallel::pool).
///
/// Idle threads take no CPU time, and all end when the pool is dropped. Callers who use rayon don't need
/// this: what is called within a rayon pool, or its global one, works there.
///
/// ```
/// use simdtext::parallel::{Parallel, Pool};
/// use simdtext::{Bom, WINDOWS_1251};
///
/// let pool = Pool::new(2)?;
/// let parallel = Parallel::new().pool(&pool);
/// assert_eq!(parallel.decode(WINDOWS_1251, b"\xCC\xE8\xF0", Bom::Sniff).text, "Мир");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Pool {
    threads: rayon::ThreadPool,
}

impl Pool {
    /// Starts `threads` threads; 0 means as many as the machine runs at a time.
    ///
    /// # Errors
    ///
    /// The error of the system if it can't start them.
    pub fn new(threads: usize) -> io::Result<Self> {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
        Ok(Pool {
            threads: builder.build().map_err(io::Error::other)?,
        })
    }

    /// The number of threads.
    ///
    /// ```
    /// assert_eq!(simdtext::parallel::Pool::new(2)?.threads(), 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Calls `work` on one of the threads, and waits for it. Its parallel conversions, and its own use of
    /// rayon, run in this pool.
    ///
    /// ```
    /// use simdtext::parallel::{Parallel, Pool};
    /// use simdtext::{EUC_KR, Unmappable};
    ///
    /// let pool = Pool::new(2)?;
    /// let encoded = pool.install(|| Parallel::new().encode(EUC_KR, "평화", Unmappable::Strict));
    /// assert_eq!(*encoded?.bytes, *b"\xC6\xF2\xC8\xAD");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.threads.install(work)
    }
}
