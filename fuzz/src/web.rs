//! `TextDecoder`, `TextEncoder` and their streams, fed in pieces, compared with encoding_rs and `std`, fed at
//! once.
//!
//! Input: the encoding, the length of a piece, options, then the bytes.

use simdtext::Encoding;
use simdtext::web::{
    TextDecodeOptions, TextDecoder, TextDecoderOptions, TextDecoderStream, TextEncoder,
    TextEncoderStream,
};

pub fn web(data: &[u8]) {
    let &[encoding, piece, options, ref bytes @ ..] = data else {
        return;
    };
    let piece = 1 + usize::from(piece);
    decoders(encoding, piece, options, bytes);
    encoders(piece, usize::from(options), bytes);
}

fn decoders(encoding: u8, piece: usize, options: u8, bytes: &[u8]) {
    let encoding = Encoding::all()[usize::from(encoding) % Encoding::all().len()];
    let options = TextDecoderOptions::new()
        .fatal(options & 1 != 0)
        .ignore_bom(options & 2 != 0);
    let Ok(mut decoder) = TextDecoder::new(encoding.name(), options) else {
        assert_eq!(encoding, simdtext::REPLACEMENT);
        return;
    };
    let peer = encoding_rs::Encoding::for_label(encoding.name().as_bytes()).expect("a label");
    let (text, malformed) = if options.ignore_bom {
        peer.decode_without_bom_handling(bytes)
    } else {
        peer.decode_with_bom_removal(bytes)
    };
    let whole = decoder.decode(bytes, TextDecodeOptions::default());
    if options.fatal {
        assert_eq!(whole.is_err(), malformed, "{encoding}");
    }
    if options.fatal && malformed {
        return;
    }
    assert_eq!(whole.as_deref(), Ok(&*text), "{encoding}");
    let mut stream = TextDecoderStream::new(encoding.name(), options).expect("as the decoder");
    let (mut decoded, mut streamed) = (String::new(), String::new());
    for chunk in bytes.chunks(piece) {
        let more = TextDecodeOptions::new().stream(true);
        decoded += &decoder
            .decode(chunk, more)
            .expect("well-formed, or not fatal");
        streamed += &stream.write(chunk).expect("well-formed, or not fatal");
    }
    let end = TextDecodeOptions::default();
    decoded += &decoder.decode(b"", end).expect("well-formed, or not fatal");
    streamed += &stream.close().expect("well-formed, or not fatal");
    assert_eq!(decoded, text, "{encoding}");
    assert_eq!(streamed, text, "{encoding}");
}

fn encoders(piece: usize, room: usize, bytes: &[u8]) {
    let units: Vec<u16> = bytes
        .as_chunks()
        .0
        .iter()
        .map(|&pair| u16::from_le_bytes(pair))
        .collect();
    let text = String::from_utf16_lossy(&units);
    let encoder = TextEncoder::new();
    assert_eq!(encoder.encode_from_utf16(&units), text.as_bytes());
    assert_eq!(encoder.encode(&text), text.as_bytes());
    let mut stream = TextEncoderStream::new();
    let mut streamed = Vec::new();
    for chunk in units.chunks(piece) {
        streamed.extend(stream.write_utf16(chunk).expect("any units"));
    }
    streamed.extend(stream.close().expect("any units"));
    assert_eq!(streamed, text.as_bytes());

    // As many whole characters as fit.
    let mut destination = vec![0xA7; room];
    let end = (0..=room.min(text.len())).rev();
    let end = end
        .into_iter()
        .find(|&end| text.is_char_boundary(end))
        .unwrap_or(0);
    let read = text[..end].encode_utf16().count();
    for from_units in [false, true] {
        let result = if from_units {
            encoder.encode_from_utf16_into(&units, &mut destination)
        } else {
            encoder.encode_into(&text, &mut destination)
        };
        assert_eq!((result.read, result.written), (read, end));
        assert_eq!(destination[..end], text.as_bytes()[..end]);
        assert!(destination[end..].iter().all(|&byte| byte == 0xA7));
    }
}
