//! `simdtext::unicode`: every pair of forms, strict and lossy, with every output size, compared with a model
//! that uses `std`.

mod ascii;
mod buffers;
mod inputs;
mod lengths;
mod model;
mod pairs;
mod short;
mod trim;

use model::Form;
use pairs::{Done, PAIRS, Pair};
use proptest::prelude::*;
use simdtext::unicode::Stop;

/// Checks one conversion of `src` into room for `room` units against the model.
fn check(pair: &Pair, src: &[u8], room: usize, lossy: bool) {
    let run = if lossy { pair.lossy } else { pair.strict };
    let expected = model::convert(pair.from, pair.to, src, room, lossy);
    let done = run(src, room);
    assert!(
        done == expected,
        "{:?} to {:?}, lossy: {lossy}, room {room}, {src:02X?}: {done:02X?}, not {expected:02X?}",
        pair.from,
        pair.to,
    );
}

/// Checks every pair from `form`, with every output size that makes a difference, or with a few.
fn check_all(form: Form, src: &[u8], rooms: impl Fn(usize) -> Vec<usize>) {
    for pair in PAIRS.iter().filter(|pair| pair.from == form) {
        for lossy in [false, true] {
            let all = model::convert(form, pair.to, src, usize::MAX, lossy);
            for room in rooms(all.written.len() / pair.to.unit()) {
                check(pair, src, room, lossy);
            }
        }
    }
}

fn every_size(len: usize) -> Vec<usize> {
    (0..=len + 3).collect()
}

fn some_sizes(len: usize) -> Vec<usize> {
    vec![0, len / 3, len.saturating_sub(1), len, len + 1, len + 70]
}

#[test]
fn every_output_size() {
    for form in Form::ALL {
        for src in inputs::short(form) {
            check_all(form, &src, every_size);
        }
    }
}

#[test]
fn every_length_with_one_odd_character() {
    for form in Form::ALL {
        for src in inputs::with_one_odd_character(form) {
            check_all(form, &src, some_sizes);
        }
    }
}

#[test]
fn long_text_of_every_script() {
    for form in Form::ALL {
        for src in inputs::long(form) {
            check_all(form, &src, |len| {
                vec![len / 2, len.saturating_sub(1), len, 2 * len]
            });
        }
    }
}

#[test]
fn empty_input_is_finished_even_without_room() {
    for pair in &PAIRS {
        let done = (pair.strict)(&[], 0);
        assert_eq!((done.stop, done.read), (Stop::InputEmpty, 0));
    }
}

#[test]
fn an_error_is_found_even_without_room() {
    for form in Form::ALL.into_iter().filter(|form| *form != Form::Latin1) {
        let src = form.encode("é");
        let src = [src, form.malformed()].concat();
        for pair in PAIRS.iter().filter(|pair| pair.from == form) {
            let room = (pair.strict)(&form.encode("é"), 8).written.len() / pair.to.unit();
            let done = (pair.strict)(&src, room);
            assert!(
                matches!(done.stop, Stop::Malformed { .. }),
                "{:?}",
                pair.from
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_bytes(src in prop::collection::vec(inputs::hostile_byte(), 0..150), room in 0_usize..200) {
        for form in Form::ALL {
            let src = &src[..src.len() / form.unit() * form.unit()];
            for pair in PAIRS.iter().filter(|pair| pair.from == form) {
                check(pair, src, room, false);
                check(pair, src, room, true);
            }
        }
    }

    #[test]
    fn any_text(text in "[ -~éß€дж日本한💩𐍈]{0,120}", room in 0_usize..300) {
        for form in Form::ALL {
            let src = form.encode(&text);
            for pair in PAIRS.iter().filter(|pair| pair.from == form) {
                check(pair, &src, room, false);
                check(pair, &src, room, true);
            }
        }
    }

    #[test]
    fn in_pieces(text in "[ -~éß€дж日本한💩𐍈]{0,60}", room in 4_usize..20) {
        for pair in PAIRS.iter().filter(|pair| pair.to != Form::Latin1) {
            let src = pair.from.encode(&text);
            let (mut rest, mut out) = (&src[..], Vec::new());
            loop {
                let Done { stop, read, written, .. } = (pair.strict)(rest, room);
                rest = &rest[read * pair.from.unit()..];
                out.extend(written);
                if stop != Stop::OutputFull {
                    break;
                }
            }
            let text = pair.from.lossless(&text);
            prop_assert_eq!(out, pair.to.encode(&text));
        }
    }
}
