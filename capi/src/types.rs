//! Results, and policies that callers choose by number.

use simdtext::unicode::{Conversion, Invalid, Stop};
use simdtext::{Bom, Encoding, Malformed, Progress, Status, Unmappable};

use crate::boundary::{Outcome, Refused};
use crate::encoding::{handle, simdtext_encoding};
use simdtext_status::{
    SIMDTEXT_STATUS_INVALID_ARGUMENT, SIMDTEXT_STATUS_MALFORMED, SIMDTEXT_STATUS_OK,
    SIMDTEXT_STATUS_OUTPUT_FULL, SIMDTEXT_STATUS_UNMAPPABLE,
};

/// A code unit of UTF-16, in the order of this machine's bytes: `char16_t` in C++, `uint16_t` in C.
pub type simdtext_char16 = u16;

/// A code unit of UTF-32, in the order of this machine's bytes: `char32_t` in C++, `uint32_t` in C.
pub type simdtext_char32 = u32;

/// Why a call ended. From SIMDTEXT_STATUS_INVALID_ARGUMENT on, the call was refused: it read nothing, wrote
/// nothing, and did not change the stream.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum simdtext_status {
    /// All input was read. In a stream: give the next piece; after the last one the stream is finished, and the
    /// next call begins a new one.
    SIMDTEXT_STATUS_OK = 0,
    /// The next item does not fit into the output. In a stream: call again with the input that was not read and
    /// more room.
    SIMDTEXT_STATUS_OUTPUT_FULL = 1,
    /// The input is malformed at `fault`, and the policy is to stop there. Nothing was written for it. In a
    /// stream it counts as read: the next call goes on after it.
    SIMDTEXT_STATUS_MALFORMED = 2,
    /// The output's encoding does not have the character at `fault`, and the policy is to stop there. Nothing was
    /// written for it. In a stream it counts as read: the next call goes on after it.
    SIMDTEXT_STATUS_UNMAPPABLE = 3,
    /// An argument is null that must not be, a length is greater than PTRDIFF_MAX bytes, or a number is not a
    /// value of the parameter.
    SIMDTEXT_STATUS_INVALID_ARGUMENT = 4,
    /// A pointer to 16-bit or 32-bit units is not aligned to them.
    SIMDTEXT_STATUS_MISALIGNED = 5,
    /// Input and output overlap.
    SIMDTEXT_STATUS_OVERLAP = 6,
    /// The encoding can only be decoded: it is "replacement".
    SIMDTEXT_STATUS_NO_ENCODER = 7,
    /// The allocator returned null, or memory that is not aligned like that of malloc.
    SIMDTEXT_STATUS_OUT_OF_MEMORY = 8,
    /// A defect of the library. Buffers may hold anything afterwards; free the stream, if there is one.
    SIMDTEXT_STATUS_PANIC = 9,
    /// The bytes are not those of a stored map, or are damaged.
    SIMDTEXT_STATUS_CORRUPT = 10,
    /// The bytes were stored in a version of the format that this version of the library does not know.
    SIMDTEXT_STATUS_VERSION = 11,
}

/// What is wrong with the input, and where.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct simdtext_fault {
    /// Where it begins, in units of the input (bytes; code units of UTF-16 and UTF-32). In a stream it counts
    /// from the start of the stream, including a byte order mark, and may be in an earlier piece.
    pub offset: u64,
    /// The length in units of the input; 0 if there is no fault.
    pub len: u32,
    /// The unmappable character; 0 if the input is malformed. U+FFFD stands for a surrogate without its other
    /// half, and in ISO-2022-JP for U+000E, U+000F and U+001B.
    pub character: simdtext_char32,
    /// The malformed bytes, followed by 0. All 0 if the input is not bytes.
    pub bytes: [u8; 4],
}

/// What a call did.
// The numbers of units are not next to each other: the compiler would move two at a time, right after they
// were written one by one, for which the processor has to wait. With 16 bytes of text that is a fifth of the
// time.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct simdtext_result {
    /// Why it ended.
    pub status: simdtext_status,
    /// How many units of this call's input were read, including those that a stream now holds back.
    pub read: usize,
    /// The encoding that is decoded, which a byte order mark may have changed, or encoded; null for
    /// conversions between Unicode's own forms.
    pub encoding: *const simdtext_encoding,
    /// How many units were written to this call's output. Those after them may have any value.
    pub written: usize,
    /// With SIMDTEXT_STATUS_MALFORMED and SIMDTEXT_STATUS_UNMAPPABLE, the fault at which the call stopped. In
    /// conversions of a whole text that replace, the first malformed sequence. Otherwise all 0.
    pub fault: simdtext_fault,
    /// Malformed sequences and unmappable characters in this call: those that were replaced or left out, and the
    /// one in `fault`.
    pub errors: usize,
}

/// How a decoder handles a byte order mark at the start of the stream.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum simdtext_bom {
    /// The mark of UTF-8, UTF-16BE or UTF-16LE decides the encoding, overriding what was declared, and is removed.
    SIMDTEXT_BOM_SNIFF = 0,
    /// The mark of the decoder's own encoding is removed; any other is decoded as text.
    SIMDTEXT_BOM_STRIP = 1,
    /// All bytes are decoded; a mark becomes U+FEFF.
    SIMDTEXT_BOM_KEEP = 2,
}

/// How malformed input is handled.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum simdtext_malformed {
    /// Each malformed sequence becomes U+FFFD; in Latin-1, which does not have U+FFFD, it becomes `?`, and so does
    /// each character that Latin-1 does not have.
    SIMDTEXT_MALFORMED_REPLACE = 0,
    /// The call ends with SIMDTEXT_STATUS_MALFORMED; a conversion to Latin-1 also ends at each character that
    /// Latin-1 does not have, with SIMDTEXT_STATUS_UNMAPPABLE.
    SIMDTEXT_MALFORMED_STOP = 1,
}

/// How an encoder handles a character that the encoding does not have.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum simdtext_unmappable {
    /// The call ends with SIMDTEXT_STATUS_UNMAPPABLE.
    SIMDTEXT_UNMAPPABLE_STOP = 0,
    /// A decimal numeric character reference of HTML and XML, such as `&#8364;`.
    SIMDTEXT_UNMAPPABLE_NCR = 1,
    /// `?`, or the character set with simdtext_encoder_set_replacement.
    SIMDTEXT_UNMAPPABLE_REPLACE = 2,
    /// It is left out.
    SIMDTEXT_UNMAPPABLE_SKIP = 3,
}

/// An enum as C programs pass it: a number that may have any value.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct simdtext_bom_number(u32);

impl simdtext_bom_number {
    #[inline(always)]
    pub(crate) fn get(self) -> Outcome<Bom> {
        match self.0 {
            0 => Ok(Bom::Sniff),
            1 => Ok(Bom::Strip),
            2 => Ok(Bom::Keep),
            _ => Err(SIMDTEXT_STATUS_INVALID_ARGUMENT),
        }
    }
}

/// An enum as C programs pass it: a number that may have any value.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct simdtext_malformed_number(u32);

impl simdtext_malformed_number {
    /// Whether to stop.
    #[inline(always)]
    pub(crate) fn is_stop(self) -> Outcome<bool> {
        match self.0 {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(SIMDTEXT_STATUS_INVALID_ARGUMENT),
        }
    }
}

/// An enum as C programs pass it: a number that may have any value.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct simdtext_unmappable_number(u32);

impl simdtext_unmappable_number {
    #[inline(always)]
    pub(crate) fn get(self) -> Outcome<Unmappable> {
        match self.0 {
            0 => Ok(Unmappable::Strict),
            1 => Ok(Unmappable::Ncr),
            2 => Ok(Unmappable::Replace('?')),
            3 => Ok(Unmappable::Skip),
            _ => Err(SIMDTEXT_STATUS_INVALID_ARGUMENT),
        }
    }
}

impl From<Malformed> for simdtext_fault {
    fn from(malformed: Malformed) -> Self {
        simdtext_fault {
            offset: malformed.offset,
            len: malformed.len.into(),
            character: 0,
            bytes: malformed.bytes,
        }
    }
}

impl simdtext_fault {
    /// A character whose length is in units of the input.
    pub(crate) fn unmappable(character: char, offset: u64, len: usize) -> Self {
        simdtext_fault {
            offset,
            len: len as u32,
            character: character.into(),
            bytes: [0; 4],
        }
    }

    /// Malformed bytes, at most four.
    pub(crate) fn malformed(bytes: &[u8], offset: u64) -> Self {
        let mut fault = simdtext_fault {
            offset,
            len: bytes.len() as u32,
            ..simdtext_fault::default()
        };
        for (to, from) in fault.bytes.iter_mut().zip(bytes) {
            *to = *from;
        }
        fault
    }
}

impl simdtext_result {
    /// Nothing was done.
    pub(crate) const NOTHING: Self = simdtext_result {
        status: SIMDTEXT_STATUS_OK,
        read: 0,
        written: 0,
        errors: 0,
        fault: simdtext_fault {
            offset: 0,
            len: 0,
            character: 0,
            bytes: [0; 4],
        },
        encoding: std::ptr::null(),
    };

    /// Adds what a call of a decoder did, and sets the status. (Decoders never meet anything unmappable.)
    #[inline(always)]
    pub(crate) fn add(&mut self, progress: Progress, encoding: &'static Encoding) {
        self.status = match progress.status {
            Status::InputEmpty => SIMDTEXT_STATUS_OK,
            Status::OutputFull => SIMDTEXT_STATUS_OUTPUT_FULL,
            Status::Malformed(malformed) => {
                self.fault = malformed.into();
                SIMDTEXT_STATUS_MALFORMED
            }
            Status::Unmappable { .. } => SIMDTEXT_STATUS_UNMAPPABLE,
        };
        self.read += progress.read;
        self.written += progress.written;
        self.errors += progress.errors;
        self.encoding = handle(encoding);
    }

    /// Sets what a conversion did. `len_of` returns how many units of `src` a character has.
    #[inline(always)]
    pub(crate) fn set_conversion<U: Unit>(
        &mut self,
        done: Conversion,
        src: &[U],
        len_of: fn(char) -> usize,
    ) {
        self.read = done.read;
        self.written = done.written;
        self.errors = done.replaced;
        self.status = match done.stop {
            Stop::InputEmpty => SIMDTEXT_STATUS_OK,
            Stop::OutputFull => SIMDTEXT_STATUS_OUTPUT_FULL,
            Stop::Malformed { len } => {
                self.errors = 1;
                self.fault = U::malformed(src, done.read, len);
                SIMDTEXT_STATUS_MALFORMED
            }
            Stop::Unmappable { ch } => {
                self.errors = 1;
                self.fault = simdtext_fault::unmappable(ch, done.read as u64, len_of(ch));
                SIMDTEXT_STATUS_UNMAPPABLE
            }
        };
    }

    /// Sets what a validation found.
    #[inline(always)]
    pub(crate) fn set_validation<U: Unit>(&mut self, valid: Result<(), Invalid>, src: &[U]) {
        self.read = src.len();
        if let Err(invalid) = valid {
            self.status = SIMDTEXT_STATUS_MALFORMED;
            self.read = invalid.offset;
            self.errors = 1;
            self.fault = U::malformed(src, invalid.offset, invalid.len);
        }
    }
}

impl Refused for simdtext_result {
    fn refused(status: simdtext_status) -> Self {
        simdtext_result {
            status,
            ..Self::NOTHING
        }
    }
}

/// Units of input in which faults are reported.
pub(crate) trait Unit: Sized {
    fn malformed(src: &[Self], offset: usize, len: usize) -> simdtext_fault;
}

impl Unit for u8 {
    #[cold]
    fn malformed(src: &[u8], offset: usize, len: usize) -> simdtext_fault {
        let bytes = src.get(offset..).and_then(|rest| rest.get(..len));
        simdtext_fault::malformed(bytes.unwrap_or_default(), offset as u64)
    }
}

/// The fault in units that are not bytes.
fn malformed_units(offset: usize, len: usize) -> simdtext_fault {
    simdtext_fault {
        offset: offset as u64,
        len: len as u32,
        ..simdtext_fault::default()
    }
}

impl Unit for u16 {
    fn malformed(_: &[u16], offset: usize, len: usize) -> simdtext_fault {
        malformed_units(offset, len)
    }
}

impl Unit for u32 {
    fn malformed(_: &[u32], offset: usize, len: usize) -> simdtext_fault {
        malformed_units(offset, len)
    }
}
