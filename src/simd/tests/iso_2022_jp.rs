//! Kernels of ISO-2022-JP: every table of kernels, compared with the contract written out character by
//! character, from either state, at the ends of both buffers.

use core::cell::RefCell;
use std::string::String;
use std::vec::Vec;

use super::guard::{Edge, Guarded};
use super::hostile::Random;
use super::{LENGTHS, output_at, tables};
use crate::codec::{iso_2022_jp_cells, iso_2022_jp_index, new_iso_2022_jp_cells};
use crate::simd::JisState;
use crate::simd::kernels::Kernels;
use crate::simd::two_byte::cells::TwoByteCells;
use crate::simd::two_byte::index::TwoByteIndex;

std::thread_local! {
    static SOURCE: RefCell<Guarded> = RefCell::new(Guarded::new(1 << 16));
}

const ESC: u8 = 0x1B;

/// Each escape sequence between ASCII and pairs.
const ESCAPES: [&[u8; 3]; 3] = [b"\x1B(B", b"\x1B$@", b"\x1B$B"];

/// All states that a decoder may start in.
const STATES: [JisState; 5] = [
    JisState {
        pairs: false,
        escape: 0,
    },
    JisState {
        pairs: false,
        escape: b'B',
    },
    JisState {
        pairs: true,
        escape: 0,
    },
    JisState {
        pairs: true,
        escape: b'@',
    },
    JisState {
        pairs: true,
        escape: b'B',
    },
];

/// Sequences that end a run, some of them only at the end of the input, or in one of the states.
const STOPS: [&[u8]; 20] = [
    b"\x80",
    b"\xFF",
    b"\x0E",
    b"\x0F",
    b"\x7F",
    b"\n",
    b" ",
    b"!",
    b"\x1B",
    b"\x1B$",
    b"\x1B(",
    b"\x1B(J",
    b"\x1B(I",
    b"\x1B$(D",
    b"\x1B\x1B(B",
    b"\x1B(B\x1B$B",
    b"\x1B$@\x1B(B",
    b"$\x1B",
    b"/!",
    b"~~",
];

fn is_plain(byte: u8) -> bool {
    byte < 0x80 && !matches!(byte, 0x0E | 0x0F | ESC)
}

/// Returns the units of the characters at the front, as far as there is room, the number of bytes read, and
/// the state after these. `len` says how much room a unit takes.
fn decode(
    index: &TwoByteIndex,
    mut state: JisState,
    src: &[u8],
    room: usize,
    len: impl Fn(u16) -> usize,
) -> (usize, Vec<u16>, JisState) {
    let (mut read, mut units, mut left) = (0, Vec::new(), room);
    loop {
        let (unit, taken) = match src[read..] {
            [ESC, ref after @ ..] => {
                let pairs = match after {
                    [b'(', b'B', ..] => false,
                    [b'$', b'@' | b'B', ..] => true,
                    _ => break,
                };
                if state.escape != 0 {
                    break;
                }
                let escape = after[1];
                state = JisState { pairs, escape };
                read += 3;
                continue;
            }
            [lead @ 0x21..=0x7E, trail @ 0x21..=0x7E, ..] if state.pairs => {
                (index.unit(lead, trail), 2)
            }
            [byte, ..] if !state.pairs && is_plain(byte) => (u16::from(byte), 1),
            _ => break,
        };
        if (unit == 0 && state.pairs) || len(unit) > left {
            break;
        }
        left -= len(unit);
        units.push(unit);
        read += taken;
        state.escape = 0;
    }
    (read, units, state)
}

/// Returns the number of bytes of a unit in UTF-8.
fn utf8_len(unit: u16) -> usize {
    match unit {
        0..0x80 => 1,
        0x80..0x800 => 2,
        _ => 3,
    }
}

/// Compares the kernels to UTF-16 and to UTF-8. The distance of `edge` is in units.
fn check(
    kernels: &Kernels,
    index: &TwoByteIndex,
    state: JisState,
    src: &[u8],
    room: usize,
    edge: Edge,
) {
    let mut after = state;
    let (read, got) = SOURCE.with_borrow_mut(|memory| {
        let src = memory.source(src, edge);
        output_at(room, of_words(edge), |dst| {
            after = state;
            (kernels.iso_2022_jp_to_utf16)(index, &mut after, src, dst)
        })
    });
    assert_eq!(
        (read, got, after),
        decode(index, state, src, room, |_| 1),
        "{} kernel, {state:?}, {edge:?}, room for {room}, {src:X?}",
        kernels.name
    );

    let mut after = state;
    let (read, got) = SOURCE.with_borrow_mut(|memory| {
        let src = memory.source(src, edge);
        output_at(room, edge, |dst| {
            after = state;
            (kernels.iso_2022_jp_to_utf8)(index, &mut after, src, dst)
        })
    });
    let (expected_read, units, expected_after) = decode(index, state, src, room, utf8_len);
    let text = String::from_utf16(&units).expect("no surrogates");
    assert_eq!(
        (read, got, after),
        (expected_read, text.into_bytes(), expected_after),
        "{} kernel to UTF-8, {state:?}, {edge:?}, room for {room}, {src:X?}",
        kernels.name
    );
}

fn of_words(edge: Edge) -> Edge {
    match edge {
        Edge::Front(distance) => Edge::Front(2 * distance),
        Edge::Back(distance) => Edge::Back(2 * distance),
    }
}

/// Returns the pairs of the index: those whose unit has two bytes in UTF-8, and the others.
fn pairs(index: &TwoByteIndex) -> [Vec<[u8; 2]>; 2] {
    let (mut short, mut long) = (Vec::new(), Vec::new());
    for lead in 0x21..=0x7E {
        for trail in 0x21..=0x7E {
            match index.unit(lead, trail) {
                0 => {}
                1..0x800 => short.push([lead, trail]),
                _ => long.push([lead, trail]),
            }
        }
    }
    [short, long]
}

/// Returns `len` bytes: runs of one to `longest` characters of either kind with escape sequences between
/// them. The first run has the kind of `state`, or an escape sequence before it. The last character or
/// sequence may be cut.
fn text(index: &TwoByteIndex, seed: usize, len: usize, longest: usize, mut pairs: bool) -> Vec<u8> {
    let mut random = Random::new((seed * 1_000_000 + len * 100 + longest) as u64);
    let kinds = self::pairs(index);
    let mut text = Vec::new();
    let mut run = random.below(longest + 1);
    while text.len() < len {
        for _ in 0..run {
            if pairs {
                let kind = &kinds[usize::from(random.below(8) > 0)];
                text.extend(kind[random.below(kind.len())]);
            } else {
                let byte = random.below(0x80) as u8;
                text.push(if is_plain(byte) { byte } else { b' ' });
            }
        }
        let escape = ESCAPES[random.below(3)];
        text.extend(escape);
        pairs = escape[1] == b'$';
        run = 1 + random.below(longest);
    }
    text.truncate(len);
    text
}

/// Returns the index, with its flat table built.
fn index() -> &'static TwoByteIndex {
    let index = iso_2022_jp_index();
    index.flat(1 << 20).expect("after so much input");
    index
}

#[test]
fn iso_2022_jp_kernels_decode_every_length_from_every_state() {
    let index = index();
    for len in LENGTHS {
        for (i, state) in STATES.into_iter().enumerate() {
            let longest = [3, 20, 90][(len + i) % 3];
            let src = text(index, i, len, longest, state.pairs);
            for kernels in tables() {
                check(kernels, index, state, &src, 3 * len, Edge::Back(len % 64));
                check(kernels, index, state, &src, 3 * len, Edge::Front(len % 64));
            }
        }
    }
}

#[test]
fn iso_2022_jp_kernels_decode_long_texts() {
    let index = index();
    for (i, longest) in [1, 2, 5, 30, 300, 3000].into_iter().enumerate() {
        for state in STATES {
            let src = text(index, i, 5000 + i, longest, state.pairs);
            for kernels in tables() {
                for room in [5000, 15000] {
                    check(kernels, index, state, &src, room, Edge::Back(0));
                }
            }
        }
    }
}

#[test]
fn iso_2022_jp_kernels_decode_into_any_room() {
    let index = index();
    for (i, state) in STATES.into_iter().enumerate() {
        for longest in [2, 9, 60] {
            let src = text(index, i, 200, longest, state.pairs);
            let (_, units, _) = decode(index, state, &src, 600, utf8_len);
            let bytes: usize = units.iter().map(|&unit| utf8_len(unit)).sum();
            for whole in [40, units.len(), bytes] {
                for room in whole.saturating_sub(40)..=whole + 40 {
                    for kernels in tables() {
                        check(kernels, index, state, &src, room, Edge::Back(0));
                        check(kernels, index, state, &src, room, Edge::Front(0));
                    }
                }
            }
        }
    }
}

#[test]
fn iso_2022_jp_kernels_stop_before_whatever_is_no_character() {
    let index = index();
    assert_eq!(index.unit(b'/', b'!'), 0);
    assert_eq!(index.unit(b'~', b'~'), 0);
    for (i, state) in STATES.into_iter().enumerate() {
        for longest in [4, 40, 200] {
            let src = text(index, i, 120, longest, state.pairs);
            for stop in STOPS {
                for at in (0..=120).step_by(3) {
                    let (front, back) = src.split_at(at);
                    let stopped = [front, stop, back].concat();
                    for kernels in tables() {
                        check(kernels, index, state, &stopped, 400, Edge::Back(0));
                        // It is the last of the text.
                        let cut = &stopped[..at + stop.len()];
                        check(kernels, index, state, cut, 400, Edge::Back(0));
                    }
                }
            }
        }
    }
}

#[test]
fn iso_2022_jp_kernels_decode_every_pair() {
    let index = index();
    let state = JisState {
        pairs: true,
        escape: 0,
    };
    for kernels in tables() {
        for lead in 0..=0xFF {
            let row: Vec<u8> = (0..=0xFF_u8).flat_map(|trail| [lead, trail]).collect();
            // From every pair up to the first one that has no character.
            let mut at = 0;
            while at < row.len() {
                let src = &row[at..];
                check(kernels, index, state, src, 600, Edge::Back(0));
                let (read, ..) = decode(index, state, src, 600, |_| 1);
                at += (read & !1).max(2);
            }
        }
    }
}

#[test]
fn iso_2022_jp_kernels_need_no_flat_table_to_decode() {
    let built = iso_2022_jp_index();
    for (i, state) in STATES.into_iter().enumerate() {
        for len in (0..300).step_by(13).chain([2000]) {
            let src = text(built, i, len, 20, state.pairs);
            for kernels in tables() {
                // Too little text for a flat table to be built.
                let (leads, katakana) = (built.leads, built.katakana);
                let index = TwoByteIndex::new(built.units, leads, leads, katakana);
                check(kernels, &index, state, &src, 3 * len, Edge::Back(0));
                check(kernels, &index, state, &src, len, Edge::Front(0));
                assert!(index.flat(0).is_none());
            }
        }
    }
}

/// Returns the bytes of the units at the front, as far as there is room, the number of units read, and
/// whether pairs come after these.
fn encode(
    cells: &TwoByteCells,
    mut pairs: bool,
    src: &[u16],
    room: usize,
) -> (usize, Vec<u8>, bool) {
    let (mut read, mut bytes) = (0, Vec::new());
    for &unit in src {
        let character = match (unit, cells.get(unit).to_be_bytes()) {
            (0..0x80, _) if is_plain(unit as u8) => [unit as u8].to_vec(),
            (0..0x80, _) | (_, [0, 0]) => break,
            (_, pair) => pair.to_vec(),
        };
        let escape: &[u8] = match (pairs, unit >= 0x80) {
            (false, true) => b"\x1B$B",
            (true, false) => b"\x1B(B",
            _ => b"",
        };
        if bytes.len() + escape.len() + character.len() > room {
            break;
        }
        bytes.extend_from_slice(escape);
        bytes.extend(character);
        pairs = unit >= 0x80;
        read += 1;
    }
    (read, bytes, pairs)
}

/// Compares the kernels from UTF-16 and, if there are no lone surrogates, from UTF-8. The distance of `edge`
/// is in units.
fn check_encode(
    kernels: &Kernels,
    cells: &TwoByteCells,
    pairs: bool,
    src: &[u16],
    room: usize,
    edge: Edge,
) {
    let (units, bytes, expected_after) = encode(cells, pairs, src, room);
    let mut after = pairs;
    let (read, got) = SOURCE.with_borrow_mut(|memory| {
        let src = memory.source(src, of_words(edge));
        output_at(room, edge, |dst| {
            after = pairs;
            (kernels.utf16_to_iso_2022_jp)(cells, &mut after, src, dst)
        })
    });
    assert_eq!(
        (read, &got, after),
        (units, &bytes, expected_after),
        "{} kernel, pairs: {pairs}, {edge:?}, room for {room}, {src:X?}",
        kernels.name
    );

    let Ok(text) = String::from_utf16(src) else {
        return;
    };
    let mut after = pairs;
    let (read, got) = SOURCE.with_borrow_mut(|memory| {
        let src = memory.source(text.as_bytes(), edge);
        output_at(room, edge, |dst| {
            after = pairs;
            (kernels.utf8_to_iso_2022_jp)(cells, &mut after, src, dst)
        })
    });
    let expected_read: usize = src[..units].iter().map(|&unit| utf8_len(unit)).sum();
    assert_eq!(
        (read, got, after),
        (expected_read, bytes, expected_after),
        "{} kernel from UTF-8, pairs: {pairs}, {edge:?}, room for {room}, {text:?}",
        kernels.name
    );
}

/// Returns the units that have pairs: those of two bytes in UTF-8, and the others.
fn mapped(cells: &TwoByteCells) -> [Vec<u16>; 2] {
    (0x80..=0xFFFF)
        .filter(|&unit| cells.get(unit) != 0)
        .partition::<Vec<u16>, _>(|&unit| unit < 0x800)
        .into()
}

/// Returns `len` units: runs of one to `longest` units, alternately ASCII and others.
fn unit_text(kinds: &[Vec<u16>; 2], seed: usize, len: usize, longest: usize) -> Vec<u16> {
    let mut random = Random::new((seed * 1_000_000 + len * 100 + longest) as u64);
    let mut ascii = random.below(2) == 0;
    let mut text = Vec::new();
    while text.len() < len {
        for _ in 0..=random.below(longest) {
            text.push(if ascii {
                let byte = random.below(0x80) as u8;
                u16::from(if is_plain(byte) { byte } else { b'~' })
            } else {
                let kind = &kinds[usize::from(random.below(8) > 0)];
                kind[random.below(kind.len())]
            });
        }
        ascii = !ascii;
    }
    text.truncate(len);
    text
}

/// Returns the cells, with their flat table built.
fn cells() -> &'static TwoByteCells {
    let cells = iso_2022_jp_cells();
    cells.flat(1 << 20).expect("after so much input");
    cells
}

#[test]
fn iso_2022_jp_kernels_encode_every_length_from_either_state() {
    let cells = cells();
    let mapped = mapped(cells);
    for len in LENGTHS.chain([5000]) {
        for (i, longest) in [1, 3, 20, 90].into_iter().enumerate() {
            let src = unit_text(&mapped, i, len, longest);
            for kernels in tables() {
                for pairs in [false, true] {
                    let distance = len % 64;
                    let room = 5 * len;
                    check_encode(kernels, cells, pairs, &src, room, Edge::Back(distance));
                    check_encode(kernels, cells, pairs, &src, room, Edge::Front(distance));
                }
            }
        }
    }
}

#[test]
fn iso_2022_jp_kernels_encode_into_any_room() {
    let cells = cells();
    let mapped = mapped(cells);
    for longest in [1, 3, 9, 60] {
        let src = unit_text(&mapped, 0, 150, longest);
        for pairs in [false, true] {
            let all = encode(cells, pairs, &src, 1000).1.len();
            for room in (0..=80).chain(all - 40..=all + 40) {
                for kernels in tables() {
                    check_encode(kernels, cells, pairs, &src, room, Edge::Back(0));
                    check_encode(kernels, cells, pairs, &src, room, Edge::Front(0));
                }
            }
        }
    }
}

#[test]
fn iso_2022_jp_kernels_stop_before_whatever_has_no_bytes() {
    let cells = cells();
    let mapped = mapped(cells);
    let stops: [&[u16]; 14] = [
        &[0x1B],
        &[0x0E],
        &[0x0F],
        &[0x80],
        &[0xA5],
        &[0x203E],
        // Other characters are encoded in place of these.
        &[0x2212],
        &[0xFF61],
        &[0xAC00],
        &[0xFFFF],
        &[0xD83D, 0xDCA9],
        &[0xD800],
        &[0xDBFF, 0x41],
        &[0xDFFF],
    ];
    for longest in [4, 40, 200] {
        let src = unit_text(&mapped, 1, 120, longest);
        for stop in stops {
            for at in (0..=120).step_by(3) {
                let (front, back) = src.split_at(at);
                let stopped = [front, stop, back].concat();
                for kernels in tables() {
                    for pairs in [false, true] {
                        check_encode(kernels, cells, pairs, &stopped, 700, Edge::Back(0));
                        let cut = &stopped[..at + stop.len()];
                        check_encode(kernels, cells, pairs, cut, 700, Edge::Back(0));
                    }
                }
                assert!(encode(cells, false, &stopped, 700).0 == at);
            }
        }
    }
}

#[test]
fn iso_2022_jp_kernels_encode_every_unit() {
    let cells = cells();
    let mapped = mapped(cells);
    for kernels in tables() {
        for pairs in [false, true] {
            let src = mapped.concat();
            check_encode(kernels, cells, pairs, &src, 1 << 15, Edge::Front(0));
            for unit in 0..=0xFFFF {
                let src = [0x3042, unit, 0x41];
                let mut after = pairs;
                let (read, got) = output_at(11, Edge::Back(0), |dst| {
                    after = pairs;
                    (kernels.utf16_to_iso_2022_jp)(cells, &mut after, &src, dst)
                });
                let expected = encode(cells, pairs, &src, 11);
                assert_eq!((read, got, after), expected, "{} {src:X?}", kernels.name);
            }
        }
    }
}

#[test]
fn iso_2022_jp_kernels_need_no_flat_table_to_encode() {
    let mapped = mapped(iso_2022_jp_cells());
    for len in (0..300).step_by(7).chain([2000]) {
        let src = unit_text(&mapped, 2, len, 20);
        for kernels in tables() {
            for pairs in [false, true] {
                // Too little text for a flat table to be built.
                let cells = new_iso_2022_jp_cells();
                check_encode(kernels, &cells, pairs, &src, 5 * len, Edge::Back(0));
                check_encode(kernels, &cells, pairs, &src, len, Edge::Front(0));
                assert!(cells.flat(0).is_none());
            }
        }
    }
}

#[test]
fn flat_tables_of_iso_2022_jp_have_what_the_others_have() {
    let (index, cells) = (index(), cells());
    let flat = index.flat(0).expect("it is there");
    for pair in 0..=u16::MAX {
        let [lead, trail] = pair.to_le_bytes();
        let expected = index.unit(lead, trail);
        assert_eq!(flat[usize::from(pair)], expected, "{lead:02X} {trail:02X}");
    }
    let flat = cells.flat(0).expect("it is there");
    for unit in 0..=u16::MAX {
        let bytes = flat[usize::from(unit)].swap_bytes();
        assert_eq!(bytes, cells.get(unit), "{unit:04X}");
    }
}
