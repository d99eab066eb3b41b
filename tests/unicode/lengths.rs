//! Validation, lengths, counts and the byte swap.

use proptest::prelude::*;
use simdtext::unicode::*;

use crate::inputs;
use crate::model::{Form, units};

/// The text of `src`, whose items are `Some`, in `form`, in units of `form`.
fn len(chars: &[char], form: Form) -> usize {
    let text: String = chars.iter().collect();
    form.encode(&text).len() / form.unit().max(1)
}

fn check(form: Form, src: &[u8]) {
    let items = form.items(src);
    let bad = items.iter().position(|(ch, _)| ch.is_none());
    let offset = |count: usize| items[..count].iter().map(|item| item.1).sum::<usize>();
    let expected = match bad {
        Some(at) => Err(Invalid {
            offset: offset(at) / form.unit(),
            len: items[at].1 / form.unit(),
        }),
        None => Ok(()),
    };
    let valid = match form {
        Form::Utf8 => {
            let text = from_utf8(src);
            assert_eq!(text.ok(), std::str::from_utf8(src).ok());
            assert_eq!(text.err(), validate_utf8(src).err());
            validate_utf8(src)
        }
        Form::Utf16 => validate_utf16(&units(src)),
        Form::Utf16Le => validate_utf16le(src),
        Form::Utf16Be => validate_utf16be(src),
        Form::Utf32 => validate_utf32(&units(src)),
        Form::Latin1 => expected,
    };
    assert_eq!(valid, expected, "{form:?} {src:02X?}");
    if bad.is_some() {
        return;
    }
    let chars: Vec<char> = items.iter().filter_map(|item| item.0).collect();
    let (utf8, utf16) = (len(&chars, Form::Utf8), len(&chars, Form::Utf16));
    let scalars = chars.len();
    let at = || format!("{form:?} {src:02X?}");
    match form {
        Form::Utf8 => {
            assert_eq!(utf16_len_from_utf8(src), utf16, "{}", at());
            assert_eq!(count_scalars_utf8(src), scalars, "{}", at());
        }
        Form::Utf16 => {
            assert_eq!(utf8_len_from_utf16(&units(src)), utf8, "{}", at());
            assert_eq!(count_scalars_utf16(&units(src)), scalars, "{}", at());
        }
        Form::Utf16Le => {
            assert_eq!(utf8_len_from_utf16le(src), utf8, "{}", at());
            assert_eq!(count_scalars_utf16le(src), scalars, "{}", at());
        }
        Form::Utf16Be => {
            assert_eq!(utf8_len_from_utf16be(src), utf8, "{}", at());
            assert_eq!(count_scalars_utf16be(src), scalars, "{}", at());
        }
        Form::Utf32 => {
            assert_eq!(utf8_len_from_utf32(&units(src)), utf8, "{}", at());
            assert_eq!(utf16_len_from_utf32(&units(src)), utf16, "{}", at());
        }
        Form::Latin1 => {
            assert_eq!(utf8_len_from_latin1(src), utf8, "{}", at());
            assert_eq!(utf16_len_from_latin1(src), utf16, "{}", at());
        }
    }
}

#[test]
fn lengths_and_validity() {
    for form in Form::ALL {
        let all = [
            inputs::short(form),
            inputs::with_one_odd_character(form),
            inputs::long(form),
        ];
        for src in all.iter().flatten() {
            check(form, src);
        }
    }
}

#[test]
fn line_ends() {
    let plainly = |text: &[u8]| {
        let is_end =
            |i: &usize| text[*i] == b'\r' || text[*i] == b'\n' && !text[..*i].ends_with(b"\r");
        (0..text.len()).filter(is_end).count()
    };
    // All short texts, by themselves and across the lanes and sums of kernels.
    for len in 0..7_u32 {
        for case in 0..3_usize.pow(len) {
            let text: Vec<u8> = (0..len)
                .map(|i| b"\r\nx"[case / 3_usize.pow(i) % 3])
                .collect();
            assert_eq!(count_line_ends_utf8(&text), plainly(&text), "{text:?}");
            let long = [&vec![b'x'; case % 70], &text.repeat(3 + case % 90)[..]].concat();
            assert_eq!(
                count_line_ends_utf8(&long),
                plainly(&long),
                "{text:?} repeated"
            );
        }
    }
    // More in a row than a byte can count.
    for unit in [&b"\n"[..], b"\r", b"\r\n", b"\n\r", b"ab\r\n"] {
        let text = unit.repeat(50_000);
        assert_eq!(count_line_ends_utf8(&text), plainly(&text), "{unit:?}");
    }
}

#[test]
fn counts_of_malformed_text() {
    assert_eq!(utf16_len_from_utf8(b"\xF0\x80\xE4\xFF"), 5);
    assert_eq!(count_scalars_utf8(b"\xF0\x80\xE4\xFF"), 3);
    assert_eq!(utf8_len_from_utf16(&[0xD800, 0x41]), 4);
    assert_eq!(count_scalars_utf16(&[0xDC00, 0xD800, 0x41]), 3);
    assert_eq!(count_scalars_utf16(&[0x41, 0xD800]), 2);
    // At an even and at an odd address.
    for start in [0, 1] {
        let mut buf = [0_u16; 3];
        let mut check = |bytes: [u8; 4]| {
            let all: &mut [u8] = bytemuck::cast_slice_mut(&mut buf);
            let here = &mut all[start..start + 4];
            here.copy_from_slice(&bytes);
            let (len, scalars) = if bytes[0] == 0 {
                (utf8_len_from_utf16be(here), count_scalars_utf16be(here))
            } else {
                (utf8_len_from_utf16le(here), count_scalars_utf16le(here))
            };
            assert_eq!((len, scalars), (4, 2), "{bytes:02X?}");
        };
        check(*b"A\0\0\xD8");
        check(*b"\0A\xD8\0");
    }
    assert_eq!(utf8_len_from_utf32(&[0xD800, u32::MAX]), 7);
    assert_eq!(utf16_len_from_utf32(&[0xD800, u32::MAX]), 3);
}

proptest! {
    #[test]
    fn validity_of_any_bytes(src in prop::collection::vec(inputs::hostile_byte(), 0..150)) {
        for form in Form::ALL {
            check(form, &src[..src.len() / form.unit() * form.unit()]);
        }
    }

    #[test]
    fn swapping(src in prop::collection::vec(any::<u16>(), 0..200), room in 0_usize..220) {
        let mut dst = vec![0; room];
        let done = swap_utf16(&src, &mut dst);
        prop_assert_eq!(done, src.len().min(room));
        for (to, from) in dst.iter().zip(&src) {
            prop_assert_eq!(*to, from.swap_bytes());
        }
    }
}
