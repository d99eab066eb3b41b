//! Every decoder, fed in pieces, compared with encoding_rs, fed at once: the same text, and the same number
//! of errors.
//!
//! Input: the encoding, the length of a piece, the room, then the bytes.

use simdtext::{Bom, Encoding, MIN_UTF8, MIN_UTF16, Status};

use crate::length;

pub fn decode(data: &[u8]) {
    let &[encoding, piece, room, ref bytes @ ..] = data else {
        return;
    };
    let encoding = Encoding::all()[usize::from(encoding) % Encoding::all().len()];
    let peer = encoding_rs::Encoding::for_label(encoding.name().as_bytes()).expect("a label");
    let (text, malformed) = peer.decode_without_bom_handling(bytes);

    let piece = 1 + length(piece);
    let mut decoder = encoding.decoder(Bom::Keep);
    let mut dst = vec![0; MIN_UTF8 + length(room)];
    let (mut decoded, mut errors) = (Vec::new(), 0);
    for (src, last) in pieces(bytes, piece) {
        let mut src = src;
        loop {
            let progress = decoder.decode_to_utf8(src, &mut dst, last);
            decoded.extend_from_slice(&dst[..progress.written]);
            errors += progress.errors;
            src = &src[progress.read..];
            if progress.status == Status::InputEmpty {
                break;
            }
        }
    }
    assert_eq!(std::str::from_utf8(&decoded), Ok(&*text), "{encoding}");
    assert_eq!(errors > 0, malformed, "{encoding}");

    let mut dst = vec![0; MIN_UTF16 + length(room)];
    let (mut units, mut errors_utf16) = (Vec::new(), 0);
    for (src, last) in pieces(bytes, piece) {
        let mut src = src;
        loop {
            let progress = decoder.decode_to_utf16(src, &mut dst, last);
            units.extend_from_slice(&dst[..progress.written]);
            errors_utf16 += progress.errors;
            src = &src[progress.read..];
            if progress.status == Status::InputEmpty {
                break;
            }
        }
    }
    assert!(text.encode_utf16().eq(units), "{encoding}");
    assert_eq!(errors, errors_utf16, "{encoding}");
}

/// The pieces of `bytes`, the last of which may be empty, and for each whether it is the last.
fn pieces(bytes: &[u8], piece: usize) -> impl Iterator<Item = (&[u8], bool)> {
    let count = bytes.len() / piece;
    (0..=count).map(move |i| {
        let start = i * piece;
        (&bytes[start..bytes.len().min(start + piece)], i == count)
    })
}
