//! Nanoseconds of single calls in which starting takes longer than converting: short, cut, byte by byte, malformed. By
//! encoding_rs, by the drop-in for it, and by simdtext itself where it has that call.
//!
//! `cargo bench --bench calls` takes some seconds; `-- WORD` measures only the calls whose names have it.

use std::hint::black_box;
use std::time::Instant;

use simdtext::{Bom, Encoding, Unmappable};

/// A call, and by how much what it measures is to be divided.
type Call = (&'static str, f64, Box<dyn FnMut()>);

/// Each call is measured so many times, and the fastest counts.
const ROUNDS: usize = 200;

const KOREAN: &str = "모든 국민은 인간으로서의 존엄과 가치를 가지며";
const MIXED: &str = "Ζεύς, 日本語 and “naïve” – 모든 국민은 인간으로서의 존엄과 가치를";
const MALFORMED: [u8; 20] = [0xFF; 20];
const ASCII: [u8; 16] = *b"sixteen letters.";
const LABEL: &[u8] = b"shift_jis";

/// 150 characters that legacy encodings of East Asia do not have.
fn unmappables() -> String {
    "\u{1F600}\u{1F4A9}\u{5D0}".repeat(50)
}

/// 16 bytes of Korean, Japanese and Russian text.
fn sixteen(encoding: &'static Encoding) -> Vec<u8> {
    let text = match encoding.name() {
        "EUC-KR" => "모든국민은인간으",
        "Shift_JIS" => "日本語の文字の列",
        "UTF-8" => "абвгдежз",
        _ => "Привет всем людя",
    };
    let bytes = encoding.encode(text, Unmappable::Strict);
    bytes.map_or_else(|_| Vec::new(), |encoded| encoded.bytes.into_owned())
}

fn sixteen_units() -> Vec<u16> {
    "Привет всем людя".encode_utf16().collect()
}

/// The calls that encoding_rs and the drop-in for it both have.
macro_rules! calls {
    ($library:ident) => {{
        use $library::{BIG5, EUC_KR, Encoding, SHIFT_JIS, UTF_8, WINDOWS_1251};
        let mut calls: Vec<Call> = Vec::new();
        let bytes = simdtext::EUC_KR.encode(KOREAN, Unmappable::Ncr).unwrap();
        let bytes = bytes.bytes.into_owned();
        let mut out = vec![0; 4096];
        let mut decoder = EUC_KR.new_decoder_without_bom_handling();
        let count = bytes.len() as f64;
        let one_byte = move || {
            for byte in black_box(&bytes[..]).chunks(1) {
                black_box(decoder.decode_to_utf8(byte, &mut out, false).1);
            }
        };
        calls.push(("EUC-KR, one byte a call", count, Box::new(one_byte)));
        let mut out = vec![0; 4096];
        let mut decoder = UTF_8.new_decoder_without_bom_handling();
        let pieces = MIXED.len().div_ceil(15) as f64;
        let in_pieces = move || {
            for piece in black_box(MIXED.as_bytes()).chunks(15) {
                black_box(decoder.decode_to_utf8(piece, &mut out, false).1);
            }
        };
        calls.push(("UTF-8 in pieces of 15 bytes", pieces, Box::new(in_pieces)));
        let decode = |encoding: &'static Encoding| {
            move || drop(black_box(encoding.decode(black_box(&MALFORMED[..]))))
        };
        calls.push(("20 malformed bytes, UTF-8", 1.0, Box::new(decode(UTF_8))));
        calls.push((
            "20 malformed bytes, Shift_JIS",
            1.0,
            Box::new(decode(SHIFT_JIS)),
        ));
        for (name, encoding) in [
            ("150 references, EUC-KR", EUC_KR),
            ("150 references, Shift_JIS", SHIFT_JIS),
            ("150 references, windows-1251", WINDOWS_1251),
        ] {
            let (text, mut out) = (unmappables(), vec![0; 4096]);
            let mut encoder = encoding.new_encoder();
            let references = move || {
                let done = encoder.encode_from_utf8(black_box(&text), &mut out, true);
                black_box(done.1);
            };
            calls.push((name, 1.0, Box::new(references)));
        }
        let label = || {
            black_box(Encoding::for_label(black_box(LABEL)));
        };
        calls.push(("for_label(\"shift_jis\")", 1.0, Box::new(label)));
        for (name, encoding, bytes) in [
            ("16 bytes, Big5, ASCII", BIG5, ASCII.to_vec()),
            ("16 bytes, UTF-8", UTF_8, sixteen(simdtext::UTF_8)),
            (
                "16 bytes, windows-1251",
                WINDOWS_1251,
                sixteen(simdtext::WINDOWS_1251),
            ),
            ("16 bytes, EUC-KR", EUC_KR, sixteen(simdtext::EUC_KR)),
            (
                "16 bytes, Shift_JIS",
                SHIFT_JIS,
                sixteen(simdtext::SHIFT_JIS),
            ),
        ] {
            let mut out = [0; 128];
            let mut decoder = encoding.new_decoder_without_bom_handling();
            let decode = move || {
                black_box(decoder.decode_to_utf8(black_box(&bytes), &mut out, false).1);
            };
            calls.push((name, 1.0, Box::new(decode)));
        }
        for (name, encoding) in [
            ("16 units to UTF-8", UTF_8),
            ("16 units to windows-1251", WINDOWS_1251),
        ] {
            let (units, mut out) = (sixteen_units(), [0; 128]);
            let mut encoder = encoding.new_encoder();
            let encode = move || {
                black_box(
                    encoder
                        .encode_from_utf16(black_box(&units), &mut out, true)
                        .1,
                );
            };
            calls.push((name, 1.0, Box::new(encode)));
        }
        calls
    }};
}

/// The calls that simdtext itself has in that form.
fn native() -> Vec<Call> {
    use simdtext::{BIG5, EUC_KR, SHIFT_JIS, UTF_8, WINDOWS_1251};
    let mut calls: Vec<Call> = Vec::new();
    for (name, encoding, bytes) in [
        ("16 bytes, Big5, ASCII", BIG5, ASCII.to_vec()),
        ("16 bytes, UTF-8", UTF_8, sixteen(UTF_8)),
        (
            "16 bytes, windows-1251",
            WINDOWS_1251,
            sixteen(WINDOWS_1251),
        ),
        ("16 bytes, EUC-KR", EUC_KR, sixteen(EUC_KR)),
        ("16 bytes, Shift_JIS", SHIFT_JIS, sixteen(SHIFT_JIS)),
    ] {
        let (mut decoder, mut out) = (encoding.decoder(Bom::Keep), [0; 128]);
        let decode = move || {
            let done = decoder.decode_to_utf8(black_box(&bytes), &mut out, false);
            black_box(done.read);
        };
        calls.push((name, 1.0, Box::new(decode)));
    }
    for (name, encoding) in [
        ("16 units to UTF-8", UTF_8),
        ("16 units to windows-1251", WINDOWS_1251),
    ] {
        let (units, mut out) = (sixteen_units(), [0; 128]);
        let Some(mut encoder) = encoding.encoder() else {
            continue;
        };
        let encode = move || {
            let units = black_box(&units);
            let done = encoder.encode_from_utf16(units, &mut out, true, Unmappable::Ncr);
            black_box(done.read);
        };
        calls.push((name, 1.0, Box::new(encode)));
    }
    calls
}

/// Nanoseconds of a call: the least of several rounds of all calls of a row, one after the other.
fn measure(row: &mut [Option<Call>]) -> Vec<Option<f64>> {
    let mut least = vec![f64::INFINITY; row.len()];
    let mut times = 1;
    for round in 0..ROUNDS {
        for (call, least) in row.iter_mut().zip(&mut least) {
            let Some((_, divisor, call)) = call else {
                continue;
            };
            let start = Instant::now();
            for _ in 0..times {
                call();
            }
            let nanoseconds = start.elapsed().as_nanos() as f64;
            if round == 0 {
                // The first one also builds the tables; from now on each takes 50 µs or so.
                times = times.max(256);
            } else {
                *least = least.min(nanoseconds / times as f64 / *divisor);
            }
        }
    }
    let of = |(call, least): (&Option<Call>, f64)| call.as_ref().map(|_| least);
    row.iter().zip(least).map(of).collect()
}

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let mut native = native();
    println!(
        "{:<32}{:>12}{:>10}{:>10}{:>8}",
        "ns", "encoding_rs", "drop-in", "native", "times"
    );
    for (theirs, ours) in calls!(encoding_rs)
        .into_iter()
        .zip(calls!(simdtext_encoding_rs))
    {
        let name = theirs.0;
        if !words.is_empty() && !words.iter().any(|word| name.contains(&**word)) {
            continue;
        }
        let same = native.iter().position(|call| call.0 == name);
        let same = same.map(|at| native.swap_remove(at));
        let measured = measure(&mut [Some(theirs), Some(ours), same]);
        let shown = |at: usize| measured[at].map_or_else(String::new, |ns| format!("{ns:.1}"));
        let times = measured[0].unwrap_or(0.0) / measured[1].unwrap_or(1.0);
        println!(
            "{name:<32}{:>12}{:>10}{:>10}{times:>8.2}",
            shown(0),
            shown(1),
            shown(2)
        );
    }
}
