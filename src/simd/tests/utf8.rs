//! Kernels that read ASCII and UTF-8.

use core::mem::MaybeUninit;
use std::vec;
use std::vec::Vec;

use super::guard::{Edge, Guarded};
use super::{LENGTHS, inputs, output, output_at, rooms, tables};
use crate::simd::kernels::Kernels;
use crate::simd::scalar::table::SCALAR;

#[test]
fn scalar_kernels_agree_with_std() {
    for src in inputs() {
        let ascii = src.iter().take_while(|byte| byte.is_ascii()).count();
        assert_eq!((SCALAR.ascii_prefix)(&src), ascii, "{src:X?}");
        let valid = std::str::from_utf8(&src).map_or_else(|e| e.valid_up_to(), str::len);
        assert_eq!((SCALAR.utf8_valid_prefix)(&src), valid, "{src:X?}");
        let text = std::str::from_utf8(&src[..valid]).unwrap();
        let units: Vec<u16> = text.encode_utf16().collect();
        let converted = output(src.len(), |dst| (SCALAR.utf8_to_utf16)(&src, dst));
        assert_eq!(converted, (valid, units), "{src:X?}");
        let (_, copied) = output(src.len(), |dst| (0, (SCALAR.ascii_to_utf8)(&src, dst)));
        assert_eq!(copied, &src[..ascii]);
        let (_, widened) = output(src.len(), |dst| (0, (SCALAR.ascii_to_utf16)(&src, dst)));
        assert!(
            widened
                .iter()
                .copied()
                .eq(src[..ascii].iter().map(|byte| u16::from(*byte)))
        );
    }
}

#[test]
fn byte_kernels_agree_with_scalar() {
    for table in tables() {
        for src in inputs() {
            let at = || std::format!("{} kernel, {} bytes, {src:X?}", table.name, src.len());
            assert_eq!(
                (table.ascii_prefix)(&src),
                (SCALAR.ascii_prefix)(&src),
                "{}",
                at()
            );
            assert_eq!(
                (table.utf8_valid_prefix)(&src),
                (SCALAR.utf8_valid_prefix)(&src),
                "{}",
                at()
            );
            for room in rooms(src.len()) {
                let of = |table: &Kernels| {
                    (
                        output(room, |dst| (0, (table.ascii_to_utf8)(&src, dst))),
                        output(room, |dst| (0, (table.ascii_to_utf16)(&src, dst))),
                        output(room, |dst| (table.utf8_to_utf16)(&src, dst)),
                    )
                };
                assert_eq!(of(table), of(&SCALAR), "room {room}, {}", at());
            }
        }
    }
}

#[test]
fn an_error_anywhere_between_ascii_and_other_text_is_found() {
    const PARTS: [&str; 7] = [
        "Привет, ",
        "<p class=\"x\">abcdefghijklmnop</p>",
        "日本語",
        "plain text that is long enough for a vector or two of bytes",
        "é",
        "\u{1F600}",
        " x",
    ];
    // After a run of ASCII, kernels expect more of them.
    let parts = PARTS.concat();
    let mut text = [parts.clone(), "x".repeat(600), parts.repeat(20)]
        .concat()
        .into_bytes();
    let mut dst = vec![MaybeUninit::new(0); text.len()];
    for at in 0..text.len() {
        let kept = text[at];
        for byte in [b'a', 0x80, 0xC3, 0xE3, 0xF0, 0xFF] {
            text[at] = byte;
            let valid = str::from_utf8(&text).map_or_else(|error| error.valid_up_to(), str::len);
            for table in tables() {
                let found = (table.utf8_valid_prefix)(&text);
                assert_eq!(found, valid, "{} kernel, {byte:X} at {at}", table.name);
                let copied = (table.utf8_to_utf8)(&text, &mut dst);
                assert_eq!(copied, valid, "{} copy, {byte:X} at {at}", table.name);
            }
        }
        text[at] = kept;
    }
}

#[test]
fn errors_are_found_wherever_the_kind_of_text_changes() {
    // Kernels find the vectors that are not ASCII in one stretch before they examine those of the stretch before.
    const MIXED: &str = "<p class=\"x\">Привет, мир! 日本語 and some plain text</p>\u{1F600} é";
    const KINDS: [fn(usize) -> String; 3] = [
        |len| MIXED.repeat(len / MIXED.len()),
        |len| "x".repeat(len),
        |len| "жé日\u{1F600}".repeat(len / 11),
    ];
    let mut text = String::new();
    for (run, &len) in [2300, 5000, 700, 4500, 2100, 2048].iter().enumerate() {
        text += &KINDS[run % 3](len);
        text += MIXED;
        text += &KINDS[(run + 2) % 3](len + 33);
    }
    let mut text = text.into_bytes();
    let mut dst = vec![MaybeUninit::new(0); text.len()];
    // Around the edges of vectors, which may be aligned.
    for at in (0..text.len()).filter(|at| matches!(at % 16, 0..=2 | 15)) {
        let kept = text[at];
        for byte in [0x80, 0xE3] {
            text[at] = byte;
            let valid = str::from_utf8(&text).map_or_else(|error| error.valid_up_to(), str::len);
            for table in tables() {
                let found = (table.utf8_valid_prefix)(&text);
                assert_eq!(found, valid, "{} kernel, {byte:X} at {at}", table.name);
                let copied = (table.utf8_to_utf8)(&text, &mut dst);
                assert_eq!(copied, valid, "{} copy, {byte:X} at {at}", table.name);
            }
        }
        text[at] = kept;
    }
}

#[test]
fn byte_kernels_stay_inside_their_buffers() {
    let mut memory = Guarded::new(4096);
    for table in tables() {
        for len in LENGTHS {
            for (i, edge) in (0..64).map(Edge::Front).chain([Edge::Back(0)]).enumerate() {
                let mut bytes = std::vec![b'a'; len];
                if let Some(last) = bytes.last_mut().filter(|_| i % 2 == 0) {
                    *last = 0x80;
                }
                let ascii = len - usize::from(i % 2 == 0 && len > 0);
                let src = memory.source(&bytes, edge);
                let at = || std::format!("{} kernel, {len} bytes, {edge:?}", table.name);
                assert_eq!((table.ascii_prefix)(src), ascii, "{}", at());
                assert_eq!((table.unshifted_prefix)(src), ascii, "{}", at());
                assert_eq!((table.textual_prefix)(src), len, "{}", at());
                assert_eq!((table.utf8_valid_prefix)(src), ascii, "{}", at());
                let copied = output_at(len, edge, |dst| (0, (table.ascii_to_utf8)(src, dst))).1;
                assert_eq!(copied, src[..ascii], "{}", at());
            }
        }
    }
}

#[test]
fn textual_prefix_stops_at_control_characters() {
    let is_text = |byte: u8| byte >= 0x20 || matches!(byte, 0x07..=0x0F | 0x1B);
    for table in tables() {
        for len in LENGTHS {
            let mut text = (0..=0xFF).filter(|byte| is_text(*byte)).cycle();
            let src: Vec<u8> = text.by_ref().take(len).collect();
            assert_eq!((table.textual_prefix)(&src), len, "{} kernel", table.name);
            for at in 0..len {
                for stop in (0..0x20).filter(|byte| !is_text(*byte)) {
                    let mut src = src.clone();
                    src[at] = stop;
                    assert_eq!((table.textual_prefix)(&src), at, "{} kernel", table.name);
                }
            }
        }
    }
}

#[test]
fn unshifted_prefix_stops_at_shifts() {
    for table in tables() {
        for len in LENGTHS {
            let ascii: Vec<u8> = (0..len).map(|i| b' ' + (i * 7 % 90) as u8).collect();
            assert_eq!(
                (table.unshifted_prefix)(&ascii),
                len,
                "{} kernel",
                table.name
            );
            for at in 0..len {
                let mut src = ascii.clone();
                src[at] = [0x1B, 0x0E, 0x0F, 0x80, 0xFF][at % 5];
                assert_eq!((table.unshifted_prefix)(&src), at, "{} kernel", table.name);
            }
        }
    }
}
