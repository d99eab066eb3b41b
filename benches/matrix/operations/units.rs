//! The units that text is decoded to and encoded from (bytes of UTF-8, code units of UTF-16), with the
//! functions of simdtext and its peers.

use bytemuck::Pod;
use encoding_rs::Encoding as Peer;
use simdtext::{Bom, Encoding, Unmappable};

use crate::peers::icu::Converter as Icu;

pub(super) trait Unit: Pod + Default + PartialEq {
    /// The maximum number of units for one byte of a legacy encoding.
    const GROWTH: usize;
    /// The name of this form in iconv, if iconv is compared.
    const ICONV: Option<&'static str>;

    fn units(text: String) -> Vec<Self>;
    fn decode(encoding: &'static Encoding, src: &[u8], dst: &mut [Self]) -> usize;
    fn peer_decode(peer: &'static Peer, src: &[u8], dst: &mut [Self]) -> usize;
    fn icu_decode(icu: &Icu, src: &[u8], dst: &mut [Self]) -> usize;
    fn encode(encoding: &'static Encoding, src: &[Self], dst: &mut [u8]) -> usize;
    fn peer_encode(peer: &'static Peer, src: &[Self], dst: &mut [u8]) -> usize;
    fn icu_encode(icu: &Icu, src: &[Self], dst: &mut [u8]) -> usize;
}

impl Unit for u8 {
    const GROWTH: usize = 3;
    const ICONV: Option<&'static str> = Some("UTF-8");

    fn units(text: String) -> Vec<u8> {
        text.into_bytes()
    }

    fn decode(encoding: &'static Encoding, src: &[u8], dst: &mut [u8]) -> usize {
        let mut decoder = encoding.decoder(Bom::Keep);
        decoder.decode_to_utf8(src, dst, true).written
    }

    fn peer_decode(peer: &'static Peer, src: &[u8], dst: &mut [u8]) -> usize {
        let mut decoder = peer.new_decoder_without_bom_handling();
        decoder.decode_to_utf8(src, dst, true).2
    }

    fn icu_decode(icu: &Icu, src: &[u8], dst: &mut [u8]) -> usize {
        icu.decode_to_utf8(src, dst)
    }

    fn encode(encoding: &'static Encoding, src: &[u8], dst: &mut [u8]) -> usize {
        let Some(mut encoder) = encoding.encoder() else {
            return 0;
        };
        let progress = encoder.encode_from_utf8(well_formed(src), dst, true, Unmappable::Ncr);
        progress.written
    }

    fn peer_encode(peer: &'static Peer, src: &[u8], dst: &mut [u8]) -> usize {
        let mut encoder = peer.new_encoder();
        encoder.encode_from_utf8(well_formed(src), dst, true).2
    }

    fn icu_encode(icu: &Icu, src: &[u8], dst: &mut [u8]) -> usize {
        icu.encode_utf8(src, dst)
    }
}

impl Unit for u16 {
    const GROWTH: usize = 1;
    const ICONV: Option<&'static str> = None;

    fn units(text: String) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    fn decode(encoding: &'static Encoding, src: &[u8], dst: &mut [u16]) -> usize {
        let mut decoder = encoding.decoder(Bom::Keep);
        decoder.decode_to_utf16(src, dst, true).written
    }

    fn peer_decode(peer: &'static Peer, src: &[u8], dst: &mut [u16]) -> usize {
        let mut decoder = peer.new_decoder_without_bom_handling();
        decoder.decode_to_utf16(src, dst, true).2
    }

    fn icu_decode(icu: &Icu, src: &[u8], dst: &mut [u16]) -> usize {
        icu.decode_to_utf16(src, dst)
    }

    fn encode(encoding: &'static Encoding, src: &[u16], dst: &mut [u8]) -> usize {
        let Some(mut encoder) = encoding.encoder() else {
            return 0;
        };
        let progress = encoder.encode_from_utf16(src, dst, true, Unmappable::Ncr);
        progress.written
    }

    fn peer_encode(peer: &'static Peer, src: &[u16], dst: &mut [u8]) -> usize {
        peer.new_encoder().encode_from_utf16(src, dst, true).2
    }

    fn icu_encode(icu: &Icu, src: &[u16], dst: &mut [u8]) -> usize {
        icu.encode_utf16(src, dst)
    }
}

/// The encoders take a `&str`. The pieces were cut from strings, and checking them again would be measured.
#[expect(unsafe_code, reason = "the input of the encoders must cost nothing")]
fn well_formed(src: &[u8]) -> &str {
    // SAFETY: called only with the bytes of a `String`, unchanged.
    unsafe { str::from_utf8_unchecked(src) }
}
