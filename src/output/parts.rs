//! Output that several threads write into one string or vector, and text that they find in one input.
//!
//! A part is filled with a whole `str` or slice or not at all, and the string or vector grows only if every
//! part that was handed out was filled. Tested in `tests/parallel`.
#![allow(
    unsafe_code,
    reason = "a string or a vector grows by what threads have written after its end"
)]

use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicUsize, Ordering};

/// The spare capacity of a string or a vector, which is handed out to threads part by part, from the front
/// on.
pub(crate) struct Spare<'a, S: PartUnits + ?Sized> {
    rest: &'a mut [MaybeUninit<S::Unit>],
    given: &'a mut usize,
    filled: &'a AtomicUsize,
}

/// A part of the spare capacity.
pub(crate) struct Part<'a, S: PartUnits + ?Sized> {
    to: &'a mut [MaybeUninit<S::Unit>],
    filled: &'a AtomicUsize,
}

/// `str`, or a slice.
pub(crate) trait PartUnits {
    type Unit: Copy + Send + Sync;

    fn units(&self) -> &[Self::Unit];
}

impl PartUnits for str {
    type Unit = u8;

    fn units(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<T: Copy + Send + Sync> PartUnits for [T] {
    type Unit = T;

    fn units(&self) -> &[T] {
        self
    }
}

impl<'a, S: PartUnits + ?Sized> Spare<'a, S> {
    /// Returns the next `len` units; `None`, without handing out anything, if there are fewer.
    pub(crate) fn part(&mut self, len: usize) -> Option<Part<'a, S>> {
        if self.rest.len() < len {
            return None;
        }
        let (to, rest) = core::mem::take(&mut self.rest).split_at_mut(len);
        self.rest = rest;
        *self.given += len;
        Some(Part {
            to,
            filled: self.filled,
        })
    }
}

impl<S: PartUnits + ?Sized> Part<'_, S> {
    /// Copies `whole` to the part, if it has the length of the part.
    pub(crate) fn fill(self, whole: &S) {
        let units = whole.units();
        if units.len() != self.to.len() {
            return;
        }
        for (to, unit) in self.to.iter_mut().zip(units) {
            to.write(*unit);
        }
        self.filled.fetch_add(units.len(), Ordering::Release);
    }
}

/// Lets `give` hand out the spare capacity of a string to threads, and appends what they wrote; or nothing,
/// if they did not fill all of it.
pub(crate) fn append_parts_of_text<R>(
    string: &mut alloc::string::String,
    give: impl FnOnce(Spare<'_, str>) -> R,
) -> R {
    // SAFETY: the bytes that the string holds stay unchanged, and those added below are those of one `str`
    // after another: a part is filled with a whole one, or not at all.
    let bytes = unsafe { string.as_mut_vec() };
    append_parts(bytes, give)
}

/// Lets `give` hand out the spare capacity of a vector to threads, and appends what they wrote; or nothing,
/// if they did not fill all of it.
pub(crate) fn append_parts<S: PartUnits + ?Sized, R>(
    vec: &mut alloc::vec::Vec<S::Unit>,
    give: impl FnOnce(Spare<'_, S>) -> R,
) -> R {
    let old_len = vec.len();
    let (mut given, filled) = (0, AtomicUsize::new(0));
    let result = give(Spare {
        rest: vec.spare_capacity_mut(),
        given: &mut given,
        filled: &filled,
    });
    if filled.into_inner() == given {
        // SAFETY: the parts are contiguous from the front of the spare capacity on, and are `given` units
        // together. Each has counted its length once, when all of it was written; so all are written. `give`
        // and with it every borrow of the counter has ended.
        unsafe { vec.set_len(old_len + given) };
    }
    result
}

/// Text at the front of some bytes, found part by part.
pub(crate) struct Adjacent<'a> {
    bytes: &'a [u8],
    len: usize,
}

impl<'a> Adjacent<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Adjacent { bytes, len: 0 }
    }

    /// Adds text that comes in the bytes right after what was added before; other text is ignored.
    pub(crate) fn push(&mut self, text: &'a str) {
        let rest = &self.bytes[self.len..];
        if text.len() <= rest.len() && core::ptr::eq(text.as_ptr(), rest.as_ptr()) {
            self.len += text.len();
        }
    }

    pub(crate) fn text(&self) -> &'a str {
        // SAFETY: these bytes are those of one `str` after another: each came where the ones before it end,
        // and bytes that are borrowed for 'a do not change.
        unsafe { core::str::from_utf8_unchecked(&self.bytes[..self.len]) }
    }
}

#[cfg(test)]
mod tests {
    use std::string::String;

    use super::{Adjacent, append_parts_of_text};

    #[test]
    fn only_what_follows_is_added() {
        let text = String::from("abcabc");
        let mut adjacent = Adjacent::new(text.as_bytes());
        adjacent.push(&text[..2]);
        // The same text, but elsewhere.
        adjacent.push("c");
        adjacent.push(&text[5..]);
        assert_eq!(adjacent.text(), "ab");
        adjacent.push(&text[2..]);
        assert_eq!(adjacent.text(), "abcabc");
        adjacent.push(&text[6..]);
        assert_eq!(adjacent.text(), "abcabc");
    }

    #[test]
    fn nothing_is_appended_unless_all_is_filled() {
        for (parts, expected) in [
            (&[("ab", 2), ("é", 2)][..], "xabé"),
            (&[("ab", 2), ("é", 3)], "x"),
            (&[("abc", 2), ("é", 2)], "x"),
            (&[], "x"),
        ] {
            let mut string = String::with_capacity(8);
            string.push('x');
            append_parts_of_text(&mut string, |mut spare| {
                for (text, len) in parts {
                    let part = spare.part(*len).expect("there is room");
                    part.fill(text);
                }
                assert!(spare.part(100).is_none());
            });
            assert_eq!(string, expected);
        }
    }
}
