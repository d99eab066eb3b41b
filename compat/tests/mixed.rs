//! Streams through both packages in which each call is another method, with another room, and in which everything
//! that a decoder or an encoder can be asked is asked between the pieces.
//!
//! `SIMDTEXT_STREAMS` sets their number, and `SIMDTEXT_SEED` the first one.

use simdtext_encoding_rs as ours;

mod common;
use common::{PAIRS, streams};

/// A call of a decoder.
#[derive(Clone, Copy, Debug)]
struct Call {
    method: usize,
    room: usize,
}

/// What is known after a piece, in the terms of either package.
#[derive(Debug, Default, PartialEq)]
struct Known {
    /// The text in UTF-16.
    text: Vec<u16>,
    had_errors: bool,
    /// For each malformed sequence that a call reported: the lengths of the text and of what was read by then, its
    /// own length, and how many bytes were read after it.
    faults: Vec<(usize, usize, u8, u8)>,
    encoding: &'static str,
    /// How much of some bytes is compatible with Latin-1. (How much that is may differ: what may come next.)
    compatible: Option<bool>,
}

/// Decodes a piece with any of the eight methods, in calls that go round the list.
macro_rules! decode_piece {
    ($package:ident, $decoder:expr, $piece:expr, $last:expr, $calls:expr, $known:expr) => {{
        use $package::{CoderResult, DecoderResult};
        let (mut read, before) = (0, $known.1);
        for call in $calls.iter().cycle() {
            let src = &$piece[read..];
            let (mut units, mut bytes) = (vec![0; call.room], vec![b'x'; call.room]);
            // `Ok` with whether something was malformed, or `Err` with the malformed sequence.
            let is_whole = |result| result == CoderResult::InputEmpty;
            let strict = |result| match result {
                DecoderResult::InputEmpty => (true, None),
                DecoderResult::OutputFull => (false, None),
                DecoderResult::Malformed(len, after) => (false, Some((len, after))),
            };
            let ((done, fault), taken, text, errors) = match call.method {
                0 => {
                    let (result, taken, written, errors) =
                        $decoder.decode_to_utf16(src, &mut units, $last);
                    ((is_whole(result), None), taken, units[..written].to_vec(), errors)
                }
                1 => {
                    let (result, taken, written) =
                        $decoder.decode_to_utf16_without_replacement(src, &mut units, $last);
                    (strict(result), taken, units[..written].to_vec(), false)
                }
                2 => {
                    let (result, taken, written, errors) =
                        $decoder.decode_to_utf8(src, &mut bytes, $last);
                    ((is_whole(result), None), taken, utf16(&bytes[..written]), errors)
                }
                3 => {
                    let (result, taken, written) =
                        $decoder.decode_to_utf8_without_replacement(src, &mut bytes, $last);
                    (strict(result), taken, utf16(&bytes[..written]), false)
                }
                4 | 5 => {
                    let mut text = String::from("é");
                    text.reserve_exact(call.room);
                    let (outcome, taken, errors) = if call.method == 4 {
                        let (result, taken, errors) =
                            $decoder.decode_to_string(src, &mut text, $last);
                        ((is_whole(result), None), taken, errors)
                    } else {
                        let (result, taken) =
                            $decoder.decode_to_string_without_replacement(src, &mut text, $last);
                        (strict(result), taken, false)
                    };
                    (outcome, taken, utf16(&text.as_bytes()[2..]), errors)
                }
                _ => {
                    // Four bytes for each character, so that an end in the middle of one has to be mended.
                    let mut text: String = "😀".repeat(call.room / 4) + &"x".repeat(call.room % 4);
                    let (outcome, taken, written, errors) = if call.method == 6 {
                        let (result, taken, written, errors) =
                            $decoder.decode_to_str(src, &mut text, $last);
                        ((is_whole(result), None), taken, written, errors)
                    } else {
                        let (result, taken, written) =
                            $decoder.decode_to_str_without_replacement(src, &mut text, $last);
                        (strict(result), taken, written, false)
                    };
                    assert!(std::str::from_utf8(text.as_bytes()).is_ok());
                    (outcome, taken, utf16(&text.as_bytes()[..written]), errors)
                }
            };
            let known = &mut $known.0;
            known.text.extend(text);
            known.had_errors |= errors;
            read += taken;
            if let Some((len, after)) = fault {
                known.faults.push((known.text.len(), before + read, len, after));
            }
            if done {
                break;
            }
        }
        assert_eq!(read, $piece.len());
        $known.1 += read;
        $known.0.encoding = $decoder.encoding().name();
        // A finished decoder can't be asked.
        $known.0.compatible =
            (!$last).then(|| $decoder.latin1_byte_compatible_up_to(b"ab\xE9\xA4").is_some());
    }};
}

fn utf16(text: &[u8]) -> Vec<u16> {
    std::str::from_utf8(text)
        .expect("UTF-8")
        .encode_utf16()
        .collect()
}

#[test]
fn decoding() {
    for (seed, mut random) in streams() {
        let (here, there) = random.one_of(&PAIRS);
        let (mut a, mut b) = match random.below(3) {
            0 => (here.new_decoder(), there.new_decoder()),
            1 => (
                here.new_decoder_with_bom_removal(),
                there.new_decoder_with_bom_removal(),
            ),
            _ => (
                here.new_decoder_without_bom_handling(),
                there.new_decoder_without_bom_handling(),
            ),
        };
        let bytes = random.bytes();
        let (mut known_a, mut known_b) = ((Known::default(), 0), (Known::default(), 0));
        let mut at = 0;
        loop {
            let len = random
                .one_of(&[0, 1, 1, 2, 3, 10, 1000])
                .min(bytes.len() - at);
            let piece = &bytes[at..at + len];
            at += len;
            let last = at == bytes.len() && random.below(2) == 0;
            // Which of two methods meets a malformed sequence depends on how much an earlier one has read of the piece.
            // So all of these replace malformed sequences, or none.
            let kind = random.below(2);
            let mut calls: Vec<Call> = (0..1 + random.below(3))
                .map(|_| Call {
                    method: 2 * random.below(4) + kind,
                    // With less room than for U+FFFD, encoding_rs panics if it has to write it.
                    room: random
                        .one_of(&[0, 1, 2, 3, 4, 5, 7, 8, 12, 30, 100])
                        .max(4 - 4 * kind),
                })
                .collect();
            // One of them has to get on.
            calls.push(Call {
                method: 2 * random.below(4) + kind,
                room: 16,
            });
            let context = || {
                format!(
                    "seed {seed}: {}, {bytes:X?}, {last}, up to {at}, {calls:?}",
                    here.name()
                )
            };
            decode_piece!(ours, a, piece, last, calls, known_a);
            decode_piece!(encoding_rs, b, piece, last, calls, known_b);
            assert_eq!(known_a.0, known_b.0, "{}", context());
            if last {
                break;
            }
        }
    }
}

/// Encodes a piece with any of the methods, in calls that go round the list.
macro_rules! encode_piece {
    ($package:ident, $encoder:expr, $text:expr, $units:expr, $last:expr, $calls:expr, $known:expr) => {{
        use $package::{CoderResult, EncoderResult};
        let (out, faults, had_unmappables) = &mut $known;
        let (mut read, mut read_units) = (0, 0);
        for call in $calls.iter().cycle() {
            let mut bytes = vec![0; call.room];
            let is_whole = |result| result == CoderResult::InputEmpty;
            let strict = |result| match result {
                EncoderResult::InputEmpty => (true, None),
                EncoderResult::OutputFull => (false, None),
                EncoderResult::Unmappable(ch) => (false, Some(ch)),
            };
            let mut appended = Vec::with_capacity(call.room);
            let (src, src_units) = (&$text[read..], &$units[read_units..]);
            let ((done, fault), taken) = match call.method {
                0 => {
                    let (result, taken, written, had) =
                        $encoder.encode_from_utf8(src, &mut bytes, $last);
                    out.extend(&bytes[..written]);
                    *had_unmappables |= had;
                    ((is_whole(result), None), taken)
                }
                1 => {
                    let (result, taken, written) =
                        $encoder.encode_from_utf8_without_replacement(src, &mut bytes, $last);
                    out.extend(&bytes[..written]);
                    (strict(result), taken)
                }
                2 => {
                    let (result, taken, had) =
                        $encoder.encode_from_utf8_to_vec(src, &mut appended, $last);
                    *had_unmappables |= had;
                    ((is_whole(result), None), taken)
                }
                3 => {
                    let (result, taken) = $encoder.encode_from_utf8_to_vec_without_replacement(
                        src,
                        &mut appended,
                        $last,
                    );
                    (strict(result), taken)
                }
                4 => {
                    let (result, taken, written, had) =
                        $encoder.encode_from_utf16(src_units, &mut bytes, $last);
                    out.extend(&bytes[..written]);
                    *had_unmappables |= had;
                    (
                        (is_whole(result), None),
                        String::from_utf16_lossy(&src_units[..taken]).len(),
                    )
                }
                _ => {
                    let (result, taken, written) = $encoder
                        .encode_from_utf16_without_replacement(src_units, &mut bytes, $last);
                    out.extend(&bytes[..written]);
                    (
                        strict(result),
                        String::from_utf16_lossy(&src_units[..taken]).len(),
                    )
                }
            };
            out.extend(appended);
            read_units += $text[read..read + taken].encode_utf16().count();
            read += taken;
            if let Some(ch) = fault {
                faults.push((out.len(), read, ch));
            }
            if done {
                break;
            }
        }
        assert_eq!(read, $text.len());
    }};
}

#[test]
fn encoding() {
    type Known = (Vec<u8>, Vec<(usize, usize, char)>, bool);
    for (seed, mut random) in streams() {
        let (here, there) = random.one_of(&PAIRS);
        let (mut a, mut b) = (here.new_encoder(), there.new_encoder());
        let (mut known_a, mut known_b) = (Known::default(), Known::default());
        let pieces = 1 + random.below(4);
        for piece in 0..pieces {
            let text = random.text();
            let units: Vec<u16> = text.encode_utf16().collect();
            let last = piece + 1 == pieces;
            let kind = random.below(2);
            let mut calls: Vec<Call> = (0..1 + random.below(3))
                .map(|_| Call {
                    method: 2 * random.below(3) + kind,
                    room: random.one_of(&[0, 1, 2, 3, 4, 9, 10, 11, 13, 14, 15, 20, 100]),
                })
                .collect();
            calls.push(Call {
                method: 2 * random.below(3) + kind,
                room: 24,
            });
            let context = || format!("seed {seed}: {}, {text:?}, {last}, {calls:?}", here.name());
            encode_piece!(ours, a, text, units, last, calls, known_a);
            encode_piece!(encoding_rs, b, text, units, last, calls, known_b);
            assert_eq!(known_a, known_b, "{}", context());
            assert_eq!(
                a.has_pending_state(),
                b.has_pending_state(),
                "{}",
                context()
            );
            assert_eq!(a.encoding().name(), b.encoding().name());
        }
    }
}

/// With the greatest length as room, nothing is full, whatever came before.
#[test]
fn greatest_lengths() {
    for (seed, mut random) in streams() {
        let (here, _) = random.one_of(&PAIRS);
        let bytes = random.bytes();
        let mut decoder = match random.below(3) {
            0 => here.new_decoder(),
            1 => here.new_decoder_with_bom_removal(),
            _ => here.new_decoder_without_bom_handling(),
        };
        let method = random.below(3);
        let mut at = 0;
        loop {
            let len = random
                .one_of(&[0, 1, 1, 2, 3, 10, 1000])
                .min(bytes.len() - at);
            let piece = &bytes[at..at + len];
            at += len;
            let last = at == bytes.len();
            let context = || format!("seed {seed}: {}, {bytes:X?}, up to {at}", here.name());
            if method < 2 {
                let result = if method == 0 {
                    let most = decoder.max_utf8_buffer_length(len).expect("no overflow");
                    decoder.decode_to_utf8(piece, &mut vec![0; most], last).0
                } else {
                    let most = decoder.max_utf16_buffer_length(len).expect("no overflow");
                    decoder.decode_to_utf16(piece, &mut vec![0; most], last).0
                };
                assert_eq!(result, ours::CoderResult::InputEmpty, "{}", context());
            } else {
                let most = decoder.max_utf8_buffer_length_without_replacement(len);
                let mut dst = vec![0; most.expect("no overflow")];
                let (result, ..) =
                    decoder.decode_to_utf8_without_replacement(piece, &mut dst, last);
                assert_ne!(result, ours::DecoderResult::OutputFull, "{}", context());
                if result != ours::DecoderResult::InputEmpty {
                    break;
                }
            }
            if last {
                break;
            }
        }
    }
}
