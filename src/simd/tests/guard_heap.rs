//! Stands in for `guard.rs` where there is no `mmap`: the same slices, unguarded.

use core::mem::MaybeUninit;
use std::vec::Vec;

/// The position of a slice in the memory, in bytes from its front or its end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Edge {
    Front(usize),
    Back(usize),
}

const PAGE: usize = 4096;

#[repr(C, align(4096))]
#[derive(Clone, Copy)]
struct Page([u8; PAGE]);

// SAFETY: an array of bytes, of which zeros are valid.
unsafe impl bytemuck::Zeroable for Page {}
// SAFETY: an array of bytes whose length is a multiple of its alignment, so there is no padding.
unsafe impl bytemuck::Pod for Page {}

pub(super) struct Guarded(Vec<Page>);

impl Guarded {
    pub(super) fn new(bytes: usize) -> Self {
        Guarded(std::vec![Page([0; PAGE]); bytes.div_ceil(PAGE).max(1)])
    }

    fn slice<T: bytemuck::Pod>(&mut self, len: usize, edge: Edge) -> &mut [T] {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut self.0);
        let wanted = len * size_of::<T>();
        let start = match edge {
            Edge::Front(distance) => distance,
            Edge::Back(distance) => bytes.len() - wanted - distance,
        };
        bytemuck::cast_slice_mut(&mut bytes[start..start + wanted])
    }

    pub(super) fn source<T: bytemuck::Pod>(&mut self, units: &[T], edge: Edge) -> &[T] {
        let to = self.slice(units.len(), edge);
        to.copy_from_slice(units);
        to
    }

    pub(super) fn room<T: bytemuck::Pod>(
        &mut self,
        len: usize,
        edge: Edge,
        fill: u8,
    ) -> &mut [MaybeUninit<T>] {
        self.slice(len * size_of::<T>(), edge).fill(fill);
        crate::simd::write_only(self.slice(len, edge))
    }
}
