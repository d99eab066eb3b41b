//! encoding_rs, called so that its results can be compared with those of the oracle.

use encoding_rs::{Decoder, DecoderResult, Encoder, EncoderResult, Encoding};

use crate::spec::events::{Encoded, Event};

pub(crate) fn encoding(name: &str) -> &'static Encoding {
    Encoding::for_label(name.as_bytes()).expect("encoding_rs has all forty")
}

/// Decodes without replacement, in one piece.
pub(crate) fn decode(mut decoder: Decoder, bytes: &[u8]) -> Vec<Event> {
    let mut events = Vec::with_capacity(bytes.len() + 1);
    let mut text = [0; 1024];
    let mut total = 0;
    loop {
        let rest = &bytes[total..];
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(rest, &mut text, true);
        total += read;
        let text = std::str::from_utf8(&text[..written]).expect("UTF-8");
        events.extend(text.chars().map(Event::Text));
        match result {
            DecoderResult::InputEmpty => return events,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(len, after) => {
                let (len, after) = (usize::from(len), usize::from(after));
                events.push(Event::Malformed(total - after - len, len));
            }
        }
    }
}

/// Encodes with encoding_rs's `encode_from_utf8`, which writes decimal numeric character references for
/// unmappable characters.
pub(crate) fn encode(mut encoder: Encoder, text: &str) -> Encoded {
    let mut encoded = Encoded::default();
    let mut bytes = [0; 1024];
    let mut total = 0;
    loop {
        let rest = &text[total..];
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(rest, &mut bytes, true);
        total += read;
        encoded.bytes.extend_from_slice(&bytes[..written]);
        match result {
            EncoderResult::InputEmpty => return encoded,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(c) => {
                let ncr = format!("&#{};", u32::from(c));
                encoded.bytes.extend_from_slice(ncr.as_bytes());
                let place = text[..total].chars().count() - 1;
                encoded.unmappable.push((c, place));
            }
        }
    }
}
