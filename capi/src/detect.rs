//! Guesses the encoding of bytes that do not declare it.

use std::ffi::{c_char, c_void};
use std::ptr;

use simdtext::detect::{
    ByteOrder, Candidate, Guess, MAX_CANDIDATES, Options, Reason, Sign, detect,
};

use crate::boundary::{Outcome, call, input, place};
use crate::encoding::{handle, handle_or_null, simdtext_encoding};
use crate::sniff::{simdtext_confidence, simdtext_evidence};
use crate::types::simdtext_status;
use crate::types::simdtext_status::SIMDTEXT_STATUS_OK;
use simdtext_reason::{
    SIMDTEXT_REASON_ASCII, SIMDTEXT_REASON_BINARY_CONTROL, SIMDTEXT_REASON_BINARY_NUL,
    SIMDTEXT_REASON_BOM, SIMDTEXT_REASON_CODE_UNITS, SIMDTEXT_REASON_ESCAPES,
    SIMDTEXT_REASON_FOUR_BYTES, SIMDTEXT_REASON_IMPLAUSIBLE, SIMDTEXT_REASON_OTHER,
    SIMDTEXT_REASON_PLAUSIBLE, SIMDTEXT_REASON_UTF8, SIMDTEXT_REASON_UTF32BE,
    SIMDTEXT_REASON_UTF32LE,
};

/// How to guess. All 0 is the default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct simdtext_detect_options {
    /// The last label of the host name that the text comes from, such as "jp" (`tld_len` bytes, in any case);
    /// it favours the languages of that country. Null for none.
    pub tld: *const c_char,
    /// The length of `tld` in bytes.
    pub tld_len: usize,
    /// How many bytes of a longer text are weighed; 0 for 16384.
    pub sample: usize,
    /// Whether UTF-8 must not be the answer. (Browsers do that so that authors declare it.) ASCII is then
    /// windows-1252.
    pub no_utf8: bool,
}

/// The reason for a guess.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum simdtext_reason {
    /// A byte order mark.
    SIMDTEXT_REASON_BOM = 0,
    /// Nothing but ASCII, which is the same in nearly all encodings.
    SIMDTEXT_REASON_ASCII = 1,
    /// Valid UTF-8 with characters that are not ASCII.
    SIMDTEXT_REASON_UTF8 = 2,
    /// Escape sequences of ISO-2022-JP, and hardly anything malformed.
    SIMDTEXT_REASON_ESCAPES = 3,
    /// Pairs of bytes that are plausible code units of UTF-16.
    SIMDTEXT_REASON_CODE_UNITS = 4,
    /// Four-byte characters, which only gb18030 has, and nothing malformed.
    SIMDTEXT_REASON_FOUR_BYTES = 5,
    /// The most plausible text: `language` and `margin` say more.
    SIMDTEXT_REASON_PLAUSIBLE = 6,
    /// UTF-32LE, which is not one of the standard's encodings.
    SIMDTEXT_REASON_UTF32LE = 7,
    /// UTF-32BE, which is not one of the standard's encodings.
    SIMDTEXT_REASON_UTF32BE = 8,
    /// It is not text: it has NUL bytes.
    SIMDTEXT_REASON_BINARY_NUL = 9,
    /// It is not text: it has control characters that text does not have.
    SIMDTEXT_REASON_BINARY_CONTROL = 10,
    /// It is not plausible as text in any encoding.
    SIMDTEXT_REASON_IMPLAUSIBLE = 11,
    /// A reason that this header does not know.
    SIMDTEXT_REASON_OTHER = 12,
}

/// The maximum number of candidates in a guess.
pub const SIMDTEXT_MAX_CANDIDATES: usize = 8;

const _: () = assert!(SIMDTEXT_MAX_CANDIDATES == MAX_CANDIDATES);

/// An encoding that was weighed.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct simdtext_candidate {
    /// The encoding.
    pub encoding: *const simdtext_encoding,
    /// Malformed sequences in the sample, and characters that are not text.
    pub malformed: usize,
    /// How implausible the sample is, in eighths of a bit. Only the difference from other candidates is
    /// meaningful.
    pub cost: u32,
    /// The language that makes it most plausible: two letters of ISO 639-1 and NUL, or empty.
    pub language: [c_char; 4],
}

/// What simdtext_detect found.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct simdtext_guess {
    /// The encoding; null if the bytes are not text, not plausible in any encoding, or UTF-32.
    pub encoding: *const simdtext_encoding,
    /// The evidence: SIMDTEXT_EVIDENCE_BOM, _UTF8_VALID, _DETECTED, or _FALLBACK for ASCII.
    pub evidence: simdtext_evidence,
    /// Certain with a byte order mark, and if the whole text is UTF-8.
    pub confidence: simdtext_confidence,
    /// The reason, more precisely.
    pub reason: simdtext_reason,
    /// With SIMDTEXT_REASON_PLAUSIBLE, by how many bits the next candidate is less plausible; otherwise 0.
    pub margin: u32,
    /// With the reasons SIMDTEXT_REASON_BINARY_..., the offset of the first of these, in bytes; otherwise 0.
    pub binary_offset: u64,
    /// With the reasons SIMDTEXT_REASON_BINARY_..., how many there were when this was decided; otherwise 0.
    pub binary_count: u64,
    /// The number of `candidates`; 0 if nothing had to be weighed.
    pub candidate_count: usize,
    /// The encodings that were weighed, the most plausible first.
    pub candidates: [simdtext_candidate; SIMDTEXT_MAX_CANDIDATES],
    /// With SIMDTEXT_REASON_PLAUSIBLE, the language: two letters of ISO 639-1 and NUL; otherwise empty.
    pub language: [c_char; 4],
}

/// Guesses the encoding of `src` (`len` bytes). With `complete` it is the whole text, otherwise more follows.
/// `options` may be null. The answer is stored in `guess`, which is not changed if the call is refused. Call
/// simdtext_sniff first: what a document declares is worth more than any guess.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_detect(
    src: *const c_void,
    len: usize,
    complete: bool,
    options: *const simdtext_detect_options,
    guess: *mut simdtext_guess,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let to = unsafe { place(guess) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        // SAFETY: the caller's promise.
        let options = unsafe { options_of(options) }?;
        to.write(detect(src, complete, &options).into());
        Ok(SIMDTEXT_STATUS_OK)
    })
}

/// # Safety
///
/// `options` is null, or all of its pointers point to what the struct says during `'a`.
pub(crate) unsafe fn options_of<'a>(
    options: *const simdtext_detect_options,
) -> Outcome<Options<'a>> {
    let mut known = Options::new();
    // SAFETY: the caller's promise.
    if let Some(options) = unsafe { options.as_ref() } {
        // SAFETY: the caller's promise.
        let tld = unsafe { input(options.tld.cast::<u8>(), options.tld_len) }?;
        known = known
            .tld(std::str::from_utf8(tld).ok())
            .allow_utf8(!options.no_utf8);
        if options.sample > 0 {
            known = known.sample(options.sample);
        }
    }
    Ok(known)
}

impl From<Guess> for simdtext_guess {
    fn from(guess: Guess) -> Self {
        let mut result = simdtext_guess {
            encoding: handle_or_null(guess.encoding),
            evidence: guess.evidence.into(),
            confidence: guess.confidence.into(),
            reason: SIMDTEXT_REASON_OTHER,
            margin: 0,
            binary_offset: 0,
            binary_count: 0,
            candidate_count: 0,
            candidates: [NO_CANDIDATE; SIMDTEXT_MAX_CANDIDATES],
            language: [0; 4],
        };
        result.reason = match guess.reason {
            Reason::Bom => SIMDTEXT_REASON_BOM,
            Reason::Ascii => SIMDTEXT_REASON_ASCII,
            Reason::Utf8 => SIMDTEXT_REASON_UTF8,
            Reason::Escapes => SIMDTEXT_REASON_ESCAPES,
            Reason::CodeUnits => SIMDTEXT_REASON_CODE_UNITS,
            Reason::FourBytes => SIMDTEXT_REASON_FOUR_BYTES,
            Reason::Plausible { language, margin } => {
                result.language = letters(language);
                result.margin = margin;
                SIMDTEXT_REASON_PLAUSIBLE
            }
            Reason::Utf32 { order, .. } => match order {
                ByteOrder::Little => SIMDTEXT_REASON_UTF32LE,
                ByteOrder::Big => SIMDTEXT_REASON_UTF32BE,
            },
            Reason::Binary(binary) => {
                result.binary_offset = binary.offset;
                result.binary_count = binary.count;
                match binary.sign {
                    Sign::Nul => SIMDTEXT_REASON_BINARY_NUL,
                    _ => SIMDTEXT_REASON_BINARY_CONTROL,
                }
            }
            Reason::Implausible => SIMDTEXT_REASON_IMPLAUSIBLE,
            _ => SIMDTEXT_REASON_OTHER,
        };
        for (to, from) in result.candidates.iter_mut().zip(guess.candidates()) {
            *to = from.into();
            result.candidate_count += 1;
        }
        result
    }
}

const NO_CANDIDATE: simdtext_candidate = simdtext_candidate {
    encoding: ptr::null(),
    malformed: 0,
    cost: 0,
    language: [0; 4],
};

impl From<&Candidate> for simdtext_candidate {
    fn from(candidate: &Candidate) -> Self {
        simdtext_candidate {
            encoding: handle(candidate.encoding),
            malformed: candidate.malformed,
            cost: candidate.cost,
            language: letters(candidate.language),
        }
    }
}

/// At most three letters, and NUL.
fn letters(language: &str) -> [c_char; 4] {
    let mut letters = [0; 4];
    for (to, from) in letters.iter_mut().zip(language.bytes().take(3)) {
        *to = from as c_char;
    }
    letters
}
