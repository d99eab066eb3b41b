//! Streams, through both packages: text, error flags, what is malformed and where, and final encodings are
//! equal, however a stream is cut and however little room its output has.
//!
//! `SIMDTEXT_STREAMS` sets their number, and `SIMDTEXT_SEED` the first one.

use simdtext_encoding_rs as ours;

mod common;
use common::{PAIRS, Random, streams};

/// How a stream is fed to a decoder.
struct Feed {
    bytes: Vec<u8>,
    cuts: Vec<usize>,
    bom: usize,
    room: usize,
    empty_last: bool,
}

impl Feed {
    fn new(random: &mut Random) -> Self {
        let bytes = random.bytes();
        let mut cuts: Vec<usize> = (0..random.below(5))
            .map(|_| random.below(bytes.len() + 1))
            .collect();
        if random.below(4) == 0 {
            cuts = (0..bytes.len()).collect();
        }
        cuts.push(bytes.len());
        cuts.sort_unstable();
        Feed {
            bytes,
            cuts,
            bom: random.below(3),
            room: random.one_of(&[4, 5, 6, 7, 8, 9, 10, 16, 31, 64, 100, 500, 4096]),
            empty_last: random.below(3) == 0,
        }
    }

    /// The pieces, and for each whether it is the last one.
    fn pieces(&self) -> Vec<(&[u8], bool)> {
        let mut pieces = Vec::new();
        let mut start = 0;
        for (i, &end) in self.cuts.iter().enumerate() {
            let is_last = i + 1 == self.cuts.len() && !self.empty_last;
            pieces.push((&self.bytes[start..end], is_last));
            start = end;
        }
        if self.empty_last {
            pieces.push((&[][..], true));
        }
        pieces
    }
}

/// Text, whether anything was malformed, and the encoding at the end.
type Outcome<T> = (Vec<T>, bool, &'static str);

/// Feeds a stream to a decoder of either package, which have the same names, and replaces what is malformed.
macro_rules! replacing {
    ($package:ident, $encoding:expr, $feed:expr, $unit:ty, $decode:ident) => {{
        let mut decoder = match $feed.bom {
            0 => $encoding.new_decoder(),
            1 => $encoding.new_decoder_with_bom_removal(),
            _ => $encoding.new_decoder_without_bom_handling(),
        };
        let (mut out, mut had_errors) = (Vec::new(), false);
        let mut dst = vec![<$unit>::default(); $feed.room];
        for (piece, last) in $feed.pieces() {
            let mut read = 0;
            loop {
                let (result, taken, written, errors) =
                    decoder.$decode(&piece[read..], &mut dst, last);
                out.extend(&dst[..written]);
                read += taken;
                had_errors |= errors;
                if result == $package::CoderResult::InputEmpty {
                    break;
                }
            }
            assert_eq!(read, piece.len());
        }
        let outcome: Outcome<$unit> = (out, had_errors, decoder.encoding().name());
        outcome
    }};
}

/// The output, and for each malformed sequence the lengths of the output and of what was read by then, its own
/// length, and how many of the bytes that were read come after it.
type Faults<T> = (Vec<T>, Vec<(usize, usize, u8, u8)>);

/// Feeds a stream to a decoder of either package, which stops at malformed sequences.
macro_rules! strict {
    ($package:ident, $encoding:expr, $feed:expr, $unit:ty, $decode:ident) => {{
        let mut decoder = match $feed.bom {
            0 => $encoding.new_decoder(),
            1 => $encoding.new_decoder_with_bom_removal(),
            _ => $encoding.new_decoder_without_bom_handling(),
        };
        let (mut out, mut faults, mut before) = (Vec::new(), Vec::new(), 0);
        let mut dst = vec![<$unit>::default(); $feed.room];
        for (piece, last) in $feed.pieces() {
            let mut read = 0;
            loop {
                let (result, taken, written) = decoder.$decode(&piece[read..], &mut dst, last);
                out.extend(&dst[..written]);
                read += taken;
                match result {
                    $package::DecoderResult::InputEmpty => break,
                    $package::DecoderResult::OutputFull => {}
                    $package::DecoderResult::Malformed(len, after) => {
                        faults.push((out.len(), before + read, len, after));
                    }
                }
            }
            assert_eq!(read, piece.len());
            before += read;
        }
        let faults: Faults<$unit> = (out, faults);
        faults
    }};
}

#[test]
fn decoding() {
    for (seed, mut random) in streams() {
        let (here, there) = random.one_of(&PAIRS);
        let feed = Feed::new(&mut random);
        let context = || {
            format!(
                "seed {seed}: {}, {:X?}, cut at {:?}, byte order mark {}, room {}",
                here.name(),
                feed.bytes,
                feed.cuts,
                feed.bom,
                feed.room
            )
        };
        match random.below(4) {
            0 => assert_eq!(
                replacing!(ours, here, feed, u8, decode_to_utf8),
                replacing!(encoding_rs, there, feed, u8, decode_to_utf8),
                "{}",
                context()
            ),
            1 => assert_eq!(
                replacing!(ours, here, feed, u16, decode_to_utf16),
                replacing!(encoding_rs, there, feed, u16, decode_to_utf16),
                "{}",
                context()
            ),
            2 => assert_eq!(
                strict!(ours, here, feed, u8, decode_to_utf8_without_replacement),
                strict!(
                    encoding_rs,
                    there,
                    feed,
                    u8,
                    decode_to_utf8_without_replacement
                ),
                "{}",
                context()
            ),
            _ => assert_eq!(
                strict!(ours, here, feed, u16, decode_to_utf16_without_replacement),
                strict!(
                    encoding_rs,
                    there,
                    feed,
                    u16,
                    decode_to_utf16_without_replacement
                ),
                "{}",
                context()
            ),
        }
    }
}

#[test]
fn one_shot() {
    for (seed, mut random) in streams() {
        let (here, there) = random.one_of(&PAIRS);
        let bytes = random.bytes();
        let text = random.text();
        let context = || format!("seed {seed}: {}, {bytes:X?}, {text:?}", here.name());
        match random.below(5) {
            0 => {
                let (a, b) = (here.decode(&bytes), there.decode(&bytes));
                assert_eq!(
                    (a.0, a.1.name(), a.2),
                    (b.0, b.1.name(), b.2),
                    "{}",
                    context()
                );
            }
            1 => assert_eq!(
                here.decode_with_bom_removal(&bytes),
                there.decode_with_bom_removal(&bytes),
                "{}",
                context()
            ),
            2 => assert_eq!(
                here.decode_without_bom_handling(&bytes),
                there.decode_without_bom_handling(&bytes),
                "{}",
                context()
            ),
            3 => assert_eq!(
                here.decode_without_bom_handling_and_without_replacement(&bytes),
                there.decode_without_bom_handling_and_without_replacement(&bytes),
                "{}",
                context()
            ),
            _ => {
                let (a, b) = (here.encode(&text), there.encode(&text));
                assert_eq!(
                    (a.0, a.1.name(), a.2),
                    (b.0, b.1.name(), b.2),
                    "{}",
                    context()
                );
            }
        }
    }
}

/// Encodes text, in pieces, by an encoder of either package.
macro_rules! encoding {
    ($package:ident, $encoding:expr, $pieces:expr, $room:expr, $replacing:ident, $strict:ident, $is_strict:expr) => {{
        let mut encoder = $encoding.new_encoder();
        let (mut out, mut unmappable, mut had_unmappables) =
            (Vec::<u8>::new(), Vec::<(usize, usize, char)>::new(), false);
        let mut dst = vec![0; $room];
        for (i, piece) in $pieces.iter().enumerate() {
            let last = i + 1 == $pieces.len();
            let mut read = 0;
            loop {
                if $is_strict {
                    let (result, taken, written) = encoder.$strict(&piece[read..], &mut dst, last);
                    out.extend(&dst[..written]);
                    read += taken;
                    match result {
                        $package::EncoderResult::InputEmpty => break,
                        $package::EncoderResult::OutputFull => {}
                        $package::EncoderResult::Unmappable(ch) => {
                            unmappable.push((out.len(), read, ch))
                        }
                    }
                } else {
                    let (result, taken, written, had) =
                        encoder.$replacing(&piece[read..], &mut dst, last);
                    out.extend(&dst[..written]);
                    read += taken;
                    had_unmappables |= had;
                    if result == $package::CoderResult::InputEmpty {
                        break;
                    }
                }
            }
            assert_eq!(read, piece.len());
        }
        (
            out,
            unmappable,
            had_unmappables,
            encoder.has_pending_state(),
        )
    }};
}

#[test]
fn encoding() {
    for (seed, mut random) in streams() {
        let (here, there) = random.one_of(&PAIRS);
        let is_strict = random.below(2) == 0;
        let room = random.one_of(&[14, 15, 16, 17, 18, 20, 25, 50, 100, 1000]);
        if random.below(2) == 0 {
            let pieces: Vec<String> = (0..=random.below(3)).map(|_| random.text()).collect();
            let context = || {
                format!(
                    "seed {seed}: {}, room {room}, {is_strict}, {pieces:?}",
                    here.name()
                )
            };
            assert_eq!(
                encoding!(
                    ours,
                    here,
                    pieces,
                    room,
                    encode_from_utf8,
                    encode_from_utf8_without_replacement,
                    is_strict
                ),
                encoding!(
                    encoding_rs,
                    there,
                    pieces,
                    room,
                    encode_from_utf8,
                    encode_from_utf8_without_replacement,
                    is_strict
                ),
                "{}",
                context()
            );
        } else {
            let pieces: Vec<Vec<u16>> = (0..=random.below(3)).map(|_| random.units()).collect();
            let context = || {
                format!(
                    "seed {seed}: {}, room {room}, {is_strict}, {pieces:X?}",
                    here.name()
                )
            };
            assert_eq!(
                encoding!(
                    ours,
                    here,
                    pieces,
                    room,
                    encode_from_utf16,
                    encode_from_utf16_without_replacement,
                    is_strict
                ),
                encoding!(
                    encoding_rs,
                    there,
                    pieces,
                    room,
                    encode_from_utf16,
                    encode_from_utf16_without_replacement,
                    is_strict
                ),
                "{}",
                context()
            );
        }
    }
}
