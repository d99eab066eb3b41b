//! A buffer that is filled from the front, which all outputs consist of.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::simd::Transcoded;
use crate::simd::fill::Fill;

/// A buffer that is filled from the front. Whatever does not fit is not written at all.
///
/// It can't be replaced with another one: a closure that borrows an output with any lifetime has no other
/// output of that lifetime to put there, because this type is invariant in it.
#[derive(Debug)]
pub(super) struct Filled<'a, U> {
    buf: &'a mut [MaybeUninit<U>],
    len: usize,
    invariant: PhantomData<fn(&'a ()) -> &'a ()>,
}

impl<'a, U: Copy> Filled<'a, U> {
    pub(super) fn new(buf: &'a mut [MaybeUninit<U>]) -> Self {
        Filled {
            buf,
            len: 0,
            invariant: PhantomData,
        }
    }

    /// Returns the number of units written so far.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns how many more units there is room for.
    #[inline(always)]
    pub(super) fn room(&self) -> usize {
        self.buf.len() - self.len
    }

    /// Returns the part that is not written yet.
    #[inline(always)]
    pub(super) fn free(&mut self) -> &mut [MaybeUninit<U>] {
        &mut self.buf[self.len..]
    }

    /// Writes all of `units`. If they don't fit, writes nothing and returns false.
    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, units: [U; N]) -> bool {
        self.put_padded(units, N)
    }

    /// Writes the first `len` of `units` if there is room for all `N`. If there is not, writes nothing and
    /// returns false.
    #[inline(always)]
    pub(super) fn put_padded<const N: usize>(&mut self, units: [U; N], len: usize) -> bool {
        let Some(to) = self.free().first_chunk_mut::<N>() else {
            return false;
        };
        *to = units.map(MaybeUninit::new);
        self.len += len.min(N);
        true
    }

    /// Writes all of `units`. If they don't fit, writes nothing and returns false.
    pub(super) fn put_slice(&mut self, units: &[U]) -> bool {
        let Some(to) = self.free().get_mut(..units.len()) else {
            return false;
        };
        for (to, from) in to.iter_mut().zip(units) {
            to.write(*from);
        }
        self.len += units.len();
        true
    }

    /// Lets `write` write to the front of the free part and return the number of units written: a count that
    /// a [`DecodeRun`](super::run::DecodeRun) or an encoder's kernel returns, which is never more than there
    /// is room for.
    #[inline(always)]
    pub(super) fn run<Done: Into<Transcoded>>(
        &mut self,
        write: impl FnOnce(&mut [MaybeUninit<U>]) -> Done,
    ) -> Transcoded {
        let done = write(self.free()).into();
        self.advance(done.written);
        done
    }

    /// Lets `write` write to the front of the free part, however little that is.
    #[inline(always)]
    pub(super) fn fill(&mut self, write: impl FnOnce(&mut [MaybeUninit<U>]) -> Fill) -> Fill {
        let done = write(self.free());
        self.advance(done.written);
        done
    }

    /// Lets `write` write to the front of the free part, or nothing, and return the number of units written.
    /// Returns whether it wrote.
    #[inline(always)]
    pub(super) fn try_run(
        &mut self,
        write: impl FnOnce(&mut [MaybeUninit<U>]) -> Option<usize>,
    ) -> bool {
        let written = write(self.free());
        self.advance(written.unwrap_or(0));
        written.is_some()
    }

    #[inline(always)]
    fn advance(&mut self, written: usize) {
        debug_assert!(written <= self.room(), "more units than there is room for");
        self.len += written;
    }
}
