//! The table of kernels, and which one this process uses.

use core::mem::MaybeUninit;

#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon"
))]
use super::aarch64::neon::table::NEON;
use super::detect;
use super::scalar::{self, table::SCALAR};
use super::single_byte::SingleByteTable;
use super::two_byte::cells::TwoByteCells;
use super::two_byte::few::Few;
use super::two_byte::index::TwoByteIndex;
use super::two_byte::iso_2022_jp::JisState;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::wasm32::simd128::table::SIMD128;
#[cfg(target_arch = "x86_64")]
use super::x86_64::{
    avx2::table::AVX2, avx512::table::AVX512, avx512_vbmi2::table::AVX512_VBMI2, sse4::table::SSE4,
};

/// A kernel that copies or converts one unit to one unit. Returns the number of units written.
type Convert<From, To> = fn(&[From], &mut [MaybeUninit<To>]) -> usize;

/// A kernel whose output has another number of units than its input. Returns the units read and the
/// units written.
type Transcode<From, To> = fn(&[From], &mut [MaybeUninit<To>]) -> (usize, usize);

/// The same with U+FFFD for malformed input.
type Replace<From, To> = fn(&[From], &mut [MaybeUninit<To>]) -> Transcoded;

/// A kernel to or from a single-byte encoding. Returns `Done`: as above.
type SingleByte<From, To, Done> = fn(&SingleByteTable, &[From], &mut [MaybeUninit<To>]) -> Done;

/// From code points to bytes of a single-byte encoding: for each 64 code points of the Basic Multilingual Plane the number of a
/// block of 64 cells; a cell is a byte, or 0 for none (and U+0000).
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingleByteCells {
    pub(crate) blocks: &'static [u8; 1024],
    pub(crate) cells: &'static [[u8; 64]; 256],
}

impl SingleByteCells {
    /// The byte of a code unit, or 0.
    #[inline(always)]
    pub(crate) fn get(&self, unit: u16) -> u8 {
        let block = self.blocks[usize::from(unit >> 6)];
        self.cells[usize::from(block)][usize::from(unit & 63)]
    }

    /// The bytes of the 64 code units from `unit` on, which is a multiple of 64.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn block(&self, unit: u16) -> &'static [u8; 64] {
        &self.cells[usize::from(self.blocks[usize::from(unit >> 6)])]
    }
}

/// A kernel that finds in `Table` what it writes. Returns the units read and the units written.
type LookUp<Table, From, To> = fn(&Table, &[From], &mut [MaybeUninit<To>]) -> (usize, usize);

/// The same of an encoding with a state, which it changes.
type StatefulLookUp<Table, State, From, To> =
    fn(&Table, &mut State, &[From], &mut [MaybeUninit<To>]) -> (usize, usize);

/// What a kernel that replaces malformed sequences did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Transcoded {
    /// Units read.
    pub(crate) read: usize,
    /// Units written.
    pub(crate) written: usize,
    /// Malformed sequences, each of which became U+FFFD.
    pub(crate) errors: usize,
}

/// The kernels of one instruction set. Units past those a kernel says it has written, up to the end
/// of its output, may be overwritten.
#[derive(Debug)]
pub(crate) struct Kernels {
    pub(crate) name: &'static str,
    /// The length of the ASCII prefix, or less.
    pub(crate) ascii_prefix: fn(&[u8]) -> usize,
    /// The length of the prefix that is ASCII without ESC, SO and SI, which ISO-2022-JP reads as
    /// shifts; or less.
    #[cfg_attr(
        not(any(feature = "alloc", feature = "detect")),
        expect(
            dead_code,
            reason = "only one-shot conversion and detection ask for it"
        )
    )]
    pub(crate) unshifted_prefix: fn(&[u8]) -> usize,
    /// The length of the prefix without control characters that text does not have: those of C0 but for
    /// BEL to SI (07 to 0F) and ESC; or less.
    #[cfg_attr(
        not(any(feature = "detect", test)),
        expect(dead_code, reason = "only detection asks for it")
    )]
    pub(crate) textual_prefix: fn(&[u8]) -> usize,
    /// Copies the ASCII prefix.
    pub(crate) ascii_to_utf8: Convert<u8, u8>,
    /// Widens the ASCII prefix.
    pub(crate) ascii_to_utf16: Convert<u8, u16>,
    /// Narrows the ASCII prefix of little-endian UTF-16 bytes, at any alignment.
    pub(crate) utf16le_to_ascii: Convert<u8, u8>,
    /// The same, big-endian.
    pub(crate) utf16be_to_ascii: Convert<u8, u8>,
    /// Converts little-endian UTF-16 bytes, at any alignment, up to the first lone surrogate, or a
    /// leading one at the end. Reads whole characters, counted in bytes.
    pub(crate) utf16le_to_utf8: Transcode<u8, u8>,
    /// The same, big-endian.
    pub(crate) utf16be_to_utf8: Transcode<u8, u8>,
    /// The same, with U+FFFD for lone surrogates; stops before a leading one at the end, which may
    /// not be lone.
    pub(crate) utf16le_to_utf8_lossy: Replace<u8, u8>,
    /// The same, big-endian.
    pub(crate) utf16be_to_utf8_lossy: Replace<u8, u8>,
    /// Copies little-endian UTF-16 bytes, at any alignment, up to the first lone surrogate, or a
    /// leading one at the end. Returns the number of units.
    pub(crate) utf16le_to_utf16: Convert<u8, u16>,
    /// The same, big-endian.
    pub(crate) utf16be_to_utf16: Convert<u8, u16>,
    /// The same, with U+FFFD for lone surrogates; stops before a leading one at the end. Reads
    /// whole characters, counted in bytes.
    pub(crate) utf16le_to_utf16_lossy: Replace<u8, u16>,
    /// The same, big-endian.
    pub(crate) utf16be_to_utf16_lossy: Replace<u8, u16>,
    /// The length of the longest well-formed prefix, in bytes, or less; it ends with a whole
    /// character.
    pub(crate) utf8_valid_prefix: fn(&[u8]) -> usize,
    /// Copies well-formed UTF-8, as far as whole characters go and there is room for them.
    pub(crate) utf8_to_utf8: Convert<u8, u8>,
    /// Copies UTF-8 and writes U+FFFD for each maximal subpart of a malformed sequence. Stops where
    /// the room ends, or a little before, and before a sequence at the end of the input that may go
    /// on after it.
    pub(crate) utf8_to_utf8_lossy: fn(&[u8], &mut [MaybeUninit<u8>]) -> Transcoded,
    /// Converts well-formed UTF-8.
    pub(crate) utf8_to_utf16: Transcode<u8, u16>,
    /// The same, to little-endian bytes at any alignment. Writes whole code units, counted in bytes.
    pub(crate) utf8_to_utf16le: Transcode<u8, u8>,
    /// The same, big-endian.
    pub(crate) utf8_to_utf16be: Transcode<u8, u8>,
    /// Converts UTF-8 and writes U+FFFD for each maximal subpart of a malformed sequence. Stops
    /// before a sequence at the end of the input that may go on after it.
    pub(crate) utf8_to_utf16_lossy: Replace<u8, u16>,
    /// Whether a few characters are converted in line (`scalar/few_encoded.rs`), and whether the first
    /// characters of a two-byte encoding are, one by one (`two_byte/few.rs`).
    pub(crate) few: Few,
    /// Decodes an encoding of one and two bytes up to the first byte or pair without a code unit.
    pub(crate) two_byte_to_utf16: LookUp<TwoByteIndex, u8, u16>,
    /// The same, to UTF-8.
    pub(crate) two_byte_to_utf8: LookUp<TwoByteIndex, u8, u8>,
    /// Encodes up to the first unit that an encoding of one and two bytes does not have.
    pub(crate) utf16_to_two_byte: LookUp<TwoByteCells, u16, u8>,
    /// The same from well-formed UTF-8.
    pub(crate) utf8_to_two_byte: LookUp<TwoByteCells, u8, u8>,
    /// Decodes ISO-2022-JP up to what is neither ASCII nor a pair, nor an escape sequence to one of the
    /// two.
    pub(crate) iso_2022_jp_to_utf8: StatefulLookUp<TwoByteIndex, JisState, u8, u8>,
    /// The same, to UTF-16.
    pub(crate) iso_2022_jp_to_utf16: StatefulLookUp<TwoByteIndex, JisState, u8, u16>,
    /// Encodes ISO-2022-JP up to what is neither ASCII nor has a pair. The state is whether pairs come
    /// next.
    pub(crate) utf8_to_iso_2022_jp: StatefulLookUp<TwoByteCells, bool, u8, u8>,
    /// The same from UTF-16.
    pub(crate) utf16_to_iso_2022_jp: StatefulLookUp<TwoByteCells, bool, u16, u8>,
    /// Decodes a single-byte encoding up to the first unmapped byte.
    pub(crate) single_byte_to_utf8: SingleByte<u8, u8, (usize, usize)>,
    /// The same, to UTF-16. Returns the number of units.
    pub(crate) single_byte_to_utf16: fn(&SingleByteTable, &[u8], &mut [MaybeUninit<u16>]) -> usize,
    /// Encodes a single-byte encoding up to the first unit that it does not have. Returns the
    /// number of units.
    pub(crate) utf16_to_single_byte: fn(&SingleByteTable, &[u16], &mut [MaybeUninit<u8>]) -> usize,
    /// The same for well-formed UTF-8. Returns the bytes read and the bytes written.
    pub(crate) utf8_to_single_byte: SingleByte<u8, u8, (usize, usize)>,
    /// Decodes x-user-defined.
    pub(crate) user_defined_to_utf16: Convert<u8, u16>,
    /// Encodes x-user-defined up to the first unit that it does not have.
    pub(crate) utf16_to_user_defined: Convert<u16, u8>,
    /// Converts Latin-1.
    pub(crate) latin1_to_utf8: Transcode<u8, u8>,
    /// Converts UTF-8 up to the first character above U+00FF.
    pub(crate) utf8_to_latin1: Transcode<u8, u8>,
    /// Widens Latin-1, as far as there is room.
    pub(crate) latin1_to_utf16: Convert<u8, u16>,
    /// The same, to UTF-32.
    pub(crate) latin1_to_utf32: Convert<u8, u32>,
    /// Narrows UTF-16 up to the first unit above 00FF.
    pub(crate) utf16_to_latin1: Convert<u16, u8>,
    /// The same, from UTF-32.
    pub(crate) utf32_to_latin1: Convert<u32, u8>,
    /// Converts well-formed UTF-8.
    pub(crate) utf8_to_utf32: Transcode<u8, u32>,
    /// Converts UTF-16 up to the first lone surrogate.
    pub(crate) utf16_to_utf32: Transcode<u16, u32>,
    /// Converts UTF-32 up to the first unit that is no scalar value.
    pub(crate) utf32_to_utf8: Transcode<u32, u8>,
    /// The same, to UTF-16.
    pub(crate) utf32_to_utf16: Transcode<u32, u16>,
    /// Copies code units in the other byte order, as far as there is room.
    pub(crate) utf16_swap: Convert<u16, u16>,
    /// The length of the longest prefix without a lone surrogate; it ends with a whole character.
    pub(crate) utf16_valid_prefix: fn(&[u16]) -> usize,
    /// The length of the longest prefix of scalar values, or less.
    pub(crate) utf32_valid_prefix: fn(&[u32]) -> usize,
    /// Bytes that are no continuation bytes, those from F0 up twice.
    pub(crate) utf16_len_from_utf8: fn(&[u8]) -> usize,
    /// Bytes that are no continuation bytes.
    pub(crate) count_scalars_utf8: fn(&[u8]) -> usize,
    /// Each CR, and each LF that is not right after one.
    pub(crate) line_ends: fn(&[u8]) -> usize,
    /// Bytes, those from 80 up twice.
    pub(crate) utf8_len_from_latin1: fn(&[u8]) -> usize,
    /// Bytes of UTF-8, a lone surrogate being three (those of U+FFFD).
    pub(crate) utf8_len_from_utf16: fn(&[u16]) -> usize,
    /// Scalar values, a lone surrogate being one.
    pub(crate) count_scalars_utf16: fn(&[u16]) -> usize,
    /// Bytes of UTF-8.
    pub(crate) utf8_len_from_utf32: fn(&[u32]) -> usize,
    /// Code units of UTF-16.
    pub(crate) utf16_len_from_utf32: fn(&[u32]) -> usize,
}

/// Where nothing was replaced.
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

    /// Where nothing was replaced.
    #[inline(always)]
    pub(crate) fn counts(self) -> (usize, usize) {
        (self.read, self.written)
    }
}

impl Kernels {
    /// Narrows the ASCII prefix of native-endian UTF-16. Returns the number of units.
    #[inline(always)]
    pub(crate) fn narrow(&self, src: &[u16], dst: &mut [MaybeUninit<u8>]) -> usize {
        let kernel = if cfg!(target_endian = "big") {
            self.utf16be_to_ascii
        } else {
            self.utf16le_to_ascii
        };
        kernel(bytemuck::cast_slice(src), dst)
    }
}

/// Kernels that do nothing: everything is left to the state machines.
pub(crate) static NOTHING: Kernels = Kernels {
    name: "none",
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
    utf8_to_utf8_lossy: |_, _| Transcoded {
        read: 0,
        written: 0,
        errors: 0,
    },
    utf8_to_utf16: |_, _| (0, 0),
    utf8_to_utf16le: |_, _| (0, 0),
    utf8_to_utf16be: |_, _| (0, 0),
    utf8_to_utf16_lossy: |_, _| Transcoded::default(),
    utf16le_to_utf8: |_, _| (0, 0),
    utf16be_to_utf8: |_, _| (0, 0),
    utf16le_to_utf8_lossy: |_, _| Transcoded::NOTHING,
    utf16be_to_utf8_lossy: |_, _| Transcoded::NOTHING,
    utf16le_to_utf16_lossy: |_, _| Transcoded::NOTHING,
    utf16be_to_utf16_lossy: |_, _| Transcoded::NOTHING,
    few: Few::No,
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
    // No state machine backs these up.
    ..scalar::table::KERNELS
};

/// A table, and whether this machine can run it.
type Detected = (&'static Kernels, fn() -> bool);

/// All tables, worst first.
#[cfg(target_arch = "x86_64")]
static TABLES: [Detected; 6] = [
    (&NOTHING, || true),
    (&SCALAR, || true),
    (&SSE4, detect::sse4_2),
    (&AVX2, detect::avx2),
    (&AVX512, detect::avx512),
    (&AVX512_VBMI2, detect::avx512_vbmi2),
];
#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon"
))]
static TABLES: [Detected; 3] = [(&NOTHING, || true), (&SCALAR, || true), (&NEON, || true)];
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
static TABLES: [Detected; 3] = [(&NOTHING, || true), (&SCALAR, || true), (&SIMD128, || true)];
#[cfg(not(any(
    target_arch = "x86_64",
    all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon"
    ),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
static TABLES: [Detected; 2] = [(&NOTHING, || true), (&SCALAR, || true)];

/// The tables that this machine can run, worst first.
pub(crate) fn available() -> impl DoubleEndedIterator<Item = &'static Kernels> {
    TABLES
        .iter()
        .filter(|(_, detected)| detected())
        .map(|(table, _)| *table)
}

/// The best table, or the best that is not above the one named `wanted`. A name that no table has
/// wants the best.
pub(super) fn select(wanted: Option<&str>) -> &'static Kernels {
    let rank = |table: &Kernels| {
        TABLES
            .iter()
            .position(|(other, _)| other.name == table.name)
    };
    let limit = TABLES
        .iter()
        .position(|(table, _)| Some(table.name) == wanted);
    available()
        .rfind(|table| limit.is_none_or(|limit| rank(table) <= Some(limit)))
        .unwrap_or(&SCALAR)
}

/// The table that this process uses, decided at the first call.
#[inline]
pub(crate) fn active() -> &'static Kernels {
    detect::active()
}

/// The name of the instruction set whose kernels this process uses: `avx512_vbmi2`,
/// `avx512`, `avx2`, `sse4`, `neon`, `simd128`, `scalar` or `none`.
///
/// The environment variable `SIMDTEXT_ISA`, read once, forces a lower one than the processor has
/// (feature `std`). `none` leaves everything to the state machines.
///
/// ```
/// let vectors = ["avx512_vbmi2", "avx512", "avx2", "sse4", "neon", "simd128"];
/// let names = [&vectors[..], &["scalar", "none"]].concat();
/// assert!(names.contains(&simdtext::active_isa()));
/// ```
#[must_use]
pub fn active_isa() -> &'static str {
    active().name
}
