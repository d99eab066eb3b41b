//! Text at the front of bytes, found by a kernel, which need not be validated again to be a `str`.
#![allow(
    unsafe_code,
    reason = "the bridge from bytes that a kernel or std has validated to `str`"
)]

use crate::simd::Kernels;
#[cfg(feature = "alloc")]
use crate::simd::short_encoded;

/// Returns `bytes` as text, if they are ASCII and short.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn short_ascii(bytes: &[u8]) -> Option<&str> {
    // SAFETY: these bytes are ASCII.
    short_encoded::is_ascii(bytes).then(|| unsafe { core::str::from_utf8_unchecked(bytes) })
}

/// Returns the ASCII bytes at the front of `bytes`, all of them, as text.
#[cfg(feature = "alloc")]
pub(crate) fn ascii_prefix<'a>(kernels: &Kernels, bytes: &'a [u8]) -> &'a str {
    let len = ascii_len(kernels, bytes);
    // SAFETY: the kernel, or the check after it, has found that these bytes are ASCII.
    unsafe { core::str::from_utf8_unchecked(bytes.get(..len).unwrap_or_default()) }
}

/// Returns how many bytes at the front are ASCII, all of them.
pub(crate) fn ascii_len(kernels: &Kernels, bytes: &[u8]) -> usize {
    whole_prefix(kernels.ascii_prefix(), bytes, u8::is_ascii)
}

/// The number of bytes that are looked at one by one: a kernel would do the same, after two calls.
#[cfg(feature = "alloc")]
const MAX_ONE_BY_ONE: usize = 8;

/// Returns the bytes at the front of `bytes` that ISO-2022-JP shares with ASCII, all of them, as text.
#[cfg(feature = "alloc")]
pub(crate) fn unshifted_prefix<'a>(kernels: &Kernels, bytes: &'a [u8]) -> &'a str {
    let is_unshifted = |byte: &u8| byte.is_ascii() && !matches!(byte, 0x0E | 0x0F | 0x1B);
    let len = if bytes.len() <= MAX_ONE_BY_ONE {
        bytes.iter().take_while(|byte| is_unshifted(byte)).count()
    } else {
        whole_prefix(kernels.unshifted_prefix(), bytes, is_unshifted)
    };
    // SAFETY: the kernel, or the check after it or in its place, has found that these bytes are ASCII.
    unsafe { core::str::from_utf8_unchecked(bytes.get(..len).unwrap_or_default()) }
}

/// Returns how many bytes at the front `are` what is looked for. The kernel may stop before the last of them; the
/// rest is looked at one by one.
fn whole_prefix(kernel: fn(&[u8]) -> usize, bytes: &[u8], are: impl Fn(&u8) -> bool) -> usize {
    let len = kernel(bytes);
    let rest = bytes.get(len..).unwrap_or_default();
    len + rest.iter().take_while(|byte| are(byte)).count()
}

/// Returns the well-formed UTF-8 at the front of `bytes`, all of it, as text.
pub(crate) fn utf8_prefix<'a>(kernels: &Kernels, bytes: &'a [u8]) -> &'a str {
    let mut len = (kernels.utf8_valid_prefix())(bytes);
    if len < bytes.len() {
        // The kernel may stop earlier than it has to.
        let rest = core::str::from_utf8(bytes.get(len..).unwrap_or_default());
        len += rest.map_or_else(|error| error.valid_up_to(), str::len);
    }
    // SAFETY: the kernel and std have found that these bytes are well-formed UTF-8.
    unsafe { core::str::from_utf8_unchecked(bytes.get(..len).unwrap_or_default()) }
}
