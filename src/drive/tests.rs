//! With any table of kernels, including the one that does nothing, every encoding gives the same text, errors
//! and counts.

use std::string::String;
use std::vec::Vec;

use proptest::prelude::*;

use crate::decoder::Decoder;
use crate::encoder::Encoder;
use crate::encoding::Encoding;
use crate::progress::{Bom, Malformed, Progress, Status, Unmappable};
use crate::simd::{Kernels, NO_KERNELS, available};

/// The result of a stream.
#[derive(Debug, PartialEq)]
struct Converted<T> {
    units: Vec<T>,
    errors: Vec<Malformed>,
    statuses: usize,
}

fn decode_to_utf8(decoder: &mut Decoder, src: &[u8], room: usize) -> Converted<u8> {
    convert(src, room, |src, dst, on_error| {
        decoder.decode_to_utf8_with(src, dst, true, on_error)
    })
}

fn decode_to_utf16(decoder: &mut Decoder, src: &[u8], room: usize) -> Converted<u16> {
    convert(src, room, |src, dst, on_error| {
        decoder.decode_to_utf16_with(src, dst, true, on_error)
    })
}

fn convert<T: Copy + Default>(
    mut src: &[u8],
    room: usize,
    mut decode: impl FnMut(&[u8], &mut [T], &mut dyn FnMut(Malformed)) -> Progress,
) -> Converted<T> {
    let mut converted = Converted {
        units: Vec::new(),
        errors: Vec::new(),
        statuses: 0,
    };
    let mut dst = std::vec![T::default(); room];
    loop {
        let told = converted.errors.len();
        let progress = decode(src, &mut dst, &mut |malformed| {
            converted.errors.push(malformed)
        });
        assert_eq!(progress.errors, converted.errors.len() - told);
        src = &src[progress.read..];
        converted.units.extend_from_slice(&dst[..progress.written]);
        converted.statuses += 1;
        if progress.status == Status::InputEmpty {
            return converted;
        }
        assert_eq!(progress.status, Status::OutputFull);
    }
}

/// Returns everything that must not depend on the kernels, and checks that the text does not depend on the
/// room.
fn decoded(encoding: &'static Encoding, src: &[u8], kernels: &'static Kernels) -> impl PartialEq {
    let mut decoder = Decoder::with_kernels(encoding, Bom::Sniff, kernels);
    let whole = decode_to_utf8(&mut decoder, src, 3 * src.len() + 4);
    let wide = decode_to_utf16(&mut decoder, src, src.len() + 2);
    let statuses = [5, 17, 40, 110].map(|room| {
        let small = decode_to_utf8(&mut decoder, src, room);
        let small_wide = decode_to_utf16(&mut decoder, src, room);
        assert!(
            whole.units == small.units
                && whole.errors == small.errors
                && wide.units == small_wide.units
                && wide.errors == small_wide.errors,
            "{encoding} with {} kernels and room for {room}",
            kernels.name
        );
        (small.statuses, small_wide.statuses)
    });
    let text = String::from_utf8(whole.units.clone()).expect("decoded text is UTF-8");
    assert!(text.encode_utf16().eq(wide.units.iter().copied()));
    (whole, statuses, wide)
}

fn encoded(encoding: &'static Encoding, text: &str, kernels: &'static Kernels) -> Option<Vec<u8>> {
    let mut encoder = Encoder::with_kernels(encoding, kernels)?;
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut dst = std::vec![0; 12 * text.len() + 110];
    let progress = encoder.encode_from_utf8(text, &mut dst, true, Unmappable::Ncr);
    assert_eq!(progress.status, Status::InputEmpty);
    let bytes = dst[..progress.written].to_vec();
    let progress = encoder.encode_from_utf16(&units, &mut dst, true, Unmappable::Ncr);
    assert_eq!(progress.status, Status::InputEmpty);
    assert_eq!(&dst[..progress.written], &bytes, "{encoding} from UTF-16");
    for room in [10, 17, 40, 110] {
        let small = &mut dst[..room];
        let (mut read, mut written) = (0, Vec::new());
        loop {
            let progress = encoder.encode_from_utf8(&text[read..], small, true, Unmappable::Ncr);
            read += progress.read;
            written.extend_from_slice(&small[..progress.written]);
            if progress.status == Status::InputEmpty {
                break;
            }
        }
        assert_eq!(written, bytes, "{encoding} into room for {room}");
        let (mut read, mut written) = (0, Vec::new());
        loop {
            let progress = encoder.encode_from_utf16(&units[read..], small, true, Unmappable::Ncr);
            read += progress.read;
            written.extend_from_slice(&small[..progress.written]);
            if progress.status == Status::InputEmpty {
                break;
            }
        }
        assert_eq!(
            written, bytes,
            "{encoding} from UTF-16 into room for {room}"
        );
    }
    Some(bytes)
}

/// Runs of ASCII, high bytes, escape sequences and valid UTF-8, so that kernels start and stop often.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        proptest::collection::vec(0x20..0x7Fu8, 0..70),
        proptest::collection::vec(0x80..=0xFFu8, 0..9),
        proptest::collection::vec(any::<u8>(), 0..9),
        "[a-zé日本💩 ]{0,40}".prop_map(String::into_bytes),
        "[a-zé日本💩 ]{0,20}"
            .prop_map(|text| text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        Just(b"\x1B$B0l\x1B(Jx\x1B(B".to_vec()),
        Just(b"\x81\x30\x81\x30\x8F\xB0\xA1\x8E\xB1".to_vec()),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// ISO-2022-JP: runs that kernels decode, and sequences between them.
fn shifted() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"\x1B$B".to_vec()),
        Just(b"\x1B$@".to_vec()),
        Just(b"\x1B(B".to_vec()),
        prop_oneof![
            Just(*b"\x1B(J"),
            Just(*b"\x1B(I"),
            Just(*b"\x1B\x1B("),
            Just(*b"\x0E\xFFx")
        ]
        .prop_map(|bytes| bytes.to_vec()),
        proptest::collection::vec(0x21..=0x73u8, 0..90)
            .prop_map(|kana| kana.iter().flat_map(|&cell| [0x24, cell]).collect()),
        proptest::collection::vec(0x21..=0x7Eu8, 0..70),
        proptest::collection::vec(0x00..0x7Fu8, 0..40),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn decoding_does_not_depend_on_the_kernels(src in hostile()) {
        for encoding in Encoding::all() {
            let plain = decoded(encoding, &src, &NO_KERNELS);
            for kernels in available() {
                let same = decoded(encoding, &src, kernels) == plain;
                prop_assert!(same, "{} with {} kernels", encoding, kernels.name);
            }
        }
    }

    #[test]
    fn encoding_does_not_depend_on_the_kernels(text in "([ -~]{0,70}[à-ÿĀ-ſа-я日-本가-각ｱ-ﾝ¥‾−💩\u{E}]{0,5}){0,6}") {
        for encoding in Encoding::all() {
            let plain = encoded(encoding, &text, &NO_KERNELS);
            for kernels in available() {
                prop_assert_eq!(&encoded(encoding, &text, kernels), &plain);
            }
        }
    }

    #[test]
    fn shifts_do_not_depend_on_the_kernels(src in shifted()) {
        let encoding = crate::encoding::ISO_2022_JP;
        let plain = decoded(encoding, &src, &NO_KERNELS);
        for kernels in available() {
            let same = decoded(encoding, &src, kernels) == plain;
            prop_assert!(same, "{} kernels", kernels.name);
        }
    }

    #[test]
    fn shifts_do_not_depend_on_the_room(
        text in "([ -~]{0,40}[ぁ-ん]{0,60}[¥ｱ−é\u{E}]{0,2}){0,8}",
        room in 14..90_usize,
    ) {
        let encoding = crate::encoding::ISO_2022_JP;
        let units: Vec<u16> = text.encode_utf16().collect();
        let plain = encoded(encoding, &text, &NO_KERNELS);
        for kernels in available() {
            prop_assert_eq!(&encoded(encoding, &text, kernels), &plain);
            let mut encoder = Encoder::with_kernels(encoding, kernels).expect("it has one");
            let mut dst = std::vec![0; room];
            for utf16 in [false, true] {
                let (mut read, mut bytes) = (0, Vec::new());
                loop {
                    let progress = if utf16 {
                        encoder.encode_from_utf16(&units[read..], &mut dst, true, Unmappable::Ncr)
                    } else {
                        encoder.encode_from_utf8(&text[read..], &mut dst, true, Unmappable::Ncr)
                    };
                    read += progress.read;
                    bytes.extend_from_slice(&dst[..progress.written]);
                    if progress.status == Status::InputEmpty {
                        break;
                    }
                }
                prop_assert_eq!(Some(&bytes), plain.as_ref());
            }
        }
    }
}
