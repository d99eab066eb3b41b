//! Memory of results that were dropped, for later results.

use std::fmt;
use std::sync::{Arc, Mutex, TryLockError};

use arrow_buffer::Buffer;

/// Buffers below this size are left to the allocator, which keeps them as well.
pub(crate) const MIN_BYTES: usize = 4 * 1024 * 1024;

/// The maximum number of buffers that are kept.
const MAX_BUFFERS: usize = 16;

/// A buffer is freed after this many searches have passed it over.
const PATIENCE: u8 = 16;

/// Keeps the memory of results that were dropped, for the results of later calls.
///
/// An allocator returns large buffers to the system. Requesting them again costs a page fault per page, which
/// can take longer than decoding the text in it. With a `Reuse` in the options
/// ([`DecodeOptions::reuse`](crate::DecodeOptions::reuse),
/// [`EncodeOptions::reuse`](crate::EncodeOptions::reuse)) the large buffer of a `Utf8`, `LargeUtf8`, `Binary`
/// or `LargeBinary` array comes back to it when the last array, slice or view of it is dropped, and a later
/// result of about this size is written there.
///
/// The kept memory is bounded, and a buffer that the next 16 large results had no use for is freed. A clone is
/// a handle to the same memory; all of it is freed when the last handle and the last result are dropped.
///
/// Many threads can use it at once. In a process that was forked while another thread was using it, nothing is
/// kept any more.
///
/// ```
/// use arrow_array::BinaryArray;
/// use simdtext_arrow::{DecodeOptions, Reuse, decode};
///
/// let reuse = Reuse::new(256 * 1024 * 1024);
/// let options = DecodeOptions::new().reuse(&reuse);
/// let page = vec![b'\xE0'; 1024];
/// let pages = BinaryArray::from_vec(vec![&page[..]; 10_000]);
/// let decoded = decode(&pages, "windows-1251", &options)?;
/// assert_eq!(reuse.idle(), 0);
/// drop(decoded);
/// assert!(reuse.idle() >= 20 * 1024 * 1000);
/// reuse.release();
/// assert_eq!(reuse.idle(), 0);
/// # Ok::<(), simdtext_arrow::Error>(())
/// ```
#[derive(Clone)]
pub struct Reuse(Arc<Shared>);

struct Shared {
    limit: usize,
    idle: Mutex<Vec<Idle>>,
}

/// Memory that is not in use.
struct Idle {
    /// An empty buffer.
    buffer: Vec<u8>,
    passed_over: u8,
}

impl Reuse {
    /// Makes a store that keeps up to `limit` bytes of memory that is not in use.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Reuse(Arc::new(Shared {
            limit,
            idle: Mutex::new(Vec::with_capacity(MAX_BUFFERS + 1)),
        }))
    }

    /// Returns the number of bytes that are kept and not in use.
    #[must_use]
    pub fn idle(&self) -> usize {
        self.0.change(|idle| total(idle)).unwrap_or(0)
    }

    /// Frees the memory that is kept.
    pub fn release(&self) {
        // Freed after the lock is released, because that may take a while.
        drop(self.0.change(std::mem::take));
    }

    /// Returns an empty buffer with room for `least` bytes, and not much more than `wanted`.
    pub(crate) fn take(&self, least: usize, wanted: usize) -> Option<Vec<u8>> {
        let (taken, _old) = self.0.change(|idle| {
            let fits = |capacity| (least..=wanted.saturating_add(wanted / 4)).contains(&capacity);
            let found = (0..idle.len())
                .filter(|&at| fits(idle[at].buffer.capacity()))
                .min_by_key(|&at| idle[at].buffer.capacity());
            let taken = found.map(|at| idle.remove(at).buffer);
            for passed in &mut *idle {
                passed.passed_over += 1;
            }
            let is_old = |idle: &mut Idle| idle.passed_over >= PATIENCE;
            (taken, idle.extract_if(.., is_old).collect::<Vec<_>>())
        })?;
        taken
    }

    /// Returns an Arrow buffer whose memory comes back.
    pub(crate) fn lend(&self, bytes: Vec<u8>) -> Buffer {
        let shared = Arc::clone(&self.0);
        Buffer::from(bytes::Bytes::from_owner(Lent { bytes, shared }))
    }
}

impl fmt::Debug for Reuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reuse")
            .field("limit", &self.0.limit)
            .finish_non_exhaustive()
    }
}

fn total(idle: &[Idle]) -> usize {
    idle.iter().map(|idle| idle.buffer.capacity()).sum()
}

impl Shared {
    /// Changes the list of idle buffers; returns `None` if that is not possible.
    fn change<T>(&self, change: impl FnOnce(&mut Vec<Idle>) -> T) -> Option<T> {
        // Others hold the lock for less than a microsecond, unless their thread was lost in a fork.
        for _ in 0..1000 {
            match self.idle.try_lock() {
                Ok(mut idle) => return Some(change(&mut idle)),
                Err(TryLockError::Poisoned(poisoned)) => {
                    return Some(change(&mut poisoned.into_inner()));
                }
                Err(TryLockError::WouldBlock) => std::thread::yield_now(),
            }
        }
        None
    }

    fn keep(&self, mut buffer: Vec<u8>) {
        buffer.clear();
        if buffer.capacity() > self.limit {
            return;
        }
        let _freed = self.change(|idle| {
            idle.push(Idle {
                buffer,
                passed_over: 0,
            });
            // The oldest buffers make room.
            let mut total = total(idle);
            let mut first = 0;
            while total > self.limit || idle.len() - first > MAX_BUFFERS {
                total -= idle[first].buffer.capacity();
                first += 1;
            }
            idle.drain(..first).collect::<Vec<_>>()
        });
    }
}

/// The memory of an Arrow buffer.
struct Lent {
    bytes: Vec<u8>,
    shared: Arc<Shared>,
}

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.shared.keep(std::mem::take(&mut self.bytes));
    }
}
