//! The contents of a table of kernels, and what its callers rely on.

use core::mem::MaybeUninit;

use super::single_byte::{SingleByteToUtf8, SingleByteToUtf16, UnitsToSingleByte};
use super::tables::ENTRIES_BY_PLACE;
use super::two_byte::cells::TwoByteCells;
use super::two_byte::index::TwoByteIndex;
use super::two_byte::iso_2022_jp::JisState;

/// A kernel that copies or converts unit by unit. Returns the number of units written.
type Convert<From, To> = fn(&[From], &mut [MaybeUninit<To>]) -> usize;

/// A kernel whose output has another number of units than its input. Returns the number of units read and of
/// units written.
type Transcode<From, To> = fn(&[From], &mut [MaybeUninit<To>]) -> (usize, usize);

/// A kernel that writes U+FFFD for malformed input.
type Replace<From, To> = fn(&[From], &mut [MaybeUninit<To>]) -> Transcoded;

/// A kernel that looks up in `Table` what it writes, and returns `Done`: the number of units, or the number
/// of units read and of units written.
type LookUp<Table, From, To, Done = (usize, usize)> =
    fn(&Table, &[From], &mut [MaybeUninit<To>]) -> Done;

/// A kernel of an encoding with a state, which it changes. Returns the number of units read and of units
/// written.
type StatefulLookUp<Table, State, From, To> =
    fn(&Table, &mut State, &[From], &mut [MaybeUninit<To>]) -> (usize, usize);

/// What a kernel has done: how much it has read and written, and how many malformed sequences it has replaced, if it is
/// one that replaces them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Transcoded {
    /// Number of units read.
    pub(crate) read: usize,
    /// Number of units written.
    pub(crate) written: usize,
    /// Number of malformed sequences, each of which became U+FFFD.
    pub(crate) errors: usize,
}

/// The kernels of one instruction set, which keep the contract of [`Kernels::new`].
///
/// It holds an index into the lists of kernels, of which there is one for each entry. A program links the
/// kernels of the entries that it calls; a table of functions would link all of them, which are some 400 KB.
#[derive(Debug)]
pub(crate) struct Kernels {
    pub(crate) name: &'static str,
    /// Whether short text, and the front of longer text in a two-byte encoding, is converted inline, without
    /// a kernel (`scalar/short_encoded.rs`, `two_byte/short.rs`).
    pub(crate) inline_short: bool,
    /// Whether kernels load and store what is less than a vector by masks, so that text of any length takes the same path:
    /// then they are called at once for most short text, and those of single-byte encodings also for little room.
    pub(crate) masks_ends: bool,
    place: u8,
}

impl Kernels {
    /// Makes a table of functions that callers trust: what a kernel reports as written becomes the contents
    /// of a `Vec` (`set_len`) or of a `String`, without validation (`from_utf8_unchecked`).
    ///
    /// # Safety
    ///
    /// `entries` are those of that name in `tables.rs`. Each of them, whatever its input, well-formed or not,
    /// - reads at most `src.len()` units and writes at most `dst.len()`, and returns such counts;
    /// - has initialised as many units at the front of `dst` as it reports as written, and writes no
    ///   uninitialised value after them (initialised ones it may write up to the end of `dst`);
    /// - has written well-formed UTF-8, which ends with a whole character, if it is named `…_to_utf8`
    ///   or `…_to_utf8_lossy`; and
    /// - has found ASCII (`ascii_prefix`, `unshifted_prefix`) or well-formed UTF-8 (`utf8_valid_prefix`)
    ///   in as many bytes at the front as it returns.
    ///
    /// Nothing else is trusted. It is a matter of correctness only that a count is as large as it could be,
    /// that the output is what the encoding says, that UTF-16 is well-formed, what `errors` is, and what the
    /// other entries count.
    pub(super) const unsafe fn new(name: &'static str, entries: Entries) -> Self {
        Kernels {
            name,
            inline_short: entries.inline_short,
            masks_ends: entries.masks_ends,
            place: place_of(name),
        }
    }

    /// Narrows the ASCII prefix of native-endian UTF-16. Returns the number of units.
    #[inline(always)]
    pub(crate) fn narrow(&self, src: &[u16], dst: &mut [MaybeUninit<u8>]) -> usize {
        let kernel = if cfg!(target_endian = "big") {
            self.utf16be_to_ascii()
        } else {
            self.utf16le_to_ascii()
        };
        kernel(bytemuck::cast_slice(src), dst)
    }
}

/// Tests read the entries of a table as fields.
#[cfg(test)]
impl core::ops::Deref for Kernels {
    type Target = Entries;

    fn deref(&self) -> &Entries {
        &ENTRIES_BY_PLACE[usize::from(self.place)].1
    }
}

/// Declares [`Entries`], and a function for each that gives the kernel of a table.
macro_rules! entries {
    (
        $(#[$struct_attribute:meta])*
        pub(crate) struct Entries {
            $($(#[doc = $doc:literal])+ $(#[cfg_attr($($cfg_attr:tt)*)])? pub(crate) $entry:ident: $kernel:ty,)*
        }
    ) => {
        $(#[$struct_attribute])*
        pub(crate) struct Entries {
            /// See [`Kernels::inline_short`].
            pub(crate) inline_short: bool,
            /// See [`Kernels::masks_ends`].
            pub(crate) masks_ends: bool,
            $($(#[doc = $doc])+ pub(crate) $entry: $kernel,)*
        }

        impl Kernels {
            $(
                $(#[doc = $doc])+
                $(#[cfg_attr($($cfg_attr)*)])?
                #[inline(always)]
                pub(crate) fn $entry(&self) -> $kernel {
                    static BY_PLACE: [$kernel; PLACES] = {
                        let mut kernels = [ENTRIES_BY_PLACE[0].1.$entry; PLACES];
                        let mut place = 0;
                        while place < ENTRIES_BY_PLACE.len() {
                            kernels[place] = ENTRIES_BY_PLACE[place].1.$entry;
                            place += 1;
                        }
                        kernels
                    };
                    BY_PLACE[usize::from(self.place) % PLACES]
                }
            )*
        }
    };
}

/// The number of indexes into a list of kernels: a power of two, so that a look-up needs no check.
const PLACES: usize = ENTRIES_BY_PLACE.len().next_power_of_two();

/// Returns the index of the entries with this name. Entries that the target cannot select are in no list:
/// they get the index of `none`, and are never selected.
const fn place_of(name: &str) -> u8 {
    let mut place = 0;
    while place < ENTRIES_BY_PLACE.len() {
        if is_same(ENTRIES_BY_PLACE[place].0, name) {
            return place as u8;
        }
        place += 1;
    }
    0
}

const fn is_same(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    while let ([first, rest @ ..], [other, others @ ..]) = (a, b)
        && *first == *other
    {
        (a, b) = (rest, others);
    }
    a.is_empty() && b.is_empty()
}

entries! {
    /// The kernels that a table lists for an instruction set, which may be any functions. Those of a [`Kernels`]
    /// keep the contract of [`Kernels::new`].
    ///
    /// A kernel stops before anything that it does not understand, and if there is no room; it may stop
    /// earlier. Lengths and counts are in units of what is read or written, unless they are said to be in
    /// bytes.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Entries {
        /// Returns the length of the ASCII prefix, or less.
        pub(crate) ascii_prefix: fn(&[u8]) -> usize,
        /// Returns the length of the prefix that is ASCII without ESC, SO and SI, which ISO-2022-JP reads as
        /// shifts; or less.
        #[cfg_attr(
            not(any(feature = "alloc", feature = "detect")),
            expect(
                dead_code,
                reason = "only one-shot conversion and detection ask for it"
            )
        )]
        pub(crate) unshifted_prefix: fn(&[u8]) -> usize,
        /// Returns the length of the prefix without control characters that do not occur in text, which are
        /// those of C0 except BEL to SI (07 to 0F) and ESC; or less.
        #[cfg_attr(
            not(feature = "detect"),
            expect(dead_code, reason = "only detection asks for it")
        )]
        pub(crate) textual_prefix: fn(&[u8]) -> usize,
        /// Copies the ASCII prefix.
        pub(crate) ascii_to_utf8: Convert<u8, u8>,
        /// Widens the ASCII prefix.
        pub(crate) ascii_to_utf16: Convert<u8, u16>,
        /// Narrows the ASCII prefix of little-endian UTF-16 bytes, at any alignment.
        pub(crate) utf16le_to_ascii: Convert<u8, u8>,
        /// Narrows the ASCII prefix of big-endian UTF-16 bytes, at any alignment.
        pub(crate) utf16be_to_ascii: Convert<u8, u8>,
        /// Converts little-endian UTF-16 bytes, at any alignment, up to the first lone surrogate, or a
        /// leading one at the end. Reads whole characters, counted in bytes.
        pub(crate) utf16le_to_utf8: Transcode<u8, u8>,
        /// Converts big-endian UTF-16 bytes, at any alignment, up to the first lone surrogate, or a
        /// leading one at the end. Reads whole characters, counted in bytes.
        pub(crate) utf16be_to_utf8: Transcode<u8, u8>,
        /// Converts little-endian UTF-16 bytes, at any alignment, with U+FFFD for lone surrogates; stops
        /// before a leading one at the end, which may not be lone. Reads whole characters, counted in bytes.
        pub(crate) utf16le_to_utf8_lossy: Replace<u8, u8>,
        /// Converts big-endian UTF-16 bytes, at any alignment, with U+FFFD for lone surrogates; stops
        /// before a leading one at the end, which may not be lone. Reads whole characters, counted in bytes.
        pub(crate) utf16be_to_utf8_lossy: Replace<u8, u8>,
        /// Copies little-endian UTF-16 bytes, at any alignment, up to the first lone surrogate, or a
        /// leading one at the end. Returns the number of code units.
        pub(crate) utf16le_to_utf16: Convert<u8, u16>,
        /// Copies big-endian UTF-16 bytes, at any alignment, up to the first lone surrogate, or a leading
        /// one at the end. Returns the number of code units.
        pub(crate) utf16be_to_utf16: Convert<u8, u16>,
        /// Copies little-endian UTF-16 bytes, at any alignment, with U+FFFD for lone surrogates; stops
        /// before a leading one at the end. Reads whole characters, counted in bytes.
        pub(crate) utf16le_to_utf16_lossy: Replace<u8, u16>,
        /// Copies big-endian UTF-16 bytes, at any alignment, with U+FFFD for lone surrogates; stops before
        /// a leading one at the end. Reads whole characters, counted in bytes.
        pub(crate) utf16be_to_utf16_lossy: Replace<u8, u16>,
        /// Returns the length of the longest well-formed prefix, in bytes, or less; it ends with a whole
        /// character.
        pub(crate) utf8_valid_prefix: fn(&[u8]) -> usize,
        /// Copies well-formed UTF-8, as far as there is room for whole characters.
        pub(crate) utf8_to_utf8: Convert<u8, u8>,
        /// Copies UTF-8 and writes U+FFFD for each maximal subpart of a malformed sequence. Stops at the end
        /// of the room, or somewhat before, and before a sequence at the end of the input that may continue
        /// after it.
        pub(crate) utf8_to_utf8_lossy: Replace<u8, u8>,
        /// Converts well-formed UTF-8.
        pub(crate) utf8_to_utf16: Transcode<u8, u16>,
        /// Converts UTF-8 and writes U+FFFD for each maximal subpart of a malformed sequence. Stops before a
        /// sequence at the end of the input that may continue after it.
        pub(crate) utf8_to_utf16_lossy: Replace<u8, u16>,
        /// Decodes an encoding with characters of one and two bytes to UTF-16, up to the first byte or pair
        /// without a code unit.
        pub(crate) two_byte_to_utf16: LookUp<TwoByteIndex, u8, u16>,
        /// Decodes an encoding with characters of one and two bytes to UTF-8, up to the first byte or pair
        /// without a code unit.
        pub(crate) two_byte_to_utf8: LookUp<TwoByteIndex, u8, u8>,
        /// Encodes UTF-16 up to the first unit that an encoding with characters of one and two bytes lacks.
        pub(crate) utf16_to_two_byte: LookUp<TwoByteCells, u16, u8>,
        /// Encodes well-formed UTF-8 up to the first character that an encoding with characters of one and
        /// two bytes lacks.
        pub(crate) utf8_to_two_byte: LookUp<TwoByteCells, u8, u8>,
        /// Decodes ISO-2022-JP to UTF-8, up to anything that is not ASCII, a pair, or an escape sequence to
        /// one of the two.
        pub(crate) iso_2022_jp_to_utf8: StatefulLookUp<TwoByteIndex, JisState, u8, u8>,
        /// Decodes ISO-2022-JP to UTF-16, up to anything that is not ASCII, a pair, or an escape sequence to
        /// one of the two.
        pub(crate) iso_2022_jp_to_utf16: StatefulLookUp<TwoByteIndex, JisState, u8, u16>,
        /// Encodes well-formed UTF-8 in ISO-2022-JP, up to a character that is not ASCII and has no pair. The
        /// state is whether pairs come next.
        pub(crate) utf8_to_iso_2022_jp: StatefulLookUp<TwoByteCells, bool, u8, u8>,
        /// Encodes UTF-16 in ISO-2022-JP, up to a character that is not ASCII and has no pair. The state is
        /// whether pairs come next.
        pub(crate) utf16_to_iso_2022_jp: StatefulLookUp<TwoByteCells, bool, u16, u8>,
        /// Decodes a single-byte encoding to UTF-8, up to the first unmapped byte.
        pub(crate) single_byte_to_utf8: LookUp<SingleByteToUtf8, u8, u8>,
        /// Decodes a single-byte encoding to UTF-16, up to the first unmapped byte. Returns the number of
        /// units.
        pub(crate) single_byte_to_utf16: LookUp<SingleByteToUtf16, u8, u16, usize>,
        /// Encodes UTF-16 up to the first unit that a single-byte encoding lacks. Returns the number of
        /// units.
        pub(crate) utf16_to_single_byte: LookUp<UnitsToSingleByte, u16, u8, usize>,
        /// Encodes well-formed UTF-8 up to the first character that a single-byte encoding lacks.
        pub(crate) utf8_to_single_byte: LookUp<UnitsToSingleByte, u8, u8>,
        /// Decodes x-user-defined.
        pub(crate) user_defined_to_utf16: Convert<u8, u16>,
        /// Encodes x-user-defined up to the first unit that it lacks.
        pub(crate) utf16_to_user_defined: Convert<u16, u8>,
        /// Converts Latin-1.
        pub(crate) latin1_to_utf8: Transcode<u8, u8>,
        /// Converts UTF-8 up to the first character above U+00FF.
        pub(crate) utf8_to_latin1: Transcode<u8, u8>,
        /// Widens Latin-1 to UTF-16, as far as there is room.
        pub(crate) latin1_to_utf16: Convert<u8, u16>,
        /// Widens Latin-1 to UTF-32, as far as there is room.
        pub(crate) latin1_to_utf32: Convert<u8, u32>,
        /// Narrows UTF-16 up to the first unit above 00FF.
        pub(crate) utf16_to_latin1: Convert<u16, u8>,
        /// Narrows UTF-32 up to the first unit above 00FF.
        pub(crate) utf32_to_latin1: Convert<u32, u8>,
        /// Converts well-formed UTF-8.
        pub(crate) utf8_to_utf32: Transcode<u8, u32>,
        /// Converts UTF-16 up to the first lone surrogate.
        pub(crate) utf16_to_utf32: Transcode<u16, u32>,
        /// Converts UTF-32 to UTF-8, up to the first unit that is not a scalar value.
        pub(crate) utf32_to_utf8: Transcode<u32, u8>,
        /// Converts UTF-32 to UTF-16, up to the first unit that is not a scalar value.
        pub(crate) utf32_to_utf16: Transcode<u32, u16>,
        /// Copies code units with their bytes swapped, as far as there is room.
        pub(crate) utf16_swap: Convert<u16, u16>,
        /// Returns the length of the longest prefix without a lone surrogate; it ends with a whole character.
        pub(crate) utf16_valid_prefix: fn(&[u16]) -> usize,
        /// Returns the length of the longest prefix of scalar values, or less.
        pub(crate) utf32_valid_prefix: fn(&[u32]) -> usize,
        /// Counts the bytes that are not continuation bytes, and those from F0 on twice.
        pub(crate) utf16_len_from_utf8: fn(&[u8]) -> usize,
        /// Counts the bytes that are not continuation bytes.
        pub(crate) count_scalars_utf8: fn(&[u8]) -> usize,
        /// Counts each CR, and each LF that is not right after one.
        pub(crate) line_ends: fn(&[u8]) -> usize,
        /// Counts the bytes, and those from 80 on twice.
        pub(crate) utf8_len_from_latin1: fn(&[u8]) -> usize,
        /// Returns the number of bytes in UTF-8, with three for a lone surrogate (those of U+FFFD).
        pub(crate) utf8_len_from_utf16: fn(&[u16]) -> usize,
        /// Counts the scalar values, a lone surrogate as one.
        pub(crate) count_scalars_utf16: fn(&[u16]) -> usize,
        /// Returns the number of bytes in UTF-8.
        pub(crate) utf8_len_from_utf32: fn(&[u32]) -> usize,
        /// Returns the number of code units in UTF-16.
        pub(crate) utf16_len_from_utf32: fn(&[u32]) -> usize,
    }
}

/// The counts of a kernel that replaces nothing.
impl From<(usize, usize)> for Transcoded {
    #[inline(always)]
    fn from((read, written): (usize, usize)) -> Self {
        Transcoded {
            read,
            written,
            errors: 0,
        }
    }
}

impl Transcoded {
    pub(crate) const NOTHING: Transcoded = Transcoded {
        read: 0,
        written: 0,
        errors: 0,
    };

    /// Adds the counts of what was done next.
    #[inline(always)]
    pub(crate) fn then(self, next: Transcoded) -> Transcoded {
        Transcoded {
            read: self.read + next.read,
            written: self.written + next.written,
            errors: self.errors + next.errors,
        }
    }

    /// Returns what is not read yet, and the room that is left.
    #[inline(always)]
    pub(crate) fn rest<'s, 'd, From, To>(
        self,
        src: &'s [From],
        dst: &'d mut [To],
    ) -> (&'s [From], &'d mut [To]) {
        (&src[self.read..], &mut dst[self.written..])
    }

    /// Returns the number of units read and written, for a kernel that replaces nothing.
    #[inline(always)]
    pub(crate) fn counts(self) -> (usize, usize) {
        (self.read, self.written)
    }
}
