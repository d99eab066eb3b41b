//! Memory between two pages that nothing may touch: a kernel that reads or writes one byte outside
//! its slices ends the test with a signal.

use core::mem::MaybeUninit;

/// Where a slice lies between the two pages. The distance is in bytes, and a multiple of the
/// alignment of the slice's units.
#[derive(Clone, Copy, Debug)]
pub(super) enum Edge {
    /// This far after the page in front. The alignment of the slice is the distance, modulo a page.
    Front(usize),
    /// This far before the page behind.
    Back(usize),
}

/// Readable and writable memory with a page on either side that is neither.
pub(super) struct Guarded {
    /// The first of the three mappings: page, memory, page.
    base: *mut u8,
    page: usize,
    len: usize,
}

impl Guarded {
    /// Maps memory for `bytes` bytes, rounded up to whole pages.
    pub(super) fn new(bytes: usize) -> Self {
        // SAFETY: only asks for a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page).expect("a page size");
        let len = bytes.next_multiple_of(page).max(page);
        // SAFETY: a new mapping, at an address that the kernel chooses, touches no other memory.
        let base = unsafe {
            libc::mmap(
                core::ptr::null_mut(),
                len + 2 * page,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert_ne!(base, libc::MAP_FAILED, "mmap");
        let base = base.cast::<u8>();
        let guarded = Guarded { base, page, len };
        // SAFETY: these pages are in the mapping that `mmap` has just made, behind its first page.
        let changed = unsafe {
            libc::mprotect(
                guarded.memory().cast(),
                len,
                libc::PROT_READ | libc::PROT_WRITE,
            )
        };
        assert_eq!(changed, 0, "mprotect");
        guarded
    }

    fn memory(&self) -> *mut u8 {
        self.base.wrapping_add(self.page)
    }

    /// Returns a slice of `len` units at `edge`.
    fn slice<T>(&mut self, len: usize, edge: Edge) -> &mut [MaybeUninit<T>] {
        let bytes = len * size_of::<T>();
        let start = match edge {
            Edge::Front(distance) => Some(distance),
            Edge::Back(distance) => self.len.checked_sub(bytes + distance),
        };
        let start = start
            .filter(|start| start + bytes <= self.len)
            .expect("a slice that fits into the memory");
        let front = self.memory().wrapping_add(start).cast::<MaybeUninit<T>>();
        assert!(front.is_aligned(), "{edge:?}");
        // SAFETY: the bytes are in memory that this value owns and lends out by `&mut self`; they are
        // aligned, by the line above, and `MaybeUninit` may hold any value.
        unsafe { core::slice::from_raw_parts_mut(front, len) }
    }

    /// Returns a copy of `units` at `edge`.
    pub(super) fn source<T: bytemuck::Pod>(&mut self, units: &[T], edge: Edge) -> &[T] {
        let to = self.slice(units.len(), edge);
        for (to, unit) in to.iter_mut().zip(units) {
            to.write(*unit);
        }
        // SAFETY: the loop has written every unit.
        unsafe { &*(core::ptr::from_mut(to) as *const [T]) }
    }

    /// Returns room for `len` units at `edge`, each byte of which is `fill`.
    pub(super) fn room<T: bytemuck::Pod>(
        &mut self,
        len: usize,
        edge: Edge,
        fill: u8,
    ) -> &mut [MaybeUninit<T>] {
        for byte in self.slice::<u8>(len * size_of::<T>(), edge) {
            byte.write(fill);
        }
        self.slice(len, edge)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping that `new` made; nothing borrows from it any more.
        unsafe { libc::munmap(self.base.cast(), self.len + 2 * self.page) };
    }
}
