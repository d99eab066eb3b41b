//! UTF-16 in both byte orders, including lone surrogates, compared with the standard library.

use simdtext::{Bom, Encoding, Status, UTF_8, UTF_16BE, UTF_16LE, Unmappable};

use crate::model::Form;
use crate::unicode;

pub fn utf16(bytes: &[u8]) {
    for form in [Form::Utf16, Form::Utf16Le, Form::Utf16Be] {
        unicode::check(form, bytes);
    }
    let (pairs, rest) = bytes.as_chunks::<2>();
    type Read = fn([u8; 2]) -> u16;
    let orders: [(&'static Encoding, Read); 2] = [
        (UTF_16LE, u16::from_le_bytes),
        (UTF_16BE, u16::from_be_bytes),
    ];
    for (encoding, read) in orders {
        let units: Vec<u16> = pairs.iter().map(|&pair| read(pair)).collect();
        let mut text = String::from_utf16_lossy(&units);
        let decoded = encoding.decode_with_bom(&bytes[..bytes.len() - rest.len()], Bom::Keep);
        assert_eq!(decoded.text, text);
        // From units to UTF-8.
        let mut utf8 = vec![0; 3 * units.len()];
        let mut encoder = UTF_8.encoder().expect("an encoder");
        let progress = encoder.encode_from_utf16(&units, &mut utf8, true, Unmappable::Strict);
        assert_eq!(progress.status, Status::InputEmpty);
        assert_eq!(&utf8[..progress.written], text.as_bytes());
        // From bytes to units.
        let mut wide = vec![0; units.len() + 1];
        let progress = encoding
            .decoder(Bom::Keep)
            .decode_to_utf16(bytes, &mut wide, true);
        assert_eq!(progress.status, Status::InputEmpty);
        // An odd byte at the end is malformed, together with a leading surrogate before it.
        let pending = units
            .last()
            .is_some_and(|unit| matches!(unit, 0xD800..=0xDBFF));
        if !rest.is_empty() && !pending {
            text.push('\u{FFFD}');
        }
        assert!(
            text.encode_utf16()
                .eq(wide[..progress.written].iter().copied())
        );
    }
}
