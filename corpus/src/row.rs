//! A record's text, and what was found out about it.

use sha2::{Digest, Sha256};
use simdtext::sniff::Confidence;
use simdtext::{Bom, Encoding, Malformed, Status};

use crate::decide::{Decision, decide};
use crate::options::Options;
use crate::record::{Origin, Record};
use crate::rejected::Rejection;

/// The maximum number of malformed sequences that a row lists.
const FIRST_ERRORS: usize = 8;

/// A record that gave text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// Where the record comes from.
    pub origin: Origin,
    /// The encoding that it was in.
    pub encoding: &'static Encoding,
    /// The evidence for the encoding: `bom`, `transport`, `prescan`, `late-meta`, `utf-8`, `ascii`,
    /// `detected`, `fallback`.
    pub evidence: &'static str,
    /// Whether the encoding is certain or may be wrong.
    pub confidence: Confidence,
    /// For a guess, the language that makes it plausible: two letters of ISO 639-1.
    pub language: Option<&'static str>,
    /// For a guess, how much less plausible the next candidate is, in bits.
    pub margin: Option<u32>,
    /// The text, with U+FFFD for each malformed sequence.
    pub text: String,
    /// The number of malformed sequences.
    pub malformed: u64,
    /// The first malformed sequences, at most eight, with their offsets in the record's bytes.
    pub first_errors: Vec<Malformed>,
    /// The number of bytes that were decoded.
    pub bytes: u64,
    /// The SHA-256 of these bytes.
    pub sha256: [u8; 32],
}

/// A record that gave no text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rejected {
    /// Where the record comes from.
    pub origin: Origin,
    /// Why it was rejected.
    pub rejection: Rejection,
    /// The number of its bytes and their SHA-256, if it could be read.
    pub bytes: Option<(u64, [u8; 32])>,
}

/// Decides which encoding a record is in, and decodes it.
///
/// # Errors
///
/// [`Rejected`] if it could not be read, or is not text.
pub fn decode(record: Record, options: &Options) -> Result<Row, Box<Rejected>> {
    let Record {
        origin,
        encoding,
        body,
    } = record;
    let bytes = match body {
        Ok(bytes) => bytes,
        Err(rejection) => {
            return Err(Box::new(Rejected {
                origin,
                rejection,
                bytes: None,
            }));
        }
    };
    let len = bytes.len() as u64;
    let sha256 = Sha256::digest(&bytes).into();
    match decide(&origin, encoding, &bytes, options) {
        Ok(decision) => Ok(row(origin, decision, &bytes, sha256)),
        Err(rejection) => Err(Box::new(Rejected {
            origin,
            rejection,
            bytes: Some((len, sha256)),
        })),
    }
}

fn row(origin: Origin, decision: Decision, bytes: &[u8], sha256: [u8; 32]) -> Row {
    let decoded = decision.encoding.decode(bytes);
    let (encoding, malformed) = (decoded.encoding, decoded.errors as u64);
    let len = bytes.len() as u64;
    let first_errors = match malformed {
        0 => Vec::new(),
        1 => decoded.first_error.into_iter().collect(),
        _ => first_errors(encoding, bytes),
    };
    let text = decoded.text.into_owned();
    Row {
        origin,
        encoding,
        evidence: decision.evidence,
        confidence: decision.confidence,
        language: decision.language,
        margin: decision.margin,
        text,
        malformed,
        first_errors,
        bytes: len,
        sha256,
    }
}

/// Decodes a second time, but only records with several malformed sequences.
fn first_errors(encoding: &'static Encoding, bytes: &[u8]) -> Vec<Malformed> {
    let mut errors = Vec::new();
    let mut decoder = encoding.decoder(Bom::Sniff);
    let mut room = vec![0; 16 * 1024];
    let mut at = 0;
    while errors.len() < FIRST_ERRORS {
        let progress = decoder.decode_to_utf8_strict(&bytes[at..], &mut room, true);
        at += progress.read;
        match progress.status {
            Status::Malformed(malformed) => errors.push(malformed),
            Status::OutputFull => {}
            _ => break,
        }
    }
    errors
}
