//! Every scalar value through every encoder, from UTF-8 and from UTF-16, and every lone surrogate.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use simdtext::{Encoding, Status, Unmappable};

use crate::harness::{Encoded, Text, encode, expect_encoded};
use crate::spec::events;
use crate::spec::instances::Encoder;
use crate::{hex, peer};

const POLICIES: [Unmappable; 8] = [
    Unmappable::Strict,
    Unmappable::Ncr,
    Unmappable::Skip,
    Unmappable::Replace('?'),
    Unmappable::Replace('\u{A5}'),
    Unmappable::Replace('\u{5B57}'),
    Unmappable::Replace('\u{1F4A9}'),
    Unmappable::Replace('\u{1B}'),
];

/// Runs `check` on every encoding that has an encoder, on as many threads as there are cores.
fn on_every_encoding(check: impl Fn(&'static Encoding) + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(encoding) = Encoding::all().get(next.fetch_add(1, Ordering::Relaxed)) {
            if encoding.encoder().is_some() {
                check(encoding);
            }
        }
    };
    // WebAssembly has only this thread.
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 1..cores {
            scope.spawn(work);
        }
        work();
    });
}

/// All scalar values in order, in runs of `len`.
fn runs(len: usize) -> impl Iterator<Item = String> {
    let mut all = '\0'..=char::MAX;
    std::iter::from_fn(move || {
        let run: String = all.by_ref().take(len).collect();
        (!run.is_empty()).then_some(run)
    })
}

/// From UTF-8 and from UTF-16. The oracle runs once for both.
fn check(encoding: &'static Encoding, text: &str, policies: &[Unmappable]) {
    let oracle = Encoder::new(encoding.name()).expect("as the library");
    let mut encoder = encoding.encoder().expect("the caller asked");
    let units: Vec<u16> = text.encode_utf16().collect();
    let (_, places) = text.scalar_values();
    let (_, unit_places) = units.scalar_values();
    for &policy in policies {
        let mut expected = expect_encoded(&oracle, text, policy);
        compare(&mut encoder, text, policy, &expected);
        for (_, offset) in &mut expected.unmappable {
            let i = places.binary_search(&usize::try_from(*offset).expect("a short text"));
            *offset = unit_places[i.expect("where a character starts")] as u64;
        }
        compare(&mut encoder, &units[..], policy, &expected);
    }
}

fn compare<T: Text + ?Sized>(
    encoder: &mut simdtext::Encoder,
    text: &T,
    policy: Unmappable,
    expected: &Encoded,
) {
    encoder.reset();
    let got = encode(encoder, text, &[], 720, policy);
    if got == *expected {
        return;
    }
    // There is a difference: say where first.
    let byte = got
        .bytes
        .iter()
        .zip(&expected.bytes)
        .position(|(got, expected)| got != expected);
    let report = got
        .unmappable
        .iter()
        .zip(&expected.unmappable)
        .find(|(got, expected)| got != expected);
    panic!(
        "{} {policy:?}, {:?}: bytes differ at {byte:?}, errors {} for {}, reports differ at \
         {report:?}\nexpected {}\ngot      {}",
        encoder.encoding(),
        text.scalar_values().0,
        got.errors,
        expected.errors,
        hex(&expected.bytes),
        hex(&got.bytes),
    );
}

/// Each by itself, with a fresh encoder.
#[test]
fn every_scalar_value_alone() {
    on_every_encoding(|encoding| {
        let oracle = Encoder::new(encoding.name()).expect("as the library");
        let mut encoder = encoding.encoder().expect("the caller asked");
        let mut dst = [0; 16];
        let mut utf8 = [0; 4];
        for c in '\0'..=char::MAX {
            let expected = events::encode(oracle.clone(), &[c], events::Policy::Stop);
            let status = match expected.unmappable[..] {
                [] => Status::InputEmpty,
                [(ch, _)] => Status::Unmappable { ch, offset: 0 },
                [..] => panic!("one character, one error"),
            };
            let src = c.encode_utf8(&mut utf8);
            encoder.reset();
            let progress = encoder.encode_from_utf8(src, &mut dst, true, Unmappable::Strict);
            let written = &dst[..progress.written];
            let errors = expected.unmappable.len();
            assert_eq!(
                (written, progress.errors, progress.status),
                (&*expected.bytes, errors, status),
                "{encoding}: U+{:04X}",
                u32::from(c)
            );
        }
    });
}

/// Runs of 60, so that each call meets both mappable and unmappable characters.
#[test]
fn every_scalar_value_in_runs() {
    on_every_encoding(|encoding| {
        for text in runs(60) {
            check(encoding, &text, &POLICIES[..2]);
        }
    });
}

/// Each between two others, so that ISO-2022-JP's encoder meets it in each of its states.
#[test]
fn policies_for_unmappable_characters() {
    on_every_encoding(|encoding| {
        let step = if encoding.name() == "ISO-2022-JP" {
            1
        } else {
            13
        };
        for c in ('\0'..='\u{FFFF}').step_by(step) {
            for before in ['a', '\u{A5}', '\u{5B57}'] {
                check(encoding, &String::from_iter([before, c, 'b']), &POLICIES);
            }
        }
    });
}

#[test]
fn every_scalar_value_as_encoding_rs_has_it() {
    on_every_encoding(|encoding| {
        let name = encoding.name();
        if matches!(name, "UTF-16BE" | "UTF-16LE") {
            // encoding_rs has no encoder for these.
            return;
        }
        let mut encoder = encoding.encoder().expect("the caller asked");
        for text in runs(600) {
            let got = encode(&mut encoder, &*text, &[], 4096, Unmappable::Ncr);
            let (expected, _, _) = peer::encoding(name).encode(&text);
            assert!(
                got.bytes == *expected,
                "{encoding}: U+{:04X}…",
                u32::from(text.chars().next().unwrap_or_default())
            );
        }
    });
}

#[test]
fn every_lone_surrogate() {
    on_every_encoding(|encoding| {
        let oracle = Encoder::new(encoding.name()).expect("as the library");
        let mut encoder = encoding.encoder().expect("the caller asked");
        for surrogate in 0xD800..=0xDFFF {
            for units in [
                &[surrogate][..],
                &[0x61, surrogate, 0x62],
                &[surrogate, surrogate],
                &[0xDC00, surrogate],
                &[0x5B57, surrogate, 0x5B57],
            ] {
                for policy in [Unmappable::Strict, Unmappable::Ncr] {
                    let expected = expect_encoded(&oracle, units, policy);
                    compare(&mut encoder, units, policy, &expected);
                }
            }
        }
    });
}
