//! Measures what calls through the C functions cost: each is compared with the Rust function that does the
//! same, in turns, with 16 bytes and 64 KiB.
//!
//!     cargo bench -p simdtext-capi
//!
//! Prints nanoseconds per call (the minimum of many rounds): Rust, C, the difference, and C in per cent of
//! Rust.
#![allow(unsafe_code, reason = "calls the functions that C programs call")]

use std::ffi::{c_char, c_void};
use std::hint::black_box;
use std::ptr::null;
use std::time::Instant;

use simdtext::unicode::{self, from_utf8};
use simdtext::{Bom, Encoding, Unmappable};
use simdtext_capi::*;

/// The number of rounds, of which the fastest counts.
const ROUNDS: usize = 400;

/// The nanoseconds that a call of each takes.
fn compare(mut rust: impl FnMut(), mut c: impl FnMut(), calls: u32) -> (f64, f64) {
    let time = |call: &mut dyn FnMut()| {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(calls)
    };
    let mut least = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        least.0 = least.0.min(time(&mut rust));
        least.1 = least.1.min(time(&mut c));
    }
    least
}

fn row(what: &str, len: usize, (rust, c): (f64, f64)) {
    let percent = 100.0 * c / rust;
    println!(
        "{what:32}{len:8}{rust:12.2}{c:12.2}{:10.2}{percent:9.1} %",
        c - rust
    );
}

/// Enums as C passes them.
fn number<T>(value: u32) -> T {
    const { assert!(size_of::<T>() == 4) };
    // SAFETY: `T` is one of the types for enums of C, which hold any number.
    unsafe { std::mem::transmute_copy(&value) }
}

fn handle(encoding: &'static Encoding) -> *const simdtext_encoding {
    let name = encoding.name();
    // SAFETY: a string and its length.
    unsafe { simdtext_encoding_for_label(name.as_ptr().cast(), name.len()) }
}

fn bench_encoding(encoding: &'static Encoding, text: &str, len: usize, calls: u32) {
    let text: String = text.chars().cycle().take(len).collect();
    let bytes = encoding.encode(&text, Unmappable::Strict).unwrap().bytes;
    let src = &bytes[..len.min(bytes.len())];
    let src = if encoding == simdtext::SHIFT_JIS {
        &src[..src.len() & !1]
    } else {
        src
    };
    let text = encoding.decode(src).text;
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut dst = vec![0u8; 4 * len + 64];
    let (room, to) = (dst.len(), dst.as_mut_ptr());
    let from = src.as_ptr().cast::<c_void>();

    let mut decoder = encoding.decoder(Bom::Keep);
    let decode =
        black_box(simdtext_decoder_decode_to_utf8 as unsafe extern "C" fn(_, _, _, _, _, _) -> _);
    // SAFETY: a handle, and no allocator.
    let handle_of_decoder =
        unsafe { simdtext_decoder_new(handle(encoding), number(2), number(0), null()) };
    let times = compare(
        || _ = black_box(decoder.decode_to_utf8(black_box(src), &mut dst, true)),
        || {
            // SAFETY: two buffers, and a decoder.
            _ = black_box(unsafe {
                decode(
                    handle_of_decoder,
                    black_box(from),
                    src.len(),
                    to.cast(),
                    room,
                    true,
                )
            })
        },
        calls,
    );
    row(&format!("stream, from {encoding}"), src.len(), times);

    let whole =
        black_box(simdtext_decode_to_utf8 as unsafe extern "C" fn(_, _, _, _, _, _, _) -> _);
    let encoding_handle = handle(encoding);
    let times = compare(
        || {
            _ = black_box(encoding.decoder(Bom::Sniff).decode_to_utf8_strict(
                black_box(src),
                &mut dst,
                true,
            ))
        },
        || {
            // SAFETY: two buffers, and an encoding.
            _ = black_box(unsafe {
                whole(
                    encoding_handle,
                    black_box(from),
                    src.len(),
                    to.cast(),
                    room,
                    number(0),
                    number(0),
                )
            });
        },
        calls,
    );
    row(&format!("whole text, from {encoding}"), src.len(), times);

    let mut encoder = encoding.encoder().unwrap();
    let encode =
        black_box(simdtext_encoder_encode_from_utf8 as unsafe extern "C" fn(_, _, _, _, _, _) -> _);
    // SAFETY: a handle, and no allocator.
    let handle_of_encoder = unsafe { simdtext_encoder_new(encoding_handle, number(1), null()) };
    let from = text.as_ptr().cast::<c_char>();
    let times = compare(
        || {
            let text = from_utf8(black_box(text.as_bytes())).unwrap_or_default();
            _ = black_box(encoder.encode_from_utf8(text, &mut dst, true, Unmappable::Ncr));
        },
        || {
            // SAFETY: two buffers, and an encoder.
            _ = black_box(unsafe {
                encode(
                    handle_of_encoder,
                    black_box(from),
                    text.len(),
                    to.cast(),
                    room,
                    true,
                )
            })
        },
        calls,
    );
    row(&format!("stream, UTF-8 to {encoding}"), text.len(), times);

    let encode = black_box(
        simdtext_encoder_encode_from_utf16 as unsafe extern "C" fn(_, _, _, _, _, _) -> _,
    );
    let from = units.as_ptr();
    let times = compare(
        || {
            _ = black_box(encoder.encode_from_utf16(
                black_box(&units),
                &mut dst,
                true,
                Unmappable::Ncr,
            ))
        },
        || {
            // SAFETY: two buffers, and an encoder.
            _ = black_box(unsafe {
                encode(
                    handle_of_encoder,
                    black_box(from),
                    units.len(),
                    to.cast(),
                    room,
                    true,
                )
            })
        },
        calls,
    );
    row(&format!("stream, UTF-16 to {encoding}"), units.len(), times);
}

fn bench_unicode(text: &str, len: usize, calls: u32) {
    let mut text: String = text.chars().cycle().take(len).collect();
    text.truncate(
        (0..=len)
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(0),
    );
    let (mut dst, from) = (vec![0u16; len + 64], text.as_ptr().cast::<c_char>());
    let (room, to) = (dst.len(), dst.as_mut_ptr());
    let convert = black_box(simdtext_utf8_to_utf16 as unsafe extern "C" fn(_, _, _, _, _) -> _);
    let times = compare(
        || _ = black_box(unicode::utf8_to_utf16(black_box(text.as_bytes()), &mut dst)),
        // SAFETY: two buffers.
        || _ = black_box(unsafe { convert(black_box(from), text.len(), to, room, number(1)) }),
        calls,
    );
    row("UTF-8 to UTF-16", text.len(), times);
    let validate = black_box(simdtext_validate_utf8 as unsafe extern "C" fn(_, _) -> _);
    let times = compare(
        || _ = black_box(unicode::validate_utf8(black_box(text.as_bytes()))),
        // SAFETY: a buffer.
        || _ = black_box(unsafe { validate(black_box(from), text.len()) }),
        calls,
    );
    row("UTF-8, validated", text.len(), times);
}

fn main() {
    println!(
        "{:32}{:>8}{:>12}{:>12}{:>10}{:>11}",
        "", "units", "Rust, ns", "C, ns", "more, ns", "C / Rust"
    );
    for (len, calls) in [(16, 4000), (64 * 1024, 4)] {
        bench_encoding(
            simdtext::WINDOWS_1251,
            "Все люди рождаются свободными и равными. ",
            len,
            calls,
        );
        bench_encoding(
            simdtext::SHIFT_JIS,
            "すべての人間は、生れながらにして自由であり、",
            len,
            calls,
        );
        bench_unicode("Все люди рождаются свободными и равными. ", len, calls);
    }
}
