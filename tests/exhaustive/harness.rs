//! Calls the library piece by piece. Every call is checked on the way: counts are within bounds, there is
//! progress whenever there is room, and no end before the input is read.

use std::fmt::Debug;
use std::ops::Range;

use simdtext::{
    Bom, Decoder, Encoder, Encoding, MIN_ENCODED, MIN_UTF8, MIN_UTF16, Malformed, Progress, Status,
    Unmappable,
};

use crate::spec::events::{self, Event};
use crate::spec::instances;

/// How to call a decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Replacement,
    Callback,
    Strict,
}

pub(crate) const MODES: [Mode; 3] = [Mode::Replacement, Mode::Callback, Mode::Strict];
pub(crate) const BOMS: [Bom; 3] = [Bom::Sniff, Bom::Strip, Bom::Keep];

/// Whether one-shot calls borrow. Kernels find what can be borrowed, and with `SIMDTEXT_ISA=none` there are
/// none.
pub(crate) fn borrows() -> bool {
    simdtext::active_isa() != "none"
}

/// The result of decoding a stream. Strict calls write nothing for an error; the harness writes U+FFFD there,
/// so that the modes can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decoded<U> {
    pub(crate) units: Vec<U>,
    pub(crate) errors: usize,
    /// Not known in [`Mode::Replacement`].
    pub(crate) malformed: Option<Vec<Malformed>>,
    pub(crate) encoding: &'static str,
}

/// UTF-8 or UTF-16 output.
pub(crate) trait Unit: Copy + Default + Debug + Eq + 'static {
    /// The minimum room with which a call makes progress.
    const LEAST_ROOM: usize;

    fn decode(
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut [Self],
        last: bool,
        mode: Mode,
        told: &mut Vec<Malformed>,
    ) -> Progress;

    fn max_len(decoder: &Decoder, n: usize) -> Option<usize>;

    fn push(units: &mut Vec<Self>, c: char);

    fn is_valid(units: &[Self]) -> bool;
}

impl Unit for u8 {
    const LEAST_ROOM: usize = MIN_UTF8;

    fn decode(
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
        mode: Mode,
        told: &mut Vec<Malformed>,
    ) -> Progress {
        match mode {
            Mode::Replacement => decoder.decode_to_utf8(src, dst, last),
            Mode::Callback => decoder.decode_to_utf8_with(src, dst, last, |error| told.push(error)),
            Mode::Strict => decoder.decode_to_utf8_strict(src, dst, last),
        }
    }

    fn max_len(decoder: &Decoder, n: usize) -> Option<usize> {
        decoder.max_utf8_len(n)
    }

    fn push(units: &mut Vec<u8>, c: char) {
        units.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }

    fn is_valid(units: &[u8]) -> bool {
        std::str::from_utf8(units).is_ok()
    }
}

impl Unit for u16 {
    const LEAST_ROOM: usize = MIN_UTF16;

    fn decode(
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
        mode: Mode,
        told: &mut Vec<Malformed>,
    ) -> Progress {
        match mode {
            Mode::Replacement => decoder.decode_to_utf16(src, dst, last),
            Mode::Callback => {
                decoder.decode_to_utf16_with(src, dst, last, |error| told.push(error))
            }
            Mode::Strict => decoder.decode_to_utf16_strict(src, dst, last),
        }
    }

    fn max_len(decoder: &Decoder, n: usize) -> Option<usize> {
        decoder.max_utf16_len(n)
    }

    fn push(units: &mut Vec<u16>, c: char) {
        units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
    }

    fn is_valid(units: &[u16]) -> bool {
        char::decode_utf16(units.iter().copied()).all(|c| c.is_ok())
    }
}

/// Decodes one stream, given in pieces, through an output buffer of `room` units.
pub(crate) fn decode<U: Unit>(
    decoder: &mut Decoder,
    pieces: &[&[u8]],
    room: usize,
    mode: Mode,
) -> Decoded<U> {
    let mut units = Vec::new();
    let mut malformed = Vec::new();
    let mut errors = 0;
    let mut dst = vec![U::default(); room];
    let mut taken = 0;
    // A byte becomes at most three bytes of UTF-8, so after more than that it will never end.
    let most = 4 + 4 * pieces.iter().map(|piece| piece.len()).sum::<usize>();
    for (i, &piece) in pieces.iter().enumerate() {
        let last = i + 1 == pieces.len();
        let mut src = piece;
        loop {
            let told = malformed.len();
            let progress = U::decode(decoder, src, &mut dst, last, mode, &mut malformed);
            assert!(progress.read <= src.len(), "read: {progress:?}");
            assert!(progress.written <= room, "written: {progress:?}");
            taken += progress.read;
            assert_eq!(decoder.total_read(), taken as u64, "total_read");
            let written = &dst[..progress.written];
            assert!(U::is_valid(written), "invalid output: {written:X?}");
            units.extend_from_slice(written);
            assert!(units.len() <= most, "output without end: {progress:?}");
            errors += progress.errors;
            src = &src[progress.read..];
            if mode == Mode::Callback {
                assert_eq!(malformed.len() - told, progress.errors, "errors told");
            }
            match progress.status {
                Status::InputEmpty => {
                    assert!(src.is_empty(), "InputEmpty, and {} bytes left", src.len());
                    break;
                }
                Status::OutputFull => assert!(
                    room < U::LEAST_ROOM || progress.read + progress.written > 0,
                    "no progress: {progress:?}"
                ),
                Status::Malformed(error) => {
                    assert_eq!((mode, progress.errors), (Mode::Strict, 1), "{progress:?}");
                    U::push(&mut units, '\u{FFFD}');
                    malformed.push(error);
                }
                Status::Unmappable { .. } => panic!("a decoder returned {progress:?}"),
            }
        }
    }
    Decoded {
        units,
        errors,
        malformed: (mode != Mode::Replacement).then_some(malformed),
        encoding: decoder.encoding().name(),
    }
}

/// The oracle's result of decoding `bytes`, which holds for all modes: `malformed` is always known.
pub(crate) struct Expected {
    pub(crate) text: String,
    pub(crate) malformed: Vec<Malformed>,
    pub(crate) encoding: &'static str,
}

impl Expected {
    pub(crate) fn new(encoding: &'static Encoding, bytes: &[u8], bom: Bom) -> Self {
        let marked: Option<(&str, usize)> = match bytes {
            [0xEF, 0xBB, 0xBF, ..] => Some(("UTF-8", 3)),
            [0xFE, 0xFF, ..] => Some(("UTF-16BE", 2)),
            [0xFF, 0xFE, ..] => Some(("UTF-16LE", 2)),
            _ => None,
        };
        let (name, start) = match (bom, marked) {
            (Bom::Sniff, Some(marked)) => marked,
            (Bom::Strip, Some((name, len))) if name == encoding.name() => (name, len),
            _ => (encoding.name(), 0),
        };
        let events = events::decode(instances::Decoder::new(name), &bytes[start..], start);
        Expected::from_events(&events, bytes, name)
    }

    pub(crate) fn from_events(events: &[Event], bytes: &[u8], encoding: &'static str) -> Self {
        let mut expected = Expected {
            text: String::new(),
            malformed: Vec::new(),
            encoding,
        };
        for &event in events {
            expected.text.push(match event {
                Event::Text(c) => c,
                Event::Malformed(offset, len) => {
                    expected.malformed.push(malformed(bytes, offset, len));
                    '\u{FFFD}'
                }
            });
        }
        expected
    }

    /// In the form of [`decode`]'s result.
    pub(crate) fn decoded<U: Unit>(&self, mode: Mode) -> Decoded<U> {
        let mut units = Vec::with_capacity(self.text.len());
        self.text.chars().for_each(|c| U::push(&mut units, c));
        Decoded {
            units,
            errors: self.malformed.len(),
            malformed: (mode != Mode::Replacement).then(|| self.malformed.clone()),
            encoding: self.encoding,
        }
    }
}

pub(crate) fn malformed(bytes: &[u8], offset: usize, len: usize) -> Malformed {
    let mut held = [0; 4];
    held[..len].copy_from_slice(&bytes[offset..offset + len]);
    Malformed {
        offset: offset as u64,
        len: u8::try_from(len).expect("at most four"),
        bytes: held,
    }
}

/// The result of encoding a text. [`Unmappable::Strict`] reports which characters were not mappable, with
/// their offsets, and writes nothing for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Encoded {
    pub(crate) bytes: Vec<u8>,
    pub(crate) errors: usize,
    pub(crate) unmappable: Vec<(char, u64)>,
}

/// Text to encode: UTF-8 or UTF-16.
pub(crate) trait Text {
    fn len(&self) -> usize;

    fn slice(&self, range: Range<usize>) -> &Self;

    fn encode(
        &self,
        encoder: &mut Encoder,
        dst: &mut [u8],
        last: bool,
        unmappable: Unmappable,
    ) -> Progress;

    fn max_len(encoder: &Encoder, n: usize) -> Option<usize>;

    /// The scalar values, and the position of each.
    fn scalar_values(&self) -> (Vec<char>, Vec<usize>);
}

impl Text for str {
    fn len(&self) -> usize {
        str::len(self)
    }

    fn slice(&self, range: Range<usize>) -> &str {
        &self[range]
    }

    fn encode(
        &self,
        encoder: &mut Encoder,
        dst: &mut [u8],
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        encoder.encode_from_utf8(self, dst, last, unmappable)
    }

    fn max_len(encoder: &Encoder, n: usize) -> Option<usize> {
        encoder.max_len_from_utf8(n)
    }

    fn scalar_values(&self) -> (Vec<char>, Vec<usize>) {
        self.char_indices().map(|(place, c)| (c, place)).unzip()
    }
}

impl Text for [u16] {
    fn len(&self) -> usize {
        <[u16]>::len(self)
    }

    fn slice(&self, range: Range<usize>) -> &[u16] {
        &self[range]
    }

    fn encode(
        &self,
        encoder: &mut Encoder,
        dst: &mut [u8],
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        encoder.encode_from_utf16(self, dst, last, unmappable)
    }

    fn max_len(encoder: &Encoder, n: usize) -> Option<usize> {
        encoder.max_len_from_utf16(n)
    }

    fn scalar_values(&self) -> (Vec<char>, Vec<usize>) {
        events::scalar_values(self)
    }
}

/// Encodes one stream, cut into pieces at `cuts`, through an output buffer of `room` bytes.
pub(crate) fn encode<T: Text + ?Sized>(
    encoder: &mut Encoder,
    text: &T,
    cuts: &[usize],
    room: usize,
    unmappable: Unmappable,
) -> Encoded {
    let mut encoded = Encoded::default();
    let mut dst = vec![0; room];
    let mut from = 0;
    for i in 0..=cuts.len() {
        let last = i == cuts.len();
        let to = if last { text.len() } else { cuts[i] };
        loop {
            let src = text.slice(from..to);
            let progress = src.encode(encoder, &mut dst, last, unmappable);
            assert!(progress.read <= to - from, "read: {progress:?}");
            assert!(progress.written <= room, "written: {progress:?}");
            encoded.bytes.extend_from_slice(&dst[..progress.written]);
            // A unit becomes at most an escape sequence and a character reference.
            let most = 3 + 13 * text.len();
            assert!(
                encoded.bytes.len() <= most,
                "output without end: {progress:?}"
            );
            encoded.errors += progress.errors;
            from += progress.read;
            assert_eq!(encoder.total_read(), from as u64, "total_read");
            match progress.status {
                Status::InputEmpty => {
                    assert_eq!(from, to, "InputEmpty before the end");
                    break;
                }
                Status::OutputFull => assert!(
                    room < MIN_ENCODED || progress.read + progress.written > 0,
                    "no progress: {progress:?}"
                ),
                Status::Unmappable { ch, offset } => {
                    assert_eq!((unmappable, progress.errors), (Unmappable::Strict, 1));
                    encoded.unmappable.push((ch, offset));
                }
                Status::Malformed(_) => panic!("an encoder returned {progress:?}"),
            }
        }
    }
    encoded
}

/// The oracle's result of encoding `text`.
pub(crate) fn expect_encoded<T: Text + ?Sized>(
    encoder: &instances::Encoder,
    text: &T,
    unmappable: Unmappable,
) -> Encoded {
    let policy = match unmappable {
        Unmappable::Strict => events::Policy::Stop,
        Unmappable::Skip => events::Policy::Skip,
        Unmappable::Ncr => events::Policy::Ncr,
        Unmappable::Replace(c) => events::Policy::Replace(c),
        other => panic!("{other:?}: the oracle does not know it"),
    };
    let (chars, places) = text.scalar_values();
    let expected = events::encode(encoder.clone(), &chars, policy);
    let errors = expected.unmappable.len();
    let told = unmappable == Unmappable::Strict;
    let unmappable = expected.unmappable.iter().filter(|_| told);
    Encoded {
        bytes: expected.bytes,
        errors,
        unmappable: unmappable
            .map(|&(c, place)| (c, places[place] as u64))
            .collect(),
    }
}
