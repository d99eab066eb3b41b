//! Strings to bytes.

use std::collections::TryReserveError;

use simdtext::hooks::{PercentEncodeSet, percent_encode_after_encoding};
use simdtext::web::TextEncoder;
use simdtext::{MIN_ENCODED, Status, Unmappable};

/// Why there are no bytes.
#[derive(Clone, Copy, Debug)]
pub enum EncodeFailure {
    /// The encoding does not have this character, which stands at this index in the stream, in code units.
    Unmappable(char, u64),
    /// There is no memory for the result.
    Memory,
}

impl EncodeFailure {
    /// As numbers: 0, the code point and its index; 2 for [`EncodeFailure::Memory`].
    #[must_use]
    pub fn numbers(self) -> Vec<f64> {
        match self {
            EncodeFailure::Unmappable(ch, index) => {
                vec![0.0, f64::from(u32::from(ch)), index as f64]
            }
            EncodeFailure::Memory => vec![2.0],
        }
    }
}

impl From<TryReserveError> for EncodeFailure {
    fn from(_: TryReserveError) -> Self {
        EncodeFailure::Memory
    }
}

/// Encodes a string. See [`Encoder::new`] for the numbers.
///
/// # Errors
///
/// Where it stopped, or that there is no memory.
pub fn encode(
    encoding: u32,
    unmappable: u32,
    replacement: u32,
    string: &[u16],
) -> Result<Vec<u8>, EncodeFailure> {
    Encoder::new(encoding, unmappable, replacement, 0).encode(string, false)
}

/// The package's `Encoder`: encodes a string in pieces, and keeps a list of what the encoding lacks.
#[derive(Debug)]
pub struct Encoder {
    /// None for the replacement encoding, which the JavaScript side refuses.
    encoder: Option<simdtext::Encoder>,
    unmappable: Unmappable,
    errors: u64,
    found: Vec<(char, u64)>,
    /// How many more are to be kept.
    keep: usize,
    most: usize,
    /// The stream has ended, and the next call begins another.
    ended: bool,
}

impl Encoder {
    /// `unmappable`: 0 stops, 1 writes character references, 2 writes `replacement`, 3 skips. The first `keep`
    /// unmappable characters of a stream are kept.
    #[must_use]
    pub fn new(encoding: u32, unmappable: u32, replacement: u32, keep: usize) -> Self {
        Encoder {
            encoder: crate::encoding(encoding).encoder(),
            unmappable: match unmappable {
                0 => Unmappable::Strict,
                1 => Unmappable::Ncr,
                2 => Unmappable::Replace(char::from_u32(replacement).unwrap_or('?')),
                _ => Unmappable::Skip,
            },
            errors: 0,
            found: Vec::new(),
            keep,
            most: keep,
            ended: false,
        }
    }

    /// Unmappable characters since the stream began.
    #[must_use]
    pub fn errors(&self) -> f64 {
        self.errors as f64
    }

    /// The unmappable characters that were kept since the last call of this, two numbers each: the code
    /// point, and the index in the stream, in code units.
    pub fn take_unmappable(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.found)
            .iter()
            .flat_map(|&(ch, index)| [f64::from(u32::from(ch)), index as f64])
            .collect()
    }

    /// Encodes a piece. After an error the encoder is of no more use.
    ///
    /// # Errors
    ///
    /// Where it stopped, or that there is no memory.
    pub fn encode(&mut self, string: &[u16], stream: bool) -> Result<Vec<u8>, EncodeFailure> {
        if self.ended {
            self.errors = 0;
            self.found.clear();
            self.keep = self.most;
        }
        self.ended = !stream;
        let Some(encoder) = &mut self.encoder else {
            return Ok(Vec::new());
        };
        let before = (self.keep > 0).then(|| encoder.clone());
        let (mut bytes, mut rest, mut errors) = (Vec::new(), string, 0);
        loop {
            let most = encoder.max_len_from_utf16(rest.len()).unwrap_or(rest.len());
            let written = bytes.len();
            let room = most.max(MIN_ENCODED);
            bytes.try_reserve(room)?;
            bytes.resize(written + room, 0);
            let dst = bytes.get_mut(written..).unwrap_or_default();
            let progress = encoder.encode_from_utf16(rest, dst, !stream, self.unmappable);
            bytes.truncate(written + progress.written);
            errors += progress.errors;
            rest = &rest[progress.read..];
            match progress.status {
                Status::OutputFull => {}
                Status::Unmappable { ch, offset } => {
                    return Err(EncodeFailure::Unmappable(ch, offset));
                }
                Status::InputEmpty | Status::Malformed(_) => break,
            }
        }
        self.errors += errors as u64;
        if let Some(before) = before.filter(|_| errors > 0) {
            find_unmappable(before, string, &mut self.found, &mut self.keep);
        }
        Ok(bytes)
    }
}

/// Encodes once more, only to find what is unmappable: the library counts it, and tells where it is in strict
/// calls alone.
fn find_unmappable(
    mut encoder: simdtext::Encoder,
    string: &[u16],
    found: &mut Vec<(char, u64)>,
    keep: &mut usize,
) {
    let (mut rest, mut bytes) = (string, [0; 4096]);
    while *keep > 0 {
        let progress = encoder.encode_from_utf16(rest, &mut bytes, false, Unmappable::Strict);
        rest = &rest[progress.read..];
        match progress.status {
            Status::Unmappable { ch, offset } => {
                *keep -= 1;
                found.push((ch, offset));
            }
            Status::OutputFull => {}
            Status::InputEmpty | Status::Malformed(_) => return,
        }
    }
}

/// The standard's `encodeInto()` with a destination of `room` bytes: code units read, and the bytes.
#[must_use]
pub fn encode_into(string: &[u16], room: usize) -> (usize, Vec<u8>) {
    let mut bytes = vec![0; room.min(string.len().saturating_mul(3))];
    let result = TextEncoder::new().encode_utf16_into(string, &mut bytes);
    bytes.truncate(result.written);
    (result.read, bytes)
}

/// The URL standard's *percent-encode after encoding*. `set` counts its percent-encode sets, in the order
/// in which it defines them.
#[must_use]
pub fn percent_encode(encoding: u32, set: u32, space_as_plus: bool, string: &[u16]) -> String {
    let set = match set {
        0 => PercentEncodeSet::C0_CONTROL,
        1 => PercentEncodeSet::FRAGMENT,
        2 => PercentEncodeSet::QUERY,
        3 => PercentEncodeSet::SPECIAL_QUERY,
        4 => PercentEncodeSet::PATH,
        5 => PercentEncodeSet::USERINFO,
        6 => PercentEncodeSet::COMPONENT,
        _ => PercentEncodeSet::APPLICATION_X_WWW_FORM_URLENCODED,
    };
    let text = String::from_utf16_lossy(string);
    percent_encode_after_encoding(crate::encoding(encoding), &text, set, space_as_plus)
}
