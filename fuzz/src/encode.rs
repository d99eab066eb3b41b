//! Every encoder, from UTF-8 and from UTF-16, compared with encoding_rs: the same bytes, and whether there
//! were unmappable characters.
//!
//! Input: the encoding, the room, then the text.

use simdtext::{Encoding, MIN_ENCODED, Status, Unmappable};

use crate::length;

pub fn encode(data: &[u8]) {
    let &[encoding, room, ref text @ ..] = data else {
        return;
    };
    let text = String::from_utf8_lossy(text);
    let encoding = Encoding::all()[usize::from(encoding) % Encoding::all().len()];
    let Some(mut encoder) = encoding.encoder() else {
        return;
    };
    let mut dst = vec![0; MIN_ENCODED + length(room)];
    let (mut bytes, mut errors) = (Vec::new(), 0);
    let mut src = &*text;
    loop {
        let progress = encoder.encode_from_utf8(src, &mut dst, true, Unmappable::Ncr);
        bytes.extend_from_slice(&dst[..progress.written]);
        errors += progress.errors;
        src = &src[progress.read..];
        if progress.status == Status::InputEmpty {
            break;
        }
    }
    let units: Vec<u16> = text.encode_utf16().collect();
    let (mut from_units, mut src) = (Vec::new(), &*units);
    loop {
        let progress = encoder.encode_from_utf16(src, &mut dst, true, Unmappable::Ncr);
        from_units.extend_from_slice(&dst[..progress.written]);
        src = &src[progress.read..];
        if progress.status == Status::InputEmpty {
            break;
        }
    }
    assert_eq!(bytes, from_units, "{encoding}");
    let peer = encoding_rs::Encoding::for_label(encoding.name().as_bytes()).expect("a label");
    // encoding_rs does not encode to UTF-16.
    if peer.output_encoding() == peer {
        let (expected, _, unmappable) = peer.encode(&text);
        assert_eq!(bytes, &*expected, "{encoding}");
        assert_eq!(errors > 0, unmappable, "{encoding}");
    } else {
        assert_eq!(encoding.decode(&bytes).text, text, "{encoding}");
    }
}
