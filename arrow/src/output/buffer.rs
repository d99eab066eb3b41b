//! Buffers of text and of bytes, and the arrays that are made of them.

#![expect(
    unsafe_code,
    reason = "arrow would validate text a second time, which costs more than to decode it"
)]

#[cfg(feature = "rayon")]
use std::mem::MaybeUninit;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BinaryViewArray, GenericBinaryArray, GenericStringArray, OffsetSizeTrait,
    StringViewArray,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};

use super::Growing;

/// A buffer of output: text or bytes.
pub(crate) trait Output: Default {
    /// The contents of the buffer, `str` or `[u8]`.
    type Slice: ?Sized + AsRef<[u8]>;

    fn as_bytes(&self) -> &[u8];
    fn capacity(&self) -> usize;
    fn reserve_exact(&mut self, additional: usize);
    fn shrink_to(&mut self, capacity: usize);
    fn truncate(&mut self, len: usize);
    fn into_vec(self) -> Vec<u8>;

    /// Moves the contents to `memory`, which is empty and has room for them.
    fn move_to(&mut self, memory: Vec<u8>);

    /// Returns the spare capacity after the bytes.
    #[cfg(feature = "rayon")]
    fn spare(&mut self) -> &mut [MaybeUninit<u8>];

    /// Adds the first `added` bytes of [`Output::spare`] to the contents.
    ///
    /// # Safety
    ///
    /// They were written, and are the bytes of one or more `Slice`.
    #[cfg(feature = "rayon")]
    unsafe fn advance(&mut self, added: usize);

    /// Makes the array whose values are in `values`, one after another.
    ///
    /// # Safety
    ///
    /// Each offset is the length that `values` had at some time while values were appended to it.
    unsafe fn contiguous<O: OffsetSizeTrait>(
        values: Growing<Self>,
        offsets: OffsetBuffer<O>,
        nulls: Option<NullBuffer>,
    ) -> ArrayRef;

    /// Makes the array with these views.
    ///
    /// # Safety
    ///
    /// Each view is one that [`make_view`](arrow_array::builder::make_view) makes, and stands for a `Slice` in
    /// the buffer that it names.
    unsafe fn views(
        views: ScalarBuffer<u128>,
        buffers: Vec<Buffer>,
        nulls: Option<NullBuffer>,
    ) -> ArrayRef;
}

impl Output for String {
    type Slice = str;

    fn as_bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    fn capacity(&self) -> usize {
        self.capacity()
    }

    fn reserve_exact(&mut self, additional: usize) {
        self.reserve_exact(additional);
    }

    fn shrink_to(&mut self, capacity: usize) {
        self.shrink_to(capacity);
    }

    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }

    fn into_vec(self) -> Vec<u8> {
        self.into_bytes()
    }

    fn move_to(&mut self, memory: Vec<u8>) {
        // An empty vector is UTF-8.
        let mut text = String::from_utf8(memory).unwrap_or_default();
        text.push_str(self);
        *self = text;
    }

    #[cfg(feature = "rayon")]
    fn spare(&mut self) -> &mut [MaybeUninit<u8>] {
        // SAFETY: the bytes of the text are not changed.
        unsafe { self.as_mut_vec() }.spare_capacity_mut()
    }

    #[cfg(feature = "rayon")]
    unsafe fn advance(&mut self, added: usize) {
        let len = self.len() + added;
        // SAFETY: the caller promises that what is added is UTF-8.
        let bytes = unsafe { self.as_mut_vec() };
        // SAFETY: the caller promises that the first `added` bytes of the spare capacity were written.
        unsafe { bytes.set_len(len) };
    }

    unsafe fn contiguous<O: OffsetSizeTrait>(
        values: Growing<Self>,
        offsets: OffsetBuffer<O>,
        nulls: Option<NullBuffer>,
    ) -> ArrayRef {
        let values = values.into_arrow();
        // SAFETY: the buffer was a string, and the caller promises that the offsets are lengths of it
        // between two values, which are boundaries of characters inside it.
        let array = unsafe { GenericStringArray::new_unchecked(offsets, values, nulls) };
        Arc::new(array)
    }

    unsafe fn views(
        views: ScalarBuffer<u128>,
        buffers: Vec<Buffer>,
        nulls: Option<NullBuffer>,
    ) -> ArrayRef {
        // SAFETY: the caller promises that the views are well-formed and that each stands for a `str`.
        let array = unsafe { StringViewArray::new_unchecked(views, buffers, nulls) };
        Arc::new(array)
    }
}

impl Output for Vec<u8> {
    type Slice = [u8];

    fn as_bytes(&self) -> &[u8] {
        self
    }

    fn capacity(&self) -> usize {
        self.capacity()
    }

    fn reserve_exact(&mut self, additional: usize) {
        self.reserve_exact(additional);
    }

    fn shrink_to(&mut self, capacity: usize) {
        self.shrink_to(capacity);
    }

    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }

    fn into_vec(self) -> Vec<u8> {
        self
    }

    fn move_to(&mut self, mut memory: Vec<u8>) {
        memory.extend_from_slice(self);
        *self = memory;
    }

    #[cfg(feature = "rayon")]
    fn spare(&mut self) -> &mut [MaybeUninit<u8>] {
        self.spare_capacity_mut()
    }

    #[cfg(feature = "rayon")]
    unsafe fn advance(&mut self, added: usize) {
        let len = self.len() + added;
        // SAFETY: the caller promises that the first `added` bytes of the spare capacity were written.
        unsafe { self.set_len(len) };
    }

    unsafe fn contiguous<O: OffsetSizeTrait>(
        values: Growing<Self>,
        offsets: OffsetBuffer<O>,
        nulls: Option<NullBuffer>,
    ) -> ArrayRef {
        Arc::new(GenericBinaryArray::new(offsets, values.into_arrow(), nulls))
    }

    unsafe fn views(
        views: ScalarBuffer<u128>,
        buffers: Vec<Buffer>,
        nulls: Option<NullBuffer>,
    ) -> ArrayRef {
        // SAFETY: the caller promises that the views are well-formed.
        let array = unsafe { BinaryViewArray::new_unchecked(views, buffers, nulls) };
        Arc::new(array)
    }
}
