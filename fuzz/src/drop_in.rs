//! The drop-in for encoding_rs compared with encoding_rs itself: streams, cut anywhere and with outputs of
//! any size, and one-shot conversion.
//!
//! Input: the encoding and the function, the length of a piece, the room, then the bytes or the text.

use simdtext_encoding_rs as ours;

use crate::length;

pub fn drop_in(data: &[u8]) {
    let &[encoding, function, piece, room, ref bytes @ ..] = data else {
        return;
    };
    let all = simdtext::Encoding::all();
    let native = all[usize::from(encoding) % all.len()];
    let here: &'static ours::Encoding = native.into();
    let there = encoding_rs::Encoding::for_label(native.name().as_bytes()).expect("a label");
    let feed = Feed {
        bytes,
        piece: 1 + length(piece),
        room: length(room),
        bom: function >> 4,
    };
    match function % 8 {
        0 => assert_eq!(
            replacing!(ours, here, feed, u8, decode_to_utf8),
            replacing!(encoding_rs, there, feed, u8, decode_to_utf8)
        ),
        1 => assert_eq!(
            replacing!(ours, here, feed, u16, decode_to_utf16),
            replacing!(encoding_rs, there, feed, u16, decode_to_utf16)
        ),
        2 => assert_eq!(
            strict!(ours, here, feed, u8, decode_to_utf8_without_replacement),
            strict!(
                encoding_rs,
                there,
                feed,
                u8,
                decode_to_utf8_without_replacement
            )
        ),
        3 => assert_eq!(
            strict!(ours, here, feed, u16, decode_to_utf16_without_replacement),
            strict!(
                encoding_rs,
                there,
                feed,
                u16,
                decode_to_utf16_without_replacement
            )
        ),
        4 => {
            let (a, b) = (here.decode(bytes), there.decode(bytes));
            assert_eq!((a.0, a.1.name(), a.2), (b.0, b.1.name(), b.2));
            assert_eq!(
                here.decode_with_bom_removal(bytes),
                there.decode_with_bom_removal(bytes)
            );
            assert_eq!(
                here.decode_without_bom_handling_and_without_replacement(bytes),
                there.decode_without_bom_handling_and_without_replacement(bytes)
            );
        }
        5 => {
            let text = String::from_utf8_lossy(bytes);
            let (a, b) = (here.encode(&text), there.encode(&text));
            assert_eq!((a.0, a.1.name(), a.2), (b.0, b.1.name(), b.2));
        }
        6 => {
            let text = String::from_utf8_lossy(bytes);
            assert_eq!(
                encoding!(ours, here, *text, feed, encode_from_utf8),
                encoding!(encoding_rs, there, *text, feed, encode_from_utf8)
            );
        }
        _ => {
            let units = crate::model::units::<u16>(bytes);
            assert_eq!(
                encoding!(ours, here, units, feed, encode_from_utf16),
                encoding!(encoding_rs, there, units, feed, encode_from_utf16)
            );
        }
    }
}

/// How a stream is fed to a converter.
struct Feed<'a> {
    bytes: &'a [u8],
    piece: usize,
    room: usize,
    bom: u8,
}

impl<'a> Feed<'a> {
    /// The pieces, and for each whether it is the last one.
    fn pieces(&self) -> impl Iterator<Item = (&'a [u8], bool)> {
        let pieces = self.bytes.chunks(self.piece);
        pieces.map(|piece| (piece, false)).chain([(&[][..], true)])
    }
}

/// A decoder of either package, which have the same names.
macro_rules! decoder {
    ($encoding:expr, $feed:expr) => {
        match $feed.bom % 3 {
            0 => $encoding.new_decoder(),
            1 => $encoding.new_decoder_with_bom_removal(),
            _ => $encoding.new_decoder_without_bom_handling(),
        }
    };
}

/// The text, whether anything was malformed, and the encoding at the end.
macro_rules! replacing {
    ($package:ident, $encoding:expr, $feed:expr, $unit:ty, $decode:ident) => {{
        let mut decoder = decoder!($encoding, $feed);
        let (mut out, mut had_errors): (Vec<$unit>, bool) = Default::default();
        let mut dst = vec![<$unit>::default(); 4 + $feed.room];
        for (mut src, last) in $feed.pieces() {
            loop {
                let (result, read, written, errors) = decoder.$decode(src, &mut dst, last);
                out.extend(&dst[..written]);
                src = &src[read..];
                had_errors |= errors;
                if result == $package::CoderResult::InputEmpty {
                    break;
                }
            }
        }
        (out, had_errors, decoder.encoding().name())
    }};
}

/// The text, and the position of each malformed sequence.
macro_rules! strict {
    ($package:ident, $encoding:expr, $feed:expr, $unit:ty, $decode:ident) => {{
        let mut decoder = decoder!($encoding, $feed);
        let (mut out, mut faults): (Vec<$unit>, Vec<(usize, u8, u8)>) = Default::default();
        let mut dst = vec![<$unit>::default(); 4 + $feed.room];
        for (mut src, last) in $feed.pieces() {
            loop {
                let (result, read, written) = decoder.$decode(src, &mut dst, last);
                out.extend(&dst[..written]);
                src = &src[read..];
                match result {
                    $package::DecoderResult::InputEmpty => break,
                    $package::DecoderResult::OutputFull => {}
                    $package::DecoderResult::Malformed(len, after) => {
                        faults.push((out.len(), len, after));
                    }
                }
            }
        }
        // encoding_rs counts the second of two units of UTF-16 depending on how much room there is for it.
        if $feed.room < 64 {
            faults.iter_mut().for_each(|fault| fault.2 = 0);
        }
        (out, faults, decoder.encoding().name())
    }};
}

/// The bytes, and whether anything was unmappable.
macro_rules! encoding {
    ($package:ident, $encoding:expr, $text:expr, $feed:expr, $encode:ident) => {{
        let mut encoder = $encoding.new_encoder();
        let (mut out, mut had_unmappables): (Vec<u8>, bool) = Default::default();
        let mut dst = vec![0; 14 + $feed.room];
        let (text, mut read) = (&$text, 0);
        loop {
            let (result, taken, written, had) = encoder.$encode(&text[read..], &mut dst, true);
            out.extend(&dst[..written]);
            read += taken;
            had_unmappables |= had;
            if result == $package::CoderResult::InputEmpty {
                break;
            }
        }
        (out, had_unmappables)
    }};
}
use {decoder, encoding, replacing, strict};
