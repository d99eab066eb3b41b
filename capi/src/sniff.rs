//! Finds out the encoding of a document by what it and its transport declare.

use std::ffi::{c_char, c_void};

use simdtext::sniff::{Confidence, Evidence, Format, Hints, resolve};

use crate::boundary::{Outcome, call, input, place};
use crate::encoding::{encoding_of, handle, simdtext_encoding};
use crate::types::simdtext_status;
use crate::types::simdtext_status::{SIMDTEXT_STATUS_INVALID_ARGUMENT, SIMDTEXT_STATUS_OK};

/// The kind of a document, which decides where it may declare its encoding.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum simdtext_format {
    /// Decided by the Content-Type, or else by the first bytes.
    SIMDTEXT_FORMAT_UNKNOWN = 0,
    /// HTML: `meta` elements.
    SIMDTEXT_FORMAT_HTML = 1,
    /// XML: the XML declaration.
    SIMDTEXT_FORMAT_XML = 2,
    /// A style sheet: `@charset`.
    SIMDTEXT_FORMAT_CSS = 3,
    /// Plain text, a script, or anything else that declares nothing.
    SIMDTEXT_FORMAT_TEXT = 4,
}

/// An enum as C programs pass it: a number that may have any value.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct simdtext_format_number(u32);

/// The evidence for an answer; earlier ones win over later ones.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum simdtext_evidence {
    /// A byte order mark.
    SIMDTEXT_EVIDENCE_BOM = 0,
    /// The label chosen by the user.
    SIMDTEXT_EVIDENCE_OVERRIDE = 1,
    /// The charset of the Content-Type.
    SIMDTEXT_EVIDENCE_TRANSPORT = 2,
    /// What the document declares.
    SIMDTEXT_EVIDENCE_PRESCAN = 3,
    /// What an HTML document declares after its first 1024 bytes, if `late_meta` asks for it.
    SIMDTEXT_EVIDENCE_LATE_META = 4,
    /// The encoding of the document that refers to this one.
    SIMDTEXT_EVIDENCE_ENVIRONMENT = 5,
    /// A guess from the bytes: simdtext_detect, never simdtext_sniff.
    SIMDTEXT_EVIDENCE_DETECTED = 6,
    /// It is UTF-8, and not only ASCII.
    SIMDTEXT_EVIDENCE_UTF8_VALID = 7,
    /// Nothing: the fallback was taken.
    SIMDTEXT_EVIDENCE_FALLBACK = 8,
}

/// Whether an answer may turn out to be wrong.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum simdtext_confidence {
    /// The best answer so far.
    SIMDTEXT_CONFIDENCE_TENTATIVE = 0,
    /// Nothing that follows in the document changes it.
    SIMDTEXT_CONFIDENCE_CERTAIN = 1,
}

/// What is known about a document apart from its bytes. All 0 means nothing. Strings have a length in bytes
/// and need no NUL; null stands for none.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct simdtext_hints {
    /// The value of the Content-Type header, such as "text/html; charset=gbk". One that is not UTF-8 is ignored.
    pub transport: *const c_char,
    /// The length of `transport` in bytes.
    pub transport_len: usize,
    /// A label chosen by the user for this document. Ignored if it is unknown.
    pub override_label: *const c_char,
    /// The length of `override_label` in bytes.
    pub override_label_len: usize,
    /// The encoding of what refers to the document: the parent document, or the style sheet that imports it.
    pub environment: *const simdtext_encoding,
    /// The encoding to use if nothing declares one; null for UTF-8.
    pub fallback: *const simdtext_encoding,
    /// The kind of the document.
    pub format: simdtext_format_number,
    /// Whether an HTML document whose first 1024 bytes declare nothing is searched further for a `meta` element, as
    /// browsers find it when they parse the page: up to 256 KiB, or as far as it is given.
    pub late_meta: bool,
}

/// The encoding of a document, and the evidence for it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct simdtext_decision {
    /// The encoding to decode the document with; never null.
    pub encoding: *const simdtext_encoding,
    /// The length of the byte order mark in bytes, or 0. A decoder with SIMDTEXT_BOM_SNIFF removes it by itself.
    pub bom_len: usize,
    /// What decided.
    pub evidence: simdtext_evidence,
    /// Whether it may turn out to be wrong.
    pub confidence: simdtext_confidence,
}

/// Decides which encoding a document is in, as browsers do, without guessing. `head` (`len` bytes) is the
/// beginning of the document, 1024 bytes or more if it has them; with `complete` it is the whole document.
/// `hints` may be null. The answer is stored in `decision`, which is not changed if the call is refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_sniff(
    head: *const c_void,
    len: usize,
    complete: bool,
    hints: *const simdtext_hints,
    decision: *mut simdtext_decision,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let to = unsafe { place(decision) }?;
        // SAFETY: the caller's promise.
        let head = unsafe { input(head.cast::<u8>(), len) }?;
        // SAFETY: the caller's promise.
        let hints = match unsafe { hints.as_ref() } {
            // SAFETY: the caller's promise.
            Some(hints) => unsafe { hints_of(hints) }?,
            None => Hints::new(),
        };
        let found = resolve(&hints, head, complete);
        to.write(simdtext_decision {
            encoding: handle(found.encoding),
            bom_len: found.bom_len,
            evidence: found.evidence.into(),
            confidence: found.confidence.into(),
        });
        Ok(SIMDTEXT_STATUS_OK)
    })
}

/// # Safety
///
/// All pointers are null or point to what the struct says.
unsafe fn hints_of(hints: &simdtext_hints) -> Outcome<Hints<'_>> {
    let format = match hints.format.0 {
        0 => Format::Unknown,
        1 => Format::Html,
        2 => Format::Xml,
        3 => Format::Css,
        4 => Format::Text,
        _ => return Err(SIMDTEXT_STATUS_INVALID_ARGUMENT),
    };
    // SAFETY: the caller's promise.
    let transport = unsafe { input(hints.transport.cast::<u8>(), hints.transport_len) }?;
    // SAFETY: the caller's promise.
    let label = unsafe { input(hints.override_label.cast::<u8>(), hints.override_label_len) }?;
    let mut known = Hints::new()
        .format(format)
        .late_meta(hints.late_meta)
        .transport(std::str::from_utf8(transport).ok())
        .override_label(std::str::from_utf8(label).ok());
    if !hints.environment.is_null() {
        // SAFETY: the caller's promise.
        known = known.environment(unsafe { encoding_of(hints.environment) }?);
    }
    if !hints.fallback.is_null() {
        // SAFETY: the caller's promise.
        known = known.fallback(unsafe { encoding_of(hints.fallback) }?);
    }
    Ok(known)
}

impl From<Evidence> for simdtext_evidence {
    fn from(evidence: Evidence) -> Self {
        match evidence {
            Evidence::Bom => Self::SIMDTEXT_EVIDENCE_BOM,
            Evidence::Override => Self::SIMDTEXT_EVIDENCE_OVERRIDE,
            Evidence::Transport => Self::SIMDTEXT_EVIDENCE_TRANSPORT,
            Evidence::Prescan => Self::SIMDTEXT_EVIDENCE_PRESCAN,
            Evidence::LateMeta => Self::SIMDTEXT_EVIDENCE_LATE_META,
            Evidence::Environment => Self::SIMDTEXT_EVIDENCE_ENVIRONMENT,
            Evidence::Detected => Self::SIMDTEXT_EVIDENCE_DETECTED,
            Evidence::Utf8Valid => Self::SIMDTEXT_EVIDENCE_UTF8_VALID,
            // There are no other kinds today.
            _ => Self::SIMDTEXT_EVIDENCE_FALLBACK,
        }
    }
}

impl From<Confidence> for simdtext_confidence {
    fn from(confidence: Confidence) -> Self {
        match confidence {
            Confidence::Tentative => Self::SIMDTEXT_CONFIDENCE_TENTATIVE,
            Confidence::Certain => Self::SIMDTEXT_CONFIDENCE_CERTAIN,
        }
    }
}
