//! Encodes strings.

use std::collections::TryReserveError;

use simdtext::hooks::{PercentEncodeSet, percent_encode_after_encoding};
use simdtext::web::TextEncoder;
use simdtext::{MIN_ENCODED, Status, Unmappable};

use crate::record::Record;

/// Why there are no bytes.
#[derive(Clone, Copy, Debug)]
pub enum EncodeFailure {
    /// The encoding lacks this character. Its index in the stream is in code units.
    Unmappable(char, u64),
    /// There is no memory for the result.
    Memory,
}

impl EncodeFailure {
    /// Returns the error as numbers: 0, the code point and its index; 2 for [`EncodeFailure::Memory`].
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

/// Encodes a string. See [`OnUnmappable::new`] for the numbers.
///
/// # Errors
///
/// The reason why it stopped, or that there is no memory.
pub fn encode(
    encoding: u32,
    unmappable: u32,
    replacement: u32,
    string: &[u16],
) -> Result<Vec<u8>, EncodeFailure> {
    let unmappable = OnUnmappable::new(unmappable, replacement, 0);
    Encoder::new(encoding).encode(string, false, unmappable)
}

/// What to do with characters that the encoding lacks.
#[derive(Clone, Copy, Debug)]
pub struct OnUnmappable {
    action: Unmappable,
    keep: usize,
}

impl OnUnmappable {
    /// `action`: 0 stops, 1 writes character references, 2 writes `replacement`, 3 skips. The first `keep` characters
    /// of a call are recorded.
    #[must_use]
    pub fn new(action: u32, replacement: u32, keep: u32) -> Self {
        OnUnmappable {
            action: match action {
                0 => Unmappable::Strict,
                1 => Unmappable::Ncr,
                2 => Unmappable::Replace(char::from_u32(replacement).unwrap_or('?')),
                _ => Unmappable::Skip,
            },
            keep: keep as usize,
        }
    }
}

/// The package's `Encoder`: encodes a string in pieces, and records the characters that the encoding lacks.
#[derive(Debug)]
pub struct Encoder {
    encoding: u32,
    /// `None` for the replacement encoding, which the JavaScript side refuses.
    encoder: Option<simdtext::Encoder>,
    record: Record<(char, u64)>,
}

impl Encoder {
    /// For the encoding with this number.
    #[must_use]
    pub fn new(encoding: u32) -> Self {
        Encoder {
            encoding,
            encoder: crate::encoding(encoding).encoder(),
            record: Record::new(),
        }
    }

    /// Returns the number of unmappable characters since the stream began.
    #[must_use]
    pub fn errors(&self) -> f64 {
        self.record.errors()
    }

    /// Returns the unmappable characters that were recorded since the last call of this function, as two
    /// numbers each: the code point, and the index in the stream in code units.
    pub fn take_unmappable(&mut self) -> Vec<f64> {
        (self.record.take().iter())
            .flat_map(|&(ch, index)| [f64::from(u32::from(ch)), index as f64])
            .collect()
    }

    /// Encodes a piece. After an error the next call begins a new stream.
    ///
    /// # Errors
    ///
    /// The reason why it stopped, or that there is no memory.
    pub fn encode(
        &mut self,
        string: &[u16],
        stream: bool,
        unmappable: OnUnmappable,
    ) -> Result<Vec<u8>, EncodeFailure> {
        self.record.begin(stream, unmappable.keep);
        let result = self.encode_piece(string, stream, unmappable.action);
        if result.is_err() {
            *self = Encoder::new(self.encoding);
        }
        result
    }

    fn encode_piece(
        &mut self,
        string: &[u16],
        stream: bool,
        unmappable: Unmappable,
    ) -> Result<Vec<u8>, EncodeFailure> {
        let Some(encoder) = &mut self.encoder else {
            return Ok(Vec::new());
        };
        let before = (self.record.wants_more()).then(|| encoder.clone());
        let (mut bytes, mut rest, mut errors) = (Vec::new(), string, 0);
        loop {
            let most = encoder.max_len_from_utf16(rest.len()).unwrap_or(rest.len());
            let written = bytes.len();
            let room = most.max(MIN_ENCODED);
            bytes.try_reserve(room)?;
            bytes.resize(written + room, 0);
            let dst = bytes.get_mut(written..).unwrap_or_default();
            let progress = encoder.encode_from_utf16(rest, dst, !stream, unmappable);
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
        self.record.count(errors);
        if let Some(before) = before.filter(|_| errors > 0) {
            find_unmappable(before, string, !stream, &mut self.record);
        }
        Ok(bytes)
    }
}

/// Encodes again, only to find the unmappable characters: the library counts them, but says where they are
/// only in strict calls.
fn find_unmappable(
    mut encoder: simdtext::Encoder,
    string: &[u16],
    last: bool,
    record: &mut Record<(char, u64)>,
) {
    let (mut rest, mut bytes) = (string, [0; 4096]);
    while record.wants_more() {
        let progress = encoder.encode_from_utf16(rest, &mut bytes, last, Unmappable::Strict);
        rest = &rest[progress.read..];
        match progress.status {
            Status::Unmappable { ch, offset } => record.push((ch, offset)),
            Status::OutputFull => {}
            Status::InputEmpty | Status::Malformed(_) => return,
        }
    }
}

/// The standard's `encodeInto()` for a destination of `room` bytes. Returns the number of code units read,
/// and the bytes.
#[must_use]
pub fn encode_into(string: &[u16], room: usize) -> (usize, Vec<u8>) {
    let mut bytes = vec![0; room.min(string.len().saturating_mul(3))];
    let result = TextEncoder::new().encode_from_utf16_into(string, &mut bytes);
    bytes.truncate(result.written);
    (result.read, bytes)
}

/// The URL standard's *percent-encode after encoding*. `set` is the number of its percent-encode set, in the
/// order in which the standard defines them.
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
