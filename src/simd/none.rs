//! Kernels that do nothing: the state machines do all the work. Output with these is the same as with any
//! other table, which `tests/` checks.

use super::kernels::{Entries, Kernels, Transcoded};
use super::scalar::table::ENTRIES as SCALAR;
use super::tables::Candidate;

pub(super) const NAME: &str = "none";

pub(super) const ENTRIES: Entries = Entries {
    ascii_prefix: |_| 0,
    unshifted_prefix: |_| 0,
    textual_prefix: |_| 0,
    ascii_to_utf8: |_, _| 0,
    ascii_to_utf16: |_, _| 0,
    utf16le_to_ascii: |_, _| 0,
    utf16be_to_ascii: |_, _| 0,
    utf16le_to_utf16: |_, _| 0,
    utf16be_to_utf16: |_, _| 0,
    utf8_valid_prefix: |_| 0,
    utf8_to_utf8: |_, _| 0,
    utf8_to_utf8_lossy: |_, _| Transcoded::NOTHING,
    utf8_to_utf16: |_, _| (0, 0),
    utf8_to_utf16_lossy: |_, _| Transcoded::NOTHING,
    utf16le_to_utf8: |_, _| (0, 0),
    utf16be_to_utf8: |_, _| (0, 0),
    utf16le_to_utf8_lossy: |_, _| Transcoded::NOTHING,
    utf16be_to_utf8_lossy: |_, _| Transcoded::NOTHING,
    utf16le_to_utf16_lossy: |_, _| Transcoded::NOTHING,
    utf16be_to_utf16_lossy: |_, _| Transcoded::NOTHING,
    inline_short: false,
    masks_ends: false,
    two_byte_to_utf16: |_, _, _| (0, 0),
    two_byte_to_utf8: |_, _, _| (0, 0),
    utf16_to_two_byte: |_, _, _| (0, 0),
    utf8_to_two_byte: |_, _, _| (0, 0),
    iso_2022_jp_to_utf8: |_, _, _, _| (0, 0),
    iso_2022_jp_to_utf16: |_, _, _, _| (0, 0),
    utf8_to_iso_2022_jp: |_, _, _, _| (0, 0),
    utf16_to_iso_2022_jp: |_, _, _, _| (0, 0),
    single_byte_to_utf8: |_, _, _| (0, 0),
    single_byte_to_utf16: |_, _, _| 0,
    utf16_to_single_byte: |_, _, _| 0,
    utf8_to_single_byte: |_, _, _| (0, 0),
    user_defined_to_utf16: |_, _| 0,
    utf16_to_user_defined: |_, _| 0,
    latin1_to_utf8: |_, _| (0, 0),
    utf8_to_latin1: |_, _| (0, 0),
    latin1_to_utf16: |_, _| 0,
    latin1_to_utf32: |_, _| 0,
    utf16_to_latin1: |_, _| 0,
    utf32_to_latin1: |_, _| 0,
    utf8_to_utf32: |_, _| (0, 0),
    utf16_to_utf32: |_, _| (0, 0),
    utf32_to_utf8: |_, _| (0, 0),
    utf32_to_utf16: |_, _| (0, 0),
    utf16_valid_prefix: |_| 0,
    utf32_valid_prefix: |_| 0,
    // No state machine does the work of these.
    utf16_swap: SCALAR.utf16_swap,
    utf16_len_from_utf8: SCALAR.utf16_len_from_utf8,
    count_scalars_utf8: SCALAR.count_scalars_utf8,
    line_ends: SCALAR.line_ends,
    utf8_len_from_latin1: SCALAR.utf8_len_from_latin1,
    utf8_len_from_utf16: SCALAR.utf8_len_from_utf16,
    count_scalars_utf16: SCALAR.count_scalars_utf16,
    utf8_len_from_utf32: SCALAR.utf8_len_from_utf32,
    utf16_len_from_utf32: SCALAR.utf16_len_from_utf32,
};

// SAFETY: each kernel writes nothing and reports that it has found nothing; those at the end are scalar kernels.
pub(crate) static NO_KERNELS: Kernels = unsafe { Kernels::new(NAME, ENTRIES) };

// SAFETY: plain Rust, which every machine can run.
pub(super) static CANDIDATE: Candidate = unsafe { Candidate::new(&NO_KERNELS, || true) };
