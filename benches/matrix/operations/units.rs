//! The units that text is decoded to and encoded from (bytes of UTF-8, code units of UTF-16), with the
//! functions of simdtext and its peers.

use bytemuck::Pod;
use encoding_rs::{CoderResult, Decoder as PeerDecoder, Encoder as PeerEncoder, Encoding as Peer};
use simdtext::{Bom, Decoder, Encoder, Encoding, Progress, Status, Unmappable};

use crate::peers::icu::Converter as Icu;

/// What a call did: whether the output was full, and the numbers of units read and written.
pub(super) struct Done {
    pub(super) is_full: bool,
    pub(super) read: usize,
    pub(super) written: usize,
}

impl From<Progress> for Done {
    fn from(progress: Progress) -> Done {
        Done {
            is_full: progress.status == Status::OutputFull,
            read: progress.read,
            written: progress.written,
        }
    }
}

/// What a call of encoding_rs returns.
impl From<(CoderResult, usize, usize, bool)> for Done {
    fn from((result, read, written, _): (CoderResult, usize, usize, bool)) -> Done {
        Done {
            is_full: result == CoderResult::OutputFull,
            read,
            written,
        }
    }
}

pub(super) trait Unit: Pod + Default + PartialEq {
    /// The maximum number of units for one byte of a legacy encoding.
    const GROWTH: usize;
    /// The name of this form in iconv, if iconv is compared.
    const ICONV: Option<&'static str>;

    fn units(text: String) -> Vec<Self>;

    fn decode(decoder: &mut Decoder, src: &[u8], dst: &mut [Self]) -> Done;
    fn peer_decode(decoder: &mut PeerDecoder, src: &[u8], dst: &mut [Self]) -> Done;
    fn icu_decode(icu: &Icu, src: &[u8], dst: &mut [Self]) -> usize;
    fn encode(encoder: &mut Encoder, src: &[Self], dst: &mut [u8]) -> Done;
    fn peer_encode(encoder: &mut PeerEncoder, src: &[Self], dst: &mut [u8]) -> Done;
    fn icu_encode(icu: &Icu, src: &[Self], dst: &mut [u8]) -> usize;

    fn decode_all(encoding: &'static Encoding, src: &[u8], dst: &mut [Self]) -> usize {
        Self::decode(&mut encoding.decoder(Bom::Keep), src, dst).written
    }

    fn peer_decode_all(peer: &'static Peer, src: &[u8], dst: &mut [Self]) -> usize {
        Self::peer_decode(&mut peer.new_decoder_without_bom_handling(), src, dst).written
    }

    fn encode_all(encoding: &'static Encoding, src: &[Self], dst: &mut [u8]) -> usize {
        let encoder = encoding.encoder();
        encoder.map_or(0, |mut encoder| {
            Self::encode(&mut encoder, src, dst).written
        })
    }

    fn peer_encode_all(peer: &'static Peer, src: &[Self], dst: &mut [u8]) -> usize {
        Self::peer_encode(&mut peer.new_encoder(), src, dst).written
    }
}

impl Unit for u8 {
    const GROWTH: usize = 3;
    const ICONV: Option<&'static str> = Some("UTF-8");

    fn units(text: String) -> Vec<u8> {
        text.into_bytes()
    }

    fn decode(decoder: &mut Decoder, src: &[u8], dst: &mut [u8]) -> Done {
        decoder.decode_to_utf8(src, dst, true).into()
    }

    fn peer_decode(decoder: &mut PeerDecoder, src: &[u8], dst: &mut [u8]) -> Done {
        decoder.decode_to_utf8(src, dst, true).into()
    }

    fn icu_decode(icu: &Icu, src: &[u8], dst: &mut [u8]) -> usize {
        icu.decode_to_utf8(src, dst)
    }

    fn encode(encoder: &mut Encoder, src: &[u8], dst: &mut [u8]) -> Done {
        encoder
            .encode_from_utf8(well_formed(src), dst, true, Unmappable::Ncr)
            .into()
    }

    fn peer_encode(encoder: &mut PeerEncoder, src: &[u8], dst: &mut [u8]) -> Done {
        encoder.encode_from_utf8(well_formed(src), dst, true).into()
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

    fn decode(decoder: &mut Decoder, src: &[u8], dst: &mut [u16]) -> Done {
        decoder.decode_to_utf16(src, dst, true).into()
    }

    fn peer_decode(decoder: &mut PeerDecoder, src: &[u8], dst: &mut [u16]) -> Done {
        decoder.decode_to_utf16(src, dst, true).into()
    }

    fn icu_decode(icu: &Icu, src: &[u8], dst: &mut [u16]) -> usize {
        icu.decode_to_utf16(src, dst)
    }

    fn encode(encoder: &mut Encoder, src: &[u16], dst: &mut [u8]) -> Done {
        encoder
            .encode_from_utf16(src, dst, true, Unmappable::Ncr)
            .into()
    }

    fn peer_encode(encoder: &mut PeerEncoder, src: &[u16], dst: &mut [u8]) -> Done {
        encoder.encode_from_utf16(src, dst, true).into()
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
