//! However the input is cut and however little room there is, decoders give the same text, errors and offsets
//! as in one call.

use simdtext::{Bom, Decoder, Encoding, Status};

use crate::harness::{BOMS, Decoded, Expected, MODES, Mode, Unit, decode};
use crate::{hex, inputs};

/// Every input of every encoding, with every way to handle a BOM.
fn on_every_input(
    parity: usize,
    check: impl Fn(&'static Encoding, Bom, &mut Decoder, &[u8], &Expected),
) {
    for &encoding in Encoding::all().iter().skip(parity).step_by(2) {
        for bytes in inputs::for_encoding(encoding.name()) {
            assert!(bytes.len() <= 16, "{}", hex(bytes));
            for bom in BOMS {
                let expected = Expected::new(encoding, bytes, bom);
                check(encoding, bom, &mut encoding.decoder(bom), bytes, &expected);
            }
        }
    }
}

/// Decodes `pieces` with each of `rooms`, in each mode. The decoder goes from stream to stream without a
/// reset, which is allowed.
fn check_pieces<U: Unit>(
    decoder: &mut Decoder,
    pieces: &[&[u8]],
    rooms: impl Iterator<Item = usize> + Clone,
    expected: &Expected,
    case: &dyn Fn() -> String,
) {
    for mode in MODES {
        let expected = expected.decoded(mode);
        for room in rooms.clone() {
            let got: Decoded<U> = decode(decoder, pieces, room, mode);
            assert!(
                got == expected,
                "{} {mode:?}, room {room}: {}\nexpected {expected:X?}\ngot      {got:X?}",
                case(),
                pieces
                    .iter()
                    .map(|piece| hex(piece))
                    .collect::<Vec<_>>()
                    .join(" | "),
            );
        }
    }
}

fn two_cuts(parity: usize) {
    on_every_input(parity, |encoding, bom, decoder, bytes, expected| {
        let case = || format!("{encoding} {bom:?}");
        for b in 0..=bytes.len() {
            for a in 0..=b {
                let pieces = [&bytes[..a], &bytes[a..b], &bytes[b..]];
                check_pieces::<u8>(decoder, &pieces, u8::LEAST_ROOM..=16, expected, &case);
                check_pieces::<u16>(decoder, &pieces, u16::LEAST_ROOM..=16, expected, &case);
            }
        }
    });
}

#[test]
fn every_two_cuts_of_sixteen_bytes() {
    two_cuts(0);
}

#[test]
fn every_two_cuts_of_sixteen_bytes_for_the_other_encodings() {
    two_cuts(1);
}

fn compositions(parity: usize) {
    on_every_input(parity, |encoding, bom, decoder, bytes, expected| {
        if bytes.len() > 8 {
            return;
        }
        let case = || format!("{encoding} {bom:?}");
        for cuts in 0..1_usize << bytes.len().saturating_sub(1) {
            let mut pieces = Vec::new();
            let mut from = 0;
            for to in 1..bytes.len() {
                if cuts >> (to - 1) & 1 == 1 {
                    pieces.push(&bytes[from..to]);
                    from = to;
                }
            }
            pieces.push(&bytes[from..]);
            let rooms = [u8::LEAST_ROOM, 5, 7, 64];
            check_pieces::<u8>(decoder, &pieces, rooms.into_iter(), expected, &case);
            let rooms = [u16::LEAST_ROOM, 3, 64];
            check_pieces::<u16>(decoder, &pieces, rooms.into_iter(), expected, &case);
            // With empty pieces before, between and after.
            let pieces: Vec<&[u8]> = [&[][..]]
                .into_iter()
                .chain(pieces.iter().flat_map(|piece| [*piece, &[]]))
                .collect();
            let rooms = [u8::LEAST_ROOM, 64];
            check_pieces::<u8>(decoder, &pieces, rooms.into_iter(), expected, &case);
        }
    });
}

#[test]
fn every_composition_of_eight_bytes() {
    compositions(0);
}

#[test]
fn every_composition_of_eight_bytes_for_the_other_encodings() {
    compositions(1);
}

/// With output of exactly the right size the call finishes, and `OutputFull` is returned only if the next
/// character does not fit.
fn fits<U: Unit>(decoder: &mut Decoder, bytes: &[u8], expected: &Expected, case: &str) {
    let lens: Vec<usize> = expected.text.chars().map(unit_len::<U>).collect();
    let whole = lens.iter().sum();
    for mode in [Mode::Replacement, Mode::Callback] {
        let mut exact = vec![U::default(); whole];
        let told = &mut Vec::new();
        let progress = U::decode(decoder, bytes, &mut exact, true, mode, told);
        let got = (progress.status, progress.read, progress.written);
        let all = (Status::InputEmpty, bytes.len(), whole);
        assert_eq!(got, all, "{case} {mode:?}, room {whole}: {}", hex(bytes));

        for room in U::LEAST_ROOM..whole {
            let mut dst = vec![U::default(); room];
            let mut next = lens.iter().peekable();
            let mut src = bytes;
            loop {
                let progress = U::decode(decoder, src, &mut dst, true, mode, told);
                src = &src[progress.read..];
                let mut left = progress.written;
                while left > 0 {
                    left -= next.next().expect("no more was written than expected");
                }
                if progress.status == Status::InputEmpty {
                    break;
                }
                let mut item = *next.peek().copied().expect("OutputFull at the end");
                if decoder.encoding().name() == "Big5" {
                    // Its two double characters may be written together or separately.
                    item += 2;
                }
                assert!(
                    progress.written + item > room,
                    "{case} {mode:?}, room {room}: {} and {progress:?}",
                    hex(bytes)
                );
            }
        }
    }
}

fn unit_len<U: Unit>(c: char) -> usize {
    let mut units = Vec::new();
    U::push(&mut units, c);
    units.len()
}

#[test]
fn output_full_only_when_the_next_character_does_not_fit() {
    for parity in [0, 1] {
        on_every_input(parity, |encoding, bom, decoder, bytes, expected| {
            let case = format!("{encoding} {bom:?}");
            fits::<u8>(decoder, bytes, expected, &case);
            fits::<u16>(decoder, bytes, expected, &case);
        });
    }
}
