//! Finds the place in the input that a character of the decoded text came from.
//!
//! Nothing is recorded while decoding. If a message needs a place, the piece is decoded again, byte by byte,
//! from the state that the decoder had before it.

use std::iter::once;

use simdtext::{Bom, MIN_UTF8, Status};

use crate::decode::{AnyDecoder, Piece, bom_length};

/// The offset in the input, in bytes from its start, of the character at byte `position` of the
/// piece's text (or of the malformed sequence that the character stands for).
pub(crate) fn offset_in_input(piece: &Piece<'_>, position: usize) -> u64 {
    let decoding = piece.decoding;
    let (mut decoder, mut source) = (piece.start.decoder.clone(), piece.start.source);
    let replacement = decoding.replacement.map_or(0, char::len_utf8);
    let mut length = 0;
    if let (Some(offset), Some(_)) = (piece.start.replaced, decoding.replacement) {
        length = replacement;
        if position < length {
            return offset;
        }
    }

    let mut bom = 0;
    if decoder.total_read() == 0 {
        // A decoder that is still waiting for a byte order mark returns nothing byte by byte.
        bom = bom_length(source, decoding.encoding, decoding.bom);
        decoder = AnyDecoder::new(decoding.encoding, Bom::Keep);
        source = source.get(bom..).unwrap_or_default();
    }

    let mut begin = begin_of_held(&decoder).unwrap_or(decoder.total_read());
    let mut scratch = String::with_capacity(4 * MIN_UTF8);
    let bytes = source.chunks(1).map(|byte| (byte, false));
    for (mut byte, last) in bytes.chain(once((&[][..], true))) {
        loop {
            scratch.clear();
            let progress = decoder.decode_to_string_strict(byte, &mut scratch, last);
            byte = &byte[progress.read..];
            length += progress.written;
            if length > position {
                return begin + bom as u64;
            }
            match progress.status {
                Status::Malformed(malformed) => {
                    length += replacement;
                    if length > position {
                        return malformed.offset + bom as u64;
                    }
                    begin = malformed.offset + u64::from(malformed.len);
                }
                Status::InputEmpty => break,
                Status::OutputFull | Status::Unmappable { .. } => {}
            }
        }
        if begin_of_held(&decoder).is_none() {
            begin = decoder.total_read();
        }
    }
    begin + bom as u64
}

/// Where the unfinished sequence begins that the decoder holds, which would be malformed if the input ended
/// here. `None` if it holds nothing.
fn begin_of_held(decoder: &AnyDecoder) -> Option<u64> {
    let mut ended = decoder.clone();
    let mut scratch = String::with_capacity(4 * MIN_UTF8);
    let progress = ended.decode_to_string_strict(&[], &mut scratch, true);
    match progress.status {
        Status::Malformed(malformed) => Some(malformed.offset),
        _ => None,
    }
}
