//! Every encoding of the standard, in both directions, through the streaming `Decoder` and `Encoder`, and
//! those of encoding_rs. iconv and ICU are measured with whole texts only; with short ones encoding_rs is
//! faster than both.

use std::collections::HashMap;

use encoding_rs::Encoding as Peer;
use simdtext::{Encoding, Unmappable};

use super::units::Unit;
use super::{Case, List, Outcome};
use crate::peers::{iconv, icu};
use crate::timing::{Contest, Pieces, Role};

pub(super) fn list(list: &mut List) {
    list.about("Old pages, mails and files into Rust's strings.")
        .many("legacy-to-utf8", |case| decode::<u8>(case, bytes));
    list.about("Old pages, mails and files into the strings of JavaScript and Windows.")
        .many("legacy-to-utf16", |case| decode::<u16>(case, bytes));
    list.about("Forms, URLs and exports for programs that know nothing else.")
        .many("utf8-to-legacy", |case| {
            encode::<u8>(case, |case, it| Some(mappable(case, it)))
        });
    list.about("Forms, URLs and exports from the strings of JavaScript and Windows.")
        .many("utf16-to-legacy", |case| {
            encode::<u16>(case, |case, it| Some(mappable(case, it)))
        });
}

/// Bytes to decode, in some encoding.
pub(super) type Encoded = fn(&Case<'_>, &'static Encoding) -> Result<Pieces<u8>, String>;

/// Text to encode in some encoding, if there is any for it.
pub(super) type Decoded = fn(&Case<'_>, &'static Encoding) -> Option<Vec<String>>;

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

/// Ours and the peer's object for the encoding of a case.
pub(super) fn encodings(case: &Case<'_>) -> Result<(&'static Encoding, &'static Peer), String> {
    let label = case.subject.encoding.ok_or("needs an encoding")?.as_bytes();
    Encoding::for_label(label)
        .zip(Peer::for_label(label))
        .ok_or_else(|| "no such encoding".to_owned())
}

/// Whether there is an encoder: encoding_rs does not encode to UTF-16.
pub(super) fn has_encoder(peer: &'static Peer) -> bool {
    peer.output_encoding() == peer
}

/// The pieces of the text without the characters that the encoding lacks, so that all of it can be encoded.
pub(super) fn mappable(case: &Case<'_>, encoding: &'static Encoding) -> Vec<String> {
    let mut fitted = fitter(encoding);
    let pieces = case.pieces();
    pieces.iter().map(|piece| fitted(piece)).collect()
}

/// Removes from a text the characters that the encoding lacks.
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

/// The character itself if the encoding has it; a Vietnamese letter and its tone if the encoding has both; or
/// nothing. For x-user-defined, which has only ASCII and private use, a private-use character.
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
    for letters in VIETNAMESE.split(' ') {
        let mut letters = letters.chars();
        let base = letters.next().unwrap_or(ch);
        if let Some((_, tone)) = letters.zip(TONES).find(|(letter, _)| *letter == lower) {
            let upper = base.to_uppercase().next().unwrap_or(base);
            let base = if lower == ch { base } else { upper };
            let two = format!("{base}{tone}");
            if has(&two) {
                return two;
            }
        }
    }
    String::new()
}

/// Vietnamese letters: each alone and with each of [`TONES`], which windows-1258 has as combining marks.
const VIETNAMESE: &str =
    "aàảãáạ ăằẳẵắặ âầẩẫấậ eèẻẽéẹ êềểễếệ iìỉĩíị oòỏõóọ ôồổỗốộ ơờởỡớợ uùủũúụ ưừửữứự yỳỷỹýỵ";
const TONES: [char; 5] = ['\u{300}', '\u{309}', '\u{303}', '\u{301}', '\u{323}'];

pub(super) fn bytes(case: &Case<'_>, encoding: &'static Encoding) -> Result<Pieces<u8>, String> {
    let pieces = mappable(case, encoding);
    let encoded = pieces.iter().map(|piece| strict(encoding, piece));
    Ok(Pieces::new(encoded.collect::<Result<Vec<_>, _>>()?))
}

/// A text in an encoding that has all of its characters.
pub(super) fn strict(encoding: &'static Encoding, text: &str) -> Result<Vec<u8>, String> {
    let encoded = encoding.encode(text, Unmappable::Strict);
    let encoded = encoded.map_err(|error| error.to_string())?;
    Ok(encoded.bytes.into_owned())
}

pub(super) fn decode<D: Unit>(case: &Case<'_>, bytes: Encoded) -> Outcome {
    let (encoding, peer) = encodings(case)?;
    let mut contest = Contest::<u8, D>::converting(bytes(case, encoding)?, D::GROWTH)
        .ours(move |src, dst| D::decode_all(encoding, src, dst))
        .peer("encoding_rs", move |src, dst| {
            D::peer_decode_all(peer, src, dst)
        });
    let iconv = |to| iconv::Converter::new(to, encoding.name());
    if let Some(iconv) = D::ICONV.filter(|_| case.c_peers).and_then(iconv) {
        let iconv = move |src: &[u8], dst: &mut [D]| {
            iconv.convert(src, bytemuck::cast_slice_mut(dst)) / size_of::<D>()
        };
        contest = contest.enter(Role::Alike, "iconv", iconv);
    }
    if let Some(icu) = icu::Converter::new(encoding.name()).filter(|_| case.c_peers) {
        let icu = move |src: &[u8], dst: &mut [D]| D::icu_decode(&icu, src, dst);
        contest = contest.enter(Role::Alike, "icu", icu);
    }
    contest.run(case.cell)
}

pub(super) fn encode<S: Unit>(case: &Case<'_>, text: Decoded) -> Outcome {
    let (encoding, peer) = encodings(case)?;
    let Some(text) = text(case, encoding).filter(|_| has_encoder(peer)) else {
        return Ok(None);
    };
    let src = Pieces::new(text.into_iter().map(S::units));
    let mut contest = Contest::<S, u8>::converting(src, 4)
        .ours(move |src, dst| S::encode_all(encoding, src, dst))
        .peer("encoding_rs", move |src, dst| {
            S::peer_encode_all(peer, src, dst)
        });
    let iconv = |from| iconv::Converter::new(encoding.name(), from);
    if let Some(iconv) = S::ICONV.filter(|_| case.c_peers).and_then(iconv) {
        let iconv = move |src: &[S], dst: &mut [u8]| iconv.convert(bytemuck::cast_slice(src), dst);
        contest = contest.enter(Role::Alike, "iconv", iconv);
    }
    if let Some(icu) = icu::Converter::new(encoding.name()).filter(|_| case.c_peers) {
        let icu = move |src: &[S], dst: &mut [u8]| S::icu_encode(&icu, src, dst);
        contest = contest.enter(Role::Alike, "icu", icu);
    }
    contest.run(case.cell)
}
