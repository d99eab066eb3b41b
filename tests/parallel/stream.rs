//! Streams, compared with one decoder and one encoder that get everything at once, and in pieces compared
//! with one piece.

use proptest::prelude::*;
use simdtext::parallel::{
    Fault, FaultKind, OnMalformed, Parallel, StreamErrorKind, StreamOptions, Summary,
};
use simdtext::{Bom, Encoding, ISO_2022_JP, Status, Unmappable};

use crate::inputs::{any_bytes, any_encoding, any_text, any_unmappable, bytes_for, texts};
use crate::pools::pool;

/// All parameters of a conversion.
#[derive(Clone, Copy, Debug)]
struct Case {
    from: &'static Encoding,
    to: &'static Encoding,
    bom: Bom,
    malformed: OnMalformed,
    unmappable: Unmappable,
    told: usize,
}

/// A [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq)]
struct Told {
    kind: FaultKind,
    line: Option<u64>,
    encoding: &'static Encoding,
}

impl From<&Fault> for Told {
    fn from(fault: &Fault) -> Self {
        Told {
            kind: fault.kind,
            line: fault.line,
            encoding: fault.encoding,
        }
    }
}

/// The result of a conversion.
#[derive(Clone, Debug, PartialEq)]
struct Outcome {
    written: Vec<u8>,
    faults: Vec<Told>,
    malformed: u64,
    unmappable: u64,
    line_ends: u64,
    encoding: &'static Encoding,
    stop: Option<Told>,
}

fn convert(parallel: &Parallel<'_>, case: Case, bytes: &[u8]) -> (Outcome, Summary) {
    let conversion = StreamOptions::new(case.from, case.to)
        .bom(case.bom)
        .malformed(case.malformed)
        .unmappable(case.unmappable)
        .report_at_most(case.told)
        .count_lines(true);
    let (mut written, mut faults) = (Vec::new(), Vec::new());
    let result = parallel.convert_stream(&conversion, bytes, &mut written, |it| {
        faults.push(Told::from(it))
    });
    let (summary, stop) = match result {
        Ok(summary) => (summary, None),
        Err(stopped) => match stopped.kind {
            StreamErrorKind::Fault(fault) => (stopped.summary, Some(Told::from(&fault))),
            why => panic!("{case:?}: {why:?}"),
        },
    };
    assert_eq!(summary.written, written.len() as u64);
    let read = stop.map_or(bytes.len() as u64, |fault| fault.kind.offset());
    assert!(summary.read == read, "{case:?}: {summary:?}, not {read}");
    let outcome = Outcome {
        written,
        faults,
        malformed: summary.malformed,
        unmappable: summary.unmappable,
        line_ends: summary.line_ends.expect("lines are counted"),
        encoding: summary.encoding,
        stop,
    };
    (outcome, summary)
}

/// LF, CR LF, and CR alone each end a line.
fn line_ends(text: &str) -> u64 {
    text.replace("\r\n", "\n").matches(['\r', '\n']).count() as u64
}

/// The expected result, except that the offset of an unmappable character is its offset in the text.
fn expected(case: Case, bytes: &[u8]) -> Outcome {
    // All malformed sequences, and their positions in the text.
    let mut decoder = case.from.decoder(case.bom);
    let mut text = String::with_capacity(3 * bytes.len() + 16);
    let mut kinds = Vec::new();
    let (mut rest, mut is_stopped) = (bytes, false);
    loop {
        let progress = decoder.decode_to_string_strict(rest, &mut text, true);
        rest = &rest[progress.read..];
        let Status::Malformed(malformed) = progress.status else {
            assert_eq!(progress.status, Status::InputEmpty);
            break;
        };
        kinds.push((text.len(), FaultKind::Malformed(malformed)));
        match case.malformed {
            OnMalformed::Replace => text.push('\u{FFFD}'),
            OnMalformed::Skip => {}
            OnMalformed::Stop => {
                is_stopped = true;
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    // All characters that are unmappable.
    let mut encoder = case.to.encoder().expect("an encoding to write");
    let mut scratch = vec![0; 8 * text.len() + 16];
    let mut done = 0;
    // UTF-8 has all characters, so the loop ends with the first call.
    loop {
        let progress =
            encoder.encode_from_utf8(&text[done..], &mut scratch, false, Unmappable::Strict);
        done += progress.read;
        let Status::Unmappable { offset, .. } = progress.status else {
            break;
        };
        let ch = text[offset as usize..].chars().next().expect("a character");
        kinds.push((offset as usize, FaultKind::Unmappable { ch, offset }));
        if case.unmappable == Unmappable::Strict {
            text.truncate(offset as usize);
            kinds.retain(|(at, _)| *at as u64 <= offset);
            is_stopped = true;
            break;
        }
    }
    kinds.sort_by_key(|(at, _)| *at);
    let all: Vec<Told> = kinds
        .iter()
        .map(|(at, kind)| Told {
            kind: *kind,
            line: Some(1 + line_ends(&text[..*at])),
            encoding: decoder.encoding(),
        })
        .collect();
    let is_malformed = |fault: &Told| matches!(fault.kind, FaultKind::Malformed(_));
    let malformed = all.iter().filter(|fault| is_malformed(fault)).count();
    // The first of either kind.
    let mut left = [case.told; 2];
    let is_told = |fault: &&Told| {
        let left = &mut left[usize::from(is_malformed(fault))];
        let told = *left > 0;
        *left -= usize::from(told);
        told
    };
    let faults = all.iter().filter(is_told).copied().collect();
    // A text that ends at such a fault is complete, too. (After JIS X 0208, an escape sequence to ASCII comes
    // before an unmappable character, and then none is needed at the end.)
    let written = case
        .to
        .encode(&text, case.unmappable)
        .expect("nothing to stop at");
    Outcome {
        written: written.bytes.into_owned(),
        faults,
        malformed: malformed as u64,
        unmappable: (all.len() - malformed) as u64,
        line_ends: line_ends(&text),
        encoding: decoder.encoding(),
        stop: is_stopped.then(|| *all.last().expect("a fault")),
    }
}

/// The outcome without the offsets of unmappable characters.
fn without_offsets(mut outcome: Outcome) -> Outcome {
    for fault in outcome.faults.iter_mut().chain(&mut outcome.stop) {
        if let FaultKind::Unmappable { offset, .. } = &mut fault.kind {
            *offset = 0;
        }
    }
    outcome
}

fn check(parallel: &Parallel<'_>, case: Case, bytes: &[u8]) {
    let (whole, of_whole) = convert(&Parallel::new(), case, bytes);
    let start = &bytes[..bytes.len().min(200)];
    let by_one = without_offsets(expected(case, bytes));
    assert_eq!(
        without_offsets(whole.clone()),
        by_one,
        "{case:?}: {start:02X?}"
    );
    let (outcome, summary) = convert(parallel, case, bytes);
    assert_eq!(outcome, whole, "{case:?}, {parallel:?}: {start:02X?}");
    assert_eq!(summary, of_whole, "{case:?}, {parallel:?}: {start:02X?}");
}

#[test]
fn from_every_encoding() {
    let targets = ["utf-8", "iso-2022-jp", "windows-1252", "utf-16le", "gbk"];
    let targets = targets.map(|label| Encoding::for_label(label.as_bytes()).expect(label));
    let mut turn = 0;
    for from in Encoding::all() {
        for bytes in bytes_for(from) {
            for piece in [1, 3, 64, 4096] {
                turn += 1;
                let case = Case {
                    from,
                    to: targets[turn % 5],
                    bom: [Bom::Sniff, Bom::Strip, Bom::Keep][turn % 3],
                    malformed: [OnMalformed::Replace, OnMalformed::Skip][turn % 2],
                    unmappable: [Unmappable::Ncr, Unmappable::Skip, Unmappable::Replace('~')]
                        [turn % 3],
                    told: [0, 3, usize::MAX][turn % 3],
                };
                let most = if piece < 64 { 300 } else { 20_000 };
                let bytes = &bytes[..bytes.len().min(most)];
                let parallel = Parallel::new()
                    .piece_bytes(piece)
                    .pool(pool(2 + turn % 2 * 3));
                check(&parallel, case, bytes);
            }
        }
    }
}

/// In well-formed text, a character comes from the position of its bytes.
#[test]
fn what_is_unmappable_is_found_in_the_input() {
    for from in Encoding::all()
        .iter()
        .filter(|from| from.encoder().is_some() && **from != ISO_2022_JP)
    {
        for text in texts() {
            let encoded = from
                .encode(&text, Unmappable::Skip)
                .expect("an encoding to write");
            let text = from.decode_with_bom(&encoded.bytes, Bom::Keep).text;
            let mut offsets = Vec::new();
            let mut offset = 0;
            for ch in text.chars() {
                if !ch.is_ascii() {
                    offsets.push(offset);
                }
                let ch = ch.to_string();
                let bytes = from.encode(&ch, Unmappable::Strict);
                offset += bytes.map_or(0, |it| it.bytes.len() as u64);
            }
            if offset != encoded.bytes.len() as u64 {
                // Not all of it decodes to the text that was encoded.
                continue;
            }
            let mut found = Vec::new();
            let to = Encoding::for_label(b"x-user-defined").expect("a label");
            let conversion = StreamOptions::new(from, to)
                .bom(Bom::Keep)
                .unmappable(Unmappable::Skip);
            let parallel = Parallel::new().piece_bytes(700).pool(pool(2));
            let result =
                parallel.convert_stream(&conversion, &*encoded.bytes, Vec::new(), |fault| {
                    found.push(fault.kind.offset());
                });
            assert_eq!(result.expect("all of it").malformed, 0);
            assert_eq!(found, offsets, "{from}");
        }
    }
}

/// Two characters from two bytes, escape sequences, and characters for malformed bytes.
#[test]
fn offsets_of_what_is_unmappable() {
    let cases: [(&str, &[u8], &[u64]); 5] = [
        ("big5", b"a\x88\x62b\x88\x64", &[1, 1, 4, 4]),
        ("iso-2022-jp", b"\x1B$B0!\x1B(Ba\x1B$B0!0!", &[3, 12, 14]),
        ("utf-8", b"a\xFF\xE2\x82b\xE2\x82\xAC", &[1, 2, 5]),
        ("gb18030", b"\x810\x81 \xC4\xE3", &[0, 2, 4]),
        (
            "utf-16le",
            b"\x3D\xD8\xA9\xDCa\0\x3D\xD8b\0\xAC",
            &[0, 6, 10],
        ),
    ];
    let to = Encoding::for_label(b"x-user-defined").expect("a label");
    for (label, bytes, expected) in cases {
        let from = Encoding::for_label(label.as_bytes()).expect(label);
        let conversion = StreamOptions::new(from, to).unmappable(Unmappable::Skip);
        for piece in 1..12 {
            let mut found = Vec::new();
            let parallel = Parallel::new().piece_bytes(piece).pool(pool(2));
            let result = parallel.convert_stream(&conversion, bytes, Vec::new(), |fault| {
                if let FaultKind::Unmappable { offset, .. } = fault.kind {
                    found.push(offset);
                }
            });
            assert!(result.is_ok());
            assert_eq!(found, expected, "{label}, pieces of {piece}");
        }
    }
}

fn any_case() -> impl Strategy<Value = Case> {
    let policies = [OnMalformed::Replace, OnMalformed::Skip, OnMalformed::Stop];
    let policy = prop::sample::select(policies.to_vec());
    let told = prop::sample::select(vec![0, 1, 3, usize::MAX]);
    (
        any_encoding(),
        any_encoding(),
        policy,
        any_unmappable(),
        told,
    )
        .prop_filter("an encoding to write", |(_, to, ..)| to.encoder().is_some())
        .prop_map(|(from, to, malformed, unmappable, told)| Case {
            from,
            to,
            bom: Bom::Sniff,
            malformed,
            unmappable,
            told,
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_in_any_pieces(case in any_case(), bytes in any_bytes(), piece in 1..30_usize) {
        check(&Parallel::new().piece_bytes(piece).pool(pool(2)), case, &bytes);
    }

    #[test]
    fn any_text_in_any_pieces(case in any_case(), text in any_text(), piece in 1..30_usize) {
        let encoded = case.from.encode(&text, Unmappable::Skip);
        let bytes = encoded.map_or_else(|_| text.clone().into_bytes(), |it| it.bytes.into_owned());
        check(&Parallel::new().piece_bytes(piece).pool(pool(5)), case, &bytes);
    }
}

/// With lengths near the largest number, no input is as long as a piece.
#[test]
fn pieces_of_any_length() {
    let text = "日本語のテキスト。\n".repeat(100);
    for len in [
        usize::MAX,
        usize::MAX - 1,
        usize::MAX - 8,
        usize::MAX / 2,
        usize::MAX / 4,
        1 << (usize::BITS / 8 * 5),
    ] {
        let parallel = Parallel::new().piece_bytes(len);
        for encoding in [simdtext::SHIFT_JIS, simdtext::UTF_8, ISO_2022_JP] {
            let encoded = encoding
                .encode(&text, Unmappable::Strict)
                .expect("it has all");
            let in_parallel = parallel.encode(encoding, &text, Unmappable::Strict);
            assert_eq!(
                in_parallel.expect("it has all").bytes,
                encoded.bytes,
                "{len}"
            );
            let decoded = parallel.decode(encoding, &encoded.bytes, Bom::Keep);
            assert!(decoded.text == text, "{encoding}, {len}");

            let (mut written, mut again) = (Vec::new(), Vec::new());
            let summary = parallel
                .decode_stream(encoding, &*encoded.bytes, &mut written, Bom::Keep, |_| {})
                .expect("nothing fails");
            assert_eq!(written, text.as_bytes(), "{encoding}, {len}");
            assert_eq!(summary.written, text.len() as u64);
            parallel
                .encode_stream(encoding, text.as_bytes(), &mut again, Unmappable::Strict)
                .expect("nothing fails");
            assert_eq!(again, *encoded.bytes, "{encoding}, {len}");
        }
    }
}
