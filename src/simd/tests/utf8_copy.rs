//! Validation, copies and replacement of UTF-8, compared with `std`.

use std::string::String;
use std::vec::Vec;

use super::guard::{Edge, Guarded};
use super::{LENGTHS, hostile, output_at, tables};
use crate::simd::kernels::{Kernels, Transcoded};

/// Returns the length of the longest well-formed prefix.
fn valid_prefix(src: &[u8]) -> usize {
    std::str::from_utf8(src).map_or_else(|error| error.valid_up_to(), str::len)
}

/// Checks all three kernels on `src` in guarded memory, with the output at `edge`.
fn check(table: &Kernels, src: &[u8], edge: Edge, room: usize) {
    let at = || std::format!("{} kernel, room {room}, {edge:?}, {src:X?}", table.name);
    let valid = valid_prefix(src);
    assert_eq!((table.utf8_valid_prefix)(src), valid, "{}", at());

    let copied = output_at(room, edge, |dst| (0, (table.utf8_to_utf8)(src, dst))).1;
    let fitting = valid_prefix(&src[..valid.min(room)]);
    assert_eq!(copied, src[..fitting], "{}", at());

    let mut replaced = Transcoded::default();
    let written = output_at(room, edge, |dst| {
        replaced = (table.utf8_to_utf8_lossy)(src, dst);
        (0, replaced.written)
    })
    .1;
    let read = &src[..replaced.read];
    assert_eq!(
        written,
        String::from_utf8_lossy(read).as_bytes(),
        "{}",
        at()
    );
    assert_eq!(replaced.errors, malformed(read).count(), "{}", at());
    // A sequence that may continue after the end is never read.
    let open = src.len() - open_end(src);
    assert!(replaced.read <= open, "{}", at());
    // It goes as far as the copy does, and stops only at the end of a buffer.
    assert!(replaced.read >= fitting, "{}", at());
    if room - replaced.written > 256 {
        // A malformed sequence at the very end may be left to the machine.
        assert!(open - replaced.read <= 3, "{}", at());
    }
}

/// Returns the lengths of the malformed sequences.
fn malformed(src: &[u8]) -> impl Iterator<Item = usize> {
    src.utf8_chunks()
        .map(|chunk| chunk.invalid().len())
        .filter(|len| *len > 0)
}

/// Returns the length of the incomplete sequence at the end of `src`.
fn open_end(src: &[u8]) -> usize {
    let mut rest = src;
    loop {
        match std::str::from_utf8(rest) {
            Ok(_) => return 0,
            Err(error) => {
                let after = &rest[error.valid_up_to()..];
                match error.error_len() {
                    Some(len) => rest = &after[len..],
                    None => return after.len(),
                }
            }
        }
    }
}

#[test]
fn copies_and_replacement_agree_with_std_at_every_length() {
    let mut memory = Guarded::new(8192);
    for table in tables() {
        for len in LENGTHS {
            for seed in 0..24 {
                let bytes = match seed % 4 {
                    0 => hostile::bytes(seed, len),
                    rarity => {
                        hostile::text(seed + 100 * len as u64, len, 20 * (rarity as usize - 1))
                    }
                };
                let src = memory.source(&bytes, Edge::Back(0));
                for room in [0, len / 2, len, 3 * len + 300] {
                    check(table, src, Edge::Back(0), room);
                }
            }
        }
    }
}

#[test]
fn copies_and_replacement_agree_with_std_at_every_alignment() {
    let mut memory = Guarded::new(8192);
    for table in tables() {
        for from in 0..64 {
            for to in [0, 1, 2, 3, 15, 16, 31, 32, 33, 47, 62, 63, from] {
                for (i, len) in [7, 30, 33, 34, 35, 64, 67, 200, 700, 1500]
                    .into_iter()
                    .enumerate()
                {
                    let rarity = [0, 300, 10][(from + i) % 3];
                    let bytes = hostile::text((from * 64 + to) as u64, len, rarity);
                    let src = memory.source(&bytes, Edge::Front(from));
                    check(table, src, Edge::Front(to), 3 * len + 300);
                    check(table, src, Edge::Front(to), len);
                }
            }
        }
    }
}

#[test]
fn errors_are_found_at_every_edge_of_a_block() {
    let mut memory = Guarded::new(8192);
    for table in tables() {
        for character in ["a", "ж", "日", "💩"] {
            for at in 0..300 {
                for bytes in hostile::with_each_error(character, 600, at) {
                    let src = memory.source(&bytes, Edge::Back(0));
                    check(table, src, Edge::Back(0), 3 * src.len() + 300);
                }
            }
        }
    }
}

#[test]
fn errors_are_found_where_ascii_and_other_text_alternate() {
    // Most runs have 1 to 200 bytes, so that they begin and end everywhere in a block. Some are longer than what
    // is tested for ASCII at once.
    let mut text = String::new();
    for run in 0.. {
        let characters = 1 + run * 37 % 67;
        let ascii = 3 * characters + if run % 5 == 1 { 400 } else { 0 };
        text.extend((0..ascii).map(|i| char::from(b' ' + ((i + run) % 90) as u8)));
        text.extend((0..characters).map(|i| ['ж', '日', '💩', 'a'][(i + run / 3) % 4]));
        if text.len() > 6000 {
            break;
        }
    }
    for table in tables() {
        let mut bytes = text.clone().into_bytes();
        for at in 0..bytes.len() {
            let before = bytes[at];
            for byte in [b'a', 0x80, 0xBF, 0xC3, 0xE0, 0xED, 0xF0, 0xFF] {
                bytes[at] = byte;
                let valid = valid_prefix(&bytes);
                let found = (table.utf8_valid_prefix)(&bytes);
                assert_eq!(found, valid, "{} kernel, {byte:X} at {at}", table.name);
            }
            if at % 16 < 3 {
                check(table, &bytes, Edge::Back(0), bytes.len() + 9);
            }
            bytes[at] = before;
        }
    }
}

#[test]
fn bytes_that_stand_alone_in_ascii_are_replaced() {
    let mut memory = Guarded::new(8192);
    for table in tables() {
        for seed in 0..600 {
            let len = 700 + seed as usize % 70;
            let bytes = hostile::damaged_ascii(seed, len, [4, 20, 100, 400][seed as usize % 4]);
            let src = memory.source(&bytes, Edge::Back(0));
            for room in [len, len + 90, 3 * len] {
                check(table, src, Edge::Back(0), room);
            }
        }
    }
}

#[test]
fn long_texts_are_copied_at_any_distance() {
    // The copy keeps a distance from the validation that depends on the addresses.
    let mut memory = Guarded::new(1 << 15);
    for table in tables() {
        for (seed, distance) in (0..4096).step_by(128).enumerate() {
            for rarity in [0, 2000, 100, 3] {
                let bytes = hostile::text(seed as u64, 9000 + seed, rarity);
                let src = memory.source(&bytes, Edge::Front(16));
                check(table, src, Edge::Front(distance), 3 * src.len() + 300);
                check(table, src, Edge::Front(distance), src.len());
            }
        }
    }
}

#[test]
fn whole_texts_are_taken_whole() {
    for table in tables() {
        for len in LENGTHS {
            let mut bytes = "日ж💩a".repeat(len / 10 + 1).into_bytes();
            bytes.truncate(valid_prefix(&bytes[..len]));
            let copied: Vec<u8> = output_at(bytes.len(), Edge::Back(0), |dst| {
                (0, (table.utf8_to_utf8)(&bytes, dst))
            })
            .1;
            assert_eq!(copied, bytes, "{} kernel", table.name);
        }
    }
}
