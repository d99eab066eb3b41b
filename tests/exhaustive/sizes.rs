//! Sizes: those that a converter says are enough are enough, and a buffer that is too small does no harm.

use simdtext::{Bom, Encoding, Status, Unmappable};

use crate::harness::{BOMS, Expected, Mode, Text, Unit};
use crate::{hex, inputs};

/// From the start of a stream, and from the middle.
pub(crate) fn check_decoder<U: Unit>(
    encoding: &'static Encoding,
    bom: Bom,
    head: &[u8],
    tail: &[u8],
) {
    for mode in [Mode::Replacement, Mode::Callback] {
        let mut decoder = encoding.decoder(bom);
        for (piece, last) in [(head, false), (tail, true)] {
            let len = U::max_len(&decoder, piece.len()).expect("no overflow");
            let mut dst = vec![U::default(); len];
            let progress = U::decode(&mut decoder, piece, &mut dst, last, mode, &mut Vec::new());
            assert_eq!(
                progress.status,
                Status::InputEmpty,
                "{encoding} {bom:?} {mode:?}, room {len} for {} | {}: {progress:?}",
                hex(head),
                hex(tail)
            );
        }
    }
}

/// The pieces that `cuts` make. Unmappable characters do not count.
pub(crate) fn check_encoder<T: Text + ?Sized>(
    encoding: &'static Encoding,
    text: &T,
    cuts: &[usize],
) {
    let mut encoder = encoding.encoder().expect("the caller asked");
    let mut from = 0;
    for i in 0..=cuts.len() {
        let last = i == cuts.len();
        let to = if last { text.len() } else { cuts[i] };
        loop {
            let len = T::max_len(&encoder, to - from).expect("no overflow");
            let src = text.slice(from..to);
            let mut dst = vec![0; len];
            let progress = src.encode(&mut encoder, &mut dst, last, Unmappable::Strict);
            from += progress.read;
            match progress.status {
                Status::InputEmpty => break,
                Status::Unmappable { .. } => {}
                status => panic!(
                    "{encoding}, room {len} at {from}, cut at {cuts:?}, {:?}: {status:?}",
                    text.scalar_values().0
                ),
            }
        }
    }
}

#[test]
fn enough_for_every_short_input_from_every_point() {
    for &encoding in Encoding::all() {
        for bytes in inputs::for_encoding(encoding.name()) {
            for bom in BOMS {
                for at in 0..=bytes.len() {
                    let (head, tail) = bytes.split_at(at);
                    check_decoder::<u8>(encoding, bom, head, tail);
                    check_decoder::<u16>(encoding, bom, head, tail);
                }
            }
        }
        if encoding.encoder().is_none() {
            continue;
        }
        for text in inputs::TEXTS {
            let units: Vec<u16> = text.encode_utf16().collect();
            for (at, _) in text.char_indices() {
                check_encoder(encoding, text, &[at]);
            }
            for at in 0..=units.len() {
                check_encoder(encoding, &units[..], &[at]);
            }
        }
        for units in inputs::UNITS {
            for at in 0..=units.len() {
                check_encoder(encoding, units, &[at]);
            }
        }
    }
}

#[test]
fn sizes_that_overflow_are_none() {
    /// A size grows with the input: that for more of it is as much larger, or `None` if it does not fit in a `usize`.
    fn check(encoding: &Encoding, size: impl Fn(usize) -> Option<usize>) {
        /// What a size may have on top of a number for each unit.
        const MORE: u128 = 64;
        const UNITS: usize = 1 << 20;
        let few = size(UNITS).expect("a million units fit") as u128;
        assert!(size(0).is_some_and(|len| len as u128 <= MORE), "{encoding}");
        for n in [usize::MAX, usize::MAX / 2, usize::MAX / 3 - 1, UNITS] {
            let least = (few - MORE) * n as u128 / UNITS as u128 - MORE;
            let most = (few + MORE) * n as u128 / UNITS as u128 + MORE;
            match size(n) {
                Some(len) => assert!(
                    (least..=most).contains(&(len as u128)),
                    "{encoding}: {len} for {n}"
                ),
                None => assert!(most > usize::MAX as u128, "{encoding}: none for {n}"),
            }
        }
    }
    for &encoding in Encoding::all() {
        let decoder = encoding.decoder(Bom::Sniff);
        check(encoding, |n| decoder.max_utf8_len(n));
        check(encoding, |n| decoder.max_utf16_len(n));
        if let Some(encoder) = encoding.encoder() {
            check(encoding, |n| encoder.max_len_from_utf8(n));
            check(encoding, |n| encoder.max_len_from_utf16(n));
        }
    }
}

/// Less room than the documented minimum, sometimes none at all.
#[test]
fn too_little_room_does_no_harm() {
    fn check<U: Unit>(encoding: &'static Encoding, bytes: &[u8]) {
        let expected = Expected::new(encoding, bytes, Bom::Sniff).decoded::<U>(Mode::Replacement);
        let mut decoder = encoding.decoder(Bom::Sniff);
        let mut units = Vec::new();
        let mut src = bytes;
        for room in [0, 1, 0, 2, 3, 1, 5].into_iter().cycle() {
            let mut dst = vec![U::default(); room];
            let mode = Mode::Replacement;
            let progress = U::decode(&mut decoder, src, &mut dst, true, mode, &mut Vec::new());
            let written = &dst[..progress.written];
            assert!(U::is_valid(written), "{encoding}: {written:X?}");
            units.extend_from_slice(written);
            src = &src[progress.read..];
            if progress.status == Status::InputEmpty {
                break;
            }
        }
        assert_eq!(units, expected.units, "{encoding}: {}", hex(bytes));
    }
    for &encoding in Encoding::all() {
        for bytes in inputs::for_encoding(encoding.name()) {
            check::<u8>(encoding, bytes);
            check::<u16>(encoding, bytes);
        }
        let Some(mut encoder) = encoding.encoder() else {
            continue;
        };
        for text in inputs::TEXTS {
            let whole = encoding.encode(text, Unmappable::Ncr).expect("an encoder");
            let mut bytes = Vec::new();
            let mut src = text;
            for room in [0, 1, 2, 3, 5, 0, 12].into_iter().cycle() {
                let mut dst = vec![0; room];
                let progress = encoder.encode_from_utf8(src, &mut dst, true, Unmappable::Ncr);
                bytes.extend_from_slice(&dst[..progress.written]);
                src = &src[progress.read..];
                if progress.status == Status::InputEmpty {
                    break;
                }
            }
            assert_eq!(bytes, *whole.bytes, "{encoding}: {text:?}");
        }
    }
}
