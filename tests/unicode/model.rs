//! The expected results of every conversion, one character at a time, by means of `std`. Everything is bytes
//! here, even native code units.

use simdtext::unicode::Stop;

use crate::pairs::Done;

/// Bytes as units of a form.
pub(crate) fn units<T: bytemuck::Pod>(bytes: &[u8]) -> Vec<T> {
    bytes
        .chunks_exact(size_of::<T>())
        .map(bytemuck::pod_read_unaligned)
        .collect()
}

/// A form of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Utf8,
    Utf16,
    Utf16Le,
    Utf16Be,
    Utf32,
    Latin1,
}

impl Form {
    pub(crate) const ALL: [Form; 6] = [
        Form::Utf8,
        Form::Utf16,
        Form::Utf16Le,
        Form::Utf16Be,
        Form::Utf32,
        Form::Latin1,
    ];

    /// The bytes in a unit, as the functions count units.
    pub(crate) fn unit(self) -> usize {
        match self {
            Form::Utf8 | Form::Utf16Le | Form::Utf16Be | Form::Latin1 => 1,
            Form::Utf16 => 2,
            Form::Utf32 => 4,
        }
    }

    /// The bytes of a character; `None` if the form does not have it.
    fn bytes(self, ch: char) -> Option<Vec<u8>> {
        let (mut utf8, mut utf16) = ([0; 4], [0; 2]);
        let units = ch.encode_utf16(&mut utf16).iter();
        Some(match self {
            Form::Utf8 => ch.encode_utf8(&mut utf8).as_bytes().to_vec(),
            Form::Utf16 => units.flat_map(|unit| unit.to_ne_bytes()).collect(),
            Form::Utf16Le => units.flat_map(|unit| unit.to_le_bytes()).collect(),
            Form::Utf16Be => units.flat_map(|unit| unit.to_be_bytes()).collect(),
            Form::Utf32 => u32::from(ch).to_ne_bytes().to_vec(),
            Form::Latin1 => vec![u8::try_from(ch).ok()?],
        })
    }

    /// The text, or as much of it as the form has.
    pub(crate) fn encode(self, text: &str) -> Vec<u8> {
        text.chars()
            .filter_map(|ch| self.bytes(ch))
            .flatten()
            .collect()
    }

    /// The text without characters that the form does not have.
    pub(crate) fn lossless(self, text: &str) -> String {
        text.chars()
            .filter(|ch| self.bytes(*ch).is_some())
            .collect()
    }

    /// Something malformed.
    pub(crate) fn malformed(self) -> Vec<u8> {
        match self {
            Form::Utf8 => vec![0xF0, 0x9F, 0x92],
            Form::Utf16 => 0xDC00_u16.to_ne_bytes().to_vec(),
            Form::Utf16Le => vec![0x00, 0xDC],
            Form::Utf16Be => vec![0xDC, 0x00],
            Form::Utf32 => 0xD800_u32.to_ne_bytes().to_vec(),
            Form::Latin1 => vec![],
        }
    }

    /// The items of `src` and their lengths in bytes.
    pub(crate) fn items(self, src: &[u8]) -> Vec<(Option<char>, usize)> {
        let utf16 = |unit: fn([u8; 2]) -> u16| {
            let (pairs, odd) = src.as_chunks::<2>();
            let mut items: Vec<_> = char::decode_utf16(pairs.iter().map(|pair| unit(*pair)))
                .map(|item| match item {
                    Ok(ch) => (Some(ch), 2 * ch.len_utf16()),
                    Err(_) => (None, 2),
                })
                .collect();
            if !odd.is_empty() {
                // A leading surrogate and half a unit are one error.
                let lead = pairs
                    .last()
                    .is_some_and(|&pair| unit(pair) >> 10 == 0xD800 >> 10);
                match items.last_mut() {
                    Some(last) if lead => last.1 = 3,
                    _ => items.push((None, 1)),
                }
            }
            items
        };
        match self {
            Form::Utf8 => {
                let mut items = Vec::new();
                for chunk in src.utf8_chunks() {
                    items.extend(chunk.valid().chars().map(|ch| (Some(ch), ch.len_utf8())));
                    if !chunk.invalid().is_empty() {
                        items.push((None, chunk.invalid().len()));
                    }
                }
                items
            }
            Form::Utf16 => utf16(u16::from_ne_bytes),
            Form::Utf16Le => utf16(u16::from_le_bytes),
            Form::Utf16Be => utf16(u16::from_be_bytes),
            Form::Utf32 => {
                let (units, _) = src.as_chunks::<4>();
                let unit = |bytes: &[u8; 4]| (char::from_u32(u32::from_ne_bytes(*bytes)), 4);
                units.iter().map(unit).collect()
            }
            Form::Latin1 => src
                .iter()
                .map(|&byte| (Some(char::from(byte)), 1))
                .collect(),
        }
    }
}

/// Converts `src` as far as it fits into `room` units.
pub(crate) fn convert(from: Form, to: Form, src: &[u8], room: usize, lossy: bool) -> Done {
    let mut done = Done {
        stop: Stop::InputEmpty,
        read: 0,
        written: Vec::new(),
        replaced: 0,
    };
    for (item, len) in from.items(src) {
        let bytes = item.and_then(|ch| to.bytes(ch));
        let bytes = match (bytes, item) {
            (Some(bytes), _) => bytes,
            (None, None) if !lossy => {
                done.stop = Stop::Malformed {
                    len: len / from.unit(),
                };
                return done;
            }
            (None, Some(ch)) if !lossy => {
                done.stop = Stop::Unmappable { ch };
                return done;
            }
            _ => to.bytes('\u{FFFD}').unwrap_or(b"?".to_vec()),
        };
        if (done.written.len() + bytes.len()).div_ceil(to.unit()) > room {
            done.stop = Stop::OutputFull;
            return done;
        }
        done.replaced += usize::from(item.and_then(|ch| to.bytes(ch)).is_none());
        done.written.extend(bytes);
        done.read += len / from.unit();
    }
    done
}
