//! Encodings: labels, names, byte order marks.

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use simdtext::Encoding;

use crate::boundary::{Outcome, call, input, place, shared};
use crate::types::simdtext_status::SIMDTEXT_STATUS_INVALID_ARGUMENT;

/// One of the forty encodings of the Encoding Standard. There is one object for each, which lives as long as
/// the process: never free it, compare encodings by their pointers, and use them from any thread.
pub struct simdtext_encoding {
    index: u8,
}

/// These objects. (References to one encoding of the Rust library may have different addresses.)
static HANDLES: [simdtext_encoding; ENCODINGS] = {
    let mut handles = [const { simdtext_encoding { index: 0 } }; ENCODINGS];
    let mut index = 0;
    while index < ENCODINGS {
        handles[index].index = index as u8;
        index += 1;
    }
    handles
};

/// The number of encodings.
pub(crate) const ENCODINGS: usize = Encoding::all().len();

#[inline(always)]
pub(crate) fn handle(encoding: &'static Encoding) -> *const simdtext_encoding {
    handle_or_null(Some(encoding))
}

#[inline(always)]
pub(crate) fn handle_or_null(encoding: Option<&'static Encoding>) -> *const simdtext_encoding {
    let handle = encoding.and_then(|encoding| HANDLES.get(encoding.index()));
    handle.map_or(ptr::null(), ptr::from_ref)
}

/// # Safety
///
/// `encoding` is null or came from [`handle`].
#[inline(always)]
pub(crate) unsafe fn encoding_of(encoding: *const simdtext_encoding) -> Outcome<&'static Encoding> {
    // SAFETY: the caller's promise.
    let index = unsafe { shared(encoding) }?.index;
    let encoding = Encoding::all().get(usize::from(index)).copied();
    encoding.ok_or(SIMDTEXT_STATUS_INVALID_ARGUMENT)
}

/// The encoding that a label means, such as "latin1" (`len` bytes, in any case; white space around it is
/// ignored). Null if no encoding of the standard has the label.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoding_for_label(
    label: *const c_char,
    len: usize,
) -> *const simdtext_encoding {
    call(|| {
        // SAFETY: the caller's promise.
        let label = unsafe { input(label.cast::<u8>(), len) }?;
        Ok(handle_or_null(Encoding::for_label(label)))
    })
}

/// The encoding whose byte order mark is at the start of `src` (`len` bytes; three are enough). Stores the
/// length of the mark in bytes in `bom_len`, which may be null. Null and 0 if there is none, or if the arguments
/// are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoding_for_bom(
    src: *const c_void,
    len: usize,
    bom_len: *mut usize,
) -> *const simdtext_encoding {
    call(|| {
        // SAFETY: the caller's promise.
        let found = unsafe { input(src.cast::<u8>(), len) }.map(Encoding::for_bom);
        if !bom_len.is_null() {
            let mark = found.ok().flatten().map_or(0, |(_, mark)| mark);
            // SAFETY: the caller's promise.
            unsafe { place(bom_len) }?.write(mark);
        }
        Ok(found?.map_or(ptr::null(), |(it, _)| handle(it)))
    })
}

/// The number of encodings: 40.
#[unsafe(no_mangle)]
pub extern "C" fn simdtext_encoding_count() -> usize {
    Encoding::all().len()
}

/// The encodings in the order of the standard, by an index from 0; null from simdtext_encoding_count() on.
#[unsafe(no_mangle)]
pub extern "C" fn simdtext_encoding_at(index: usize) -> *const simdtext_encoding {
    handle_or_null(Encoding::all().get(index).copied())
}

/// The place of an encoding in the order of the standard, from 0. SIZE_MAX if `encoding` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoding_index(encoding: *const simdtext_encoding) -> usize {
    // SAFETY: the caller's promise.
    call(|| Ok(unsafe { encoding_of(encoding) }?.index()))
}

/// The name, spelt as in the standard, such as "Shift_JIS"; it ends with NUL and lives as long as the process.
/// Null if `encoding` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoding_name(
    encoding: *const simdtext_encoding,
) -> *const c_char {
    call(|| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        terminated(encoding, 0)
    })
}

/// The labels of an encoding, by an index from 0, in lower case; each ends with NUL and lives as long as the
/// process. Null after the last one, or if `encoding` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoding_label(
    encoding: *const simdtext_encoding,
    index: usize,
) -> *const c_char {
    call(|| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        terminated(encoding, index.saturating_add(1))
    })
}

/// The encoding in which forms and URLs of a document in this encoding are encoded: UTF-8 for replacement,
/// UTF-16BE and UTF-16LE, and itself for any other. Null if `encoding` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoding_output_encoding(
    encoding: *const simdtext_encoding,
) -> *const simdtext_encoding {
    // SAFETY: the caller's promise.
    call(|| Ok(handle(unsafe { encoding_of(encoding) }?.output_encoding())))
}

/// Whether every byte decodes by itself. False if `encoding` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoding_is_single_byte(
    encoding: *const simdtext_encoding,
) -> bool {
    // SAFETY: the caller's promise.
    call(|| Ok(unsafe { encoding_of(encoding) }?.is_single_byte()))
}

/// Whether ASCII text is the same bytes in this encoding: true except for UTF-16BE, UTF-16LE, ISO-2022-JP and
/// replacement. False if `encoding` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoding_is_ascii_compatible(
    encoding: *const simdtext_encoding,
) -> bool {
    // SAFETY: the caller's promise.
    call(|| Ok(unsafe { encoding_of(encoding) }?.is_ascii_compatible()))
}

/// Whether text can be encoded to this encoding: true except for replacement. False if `encoding` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_encoding_can_encode(encoding: *const simdtext_encoding) -> bool {
    // SAFETY: the caller's promise.
    call(|| Ok(unsafe { encoding_of(encoding) }?.encoder().is_some()))
}

/// The name (0) or a label (from 1 on) of an encoding with a NUL after it, or null after the last one.
fn terminated(encoding: &Encoding, index: usize) -> Outcome<*const c_char> {
    let of_encoding = strings().get(encoding.index());
    let of_encoding = of_encoding.ok_or(SIMDTEXT_STATUS_INVALID_ARGUMENT)?;
    let string = of_encoding.get(index);
    Ok(string.map_or(ptr::null(), |string| string.as_ptr().cast()))
}

/// For each encoding its name and its labels, each with a NUL after it.
type Strings = Vec<Vec<Vec<u8>>>;

/// The strings, which are made on first use. No thread waits for another one, which a process that is forked meanwhile
/// would not have.
fn strings() -> &'static Strings {
    static MADE: AtomicPtr<Strings> = AtomicPtr::new(ptr::null_mut());
    // SAFETY: a pointer that is not null is to strings that were leaked below, and nobody writes to them.
    if let Some(made) = unsafe { MADE.load(Ordering::Acquire).as_ref() } {
        return made;
    }
    let with_nul = |text: &str| [text.as_bytes(), b"\0"].concat();
    let of_encoding = |encoding: &&'static Encoding| {
        let labels = encoding.labels().iter().copied();
        let all = std::iter::once(encoding.name()).chain(labels);
        all.map(with_nul).collect()
    };
    let ours = Box::into_raw(Box::new(Encoding::all().iter().map(of_encoding).collect()));
    match MADE.compare_exchange(ptr::null_mut(), ours, Ordering::AcqRel, Ordering::Acquire) {
        // SAFETY: they are leaked, and nobody writes to them any more.
        Ok(_) => unsafe { &*ours },
        Err(theirs) => {
            // SAFETY: they came from the box above, and nobody else has seen them.
            drop(unsafe { Box::from_raw(ours) });
            // SAFETY: another thread has leaked those.
            unsafe { &*theirs }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_object_for_each_encoding() {
        for encoding in Encoding::all() {
            let object = handle(encoding);
            // SAFETY: it comes from `handle`.
            assert_eq!(unsafe { encoding_of(object) }, Ok(*encoding));
            for label in encoding.labels() {
                let found = Encoding::for_label(label.as_bytes());
                assert_eq!(handle_or_null(found), object, "{label}");
            }
        }
    }
}
