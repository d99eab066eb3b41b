//! Every encoding of the standard, in both directions, through the streaming `Decoder` and
//! `Encoder`, as encoding_rs has them.

use std::collections::HashMap;

use encoding_rs::Encoding as Peer;
use simdtext::{Bom, Encoding, Unmappable};

use super::{Case, Operation, Sizes, Texts, family, legacy_peers};
use crate::corpus::cut;
use crate::timing::{Contest, Measured, Pieces};

pub(super) const OPERATIONS: [Operation; 4] = family(
    "legacy",
    Texts::Legacy,
    [
        Operation::new(
            "legacy-to-utf8",
            "Old pages, mails and files into Rust's strings.",
            |case| to_utf8(case, bytes),
        )
        .sizes(Sizes::Many),
        Operation::new(
            "legacy-to-utf16",
            "Old pages, mails and files into the strings of JavaScript and Windows.",
            |case| to_utf16(case, bytes),
        )
        .sizes(Sizes::Many),
        Operation::new(
            "utf8-to-legacy",
            "Forms, URLs and exports for programs that know nothing else.",
            |case| from_utf8(case, |case, encoding| Ok(mappable(case, encoding))),
        )
        .sizes(Sizes::Many),
        Operation::new(
            "utf16-to-legacy",
            "Forms, URLs and exports from the strings of JavaScript and Windows.",
            |case| from_utf16(case, |case, encoding| Ok(mappable(case, encoding))),
        )
        .sizes(Sizes::Many),
    ],
);

/// Bytes to decode, of an encoding.
pub(super) type Encoded = fn(&Case<'_>, &'static Encoding) -> Result<Pieces<u8>, String>;

/// Text to encode in an encoding.
pub(super) type Decoded = fn(&Case<'_>, &'static Encoding) -> Result<Vec<String>, String>;

/// Encodings, and the language that each is measured with.
pub(crate) const LEGACY: [(&str, &str); 50] = [
    ("UTF-8", "en"),
    ("UTF-8", "ja"),
    ("UTF-8", "ru"),
    ("UTF-16LE", "en"),
    ("UTF-16LE", "ru"),
    ("UTF-16BE", "ja"),
    ("IBM866", "ru"),
    ("ISO-8859-2", "cs"),
    ("ISO-8859-3", "eo"),
    ("ISO-8859-4", "de"),
    ("ISO-8859-5", "ru"),
    ("ISO-8859-6", "ar"),
    ("ISO-8859-7", "el"),
    ("ISO-8859-8", "he"),
    ("ISO-8859-8-I", "he"),
    ("ISO-8859-10", "de"),
    ("ISO-8859-13", "de"),
    ("ISO-8859-13", "lv"),
    ("ISO-8859-14", "fr"),
    ("ISO-8859-15", "fr"),
    ("ISO-8859-16", "fr"),
    ("KOI8-R", "ru"),
    ("KOI8-U", "ru"),
    ("KOI8-U", "uk"),
    ("macintosh", "fr"),
    ("windows-874", "th"),
    ("windows-1250", "cs"),
    ("windows-1250", "pl"),
    ("windows-1251", "ru"),
    ("windows-1252", "de"),
    ("windows-1252", "en"),
    ("windows-1252", "fr"),
    ("windows-1252", "pt"),
    ("windows-1253", "el"),
    ("windows-1254", "tr"),
    ("windows-1255", "he"),
    ("windows-1256", "ar"),
    ("windows-1256", "fa"),
    ("windows-1257", "de"),
    ("windows-1257", "lt"),
    ("windows-1258", "vi"),
    ("x-mac-cyrillic", "ru"),
    ("GBK", "zh"),
    ("gb18030", "zh"),
    ("Big5", "zh-tw"),
    ("EUC-JP", "ja"),
    ("ISO-2022-JP", "ja"),
    ("Shift_JIS", "ja"),
    ("EUC-KR", "ko"),
    ("x-user-defined", "ru"),
];

/// Our encoding of a case, and the peer's.
pub(super) fn encodings(case: &Case<'_>) -> Result<(&'static Encoding, &'static Peer), String> {
    let label = case.encoding.ok_or("needs an encoding")?.as_bytes();
    Encoding::for_label(label)
        .zip(Peer::for_label(label))
        .ok_or_else(|| "no such encoding".to_owned())
}

/// The pieces of the text without what the encoding lacks, so that what is measured is well-formed.
pub(super) fn mappable(case: &Case<'_>, encoding: &'static Encoding) -> Vec<String> {
    let mut fitted = fitter(encoding);
    let pieces = cut(case.text, case.size);
    pieces.iter().map(|piece| fitted(piece)).collect()
}

/// Takes out of a text what the encoding lacks.
pub(super) fn fitter(encoding: &'static Encoding) -> impl FnMut(&str) -> String {
    let mut known: HashMap<char, String> = HashMap::new();
    move |piece| {
        let mut text = String::with_capacity(piece.len());
        for ch in piece.chars() {
            text.push_str(known.entry(ch).or_insert_with(|| fit(encoding, ch)));
        }
        text
    }
}

/// A character if the encoding has it, or a Vietnamese letter and its tone if it has these, or
/// nothing. x-user-defined, which has ASCII and characters for private use, has one for it.
fn fit(encoding: &'static Encoding, ch: char) -> String {
    let has = |text: &str| encoding.encode(text, Unmappable::Strict).is_ok();
    let whole = ch.to_string();
    if has(&whole) {
        return whole;
    }
    if encoding.name() == "x-user-defined" {
        let private = char::from_u32(0xF780 | u32::from(ch) & 0x7F);
        return private.map_or(String::new(), String::from);
    }
    let lower = ch.to_lowercase().next().unwrap_or(ch);
    for (base, with_tones) in VIETNAMESE {
        if let Some(tone) = with_tones.chars().position(|letter| letter == lower) {
            let upper = base.to_uppercase().next().unwrap_or(base);
            let base = if lower == ch { base } else { upper };
            let two = format!("{base}{}", TONES[tone]);
            if has(&two) {
                return two;
            }
        }
    }
    String::new()
}

/// Vietnamese letters with each of [`TONES`], which windows-1258 has as combining marks.
const VIETNAMESE: [(char, &str); 12] = [
    ('a', "àảãáạ"),
    ('ă', "ằẳẵắặ"),
    ('â', "ầẩẫấậ"),
    ('e', "èẻẽéẹ"),
    ('ê', "ềểễếệ"),
    ('i', "ìỉĩíị"),
    ('o', "òỏõóọ"),
    ('ô', "ồổỗốộ"),
    ('ơ', "ờởỡớợ"),
    ('u', "ùủũúụ"),
    ('ư', "ừửữứự"),
    ('y', "ỳỷỹýỵ"),
];
const TONES: [char; 5] = ['\u{300}', '\u{309}', '\u{303}', '\u{301}', '\u{323}'];

pub(super) fn bytes(case: &Case<'_>, encoding: &'static Encoding) -> Result<Pieces<u8>, String> {
    let pieces = mappable(case, encoding);
    let encoded = pieces.iter().map(|piece| {
        let encoded = encoding.encode(piece, Unmappable::Strict);
        Ok(encoded
            .map_err(|error| error.to_string())?
            .bytes
            .into_owned())
    });
    Ok(Pieces::new(encoded.collect::<Result<Vec<_>, String>>()?))
}

pub(super) fn to_utf8(case: &Case<'_>, bytes: Encoded) -> Result<Measured, String> {
    let (encoding, peer) = encodings(case)?;
    let contest = Contest::<u8, u8>::converting(bytes(case, encoding)?, 3)
        .ours(move |src, dst| {
            let mut decoder = encoding.decoder(Bom::Keep);
            decoder.decode_to_utf8(src, dst, true).written
        })
        .peer("encoding_rs", move |src, dst| {
            let mut decoder = peer.new_decoder_without_bom_handling();
            decoder.decode_to_utf8(src, dst, true).2
        });
    legacy_peers::to_utf8(contest, case, encoding.name()).run(case.effort)
}

pub(super) fn to_utf16(case: &Case<'_>, bytes: Encoded) -> Result<Measured, String> {
    let (encoding, peer) = encodings(case)?;
    let contest = Contest::<u8, u16>::converting(bytes(case, encoding)?, 1)
        .ours(move |src, dst| {
            let mut decoder = encoding.decoder(Bom::Keep);
            decoder.decode_to_utf16(src, dst, true).written
        })
        .peer("encoding_rs", move |src, dst| {
            let mut decoder = peer.new_decoder_without_bom_handling();
            decoder.decode_to_utf16(src, dst, true).2
        });
    legacy_peers::to_utf16(contest, case, encoding.name()).run(case.effort)
}

pub(super) fn from_utf8(case: &Case<'_>, text: Decoded) -> Result<Measured, String> {
    let (encoding, peer) = encodings(case)?;
    if peer.output_encoding() != peer {
        return Err("encoding_rs has no such encoder".to_owned());
    }
    let src = text(case, encoding)?.into_iter().map(String::into_bytes);
    let contest = Contest::<u8, u8>::converting(Pieces::new(src), 4)
        .ours(move |src, dst| {
            let Some(mut encoder) = encoding.encoder() else {
                return 0;
            };
            let text = well_formed(src);
            let progress = encoder.encode_from_utf8(text, dst, true, Unmappable::Ncr);
            progress.written
        })
        .peer("encoding_rs", move |src, dst| {
            let mut encoder = peer.new_encoder();
            encoder.encode_from_utf8(well_formed(src), dst, true).2
        });
    legacy_peers::from_utf8(contest, case, encoding.name()).run(case.effort)
}

pub(super) fn from_utf16(case: &Case<'_>, text: Decoded) -> Result<Measured, String> {
    let (encoding, peer) = encodings(case)?;
    if peer.output_encoding() != peer {
        return Err("encoding_rs has no such encoder".to_owned());
    }
    let pieces = text(case, encoding)?.into_iter();
    let src = Pieces::new(pieces.map(|piece| piece.encode_utf16().collect()));
    let contest = Contest::<u16, u8>::converting(src, 4)
        .ours(move |src, dst| {
            let Some(mut encoder) = encoding.encoder() else {
                return 0;
            };
            let progress = encoder.encode_from_utf16(src, dst, true, Unmappable::Ncr);
            progress.written
        })
        .peer("encoding_rs", move |src, dst| {
            peer.new_encoder().encode_from_utf16(src, dst, true).2
        });
    legacy_peers::from_utf16(contest, case, encoding.name()).run(case.effort)
}

/// The encoders want a `&str`. Pieces are made from strings, and the check would be measured too.
#[expect(unsafe_code, reason = "the input of the encoders must cost nothing")]
pub(super) fn well_formed(src: &[u8]) -> &str {
    // SAFETY: only called with the bytes of a `String`, unchanged.
    unsafe { str::from_utf8_unchecked(src) }
}
