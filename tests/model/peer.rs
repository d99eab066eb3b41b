//! What encoding_rs makes of bytes, and the standard's algorithms of text.

use encoding_rs::DecoderResult;
use simdtext::{Bom, Encoding, Malformed, Unmappable};

use crate::spec::events::{self, Policy};
use crate::spec::instances;

pub(crate) struct Decoded {
    pub(crate) encoding: &'static Encoding,
    pub(crate) text: String,
    /// With their places in the text.
    pub(crate) malformed: Vec<(usize, Malformed)>,
}

/// Decodes all of `bytes`, with `instead` for what is malformed.
pub(crate) fn decode(
    encoding: &'static Encoding,
    bytes: &[u8],
    bom: Bom,
    last: bool,
    instead: &str,
) -> Decoded {
    let peer = encoding_rs::Encoding::for_label(encoding.name().as_bytes());
    let peer = peer.expect("both have all forty");
    let mut decoder = match bom {
        Bom::Sniff => peer.new_decoder(),
        Bom::Strip => peer.new_decoder_with_bom_removal(),
        _ => peer.new_decoder_without_bom_handling(),
    };
    let (mut text, mut all, mut at) = (String::new(), Vec::new(), 0);
    loop {
        text.reserve(3 * (bytes.len() - at) + 16);
        let rest = &bytes[at..];
        let (result, read) = decoder.decode_to_string_without_replacement(rest, &mut text, last);
        at += read;
        if let DecoderResult::Malformed(len, after) = result {
            let (offset, mut bytes4) = (at - usize::from(len + after), [0; 4]);
            bytes4[..len.into()].copy_from_slice(&bytes[offset..][..len.into()]);
            let offset = offset as u64;
            all.push((
                text.len(),
                Malformed {
                    offset,
                    len,
                    bytes: bytes4,
                },
            ));
            text.push_str(instead);
        } else if result == DecoderResult::InputEmpty {
            break;
        }
    }
    let found = Encoding::for_label(decoder.encoding().name().as_bytes());
    let encoding = found.expect("both have all forty");
    Decoded {
        encoding,
        text,
        malformed: all,
    }
}

/// Encodes a text, with [`Unmappable::Strict`] up to the first character that is not in the encoding. Returns those
/// that are not, with their places.
pub(crate) fn encode(
    encoding: &'static Encoding,
    text: &str,
    unmappable: Unmappable,
) -> (Vec<u8>, Vec<(usize, char)>) {
    let policy = match unmappable {
        Unmappable::Ncr => Policy::Ncr,
        Unmappable::Replace(ch) => Policy::Replace(ch),
        Unmappable::Skip => Policy::Skip,
        _ => Policy::Stop,
    };
    let (places, chars): (Vec<_>, Vec<_>) = text.char_indices().unzip();
    let encoder = instances::Encoder::new(encoding.name()).expect("it is not replacement");
    let encoded = events::encode(encoder, &chars, policy);
    let missing: Vec<_> = encoded
        .unmappable
        .iter()
        .map(|it| (places[it.1], it.0))
        .collect();
    match missing.first() {
        Some(first) if policy == Policy::Stop => {
            let (bytes, _) = encode(encoding, &text[..first.0], unmappable);
            (bytes, vec![*first])
        }
        _ => (encoded.bytes, missing),
    }
}
