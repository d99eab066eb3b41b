//! ASCII: what is the same in UTF-8, Latin-1 and most legacy encodings.

use super::Invalid;
use crate::simd;

/// Whether bytes are ASCII.
///
/// # Errors
///
/// The first byte that is not, 80 to FF.
///
/// ```
/// use simdtext::unicode::{Invalid, validate_ascii};
///
/// assert_eq!(validate_ascii(b"nave"), Ok(()));
/// assert_eq!(validate_ascii(b"na\xC3\xAFve"), Err(Invalid { offset: 2, len: 1 }));
/// ```
#[doc(alias(
    "ascii_valid_up_to",
    "is_ascii",
    "copy_ascii_to_ascii",
    "validate_ascii_with_errors"
))]
#[inline]
pub fn validate_ascii(src: &[u8]) -> Result<(), Invalid> {
    let ascii = if src.len() < SHORT {
        0
    } else {
        (simd::active().ascii_prefix())(src)
    };
    // The kernel may stop earlier.
    let rest = src.get(ascii..).unwrap_or_default();
    match rest.iter().position(|byte| !byte.is_ascii()) {
        None => Ok(()),
        Some(at) => Err(Invalid {
            offset: ascii + at,
            len: 1,
        }),
    }
}

/// Below this length, in bytes, a call of a kernel costs more than it saves.
const SHORT: usize = 16;
