//! The states of decoders and encoders as numbers, which become part of the result of
//! `io.TextIOWrapper.tell()`.
//!
//! The library has no such numbers. Only ISO-2022-JP and replacement have states besides the bytes that are
//! held. What a copy makes of a few bytes reveals the state. Tested in `tests/test_incremental.py`.

use simdtext::{Bom, Decoder, Encoder, Encoding, ISO_2022_JP, Status, Unmappable};

/// The escape sequences of ISO-2022-JP, in the order of the states that they select, from 1 on: Roman,
/// katakana, JIS X 0208. State 0 is ASCII.
const ESCAPES: [&[u8]; 4] = [b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$B"];
/// Set if an escape sequence was the last thing that was read.
const AFTER_ESCAPE: u64 = 1 << 2;
const REPLACED: u64 = 1 << 3;
const AT_BOM: u64 = 1 << 4;
/// Set if that escape sequence was the older one for JIS X 0208, which an error handler may see.
const OLDER_ESCAPE: u64 = 1 << 5;
/// The rest is the position of the encoding among the forty, from 1 on, because a byte order mark may have
/// selected another one.
const ENCODING: u32 = 8;

pub(crate) fn of_decoder(decoder: &Decoder) -> u64 {
    let encoding = decoder.encoding();
    let mut flags = (encoding.index() as u64 + 1) << ENCODING;
    if decoder.is_at_bom() {
        return flags | AT_BOM;
    }
    // A copy that begins where the held bytes begin is in the same state, except for these.
    let is_plain = decoder.pending().is_empty() && decoder.is_in_initial_state();
    match encoding.name() {
        "replacement" if !is_plain => flags |= REPLACED,
        "ISO-2022-JP" => flags |= of_iso_2022_jp(decoder),
        _ => {}
    }
    flags
}

fn of_iso_2022_jp(decoder: &Decoder) -> u64 {
    let is_same = |flags: &u64| {
        iso_2022_jp(decoder.encoding(), *flags, decoder.pending())
            .is_some_and(|candidate| are_same(decoder, &candidate))
    };
    let after_older = 3 | AFTER_ESCAPE | OLDER_ESCAPE;
    (0..8).chain([after_older]).find(is_same).unwrap_or(0)
}

/// Whether two decoders of ISO-2022-JP that hold the same bytes are in the same state.
fn are_same(one: &Decoder, other: &Decoder) -> bool {
    // A backslash reveals the state, after the held bytes have become malformed. The others are an escape
    // sequence, or the rest of it, which is malformed right after another one.
    let probes: [&[u8]; 4] = [b"\\", b"\x1B(B", b"(B", b"B"];
    let lossy = |decoder: &Decoder, bytes: &[u8]| {
        let mut decoder = decoder.clone();
        let mut text = String::with_capacity(64);
        let done = decoder.decode_to_string(bytes, &mut text, false);
        (text, done.errors, decoder.pending().to_vec())
    };
    let first_malformed = |decoder: &Decoder, bytes: &[u8]| {
        let mut decoder = decoder.clone();
        let done = decoder.decode_to_utf16_strict(bytes, &mut [0; 16], false);
        match done.status {
            Status::Malformed(malformed) => malformed.bytes().to_vec(),
            _ => Vec::new(),
        }
    };
    probes.iter().all(|bytes| {
        lossy(one, bytes) == lossy(other, bytes)
            && first_malformed(one, bytes) == first_malformed(other, bytes)
    })
}

/// A decoder of ISO-2022-JP in a given state, which holds `pending`.
fn iso_2022_jp(encoding: &'static Encoding, flags: u64, pending: &[u8]) -> Option<Decoder> {
    let mut decoder = encoding.decoder(Bom::Keep);
    let selected = usize::try_from(flags & 3).ok()?;
    let mut feed = |bytes: &[u8]| {
        let done = decoder.decode_to_utf16(bytes, &mut [0; 16], false);
        done.read == bytes.len() && done.errors == 0
    };
    let mut fits = true;
    if selected != 0 || flags & AFTER_ESCAPE != 0 {
        fits &= feed(if selected == 3 && flags & OLDER_ESCAPE != 0 {
            b"\x1B$@"
        } else {
            ESCAPES[selected]
        });
    }
    if selected != 0 && flags & AFTER_ESCAPE == 0 {
        // A character ends what an escape sequence begins.
        fits &= feed(b"!!".get(..if selected == 3 { 2 } else { 1 })?);
    }
    fits &= feed(pending);
    (fits && decoder.pending() == pending).then_some(decoder)
}

/// A decoder of ISO-2022-JP in the state that the last escape sequence of some bytes selects.
pub(crate) fn after_escape(bytes: &[u8]) -> Decoder {
    let selected = |three: &[u8]| match three {
        b"\x1B(B" => Some(0),
        b"\x1B(J" => Some(1),
        b"\x1B(I" => Some(2),
        b"\x1B$@" | b"\x1B$B" => Some(3),
        _ => None,
    };
    let mut flags = bytes.windows(3).rev().find_map(selected).unwrap_or(0);
    if let Some(end) = bytes.last_chunk::<3>()
        && selected(end).is_some()
    {
        flags |= AFTER_ESCAPE;
        if end == b"\x1B$@" {
            flags |= OLDER_ESCAPE;
        }
    }
    iso_2022_jp(ISO_2022_JP, flags, &[]).unwrap_or_else(|| ISO_2022_JP.decoder(Bom::Keep))
}

/// The decoder that had these flags and held these bytes.
pub(crate) fn decoder(
    original: &'static Encoding,
    bom: Bom,
    flags: u64,
    pending: &[u8],
) -> Option<Decoder> {
    // CPython sets this state to start over.
    if flags == 0 && pending.is_empty() {
        return Some(original.decoder(bom));
    }
    let place = usize::try_from(flags >> ENCODING).ok()?.checked_sub(1)?;
    let encoding = *Encoding::all().get(place)?;
    let mut decoder = if flags & AT_BOM != 0 {
        original.decoder(bom)
    } else if encoding.name() == "ISO-2022-JP" {
        return iso_2022_jp(encoding, flags, pending);
    } else {
        // Bytes before the mark that was expected may come again.
        encoding.decoder(Bom::Keep)
    };
    if flags & REPLACED != 0 {
        let _ = decoder.decode_to_utf16(b" ", &mut [0; 4], false);
    }
    let done = decoder.decode_to_utf16(pending, &mut [0; 16], false);
    (done.read == pending.len() && decoder.pending() == pending).then_some(decoder)
}

/// 0 if nothing has to be written at the end; otherwise the character set that ISO-2022-JP has selected.
pub(crate) fn of_encoder(encoder: &Encoder) -> u64 {
    if !encoder.has_pending_output() {
        return 0;
    }
    // Only Roman has the yen sign without an escape sequence.
    let mut copy = encoder.clone();
    let mut bytes = [0; 16];
    let done = copy.encode_from_utf16(&[0xA5], &mut bytes, false, Unmappable::Strict);
    if done.written == 1 { 1 } else { 2 }
}

pub(crate) fn encoder(encoding: &'static Encoding, state: u64) -> Option<Encoder> {
    let mut encoder = encoding.encoder()?;
    let switch = match state {
        0 => return Some(encoder),
        1 => 0xA5,
        2 => 0x3042,
        _ => return None,
    };
    let mut bytes = [0; 16];
    let _ = encoder.encode_from_utf16(&[switch], &mut bytes, false, Unmappable::Strict);
    (encoding.name() == "ISO-2022-JP").then_some(encoder)
}
